"""Densities of both classes: of fitted models over the histogram, and of simulation designs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab.errors import InputError, Words
from roclab.plots.legend import add_legend, one_legend
from roclab.plots.theme import COLOURS, DASHES, NEW_AXES, Look, plain_text, themed

if TYPE_CHECKING:
    from roclab.analysis.distribution import ClassDensities
    from roclab.analysis.study import Design

__all__ = ["draw_densities", "draw_design"]

_TALLEST = 6  # times the median height of the peaks: higher ones would flatten the others


@themed
def draw_densities(
    densities: ClassDensities,
    ax: Axes = NEW_AXES,
    *,
    label: str | None = None,
    number: int = 0,
    fill: bool = False,
    **line: Any,
) -> Axes:
    """Densities of the negatives and of the positives, on axes of their own or over a histogram of densities.

    Parameters
    ----------
    densities : ClassDensities
        ``r.smooth(…).densities()``, or those of a condition of a simulation design.
    label : str, optional
        Whose densities; the class is added.
    number : int
        The how manieth pair on these axes: its dashes.
    fill : bool
        Shade the area below.
    """
    drawn_before = ax.has_data()
    for height, colour, who in ((densities.neg, COLOURS[0], "negatives"), (densities.pos, COLOURS[3], "positives")):
        words = who if label is None else f"{plain_text(label)}, {who}"
        look: Look = {"color": colour, "linestyle": DASHES[number % len(DASHES)], "linewidth": 1.1, "zorder": 3.5}
        ax.plot(densities.x, height, label=words, **look | line)
        if fill:
            ax.fill_between(densities.x, height, color=colour, alpha=0.12, linewidth=0, zorder=1)
    if not drawn_before:
        ax.set_ylabel("Density")
        ax.set_xlabel("latent score" if densities.scale == "latent" else "score")
    ax.set_ylim(bottom=0)
    add_legend(ax, corner="upper right")
    return ax


@themed
def draw_design(design: Design, ax: Axes = NEW_AXES) -> Axes:
    """The distributions of a simulation design: the negatives, and the positives of every area that is simulated.

    Parameters
    ----------
    design : Design
        ``table_design("I")`` of a published table, or one of a file.
    """
    conditions = design.conditions()
    if not conditions:
        raise InputError("design", "must have conditions", Words("none"))
    moving = "positives" if len({condition.positive for condition in conditions}) > 1 else "negatives"
    shown: list[tuple[str, Any]] = []  # distributions drawn so far, those of several areas once
    with one_legend(ax):
        peaks = []
        for one in conditions:
            found = one.densities()
            for who, side, height in (("negatives", one.negative, found.neg), ("positives", one.positive, found.pos)):
                if (who, side) in shown:
                    continue
                shown.append((who, side))
                at = sum(name == who for name, _ in shown) - 1
                words = f"{who} {side.describe()}" + (f", {one.label}" if who == moving else "")
                look: Look = {"linestyle": DASHES[at % len(DASHES)], "linewidth": 1.1}
                ax.plot(found.x, height, color=COLOURS[0 if who == "negatives" else 3], label=words, **look)
                peaks.append(float(np.max(height)))
        ax.set_ylim(0, min(1.06 * max(peaks), _TALLEST * float(np.median(peaks))))
        ax.set_xlabel("score")
        ax.set_ylabel("Density")
        add_legend(ax, corner="below")
    return ax
