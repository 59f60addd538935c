"""DuckDB as a reader: many files, databases, relations and datasets behind one name, and its errors in our words."""

from __future__ import annotations

import glob
import os
import shutil
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roclab._core.checks import close_names
from roclab._core.work import ahead, attended
from roclab.data.files.arrow import numpy_of
from roclab.data.files.cells import MISSING
from roclab.data.files.locking import LOCKED, attach_locked, exactly, lock, outside_words, sql_text
from roclab.data.sources import SourceTable, bytes_of, spill_folder
from roclab.errors import FileError, InputError, MissingExtraError, RoclabError, Words, named

__all__ = ["NUMBERS", "Handle", "arrow_batches", "check_room", "connected", "literal", "no_number", "opened", "quoted"]

_OWN_SHARE = 0.7  # of a memory limit: the rest is for the interpreter and the batches it holds
NUMBERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT",
           "UHUGEINT", "FLOAT", "DOUBLE", "BOOLEAN", "DECIMAL")  # fmt: skip
_TEXT = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")


def quoted(name: str) -> str:
    """A column in SQL.

    >>> print(quoted("the score"))
    "the score"
    """
    return '"' + name.replace('"', '""') + '"'


def literal(value: Any) -> str:
    """A value in SQL, in parentheses, because a negative number after a minus would begin a comment."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"({value})"
    if isinstance(value, float):
        return f"('{value!r}'::DOUBLE)"
    return sql_text(str(value))


def no_number(value: str) -> str:
    """In SQL, whether a value is NULL or NaN.

    Not by isnan: the statistics of Parquet files leave NaN out, and DuckDB 2.0 takes them to mean that there is none.

    >>> no_number("s")
    '(s IS NULL OR (NOT isfinite(s) AND NOT isinf(s)))'
    """
    return f"({value} IS NULL OR (NOT isfinite({value}) AND NOT isinf({value})))"


@dataclass(slots=True)
class Handle:
    """An open source: SQL in which it is called ``source``, until it is closed."""

    names: list[str]
    types: dict[str, str]
    text: bool  # every column is text, as in CSV files
    called: str
    _run: Any
    _interrupt: Any
    _open: list[Generator[list[Any], None, None]] = field(default_factory=list)

    def close(self) -> None:
        """Let go of results that were not read to their end: a connection has one at a time, and may be the user's."""
        for one in self._open:
            one.close()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """All rows of a small result."""
        with translated(self.called):
            found: list[tuple[Any, ...]] = attended(lambda: self._run(query).fetchall(), self._interrupt)
            return found

    def grouped(self, query: str) -> list[Any]:
        """Whole columns of a result that fits into memory, such as groups; none where there are no rows."""
        parts = list(self.batches(query))
        return [np.concatenate(column) for column in zip(*parts, strict=True)]

    def batches(self, query: str, size: int = 1_000_000) -> Iterator[list[Any]]:
        """Columns of a large result, batch by batch, as NumPy arrays."""
        with translated(self.called):
            self._open.append(arrow_batches(self._run(query), size, self._interrupt))
            yield from self._open[-1]

    def head(self, columns: str, source: str, size: int) -> list[Any]:
        """Columns of so many rows, none where there are none; of text files the first ones, always."""
        query = f"SELECT {columns} FROM {source} LIMIT {size}"
        if not self.text:
            return self.grouped(query)
        self._run("SET preserve_insertion_order = true")
        found = self.grouped(query)
        self._run("SET preserve_insertion_order = false")
        return found

    def table(self, wanted: Sequence[str] | None, numeric: Sequence[str]) -> Any:
        """Whole columns as an Arrow table; those of text files are numbers where ``numeric`` says so."""
        names = self.names if wanted is None else list(wanted)
        cast = [self.number(name) + f" AS {quoted(name)}" if self.text and name in numeric else quoted(name)
                for name in names]  # fmt: skip
        found = self.arrow(f"SELECT {', '.join(cast)} FROM source")
        numbers = [name for name in names if self.text and name in numeric]
        self.refuse_overflow([name for name in numbers if np.isinf(numpy_of(found.column(name))).any()])
        return found

    def arrow(self, query: str) -> Any:
        """A result that fits into memory, as an Arrow table."""
        with translated(self.called):
            return attended(lambda: self._run(query).to_arrow_table(), self._interrupt)

    def described(self, name: str) -> str:
        """What a column holds, in words, with an example."""
        kind, column = self.types[name], quoted(name)
        words = {"VARCHAR": "text", "DATE": "dates", "TIMESTAMP": "times"}
        found = self.rows(f"SELECT {column} FROM source WHERE {column} IS NOT NULL LIMIT 1")
        example = f" such as {str(found[0][0])!r}" if found else ""
        return words.get(kind.split("(")[0].split(" ")[0], f"a column of {kind}") + example

    def refuse_overflow(self, names: Sequence[str]) -> None:
        """Refuse digits in text that stand for more than float64 holds, which DuckDB takes for infinity."""
        for name in names if self.text else ():
            column = quoted(name)
            digits = f"isinf(TRY_CAST({column} AS DOUBLE)) AND regexp_matches({column}, '[0-9]')"
            found = self.rows(f"SELECT {column} FROM source WHERE {digits} LIMIT 1")
            if found:
                raise FileError(
                    "", f"{self.called}, column {name}: numbers must be at most 1.8e308 in size",
                    Words(repr(found[0][0][:40])), "divide or rank them first, or write inf",
                )  # fmt: skip

    def number(self, name: str) -> str:
        """A column as float64 in SQL; text that is no number is refused by the engine."""
        return f"CAST({quoted(name)} AS DOUBLE)"


