"""DeLong's variance of one AUC, straight from the tally."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.types import Counts, Floats
from roclab._core.undefined import Undefined
from roclab.areas.empirical import auc_of_counts, losses_by_position
from roclab.data.tally import Tally
from roclab.inference.one_area.influence import influence_of_auc
from roclab.inference.one_area.score import ScoreVariance, fit_score_variance
from roclab.inference.one_area.variance import effective_sizes, variance_parts

__all__ = ["DelongParts", "area_and_parts", "delong_parts", "delong_parts_of_counts", "delong_variance"]


class DelongParts(NamedTuple):
    """What each class adds to DeLong's variance, and the (effective) class sizes; NaN where a class has one case."""

    pos: float  # spread of V10 over P
    neg: float  # spread of V01 over N
    n_pos: float
    n_neg: float

    @property
    def variance(self) -> float:
        """DeLong's variance; undefined when a class has one case."""
        both = self.pos + self.neg
        if math.isnan(both):
            short = "positive" if math.isnan(self.pos) else "negative"
            return Undefined(f"there is only one {short} case, so its spread cannot be seen")
        return both

    @property
    def standard_error(self) -> float:
        """Its root."""
        variance = self.variance
        return math.sqrt(variance) if variance > 0 else variance if isinstance(variance, Undefined) else 0.0

    def score_variance(self, area: float) -> ScoreVariance:
        """The variance of the estimate as a function of the true area: what the score interval and test rest on."""
        return fit_score_variance(
            area, self.pos * self.n_pos, self.neg * self.n_neg, n_pos=self.n_pos, n_neg=self.n_neg
        )


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
    return delong_parts(tally, area).variance


def delong_parts(tally: Tally, area: float) -> DelongParts:
    """Both classes' contributions to DeLong's variance, O(n)."""
    if tally.known is not None:
        return DelongParts(*tally.known.parts, *effective_sizes(tally))
    if tally.weighted:
        pos, neg = variance_parts(tally, influence_of_auc(tally))
        return DelongParts(pos, neg, *effective_sizes(tally))
    neg_counts = None if tally.untied else tally.neg
    return delong_parts_of_counts(tally.pos, neg_counts, n_pos=tally.n_pos, n_neg=tally.n_neg, area=area)


def delong_parts_of_counts(pos: Counts, neg: Counts | None, *, n_pos: float, n_neg: float, area: float) -> DelongParts:
    """The same from counts in descending order of the score; ``neg`` None when every case has a score of its own."""
    spreads = losses_by_position(pos).spreads if neg is None else _spreads(pos, neg, n_pos, n_neg, area)
    return _parts(*spreads, n_pos, n_neg)


def area_and_parts(pos: Counts, neg: Counts | None, *, n_pos: float, n_neg: float) -> tuple[float, DelongParts]:
    """The AUC of such counts too; one pass where every case has a score of its own."""
    if neg is not None:
        area = auc_of_counts(pos, neg, n_pos=n_pos, n_neg=n_neg)
        return area, delong_parts_of_counts(pos, neg, n_pos=n_pos, n_neg=n_neg, area=area)
    losses = losses_by_position(pos)
    return losses.area, _parts(*losses.spreads, n_pos, n_neg)


def _parts(spread_10: float, spread_01: float, n_pos: float, n_neg: float) -> DelongParts:
    return DelongParts(
        spread_10 / (n_pos * (n_pos - 1)) if n_pos > 1 else math.nan,
        spread_01 / (n_neg * (n_neg - 1)) if n_neg > 1 else math.nan,
        n_pos,
        n_neg,
    )


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


def _weighted_square(values: Floats, weight: Counts) -> float:
    """Sum of weight times value squared; pairwise summation, so no BLAS threads and the same digits everywhere."""
    np.square(values, out=values)
    values *= weight
    return float(values.sum())
