"""What stands in a table before anybody says what its columns mean: kinds, gaps, classes, codes of missing values."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.collected_warnings import collected_warnings
from roclab._core.types import Array, Bools
from roclab.data.columns import label_column
from roclab.data.missing_codes import suspicious_code
from roclab.data.table import MappingTable, SourceTable, reading_of, table_of
from roclab.errors import FileError, InputError, Words
from roclab.results import Result

__all__ = ["MOST_COLUMNS", "ColumnOverview", "HeldTable", "TableOverview", "held_table", "printed", "printed_among"]

MOST_COLUMNS = 2000  # of a table that people look through
_CLASSES = 30  # values that are listed, with how often they stand there
_HEAD = 50  # rows that are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnOverview:
    """One column: what kind of values, how many are missing, and which there are, if they are few."""

    name: str
    kind: str  # "number", "word" or "truth"
    missing: int
    distinct: int
    low: float | None
    high: float | None
    values: tuple[tuple[str, int], ...]  # of few distinct ones, with their counts
    code: tuple[float, int] | None  # a number that looks like a code for a missing value, and how often
    is_class: bool  # may hold classes: few distinct values
    is_key: bool  # every value once


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOverview(Result):
    """A table at first sight."""

    called: str
    rows_read: int
    columns: tuple[ColumnOverview, ...]
    head: tuple[Mapping[str, str], ...]
    notes: tuple[str, ...]  # what was told from the file by looking
    elsewhere: bool = False  # rows stay where they are, and are counted by an engine

    def rows(self) -> list[dict[str, Any]]:
        """One row per column."""
        return [
            {"column": column.name, "kind": column.kind, "missing": column.missing, "distinct": column.distinct}
            for column in self.columns
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldTable:
    """A table that was read once and is asked many times, and what stands in it."""

    table: Any  # for verbs, instead of the file
    overview: TableOverview


def held_table(data: Any, *, called: str | None = None, **keywords: Any) -> HeldTable:
    """Read a table and look through it; O(cells), with one sort or count of each column.

    A source whose rows stay elsewhere is not read: only its columns are named.
    """
    reading = reading_of(keywords)
    with collected_warnings() as notes:
        table = table_of(data, **reading)
        if table is None:
            raise InputError("", "data must be a table with named columns", Words(type(data).__name__))
        name = called or table.called
        if isinstance(table, SourceTable) and table.remote:
            columns = tuple(_unread(one) for one in table.names())
            seen = TableOverview(
                called=name, rows_read=table.count(), columns=columns, head=(), notes=(), elsewhere=True
            )
            return HeldTable(table=data, overview=seen)
        found = table.columns()
    if len(found) > MOST_COLUMNS:
        raise FileError(
            "", f"{name} must have at most {MOST_COLUMNS} columns to be looked through", Words(f"{len(found)} of them"),
            "keep those that are needed, or run 'roclab screen' on the file",
        )  # fmt: skip
    checked = {key: label_column(values, key).values for key, values in found.items()}
    sizes = {values.size for values in checked.values()}
    if not checked or sizes == {0}:
        raise FileError("", f"{name} must hold rows of cases", Words("none"))
    words = {key: dict(table.value_labels(key)) for key in checked}
    held = MappingTable(checked, called=name, printed_labels=table.printed_labels, words=words)
    overview = TableOverview(
        called=name,
        rows_read=sizes.pop(),
        columns=tuple(_looked_at(key, values) for key, values in checked.items()),
        head=tuple(_row(checked, at) for at in range(min(_HEAD, next(iter(checked.values())).size))),
        notes=tuple(notes),
    )
    return HeldTable(table=held, overview=overview)


def _unread(name: str) -> ColumnOverview:
    return ColumnOverview(
        name=name, kind="unread", missing=0, distinct=0, low=None, high=None, values=(), code=None, is_class=True,
        is_key=False,
    )  # fmt: skip


def _looked_at(name: str, values: Array) -> ColumnOverview:
    if values.dtype.kind in "iuf":
        gaps = np.isnan(values) if values.dtype.kind == "f" else np.zeros(values.size, np.bool_)
        there = values[~gaps]
        distinct, counts = np.unique(there, return_counts=True)
        few = distinct.size <= _CLASSES
        listed = tuple((printed(v), int(k)) for v, k in zip(distinct, counts, strict=True)) if few else ()
        low, high = (float(distinct[0]), float(distinct[-1])) if distinct.size else (None, None)
        kind, code, n_gaps = "number", suspicious_code(there) if there.size else None, int(np.count_nonzero(gaps))
        n_distinct = int(distinct.size)
    else:
        frequencies = Counter(values.tolist())
        n_gaps = sum(count for value, count in frequencies.items() if _is_gap(value))
        words = {value: count for value, count in frequencies.items() if not _is_gap(value)}
        few, n_distinct = len(words) <= _CLASSES, len(words)
        listed = tuple((printed(v), k) for v, k in sorted(words.items(), key=lambda one: -one[1])) if few else ()
        low = high = code = None
        kind = "truth" if values.dtype.kind == "b" else "word"
    return ColumnOverview(
        name=name, kind=kind, missing=n_gaps, distinct=n_distinct, low=low, high=high, values=listed, code=code,
        is_class=2 <= n_distinct <= _CLASSES, is_key=n_distinct == values.size > 1,
    )  # fmt: skip


def _is_gap(value: Any) -> bool:
    return value is None or (isinstance(value, float) and math.isnan(value))


def printed(value: Any) -> str:
    """As a file prints it: whole numbers without a point."""
    if isinstance(value, float | np.floating):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 1e15 else repr(number)
    return str(value)


def printed_among(values: Any, words: Collection[str]) -> Bools:
    """Which values print as one of these words; each distinct number is printed once.

    >>> printed_among(np.array([1.0, 0.5, 1.0]), ["1"]).tolist()
    [True, False, True]
    """
    array = np.asarray(values)
    if array.dtype.kind in "biuf":
        distinct, place = np.unique(array, return_inverse=True)
        return np.array([printed(value) in words for value in distinct.tolist()], np.bool_)[place]
    return np.array([printed(value) in words for value in array.tolist()], np.bool_)


def _row(columns: Mapping[str, Array], at: int) -> dict[str, str]:
    return {name: "" if _is_gap(value := values[at].item() if hasattr(values[at], "item") else values[at])
            else printed(value) for name, values in columns.items()}  # fmt: skip
