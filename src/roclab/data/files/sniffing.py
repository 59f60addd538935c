"""What separates the cells of a text, and which decimal sign its numbers have, told from its first lines."""

from __future__ import annotations

import csv
import re
import warnings
from collections.abc import Sequence

from roclab.errors import FileError, RoclabWarning, Words, named

__all__ = ["DELIMITERS", "sniffed_decimal", "sniffed_delimiter"]

DELIMITERS = {",": "','", ";": "';'", "\t": "'\\t'", "|": "'|'"}  # how each is written in a call

_COMMA = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
_POINT = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")


def sniffed_delimiter(lines: Sequence[str], where: str) -> str:
    """The delimiter that gives all lines equally many cells, and most of them; else the one the header has most of.

    >>> sniffed_delimiter(["outcome;size", "1;3,5", "0;2,5"], "notes.csv")
    ';'
    """
    widths = {one: [len(cells) for cells in _rows(lines, one)] for one in DELIMITERS}
    even = {one: found[0] for one, found in widths.items() if len(found) > 1 and len(set(found)) == 1 and found[0] > 1}
    if even:
        counts = even
    else:
        bare = re.sub(r'"[^"]*"', "", lines[0])
        counts = {one: bare.count(one) for one in DELIMITERS}
    most = max(counts.values())
    best = [one for one, count in counts.items() if count == most]
    if most and len(best) > 1:
        both = " and ".join(DELIMITERS[one] for one in best)
        raise FileError(
            where,
            "must show its delimiter in the header",
            Words(f"{both} equally often"),
            f"write {named('delimiter', best[0])} or another one",
        )
    return best[0]


def sniffed_decimal(lines: Sequence[str], delimiter: str, where: str) -> str:
    """A comma if numbers are written with one and none with a point, which a warning says; else a point.

    Where a comma separates cells no number can hold one.
    """
    if delimiter == ",":
        return "."
    rows = _rows(lines[1:], delimiter)
    if all(len(row) < 2 for row in rows):
        return "."  # this delimiter separates nothing
    cells = [cell.strip() for row in rows for cell in row]
    with_comma = next((cell for cell in cells if _COMMA.fullmatch(cell)), None)
    if with_comma is None or any(_POINT.fullmatch(cell) for cell in cells):
        return "."
    warnings.warn(
        f"{where} writes numbers such as {with_comma}, which are read with a decimal comma; write "
        f"{named('decimal', '.')} if it is not one.",
        RoclabWarning,
        stacklevel=2,
    )
    return ","


def _rows(lines: Sequence[str], delimiter: str) -> list[list[str]]:
    """The lines as rows, as far as they are well-formed."""
    rows = []
    try:
        for row in csv.reader(lines, delimiter=delimiter):
            rows.append(row)
    except csv.Error:
        pass  # the reader itself says what is wrong, and where
    return rows
