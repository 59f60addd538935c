"""The order of scores, faster than ``np.argsort`` and than ``np.sort``.

NumPy sorts small unsigned integers by counting them (a radix sort), several times faster than it compares floats, as
long as what it sorts stays in the processor's cache. So scores are made small integers, coarse ones first:

1. The range of the scores is cut into 256 equal parts. Each score gets the number of its part, and counting sorts of
   the numbers, piece by piece, bring the rows of a part together, with all that they carry. Small neighbouring parts
   are joined; a part that is still too long for the cache is cut up again, by the bits of its scores where it holds
   most of them, as skewed ones have it.
2. The scores of a part, some thousand, are spread over 2³² whole numbers by their own range, and two counting sorts, of
   the lower and of the upper sixteen bits, put them in order.
3. Subtracting, multiplying by a positive number and truncating never turn two scores round, but may make two of them
   one. Such scores are found by one comparison of neighbours and put right run by run. Where they are not rare, their
   bits are tried, and last of all ``np.argsort``.

Scores of few decimals are whole numbers already (``_core/decimal_grid.py``), and one counting sort orders them.

From ``STABLE_FROM`` scores on, every step keeps equal scores in the order of their rows. The twin in the tests is
``np.argsort`` itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.decimal_grid import decimal_grid
from roclab._core.levels import levels_between
from roclab._core.types import Array, Ints

__all__ = ["STABLE_FROM", "Block", "blocks_in_order", "descending_order", "full_parts"]

STABLE_FROM = 1 << 11  # below this NumPy's own sort of positions is faster, which scrambles equal scores
_CACHED = 1 << 14  # up to here one counting sort of everything is faster than parts
_PIECE = 1 << 17  # rows that change places with one another while they are in the cache
_COUNTED = 1 << 16  # places on a grid that one counting sort tells apart
_DEPTH = 6  # how often a crowded part is cut up again


class Block(NamedTuple):
    """Rows whose scores follow one another in the falling order, and no other row's score lies between."""

    part: slice  # where they stand in that order
    score: Array  # in falling order
    carried: list[Array]  # what else belongs to these rows, in the same order


def blocks_in_order(score: Array, *carried: Array) -> Iterator[Block]:
    """The scores from the highest to the lowest, in blocks that mostly fit into the cache; O(n) for well-spread scores.

    ``score`` is a non-empty array of any integer or float type without NaN; integers up to 2⁵³ keep every distinction.
    ``carried`` are arrays of the same length, brought into the same order. Equal scores are in one block; up to some
    thousand scores their order among themselves is not defined.
    """
    real = score.astype(np.float64, copy=False)
    if real.size >= STABLE_FROM:
        return _cut_up([real, *carried], 0, 0, by_bits=False)
    turn = real.argsort()[::-1]
    return iter((Block(slice(0, real.size), real[turn], [each[turn] for each in carried]),))


def descending_order(score: Array) -> Ints:
    """Positions of the scores from the highest to the lowest; equal ones in their own order from ``STABLE_FROM`` on.

    >>> descending_order(np.array([0.5, -np.inf, 2.0])).tolist()
    [2, 0, 1]
    """
    if score.size < STABLE_FROM:
        return score.argsort()[::-1]
    grid = decimal_grid(score)
    if grid is not None and grid.size <= _COUNTED:
        return np.argsort(grid.place.astype(np.uint16), kind="stable")
    order = np.empty(score.size, np.int64)
    for block in blocks_in_order(score, np.arange(score.size)):
        (order[block.part],) = block.carried
    return order


def _cut_up(columns: list[Array], start: int, depth: int, *, by_bits: bool) -> Iterator[Block]:
    """Blocks of scores, the first column, that stand at ``start`` of the whole order, and of what they carry."""
    score, *carried = columns
    size = score.size
    cut = None if size <= _CACHED or depth == _DEPTH else _cut_of(score, by_bits=by_bits)
    if cut is None:
        turn, ordered = _order_of_part(score, by_bits=by_bits)
        yield Block(slice(start, start + size), ordered, [each[turn] for each in carried])
        return
    for part in _parts_by_level(cut, columns):
        crowded = part[0].size > size // 2
        yield from _cut_up(part, start, depth + 1, by_bits=cut.by_bits != crowded)
        start += part[0].size


