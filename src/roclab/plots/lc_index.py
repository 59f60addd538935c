"""The LC index as bars: for which costs each of two classifiers loses less."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab.plots.axes import reference_line
from roclab.plots.legend import add_legend
from roclab.plots.theme import COLOURS, INK, NEW_AXES, PALE, Look, plain_text, text_size, themed_with
from roclab.plots.words import number

if TYPE_CHECKING:
    from roclab.decisions.lc_index import LcIndex

__all__ = ["draw_lc_index"]

_HATCHES = (None, "////", "....", "\\\\\\\\", "xxxx", "----", "++++")
_PRIOR = 0.75  # height of the prior's triangle, in rows


@themed_with(ratio=lambda pairs: 0.42 + 0.14 * len(pairs))
def draw_lc_index(pairs: Iterable[LcIndex], ax: Axes = NEW_AXES) -> Axes:
    """One bar per pair over the share of a false positive in both costs, coloured by who loses less there.

    Above the bars stands the triangle of how plausible each share is; the LC index of a pair is the weight of the first
    classifier's stretches minus that of the second's.

    Parameters
    ----------
    pairs : LcIndex, one or more
        The ``pairs`` of ``rl.classifiers.lc_index``.
    """
    every = list(pairs)
    names = list(dict.fromkeys(name for one in every for name in (one.first, one.second)))
    for row, one in enumerate(every):
        for part in one.regions:
            at = None if part.better is None else names.index(part.better)
            colour: Any = PALE if at is None else COLOURS[at % len(COLOURS)]
            # Another hatch each time the colours begin anew: 49 classifiers before a pair repeats.
            hatch = None if at is None else _HATCHES[(at + at // len(COLOURS)) % len(_HATCHES)]
            who = "equal" if part.better is None else f"{plain_text(part.better)} loses less"
            known = who in ax.get_legend_handles_labels()[1]
            look: Look = {"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0.6, "height": 0.6}
            ax.barh(row, part.high - part.low, left=part.low, label=f"_{who}" if known else who, zorder=2, **look)
        low, high = one.interval
        for end in (low, high):
            ax.plot(
                [end, end], [row - 0.38, row + 0.38], color=INK, linewidth=0.9, linestyle="-", label="_end", zorder=3
            )
        ax.text(1.02, row, f"LC {number(one.index)}", va="center", fontsize=text_size(ax), color=INK)
    low, high, mode = *every[0].interval, every[0].mode
    top = -0.55
    triangle = np.array([[low, top], [mode, top - _PRIOR], [high, top]])
    ax.fill(triangle[:, 0], triangle[:, 1], color=PALE, alpha=0.5, linewidth=0, label="plausible shares", zorder=1.5)
    reference_line(ax, [mode, mode], [top - _PRIOR, len(every) - 0.5], tag="mode")
    words = [f"{plain_text(one.first, 16)}\nagainst {plain_text(one.second, 16)}" for one in every]
    ax.set_yticks(range(len(every)), words)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlim(0, 1)
    ax.set_ylim(len(every) - 0.4, top - _PRIOR - 0.1)
    ax.set_xlabel("Share of a false positive in the cost of both errors")
    add_legend(ax, corner="below")
    return ax
