"""DeLong's variance of one AUC, straight from the tally."""

from __future__ import annotations

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.types import Counts, Floats
from roclab._core.undefined import Undefined
from roclab.data.tally import Tally
from roclab.inference.one_area.influence import influence_of_auc
from roclab.inference.one_area.variance import area_variance

__all__ = ["delong_variance", "delong_variance_of_counts"]


def delong_variance(tally: Tally, area: float) -> float:
    r"""Variance of the AUC ``area`` of a tally, O(n), ties exact [1]_.

    .. math:: \operatorname{Var} A = \frac{s^2(V_{10})}{P} + \frac{s^2(V_{01})}{N}

    with the structural components :math:`V_{10}(x)` = share of negatives below x (ties one half) and
    :math:`V_{01}(y)` = share of positives above y. Both have the mean A, so one pass with the known area gives
    both spreads; it runs in blocks that stay in cache. Undefined when a class has one case.

    References
    ----------
    .. [1] DeLong ER, DeLong DM, Clarke-Pearson DL. Biometrics 1988;44:837-845. doi:10.2307/2531595
    """
    if tally.weighted:
        return area_variance(tally, influence_of_auc(tally))
    neg = None if tally.untied else tally.neg
    return delong_variance_of_counts(tally.pos, neg, n_pos=tally.n_pos, n_neg=tally.n_neg, area=area)


def delong_variance_of_counts(pos: Counts, neg: Counts | None, *, n_pos: float, n_neg: float, area: float) -> float:
    """The same from counts in descending order of the score; ``neg`` None when every case has a score of its own."""
    if n_pos < 2 or n_neg < 2:
        short = "positive" if n_pos < 2 else "negative"
        return Undefined(f"there is only one {short} case, so its spread cannot be seen")
    if neg is None:
        spread_10, spread_01 = _spreads_by_position(pos, n_pos, n_neg, area)
    else:
        spread_10, spread_01 = _spreads(pos, neg, n_pos, n_neg, area)
    return spread_10 / (n_pos * (n_pos - 1)) + spread_01 / (n_neg * (n_neg - 1))


def _spreads(every_pos: Counts, every_neg: Counts, n_pos: float, n_neg: float, area: float) -> tuple[float, float]:
    """Sums of squares of V10 - A over the positives and of V01 - A over the negatives."""
    spread_10 = spread_01 = 0.0
    above = over = 0  # positives and negatives in earlier blocks, that is, with higher scores
    for part in blocks(every_pos.size):
        pos, neg = every_pos[part], every_neg[part]
        reached, passed = np.cumsum(pos), np.cumsum(neg)
        # Each block's offset is joined with the area into one subtraction.
        v01 = (2 * reached - pos) * (0.5 / n_pos)
        v01 -= area - above / n_pos
        v10 = (neg - 2 * passed) * (0.5 / n_neg)
        v10 -= area - (n_neg - over) / n_neg
        spread_01 += _weighted_square(v01, neg)
        spread_10 += _weighted_square(v10, pos)
        above += int(reached[-1])
        over += int(passed[-1])
    return spread_10, spread_01


def _spreads_by_position(pos: Counts, n_pos: float, n_neg: float, area: float) -> tuple[float, float]:
    """The same when every case has a score of its own, without running totals.

    The k-th positive from the top, at place q, has q - k negatives above it; the j-th negative at place q has q - j
    positives above it.
    """
    spread_10 = spread_01 = 0.0
    above = over = 0
    for part in blocks(pos.size):
        positive = pos[part] != 0  # flatnonzero has a fast path for booleans
        up, down = np.flatnonzero(positive), np.flatnonzero(~positive)
        # places in this block less the order in it, as shares of the other class, plus what earlier blocks hold
        v10 = (up - np.arange(up.size)) * (-1 / n_neg)
        v10 -= area - 1 + over / n_neg
        v01 = (down - np.arange(down.size)) * (1 / n_pos)
        v01 -= area - above / n_pos
        spread_10 += float(np.square(v10, out=v10).sum())
        spread_01 += float(np.square(v01, out=v01).sum())
        above += up.size
        over += down.size
    return spread_10, spread_01


def _weighted_square(values: Floats, weight: Counts) -> float:
    """Sum of weight times value squared; pairwise summation, so no BLAS threads and the same digits everywhere."""
    np.square(values, out=values)
    values *= weight
    return float(values.sum())
