"""A scene: images in one place, in the order of the body, with 16-bit codes, slices of three planes, and curves.

Axes run to the head, to the back and to the left, whatever the file says, so that every slice lies as a radiologist
looks at it: the patient's right side on the left of the picture, the front up in axial slices, the head up in others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from roclab._core.types import Array, Floats, Ints
from roclab.errors import InputError, Words
from roclab.imaging.orientation import Turn, canonical, orientation_notes
from roclab.imaging.volumes import Volume

__all__ = [
    "PLANES", "Curves", "Image", "Labels", "Scene", "coded", "empty_scene", "highest_of", "is_ct", "label_codes",
    "slice_of",
]  # fmt: skip

PLANES = ("axial", "coronal", "sagittal")
_AXES = {"axial": 0, "coronal": 1, "sagittal": 2}  # of a canonical array
_DEEP = 32_000.0  # codes of 16 bits that are used
_ENDS = {"axial": "RLAP", "coronal": "RLSI", "sagittal": "APSI"}  # left, right, upper, lower edge
_CT_WINDOW = (-1350.0, 150.0)  # HU: of lungs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Image:
    """Values; that of a voxel is ``code * slope + intercept``. ``frame`` is one of a stack of codes (t, z, y, x)."""

    name: str
    codes: Array
    slope: float = 1.0
    intercept: float = 0.0
    window: tuple[float, float]  # values between which a first look is drawn
    unit: str = ""
    colour: bool = False  # drawn over another image in colours, not in greys
    frame: int | None = None

    @property
    def array(self) -> Array:
        """Codes of its own voxels."""
        own: Array = self.codes if self.frame is None else self.codes[self.frame]
        return own


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Labels:
    """Numbered parts, drawn as outlines or filled; ``words`` says what a number means."""

    name: str
    codes: Array  # uint16
    words: Mapping[int, str] = field(default_factory=dict)
    filled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curves:
    """Relative enhancement by seconds after arrival: of every voxel, and means of parts."""

    seconds: Floats
    stack: Array  # int16 (t, z, y, x)
    slope: float
    means: Mapping[str, Floats]
    parts: str = ""  # the labels whose parts have curves of their own
    of_parts: Mapping[int, Floats] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True, eq=False)
class Scene:
    """Images in one place; ``volume`` is that place, canonical."""

    called: str
    volume: Volume
    turn: Turn
    images: list[Image] = field(default_factory=list)
    labels: list[Labels] = field(default_factory=list)
    curves: Curves | None = None
    start: tuple[int, int, int] | None = None  # where the cross begins; the middle where nothing is said
    notes: tuple[str, ...] = ()

    def add(self, one: Image | Labels) -> None:
        """Another image in the same place; one of the same name gives way."""
        if one.codes.shape[-3:] != self.volume.shape:
            raise InputError("layer", f"must have the shape {self.volume.shape}", Words(f"{one.codes.shape[-3:]}"))
        if isinstance(one, Image):
            self.images = [*(other for other in self.images if other.name != one.name), one]
        else:
            self.labels = [*(other for other in self.labels if other.name != one.name), one]

    def facts(self) -> dict[str, Any]:
        """What a page needs before the first slice: sizes, spacings, letters, windows."""
        z, y, x = self.volume.shape
        dz, dy, dx = self.volume.spacing
        shapes = {"axial": (y, x, dy, dx, z), "coronal": (z, x, dz, dx, y), "sagittal": (z, y, dz, dy, x)}
        curves = self.curves
        return {
            "called": self.called,
            "planes": {
                name: {"rows": rows, "columns": columns, "down": down, "across": across, "slices": slices,
                       "letters": _ENDS[name] if self.volume.oriented else ""}
                for name, (rows, columns, down, across, slices) in shapes.items()
            },
            "images": [
                {"name": one.name, "slope": one.slope, "intercept": one.intercept, "window": list(one.window),
                 "unit": one.unit, "colour": one.colour}
                for one in self.images
            ],
            "labels": [
                {"name": one.name, "filled": one.filled, "words": {str(at): said for at, said in one.words.items()}}
                for one in self.labels
            ],
            "curves": None if curves is None else {
                "seconds": curves.seconds.tolist(), "slope": curves.slope, "parts": curves.parts,
                "means": {name: one.tolist() for name, one in curves.means.items()},
                "of_parts": {str(at): one.tolist() for at, one in curves.of_parts.items()},
            },
            "start": None if self.start is None else list(self.start),
            "notes": list(self.notes),
        }  # fmt: skip

    def slice(self, name: str, plane: str, at: int) -> Array:
        """One slice of an image, as it is looked at; ``at`` counts from the feet, the front or the right side."""
        return slice_of(self._of(name).array, plane, at)

    def highest(self, name: str, plane: str) -> Array:
        """The highest value along the lines of sight of a plane: the maximum intensity projection."""
        return highest_of(self._of(name).array, plane)

    def label_slice(self, name: str, plane: str, at: int) -> Array:
        """One slice of labels."""
        for one in self.labels:
            if one.name == name:
                return slice_of(one.codes, plane, at)
        raise InputError("", "this scan must have the layer that is asked for", Words(repr(name)[:40]))

    def curve(self, at: Sequence[int]) -> Floats:
        """Relative enhancement of a voxel (z, y, x)."""
        if self.curves is None:
            raise InputError("", "this scan must be a series in time, to have curves", Words("one image"))
        if len(at) != 3 or not all(0 <= one < size for one, size in zip(at, self.volume.shape, strict=True)):
            raise InputError("at", f"must be a voxel of {self.volume.shape}", Words(str(list(at))[:40]))
        found: Floats = self.curves.stack[:, at[0], at[1], at[2]] * self.curves.slope
        return found

    def places(self, positions: Sequence[Sequence[float]]) -> Floats:
        """Indices (z, y, x) of positions (x, y, z) in mm."""
        return self.volume.to_index(np.array(positions, dtype=np.float64).reshape(-1, 3))

    def _of(self, name: str) -> Image:
        for one in self.images:
            if one.name == name:
                return one
        raise InputError("", "this scan must have the image that is asked for", Words(repr(name)[:40]))


def empty_scene(called: str, volume: Volume) -> Scene:
    """A scene in the place of a volume, without images."""
    turned, turn = canonical(volume)
    return Scene(called=called, volume=turned, turn=turn, notes=orientation_notes(volume, turn))


def slice_of(array: Array, plane: str, at: int) -> Array:
    """A slice of a canonical array: heads are up, so that rows of upright planes run against the axis."""
    axis = _axis(plane)
    if not 0 <= at < array.shape[axis]:
        raise InputError("at", f"must be a slice from 0 to {array.shape[axis] - 1}", at)
    found = np.take(array, at, axis=axis)
    return np.ascontiguousarray(found if plane == "axial" else found[::-1])


def highest_of(array: Array, plane: str) -> Array:
    """The highest along the axis of a plane. O(voxels)."""
    found = array.max(axis=_axis(plane))
    return np.ascontiguousarray(found if plane == "axial" else found[::-1])


def _axis(plane: str) -> int:
    if plane not in PLANES:
        raise InputError("plane", f"must be one of {', '.join(PLANES)}", plane)
    return _AXES[plane]


def is_ct(values: Array) -> bool:
    """Hounsfield units have air far below 0."""
    return bool(values.size) and float(values.min()) < -500 and float(values.max()) > 100


def coded(
    name: str, values: Array, *, window: tuple[float, float] | None = None, unit: str = "", colour: bool = False
) -> Image:
    """An image of values in 16 bits: whole numbers that fit as they are, others to the last code; O(voxels)."""
    values = np.asarray(values)
    finite = values[np.isfinite(values)] if values.dtype.kind == "f" else values
    if finite.size == 0:
        raise InputError("path", "must hold an image with values", Words(f"{name} without any"))
    low, high = float(finite.min()), float(finite.max())
    whole = values.dtype.kind in "iu" and low >= -_DEEP and high <= _DEEP
    if whole:
        codes, slope, intercept = values.astype("<i2"), 1.0, 0.0
    else:
        slope, intercept = (high - low) / (2 * _DEEP) or 1.0, (high + low) / 2
        codes = np.empty(values.shape, dtype="<i2")
        for at, plane in enumerate(values):  # so that floats of all voxels are never held twice
            scaled = np.nan_to_num((plane - intercept) / slope, nan=-_DEEP)
            codes[at] = np.rint(np.clip(scaled, -_DEEP, _DEEP))
    if window is None:
        ct = is_ct(finite)
        window = _CT_WINDOW if ct else (float(np.quantile(finite, 0.01)), float(np.quantile(finite, 0.995)))
        unit = unit or ("HU" if ct else "")
    return Image(name=name, codes=codes, slope=slope, intercept=intercept, window=window, unit=unit, colour=colour)


def label_codes(array: Array) -> Ints:
    """Labels as they are sent: 16 bits without sign; more parts than that are refused."""
    top = int(array.max()) if array.size else 0
    if top > 65535 or (array.size and int(array.min()) < 0):
        raise InputError("labels", "must be numbers from 0 to 65535", top)
    return array.astype("<u2")
