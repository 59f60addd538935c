"""A volume as a DICOM series: one file a slice, in the place of the volume, values in 16 bits with their scale."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import numpy as np

from roclab._core.checks import plural
from roclab.errors import FileError, InputError, Words
from roclab.imaging.volumes import Volume, image_library, reason_of, same_locale

__all__ = ["check_dicom_place", "write_dicom"]

_STEPS = 65000  # levels between the smallest and the largest value
_ROOT = "2.25"  # the root of identifiers that anybody may make from random numbers


def check_dicom_place(folder: str | os.PathLike[str], *, name: str = "folder") -> Path:
    """A folder that is not there yet, or is empty, in one that exists."""
    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise FileError(name, "must be a folder that is new or empty", Words(str(folder)), "name another")
    if not place.parent.is_dir():
        raise FileError(name, "must be in a directory that exists", Words(str(folder)), f"create {place.parent} first")
    return place


def write_dicom(volume: Volume, folder: str | os.PathLike[str], *, description: str = "roclab") -> Path:
    """Write a volume as derived MR images into a new folder, whole or not at all.

    Values are kept to 1/65000 of their range. Identifiers are new: the images belong to no study until they are given
    one.
    """
    place = check_dicom_place(folder)
    array = volume.array.astype(np.float64)
    if not np.isfinite(array).all():
        raise InputError("volume", "must hold finite numbers", Words(plural(int((~np.isfinite(array)).sum()), "other")))
    low, high = float(array.min()), float(array.max())
    slope = (high - low) / _STEPS or 1.0
    itk = image_library()
    part = Path(tempfile.mkdtemp(prefix=".roclab-", dir=place.parent))
    unique = [f"{_ROOT}.{int.from_bytes(os.urandom(15), 'big')}" for _ in range(3)]
    way = np.array(volume.direction).reshape(3, 3)
    tags = {
        "0008|0008": "DERIVED\\SECONDARY", "0008|0060": "MR", "0008|103e": description[:60], "0020|000d": unique[0],
        "0020|000e": unique[1], "0020|0052": unique[2], "0028|1052": f"{low:.10g}", "0028|1053": f"{slope:.10g}",
        "0020|0037": "\\".join(f"{one:.8g}" for one in (*way[:, 0], *way[:, 1])),
    }  # fmt: skip
    writer = itk.ImageFileWriter()
    writer.KeepOriginalImageUIDOn()
    try:
        with same_locale():
            for at, plane in enumerate(array):
                image = itk.GetImageFromArray(plane[None].astype(np.float64))
                image.SetSpacing(tuple(reversed(volume.spacing)))
                start = volume.to_world((at, 0, 0))[0]
                image.SetOrigin(tuple(float(one) for one in start))
                image.SetDirection(volume.direction)
                for tag, value in tags.items():
                    image.SetMetaData(tag, value)
                image.SetMetaData("0008|0018", f"{_ROOT}.{int.from_bytes(os.urandom(15), 'big')}")
                image.SetMetaData("0020|0013", str(at + 1))
                image.SetMetaData("0020|0032", "\\".join(f"{one:.10g}" for one in start))
                for tag, value in (("0028|0100", "16"), ("0028|0101", "16"), ("0028|0102", "15"), ("0028|0103", "0")):
                    image.SetMetaData(tag, value)
                writer.SetFileName(str(part / f"{at + 1:04d}.dcm"))
                writer.Execute(image)
        if place.exists():
            place.rmdir()
        os.replace(part, place)
    except RuntimeError as error:
        raise FileError(
            "folder", "must be one that can be written", Words(f"{place.name} ({reason_of(error)})")
        ) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return place
