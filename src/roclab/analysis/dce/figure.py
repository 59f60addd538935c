"""The chapter's figure before it is drawn: curves, the data space with the decision function, the confidence volume."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Array, Bools, Floats
from roclab.analysis.dce.ask import dce_apply
from roclab.errors import InputError, Words
from roclab.imaging.dce.case import MALIGNANT
from roclab.imaging.dce.confidence import Confidence
from roclab.imaging.dce.labels import label_of
from roclab.imaging.dce.model import DataPlane, DceModel
from roclab.imaging.dce.series import DceSeries
from roclab.imaging.dce.signal_space import enhancement
from roclab.imaging.volumes import Volume
from roclab.results import Result

__all__ = ["CurveGroup", "DceFigure", "dce_figure"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurveGroup:
    """Relative enhancement of some voxels: the median and both quartiles at every frame."""

    voxels: int
    low: Floats
    middle: Floats
    high: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DceFigure(Result):
    """Three views of one model and one series."""

    times: Floats  # seconds after arrival, 0 first
    curves: Mapping[str, CurveGroup]
    plane: DataPlane
    slice: int
    baseline: Array  # (y, x)
    confidence: Array  # (y, x)
    lesions: Bools | None  # (y, x)
    aspect: float
    edges: tuple[str, str, str, str] = ("", "", "", "")  # what lies left, right, above and below in the slice

    def rows(self) -> list[dict[str, Any]]:
        """One row per group of voxels and time."""
        return [
            {"voxels of": name, "seconds": float(time), "lower quartile": float(one.low[at]),
             "median": float(one.middle[at]), "upper quartile": float(one.high[at])}
            for name, one in self.curves.items()
            for at, time in enumerate(self.times)
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Everything but the images."""
        return {"curves": self.rows(), "slice": self.slice, "share_of_plane": self.plane.share}

    def plot(self, to: Any = None, /) -> Any:
        """Draw it: a ``Picture`` of three panels; the name of a file as ``to`` also writes it."""
        import importlib

        return importlib.import_module("roclab.plots.dce").plot_panels(self, to)

    def save(self, path: Any) -> None:
        """Draw it into a file: .png, .pdf or .svg."""
        import importlib

        importlib.import_module("roclab.plots.overlay").save_montage(self.plot().fig, path)


def dce_figure(
    model: DceModel, series: DceSeries, *, confidence: Confidence | None = None, truth: Volume | None = None,
    slice: int | None = None,
) -> DceFigure:  # fmt: skip
    """Curves of lesions and normal tissue, the data space with the decision function, and a confidence slice.

    Parameters
    ----------
    confidence : Confidence, optional
        Default: ``dce_apply(model, series)``.
    truth : Volume, optional
        Lesions as in :class:`DceCase`; without it voxels above and below a confidence of one half are told apart.
    slice : int, optional
        Default: the one with most voxels of lesions, or the highest confidence.
    """
    seen = dce_apply(model, series) if confidence is None else confidence
    inside = seen.mask.array
    groups: dict[str, Bools]
    if truth is None:
        called = seen.volume.array > 0.5
        groups = {"confidence above 0.5": called & inside, "confidence below 0.5": ~called & inside}
        weight = seen.volume.array.sum(axis=(1, 2))
        marked = None
    else:
        marked = label_of(truth, series, name="truth")
        number = truth.array
        groups = {"malignant": (number > MALIGNANT) & inside, "benign": marked & (number < MALIGNANT) & inside,
                  "normal": ~marked & inside}  # fmt: skip
        weight = marked.sum(axis=(1, 2)).astype(np.float64)
    at = int(np.argmax(weight)) if slice is None else slice
    if not 0 <= at < series.shape[0]:
        raise InputError("slice", f"must be a number from 0 to {series.shape[0] - 1}", Words(at))
    lowest = model.space.lowest(series, inside)
    curves = {name: _group(series, one, lowest) for name, one in groups.items() if one.any()}
    _, y, x = series.place.spacing
    return DceFigure(
        times=np.concatenate([[0.0], series.after_arrival]), curves=curves, plane=model.plane(), slice=at,
        baseline=series.baseline[at], confidence=seen.volume.array[at], lesions=None if marked is None else marked[at],
        aspect=y / x, edges=series.place.edges,
    )  # fmt: skip


def _group(series: DceSeries, chosen: Bools, lowest: float) -> CurveGroup:
    frames = series.frames.reshape(len(series.frames), -1)
    values = enhancement(frames, series.baseline.ravel(), np.flatnonzero(chosen), lowest, series.before)
    low, middle, high = np.quantile(np.column_stack([np.zeros(len(values)), values]), [0.25, 0.5, 0.75], axis=0)
    return CurveGroup(voxels=len(values), low=low, middle=middle, high=high)
