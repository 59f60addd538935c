"""What the section of a report about time to event says: every number of it, before anything is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from roclab._core.types import Floats, frozen
from roclab.results import Interval

__all__ = ["DrawnLine", "TimePart"]

Cell = float | str | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrawnLine:
    """A line of a figure, with its limits where it has some; ``place`` chooses its ink, below 0 the muted one."""

    name: str
    place: int
    x: Floats
    y: Floats
    low: Floats
    high: Floats

    def __post_init__(self) -> None:
        for array in (self.x, self.y, self.low, self.high):
            frozen(array)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TimePart:
    """Who has the event by a horizon, where some were lost before."""

    at: tuple[float, ...]
    percent: str  # the level of all limits
    best: str  # the score with the largest area at the last horizon
    best_area: float
    best_interval: Interval
    answer: str  # what the reader came for, in a sentence or two
    words: tuple[str, ...]  # what everything rests on
    facts: tuple[Mapping[str, Cell], ...]  # what was analysed
    known: tuple[
        Mapping[str, Cell], ...
    ]  # one row per horizon: who is a case, a control, unknown, and what weights leave
    areas: tuple[Mapping[str, Cell], ...]  # one row per score and horizon
    differences: tuple[Mapping[str, Cell], ...]  # one row per pair of scores and horizon
    tests: tuple[Mapping[str, Cell], ...]  # over all horizons or groups together
    groups: tuple[Mapping[str, Cell], ...]  # areas of every group
    cutoffs: str  # where the cut-offs come from
    rates: tuple[Mapping[str, Cell], ...]  # one row per score and horizon
    calibration: tuple[Mapping[str, Cell], ...]  # one row per score that may be a risk
    losses: tuple[Mapping[str, Cell], ...]  # differences of Brier scores, accuracy and net benefit
    risks: str  # why there is no calibration, or what it is about
    drawn_areas: tuple[DrawnLine, ...]
    states: tuple[DrawnLine, ...]  # shares of those who had the event, another one, or were lost, over time
    curves: Mapping[str, tuple[DrawnLine, ...]]  # by horizon
    drawn_calibration: tuple[DrawnLine, ...]
    benefit: tuple[DrawnLine, ...]  # decision curves, with treating all below
    names: tuple[str, ...]  # of the scores
