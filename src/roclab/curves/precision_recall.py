"""The precision-recall curve, with its interpolations named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_positive
from roclab._core.polyline import SAME
from roclab._core.text import text_table
from roclab._core.types import Floats, Ints, frozen
from roclab.curves.points import CurvePoints, Drawable
from roclab.curves.roc import RocCurve, rates
from roclab.errors import InputError, Words
from roclab.names import INTERPOLATIONS, Interpolation
from roclab.results import Result

_WHOLE_CASES = "interpolation='davis_goadrich' counts whole cases, and ready-made points have none"

__all__ = ["Interpolation", "PrecisionRecallCurve", "PrecisionRecallSummary", "precision_recall_curve"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrecisionRecallCurve(Drawable):
    """Precision against recall, from the highest threshold down.

    Between two vertices the true positives grow in proportion to the false positives, so precision follows a
    hyperbola, not a straight line [1]_. Joining vertices by straight lines is too optimistic.

    References
    ----------
    .. [1] Davis J, Goadrich M. The relationship between precision-recall and ROC curves. ICML 2006:233-240.
       doi:10.1145/1143844.1143874
    """

    recall: Floats
    precision: Floats
    thresholds: Floats | None
    skew: float  # negatives per positive
    false_per_positive: Floats  # false positives per positive case: skew * fpr
    n_pos: float | None

    def __post_init__(self) -> None:
        for array in (self.recall, self.precision, self.thresholds, self.false_per_positive):
            if array is not None:
                frozen(array)

    @property
    def prevalence(self) -> float:
        """Precision of a useless classifier."""
        return 1 / (1 + self.skew)

    def at(self, x: Any, interpolation: Interpolation = "integral") -> Floats:
        """Precision at each recall; where several vertices share it, the one with the fewest false positives.

        "step" takes the precision of the first vertex that reaches the recall (the rule behind average
        precision), "integral" follows the hyperbola between the vertices, "davis_goadrich" joins the
        hyperbola's points at whole numbers of true positives by straight lines.
        """
        check_choice(interpolation, "interpolation", INTERPOLATIONS)
        recall = rates(x, "recall")
        right = np.clip(np.searchsorted(self.recall, recall - SAME, side="left"), 0, self.recall.size - 1)
        if interpolation == "step":
            return self.precision[right]
        if interpolation == "integral":
            return self._hyperbola(recall, right)
        if self.n_pos is None:
            raise InputError("", _WHOLE_CASES)
        low = np.floor(recall * self.n_pos + SAME) / self.n_pos
        low = np.where(right > 0, np.maximum(low, self.recall[right - 1]), low)
        high = np.minimum(np.ceil(recall * self.n_pos - SAME) / self.n_pos, self.recall[right])
        step = high - low
        share = np.divide(recall - low, step, out=np.ones_like(step), where=step > SAME)
        low_value, high_value = self._hyperbola(low, right), self._hyperbola(high, right)
        between: Floats = low_value + np.clip(share, 0, 1) * (high_value - low_value)
        return between

    def _hyperbola(self, recall: Floats, right: Ints) -> Floats:
        """Precision at a recall on the segment that ends in vertex ``right``.

        The segment starts at the last vertex of the previous recall, after all its false positives, or at
        (0, 0), from where precision is constant.
        """
        true_0 = np.where(right > 0, self.recall[right - 1], 0.0)
        false_0 = np.where(right > 0, self.false_per_positive[right - 1], 0.0)
        rise = self.recall[right] - true_0
        share = np.divide(recall - true_0, rise, out=np.ones_like(rise), where=rise > 0)
        false = false_0 + np.clip(share, 0, 1) * (self.false_per_positive[right] - false_0)
        called = recall + false
        return np.divide(recall, called, out=self.precision[right].copy(), where=called > 0)

    def break_even(self) -> float:
        """Precision where it equals recall: where as many cases are called positive as there are positives.

        Between vertices true and false positives grow in proportion, so the place is unique.
        """
        called = np.concatenate([[0.0], self.recall + self.false_per_positive])
        recall = np.concatenate([[0.0], self.recall])
        at = int(np.searchsorted(called, 1.0 - SAME, side="left"))
        if abs(called[at] - 1.0) <= SAME or at == 0:
            return float(recall[at])
        share = (1.0 - called[at - 1]) / (called[at] - called[at - 1])
        return float(recall[at - 1] + share * (recall[at] - recall[at - 1]))

    def area(self, recall: tuple[float, float] = (0.0, 1.0), interpolation: Interpolation = "integral") -> float:
        """Area in a range of recall by one of the interpolations; the curve starts level at its first vertex.

        Exact: the hyperbolas of "integral" are integrated in closed form, "step" and "davis_goadrich" are sums.
        """
        check_choice(interpolation, "interpolation", INTERPOLATIONS)
        low, high = (float(end) for end in rates(recall, "recall"))
        if not low < high:
            raise InputError("recall", "must be a range, its low end first", Words(f"{low:g} to {high:g}"))
        edges = [np.array([low, high]), np.clip(self.recall, low, high)]
        if interpolation == "davis_goadrich":
            if self.n_pos is None:
                raise InputError(
                    "", "interpolation='davis_goadrich' counts whole cases, and ready-made points have none"
                )
            edges.append(np.clip(np.arange(int(self.n_pos) + 1) / self.n_pos, low, high))
        ends = np.unique(np.concatenate(edges))
        left, right = ends[:-1], ends[1:]
        wide = right - left > SAME
        left, right = left[wide], right[wide]
        middle = (left + right) / 2
        if interpolation == "step":
            return float(np.sum((right - left) * self.at(middle, "step")))
        if interpolation == "davis_goadrich":
            return float(np.sum((right - left) * self.at(middle, "davis_goadrich")))  # straight between its ends
        return float(np.sum(self._integrals(left, right, middle)))

    def _integrals(self, left: Floats, right: Floats, middle: Floats) -> Floats:
        """Areas under the hyperbola over stretches that lie within one segment each."""
        at = np.clip(np.searchsorted(self.recall, middle, side="left"), 0, self.recall.size - 1)
        true_0 = np.where(at > 0, self.recall[at - 1], 0.0)
        false_0 = np.where(at > 0, self.false_per_positive[at - 1], 0.0)
        slope = (self.false_per_positive[at] - false_0) / (self.recall[at] - true_0)
        # called(r) = m r + c; the integral of r / (m r + c) is r / m - c / m² ln(m r + c).
        m, c = 1 + slope, false_0 - slope * true_0
        width = right - left
        start = m * left + c
        growth = np.divide(m * width, start, out=np.zeros_like(width), where=start > 0)
        return np.asarray(width / m - np.where(np.abs(c) > 0, c / m**2 * np.log1p(growth), 0.0))

    def smallest(self, recall: tuple[float, float] = (0.0, 1.0)) -> float:
        r"""Least area that any score can have at this prevalence: the unachievable region [2]_ below it.

        All negatives before all positives: precision :math:`\pi r / (1 - \pi + \pi r)` at recall r, so that the whole
        area is :math:`1 + \frac{1 - \pi}{\pi} \ln(1 - \pi)`.

        References
        ----------
        .. [2] Boyd K, Santos Costa V, Davis J, Page CD. Unachievable region in precision-recall space and its effect on
           empirical evaluation. ICML 2012:349-356.
        """
        low, high = (float(end) for end in rates(recall, "recall"))
        c = self.skew
        return float((high - low) - c * np.log((c + high) / (c + low)))

    def random(self, recall: tuple[float, float] = (0.0, 1.0)) -> float:
        """Area of a useless score: the prevalence times the width of the range."""
        low, high = (float(end) for end in rates(recall, "recall"))
        return (high - low) * self.prevalence

    def summary(self, recall: tuple[float, float] = (0.0, 1.0)) -> PrecisionRecallSummary:
        """Areas in a range of recall by all interpolations, with the smallest and the random one, and break-even."""
        low, high = recall
        areas = {f"area, {name}": self.area(recall, name) for name in INTERPOLATIONS if self._counts_for(name)}
        whole: dict[str, float] = {
            **areas,
            "of a useless score": self.random(recall),
            "smallest": self.smallest(recall),
        }
        scaled = (areas["area, integral"] - whole["smallest"]) / (high - low - whole["smallest"])
        return PrecisionRecallSummary(
            values={**whole, "integral between smallest and 1": scaled, "break-even": self.break_even()},
            recall=(float(low), float(high)),
        )

    def _counts_for(self, interpolation: str) -> bool:
        return interpolation != "davis_goadrich" or (self.n_pos is not None and self.n_pos == int(self.n_pos))

    def points(self) -> CurvePoints:
        """All vertices."""
        return CurvePoints(
            x=self.recall, y=self.precision, thresholds=self.thresholds, x_name="recall", y_name="precision"
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PrecisionRecallSummary(Result):
    """Areas of a precision-recall curve and what to hold them against."""

    values: Mapping[str, float]
    recall: tuple[float, float]

    def rows(self) -> list[dict[str, Any]]:
        """One row per number."""
        return [{"measure": name, "value": value} for name, value in self.values.items()]

    def __str__(self) -> str:
        return "\n".join([text_table(self.rows()), "", f"recall from {self.recall[0]:g} to {self.recall[1]:g}"])


def precision_recall_curve(roc: RocCurve, *, skew: float | None = None) -> PrecisionRecallCurve:
    r"""Precision and recall at every vertex but (0, 0), where precision does not exist, O(n).

    .. math:: \text{precision} = \frac{tpr}{tpr + c\,fpr}, \qquad c = N / P

    ``skew`` replaces c, the negatives per positive of the data: the ROC curve does not depend on it, precision
    does.

    >>> from roclab.curves.roc import curve_from_points
    >>> precision_recall_curve(curve_from_points([0.1], [0.5]), skew=10).precision.round(4).tolist()
    [0.3333, 0.0909]
    """
    if skew is None:
        if roc.sample is None:
            raise InputError(
                "skew", "must be given for ready-made points", Words("none"), "write skew=N/P, negatives per positive"
            )
        skew = roc.sample.n_neg / roc.sample.n_pos
    skew = check_positive(skew, "skew", way_out="it is the number of negatives per positive")
    recall, false = roc.tpr[1:], skew * roc.fpr[1:]
    called = recall + false
    real = called > 0  # ready-made points may repeat (0, 0)
    return PrecisionRecallCurve(
        recall=recall[real],
        precision=recall[real] / called[real],
        thresholds=None if roc.thresholds is None else roc.thresholds[1:][real],
        skew=skew,
        false_per_positive=false[real],
        n_pos=None if roc.sample is None else roc.sample.n_pos,
    )
