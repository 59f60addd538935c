"""Counts and weights of both classes at each distinct score: the one expensive step of every empirical curve.

Sorting everything and then fetching the labels would spend most of its time moving memory at random. Here the scores
come in order block by block (``_core/order.py``), and what is wanted of a block is counted while it is in the cache.
Scores of few decimals are not sorted at all (``_core/decimal_grid.py``). On
processors that sort whole numbers fast the labels of long arrays ride in them (``_core/packed_labels.py``) instead;
nothing but the time differs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.decimal_grid import DecimalGrid, decimal_grid
from roclab._core.order import STABLE_FROM, blocks_in_order, descending_order, full_parts
from roclab._core.packed_labels import packed_order, sorts_fast
from roclab._core.types import Array, Bools, Counts, Floats, Ints

__all__ = [
    "ScoreCounts",
    "count_by_score",
    "counts_in_order",
    "starts_of_runs",
    "sum_by_score",
    "weighed_blocks",
]

_TURNED = 1 << 16  # weights from which on making a matrix of them takes less time than it saves
_LONG = 1 << 12  # shorter arrays are counted before the speed of the processor would be known


class ScoreCounts(NamedTuple):
    """Distinct scores in descending order and how many positives and negatives have each."""

    score: Floats
    pos: Counts
    neg: Counts


def count_by_score(label: Bools, score: Array) -> ScoreCounts:
    """Positives and negatives at each distinct score, with one sort: O(n log n), O(n) for well-spread scores.

    ``score`` is a non-empty array of float32, float64 or any integer type, without NaN.
    """
    if score.dtype.kind in "iu":
        low, high = int(score.min()), int(score.max())
        if high - low <= 2 * score.size:
            return _count_narrow_integers(label, score, low, high)
    grid = decimal_grid(score)
    if grid is not None:
        return _count_places(label, grid)
    packed = packed_order(label, score) if _packs(score) else None
    if packed is not None:
        starts = starts_of_runs(packed.keys)
        pos, neg = _counts_of_runs(packed.labels, starts)
        return ScoreCounts(packed.scores(packed.keys if starts is None else packed.keys[starts]), pos, neg)
    found = _Columns(score.size, np.float64, np.int64, np.int64)
    for block in blocks_in_order(score, label.view(np.uint8)):
        starts = starts_of_runs(block.score)
        (ones,) = block.carried
        distinct = block.score if starts is None else block.score[starts]
        found.add(distinct, *_counts_of_runs(ones, starts))
    score, pos, neg = found.columns()
    score += 0.0  # -0.0 and 0.0 are one score, and shown as the latter
    return ScoreCounts(score, pos, neg)


def counts_in_order(label: Bools, score: Array) -> tuple[Counts, Counts | None]:
    """Positives and negatives at each distinct score from the top, without the scores themselves.

    For what depends on the order alone, such as the AUC. When every case has a score of its own the negatives are None
    and the positives are labels, False and True or 0 and 1.
    """
    if score.dtype.kind != "f":
        _, pos, neg = count_by_score(label, score)
        return pos, neg
    grid = decimal_grid(score)
    if grid is not None:
        _, pos, neg = _count_places(label, grid)
        return pos, neg
    packed = packed_order(label, score) if _packs(score) else None
    if packed is not None:
        starts = starts_of_runs(packed.keys)
        return (packed.labels, None) if starts is None else _counts_of_runs(packed.labels, starts)
    if score.size < STABLE_FROM:  # one block, whose making would cost more than its sort
        turn = descending_order(score)
        starts = starts_of_runs(score[turn])
        return (label[turn], None) if starts is None else _counts_of_runs(label[turn], starts)
    pieces = [(block.carried[0], starts_of_runs(block.score)) for block in blocks_in_order(score, label)]
    if all(starts is None for _, starts in pieces):
        return np.concatenate([ones for ones, _ in pieces]), None
    counts = [_counts_of_runs(ones, starts) for ones, starts in pieces]
    return np.concatenate([pos for pos, _ in counts]), np.concatenate([neg for _, neg in counts])


def _packs(score: Array) -> bool:
    return score.size >= _LONG and score.dtype.kind == "f" and sorts_fast()


def sum_by_score(label: Bools, score: Array, weight: Counts, *, squares: bool = False) -> list[ScoreCounts]:
    """Total weight of the positives and of the negatives at each distinct score, and of their squares; one sort."""
    found = _Columns(score.size, np.float64, *[weight.dtype] * (4 if squares else 2))
    for distinct, starts, pos, neg in weighed_blocks(label, score, weight):
        sums = [pos, neg, pos * pos, neg * neg] if squares else [pos, neg]
        found.add(distinct, *(sums if starts is None else (np.add.reduceat(each, starts) for each in sums)))
    score, *columns = found.columns()
    score += 0.0
    return [ScoreCounts(score, *columns[at : at + 2]) for at in range(0, len(columns), 2)]


def weighed_blocks(label: Bools, score: Array, weight: Counts) -> Iterator[tuple[Array, Ints | None, Counts, Counts]]:
    """Distinct falling scores, block by block, where each begins, and every row's weight as a positive and a negative.

    Rows of one score stay in their order. Whether a score of zero has its sign is not defined.
    """
    signed = weight * (label.view(np.int8) * np.int8(2) - np.int8(1))  # the label rides in the sign of the weight
    grid = decimal_grid(score) if score.size >= _TURNED else None
    for distinct, starts, both in _weighed(score, signed) if grid is None else _weighed_places(grid, signed):
        pos = np.maximum(both, 0)
        yield distinct, starts, pos, pos - both


_Weighed: TypeAlias = Iterator[tuple[Array, Ints | None, Counts]]


def _weighed(score: Array, signed: Counts) -> _Weighed:
    for block in blocks_in_order(score, signed):
        starts = starts_of_runs(block.score)
        yield block.score if starts is None else block.score[starts], starts, block.carried[0]


def _weighed_places(grid: DecimalGrid, signed: Counts) -> _Weighed:
    """The same for scores of few decimals: turning a sparse matrix with a row for each score is a counting sort."""
    from scipy.sparse import coo_array  # loading it takes longer than most calls, which have no weights

    rows = np.arange(signed.size, dtype=np.int32)
    matrix = coo_array((signed, (grid.place.astype(np.int32), rows)), shape=(grid.size, signed.size)).tocsr()
    for low, high in full_parts(np.diff(matrix.indptr).tolist()):
        ends = matrix.indptr[low : high + 1].astype(np.int64)
        seen = np.flatnonzero(ends[1:] != ends[:-1])
        yield grid.scores(low + seen), ends[seen] - ends[0], matrix.data[ends[0] : ends[-1]]


def starts_of_runs(ordered: Array) -> Ints | None:
    """Where each distinct value of a sorted array begins; None when all differ."""
    new = ordered[1:] != ordered[:-1]
    if np.count_nonzero(new) == new.size:
        return None
    last = new.nonzero()[0]  # of each run but the last one
    starts = np.zeros(last.size + 1, np.int64)
    np.add(last, 1, out=starts[1:])
    return starts


def _counts_of_runs(ones: Array, starts: Ints | None) -> tuple[Ints, Ints]:
    """Ones and zeros in each run of consecutive labels.

    A running total in cache-sized blocks, read off at the ends of the runs: ``np.add.reduceat`` costs several times
    more per run, and a whole-array running total costs its own memory again.
    """
    if starts is None:
        pos = ones.astype(np.int64)
        return pos, 1 - pos
    ends = np.empty_like(starts)
    ends[:-1], ends[-1] = starts[1:], ones.size
    pos = np.empty(starts.size, np.int64)
    before, done = 0, 0
    for part in blocks(ones.size):
        running = np.cumsum(ones[part], dtype=np.int64)
        running += before
        until = ends.size if part.stop == ones.size else int(np.searchsorted(ends, part.stop, side="right"))
        pos[done:until] = running[ends[done:until] - (part.start + 1)]
        before, done = int(running[-1]), until
    pos[1:] -= pos[:-1].copy()
    neg = ends - starts
    neg -= pos
    return pos, neg


def _count_narrow_integers(label: Bools, score: Array, low: int, high: int) -> ScoreCounts:
    """Ratings and other integers in a narrow range are counted without any sort."""
    place = (high - score.astype(np.int64)) * 2 + label
    table = np.bincount(place, minlength=2 * (high - low + 1)).reshape(-1, 2)
    seen = np.flatnonzero(table.any(axis=1))
    return ScoreCounts((high - seen).astype(np.float64), table[seen, 1], table[seen, 0])


def _count_places(label: Bools, grid: DecimalGrid) -> ScoreCounts:
    """Scores of few decimals are counted without any sort too."""
    both = grid.place * 2
    both += label
    table = np.bincount(both, minlength=2 * grid.size).reshape(-1, 2)
    seen = np.flatnonzero(table.any(axis=1))
    return ScoreCounts(grid.scores(seen), table[seen, 1], table[seen, 0])


class _Columns:
    """Columns that are filled from the top; memory that is never written to costs nothing."""

    def __init__(self, length: int, *kinds: Any) -> None:
        self._columns = [np.empty(length, kind) for kind in kinds]
        self._length = 0

    def add(self, *pieces: Array) -> None:
        end = self._length + pieces[0].size
        for column, piece in zip(self._columns, pieces, strict=True):
            column[self._length : end] = piece
        self._length = end

    def columns(self) -> list[Array]:
        """What was filled, without the rest of the memory where that is worth a copy."""
        if self._length == self._columns[0].size:
            return self._columns
        return [column[: self._length].copy() for column in self._columns]
