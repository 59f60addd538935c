"""Resampled heights of a large ROC curve whose classes share scores, without resampling its cases.

The height at rate f lies on the straight line over one distinct score: that of the k-th highest resampled negative,
k = ⌊f N⌋ + 1. Four counts tell it: the negatives and the positives drawn above that score, and at it.

1. The order statistics of N uniform numbers at ranks k₁ < k₂ < … are partial sums of gamma variables, as in
   ``curve_draws``; each falls on a score. Between two of them kᵢ₊₁ − kᵢ − 1 numbers are uniform again, so how many of
   them stand at the score before, at the score behind and between both are two binomial draws.
2. The edges of those scores cut the positives into pieces, and how many drawn positives fall into each is multinomial.

The joint distribution of the heights is exactly that of resampling every case; a row costs O(g log n) for g rates.
"""

from __future__ import annotations

import numpy as np

from roclab._core.polyline import SAME
from roclab._core.types import Bools, Floats, Ints
from roclab.inference.one_area.bootstrap import TallyDraws

__all__ = ["shared_pointwise_limits"]


def shared_pointwise_limits(
    draws: TallyDraws, rng: np.random.Generator, grid: Floats, count: int, n_pos: int, n_neg: int
) -> Floats:
    """Heights of ``count`` resampled curves at rates below 1, one row each."""
    all_pos, all_neg = draws.pos.size, draws.neg.size
    rank, where = np.unique(np.floor((grid + SAME) * n_neg) + 1, return_inverse=True)
    gaps = np.diff(rank, prepend=0, append=n_neg + 1)
    sums = rng.standard_gamma(gaps, (count, gaps.size)).cumsum(axis=1)
    place = np.minimum(sums[:, :-1] * (all_neg / sums[:, -1:]), np.nextafter(all_neg, 0.0))
    right = np.concatenate([[0], np.cumsum(draws.tally.neg)])
    up = np.concatenate([[0], np.cumsum(draws.tally.pos)])
    score = np.searchsorted(right, place, side="right") - 1
    first = np.diff(score, axis=1, prepend=-1) != 0
    last = np.diff(score, axis=1, append=right.size) != 0
    begin, end = _negatives(rng, place, right[score], right[score + 1], rank, first, last, n_neg, all_neg)
    rise, top = _positives(rng, up[score], up[score + 1], first, last, n_pos, all_pos)
    share = np.clip((grid * n_neg - begin[:, where]) / (end - begin)[:, where], 0.0, 1.0)
    heights: Floats = (rise[:, where] + share * (top - rise)[:, where]) / n_pos
    return heights


def _negatives(
    rng: np.random.Generator, place: Floats, start: Ints, stop: Ints, rank: Floats, first: Bools, last: Bools,
    n_neg: int, all_neg: int,
) -> tuple[Floats, Floats]:  # fmt: skip
    """Negatives drawn above each score, and down to its end."""
    rows = place.shape[0]
    before = np.concatenate([np.zeros((rows, 1)), place], axis=1)  # the draw before each gap
    ending = np.concatenate([np.zeros((rows, 1)), stop], axis=1)  # where its score ends
    behind = np.concatenate([place, np.full((rows, 1), float(all_neg))], axis=1)
    between = np.diff(rank, prepend=0, append=n_neg + 1).astype(np.int64) - 1  # draws in each gap
    # A gap inside one score has no edge in it; what is drawn for it is not used.
    rest = np.minimum(ending, behind) - before
    same = rng.binomial(between, _share(rest, behind - before))
    own = rng.binomial(between[:-1] - same[:, :-1], _share(place - start, place - np.minimum(ending[:, :-1], place)))
    begin = np.where(first, rank - 1 - own, 0.0)
    end = np.where(last, rank + same[:, 1:], 0.0)
    return _forward(begin, first), _backward(end, last)


def _positives(
    rng: np.random.Generator, above: Ints, reached: Ints, first: Bools, last: Bools, n_pos: int, all_pos: int
) -> tuple[Floats, Floats]:
    """Positives drawn above each score, and down to its end."""
    rows, width = above.shape
    edges = np.empty((rows, 2 * width + 2))
    edges[:, 0], edges[:, -1] = 0, all_pos
    edges[:, 1:-1:2] = above
    edges[:, 2:-1:2] = np.where(last, reached, above)  # a score that serves several rates ends with the last of them
    drawn = rng.multinomial(n_pos, np.diff(edges, axis=1) / all_pos).cumsum(axis=1).astype(np.float64)
    return _forward(drawn[:, 0:-1:2], first), _backward(drawn[:, 1:-1:2], last)


def _share(part: Floats, whole: Floats) -> Floats:
    """Part of a length, 0 where there is none."""
    found: Floats = np.clip(np.divide(part, whole, out=np.zeros_like(whole), where=whole > 0), 0.0, 1.0)
    return found


def _forward(values: Floats, first: Bools) -> Floats:
    """What the first rate of a score tells, for all of them."""
    at = np.maximum.accumulate(np.where(first, np.arange(values.shape[1]), 0), axis=1)
    return np.take_along_axis(values, at, axis=1)


def _backward(values: Floats, last: Bools) -> Floats:
    """What the last rate of a score tells, for all of them."""
    width = values.shape[1]
    at = np.where(last, np.arange(width), width - 1)
    at = np.minimum.accumulate(at[:, ::-1], axis=1)[:, ::-1]
    return np.take_along_axis(values, at, axis=1)
