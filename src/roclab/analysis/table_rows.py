"""Rows of a table by their numbers: all columns, as they were read."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from roclab.analysis.table_overview import printed
from roclab.errors import InputError, Words

__all__ = ["rows_as_text", "rows_of_table"]


def rows_of_table(table: Any, numbers: Sequence[int]) -> list[dict[str, Any]]:
    """The rows with these numbers, counted from 1, and their number in front; O(rows asked).

    >>> rows_of_table({"y": np.array([1, 0, 1]), "s": np.array([0.2, 0.4, 0.9])}, [3])
    [{'row': 3, 'y': np.int64(1), 's': np.float64(0.9)}]
    """
    columns = {name: np.asarray(values) for name, values in _columns(table).items()}
    size = min((values.size for values in columns.values()), default=0)
    beyond = next((one for one in numbers if not 1 <= one <= size), None)
    if beyond is not None:
        raise InputError("", f"rows must be numbered from 1 to {size}", Words(str(beyond)))
    return [{"row": one, **{name: values[one - 1] for name, values in columns.items()}} for one in numbers]


def rows_as_text(table: Any, numbers: Sequence[int]) -> str:
    r"""The same as a table of text, to be saved or opened again, with the columns of the table alone.

    >>> rows_as_text({"y": np.array([1, 0, 1]), "s": np.array([0.2, 0.4, 0.9])}, [3, 1])
    'y,s\r\n1,0.9\r\n1,0.2\r\n'
    """
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(_columns(table))
    for row in rows_of_table(table, numbers):
        writer.writerow("" if _missing(value) else printed(value) for name, value in row.items() if name != "row")
    return out.getvalue()


def _columns(table: Any) -> Mapping[str, Any]:
    if isinstance(table, Mapping):
        return table
    found: Mapping[str, Any] = table.columns()
    return found


def _missing(value: Any) -> bool:
    return value is None or (isinstance(value, float | np.floating) and bool(np.isnan(value)))
