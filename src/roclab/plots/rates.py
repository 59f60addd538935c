"""Forest plots of rates at a threshold: differences, ratios, the rates themselves, and gaps between groups."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from matplotlib.axes import Axes

from roclab.errors import InputError
from roclab.plots.forest import draw_estimates
from roclab.plots.theme import NEW_AXES, plain_text, rows_ratio, themed_with

if TYPE_CHECKING:
    from roclab.decisions.rate_gaps import RateGaps
    from roclab.decisions.rate_results import RateComparison, RateOfTest
    from roclab.results import Interval

__all__ = ["draw_gaps", "draw_group_rates", "draw_rate_differences", "draw_rate_ratios", "draw_rates"]

_WORDS = {
    "lr_plus": "LR+", "lr_minus": "LR−", "ppv": "PPV", "npv": "NPV", "net_benefit": "net benefit",
    "tpr": "true positive rate", "fpr": "false positive rate", "detection_rate": "called positive",
}  # fmt: skip
_RATIOS = ("lr_plus", "lr_minus")
# Marks of a logarithmic axis, at about even steps.
_NARROW = (0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4)
_WIDE = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)


def _word(metric: str) -> str:
    return _WORDS.get(metric, metric)


def _ratio(found: RateComparison) -> float:
    return rows_ratio(len([one for one in found.pairs if one.metric not in _RATIOS]))


@themed_with(ratio=_ratio, size="double")
def draw_rate_differences(comparison: RateComparison, ax: Axes = NEW_AXES, **points: Any) -> Axes:
    """Differences of the rates of all pairs of tests, or of groups, and the line of no difference."""
    several = len(comparison.names) > 2
    rows: list[tuple[str, float, Interval]] = []
    for one in comparison.pairs:
        if not math.isnan(one.difference):
            names = f" {plain_text(one.first, 14)} − {plain_text(one.second, 14)}" if several else ""
            rows.append((_word(one.metric) + names, one.difference, one.interval))
    if not rows:
        raise InputError("kind", "'differences' has none to draw", way_out="ratios of likelihood ratios are 'ratios'")
    first, second = comparison.pairs[0].first, comparison.pairs[0].second
    title = "Difference of rates" if several else f"{plain_text(first, 20)} − {plain_text(second, 20)}"
    return draw_estimates(rows, ax, null=0.0, title=title, **points)


@themed_with(ratio=lambda found: rows_ratio(len(found.pairs)), size="double")
def draw_rate_ratios(comparison: RateComparison, ax: Axes = NEW_AXES, **points: Any) -> Axes:
    """Ratios of the rates of all pairs, on a logarithmic axis, and the line of no difference."""
    several = len(comparison.names) > 2
    rows: list[tuple[str, float, Interval]] = []
    for one in comparison.pairs:
        low, high = one.ratio_interval
        if 0 < one.ratio < math.inf and low > 0 and not math.isinf(high):
            names = f" {plain_text(one.first, 14)} / {plain_text(one.second, 14)}" if several else ""
            rows.append((_word(one.metric) + names, one.ratio, one.ratio_interval))
    if not rows:
        raise InputError("kind", "'ratios' has none with finite limits to draw", way_out="draw 'differences'")
    first, second = comparison.pairs[0].first, comparison.pairs[0].second
    title = "Ratio of rates" if several else f"{plain_text(first, 20)} / {plain_text(second, 20)}"
    ax.set_xscale("log")
    draw_estimates(rows, ax, null=1.0, title=title, **points)
    ends = [value for _, _, (low, high) in rows for value in (low, high)]
    low, high = min([*ends, 1.0]) / 1.08, max([*ends, 1.0]) * 1.08
    marks = [mark for mark in (_WIDE if high / low > 4 else _NARROW) if low < mark < high]
    ax.set_xlim(low, high)
    ax.set_xticks(marks, [f"{mark:g}" for mark in marks])
    ax.minorticks_off()
    return ax


@themed_with(ratio=lambda rates: rows_ratio(len(rates)), size="double")
def draw_rates(rates: tuple[RateOfTest, ...], ax: Axes = NEW_AXES, **points: Any) -> Axes:
    """Every rate of every test with its limits; likelihood ratios, which are no rates, are left to their ratios."""
    rows = [
        (f"{_word(one.metric)}, {plain_text(one.test, 20)}", one.value, one.interval)
        for one in rates
        if one.metric not in _RATIOS and not math.isnan(one.value)
    ]
    return draw_estimates(rows, ax, null=None, title="Rate", **points)


@themed_with(ratio=lambda found: rows_ratio(len(found.gaps)), size="double")
def draw_gaps(found: RateGaps, ax: Axes = NEW_AXES, **points: Any) -> Axes:
    """The largest gaps between groups with their limits, which reach down to 0 where the groups may be alike."""
    rows = [
        (one.name.replace("_", " "), one.gap, one.interval) for one in found.gaps if not math.isnan(one.gap)
    ]  # fmt: skip
    draw_estimates(rows, ax, null=0.0, title=f"Largest gap{_between(found.by)}", **points)
    ax.set_xlim(left=min(-0.01, ax.get_xlim()[0]))
    return ax


def _between(by: str) -> str:
    return " between groups" if by == "group" else f" between groups of {plain_text(by)}"


@themed_with(ratio=lambda found: rows_ratio(len(found.rates)), size="double")
def draw_group_rates(found: RateGaps, ax: Axes = NEW_AXES, **points: Any) -> Axes:
    """The rates of every group beside each other, one rate after the other."""
    metrics = dict.fromkeys(one.metric for one in found.rates)
    rows = [
        (f"{_word(metric)}, {plain_text(one.test, 20)}", one.value, one.interval)
        for metric in metrics
        for one in found.rates
        if one.metric == metric and not math.isnan(one.value)
    ]
    return draw_estimates(rows, ax, null=None, title=f"Rate by {plain_text(found.by)}", **points)
