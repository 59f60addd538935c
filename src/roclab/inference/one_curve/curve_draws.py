"""Resampled heights of a ROC curve at given false positive rates.

Resampling every case to read a hundred heights of the new curve is wasteful when no score is shared by both classes.
The height at rate f is then the share of resampled positives above the k-th highest resampled negative,
k = ⌊f N⌋ + 1, and both can be drawn directly:

1. N draws from N negatives are N uniform numbers, cut down to places. Their order statistics of ranks k₁ < k₂ < … are
   partial sums of independent Gamma(k₁), Gamma(k₂ − k₁), … over the sum of all, so no other draw is needed.
2. Those negatives cut the positives into pieces, and how many of P drawn positives fall into each is multinomial.

The heights have exactly the distribution that resampling all cases gives, at a cost that does not depend on n.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from roclab._core.polyline import SAME
from roclab._core.types import Floats
from roclab.curves.roc import roc_curve
from roclab.inference.one_area.bootstrap import TallyDraws

__all__ = ["curve_draw"]


def curve_draw(draws: TallyDraws, grid: Floats) -> Callable[[np.random.Generator], Floats]:
    """A function that draws the heights of one resampled curve; O(g log n) without ties between classes, else O(n)."""
    tally = draws.tally
    if np.any((tally.pos > 0) & (tally.neg > 0)):
        return lambda rng: roc_curve(draws.tally_once(rng)).at(grid)
    inner = np.flatnonzero(grid < 1 - SAME)
    n_pos, n_neg = draws.pos.size, draws.neg.size

    def gaps(drawn_neg: int) -> Floats:
        rank = np.floor((grid[inner] + SAME) * drawn_neg) + 1
        return np.diff(rank, prepend=0, append=drawn_neg + 1)

    usual = gaps(n_neg)

    def draw(rng: np.random.Generator) -> Floats:
        drawn_pos, drawn_neg = draws.sizes(rng)
        sums = rng.standard_gamma(usual if drawn_neg == n_neg else gaps(drawn_neg)).cumsum()
        place = (sums[:-1] * (n_neg / sums[-1])).astype(np.int64)
        reached = np.empty(
            inner.size + 2, draws.above.dtype
        )  # positives above each of these negatives, and all at the end
        reached[0], reached[-1] = 0, n_pos
        np.take(draws.above, place, out=reached[1:-1], mode="clip")
        pieces = (reached[1:] - reached[:-1]) / n_pos
        heights = np.ones(grid.size)
        heights[inner] = rng.multinomial(drawn_pos, pieces).cumsum()[:-1] / drawn_pos
        return heights

    return draw
