"""Subtraction images side by side, with one window for all of them, stepping through slices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_count
from roclab._core.types import Array, Bools
from roclab.errors import InputError, Words
from roclab.imaging.dce.confidence import Confidence, smoothed
from roclab.imaging.dce.masks import mask_of
from roclab.imaging.dce.series import DceSeries
from roclab.imaging.dce.signal_space import FLOOR
from roclab.imaging.dce.subtraction import every_pair, subtraction
from roclab.imaging.volumes import Volume
from roclab.names import SubtractionScale
from roclab.results import Result

__all__ = ["DceMontage", "dce_montage"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DceMontage(Result):
    """Images by name, the slices to show, and the window they share."""

    images: Mapping[str, Array]  # (slices, y, x)
    slices: tuple[int, ...]
    window: tuple[float, float]
    confidence: Array | None  # has a window of its own, 0 to 1
    outlines: Mapping[str, Bools]  # (slices, y, x)
    place: Volume
    scale: str

    def rows(self) -> list[dict[str, Any]]:
        """One row per image."""
        low, high = self.window
        return [
            {"image": name, "slices": len(self.slices), "smallest": float(one.min()), "largest": float(one.max()),
             "window low": low, "window high": high}
            for name, one in self.images.items()
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Everything but the images."""
        return {"images": self.rows(), "slices": list(self.slices), "window": list(self.window), "scale": self.scale}

    def plot(self, to: Any = None, /) -> Any:
        """Draw it: a row for every image, a column for every slice. A file as ``to`` is written."""
        import importlib

        return importlib.import_module("roclab.plots.dce").plot_panels(self, to)

    def save(self, path: Any) -> None:
        """Draw it into a file: .png, .pdf or .svg."""
        import importlib

        importlib.import_module("roclab.plots.overlay").save_montage(self.plot().fig, path)


def dce_montage(
    series: DceSeries,
    *,
    images: Sequence[str] | None = None,
    slices: int | Sequence[int] = 4,
    scale: SubtractionScale = "relative",
    window: tuple[float, float] | None = None,
    smoothing: float = 0.0,
    mask: Any = None,
    confidence: Confidence | Volume | None = None,
    outlines: Mapping[str, Any] | None = None,
) -> DceMontage:
    """The images a radiologist steps through, with one window for all of them.

    Parameters
    ----------
    images : names of subtraction images, optional
        Default: early, late, wash_out and maximum; "pairs" in it stands for every pair of frames.
    slices : int or sequence of ints
        How many, evenly spread over those that the mask reaches, or which.
    window : (low, high), optional
        Default: from 0 to the highest of the images' 99.5th percentiles in the mask.
    smoothing : float
        Of all images alike, in mm.
    mask : as in :func:`dce_apply`
    confidence : Confidence or Volume, optional
        Shown in a last row.
    outlines : mapping of names to Volumes or arrays, optional

    Examples
    --------
    >>> import roclab as rl
    >>> made = rl.imaging.phantom_breast(size=(8, 48, 64), rng=1)
    >>> shown = rl.imaging.dce_montage(made.series, slices=3)
    >>> list(shown.images), len(shown.slices)
    (['early', 'late', 'wash_out', 'maximum'], 3)
    """
    inside = mask_of(mask, series)
    names: list[str] = []
    for name in images if images is not None else ("early", "late", "wash_out", "maximum"):
        names += every_pair(series) if name == "pairs" else [name]
    if not names:
        raise InputError("images", "must name at least one", Words("none"))
    chosen = _slices(slices, inside)
    lowest = FLOOR * float(np.median(series.baseline[inside]))
    made, top = {}, 0.0
    for name in dict.fromkeys(names):
        image = smoothed(subtraction(series, name, scale=scale, lowest=lowest), inside, series.place.spacing, smoothing)
        made[name] = image[list(chosen)]
        top = max(top, float(np.quantile(image[inside], 0.995)))
    if window is None:
        window = (0.0, top if top > 0 else 1.0)
    if len(window) != 2 or not window[0] < window[1]:
        raise InputError("window", "must satisfy low < high", window)
    shown = confidence.volume if isinstance(confidence, Confidence) else confidence
    if shown is not None and not shown.same_place(series.place):
        raise InputError("confidence", "must lie in the same place as the series", Words("another geometry"))
    drawn = {}
    for name, one in (outlines or {}).items():
        array = one.array if isinstance(one, Volume) else np.asarray(one)
        if array.shape != series.shape:
            raise InputError("outlines", f"must have the shape {series.shape}", Words(f"{array.shape} for {name!r}"))
        drawn[str(name)] = array[list(chosen)] > 0
    return DceMontage(
        images=made, slices=chosen, window=(float(window[0]), float(window[1])),
        confidence=None if shown is None else shown.array[list(chosen)], outlines=drawn, place=series.place,
        scale=scale,
    )  # fmt: skip


def _slices(asked: Any, inside: Bools) -> tuple[int, ...]:
    many = len(inside)
    if np.ndim(asked) == 0:
        wanted = check_count(asked, "slices", least=1, most=30, way_out="4 is usual")
        some = np.flatnonzero(inside.any(axis=(1, 2)))
        if wanted >= some.size:
            return tuple(int(at) for at in some)
        spread = np.linspace(0, some.size - 1, wanted + 2)[1:-1].round().astype(int)
        return tuple(sorted({int(some[at]) for at in spread}))
    chosen = tuple(int(one) for one in asked)
    if not chosen or min(chosen) < 0 or max(chosen) >= many:
        raise InputError(
            "slices", f"must be numbers from 0 to {many - 1}", Words(", ".join(map(str, chosen)) or "none")
        )
    return chosen
