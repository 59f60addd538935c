"""Cost curves: the expected cost of every threshold over all priors and costs, and their lower envelope."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from roclab.plots.axes import rate_axis, reference_line
from roclab.plots.legend import add_legend
from roclab.plots.theme import NEW_AXES, Look, themed_with
from roclab.plots.words import curve_label

if TYPE_CHECKING:
    from roclab.curves.cost import CostCurve

__all__ = ["draw_cost"]

MOST_LINES = 60


@themed_with(ratio=0.75)
def draw_cost(
    curve: CostCurve,
    ax: Axes = NEW_AXES,
    *,
    lines: bool = True,
    label: str | None = None,
    **line: Any,
) -> Axes:
    """A cost curve: one thin line per threshold, their lower envelope, and the cost without the score.

    Parameters
    ----------
    curve : CostCurve
    lines : bool
        Draw the lines of single thresholds too, at most 60 of them.
    label, line
        As in :func:`~roclab.plots.roc.draw_roc`.
    """
    rate_axis(ax, "x", "Probability cost: share of the positives in prior × cost")
    reference_line(ax, [0, 0.5, 1], [0, 0.5, 0], tag="trivial", label="always the cheaper class")
    (drawn,) = ax.plot(curve.x, curve.y, label=curve_label(label), **Look(zorder=3) | line)
    if lines:
        shown = np.unique(np.linspace(0, curve.at_zero.size - 1, MOST_LINES).astype(np.int64))
        ends = np.column_stack([curve.at_zero[shown], curve.at_one[shown]])
        segments = [[(0.0, left), (1.0, right)] for left, right in ends.tolist()]
        thin: Look = {"colors": drawn.get_color(), "linewidths": 0.3, "alpha": 0.35, "zorder": 1}
        ax.add_collection(LineCollection(segments, **thin), autolim=False)
    ax.set_ylim(-0.006, 0.68)  # room for the legend above the tent
    ax.set_ylabel("Normalised expected cost")
    add_legend(ax, corner="upper center")
    return ax
