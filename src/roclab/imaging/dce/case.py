"""One patient: a series, what an expert marked, where to look, and the truth where it is known."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Bools, Ints
from roclab.errors import InputError, Words
from roclab.imaging.dce.labels import label_of
from roclab.imaging.dce.masks import mask_of
from roclab.imaging.dce.series import DceSeries
from roclab.imaging.volumes import Volume, read_volume
from roclab.names import Anterior
from roclab.results import Result

__all__ = ["MALIGNANT", "DceCase", "volume_or_none"]

MALIGNANT = 100  # added to the number of a malignant lesion in the image of the truth


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DceCase(Result):
    """A case for training (``label``) or evaluation (``truth``).

    Attributes
    ----------
    name : str
    series : DceSeries
    label : Volume or None
        Above 0 where an expert marked a lesion, roughly. Training reads this and never the truth.
    mask : Volume or None
        Where to look; the breast is found where there is none.
    truth : Volume or None
        0 normal, 1 to 99 benign lesions, 101 to 199 malignant ones. Evaluation reads this.
    anterior : str or None
        Where the front of the body is, for the breast that is found; by the header where it is not said.
    """

    name: str
    series: DceSeries
    label: Volume | None = None
    mask: Volume | None = None
    truth: Volume | None = None
    anterior: Anterior | None = None

    def digest(self) -> str:
        """SHA-256 of the frames, their geometry and their times: the same images have it under any name."""
        spacing = [round(step, 4) for step in self.series.place.spacing]
        made = hashlib.sha256(repr((self.series.shape, spacing, self.series.times.round(3).tolist())).encode())
        for frame in self.series.frames:
            made.update(np.ascontiguousarray(frame, dtype="<f4").tobytes())
        return made.hexdigest()

    def marked(self) -> Bools:
        """The label."""
        if self.label is None:
            raise InputError("label", "must be there to train on a case", Words(f"none for {self.name!r}"))
        return label_of(self.label, self.series)

    def inside(self, *, label: Bools | None = None) -> Bools:
        """Where to look."""
        return mask_of(self.mask, self.series, label=label, anterior=self.anterior)

    def lesions(self) -> Ints:
        """Number of every voxel's lesion, 0 where it is normal."""
        if self.truth is None:
            raise InputError("truth", "must be there to evaluate on a case", Words(f"none for {self.name!r}"))
        label_of(self.truth, self.series, name="truth")
        array = np.asarray(self.truth.array)
        if array.min() < 0 or array.max() >= 2 * MALIGNANT or (array % 1 != 0).any():
            raise InputError("truth", "must be 0, 1 to 99 for benign and 101 to 199 for malignant lesions",
                             Words(f"{array.min():g} to {array.max():g}"))  # fmt: skip
        return array.astype(np.int64)

    def rows(self) -> list[dict[str, Any]]:
        """What there is."""
        return [
            {"case": self.name, "frames": len(self.series.frames), "arrival": self.series.arrival,
             "label": 0 if self.label is None else int((self.label.array > 0).sum()),
             "truth": 0 if self.truth is None else int((self.truth.array > 0).sum())}
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Everything but the images."""
        return {**self.rows()[0], "series": self.series.to_dict()}

    def __str__(self) -> str:
        held = self.rows()[0]
        return (
            f"case {self.name}: {plural(held['frames'], 'frame')}, label {held['label']}, truth {held['truth']} voxels"
        )


def volume_or_none(given: Any) -> Volume | None:
    """A volume, the one of a file, or none."""
    return given if given is None or isinstance(given, Volume) else read_volume(given)
