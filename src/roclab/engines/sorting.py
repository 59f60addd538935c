"""Sorting scores that do not fit into memory: the two classes apart, in ranges of the score that do.

Rows arrive in any order. While they fit, they lie in memory, nine bytes a case. When they do not, scores are dealt out
to files by ranges, which are then sorted one after another; a range that turned out too large is dealt out again. A
range of one score is only counted. Ties never cross a range, and the result does not depend on the order of rows or on
where ranges end. How scores in memory are put in order, ``merging.py`` says.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from roclab._core.types import Array, Floats
from roclab._core.work import leave_if_stopped
from roclab.engines.merging import PIECE, InRanges, Labelled, Sorted
from roclab.engines.sums import Sums

__all__ = ["CASE", "ClassSort"]

CASE = 9  # bytes of a case in memory: its score and its class

_RANGES = 16  # files of either class that are dealt out to at once
_AT_ONCE = 1 << 18  # rows that are cut into ranges together: with fewer, Python would have too many parts to join


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
        self._kept: list[Labelled] = []  # in memory, as they came
        self._waiting = 0  # of them
        self._ranged = InRanges(workers=workers)  # in memory, cut into ranges
        self._held = 0
        self._ends: Floats | None = None  # ends of the ranges, once scores are dealt out
        self._sizes = np.zeros((2, 0), np.int64)

    def add(self, score: Array, positive: Array) -> None:
        """Rows in any order, with flags of 0 and 1."""
        flags = positive.view(np.bool_) if positive.dtype.itemsize == 1 else positive.astype(np.bool_)
        self._kept.append((score.astype(np.float64, copy=False), flags))
        self._held += score.size
        self._waiting += score.size
        if self._held > self.capacity:
            self._deal()
        elif self._waiting >= _AT_ONCE and self._ends is None:
            self._ranged.add(self._kept)
            self._waiting = 0

    def _deal(self) -> None:
        """Empty the memory into the files of the ranges."""
        self._kept += self._ranged.taken()
        if self._ends is None:
            self._ends = _ends_of_ranges(np.concatenate([score for score, _ in self._kept]))
            self._sizes = np.zeros((2, self._ends.size + 1), np.int64)
        for score, positive in self._kept:
            for side, values in enumerate((score[~positive], score[positive])):
                leave_if_stopped()
                self._deal_out(side, values)
        self._kept.clear()
        self._held = self._waiting = 0

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

    def sums(self) -> Iterator[Sums]:
        """The sums of ranges of scores that lie in memory, ascending; rows can still be asked for."""
        assert self._ends is None
        return self._in_ranges().sums()

    def _in_ranges(self) -> InRanges:
        self._ranged.add_all(self._kept)
        return self._ranged

    def rows(self) -> Iterator[Sorted]:
        """All rows in ascending order, in pieces that never cut a tie of different classes in an unknown way."""
        if self._ends is None:
            yield from self._in_ranges().rows()
            return
        self._deal()
        for at in range(self._ends.size + 1):
            if self._sizes[:, at].sum() > self.capacity:
                yield from self._again(at)
            else:
                parts = [(values, np.full(values.size, bool(side))) for side in (0, 1)
                         for values in self._chunks(side, at, PIECE)]  # fmt: skip
                ranged = InRanges(workers=self.workers)
                ranged.add_all(parts)
                yield from ranged.rows()
            for side in (0, 1):
                self._file(side, at).unlink(missing_ok=True)

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
                    size = min(left, PIECE)
                    yield np.full(size, low), np.full(size, bool(side))
                    left -= size
        else:
            sort = ClassSort(self.capacity, inner, workers=self.workers)
            for side in (0, 1):
                for values in self._chunks(side, at, self.capacity // 4):
                    sort.add(values, np.full(values.size, bool(side)))
            yield from sort.rows()
        inner.rmdir()

    def _chunks(self, side: int, at: int, size: int) -> Iterator[Floats]:
        if not self._sizes[side, at]:
            return
        with open(self._file(side, at), "rb") as source:
            while (values := np.fromfile(source, count=size)).size:
                yield values

    def _chunk_ends(self, side: int, at: int) -> tuple[float, float]:
        ends = [(float(values.min()), float(values.max())) for values in self._chunks(side, at, self.capacity // 4)]
        return min(low for low, _ in ends), max(high for _, high in ends)


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
