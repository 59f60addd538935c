"""Area estimates of many samples at once: one row per sample, the same numbers as the library's one by one.

A simulation at n = 20 or 100 spends its time on the way to the arithmetic, not on the arithmetic. These functions take
the positives as an array of (samples, m) and the negatives as (samples, n) and are plain NumPy over all samples. The
definitions stay in ``roclab.smooth`` and ``roclab.areas``: tests hold every function here to them, sample by sample.

Memory: sums over pairs go in blocks of at most ``PAIRS`` pairs, 8 bytes each in a handful of temporaries.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import exprel, ndtr

from roclab._core.blocks import blocks
from roclab._core.types import Bools, Floats
from roclab.smooth.box_cox import HIGHEST, LOWEST, SHIFT_EPS
from roclab.smooth.kernel import PHI_0

__all__ = ["PAIRS", "Powers", "fitting", "kernel_k1", "kernel_k2", "mann_whitney", "normal", "to_normality"]

PAIRS = 1 << 17  # one block of pairs: 1 MB
GRID = 41  # values of lambda tried first, as the library does


class Powers(NamedTuple):
    """Samples after their Box-Cox transforms."""

    pos: Floats
    neg: Floats
    power: Floats  # lambda of each sample
    at_bound: Bools
    defined: Bools  # False where a class is constant and has no likelihood


def fitting(m: int, n: int) -> bool:
    """True when the pairs of one sample fit into a block, in either class and between them."""
    return max(m, n) ** 2 <= PAIRS


def _over_pairs(one: Callable[..., Floats], *rows: Floats) -> Floats:
    """Apply a function of some samples to all of them, block by block."""
    samples = rows[0].shape[0]
    most = max(row.shape[1] for row in rows if row.ndim == 2)
    out = np.empty(samples)
    for part in blocks(samples, max(1, PAIRS // most**2)):
        out[part] = one(*(row[part] for row in rows))
    return out


def mann_whitney(pos: Floats, neg: Floats) -> Floats:
    """The empirical areas; a tie counts one half.

    >>> mann_whitney(np.array([[2.0, 3.0], [1.0, 1.0]]), np.array([[1.0, 2.0], [1.0, 2.0]])).tolist()
    [0.875, 0.25]
    """

    def wins(x: Floats, y: Floats) -> Floats:
        above = np.count_nonzero(x[:, :, None] > y[:, None, :], axis=(1, 2))
        level = np.count_nonzero(x[:, :, None] == y[:, None, :], axis=(1, 2))
        return np.asarray((above + 0.5 * level) / (x.shape[1] * y.shape[1]))

    return _over_pairs(wins, pos, neg)


def normal(pos: Floats, neg: Floats) -> Floats:
    """The normal areas N; NaN where both classes are constant."""
    spread = np.hypot(pos.std(axis=1, ddof=1), neg.std(axis=1, ddof=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(spread > 0, ndtr((pos.mean(axis=1) - neg.mean(axis=1)) / spread), np.nan)


def kernel_k1(pos: Floats, neg: Floats) -> Floats:
    """Kernel areas with Zou's bandwidths."""
    return _kernel(pos, neg, _width_k1(pos), _width_k1(neg))


def kernel_k2(pos: Floats, neg: Floats) -> Floats:
    """Kernel areas with plug-in bandwidths over root 2."""
    return _kernel(pos, neg, _width_k2(pos), _width_k2(neg))


def _kernel(pos: Floats, neg: Floats, h_pos: Floats, h_neg: Floats) -> Floats:
    width = np.hypot(h_pos, h_neg)
    smooth = width > 0

    def mean(x: Floats, y: Floats, h: Floats) -> Floats:
        chance: Floats = ndtr((x[:, :, None] - y[:, None, :]) / h[:, None, None])
        return np.asarray(chance.mean(axis=(1, 2)))

    out = np.empty(width.size)
    out[smooth] = _over_pairs(mean, pos[smooth], neg[smooth], width[smooth])
    out[~smooth] = mann_whitney(pos[~smooth], neg[~smooth])
    return out


