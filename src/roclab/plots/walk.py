"""The curve of a small sample as a walk on a lattice: a positive is a step up, a negative a step right."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from roclab._core.checks import in_full
from roclab.errors import InputError, Words
from roclab.plots.axes import BACKING
from roclab.plots.legend import add_legend
from roclab.plots.theme import COLOURS, INK, NEW_AXES, PALE, Look, plain_text, text_size, themed

if TYPE_CHECKING:
    from roclab.data.tally import Tally

__all__ = ["draw_walk"]

MOST_CASES = 60  # of a class: more steps cannot be counted by eye
MOST_WRITTEN = 16  # distinct scores that are written along the walk


@themed
def draw_walk(tally: Tally, ax: Axes = NEW_AXES) -> Axes:
    """From the highest score to the lowest: each positive a step up, each negative a step right, ties slanted.

    The cells below the walk are the pairs that the score orders rightly; a slanted step halves the cells of its ties.

    Parameters
    ----------
    tally : Tally
        ``Roc.tally`` of at most 60 cases in each class.
    """
    if tally.weighted:
        raise InputError("weights", "have no steps of one case", Words("importance weights"), "draw the curve instead")
    if max(tally.n_pos, tally.n_neg) > MOST_CASES:
        raise InputError(
            "", f"a walk shows at most {MOST_CASES} cases of a class", Words(in_full(max(tally.n_pos, tally.n_neg))),
            "draw the curve instead",
        )  # fmt: skip
    pos, neg = tally.pos.astype(int), tally.neg.astype(int)
    right, up = int(neg.sum()), int(pos.sum())
    x, y = np.concatenate([[0], np.cumsum(neg)]), np.concatenate([[0], np.cumsum(pos)])
    ax.vlines(np.arange(right + 1), 0, up, color=PALE, linewidth=0.4, zorder=1)
    ax.hlines(np.arange(up + 1), 0, right, color=PALE, linewidth=0.4, zorder=1)
    for line in ax.collections:
        line.set_gid("lattice")
    ax.fill_between(x, y, color=COLOURS[0], alpha=0.12, linewidth=0, zorder=1.2)
    kinds = np.where((pos > 0) & (neg > 0), 2, np.where(pos > 0, 0, 1))
    looks: tuple[Look, ...] = (
        {"color": COLOURS[3], "linestyle": "-", "label": "positive: up"},
        {"color": COLOURS[0], "linestyle": "-", "label": "negative: right"},
        {"color": INK, "linestyle": (0, (3, 1)), "label": "tied scores: slanted"},
    )
    for kind, look in enumerate(looks):
        for number, at in enumerate(np.flatnonzero(kinds == kind).tolist()):
            entry = look["label"] if number == 0 else f"_{kind}"
            dots: Look = {"marker": "o", "markersize": 2.4, "linewidth": 1.5, "zorder": 3}
            ax.plot(x[at : at + 2], y[at : at + 2], **look | dots | {"label": entry})
    score = tally.shown(tally.score)
    if score.size <= MOST_WRITTEN:
        for at, value in enumerate(score.tolist()):
            middle = (x[at] + x[at + 1]) / 2, (y[at] + y[at + 1]) / 2
            place: Look = {"xytext": (3, -2) if kinds[at] == 0 else (0, -3), "textcoords": "offset points"}
            place |= {"va": "top", "ha": "left" if kinds[at] == 0 else "center", "bbox": BACKING, "zorder": 5}
            ax.annotate(f"{value:.4g}", middle, fontsize=text_size(ax) - 0.5, color=INK, **place)
    ax.set_xlim(-0.03 * right - 0.1, 1.03 * right + 0.1)
    ax.set_ylim(-0.05 * up - 0.1, 1.03 * up + 0.1)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_locator(MaxNLocator(integer=True))
    ax.set_xlabel(f"Negatives ({plain_text(tally.sample.negative)}) from the highest score on")
    ax.set_ylabel(f"Positives ({plain_text(tally.sample.positive)})")
    ax.set_box_aspect(1)
    add_legend(ax)
    return ax
