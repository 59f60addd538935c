"""The axis of scores, which figures of distributions and of thresholds share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from roclab._core.types import Floats
from roclab.errors import InputError, Words
from roclab.plots.axes import reference_line
from roclab.plots.theme import INK, Look, plain_text

if TYPE_CHECKING:
    from roclab.results import Sample

__all__ = ["check_drawable", "draw_cutoff", "score_axis"]

_LARGEST = 1e300  # an axis is longer than its scores, and its ends have to be numbers


def check_drawable(score: Floats) -> None:
    """Refuse finite scores so large that an axis cannot hold them."""
    largest = float(np.max(np.abs(score[np.isfinite(score)]), initial=0.0))
    if largest > _LARGEST:
        raise InputError(
            "score", f"must be at most {_LARGEST:g} in size to be drawn", Words(f"{largest:g}"), "rescale it"
        )


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
