"""The ROC convex hull: the best that thresholds and coin flips between them can reach."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.polyline import SAME, bounded, trapezoids, upper_hull, value_at
from roclab._core.types import Floats, Ints, frozen
from roclab.curves.points import CurvePoints, Drawable
from roclab.curves.roc import RocCurve, rates
from roclab.data.tally import Tally

__all__ = ["RocHull", "hull_of_curve", "hull_of_tally"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RocHull(Drawable):
    """Hull vertices from (0, 0) to (1, 1); ``positions`` are their places among the curve's vertices."""

    fpr: Floats
    tpr: Floats
    thresholds: Floats | None
    positions: Ints

    def __post_init__(self) -> None:
        for array in (self.fpr, self.tpr, self.thresholds, self.positions):
            if array is not None:
                frozen(array)

    @property
    def slopes(self) -> Floats:
        """Slope of each hull segment, falling from left to right; inf for an upright one."""
        run, rise = np.diff(self.fpr), np.diff(self.tpr)
        return np.divide(rise, run, out=np.full_like(rise, np.inf), where=run > 0)

    @property
    def area(self) -> float:
        """Area under the hull (AUCH); never below the AUC."""
        return bounded(trapezoids(self.fpr, self.tpr), 1.0)

    def at(self, x: Any) -> Floats:
        """True positive rate on the hull at each false positive rate."""
        return value_at(self.fpr, self.tpr, rates(x, "fpr"))

    def points(self) -> CurvePoints:
        """All vertices."""
        return CurvePoints(x=self.fpr, y=self.tpr, thresholds=self.thresholds, x_name="fpr", y_name="tpr")


def hull_of_curve(roc: RocCurve) -> RocHull:
    """Upper convex hull of a curve or of ready-made points, O(n log h); collinear within 1e-12 counts as straight.

    >>> from roclab.curves.roc import curve_from_points
    >>> hull = hull_of_curve(curve_from_points([0.2, 0.4, 0.7], [0.2, 0.6, 0.7]))
    >>> hull.fpr.tolist(), hull.tpr.tolist(), round(hull.area, 3)
    ([0.0, 0.4, 1.0], [0.0, 0.6, 1.0], 0.6)
    """
    return _take(roc, upper_hull(roc.fpr, roc.tpr, tolerance=SAME))


def hull_of_tally(tally: Tally, roc: RocCurve) -> RocHull:
    """The hull decided on whole counts, where cross products are exact; ``roc`` is the tally's expected curve."""
    if tally.pos.dtype.kind == "f":
        return hull_of_curve(roc)
    fp = np.concatenate([[0], np.cumsum(tally.neg)])
    tp = np.concatenate([[0], np.cumsum(tally.pos)])
    return _take(roc, upper_hull(fp, tp))


def _take(roc: RocCurve, positions: Ints) -> RocHull:
    return RocHull(
        fpr=roc.fpr[positions],
        tpr=roc.tpr[positions],
        thresholds=None if roc.thresholds is None else roc.thresholds[positions],
        positions=positions,
    )
