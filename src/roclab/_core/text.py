"""Rows of values as text, HTML and CSV: the same digits wherever a table is shown."""

from __future__ import annotations

import csv
import html
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from roclab._core.plain import plain
from roclab._core.undefined import Undefined

Row = Mapping[str, Any]

DIGITS = 4  # decimals of areas, rates and other numbers of order one
_FORMULA = "=+-@\t\r\n"  # how formulas begin in Excel, LibreOffice and Google Sheets


def format_number(value: Any, digits: int = DIGITS) -> str:
    """A number for people: fixed decimals near one, scientific where those would show nothing.

    >>> format_number(0.82367886), format_number(41), format_number(2.5e-7), format_number(float("inf"))
    ('0.8237', '41', '2.5e-07', 'inf')
    """
    if value is None:
        return ""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return _format_float(value, digits)
    return str(value)


def _format_float(value: float | np.floating[Any], digits: int) -> str:
    if isinstance(value, Undefined) or math.isnan(value):
        return "undefined"
    number = float(value)
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    if number == 0 or 10.0**-digits <= abs(number) < 1e7:
        return f"{number:.{digits}f}"
    return f"{number:.2g}" if abs(number) < 1 else f"{number:.{digits + 3}g}"


def _columns(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(name for row in rows for name in row))


def text_table(rows: Sequence[Row], digits: int = DIGITS) -> str:
    """Aligned columns: words to the left, numbers to the right.

    >>> print(text_table([{"score": "wfns", "AUC": 0.82368}, {"score": "s100b", "AUC": 0.73137}]))
    score     AUC
    wfns   0.8237
    s100b  0.7314
    """
    names = _columns(rows)
    cells = [[format_number(row.get(name), digits) for name in names] for row in rows]
    widths = [max([len(name), *(len(line[at]) for line in cells)]) for at, name in enumerate(names)]
    numeric = [any(is_number(row.get(name)) for row in rows) for name in names]
    lines = []
    for line in [names, *cells]:
        parts = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def without_shared(rows: Sequence[Row], names: Sequence[str]) -> tuple[list[Row], list[str]]:
    """The rows without those of the named columns that never change, and a line that says what they held.

    >>> rows, below = without_shared([{"AUC": 0.8, "method": "DeLong"}, {"AUC": 0.7, "method": "DeLong"}], ["method"])
    >>> rows, below
    ([{'AUC': 0.8}, {'AUC': 0.7}], ['method: DeLong'])
    """
    lines = []
    for name in names:
        values = {format_number(row[name]) for row in rows if name in row}
        if len(values) == 1:
            lines.append(f"{name}: {values.pop()}")
            rows = [{key: value for key, value in row.items() if key != name} for row in rows]
    return list(rows), ["; ".join(lines)] if lines else []


def html_table(rows: Sequence[Row], caption: str = "", digits: int = DIGITS) -> str:
    """A plain HTML table with everything escaped."""
    names = _columns(rows)
    out = ["<table>"]
    if caption:
        out.append(f"<caption>{html.escape(caption)}</caption>")
    out.append("<thead><tr>" + "".join(f"<th>{html.escape(name)}</th>" for name in names) + "</tr></thead>")
    out.append("<tbody>")
    for row in rows:
        cells = (html.escape(format_number(row.get(name), digits)) for name in names)
        out.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    out.append("</tbody></table>")
    return "".join(out)


def csv_text(rows: Sequence[Row], *, shown: bool = False) -> str:
    """Comma-separated values with every digit; undefined values are empty.

    ``shown`` is for tables that people open in a spreadsheet: names that it would take for formulas are :func:`inert`.
    Tables that programs read again keep every name as it is.
    """
    names = _columns(rows)
    cells = [names, *([plain(row.get(name)) for name in names] for row in rows)]
    return "".join(_csv_line(map(inert, line) if shown else line) for line in cells)


def _csv_line(values: Iterable[Any]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerow("" if value is None else value for value in values)
    return out.getvalue()[:-2] + "\n"  # quoted are only signs of the line's own end, and cells may hold either


def inert(value: Any) -> Any:
    r"""A cell that a spreadsheet does not run: text that begins as a formula gets an apostrophe, as OWASP advises.

    Numbers, also those written as text, and single signs are no formulas.

    >>> inert('=HYPERLINK("http://x")'), inert("-1.5"), inert(-1.5), inert("-")
    ('\'=HYPERLINK("http://x")', '-1.5', -1.5, '-')
    """
    if not isinstance(value, str) or len(value) < 2 or value[0] not in _FORMULA:
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


def is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def with_notes(text: str, notes: Iterable[str]) -> str:
    """A text with notes below it, where there are some."""
    lines = list(notes)
    return "\n".join([text, "", *lines]) if lines else text
