"""Cumulative gain and lift."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab.plots.axes import drawn_points, rate_axis, reference_line, square_axes
from roclab.plots.legend import add_legend
from roclab.plots.theme import NEW_AXES, Look, themed, themed_with
from roclab.plots.words import curve_label

if TYPE_CHECKING:
    from roclab.curves.gain import GainCurve

__all__ = ["draw_gain", "draw_lift"]

_DEPTH = "Share of all cases called positive"


@themed
def draw_gain(
    curve: GainCurve, ax: Axes = NEW_AXES, *, percent: bool = False, label: str | None = None, **line: Any
) -> Axes:
    """The share of the positives found, between a random choice and a perfect score."""
    square_axes(ax, _DEPTH, "Share of the positives found", percent=percent)
    reference_line(ax, [0, 1], [0, 1], tag="chance", label="random choice")
    reference_line(ax, [0, curve.prevalence, 1], [0, 1, 1], tag="perfect", label="perfect score", linestyle="-")
    points = drawn_points(curve.points("gain"))
    ax.plot(points.x, points.y, label=curve_label(label), **Look(zorder=3) | line)
    add_legend(ax)
    return ax


@themed_with(ratio=0.75)
def draw_lift(
    curve: GainCurve, ax: Axes = NEW_AXES, *, percent: bool = False, label: str | None = None, **line: Any
) -> Axes:
    """How many times more positives than a random choice finds; 1 / prevalence is the most there can be."""
    rate_axis(ax, "x", _DEPTH, percent=percent)
    most = 1 / curve.prevalence
    reference_line(ax, [0, 1], [1, 1], tag="chance", label="random choice")
    depth = np.linspace(curve.prevalence, 1, 101)
    x, y = np.concatenate([[0.0], depth]), np.concatenate([[most], 1 / depth])
    reference_line(ax, x, y, tag="perfect", label="perfect score", linestyle="-")
    points = drawn_points(curve.points("lift"))
    ax.plot(points.x, points.y, label=curve_label(label), **Look(zorder=3) | line)
    ax.set_ylim(0, max(ax.get_ylim()[1], 1.06 * most))
    ax.set_ylabel("Lift")
    add_legend(ax, corner="upper right")
    return ax
