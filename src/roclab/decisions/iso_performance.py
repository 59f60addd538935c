"""Lines of equal performance in ROC space, their images in tROC space, and where they touch a curve.

A metric that depends on a classifier's point (fpr, tpr) and on the skew c = N/P alone is constant along lines. Moving
such a line until it just touches the curve finds the best point for that metric.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_positive
from roclab._core.polyline import SAME
from roclab._core.types import Floats, Ints, frozen
from roclab.curves.hull import RocHull
from roclab.curves.roc import RocCurve, rates
from roclab.decisions.metrics import quotient
from roclab.decisions.stakes import Stakes
from roclab.errors import InputError, Words
from roclab.names import IsoMetric
from roclab.results import Result

__all__ = [
    "ISO_METRICS",
    "IsoLine",
    "IsoMetric",
    "Tangent",
    "cost_ratio_of_slope",
    "equal_cost_slope",
    "iso_line",
    "iso_line_through",
    "iso_value",
    "prevalence_of_slope",
    "skew_of_prevalence",
    "tangent_points",
    "tpr_of_troc",
]

ISO_METRICS = ("accuracy", "precision", "f_measure", "cost", "youden", "lr_plus", "lr_minus", "neyman_pearson")


# -- slope, prevalence and costs ---------------------------------------------------------------------


def equal_cost_slope(
    *,
    prevalence: float,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    benefit_tp: float = 0.0,
    benefit_tn: float = 0.0,
) -> float:
    r"""Slope of every line of equal expected cost in ROC space.

    .. math:: m = \frac{(1 - \pi)\, (c_{FP} + b_{TN})}{\pi\, (c_{FN} + b_{TP})}

    with prevalence :math:`\pi`, cost :math:`c_{FP}` of a false positive and :math:`c_{FN}` of a false negative [1]_,
    benefit :math:`b_{TP}` of a true positive and :math:`b_{TN}` of a true negative, all as positive numbers.

    References
    ----------
    .. [1] Provost F, Fawcett T. Robust classification for imprecise environments. Machine Learning 2001;42:203-231,
       equation 1. doi:10.1023/A:1007601015854

    Examples
    --------
    >>> round(equal_cost_slope(prevalence=0.3, cost_fp=1, cost_fn=5), 6)
    0.466667
    """
    return Stakes(
        prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn, benefit_tp=benefit_tp, benefit_tn=benefit_tn
    ).slope


def prevalence_of_slope(
    slope: float,
    *,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    benefit_tp: float = 0.0,
    benefit_tn: float = 0.0,
) -> float:
    """The prevalence at which lines of equal cost have a slope, for given costs and benefits.

    >>> round(prevalence_of_slope(7 / 15, cost_fp=1, cost_fn=5), 12)
    0.3
    """
    slope = check_slope(slope)
    stakes = Stakes(prevalence=0.5, cost_fp=cost_fp, cost_fn=cost_fn, benefit_tp=benefit_tp, benefit_tn=benefit_tn)
    return stakes.regret_fp / (stakes.regret_fp + slope * stakes.regret_fn)


def cost_ratio_of_slope(slope: float, *, prevalence: float) -> float:
    """The ratio cost_fp / cost_fn at which lines of equal cost have a slope, for a given prevalence.

    >>> round(cost_ratio_of_slope(7 / 15, prevalence=0.3), 12)
    0.2
    """
    prevalence, _, _ = check_conditions(prevalence, 1.0, 1.0)
    return check_slope(slope) * prevalence / (1 - prevalence)


def skew_of_prevalence(prevalence: float) -> float:
    """The skew c = N/P of a prevalence P/(P + N).

    >>> skew_of_prevalence(0.2)
    4.0
    """
    prevalence, _, _ = check_conditions(prevalence, 1.0, 1.0)
    return (1 - prevalence) / prevalence


def check_conditions(prevalence: float, cost_fp: float, cost_fn: float) -> tuple[float, float, float]:
    """A prevalence strictly between 0 and 1 and two costs above 0."""
    stakes = Stakes(prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn)
    return stakes.prevalence, stakes.cost_fp, stakes.cost_fn


def check_slope(slope: float, name: str = "slope") -> float:
    """A slope from 0 to infinity, both included."""
    if isinstance(slope, bool | str) or not hasattr(slope, "__float__") or not float(slope) >= 0:
        raise InputError(name, "must be a number >= 0", slope, "ROC curves rise, so slopes are never negative")
    return float(slope)


# -- lines -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class IsoLine(Result):
    """The points of equal performance: tpr = slope · fpr + intercept, or the vertical line fpr = ``fpr``."""

    metric: str
    value: float
    slope: float
    intercept: float | None  # None for a vertical line
    fpr: float | None = None  # where a vertical line stands

    def at(self, fpr: Any) -> Floats:
        """True positive rate of the line at false positive rates; it may leave [0, 1]."""
        x = np.asarray(fpr, dtype=np.float64)
        if self.intercept is None:
            raise InputError(
                "",
                "a vertical line has no single tpr",
                Words(f"the line of {self.metric} = {self.value:g} at fpr = {self.fpr:g}"),
                "draw it upright",
            )
        return self.slope * x + self.intercept

    def troc_at(self, fpr: Any) -> Floats:
        r"""The line in tROC space, a parabola: :math:`p_{cr} = (m f + b)(1 - f)`."""
        x = np.asarray(fpr, dtype=np.float64)
        curve: Floats = self.at(x) * (1 - x)
        return curve

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        row = {"metric": self.metric, "value": self.value, "slope": self.slope, "intercept": self.intercept}
        return [row if self.fpr is None else {**row, "fpr": self.fpr}]


def iso_line(
    metric: IsoMetric,
    value: float,
    *,
    skew: float | None = None,
    prevalence: float | None = None,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    benefit_tp: float = 0.0,
    benefit_tn: float = 0.0,
    beta: float = 1.0,
) -> IsoLine:
    r"""The line on which a metric has one value.

    With skew :math:`c = N/P`, cost slope :math:`m` and :math:`b = \beta^2`, slope and intercept are

    - accuracy A: :math:`c` and :math:`A(1 + c) - c`;
    - precision R: :math:`cR/(1 - R)` and 0; the axis fpr = 0 for R = 1;
    - F-measure F: :math:`cF/(1 + b - F)` and :math:`bF/(1 + b - F)`; all pass through :math:`(-b/c, 0)`;
    - cost K: :math:`m` and :math:`1 - (K + G)/(\pi (c_{FN} + b_{TP}))`, :math:`G = \pi b_{TP} + (1 - \pi) b_{TN}`;
    - Youden J: 1 and J; LR+: LR+ and 0; LR-: LR- and 1 - LR-;
    - Neyman-Pearson: the vertical line fpr = value.

    Parameters
    ----------
    metric : str
        "accuracy", "precision", "f_measure", "cost", "youden", "lr_plus", "lr_minus" or "neyman_pearson".
    value : float
        The metric's value along the line.
    skew, prevalence : float, optional
        One of them says how common the classes are: accuracy, precision, F-measure and cost need it.
    cost_fp, cost_fn, benefit_tp, benefit_tn : float
        For "cost", which is negative where benefits outweigh it.
    beta : float
        For "f_measure": recall weighs beta times as much as precision.

    Examples
    --------
    >>> line = iso_line("accuracy", 23 / 30, skew=2)
    >>> line.slope, round(line.intercept, 12), round(float(line.troc_at(0.3)), 12)
    (2.0, 0.3, 0.63)
    """
    check_choice(metric, "metric", ISO_METRICS)
    upper = math.inf if metric in ("cost", "lr_plus", "lr_minus") else 1.0
    lower = -1.0 if metric == "youden" else -math.inf if metric == "cost" and benefit_tp + benefit_tn else 0.0
    if isinstance(value, bool | str) or not lower <= float(value) <= upper or math.isinf(float(value)):
        raise InputError(
            "", f"value of {metric} must lie between {lower:g} and {upper:g}", value, "give one that a point can have"
        )
    value = float(value)
    c = _skew(metric, skew, prevalence)

    def line(slope: float, intercept: float) -> IsoLine:
        return IsoLine(metric=metric, value=value, slope=slope, intercept=intercept)

    def upright(fpr: float) -> IsoLine:
        return IsoLine(metric=metric, value=value, slope=math.inf, intercept=None, fpr=fpr)

    if metric == "accuracy":
        return line(c, value * (1 + c) - c)
    if metric == "precision":
        return upright(0.0) if value == 1 else line(c * value / (1 - value), 0.0)
    if metric == "f_measure":
        b = check_positive(beta, "beta", way_out="1 weighs precision and recall alike") ** 2
        return line(c * value / (1 + b - value), b * value / (1 + b - value))
    if metric == "cost":
        stakes = Stakes(
            prevalence=1 / (1 + c), cost_fp=cost_fp, cost_fn=cost_fn, benefit_tp=benefit_tp, benefit_tn=benefit_tn
        )
        return line(stakes.slope, 1 - (value + stakes.gain) / (stakes.prevalence * stakes.regret_fn))
    if metric == "youden":
        return line(1.0, value)
    if metric == "lr_plus":
        return line(value, 0.0)
    return line(value, 1 - value) if metric == "lr_minus" else upright(value)


def iso_line_through(metric: IsoMetric, fpr: float, tpr: float, **conditions: Any) -> IsoLine:
    """The line of equal performance through a point; conditions as in :func:`iso_line`.

    >>> line = iso_line_through("precision", 0.2, 0.7, skew=2)
    >>> round(line.slope, 12), line.intercept
    (3.5, 0.0)
    """
    value = float(iso_value(metric, fpr, tpr, **conditions))
    if math.isnan(value) or math.isinf(value):
        raise InputError(
            "", f"{metric} has no line through the point ({fpr:g}, {tpr:g})", Words(value), "take another point"
        )
    return iso_line(metric, value, **conditions)


def iso_value(
    metric: IsoMetric,
    fpr: Any,
    tpr: Any,
    *,
    skew: float | None = None,
    prevalence: float | None = None,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    benefit_tp: float = 0.0,
    benefit_tn: float = 0.0,
    beta: float = 1.0,
) -> Floats:
    """A metric at points of ROC space, whole arrays at once; conditions as in :func:`iso_line`.

    >>> round(float(iso_value("f_measure", 0.2, 0.7, skew=2)), 6)
    0.666667
    """
    check_choice(metric, "metric", ISO_METRICS)
    shape = np.broadcast_shapes(np.shape(fpr), np.shape(tpr))
    f = np.broadcast_to(rates(fpr, "fpr").reshape(np.shape(fpr)), shape)
    t = np.broadcast_to(rates(tpr, "tpr").reshape(np.shape(tpr)), shape)
    c = _skew(metric, skew, prevalence)
    b = check_positive(beta, "beta", way_out="1 weighs precision and recall alike") ** 2
    stakes = Stakes(
        prevalence=1 / (1 + c), cost_fp=cost_fp, cost_fn=cost_fn, benefit_tp=benefit_tp, benefit_tn=benefit_tn
    )
    formulas: dict[str, Callable[[], Any]] = {
        "accuracy": lambda: (t + c * (1 - f)) / (1 + c),
        "precision": lambda: quotient(t, t + c * f),
        "f_measure": lambda: (1 + b) * t / (b + t + c * f),
        "cost": lambda: stakes.cost(f, t),
        "youden": lambda: t - f,
        "lr_plus": lambda: quotient(t, f),
        "lr_minus": lambda: quotient(1 - t, 1 - f),
        "neyman_pearson": lambda: f,
    }
    return np.asarray(formulas[metric](), dtype=np.float64)


def _skew(metric: str, skew: float | None, prevalence: float | None) -> float:
    if metric in ("youden", "lr_plus", "lr_minus", "neyman_pearson"):
        return 1.0  # these do not depend on it
    if (skew is None) == (prevalence is None):
        raise InputError(
            metric,
            "needs either skew or prevalence",
            Words(f"{'neither' if skew is None else 'both'}"),
            "write skew=2 for two negatives per positive",
        )
    if prevalence is not None:
        return skew_of_prevalence(prevalence)
    return check_positive(skew or 0.0, "skew", way_out="write 2 for two negatives per positive")


def tpr_of_troc(fpr: Any, p_correct: Any) -> Floats:
    """True positive rates back from tROC space, p_cr / (1 - fpr); undefined (NaN) at fpr = 1, where p_cr is 0.

    >>> tpr_of_troc([0.2, 1.0], [0.56, 0.0]).round(12).tolist()
    [0.7, nan]
    """
    f, both = rates(fpr, "fpr").reshape(np.shape(fpr)), rates(p_correct, "p_correct").reshape(np.shape(p_correct))
    return quotient(both, 1 - f)


# -- tangents ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tangent(Result):
    """Where the highest line of a slope touches a curve: all points, the lowest false positive rate first."""

    slope: float
    intercept: float | None  # tpr where the line meets fpr = 0; None for a vertical line
    fpr: Floats
    tpr: Floats
    thresholds: Floats | None
    positions: Ints

    def __post_init__(self) -> None:
        for array in (self.fpr, self.tpr, self.thresholds, self.positions):
            if array is not None:
                frozen(array)

    def rows(self) -> list[dict[str, Any]]:
        """One row per point of contact."""
        out = []
        for at in range(self.fpr.size):
            row: dict[str, Any] = {"slope": self.slope, "fpr": float(self.fpr[at]), "tpr": float(self.tpr[at])}
            if self.thresholds is not None:
                row["threshold"] = float(self.thresholds[at])
            out.append(row)
        return out


def tangent_points(curve: RocCurve | RocHull, slope: float) -> Tangent:
    r"""The vertices that maximise :math:`tpr - m\,fpr`, all of them; O(n).

    They are the points of lowest expected cost for every prevalence and every pair of costs with that slope. An
    infinite slope means that only false positives count: the highest point with fpr = 0.

    >>> from roclab.curves.roc import curve_from_points
    >>> touch = tangent_points(curve_from_points([0.1, 0.5], [0.5, 0.9]), 1.0)
    >>> touch.fpr.tolist(), touch.tpr.tolist(), round(touch.intercept, 12)
    ([0.1, 0.5], [0.5, 0.9], 0.4)
    """
    slope = check_slope(slope)
    if math.isinf(slope):
        on_axis = np.flatnonzero(curve.fpr <= SAME)
        found = on_axis[curve.tpr[on_axis] >= curve.tpr[on_axis].max() - SAME]
        intercept = None
    else:
        # Divided by 1 + slope the gain stays of order one for steep lines too, and so does the tolerance.
        gain = (curve.tpr - slope * curve.fpr) / (1 + slope)
        best = float(gain.max())
        found = np.flatnonzero(gain >= best - SAME)
        intercept = best * (1 + slope)
    return Tangent(
        slope=slope,
        intercept=intercept,
        fpr=curve.fpr[found],
        tpr=curve.tpr[found],
        thresholds=None if curve.thresholds is None else curve.thresholds[found],
        positions=found,
    )
