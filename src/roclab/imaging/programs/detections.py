"""Boxes of detectors as marks in world millimetres: MONAI's in millimetres already, nnDetection's in voxels."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from roclab.errors import FileError, InputError, Words
from roclab.imaging.programs.json_files import read_json
from roclab.imaging.volumes import Volume, name_of_image, read_volume
from roclab.names import WorldAxes

__all__ = ["Detection", "monai_detections", "nndetection_detections"]

# What versions of MONAI call them.
_BOXES, _SCORES = ("box", "pred_box", "boxes"), ("score", "label_scores", "pred_score")
_LABELS = ("label", "pred_label")
_MONAI = "write the results of MONAI's detection as JSON, records with image, box and score"
_NNDET = "nndet_boxes2nii writes JSON beside its images; or dump pred_boxes, pred_scores and the itk_ entries as JSON"
_GEOMETRY = ("itk_origin", "itk_spacing", "itk_direction")

Geometry = Callable[[str], Volume | None]  # a scan by its name


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """A mark of a detector."""

    scan: str
    position: tuple[float, float, float]  # mm, LPS
    score: float
    diameter: float  # mm: the ball's whose volume fills the same part of its box
    label: int


def monai_detections(path: Path, axes: WorldAxes) -> tuple[list[str], list[Detection]]:
    """Scans and boxes of MONAI's detection: centre and size in mm, as its tutorial for LUNA16 writes them."""
    held = read_json(path, way_out=_MONAI)
    if isinstance(held, Mapping):
        lists = [one for one in held.values() if isinstance(one, list)]
        held = [held] if "image" in held else [row for one in lists for row in one]
    if not isinstance(held, list) or not all(isinstance(one, Mapping) for one in held) or not held:
        raise FileError("path", "must hold records of images with boxes", Words(path.name), _MONAI)
    sign = np.array([1.0, 1.0, 1.0]) if axes == "LPS" else np.array([-1.0, -1.0, 1.0])
    out: list[Detection] = []
    names = []
    for record in held:
        image = record.get("image")
        if not isinstance(image, str) or not image.strip():
            raise FileError("path", "must name the image of every record", Words(f"{path.name}, one without"), _MONAI)
        scan = name_of_image(re.split(r"[\\/]", image.strip())[-1])
        names.append(scan)
        boxes = _matrix(record, _BOXES, path)
        scores = _vector(record, _SCORES, len(boxes), path)
        labels = _vector(record, _LABELS, len(boxes), path, default=0.0)
        for box, score, label in zip(boxes, scores, labels, strict=True):
            x, y, z = (sign * box[:3]).tolist()
            out.append(Detection(scan=scan, position=(x, y, z), score=score, diameter=_ball(box[3:]), label=int(label)))
    return names, out


def nndetection_detections(path: Path, geometry: Geometry) -> tuple[list[str], list[Detection]]:
    """Scan and boxes of nnDetection in one case: corners in voxels, (z1, y1, z2, y2, x1, x2), as in its arrays.

    The file is called by the case, ``case_boxes.json``. Where the voxels lie is said by its own ``itk_`` entries, by
    the image that ``nndet_boxes2nii`` writes beside it, or by the scan.
    """
    held = read_json(path, way_out=_NNDET)
    if not isinstance(held, Mapping):
        raise FileError("path", "must hold boxes of one case", Words(path.name), _NNDET)
    scan = path.name[: -len(".json")] if path.name.lower().endswith(".json") else path.name
    scan = scan.removesuffix("_boxes")
    if "pred_boxes" in held:
        boxes = _matrix(held, ("pred_boxes",), path)
        scores = _vector(held, ("pred_scores",), len(boxes), path)
        labels = _vector(held, ("pred_labels",), len(boxes), path, default=0.0)
    else:
        rows = list(held.values())
        if not all(isinstance(one, Mapping) and "box" in one and "score" in one for one in rows):
            raise FileError("path", "must hold boxes with scores", Words(path.name), _NNDET)
        boxes = _matrix({"box": [one["box"] for one in rows]}, ("box",), path)
        scores = _vector({"score": [one["score"] for one in rows]}, ("score",), len(rows), path)
        labels = _vector({"label": [one.get("label", 0) for one in rows]}, ("label",), len(rows), path)
    if not len(boxes):
        return [scan], []
    image = _where(held, path, scan, geometry)
    low, high = boxes[:, [0, 1, 4]], boxes[:, [2, 3, 5]]
    if (high < low).any():
        said = Words(f"{path.name}, a box of corners in another order")
        raise FileError("path", "must hold boxes (z1, y1, z2, y2, x1, x2)", said)
    places = image.to_world((low + high) / 2)
    # Its boxes reach one voxel beyond the object on every side: what lies between is one less than their size.
    sizes = np.maximum(high - low - 1, 1) * np.array(image.spacing)
    return [scan], [
        Detection(scan=scan, position=(x, y, z), score=score, diameter=_ball(size), label=int(label))
        for (x, y, z), score, size, label in zip(places.tolist(), scores, sizes, labels, strict=True)
    ]


