"""Large plain text through pyarrow: the same columns many times faster, or None where our own reader must look.

Only what both read alike is read here: UTF-8 with one header line, numbers with a point. Anything else, and every
failure, is left to the reader that can say which row and which cell is wrong. Text without quotes is cut at the ends of
lines and its pieces are read at once (``text_pieces.py``), conversion included; where quotes may hide the end of a line
it is read as one.
"""

from __future__ import annotations

import csv
import mmap
import os
import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab._core.work import in_order
from roclab.data.files.arrow import numpy_of
from roclab.data.files.cells import MISSING, WordColumn
from roclab.data.files.sniffing import sniffed_decimal, sniffed_delimiter
from roclab.data.files.text_pieces import OddSignError, pieces_of, table_of_piece
from roclab.data.missing_codes import numbers_among
from roclab.errors import RoclabError

__all__ = ["quick_columns"]

_OVERFLOW = re.compile(rb"[0-9.][eE]\+?0*[0-9]{3}|[0-9]{308}")  # perhaps; our own reader knows
_SMALL = 1_000_000  # bytes that are read before pyarrow would be imported
_HEAD = 1 << 16
_SAMPLE = 50
_EXACT = 1 << 53
_FRACTION = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+")
_LETTER = re.compile(r"[!-~]")
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
    separator, header, fractions, letters = found
    wanted = header if wanted is None else wanted
    if not set(wanted) <= set(header) or len(set(header)) < len(header) or "" in wanted:
        return None
    words = pa.dictionary(pa.int32(), pa.string())

    def kind_of(name: str) -> Any:
        if name in numeric:
            return pa.float64()
        return pa.string() if name in fractions else pa.binary() if name in letters else words

    asked = {
        "parse_options": pa.csv.ParseOptions(delimiter=separator),
        "convert_options": pa.csv.ConvertOptions(
            include_columns=list(wanted),
            column_types={name: kind_of(name) for name in wanted},
            null_values=sorted(MISSING.union(map(str, na))),
            strings_can_be_null=False,
        ),
    }

    def converted(table: Any) -> list[Any]:
        return [_converted(table.column(name), name in numeric, na) for name in wanted]

    def of_piece(at: int) -> list[Any]:
        return converted(table_of_piece(path, at, header, asked))

    def of_all() -> list[list[Any]]:
        """Piece by piece; where a cell is not what the first lines promise, once more."""
        while True:
            try:
                return list(in_order(of_piece, pieces_of(path), workers=workers))
            except (_LongerError, OddSignError) as met:
                letters.clear()
                asked["convert_options"].column_types = {name: kind_of(name) for name in wanted}
                if isinstance(met, OddSignError):
                    asked["parse_options"].newlines_in_values = True
                    return [converted(pa.csv.read_csv(path, **asked))]

    workers = min(pa.cpu_count(), 16)
    try:
        every = list(zip(*of_all(), strict=True))
        columns = list(in_order(lambda column: _joined(list(column), na), every, workers=workers))
    except (pa.ArrowException, OSError, ValueError, _CloserLookError):
        return None
    infinite = any(column.dtype.kind == "f" and np.isinf(column).any() for column in columns)
    if infinite and _holds_overflow(path):
        return None
    return dict(zip(wanted, columns, strict=True)) if columns[0].size else None


def _holds_overflow(path: str) -> bool:
    """Whether digits stand somewhere for a number beyond float64, which pyarrow takes for infinity."""
    with open(path, "rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as text:
        return _OVERFLOW.search(text) is not None


class _LongerError(Exception):
    """Cells of one letter are followed by others."""


class _CloserLookError(Exception):
    """A column that only our own reader can judge."""


def _converted(column: Any, numeric: bool, na: Sequence[Any]) -> Any:
    """A column of a piece: numbers as an array, words as Arrow's dictionary."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        return column
    if pa.types.is_binary(column.type):
        return np.concatenate([_letters(chunk) for chunk in column.chunks] or [np.empty(0, np.uint8)])
    values = _numbers(column, na) if numeric else _fractions(column, na)
    if values is None:
        raise _CloserLookError
    return values


def _letters(cells: Any) -> Array:
    """Cells of one byte each: the bytes themselves, which need no dictionary to be looked up in."""
    _, ends, text = cells.buffers()
    end = np.frombuffer(ends, np.int32)[cells.offset : cells.offset + len(cells) + 1]
    if end[-1] - end[0] != len(cells) or (end[1:] - end[:-1] != 1).any():
        raise _LongerError
    return np.frombuffer(text, np.uint8)[end[0] : end[-1]]


def _joined(parts: list[Any], na: Sequence[Any]) -> Array:
    if isinstance(parts[0], np.ndarray):
        values: Array = np.concatenate(parts)
        return _lettered(values, na) if values.dtype == np.uint8 else values
    import pyarrow as pa

    return _words(pa.chunked_array([chunk for part in parts for chunk in part.chunks], parts[0].type), na)


def _looked_at(path: str, delimiter: str | None) -> tuple[str, list[str], set[str], set[str]] | None:
    """Delimiter, names of the columns, those that seem to hold fractions and those that seem to hold single letters.

    None if the first lines are not plain enough.
    """
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
    fractions, letters = (
        {name for name, cells in columns.items() if all(map(shape.fullmatch, cells))} for shape in (_FRACTION, _LETTER)
    )
    return delimiter, header, fractions, letters


def _numbers(column: Any, na: Sequence[Any]) -> Array | None:
    values = numpy_of(column)
    near = not values.size or -_EXACT < values.min() <= values.max() < _EXACT  # False too where one is missing
    if not near and ((np.abs(values) >= _EXACT) & ~np.isinf(values)).any():
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


def _lettered(letters: Array, na: Sequence[Any]) -> Array:
    seen = np.flatnonzero(np.bincount(letters, minlength=256))
    if seen.size and seen[-1] > 127:
        raise _CloserLookError  # half of a letter
    words = WordColumn(decimal=".", na=na)
    words.add([chr(one) for one in seen], ())
    place = np.zeros(256, np.intp)
    place[seen] = np.arange(seen.size)
    values: Array = words.values()[place][letters] if seen.size else np.empty(0)
    return values


def _words(column: Any, na: Sequence[Any]) -> Array:
    joined = column.unify_dictionaries().combine_chunks()
    if hasattr(joined, "chunks"):
        joined = joined.chunk(0)
    words = WordColumn(decimal=".", na=na)
    words.add(joined.dictionary.to_pylist(), ())
    values: Array = words.values()[numpy_of(joined.indices)]
    return values
