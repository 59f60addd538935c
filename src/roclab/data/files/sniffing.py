"""What separates the cells of a text, and which decimal sign its numbers have, told from its first lines."""

from __future__ import annotations

import csv
import re
import warnings
from collections.abc import Sequence

from roclab.errors import FileError, RoclabWarning, Words, named

__all__ = ["DELIMITERS", "check_for_title", "sniffed_decimal", "sniffed_delimiter"]

DELIMITERS = {",": "','", ";": "';'", "\t": "'\\t'", "|": "'|'"}  # how each is written in a call

_COMMA = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
_POINT = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")


def check_for_title(lines: Sequence[str], delimiter: str | None, wanted: Sequence[str] | None, where: str) -> None:
    """Refuse a text that begins with a title or with comments, and name the row that names the columns.

    Lines above the names have fewer cells that are filled, and other lines agree on how many there are.

    >>> check_for_title(["Export of May", "ill,crp", "1,12.5", "0,3.1"], None, None, "may.csv")
    Traceback (most recent call last):
        ...
    roclab.errors.FileError: may.csv must name its columns in the first row, got 'Export of May' there; write \
header_row=2 to begin with the row 'ill,crp'.
    """
    separators = list(DELIMITERS) if delimiter is None else [delimiter]
    if any(_even(_rows(lines, separator)) for separator in separators):
        return  # a table from its first row on; a decimal comma may make another one of it
    found: list[int] = []
    for separator in separators:
        rows = _rows(lines, separator)
        widths = [len(row) for row in rows]
        if not rows or (wanted and set(wanted) <= {cell.strip() for cell in rows[0]}):
            return
        at = _first_even(widths)
        while at < len(rows) - 2 and _is_title(rows[at], after_title=at > 0):
            at += 1
        above = [row for row in rows[:at] if any(cell.strip() for cell in row)]
        titles = all(sum(bool(cell.strip()) for cell in row) < widths[at] or row[0].startswith("#") for row in above)
        if not above or not titles or widths[at] < 2 or len(rows) - at < 2:
            continue
        if wanted and not set(wanted) <= {cell.strip() for cell in rows[at]}:
            continue
        found.append(at)
    if found:
        at = min(found)  # decimal commas would begin the table one row too late
        raise FileError(
            where,
            "must name its columns in the first row",
            Words(f"{lines[0].strip()[:60]!r} there"),
            f"write {named('header_row', at + 1)} to begin with the row {lines[at].strip()[:60]!r}",
        )


def _is_title(row: Sequence[str], *, after_title: bool) -> bool:
    """A row as wide as the table that names no columns: a comment, one filled cell at its beginning, or none."""
    if not row or row[0].startswith("# ") or (after_title and row[0].startswith("#")):
        return True
    if after_title and not any(cell.strip() for cell in row):
        return True
    return len(row) > 1 and bool(row[0].strip()) and not any(cell.strip() for cell in row[1:])


def _even(rows: Sequence[Sequence[str]]) -> bool:
    """Rows of one width, two or more, of which the first one may name the columns."""
    widths = {len(row) for row in rows if row}
    return len(widths) == 1 and min(widths) > 1 and bool(rows[0]) and not _is_title(rows[0], after_title=False)


def _first_even(widths: Sequence[int]) -> int:
    """Where rows of one width begin that go on to the last; blank lines at the end do not count."""
    last = next((at for at in range(len(widths) - 1, -1, -1) if widths[at]), 0)
    at = last
    while at > 0 and widths[at - 1] in (widths[last], 0):
        at -= 1
    while at < last and widths[at] == 0:
        at += 1
    return at


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
