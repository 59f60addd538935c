"""The axis of scores, which figures of distributions and of thresholds share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.axes import Axes

from roclab.plots.axes import reference_line
from roclab.plots.theme import INK, Look, plain_text

if TYPE_CHECKING:
    from roclab.results import Sample

__all__ = ["draw_cutoff", "score_axis"]


def score_axis(ax: Axes, sample: Sample, *, log: bool = False, what: str = "", upright: bool = False) -> None:
    """Name the axis after the score; ``upright`` for scores that run upwards."""
    axis = ax.yaxis if upright else ax.xaxis
    name = plain_text(sample.score or "score")
    axis.set_label_text(f"{what} of {name}" if what else name)
    if log:
        (ax.set_yscale if upright else ax.set_xscale)("log")
        axis.set_major_formatter("{x:g}")


def draw_cutoff(ax: Axes, cutoff: float, *, upright: bool = False) -> None:
    """A line across the axes at a cut-off."""
    tag = "cutoff"
    style: Look = {"color": INK, "linewidth": 0.8, "linestyle": (0, (2, 2)), "zorder": 4}
    ends = ax.get_xlim() if upright else ax.get_ylim()
    x, y = (ends, (cutoff, cutoff)) if upright else ((cutoff, cutoff), ends)
    reference_line(ax, x, y, tag=tag, label=f"cut-off {cutoff:.4g}", **style)
    (ax.set_xlim if upright else ax.set_ylim)(ends)
