"""What axes of different figures have in common: rates from 0 to 1, legends, bands, lines of reference."""

from __future__ import annotations

import math
import re
import textwrap
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from matplotlib import patheffects
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, PercentFormatter
from matplotlib.transforms import ScaledTranslation
from scipy.special import ndtr, ndtri

from roclab._core.text import format_number
from roclab.plots.theme import INK, PALE, Look, plain_text, quiet_line, text_size

if TYPE_CHECKING:
    from roclab.curves.points import CurvePoints
    from roclab.results import Interval

__all__ = [
    "HALO",
    "HasArea",
    "add_legend",
    "curve_label",
    "deviate_axes",
    "drawn_points",
    "rate_axis",
    "reference_line",
    "square_axes",
]

MOST_POINTS = 2000  # of a curve that is drawn; the line then strays by less than a thousandth from the true one
MOST_INSIDE = 4  # entries of a legend that fit beside a curve
_LETTER = 0.5  # mean width of a letter per height
HALO = [patheffects.withStroke(linewidth=3.0, foreground="white")]  # around text that lies on lines
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


# -- lines -----------------------------------------------------------------------------------------


def drawn_points(points: CurvePoints) -> CurvePoints:
    """The points to draw: all of them, or as many as a picture can show."""
    return points if len(points) <= MOST_POINTS else points.simplified(MOST_POINTS)


def reference_line(ax: Axes, x: Any, y: Any, *, tag: str, label: str | None = None, **changes: Any) -> Line2D:
    """A quiet line, once per axes however many curves are drawn on them; ``tag`` tells it from others."""
    for line in ax.get_lines():
        if line.get_gid() == tag:
            return line
    shown = f"_{tag}" if label is None else plain_text(label)
    (line,) = ax.plot(x, y, label=shown, gid=tag, **quiet_line(**changes))
    return line


# -- words -----------------------------------------------------------------------------------------


class HasArea(Protocol):
    """An area with its interval: AreaEstimate, NamedArea and others."""

    @property
    def area(self) -> float:
        """The area."""
        ...

    @property
    def interval(self) -> Interval:
        """Its interval; undefined ends are not shown."""
        ...


def curve_label(name: str | None, area: HasArea | None = None) -> str:
    """A curve's entry in the legend, with the digits of the tables; a curve without name and area has none."""
    if area is None:
        return "_curve" if name is None else plain_text(name)
    numbers = f"{getattr(area, 'quantity', 'AUC')} {format_number(area.area)}"
    if not math.isnan(area.interval.low) and not math.isnan(area.interval.high):
        numbers += f" ({area.interval})"
    return numbers if name is None else f"{plain_text(name)}, {numbers}"


def add_legend(ax: Axes, *, corner: str = "lower right") -> None:
    """A legend of what has been drawn so far: in a corner, or below the axes when it is long or nothing is free."""
    handles, labels = ax.get_legend_handles_labels()
    if not handles:
        return
    size = text_size(ax)
    figure: Any = ax.get_figure(root=True)
    room = ax.get_position().width * figure.get_size_inches()[0] * 72 / size - 4  # in heights of text
    shown = [_folded(label, max(int(room / _LETTER), 20)) for label in labels]
    below = corner == "below" or len(handles) > MOST_INSIDE
    place: Look = {"loc": corner}
    if below:
        drop = ScaledTranslation(0, -(4.6 * size) / 72, figure.dpi_scale_trans)  # past the axis label
        columns = min(max(int(room / (max(map(len, shown)) * _LETTER + 6)), 1), len(shown), 4)
        place = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "bbox_transform": ax.transAxes + drop}
        place |= {"ncols": columns}
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


def _folded(label: str, width: int) -> str:
    """A label in as many lines as it needs; what stands in brackets is kept together."""
    bound = re.sub(r"\([^)]*\)", lambda found: found[0].replace(" ", "\xa0"), label)
    return textwrap.fill(bound, width, break_long_words=False).replace("\xa0", " ")
