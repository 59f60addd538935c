"""Scores of two classes that lie in memory in any order, as one sequence of rows in ascending order, or as their sums.

The range of all scores is cut into two hundred and fifty-six, the rows of a range are brought together by counting
(``_core/levels.py``), and then ranges are put in order one after another by ``_core/order.py``, several at a time. What
needs no copy of everything: a case takes its nine bytes and those of a few ranges beside it. Rows may be cut while
others are still being read, by the range of the first of them; where that turns out to leave many outside, as in a file
that is sorted, all are cut again. Where only the area and its variance are asked for, a range is summed where it is
sorted, in the same thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from roclab._core.label_sort import counts_in_order
from roclab._core.levels import Levels, levels_between
from roclab._core.order import Block, blocks_in_order
from roclab._core.packed_labels import sorts_fast
from roclab._core.types import Bools, Floats
from roclab._core.work import in_order, leave_if_stopped
from roclab.engines.scan import Scan
from roclab.engines.sums import EMPTY, MOST_ROWS, Sums, sums_of_counts, sums_of_labels

__all__ = ["PIECE", "InRanges", "Labelled", "Sorted"]

Sorted = tuple[Floats, Bools]  # scores in ascending order, and which of them are positive
Labelled = tuple[Floats, Bools]  # scores in any order, and which of them are positive

PIECE = 1_000_000  # scores that are read, or merged, at once
_BITS = 8  # of the number of a range
_CROWDED = 1 << 21  # scores of a range of which the positions, which are sorted instead, would take too much memory
_SAMPLE = 1000  # scores of a part that tell how to cut the range
_FEW_INSIDE = 8  # one row in so many may lie outside


class _Ranges(NamedTuple):
    """Where the range of scores is cut; scores beyond its ends belong to the first and the last part."""

    levels: Levels
    low: float
    high: float

    def cut(self, score: Floats, positive: Bools) -> _Cut:
        """Rows in any order, those of a range together."""
        inside = score
        if score.min() < self.low or score.max() > self.high:
            inside = np.clip(score, self.low, self.high)
        number = self.levels.of(inside)
        order = np.argsort(number, kind="stable")
        starts = np.searchsorted(number[order], np.arange(1 << _BITS, dtype=number.dtype))
        outside = 0 if inside is score else int(np.count_nonzero(inside != score))
        return _Cut(score[order], positive[order], [*starts.tolist(), score.size], outside)


class _Cut(NamedTuple):
    """A part of the rows by ranges, where each range begins in it, and how many rows lie outside of all."""

    score: Floats
    positive: Bools
    starts: list[int]
    outside: int


class InRanges:
    """Rows in memory, cut into ranges of the score; O(n) for well-spread scores."""

    def __init__(self, *, workers: int = 1) -> None:
        self.workers = workers
        self._ranges: _Ranges | None = None
        self._cuts: list[_Cut] = []
        self._most = 0 if sorts_fast() else _CROWDED

    def add(self, parts: list[Labelled]) -> None:
        """Some rows, cut at once as one part; the list is emptied to let go of memory."""
        score, positive = (np.concatenate(column) for column in zip(*parts, strict=True))
        parts.clear()
        if score.size:
            self._ranges = self._ranges or _ranges_of([score])
            self._cuts.append(self._ranges.cut(score, positive))

    def add_all(self, parts: list[Labelled]) -> None:
        """The parts of a list, each cut by itself, several at a time; the list is emptied too."""
        left = [part for part in parts if part[0].size]
        parts.clear()
        if not left:
            return
        ranges = self._ranges or _ranges_of([score for score, _ in left])

        def cut(at: int) -> _Cut:
            leave_if_stopped()
            (score, positive), left[at] = left[at], (np.empty(0), np.empty(0, np.bool_))
            return ranges.cut(score, positive)

        self._ranges = ranges
        self._cuts.extend(in_order(cut, range(len(left)), workers=self.workers, waiting=2 * self.workers))

    def taken(self) -> list[Labelled]:
        """All rows in any order, which are no longer here."""
        rows = [(one.score, one.positive) for one in self._cuts]
        self._cuts.clear()
        self._ranges = None
        return rows

    def _settle(self) -> None:
        """Cut once more where the first rows did not tell the range of all."""
        if _FEW_INSIDE * sum(one.outside for one in self._cuts) > sum(one.score.size for one in self._cuts):
            self.add_all(self.taken())

    def _rows_of(self, number: int) -> Labelled:
        """The rows of a range, in any order."""
        leave_if_stopped()
        runs = [(one, slice(one.starts[number], one.starts[number + 1])) for one in self._cuts]
        score = np.concatenate([one.score[run] for one, run in runs])
        return score, np.concatenate([one.positive[run] for one, run in runs])

    def rows(self) -> Iterator[Sorted]:
        """All rows in ascending order, in whole ranges; only where one is crowded a piece may end in a tie."""
        self._settle()
        for rows in in_order(self._sorted, self._numbers, workers=self.workers, waiting=2 * self.workers):
            yield from rows

    def _sorted(self, number: int) -> Iterator[Sorted]:
        score, positive = self._rows_of(number)
        return iter([_ordered(score, positive)]) if score.size <= self._most else _merged(score, positive)

    def sums(self) -> Iterator[Sums]:
        """The sums of every range, ascending."""
        self._settle()
        yield from in_order(self._summed, self._numbers, workers=self.workers, waiting=2 * self.workers)

    def _summed(self, number: int) -> Sums:
        if sum(one.starts[number + 1] - one.starts[number] for one in self._cuts) > MOST_ROWS:
            scan = Scan(n_pos=0, n_neg=0, only_sums=True)
            for rows in self._sorted(number):
                scan.add(*rows)
            return scan.sums()
        score, positive = self._rows_of(number)
        if not score.size:
            return EMPTY
        pos, neg = counts_in_order(positive, score)
        return sums_of_labels(pos[::-1]) if neg is None else sums_of_counts(pos[::-1], neg[::-1])

    @property
    def _numbers(self) -> range:
        return range((1 << _BITS) - 1, -1, -1) if self._cuts else range(0)  # levels fall as scores rise


def _ranges_of(parts: list[Floats]) -> _Ranges:
    """The cut that spreads a sample best: even, or by the bits of the scores."""
    low, high = (float(end([end(part) for part in parts])) for end in (np.min, np.max))
    sample = np.concatenate([part[:: max(part.size // _SAMPLE, 1)] for part in parts])
    ways = [levels_between(low, high, _BITS, by_bits=by_bits) for by_bits in (False, True)]
    levels = min((way for way in ways if way is not None), key=lambda way: np.bincount(way.of(sample)).max())
    return _Ranges(levels, low, high)


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
