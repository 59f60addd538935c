"""The region of every dot: what is bright and hangs together around it; one region for all dots of a large nodule.

Around a dot of sigma mm a region reaches no further than ``REACH`` sqrt(3) sigma. Its *solid part* is what lies above
half of the contrast of the dot to lung. The *whole* lies above half of the contrast that counts in the filter, so that
ground glass around a solid core is part of the nodule; where that adds no more than a blurred edge, the solid part is
the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import ndimage

from roclab._core.types import Array, Bools, Ints
from roclab.imaging.lungs.dots import CLIP, Dot

__all__ = ["DotRegions", "regions_of_dots"]

REACH = 1.8  # times the radius of the ball that answers most to a sigma
_SAME = 1.0  # times that radius: a weaker dot this near, and in the region of the stronger, is the same nodule
_HAZE = 0.3  # of a region: more than this beyond the blurred edge of its solid part is ground glass
_CENTRE = 1.7  # mm: around a dot, whose mean is its grey value


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DotRegions:
    """Numbered regions, and the strongest dot of each, in the order of their numbers."""

    labels: Array  # int16, 0 elsewhere
    solid: Array  # uint8: 1 where a region is solid
    dots: tuple[Dot, ...]
    merged: int  # dots that were part of another's nodule


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Grown:
    """The voxels of one dot: where, how far in units of its size, and which are solid."""

    at: Ints  # raveled
    far: Array
    solid: Bools


def regions_of_dots(
    grey: Array, inside: Bools, spacing: tuple[float, ...], dots: list[Dot], *, median: float
) -> DotRegions:
    """Regions of dots that are sorted by their response. O(dots x voxels of a ball)."""
    grown = [_grown(grey, inside, spacing, dot, median) for dot in dots]
    of = _merged(dots, grown, grey.shape, spacing)
    kept = [at for at, other in enumerate(of) if at == other]
    number = {at: n for n, at in enumerate(kept, start=1)}
    labels = np.zeros(grey.shape, dtype=np.int16)
    solid = np.zeros(grey.shape, dtype=np.uint8)
    every = [one for one in grown if one.at.size]
    if every:
        place = np.concatenate([one.at for one in every])
        far = np.concatenate([one.far for one in every])
        owner = np.concatenate([np.full(one.at.size, number[of[n]]) for n, one in enumerate(grown) if one.at.size])
        hard = np.concatenate([one.solid for one in every])
        order = np.lexsort((owner, far, place))  # a voxel of several belongs to the nearest for its size
        first = np.r_[True, np.diff(place[order]) > 0]
        won = order[first]
        labels.ravel()[place[won]] = owner[won]
        solid.ravel()[place[won]] = hard[won]
    return DotRegions(labels=labels, solid=solid, dots=tuple(dots[at] for at in kept), merged=len(dots) - len(kept))


def _grown(grey: Array, inside: Bools, spacing: tuple[float, ...], dot: Dot, median: float) -> _Grown:
    radius = REACH * np.sqrt(3) * dot.sigma
    low = [max(0, int(np.floor(at - radius / step))) for at, step in zip(dot.index, spacing, strict=True)]
    high = [int(np.ceil(at + radius / step)) + 1 for at, step in zip(dot.index, spacing, strict=True)]
    box = tuple(slice(a, b) for a, b in zip(low, high, strict=True))
    here = grey[box]
    axes = [
        (np.arange(n) + start - at) * step
        for n, start, at, step in zip(here.shape, low, dot.index, spacing, strict=True)
    ]
    far = np.sqrt(axes[0][:, None, None] ** 2 + axes[1][:, None] ** 2 + axes[2] ** 2)
    held = inside[box]
    core = held & (far <= max(_CENTRE, float(far[held].min()) + 1e-6)) if held.any() else held
    if not core.any():
        return _Grown(at=np.zeros(0, np.int64), far=np.zeros(0), solid=np.zeros(0, np.bool_))
    contrast = float(here[core].mean()) - median
    near = held & (far <= radius)
    whole = near & (here > median + min(contrast, CLIP) / 2)
    start = np.unravel_index(int(np.where(core, here, -np.inf).argmax()), here.shape)
    mine = _around(whole, start)
    hard = _around(mine & (here > median + contrast / 2), start)
    # The blurred edge of what is dense is as grey as ground glass, but no wider than a voxel.
    haze = mine & ~ndimage.binary_dilation(hard)
    if np.count_nonzero(haze) < _HAZE * np.count_nonzero(mine):
        mine = hard
    place = np.argwhere(mine) + low
    return _Grown(at=np.ravel_multi_index(tuple(place.T), grey.shape), far=far[mine] / dot.sigma, solid=hard[mine])


def _around(mask: Bools, start: tuple[Any, ...]) -> Bools:
    """The part of a mask that holds a voxel."""
    parts, _ = ndimage.label(mask)
    mine: Bools = (parts == parts[start]) & mask
    return mine


def _merged(dots: list[Dot], grown: list[_Grown], shape: tuple[int, ...], spacing: tuple[float, ...]) -> list[int]:
    """For every dot the one whose nodule it is part of, itself for most."""
    of = list(range(len(dots)))
    places = np.array([dot.index for dot in dots]).reshape(-1, 3)
    voxels = np.clip(np.rint(places).astype(int), 0, np.array(shape) - 1)
    flat = np.ravel_multi_index(tuple(voxels.T), shape) if len(dots) else np.zeros(0, np.int64)
    for at in range(len(dots)):
        if of[at] != at:
            continue
        held = np.sort(grown[at].at)
        for other in range(at + 1, len(dots)):
            if of[other] != other:
                continue
            apart = float(np.linalg.norm((places[other] - places[at]) * spacing))
            if apart > _SAME * np.sqrt(3) * dots[at].sigma or not held.size:
                continue
            found = int(np.searchsorted(held, flat[other]))
            if found < held.size and held[found] == flat[other]:
                of[other] = at
    return of
