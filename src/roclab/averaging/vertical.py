"""Vertical averaging: the mean true positive rate at fixed false positive rates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roclab._core.checks import check_points
from roclab._core.types import Floats
from roclab.areas.empirical import trapezoid
from roclab.averaging.result import AverageCurve, mean_and_spread, summary_of_areas
from roclab.curves.roc import RocCurve
from roclab.names import SpreadKind

__all__ = ["mean_curve", "vertical_average"]


def vertical_average(
    curves: Sequence[RocCurve],
    *,
    names: Sequence[str],
    points: int = 100,
    level: float = 0.95,
    spread: SpreadKind = "t",
) -> AverageCurve:
    """Mean of the curves at the false positive rates i / points, O(k points log n) [1]_.

    At a vertical step of a curve its upper value counts; between vertices the curve is straight.

    References
    ----------
    .. [1] Fawcett T. Pattern Recognition Letters 2006;27:861-874, algorithm 3 (vertical averaging).
    """
    check_points(points, least=1, way_out="100 gives one point per percent")
    grid = np.arange(points + 1) / points
    values = np.array([curve.at(grid) for curve in curves])
    samples = [curve.sample for curve in curves]
    cases = (
        None
        if any(sample is None for sample in samples)
        else sum(sample.n_pos for sample in samples if sample is not None)
    )
    tpr = mean_and_spread(values, level=level, kind=spread, cases=cases)
    areas, mean, sd = summary_of_areas(curves)
    average = RocCurve(fpr=grid, tpr=tpr.mean.copy(), thresholds=None)
    return AverageCurve(
        how="vertical",
        fpr=grid,
        tpr=tpr.mean,
        tpr_spread=tpr,
        fpr_spread=None,
        thresholds=None,
        areas=areas,
        names=tuple(names),
        area_of_average=trapezoid(average),
        mean_of_areas=mean,
        sd_of_areas=sd,
        level=level,
        spread=spread,
    )


def mean_curve(curves: Sequence[RocCurve]) -> RocCurve:
    """The mean height of the curves at every false positive rate, steps kept: its area is the mean of their areas.

    O(k n log n) for k curves with n vertices each.
    """
    grid = np.unique(np.concatenate([curve.fpr for curve in curves]))
    feet = np.mean([_foot(curve, grid) for curve in curves], axis=0)
    tops = np.mean([curve.at(grid) for curve in curves], axis=0)
    fpr, tpr = np.repeat(grid, 2), np.column_stack([feet, tops]).ravel()
    new = np.concatenate([[True], (np.diff(fpr) > 0) | (np.diff(tpr) > 0)])
    return RocCurve(fpr=fpr[new], tpr=tpr[new], thresholds=None)


def _foot(curve: RocCurve, fpr: Floats) -> Floats:
    """Heights just left of each rate: at a step its lower end."""
    at = np.minimum(np.searchsorted(curve.fpr, fpr, side="left"), curve.fpr.size - 1)
    return np.where(curve.fpr[at] == fpr, curve.tpr[at], curve.at(fpr))
