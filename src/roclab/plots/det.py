"""DET curves: misses against false alarms on normal-deviate axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab.plots.axes import deviate_axes, drawn_points, reference_line
from roclab.plots.legend import add_legend
from roclab.plots.theme import NEW_AXES, Look, themed
from roclab.plots.words import HasArea, curve_label

if TYPE_CHECKING:
    from roclab.curves.det import DetCurve

__all__ = ["draw_det"]

_DECADES = (0.0005, 0.004, 0.03, 0.2)  # where axes may start: the ticks 0.1%, 0.5%, 5%


@themed
def draw_det(
    curve: DetCurve,
    ax: Axes = NEW_AXES,
    *,
    area: HasArea | None = None,
    percent: bool = True,
    chance: bool = True,
    label: str | None = None,
    **line: Any,
) -> Axes:
    """A DET curve; two normal distributions of scores give a straight line.

    Options as in :func:`~roclab.plots.roc.draw_roc`. Both axes show the same range, from a little below the smallest
    rate drawn so far.
    """
    points = drawn_points(curve.points())
    rates = np.concatenate([points.x, points.y, [0.1, 0.6]])
    for other in ax.get_lines():
        if other.get_gid() != "chance":
            rates = np.concatenate([rates, np.asarray(other.get_xdata(), float), np.asarray(other.get_ydata(), float)])
    low = max([start for start in _DECADES if start < rates.min()], default=_DECADES[0])
    high = 1 - max([start for start in _DECADES if start < 1 - rates.max()], default=_DECADES[0])
    deviate_axes(ax, "False positive rate", "False negative rate", low=low, high=high, percent=percent)
    if chance:
        p = np.linspace(0.0005, 0.9995, 500)
        reference_line(ax, p, 1 - p, tag="chance")
    ax.plot(points.x, points.y, label=curve_label(label, area), **Look(zorder=3) | line)
    add_legend(ax, corner="upper right")
    return ax
