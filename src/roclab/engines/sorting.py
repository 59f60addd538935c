"""Sorting scores that do not fit into memory: the two classes apart, in ranges of the score that do.

Rows arrive in any order. While they fit, the scores of either class lie in one array each, and NumPy's sort puts them
in order where they lie: eight bytes a case. When they do not, scores are dealt out to files by ranges, which are
then sorted one after another; a range that turned out too large is dealt out again. A range of one score is only
counted. Ties never cross a range, and the result does not depend on the order of rows or on where ranges end.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from roclab._core.types import Array, Bools, Floats
from roclab._core.work import in_order, leave_if_stopped

__all__ = ["ClassSort", "Sorted", "merged_rows"]

Sorted = tuple[Floats, Bools]  # scores in ascending order, and which of them are positive

_SLICE = 500_000  # negatives of one merged piece: small enough for the cache
_RANGES = 16  # files of either class that are dealt out to at once


class ClassSort:
    """Collect scores of two classes, then read them in ascending order.

    Parameters
    ----------
    capacity : int
        Scores that may lie in memory.
    spill : Path
        An empty folder for what does not fit.
    """

    def __init__(self, capacity: int, spill: Path, *, workers: int = 1) -> None:
        self.capacity = max(int(capacity), 2 * _RANGES)
        self.spill = spill
        self.workers = workers
        self._kept: tuple[list[Floats], list[Floats]] = ([], [])  # negatives and positives in memory
        self._held = 0
        self._ends: Floats | None = None  # ends of the ranges, once scores are dealt out
        self._sizes = np.zeros((2, 0), np.int64)

    def add(self, score: Array, positive: Array) -> None:
        """Rows in any order."""
        positive = positive.astype(np.bool_, copy=False)
        for side, values in enumerate((score[~positive], score[positive])):
            self._kept[side].append(values.astype(np.float64, copy=False))
        self._held += score.size
        if self._held > self.capacity:
            self._deal()

    def _deal(self) -> None:
        """Empty the memory into the files of the ranges."""
        if self._ends is None:
            self._ends = _ends_of_ranges(np.concatenate([*self._kept[0], *self._kept[1]]))
            self._sizes = np.zeros((2, self._ends.size + 1), np.int64)
        for side in (0, 1):
            for values in self._kept[side]:
                leave_if_stopped()
                self._deal_out(side, values)
            self._kept[side].clear()
        self._held = 0

    def _deal_out(self, side: int, values: Floats) -> None:
        assert self._ends is not None
        place = np.searchsorted(self._ends, values, side="right").astype(np.uint8)
        order = np.argsort(place, kind="stable")
        sizes = np.bincount(place, minlength=self._ends.size + 1)
        for at, part in enumerate(np.split(values[order], np.cumsum(sizes)[:-1])):
            if part.size:
                with open(self._file(side, at), "ab") as out:
                    part.tofile(out)
        self._sizes[side] += sizes

    def _file(self, side: int, at: int) -> Path:
        return self.spill / f"{at}.{side}"

    def rows(self) -> Iterator[Sorted]:
        """All rows in ascending order, in pieces that never cut a tie of different classes in an unknown way."""
        if self._ends is None:
            yield from self._halves()
            return
        self._deal()
        for at in range(self._ends.size + 1):
            if self._sizes[:, at].sum() > self.capacity:
                yield from self._again(at)
            else:
                neg, pos = (self._read(side, at) for side in (0, 1))
                yield from self._sorted(neg, pos)
            for side in (0, 1):
                self._file(side, at).unlink(missing_ok=True)

    def _halves(self) -> Iterator[Sorted]:
        """What lies in memory, as two ranges of about equal size: threads sort one while the other is read."""
        pivot = _middle(self._kept[0] or self._kept[1])
        counts = [[int(np.count_nonzero(part < pivot)) for part in self._kept[side]] for side in (0, 1)]
        halves = [_split(self._kept[side], counts[side], pivot) for side in (0, 1)]
        every = [half[at] for at in (0, 1) for half in halves]
        sorting = in_order(lambda one: one.sort(), every, workers=self.workers)
        for at in (0, 1):
            for _ in halves:
                next(sorting)
            yield from merged_rows(halves[0][at], halves[1][at])

    def _sorted(self, neg: Floats, pos: Floats) -> Iterator[Sorted]:
        for _ in in_order(lambda one: one.sort(), (neg, pos), workers=self.workers):
            pass
        yield from merged_rows(neg, pos)

    def _read(self, side: int, at: int) -> Floats:
        return np.fromfile(self._file(side, at)) if self._sizes[side, at] else np.empty(0)

    def _again(self, at: int) -> Iterator[Sorted]:
        """A range that is too large: dealt out again, or only counted where it is one score."""
        inner = self.spill / f"{at}.again"
        inner.mkdir()
        ends = [self._chunk_ends(side, at) for side in (0, 1) if self._sizes[side, at]]
        low, high = min(low for low, _ in ends), max(high for _, high in ends)
        if low == high:
            for side in (0, 1):
                left = int(self._sizes[side, at])
                while left:
                    size = min(left, 2 * _SLICE)
                    yield np.full(size, low), np.full(size, bool(side))
                    left -= size
        else:
            sort = ClassSort(self.capacity, inner, workers=self.workers)
            for side in (0, 1):
                for values in self._chunks(side, at):
                    sort.add(values, np.full(values.size, bool(side)))
            yield from sort.rows()
        inner.rmdir()

    def _chunks(self, side: int, at: int) -> Iterator[Floats]:
        if not self._sizes[side, at]:
            return
        with open(self._file(side, at), "rb") as source:
            while (values := np.fromfile(source, count=max(self.capacity // 4, 1))).size:
                yield values

    def _chunk_ends(self, side: int, at: int) -> tuple[float, float]:
        ends = [(float(values.min()), float(values.max())) for values in self._chunks(side, at)]
        return min(low for low, _ in ends), max(high for _, high in ends)


def _middle(parts: list[Floats]) -> float:
    """About the median of what was collected."""
    some = np.concatenate([part[:: max(part.size // 1000, 1)] for part in parts]) if parts else np.empty(0)
    return float(np.median(some)) if some.size and np.isfinite(some).all() else 0.0


def _split(parts: list[Floats], below: list[int], pivot: float) -> tuple[Floats, Floats]:
    """Two arrays of many, below the pivot and not; parts are let go on the way, so that no two copies stay."""
    total = sum(part.size for part in parts)
    low, high = np.empty(sum(below)), np.empty(total - sum(below))
    at_low = at_high = 0
    parts.reverse()
    for count in below:
        part = parts.pop()
        smaller = part < pivot
        low[at_low : at_low + count] = part[smaller]
        high[at_high : at_high + part.size - count] = part[~smaller]
        at_low, at_high = at_low + count, at_high + part.size - count
    return low, high


def _ends_of_ranges(values: Floats) -> Floats:
    """Scores that cut what has been seen into nearly equal ranges; a frequent score has a range of its own."""
    step = max(values.size // 100_000, 1)
    some = np.sort(values[::step])
    places = np.linspace(0, some.size - 1, _RANGES + 1).astype(np.int64)[1:-1]
    ends, count = np.unique(some[places], return_counts=True)
    frequent = ends[count > 1]
    every: Floats = np.unique(np.concatenate([ends, np.nextafter(frequent, np.inf)]))
    if every.size == 1:  # nearly all are alike: below, at and above
        every = np.array([every[0], np.nextafter(every[0], np.inf)])
    return every


def merged_rows(neg: Floats, pos: Floats) -> Iterator[Sorted]:
    """Two sorted arrays as one sequence of rows, in pieces; O(n) and no longer copy than a piece."""
    at_neg = at_pos = 0
    while at_neg < neg.size or at_pos < pos.size:
        leave_if_stopped()
        to_neg = min(at_neg + _SLICE, neg.size)
        if to_neg == neg.size:
            to_pos = min(at_pos + _SLICE, pos.size)
            if to_pos < pos.size and at_neg < neg.size:
                # negatives beyond the positives of this piece wait; those of a tie may have gone before
                to_neg = max(int(np.searchsorted(neg, pos[to_pos], side="left")), at_neg)
        else:
            to_pos = int(np.searchsorted(pos, neg[to_neg], side="left"))
            if to_pos - at_pos > _SLICE:
                to_pos = at_pos + _SLICE
                to_neg = max(int(np.searchsorted(neg, pos[to_pos], side="left")), at_neg)
        yield _one_piece(neg[at_neg:to_neg], pos[at_pos:to_pos])
        at_neg, at_pos = to_neg, to_pos


def _one_piece(neg: Floats, pos: Floats) -> Sorted:
    score, positive = np.empty(neg.size + pos.size), np.zeros(neg.size + pos.size, np.bool_)
    positive[np.searchsorted(neg, pos) + np.arange(pos.size)] = True
    score[positive], score[~positive] = pos, neg
    return score, positive
