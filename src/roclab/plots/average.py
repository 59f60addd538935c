"""Averaged ROC curves with bars in one or two directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab._core.text import format_number
from roclab.plots.axes import add_legend, drawn_points
from roclab.plots.roc import roc_axes, spread_evenly
from roclab.plots.theme import PALE, Look, themed

if TYPE_CHECKING:
    from roclab.averaging.result import AverageCurve
    from roclab.curves.roc import RocCurve

__all__ = ["draw_average"]


@themed
def draw_average(
    average: AverageCurve,
    ax: Axes,
    *,
    curves: Mapping[str, RocCurve] | None = None,
    bars: int = 10,
    percent: bool = False,
    chance: bool = True,
    **line: Any,
) -> Axes:
    """An averaged curve with its confidence limits.

    Parameters
    ----------
    average : AverageCurve
        From ``rl.average``: bars run upwards for a vertical average, in both directions for one by thresholds.
    curves : mapping of names to RocCurve, optional
        The single curves, drawn thin behind it.
    bars : int
        How many bars, evenly along the curve; 0 for none.
    """
    roc_axes(ax, percent=percent, chance=chance)
    for at, curve in enumerate((curves or {}).values()):
        points = drawn_points(curve.points())
        words = f"{len(curves or {})} single curves" if at == 0 else "_single"
        ax.plot(points.x, points.y, color=PALE, linewidth=0.6, linestyle="-", label=words, zorder=2)
    areas = f"mean AUC {format_number(average.mean_of_areas)} (sd {format_number(average.sd_of_areas)})"
    if len(average.areas) < 2:
        areas = f"AUC {format_number(average.mean_of_areas)}"
    entry = f"{average.how} average, {areas}"
    x, y = average.fpr, average.tpr
    if average.how == "threshold":  # the ends of every curve belong to the average, whatever thresholds were taken
        x, y = (np.concatenate([[0.0], side, [1.0]]) for side in (x, y))
    (drawn,) = ax.plot(x, y, label=entry, **Look(zorder=3) | line)
    if bars and average.tpr_spread is not None:
        some = spread_evenly(average.fpr, average.tpr, bars)
        x, y, up, aside = average.fpr[some], average.tpr[some], average.tpr_spread, average.fpr_spread
        style: Look = {"color": drawn.get_color(), "linewidth": 0.8, "zorder": 4}
        ax.vlines(x, up.low[some], up.high[some], label=f"{100 * average.level:g}% limits of the mean", **style)
        if aside is not None:
            ax.hlines(y, aside.low[some], aside.high[some], **style)
        ax.plot(x, y, "o", markersize=2.6, color=drawn.get_color(), label="_bars", zorder=4)
    add_legend(ax)
    return ax
