"""Figures by name: what each asks the question layer for, and which function draws it.

``figure("roc", y, scores)`` in Python and ``roclab plot --figure roc`` are this one road.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from roclab._core.checks import check_choice
from roclab._core.text import text_table, without_shared
from roclab._core.whole_file import write_whole
from roclab.analysis.area_table import are_curves
from roclab.analysis.data import DataKeywords, Range, data_door, read_cases
from roclab.errors import InputError, Words, named
from roclab.names import (
    FIGURES,
    READER_FIGURES,
    AverageKind,
    BandKind,
    DistributionKind,
    FigureName,
    FigureSize,
    IsoMetric,
    SmoothModel,
    SpreadShown,
    Standard,
)
from roclab.plots.axes import label_by_specificity
from roclab.plots.canvas import check_figure_place, figure_bytes, set_words
from roclab.plots.recipes import RECIPES, Names, Request, renamed
from roclab.plots.words import digits_shown
from roclab.results import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from roclab.analysis.auc import Resampling

__all__ = ["Picture", "figure", "picture_of"]

# What curves without cases can show.
_OF_CURVES = ("roc", "troc", "det", "cost", "hull", "pareto", "crossings", "combination", "lc", "smooth")
_READ_THEMSELVES = (
    "multiclass",
    "cdf",
    "design",
    "combination",
    *READER_FIGURES,
)  # data of another shape than cases or curves
_IN_ROC_SPACE = ("roc", "hull", "pareto", "crossings", "combination", "smooth", "average", "multiclass")
_SHORT = 20  # rows of a table that is printed beside the figure

# Options that mean something for some figures only; with others they are refused, not ignored.
_ONLY_FOR = {
    "band": ("roc",),
    "staircase": ("roc",),
    "labels": ("roc",),
    "at_threshold": ("roc", "combination", "likelihood"),
    "at_fpr": ("combination",),
    "cdf": ("cdf",),
    "support": ("cdf",),
    "probabilities": ("cdf",),
    "shares": ("lc",),
    "cutoff": ("roc", "distribution", "metrics", "stability"),
    "folds": ("average",),
    "kind": ("distribution",),
    "log": ("distribution", "metrics", "stability"),
    "bins": ("distribution", "calibration", "likelihood", "box_cox"),
    "metric": ("metrics",),
    "x": ("metrics",),
    "y": ("metrics",),
    "alpha": ("metrics",),
    "beta": ("metrics",),
    "iso": ("iso",),
    "troc_space": ("iso",),
    "estimator": ("smooth", "distribution"),
    "prevalence": ("iso", "gain", "lift", "pr", "decision", "metrics", "lc"),
    "cost_fp": ("iso", "metrics"),
    "cost_fn": ("iso", "metrics"),
    "fpr": ("roc", "forest", "comparison", "differences"),
    "tpr": ("roc", "forest", "comparison", "differences"),
    "scenarios": ("hull",),
    "mirror": ("troc", "roc"),
    "how": ("average",),
    "spread_as": ("average",),
    "percent": ("roc", "troc", "pr", "gain", "lift", "hull", "pareto", "crossings", "combination", "iso", "smooth",
                "average", "calibration", "decision", "multiclass"),
    "specificity_axis": _IN_ROC_SPACE,
    "digits": ("roc", "troc", "pr", "smooth", "average", "calibration", "forest", "comparison", "differences",
               "multiclass", "cdf", "combination", "lc", "likelihood", "distribution"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Picture(Result):
    """A figure that was drawn, and the results that it shows."""

    figure: str
    width_mm: float
    height_mm: float
    numbers: tuple[Result, ...]
    file: str | None = None
    _ax: Any = None

    @property
    def ax(self) -> Axes:
        """The axes, to be changed further."""
        found: Axes = self._ax
        return found

    def save(self, path: str | Path, *, name: str = "path") -> Path:
        """Write the figure as .svg, .pdf or .png, whole or not at all."""
        check_figure_place(path, name=name)
        write_whole(path, figure_bytes(self.ax, str(path).rpartition(".")[2].lower()), name=name)
        return Path(path)

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the results."""
        return [row for one in self.numbers for row in one.rows()]

    def __str__(self) -> str:
        tables: dict[tuple[str, ...], list[Any]] = {}
        for row in self.rows():
            tables.setdefault(tuple(row), []).append(row)
        parts = []
        for rows in tables.values():
            if len(rows) <= _SHORT:
                shown, below = without_shared(rows, ["method", "interval"])
                parts += [text_table(shown), *below, ""]
            else:
                parts += [f"{len(rows)} rows of numbers, which to_csv() and --csv give", ""]
        place = f"wrote {self.file}" if self.file else self.figure
        return "\n".join([*parts, f"{place}, {self.width_mm:g} x {self.height_mm:g} mm"])


