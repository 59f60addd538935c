"""Groups of a source: which there are, and the part of the source that each of them is.

A part is a source of its own, so that every question which is asked of sources can be asked of it. What the parts have
in common, a look at all of them and a count of all of them, is in ``group_counts``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_, or_
from typing import Any

import numpy as np

from roclab.data.files.duckdb import Handle, literal, opened, quoted
from roclab.data.groups import groups_of_distinct
from roclab.data.missing_codes import blanked
from roclab.data.roles import check_columns
from roclab.data.sources import SourceTable, answering, typed_words
from roclab.engines.backends import is_native, resolved
from roclab.engines.overview import check_gaps
from roclab.engines.spark_jobs import collected
from roclab.engines.watching import tell
from roclab.errors import FileError, InputError, Words, named

__all__ = [
    "MOST_GROUPS", "MOST_PARTS", "SourceGroups", "groups_of_source", "key_of", "plain_key", "too_many_groups",
]  # fmt: skip

MOST_PARTS = 1000  # groups that are counted one by one
_FAR_TOO_MANY = 20_000_001  # groups, whose names and results would not fit into memory
MOST_GROUPS = _FAR_TOO_MANY - 1  # that are counted at once
_COUNT = "roclab_rows"
_KEY = "roclab_key"
_BETWEEN, _NOTHING = "\x1f", "\x01"
# Types of which files keep the ends, so that parts of them need not be read.
_ORDERED = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "VARCHAR",
            "BOOLEAN", "DATE")  # fmt: skip


@dataclass(frozen=True, slots=True)
class SourceGroups:
    """Groups in the order of their names; ``keys`` has the values of the columns that make each."""

    table: SourceTable
    columns: tuple[str, ...]
    names: list[str]
    sizes: list[int]
    keys: list[list[Any]]
    types: Mapping[str, str]
    text: bool
    lacking: int  # rows without a group

    @property
    def called(self) -> str:
        """What makes the groups."""
        return ", ".join(self.columns)

    @property
    def native(self) -> bool:
        """Whether rows are counted by the engine they are on."""
        return is_native(self.table)

    def part(self, at: int) -> SourceTable:
        """The rows of one group."""
        called = f"{self.table.called}, {self.called} {self.names[at]}"
        known = {"rows": self.sizes[at]}
        if self.native:
            return replace(self.table, source=_filtered(self, self.keys[at]), called=called, known=known)
        return replace(self.table, where=self._also(self._where(self.keys[at])), called=called, known=known)

    def with_groups(self) -> SourceTable:
        """All rows that have a group."""
        if not self.lacking:
            return self.table
        if len(self.names) > MOST_PARTS:
            raise InputError(
                "by", f"must have no gaps where it makes more than {MOST_PARTS:,} groups",
                Words(f"{self.lacking:,} rows without a group"), "leave those rows out of the source",
            )  # fmt: skip
        keys = [key for own in self.keys for key in own]
        if self.native:
            return replace(self.table, source=_filtered(self, keys), known={})
        return replace(self.table, where=self._also(self._where(keys)), known={})

    def _also(self, where: str) -> str:
        """A condition beside that of a table which is a part itself."""
        return f"({self.table.where}) AND ({where})" if self.table.where else where

    def _where(self, keys: Sequence[str]) -> str:
        kind = self.types[self.columns[0]]
        if len(self.columns) == 1 and not self.text and kind in _ORDERED:
            values = ", ".join(f"CAST({literal(key)} AS {kind})" for key in keys)
            return f"{quoted(self.columns[0])} IN ({values})"
        return f"{key_of(self.columns, text=self.text)} IN ({', '.join(map(literal, keys))})"


def key_of(columns: Sequence[str], *, text: bool) -> str:
    """In SQL, one text for the group of a row; NULL where the only column is."""
    every = [f"CAST({_cell(name, text=text)} AS VARCHAR)" for name in columns]
    if len(every) == 1:
        return every[0]
    held = [f"coalesce({one}, {literal(_NOTHING)})" for one in every]
    return "(" + f" || {literal(_BETWEEN)} || ".join(held) + ")"


def _cell(name: str, *, text: bool) -> str:
    return f"trim({quoted(name)})" if text else quoted(name)


def groups_of_source(
    table: SourceTable,
    by: Sequence[str],
    *,
    wanted: Sequence[str] | None = None,
    missing: str = "error",
    most: int | None = None,
) -> SourceGroups:
    """The groups that columns make, by one pass over them; ``wanted`` are all columns that will be asked for.

    They have the names that rows in memory would give them, because the distinct values go the same way.
    """
    wanted = None if wanted is None else list(dict.fromkeys([*wanted, *by]))
    check_columns(by, table.names(), table.called, FileError if table.printed_labels else InputError)
    table = resolved(table, wanted)
    tell(f"groups of {table.called}")
    found = _distinct_on_engine(table, by) if is_native(table) else _distinct(table, by)
    groups, there = groups_of_distinct(found.columns, by)
    rows = found.rows
    lacking = int(rows[~there].sum())
    check_gaps({", ".join(by): lacking}, lacking, int(rows.sum()), missing)
    if len(groups.names) > (MOST_PARTS if most is None else most):
        raise too_many_groups(len(groups.names), more=rows.size == _FAR_TOO_MANY)
    if there.all() and len(groups.names) == there.size:  # every value is a group of its own
        order = np.argsort(groups.codes)
        keys: list[list[Any]] = [[found.keys[at]] for at in order.tolist()]
        return SourceGroups(
            table, tuple(by), groups.names, rows[order].tolist(), keys, found.types, found.text, lacking
        )
    places = np.flatnonzero(there)
    sizes = np.bincount(groups.codes, weights=rows[there], minlength=len(groups.names)).astype(np.int64)
    keys = [[] for _ in groups.names]
    for at, code in zip(places.tolist(), groups.codes.tolist(), strict=True):
        keys[code].append(found.keys[at])
    return SourceGroups(table, tuple(by), groups.names, sizes.tolist(), keys, found.types, found.text, lacking)


def too_many_groups(count: int, *, more: bool = False) -> InputError:
    """What is said of questions that are asked of one group after another."""
    return InputError(
        "by", f"must make at most {MOST_PARTS:,} groups for this question where rows are counted on an engine",
        Words(f"{count:,}" + (" or more" if more else "")),
        "ask for the AUC, which is counted in all groups at once, name another column, or fetch the rows with "
        f"{named('engine', 'memory')} if they fit",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Distinct:
    columns: Mapping[str, Any]
    keys: list[Any]
    rows: Any
    types: Mapping[str, str]
    text: bool


def _distinct(table: SourceTable, by: Sequence[str]) -> _Distinct:
    with opened(table) as handle:
        return _distinct_of(handle, table, by)


def _distinct_of(handle: Handle, table: SourceTable, by: Sequence[str]) -> _Distinct:
    columns = ", ".join(f"{_cell(name, text=handle.text)} AS {quoted(name)}" for name in by)
    query = (
        f"SELECT {columns}, {key_of(by, text=handle.text)} AS {_KEY}, count(*) AS {_COUNT} FROM source GROUP BY ALL "
        f"LIMIT {_FAR_TOO_MANY}"
    )
    found = handle.arrow(query)
    values = {name: found.column(name) for name in by}
    values = typed_words(found.select(list(by)), table.na, ()) if handle.text else blanked(values, table.na)
    rows = found.column(_COUNT).to_numpy().astype(np.int64)
    return _Distinct(values, found.column(_KEY).to_pylist(), rows, handle.types, handle.text)


def _distinct_on_engine(table: SourceTable, by: Sequence[str]) -> _Distinct:
    import narwhals as nw

    with answering(table.called):
        frame = nw.from_native(table.source).lazy()
        found = collected(frame.group_by(list(by)).agg(nw.len().cast(nw.Int64).alias(_COUNT)).head(_FAR_TOO_MANY))
    values = blanked({name: found[name] for name in by}, table.na)
    keys = [plain_key(row) for row in zip(*(found[name].to_list() for name in by), strict=True)]
    return _Distinct(values, keys, np.array(found[_COUNT].to_list(), np.int64), {}, False)


def _filtered(groups: SourceGroups, keys: Sequence[tuple[Any, ...]]) -> Any:
    """Rows of a lazy table with one of some combinations of values."""
    import narwhals as nw

    either = [
        reduce(and_, [_is(nw.col(name), value) for name, value in zip(groups.columns, key, strict=True)])
        for key in keys
    ]
    with answering(groups.table.called):
        return nw.from_native(groups.table.source).lazy().filter(reduce(or_, either)).to_native()


def plain_key(values: Sequence[Any]) -> tuple[Any, ...]:
    """Values of one row that find their like: all NaN are one."""
    return tuple(math.nan if value != value else value for value in values)


def _is(column: Any, value: Any) -> Any:
    if value is None:
        return column.is_null()
    nothing = ~column.is_finite() & (column != math.inf) & (column != -math.inf) if value != value else None
    return column == value if nothing is None else nothing