class _Cut(NamedTuple):
    """The level of every row, and how many rows each level has in each piece of the array."""

    number: Array
    counts: Ints
    by_bits: bool

    @property
    def crowd(self) -> int:
        return int(self.counts.sum(axis=0).max())


def _cut_of(score: Array, *, by_bits: bool) -> _Cut | None:
    """The range of the scores cut into 256 levels, by their bits or not; the other way if that crowds fewer of them."""
    found: _Cut | None = None
    for bits in (by_bits, not by_bits):
        number = _levels(score, 8, by_bits=bits)
        if number is None:
            continue
        counts = np.array([np.bincount(number[piece], minlength=256) for piece in blocks(score.size, _PIECE)])
        cut = _Cut(number, counts, bits)
        if found is None or cut.crowd < found.crowd:
            found = cut
        if found.crowd <= score.size // 2:
            break
    return found


def _parts_by_level(cut: _Cut, columns: list[Array]) -> Iterator[list[Array]]:
    """The rows of neighbouring levels together, parts of some thousand; those of a level stay in order.

    Fetching the rows of a part from all over a long array would wait for the memory at every row. So rows of long
    arrays first change places within pieces that fit into the cache; what a part has in each piece is then one run.
    """
    ends = np.zeros((len(cut.counts), 257), np.int64)  # of every level in every piece
    np.cumsum(cut.counts, axis=1, out=ends[:, 1:])
    parts = full_parts(cut.counts.sum(axis=0).tolist())
    if len(ends) == 1:
        first = np.argsort(cut.number, kind="stable")
        for low, high in parts:
            rows = first[ends[0, low] : ends[0, high]]
            yield [column[rows] for column in columns]
        return
    grouped = [np.empty_like(column) for column in columns]
    for at, piece in enumerate(blocks(cut.number.size, _PIECE)):
        first = np.argsort(cut.number[piece], kind="stable")
        for column, room in zip(columns, grouped, strict=True):
            np.take(column[piece], first, out=room[piece], mode="clip")  # no place is out of range: none is checked
        ends[at] += piece.start
    for low, high in parts:
        runs = [slice(*run) for run in ends[:, [low, high]].tolist()]
        yield [np.concatenate([column[run] for run in runs]) for column in grouped]


def full_parts(counts: list[int]) -> Iterator[tuple[int, int]]:
    """Neighbouring levels joined until they are worth a sort of their own, from one to another; a crowded one alone."""
    begin = length = 0
    for level, count in enumerate(counts):
        if length and length + count > _CACHED:
            yield begin, level
            begin, length = level, 0
        length += count
    if length:
        yield begin, len(counts)


def _levels(score: Array, bits: int, *, by_bits: bool) -> Array | None:
    """Whole numbers that fall as the scores rise, by the range of these scores; None where it cannot be cut."""
    levels = levels_between(float(score.min()), float(score.max()), bits, by_bits=by_bits)
    return None if levels is None else levels.of(score)


def _order_of_part(score: Array, *, by_bits: bool) -> tuple[Ints, Array]:
    """Falling order of some thousand scores, and the scores in it: by one kind of level, the other, or comparisons."""
    for bits in (by_bits, not by_bits):
        level = _levels(score, 32, by_bits=bits)
        if level is None:
            continue
        turn = np.argsort(level.astype(np.uint16), kind="stable")  # the conversion keeps the lower bits
        turn = turn[np.argsort((level >> 16).astype(np.uint16)[turn], kind="stable")]
        ordered = score[turn]
        wrong = np.flatnonzero(ordered[1:] > ordered[:-1])
        if not wrong.size:
            return turn, ordered
        if wrong.size <= score.size // 256:
            _put_right(turn, wrong, level[turn], score)
            return turn, score[turn]
    turn = np.argsort(-score, kind="stable")
    return turn, score[turn]


def _put_right(turn: Ints, wrong: Ints, level: Array, score: Array) -> None:
    """Sort the runs of equal levels that hold the places ``wrong`` by their scores, in place."""
    done = 0
    for at in wrong.tolist():
        if at < done:
            continue
        start = int(np.searchsorted(level, level[at], side="left"))
        done = int(np.searchsorted(level, level[at], side="right"))
        run = turn[start:done]
        turn[start:done] = run[np.argsort(-score[run], kind="stable")]
