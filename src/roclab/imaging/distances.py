"""Distances in millimetres, in little memory: a scan has a hundred million voxels.

scipy's transform keeps the nearest voxel of every voxel twice, as whole numbers and as doubles. Here it is asked for
the nearest voxels only, and distances follow plane by plane in single precision.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import ndimage

from roclab._core.types import Array, Bools, Ints

__all__ = ["depths_at", "distance_inside", "further_than", "nearest_outside"]


def nearest_outside(mask: Bools, spacing: tuple[float, ...]) -> Array:
    """Indices of the nearest voxel outside the mask, along each axis first. O(voxels)."""
    found: Array = ndimage.distance_transform_edt(mask, sampling=spacing, return_distances=False, return_indices=True)
    return found


def _planes(mask: Bools, spacing: tuple[float, ...]) -> Iterator[tuple[int, Array]]:
    """Every plane with the squared distances of its voxels from the outside."""
    nearest = nearest_outside(mask, spacing)
    down, across = (np.arange(n, dtype=np.float64) for n in mask.shape[1:])
    for z in range(mask.shape[0]):
        square = ((nearest[0, z] - z) * spacing[0]) ** 2
        square += ((nearest[1, z] - down[:, None]) * spacing[1]) ** 2
        square += ((nearest[2, z] - across) * spacing[2]) ** 2
        yield z, square


def distance_inside(mask: Bools, spacing: tuple[float, ...]) -> Array:
    """Distance in mm of every voxel of the mask from the nearest outside, in single precision; 0 outside.

    A mask without any outside is endlessly deep.

    >>> distance_inside(np.array([[[0, 1, 1, 1, 1]]], dtype=bool), (1.0, 1.0, 0.5)).ravel().tolist()
    [0.0, 0.5, 1.0, 1.5, 2.0]
    """
    out = np.full(mask.shape, np.inf, dtype=np.float32)
    if mask.all():
        return out
    for z, square in _planes(mask, spacing):
        out[z] = np.sqrt(square)
    return out


def depths_at(mask: Bools, places: Ints, spacing: tuple[float, ...]) -> Array:
    """What ``distance_inside`` has at some voxels (n, 3), in the memory of a plane and a few numbers of each.

    Distances are found in every plane first; of these, with the way to the plane, the smallest is the one in space.
    O(voxels + n planes).

    >>> mask = np.array([[[0, 1, 1, 1, 1]]], dtype=bool)
    >>> depths_at(mask, np.array([[0, 0, 4], [0, 0, 1]]), (1.0, 1.0, 0.5)).tolist()
    [2.0, 0.5]
    """
    square = np.full(len(places), np.inf)
    columns, which = np.unique(places[:, 1:], axis=0, return_inverse=True)
    down, across = columns.T
    for z, plane in enumerate(mask):
        if plane.all():
            continue
        nearest = nearest_outside(plane, spacing[1:])
        beside = ((nearest[0][down, across] - down) * spacing[1]) ** 2
        beside += ((nearest[1][down, across] - across) * spacing[2]) ** 2
        np.minimum(square, ((z - places[:, 0]) * spacing[0]) ** 2 + beside[which.ravel()], out=square)
    found: Array = np.sqrt(square).astype(np.float32)
    return found


def further_than(mask: Bools, distance: float, spacing: tuple[float, ...]) -> Bools:
    """Voxels of the mask that lie further from the outside than a distance in mm.

    >>> further_than(np.array([[[0, 1, 1, 1, 1]]], dtype=bool), 1.0, (1.0, 1.0, 0.5)).ravel().tolist()
    [False, False, False, True, True]
    """
    out = np.ones(mask.shape, dtype=np.bool_)
    if mask.all():
        return out
    for z, square in _planes(mask, spacing):
        out[z] = np.sqrt(square) > distance
    return out
