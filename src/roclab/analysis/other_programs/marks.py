"""Marks of other detectors, in the columns of LUNA16."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from roclab._core.checks import check_choice, plural
from roclab._core.text import csv_text, text_table
from roclab.analysis.froc_reading import Columns, score_name
from roclab.analysis.other_programs.scans import ScansByName
from roclab.errors import InputError, Words
from roclab.imaging.programs.detections import Detection, monai_detections, nndetection_detections
from roclab.names import MARK_PROGRAMS, WORLD_AXES, MarkProgram, WorldAxes
from roclab.results import Result

__all__ = ["ImportedMarks", "read_marks"]

_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedMarks(Result):
    """Marks of a detector, the highest of every scan first."""

    detections: tuple[Detection, ...]
    program: MarkProgram
    scans: tuple[str, ...]  # that the files name, with or without marks
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """In the columns of LUNA16, with a diameter where the program knows one."""
        sized = any(one.diameter > 0 for one in self.detections)
        return [
            {
                "seriesuid": one.scan, **dict(zip(("coordX", "coordY", "coordZ"), one.position, strict=True)),
                "probability": one.score, **({"diameter_mm": one.diameter} if sized else {}),
            }
            for one in self.detections
        ]  # fmt: skip

    def table(self) -> dict[str, list[Any]]:
        """Columns by name, as ``froc`` and ``marks=`` take them."""
        rows = self.rows()
        names = list(rows[0]) if rows else ["seriesuid", "coordX", "coordY", "coordZ", "probability"]
        return {name: [row[name] for row in rows] for name in names}

    def to_dict(self) -> dict[str, Any]:
        """Rows and notes."""
        return {
            "program": self.program, "scans": list(self.scans), "marks": self.rows(), "notes": list(self.notes),
        }  # fmt: skip

    def marks_csv(self) -> str:
        """All of them as comma-separated text, the names of columns also where there are none."""
        return csv_text(self.rows()) if self.detections else ",".join(self.table()) + "\n"

    def __str__(self) -> str:
        head = f"{plural(len(self.detections), 'mark')} of {self.program} in {plural(len(self.scans), 'scan')}"
        shown = text_table(self.rows()[:_SHOWN]) if self.detections else "none"
        more = len(self.detections) - _SHOWN
        return "\n".join([head, "", shown, *([f"and {more} more"] if more > 0 else []), *self.notes])


def read_marks(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    program: MarkProgram,
    *,
    scans: Any = None,
    axes: WorldAxes | None = None,
    label: int | None = None,
) -> ImportedMarks:
    """Marks of another detector in world millimetres, as ``froc``, ``nodules(marks=)`` and ``cad_stages`` take them.

    Parameters
    ----------
    path : file, or sequence of files
        JSON of MONAI or nnDetection, or CSV in the columns of LUNA16. A pickle is refused: opening one can run
        programs.
    program : "luna16", "monai" or "nndetection"
        Who wrote them. MONAI's boxes are centre and size in mm; those of nnDetection are corners in voxels, whose
        place is said by the file, by the image that ``nndet_boxes2nii`` writes beside it, or by ``scans``.
    scans : mapping of names to volumes or files, or a sequence of files, optional
        The scans whose voxels nnDetection counts.
    axes : "LPS" or "RAS", optional
        The world that MONAI's boxes are in: "LPS", that of DICOM and of its tutorial for LUNA16 (default), or "RAS",
        which its transforms give without ``affine_lps_to_ras``.
    label : int, optional
        Only boxes of this class.

    Returns
    -------
    ImportedMarks
        ``.table()`` for other verbs, ``.rows()``, ``.marks_csv()``.

    Examples
    --------
    >>> import json, pathlib, tempfile, roclab as rl
    >>> record = {"image": "luna/p1.nii.gz", "box": [[10.0, -5.0, 30.0, 6.0, 6.0, 6.0]], "score": [0.9], "label": [0]}
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     place = pathlib.Path(folder, "result.json")
    ...     _ = place.write_text(json.dumps({"validation": [record]}))
    ...     rl.imaging.read_marks(place, "monai").rows()
    [{'seriesuid': 'p1', 'coordX': 10.0, 'coordY': -5.0, 'coordZ': 30.0, 'probability': 0.9, 'diameter_mm': 6.0}]
    """
    check_choice(program, "program", MARK_PROGRAMS)
    if axes is not None:
        check_choice(axes, "axes", WORLD_AXES)
    given = {"scans": (scans, "nndetection"), "axes": (axes, "monai")}
    for name, (value, owner) in given.items():
        if value is not None and program != owner:
            raise InputError(name, f"is for marks of {owner}", Words(program), "leave it out")
    if label is not None and program == "luna16":
        raise InputError("label", "is for boxes with classes", Words(program), "leave it out")
    files = [Path(path)] if isinstance(path, str | os.PathLike) else [Path(one) for one in path]
    if not files:
        raise InputError("path", "must name a file", Words("none"))
    known = ScansByName(scans)
    found: list[Detection] = []
    names: list[str] = []
    for file in files:
        if program == "luna16":
            found += _of_table(file)
            continue
        held = monai_detections(file, axes or "LPS") if program == "monai" else nndetection_detections(file, known.get)
        names += held[0]
        found += held[1]
    classes = sorted({one.label for one in found})
    notes = []
    if label is not None:
        if label not in classes:
            raise InputError("label", f"must be one of {', '.join(map(str, classes)) or 'none'}", label)
        found = [one for one in found if one.label == label]
    elif len(classes) > 1:
        notes.append(f"boxes of {len(classes)} classes ({', '.join(map(str, classes))}) are all taken")
    order = list(dict.fromkeys([*names, *(one.scan for one in found)]))
    place = {name: at for at, name in enumerate(order)}
    found.sort(key=lambda one: (place[one.scan], -one.score))
    return ImportedMarks(detections=tuple(found), program=program, scans=tuple(order), notes=tuple(notes))


def _of_table(file: Path) -> list[Detection]:
    """Rows of a table in the columns of LUNA16."""
    by = score_name(str(file), {})
    columns = Columns("seriesuid", by, ("coordX", "coordY", "coordZ"), "diameter_mm", {})
    read = columns.read(str(file), "path", [by])
    sizes = read.get("diameter_mm", [0.0] * len(read["scan"]))
    return [
        Detection(scan=scan, position=(float(x), float(y), float(z)), score=float(score), diameter=float(size), label=0)
        for scan, (x, y, z), score, size in zip(read["scan"], read["place"], read[by], sizes, strict=True)
    ]
