"""A volume, or frames in time, as a DICOM series: classic CT or MR images, one file a slice, in the place they have."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, plural
from roclab._core.types import Array
from roclab.errors import FileError, InputError, Words, named
from roclab.imaging.dce.series import DceSeries
from roclab.imaging.dicom_elements import DataSet, decimals, new_uid, part_10
from roclab.imaging.volumes import Volume
from roclab.names import MODALITIES, Modality

__all__ = ["check_dicom_place", "write_dicom"]

_STEPS = 65000  # levels between the smallest and the largest value
_CLASSES = {"CT": "1.2.840.10008.5.1.4.1.1.2", "MR": "1.2.840.10008.5.1.4.1.1.4"}
_DAY = 86400


def check_dicom_place(folder: str | os.PathLike[str], *, name: str = "folder") -> Path:
    """A folder that is not there yet, or is empty, in one that exists."""
    place = Path(folder)
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise FileError(name, "must be a folder that is new or empty", Words(str(folder)), "name another")
    if not place.parent.is_dir():
        raise FileError(name, "must be in a directory that exists", Words(str(folder)), f"create {place.parent} first")
    return place


def write_dicom(
    image: Volume | DceSeries, folder: str | os.PathLike[str], *, description: str = "roclab",
    modality: Modality | None = None,
) -> Path:  # fmt: skip
    """Write a volume or a series in time as derived images into a new folder, whole or not at all.

    Whole numbers are kept exactly, others to 1/65000 of their range. Identifiers are new: the images belong to no study
    until they are given one. Frames in time are one series, with their temporal position and time of acquisition.

    Parameters
    ----------
    image : Volume or DceSeries
    folder : path
        New or empty.
    description : str
        Of the series.
    modality : "CT" or "MR", optional
        Default: that of the volume, which DICOM files, phantoms and series in time know.
    """
    place = check_dicom_place(folder)
    place_of, frames, times = (
        (image.place, image.frames, image.times) if isinstance(image, DceSeries) else (image, image.array[None], None)
    )
    kind = modality or place_of.modality
    if not kind:
        raise InputError(
            "modality", "must be said for an image whose files do not know it", Words("nothing"),
            f"write {named('modality', 'CT')} or {named('modality', 'MR')}",
        )  # fmt: skip
    check_choice(kind, "modality", MODALITIES)
    bad = sum(int(np.count_nonzero(~np.isfinite(one))) for one in frames)
    if bad:
        raise InputError("volume", "must hold finite numbers", Words(plural(bad, "other")))
    low, slope = _scale(frames)
    common = _of_series(place_of, kind, description, low, slope)
    part = Path(tempfile.mkdtemp(prefix=".roclab-", dir=place.absolute().parent))
    try:
        for at, frame in enumerate(frames):
            when = {} if times is None else _of_frame(at, len(frames), float(times[at]))
            for z, plane in enumerate(frame):
                number = at * len(frame) + z + 1
                data = {**common, **when, **_of_slice(place_of, z, number, plane, low, slope)}
                (part / f"{number:05d}.dcm").write_bytes(part_10(data))
        if place.exists():
            place.rmdir()
        os.replace(part, place)
    except OSError as error:
        raise FileError(
            "folder", "must be one that can be written", Words(f"{place.name} ({error.strerror})")
        ) from None
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return place


def _scale(frames: Array) -> tuple[float, float]:
    """The value of 0, and the step of 1, in stored numbers of 16 bits."""
    low, high = float(frames.min()), float(frames.max())
    if high - low <= _STEPS and all((frame == np.rint(frame)).all() for frame in frames):
        return low, 1.0
    # Numbers are written with ten digits: those that are written are those that scale.
    return float(f"{low:.10g}"), float(f"{(high - low) / _STEPS or 1.0:.10g}")


def _of_series(volume: Volume, kind: str, description: str, low: float, slope: float) -> dict[int, tuple[str, Any]]:
    way = np.array(volume.direction).reshape(3, 3)
    z, y, x = volume.spacing
    own: DataSet = (
        {0x00180060: ("DS", "")} if kind == "CT" else
        {0x00180020: ("CS", "RM"), 0x00180021: ("CS", "NONE"), 0x00180022: ("CS", ""), 0x00180023: ("CS", "3D"),
         0x00180081: ("DS", ""), 0x00180091: ("IS", "")}
    )  # fmt: skip
    return {
        **own,
        0x00080005: ("CS", "ISO_IR 192"),
        0x00080008: ("CS", "DERIVED\\SECONDARY\\" + ("AXIAL" if kind == "CT" else "OTHER")),
        0x00080016: ("UI", _CLASSES[kind]), 0x00080020: ("DA", ""), 0x00080030: ("TM", ""), 0x00080050: ("SH", ""),
        0x00080060: ("CS", kind), 0x00080070: ("LO", "roclab"), 0x00080090: ("PN", ""),
        0x0008103E: ("LO", description[:60]), 0x00100010: ("PN", ""), 0x00100020: ("LO", ""), 0x00100030: ("DA", ""),
        0x00100040: ("CS", ""), 0x00180050: ("DS", decimals([z])), 0x00180088: ("DS", decimals([z])),
        0x0020000D: ("UI", new_uid()), 0x0020000E: ("UI", new_uid()), 0x00200010: ("SH", ""), 0x00200011: ("IS", "1"),
        0x00200037: ("DS", decimals((*way[:, 0], *way[:, 1]))), 0x00200052: ("UI", new_uid()), 0x00201040: ("LO", ""),
        0x00280002: ("US", 1), 0x00280004: ("CS", "MONOCHROME2"), 0x00280010: ("US", volume.shape[1]),
        0x00280011: ("US", volume.shape[2]), 0x00280030: ("DS", decimals((y, x))), 0x00280100: ("US", 16),
        0x00280101: ("US", 16), 0x00280102: ("US", 15), 0x00280103: ("US", 0), 0x00281052: ("DS", decimals([low])),
        0x00281053: ("DS", decimals([slope])), 0x00281054: ("LO", "HU" if kind == "CT" else "US"),
    }  # fmt: skip


def _of_frame(at: int, many: int, seconds: float) -> dict[int, tuple[str, Any]]:
    clock = 43200 + seconds  # at noon, so that times before the first injection stay on the same day
    day, rest = divmod(clock, _DAY)
    hour, minute = divmod(rest, 3600)
    stamp = f"{int(hour):02d}{int(minute // 60):02d}{minute % 60:09.6f}"
    return {
        0x00080022: ("DA", f"200001{int(day) + 2:02d}"), 0x00080032: ("TM", stamp),
        0x00200012: ("IS", str(at + 1)), 0x00200100: ("IS", str(at + 1)), 0x00200105: ("IS", str(many)),
    }  # fmt: skip


def _of_slice(
    volume: Volume, z: int, number: int, plane: Array, low: float, slope: float
) -> dict[int, tuple[str, Any]]:
    stored = np.clip(np.rint((plane.astype(np.float64) - low) / slope), 0, 65535).astype("<u2")
    return {
        0x00080018: ("UI", new_uid()), 0x00200013: ("IS", str(number)),
        0x00200032: ("DS", decimals(volume.to_world((z, 0, 0))[0])), 0x7FE00010: ("OW", stored.tobytes()),
    }  # fmt: skip
