r"""How much a place in the lung looks like a dot: bright, and falling off alike on all sides, at one of four sizes.

The scan is smoothed by a Gaussian of sigma mm; the eigenvalues l1 <= l2 <= l3 of its second derivatives (per mm2) say
how fast the grey falls in three directions. A ball falls in all of them, a vessel in two, a sheet in one, so that

.. math:: r = \sigma^2 \lambda_3^2 / |\lambda_1|, \quad \text{where all three are below } 0,

is large in the middle of balls only; its largest value over the sigmas is in HU, and the sigma that gives it tells the
size: a ball of radius R answers most to R / sqrt(3).

Bone and calcium are no brighter than ``CLIP`` above lung before they are smoothed, so that they do not outshine ground
glass, and what is not lung is as grey as lung, so that its edge is no structure. Pixels are averaged to about 1.4 mm,
finer than the smallest sigma can see, and derivatives are taken slab by slab.

References
----------
Li Q, Sone S, Doi K. Selective enhancement filters for nodules, vessels, and airway walls in two- and three-dimensional
CT scans. Med Phys 2003;30:2040-2051. doi:10.1118/1.1581411
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from roclab._core.types import Array, Bools, Floats

__all__ = ["CLIP", "SIGMAS", "Dot", "dots_in", "smallest_eigenvalues"]

SIGMAS = (2.0, 2.8, 4.0, 5.6)  # mm: balls of 7 to 19 mm; smaller ones answer to the first, larger ones in parts
CLIP = 285.0  # HU above the lung
_PIXEL = 1.4  # mm: finer voxels are averaged
_SLAB = 16  # slices whose derivatives are in memory together


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A local maximum of the response."""

    index: tuple[float, float, float]  # z, y, x in voxels of the scan, between them
    response: float  # HU
    sigma: float  # mm


def dots_in(
    grey: Array, inside: Bools, spacing: tuple[float, ...], *, least: float, median: float, slab: int = _SLAB
) -> list[Dot]:
    """Local maxima of the response of ``least`` HU or more within a mask, the largest first. O(voxels)."""
    steps = [max(1, round(_PIXEL / step)) for step in spacing]
    thick = steps[0] * slab
    blocks = [slice(start, start + thick) for start in range(0, grey.shape[0], thick)]
    top, lung = np.float32(median + CLIP), np.float32(median)
    coarse = np.concatenate(
        [_averaged(np.where(inside[one], np.minimum(grey[one], top), lung).astype(np.float32), steps) for one in blocks]
    )
    seen = np.concatenate([_averaged(inside[one].astype(np.float32), steps) >= 0.5 for one in blocks])
    wide = tuple(step * size for step, size in zip(steps, spacing, strict=True))
    best = np.zeros(coarse.shape, dtype=np.float32)
    at_sigma = np.zeros(coarse.shape, dtype=np.uint8)
    for number, sigma in enumerate(SIGMAS):
        smooth = ndimage.gaussian_filter(coarse, [sigma / step for step in wide], mode="nearest")
        for start in range(0, coarse.shape[0], slab):
            here = slice(start, min(start + slab, coarse.shape[0]))
            found = _response(smooth, seen, here, wide) * np.float32(sigma**2)
            more = found > best[here][seen[here]]
            rows = np.flatnonzero(seen[here].ravel())[more]
            best[here].reshape(-1)[rows] = found[more]
            at_sigma[here].reshape(-1)[rows] = number
    return _peaks(best, at_sigma, least, steps, spacing)


def _averaged(array: Array, steps: list[int]) -> Array:
    """Means of blocks of voxels; those at the far ends may be smaller."""
    out: Array = array
    for axis, step in enumerate(steps):
        if step > 1:
            starts = np.arange(0, out.shape[axis], step)
            counts = np.minimum(starts + step, out.shape[axis]) - starts
            shape = [1, 1, 1]
            shape[axis] = -1
            out = np.add.reduceat(out, starts, axis=axis) / counts.reshape(shape).astype(np.float32)
    return out


