"""A square table of numbers as a picture: shades, and the number in each cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from roclab.plots.theme import INK, plain_text, text_size

if TYPE_CHECKING:
    from roclab._core.types import Floats

__all__ = ["draw_matrix"]


def draw_matrix(
    ax: Axes,
    names: Sequence[str],
    values: Floats,
    words: Callable[[int, int], str],
    *,
    low: float,
    high: float,
    colours: str = "Greys",
) -> None:
    """One cell per pair of names; cells without a value stay empty.

    Shades stop short of the darkest, so that the words in the cells stay readable in print.
    """
    size = len(names)
    shades, dark = colormaps[colours], (0.05, 0.45) if colours == "Greys" else (0.26, 0.74)
    small = text_size(ax) if size <= 5 else max(text_size(ax) * 5 / size, 3.0)
    for row in range(size):
        for column in range(size):
            value = values[row, column]
            empty = bool(np.isnan(value))
            share = 0.0 if empty or high == low else float(np.clip((value - low) / (high - low), 0, 1))
            face = "white" if empty else shades(dark[0] + (dark[1] - dark[0]) * share)
            cell = Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=face, edgecolor="white", linewidth=0.8)
            ax.add_patch(cell)
            if not empty:
                ax.text(column, row, words(row, column), ha="center", va="center", fontsize=small, color=INK)
    shown = [plain_text(name, 18) for name in names]
    ax.set_xticks(range(size), shown, rotation=0 if max(map(len, shown)) * size <= 30 else 40)
    if max(map(len, shown)) * size > 30:
        for tick in ax.get_xticklabels():
            tick.set_horizontalalignment("right")
            tick.set_rotation_mode("anchor")
    ax.set_yticks(range(size), shown)
    ax.set_xlim(-0.5, size - 0.5)
    ax.set_ylim(size - 0.5, -0.5)
    ax.set_box_aspect(1)
    ax.tick_params(length=0)
    for side in ax.spines.values():
        side.set_visible(False)
