"""Is this a table of cases that were followed? How long, what ended it, and what the codes of that may mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from roclab._core.types import Array
from roclab.analysis.doctor.column_roles import ColumnFinding, Role, words_of
from roclab.analysis.table_overview import ColumnOverview, printed

__all__ = ["FollowedTry", "followed_try", "with_role"]

_WORDS = {
    "time": "time times day days month months year years week weeks followup follow followed fu duration survival "
    "futime os pfs dfs tte",
    "event": "event events status ended died dead death censored censor cens delta fustat vital arrest",
    "lost": "0 false no n none censored censor cens lost alive living event-free ongoing withdrawn survived",
}
_TIMES, _EVENTS, _LOST = (frozenset(words.split()) for words in _WORDS.values())
_FEWEST = 10  # different times: ratings and years of study have fewer
_MOST = 6  # codes of what ended the follow-up


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedTry:
    """Columns of a follow-up and what their codes may mean; a guess from names and words, to be confirmed."""

    time: str
    event: str
    cause: str
    competing: tuple[str, ...]
    censored: tuple[str, ...]
    at: float | None  # by which half of the events have happened; None where the rows were not read
    reason: str


def followed_try(
    columns: Sequence[ColumnFinding], seen: Sequence[ColumnOverview], values: Mapping[str, Array]
) -> FollowedTry | None:
    """Both columns by their names, with codes of which one is a loss by its word; None where one is missing."""
    by_name = {one.name: one for one in seen}
    times = [one for one in columns if _is_time(one, by_name[one.name])]
    events = [(one, by_name[one.name]) for one in columns if words_of(one.name) & _EVENTS]
    coded = [(one.name, found) for one, full in events if (found := _codes(full)) is not None]
    if len(times) != 1 or not coded:
        return None
    time, (event, (cause, others, lost)) = times[0].name, coded[0]
    several = f", the commonest of {len(others) + 1} events" if others else ""
    return FollowedTry(
        time=time, event=event, cause=cause, competing=others, censored=lost, at=_half(values, time, event, cause),
        reason=f"follow-up {time} and {event}, because their names say so; cause {cause}{several}, lost "
        f"{', '.join(lost)}",
    )  # fmt: skip


def _is_time(column: ColumnFinding, seen: ColumnOverview) -> bool:
    there = seen.low is not None and seen.low >= 0
    return seen.kind == "number" and there and column.distinct >= _FEWEST and bool(words_of(column.name) & _TIMES)


def _codes(seen: ColumnOverview) -> tuple[str, tuple[str, ...], tuple[str, ...]] | None:
    """The commonest event, the others, and the codes of a loss."""
    if not 2 <= seen.distinct <= _MOST or not seen.values:
        return None
    lost = tuple(value for value, _ in seen.values if value.lower() in _LOST)
    events = sorted(((value, count) for value, count in seen.values if value not in lost), key=lambda one: -one[1])
    if not lost or not events:
        return None
    return events[0][0], tuple(value for value, _ in events[1:]), lost


def _half(values: Mapping[str, Array], time: str, event: str, cause: str) -> float | None:
    """The time by which half of the events have happened, in three digits."""
    if time not in values or event not in values:
        return None
    had = np.array([printed(value) == cause for value in values[event].tolist()])
    times = values[time][had].astype(np.float64)
    times = times[~np.isnan(times)]
    if not times.size:
        return None
    half = float(f"{np.median(times):.3g}")
    return int(half) if half.is_integer() else half


def with_role(column: ColumnFinding, found: FollowedTry) -> ColumnFinding:
    """A column with its part in the follow-up before what else it could be."""
    part = {found.time: "time", found.event: "event"}.get(column.name)
    if part is None:
        return column
    why = {"time": "its name says so, and another column says what ended it", "event": "its name and its words say so"}
    return replace(column, could_be=(Role(name=part, reason=why[part], plausible=1.0), *column.could_be))
