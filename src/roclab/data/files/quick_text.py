"""Large plain text through pyarrow: the same columns many times faster, or None where our own reader must look.

Only what both read alike is read here: UTF-8 with one header line, numbers with a point. Anything else, and every
failure, is left to the reader that can say which row and which cell is wrong.
"""

from __future__ import annotations

import csv
import os
import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.data.files.cells import MISSING, WordColumn
from roclab.data.files.sniffing import sniffed_decimal, sniffed_delimiter
from roclab.data.missing_codes import numbers_among
from roclab.errors import RoclabError

__all__ = ["quick_columns"]

_SMALL = 1_000_000  # bytes that are read before pyarrow would be imported
_HEAD = 1 << 16
_SAMPLE = 50
_EXACT = 1 << 53


def quick_columns(
    path: str, wanted: Sequence[str] | None, *, numeric: Sequence[str], delimiter: str | None, na: Sequence[Any]
) -> dict[str, Array] | None:
    """The wanted columns of a large text file, or None where it needs a closer look."""
    if wanted is None or os.path.getsize(path) < _SMALL:
        return None
    try:
        import pyarrow as pa
        import pyarrow.csv
    except ImportError:
        return None
    found = _looked_at(path, delimiter)
    if found is None or not set(wanted) <= set(found[1]) or len(set(found[1])) < len(found[1]):
        return None
    words = pa.dictionary(pa.int32(), pa.string())
    try:
        table = pa.csv.read_csv(
            path,
            parse_options=pa.csv.ParseOptions(delimiter=found[0], newlines_in_values=True),
            convert_options=pa.csv.ConvertOptions(
                include_columns=list(wanted),
                column_types={name: pa.float64() if name in numeric else words for name in wanted},
                null_values=sorted(MISSING.union(map(str, na))),
                strings_can_be_null=False,
            ),
        )
    except (pa.ArrowException, OSError, ValueError):
        return None
    if table.num_rows == 0:
        return None
    out: dict[str, Array] = {}
    for name in wanted:
        column = _numbers(table.column(name), na) if name in numeric else _words(table.column(name), na)
        if column is None:
            return None
        out[name] = column
    return out


def _looked_at(path: str, delimiter: str | None) -> tuple[str, list[str]] | None:
    """Delimiter and names of the columns, if the first lines are as plain as they must be."""
    with open(path, "rb") as stream:
        head = stream.read(_HEAD)
    try:
        text = head[: head.rfind(b"\n") + 1].decode("utf-8")
    except UnicodeDecodeError:
        return None
    lines = [line for line in re.split(r"\r\n|\n", text)[: _SAMPLE + 1] if line.strip()][:_SAMPLE]
    if len(lines) < 2 or "\0" in text or "\r" in text.replace("\r\n", "\n") or text.startswith("\ufeff"):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            delimiter = delimiter or sniffed_delimiter(lines, path)
            if sniffed_decimal(lines, delimiter, path) != ".":
                return None
        header = next(csv.reader(lines[:1], delimiter=delimiter, strict=True))
    except (RoclabError, csv.Error):
        return None
    return (delimiter, header) if all(name == name.strip() for name in header) and len(header) > 1 else None


def _numbers(column: Any, na: Sequence[Any]) -> Array | None:
    values: Array = column.to_numpy()
    if values.dtype != np.float64 or ((np.abs(values) >= _EXACT) & ~np.isinf(values)).any():
        return None  # whether float64 keeps such integers apart is seen by their digits only
    codes = numbers_among(na)
    return np.where(np.isin(values, codes), np.nan, values) if codes else values


def _words(column: Any, na: Sequence[Any]) -> Array:
    joined = column.unify_dictionaries().combine_chunks()
    if hasattr(joined, "chunks"):
        joined = joined.chunk(0)
    words = WordColumn(decimal=".", na=na)
    words.add(joined.dictionary.to_pylist(), ())
    values: Array = words.values()[joined.indices.to_numpy()]
    return values
