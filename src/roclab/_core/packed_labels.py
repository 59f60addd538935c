"""Sort labels inside the numbers they belong to: for processors on which NumPy sorts with SIMD instructions.

Fetching labels in the order of the scores moves memory at random. Here the label rides inside the number being sorted:

1. Finite floats are ordered like the integers that share their bits (after the bits of negative
   numbers are flipped), so scores become integer keys without losing a single distinction.
2. Keys count down from the largest score, ``key = top - bits``: ascending keys are descending scores.
3. If all keys fit in 63 bits, one bit is free: the sorted number is ``2 * key + label``.
4. One in-place SIMD sort of unsigned integers orders both. Unpacking is the same steps backwards.

Scores on both sides of zero may need 64 bits. Multiplying by a power of two is exact and pulls them
into (-2, 2), whose keys fit; a score so small that it would lose bits there, or infinities of both
signs, have no such keys. Equal keys are equal scores: nothing is rounded, near-ties stay apart.
"""

from __future__ import annotations

import functools
import math
import struct
import time
from typing import Any, NamedTuple

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.types import Array, Bools, Floats

__all__ = ["PackedOrder", "packed_order", "sorts_fast"]

_SIGNED: dict[int, Any] = {4: np.dtype(np.int32), 8: np.dtype(np.int64)}
_LARGEST: dict[int, Any] = {4: np.int32((1 << 31) - 1), 8: np.int64((1 << 63) - 1)}
_UNSIGNED: dict[int, Any] = {4: np.dtype(np.uint32), 8: np.dtype(np.uint64)}


@functools.cache
def sorts_fast() -> bool:
    """Whether NumPy sorts 64-bit numbers here in less than 20 ns each, measured once in a millisecond.

    With SIMD instructions it takes about 8 ns, by comparing about 50, and some processors that have the instructions
    are slow at them. Both roads count the same, so nothing but the time depends on the answer.
    """
    numbers = np.arange(1 << 14, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)  # scattered, the same every time
    best = math.inf
    for _ in range(3):
        copy = numbers.copy()
        begin = time.perf_counter()
        copy.sort()
        best = min(best, time.perf_counter() - begin)
    return best < 20e-9 * numbers.size


class PackedOrder(NamedTuple):
    """Keys and labels of scores in descending order of the scores."""

    codec: _FloatKeys
    keys: Array
    labels: Array

    def scores(self, keys: Array) -> Floats:
        """The scores of some of the keys; consumes them."""
        return self.codec.decode(keys)


def packed_order(label: Bools, score: Array) -> PackedOrder | None:
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
    return PackedOrder(codec, keys, labels)


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
