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
_FRACTION = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+")
_NUMBER = r"^-?(0|[1-9][0-9]*)(\.[0-9]*)?([eE][+-]?[0-9]+)?$"  # one that no reader could take for a word


def quick_columns(
    path: str, wanted: Sequence[str] | None, *, numeric: Sequence[str], delimiter: str | None, na: Sequence[Any]
) -> dict[str, Array] | None:
    """The wanted columns of a large text file (all if None), or None where it needs a closer look."""
    if os.path.getsize(path) < _SMALL:
        return None
    try:
        import pyarrow as pa
        import pyarrow.csv
    except ImportError:
        return None
    found = _looked_at(path, delimiter)
    if found is None:
        return None
    separator, header, fractions = found
    wanted = header if wanted is None else wanted
    if not set(wanted) <= set(header) or len(set(header)) < len(header) or "" in wanted:
        return None
    words = pa.dictionary(pa.int32(), pa.string())
    kinds = {name: pa.float64() if name in numeric else pa.string() if name in fractions else words for name in wanted}
    try:
        table = pa.csv.read_csv(
            path,
            parse_options=pa.csv.ParseOptions(delimiter=separator, newlines_in_values=True),
            convert_options=pa.csv.ConvertOptions(
                include_columns=list(wanted),
                column_types=kinds,
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
        cells = table.column(name)
        if name in numeric:
            column = _numbers(cells, na)
        else:
            column = _fractions(cells, na) if name in fractions else _words(cells, na)
        if column is None:
            return None
        out[name] = column
    return out


def _looked_at(path: str, delimiter: str | None) -> tuple[str, list[str], set[str]] | None:
    """Delimiter, names of the columns, and those that seem to hold fractions, if the first lines are plain enough."""
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
        header, *rows = csv.reader(lines, delimiter=delimiter, strict=True)
    except (RoclabError, csv.Error):
        return None
    if len(header) < 2 or any(name != name.strip() for name in header):
        return None
    columns = dict(zip(header, zip(*rows, strict=False), strict=False))
    return delimiter, header, {name for name, cells in columns.items() if all(map(_FRACTION.fullmatch, cells))}


def _numbers(column: Any, na: Sequence[Any]) -> Array | None:
    values: Array = column.to_numpy()
    if values.dtype != np.float64 or ((np.abs(values) >= _EXACT) & ~np.isinf(values)).any():
        return None  # whether float64 keeps such integers apart is seen by their digits only
    codes = numbers_among(na)
    return np.where(np.isin(values, codes), np.nan, values) if codes else values


def _fractions(column: Any, na: Sequence[Any]) -> Array | None:
    """Cells that are all numbers as numbers; None if one is anything else, or a code that stands for nothing."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = column
    blank = pc.is_in(cells, value_set=pa.array(sorted(MISSING.union(map(str, na))), pa.string()))
    if not pc.all(pc.or_(blank, pc.match_substring_regex(cells, _NUMBER))).as_py():
        return None
    values = pc.if_else(blank, pa.scalar(None, pa.string()), cells).cast(pa.float64()).to_numpy()
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
