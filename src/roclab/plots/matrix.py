"""A square table of numbers as a picture: shades, and the number in each cell."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap

from roclab.plots.theme import INK, Look, plain_text, text_size

if TYPE_CHECKING:
    from roclab._core.types import Floats

__all__ = ["draw_matrix"]

MOST_WRITTEN = 12  # names whose cells have words in them


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

    Shades stop short of the darkest, so that the words in the cells stay readable in print. More than 12 names leave no
    room for words: a bar beside the table then says what the shades mean.
    """
    size = len(names)
    whole, dark = colormaps[colours], (0.05, 0.45) if colours == "Greys" else (0.26, 0.74)
    shades = ListedColormap(whole(np.linspace(*dark, 256)), name=f"{colours}, inner part")
    edges = np.arange(size + 1) - 0.5
    grid: Look = {"edgecolors": "white", "linewidth": 0.8 if size <= MOST_WRITTEN else 0.2}
    top = high if high > low else low + 1.0
    cells = ax.pcolormesh(edges, edges, np.ma.masked_invalid(values), cmap=shades, vmin=low, vmax=top, **grid)
    if size <= MOST_WRITTEN:
        small = text_size(ax) if size <= 5 else max(text_size(ax) * 5 / size, 3.0)
        for row, column in zip(*np.nonzero(~np.isnan(values)), strict=True):
            words_there = words(int(row), int(column))
            ax.text(column, row, words_there, ha="center", va="center", fontsize=small, color=INK)
    else:
        figure: Any = ax.get_figure(root=True)
        bar = figure.colorbar(cells, ax=ax, fraction=0.05, pad=0.02)
        bar.outline.set_visible(False)
    shown = [plain_text(name, 18) for name in names]
    if size > MOST_WRITTEN:
        ax.tick_params(labelsize=max(text_size(ax) * 18 / size, 2.5))
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
