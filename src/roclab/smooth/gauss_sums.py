"""Sums of normal kernels over a whole sample, in linear time and with a proved error bound.

Wanted, for many targets t, is a sum over n sources s with weights w,

    sum_j  w_j Phi^(q)((t - s_j) / h),         Phi^(q) the q-th derivative of the normal distribution function.

All pairs would cost (targets x sources). Instead the line is cut into cells a quarter of h wide. A source deviates
from the centre of its cell by d and a target by e (both in units of h, at most 1/8), so by Taylor

    Phi^(q)(u + e - d) = sum_{r,s < R} (-d)^r / r!  e^s / s!  Phi^(q+r+s)(u) + remainder,

where u depends on the two cells only. Each source cell is summarised by its R moments sum_j w_j d_j^r / r!; each
target cell collects from the cells within 9 h a polynomial in e, by one small matrix product per distance; cells
farther to the left count fully (Phi = 1), cells farther to the right not at all. Only occupied cells are stored, so
that outliers cost nothing.

By Cramér's inequality |Phi^(m)| <= 1.0865 sqrt((m-1)!) / sqrt(2 pi), which bounds the remainder: below 1e-14 of the
total weight for q <= 5 and R = 14, and below 1e-18 for q = 0, that is, less than the rounding of a sum of many terms.
(The idea is the fast Gauss transform of Greengard and Strain, SIAM J Sci Stat Comput 1991;12:79-94,
doi:10.1137/0912004, on one line.)
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr

from roclab._core.blocks import blocks
from roclab._core.types import Counts, Floats

__all__ = ["NormalSums"]

EXACT_PAIRS = 1 << 22  # below this many pairs every pair is computed
CELL = 0.25  # width of a cell in units of h
TERMS = 14  # R
REACH = 36  # cells to each side: 9 h
WIDEST = 2.0**50  # cells; beyond this a cell number is no longer exact


class NormalSums:
    """Sums of normal kernels of one sample, at any targets.

    Parameters
    ----------
    values, weights : arrays
        The sources, ascending, and how often each counts.
    width : float
        h > 0.

    Examples
    --------
    >>> sums = NormalSums(np.array([0.0, 1.0]), np.array([1, 1]), 1.0)
    >>> sums.at(np.array([0.5])).round(12).tolist()
    [1.0]
    """

    __slots__ = ("_keys", "_left", "_moments", "_origin", "_values", "_weights", "_width")

    def __init__(self, values: Floats, weights: Counts, width: float) -> None:
        self._values, self._weights, self._width = values, weights.astype(np.float64), width
        self._keys: Floats | None = None

    def exact_for(self, targets: int) -> bool:
        """True when so few pairs arise that all of them are computed."""
        if targets * self._values.size <= EXACT_PAIRS:
            return True
        span = self._values[-1] - self._values[0]
        return not span < WIDEST * CELL * self._width

    def error_bound(self, targets: int, derivative: int = 0) -> float:
        """Largest error of a sum as a share of the total weight, rounding apart; 0 when all pairs are computed."""
        return 0.0 if self.exact_for(targets) else truncation_bound(derivative)

    def at(self, targets: Floats, derivative: int = 0) -> Floats:
        """The sum for each target."""
        if self.exact_for(targets.size):
            return self._all_pairs(targets, derivative)
        if self._keys is None:
            self._summarise()
        return self._by_cells(targets, derivative)

    def _all_pairs(self, targets: Floats, derivative: int) -> Floats:
        out = np.empty(targets.size)
        for part in blocks(targets.size, max(1, (1 << 17) // self._values.size)):
            with np.errstate(over="ignore"):
                u = (targets[part, None] - self._values) / self._width
            out[part] = _derivatives(u, derivative, 1)[0] @ self._weights
        return out

    def _cell_of(self, values: Floats) -> tuple[Floats, Floats]:
        """Cell number, and deviation from the centre of the cell in units of h."""
        place = (values - self._origin) / (CELL * self._width)
        key = np.floor(place)
        return key, (place - key - 0.5) * CELL

    def _summarise(self) -> None:
        # Counted from the median, so that a far outlier does not take digits from the bulk of the scores.
        reached = np.cumsum(self._weights)
        self._origin = self._values[np.searchsorted(reached, reached[-1] / 2)]
        keys, deviation = self._cell_of(self._values)
        self._keys, start = np.unique(keys, return_index=True)
        self._moments = np.empty((self._keys.size, TERMS))
        term = self._weights.copy()
        for r in range(TERMS):
            self._moments[:, r] = np.add.reduceat(term, start)
            term *= deviation / (r + 1)
        self._left = np.concatenate([[0.0], np.cumsum(self._moments[:, 0])])

    def _by_cells(self, targets: Floats, derivative: int) -> Floats:
        assert self._keys is not None
        margin = 2 * REACH * CELL * self._width  # farther out, even at infinity, nothing changes any more
        targets = np.clip(targets, self._values[0] - margin, self._values[-1] + margin)
        keys, deviation = self._cell_of(targets)
        cells, place = np.unique(keys, return_inverse=True)
        powers = np.zeros((cells.size, TERMS))  # coefficients of e^s / s!
        if derivative == 0:
            powers[:, 0] = self._left[np.searchsorted(self._keys, cells - REACH)]
        offsets = np.arange(-REACH, REACH + 1)
        waves = _derivatives(np.asarray(-CELL * offsets, np.float64), derivative, 2 * TERMS - 1)
        r, s = np.indices((TERMS, TERMS))
        signs = (-1.0) ** r
        for at, offset in enumerate(offsets):
            source = np.minimum(np.searchsorted(self._keys, cells + offset), self._keys.size - 1)
            found = self._keys[source] == cells + offset
            powers[found] += self._moments[source[found]] @ (signs * waves[r + s, at])
        value = np.zeros(targets.size)
        for term in range(TERMS - 1, -1, -1):  # Horner's rule for sum_s powers_s e^s / s!
            value *= deviation / (term + 1)
            value += powers[place, term]
        return value


def _derivatives(u: Floats, first: int, count: int) -> Floats:
    """Phi^(first) … Phi^(first + count - 1) at u, one row per derivative."""
    out = np.empty((count, *u.shape))
    if first == 0:
        out[0] = ndtr(u)
        if count == 1:
            return out
    density = np.exp(-0.5 * u * u) / math.sqrt(2 * math.pi)
    # Phi^(m) = (-1)^(m-1) He_(m-1) phi, so Phi^(m+1) = -u Phi^(m) - (m-1) Phi^(m-1).
    before, here = np.zeros_like(density), density
    if not math.isfinite(float(np.max(np.abs(u), initial=0.0))) or np.max(np.abs(u), initial=0.0) > 1e3:
        u = np.clip(u, -1e3, 1e3)  # the density is 0 there; keeps 0 * u finite
    for m in range(1, first + count):
        if m >= first:
            out[m - first] = here
        before, here = here, -u * here - (m - 1) * before
    return out


def truncation_bound(derivative: int) -> float:
    """Bound of the Taylor remainder and of the cells beyond reach, per unit of weight.

    >>> truncation_bound(0) < 1e-16, truncation_bound(5) < 2e-14
    (True, True)
    """

    def largest(m: int) -> float:
        return 1.0865 * math.sqrt(math.factorial(m - 1)) / math.sqrt(2 * math.pi)

    half = CELL / 2
    step = half**TERMS / math.factorial(TERMS)
    total = step * largest(derivative + TERMS)
    total += sum(half**r / math.factorial(r) * step * largest(derivative + r + TERMS) for r in range(TERMS))
    edge = abs(float(_derivatives(np.array([-REACH * CELL]), derivative, 1)[0, 0]))
    return total + edge
