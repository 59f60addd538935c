"""A ROC curve with few enough vertices to draw and to drag along: counts stay exact, and the loss is measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.polyline import thin_out, trapezoids
from roclab._core.types import Counts, Floats, Ints, frozen
from roclab.curves.hull import hull_of_tally
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.results import Result, Sample

__all__ = ["Outline", "outline"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outline(Result):
    """Some vertices of the empirical curve, each with its threshold and its exact counts."""

    thresholds: Floats
    tp: Counts
    fp: Counts
    hull: Ints  # which of these vertices are those of the convex hull
    vertices: int  # of the whole curve
    area_error: float  # how far the area under the outline is from the AUC
    sample: Sample

    def __post_init__(self) -> None:
        for array in (self.thresholds, self.tp, self.fp, self.hull):
            frozen(array)

    def __len__(self) -> int:
        return int(self.tp.size)

    def rows(self) -> list[dict[str, Any]]:
        """One row per vertex."""
        columns = zip(self.thresholds.tolist(), self.tp.tolist(), self.fp.tolist(), strict=True)
        return [{"threshold": threshold, "tp": tp, "fp": fp} for threshold, tp, fp in columns]


def outline(tally: Tally, count: int, *, keep: Any = ()) -> Outline:
    """At most ``count`` vertices spread evenly along the curve, and beyond them all vertices of the hull.

    ``keep`` are thresholds whose vertices stay too. O(n).

    >>> tally = Tally.from_samples(np.arange(5.0, 105), np.arange(100.0))
    >>> few = outline(tally, 11)
    >>> len(few), few.vertices, few.area_error < 0.005
    (13, 106, True)
    """
    curve = roc_curve(tally)
    assert curve.thresholds is not None
    some, _ = thin_out(curve.fpr, curve.tpr, count)
    hull = hull_of_tally(tally, curve).positions
    wanted = np.flatnonzero(np.isin(curve.thresholds, np.asarray(keep, dtype=np.float64)))
    kept = np.unique(np.concatenate([some, hull, wanted]))
    return Outline(
        thresholds=curve.thresholds[kept],
        tp=np.concatenate([[0], np.cumsum(tally.pos)])[kept],
        fp=np.concatenate([[0], np.cumsum(tally.neg)])[kept],
        hull=np.searchsorted(kept, hull),
        vertices=len(curve),
        area_error=abs(_area(curve.fpr[kept], curve.tpr[kept]) - _area(curve.fpr, curve.tpr)),
        sample=tally.sample,
    )


def _area(x: Floats, y: Floats) -> float:
    return trapezoids(x, y)
