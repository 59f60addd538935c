"""An operating point: one place on the curve, the threshold that leads there and what it does to the cases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.polyline import SAME
from roclab._core.text import text_table
from roclab._core.types import Floats
from roclab.curves.roc import RocCurve, rates
from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix, confusion_at
from roclab.results import Result, Sample

__all__ = ["OperatingPoint", "OperatingPoints", "point_at_fpr", "point_at_threshold", "point_at_tpr"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingPoint(Result):
    """A point of the curve.

    Most rates asked for lie between two vertices. Such a point is reached by using ``other_threshold`` with
    probability ``share`` and ``threshold`` otherwise; ``matrix`` is then that of ``threshold`` alone, the nearest
    vertex that costs no more false positives. On a vertex ``share`` is 0.
    """

    fpr: float
    tpr: float
    threshold: float | None
    other_threshold: float | None = None
    share: float = 0.0
    matrix: ConfusionMatrix | None = None

    @property
    def specificity(self) -> float:
        """1 - fpr."""
        return 1 - self.fpr

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "threshold": self.threshold,
                "fpr": self.fpr,
                "tpr": self.tpr,
                "specificity": self.specificity,
                "other threshold": self.other_threshold,
                "share": self.share,
            }
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingPoints(Result):
    """Operating points of one curve."""

    points: tuple[OperatingPoint, ...]
    sample: Sample | None

    def rows(self) -> list[dict[str, Any]]:
        """One row per point."""
        return [row for point in self.points for row in point.rows()]

    def __str__(self) -> str:
        lines = [] if self.sample is None else ["", self.sample.describe()]
        return "\n".join([text_table(self.rows()), *lines])


def point_at_threshold(tally: Tally, threshold: float) -> OperatingPoint:
    """Where cases that reach the threshold are called positive."""
    matrix = confusion_at(tally, threshold)
    return OperatingPoint(
        fpr=matrix.fp / tally.n_neg, tpr=matrix.tp / tally.n_pos, threshold=float(threshold), matrix=matrix
    )


def point_at_fpr(curve: RocCurve, tally: Tally | None, fpr: float) -> OperatingPoint:
    """The point of the curve at a false positive rate: the highest one at a vertical step."""
    wanted = float(rates(fpr, "fpr")[0])
    left = int(np.searchsorted(curve.fpr, wanted + SAME, side="right")) - 1
    return _between(curve, tally, left, _share(curve.fpr, left, wanted))


def point_at_tpr(curve: RocCurve, tally: Tally | None, tpr: float) -> OperatingPoint:
    """The point of the curve at a true positive rate: the leftmost one at a level stretch."""
    wanted = float(rates(tpr, "tpr")[0])
    right = int(np.searchsorted(curve.tpr, wanted - SAME, side="left"))
    left = max(right - 1, 0)
    share = _share(curve.tpr, left, wanted)
    return _between(curve, tally, left, share) if share < 1 else _between(curve, tally, right, 0.0)


def _share(values: Floats, left: int, wanted: float) -> float:
    """How far a value lies from one vertex to the next, snapped to the vertices."""
    if left + 1 >= values.size:
        return 0.0
    step = float(values[left + 1] - values[left])
    share = (wanted - float(values[left])) / step if step > 0 else 0.0
    if share < SAME:
        return 0.0
    return 1.0 if share > 1 - SAME else share


def _between(curve: RocCurve, tally: Tally | None, left: int, share: float) -> OperatingPoint:
    right = min(left + 1, len(curve) - 1)
    threshold = None if curve.thresholds is None or np.isnan(curve.thresholds[left]) else float(curve.thresholds[left])
    other = None if curve.thresholds is None or share == 0 else float(curve.thresholds[right])
    return OperatingPoint(
        fpr=float(curve.fpr[left] + share * (curve.fpr[right] - curve.fpr[left])),
        tpr=float(curve.tpr[left] + share * (curve.tpr[right] - curve.tpr[left])),
        threshold=threshold,
        other_threshold=other,
        share=share,
        matrix=None if tally is None or threshold is None else confusion_at(tally, threshold),
    )
