"""Averaged ROC curves with bars in one or two directions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab.errors import InputError, Words
from roclab.names import SpreadShown
from roclab.plots.axes import drawn_points
from roclab.plots.legend import add_legend
from roclab.plots.roc import roc_axes, spread_evenly
from roclab.plots.theme import NEW_AXES, PALE, Look, themed
from roclab.plots.words import number

if TYPE_CHECKING:
    from roclab.averaging.result import AverageCurve
    from roclab.curves.roc import RocCurve

__all__ = ["draw_average"]


@themed
def draw_average(
    average: AverageCurve,
    ax: Axes = NEW_AXES,
    *,
    curves: Mapping[str, RocCurve] | None = None,
    bars: int = 10,
    spread_as: SpreadShown = "bars",
    percent: bool = False,
    chance: bool = True,
    **line: Any,
) -> Axes:
    """An averaged curve with its confidence limits.

    Parameters
    ----------
    average : AverageCurve
        From ``rl.average``: bars run upwards for a vertical average, aside for a horizontal one, and in both directions
        for one by thresholds.
    curves : mapping of names to RocCurve, optional
        The single curves, drawn thin behind it.
    bars : int
        How many bars, evenly along the curve; 0 for none.
    spread_as : "bars", "band" or "boxes"
        Limits of the mean as bars or as a band; or box plots of the single curves' true positive rates.
    """
    roc_axes(ax, percent=percent, chance=chance)
    for at, curve in enumerate((curves or {}).values()):
        points = drawn_points(curve.points())
        words = f"{len(curves or {})} single curves" if at == 0 else "_single"
        ax.plot(points.x, points.y, color=PALE, linewidth=0.6, linestyle="-", label=words, zorder=2)
    areas = f"mean AUC {number(average.mean_of_areas)} (sd {number(average.sd_of_areas)})"
    if len(average.areas) < 2 or average.how == "pooled":  # the pooled curve has an area of its own, which is drawn
        areas = f"AUC {number(average.area_of_average)}"
    entry = f"{average.how.replace('_', ' ')} average, {areas}"
    x, y = average.fpr, average.tpr
    if average.how.startswith(
        "threshold"
    ):  # the ends of every curve belong to the average, whatever thresholds were taken
        x, y = (np.concatenate([[0.0], side, [1.0]]) for side in (x, y))
    (drawn,) = ax.plot(x, y, label=entry, **Look(zorder=3) | line)
    if average.how == "horizontal" and spread_as == "boxes":
        raise InputError("spread_as", "shows true positive rates", Words("a horizontal average"), "draw bars or a band")
    if average.tpr_spread is not None or average.fpr_spread is not None:
        draws = {"bars": _draw_bars, "band": _draw_band, "boxes": _draw_boxes}
        draws[spread_as](average, ax, drawn.get_color(), bars)
    elif spread_as != "bars":
        raise InputError("spread_as", "needs an average of several curves", Words(f"the {average.how} curve"),
                         "leave it out")  # fmt: skip
    add_legend(ax)
    return ax


def _draw_bars(average: AverageCurve, ax: Axes, colour: Any, bars: int) -> None:
    if not bars:
        return
    up, aside = average.tpr_spread, average.fpr_spread
    some = spread_evenly(average.fpr, average.tpr, bars)
    x, y = average.fpr[some], average.tpr[some]
    style: Look = {"color": colour, "linewidth": 0.8, "zorder": 4}
    if up is not None:
        ax.vlines(x, up.low[some], up.high[some], label=_limits(average), **style)
    if aside is not None:
        words = "_aside" if up is not None else _limits(average)
        ax.hlines(y, aside.low[some], aside.high[some], label=words, **style)
    ax.plot(x, y, "o", markersize=2.6, color=colour, label="_bars", zorder=4)


def _draw_band(average: AverageCurve, ax: Axes, colour: Any, _: int) -> None:
    up, aside = average.tpr_spread, average.fpr_spread
    fill: Look = {"color": colour, "alpha": 0.2, "linewidth": 0, "zorder": 2.4}
    if up is None and aside is not None:
        ax.fill_betweenx(average.tpr, aside.low, aside.high, label=_limits(average), **fill)
        return
    assert up is not None
    if aside is not None:
        raise InputError("spread_as", "is a band for averages in one direction", Words("limits in both"),
                         "draw bars")  # fmt: skip
    ax.fill_between(average.fpr, up.low, up.high, label=_limits(average), **fill)
    for edge in (up.low, up.high):
        ax.plot(average.fpr, edge, color=colour, linewidth=0.4, linestyle="-", label="_edge", zorder=2.5)


def _draw_boxes(average: AverageCurve, ax: Axes, colour: Any, bars: int) -> None:
    up = average.tpr_spread
    assert up is not None
    some = spread_evenly(average.fpr, average.tpr, min(bars or 10, 10))
    line: Look = {"color": colour, "linewidth": 0.7}
    parts: Look = {f"{part}props": line for part in ("whisker", "cap", "median")}
    boxes = ax.boxplot(
        up.values[:, some],
        positions=average.fpr[some],
        widths=0.025,
        manage_ticks=False,
        patch_artist=True,
        zorder=4,
        boxprops=line | {"facecolor": "white"},
        flierprops={"marker": ".", "markersize": 2.5, "markeredgecolor": colour},
        **parts,
    )
    boxes["boxes"][0].set_label("TPR of the single curves: quartiles, whiskers up to 1.5 IQR")


def _limits(average: AverageCurve) -> str:
    return f"{100 * average.level:g}% limits of the mean"
