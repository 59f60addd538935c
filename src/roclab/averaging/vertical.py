"""Vertical averaging: the mean true positive rate at fixed false positive rates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roclab._core.checks import check_choice, check_points
from roclab.areas.empirical import trapezoid
from roclab.averaging.result import AverageCurve, mean_and_spread, summary_of_areas
from roclab.curves.roc import RocCurve
from roclab.inference.one_area.intervals import deviate
from roclab.names import SpreadKind

__all__ = ["vertical_average"]


def vertical_average(
    curves: Sequence[RocCurve],
    *,
    names: Sequence[str],
    points: int = 100,
    level: float = 0.95,
    spread: SpreadKind = "normal",
) -> AverageCurve:
    """Mean of the curves at the false positive rates i / points, O(k points log n) [1]_.

    At a vertical step of a curve its upper value counts; between vertices the curve is straight.

    References
    ----------
    .. [1] Fawcett T. Pattern Recognition Letters 2006;27:861-874, algorithm 3 (vertical averaging).
    """
    check_points(points, least=1, way_out="100 gives one point per percent")
    check_choice(spread, "spread", ("normal", "binomial"))
    grid = np.arange(points + 1) / points
    values = np.array([curve.at(grid) for curve in curves])
    samples = [curve.sample for curve in curves]
    cases = None if any(one is None for one in samples) else sum(one.n_pos for one in samples if one is not None)
    tpr = mean_and_spread(values, z=deviate(level), kind=spread, cases=cases)
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
