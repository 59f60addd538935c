"""Where the clustering of an image begins: centres from its histogram, its noise, or random memberships."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.types import Array, Bools, Floats
from roclab._core.work import spawn_generators
from roclab.errors import InputError
from roclab.fuzzy.cmeans import fuzzy_cmeans

__all__ = ["check_distinct", "histogram_centres", "noise_of", "random_memberships"]

_BINS = 1024
_SOME = 20_000  # pixels that tell the centres of several channels
_STEPS = 500
_PART = 1 << 20  # pixels counted at a time
_NORMAL = 0.6744897501960817  # median of |z|
_SIDE = 5  # pixels of a square in which noise is measured
_QUARTILE = 17.2396  # lower quartile of chi-squared on 25 - 3 degrees of freedom
_SQUARES = 12  # fewer tell no quartile
_SLICES = 32


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
    level, count = _levels(values[:, 0])
    _check_distinct(level.size, clusters)
    return _weighted_centres(level, count.astype(np.float64), clusters)[:, None]


def _levels(column: Array) -> tuple[Floats, Array]:
    """Distinct values and their counts; of many values the bins of a histogram, each by the mean of what is in it."""
    if column.size < _BINS:
        level, count = np.unique(column.astype(np.float64), return_counts=True)
        return level, count
    low, high = float(column.min()), float(column.max())
    if high <= low:
        return np.array([low]), np.array([column.size])
    counts, sums = np.zeros(_BINS), np.zeros(_BINS)
    # Part by part, because a scan in double precision is larger than its memberships.
    for part in blocks(column.size, _PART):
        values = column[part].astype(np.float64)
        counts += np.histogram(values, bins=_BINS, range=(low, high))[0]
        # The mean of each bin rather than its middle: integers stay where they are.
        sums += np.histogram(values, bins=_BINS, range=(low, high), weights=values)[0]
    kept = counts > 0
    return sums[kept] / counts[kept], counts[kept]


def check_distinct(values: Array, clusters: int) -> None:
    """Refuse more clusters than there are distinct values, by the first channel where that has enough. O(n)."""
    if len(_levels(values[:, 0])[0]) < clusters:
        _check_distinct(len(np.unique(values, axis=0)), clusters)


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
    """Standard deviation of the noise, from how pixels scatter about planes in small squares of a slice.

    Each square of 5 x 5 pixels has a variance about its own plane; the lower quartile of those variances, divided by
    that of a chi-squared variable, belongs to squares without an edge. Noise of CT is correlated between neighbours:
    estimates by second differences of neighbours, which are the fallback of small images, make it 3 times too small.
    Flat squares at the lowest or highest value are padding; squares in which most neighbours are equal have no noise.
    O(pixels of 32 slices at most).
    """
    wide, high = pixels.shape[-2], pixels.shape[-3]
    if wide < 3 or high < 3:
        return 0.0
    every = pixels.reshape(-1, *pixels.shape[-3:])
    inside = None if mask is None else mask.reshape(-1, high, wide)
    chosen = slice(None, None, -(-len(every) // _SLICES))
    ends = every[chosen].min(), every[chosen].max()
    found = [
        _scatter(every[at, ..., channel], None if inside is None else inside[at], ends)
        for at in range(0, len(every), chosen.step)
        for channel in range(pixels.shape[-1])
    ]
    scatter = np.concatenate(found)
    if scatter.size < _SQUARES:
        return _by_second_differences(every[chosen], None if inside is None else inside[chosen])
    return float(np.sqrt(np.quantile(scatter, 0.25) / _QUARTILE))


def _scatter(plane: Array, mask: Bools | None, ends: tuple[Any, Any]) -> Floats:
    """Sums of squares about the planes of all squares that lie in the mask and are no padding."""
    side = _SIDE
    down, across = plane.shape[0] // side, plane.shape[1] // side

    def squares(image: Array) -> Array:
        cut = image[: down * side, : across * side].reshape(down, side, across, side)
        return cut.swapaxes(1, 2).reshape(-1, side, side)

    values = squares(plane)
    if mask is not None:
        values = values[squares(mask).all(axis=(1, 2))]
    padding = (values == values[:, :1, :1]).all(axis=(1, 2)) & np.isin(values[:, 0, 0], ends)
    values = values[~padding]
    steps = (values[:, :, 1:] == values[:, :, :-1]).mean(axis=(1, 2)) > 0.5
    real = values.reshape(-1, side * side).astype(np.float64)
    real -= real.mean(axis=1, keepdims=True)  # sums of squares of large numbers would lose their digits
    line = (np.arange(side) - (side - 1) / 2) / np.sqrt(side * (side**2 - 1) / 12 * side)
    basis = np.stack([np.repeat(line, side), np.tile(line, side)])
    rest = real - (real @ basis.T) @ basis
    total: Floats = np.where(steps, 0.0, (rest**2).sum(axis=1))
    return total


def _by_second_differences(pixels: Array, mask: Bools | None) -> float:
    """From the median of [1, -2, 1] by [1, -2, 1], whose output has 36 times the variance of white noise."""
    inner = (slice(None),) * (pixels.ndim - 3)
    real = pixels.astype(np.float64)
    rows = real[(*inner, slice(2, None))] - 2 * real[(*inner, slice(1, -1))] + real[(*inner, slice(None, -2))]
    size = np.abs(rows[..., 2:, :] - 2 * rows[..., 1:-1, :] + rows[..., :-2, :])
    if mask is not None:
        whole = mask[(*inner, slice(1, -1))][..., 1:-1]
        size = size[whole] if whole.any() else size
    return float(np.median(size) / (6 * _NORMAL))


def random_memberships(clusters: int, shape: tuple[int, ...], mask: Bools | None, dtype: Any, rng: Any) -> Array:
    """Memberships drawn uniformly and divided by their sum, pixel by pixel."""
    (generator,), _ = spawn_generators(rng, 1)
    u = np.empty((clusters, *shape), dtype=dtype)
    for one in u:
        one[...] = generator.random(shape)
    u /= u.sum(axis=0)
    if mask is not None:
        u *= mask
    return u
