r"""The area, DeLong's variance and tAUC of importance weights, from sums over ranges of scores that merge.

A range keeps, counted from its own start, the weights p, n of positives and negatives and their squares, and with
:math:`u` the negative weight below a score and half of that at it, :math:`w` the positive weight likewise,

.. math:: \sum p u,\; \sum p^{(2)} u,\; \sum p^{(2)} u^2,\; \sum n^{(2)} w,\; \sum n^{(2)} w^2,\; T,

where :math:`p^{(2)}` is the sum of squared weights at the score, and T as in ``sums``. What lies below the range adds a
constant to u and w, so that all that a variance is made of follows: the squares are taken about the area, not about
nothing, and lose no digits where the area is close to one. The ranges are added up by ``math.fsum``, in their order.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from roclab._core.types import Floats

__all__ = ["RangeSums", "RealSums", "real_sums"]


class RangeSums(NamedTuple):
    """Sums over ranges of scores in ascending order, one row a range; weights in any unit."""

    pos: Floats
    neg: Floats
    pos_squares: Floats
    neg_squares: Floats
    won: Floats  # Σ p u
    pos_first: Floats  # Σ p² u
    pos_second: Floats  # Σ p² u²
    neg_first: Floats  # Σ n² w
    neg_second: Floats  # Σ n² w²
    cubic: Floats  # T


@dataclass(frozen=True, slots=True, kw_only=True)
class RealSums:
    """What all ranges say together; the counterpart of ``Sums`` for importance weights."""

    auc: float
    parts: tuple[float, float]
    tauc: float

    def reversed(self) -> RealSums:
        """The same cases with the direction of the score reversed."""
        return RealSums(auc=1 - self.auc, parts=self.parts, tauc=0.5 - self.auc + self.tauc)


def real_sums(ranges: RangeSums) -> RealSums:
    """The area and what rests on it; O(ranges).

    >>> one = np.ones(2)
    >>> apart = RangeSums(np.array([0.0, 2.0]), np.array([2.0, 0.0]), np.array([0.0, 2.0]), np.array([2.0, 0.0]),
    ...                   *(np.zeros(2) for _ in range(6)))
    >>> real_sums(apart).auc
    1.0
    """
    total_pos, total_neg = math.fsum(ranges.pos), math.fsum(ranges.neg)
    below_pos = np.cumsum(ranges.pos) - ranges.pos
    below_neg = np.cumsum(ranges.neg) - ranges.neg
    wins = math.fsum([*ranges.won, *(below_neg * ranges.pos)])
    lost = math.fsum([*(ranges.pos * ranges.neg - ranges.won), *(below_pos * ranges.neg)])
    auc = wins / (wins + lost)
    above = below_neg - auc * total_neg
    spread_pos = math.fsum(
        ranges.pos_second + 2 * above * ranges.pos_first + above * above * ranges.pos_squares
    ) / total_neg**2  # fmt: skip
    over = total_pos - below_pos - auc * total_pos
    spread_neg = math.fsum(
        ranges.neg_second - 2 * over * ranges.neg_first + over * over * ranges.neg_squares
    ) / total_pos**2  # fmt: skip
    parts = (
        _part(spread_pos, total_pos, math.fsum(ranges.pos_squares)),
        _part(spread_neg, total_neg, math.fsum(ranges.neg_squares)),
    )
    losses = ranges.pos * ranges.neg - ranges.won
    cubic = math.fsum(
        [
            *ranges.cubic, *(6 * below_neg * losses), *(3 * below_pos * ranges.neg**2),
            *(6 * below_neg * below_pos * ranges.neg),
        ]
    )  # fmt: skip
    return RealSums(auc=auc, parts=parts, tauc=0.5 - cubic / (6 * total_neg**2 * total_pos))


def _part(spread: float, total: float, squares: float) -> float:
    """What a class adds to the variance, as ``variance_parts`` has it; NaN where it has effectively one case."""
    effective = total**2 / squares
    if effective <= 1:
        return math.nan
    return max(spread, 0.0) / total**2 * effective / (effective - 1)
