"""Forest plots: areas, or differences of areas, with their intervals, one row each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes

from roclab._core.checks import in_full
from roclab.errors import InputError, Words
from roclab.plots.axes import reference_line
from roclab.plots.theme import COLOURS, INK, NEW_AXES, Look, plain_text, rows_ratio, text_size, themed_with
from roclab.plots.words import number_with_interval
from roclab.results import Interval

if TYPE_CHECKING:
    from roclab.inference.comparison.compare import Comparison

__all__ = ["draw_differences", "draw_estimates", "draw_forest"]

_SEVERAL = 8  # rows of a forest whose areas can be read only once

MOST_ROWS = 60


class _Row(NamedTuple):
    name: str
    value: float
    interval: Interval


def _ratio(areas: Any) -> float:
    """Of new axes: a row for every area, and one for the common area of groups."""
    rows = len(areas) if hasattr(areas, "__len__") else _SEVERAL
    return rows_ratio(rows + hasattr(areas, "heterogeneity"))


@themed_with(ratio=_ratio, size="double")
def draw_forest(areas: Iterable[Any], ax: Axes = NEW_AXES, *, null: float | None = 0.5, **points: Any) -> Axes:
    """Areas of several scores with their intervals, or of groups with their common area.

    Parameters
    ----------
    areas : AreaEstimate, NamedArea or ScreenedMarker, several
        An ``AreaTable`` or the ``markers`` of a screening as they are. Or the ``GroupAreas`` of ``rl.auc(…, by=)``: the
        common area then stands below the groups as a diamond with a line through all of them.
    null : float, optional
        Where the line of a useless score stands.
    points
        Further options of the markers.
    """
    if hasattr(areas, "heterogeneity"):
        return _draw_groups(areas, ax, null=null, **points)
    rows = [_Row(_name_of(area), float(area.area), area.interval) for area in areas]
    _draw_rows(rows, ax, null=null, title="Area", **points)
    ax.set_xlim(right=min(ax.get_xlim()[1], 1.0) if all(row.value <= 1 for row in rows) else None)
    return ax


def _draw_groups(found: Any, ax: Axes, *, null: float | None, **points: Any) -> Axes:
    """Groups with the numbers of their cases, and what they have in common; groups of one class have no row."""
    rows = [
        _Row(
            f"{plain_text(name, 24)} ({in_full(n_pos)}+{in_full(n_neg)})",
            float(area),
            Interval(low=float(low), high=float(high), level=found.level, method=found.method),
        )
        for name, n_pos, n_neg, area, low, high in zip(
            found.groups, found.n_pos, found.n_neg, found.area, found.low, found.high, strict=True
        )
        if not math.isnan(area)
    ]
    test = found.heterogeneity
    common = not math.isnan(test.estimate)
    if common:
        nothing = Interval(low=math.nan, high=math.nan, level=found.level, method="none")
        rows.append(_Row(f"common area (p of sameness {test.p_value:.2g})", float(test.estimate), nothing))
    _draw_rows(rows, ax, null=null, title=f"{found.quantity} by {plain_text(found.by)}", **points)
    ax.set_xlim(right=min(ax.get_xlim()[1], 1.0))
    if common:
        at = len(rows) - 1
        mark: Look = {"marker": "D", "markersize": 5, "color": COLOURS[3], "linestyle": "none", "zorder": 3.5}
        ax.plot([test.estimate], [at], label="_common", **mark)
        reference_line(ax, [test.estimate] * 2, [-0.6, at], tag="common", color=COLOURS[3], linestyle=(0, (1, 1)))
    return ax


@themed_with(ratio=lambda found: rows_ratio(len(found.pairs)), size="double")
def draw_differences(comparison: Comparison, ax: Axes = NEW_AXES, **points: Any) -> Axes:
    """All pairwise differences of areas with their intervals, and the line of no difference."""
    rows = [
        _Row(f"{plain_text(pair.first, 20)} − {plain_text(pair.second, 20)}", pair.difference, pair.interval)
        for pair in comparison.pairs
    ]
    return _draw_rows(rows, ax, null=0.0, title=f"Difference of {comparison.quantity}", **points)


def draw_estimates(
    rows: Sequence[tuple[str, float, Interval]], ax: Axes, *, null: float | None, title: str, **points: Any
) -> Axes:
    """Rows of a name, a value and an interval, as all forest plots draw them."""
    return _draw_rows([_Row(*row) for row in rows], ax, null=null, title=title, **points)


def _name_of(one: Any) -> str:
    sample = getattr(one, "sample", None)
    return plain_text(one.name if sample is None else sample.score or "score", 30)


def _draw_rows(rows: Sequence[_Row], ax: Axes, *, null: float | None, title: str, **points: Any) -> Axes:
    if not rows:
        raise InputError("", "areas must hold at least one area", Words("none"), "estimate some first")
    if len(rows) > MOST_ROWS:
        raise InputError(
            "", f"a forest plot shows at most {MOST_ROWS} rows", Words(f"{len(rows)}"), "draw the best of them"
        )
    height = np.arange(len(rows))
    value = np.array([row.value for row in rows])
    low = np.array([row.interval.low for row in rows], dtype=float)
    high = np.array([row.interval.high for row in rows], dtype=float)
    look: Look = {"marker": "s", "markersize": 3.6, "linestyle": "none", "color": COLOURS[0], "zorder": 3} | points
    ax.hlines(height, low, high, color=look["color"], linewidth=1.1, zorder=2)
    ax.plot(value, height, label="_areas", **look)
    if null is not None:
        reference_line(ax, [null] * 2, [-0.6, len(rows) - 0.4], tag="null")
    level = 100 * rows[0].interval.level
    right = ax.get_yaxis_transform()
    for at, row in enumerate(rows):
        numbers = number_with_interval(row.value, row.interval).replace("-", "−")
        ax.text(1.03, at, numbers, transform=right, va="center", fontsize=text_size(ax), color=INK)
    ax.text(1.03, -0.85, f"estimate ({level:g}% interval)", transform=right, va="center", fontsize=text_size(ax))
    ax.set_yticks(height, [row.name for row in rows])
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlabel(title)
    return ax
