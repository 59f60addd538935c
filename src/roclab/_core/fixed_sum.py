"""Sums of fractions that do not depend on the order of their terms.

Adding doubles rounds after every step, so that rows in another order, or in other batches, give other last digits.
Here every term is cut into whole numbers of 31 bits, which are added as integers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.types import Floats, Ints

__all__ = ["FixedSum"]

_BITS = 31
_LEVELS = 3  # 93 bits behind the point
_MOST = 1 << 31  # terms, each as often as it counts, before their digits could leave int64


@dataclass(slots=True)
class FixedSum:
    """A running sum of numbers between -1 and 1; O(n) time, no memory.

    >>> total = FixedSum()
    >>> total.add(np.array([0.1, 0.2, 0.3]))
    >>> total.add(np.array([0.25]), np.array([4]))
    >>> float(total.value)
    1.6
    """

    _parts: list[int] = field(default_factory=lambda: [0] * _LEVELS)

    def add(self, values: Floats, times: Ints | None = None) -> None:
        """Add terms, each as often as ``times`` says; a term has the same digits wherever it stands."""
        if times is not None and int(np.sum(times)) > _MOST:
            for one, often in zip(values.tolist(), times.tolist(), strict=True):
                self._add_one(one, often)
            return
        for part in blocks(values.size):
            rest = values[part] * 1.0
            for level in range(_LEVELS):
                rest *= 2.0**_BITS  # a power of two: nothing is rounded
                whole = np.trunc(rest)
                rest -= whole
                # Whole numbers of 31 bits, a block of them, are added without rounding by doubles too.
                added = np.sum(whole) if times is None else np.dot(whole.astype(np.int64), times[part])
                self._parts[level] += int(added)

    def _add_one(self, value: float, often: int) -> None:
        rest = value
        for level in range(_LEVELS):
            rest *= 2.0**_BITS
            whole = int(rest)
            rest -= whole
            self._parts[level] += whole * often

    def add_whole(self, number: int, bits: int) -> None:
        """Add ``number`` times two to the power ``-bits``, at most 93 of which are kept: a sum from elsewhere."""
        self._parts[-1] += number << (_LEVELS * _BITS - bits)

    @property
    def value(self) -> Fraction:
        """The sum."""
        return sum((Fraction(part, 1 << (_BITS * (level + 1))) for level, part in enumerate(self._parts)), Fraction(0))
