r"""Follow-up: how long every case was seen, and what ended it.

Times are sorted once, and cases with the same time stand together. At one time events come first and censorings after
them: a case that is censored at u is known to be free of the event at u. A case with an event at exactly the horizon
has it *by* the horizon; one that is censored at exactly the horizon is unknown there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from roclab._core.order import descending_order
from roclab._core.ranks import dense_ranks
from roclab._core.types import Bools, Floats, Ints, frozen

if TYPE_CHECKING:
    from roclab.censoring.cox import CoxFit

__all__ = ["CENSORED", "CensoringModel", "Covariates", "FollowUp", "Strata"]

CENSORED = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Strata:
    """Kaplan and Meier's censoring in each of several strata, apart."""

    code: Ints  # of every case
    names: tuple[str, ...]
    called: str  # what makes them, in words

    def only(self, rows: Bools | Ints) -> Strata:
        """Of some cases."""
        return Strata(code=self.code[rows], names=self.names, called=self.called)

    def __str__(self) -> str:
        return f"weights by Kaplan and Meier's censoring in each stratum of {self.called}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Covariates:
    """Cox's model of the censoring."""

    design: Floats  # a column a coefficient
    names: tuple[str, ...]

    def only(self, rows: Bools | Ints) -> Covariates:
        """Of some cases."""
        return Covariates(design=self.design[rows], names=self.names)

    def __str__(self) -> str:
        return f"weights by Cox's model of the censoring on {', '.join(self.names)}"


CensoringModel = Strata | Covariates


@dataclass(frozen=True, kw_only=True, eq=False)
class FollowUp:
    """Times and events of all cases.

    Attributes
    ----------
    time : array
        How long each case was followed, in any unit.
    event : array of int
        0 where the follow-up was censored, 1 where it ended with the event asked about, 2 with another one.
    weight : array or None
        Of each case.
    model : Strata, Covariates or None
        What the chance of censoring depends on; None for nothing but time.
    """

    time: Floats
    event: Ints
    weight: Floats | None = None
    model: CensoringModel | None = None
    _ranks: dict[int, tuple[Floats, Ints]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        for array in (self.time, self.event, self.weight):
            if array is not None:
                frozen(array)

    def __len__(self) -> int:
        return int(self.time.size)

    @cached_property
    def order(self) -> Ints:
        """Cases by time."""
        return descending_order(self.time)[::-1]

    @cached_property
    def starts(self) -> Ints:
        """Where each distinct time begins in that order."""
        ordered = self.time[self.order]
        return np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(self) else np.zeros(0, dtype=np.intp)

    @cached_property
    def distinct(self) -> Floats:
        """Distinct times, rising."""
        found: Floats = self.time[self.order][self.starts]
        return found

    @cached_property
    def place(self) -> Ints:
        """The number of every case's time among the distinct ones."""
        place = np.empty(len(self), dtype=np.intp)
        lengths = np.diff(np.r_[self.starts, len(self)])
        place[self.order] = np.repeat(np.arange(self.starts.size), lengths)
        return place

    @cached_property
    def weights(self) -> Floats:
        """The weight of each case, 1 where none are given."""
        return np.ones(len(self)) if self.weight is None else np.asarray(self.weight, dtype=np.float64)

    @cached_property
    def at_risk(self) -> Floats:
        """Weight of the cases that are still followed just before each distinct time."""
        return np.cumsum(self.by_time(self.weights)[::-1])[::-1]

    @cached_property
    def censored(self) -> Floats:
        """Weight of the cases that are censored at each distinct time."""
        return self.by_time(np.where(self.event == CENSORED, self.weights, 0.0))

    @cached_property
    def at_risk_of_censoring(self) -> Floats:
        """The same, but for those whose event happened at that time: it came before any censoring."""
        return self.at_risk - self.by_time(np.where(self.event != CENSORED, self.weights, 0.0))

    def by_time(self, values: Floats) -> Floats:
        """Sums of one value a case at each distinct time."""
        sums: Floats = np.bincount(self.place, weights=values, minlength=self.starts.size).astype(np.float64)
        return sums

    def ranked(self, score: Floats) -> Ints:
        """Ranks of a score from 0, tied values sharing one; found once for an array."""
        kept = self._ranks.get(id(score))
        if kept is None or kept[0] is not score:
            kept = self._ranks[id(score)] = (score, dense_ranks(score))
        return kept[1]

    def known_by(self, at: float) -> tuple[Bools, Bools, Bools]:
        """Who had the event by then, who had another one, and who was followed beyond."""
        by = self.time <= at
        return by & (self.event == 1), by & (self.event > 1), ~by

    @cached_property
    def strata(self) -> list[tuple[Ints, FollowUp]]:
        """Rows and follow-up of every stratum that has cases; empty where there are no strata."""
        if not isinstance(self.model, Strata):
            return []
        whole = FollowUp(time=self.time, event=self.event, weight=self.weight)
        order = np.argsort(self.model.code, kind="stable")
        sizes = np.bincount(self.model.code, minlength=len(self.model.names))
        parts = np.split(order, np.cumsum(sizes)[:-1])
        return [(rows, whole.only(rows)) for rows in parts if rows.size]

    @cached_property
    def cox(self) -> CoxFit:
        """The fitted model of the censoring, where covariates are given."""
        from roclab.censoring.cox import fit_censoring

        assert isinstance(self.model, Covariates)
        return fit_censoring(self, self.model.design, self.model.names)

    def described(self) -> str:
        """Where the weights come from, in words."""
        return "weights by Kaplan and Meier's censoring" if self.model is None else str(self.model)

    def of_cause(self) -> FollowUp:
        """The same with other events as losses."""
        event = np.where(self.event == 1, 1, CENSORED)
        return FollowUp(time=self.time, event=event, weight=self.weight, model=self.model)

    def only(self, rows: Bools | Ints, *, start: float = 0.0) -> FollowUp:
        """Some of the cases, their clock started later where that is said."""
        return FollowUp(
            time=self.time[rows] - start if start else self.time[rows],
            event=self.event[rows],
            weight=None if self.weight is None else self.weight[rows],
            model=None if self.model is None else self.model.only(rows),
        )