def arrow_batches(relation: Any, size: int, interrupt: Any) -> Generator[list[Any], None, None]:
    """Columns of a relation, batch by batch, as NumPy arrays; the engine goes on meanwhile, and hears Ctrl-C."""
    reader = attended(lambda: relation.to_arrow_reader(size), interrupt)
    try:
        with closing(ahead(lambda: next(reader, None), interrupt)) as batches:
            for batch in batches:
                yield [numpy_of(column) for column in batch.columns]
    finally:
        reader.close()


@contextmanager
def opened(table: SourceTable, *, spill: str | None = None) -> Iterator[Handle]:
    """The source behind a name, in a database of its own that is gone afterwards, with all it may have spilled."""
    duckdb = _duckdb()
    if table.kind == "relation":
        relation = table.source.filter(table.where) if table.where else table.source
        types = dict(zip(relation.columns, map(str, relation.types), strict=True))
        names = list(relation.columns)
        if table.computed is not None:
            name, made = table.computed
            shown = made(Handle(names, types, False, table.called, None, None))
            relation = relation.project(f"*, {shown} AS {quoted(name)}")
            names, types = [*names, name], {**types, name: "DOUBLE"}
        # A relation does not show its connection, which must be told to stop; most are of the one that the module has.
        connection = getattr(table.source, "_con", duckdb)
        handle = Handle(
            names, types, False, table.called, lambda sql: relation.query("source", sql), connection.interrupt
        )
        with closing(handle):
            yield handle
        return
    with ExitStack() as stack:
        if spill is None:
            spill = stack.enter_context(spill_folder())
        config: dict[str, Any] = {"temp_directory": spill, "preserve_insertion_order": False}
        limit = bytes_of(table.reading.memory_limit)
        if limit is not None:
            config["memory_limit"] = f"{int(limit * _OWN_SHARE)}B"
        connection = stack.enter_context(connected(config))
        with translated(table.called):
            text = _attach(connection, table)
            described = connection.sql("SELECT * FROM source LIMIT 0")
            names = list(described.columns)
            kinds = dict(zip(names, map(str, described.types), strict=True))
            if table.computed is not None:
                name, made = table.computed
                shown = made(Handle(names, kinds, text, table.called, connection.sql, connection.interrupt))
                shown = f"CAST({shown} AS VARCHAR)" if text else shown  # as all columns of text files are
                connection.execute("ALTER VIEW source RENAME TO without_score")
                connection.execute(f"CREATE TEMP VIEW source AS SELECT *, {shown} AS {quoted(name)} FROM without_score")
                names, kinds = [*names, name], {**kinds, name: "VARCHAR" if text else "DOUBLE"}
        yield Handle(names, kinds, text, table.called, connection.sql, connection.interrupt)


