"""Midranks: ranks in which tied values share their mean."""

from __future__ import annotations

import numpy as np

from roclab._core.order import descending_order
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


def dense_ranks(values: Array) -> Ints:
    """Ranks from 0 without gaps, tied values sharing one, O(n log n).

    >>> dense_ranks(np.array([10, 30, 20, 20])).tolist()
    [0, 2, 1, 1]
    """
    order = descending_order(values)[::-1]
    ordered = values[order]
    ranks = np.empty(values.size, dtype=np.intp)
    ranks[order[:1]] = 0
    ranks[order[1:]] = np.cumsum(ordered[1:] != ordered[:-1])
    return ranks


def tie_sizes(values: Array) -> Ints:
    """How many times each distinct value occurs."""
    sizes: Ints = np.unique(values, return_counts=True)[1]
    return sizes
