"""Sort scores together with their labels: the one expensive step of every empirical curve.

The obvious way, ``argsort`` of the scores and then a gather of the labels, spends most of its time
moving memory at random. Here the label rides inside the number being sorted:

1. Finite floats are ordered like the integers that share their bits (after the bits of negative
   numbers are flipped), so scores become integer keys without losing a single distinction.
2. Keys count down from the largest score, ``key = top - bits``: ascending keys are descending scores.
3. If all keys fit in 63 bits, one bit is free: the sorted number is ``2 * key + label``.
4. One in-place SIMD sort of unsigned integers orders both. Unpacking is the same steps backwards.

Scores on both sides of zero may need 64 bits. Multiplying by a power of two is exact and pulls them
into (-2, 2), whose keys fit; a score so small that it would lose bits there, or infinities of both
signs, fall back to ``argsort``. Equal keys are equal scores: nothing is rounded, near-ties stay apart.
"""

from __future__ import annotations

import math
import struct
from typing import Any, NamedTuple

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.order import ranked_rows
from roclab._core.types import Array, Bools, Counts, Floats, Ints

_SIGNED: dict[int, Any] = {4: np.dtype(np.int32), 8: np.dtype(np.int64)}
_LARGEST: dict[int, Any] = {4: np.int32((1 << 31) - 1), 8: np.int64((1 << 63) - 1)}
_UNSIGNED: dict[int, Any] = {4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}


class ScoreCounts(NamedTuple):
    """Distinct scores in descending order and how many positives and negatives have each."""

    score: Floats
    pos: Counts
    neg: Counts


def count_by_score(label: Bools, score: Array) -> ScoreCounts:
    """Positives and negatives at each distinct score, in O(n log n) with one sort.

    ``score`` is a non-empty array of float32, float64 or any integer type, without NaN.
    """
    if score.dtype.kind in "iu":
        low, high = int(score.min()), int(score.max())
        if high - low <= 2 * score.size:
            return _count_narrow_integers(label, score, low, high)
        score = score.astype(np.float64)
    ordered = _sorted_labels(label, score)
    if ordered is None:
        return sum_by_score(label, score, np.ones(score.size, np.int64))[0]
    codec, keys, labels = ordered
    starts = _group_starts(keys)
    if starts is None:
        pos = labels.astype(np.int64)
        return ScoreCounts(codec.decode(keys), pos, 1 - pos)
    return ScoreCounts(codec.decode(keys[starts]), *_counts_of_groups(labels, starts))


def counts_in_order(label: Bools, score: Array) -> tuple[Counts, Counts | None]:
    """Positives and negatives at each distinct score from the top, without the scores themselves.

    For what depends on the order alone, such as the AUC: unpacking the scores costs as much as a third of the sort.
    When every case has a score of its own the negatives are None and the positives are labels of 0 and 1.
    """
    if score.dtype.kind == "f":
        ordered = _sorted_labels(label, score)
        if ordered is not None:
            _, keys, labels = ordered
            starts = _group_starts(keys)
            return (labels, None) if starts is None else _counts_of_groups(labels, starts)
    _, pos, neg = count_by_score(label, score)
    return pos, neg


def sum_by_score(label: Bools, score: Array, *weights: Counts) -> list[ScoreCounts]:
    """Total weight of the positives and of the negatives at each distinct score, for each kind of weight; one sort."""
    ranked = ranked_rows(score, label)
    ordered = score[ranked.rows].astype(np.float64)
    if ranked.starts is not None:
        ordered = ordered[ranked.starts]
    ordered += 0.0
    found = []
    for weight in weights:
        own = weight[ranked.rows]
        pos = np.where(ranked.positive, own, 0)
        neg = own - pos
        if ranked.starts is not None:
            pos, neg = np.add.reduceat(pos, ranked.starts), np.add.reduceat(neg, ranked.starts)
        found.append(ScoreCounts(ordered, pos, neg))
    return found


