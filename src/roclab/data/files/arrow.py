"""Columns of Parquet and Arrow (Feather) files through pyarrow; columns nobody asked for stay unread."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.data.columns import as_array
from roclab.data.files.signatures import kind_of
from roclab.data.roles import check_columns
from roclab.errors import FileError, MissingExtraError, Words

_ARROW_FILE = b"ARROW1"
_FEW_WORDS = 1 << 17
_ARROW_STREAM = b"\xff\xff\xff\xff"


def numpy_of(column: Any) -> Array:
    """An array or chunks of pyarrow as NumPy has them, without a copy where one array of numbers has no gaps.

    ``to_numpy`` gives the same, but imports pandas where that is installed, which takes longer than most questions.
    """
    parts = column.chunks if hasattr(column, "chunks") else [column]
    kind = str(column.type)
    if kind == "string":
        return _words_of(column)
    if column.null_count or not kind.startswith(("int", "uint", "float", "double")) or not parts:
        found: Array = column.to_numpy() if hasattr(column, "chunks") else column.to_numpy(zero_copy_only=False)
        return found
    return np.from_dlpack(parts[0]) if len(parts) == 1 else np.concatenate([np.from_dlpack(part) for part in parts])


def _words_of(column: Any) -> Array:
    """Text as Python's strings, each word made once, which labels repeat; None for a gap."""
    # Encoding imports all of pyarrow's compute functions, which takes longer than to make some thousand words.
    if column.null_count or ("pyarrow.compute" not in sys.modules and len(column) <= _FEW_WORDS):
        return np.array(column.to_pylist(), dtype=object)
    coded = column.combine_chunks().dictionary_encode() if hasattr(column, "chunks") else column.dictionary_encode()
    words = np.array(coded.dictionary.to_pylist(), dtype=object)
    found: Array = words[np.from_dlpack(coded.indices)]
    return found


def parquet_columns(path: Path, wanted: Sequence[str] | None, *, head: bytes, where: str) -> dict[str, Array]:
    """The wanted columns (all when None) of a Parquet file."""
    if not head.startswith(b"PAR1"):
        raise _other_kind(where, "a Parquet file", head)
    parquet = _pyarrow("parquet", purpose="reading a Parquet file")
    # An absolute name, because pyarrow takes "s3:x.parquet" for an address.
    with _translated(where), parquet.ParquetFile(path.absolute()) as file:
        names = file.schema_arrow.names
        check_columns(wanted or (), names, where, FileError)
        chosen = list(names if wanted is None else wanted)
        # "a" also selects the parts of a nested column "a.b", hence the second selection.
        table = file.read(columns=chosen).select(chosen)
    return _arrays(table, where)


def arrow_columns(path: Path, wanted: Sequence[str] | None, *, head: bytes, where: str) -> dict[str, Array]:
    """The wanted columns (all when None) of an Arrow file or stream, which is what Feather files are."""
    if not head.startswith((_ARROW_FILE, _ARROW_STREAM)):
        raise _other_kind(where, "an Arrow (Feather version 2) file", head)
    ipc = _pyarrow("ipc", purpose="reading an Arrow or Feather file")
    opened = ipc.open_file if head.startswith(_ARROW_FILE) else ipc.open_stream
    with _translated(where), path.open("rb") as source:
        names = opened(source).schema.names
        check_columns(wanted or (), names, where, FileError)
        chosen = list(names if wanted is None else wanted)
        source.seek(0)
        place = {name: at for at, name in enumerate(names)}
        options = ipc.IpcReadOptions(included_fields=[place[name] for name in chosen])
        table = opened(source, options=options).read_all().select(chosen)
    return _arrays(table, where)


def _pyarrow(part: str, *, purpose: str) -> Any:
    try:
        return importlib.import_module(f"pyarrow.{part}")
    except ImportError:
        raise MissingExtraError(library="pyarrow", extra="parquet", purpose=purpose) from None


@contextmanager
def _translated(where: str) -> Iterator[None]:
    """What pyarrow raises about a damaged file, as one sentence that names the file."""
    import pyarrow

    try:
        yield
    except FileError:
        raise
    except (pyarrow.ArrowException, OSError) as error:
        raise FileError(
            where,
            "must be a complete and readable file",
            Words(f"{str(error).splitlines()[0]!r} from pyarrow"),
            "copy, download or write it again",
        ) from None


def _arrays(table: Any, where: str) -> dict[str, Array]:
    if table.num_rows == 0:
        raise FileError(where, "must hold rows of cases", Words("columns without any row"), "check how it was written")
    return {name: as_array(table.column(name), name) for name in table.column_names}


def _other_kind(where: str, expected: str, head: bytes) -> FileError:
    return FileError(
        where, f"must be {expected} as its name says", Words(f"{kind_of(head)}"), "name the file after what it holds"
    )