def _where(held: Mapping[str, Any], path: Path, scan: str, geometry: Geometry) -> Volume:
    if all(name in held for name in _GEOMETRY):
        sizes = {"itk_origin": 3, "itk_spacing": 3, "itk_direction": 9}
        parts = {name: _vector(held, (name,), size, path) for name, size in sizes.items()}
        z, y, x = reversed(parts["itk_spacing"])
        a, b, c = parts["itk_origin"]
        direction = np.array(parts["itk_direction"]).reshape(3, 3)
        if min(x, y, z) <= 0 or abs(float(np.linalg.det(direction))) < 1e-6:
            raise FileError("path", "must have itk_ entries that are a geometry", Words(path.name), _NNDET)
        return Volume(
            array=np.zeros((1, 1, 1)), spacing=(z, y, x), origin=(a, b, c), direction=tuple(parts["itk_direction"])
        )
    beside = path.with_name(path.name[: -len(".json")] + ".nii.gz")
    if beside.is_file():
        return read_volume(beside)
    known = geometry(scan)
    if known is None:
        raise InputError(
            "scans", "must hold the scan whose voxels the boxes count", Words(f"none called {scan!r}"),
            "name it, or keep the image that nndet_boxes2nii writes beside the JSON",
        )  # fmt: skip
    return known


def _ball(size: Sequence[float] | np.ndarray[Any, Any]) -> float:
    """The geometric mean of the sides of a box: the diameter of a ball in a box of equal sides."""
    return float(np.cbrt(np.prod(np.maximum(np.asarray(size, dtype=np.float64), 0))))


def _matrix(record: Mapping[str, Any], names: Sequence[str], path: Path) -> np.ndarray[Any, Any]:
    """Boxes of six numbers."""
    found = [record[name] for name in names if name in record]
    try:
        boxes = np.array(found[0] if found else None, dtype=np.float64)
    except (TypeError, ValueError):
        boxes = np.array(math.nan)
    if boxes.size == 0 and found and boxes.ndim:
        return np.empty((0, 6))
    if boxes.ndim != 2 or boxes.shape[1] != 6 or not np.isfinite(boxes).all():
        raise FileError("path", "must hold boxes of six numbers", Words(f"{path.name} with {_shape(found)}"))
    return boxes


def _vector(
    record: Mapping[str, Any], names: Sequence[str], size: int, path: Path, *, default: float | None = None
) -> list[float]:
    """As many finite numbers as there are boxes."""
    found = [record[name] for name in names if name in record]
    if not found and default is not None:
        return [default] * size
    try:
        values = np.array(found[0] if found else None, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.array(math.nan)
    if values.shape != (size,) or not np.isfinite(values).all():
        raise FileError(
            "path", f"must hold {size} finite numbers as {names[0]}", Words(f"{path.name} with {_shape(found)}")
        )
    return [float(one) for one in values]


def _shape(found: Sequence[Any]) -> str:
    return "others" if found else "none"
