"""A table: names, columns and what messages call it, whatever the data came as.

Mappings, data frames of any library and files differ in how a column is fetched and agree on everything else. Nothing
behind this file knows which of them it was.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

from roclab.data.columns import is_frame
from roclab.data.missing_codes import blanked, codes_of
from roclab.data.reading import AS_IT_IS, ENGINE_KEYWORDS, Reading, reading_of
from roclab.data.roles import check_columns
from roclab.data.sources import SourceTable, source_of
from roclab.datasets import BUNDLED, bundled_path
from roclab.errors import InputError, Words, named

__all__ = [
    "FileTable",
    "FrameTable",
    "MappingTable",
    "Reading",
    "SourceTable",
    "Table",
    "named_table",
    "reading_of",
    "refuse_reading",
    "table_of",
]


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

    def value_labels(self, name: str) -> Mapping[str, Any]:
        """Words that the table has for values of a column, as SPSS files do; the values by these words."""
        ...


@dataclass(frozen=True, slots=True)
class MappingTable:
    """A mapping of names to columns."""

    data: Mapping[Any, Any]
    called: str = "the mapping"
    printed_labels: bool = False
    na: tuple[Any, ...] = ()
    words: Mapping[str, Mapping[str, Any]] | None = None

    def names(self) -> list[str]:
        """Names of all columns."""
        return [str(name) for name in self.data]

    def columns(self, wanted: Sequence[str] | None = None, *, numeric: Sequence[str] = ()) -> dict[str, Any]:
        """Columns by name."""
        every = {str(name): values for name, values in self.data.items()}
        check_columns(wanted or (), self.names(), self.called)
        return blanked(every if wanted is None else {name: every[name] for name in wanted}, self.na)

    def value_labels(self, name: str) -> Mapping[str, Any]:
        """None, unless the table was read from a file that has some."""
        return (self.words or {}).get(name, {})


@dataclass(frozen=True, slots=True)
class FrameTable:
    """A data frame of any library that narwhals reads; of a lazy one only the wanted columns are collected."""

    frame: Any
    called: str = "the data frame"
    printed_labels: bool = False
    na: tuple[Any, ...] = ()

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
        return blanked({str(name): table[name] for name in chosen}, self.na)

    def value_labels(self, name: str) -> Mapping[str, Any]:
        """None: what a frame says is what stands in it."""
        return {}


@dataclass(frozen=True, slots=True)
class FileTable:
    """A file, and how to read it."""

    path: str | os.PathLike[str]
    reading: Reading = AS_IT_IS
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
            sheet=self.reading.sheet,
            delimiter=self.reading.delimiter,
            decimal=self.reading.decimal,
            header_row=self.reading.header_row,
            na=codes_of(self.reading.na),
            where=self.shown,
        )

    def value_labels(self, name: str) -> Mapping[str, Any]:
        """Those of an SPSS or Stata file."""
        if not str(self.path).lower().endswith((".sav", ".dta")):
            return {}
        from roclab.data.files.statistics_packages import value_labels

        return value_labels(os.fspath(self.path), name)


def table_of(data: Any, **keywords: Any) -> Table | None:
    """The table that ``data`` is, or None for arrays and lists, which have no names; keywords as in ``Reading``."""
    reading = Reading(**keywords)
    place = data.path if isinstance(data, FileTable) and data.shown is None else data
    source = source_of(place, reading)
    if source is not None:
        return replace(source, na=codes_of(reading.na))
    if isinstance(data, FileTable):
        return replace(data, reading=reading)
    if isinstance(data, str) and data in BUNDLED and not os.path.exists(data):
        return FileTable(bundled_path(data), reading, shown=data)
    if isinstance(data, str | os.PathLike):
        return FileTable(data, reading)
    codes = codes_of(reading.na)
    table = (
        data
        if isinstance(data, MappingTable)
        else MappingTable(data)
        if isinstance(data, Mapping)
        else FrameTable(data)
        if is_frame(data)
        else None
    )
    for field in fields(Reading):
        if field.name == "accuracy" or (field.name == "engine" and reading.engine in (None, "auto", "memory")):
            continue  # numbers of data in memory are exact
        if field.name in ENGINE_KEYWORDS and getattr(reading, field.name) is not None:
            raise InputError(
                "",
                f"{named(field.name)} is for files, databases and lazy tables",
                Words("data in memory"),
                "leave it out",
            )
        if getattr(reading, field.name) is not None and (field.name != "na" or table is None):
            means = "names codes of missing values in a table" if field.name == "na" else "says how to read a file"
            raise InputError("", f"{named(field.name)} {means}", Words("data in memory"), "leave it out")
    return replace(table, na=codes) if codes and table is not None else table


def refuse_reading(keywords: Mapping[str, Any]) -> None:
    """Say that plain numbers are not read from a table, where keywords say how to read one."""
    if keywords:
        table_of((), **keywords)


def named_table(data: Any, **keywords: Any) -> tuple[str, list[str]]:
    """What messages call a table, and the names of its columns."""
    table = table_of(data, **keywords)
    return ("the data", []) if table is None else (table.called, table.names())
