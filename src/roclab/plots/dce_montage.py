"""A montage of subtraction images: a row for every image, a column for every slice, one window for all."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def draw_dce_montage(found: DceMontage) -> Figure:
    """All images of a montage; the confidence, where there is one, in a last row with a window of its own."""
    rows = [*found.images.items()]
    if found.confidence is not None:
        rows.append(("confidence", found.confidence))
    across, down = len(found.slices), len(rows)
    _, y, x = found.place.spacing
    tall = found.place.shape[1] * y / (found.place.shape[2] * x)
    foot = 0.32
    high = _SIDE * tall * down + foot + 0.2
    wide = _SIDE * across + 0.3
    figure = new_figure(wide, high, layout=None)
    with theme_of(figure):
        grid = figure.subplots(down, across, squeeze=False)
        figure.subplots_adjust(left=0.3 / wide, right=0.998, top=1 - 0.2 / high, bottom=foot / high, wspace=0.02,
                               hspace=0.02)  # fmt: skip
        for line, (name, planes) in zip(grid, rows, strict=True):
            own = name == "confidence" and found.confidence is not None
            low, top = (0.0, 1.0) if own else found.window
            for ax, plane, at in zip(line, planes, range(across), strict=True):
                ax.imshow(plane, cmap="inferno" if own else "gray", vmin=low, vmax=top, aspect=y / x)
                for mask, colour in zip(found.outlines.values(), _COLOURS, strict=False):
                    if mask[at].any() and not mask[at].all():
                        ax.contour(mask[at], [0.5], colors=[colour], linewidths=0.7)
                mark_edges(ax, found.place.edges, size=6)
                ax.set_xticks([])
                ax.set_yticks([])
                for side in ax.spines.values():
                    side.set_visible(False)
            line[0].set_ylabel(plain_text(name.replace("_", "-")), fontsize=7)
        for ax, at in zip(grid[0], found.slices, strict=True):
            ax.set_title(f"slice {at}", fontsize=6.5, pad=2)
        low, top = found.window
        caption = f"{found.scale} subtraction images, one window for all: {low:.3g} to {top:.3g}"
        figure.text(0.3 / wide, 0.1 / high, caption, fontsize=6.5, va="center")
        if found.outlines:
            lines = [Line2D([], [], color=colour, label=plain_text(name))
                     for name, colour in zip(found.outlines, _COLOURS, strict=False)]  # fmt: skip
            figure.legend(handles=lines, loc="lower right", ncols=len(lines), frameon=False, fontsize=6.5,
                          borderaxespad=0.1)  # fmt: skip
    return figure
