"""Resampled heights of a ROC curve at given false positive rates.

Resampling every case to read a hundred heights of the new curve is wasteful when no score is shared by both classes.
The height at rate f is then the share of resampled positives above the k-th highest resampled negative,
k = ⌊f N⌋ + 1, and both can be drawn directly:

1. N draws from N negatives are N uniform numbers, cut down to places. Their order statistics of ranks k₁ < k₂ < … are
   partial sums of independent Gamma(k₁), Gamma(k₂ − k₁), … over the sum of all, so no other draw is needed.
2. Those negatives cut the positives into pieces, and how many of P drawn positives fall into each is multinomial.

The heights have exactly the distribution that resampling all cases gives, at a cost that does not depend on n. Where
classes share scores and there are few cases, counts are drawn instead, and read at all rates of a chunk of replicates
by one search; many cases go the way of ``shared_scores``, which draws only what those rates need.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from roclab._core.polyline import SAME
from roclab._core.types import Floats, Ints
from roclab.inference.one_area.bootstrap import TallyDraws
from roclab.inference.one_area.subject_draws import SubjectDraws
from roclab.inference.one_curve.shared_scores import shared_pointwise_limits

__all__ = ["curve_draws"]

Rows = Callable[[np.random.Generator, int], Floats]

_BATCH = 2**21  # counts in memory at once
_FEW = 20_000  # cases that are counted as fast as the draws they spare


def curve_draws(draws: TallyDraws | SubjectDraws, grid: Floats) -> Rows:
    """A function that draws the heights of ``count`` resampled curves, one row each.

    A row costs O(g log n), and O(n + g log n) for few cases whose classes share scores. Class sizes are fixed in
    stratified draws, so that a chunk is drawn at once; plain draws change them from row to row.
    """
    if isinstance(draws, SubjectDraws):
        return _of_subjects(draws, grid)
    tied = bool(np.any((draws.tally.pos > 0) & (draws.tally.neg > 0)))
    counted = tied and draws.pos.size + draws.neg.size <= _FEW
    drawn = _tied_heights if counted else shared_pointwise_limits if tied else _untied_heights
    inner = np.flatnonzero(grid < 1 - SAME)
    largest = max(1, _BATCH // draws.tally.score.size) if counted else max(1, _BATCH // max(grid.size, 1))

    def some(rng: np.random.Generator, count: int, n_pos: int, n_neg: int) -> Floats:
        heights = np.ones((count, grid.size))
        for start in range(0, count, largest):
            rows = slice(start, min(start + largest, count))
            heights[rows, inner] = drawn(draws, rng, grid[inner], rows.stop - start, n_pos, n_neg)
        return heights

    def many(rng: np.random.Generator, count: int) -> Floats:
        if draws.scheme == "stratified":
            return some(rng, count, *draws.sizes(rng))
        return np.concatenate([some(rng, 1, *draws.sizes(rng)) for _ in range(count)])

    return many


def _of_subjects(draws: SubjectDraws, grid: Floats) -> Rows:
    """The same of resampled subjects, whose numbers of cases change from row to row: O(n + g log n) a row."""
    inner = np.flatnonzero(grid < 1 - SAME)

    def many(rng: np.random.Generator, count: int) -> Floats:
        heights = np.ones((count, grid.size))
        for row in heights:
            pos, neg = draws.counts(rng)
            row[inner] = _heights(pos[None], neg[None], grid[inner])[0]
        return heights

    return many


def _untied_heights(
    draws: TallyDraws, rng: np.random.Generator, grid: Floats, count: int, n_pos: int, n_neg: int
) -> Floats:
    all_pos, all_neg = draws.pos.size, draws.neg.size
    rank, where = np.unique(np.floor((grid + SAME) * n_neg) + 1, return_inverse=True)
    gaps = np.diff(rank, prepend=0, append=n_neg + 1)
    sums = rng.standard_gamma(gaps, (count, gaps.size)).cumsum(axis=1)
    place = (sums[:, :-1] * (all_neg / sums[:, -1:])).astype(np.int64)
    reached = np.empty((count, rank.size + 2), draws.above.dtype)  # positives above these negatives, and all at the end
    reached[:, 0], reached[:, -1] = 0, all_pos
    np.take(draws.above, place, out=reached[:, 1:-1], mode="clip")
    pieces = np.diff(reached, axis=1) / all_pos
    heights: Floats = rng.multinomial(n_pos, pieces).cumsum(axis=1)[:, where] / n_pos
    return heights


def _tied_heights(
    draws: TallyDraws, rng: np.random.Generator, grid: Floats, count: int, n_pos: int, n_neg: int
) -> Floats:
    """Straight lines between the vertices of each resampled curve, the top where a step stands on a rate."""
    pos, neg = (
        _counts(draws.pos, draws.tally.pos, n_pos, count, rng),
        _counts(draws.neg, draws.tally.neg, n_neg, count, rng),
    )
    return _heights(pos, neg, grid)


def _heights(pos: Ints, neg: Ints, grid: Floats) -> Floats:
    """Heights of curves, one row of counts at the distinct scores each; classes have the same sizes in all rows."""
    (count, size), n_pos, n_neg = pos.shape, int(pos[0].sum()), int(neg[0].sum())
    up, right = np.zeros((count, size + 1)), np.zeros((count, size + 1))
    np.cumsum(pos, axis=1, out=up[:, 1:])
    np.cumsum(neg, axis=1, out=right[:, 1:])
    row = np.arange(count)[:, None]
    wanted = grid * n_neg
    # One sorted list for all rows: each row starts above the end of the one before.
    places = (right + row * (n_neg + 1.0)).ravel()
    last = np.searchsorted(places, (wanted + SAME * n_neg + row * (n_neg + 1.0)).ravel(), side="right") - 1
    last = last.reshape(count, grid.size) - row * (size + 1)
    start, rise = np.take_along_axis(right, last, 1), np.take_along_axis(up, last, 1)
    run = np.take_along_axis(right, last + 1, 1) - start
    share = np.clip((wanted - start) / run, 0.0, 1.0)
    heights: Floats = (rise + share * (np.take_along_axis(up, last + 1, 1) - rise)) / n_pos
    return heights


def _counts(places: Ints, counts: Ints, drawn: int, rows: int, rng: np.random.Generator) -> Ints:
    """Resampled cases of a class at each distinct score, one row per sample."""
    if 4 * counts.size < places.size:  # many ties: drawing the counts costs less than drawing the cases
        return rng.multinomial(drawn, counts / places.size, rows)
    chosen = places[rng.integers(0, places.size, (rows, drawn))] + counts.size * np.arange(rows)[:, None]
    return np.bincount(chosen.ravel(), minlength=rows * counts.size).reshape(rows, counts.size)
