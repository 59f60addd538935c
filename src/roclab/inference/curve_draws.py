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
from roclab.inference.bootstrap import TallyDraws

__all__ = ["curve_draw"]


def curve_draw(draws: TallyDraws, grid: Floats) -> Callable[[np.random.Generator], Floats]:
    """A function that draws the heights of one resampled curve; O(g log n) without ties between classes, else O(n)."""
    tally = draws.tally
    if np.any((tally.pos > 0) & (tally.neg > 0)):
        return lambda rng: roc_curve(draws.tally_once(rng)).at(grid)
    inner = (grid >= 0) & (grid < 1 - SAME)
    heights = np.ones(grid.size)
    n_pos, n_neg = draws.pos.size, draws.neg.size

    def draw(rng: np.random.Generator) -> Floats:
        drawn_pos, drawn_neg = draws.sizes(rng)
        rank = np.floor(grid[inner] * drawn_neg + SAME * drawn_neg) + 1
        steps = rng.standard_gamma(np.diff(rank, prepend=0, append=drawn_neg + 1))
        sums = np.cumsum(steps)
        place = np.minimum((sums[:-1] / sums[-1] * n_neg).astype(np.int64), n_neg - 1)
        above = draws.above[place]  # positives above each of these negatives
        pieces = np.diff(above, prepend=0, append=n_pos)
        out = heights.copy()
        out[inner] = np.cumsum(rng.multinomial(drawn_pos, pieces / n_pos))[:-1] / drawn_pos
        return out

    return draw
