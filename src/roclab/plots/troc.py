"""tROC curves between the curve of a perfect and of a useless score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab._core.polyline import filled_curve
from roclab.plots.axes import draw_mirror, drawn_points, reference_line, square_axes
from roclab.plots.legend import add_legend
from roclab.plots.roc import FPR
from roclab.plots.theme import NEW_AXES, Look, themed
from roclab.plots.words import HasArea, curve_label

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
    ax: Axes = NEW_AXES,
    *,
    area: HasArea | None = None,
    percent: bool = False,
    references: bool = True,
    mirror: bool = False,
    mirror_area: HasArea | None = None,
    label: str | None = None,
    **line: Any,
) -> Axes:
    """A tROC curve; options as in :func:`~roclab.plots.roc.draw_roc`, parabolas between vertices drawn as such.

    ``mirror`` adds the curve of the same score with the parts of the classes exchanged, that is of the ROC curve
    mirrored about TPR = 1 - FPR: its height is the same probability against the false negative rate. ``mirror_area``
    is its own tAUC, for the legend (``Roc.mirrored().tauc()``).
    """
    troc_axes(ax, percent=percent, references=references)
    points = drawn_points(curve.points())
    x, y = filled_curve(points.x, points.y, curve.at)
    (drawn,) = ax.plot(x, y, label=curve_label(label, area), **Look(zorder=3) | line)
    if mirror:
        image = curve.mirrored()
        points = drawn_points(image.points())
        x, y = filled_curve(points.x, points.y, image.at)
        draw_mirror(ax, x, y, of=drawn, label=label, area=mirror_area)
    add_legend(ax, corner="below")
    return ax
