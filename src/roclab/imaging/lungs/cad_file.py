"""Lung CADs in files (:mod:`roclab.imaging.array_file`): every number as it was, checked on its way in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.imaging.array_file import finite_numbers, read_arrays, refuse_file, write_arrays
from roclab.imaging.lungs.cad_model import HeldOutMarks, Line, LungCad, Malignancy, OperatingPoint, TrainedScan
from roclab.imaging.lungs.features import feature_names
from roclab.imaging.lungs.scan_facts import ScanFacts
from roclab.imaging.lungs.trees import BoostedTrees
from roclab.names import CAD_COMBINATIONS

__all__ = ["KIND", "VERSION", "read_cad", "write_cad"]

KIND, VERSION = "roclab lung CAD", 1
_TREE = {"feature": np.int64, "threshold": np.float64, "left": np.int64, "right": np.int64, "value": np.float64,
         "root": np.int64}  # fmt: skip
_LINE = ("centre", "scale", "weights")
_HELD = ("position", "probability", "nodule_position", "nodule_diameter")
_SETTINGS = {"response": float, "most": int, "smallest": float, "largest": float}


def write_cad(model: LungCad, path: str | os.PathLike[str], *, name: str = "path") -> Path:
    """Write a CAD, whole or not at all; the same CAD gives the same bytes."""
    arrays: dict[str, Array] = {"low": model.low, "high": model.high}
    members = []
    for at, (called, one) in enumerate(model.members):
        if isinstance(one, BoostedTrees):
            arrays |= {f"member{at}_{part}": getattr(one, part) for part in _TREE}
            members.append({"name": called, "kind": "trees", "base": one.base})
        else:
            arrays |= {f"member{at}_{part}": getattr(one, part) for part in _LINE}
            members.append({"name": called, "kind": "line", "base": one.offset})
    second, malignancy = None, None
    if model.second is not None:
        arrays |= {f"second_{part}": getattr(model.second, part) for part in _LINE}
        second = model.second.offset
    if model.malignancy is not None:
        held = model.malignancy
        arrays |= {f"malignancy_{part}": getattr(held.line, part) for part in _LINE}
        malignancy = {
            "features": list(held.features), "offset": held.line.offset, "platt": list(held.platt),
            "nodules": held.nodules, "malignant": held.malignant,
        }  # fmt: skip
    arrays |= {f"held_{part}": getattr(model.held_out, part) for part in (*_HELD, "scan", "nodule_scan")}
    about = {
        "kind": KIND, "version": VERSION, "settings": dict(model.settings), "features": list(model.features),
        "members": members, "combination": model.combination, "second": second, "platt": list(model.platt),
        "malignancy": malignancy, "operating": {k: getattr(model.operating, k) for k in model.operating.__slots__},
        "scans": [
            [one.name, one.regions, one.nodules, one.missed, {k: getattr(one.facts, k) for k in one.facts.__slots__}]
            for one in model.scans
        ],
        "performance": [dict(row) for row in model.performance], "seed": model.seed, "notes": list(model.notes),
        "about": dict(model.about),
    }  # fmt: skip
    return write_arrays(path, about, arrays, name=name)


def read_cad(path: str | os.PathLike[str], *, name: str = "model") -> LungCad:
    """The CAD of a file, exactly as it was written."""
    arrays, about = read_arrays(path, kind=KIND, version=VERSION, name=name)
    try:
        return _model(arrays, about)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError):
        refuse_file(Path(path), name, "damaged")


def _model(arrays: dict[str, Array], about: dict[str, Any]) -> LungCad:
    features = _features(about["features"])
    low, high = (finite_numbers(arrays[one], 1) for one in ("low", "high"))
    if low.size != len(features) or high.size != len(features) or (low > high).any():
        raise ValueError("ranges do not fit")
    members = tuple(_member(arrays, f"member{at}_", one, len(features)) for at, one in enumerate(about["members"]))
    if not members or about["combination"] not in CAD_COMBINATIONS or (len(members) > 1) == (
        about["combination"] == "none"
    ):  # fmt: skip
        raise ValueError("members do not fit")
    second = None
    if about["combination"] == "logistic":
        second = _line(arrays, "second_", about["second"], len(members))
    scans = tuple(
        TrainedScan(
            name=str(one[0]), regions=int(one[1]), nodules=int(one[2]), missed=int(one[3]), facts=_facts(one[4])
        )
        for one in about["scans"]
    )
    if not scans:
        raise ValueError("no scans")
    return LungCad(
        settings={"method": _same(about["settings"]["method"], "dots")}
        | {k: _positive(make(about["settings"][k])) for k, make in _SETTINGS.items()},
        features=features, low=low, high=high, members=members, combination=about["combination"], second=second,
        platt=_platt(about["platt"]), malignancy=_malignancy(arrays, about["malignancy"]),
        operating=_operating(about["operating"]), scans=scans, held_out=_held_out(arrays, len(scans)),
        performance=tuple(_row(row) for row in about["performance"]), seed=str(about["seed"]),
        notes=tuple(map(str, about["notes"])), about={str(k): str(v) for k, v in about["about"].items()},
    )  # fmt: skip


def _features(given: Any) -> tuple[str, ...]:
    names = tuple(given)
    if not names or len(set(names)) != len(names) or not set(names) <= set(feature_names("dots")):
        raise ValueError("unknown features")
    return names


def _member(arrays: dict[str, Array], prefix: str, about: Any, features: int) -> tuple[str, BoostedTrees | Line]:
    if about["kind"] == "line":
        return str(about["name"]), _line(arrays, prefix, about["base"], features)
    _same(about["kind"], "trees")
    parts = {}
    for part, kind in _TREE.items():
        one = arrays[prefix + part]
        if one.dtype != kind or one.ndim != 1 or not np.isfinite(one).all():
            raise ValueError("trees do not fit")
        parts[part] = one
    trees = BoostedTrees(**parts, base=_finite(about["base"]))
    trees.check(features)
    return str(about["name"]), trees


def _line(arrays: dict[str, Array], prefix: str, offset: Any, features: int) -> Line:
    parts = {part: finite_numbers(arrays[prefix + part], 1) for part in _LINE}
    if any(one.size != features for one in parts.values()) or not (parts["scale"] > 0).all():
        raise ValueError("weights do not fit")
    return Line(**parts, offset=_finite(offset))


def _malignancy(arrays: dict[str, Array], about: Any) -> Malignancy | None:
    if about is None:
        return None
    features = _features(about["features"])
    return Malignancy(
        features=features, line=_line(arrays, "malignancy_", about["offset"], len(features)),
        platt=_platt(about["platt"]), nodules=int(about["nodules"]), malignant=int(about["malignant"]),
    )  # fmt: skip


def _operating(about: Any) -> OperatingPoint:
    numbers = {k: _finite(v) for k, v in about.items() if k != "rule"}
    return OperatingPoint(rule=str(about["rule"]), **numbers)


def _facts(about: Any) -> ScanFacts:
    return ScanFacts(
        slice_mm=_finite(about["slice_mm"]), pixel_mm=_finite(about["pixel_mm"]), noise=_finite(about["noise"]),
        kernel=str(about["kernel"]), modality=str(about["modality"]), digest=str(about["digest"]),
    )  # fmt: skip


def _held_out(arrays: dict[str, Array], scans: int) -> HeldOutMarks:
    parts = {part: finite_numbers(arrays[f"held_{part}"], 2 if part.endswith("position") else 1) for part in _HELD}
    for part, like in (("scan", "probability"), ("nodule_scan", "nodule_diameter")):
        one = arrays[f"held_{part}"]
        if one.dtype != np.int64 or one.shape != parts[like].shape or ((one < 0) | (one >= scans)).any():
            raise ValueError("marks do not fit")
        parts[part] = one
    for part, like in (("position", "probability"), ("nodule_position", "nodule_diameter")):
        if parts[part].shape != (parts[like].size, 3):
            raise ValueError("marks do not fit")
    return HeldOutMarks(**parts)


def _row(row: Any) -> dict[str, Any]:
    if not isinstance(row, dict) or not all(isinstance(v, str | int | float | None) for v in row.values()):
        raise ValueError("no row of numbers")
    return {str(key): value for key, value in row.items()}


def _platt(given: Any) -> tuple[float, float]:
    slope, offset = given
    return _finite(slope), _finite(offset)


def _finite(value: Any) -> float:
    number = float(value)
    if not np.isfinite(number):
        raise ValueError("no finite number")
    return number


def _positive(value: Any) -> Any:
    if not 0 < value < np.inf:
        raise ValueError("no number above 0")
    return value


def _same(given: Any, wanted: str) -> str:
    if given != wanted:
        raise ValueError(given)
    return wanted
