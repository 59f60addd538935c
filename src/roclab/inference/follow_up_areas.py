r"""Areas over time: does a score tell who has the event by t from who does not, where some were lost before?

Cases are those with the event by the horizon, controls those that are known to be free of it then, each with its
weight (``censoring.weights``):

.. math:: A(t) = \frac{\sum_i \sum_j a_i b_j\,[1\{X_i > X_j\} + \tfrac12 1\{X_i = X_j\}]}{\sum_i a_i \sum_j b_j}

Where another event may come first there are two questions. Controls that are "not a case" include those whose other
event came by t: they will not have the one asked about, and belong to its risk. Controls that are "event-free" are
those still at risk [1]_.

The influence of a case is its share in both means, as DeLong's, and what it does to the weights (``censoring.term``).
All scores at all horizons share one covariance matrix, from which every comparison follows; O(n log n) a score and O(n)
a horizon more.

References
----------
.. [1] Saha P, Heagerty PJ. Time-dependent predictive accuracy in the presence of competing risks. Biometrics
   2010;66:999-1011. doi:10.1111/j.1541-0420.2009.01375.x
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from roclab._core.types import Bools, Floats, Ints
from roclab.censoring.follow_up import FollowUp
from roclab.censoring.term import full_influence
from roclab.censoring.weights import case_weights, lost_strata
from roclab.errors import InputError, OneClassError, Words
from roclab.names import Controls

__all__ = [
    "AreaAtHorizon",
    "Horizon",
    "areas_at_horizons",
    "covariance_of_influences",
    "horizon_of",
    "incidence_influence",
    "integrated_area",
]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Horizon:
    """Who is what at a horizon, and with which weight."""

    at: float
    cases: Floats  # weights, 0 for all others
    controls: Floats
    known: Floats  # of everybody whose state is known, those with another event among them
    unknown: int  # lost before the horizon
    incidence: float  # by Aalen and Johansen, which the weights give exactly

    @property
    def effective(self) -> tuple[float, float]:
        """Kish's effective numbers of cases and of controls."""
        return _kish(self.cases), _kish(self.controls)

    @property
    def counts(self) -> tuple[int, int]:
        """Cases and controls that are known."""
        return int(np.count_nonzero(self.cases)), int(np.count_nonzero(self.controls))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AreaAtHorizon:
    """The area of one score at one horizon, and the influence of every case on it."""

    score: str
    horizon: Horizon
    area: float
    influence: Floats
    parts: tuple[float, float]  # variances within cases and within controls, the weights taken as known
    landmark: float | None = None  # where the clock starts

    @property
    def standard_error(self) -> float:
        """By the whole influence."""
        n = self.influence.size
        return float(np.std(self.influence, ddof=1)) / math.sqrt(n) if n > 1 else math.nan


def _kish(weights: Floats) -> float:
    squares = float(np.sum(weights * weights))
    return float(weights.sum()) ** 2 / squares if squares > 0 else 0.0


def horizon_of(follow_up: FollowUp, at: float, controls: Controls) -> Horizon:
    """Cases and controls at a horizon; refused where it has no case, no control, or lies beyond the follow-up."""
    longest = float(follow_up.time.max())
    if not at > 0:
        raise InputError("at", "must be positive", at, "in the unit of the times")
    if at >= longest and not (follow_up.event > 0).any():
        raise OneClassError(
            "at", f"must be a time at which something is known, but all {len(follow_up)} cases are censored before it",
            at, "choose an earlier horizon",
        )  # fmt: skip
    if at >= longest:
        raise InputError(
            "at", f"must be less than the longest follow-up, {longest:g}", at,
            "nobody is known to be free of the event then",
        )  # fmt: skip
    case, other, later = follow_up.known_by(at)
    if not case.any():
        events = follow_up.time[follow_up.event == 1]
        if not events.size:
            raise OneClassError("event", "must have happened to some case", Words("none"), "check cause=")
        raise OneClassError(
            "at", f"must be a time by which some case had the event, the first is at {float(events.min()):g}", at,
            "choose a later horizon",
        )  # fmt: skip
    free = later | other if controls == "not a case" else later
    weights = case_weights(follow_up, at)
    lost = lost_strata(follow_up, at)
    if lost:
        raise OneClassError(
            "censoring", f"must leave somebody who is followed to {at:g} in every stratum",
            Words(f"stratum {lost[0]!r}, whose last cases are lost before"),
            "join it with another, or use censoring='marginal'",
        )  # fmt: skip
    for what, rows in (("case", case), ("control", free)):
        if not weights[rows].any():
            raise OneClassError("sample_weight", f"must leave some {what} at {at:g}", Words("0 for all"), "check it")
    return Horizon(
        at=float(at), cases=np.where(case, weights, 0.0), controls=np.where(free, weights, 0.0),
        known=weights, unknown=int(np.count_nonzero(~(case | other | later))),
        incidence=float(weights[case].sum() / follow_up.weights.sum()),
    )  # fmt: skip


