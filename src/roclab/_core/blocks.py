"""Walk over long arrays in pieces that stay in the processor's cache."""

from __future__ import annotations

from collections.abc import Iterator

# 2**14 eight-byte numbers are 128 kB: a handful of temporaries of this size live in the second-level cache,
# which makes a chain of NumPy operations several times faster than on whole arrays, and bounds the extra memory
# of a pass whatever the length of the data. Measured: 2**14 and 2**15 are best, 2**17 is a third slower.
BLOCK = 1 << 14


def blocks(length: int, size: int = BLOCK) -> Iterator[slice]:
    """Slices that cover ``range(length)`` in order."""
    for start in range(0, length, size):
        yield slice(start, min(start + size, length))
