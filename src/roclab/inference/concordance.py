r"""Concordance: of two cases, does the one with the higher score have the event first?

.. math:: C = \frac{\sum_i v_i \sum_{j \text{ later}} [1\{X_j < X_i\} + \tfrac12 1\{X_j = X_i\}]}
                   {\sum_i v_i \, \#\{j \text{ later}\}}

over all cases i with the event (by τ, where one is given); j is later than i if it was followed longer, or equally long
and then lost. Harrell's has :math:`v = 1` and depends on how many are lost; Uno's has :math:`v_i = 1/G(T_i-)^2` and
does not, up to τ [1]_.

The cases are put into the order of time, and a wavelet matrix of the ranks of their scores gives for all of them at
once how many of those before a place have a lower score: one stable partition and one cumulated sum for every bit of a
rank, O(n log n) altogether.

References
----------
.. [1] Uno H, Cai T, Pencina MJ, D'Agostino RB, Wei LJ. On the C-statistics for evaluating overall adequacy of risk
   prediction procedures with censored survival data. Stat Med 2011;30:1105-1117. doi:10.1002/sim.4154
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from roclab._core.types import Bools, Floats, Ints
from roclab.censoring.follow_up import CENSORED, FollowUp
from roclab.censoring.term import censoring_term
from roclab.censoring.weights import chance_before

__all__ = ["Concordance", "harrell", "uno"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Concordance:
    """A concordance and the influence of every case on it."""

    value: float
    influence: Floats
    standard_error: float
    concordant: float  # weight of the pairs
    discordant: float
    tied: float


def harrell(follow_up: FollowUp, score: Floats, *, tau: float | None = None) -> Concordance | None:
    """Harrell's concordance; None where no two cases can be compared."""
    return _concordance(follow_up, score, np.ones(len(follow_up)), tau, weighed=False)


def uno(follow_up: FollowUp, score: Floats, *, tau: float) -> Concordance | None:
    """Uno's concordance up to τ, with the estimation of the censoring in its error."""
    before = chance_before(follow_up)
    weights = np.divide(1.0, before**2, out=np.zeros(len(follow_up)), where=before > 0)
    return _concordance(follow_up, score, weights, tau, weighed=True)


def _concordance(
    follow_up: FollowUp, score: Floats, v: Floats, tau: float | None, *, weighed: bool
) -> Concordance | None:
    order = np.lexsort((follow_up.event == CENSORED, follow_up.time))
    time, lost = follow_up.time[order], (follow_up.event == CENSORED)[order]
    weight = follow_up.weights[order]
    first = (follow_up.event[order] == 1) & (True if tau is None else time <= tau)
    leads = np.where(first, v[order] * weight, 0.0)
    rank = follow_up.ranked(score)[order]
    place = follow_up.place[order]
    starts = follow_up.starts
    events_end = starts + np.bincount(place[~lost], minlength=starts.size)  # where the lost of each time begin
    # Cases before this place are not later than a case with the event; those with the event before the other place had
    # it before a case.
    until = events_end[place]
    earlier = np.where(lost, until, starts[place])
    (low, tie), (lead_low, lead_tie) = _below(rank, (until, weight), (earlier, leads))
    lower = _cumulated_before(rank, weight) - low
    equal = np.bincount(rank, weights=weight)[rank] - tie
    cumulated = np.r_[0.0, np.cumsum(weight)]
    later = cumulated[-1] - cumulated[until]
    won = leads * (lower + equal / 2)
    pairs = leads * later
    whole = float(pairs.sum())
    if not whole > 0:
        return None
    value = float(won.sum()) / whole
    lead_sum = np.r_[0.0, np.cumsum(leads)][earlier]
    lost_to = weight * (lead_sum - lead_low - lead_tie / 2)
    as_lead = (won - value * pairs) / whole
    own = as_lead + (lost_to - value * weight * lead_sum) / whole
    derivative, by_weight = np.empty(rank.size), np.empty(rank.size)
    derivative[order], by_weight[order] = own, 2 * as_lead
    if weighed:
        horizon = math.inf if tau is None else tau
        derivative = derivative + censoring_term(follow_up, by_weight, horizon)
    n = rank.size
    square = float(np.sum(derivative**2))  # its sum is 0
    # Harrell's is that of the infinitesimal jackknife, as survival prints it.
    error = math.sqrt(square * n / (n - 1) if weighed else square)
    tied = float(np.sum(leads * equal))
    return Concordance(
        value=value, influence=derivative * n, standard_error=error, concordant=float(won.sum()) - tied / 2,
        discordant=whole - float(won.sum()) - tied / 2, tied=tied,
    )  # fmt: skip


def _cumulated_before(rank: Ints, weight: Floats) -> Floats:
    """For every case, the weight of all with a lower rank."""
    sums = np.bincount(rank, weights=weight)
    return np.asarray((np.cumsum(sums) - sums)[rank])


def _below(rank: Ints, *asked: tuple[Ints, Floats]) -> list[tuple[Floats, Floats]]:
    """For every case, the weight of those before a place with a lower rank, and with an equal one.

    Each question is a pair of places and weights; all are answered in one walk down the bits of the ranks.
    """
    bits = max(int(rank.max()).bit_length(), 1)
    # Whole numbers of 32 bits: the walk is as fast as memory is.
    values = rank.astype(np.int32)
    own = values.copy()
    begin = np.zeros(rank.size, dtype=np.int32)
    ends = [places.astype(np.int32) for places, _ in asked]
    weights = [given for _, given in asked]
    lower = [np.zeros(rank.size) for _ in asked]
    zeros = np.zeros(rank.size + 1, dtype=np.int32)
    light = np.zeros(rank.size + 1)
    for bit in range(bits - 1, -1, -1):
        zero: Bools = (values >> bit) & 1 == 0
        np.cumsum(zero, out=zeros[1:])
        one = np.flatnonzero((own >> bit) & 1)
        other = np.flatnonzero((own >> bit) & 1 == 0)
        count, first = zeros[-1], zeros[begin]
        for at, weight in enumerate(weights):
            np.cumsum(np.where(zero, weight, 0.0), out=light[1:])
            end = ends[at]
            lower[at][one] += light[end[one]] - light[begin[one]]
            before = zeros[end]
            end[one] += count - before[one]
            end[other] = before[other]
        begin[one] += count - first[one]
        begin[other] = first[other]
        arranged = np.concatenate([np.flatnonzero(zero), np.flatnonzero(~zero)])
        values = values[arranged]
        weights = [weight[arranged] for weight in weights]
    answers = []
    for at, weight in enumerate(weights):
        np.cumsum(weight, out=light[1:])
        answers.append((lower[at], light[ends[at]] - light[begin]))
    return answers