def _response(smooth: Array, seen: Bools, here: slice, wide: tuple[float, ...]) -> Array:
    """l3 squared over |l1| where all are below 0, of the seen voxels of a slab, in the order of their places."""
    first, last = max(0, here.start - 1), min(smooth.shape[0], here.stop + 1)
    part = smooth[first:last]
    padded = np.pad(part, [(int(here.start == 0), int(here.stop == smooth.shape[0])), (1, 1), (1, 1)], mode="edge")
    place = np.argwhere(seen[here]) + 1
    flat = padded.ravel()
    strides = np.array([padded.shape[1] * padded.shape[2], padded.shape[2], 1])
    at = place @ strides

    def value(*shift: int) -> Array:
        found: Array = flat[at + int(np.dot(shift, strides))]
        return found

    middle = value(0, 0, 0)
    second = []
    for axis in range(3):
        unit = [int(axis == other) for other in range(3)]
        gap = np.float32(wide[axis] ** 2)
        second.append((value(*unit) - 2 * middle + value(*(-one for one in unit))) / gap)
    mixed = []
    for one, other in ((0, 1), (0, 2), (1, 2)):
        plus, minus = [0, 0, 0], [0, 0, 0]
        plus[one] = plus[other] = 1
        minus[one], minus[other] = 1, -1
        gap = np.float32(4 * wide[one] * wide[other])
        mixed.append((value(*plus) + value(*(-s for s in plus)) - value(*minus) - value(*(-s for s in minus))) / gap)
    out = np.zeros(len(at), dtype=np.float32)
    falls = (second[0] < 0) & (second[1] < 0) & (second[2] < 0)  # or one eigenvalue is not below 0
    low, high = smallest_eigenvalues(*(one[falls] for one in second), *(one[falls] for one in mixed))
    out[falls] = np.where(high < 0, high**2 / np.maximum(-low, np.float32(1e-12)), 0)
    return out


def smallest_eigenvalues(aa: Array, bb: Array, cc: Array, ab: Array, ac: Array, bc: Array) -> tuple[Array, Array]:
    """Smallest and largest eigenvalue of symmetric 3 x 3 matrices, by the cosines of Smith (1961).

    >>> one = [np.array([float(v)]) for v in (-3, -2, -1, 0, 0, 0)]
    >>> [round(float(v[0]), 9) for v in smallest_eigenvalues(*one)]
    [-3.0, -1.0]
    """
    mean = (aa + bb + cc) / 3
    a, b, c = aa - mean, bb - mean, cc - mean
    p = np.sqrt(np.maximum((a**2 + b**2 + c**2 + 2 * (ab**2 + ac**2 + bc**2)) / 6, 1e-30))
    det = a * (b * c - bc**2) - ab * (ab * c - bc * ac) + ac * (ab * bc - b * ac)
    angle = np.arccos(np.clip(det / (2 * p**3), -1, 1)) / 3
    return mean + 2 * p * np.cos(angle + 2 * np.pi / 3), mean + 2 * p * np.cos(angle)


def _peaks(best: Array, at_sigma: Array, least: float, steps: list[int], spacing: tuple[float, ...]) -> list[Dot]:
    """Voxels above all their neighbours (of equals the first), moved by a parabola along every axis."""
    highest = best == ndimage.maximum_filter(best, size=3, mode="constant")
    places = np.argwhere(highest & (best >= least))
    order = np.lexsort((*places.T[::-1], -best[tuple(places.T)]))
    found: list[Dot] = []
    taken = np.zeros(best.shape, dtype=np.bool_)
    for place in places[order]:
        near = tuple(slice(max(0, i - 1), i + 2) for i in place)
        if taken[near].any():  # a plateau has one top
            continue
        taken[tuple(place)] = True
        middle: Floats = place + _parabola(best, place)
        z, y, x = (middle * steps + (np.array(steps) - 1) / 2).tolist()
        found.append(
            Dot(index=(z, y, x), response=float(best[tuple(place)]), sigma=SIGMAS[int(at_sigma[tuple(place)])])
        )
    return found


def _parabola(best: Array, place: Array) -> Floats:
    """How far the top lies from a voxel, along each axis, by the parabola through it and its two neighbours."""
    out = np.zeros(3)
    for axis in range(3):
        if not 0 < place[axis] < best.shape[axis] - 1:
            continue
        low, high = place.copy(), place.copy()
        low[axis] -= 1
        high[axis] += 1
        a, b, c = (float(best[tuple(one)]) for one in (low, place, high))
        bend = a - 2 * b + c
        out[axis] = 0.0 if bend >= 0 else float(np.clip((a - c) / (2 * bend), -0.5, 0.5))
    return out
