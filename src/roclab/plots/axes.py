"""What axes of different figures have in common: rates from 0 to 1, thinned curves, lines of reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, PercentFormatter
from scipy.special import ndtr, ndtri

from roclab.plots.theme import PALE, Look, plain_text, quiet_line
from roclab.plots.words import HasArea, curve_label

if TYPE_CHECKING:
    from roclab.curves.points import CurvePoints

__all__ = [
    "BACKING",
    "deviate_axes",
    "draw_mirror",
    "drawn_points",
    "rate_axis",
    "label_by_specificity",
    "reference_line",
    "square_axes",
]

MOST_POINTS = 2000  # of a curve that is drawn; the line then strays by less than a thousandth from the true one
# Behind text that lies on lines: a pale ground, because a halo would turn the text of an SVG into outlines.
BACKING = {"facecolor": "white", "alpha": 0.75, "linewidth": 0, "pad": 0.6}
_DEVIATE_TICKS = (0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.98, 0.995, 0.999)
_MARGIN = 0.012  # so that a line along the edge is seen whole


# -- axes ------------------------------------------------------------------------------------------


def rate_axis(ax: Axes, which: str, label: str, *, percent: bool = False) -> None:
    """One axis from 0 to 1, its ticks as fractions or percent; the data stay fractions."""
    axis = ax.xaxis if which == "x" else ax.yaxis
    (ax.set_xlim if which == "x" else ax.set_ylim)(-_MARGIN, 1 + _MARGIN)
    axis.set_major_locator(FixedLocator(np.arange(0, 1.01, 0.2).tolist()))
    axis.set_major_formatter(PercentFormatter(1.0, symbol="") if percent else FuncFormatter(lambda x, _: f"{x:.1f}"))
    axis.set_label_text(f"{label}, %" if percent else label)


def square_axes(ax: Axes, x: str, y: str, *, percent: bool = False) -> None:
    """The unit square."""
    rate_axis(ax, "x", x, percent=percent)
    rate_axis(ax, "y", y, percent=percent)
    ax.set_box_aspect(1)


def label_by_specificity(ax: Axes, *, percent: bool = False) -> None:
    """Label the axis of false positive rates by the specificity, from 1 to 0; the data stay as they are."""
    factor = 100 if percent else 1
    ax.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{factor * (1 - x):.{0 if percent else 1}f}"))
    ax.set_xlabel("Specificity, %" if percent else "Specificity")


def deviate_axes(ax: Axes, x: str, y: str, *, low: float, high: float, percent: bool = True) -> None:
    """Both axes on the normal-deviate scale: a rate p lies at the standard normal quantile of p."""
    for which, label in (("x", x), ("y", y)):
        axis = ax.xaxis if which == "x" else ax.yaxis
        (ax.set_xscale if which == "x" else ax.set_yscale)("function", functions=(_deviate, ndtr))
        axis.set_major_locator(FixedLocator([tick for tick in _DEVIATE_TICKS if low <= tick <= high]))
        axis.set_minor_locator(FixedLocator([]))
        factor = 100 if percent else 1
        axis.set_major_formatter(FuncFormatter(lambda p, _, factor=factor: f"{factor * p:g}"))
        axis.set_label_text(f"{label}, %" if percent else label)
        (ax.set_xlim if which == "x" else ax.set_ylim)(low, high)
    ax.set_box_aspect(1)
    ax.grid(True, color=PALE, linewidth=0.3, zorder=0)


def _deviate(p: Any) -> Any:
    return ndtri(np.clip(p, 1e-12, 1 - 1e-12))  # axes also ask for the ends, which have no finite place


# -- bands -----------------------------------------------------------------------------------------


def shade_band(ax: Axes, x: Any, low: Any, high: Any, *, colour: Any, words: str) -> None:
    """Limits as a shaded ground with edges, which a grey print needs; its legend says them once for all curves."""
    label = "_band" if any(shown.get_label() == words for shown in ax.collections) else words
    fill: Look = {"color": colour, "alpha": 0.18, "linewidth": 0, "zorder": 1.4}
    ax.fill_between(x, low, high, label=label, **fill)
    for edge in (low, high):
        ax.plot(x, edge, color=colour, linewidth=0.4, linestyle="-", alpha=0.7, label="_edge", zorder=1.5)


# -- lines -----------------------------------------------------------------------------------------


def drawn_points(points: CurvePoints) -> CurvePoints:
    """The points to draw: all of them, or as many as a picture can show."""
    return points if len(points) <= MOST_POINTS else points.simplified(MOST_POINTS)


def draw_mirror(ax: Axes, x: Any, y: Any, *, of: Line2D, label: str | None, area: HasArea | None) -> None:
    """The mirror image of a curve: thinner, in its colour, in dashes that no curve and no other image of it has."""
    colour = of.get_color()
    earlier = sum(_MIRROR in str(line.get_label()) and line.get_color() == colour for line in ax.get_lines())
    words = curve_label(_MIRROR if label is None else f"{label}, {_MIRROR}", area)
    look: Look = {"color": colour, "linestyle": (0, (3, 3 + 2.5 * earlier)), "linewidth": 0.9, "zorder": 2.8}
    ax.plot(x, y, label=words, **look)


_MIRROR = "mirror image"


def reference_line(ax: Axes, x: Any, y: Any, *, tag: str, label: str | None = None, **changes: Any) -> Line2D:
    """A quiet line, once per axes however many curves are drawn on them; ``tag`` tells it from others."""
    for line in ax.get_lines():
        if line.get_gid() == tag:
            return line
    shown = f"_{tag}" if label is None else plain_text(label)
    (line,) = ax.plot(x, y, label=shown, gid=tag, **quiet_line(**changes))
    return line
