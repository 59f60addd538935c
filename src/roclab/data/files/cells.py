"""Cells of text as typed columns: which are missing, which are numbers, which are words.

A table of text arrives in chunks of rows. Each column is built up chunk by chunk, so that no more than
one chunk of text is ever held, and an offending cell can still be named by its row.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from roclab._core.types import Array, Floats
from roclab.data.missing_codes import numbers_among
from roclab.errors import FileError, Words, named

# What R, SAS, Stata, pandas, polars, SQL tools and spreadsheets write for a missing value. Case matters: "Na" is
# sodium, and "none" or "None" is often a true answer.
MISSING = frozenset({"", ".", "NA", "<NA>", "N/A", "n/a", "#N/A", "NaN", "nan", "NAN", "null", "NULL"})

_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
# Leading zeros make an identifier ("007"), not a number. Eighteen digits fit int64 and fifteen float64,
# so that no two different identifiers become the same number.
_INTEGER = re.compile(r"[+-]?(?:0|[1-9][0-9]{0,17})")
_NUMBER = re.compile(r"[+-]?(?:(?:(?:0|[1-9][0-9]{0,14})(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?|inf|Inf|INF)")
_EXACT = 1 << 53
_NAMED = 3  # cells that an error names
_SHORT = 16  # characters up to which text is stored in place


class TextRows(NamedTuple):
    """A table of text: its header, and chunks of rows with the number each row has in the file."""

    header: list[str]
    chunks: Iterator[tuple[Sequence[int], list[list[str]]]]
    decimal: str = "."


class ColumnBuilder(Protocol):
    """A column that grows chunk by chunk."""

    def add(self, cells: list[str], rows: Sequence[int]) -> None:
        """Take the next cells, which stand in these rows of the file."""

    def values(self) -> Array:
        """The whole column."""


class NumberColumn:
    """A column that must hold numbers: float64, with NaN for missing cells."""

    def __init__(self, name: str, *, where: str, decimal: str, na: Sequence[Any] = ()) -> None:
        self._name = name
        self._where = where
        self._decimal = decimal
        self._missing = MISSING.union(map(str, na))
        self._codes = numbers_among(na)
        self._parts: list[Floats] = []
        self._wrong: list[tuple[str, int]] = []  # the first cells that are no numbers, and their rows
        self._count = 0
        self._cells = 0

    def add(self, cells: list[str], rows: Sequence[int]) -> None:
        """Convert the cells at once; only if that fails, one by one to find the missing and the wrong."""
        self._cells += len(cells)
        if self._decimal == ",":
            cells = [_with_point(cell) for cell in cells]
        try:
            part = np.fromiter(map(float, cells), np.float64, count=len(cells))
            odd = "_" in "".join(cells)  # Python reads 1_000 as a number, nobody else does
        except ValueError:
            odd = True
        if odd:
            part = np.array([self._number(cell, row) for cell, row in zip(cells, rows, strict=True)])
        for at in np.flatnonzero(np.abs(part) >= _EXACT).tolist():
            self._check_exact(cells[at], rows[at])
        if self._codes:
            part[np.isin(part, self._codes)] = np.nan
        self._parts.append(part)

    def values(self) -> Floats:
        """The whole column, or the error that counts the cells that are no numbers and names the first."""
        if self._wrong:
            raise self._not_numbers()
        return np.concatenate(self._parts)

    def _number(self, cell: str, row: int) -> float:
        if self._as_written(cell).strip() in self._missing:
            return np.nan
        try:
            if "_" not in cell:
                return float(cell)
        except ValueError:
            pass  # all of them are counted before the error is raised
        self._count += 1
        if len(self._wrong) < _NAMED:
            self._wrong.append((cell, row))
        return np.nan

    def _not_numbers(self) -> FileError:
        cell = self._wrong[0][0]
        if self._decimal == ".":
            other = "," if _NUMBER.fullmatch(_with_point(cell.strip())) else None
        else:
            cell = cell.translate(_SWAP)  # back to what stands in the file
            other = "." if _NUMBER.fullmatch(cell.strip()) else None
        if other:
            hint = f"write {named('decimal', other)} if that is the decimal sign of this file"
        elif self._count == 1:
            hint = "correct the cell, or empty it if the value is missing"
        elif self._count == self._cells:
            hint = "name a column of numbers"
        else:
            hint = f"correct the cells, or write {named('na', cell.strip())} if that stands for a missing value"
        shown = [_shortened(self._as_written(one).strip()) for one, _ in self._wrong]
        if self._count == 1:
            rule = f"row {self._wrong[0][1]}, column {self._name}: {shown[0]} is not a number"
        else:
            places = ", ".join(f"{one} in row {row}" for one, (_, row) in zip(shown, self._wrong, strict=True))
            more = f" and {self._count - len(shown)} more" if self._count > len(shown) else ""
            rule = f"column {self._name}: {self._count} cells are not numbers, {places}{more}"
        return FileError("", f"{self._where}, {rule}", way_out=hint)

    def _as_written(self, cell: str) -> str:
        """A cell as it stands in the file: those of a decimal comma were turned to be read."""
        return cell if self._decimal == "." else cell.translate(_SWAP)

    def _check_exact(self, cell: str, row: int) -> None:
        digits = cell.strip().lstrip("+-")
        if not digits.isdecimal() and any(sign.isdecimal() for sign in digits) and math.isinf(float(cell)):
            raise FileError(
                "",
                f"{self._where}, row {row}, column {self._name}: numbers must be at most 1.8e308 in size",
                Words(f"{_shortened(cell.strip())}"),
                "divide or rank them first, or write inf",
            )
        # Over 308 digits there is no float64 at all, and Python would refuse or struggle to read them.
        if digits.isdecimal() and (len(digits) > 308 or int(digits) != int(float(digits))):
            raise FileError(
                "",
                (
                    f"{self._where}, row {row}, column {self._name}: integers must be at most 2**53 in "
                    "size, which float64 keeps apart"
                ),
                Words(f"{_shortened(cell)}"),
                "divide or rank them first",
            )


class WordColumn:
    """A column of labels, ids or folds: booleans, integers or floats if every cell is one, else text.

    Cells are stored as numbers of a dictionary: labels and folds repeat, and whatever a cell means has
    to be found out only once per distinct cell.
    """

    def __init__(self, *, decimal: str, na: Sequence[Any] = ()) -> None:
        self._decimal = decimal
        self._missing = MISSING.union(map(str, na))
        self._codes = numbers_among(na)
        self._code_of_cell: dict[str, int] = {}
        self._code_of_word: dict[str, int] = {}
        self._parts: list[Array] = []

    def add(self, cells: list[str], rows: Sequence[int]) -> None:
        """Look the cells up in the dictionary, entering new ones; blanks around a word do not count."""
        for cell in set(cells).difference(self._code_of_cell):
            word = cell.strip()
            self._code_of_cell[cell] = self._code_of_word.setdefault(word, len(self._code_of_word))
        self._parts.append(np.fromiter(map(self._code_of_cell.__getitem__, cells), np.intp, count=len(cells)))

    def values(self) -> Array:
        """The whole column; missing cells are NaN among numbers and None otherwise."""
        codes = np.concatenate(self._parts)
        words = list(self._code_of_word)
        present = np.array([not self._is_missing(word) for word in words])
        entries = typed([word for word in words if not self._is_missing(word)], decimal=self._decimal)
        table = entries
        if not present.all():
            exact = entries.dtype.kind == "i" and np.abs(entries).max() <= _EXACT
            table = np.full(len(words), np.nan if entries.dtype.kind == "f" or exact else None)
            table[present] = entries
        column: Array = table[codes]
        return column

    def _is_missing(self, word: str) -> bool:
        if word in self._missing:
            return True
        if not self._codes:
            return False
        number = word if self._decimal == "." else _with_point(word)
        return _NUMBER.fullmatch(number) is not None and float(number) in self._codes


def typed(words: list[str], *, decimal: str = ".") -> Array:
    """Words as booleans, int64, float64 or text: the first of these that every word is written as.

    >>> typed(["1", "0"]), typed(["true", "false"]), typed(["1", "007"])
    (array([1, 0]), array([ True, False]), array(['1', '007'], dtype='<U3'))
    """
    if words and all(word in _BOOLEANS for word in words):
        return np.array([_BOOLEANS[word] for word in words])
    if words and all(map(_INTEGER.fullmatch, words)):
        return np.array(list(map(int, words)), np.int64)
    numbers = words if decimal == "." else [_with_point(word) for word in words]
    if all(map(_NUMBER.fullmatch, numbers)):
        values = np.array(list(map(float, numbers)), np.float64)
        # 1e400 is no infinity: a column with it stays text, and whoever needs its numbers says so.
        if not any(any(map(str.isdecimal, numbers[at])) for at in np.flatnonzero(np.isinf(values)).tolist()):
            return values
    # In-place text takes the width of the longest word in every row: fine for short words only.
    longest = max(map(len, words))
    return np.array(words, np.str_ if longest <= _SHORT else np.object_)


_SWAP = str.maketrans(",.", ".,")


def _with_point(cell: str) -> str:
    """A cell with decimal comma as Python writes it; a point in it becomes a comma, which no number has."""
    return cell.translate(_SWAP)


def _shortened(cell: str) -> str:
    text = repr(cell)
    return text if len(text) <= 40 else text[:37] + "…'"
