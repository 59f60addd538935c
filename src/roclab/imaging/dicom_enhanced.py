"""Frames of enhanced multi-frame DICOM files as a volume, by pydicom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from roclab.errors import FileError, Words
from roclab.imaging.dicom_headers import Slice, dicom_library, group_of
from roclab.imaging.volumes import Volume

__all__ = ["read_frames"]


def read_frames(phase: Sequence[Slice]) -> Volume:
    """Frames of enhanced files, with their own scales."""
    library = dicom_library()
    held = {name: library.dcmread(name) for name in {one.file for one in phase}}
    pixels = {name: one.pixel_array for name, one in held.items()}
    planes = []
    for one in phase:
        scale = _of(held[one.file], one.frame, "PixelValueTransformationSequence")
        slope, start = (1.0, 0.0) if scale is None else (float(scale.RescaleSlope), float(scale.RescaleIntercept))
        planes.append(pixels[one.file][one.frame].astype(np.float32) * np.float32(slope) + np.float32(start))
    first = phase[0]
    y, x = (float(step) for step in _of(held[first.file], first.frame, "PixelMeasuresSequence").PixelSpacing)
    gaps = np.diff([one.along for one in phase])
    if gaps.size and np.ptp(gaps) > 0.01 * gaps.mean():
        raise FileError("frames", "must have slices at even gaps", Words(f"{gaps.min():g} to {gaps.max():g} mm"))
    place = _of(held[first.file], first.frame, "PlanePositionSequence").ImagePositionPatient
    turned = _of(held[first.file], first.frame, "PlaneOrientationSequence").ImageOrientationPatient
    rows, columns = (np.array([float(one) for one in turned[at : at + 3]]) for at in (0, 3))
    thick = float(gaps.mean()) if gaps.size else 1.0
    way = np.column_stack([rows, columns, np.cross(rows, columns)]).ravel()
    a, b, c = (float(one) for one in place)
    return Volume(
        array=np.stack(planes), spacing=(thick, y, x), origin=(a, b, c), direction=tuple(way.tolist()), oriented=True,
        modality=first.text["modality"],
    )  # fmt: skip


def _of(held: Any, frame: int, name: str) -> Any:
    return group_of(held, held.PerFrameFunctionalGroupsSequence[frame], name)
