"""The confidence volume: every voxel's curve through the model, slab by slab, in the geometry of the series."""

from __future__ import annotations

import math
from contextlib import closing
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import ndimage

from roclab._core.checks import check_workers
from roclab._core.products import product
from roclab._core.text import text_table
from roclab._core.types import Array, Bools
from roclab._core.work import Progress, in_order
from roclab.errors import InputError
from roclab.imaging.dce.findings import DceFindings
from roclab.imaging.dce.model import DceModel
from roclab.imaging.dce.series import DceSeries
from roclab.imaging.dce.signal_space import enhancement, resampling_matrix, slabs
from roclab.imaging.research import RESEARCH
from roclab.imaging.volumes import Volume
from roclab.results import Result

__all__ = ["Confidence", "confidence_volume", "smoothed"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Confidence(Result):
    """One image instead of many."""

    volume: Volume  # confidence between 0 and 1, float32; 0 outside of the mask
    mask: Volume
    smoothing: float  # mm
    findings: DceFindings | None = None  # suspicious regions
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """How many voxels lie above some confidences."""
        inside = self.volume.array[self.mask.array]
        return [
            {"confidence above": level, "voxels": int((inside > level).sum()),
             "volume_ml": float((inside > level).sum() * self.volume.voxel_mm3 / 1000)}
            for level in (0.1, 0.25, 0.5, 0.75, 0.9)
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Everything but the images."""
        return {
            "size": list(self.volume.shape), "spacing": list(self.volume.spacing), "levels": self.rows(),
            "voxels": int(self.mask.array.sum()), "smoothing": self.smoothing, "notes": list(self.notes),
            "findings": None if self.findings is None else self.findings.to_dict(),
        }  # fmt: skip

    def __str__(self) -> str:
        said = [] if self.findings is None else ["", str(self.findings)]
        return "\n".join([text_table(self.rows()), *said, *self.notes, RESEARCH])


def confidence_volume(
    model: DceModel, series: DceSeries, inside: Bools, *, smoothing: float = 0.0, workers: int = 1,
    progress: Progress | None = None,
) -> Confidence:  # fmt: skip
    """Map a series; O(voxels weights) time, and memory for one volume and a few slabs beside the series."""
    check_workers(workers)
    matrix = resampling_matrix(series, model.grid)
    lowest = model.space.lowest(series, inside)
    out = np.zeros(series.shape, dtype=np.float32)
    count = len(series.frames)

    def one(slab: slice) -> None:
        chosen = np.flatnonzero(inside[slab])
        if chosen.size:
            frames = series.frames[:, slab].reshape(count, -1)
            curves = product(enhancement(frames, series.baseline[slab].ravel(), chosen, lowest, series.before), matrix)
            out[slab].reshape(-1)[chosen] = model.network.confidence(model.space.transformed(curves))

    with closing(in_order(one, list(slabs(series.shape)), workers=workers, progress=progress)) as done:
        for _ in done:
            pass
    return Confidence(
        volume=series.place.with_array(smoothed(out, inside, series.place.spacing, smoothing)),
        mask=series.place.with_array(inside), smoothing=float(smoothing),
    )  # fmt: skip


def smoothed(image: Array, inside: Bools, spacing: tuple[float, ...], mm: float) -> Array:
    """A Gaussian of standard deviation ``mm`` within a mask: what lies outside neither adds nor takes away."""
    if not 0 <= float(mm) < math.inf:
        raise InputError("smoothing", "must be 0 or a finite number of mm", mm)
    if mm == 0:
        return image
    sigma = [mm / step for step in spacing]
    held = np.where(inside, image, np.float32(0)).astype(np.float32, copy=False)
    total: Array = ndimage.gaussian_filter(held, sigma, mode="constant")
    share = ndimage.gaussian_filter(inside.astype(np.float32), sigma, mode="constant")
    total /= np.maximum(share, np.float32(1e-6))
    total[~inside] = 0
    return total
