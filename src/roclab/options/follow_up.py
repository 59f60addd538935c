"""Follow-up: times and events of cases that were followed, the horizon, and who counts as free of the event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, TypedDict

from roclab._core.checks import check_choice
from roclab.errors import InputError, Words, named
from roclab.names import CONTROLS, Controls
from roclab.options.data import DataKeywords
from roclab.options.group import Group, group, options_of

__all__ = ["FollowUpKeywords", "FollowUpOptions", "apart", "is_survival"]


class FollowUpKeywords(TypedDict, total=False):
    """Time to event instead of classes."""

    time: Any
    event: Any
    cause: Any
    competing: Any
    censored: Any
    at: Any
    controls: Controls | None
    censoring: Any
    landmark: float | Sequence[float] | None


_WORDS = {
    "time": "Column with the time each case was followed: asked is who has the event by a horizon, not the class."
    "\n\nOr an array.",
    "event": "Column with what ended the follow-up, in place of the label.\n\nOr an array.",
    "cause": "Which event is asked about; 1 or True need no mention, of other codes none is guessed.",
    "competing": "Codes of other events after which the one asked about cannot happen.",
    "censored": "Codes of those who were lost; 0 and False need no mention.",
    "at": "The horizon, or several, in the unit of the times: of those with the event by then, how many have a higher "
    "score than those without?",
    "controls": """Who is compared with those who had the event by the horizon (default "not a case").

- "not a case": whoever did not, also those with another event
- "event-free": only those who are still at risk""",
    "censoring": """What the chance to be lost depends on (default "marginal": on nothing but time).

- "marginal": Kaplan and Meier's estimate of all cases
- columns, as ["ward"]: that of each stratum apart
- {"cox": columns}, as {"cox": ["age"]}: Cox's model of the censoring, where the score itself tells who is lost""",
    "landmark": "Start the clock here, among those who are still followed then; of areas also at several times.",
}


@group(FollowUpKeywords, _WORDS)
@dataclass(frozen=True, kw_only=True)
class FollowUpOptions(Group):
    """Times, events and horizons; ``given`` is false where classes are asked about."""

    time: Any = None
    event: Any = None
    cause: Any = None
    competing: Any = None
    censored: Any = None
    at: Any = None
    controls: Controls | None = None
    censoring: Any = None
    landmark: float | Sequence[float] | None = None

    def __post_init__(self) -> None:
        if self.controls is not None:
            check_choice(self.controls, "controls", CONTROLS)
        for start in self.landmarks:
            is_number = isinstance(start, int | float) and not isinstance(start, bool)
            if not (is_number and 0 <= start < inf):
                raise InputError("landmark", "must be a time of 0 or above", start, "in the unit of the times")
        if self.landmark is not None and not self.landmarks:
            raise InputError("landmark", "must hold a time", Words("none"), f"write {named('landmark', 365)}")

    @property
    def given(self) -> bool:
        """Whether any of it was said."""
        return any(getattr(self, name) is not None for name in self.__dataclass_fields__)

    @property
    def landmarks(self) -> tuple[float, ...]:
        """The times at which the clock starts, rising; none where it starts with the follow-up."""
        if self.landmark is None:
            return ()
        given = self.landmark
        if isinstance(given, Sequence) and not isinstance(given, str):
            return tuple(sorted(dict.fromkeys(given)))
        return (given,)

    def one_landmark(self, verb: str) -> float | None:
        """The time at which the clock starts, where a question has one."""
        if len(self.landmarks) > 1:
            shown = ", ".join(f"{start:g}" for start in self.landmarks)
            raise InputError("landmark", f"must be one time for {verb}", Words(shown), "ask for each alone")
        return self.landmarks[0] if self.landmarks else None

    def one_horizon(self, verb: str) -> float:
        """The horizon of a question that has one."""
        if len(self.horizons) > 1:
            shown = ", ".join(f"{at:g}" for at in self.horizons)
            raise InputError("at", f"must be one horizon for {verb}", Words(shown), "ask for each alone")
        return self.horizons[0]

    @property
    def horizons(self) -> tuple[float, ...]:
        """The horizons, each once, rising."""
        values = [self.at] if isinstance(self.at, int | float) and not isinstance(self.at, bool) else self.at
        try:
            found = sorted({float(value) for value in values})
        except (TypeError, ValueError):
            raise InputError(
                "at", "must be a horizon or several, in the unit of the times", self.at, "write at=5 or at=[1, 3, 5]"
            ) from None
        if not found:
            raise InputError("at", "must hold a horizon", Words("none"), f"write {named('at', 5)} for instance")
        return tuple(found)


def apart(asked: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What was asked of the answer, and what of the data: their parts, their reading and their follow-up."""
    data = {**options_of(DataKeywords), **options_of(FollowUpKeywords)}
    inside = {name: value for name, value in asked.items() if name in data}
    return {name: value for name, value in asked.items() if name not in data}, inside


def is_survival(data: Any) -> bool:
    """A structured array of event and time, as scikit-survival has it."""
    return getattr(getattr(data, "dtype", None), "names", None) is not None and not hasattr(data, "columns")
