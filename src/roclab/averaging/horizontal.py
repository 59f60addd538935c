"""Horizontal averaging: the mean false positive rate at fixed true positive rates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roclab._core.checks import check_points
from roclab.areas.empirical import trapezoid
from roclab.averaging.result import AverageCurve, mean_and_spread, summary_of_areas
from roclab.curves.roc import RocCurve
from roclab.names import SpreadKind

__all__ = ["horizontal_average"]


def horizontal_average(
    curves: Sequence[RocCurve],
    *,
    names: Sequence[str],
    points: int = 100,
    level: float = 0.95,
    spread: SpreadKind = "t",
) -> AverageCurve:
    """Mean of the curves at the true positive rates i / points, O(k points log n).

    The mirror image of vertical averaging: at a level stretch of a curve its left end counts, the lowest false positive
    rate at which that sensitivity is reached.
    """
    check_points(points, least=1, way_out="100 gives one point per percent")
    grid = np.arange(points + 1) / points
    mirrored = [RocCurve(fpr=1 - curve.tpr[::-1], tpr=1 - curve.fpr[::-1], thresholds=None) for curve in curves]
    values = np.array([1 - one.at(1 - grid) for one in mirrored])
    fpr = mean_and_spread(values, level=level, kind=spread)
    areas, mean, sd = summary_of_areas(curves)
    ends_x, ends_y = np.concatenate([[0.0], fpr.mean, [1.0]]), np.concatenate([[0.0], grid, [1.0]])
    return AverageCurve(
        how="horizontal",
        fpr=fpr.mean,
        tpr=grid,
        tpr_spread=None,
        fpr_spread=fpr,
        thresholds=None,
        areas=areas,
        names=tuple(names),
        area_of_average=trapezoid(RocCurve(fpr=ends_x, tpr=ends_y, thresholds=None)),
        mean_of_areas=mean,
        sd_of_areas=sd,
        level=level,
        spread=spread,
    )
