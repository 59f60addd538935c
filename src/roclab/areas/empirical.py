"""The area under the empirical ROC curve, counted exactly."""

from __future__ import annotations

import numpy as np

from roclab._core.blocks import BLOCK, blocks
from roclab._core.label_sort import counts_in_order
from roclab._core.polyline import trapezoids
from roclab._core.types import Array, Bools, Counts
from roclab.curves.roc import RocCurve
from roclab.data.tally import Tally

__all__ = ["auc", "auc_of_arrays", "auc_of_counts", "gini", "optimistic_auc", "pessimistic_auc", "trapezoid"]

_PLACES = np.arange(BLOCK)


def auc(tally: Tally) -> float:
    r"""Area under the ROC curve: the chance that a positive outscores a negative, a tie counting one half.

    .. math:: A = \frac{1}{PN} \sum_t n_t \left(P_{>t} + \tfrac12 p_t\right)

    with :math:`p_t, n_t` the positives and negatives at score t and :math:`P_{>t}` the positives above it. This
    is the Mann-Whitney statistic over PN, and the trapezoid area under the curve, exactly [1]_.

    Notes
    -----
    Whole counts are summed in integers, so the only rounding is the final division. O(n) after the tally's
    sort, in blocks: no temporary is longer than a block.

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
    wins = 2 * _wins_by_position(pos) if neg is None else doubled_wins(pos, neg)
    return wins / (2 * n_pos * n_neg)


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


def _wins_by_position(pos: Counts) -> int:
    """Wins when every case has a score of its own: several times faster than running totals.

    The k-th positive from the top, at place q, has q - k negatives above it and loses to those.
    """
    found, places = 0, 0
    for part in blocks(pos.size):
        p = pos[part]
        k = int(p.sum())
        places += int(np.dot(p, _PLACES[: p.size])) + k * part.start
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
    return auc(tally) + _tied_pairs(tally) / 2


def pessimistic_auc(tally: Tally) -> float:
    """Area when every tied positive is counted below every tied negative."""
    return auc(tally) - _tied_pairs(tally) / 2


def _tied_pairs(tally: Tally) -> float:
    """Share of (positive, negative) pairs with the same score."""
    return float(np.dot(tally.pos, tally.neg)) / (tally.n_pos * tally.n_neg)


def trapezoid(curve: RocCurve) -> float:
    """Trapezoid area under any broken line, O(n); for the expected ROC curve it equals :func:`auc`."""
    return trapezoids(curve.fpr, curve.tpr)
