"""A table: names, columns and what messages call it, whatever the data came as.

Mappings, data frames of any library and files differ in how a column is fetched and agree on everything else. Nothing
behind this file knows which of them it was.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from roclab.data.columns import is_frame
from roclab.data.roles import check_columns
from roclab.errors import InputError, Words, named

__all__ = ["FileTable", "FrameTable", "MappingTable", "Table", "named_table", "table_of"]


class Table(Protocol):
    """What every table offers."""

    @property
    def called(self) -> str:
        """What messages call it."""
        ...

    @property
    def printed_labels(self) -> bool:
        """Labels are text in a file: they match by how they are printed."""
        ...

    def names(self) -> list[str]:
        """Names of all columns."""
        ...

    def columns(self, wanted: Sequence[str] | None = None, *, numeric: Sequence[str] = ()) -> dict[str, Any]:
        """Columns by name, all of them when none is wanted; ``numeric`` ones must hold numbers."""
        ...


@dataclass(frozen=True, slots=True)
class MappingTable:
    """A mapping of names to columns."""

    data: Mapping[Any, Any]
    called: str = "the mapping"
    printed_labels: bool = False

    def names(self) -> list[str]:
        """Names of all columns."""
        return [str(name) for name in self.data]

    def columns(self, wanted: Sequence[str] | None = None, *, numeric: Sequence[str] = ()) -> dict[str, Any]:
        """Columns by name."""
        every = {str(name): values for name, values in self.data.items()}
        check_columns(wanted or (), self.names(), self.called)
        return every if wanted is None else {name: every[name] for name in wanted}


@dataclass(frozen=True, slots=True)
class FrameTable:
    """A data frame of any library that narwhals reads; of a lazy one only the wanted columns are collected."""

    frame: Any
    called: str = "the data frame"
    printed_labels: bool = False

    def names(self) -> list[str]:
        """Names of all columns."""
        import narwhals as nw

        try:
            return list(nw.from_native(self.frame).collect_schema().names())
        except nw.exceptions.DuplicateError:
            names = self.frame.column_names if hasattr(self.frame, "column_names") else self.frame.columns
            return list(names)

    def columns(self, wanted: Sequence[str] | None = None, *, numeric: Sequence[str] = ()) -> dict[str, Any]:
        """Columns by name."""
        import narwhals as nw

        names = self.names()
        check_columns(wanted or (), names, self.called)
        chosen = names if wanted is None else list(wanted)
        table = nw.from_native(self.frame)
        if isinstance(table, nw.LazyFrame):
            table = table.select(chosen).collect()
        return {str(name): table[name] for name in chosen}


@dataclass(frozen=True, slots=True)
class FileTable:
    """A file; ``sheet``, ``delimiter`` and ``decimal`` say how to read it."""

    path: str | os.PathLike[str]
    sheet: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    shown: str | None = None  # what messages call it, if not by its path
    printed_labels: bool = True

    @property
    def called(self) -> str:
        """The file as the user named it."""
        return self.shown or ("standard input" if self.path == "-" else str(self.path))

    def names(self) -> list[str]:
        """Names of all columns."""
        return list(self.columns())

    def columns(self, wanted: Sequence[str] | None = None, *, numeric: Sequence[str] = ()) -> dict[str, Any]:
        """Columns by name; O(size of the file)."""
        from roclab.data.files.read import columns_of_file

        return columns_of_file(
            self.path,
            wanted,
            numeric=numeric,
            sheet=self.sheet,
            delimiter=self.delimiter,
            decimal="." if self.decimal is None else self.decimal,
            where=self.shown,
        )


def table_of(
    data: Any, *, sheet: str | None = None, delimiter: str | None = None, decimal: str | None = None
) -> Table | None:
    """The table that ``data`` is, or None for arrays and lists, which have no names."""
    if isinstance(data, FileTable):
        return replace(data, sheet=sheet, delimiter=delimiter, decimal=decimal)
    if isinstance(data, str | os.PathLike):
        return FileTable(data, sheet, delimiter, decimal)
    for name, given in (("sheet", sheet), ("delimiter", delimiter), ("decimal", decimal)):
        if given is not None:
            raise InputError("", f"{named(name)} says how to read a file", Words("data in memory"), "leave it out")
    if isinstance(data, Mapping):
        return MappingTable(data)
    return FrameTable(data) if is_frame(data) else None


def named_table(data: Any, **reading: str | None) -> tuple[str, list[str]]:
    """What messages call a table, and the names of its columns."""
    table = table_of(data, **reading)
    return ("the data", []) if table is None else (table.called, table.names())
