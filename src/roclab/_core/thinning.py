"""Long tables for people: some of the rows, and a line that says where all of them are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from roclab._core.text import Row, text_table

__all__ = ["thinned", "thinned_table"]

R = TypeVar("R")
_MOST = 21  # rows: a curve at every twentieth of its axis


def thinned(rows: Sequence[R], most: int = _MOST, *, start: int = 0) -> tuple[list[R], str]:
    """At most so many rows, evenly spaced from ``start`` on and with the last, and a sentence where some are left out.

    >>> thinned(list(range(101)))[0][:4], thinned(list(range(101)))[1]
    ([0, 5, 10, 15], '21 of 101 rows are shown; CSV, JSON and data frames have all of them.')
    """
    if len(rows) <= most:
        return list(rows), ""
    step = math.ceil((len(rows) - 1 - start) / (most - 1))
    places = list(range(start, len(rows), step))
    if start == 0 and places[-1] != len(rows) - 1:
        places[-1 if len(places) == most else len(places) :] = [len(rows) - 1]
    return [rows[at] for at in places], (
        f"{len(places)} of {len(rows)} rows are shown; CSV, JSON and data frames have all of them."
    )


def thinned_table(rows: Sequence[Row], *, start: int = 0) -> list[str]:
    """The table of at most 21 rows, and the sentence below it where some are left out."""
    shown, note = thinned(rows, start=start)
    return [text_table(shown), *([note] if note else [])]
