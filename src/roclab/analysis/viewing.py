"""A scan as a viewer shows it: 16-bit voxels in the order of the body, slices of three planes, places of marks.

Axes run to the head, to the back and to the left, whatever the file says, so that every slice lies as a radiologist
looks at it: the patient's right side on the left of the picture, the front up in axial slices, the head up in others.
"""

from __future__ import annotations

import base64
import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.types import Array, Floats
from roclab.analysis.lung_cad.apply import cad_apply
from roclab.analysis.lungs import phantom_chest
from roclab.errors import InputError
from roclab.imaging.orientation import Turn, canonical, orientation_notes
from roclab.imaging.volumes import Volume, read_volume, write_volume

__all__ = ["PLANES", "ShownScan", "cad_of_scan", "example_scan", "packed", "show_scan", "unpacked"]

PLANES = ("axial", "coronal", "sagittal")
_AXES = {"axial": 0, "coronal": 1, "sagittal": 2}  # of a canonical array
_DEEP = 32_000.0  # codes of 16 bits that are used
_ENDS = {"axial": "RLAP", "coronal": "RLSI", "sagittal": "APSI"}  # left, right, upper, lower edge


@dataclass(frozen=True, slots=True, eq=False)
class ShownScan:
    """A scan in the order of the body; a voxel's value is ``code * slope + intercept``."""

    called: str
    codes: Array  # int16, (z, y, x)
    slope: float
    intercept: float
    window: tuple[float, float]  # values between which a first look is drawn
    volume: Volume  # canonical
    turn: Turn
    notes: tuple[str, ...]

    def facts(self) -> dict[str, Any]:
        """What a page needs before the first slice: sizes, spacings, letters, the first window."""
        z, y, x = self.codes.shape
        dz, dy, dx = self.volume.spacing
        shapes = {"axial": (y, x, dy, dx, z), "coronal": (z, x, dz, dx, y), "sagittal": (z, y, dz, dy, x)}
        return {
            "called": self.called, "slope": self.slope, "intercept": self.intercept, "window": list(self.window),
            "planes": {
                name: {"rows": rows, "columns": columns, "down": down, "across": across, "slices": slices,
                       "letters": _ENDS[name] if self.volume.oriented else ""}
                for name, (rows, columns, down, across, slices) in shapes.items()
            },
            "notes": list(self.notes),
        }  # fmt: skip

    def slice(self, plane: str, at: int) -> Array:
        """One slice as it is looked at, little endian; ``at`` counts from the feet, the front or the right side."""
        return slice_of(self.codes, plane, at)

    def places(self, positions: Sequence[Sequence[float]]) -> Floats:
        """Indices (z, y, x) of positions (x, y, z) in mm."""
        return self.volume.to_index(np.array(positions, dtype=np.float64).reshape(-1, 3))


def slice_of(array: Array, plane: str, at: int) -> Array:
    """A slice of a canonical array: heads are up, so that rows of upright planes run against the axis."""
    if plane not in PLANES:
        raise InputError("plane", f"must be one of {', '.join(PLANES)}", plane)
    axis = _AXES[plane]
    if not 0 <= at < array.shape[axis]:
        raise InputError("at", f"must be a slice from 0 to {array.shape[axis] - 1}", at)
    found = np.take(array, at, axis=axis)
    return np.ascontiguousarray(found if plane == "axial" else found[::-1])


def show_scan(path: str | os.PathLike[str]) -> ShownScan:
    """A file or folder that ``read_volume`` reads, ready to be shown; O(voxels), two bytes each."""
    read = read_volume(path)
    volume, turn = canonical(read)
    values = np.asarray(volume.array)
    finite = values[np.isfinite(values)] if values.dtype.kind == "f" else values
    if finite.size == 0:
        raise InputError("path", "must hold an image with values", str(path))
    low, high = float(finite.min()), float(finite.max())
    whole = values.dtype.kind in "iu" and low >= -_DEEP and high <= _DEEP
    slope, intercept = (1.0, 0.0) if whole else ((high - low) / (2 * _DEEP) or 1.0, (high + low) / 2)
    codes = np.clip(np.nan_to_num((values - intercept) / slope, nan=-_DEEP), -_DEEP, _DEEP)
    ct = low < -500 and high > 100  # Hounsfield units have air far below 0
    window = (-1350.0, 150.0) if ct else (float(np.quantile(finite, 0.01)), float(np.quantile(finite, 0.995)))
    return ShownScan(
        Path(path).name, np.rint(codes).astype("<i2"), slope, intercept, window, volume, turn,
        orientation_notes(read, turn),
    )  # fmt: skip


def cad_of_scan(path: str | os.PathLike[str], model: str) -> dict[str, Any]:
    """Marks of a lung CAD with the slices they lie in, and the lungs that were searched, packed."""
    found: Any = cad_apply(model, path)
    volume, turn = canonical(found.volume)
    rows = found.rows()
    places = volume.to_index(np.array([[row[name] for name in "xyz"] for row in rows]).reshape(-1, 3))
    shown = ("mark", "x", "y", "z", "probability", "malignancy", "marked", "diameter_mm")
    return {
        "rows": [{name: row[name] for name in shown if name in row} for row in rows],
        "places": places.tolist(),
        "threshold": found.model.operating.threshold,
        "rule": found.model.operating.rule,
        "notes": [*found.notes],
        "lungs": packed(turn.forward(np.asarray(found.lungs.array) > 0)),
    }


def packed(mask: Array) -> str:
    """A mask as text, eight voxels a byte and deflated."""
    return base64.b64encode(zlib.compress(np.packbits(np.asarray(mask, bool)).tobytes(), 6)).decode("ascii")


def unpacked(text: str, shape: tuple[int, ...]) -> Array:
    """The mask of this shape."""
    bits = np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype=np.uint8)
    mask: Array = np.unpackbits(bits, count=int(np.prod(shape))).reshape(shape)
    return mask


def example_scan(folder: Path, *, settings: Mapping[str, Any] | None = None) -> Path:
    """A phantom chest with nodules, written into a folder to be opened as any other scan."""
    made = phantom_chest(
        **{"size": (40, 128, 128), "spacing": (2.0, 1.6, 1.6), "nodules": 4, "noise": 25, "rng": 11, **(settings or {})}
    )
    return write_volume(made.volume, folder / "phantom_chest.nii.gz")
