"""Sources: tables whose rows lie elsewhere, in many files, a database, a lazy frame, Spark or a stream of batches.

A source with few rows is fetched, and nothing behind this file knows that it was one. With more rows it stays where it
is, and the verbs get cases that are counted there (``roclab.engines``).
"""

from __future__ import annotations

import os
import shutil
import tempfile
import traceback
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from roclab._core.checks import check_choice
from roclab.data.columns import is_frame
from roclab.data.files.postgres import PostgresTable, is_address
from roclab.data.missing_codes import blanked
from roclab.data.reading import AS_IT_IS, Reading
from roclab.data.roles import check_columns
from roclab.errors import FileError, InputError, RoclabError, Words, named
from roclab.names import ENGINES

__all__ = [
    "IN_MEMORY",
    "KeptFolder",
    "SourceTable",
    "answering",
    "bytes_of",
    "check_accuracy",
    "rows_in_memory",
    "source_of",
    "spill_folder",
    "typed_words",
]

IN_MEMORY = 5_000_000  # rows that are fetched: below that NumPy is faster than any engine
_ROW = 100  # bytes that a fetched row may cost, all columns and temporaries
_LARGE_TEXT = 300_000_000  # bytes of a text file whose rows are counted by an engine
_HEAD = 1 << 20  # bytes of a text file that tell how long its lines are
_UNITS = {"": 1, "b": 1, "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12, "kib": 2**10, "mib": 2**20, "gib": 2**30}
_DATABASES = (".duckdb", ".ddb", ".db")
_GLOB = "*?["


def bytes_of(limit: str | float | None) -> int | None:
    """A memory limit in bytes.

    >>> bytes_of("1GB"), bytes_of("512 MiB"), bytes_of(None)
    (1000000000, 536870912, None)
    """
    if limit is None:
        return None
    if isinstance(limit, str):
        text = limit.strip().lower().replace(" ", "")
        digits = text.rstrip("bgikmt")
        try:
            limit = float(digits) * _UNITS[text[len(digits) :]]
        except (ValueError, KeyError):
            limit = -1.0 if limit else 0.0
        if limit < 0:
            raise InputError("memory_limit", "must be a number of bytes", text, f"write {named('memory_limit', '1GB')}")
    if not 50_000_000 <= limit < float("inf"):
        raise InputError(
            "memory_limit",
            "must be at least 50MB, which an engine needs to begin with",
            Words(f"{limit:g} bytes"),
            f"write {named('memory_limit', '1GB')}",
        )
    return int(limit)


def check_accuracy(accuracy: Any) -> float:
    """The error that numbers may have, 0 for exact ones.

    >>> check_accuracy(None), check_accuracy("exact"), check_accuracy(1e-6)
    (0.0, 0.0, 1e-06)
    """
    if accuracy is None or accuracy == "exact":
        return 0.0
    if isinstance(accuracy, bool) or not isinstance(accuracy, int | float) or not 0 < accuracy < 0.5:
        raise InputError(
            "accuracy", "must be 'exact' or an error between 0 and 0.5", accuracy, f"write {named('accuracy', 1e-6)}"
        )
    return float(accuracy)


def rows_in_memory(reading: Reading) -> int:
    """Rows that are fetched rather than counted elsewhere."""
    limit = bytes_of(reading.memory_limit)
    return IN_MEMORY if limit is None else min(IN_MEMORY, limit // _ROW)


class KeptFolder:
    """A folder for rows that came as a stream, gone when nobody holds it any more."""

    def __init__(self) -> None:
        self.name = _fresh_name()
        weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)
        os.mkdir(self.name, 0o700)


def _fresh_name() -> str:
    """A name for a folder, known before the folder is there: Ctrl-C between the two must leave nothing behind."""
    return os.path.join(tempfile.gettempdir(), f"roclab-{os.urandom(8).hex()}")


@contextmanager
def spill_folder() -> Iterator[str]:
    """A folder for what does not fit into memory, gone afterwards whatever happens."""
    name = _fresh_name()
    try:
        os.mkdir(name, 0o700)
        yield name
    finally:
        shutil.rmtree(name, ignore_errors=True)


# What engines say when their session is gone: Spark's classic client, its Java process, Connect, databases.
_ENDED = (
    "stopped SparkContext", "'setCallSite'", "SparkContext was shut down", "SparkContext has been shutdown",
    "SESSION_CLOSED", "SESSION_NOT_FOUND", "SESSION_CHANGED", "StatusCode.UNAVAILABLE", "NO_ACTIVE_SESSION",
    "Answer from Java side is empty", "Error while sending or receiving", "while trying to connect to the Java server",
)  # fmt: skip


def _asserted_by_spark(error: Exception) -> bool:
    """Whether Spark's client found no session where there must be one, which it says without a word."""
    if not isinstance(error, AssertionError) or error.__traceback__ is None:
        return False
    frames = traceback.extract_tb(error.__traceback__)
    return "pyspark" in frames[-1].filename


@contextmanager
def answering(called: str) -> Iterator[None]:
    """What goes wrong on an engine of the user's, in one sentence."""
    try:
        yield
    except RoclabError:
        raise
    except Exception as error:  # every engine has errors of its own
        line = next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
        if any(words in str(error) for words in _ENDED) or _asserted_by_spark(error):
            raise InputError(
                "", f"the session that {called} belongs to must be alive", Words("one that has ended"),
                "start a session and read the table again",
            ) from None  # fmt: skip
        raise InputError(
            "",
            f"the engine of {called} must answer",
            Words(repr(line[:160])),
            "check that its session is alive and the table can be read",
        ) from None


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table whose rows lie elsewhere.

    ``kind`` is "files" (a pattern, a folder, a large file), "database", "postgres" (an address), "relation" (of
    DuckDB), "dataset" (of Arrow), "polars", "spark", "ibis" or "lazy" (any other that narwhals reads).
    """

    source: Any
    kind: str
    reading: Reading = AS_IT_IS
    called: str = "the source"
    na: tuple[Any, ...] = ()
    keeper: Any = None  # what must live as long as the table: a folder of spooled batches
    where: str = ""  # in SQL, which rows are meant, where it is not all of them
    computed: tuple[str, Callable[[Any], str]] | None = None  # one more column, in SQL, where a model made one
    known: dict[Any, Any] = field(default_factory=dict, compare=False)  # what was counted before

    @property
    def printed_labels(self) -> bool:
        """Labels of text files match by how they are printed."""
        return self.kind in ("files", "database")

    def names(self) -> list[str]:
        """Names of all columns."""
        if self.kind in _LAZY:
            with answering(self.called):
                return list(_lazy(self).names())
        if self.kind == "dataset":
            return list(self.source.schema.names)
        if self.kind == "postgres":
            return list(self.source.kinds())
        from roclab.data.files.duckdb import opened

        with opened(self) as handle:
            return handle.names

    def numeric_names(self) -> list[str]:
        """Names of the columns that hold numbers, as far as their types say; text files have no types."""
        if self.kind in _LAZY:
            import narwhals as nw

            schema = nw.from_native(self.source).collect_schema()
            return [name for name, kind in schema.items() if kind.is_numeric()]
        if self.kind == "postgres":
            found: list[str] = self.source.numeric_names()
            return found
        from roclab.data.files.duckdb import NUMBERS, opened

        with opened(self) as handle:
            if handle.text:
                raise InputError(
                    "score", "must name the columns of text files that an engine reads", Words("none"),
                    f"its columns are {', '.join(handle.names)}",
                )  # fmt: skip
            return [name for name, kind in handle.types.items() if kind.split("(")[0] in NUMBERS]

    def count(self) -> int:
        """Number of rows, counted once where they lie."""
        if "rows" not in self.known:
            self.known["rows"] = self._count()
        found: int = self.known["rows"]
        return found

    def _count(self) -> int:
        if self.kind == "dataset":
            return int(self.source.count_rows())
        if self.kind == "postgres":
            return int(self.source.count())
        if self.kind in _LAZY:
            import narwhals as nw

            with answering(self.called):
                found = nw.from_native(self.source).lazy().select(nw.len().alias("rows")).collect()
            return int(found["rows"][0])
        from roclab.data.files.duckdb import opened

        with opened(self) as handle:
            return int(handle.rows("SELECT count(*) FROM source")[0][0])

    @property
    def remote(self) -> bool:
        """True when rows stay where they are: there are many, or an engine was asked for."""
        engine = self.reading.engine or "auto"
        if engine != "auto":
            return engine != "memory"
        most, about = rows_in_memory(self.reading), self.about_rows()
        if about is not None and about > 1.5 * most:  # so many that counting them first would only cost another pass
            return True
        return self.count() > most

    def about_rows(self) -> int | None:
        """Rows of text files, judged by their size and their first lines; None for anything else."""
        if self.kind != "files" or "rows" in self.known:
            return self.known.get("rows")
        if "about" not in self.known:
            self.known["about"] = _about_rows(self.source)
        found: int | None = self.known["about"]
        return found

    def columns(self, wanted: Sequence[str] | None = None, *, numeric: Sequence[str] = ()) -> dict[str, Any]:
        """Columns by name, fetched; refused where there are too many rows for that."""
        check_columns(wanted or (), self.names(), self.called, FileError if self.printed_labels else InputError)
        if self.remote:
            raise InputError(
                "",
                f"this question needs all rows of {self.called} in memory",
                Words(f"{self.count():,} of them"),
                f"write {named('engine', 'memory')} to fetch them, or take a sample; auc, roc, compare, screen, cutoff "
                "and confusion count them where they are",
            )
        if self.kind in _LAZY:
            with answering(self.called):
                return blanked(_lazy(self).columns(wanted), self.na)
        if self.kind == "postgres":
            return self.fetched(wanted).columns(wanted, numeric=numeric)
        if self.kind == "dataset":
            table = self.source.to_table(columns=list(wanted) if wanted is not None else None)
        else:
            from roclab.data.files.duckdb import opened

            with opened(self) as handle:
                table = handle.table(wanted, numeric)
                if handle.text:
                    return typed_words(table, self.na, numeric)
        if table.num_rows == 0:
            raise FileError(self.called, "must hold rows of cases", Words("columns without any row"))
        return blanked({name: table.column(name) for name in table.column_names}, self.na)

    def fetched(self, wanted: Sequence[str] | None) -> SourceTable:
        """The table of a server as a dataset of its own: read once, with these columns and no more."""
        key = ("fetched", None if wanted is None else tuple(wanted))
        if key not in self.known:
            with self.source.batches(wanted) as reader:
                spooled = _spooled(reader, self.reading)
            self.known[key] = replace(spooled, called=self.called, na=self.na)
        found: SourceTable = self.known[key]
        return found

    def value_labels(self, name: str) -> Mapping[str, Any]:
        """None."""
        return {}


def _about_rows(place: str) -> int | None:
    from roclab.data.files.duckdb import files_of

    files = files_of(place)
    if not files[0].lower().endswith((".csv", ".tsv", ".txt")):
        return None
    with open(files[0], "rb") as stream:
        head = stream.read(_HEAD)
    lines = max(head.count(b"\n"), 1)
    return int(sum(map(os.path.getsize, files)) * lines / max(len(head), 1))


def typed_words(table: Any, na: Sequence[Any], numeric: Sequence[str]) -> dict[str, Any]:
    """Columns of text as the reader of single files has them: booleans or numbers if every cell is one."""
    from roclab.data.files.cells import WordColumn

    out: dict[str, Any] = {}
    for name in table.column_names:
        if name in numeric:
            out |= blanked({name: table.column(name)}, na)
            continue
        column = WordColumn(decimal=".", na=na)
        column.add([cell or "" for cell in table.column(name).to_pylist()], ())
        out[name] = column.values()
    return out


_LAZY = ("polars", "spark", "ibis", "lazy", "relation")


def _lazy(table: SourceTable) -> Any:
    from roclab.data.table import FrameTable

    return FrameTable(table.source, called=table.called)


def source_of(data: Any, reading: Reading) -> SourceTable | None:
    """The source that ``data`` is, or None for data in memory and single files of moderate size."""
    if reading.engine is not None:
        check_choice(reading.engine, "engine", ENGINES)
    check_accuracy(reading.accuracy)
    bytes_of(reading.memory_limit)
    if isinstance(data, SourceTable):
        return replace(data, reading=reading)
    if isinstance(data, str | os.PathLike):
        return _source_of_path(os.fspath(data), reading)
    module, name = type(data).__module__.split(".")[0], type(data).__name__
    if module == "pyarrow":
        if name == "RecordBatchReader":
            return _spooled(data, reading)
        return SourceTable(data, "dataset", reading, "the dataset") if hasattr(data, "count_rows") else None
    if module in ("duckdb", "_duckdb") and name == "DuckDBPyRelation":
        return SourceTable(data, "relation", reading, "the relation")
    kind = {"polars": "polars", "pyspark": "spark", "ibis": "ibis", "narwhals": "lazy", "dask": "lazy"}.get(module)
    if kind is None or not is_frame(data) or not _is_lazy(data):
        return None
    if kind == "ibis":
        relation = _relation_of_ibis(data)
        if relation is not None:
            return SourceTable(relation, "relation", reading, "the table")
    return SourceTable(data, kind, reading, "the data frame" if kind in ("polars", "lazy") else "the table")


def _relation_of_ibis(data: Any) -> Any | None:
    """The relation behind an Ibis table of DuckDB, which needs no way round; None for other databases."""
    import ibis

    backend = data.get_backend()
    return backend.con.sql(str(ibis.to_sql(data))) if backend.name == "duckdb" else None


def _is_lazy(data: Any) -> bool:
    import narwhals as nw

    return isinstance(nw.from_native(data), nw.LazyFrame)


def _source_of_path(path: str, reading: Reading) -> SourceTable | None:
    """Patterns, folders and databases are sources, and so are files that an engine is asked for or that are large."""
    if is_address(path):
        place = PostgresTable.of(path)
        return SourceTable(place, "postgres", reading, place.called)
    lower = path.lower()
    file, _, table = ("", "", "") if os.path.exists(path) else path.partition("::")
    if table and file.lower().endswith(_DATABASES):
        _check_exists(file)
        return SourceTable(file, "database", replace(reading, sheet=reading.sheet or table), path)
    if lower.endswith(_DATABASES) and (os.path.exists(path) or not any(sign in path for sign in _GLOB)):
        _check_exists(path)
        return SourceTable(path, "database", reading, path)
    pattern = any(sign in path for sign in _GLOB) and not os.path.exists(path)
    if pattern or os.path.isdir(path):
        return SourceTable(path, "files", reading, path)
    asked = reading.engine not in (None, "auto", "memory")
    if not os.path.isfile(path) or not lower.endswith((".parquet", ".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz")):
        if asked and os.path.isfile(path):
            raise InputError(
                "engine", "counts Parquet, CSV and database files", Words(Path(path).suffix), "leave it out"
            )
        return None
    if asked or (reading.engine in (None, "auto") and _is_large(path, reading)):
        return SourceTable(path, "files", reading, path)
    return None


def _check_exists(path: str) -> None:
    if not os.path.isfile(path):  # addresses of the network among them
        raise FileError("", f"{path} does not exist, or is no file", way_out="check the path")


def _is_large(path: str, reading: Reading) -> bool:
    """More rows than are fetched, as far as a look can tell, and DuckDB is there to count them."""
    from importlib.util import find_spec

    size = os.path.getsize(path)
    if size < 20_000_000 or find_spec("duckdb") is None or find_spec("pyarrow") is None:
        return False
    if not path.lower().endswith(".parquet"):
        return size > _LARGE_TEXT
    import pyarrow
    import pyarrow.parquet

    try:
        with pyarrow.parquet.ParquetFile(os.path.abspath(path)) as file:
            return int(file.metadata.num_rows) > rows_in_memory(reading)
    except (OSError, pyarrow.ArrowException):  # the reader of files says what is wrong with it
        return False


def _spooled(reader: Any, reading: Reading) -> SourceTable:
    """A stream of batches, which can be read once, kept in a file that vanishes with the table."""
    import pyarrow.dataset
    import pyarrow.parquet

    folder = KeptFolder()
    path = os.path.join(folder.name, "batches.parquet")
    with pyarrow.parquet.ParquetWriter(path, reader.schema, compression="lz4") as out:
        for batch in reader:
            out.write_batch(batch)
    return SourceTable(pyarrow.dataset.dataset(path), "dataset", reading, "the stream of batches", keeper=folder)