def _is_first(ordered: Array) -> Bools:
    """True where a sorted array shows a value for the first time."""
    first = np.empty(ordered.size, np.bool_)
    first[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first


def _count_narrow_integers(label: Bools, score: Array, low: int, high: int) -> ScoreCounts:
    """Ratings and other integers in a narrow range are counted without any sort."""
    place = (high - score.astype(np.int64)) * 2 + label
    table = np.bincount(place, minlength=2 * (high - low + 1)).reshape(-1, 2)
    seen = np.flatnonzero(table.any(axis=1))
    return ScoreCounts((high - seen).astype(np.float64), table[seen, 1], table[seen, 0])


def _sorted_labels(label: Bools, score: Array) -> tuple[_FloatKeys, Array, Array] | None:
    """Keys and labels of float scores in descending order of the scores; None where no label fits beside the keys."""
    packed = _packed(label, score)
    if packed is None and score.dtype == np.float32:
        packed = _packed(label, score.astype(np.float64))
    if packed is None:
        return None
    codec, keys = packed
    keys.sort()
    labels = np.empty(score.size, np.uint8)
    for part in blocks(score.size):
        labels[part] = keys[part] & 1
        keys[part] >>= 1
    return codec, keys, labels


def _packed(label: Bools, score: Array) -> tuple[_FloatKeys, Array] | None:
    codec = _FloatKeys.fitting(score)
    if codec is None:
        return None
    packed = np.empty(score.size, _UNSIGNED[codec.width])
    for part in blocks(score.size):
        keys = codec.encode(score[part])
        if keys is None:
            return None
        keys <<= 1
        keys |= label[part].view(np.uint8)
        packed[part] = keys
    return codec, packed


def _group_starts(keys: Array) -> Ints | None:
    """Where each distinct key starts; None when all differ."""
    first = _is_first(keys)
    return None if np.count_nonzero(first) == keys.size else np.flatnonzero(first)


def _counts_of_groups(labels: Array, starts: Ints) -> tuple[Ints, Ints]:
    """Ones and zeros in each group of consecutive labels."""
    ones = _ones_per_group(labels, starts)
    zeros = np.empty_like(starts)
    np.subtract(starts[1:], starts[:-1], out=zeros[:-1])
    zeros[-1] = labels.size - starts[-1]
    zeros -= ones
    return ones, zeros


class _FloatKeys(NamedTuple):
    """The order-preserving map between floats and unsigned integers that count down from the top."""

    width: int
    scale: float
    has_negative: bool
    top: int

    @classmethod
    def fitting(cls, score: Array) -> _FloatKeys | None:
        """The map for these scores, or None when their keys would need the bit the label rides in."""
        width = score.dtype.itemsize
        bottom, top = float(score.min()), float(score.max())
        free = 1 << (8 * width - 1)
        scale = 1.0
        if _bits(top, width) - _bits(bottom, width) >= free:
            if math.isinf(bottom) or math.isinf(top):
                return None
            scale = 0.5 ** (math.frexp(max(-bottom, top))[1] - 1)
        return cls(width, scale, bottom < 0, _bits(top * scale, width))

    def encode(self, score: Array) -> Array | None:
        """Keys of a block of scores; None if scaling would round one of them."""
        if self.scale == 1.0:
            real = score + score.dtype.type(0.0)  # -0.0 and 0.0 are one score
        else:
            real = score * score.dtype.type(self.scale)
            # Powers of two: multiplying by the inverse is the exact way back, and faster than dividing.
            if not (real * score.dtype.type(1 / self.scale) == score).all():
                return None
            real += 0.0
        bits = real.view(_SIGNED[self.width])
        if self.has_negative:
            _flip_negatives(bits)
        np.subtract(self.top, bits, out=bits)
        keys: Array = bits.view(_UNSIGNED[self.width])
        return keys

    def decode(self, keys: Array) -> Floats:
        """The scores of keys; consumes ``keys``."""
        bits = keys.view(_SIGNED[self.width])
        for part in blocks(bits.size):
            np.subtract(self.top, bits[part], out=bits[part])
            if self.has_negative:
                _flip_negatives(bits[part])
        real: Array = bits.view(np.dtype(f"f{self.width}"))
        if self.scale != 1.0:
            real *= real.dtype.type(1 / self.scale)
        return real.astype(np.float64, copy=False)


def _ones_per_group(labels: Array, starts: Ints) -> Ints:
    """How many ones each group of consecutive labels holds; group g runs from starts[g] to starts[g + 1].

    A running total in cache-sized blocks, read off at the group ends: ``np.add.reduceat`` costs several
    times more per group, and a whole-array running total costs its own memory again.
    """
    total = np.empty(starts.size, np.int64)  # ones in groups 0..g
    ends = np.append(starts[1:], labels.size)
    before, done = 0, 0
    for part in blocks(labels.size):
        running = np.cumsum(labels[part], dtype=np.int64)
        running += before
        until = int(np.searchsorted(ends, part.stop, side="right"))
        total[done:until] = running[ends[done:until] - (part.start + 1)]
        before, done = int(running[-1]), until
    ones = np.empty_like(total)
    ones[0] = total[0]
    np.subtract(total[1:], total[:-1], out=ones[1:])
    return ones


def _flip_negatives(bits: Array) -> None:
    """Reverse the order of negative floats' bits in place; applied twice it changes nothing."""
    sign = bits >> (8 * bits.itemsize - 1)
    sign &= _LARGEST[bits.itemsize]
    bits ^= sign


def _bits(value: float, width: int) -> int:
    """The order-preserving integer of one float of the given width in bytes."""
    real, whole = ("<d", "<q") if width == 8 else ("<f", "<i")
    bits: int = struct.unpack(whole, struct.pack(real, value + 0.0))[0]
    return bits if bits >= 0 else bits ^ ((1 << (8 * width - 1)) - 1)
