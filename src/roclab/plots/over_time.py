"""Figures over time: areas with their limits, differences, who is unknown when, incidence by group of risk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from roclab.errors import InputError, Words
from roclab.plots.axes import reference_line
from roclab.plots.legend import add_legend
from roclab.plots.theme import COLOURS, NEW_AXES, PALE, Look, plain_text, themed_with

if TYPE_CHECKING:
    from roclab.analysis.follow_up.incidence import IncidenceByGroup
    from roclab.analysis.follow_up.results import AreasOverTime, ComparisonsOverTime

__all__ = [
    "curves_by_name",
    "draw_areas_over_time",
    "draw_differences_over_time",
    "draw_incidence",
    "draw_states_over_time",
]

_TIME = "Time, in the unit of the follow-up"


@themed_with(ratio=0.75)
def draw_areas_over_time(found: AreasOverTime, ax: Axes = NEW_AXES, *, chance: bool = True, **line: Any) -> Axes:
    """The area of every score against the horizon, with the limits at each horizon alone.

    Parameters
    ----------
    found : AreasOverTime
    chance : bool
        The line of a useless score.
    """
    several = len({area.landmark for area in found.areas}) > 1
    curves: dict[str, list[Any]] = {}
    for area in found.areas:
        start = f" after {area.landmark:g}" if several and area.landmark is not None else ""
        curves.setdefault(f"{area.sample.score or 'score'}{start}", []).append(area)
    _check_places(len(next(iter(curves.values()))))
    lowest = 1.0
    for name, areas in curves.items():
        at = [area.at for area in areas]
        low, high = ([getattr(area.interval, end) for area in areas] for end in ("low", "high"))
        (drawn,) = ax.plot(at, [area.area for area in areas], label=plain_text(name),
                           **Look(marker="o", markersize=3.2, zorder=3) | line)  # fmt: skip
        ax.fill_between(at, low, high, color=drawn.get_color(), alpha=0.15, linewidth=0, zorder=1)
        lowest = min(lowest, *low)
    if chance:
        ends = [min(area.at for area in found.areas), max(area.at for area in found.areas)]
        reference_line(ax, ends, [0.5, 0.5], tag="chance")
    ax.set_ylim(min(0.45, lowest - 0.03), 1.0)
    ax.set_xlabel(_TIME)
    ax.set_ylabel(f"AUC by then, with {100 * found.areas[0].interval.level:g}% limits")
    add_legend(ax, corner="lower right")
    return ax


@themed_with(ratio=0.75)
def draw_differences_over_time(found: ComparisonsOverTime, ax: Axes = NEW_AXES, **line: Any) -> Axes:
    """The difference of every pair against the horizon, with the limits at each horizon alone."""
    keys = list(found.comparisons)
    if any(isinstance(key, tuple) for key in keys):
        raise InputError("kind", "is drawn from one start", Words("several landmarks"), "ask for each alone")
    _check_places(len(keys))
    pairs: dict[str, list[Any]] = {}
    for key in keys:
        for pair in found.comparisons[key].pairs:
            pairs.setdefault(f"{pair.first} - {pair.second}", []).append(pair)
    for name, own in pairs.items():
        low, high = ([getattr(pair.interval, end) for pair in own] for end in ("low", "high"))
        (drawn,) = ax.plot(keys, [pair.difference for pair in own], label=plain_text(name),
                           **Look(marker="o", markersize=3.2, zorder=3) | line)  # fmt: skip
        ax.fill_between(keys, low, high, color=drawn.get_color(), alpha=0.15, linewidth=0, zorder=1)
    reference_line(ax, [min(keys), max(keys)], [0, 0], tag="no difference")
    ax.set_xlabel(_TIME)
    ax.set_ylabel("Difference of the areas, with limits")
    add_legend(ax, corner="best")
    return ax


@themed_with(ratio=0.75)
def draw_states_over_time(found: AreasOverTime, ax: Axes = NEW_AXES) -> Axes:
    """Who is a case, a control or unknown at each horizon, as shares of all cases."""
    first = found.areas[0]
    areas = [
        area for area in found.areas if (area.sample.score, area.landmark) == (first.sample.score, first.landmark)
    ]  # fmt: skip
    _check_places(len(areas))
    at = np.array([area.at for area in areas])
    counts = np.array([[area.sample.n_pos, area.unknown, area.sample.n_neg] for area in areas], dtype=float)
    edges = np.cumsum(counts, axis=1) / counts.sum(axis=1, keepdims=True)
    edges = np.column_stack([np.zeros(at.size), edges])
    parts = (("cases", COLOURS[3], 0.75), ("unknown: lost before", PALE, 1.0), ("controls", COLOURS[0], 0.6))
    for place, (words, colour, alpha) in enumerate(parts):
        ax.fill_between(at, edges[:, place], edges[:, place + 1], color=colour, alpha=alpha, linewidth=0, label=words)
    ax.set_xlim(float(at[0]), float(at[-1]))
    ax.set_ylim(0, 1)
    ax.set_xlabel(_TIME)
    ax.set_ylabel("Share of the cases")
    add_legend(ax, corner="below")
    return ax


@themed_with(ratio=0.75)
def draw_incidence(found: IncidenceByGroup, ax: Axes = NEW_AXES, *, limits: bool = True, **line: Any) -> Axes:
    """The cumulative incidence of the event in each group of the score, with pointwise limits.

    Parameters
    ----------
    found : IncidenceByGroup
    limits : bool
        The limits at each time alone.
    """
    top = 0.0
    for group in found.groups:
        words = f"{plain_text(group.name)} ({group.cases})"
        (drawn,) = ax.step(group.time, group.incidence, where="post", label=words, **Look(zorder=3) | line)
        if limits:
            ax.fill_between(group.time, group.low, group.high, step="post", color=drawn.get_color(), alpha=0.13,
                            linewidth=0, zorder=1)  # fmt: skip
        top = max(top, float(np.nanmax(group.high if limits else group.incidence)))
    ax.set_xlim(0, found.at)
    ax.set_ylim(0, min(1.0, 1.08 * top))
    ax.set_xlabel(_TIME)
    ax.set_ylabel("Cumulative incidence")
    add_legend(ax, corner="upper left")
    return ax


def _check_places(count: int) -> None:
    if count < 2:
        raise InputError("at", "must hold several horizons for a figure over time", Words("one"), "write at=[1, 2, 3]")


def curves_by_name(found: Any) -> Mapping[str, Any]:
    """Curves at horizons by the names that a legend shows."""
    return {name: one.curve for name, one in found.named().items()}
