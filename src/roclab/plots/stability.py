"""The cut-offs that bootstrap samples choose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab.errors import InputError, Words
from roclab.plots.legend import add_legend
from roclab.plots.score_axis import check_drawable, draw_cutoff, score_axis
from roclab.plots.theme import COLOURS, NEW_AXES, Look, themed_with

if TYPE_CHECKING:
    from roclab.decisions.cutoff_bootstrap import CutoffBootstrap

__all__ = ["draw_stability"]

MOST_BARS = 60  # above so many distinct cut-offs they are joined into bins


@themed_with(ratio=0.75)
def draw_stability(found: CutoffBootstrap, ax: Axes = NEW_AXES, *, log: bool = False, **bars: Any) -> Axes:
    """How often each cut-off was the best one, with the interval and the cut-off of the data.

    Parameters
    ----------
    found : CutoffBootstrap
        From ``cutoff_stability``.
    log : bool
        A logarithmic axis of scores.
    """
    check_drawable(found.thresholds)
    chosen = found.thresholds[np.isfinite(found.thresholds)]
    if chosen.size == 0:
        raise InputError("", "a figure of cut-offs needs finite ones", Words("none in any replicate"))
    values, times = np.unique(chosen, return_counts=True)
    style: Look = {"color": COLOURS[0], "linewidth": 1.6, "zorder": 3} | bars
    if values.size > MOST_BARS:
        edges = np.linspace(values[0], values[-1], MOST_BARS + 1)
        times = np.bincount(np.clip(np.searchsorted(edges, chosen, side="right") - 1, 0, MOST_BARS - 1),
                            minlength=MOST_BARS)  # fmt: skip
        values = (edges[:-1] + edges[1:]) / 2
    ax.vlines(values, 0, times / found.thresholds.size, label="best in bootstrap samples", **style)
    ax.set_ylim(0, 1.12 * float(times.max()) / found.thresholds.size)
    score_axis(ax, found.cutoff.sample, log=log, what="Cut-off")
    ax.set_ylabel("Share of the samples")
    low, high = found.interval
    height = 1.06 * float(times.max()) / found.thresholds.size
    if np.isfinite(low) and np.isfinite(high):
        words = f"{100 * found.interval.level:g}% interval {low:.4g} to {high:.4g}"
        ax.plot([low, high], [height, height], color=COLOURS[3], linewidth=2.0, zorder=4, label=words)
    if np.isfinite(found.cutoff.threshold):
        draw_cutoff(ax, found.cutoff.threshold)
    add_legend(ax, corner="below")
    return ax
