"""Where the clustering of an image begins: centres from its histogram, its noise, or random memberships."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab._core.types import Array, Bools, Floats
from roclab._core.work import spawn_generators
from roclab.errors import InputError
from roclab.fuzzy.cmeans import fuzzy_cmeans

__all__ = ["histogram_centres", "noise_of", "random_memberships"]

_BINS = 1024
_SOME = 20_000  # pixels that tell the centres of several channels
_STEPS = 500
_NORMAL = 0.6744897501960817  # median of |z|


def histogram_centres(values: Array, clusters: int) -> Floats:
    """Centres of fuzzy c-means of the values, from the same start every time; O(n) and some steps over the bins.

    One channel is clustered by its histogram, several by every so many-th pixel.
    """
    if values.shape[1] > 1:
        distinct = np.unique(values[:: max(1, len(values) // _SOME)].astype(np.float64), axis=0)
        _check_distinct(len(distinct), clusters)
        along = distinct @ np.linalg.svd(distinct - distinct.mean(axis=0), full_matrices=False)[2][0]
        order = np.argsort(along, kind="stable")
        start = distinct[order[((np.arange(clusters) + 0.5) / clusters * len(distinct)).astype(int)]]
        return np.array(fuzzy_cmeans(distinct, clusters, start=start, max_iterations=_STEPS).centres)
    column = values[:, 0].astype(np.float64)
    levels = np.unique(column) if column.size < _BINS else None
    if levels is None or levels.size > _BINS:
        low, high = float(column.min()), float(column.max())
        _check_distinct(2 if high > low else 1, min(clusters, 2))
        counts, edges = np.histogram(column, bins=_BINS, range=(low, high))
        middle = (edges[:-1] + edges[1:]) / 2
        # The mean of each bin rather than its middle: integers stay where they are.
        sums = np.histogram(column, bins=_BINS, range=(low, high), weights=column)[0]
        kept = counts > 0
        level, count = np.where(kept, sums / np.maximum(counts, 1), middle)[kept], counts[kept]
    else:
        level, count = np.unique(column, return_counts=True)
    _check_distinct(level.size, clusters)
    return _weighted_centres(level, count.astype(np.float64), clusters)[:, None]


def _check_distinct(distinct: int, clusters: int) -> None:
    if clusters > distinct:
        raise InputError(
            "clusters", f"must be at most the number of distinct values, {distinct}", clusters, "ask for fewer"
        )


def _weighted_centres(level: Floats, count: Floats, clusters: int) -> Floats:
    """Fuzzy c-means, q = 2, of levels with counts, from their quantiles."""
    share = np.cumsum(count) / count.sum()
    centres = np.interp((np.arange(clusters) + 0.5) / clusters, share, level)
    if np.unique(centres).size < clusters:
        centres = level[((np.arange(clusters) + 0.5) / clusters * level.size).astype(int)]
    for _ in range(_STEPS):
        gap = (level - centres[:, None]) ** 2
        exact = gap <= 0
        with np.errstate(divide="ignore"):
            near = 1 / gap
        near[:, exact.any(axis=0)] = exact[:, exact.any(axis=0)]
        weight = (near / near.sum(axis=0)) ** 2 * count
        moved = (weight @ level) / weight.sum(axis=1)
        still = float(np.abs(moved - centres).max()) <= 1e-9 * float(np.ptp(level))
        centres = moved
        if still:
            break
    return np.sort(centres)


def noise_of(pixels: Array, mask: Bools | None) -> float:
    """Standard deviation of the noise, from the median of a second difference in the plane.

    The mask [1, -2, 1] by [1, -2, 1] removes planes and edges along the axes; its output has 36 times the variance of
    white noise. The mean over channels.
    """
    if pixels.shape[-2] < 3 or pixels.shape[-3] < 3:
        return 0.0
    inner = (slice(None),) * (pixels.ndim - 3)
    rows = pixels[(*inner, slice(2, None))] - 2 * pixels[(*inner, slice(1, -1))] + pixels[(*inner, slice(None, -2))]
    both = rows[..., 2:, :] - 2 * rows[..., 1:-1, :] + rows[..., :-2, :]
    size = np.abs(both.astype(np.float64))
    if mask is not None:
        whole = mask[(*inner, slice(1, -1))][..., 1:-1]
        size = size[whole] if whole.any() else size
    return float(np.median(size) / (6 * _NORMAL))


def random_memberships(clusters: int, shape: tuple[int, ...], mask: Bools | None, dtype: Any, rng: Any) -> Array:
    """Memberships drawn uniformly and divided by their sum, pixel by pixel."""
    (generator,), _ = spawn_generators(rng, 1)
    u = generator.random((clusters, *shape)).astype(dtype)
    u /= u.sum(axis=0)
    if mask is not None:
        u *= mask
    return u