def areas_at_horizons(
    follow_up: FollowUp, scores: Mapping[str, Floats], at: Sequence[float], *, controls: Controls = "not a case"
) -> list[AreaAtHorizon]:
    """Areas of all scores at all horizons, score by score."""
    horizons = [horizon_of(follow_up, time, controls) for time in at]
    return [
        area for name, values in scores.items() for area in _of_score(name, np.asarray(values), follow_up, horizons)
    ]


def _of_score(name: str, score: Floats, follow_up: FollowUp, horizons: Sequence[Horizon]) -> list[AreaAtHorizon]:
    group = follow_up.ranked(score)
    many = int(group.max()) + 1
    return [_area(name, group, many, follow_up, horizon) for horizon in horizons]


def _area(name: str, group: Ints, many: int, follow_up: FollowUp, horizon: Horizon) -> AreaAtHorizon:
    a, b = horizon.cases, horizon.controls
    at_score = [np.bincount(group, weights=weights, minlength=many) for weights in (a, b)]
    totals = [float(sums.sum()) for sums in at_score]
    # Of each score: which share of the other class lies below (cases) or above (controls) it; a tie counts one half.
    below = (np.cumsum(at_score[1]) - at_score[1] / 2) / totals[1]
    above = 1 - (np.cumsum(at_score[0]) - at_score[0] / 2) / totals[0]
    area = float(np.sum(at_score[0] * below) / totals[0])
    of_cases = a * (below[group] - area) / totals[0]
    of_controls = b * (above[group] - area) / totals[1]
    influence = full_influence(follow_up, of_cases + of_controls, horizon.at)
    known = tuple(_class_variance(values, weights > 0) for values, weights in ((of_cases, a), (of_controls, b)))
    return AreaAtHorizon(score=name, horizon=horizon, area=area, influence=influence, parts=(known[0], known[1]))


def integrated_area(follow_up: FollowUp, areas: Sequence[AreaAtHorizon]) -> tuple[float, Floats]:
    r"""The mean of areas at rising horizons and its influence, each weighed by the incidence since the one before.

    .. math:: \sum_k A(t_k)\,[F(t_k) - F(t_{k-1})] / F(t_{last})
    """
    incidence = np.array([area.horizon.incidence for area in areas])
    moved = np.array([incidence_influence(follow_up, area.horizon) for area in areas])
    value = np.array([area.area for area in areas])
    steps = np.diff(incidence, prepend=0.0)
    mean = float(value @ steps / incidence[-1])
    own = (steps / incidence[-1]) @ np.array([area.influence for area in areas])
    of_steps = value @ np.diff(moved, axis=0, prepend=np.zeros((1, moved.shape[1])))
    return mean, np.asarray(own + (of_steps - mean * moved[-1]) / incidence[-1])


def incidence_influence(follow_up: FollowUp, horizon: Horizon) -> Floats:
    """The influence of every case on the incidence by a horizon."""
    size = float(follow_up.weights.sum())
    own = len(follow_up) * follow_up.weights / size
    return full_influence(follow_up, horizon.cases / size, horizon.at) - horizon.incidence * own


def _class_variance(derivative: Floats, held: Bools) -> float:
    n = int(np.count_nonzero(held))
    return float(np.sum(derivative[held] ** 2)) * n / (n - 1) if n > 1 else math.nan


def covariance_of_influences(influences: Sequence[Floats], subjects: Ints | None = None) -> Floats:
    """The covariance matrix of statistics from the influence of every case; by subject where some have several."""
    table = np.column_stack(influences)
    n = table.shape[0]
    table = table - table.mean(axis=0)
    if subjects is not None:
        sums = np.column_stack([np.bincount(subjects, weights=column) for column in table.T])
        many = sums.shape[0]
        matrix: Floats = sums.T @ sums * (many / (many - 1)) / n**2
        return matrix
    whole: Floats = table.T @ table / (n * (n - 1))
    return whole
