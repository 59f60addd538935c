"""Cumulative gain and lift: what share of the positives is found among the cases called positive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from roclab._core.polyline import value_at
from roclab._core.types import Floats, frozen
from roclab.curves.points import CurvePoints, Drawable
from roclab.curves.roc import RocCurve, rates
from roclab.errors import InputError, Words, named

__all__ = ["GainCurve", "gain_curve"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GainCurve(Drawable):
    """Gain (tpr) and lift (gain / depth) against depth, the share of all cases called positive."""

    depth: Floats
    gain: Floats
    thresholds: Floats | None
    prevalence: float

    def __post_init__(self) -> None:
        for array in (self.depth, self.gain, self.thresholds):
            if array is not None:
                frozen(array)

    @property
    def lift(self) -> Floats:
        """How many times more positives than in a random choice of the same size; at depth 0 its limit."""
        return self.lift_at(self.depth)

    def at(self, x: Any) -> Floats:
        """Gain at each depth, linear between vertices."""
        return value_at(self.depth, self.gain, rates(x, "depth"))

    def lift_at(self, x: Any) -> Floats:
        """Lift at each depth; at depth 0 the slope of the first segment."""
        depth = rates(x, "depth")
        first = np.argmax(self.depth > 0)
        start = self.gain[first] / self.depth[first]
        return np.divide(self.at(depth), depth, out=np.full_like(depth, start), where=depth > 0)

    def points(self, kind: Literal["gain", "lift"] = "gain") -> CurvePoints:
        """All vertices of the gain or of the lift curve."""
        y = self.gain if kind == "gain" else self.lift
        return CurvePoints(x=self.depth, y=y, thresholds=self.thresholds, x_name="depth", y_name=kind)

    def simplified(self, count: int, kind: Literal["gain", "lift"] = "gain") -> CurvePoints:
        """At most ``count`` vertices."""
        return self.points(kind).simplified(count)


def gain_curve(roc: RocCurve, *, prevalence: float | None = None) -> GainCurve:
    """The gain curve of a ROC curve, O(n); ``prevalence`` replaces the one of the data.

    >>> from roclab.curves.roc import curve_from_points
    >>> gain_curve(curve_from_points([0.25], [0.75]), prevalence=0.5).lift.tolist()
    [1.5, 1.5, 1.0]
    """
    if prevalence is None:
        if roc.sample is None:
            raise InputError(
                "prevalence",
                "must be given for ready-made points",
                Words("none"),
                f"write {named('prevalence', 0.1)} for 10%",
            )
        prevalence = roc.sample.n_pos / (roc.sample.n_pos + roc.sample.n_neg)
    elif not 0 < prevalence < 1:
        raise InputError("prevalence", "must lie strictly between 0 and 1", prevalence, "write 0.1 for 10%")
    depth = prevalence * roc.tpr + (1 - prevalence) * roc.fpr
    depth[-1] = 1.0
    return GainCurve(depth=depth, gain=roc.tpr, thresholds=roc.thresholds, prevalence=prevalence)
