r"""The signal space: the transformation T that makes a point of every voxel's curve, named, and its time grid.

The curve of a voxel is first made relative, :math:`E(t) = (S(t) - S_0) / \max(S_0, f)`, with the floor f a share of the
median baseline, because a ratio to almost nothing is noise. Then it is read at the grid's times after arrival, by
straight lines between frames and from 0 at arrival. T is what follows: nothing ("relative"), division by the length of
the curve ("unit_norm": shape without height), or principal components ("pca").
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from roclab._core.checks import check_choice, check_count
from roclab._core.products import product
from roclab._core.types import Array, Bools, Floats, frozen
from roclab.errors import InputError, Words
from roclab.imaging.dce.series import DceSeries
from roclab.names import CURVE_TRANSFORMATIONS, CurveTransformation

__all__ = ["SignalSpace", "check_grid", "enhancement", "fit_space", "resampling_matrix", "slabs"]

FLOOR = 0.1  # of the median baseline in the mask
_SLACK = 1.0  # seconds that a series may end before the grid does
_VOXELS = 1 << 18  # of a slab
_LEAST = 1e-3  # length of a curve below which it has no direction


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SignalSpace:
    """The transformation and the grid, as they are saved with a model.

    Attributes
    ----------
    transformation : "relative", "unit_norm" or "pca"
    grid : seconds after arrival
    floor : share of the median baseline below which a baseline counts as that
    centre, components : of "pca", (d,) and (k, d); empty otherwise
    """

    transformation: CurveTransformation
    grid: Floats
    floor: float = FLOOR
    centre: Floats
    components: Floats

    def __post_init__(self) -> None:
        for one in (self.grid, self.centre, self.components):
            frozen(one)

    @property
    def dimension(self) -> int:
        """Coordinates of a point."""
        return len(self.components) if self.transformation == "pca" else int(self.grid.size)

    def transformed(self, curves: Array) -> Array:
        """Points of relative curves on the grid, (n, dimension)."""
        if self.transformation == "relative":
            return curves
        if self.transformation == "unit_norm":
            length = np.sqrt(np.sum(np.square(curves), axis=1, keepdims=True))
            made: Array = curves / np.maximum(length, np.asarray(_LEAST, dtype=curves.dtype))
            return made
        return product(curves - self.centre.astype(curves.dtype), self.components.T.astype(curves.dtype))

    def points(self, series: DceSeries, inside: Bools, *, floor: float | None = None) -> Array:
        """Points of the voxels of a mask, in the order of ``np.flatnonzero``; (n, dimension), float32."""
        at = np.flatnonzero(inside)
        lowest = self.lowest(series, inside) if floor is None else floor
        frames = series.frames.reshape(len(series.frames), -1)
        matrix = resampling_matrix(series, self.grid)
        return self.transformed(
            product(enhancement(frames, series.baseline.ravel(), at, lowest, series.before), matrix)
        )

    def lowest(self, series: DceSeries, inside: Bools) -> float:
        """The floor of a series, in the units of its signal."""
        return self.floor * float(np.median(series.baseline[inside]))


def enhancement(frames: Array, baseline: Array, at: Array | slice, lowest: float, before: int) -> Array:
    """Relative enhancement of some voxels in the frames with contrast agent, (n, frames), float32."""
    rest = baseline[at].astype(np.float32, copy=False)
    below = np.maximum(rest, np.float32(lowest))
    out = np.empty((rest.size, len(frames) - before), dtype=np.float32)
    for column, frame in enumerate(frames[before:]):
        np.subtract(frame[at], rest, out=out[:, column])
        out[:, column] /= below
    return out


def resampling_matrix(series: DceSeries, grid: Floats) -> Array:
    """Weights (frames with contrast agent, grid) that read curves at the grid's times, 0 at arrival."""
    times = series.after_arrival
    check_grid(grid, float(times[-1]))
    known = np.concatenate([[0.0], times])
    reach = np.minimum(grid, known[-1])
    right = np.clip(np.searchsorted(known, reach, side="left"), 1, known.size - 1)
    share = (reach - known[right - 1]) / (known[right] - known[right - 1])
    matrix = np.zeros((known.size, grid.size))
    columns = np.arange(grid.size)
    matrix[right - 1, columns] = 1 - share
    matrix[right, columns] += share
    return matrix[1:].astype(np.float32)  # the row of the arrival, where every curve is 0, adds nothing


def check_grid(grid: Floats, last: float) -> None:
    """Refuse a series that ends before the grid does: curves cannot be read where nothing was measured."""
    if last + _SLACK < grid[-1]:
        raise InputError(
            "series", f"must last {grid[-1]:g} s after arrival, as long as the model's time grid",
            Words(f"{last:g} s"), "train a model on a shorter grid",
        )  # fmt: skip


def fit_space(
    transformation: CurveTransformation, grid: Floats, curves: Array | None = None, *, components: int = 3
) -> SignalSpace:
    """A signal space; "pca" learns its components from relative curves on the grid, O(n d²)."""
    check_choice(transformation, "transformation", CURVE_TRANSFORMATIONS)
    times = np.array(grid, dtype=np.float64)
    if times.ndim != 1 or times.size < 1 or not (times > 0).all() or (np.diff(times) <= 0).any():
        raise InputError("grid", "must be rising seconds after arrival", Words(str(grid)[:60]), "(60, 120, 180)")
    centre, turned = np.empty(0), np.empty((0, 0))
    if transformation == "pca":
        most = int(times.size)
        check_count(components, "components", least=1, most=most, way_out=f"the grid has {most} times")
        assert curves is not None
        values = curves.astype(np.float64)
        centre = values.mean(axis=0)
        scatter = (values - centre).T @ (values - centre)
        _, axes = np.linalg.eigh(scatter)
        turned = axes[:, ::-1][:, :components].T.copy()
        # The sign of an axis is free: the one whose largest entry is positive is taken.
        top = np.argmax(np.abs(turned), axis=1)
        turned *= np.sign(turned[np.arange(len(turned)), top])[:, None]
    return SignalSpace(transformation=transformation, grid=times, centre=centre, components=turned)


def slabs(shape: tuple[int, int, int], voxels: int = _VOXELS) -> Iterator[slice]:
    """Planes in groups of about so many voxels."""
    planes = max(1, voxels // (shape[1] * shape[2]))
    for first in range(0, shape[0], planes):
        yield slice(first, min(first + planes, shape[0]))
