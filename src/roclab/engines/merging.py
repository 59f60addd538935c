"""Scores of two classes that lie in memory in any order, as one sequence of rows in ascending order, or as their sums.

The range of all scores is cut into a hundred and twenty-eight, the rows of a range are brought together by counting
(``_core/levels.py``), and then ranges are put in order one after another by ``_core/order.py``, several at a time. What
needs no copy of everything: a case takes its nine bytes and those of a few ranges beside it. Where only the area and
its variance are asked for, a range is summed where it is sorted, in the same thread.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from roclab._core.levels import Levels, levels_between
from roclab._core.order import Block, blocks_in_order
from roclab._core.packed_labels import sorts_fast
from roclab._core.types import Array, Bools, Floats
from roclab._core.work import in_order, leave_if_stopped
from roclab.engines.scan import Scan, groups_of_sorted
from roclab.engines.sums import MOST_ROWS, Sums, merged, sums_of_counts, sums_of_labels

__all__ = ["PIECE", "InRanges", "Labelled", "Sorted"]

Sorted = tuple[Floats, Bools]  # scores in ascending order, and which of them are positive
Labelled = tuple[Floats, Bools]  # scores in any order, and which of them are positive

PIECE = 1_000_000  # scores that are read, or merged, at once
_BITS = 7
_CROWDED = 1 << 21  # scores of a range of which the positions, which are sorted instead, would take too much memory
_SAMPLE = 1000  # scores of a part that tell how to cut the range


class InRanges:
    """Rows in memory, cut into ranges of the score; the list they come in is emptied, to let go of memory.

    O(n) for well-spread scores.
    """

    def __init__(self, parts: list[Labelled], *, workers: int = 1) -> None:
        self.workers = workers
        left = [part for part in parts if part[0].size]
        parts.clear()
        levels = _levels_of([score for score, _ in left])
        self._cuts: list[
            tuple[Floats, Bools, Array]
        ] = []  # scores and flags of a part by ranges, and where each begins

        def cut(at: int) -> tuple[Floats, Bools, Array]:
            leave_if_stopped()
            (score, positive), left[at] = left[at], (np.empty(0), np.empty(0, np.bool_))
            number = levels.of(score)
            ends = np.cumsum(np.bincount(number, minlength=1 << _BITS))
            order = np.argsort(number, kind="stable")
            return score[order], positive[order], np.concatenate([[0], ends])

        if left:
            self._cuts.extend(in_order(cut, range(len(left)), workers=workers, waiting=2 * workers))
        self._most = 0 if sorts_fast() else _CROWDED

    def _rows_of(self, number: int) -> Labelled:
        """The rows of a range, in any order."""
        leave_if_stopped()
        pieces = [(score[starts[number] : starts[number + 1]], flags[starts[number] : starts[number + 1]])
                  for score, flags, starts in self._cuts]  # fmt: skip
        return np.concatenate([score for score, _ in pieces]), np.concatenate([flags for _, flags in pieces])

    def rows(self) -> Iterator[Sorted]:
        """All rows in ascending order, in whole ranges; only where one is crowded a piece may end in a tie."""

        def of_range(number: int) -> Iterator[Sorted]:
            score, positive = self._rows_of(number)
            return iter([_ordered(score, positive)]) if score.size <= self._most else _merged(score, positive)

        for rows in in_order(of_range, self._ranges, workers=self.workers, waiting=2 * self.workers):
            yield from rows

    def sums(self) -> Iterator[Sums]:
        """The sums of every range, ascending."""

        def of_range(number: int) -> Sums:
            score, positive = self._rows_of(number)
            if score.size > self._most:
                scan = Scan(n_pos=0, n_neg=0, only_sums=True)
                for rows in _merged(score, positive):
                    scan.add(*rows)
                return scan.sums()
            blocks = [_sums_of(block.score[::-1], block.carried[0][::-1]) for block in _blocks(score, positive)]
            return merged(reversed(blocks))

        yield from in_order(of_range, self._ranges, workers=self.workers, waiting=2 * self.workers)

    @property
    def _ranges(self) -> range:
        return range((1 << _BITS) - 1, -1, -1) if self._cuts else range(0)  # levels fall as scores rise


def _sums_of(score: Floats, positive: Bools) -> Sums:
    """The sums of rows in ascending order."""
    if score.size > MOST_ROWS:
        scan = Scan(n_pos=0, n_neg=0, only_sums=True)
        scan.add(score, positive)
        return scan.sums()
    if (score[1:] != score[:-1]).all():
        return sums_of_labels(positive)
    return sums_of_counts(*groups_of_sorted(score, positive)[1:])


def _levels_of(parts: list[Floats]) -> Levels:
    """The cut that spreads a sample best: even, or by the bits of the scores."""
    if not parts:
        return Levels(_BITS, 0.0, 0.0, 0)
    low, high = (float(end([end(part) for part in parts])) for end in (np.min, np.max))
    sample = np.concatenate([part[:: max(part.size // _SAMPLE, 1)] for part in parts])
    ways = [levels_between(low, high, _BITS, by_bits=by_bits) for by_bits in (False, True)]
    return min((way for way in ways if way is not None), key=lambda way: np.bincount(way.of(sample)).max())


def _blocks(score: Floats, positive: Bools) -> Iterator[Block]:
    return blocks_in_order(score, positive) if score.size else iter(())


def _ordered(score: Floats, positive: Bools) -> Sorted:
    """Rows in ascending order."""
    size = score.size
    found, flags = np.empty(size), np.empty(size, np.bool_)
    for block in _blocks(score, positive):
        to = slice(size - block.part.stop, size - block.part.start)
        found[to], flags[to] = block.score[::-1], block.carried[0][::-1]
    return found, flags


def _merged(score: Floats, positive: Bools) -> Iterator[Sorted]:
    """Rows in ascending order, sorted where they lie, the two classes apart: for many, or where that is fast."""
    neg, pos = score[~positive], score[positive]
    neg.sort()
    pos.sort()
    return merged_rows(neg, pos)


def merged_rows(neg: Floats, pos: Floats) -> Iterator[Sorted]:
    """Two sorted arrays as one sequence of rows, in pieces; O(n) and no longer copy than a piece."""
    at_neg = at_pos = 0
    half = PIECE // 2
    while at_neg < neg.size or at_pos < pos.size:
        leave_if_stopped()
        to_neg = min(at_neg + half, neg.size)
        if to_neg == neg.size:
            to_pos = min(at_pos + half, pos.size)
            if to_pos < pos.size and at_neg < neg.size:
                # negatives beyond the positives of this piece wait; those of a tie may have gone before
                to_neg = max(int(np.searchsorted(neg, pos[to_pos], side="left")), at_neg)
        else:
            to_pos = int(np.searchsorted(pos, neg[to_neg], side="left"))
            if to_pos - at_pos > half:
                to_pos = at_pos + half
                to_neg = max(int(np.searchsorted(neg, pos[to_pos], side="left")), at_neg)
        yield _one_piece(neg[at_neg:to_neg], pos[at_pos:to_pos])
        at_neg, at_pos = to_neg, to_pos


def _one_piece(neg: Floats, pos: Floats) -> Sorted:
    score, positive = np.empty(neg.size + pos.size), np.zeros(neg.size + pos.size, np.bool_)
    positive[np.searchsorted(neg, pos) + np.arange(pos.size)] = True
    score[positive], score[~positive] = pos, neg
    return score, positive