@contextmanager
def connected(config: dict[str, Any]) -> Iterator[Any]:
    """A database in memory that prints nothing: how far work is, is told by us; what still runs ends with it.

    It never fetches or loads extensions; whoever gives it something to read locks it first.
    """
    with translated("the database in memory"):
        connection = _duckdb().connect(":memory:", config=LOCKED | config)
    try:
        with translated("the database in memory"):
            connection.execute("SET enable_progress_bar = false")
        yield connection
    finally:
        _close(connection)


def _close(connection: Any) -> None:
    """End what a connection still does, and close it; a call that has just begun in another thread is waited for."""
    import duckdb

    for _ in range(200):
        connection.interrupt()
        try:
            connection.close()
            return
        except duckdb.Error:  # busy with another call, which ends in a moment
            time.sleep(0.02)


def _duckdb() -> Any:
    try:
        import duckdb
        import pyarrow  # noqa: F401 - batches come as Arrow
    except ImportError:
        raise MissingExtraError(library="duckdb", extra="engines", purpose="counting data where they lie") from None
    return duckdb


def _attach(connection: Any, table: SourceTable) -> bool:
    """Give the source its name; True for text files."""
    where = f" WHERE {table.where}" if table.where else ""
    if table.kind == "dataset":
        lock(connection)
        connection.register("given" if where else "source", table.source)
        if where:
            connection.execute(f"CREATE TEMP VIEW source AS SELECT * FROM given{where}")
        return False
    if table.kind == "database":
        attach_locked(connection, table.source, table.called)
        name = quoted(_table_name(connection, table))
        connection.execute(f"CREATE TEMP VIEW source AS SELECT * FROM given.{name}{where}")
        return False
    if table.kind != "files":  # a lazy frame, which its own engine has written out
        raise InputError("engine", "duckdb reads files, databases and Arrow data", Words(table.kind))
    files = files_of(table.source)
    lock(connection, files)
    listed = ", ".join(sql_text(exactly(file)) for file in files)
    text = files[0].lower().endswith(_TEXT)
    if text:
        *options, missing = _csv_options(table)
        if len(files) == 1:
            options = _sniffed_options(connection, listed, options)
        reader = f"read_csv([{listed}], {', '.join([*options, missing])})"
        # Comparing cells with all words for a missing value is a seventh of the work; who meets one can look again.
        plain = f"read_csv([{listed}], {', '.join(options)})"
        connection.execute(f"CREATE TEMP VIEW plain AS SELECT * FROM {plain}{where}")
    else:
        reader = f"read_parquet([{listed}], union_by_name = {'true' if len(files) > 1 else 'false'})"
    connection.execute(f"CREATE TEMP VIEW source AS SELECT * FROM {reader}{where}")
    return text


def _table_name(connection: Any, table: SourceTable) -> str:
    query = "SELECT table_name FROM information_schema.tables WHERE table_catalog = 'given'"
    names = [row[0] for row in connection.execute(query).fetchall()]
    asked = table.reading.sheet
    if asked is None and len(names) == 1:
        return str(names[0])
    if asked is None or asked not in names:
        listed = ", ".join(map(repr, names)) or "none"
        raise FileError(
            table.called,
            "must have the table that is asked for",
            Words(f"{named('sheet', asked)}{close_names(asked, names)}" if asked else f"{len(names)} tables"),
            f"its tables are {listed}; choose one with {named('sheet')}",
        )
    return asked


def _csv_options(table: SourceTable) -> list[str]:
    """How DuckDB must read text files; the last option names what is missing."""
    reading = table.reading
    options = ["all_varchar = true", "header = true"]
    if reading.delimiter is not None:
        options.append(f"delim = {literal(reading.delimiter)}")
    if reading.header_row is not None:
        options.append(f"skip = {int(reading.header_row) - 1}")
    if reading.decimal not in (None, "."):
        raise InputError("decimal", "must be '.' in files that an engine reads", reading.decimal, "write Parquet files")
    return [*options, f"nullstr = [{', '.join(literal(word) for word in sorted(MISSING))}]"]


