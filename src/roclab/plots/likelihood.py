"""Interval likelihood ratios as bars from 1, on a logarithmic axis."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter

from roclab.plots.axes import BACKING
from roclab.plots.theme import COLOURS, GREY, INK, NEW_AXES, Look, plain_text, text_size, themed_with
from roclab.plots.words import number

if TYPE_CHECKING:
    from roclab.decisions.interval_ratios import IntervalRatios

__all__ = ["draw_likelihood_ratios"]

_FARTHEST = 100.0  # ratios beyond it, and their reciprocals, end at the edge
_TICKS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0)


@themed_with(ratio=0.75)
def draw_likelihood_ratios(found: IntervalRatios, ax: Axes = NEW_AXES) -> Axes:
    """One bar per score interval, up from 1 where it speaks for the condition and down where against it.

    Parameters
    ----------
    found : IntervalRatios
        From ``r.likelihood_ratios(…)``; counts of positives and negatives stand below each bar. Bars of ratios 0 and
        infinity, and intervals with such ends, reach the edge.
    """

    def inside(value: float) -> float:
        return min(max(float(value), 1 / _FARTHEST), _FARTHEST)

    reach = [3.0]
    for at, one in enumerate(found.ratios):
        if math.isnan(one.ratio):
            continue
        high = inside(one.ratio)
        above = one.ratio >= 1
        look: Look = {"color": COLOURS[3] if above else COLOURS[0], "hatch": "////" if above else None}
        bottom, top = min(high, 1.0), max(high, 1.0)
        ax.bar(at, top - bottom, 0.7, bottom=bottom, alpha=0.55, edgecolor="white", linewidth=0, zorder=2, **look)
        ends = [inside(end) for end in (one.interval.low, one.interval.high)]
        if not any(math.isnan(end) for end in (one.interval.low, one.interval.high)):
            ax.plot([at, at], ends, color=INK, linewidth=0.9, linestyle="-", label="_interval", zorder=3)
            reach += [max(end, 1 / end) for end in ends]
        reach.append(max(high, 1 / high))
        words: Look = {"ha": "left", "va": "center", "fontsize": text_size(ax), "bbox": BACKING, "zorder": 4}
        ax.annotate(number(one.ratio), (at, high), (4, 0), textcoords="offset points", color=INK, **words)
    ax.axhline(1.0, color=GREY, linewidth=0.8, zorder=2.5, gid="one")
    ax.set_yscale("log")
    most = 1.25 * max(reach)
    ax.set_ylim(1 / most, most)
    ax.yaxis.set_major_locator(FixedLocator([tick for tick in _TICKS if 1 / most <= tick <= most]))
    ax.yaxis.set_minor_locator(FixedLocator([]))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    names = [f"{_range(ratio.low, ratio.high)}\n{ratio.positives:g}+ {ratio.negatives:g}−" for ratio in found.ratios]
    ax.set_xticks(np.arange(len(names)), names)
    ax.set_xlim(-0.6, len(names) - 0.3)
    ax.set_xlabel(plain_text(found.sample.score or "score"))
    ax.set_ylabel(f"Likelihood ratio, {100 * found.level:g}% interval")
    return ax


def _range(low: float, high: float) -> str:
    if math.isinf(low) and math.isinf(high):
        return "all"
    if math.isinf(low):
        return f"< {high:.3g}"
    return f"≥ {low:.3g}" if math.isinf(high) else f"{low:.3g} to {high:.3g}"
