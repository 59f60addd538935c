"""Precision-recall curves with lines of equal F-measure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab._core.checks import check_choice
from roclab._core.polyline import filled_curve
from roclab.names import INTERPOLATIONS, Interpolation
from roclab.plots.axes import BACKING, drawn_points, reference_line, shade_band, square_axes
from roclab.plots.legend import add_legend
from roclab.plots.theme import GREY, NEW_AXES, PALE, Look, text_size, themed
from roclab.plots.words import HasArea, curve_label, number

if TYPE_CHECKING:
    from roclab.curves.precision_recall import PrecisionRecallCurve
    from roclab.inference.one_curve.precision_band import PrecisionBand

__all__ = ["draw_precision_recall"]


@themed
def draw_precision_recall(
    curve: PrecisionRecallCurve,
    ax: Axes = NEW_AXES,
    *,
    area: HasArea | None = None,
    interpolation: Interpolation = "integral",
    iso_f: Sequence[float] = (0.2, 0.4, 0.6, 0.8),
    prevalence: bool = True,
    percent: bool = False,
    label: str | None = None,
    band: PrecisionBand | None = None,
    **line: Any,
) -> Axes:
    """A precision-recall curve.

    Parameters
    ----------
    curve : PrecisionRecallCurve
    interpolation : "integral", "davis_goadrich" or "step"
        What joins the vertices: the hyperbola, its points at whole cases, or the steps behind average precision.
        Never a straight line, which would show precision that cannot be reached.
    iso_f : sequence of float
        Lines on which the F-measure has these values.
    prevalence : bool
        The line of a useless score.
    band : PrecisionBand, optional
        Limits of the precision, from ``r.precision_band()``.
    area, percent, label, line
        As in :func:`~roclab.plots.roc.draw_roc`.
    """
    check_choice(interpolation, "interpolation", INTERPOLATIONS)
    square_axes(ax, "Recall (true positive rate)", "Precision (positive predictive value)", percent=percent)
    for value in iso_f:
        _draw_iso_f(ax, float(value))
    if prevalence:
        tag = f"prevalence {number(curve.prevalence)}"
        reference_line(ax, [0, 1], [curve.prevalence] * 2, tag=tag.replace(" ", "-"), label=tag)
    points = drawn_points(curve.points())
    x, y = points.x, points.y
    if interpolation != "step":
        x, y = filled_curve(x, y, lambda recall: curve.at(recall, interpolation))
    else:  # a vertex reaches back to the recall of the one before it
        x, y = np.concatenate([[0.0], x]), np.concatenate([y[:1], y])
    style: Look = {"drawstyle": "steps-pre" if interpolation == "step" else "default", "zorder": 3}
    (drawn,) = ax.plot(x, y, label=curve_label(label, area), **style | line)
    if band is not None:
        words = f"{100 * band.level:g}% band, {band.kind}"
        shade_band(ax, band.recall, band.low, band.high, colour=drawn.get_color(), words=words)
    add_legend(ax, corner="best")
    return ax


def _draw_iso_f(ax: Axes, value: float) -> None:
    tag = f"F-{value:g}"
    if any(line.get_gid() == tag for line in ax.get_lines()):
        return
    recall = np.linspace(value / (2 - value), 1, 101)  # from where precision is 1
    precision = value * recall / (2 * recall - value)
    ax.plot(recall, precision, color=PALE, linewidth=0.6, linestyle="-", label=f"_{tag}", gid=tag, zorder=1)
    words: Look = {"fontsize": text_size(ax) - 0.5, "color": GREY, "bbox": BACKING, "zorder": 1.2}
    ax.annotate(f"F {value:g}", (float(recall[-8]), float(precision[-8])), ha="center", va="center", **words)
