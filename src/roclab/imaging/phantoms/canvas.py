"""A volume that shapes are painted on, with soft edges where a voxel is covered in part.

A shape is a signed distance in mm, below 0 inside. A voxel whose centre lies at distance d from a surface is covered by
about 1/2 - d/w of itself, w being its width, and its grey value is the mixture.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from roclab._core.types import Array, Floats

__all__ = ["Canvas", "Place", "ball", "capsule", "cover", "ellipsoid"]

Place = tuple[Array, Array, Array]  # mm from the middle, along z, y and x, that broadcast to a volume


def ellipsoid(place: Place, centre: tuple[float, float, float], half: tuple[float, float, float]) -> Array:
    """Distance from an ellipsoid, exact on its surface; an infinite half axis makes a cylinder."""
    scaled = [(p - c) / h for p, c, h in zip(place, centre, half, strict=True) if math.isfinite(h)]
    halves = [h for h in half if math.isfinite(h)]
    near = np.sqrt(sum(one**2 for one in scaled))
    slope = np.sqrt(sum((one / h) ** 2 for one, h in zip(scaled, halves, strict=True)))
    distance: Array = near * (near - 1) / np.maximum(slope, 1e-6)
    return distance


def ball(place: Place, centre: Floats, radius: float) -> Array:
    """Distance from a ball."""
    distance: Array = np.sqrt(sum((p - c) ** 2 for p, c in zip(place, centre, strict=True))) - radius
    return distance


def capsule(place: Place, start: Floats, end: Floats, first: float, last: float) -> Array:
    """Distance from a rod with round ends whose radius goes from ``first`` to ``last``."""
    along = end - start
    length = float(along @ along)
    apart = [p - s for p, s in zip(place, start, strict=True)]
    share = np.clip(sum(a * one for a, one in zip(apart, along, strict=True)) / max(length, 1e-9), 0, 1)
    gap = np.sqrt(sum((a - share * one) ** 2 for a, one in zip(apart, along, strict=True)))
    distance: Array = gap - (first + (last - first) * share)
    return distance


def cover(distance: Array, width: float) -> Array:
    """The part of each voxel that a shape covers."""
    return np.clip(0.5 - distance / width, 0, 1)


@dataclass(slots=True)
class Canvas:
    """Grey values, what is where, and the places of the voxels."""

    grey: Array  # float32
    kind: Array  # int16: what covers most of the voxel
    spacing: tuple[float, float, float]

    @property
    def place(self) -> Place:
        """Of all voxels."""
        return self.place_of(tuple(slice(0, n) for n in self.grey.shape))

    @property
    def width(self) -> float:
        """Across which an edge is soft."""
        return self.spacing[1]

    def place_of(self, box: tuple[slice, ...]) -> Place:
        """Of the voxels in a box."""
        axes = []
        for at, (part, step, size) in enumerate(zip(box, self.spacing, self.grey.shape, strict=True)):
            line = (np.arange(part.start, part.stop, dtype=np.float32) - (size - 1) / 2) * step
            axes.append(line.reshape([-1 if k == at else 1 for k in range(3)]).astype(np.float32))
        return axes[0], axes[1], axes[2]

    def index(self, place: Floats) -> Floats:
        """Indices (z, y, x), with fractions, of places in mm from the middle."""
        found: Floats = np.asarray(place) / np.array(self.spacing) + (np.array(self.grey.shape) - 1) / 2
        return found

    def paint(self, covered: Array, value: Array | float, kind: int, box: tuple[slice, ...] | None = None) -> None:
        """Mix a value into what a shape covers."""
        grey, kinds = (self.grey, self.kind) if box is None else (self.grey[box], self.kind[box])
        grey += covered * (value - grey)
        kinds[covered >= 0.5] = kind

    def paint_near(
        self, points: Floats, reach: float, shape: Callable[[Place], Array], value: float, kind: int,
        strength: float = 1.0, inside: Array | None = None,
    ) -> None:  # fmt: skip
        """The same for a small shape, of which only the box around ``points`` is looked at."""
        box = self.box(points, reach)
        if box is None:
            return
        covered = cover(shape(self.place_of(box)), self.width) * strength
        if inside is not None:
            covered = covered * inside[box]
        self.paint(covered.astype(np.float32), value, kind, box)

    def box(self, points: Floats, reach: float) -> tuple[slice, ...] | None:
        """Voxels around points, or None where there are none."""
        at = self.index(np.atleast_2d(points))
        wide = (reach + self.width) / np.array(self.spacing)
        low = np.maximum(np.floor(at.min(axis=0) - wide).astype(int), 0)
        high = np.minimum(np.ceil(at.max(axis=0) + wide).astype(int) + 1, self.grey.shape)
        return None if (low >= high).any() else tuple(slice(int(a), int(b)) for a, b in zip(low, high, strict=True))
