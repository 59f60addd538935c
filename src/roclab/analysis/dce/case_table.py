"""Cases from Python, or from a table that names their files.

The table is CSV with a row per case and the columns ``case`` and ``series``; ``label``, ``mask``, ``truth``, ``times``
and ``arrival`` where there are any. Files are found from the folder of the table. ``series`` is one file of four axes,
or a file (or DICOM folder) for every frame with semicolons between them; ``times`` are seconds with semicolons.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from roclab._core.checks import close_names
from roclab.errors import FileError, InputError, Words
from roclab.imaging.dce.case import DceCase, volume_or_none
from roclab.imaging.dce.series import make_series

__all__ = ["cases_of", "dce_cases"]

_COLUMNS = ("case", "series", "label", "mask", "truth", "times", "arrival")


def dce_cases(table: str | os.PathLike[str]) -> list[DceCase]:
    """Read the cases of a table of files.

    Parameters
    ----------
    table : path
        CSV with the columns case, series, label, mask, truth, times and arrival; the last five may be absent or empty.
        A series is a file of four axes, or one file or folder for every frame with semicolons between them.
    """
    place = Path(table)
    if not place.is_file():
        raise FileError("cases", "must be a table that exists", Words(str(table)), "check the path")
    try:
        with place.open(newline="", encoding="utf-8-sig") as lines:
            reader = csv.DictReader(lines)
            columns = list(reader.fieldnames or [])
            rows = list(reader)
    except (UnicodeDecodeError, csv.Error) as error:
        raise FileError("cases", "must be a table in CSV", Words(f"{place.name} ({error})")) from None
    for column in ("case", "series"):
        if column not in columns:
            raise InputError("cases", f"must have a column {column!r}",
                             Words(f"{', '.join(columns) or 'none'}{close_names(column, columns)}"))  # fmt: skip
    unknown = [one for one in columns if one not in _COLUMNS]
    if unknown:
        raise InputError("cases", f"must have no columns but {', '.join(_COLUMNS)}", Words(str(unknown[0])),
                         "rename or remove it")  # fmt: skip
    if not rows:
        raise InputError("cases", "must hold at least one case", Words("a table without rows"))
    return [_case(row, place.parent) for row in rows]


def _case(row: dict[str, Any], folder: Path) -> DceCase:
    name = str(row["case"])
    files = [folder / one for one in str(row["series"]).split(";") if one]
    try:
        times = _numbers(row.get("times"), "times")
        arrival = _numbers(row.get("arrival"), "arrival")
        if not files:
            raise InputError("series", "must name a file", Words("nothing"))
        label, mask, truth = (
            volume_or_none(folder / row[part]) if row.get(part) else None for part in ("label", "mask", "truth")
        )
        series = make_series(
            files[0] if len(files) == 1 else files, times=times, arrival=arrival[0] if arrival else None
        )
        return DceCase(name=name, series=series, label=label, mask=mask, truth=truth)
    except InputError as error:
        raise error.inside(f"case {name!r}") from None


def _numbers(text: str | None, name: str) -> list[float] | None:
    if not text:
        return None
    try:
        return [float(one) for one in text.split(";")]
    except ValueError:
        raise InputError(name, "must be seconds with semicolons between them", text) from None


def cases_of(given: Any) -> list[DceCase]:
    """One case, several, or those of a table; with names of their own."""
    if isinstance(given, str | os.PathLike):
        found = dce_cases(given)
    elif isinstance(given, DceCase):
        found = [given]
    elif isinstance(given, Sequence) and all(isinstance(one, DceCase) for one in given):
        found = list(given)
    else:
        raise InputError("cases", "must be a DceCase, several of them or a table of files",
                         Words(type(given).__name__), "phantom_breast(...).as_case(name) makes one")  # fmt: skip
    if not found:
        raise InputError("cases", "must hold at least one case", Words("none"))
    names = [one.name for one in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError("cases", "must have names of their own", Words(f"{twice!r} twice"), "rename one of them")
    return found
