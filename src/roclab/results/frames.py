"""Rows of a result as a data frame of any library, with names that no option changes."""

from __future__ import annotations

import re
from typing import Any

from roclab.errors import InputError, MissingExtraError

__all__ = ["frame_of", "with_fixed_names"]

_LIMIT = re.compile(r"([0-9.]+)% (low|high)(.*)")


def with_fixed_names(row: dict[str, Any]) -> dict[str, Any]:
    """A row whose limits are called low and high, with their level beside them.

    >>> with_fixed_names({"area": 0.8, "95% low": 0.7, "95% high": 0.9})
    {'area': 0.8, 'low': 0.7, 'high': 0.9, 'level': 0.95}
    """
    out: dict[str, Any] = {}
    for name, value in row.items():
        limit = _LIMIT.fullmatch(name)
        if limit is None:
            out[name] = value
            continue
        out[limit[2] + limit[3]] = value
        if limit[2] == "high":
            out["level"] = float(limit[1]) / 100
    return out


def frame_of(rows: list[dict[str, Any]], backend: str | None) -> Any:
    """The rows as a data frame; limits are called low and high, and their level stands beside them."""
    import importlib.util

    known = ("pandas", "polars", "pyarrow")
    if backend is None:
        backend = next((name for name in known if importlib.util.find_spec(name)), None)
        if backend is None:
            raise MissingExtraError(library="a data frame library", extra="parquet", purpose="to_frame()")
    if backend not in known:
        raise InputError("backend", f"must be one of {', '.join(map(repr, known))}", backend)
    import narwhals as nw

    rows = [with_fixed_names(row) for row in rows]
    names = list(dict.fromkeys(name for row in rows for name in row))
    columns = {name: _column([row.get(name) for row in rows]) for name in names}
    return nw.from_dict(columns, backend=backend).to_native()  # type: ignore[arg-type]


def _column(values: list[Any]) -> list[Any]:
    """Values of one type: frames do not mix counts and fractions, nor know an undefined number's reason."""
    if any(isinstance(value, float) for value in values):
        return [float(value) if isinstance(value, int | float) else value for value in values]
    return values
