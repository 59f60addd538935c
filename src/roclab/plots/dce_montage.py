"""A montage of subtraction images: a row for every image, a column for every slice, one window for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from roclab.plots.canvas import new_figure
from roclab.plots.overlay import mark_edges
from roclab.plots.theme import plain_text, theme_of

if TYPE_CHECKING:
    from roclab.analysis.dce.montage import DceMontage

__all__ = ["draw_dce_montage"]

_COLOURS = ("#22b8cf", "#e8590c", "#ffd43b", "#a9e34b")
_SIDE = 1.55  # inches
_NAMES = 0.3  # inches beside a row, for its name
_WIDE, _HIGH = 10.5, 14.0  # inches: what can still be printed on a page; larger montages get smaller slices
_SMALL = 0.9  # inches: narrower slices have no room for words


def draw_dce_montage(found: DceMontage) -> Figure:
    """All images of a montage; the confidence, where there is one, in a last row with a window of its own."""
    rows = [*found.images.items()]
    if found.confidence is not None:
        rows.append(("confidence", found.confidence))
    _, y, x = found.place.spacing
    tall = found.place.shape[1] * y / (found.place.shape[2] * x)
    blocks, side = _layout(len(rows), len(found.slices), tall)
    across, down = len(found.slices) * blocks, -(-len(rows) // blocks)
    foot = 0.32
    high = side * tall * down + foot + 0.2
    wide = side * across + _NAMES * blocks
    figure = new_figure(wide, high, layout=None)
    with theme_of(figure):
        grid = _grid(figure, (down, blocks, len(found.slices)), (wide, high), (side, side * tall), foot)
        for line in grid[len(rows) :]:
            for ax in line:
                ax.set_axis_off()
        for line, (name, planes) in zip(grid, rows, strict=False):
            own = name == "confidence" and found.confidence is not None
            low, top = (0.0, 1.0) if own else found.window
            for ax, plane, at in zip(line, planes, range(len(found.slices)), strict=True):
                ax.imshow(plane, cmap="inferno" if own else "gray", vmin=low, vmax=top, aspect=y / x)
                for mask, colour in zip(found.outlines.values(), _COLOURS, strict=False):
                    if mask[at].any() and not mask[at].all():
                        ax.contour(mask[at], [0.5], colors=[colour], linewidths=0.7)
                if side > _SMALL:
                    mark_edges(ax, found.place.edges, size=6)
                ax.set_xticks([])
                ax.set_yticks([])
                for spine in ax.spines.values():
                    spine.set_visible(False)
            line[0].set_ylabel(plain_text(name.replace("_", "-")), fontsize=7)
        for line in grid[::down]:
            for ax, at in zip(line, found.slices, strict=True):
                ax.set_title(f"slice {at}" if side > _SMALL else f"{at}", fontsize=6.5, pad=2)
        low, top = found.window
        caption = f"{found.scale} subtraction images, one window for all: {low:.3g} to {top:.3g}"
        figure.text(_NAMES / wide, 0.1 / high, caption, fontsize=6.5, va="center")
        if found.outlines:
            lines = [Line2D([], [], color=colour, label=plain_text(name))
                     for name, colour in zip(found.outlines, _COLOURS, strict=False)]  # fmt: skip
            figure.legend(handles=lines, loc="lower right", ncols=len(lines), frameon=False, fontsize=6.5,
                          borderaxespad=0.1)  # fmt: skip
    return figure


def _layout(rows: int, slices: int, tall: float) -> tuple[int, float]:
    """Blocks of rows side by side, and the width of a slice: the widest that fits on a page."""

    def widest(blocks: int) -> float:
        down = -(-rows // blocks)
        across = (_WIDE - _NAMES * blocks) / (slices * blocks)
        return min(_SIDE, across, (_HIGH - 0.52) / (down * tall))

    blocks = max(range(1, rows + 1), key=widest)
    return blocks, max(widest(blocks), 0.05)


def _grid(
    figure: Figure, counts: tuple[int, int, int], size: tuple[float, float], cell: tuple[float, float], foot: float
) -> list[list[Axes]]:
    """Axes of every row, block by block."""
    (down, blocks, slices), (wide, high), (across, tall) = counts, size, cell
    lines = []
    for block in range(blocks):
        left = _NAMES * (block + 1) + across * slices * block
        for row in range(down):
            bottom = foot + tall * (down - 1 - row)
            lines.append([
                figure.add_axes(((left + across * at) / wide, bottom / high, 0.98 * across / wide, 0.98 * tall / high))
                for at in range(slices)
            ])  # fmt: skip
    return lines