@data_door(splits=False)
def figure(
    figure: FigureName,
    y_true: Any,
    y_score: Any = None,
    *,
    band: BandKind | None = None,
    staircase: bool = False,
    labels: int | bool | None = None,
    at_threshold: Sequence[float] = (),
    at_fpr: float | None = None,
    cutoff: str | None = None,
    fpr: Range | None = None,
    tpr: Range | None = None,
    standard: Standard | None = None,
    kind: DistributionKind | None = None,
    log: bool = False,
    bins: int | None = None,
    metric: Sequence[str] = (),
    x: str | None = None,
    y: str | None = None,
    alpha: float | None = None,
    beta: float | None = None,
    iso: IsoMetric | None = None,
    troc_space: bool = False,
    mirror: bool = False,
    estimator: Sequence[SmoothModel] = (),
    how: AverageKind | None = None,
    spread_as: SpreadShown | None = None,
    prevalence: float | None = None,
    cost_fp: float | None = None,
    cost_fn: float | None = None,
    scenarios: Mapping[str, Sequence[float]] | None = None,
    shares: tuple[float, float, float] | None = None,
    cdf: Callable[[Any], Any] | None = None,
    support: Sequence[float] | None = None,
    probabilities: Sequence[Any] | None = None,
    percent: bool = False,
    specificity_axis: bool = False,
    digits: int | None = None,
    size: FigureSize = "single",
    title: str | None = None,
    names: Names | None = None,
    x_label: str | None = None,
    y_label: str | None = None,
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
    **data: Unpack[DataKeywords],
) -> Picture:
    """Draw a figure by its name from data of any shape; the same as ``roclab plot``.

    Parameters
    ----------
    figure : str
        "roc", "troc", "pr", "det", "cost", "gain", "lift", "hull", "pareto", "crossings", "iso", "smooth", "average",
        "distribution", "box_cox", "likelihood", "walk", "metrics", "stability", "calibration", "decision", "lc",
        "combination", "forest", "comparison", "differences", "multiclass", "cdf", "design"; of reader studies
        "readers", "reader_forest", "interaction" or "components".
    y_true, y_score : arrays, or a table
        As in :func:`roclab.compare`; several scores are drawn together where that makes sense. Or a mapping of names to
        curves, such as :func:`roclab.read_points` returns, whose points are marked.
    band, staircase, labels, at_threshold, cutoff
        Of "roc": confidence bands, every step of a long curve, thresholds written along the curve, marked
        thresholds with their confidence boxes, and the best cut-off by a criterion. ``labels=True`` writes the
        coordinates of ready-made points.
    fpr, tpr, standard
        A partial area, shaded and in the legend.
    kind, log, bins, metric
        Of "distribution" ("histogram", "density" or "dots"), "metrics" and "calibration"; of "likelihood", the
        likelihood ratios of score intervals, ``at_threshold`` says where they are cut, or ``bins`` how many there are.
        Of "stability", the cut-offs that bootstrap samples choose, ``cutoff`` is the criterion.
    x, y, alpha, beta
        Of "metrics": any measure against any other, coloured by the threshold: ``x="for", y="ppv"`` is the predictive
        ROC curve. Measures are metrics, and criteria such as "cost", "f_alpha" and "f_beta" with their conditions.
    iso, troc_space, prevalence, cost_fp, cost_fn
        Of "iso": lines of which metric, in ROC or tROC space, and the conditions.
    scenarios : mapping of names to (prevalence, cost_fp, cost_fn)
        Of "hull": the line of equal cost of each touches the hull in its best point.
    shares : three floats
        Of "lc": smallest, likeliest and largest share of a false positive in the cost of both errors.
    at_fpr : float
        Of "combination", whose data are (fpr, tpr) points by name, or scores with one ``at_threshold`` each: the
        classifier between two with this false positive rate.
    cdf, support, probabilities
        Of "cdf", whose data are one sample: the distribution function that it is tested against, or the values and
        probabilities of a discrete distribution, whose function is drawn as steps.
    mirror : bool
        Of "troc" and "roc": the mirror image of each curve too, which has the same AUC.
    estimator : sequence of str
        Of "smooth": which curves to fit; of "distribution": whose densities to draw over the histogram.
    how, spread_as
        Of "average": "vertical", "threshold" or "pooled"; its spread as "bars", a "band" or "boxes".
    percent, specificity_axis, digits, size
        Looks: axes in percent, the specificity from 1 to 0 instead of the false positive rate, decimals of the numbers
        in the legend, width of one ("single") or two columns ("double").
    title, names, x_label, y_label
        Words: a title, names of the scores (or groups, or classes) instead of those in the data, of the axes.
    level, resampling, rng
        Confidence level, and how bands are drawn.

    Returns
    -------
    Picture
        ``.save(path)``, ``.ax`` for further changes, and the numbers that the figure shows.

    Examples
    --------
    >>> from roclab.plots import figure
    >>> shown = figure("roc", [1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2], cutoff="youden")
    >>> shown.width_mm, round(shown.numbers[0].estimates[0], 4)
    (85.0, 0.8889)
    """
    check_choice(figure, "figure", FIGURES)
    ready = figure in _READ_THEMSELVES or (y_score is None and are_curves(y_true))
    if ready and figure not in (*_READ_THEMSELVES, *_OF_CURVES):
        raise InputError(
            "figure", f"must be one of {', '.join(_OF_CURVES)} for curves", figure, "pass the cases for other figures"
        )
    cases = y_true if ready else read_cases(y_true, y_score, **data)
    if figure not in _READ_THEMSELVES:
        cases = renamed(cases, names)
    request = Request(
        figure=figure,
        data=cases,
        keywords={**data, "scores": y_score} if figure in _READ_THEMSELVES else {},
        names=names,
        fpr=fpr,
        tpr=tpr,
        standard=standard,
        prevalence=prevalence,
        cost_fp=cost_fp,
        cost_fn=cost_fn,
        scenarios=scenarios,
        shares=shares,
        cdf=cdf,
        support=None if support is None else tuple(support),
        probabilities=None if probabilities is None else tuple(probabilities),
        at_fpr=at_fpr,
        level=level,
        resampling=resampling,
        rng=rng,
        band=band,
        staircase=staircase,
        labels=labels,
        at_threshold=tuple(at_threshold),
        cutoff=cutoff,
        kind=kind,
        log=log,
        bins=bins,
        metric=tuple(metric),
        x=x,
        y=y,
        alpha=alpha,
        beta=beta,
        iso=iso,
        troc_space=troc_space,
        mirror=mirror,
        estimator=tuple(estimator),
        how=how,
        spread_as=spread_as,
        percent=percent,
        specificity_axis=specificity_axis,
        digits=digits,
        size=size,
    )
    for name, figures in _ONLY_FOR.items():
        value = getattr(request, name)  # may be an array, which has no truth of its own
        given = not (value is None or value is False or (isinstance(value, tuple) and not value))
        if given and figure not in figures:
            raise InputError(
                name,
                f"is for {named('figure', figures[0])}{_others(figures)}",
                Words(f"it with {figure}"),
                "leave it out",
            )
    with digits_shown(digits):
        ax, numbers = RECIPES[figure](request)
    if specificity_axis:
        label_by_specificity(ax, percent=percent)
    set_words(ax, title=title, x_label=x_label, y_label=y_label)
    return picture_of(figure, ax, numbers)


def picture_of(name: str, ax: Axes, numbers: tuple[Result, ...]) -> Picture:
    """What was drawn on some axes."""
    drawn: Any = ax.get_figure(root=True)
    width, height = (round(25.4 * float(side), 1) for side in drawn.get_size_inches())
    return Picture(figure=name, width_mm=width, height_mm=height, numbers=numbers, _ax=ax)


def _others(figures: tuple[str, ...]) -> str:
    return f" or {' or '.join(figures[1:])}" if len(figures) > 1 else ""
