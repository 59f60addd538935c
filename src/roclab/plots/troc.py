"""tROC curves between the curve of a perfect and of a useless score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab._core.polyline import filled_curve
from roclab.plots.axes import HasArea, add_legend, curve_label, drawn_points, reference_line, square_axes
from roclab.plots.roc import FPR
from roclab.plots.theme import Look, themed

if TYPE_CHECKING:
    from roclab.curves.troc import TrocCurve

__all__ = ["draw_troc", "troc_axes"]


def troc_axes(ax: Axes, *, percent: bool = False, references: bool = True) -> None:
    """TROC space, with the lines 1 - fpr of a perfect and fpr (1 - fpr) of a useless score."""
    square_axes(ax, FPR, "Probability of two correct calls, $p_{cr}$", percent=percent)
    if references:
        fpr = np.linspace(0, 1, 101)
        reference_line(ax, [0, 1], [1, 0], tag="perfect", label="perfect score", linestyle="-")
        reference_line(ax, fpr, fpr * (1 - fpr), tag="chance", label="useless score")


@themed
def draw_troc(
    curve: TrocCurve,
    ax: Axes,
    *,
    area: HasArea | None = None,
    percent: bool = False,
    references: bool = True,
    label: str | None = None,
    **line: Any,
) -> Axes:
    """A tROC curve; options as in :func:`~roclab.plots.roc.draw_roc`, parabolas between vertices drawn as such."""
    troc_axes(ax, percent=percent, references=references)
    points = drawn_points(curve.points())
    x, y = filled_curve(points.x, points.y, curve.at)
    ax.plot(x, y, label=curve_label(label, area), **Look(zorder=3) | line)
    add_legend(ax, corner="below")
    return ax
