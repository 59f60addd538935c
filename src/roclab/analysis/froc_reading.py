"""The tables of FROC analysis: marks, lesions, excluded findings and the list of all scans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Ints
from roclab.data.columns import label_column, score_column
from roclab.data.labels import word_of
from roclab.data.roles import check_columns
from roclab.data.table import table_of
from roclab.errors import InputError, MissingValuesError, Words, named
from roclab.imaging.free_response.matching import Lesions

__all__ = ["Columns", "numbers_of", "reference_of", "scan_names", "score_name"]

_FEW = 5  # names listed in a message
_LUNA_DIAMETER = 10.0  # of a finding without a known one


@dataclass(frozen=True, slots=True)
class Columns:
    """Names of the columns, and how to read them."""

    scan: str
    score: str
    place: tuple[str, ...]
    diameter: str
    reading: Mapping[str, Any]

    def read(self, data: Any, argument: str, numeric: Sequence[str], *, gaps: Sequence[str] = ()) -> dict[str, Any]:
        """Columns by name, "scan" as text and "place" as a matrix; ``argument`` is what messages call the table.

        ``gaps`` are numeric columns that may have some, as NaN.
        """
        source = table_of(data, **self.reading)
        if source is None:
            raise InputError(argument, "must be a table with named columns", Words(type(data).__name__))
        every = source.names()
        wanted = [self.scan, *self.place, *numeric, *gaps]
        if self.diameter in every and self.diameter not in wanted:
            wanted.append(self.diameter)
        check_columns(wanted, every, source.called)
        numbers = [name for name in wanted if name != self.scan]
        columns = source.columns(wanted, numeric=numbers)
        out: dict[str, Any] = {}
        for name in numbers:
            column = score_column(columns[name], name)
            if column.missing is not None and name not in gaps:
                raise MissingValuesError(
                    name, f"of {argument} must not be missing", Words(plural(int(column.missing.sum()), "gap"))
                )
            out[name] = np.asarray(column.values, dtype=np.float64)
            if not np.isfinite(out[name] if column.missing is None else out[name][~column.missing]).all():
                raise InputError(name, f"of {argument} must be finite", Words("infinite values"))
        scan = label_column(columns[self.scan], self.scan)
        if scan.missing is not None:
            raise MissingValuesError(self.scan, f"of {argument} must not be missing", Words("gaps"))
        out["scan"] = [word_of(value) for value in scan.values.tolist()]
        out["place"] = np.column_stack([out[name] for name in self.place]) if out["scan"] else np.empty((0, 3))
        return out


def score_name(marks: Any, reading: Mapping[str, Any]) -> str:
    """Column of the score of marks: ``probability``, as in LUNA16, or ``score`` where there is only that."""
    source = table_of(marks, **reading)
    names = [] if source is None else source.names()
    return "score" if "score" in names and "probability" not in names else "probability"


def scan_names(
    scans: Any, column: str, marked: Mapping[str, Any], lesions: Mapping[str, Any], reading: Mapping[str, Any]
) -> tuple[tuple[str, ...], list[str]]:
    """Every scan that was searched, and a note where that had to be taken from the marks and lesions."""
    if scans is None:
        names = tuple(dict.fromkeys([*lesions["scan"], *marked["scan"]]))
        note = "scans without a lesion and without a mark are not counted, because no list of all scans was given"
        return names, [note]
    table = None if isinstance(scans, list | tuple) else table_of(scans, **reading)
    if table is None and (isinstance(scans, str) or not isinstance(scans, Sequence | np.ndarray)):
        raise InputError("scans", "must be a list of scans or a table of them", scans)
    given = scans if table is None else label_column(table.columns([column])[column], column).values.tolist()
    names = tuple(dict.fromkeys(word_of(one) for one in given))
    if not names:
        raise InputError("scans", "must name at least one scan", Words("none"))
    known = set(names)
    strangers = [name for name in dict.fromkeys([*lesions["scan"], *marked["scan"]]) if name not in known]
    if strangers:
        raise InputError(
            "scans", "must name every scan of candidates and annotations",
            Words(f"no {', '.join(map(repr, strangers[:_FEW]))}"), f"add them, or leave out {named('scans')}",
        )  # fmt: skip
    return names, []


def numbers_of(rows: Mapping[str, Any], number: Mapping[str, int]) -> Ints:
    """The number of the scan of every row."""
    return np.array([number[name] for name in rows["scan"]], dtype=np.int64)


def reference_of(
    columns: Columns, number: Mapping[str, int], lesions: Mapping[str, Any], others: Mapping[str, Any] | None,
    smallest: float | None,
) -> tuple[Lesions, Lesions | None]:  # fmt: skip
    """Lesions that count, and findings that do not."""
    diameter = lesions.get(columns.diameter, np.full(len(lesions["scan"]), _LUNA_DIAMETER))
    if (diameter <= 0).any():
        at = int(np.argmax(diameter <= 0))
        raise InputError(columns.diameter, "of annotations must be above 0", float(diameter[at]), "give millimetres")
    scan = numbers_of(lesions, number)
    small = np.zeros(diameter.size, np.bool_) if smallest is None else diameter < smallest
    reference = Lesions(scan=scan[~small], position=lesions["place"][~small], diameter=diameter[~small])
    parts = [(scan[small], lesions["place"][small], diameter[small])]
    if others is not None:
        inside = np.array([name in number for name in others["scan"]], dtype=np.bool_)
        kept = {"scan": [name for name in others["scan"] if name in number]}
        size = others.get(columns.diameter, np.full(inside.size, _LUNA_DIAMETER))
        size = np.where(size > 0, size, _LUNA_DIAMETER)  # LUNA16 writes -1 where it is unknown
        parts.append((numbers_of(kept, number), others["place"][inside], size[inside]))
    joined = [np.concatenate(part) for part in zip(*parts, strict=True)]
    if joined[0].size == 0:
        return reference, None
    return reference, Lesions(scan=joined[0], position=joined[1], diameter=joined[2])
