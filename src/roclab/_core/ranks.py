"""Midranks: ranks in which tied values share their mean."""

from __future__ import annotations

import numpy as np

from roclab._core.types import Array, Floats, Ints


def midranks(values: Array) -> Floats:
    """Ranks from 1, tied values sharing their mean rank, O(n log n).

    >>> midranks(np.array([10, 30, 20, 20])).tolist()
    [1.0, 4.0, 2.5, 2.5]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Floats = (last - (counts - 1) / 2)[place]
    return ranks


def tie_sizes(values: Array) -> Ints:
    """How many times each distinct value occurs."""
    sizes: Ints = np.unique(values, return_counts=True)[1]
    return sizes
