"""Diagonal averaging: the mean distance from the chance line, at fixed places along it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from roclab._core.checks import check_points
from roclab._core.types import Floats
from roclab.areas.empirical import trapezoid
from roclab.averaging.result import AverageCurve, mean_and_spread, summary_of_areas
from roclab.curves.roc import RocCurve
from roclab.names import SpreadKind

__all__ = ["diagonal_average"]


def diagonal_average(
    curves: Sequence[RocCurve],
    *,
    names: Sequence[str],
    points: int | None = None,
    level: float = 0.95,
    spread: SpreadKind = "t",
) -> AverageCurve:
    r"""Mean of the curves along lines that cross the chance line at a right angle, O(k n log n) [1]_.

    In the coordinates :math:`u = fpr + tpr` and :math:`v = tpr - fpr` every ROC curve is a function v(u), and the area
    above the chance line is the integral of v/2. So the area under the average is the mean of the areas, and neither
    rate is preferred: mirrored curves have the mirrored average.

    Parameters
    ----------
    points : int, optional
        Places along the chance line; by default every vertex of every curve, which keeps the area to the last digit.

    References
    ----------
    .. [1] Chen W, Samuelson FW. The average receiver operating characteristic curve in multireader multicase imaging
       studies. Br J Radiol 2014;87:20140016. doi:10.1259/bjr.20140016
    """
    turned = [_turned(curve) for curve in curves]
    if points is None:
        along = np.unique(np.concatenate([u for u, _ in turned]))
    else:
        check_points(points, least=1, way_out="leave it out for every vertex")
        along = 2 * np.arange(points + 1) / points
    above = np.array([np.interp(along, u, v) for u, v in turned])
    tpr = mean_and_spread((along + above) / 2, level=level, kind=spread)
    fpr = mean_and_spread((along - above) / 2, level=level, kind=spread)
    areas, mean, sd = summary_of_areas(curves)
    x, y = np.clip(fpr.mean, 0, 1), np.clip(tpr.mean, 0, 1)
    return AverageCurve(
        how="diagonal",
        fpr=x,
        tpr=y,
        tpr_spread=tpr,
        fpr_spread=fpr,
        thresholds=None,
        areas=areas,
        names=tuple(names),
        area_of_average=trapezoid(
            RocCurve(fpr=np.maximum.accumulate(x), tpr=np.maximum.accumulate(y), thresholds=None)
        ),
        mean_of_areas=mean,
        sd_of_areas=sd,
        level=level,
        spread=spread,
    )


def _turned(curve: RocCurve) -> tuple[Floats, Floats]:
    """Place along the chance line and distance from it, of every vertex; repeated vertices count once."""
    u, v = curve.fpr + curve.tpr, curve.tpr - curve.fpr
    new = np.concatenate([[True], np.diff(u) > 0])
    return u[new], v[new]
