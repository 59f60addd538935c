"""The order of scores, faster than ``np.argsort``.

NumPy sorts plain numbers with SIMD instructions about twice as fast as it sorts positions. So each score and its
position are packed into one unsigned integer, the integers are sorted in place, and the positions are read off:

1. The bits of a float, negative ones flipped, order as the floats do. Subtracted from those of the largest score they
   count down from it, and need only as many bits as the scores are spread over.
2. The position takes the lowest bits. Where both do not fit into 64, the lowest bits of the score make room, and
   scores that differ only there come out in the order of their rows. They are rare (the bits that remain tell scores
   apart to about one part in 2³⁰ among a million), are found by one comparison of neighbours, and are put right run by
   run. Where they are not rare, ``np.argsort`` does the work.

The twin in the tests is ``np.argsort`` itself.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from roclab._core.types import Array, Bools, Ints

__all__ = ["RankedRows", "descending_order", "ranked_rows"]

_SMALL = 1 << 12  # below this the packing costs more than it saves
_SIGN = np.int64(0x7FFFFFFFFFFFFFFF)


def descending_order(score: Array) -> Ints:
    """Positions of the scores from the highest to the lowest, O(n log n); the order among equal scores is not defined.

    ``score`` is a non-empty array of any integer or float type without NaN.

    >>> descending_order(np.array([0.5, -np.inf, 2.0])).tolist()
    [2, 0, 1]
    """
    if score.size < _SMALL:
        return np.argsort(score)[::-1]
    keys, spread = _keys(score)
    row_bits = int(score.size - 1).bit_length()
    cut = max(spread.bit_length() + row_bits - 64, 0)
    if cut:
        keys >>= np.uint64(cut)
    keys <<= np.uint64(row_bits)
    keys |= np.arange(score.size, dtype=np.uint64)
    keys.sort()
    order = (keys & np.uint64((1 << row_bits) - 1)).view(np.int64)
    if cut and not _put_right(order, keys >> np.uint64(row_bits), score):
        return np.argsort(score)[::-1]
    return order


class RankedRows(NamedTuple):
    """Rows from the highest score down, which of them are positive, and where each distinct score begins."""

    rows: Ints
    positive: Bools
    starts: Ints | None  # None when all scores differ


def ranked_rows(score: Array, label: Bools) -> RankedRows:
    """The same order with the label riding in the sorted number, so that it need not be fetched again, O(n log n)."""
    size = score.size
    if size < _SMALL:
        rows = np.argsort(score)[::-1]
        return RankedRows(rows, label[rows], _starts(score[rows]))
    keys, spread = _keys(score)
    row_bits = int(size - 1).bit_length()
    cut = max(spread.bit_length() + row_bits + 1 - 64, 0)
    keys >>= np.uint64(cut)
    keys <<= np.uint64(row_bits + 1)
    numbers = np.arange(size, dtype=np.uint64)
    numbers <<= np.uint64(1)
    numbers |= label.view(np.uint8)
    keys |= numbers
    keys.sort()
    positive = (keys & np.uint64(1)).astype(np.bool_)
    np.right_shift(keys, np.uint64(1), out=numbers)
    numbers &= np.uint64((1 << row_bits) - 1)
    rows = numbers.view(np.int64)
    ordered = score[rows]
    if cut and (ordered[1:] > ordered[:-1]).any():
        if not _put_right(rows, keys >> np.uint64(row_bits + 1), score):
            rows = np.argsort(score)[::-1]
        positive, ordered = label[rows], score[rows]
    return RankedRows(rows, positive, _starts(ordered))


def _starts(ordered: Array) -> Ints | None:
    new = ordered[1:] != ordered[:-1]
    if new.all():
        return None
    return np.concatenate([[0], np.flatnonzero(new) + 1])


def _keys(score: Array) -> tuple[Array, int]:
    """Unsigned integers that count down from the largest score, and the largest of them."""
    real = score.astype(np.float64)
    real += 0.0  # -0.0 and 0.0 are one score
    bits = real.view(np.int64)
    if score.min() < 0:
        sign = bits >> 63
        sign &= _SIGN
        bits ^= sign
    top = bits.max()
    np.subtract(top, bits, out=bits)  # wraps round where the difference passes 2**63, which unsigned numbers undo
    keys: Array = bits.view(np.uint64)
    return keys, int(keys.max())


def _put_right(order: Ints, prefix: Array, score: Array) -> bool:
    """Sort runs of equal prefixes by their scores in place; False when there are too many of them."""
    ordered = score[order]
    wrong = np.flatnonzero(ordered[1:] > ordered[:-1])
    if wrong.size > order.size // 256:
        return False
    done = 0
    for at in wrong.tolist():
        if at < done:
            continue
        start = int(np.searchsorted(prefix, prefix[at], side="left"))
        done = int(np.searchsorted(prefix, prefix[at], side="right"))
        run = order[start:done]
        order[start:done] = run[np.argsort(score[run])[::-1]]
    return True
