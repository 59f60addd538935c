"""Parts of a shape that hang together by thin necks: a watershed of its distance map.

The distance map of a nodule on a vessel has a peak in the nodule. Every voxel climbs to its highest neighbour until a
peak; two peaks are one when the way between them falls by less than h below the lower one (h-maxima). That is merging
by persistence: passes between peaks are taken from the highest down, and the lower peak of a pass ends there.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy import ndimage

from roclab._core.types import Array, Bools, Ints
from roclab.imaging.distances import distance_inside, further_than

__all__ = ["cut_tails", "split_at_necks"]

_FORWARD = [step for step in product((-1, 0, 1), repeat=3) if step > (0, 0, 0)]  # 13 of 26 neighbours, each pair once


def split_at_necks(mask: Bools, spacing: tuple[float, ...], h: float) -> tuple[Array, Array]:
    """Numbers of the parts from 1, 0 outside the mask, and the distance map in mm. O(voxels log voxels)."""
    # Beyond the ends of the scan a shape goes on; beyond its sides there is nothing.
    padded = np.pad(np.pad(mask, [(1, 1), (0, 0), (0, 0)], mode="edge"), [(0, 0), (1, 1), (1, 1)])
    depth = distance_inside(padded, spacing)[1:-1, 1:-1, 1:-1]
    del padded
    at = np.flatnonzero(mask)
    if at.size == 0:
        return np.zeros(mask.shape, dtype=np.int32), depth
    height = depth.ravel()[at]
    order = np.lexsort((at, height))  # ties by place, so that every plateau has one top
    rank = np.empty(at.size, dtype=np.int64)
    rank[order] = np.arange(at.size)
    number = np.full(mask.shape, -1, dtype=np.int32)  # a box of lungs has far fewer than 2**31 voxels
    number.ravel()[at] = np.arange(at.size)
    best = np.arange(at.size)
    pairs = []
    for step in _FORWARD:
        one, other = _neighbours(number, step)
        pairs.append((one, other))
        for low, high in ((one, other), (other, one)):
            better = (
                rank[high] > rank[best[low]]
            )  # a voxel has one neighbour in each direction, so none is written twice
            best[low[better]] = high[better]
    while True:  # to the top of the hill, in strides that double
        further = best[best]
        if (further == best).all():
            break
        best = further
    peak = _merged(best, height, pairs, h)
    _, part = np.unique(peak, return_inverse=True)
    out = np.zeros(mask.shape, dtype=np.int32)
    out.ravel()[at] = part + 1
    return out, depth


def cut_tails(parts: Array, depth: Array, spacing: tuple[float, ...], *, share: float, least: int) -> Array:
    """The same parts without what is thin beside their thickest place; tails become parts of their own.

    A vessel of even width has no peak, and climbs to the nodule at its end. Each part of ``least`` voxels or more is
    opened by a ball of ``share`` of its own depth, so that small nodules are not opened away. O(voxels of all boxes).
    """
    out = parts.copy()
    tails = np.zeros(parts.shape, dtype=np.bool_)
    sizes = np.bincount(parts.ravel())
    for at, box in enumerate(ndimage.find_objects(parts), start=1):
        if sizes[at] < least:
            continue
        mine = parts[box] == at
        radius = share * float(depth[box][mine].max())
        core = mine & (depth[box] > radius)
        tail = mine & further_than(~core, radius + max(spacing) / 2, spacing)
        out[box][tail] = 0
        tails[box] |= tail
    numbers, _ = ndimage.label(tails, structure=np.ones((3, 3, 3)))
    out[tails] = numbers[tails] + parts.max(initial=0)
    return out


def _neighbours(number: Array, step: tuple[int, ...]) -> tuple[Array, Array]:
    """Numbers of all pairs of voxels of the mask that lie a step apart."""
    here = tuple(slice(max(0, -s), n - max(0, s)) for s, n in zip(step, number.shape, strict=True))
    there = tuple(slice(max(0, s), n - max(0, -s)) for s, n in zip(step, number.shape, strict=True))
    one, other = number[here].ravel(), number[there].ravel()
    both = (one >= 0) & (other >= 0)
    return one[both], other[both]


def _merged(top: Ints, height: Array, pairs: list[tuple[Array, Array]], h: float) -> Ints:
    """The peak of every voxel after peaks have merged that rise by less than h above a pass to a higher one."""
    first, second, passes = [], [], []
    for one, other in pairs:
        a, b = top[one], top[other]
        apart = a != b
        first.append(np.minimum(a, b)[apart])
        second.append(np.maximum(a, b)[apart])
        passes.append(np.minimum(height[one], height[other])[apart])
    a, b, saddle = (np.concatenate(one) for one in (first, second, passes))
    root = np.arange(top.size)

    def find(one: int) -> int:
        while root[one] != one:
            root[one] = root[root[one]]
            one = int(root[one])
        return one

    for at in np.lexsort((b, a, -saddle)):  # from the highest pass down
        x, y = find(int(a[at])), find(int(b[at]))
        if x == y:
            continue
        low, high = (x, y) if (height[x], -x) < (height[y], -y) else (y, x)
        if height[low] - saddle[at] < h:
            root[low] = high
    found = {int(one): find(int(one)) for one in np.unique(top)}
    return np.array([found[int(one)] for one in top], dtype=np.int64)
