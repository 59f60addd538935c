"""Scores as small whole numbers that never turn two of them round, which NumPy sorts by counting."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.types import Array

__all__ = ["Levels", "levels_between", "pattern"]

_BELOW_SIGN = np.int64(0x7FFFFFFFFFFFFFFF)


class Levels(NamedTuple):
    """Whole numbers below 2 to the ``bits`` that fall as scores rise, or stay; scores must lie between the ends."""

    bits: int
    high: float
    scale: float | None  # None: by the bits of the scores
    shift: int

    def of(self, score: Array) -> Array:
        """The level of every score, uint8 for eight bits and else uint32; O(n)."""
        kind = np.uint8 if self.bits <= 8 else np.uint32
        if self.scale is None:
            keys: Array = (pattern(np.array([self.high])) - pattern(score)).view(
                np.uint64
            )  # wraps round past 2**63, which unsigned numbers undo
            keys >>= np.uint64(self.shift)
            return keys.astype(kind)
        levels = np.empty(score.size, kind)
        for part in blocks(score.size):
            place = self.high - score[part]
            place *= self.scale
            levels[part] = place
        return levels


def levels_between(low: float, high: float, bits: int, *, by_bits: bool) -> Levels | None:
    """Levels that cut the range of the scores evenly; None where it cannot be cut so.

    ``by_bits`` cuts the range of the integers that share the bits of the scores (those of negative scores flipped): a
    logarithm in steps, which spreads skewed scores.
    """
    if by_bits:
        first, last = pattern(np.array([low, high])).tolist()
        return Levels(bits, high, None, max((last - first).bit_length() - bits, 0))
    span_of = high - low
    scale = (2.0**bits - 2.0 ** (bits - 9)) / span_of if span_of else math.inf
    return Levels(bits, high, scale, 0) if 0 < scale < math.inf else None


def pattern(score: Array) -> Array:
    """Integers in the order of the scores; -0.0 and 0.0 are one score."""
    found: Array = (score + 0.0).view(np.int64)
    found ^= (found >> 63) & _BELOW_SIGN
    return found
