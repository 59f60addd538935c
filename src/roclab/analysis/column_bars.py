"""The values of every column as a few bars, each class of its own: what a row of the page shows beside a name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from roclab._core.types import Array, Bools
from roclab.analysis.table_overview import printed_among

__all__ = ["bars_of_columns"]

_BARS = 22
_MOST_COLUMNS = 60  # of a wide table the first ones
_MOST_WORDS = 12  # values of a column of words that get a bar


def bars_of_columns(table: Any, *, label: str | None = None, positive: str | None = None) -> dict[str, list[list[int]]]:
    """Counts of the negative and the positive cases in every bar; all count as negative where no class is known.

    Bars of numbers have equal widths, on a log scale where all are positive and span three powers of ten; bars of
    words are their values. O(cells).

    >>> bars_of_columns({"y": np.array([1, 0, 1]), "s": np.array([1.0, 1.0, 3.0])}, label="y", positive="1")["s"]
    [[1, 1], [0, 1]]
    """
    columns: Mapping[str, Any] = table if isinstance(table, Mapping) else table.columns()
    if not columns:
        return {}
    size = np.asarray(next(iter(columns.values()))).size
    is_positive: Bools = np.zeros(size, np.bool_)
    if label is not None and label in columns and positive is not None:
        is_positive = printed_among(columns[label], [positive])
    found = {}
    for name, values in list(columns.items())[:_MOST_COLUMNS]:
        bars = _bars(np.asarray(values), is_positive)
        if bars:
            found[name] = bars
    return found


def _bars(values: Array, is_positive: Bools) -> list[list[int]]:
    if values.dtype.kind in "iuf":
        there = np.isfinite(values)
        numbers, side = values[there].astype(np.float64), is_positive[there]
        distinct = np.unique(numbers)
        if distinct.size == 0:
            return []
        if distinct.size <= _BARS:
            place = np.searchsorted(distinct, numbers)
            return _counted(place, side, distinct.size)
        if distinct[0] > 0 and distinct[-1] / distinct[0] >= 1000:
            numbers = np.log(numbers)
        edges = np.linspace(numbers.min(), numbers.max(), _BARS + 1)
        return _counted(np.clip(np.searchsorted(edges, numbers, side="right") - 1, 0, _BARS - 1), side, _BARS)
    words, place = np.unique(values.astype(str), return_inverse=True)
    return _counted(place, is_positive, words.size) if words.size <= _MOST_WORDS else []


def _counted(place: Array, side: Bools, bars: int) -> list[list[int]]:
    neg, pos = (np.bincount(place[which], minlength=bars) for which in (~side, side))
    return [[int(a), int(b)] for a, b in zip(neg, pos, strict=True)]
