r"""Seven integers of a range of scores, from which the area, its variance and tAUC follow exactly, and which merge.

A block is a contiguous range of scores in ascending order, counted from its own start. With p, n the positives and
negatives at each distinct score, :math:`p_0, n_0` the counts below it and :math:`p_1, n_1` those up to it,
:math:`u = n_0 + n_1` (twice the negatives outscored) and :math:`w = p_0 + p_1`, the block keeps

.. math:: \sum p,\; \sum n,\; \sum p u,\; \sum p u^2,\; \sum n w,\; \sum n w^2,\;
          T = \sum n (2 n_0 p_0 + n_0 p_1 + n_1 p_0 + 2 n_1 p_1).

Putting block b above block a adds a's totals to every count of b, which is a polynomial in b's sums: the merge is
exact, associative and has the empty block as its neutral element, so that rows may be counted in any partition.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from typing import NamedTuple

import numpy as np

from roclab._core.types import Bools, Counts, Ints

__all__ = [
    "EMPTY",
    "MOST_ROWS",
    "Steps",
    "Sums",
    "merged",
    "steps_of",
    "sums_of_counts",
    "sums_of_labels",
    "sums_of_one_score",
]

MOST_ROWS = 1_000_000  # cases in a block: above about two millions the products would not fit into int64


class Sums(NamedTuple):
    """The seven sums of a block, as Python integers, which never overflow."""

    pos: int
    neg: int
    pu: int
    puu: int
    nw: int
    nww: int
    t: int

    def __add__(self, above: Sums) -> Sums:  # type: ignore[override]
        """The block with another one on top of it."""
        P, N, pu, puu, nw, nww, t = self
        p, n, pu_, puu_, nw_, nww_, t_ = above
        return Sums(
            P + p,
            N + n,
            pu + pu_ + 2 * N * p,
            puu + puu_ + 4 * N * pu_ + 4 * N * N * p,
            nw + nw_ + 2 * P * n,
            nww + nww_ + 4 * P * nw_ + 4 * P * P * n,
            t + t_ + 3 * N * nw_ + 3 * P * n * n + 6 * N * P * n,
        )

    @property
    def auc(self) -> float:
        """The area, correctly rounded."""
        return self.pu / (2 * self.pos * self.neg)

    @property
    def tauc(self) -> float:
        """Area under the tROC curve."""
        return float(Fraction(1, 2) - Fraction(self.t, 6 * self.neg * self.neg * self.pos))

    @property
    def parts(self) -> tuple[float, float]:
        """What positives and negatives add to DeLong's variance; NaN for a class of one case."""
        P, N = self.pos, self.neg
        pos = Fraction(P * self.puu - self.pu**2, 4 * N * N * P * P * (P - 1)) if P > 1 else None
        neg = Fraction(N * self.nww - self.nw**2, 4 * P * P * N * N * (N - 1)) if N > 1 else None
        return (np.nan if pos is None else float(pos)), (np.nan if neg is None else float(neg))

    def reversed(self) -> Sums:
        """The same cases with the direction of the score reversed: u becomes 2N - u, w becomes 2P - w."""
        P, N = self.pos, self.neg
        # Below and up to a score become above and down to it; T follows by expanding its product.
        # Σ n (n0 + n1) over all scores telescopes to N², and Σ n (n0² + n0 n1 + n1²) to N³.
        t = 6 * N * N * P - 3 * P * N * N - 3 * N * self.nw + self.t
        return Sums(
            P, N, 2 * N * P - self.pu, 4 * N * N * P - 4 * N * self.pu + self.puu,
            2 * P * N - self.nw, 4 * P * P * N - 4 * P * self.nw + self.nww, t,
        )  # fmt: skip


EMPTY = Sums(0, 0, 0, 0, 0, 0, 0)


def merged(blocks: Iterable[Sums]) -> Sums:
    """Blocks in ascending order as one."""
    return reduce(Sums.__add__, blocks, EMPTY)


