"""The images that something was found in: their headers in the order of the slices of a volume."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab.errors import FileError, InputError, Words
from roclab.imaging.dicom_headers import dicom_library, files_below
from roclab.imaging.volumes import Volume

__all__ = ["source_images"]

_NEAR = 0.02  # of a voxel


def source_images(source: str | os.PathLike[str], labels: Volume, *, name: str = "source") -> list[Any]:
    """Headers of a folder, one for every slice; refused where the volume does not lie on them."""
    place = Path(source)
    if not place.is_dir():
        raise FileError(
            name, "must be the folder of the DICOM series that was searched", Words(str(source)),
            "write_dicom writes a volume as one",
        )  # fmt: skip
    library = dicom_library()
    found: dict[int, list[Any]] = {}
    for file in files_below(place):
        held = library.dcmread(file, stop_before_pixels=True)
        if "ImagePositionPatient" not in held or (int(held.Rows), int(held.Columns)) != labels.shape[1:]:
            continue
        at = labels.to_index([float(one) for one in held.ImagePositionPatient])[0]
        z = round(float(at[0]))
        if np.abs(at - (z, 0, 0)).max() < _NEAR and 0 <= z < labels.shape[0] and _same_axes(held, labels):
            found.setdefault(z, []).append(held)
    series = {held.SeriesInstanceUID for every in found.values() for held in every}
    for uid in sorted(series):
        own = {z: [held for held in every if held.SeriesInstanceUID == uid] for z, every in found.items()}
        whole = [own[z][0] for z in sorted(own) if own[z]]
        if len(whole) == labels.shape[0]:
            return whole
    raise InputError(
        name, "must hold the slices that were searched",
        Words(f"{place.name} with {len(found)} of {plural(labels.shape[0], 'slice')}"), "name the folder of the scan",
    )  # fmt: skip


def _same_axes(held: Any, labels: Volume) -> bool:
    way = np.array(labels.direction).reshape(3, 3)
    own = np.array([float(one) for one in held.ImageOrientationPatient])
    return bool(np.allclose(own, (*way[:, 0], *way[:, 1]), atol=1e-3))