def _quartile_range(ordered: Floats) -> Floats:
    """x_(ceil(3n/4)) - x_(ceil(n/4)) of ordered samples."""
    n = ordered.shape[1]
    return ordered[:, -(-3 * n // 4) - 1] - ordered[:, -(-n // 4) - 1]


def _width_k1(sample: Floats) -> Floats:
    n = sample.shape[1]
    spread = np.minimum(sample.std(axis=1, ddof=1), _quartile_range(np.sort(sample, axis=1)) / 1.34)
    return np.asarray(0.9 * spread * n**-0.2)


def _width_k2(sample: Floats) -> Floats:
    """h_F / sqrt(2) of :func:`roclab.smooth.kernel.plug_in_bandwidth`; 0 without spread."""
    n = sample.shape[1]
    ordered = np.sort(sample, axis=1)
    unit = _quartile_range(ordered) / 1.349
    unit = np.where(unit > 0, unit, ordered.std(axis=1, ddof=1))
    out = np.zeros(unit.size)
    spread = unit > 0
    scaled = (ordered[spread] - ordered[spread, :1]) / unit[spread, None]
    psi6 = -15 / (16 * math.sqrt(math.pi))
    g4 = np.full(scaled.shape[0], (-6 * PHI_0 / (psi6 * n)) ** (1 / 7))
    psi4 = _over_pairs(lambda x, g: _functional(x, g, 4), scaled, g4)
    g2 = (2 * PHI_0 / (psi4 * n)) ** (1 / 5)
    psi2 = _over_pairs(lambda x, g: _functional(x, g, 2), scaled, g2)
    h_f = (1 / (math.sqrt(math.pi) * n * -psi2)) ** (1 / 3)
    out[spread] = h_f * unit[spread] / math.sqrt(2)
    return out


def _functional(x: Floats, g: Floats, order: int) -> Floats:
    r"""Estimates :math:`n^{-2} g^{-r-1} \sum_{ij} \varphi^{(r)}((x_i - x_j)/g)`: twice the pairs and the diagonal."""
    n = x.shape[1]
    first, second = np.triu_indices(n, 1)
    square = ((x[:, first] - x[:, second]) / g[:, None]) ** 2
    polynomial = square - 1 if order == 2 else (square - 6) * square + 3
    total = 2 * np.sum(polynomial * np.exp(-0.5 * square), axis=1) + n * (-1 if order == 2 else 3)
    return np.asarray(PHI_0 * total / (n**2 * g ** (order + 1)))


# -- Box-Cox -----------------------------------------------------------------------------------------


def to_normality(pos: Floats, neg: Floats) -> Powers:
    """Each sample under its own Box-Cox transform of highest likelihood (:func:`roclab.smooth.box_cox.fit_power`).

    A grid over lambda, then bisection on the slope of the profile likelihood between the neighbours of the best.
    """
    least = np.minimum(pos.min(axis=1), neg.min(axis=1))
    shift = np.where(least > 0, 0.0, SHIFT_EPS - least)[:, None]
    logs = np.log(pos + shift), np.log(neg + shift)
    size = pos.shape[1] + neg.shape[1]
    centre = (logs[0].sum(axis=1) + logs[1].sum(axis=1))[:, None] / size
    centred = logs[0] - centre, logs[1] - centre
    grid = np.linspace(LOWEST, HIGHEST, GRID)
    heights = np.array([_profile(centred, value) for value in grid])
    best = np.argmax(heights, axis=0)
    low, high = grid[np.maximum(best - 1, 0)], grid[np.minimum(best + 1, GRID - 1)]
    for _ in range(40):  # half a unit, halved forty times: below rounding
        middle = (low + high) / 2
        rising = _profile_slope(centred, middle) > 0
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    power = (low + high) / 2
    at_bound = ((best == 0) | (best == GRID - 1)) & (np.abs(np.abs(power) - HIGHEST) < 1e-6)
    power = np.where(at_bound, np.sign(power) * HIGHEST, power)
    defined = np.isfinite(np.max(heights, axis=0))
    moved = [log * exprel(power[:, None] * log) for log in logs]  # (z^lambda - 1) / lambda
    return Powers(moved[0], moved[1], power, at_bound, defined)


def _profile(centred: tuple[Floats, Floats], power: float) -> Floats:
    """Profile log-likelihood of one lambda, up to a constant, for every sample; -inf where a class is constant."""
    total = np.zeros(centred[0].shape[0])
    for u in centred:
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            variance = np.var(u * exprel(power * u), axis=1)
            height = -u.shape[1] / 2 * np.log(variance)
        total += np.where((np.ptp(u, axis=1) > 0) & np.isfinite(height), height, -np.inf)
    return total


def _profile_slope(centred: tuple[Floats, Floats], power: Floats) -> Floats:
    """Derivative of the profile log-likelihood by lambda."""
    total = np.zeros(power.size)
    for u in centred:
        z = power[:, None] * u
        w = exprel(z)
        # (z e^z - e^z + 1) / z^2 = (1 + (z - 1) exprel(z)) / z, which cancels near 0; there its series.
        with np.errstate(divide="ignore", invalid="ignore"):
            bend = np.where(np.abs(z) > 1e-3, (1 + (z - 1) * w) / z, 0.5 + z * (1 / 3 + z * (1 / 8 + z / 30)))
        value, change = u * w, u * u * bend
        value = value - value.mean(axis=1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            total -= u.shape[1] * np.sum(value * change, axis=1) / np.sum(value * value, axis=1)
    return total
