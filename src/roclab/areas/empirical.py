"""The area under the empirical ROC curve, counted exactly."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from roclab._core.blocks import BLOCK, blocks
from roclab._core.label_sort import counts_in_order
from roclab._core.polyline import bounded, trapezoids
from roclab._core.types import Array, Bools, Counts
from roclab.curves.roc import RocCurve
from roclab.data.tally import Tally

__all__ = [
    "auc",
    "auc_of_arrays",
    "auc_of_counts",
    "gini",
    "losses_by_position",
    "optimistic_auc",
    "pessimistic_auc",
    "trapezoid",
]

_ONES_AND_PLACES = np.stack([np.ones(BLOCK, np.int64), np.arange(BLOCK)])  # two sums for the price of one
_PLACES = _ONES_AND_PLACES[1]


def auc(tally: Tally) -> float:
    r"""Area under the ROC curve: the chance that a positive outscores a negative, a tie counting one half.

    .. math:: A = \frac{1}{PN} \sum_t n_t \left(P_{>t} + \tfrac12 p_t\right)

    with :math:`p_t, n_t` the positives and negatives at score t and :math:`P_{>t}` the positives above it. This
    is the Mann-Whitney statistic over PN, and the trapezoid area under the curve, exactly [1]_.

    Notes
    -----
    Whole counts are summed in integers, so the only rounding is the final division. Real weights are summed in
    floats, and the area is the share of wins among wins and losses, which rounding never takes out of [0, 1]. O(n)
    after the tally's sort, in blocks: no temporary is longer than a block.

    References
    ----------
    .. [1] Bamber D. The area above the ordinal dominance graph and the area below the receiver operating
       characteristic graph. J Math Psych 1975;12:387-415. doi:10.1016/0022-2496(75)90001-2

    Examples
    --------
    >>> auc(Tally.from_samples(np.array([2.0, 3.0]), np.array([1.0, 2.0])))
    0.875
    """
    if tally.known is not None:
        return tally.known.auc
    neg = None if tally.untied else tally.neg
    return auc_of_counts(tally.pos, neg, n_pos=tally.n_pos, n_neg=tally.n_neg)


def auc_of_arrays(label: Bools, score: Array) -> float:
    """The same area straight from validated labels and scores: for when nothing but the AUC is asked for.

    >>> auc_of_arrays(np.array([True, False, True, False]), np.array([3.0, 2.0, 2.0, 1.0]))
    0.875
    """
    n_pos = int(np.count_nonzero(label))
    return auc_of_counts(*counts_in_order(label, score), n_pos=n_pos, n_neg=label.size - n_pos)


def auc_of_counts(pos: Counts, neg: Counts | None, *, n_pos: float, n_neg: float) -> float:
    """The area from counts in descending order of the score; ``neg`` None when every case has a score of its own."""
    if neg is None:
        return _wins_by_position(pos) / (n_pos * n_neg)
    wins = doubled_wins(pos, neg)
    if pos.dtype.kind != "f" and neg.dtype.kind != "f":
        return wins / (2 * n_pos * n_neg)
    # Real weights round in every sum, and so wins can exceed the product of the totals. Of wins and losses the share is
    # never outside [0, 1], and it is exactly 1 where nothing is lost, because those sums have no terms.
    return wins / (wins + doubled_wins(neg, pos))


def doubled_wins(pos: Counts, neg: Counts) -> float:
    """Twice the number of (positive, negative) pairs won by the positive, ties counting one half."""
    won: float = 0
    above: float = 0  # positives in earlier blocks, that is, with higher scores
    for part in blocks(pos.size):
        p, n = pos[part], neg[part]
        reached: Counts = np.cumsum(p)
        total: float = reached[-1].item()
        reached += above  # positives at this score or above
        reached *= 2
        reached -= p
        won += np.einsum("i,i->", n, reached).item()  # np.dot of real weights would wake the threads of BLAS
        above += total
    return won


class Losses(NamedTuple):
    """Sums over the positives from the top, all whole numbers, where every case has a score of its own.

    The k-th positive (k from 0) at place q has u = q - k negatives above it and loses to those.
    """

    n_pos: int
    n_neg: int
    total: int  # of u
    squares: int  # of u²
    ranked: int  # of k u

    @property
    def area(self) -> float:
        """The share of pairs that are not lost."""
        pairs = self.n_pos * self.n_neg
        return (pairs - self.total) / pairs

    @property
    def spreads(self) -> tuple[float, float]:
        """Sums of squares of V10 - A over the positives and of V01 - A over the negatives.

        A negative with w positives above it has V01 = w/P. Of the pairs of positives above it one is the lower, and
        the k-th positive is that in 2k + 1 ordered pairs, so that Σw² = NP² - Σ(2k + 1)u needs no look at negatives.
        """
        p, n = self.n_pos, self.n_neg
        wins = p * n - self.total
        squared_wins = n * p * p - 2 * self.ranked - self.total
        return (p * self.squares - self.total**2) / (p * n * n), (n * squared_wins - wins * wins) / (n * p * p)


def losses_by_position(pos: Counts) -> Losses:
    """What the AUC and DeLong's variance need of labels in falling order of scores that all differ; O(n), exact."""
    found = over = total = squares = ranked = 0
    for start in range(0, pos.size, BLOCK):
        part = pos[start : start + BLOCK]
        up = (part if part.dtype.kind == "b" else part != 0).nonzero()[0]
        n = up.size
        up -= _PLACES[:n]  # negatives above within the block; those of earlier blocks are added as whole numbers
        inside, by_rank = _ONES_AND_PLACES[:, :n].dot(up).tolist()
        lost = inside + n * over
        total += lost
        squares += int(up.dot(up)) + over * (inside + lost)
        ranked += by_rank + over * (n * (n - 1) // 2) + found * lost
        found += n
        over += part.size - n
    return Losses(found, over, total, squares, ranked)


def _wins_by_position(pos: Counts) -> int:
    """Wins when every case has a score of its own: several times faster than running totals."""
    found, places = 0, 0
    for part in blocks(pos.size):
        p = pos[part]
        k = int(np.count_nonzero(p))
        places += np.dot(p, _PLACES[: p.size]).item() + k * part.start
        found += k
    lost = places - found * (found - 1) // 2
    return found * (pos.size - found) - lost


def gini(tally: Tally) -> float:
    """Gini coefficient 2A - 1: 0 for a useless score, 1 for a perfect one.

    >>> gini(Tally.from_samples(np.array([2.0, 3.0]), np.array([1.0, 2.0])))
    0.75
    """
    return 2 * auc(tally) - 1


def optimistic_auc(tally: Tally) -> float:
    """Area when every tied positive is counted above every tied negative."""
    return bounded(auc(tally) + _tied_pairs(tally) / 2, 1.0)


def pessimistic_auc(tally: Tally) -> float:
    """Area when every tied positive is counted below every tied negative."""
    return bounded(auc(tally) - _tied_pairs(tally) / 2, 1.0)


def _tied_pairs(tally: Tally) -> float:
    """Share of (positive, negative) pairs with the same score."""
    return float(np.dot(tally.pos, tally.neg)) / (tally.n_pos * tally.n_neg)


def trapezoid(curve: RocCurve) -> float:
    """Trapezoid area under any broken line, O(n); for the expected ROC curve it equals :func:`auc`."""
    return bounded(trapezoids(curve.fpr, curve.tpr), 1.0)
