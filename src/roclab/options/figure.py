"""Figure: what each kind of figure can be told, and how it looks.

A recipe (``plots/recipes``) takes those keywords that mean something for it as keyword-only parameters; its signature
is the table of what belongs to which figure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypedDict

from roclab.names import (
    AverageKind,
    BandKind,
    DistributionKind,
    FigureSize,
    IsoMetric,
    SmoothModel,
    SpreadShown,
    Walk,
)
from roclab.options.group import Group, group

__all__ = ["ContentKeywords", "LooksKeywords", "Looks"]


class ContentKeywords(TypedDict, total=False):
    """What a figure shows; most of it belongs to some figures only."""

    band: BandKind | None
    ties: Walk | None
    staircase: bool
    labels: int | bool | None
    at_threshold: Sequence[float]
    at_fpr: float | None
    cutoff: str | None
    kind: DistributionKind | None
    log: bool
    bins: int | None
    metric: Sequence[str]
    x: str | None
    y: str | None
    alpha: float | None
    beta: float | None
    iso: IsoMetric | None
    troc_space: bool
    mirror: bool
    estimator: Sequence[SmoothModel]
    how: AverageKind | None
    spread_as: SpreadShown | None
    scenarios: Mapping[str, Sequence[float]] | None
    sets: Mapping[str, Sequence[str]] | str | None
    shares: tuple[float, float, float] | None
    cdf: Callable[[Any], Any] | str | None
    support: Sequence[float] | None
    probabilities: Sequence[Any] | None


class LooksKeywords(TypedDict, total=False):
    """How a figure looks."""

    percent: bool
    specificity_axis: bool
    digits: int | None
    size: FigureSize
    title: str | None
    names: Mapping[str, str] | Sequence[str] | None
    colors: Mapping[str, Any] | Sequence[Any] | str | None
    x_label: str | None
    y_label: str | None


_CONTENT = {
    "band": "roc, pr: confidence band of the curve.",
    "ties": "roc: how to cross tied scores of both classes (default expected), with the area of that curve.",
    "staircase": "roc: keep every step of a long curve, which is thinned out otherwise.",
    "labels": "roc: write so many thresholds along each curve; all: the coordinates of ready-made points."
    "\n\nTrue for all.",
    "at_threshold": "roc: mark this threshold and its confidence box, of several scores one for each; combination: "
    "one per score; likelihood: cuts; predictive, fagan: the threshold of the test; rates, gaps, "
    "risk_coverage: fixed beforehand.",
    "at_fpr": "combination: the classifier between two with this false positive rate.",
    "cutoff": "roc, distribution, metrics: mark the best cut-off by this criterion, of several scores that of each; "
    "stability: the criterion.",
    "kind": "distribution: how to show it (default histogram).",
    "log": "distribution, metrics, stability: a logarithmic axis of scores.",
    "bins": "distribution, calibration, likelihood, box_cox: how many bins.",
    "metric": "metrics: which metric; rates: which rates.",
    "x": "metrics: this measure against ``y``, coloured by the threshold.",
    "y": "metrics: any metric or criterion, as ppv, cost, f_alpha.",
    "alpha": "metrics: weight of the precision in f_alpha.",
    "beta": "metrics: weight of the recall in f_beta.",
    "iso": "iso: lines of which metric (default accuracy).",
    "troc_space": "iso: in tROC space, where the lines are parabolas.",
    "mirror": "troc, roc: the mirror image of each curve too, which has the same AUC.",
    "estimator": "smooth: curve to fit; distribution: densities over the histogram.",
    "how": "average: over what (default vertical).",
    "spread_as": "average: how to show its spread (default bars).",
    "scenarios": "hull: a line of equal cost for this prevalence and these costs, which touches the best point."
    "\n\nA mapping of names to (prevalence, cost_fp, cost_fn).",
    "sets": "hull, pareto: one hull or front for each of these sets of classifiers, in one figure."
    '\n\nA mapping of names to the classifiers of each set, or "each" for every classifier on its own.',
    "shares": "lc: smallest, likeliest and largest share of a false positive in the cost of both errors.",
    "cdf": 'cdf: the distribution that the sample is tested against: its function, or "normal:0,1" and the like.',
    "support": "cdf: the values of a discrete distribution, whose function is drawn as steps.",
    "probabilities": "cdf: the probabilities of these values.",
}
_LOOKS = {
    "percent": "Axes in percent instead of fractions.",
    "specificity_axis": "Specificity from 1 to 0 instead of the false positive rate.",
    "digits": "Decimals of the numbers in the legend (default 4).",
    "size": "Width: one column of a journal (85 mm) or two (180 mm).",
    "title": "A title above the figure.",
    "names": "Another name of a score, group or class.\n\nA mapping of some, or a sequence of all.",
    "colors": "Colours of the curves, by the names of their scores, groups or classes."
    "\n\nA mapping of some, a sequence of all, or one for one curve; as matplotlib writes them.",
    "x_label": "Name of the horizontal axis.",
    "y_label": "Name of the vertical axis.",
}


@group(ContentKeywords, _CONTENT)
@dataclass(frozen=True, kw_only=True)
class _Content(Group):
    """Defaults of what a figure shows."""

    band: BandKind | None = None
    ties: Walk | None = None
    staircase: bool = False
    labels: int | bool | None = None
    at_threshold: Sequence[float] = ()
    at_fpr: float | None = None
    cutoff: str | None = None
    kind: DistributionKind | None = None
    log: bool = False
    bins: int | None = None
    metric: Sequence[str] = ()
    x: str | None = None
    y: str | None = None
    alpha: float | None = None
    beta: float | None = None
    iso: IsoMetric | None = None
    troc_space: bool = False
    mirror: bool = False
    estimator: Sequence[SmoothModel] = ()
    how: AverageKind | None = None
    spread_as: SpreadShown | None = None
    scenarios: Mapping[str, Sequence[float]] | None = None
    sets: Mapping[str, Sequence[str]] | str | None = None
    shares: tuple[float, float, float] | None = None
    cdf: Callable[[Any], Any] | str | None = None
    support: Sequence[float] | None = None
    probabilities: Sequence[Any] | None = None


@group(LooksKeywords, _LOOKS)
@dataclass(frozen=True, kw_only=True)
class Looks(Group):
    """How a figure looks."""

    percent: bool = False
    specificity_axis: bool = False
    digits: int | None = None
    size: FigureSize = "single"
    title: str | None = None
    names: Mapping[str, str] | Sequence[str] | None = None
    colors: Mapping[str, Any] | Sequence[Any] | str | None = None
    x_label: str | None = None
    y_label: str | None = None
