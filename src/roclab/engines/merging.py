"""Scores of two classes that lie in memory in any order, as one sequence of rows in ascending order.

The range of all scores is cut into a hundred and twenty-eight, the rows of a range are brought together by counting
(``_core/levels.py``), and then ranges are put in order one after another by ``_core/order.py``, several at a time. What
needs no copy of everything: a case takes its eight bytes and those of a few ranges beside it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from roclab._core.levels import Levels, levels_between
from roclab._core.order import blocks_in_order
from roclab._core.packed_labels import sorts_fast
from roclab._core.types import Array, Bools, Floats
from roclab._core.work import in_order, leave_if_stopped

__all__ = ["PIECE", "Sorted", "in_ascending_order"]

Sorted = tuple[Floats, Bools]  # scores in ascending order, and which of them are positive

PIECE = 1_000_000  # scores that are cut into ranges, or merged, at once
_BITS = 7
_CROWDED = 1 << 21  # scores of a range of which the positions, which are sorted instead, would take too much memory
_SAMPLE = 1000  # scores of a part that tell how to cut the range


def in_ascending_order(neg: list[Floats], pos: list[Floats], *, workers: int = 1) -> Iterator[Sorted]:
    """All rows in ascending order, in pieces of whole ranges; the lists are emptied on the way, to let go of memory.

    O(n) for well-spread scores. A piece may end within a tie only where a range is crowded.
    """
    negatives = len(neg)
    parts = [*neg, *pos]
    neg.clear()
    pos.clear()
    levels = _levels_of([part for part in parts if part.size])
    if levels is None:
        return

    def cut(at: int) -> tuple[Floats, Array]:
        """The scores of a part by ranges, and where each range begins."""
        leave_if_stopped()
        part, parts[at] = parts[at], np.empty(0)
        number = levels.of(part)
        ends = np.cumsum(np.bincount(number, minlength=1 << _BITS))
        return part[np.argsort(number, kind="stable")], np.concatenate([[0], ends])

    most = 0 if sorts_fast() else _CROWDED
    cuts = list(in_order(cut, range(len(parts)), workers=workers, waiting=2 * workers))

    def of_range(number: int) -> Iterator[Sorted]:
        """The rows of a range in order; the two classes are sorted where they lie if they are many, or that is fast."""
        leave_if_stopped()
        pieces = [values[starts[number] : starts[number + 1]] for values, starts in cuts]
        sizes = [sum(piece.size for piece in some) for some in (pieces[:negatives], pieces[negatives:])]
        values = np.concatenate(pieces)
        if sum(sizes) <= most:
            return iter([_ordered(values, sizes[0])])
        for side in (values[: sizes[0]], values[sizes[0] :]):
            side.sort()
        return merged_rows(values[: sizes[0]], values[sizes[0] :])

    every = range((1 << _BITS) - 1, -1, -1)  # levels fall as scores rise
    for rows in in_order(of_range, every, workers=workers, waiting=2 * workers):
        yield from rows


def _levels_of(parts: list[Floats]) -> Levels | None:
    """The cut that spreads a sample best: even, or by the bits of the scores; None where there are no scores."""
    if not parts:
        return None
    low, high = (float(end([end(part) for part in parts])) for end in (np.min, np.max))
    sample = np.concatenate([part[:: max(part.size // _SAMPLE, 1)] for part in parts])
    ways = [levels_between(low, high, _BITS, by_bits=by_bits) for by_bits in (False, True)]
    return min((way for way in ways if way is not None), key=lambda way: np.bincount(way.of(sample)).max())


def _ordered(values: Floats, negatives: int) -> Sorted:
    """Scores, the negatives before the positives, in ascending order."""
    size = values.size
    score, positive = np.empty(size), np.empty(size, np.bool_)
    flags = np.arange(size) >= negatives
    for block in blocks_in_order(values, flags) if size else ():
        to = slice(size - block.part.stop, size - block.part.start)
        score[to], positive[to] = block.score[::-1], block.carried[0][::-1]
    return score, positive


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
