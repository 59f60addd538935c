"""Marks of several scans against the truth about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from roclab.analysis.froc import froc
from roclab.analysis.froc_results import Froc
from roclab.analysis.lesions import lesions_by_scan
from roclab.errors import InputError, Words

__all__ = ["froc_of_marks", "nodules_of"]


def nodules_of(lesions: Any, scan: str) -> Sequence[Any]:
    """The true nodules of a scan, from a mapping or a table; none where it is not in there."""
    found: Sequence[Any] = lesions_by_scan(lesions).get(scan, ())
    return found


def froc_of_marks(marks: Sequence[Mapping[str, Any]], lesions: Any, *, scans: Sequence[str], **asked: Any) -> Froc:
    """FROC analysis of marks in the columns of LUNA16; nodules of other scans are passed over."""
    truth = lesions_by_scan(lesions)
    rows = [(name, one) for name in scans for one in truth.get(name, ())]
    if not rows:
        known = ", ".join(map(repr, list(truth)[:5])) or "none"
        raise InputError(
            "lesions", "must hold a nodule of the scans", Words(f"those of {known}"), "name scans as the table does"
        )
    table = {
        "seriesuid": [name for name, _ in rows],
        **{f"coord{axis}": [float(one.position[at]) for _, one in rows] for at, axis in enumerate("XYZ")},
        "diameter_mm": [float(one.diameter) for _, one in rows],
    }
    columns: dict[str, list[Any]] = {name: [row[name] for row in marks] for name in (
        "seriesuid", "coordX", "coordY", "coordZ", "probability")}  # fmt: skip
    return froc(columns, table, scans=list(scans), detector="lung CAD", **asked)
