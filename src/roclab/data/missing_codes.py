"""Codes that stand for a missing value, such as -99: named by the user, and remarked on where they look like it."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Array
from roclab.data.columns import as_array
from roclab.errors import InputError, RoclabWarning, named

__all__ = ["blanked", "codes_of", "remark_on_codes"]

_NEGATIVE = (-9.0, -99.0, -999.0, -9999.0)  # below everything else, and that is not negative
_POSITIVE = (999.0, 9999.0, 99999.0)  # far above everything else


def codes_of(given: Any) -> tuple[Any, ...]:
    """One code or several, as a tuple.

    >>> codes_of(-99), codes_of(["-99", "unknown"]), codes_of(None)
    ((-99,), ('-99', 'unknown'), ())
    """
    if given is None:
        return ()
    several = isinstance(given, list | tuple | np.ndarray)
    codes = tuple(given) if several else (given,)
    if not all(isinstance(code, str | int | float | np.number) for code in codes):
        raise InputError("na", "must be a value or a list of values", given, f"write {named('na', -99)}")
    return codes


def numbers_among(codes: Sequence[Any]) -> list[float]:
    """Codes that are numbers, however they are written."""
    found = []
    for code in codes:
        try:
            found.append(float(code))
        except ValueError:
            continue
    return found


def blanked(columns: Mapping[str, Any], codes: Sequence[Any]) -> dict[str, Any]:
    """Columns with NaN (None among words) where a code stands; O(n) a column, nothing is copied without codes."""
    if not codes:
        return dict(columns)
    return {name: _without(as_array(values, name), codes) for name, values in columns.items()}


def _without(values: Array, codes: Sequence[Any]) -> Array:
    if values.dtype.kind in "iuf":
        gaps = np.isin(values, numbers_among(codes))
        return np.where(gaps, np.nan, values) if gaps.any() else values
    if values.dtype.kind in "OUS":
        words = {str(code) for code in codes}
        numbers = numbers_among(codes)
        gaps = np.array([str(value) in words or (_is_number(value) and value in numbers) for value in values], np.bool_)
        if gaps.any():
            values = values.astype(np.object_)
            values[gaps] = None
    return values


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def remark_on_codes(columns: Mapping[str, Array]) -> None:
    """Warn where the smallest or largest numbers of a column look like codes of missing values; O(n) a column."""
    for name, values in columns.items():
        found = suspicious_code(values)
        if found is not None:
            code, count = found
            warnings.warn(
                f"{name} is {code:g} in {plural(count, 'case')} and far from it otherwise, which looks like a code for "
                f"a missing value; write {named('na', int(code))} if it is one.",
                RoclabWarning,
                stacklevel=5,
            )


def suspicious_code(values: Array) -> tuple[float, int] | None:
    """A number that looks like a code for a missing value, and how often it stands there.

    >>> suspicious_code(np.array([3.0, 1.5, -99.0, 0.2])), suspicious_code(np.array([-99.0, -98.0]))
    ((-99.0, 1), None)
    """
    if values.dtype.kind not in "iuf" or values.size < 2:
        return None
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    if low in _NEGATIVE:
        others = values[values != low]
        if others.size and float(np.nanmin(others)) >= 0:
            return low, int(values.size - others.size)
    if high in _POSITIVE:
        others = values[values != high]
        if others.size and float(np.nanmax(others)) < high / 4 and float(np.nanmin(others)) > -high / 4:
            return high, int(values.size - others.size)
    return None
