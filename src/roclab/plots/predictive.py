"""Predictive values: against the prevalence, and as Fagan's nomogram."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes

from roclab.plots.axes import BACKING, rate_axis, reference_line, shade_band
from roclab.plots.legend import add_legend
from roclab.plots.theme import COLOURS, GREY, INK, NEW_AXES, Look, text_size, themed, themed_with

if TYPE_CHECKING:
    from roclab.decisions.predictive_values import PredictiveValues

__all__ = ["draw_fagan", "draw_predictive_values"]

# What the scales of the nomogram say, in percent and as ratios.
_PERCENT = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 98, 99, 99.5, 99.8, 99.9)
_RATIOS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000)
_EDGE = math.log(999)  # log odds of 99.9%


@themed_with(ratio=0.85)
def draw_predictive_values(found: PredictiveValues, ax: Axes = NEW_AXES, *, percent: bool = False) -> Axes:
    """What a positive and a negative answer mean wherever the test is used: PPV and NPV against the prevalence.

    Parameters
    ----------
    found : PredictiveValues
        From ``matrix.predictive_values(prevalence)``; that prevalence is marked.
    percent : bool
        Axes in percent.
    """
    at = np.concatenate(
        [np.geomspace(1e-4, 0.02, 60), np.linspace(0.02, 0.98, 193)[1:], 1 - np.geomspace(0.02, 1e-4, 60)]
    )
    rate_axis(ax, "x", "Prevalence", percent=percent)
    rate_axis(ax, "y", "Predictive value", percent=percent)
    here = found.prevalence
    reference_line(ax, [here, here], [0, 1], tag=f"prevalence-{here:g}", label=f"prevalence {100 * here:.3g}%")
    level = f"{100 * found.lr_plus_interval.level:g}%"
    ways = (
        ("PPV", found.ppv, found.ppv_limits, COLOURS[3], "-"),
        ("NPV", found.npv, found.npv_limits, COLOURS[0], "--"),
    )
    for name, value, limits, colour, dashes in ways:
        words = f"{name} {float(value(here)):.3f} ({float(limits(here)[0]):.3f} to {float(limits(here)[1]):.3f})"
        ax.plot(at, value(at), color=colour, linestyle=dashes, label=words, zorder=3)
        shade_band(ax, at, *limits(at), colour=colour, words=f"{level} limits")
        ax.plot([here], [float(value(here))], "o", markersize=4, color=colour, label=f"_{name}", zorder=4)
    add_legend(ax)
    return ax


@themed
def draw_fagan(found: PredictiveValues, ax: Axes = NEW_AXES) -> Axes:
    """Fagan's nomogram: a line from the prevalence through the likelihood ratio to the chance after the answer.

    Parameters
    ----------
    found : PredictiveValues
        From ``matrix.predictive_values(prevalence)``; shaded is what the interval of each ratio leaves open.
    """
    ax.set_axis_off()
    ax.set_xlim(-0.32, 1.32)
    ax.set_ylim(-_EDGE * 1.14, _EDGE * 1.16)
    words: Look = {"fontsize": text_size(ax) - 0.5, "va": "center", "color": INK}
    for x, side in ((0.0, "right"), (1.0, "left")):
        ax.plot([x, x], [-_EDGE, _EDGE], color=INK, linewidth=0.8, linestyle="-", label="_scale")
        for value in _PERCENT:
            y = _log_odds(value / 100) * (-1 if x == 0 else 1)
            reach = -0.02 if x == 0 else 0.02
            ax.plot([x, x + reach], [y, y], color=INK, linewidth=0.6, linestyle="-", label="_tick")
            ax.annotate(f"{value:g}", (x + 1.6 * reach, y), ha=side, **words)
    ax.plot(
        [0.5, 0.5], [-math.log(1000) / 2, math.log(1000) / 2], color=GREY, linewidth=0.8, linestyle="-", label="_scale"
    )
    for value in _RATIOS:
        y = math.log(value) / 2
        ax.plot([0.49, 0.51], [y, y], color=GREY, linewidth=0.6, linestyle="-", label="_tick")
        ax.annotate(f"{value:g}", (0.475, y), ha="right", **{**words, "color": GREY})
    titles: Look = {"fontsize": text_size(ax), "ha": "center", "va": "bottom", "color": INK}
    top = _EDGE * 1.05
    for x, y, title in (
        (0.0, top, "Before, %"),
        (0.5, top / 2 + 0.25, "Likelihood ratio"),
        (1.0, top, "After the answer, %"),
    ):
        ax.annotate(title, (x, y), **titles)
    start = -_log_odds(found.prevalence)
    answers = (
        ("positive", found.lr_plus, found.lr_plus_interval, COLOURS[3], "-"),
        ("negative", found.lr_minus, found.lr_minus_interval, COLOURS[0], "--"),
    )
    for name, ratio, ends, colour, dashes in answers:
        low, here, high = (_after(found.prevalence, value) for value in (ends.low, ratio, ends.high))
        after = f"{100 / (1 + math.exp(-here)):.3g}%"
        label = f"{name}: LR {ratio:.3g}, {100 * found.prevalence:.3g}% becomes {after}"
        ax.plot([0, 1], [start, here], color=colour, linestyle=dashes, linewidth=1.4, label=label, zorder=3)
        ax.fill_between([0, 1], [start, low], [start, high], color=colour, alpha=0.15, linewidth=0, label="_limits")
        ax.plot([1], [here], "o", markersize=4, color=colour, label=f"_{name}", zorder=4)
        shown: Look = {"fontsize": text_size(ax), "ha": "left", "va": "center", "color": colour, "bbox": BACKING}
        ax.annotate(after, (1.13, here), zorder=5, **shown)
    ax.plot([0], [start], "o", markersize=4, color=INK, label="_prevalence", zorder=4)
    add_legend(ax)
    return ax


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))


def _after(prevalence: float, ratio: float) -> float:
    """Log odds after an answer, kept on the scale."""
    if ratio <= 0 or math.isinf(ratio):
        return _EDGE if ratio > 0 else -_EDGE
    return min(max(_log_odds(prevalence) + math.log(ratio), -_EDGE), _EDGE)