def _sniffed_options(connection: Any, file: str, options: list[str]) -> list[str]:
    """The options with all that DuckDB finds out about a file, which it would find out again for every query."""
    asked = "Delimiter, Quote, Escape, NewLineDelimiter, Comment, SkipRows, Columns"
    try:
        rows = connection.execute(f"SELECT {asked} FROM sniff_csv({file}, {', '.join(options)})").fetchall()
        *signs, skip, columns = rows[0]
    except (_duckdb().Error, IndexError, ValueError):  # whoever reads the file says what is wrong with it
        return options
    names = ("delim", "quote", "escape", "new_line", "comment")
    found = [f"{name} = {literal('' if sign == '(empty)' else sign)}" for name, sign in zip(names, signs, strict=True)]
    listed = ", ".join(f"{literal(column['name'])}: 'VARCHAR'" for column in columns)
    return ["auto_detect = false", "header = true", *found, f"skip = {int(skip)}", f"columns = {{{listed}}}"]


def files_of(place: str) -> list[str]:
    """The files of a pattern or a folder, all of one kind, in order."""
    if os.path.isfile(place):
        return [place]
    if os.path.isdir(place):
        found = sorted(glob.glob(os.path.join(glob.escape(place), "**", "*"), recursive=True))
    else:
        found = sorted(glob.glob(place, recursive=True))
    files = [one for one in found if os.path.isfile(one) and not os.path.basename(one).startswith((".", "_"))]
    parquet = [file for file in files if file.lower().endswith(".parquet")]
    text = [file for file in files if file.lower().endswith(_TEXT)]
    if parquet and text:
        raise FileError(
            place, "must hold files of one kind", Words(f"{len(parquet)} of Parquet and {len(text)} of text"),
            "name one kind by a pattern",
        )  # fmt: skip
    if not parquet and not text:
        raise FileError(
            place, "must hold Parquet or CSV files", Words("none" if not files else os.path.basename(files[0])),
            "check the pattern",
        )  # fmt: skip
    return parquet or text


def check_room(folder: str, needed: float, *, argument: str = "memory_limit") -> None:
    """Refuse to begin what the disk has no room for."""
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise InputError(
            argument,
            f"leaves {needed / 1e9:.1f} GB to sort on disk",
            Words(f"{free / 1e9:.1f} GB free in {folder}"),
            f"give more memory, set TMPDIR to a folder with room, or ask for bounds with {named('accuracy', 1e-6)}",
        )


@contextmanager
def translated(called: str) -> Iterator[None]:
    """What DuckDB raises, itself or through a stream of Arrow, as one sentence of ours."""
    import duckdb
    import pyarrow

    try:
        yield
    except RoclabError:
        raise
    except (duckdb.Error, pyarrow.ArrowException, RuntimeError, OSError) as error:
        raise _in_words(called, error) from None


_NO_ROOM = ("no space left", "max_temp_directory_size", "requested and", "disk quota")


def _in_words(called: str, error: Exception) -> BaseException:
    """An error of ours for one of DuckDB's, by its text: streams of Arrow do not keep its kind."""
    message = str(error)
    line = next((line.strip() for line in message.splitlines() if line.strip()), "unknown error")
    low = message.lower()
    if "interrupt" in line.lower():
        return KeyboardInterrupt()
    if any(words in low for words in _NO_ROOM):
        return InputError(
            "memory_limit",
            f"leaves more of {called} to sort on disk than there is room for",
            Words(repr(line)),
            f"give more memory, set TMPDIR to a folder with room, or ask for bounds with {named('accuracy', 1e-6)}",
        )
    if "out of memory" in low:
        return InputError(
            "memory_limit", f"must be enough to count {called}", Words("too little"),
            f"give more, or ask for bounds with {named('accuracy', 1e-6)}",
        )  # fmt: skip
    if "Could not convert" in message or "Conversion Error" in message:
        return _not_numeric(called, message)
    return outside_words(called, message) or FileError(
        called, "must be readable as a whole", Words(f"{line!r} from DuckDB"), "correct or leave out that file"
    )


def _not_numeric(called: str, said: str) -> InputError:
    line = said.splitlines()[0].removeprefix("Conversion Error: ")
    return InputError("score", f"must hold numbers in all rows of {called}", Words(repr(line)), "correct these cells")
