"""The precision-recall curve, with its interpolations named."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_positive
from roclab._core.polyline import SAME
from roclab._core.types import Floats, Ints, frozen
from roclab.curves.points import CurvePoints, Drawable
from roclab.curves.roc import RocCurve, rates
from roclab.errors import InputError, Words
from roclab.names import INTERPOLATIONS, Interpolation

__all__ = ["Interpolation", "PrecisionRecallCurve", "precision_recall_curve"]


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
            raise InputError("", "interpolation='davis_goadrich' counts whole cases, and ready-made points have none")
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

    def points(self) -> CurvePoints:
        """All vertices."""
        return CurvePoints(
            x=self.recall, y=self.precision, thresholds=self.thresholds, x_name="recall", y_name="precision"
        )


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