def sums_of_one_score(pos: int, neg: int) -> Sums:
    """A block of one distinct score, of any number of cases."""
    return Sums(pos, neg, pos * neg, pos * neg * neg, neg * pos, neg * pos * pos, 2 * neg * neg * pos)


class Steps(NamedTuple):
    """The scores of a block that positives have, ascending: few among many where positives are rare.

    At each of them stand ``pos`` and ``neg``, below it ``pos_below`` and ``neg_below`` cases.
    """

    place: Ints  # among all distinct scores of the block
    pos: Ints
    neg: Ints
    pos_below: Ints
    neg_below: Ints
    neg_upto: Ints  # negatives up to every score of the block, whether positives have it or not

    @property
    def outscored(self) -> Ints:
        """Twice the negatives that each positive outscores, ties counted half."""
        return 2 * self.neg_below + self.neg

    @property
    def between(self) -> tuple[Ints, Ints]:
        """Negatives below all steps and between two of them: the positives below each such run, and its length."""
        below = np.append(0, self.pos_below + self.pos)
        ends = np.append(self.neg_below, self.neg_upto[-1:])
        starts = np.append(0, self.neg_below + self.neg)[: ends.size]
        return below[: ends.size], ends - starts

    def sums(self) -> Sums:
        """The sums of the block; O(number of steps).

        Negatives between two steps outscore the same positives, and their terms of T telescope.
        """
        _, pos, neg, p0, n0, upto = self
        p1, n1 = p0 + pos, n0 + neg
        beyond = np.append(n0[1:], upto[-1:])[: pos.size]  # negatives below the next step
        u, w, between = n0 + n1, p0 + p1, beyond - n1
        pu, tied, free = pos * u, neg * w, 2 * p1 * between
        t = neg * (u * w + n0 * p0 + n1 * p1) + 3 * p1 * between * (beyond + n1)
        return Sums(
            int(pos.sum()), int(upto[-1]) if upto.size else 0, int(pu.sum()), int(np.dot(pu, u)),
            int(tied.sum()) + int(free.sum()), int(np.dot(tied, w)) + 2 * int(np.dot(free, p1)), int(t.sum()),
        )  # fmt: skip


def steps_of(pos: Counts, neg: Counts) -> Steps:
    """The steps of distinct scores in ascending order; at most ``MOST_ROWS`` cases."""
    place = np.flatnonzero(pos)
    upto = np.cumsum(neg, dtype=np.int64)
    p, n = pos[place].astype(np.int64, copy=False), neg[place].astype(np.int64, copy=False)
    return Steps(place, p, n, np.cumsum(p) - p, upto[place] - n, upto)


def sums_of_labels(positive: Bools) -> Sums:
    r"""A block of at most ``MOST_ROWS`` cases in ascending order that all have a score of their own; O(n).

    The k-th positive, counted from 0, has u negatives below it and the N - u others above, which gives

    .. math:: \sum_n n w^2 = 4 \sum_k (2k + 1)(N - u_k), \qquad T = 3 \sum_k (N^2 - u_k^2)

    without a look at any negative.

    >>> sums_of_labels(np.array([False, True, False, True])).auc
    0.75
    """
    below = np.flatnonzero(positive)
    place = np.arange(below.size)
    below -= place
    pos, neg = below.size, positive.size - below.size
    total, squares, ranked = int(below.sum()), int(np.dot(below, below)), int(np.dot(place, below))
    return Sums(
        pos, neg, 2 * total, 4 * squares, 2 * (pos * neg - total), 4 * (neg * pos * pos - 2 * ranked - total),
        3 * (pos * neg * neg - squares),
    )  # fmt: skip


def sums_of_counts(pos: Counts, neg: Counts) -> Sums:
    """A block of distinct scores in ascending order; at most ``MOST_ROWS`` cases, O(number of scores).

    >>> sums_of_counts(np.array([0, 1, 1]), np.array([1, 1, 0])).auc
    0.875
    """
    return steps_of(pos, neg).sums()
