"""Files that hold several volumes in time: NIfTI, MetaImage and NRRD of four axes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.types import Array, Floats
from roclab.errors import FileError, Words
from roclab.imaging.volumes import Volume, check_image_place, image_library, reason_of, same_locale, says_orientation

__all__ = ["read_in_time", "write_in_time"]


def read_in_time(path: Path) -> tuple[Array, Volume, Floats | None]:
    """All frames (t, z, y, x), the geometry of one, and their times if the file knows a step other than 1."""
    itk = image_library()
    with same_locale():
        try:
            image = itk.ReadImage(str(path))
        except RuntimeError as error:
            raise FileError(
                "frames", "must be an image that can be read", Words(f"{path.name} ({reason_of(error)})")
            ) from None
    if image.GetDimension() != 4 or image.GetNumberOfComponentsPerPixel() != 1:
        raise FileError(
            "frames", "must be a file of four axes, or one file or folder for each frame",
            Words(f"{path.name}, of {image.GetDimension()} axes"), "give all frames in the order of time",
        )  # fmt: skip
    array = itk.GetArrayFromImage(image)
    if array.dtype.kind != "f":
        array = array.astype(np.float32)
    gaps, start = image.GetSpacing(), image.GetOrigin()
    turned = np.array(image.GetDirection()).reshape(4, 4)[:3, :3].ravel()
    place = Volume(
        array=np.zeros(array.shape[1:], dtype=np.int8), spacing=(gaps[2], gaps[1], gaps[0]), origin=start[:3],
        direction=tuple(float(one) for one in turned), oriented=says_orientation(image, path.name),
    )  # fmt: skip
    # A step of 1 is what files hold that know none.
    times = None if gaps[3] in (0.0, 1.0) else start[3] + gaps[3] * np.arange(len(array))
    return array, place, times


def write_in_time(frames: Array, times: Any, place: Volume, path: str | os.PathLike[str]) -> Path:
    """Write frames at even times as one file of four axes; whole or not at all."""
    target = Path(path)
    ending = check_image_place(target)
    steps = np.diff(times)
    if steps.size and np.ptp(steps) > 1e-3 * float(steps.mean()):
        raise FileError("path", "of four axes holds even times only", Words("uneven ones"), "write every frame apart")
    itk = image_library()
    image = itk.GetImageFromArray(frames, isVector=False)
    z, y, x = place.spacing
    image.SetSpacing((x, y, z, float(steps.mean()) if steps.size else 1.0))
    image.SetOrigin((*place.origin, float(times[0])))
    whole = np.eye(4)
    whole[:3, :3] = np.array(place.direction).reshape(3, 3)
    image.SetDirection(tuple(whole.ravel()))
    part = target.with_name(f".{os.getpid()}.part{ending}")
    try:
        with same_locale():
            itk.WriteImage(image, str(part))
        os.replace(part, target)
    except RuntimeError as error:
        raise FileError(
            "path", "must be a file that can be written", Words(f"{target.name} ({reason_of(error)})")
        ) from None
    finally:
        part.unlink(missing_ok=True)
    return target
