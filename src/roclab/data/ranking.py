"""One ranking of a score: its tally, and the place of every case in it.

Comparing scores of the same cases needs both. One sort gives them; counting and placing apart would sort twice.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roclab._core.order import descending_order
from roclab._core.types import Array, Bools, Counts, Floats, Ints
from roclab.data.tally import Tally
from roclab.results import Sample

__all__ = ["Ranking", "rank_cases"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranking:
    """Cases in descending order of a score, and the distinct scores with their counts."""

    tally: Tally
    order: Ints  # positions of the cases, highest score first
    label: Bools  # of the cases in that order
    group: Ints | None  # which distinct score each of them has; None when all differ

    def spread(self, pos: Floats, neg: Floats) -> Floats:
        """To every case, in the order of the rows, the value that its score and its class have."""
        if self.group is not None:
            pos, neg = pos[self.group], neg[self.group]
        out = np.empty(self.order.size)
        out[self.order] = np.where(self.label, pos, neg)
        return out

    @property
    def places(self) -> Ints:
        """Number of every case's distinct score, in the order of the rows."""
        out = np.empty(self.order.size, np.int64)
        out[self.order] = np.arange(self.order.size) if self.group is None else self.group
        return out


def rank_cases(label: Bools, score: Array, *, weight: Counts | None, sample: Sample) -> Ranking:
    """Rank validated cases by a score that means positive where it is high: one sort, O(n log n).

    Cases of weight zero keep a place, but have no say: the tally counts them with nothing.
    """
    order = descending_order(score)
    ordered = score[order]
    first = np.empty(ordered.size, np.bool_)
    first[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    starts = np.flatnonzero(first)
    positive = label[order]
    tied = starts.size < ordered.size
    group = np.cumsum(first, dtype=np.int64) - 1 if tied else None
    counts: list[Counts] = []
    squares: list[Floats] = []
    of_case = None if weight is None else weight[order]
    for side in (positive, ~positive):
        counts.append(_totals(side, of_case, starts, tied=tied))
        if of_case is not None and of_case.dtype.kind == "f":
            squares.append(_totals(side, of_case**2, starts, tied=tied))
    tally = Tally(
        score=ordered[starts].astype(np.float64) + 0.0,
        pos=counts[0],
        neg=counts[1],
        sample=sample,
        pos_squares=squares[0] if squares else None,
        neg_squares=squares[1] if squares else None,
    )
    return Ranking(tally=tally, order=order, label=positive, group=group)


def _totals(side: Bools, weight: Counts | None, starts: Ints, *, tied: bool) -> Counts:
    """Cases of one class, or their weight, at each distinct score."""
    if weight is not None:
        mine = np.where(side, weight, np.zeros((), weight.dtype))
        return np.add.reduceat(mine, starts) if tied else mine
    if not tied:
        return side.astype(np.int64)
    running = np.cumsum(side, dtype=np.int64)
    return np.diff(running[np.append(starts[1:], side.size) - 1], prepend=0)
