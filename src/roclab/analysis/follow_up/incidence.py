"""How often does the event happen in groups of the score, over time? Kaplan and Meier, or Aalen and Johansen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_level, check_points
from roclab._core.types import Floats, frozen
from roclab.analysis.follow_up.read import Followed
from roclab.censoring.follow_up import FollowUp
from roclab.decisions.horizon_calibration import observed_of_group
from roclab.errors import InputError
from roclab.inference.follow_up_areas import horizon_of
from roclab.inference.follow_up_rates import rate_limits
from roclab.results.pictured import Pictured

__all__ = ["GroupIncidence", "IncidenceByGroup", "incidence_by_group"]

_PLACES = 60  # times at which limits are found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupIncidence:
    """The cumulative incidence of one group, with limits at each time alone."""

    name: str
    cases: int
    time: Floats
    incidence: Floats
    low: Floats
    high: Floats

    def __post_init__(self) -> None:
        for array in (self.time, self.incidence, self.low, self.high):
            frozen(array)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IncidenceByGroup(Pictured):
    """Cumulative incidences of groups of a score, up to a horizon."""

    score: str
    at: float
    groups: tuple[GroupIncidence, ...]
    level: float
    method: str

    def rows(self) -> list[dict[str, Any]]:
        """One row per group: the incidence by the horizon."""
        percent = f"{100 * self.level:g}%"
        return [
            {
                self.score: one.name, "cases": one.cases, "at": self.at, "incidence": float(one.incidence[-1]),
                f"{percent} low": float(one.low[-1]), f"{percent} high": float(one.high[-1]), "method": self.method,
            }
            for one in self.groups
        ]  # fmt: skip


def incidence_by_group(
    followed: Followed, score: str, at: float, *, groups: int = 3, level: float = 0.95
) -> IncidenceByGroup:
    """Cumulative incidences of groups of about equal numbers of cases; equal scores share one."""
    check_points(groups, "groups", least=1, way_out="3 is usual")
    check_level(level)
    values = followed.scores[score]
    _, place, many = np.unique(values, return_inverse=True, return_counts=True)
    middle = np.cumsum(many) - many / 2
    number = np.minimum(groups * middle / values.size, groups - 1).astype(np.intp)[place]
    whole = FollowUp(
        time=followed.follow_up.time, event=followed.follow_up.event, weight=followed.follow_up.weight
    )  # each group has a censoring of its own
    found = []
    lower = followed.directions[score] == "lower"
    for group in range(groups):
        rows = number == group
        if not rows.any():
            continue
        ends = [float(values[rows].min()), float(values[rows].max())]
        low, high = sorted(-end if lower else end for end in ends)
        name = f"{low:.4g} to {high:.4g}" if low < high else f"{low:.4g}"
        found.append(_of_group(name, whole, rows, at, level))
    how = "Aalen and Johansen" if followed.others else "Kaplan and Meier"
    return IncidenceByGroup(score=score, at=at, groups=tuple(found), level=level, method=how)


def _of_group(name: str, follow_up: FollowUp, rows: Any, at: float, level: float) -> GroupIncidence:
    own = follow_up.only(rows)
    events = np.unique(own.time[(own.event == 1) & (own.time <= at)])
    places = events if events.size <= _PLACES else np.unique(
        events[np.linspace(0, events.size - 1, _PLACES).astype(np.intp)]
    )  # fmt: skip
    times, value, low, high = [0.0], [0.0], [0.0], [0.0]
    for time in (*places.tolist(), at):
        try:
            measure = observed_of_group(follow_up, horizon_of(follow_up, time, "not a case"), rows)
        except InputError:  # beyond what is followed
            measure = None
        if measure is None:
            break
        limits = rate_limits(measure, level=level)
        times.append(time)
        value.append(measure.value)
        low.append(limits.low)
        high.append(limits.high)
    return GroupIncidence(
        name=name, cases=int(np.count_nonzero(rows)), time=np.array(times), incidence=np.array(value),
        low=np.array(low), high=np.array(high),
    )  # fmt: skip
