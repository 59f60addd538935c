"""Where a legend stands: in a corner that no curve passes, or below the axes."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.textpath import text_to_path
from matplotlib.transforms import ScaledTranslation

from roclab._core.types import Floats
from roclab.plots.ground import suit_ground
from roclab.plots.theme import INK, Look, grow_below, grows, text_size, theme_of

__all__ = ["MOST_NAMED", "add_legend", "many_curves", "one_legend"]

MOST_INSIDE = 4  # entries of a legend that fit beside a curve
MOST_NAMED = 30  # curves with an entry of their own in the legend, and a look of their own
_LETTER = 0.5  # mean width of a letter per height
_LINE = 1.35  # height of a line per height of its letters
_WORDS_BESIDE = 5.0  # height of tick labels and name of an axis, in heights of text
_HANDLE = 4.6  # the sample of a line and the gaps beside it, in heights of text
_HELD: WeakKeyDictionary[Axes, str] = WeakKeyDictionary()  # legends that wait for further curves, and their corner
_CORNERS = ("lower right", "upper left", "upper right", "lower left")
_BESIDE = {"upper left": ("upper right",), "upper right": ("upper left",), "lower left": ("lower right",)}


@contextmanager
def one_legend(ax: Axes) -> Iterator[None]:
    """One legend at the end of many drawings, because laying one out anew for every curve takes longer than drawing."""
    if ax in _HELD:
        yield
        return
    _HELD[ax] = ""
    try:
        yield
    finally:
        corner = _HELD.pop(ax)
    if corner:
        with theme_of(ax):
            add_legend(ax, corner=corner)


@contextmanager
def many_curves(ax: Axes, count: int, entry: str | None = None) -> Iterator[None]:
    """Curves drawn meanwhile share one legend; more than 30 of them are thin, and one entry counts them."""
    before = set(ax.get_lines())
    with one_legend(ax):
        yield
        if count <= MOST_NAMED:
            return
        drawn = [one for one in ax.get_lines() if one not in before and one.get_gid() is None and _named(one)]
        for line in drawn:
            line.set(color=INK, linestyle="-", linewidth=0.5, alpha=0.35, label=f"_{line.get_label()}")
        if drawn:
            drawn[-1].set_label(entry or f"{count} curves")


def _named(line: Line2D) -> bool:
    return not str(line.get_label()).startswith("_")


def add_legend(ax: Axes, *, corner: str = "lower right") -> None:
    """A legend of what has been drawn so far: in a corner that is free, else below the axes.

    ``corner`` is tried first, then the other corners; "below" asks for a place below the axes, "best" leaves the choice
    to matplotlib. Figures made by ``new_axes`` grow by the height of a legend below their axes. Of figures of others
    nobody knows what lies below the axes, another panel or the edge: there the legend stays on the axes, where it hides
    least, as small as it must be.
    """
    if ax in _HELD:
        _HELD[ax] = corner
        return
    handles, labels = ax.get_legend_handles_labels()
    if not handles:
        return
    size = text_size(ax)
    figure: Any = ax.get_figure(root=True)
    room = ax.get_position().width * figure.get_size_inches()[0] * 72 / size - 4  # in heights of text
    place: Look = {"loc": corner}
    shown = [_folded(label, max(int(room / _LETTER), 20)) for label in labels]
    below = corner == "below" or len(handles) > MOST_INSIDE
    if not below and corner in _CORNERS:
        free = _free_corner(ax, corner, shown, size)
        below, place = free is None, {"loc": free}
    if below and not grows(figure):
        below, place = False, {"loc": "best"}
        shown, size = _small_enough(ax, labels, size)
    if below:
        drop = ScaledTranslation(0, -(4.6 * size) / 72, figure.dpi_scale_trans)  # past the axis label
        longest = max(len(line) for label in shown for line in label.split("\n"))
        columns = min(max(int(room / (longest * _LETTER + 6)), 1), len(shown), 4)
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "bbox_transform": ax.transAxes + drop}
        place |= {"ncols": columns}
        rows = -(-len(shown) // columns) * max(label.count("\n") + 1 for label in shown)
        grow_below(figure, (rows * _LINE + 0.8) * size)
    else:
        grow_below(figure, 0.0)
    legend = ax.legend(
        handles,
        shown,
        fontsize=size,
        frameon=not below,
        framealpha=0.85,
        edgecolor="none",
        facecolor="white",
        borderpad=0.3,
        borderaxespad=0.4,
        handlelength=3.0,
        handletextpad=0.6,
        labelspacing=0.35,
        labelcolor=INK,
        **place,
    )
    legend.set_zorder(6)
    suit_ground(ax)


def _folded(label: str, width: int) -> str:
    """A label in as many lines as it needs; what stands in brackets is kept together."""
    bound = re.sub(r"\([^)]*\)", lambda found: found[0].replace(" ", "\xa0"), label)
    return textwrap.fill(bound, width, break_long_words=False).replace("\xa0", " ")


def _size_of(ax: Axes, size: float) -> tuple[float, float]:
    """Width and height of axes in points, as far as they can be told before drawing."""
    figure: Any = ax.get_figure(root=True)
    wide, high = (72 * float(side) for side in figure.get_size_inches())
    if figure.get_layout_engine() is None or len(figure.axes) > 1:
        side = ax.get_position()
        wide, high = wide * side.width, high * side.height
    else:
        wide, high = wide - _WORDS_BESIDE * size, high - _WORDS_BESIDE * size
    if ax.get_box_aspect() == 1:
        wide = high = min(wide, high)
    return wide, high


def _share_of(ax: Axes, shown: list[str], size: float) -> tuple[float, float]:
    """Width and height of a legend as shares of its axes."""
    wide, high = _size_of(ax, text_size(ax))
    lines = [line for label in shown for line in label.split("\n")]
    font = FontProperties(size=size)
    longest = max(text_to_path.get_text_width_height_descent(line, font, ismath=False)[0] for line in lines)
    return (longest + _HANDLE * size) / wide, (len(lines) * _LINE + 0.9) * size / high


def _small_enough(ax: Axes, labels: list[str], size: float) -> tuple[list[str], float]:
    """Entries in lines that fit on the axes and take at most half their height, in the largest letters that do so."""
    wide = _size_of(ax, size)[0]
    for share in (1.0, 0.9, 0.8, 0.7, 0.6):
        small = share * size
        for letters in (200, int((0.96 * wide / small - _HANDLE) / _LETTER)):  # whole first, then folded
            shown = [_folded(label, max(letters, 12)) for label in labels]
            width, height = _share_of(ax, shown, small)
            if width <= 0.98 and height <= 0.5:
                return shown, small
    return shown, small


def _free_corner(ax: Axes, first: str, shown: list[str], size: float) -> str | None:
    """The first corner whose box no curve enters."""
    width, height = _share_of(ax, shown, size)
    if width > 1 or height > 1:
        return None
    points = _drawn(ax)
    corners: list[str] = [first, *(_CORNERS if first == "lower right" else _BESIDE[first])]
    for corner in dict.fromkeys(corners):
        left = 0.0 if "left" in corner else 1 - width
        bottom = 0.0 if "lower" in corner else 1 - height
        inside = (points[:, 0] > left) & (points[:, 0] < left + width)
        inside &= (points[:, 1] > bottom) & (points[:, 1] < bottom + height)
        if not inside.any():
            return corner
    return None


def _drawn(ax: Axes) -> Floats:
    """Points along everything drawn but lines of reference, as shares of the axes."""
    outlines: list[Any] = [*ax.get_lines(), *ax.patches]
    paths = [
        outline.get_transform().transform_path(outline.get_path())
        for outline in outlines
        if outline.get_gid() is None and len(outline.get_path().vertices)
    ]
    for some in ax.collections:
        if isinstance(some, LineCollection):  # of shading the edges are drawn as lines
            paths += [some.get_transform().transform_path(path) for path in some.get_paths()]
    out = [np.empty((0, 2))]
    to_axes = ax.transAxes.inverted()
    for path in paths:
        corners = to_axes.transform(np.asarray(path.vertices, float))
        corners = corners[np.isfinite(corners).all(axis=1)]
        if not len(corners):
            continue
        dense = np.linspace(0, len(corners) - 1, max(len(corners), min(40 * len(corners), 2000)))
        out.append(np.column_stack([np.interp(dense, np.arange(len(corners)), side) for side in corners.T]))
    return np.concatenate(out)
