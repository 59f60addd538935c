"""What a classifier of regions depends on beside the patient: how a scan was made, and whether it is the same scan."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from roclab._core.types import Bools
from roclab.imaging.volumes import Volume, image_library

__all__ = ["ScanFacts", "facts_of"]

_MAD = 1.4826  # times the median absolute deviation is the standard deviation of a normal distribution


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanFacts:
    """How a scan was made."""

    slice_mm: float  # between slices
    pixel_mm: float
    noise: float  # HU, see ``facts_of``
    kernel: str  # as the header calls it; "" where it says nothing
    modality: str
    digest: str  # SHA-256 of shape, spacing and voxels

    def numbers(self) -> dict[str, float]:
        """What has a range."""
        return {"slice_mm": self.slice_mm, "pixel_mm": self.pixel_mm, "noise": self.noise}


def facts_of(volume: Volume, lungs: Bools, source: str | os.PathLike[str] | None = None) -> ScanFacts:
    """Facts of a canonical volume; kernel and modality from the header of the file or DICOM folder it came from.

    Noise is 1.4826 times the median absolute difference of a pixel of lung from the mean of its neighbours to the left
    and right, over sqrt(3 / 2), which is its standard deviation where the noise of pixels is independent. O(voxels).
    """
    grey = volume.array
    inside = lungs[:, :, 1:-1] & lungs[:, :, :-2] & lungs[:, :, 2:]
    middle = grey[:, :, 1:-1][inside].astype(np.float32)
    around = (grey[:, :, :-2][inside].astype(np.float32) + grey[:, :, 2:][inside]) / 2
    apart = middle - around
    noise = _MAD * float(np.median(np.abs(apart - np.median(apart)))) / np.sqrt(1.5) if apart.size else 0.0
    made = hashlib.sha256(repr((volume.shape, [round(step, 6) for step in volume.spacing])).encode())
    for plane in grey:  # of all voxels at once there would be three copies of four bytes each
        made.update(np.rint(plane).astype("<i4").tobytes())
    kernel, modality = _header(source)
    return ScanFacts(
        slice_mm=float(volume.spacing[0]), pixel_mm=float(np.sqrt(volume.spacing[1] * volume.spacing[2])),
        noise=float(noise), kernel=kernel, modality=modality, digest=made.hexdigest(),
    )  # fmt: skip


def _header(source: str | os.PathLike[str] | None) -> tuple[str, str]:
    """Kernel and modality of DICOM; other files have neither."""
    if source is None:
        return "", ""
    place = Path(source)
    files = [place] if place.suffix.lower() == ".dcm" else []
    if place.is_dir():
        files = [file for file in sorted(place.iterdir()) if file.is_file()]
    itk = image_library()
    for file in files:
        head = itk.ImageFileReader()
        head.SetFileName(str(file))
        try:
            head.ReadImageInformation()
        except RuntimeError:
            continue
        entries = [
            str(head.GetMetaData(key)).strip() if head.HasMetaDataKey(key) else "" for key in ("0018|1210", "0008|0060")
        ]
        return entries[0], entries[1]
    return "", ""
