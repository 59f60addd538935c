"""The order of scores, faster than ``np.argsort`` and than ``np.sort``.

NumPy sorts small unsigned integers by counting them (a radix sort), several times faster than it compares floats, as
long as what it sorts stays in the processor's cache. So scores are made small integers, coarse ones first:

1. The range of the scores is cut into 256 equal parts. Each score gets the number of its part, and one counting sort
   of the numbers brings the rows of a part together. Small neighbouring parts are joined; a part that is still too long
   for the cache is cut up again, by the bits of its scores where it holds most of them, as skewed ones have it.
2. The scores of a part, some thousand, are spread over 2³² whole numbers by their own range, and two counting sorts, of
   the lower and of the upper sixteen bits, put them in order.
3. Subtracting, multiplying by a positive number and truncating never turn two scores round, but may make two of them
   one. Such scores are found by one comparison of neighbours and put right run by run. Where they are not rare, their
   bits are tried, and last of all ``np.argsort``.

From 2048 scores on, every step keeps equal scores in the order of their rows. The twin in the tests is
``np.argsort`` itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from roclab._core.levels import levels_between
from roclab._core.types import Array, Ints

__all__ = ["Block", "blocks_in_order", "descending_order"]

_SMALL = 1 << 11  # below this NumPy's own sort of positions is faster
_CACHED = 1 << 14  # up to here one counting sort of everything is faster than parts
_DEPTH = 6  # how often a crowded part is cut up again


class Block(NamedTuple):
    """Rows whose scores follow one another in the falling order, and no other row's score lies between."""

    part: slice  # where they stand in that order
    rows: Ints | None  # the rows in the order of the array, None for all of them
    turn: Ints  # which of these comes first, second and so on
    score: Array  # in falling order

    def take(self, values: Array) -> Array:
        """What belongs to these rows, in falling order of their scores."""
        return (values if self.rows is None else values[self.rows])[self.turn]

    def rows_in_order(self) -> Ints:
        return self.turn if self.rows is None else self.rows[self.turn]


def blocks_in_order(score: Array) -> Iterator[Block]:
    """The scores from the highest to the lowest, in blocks that mostly fit into the cache; O(n) for well-spread scores.

    ``score`` is a non-empty array of any integer or float type without NaN; integers up to 2⁵³ keep every distinction.
    Equal scores are in one block; up to some thousand scores their order among themselves is not defined.
    """
    real = score.astype(np.float64, copy=False)
    if real.size < _SMALL:
        turn = np.argsort(real)[::-1]
        yield Block(slice(0, real.size), None, turn, real[turn])
    else:
        yield from _cut_up(real, None, 0, 0, by_bits=False)


def descending_order(score: Array) -> Ints:
    """Positions of the scores from the highest to the lowest; the order among equal scores is not defined.

    >>> descending_order(np.array([0.5, -np.inf, 2.0])).tolist()
    [2, 0, 1]
    """
    if score.size < _SMALL:
        return np.argsort(score)[::-1]
    order = np.empty(score.size, np.int64)
    for block in blocks_in_order(score):
        order[block.part] = block.rows_in_order()
    return order


def _cut_up(score: Array, rows: Ints | None, start: int, depth: int, *, by_bits: bool) -> Iterator[Block]:
    """Blocks of scores that stand at ``start`` of the whole order, with their ``rows`` in the whole array."""
    size = score.size
    number = None if size <= _CACHED or depth == _DEPTH else _levels(score, 8, by_bits=by_bits)
    if number is None:
        yield Block(slice(start, start + size), rows, *_order_of_part(score, by_bits=by_bits))
        return
    first = np.argsort(number, kind="stable")
    for part in _full_parts(np.bincount(number, minlength=256).tolist()):
        chosen = first[part]
        own = chosen if rows is None else rows[chosen]
        crowded = chosen.size > size // 2
        yield from _cut_up(score[chosen], own, start + part.start, depth + 1, by_bits=by_bits != crowded)


def _full_parts(counts: list[int]) -> Iterator[slice]:
    """Neighbouring parts joined until they are worth a sort of their own; a crowded one stays alone."""
    begin = end = 0
    for count in counts:
        if end > begin and end - begin + count > _CACHED:
            yield slice(begin, end)
            begin = end
        end += count
    if end > begin:
        yield slice(begin, end)


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
