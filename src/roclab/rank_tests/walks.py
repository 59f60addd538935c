r"""Exact levels of Kolmogorov's statistics for a discrete distribution, by a walk of counts.

The counts of values up to each point of the support are a walk from 0 to n, and T is too large where the walk leaves a
corridor around n F. Given their total, the counts of the single points are those of independent Poisson variables, so
that one step of all walks that are still inside is a convolution with Poisson weights. What leaves is multiplied by the
weight of all ways to the end and added up: only sums of positive terms, no digit is lost, however small the level.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Literal

import numpy as np
from scipy.special import gammaln, xlogy

from roclab._core.types import Floats, Ints
from roclab._core.undefined import Undefined

__all__ = ["walk_level"]

_MOST_WORK = 2 * 10**10  # multiplications: some ten seconds


def walk_level(
    t: Fraction, n: int, levels: Sequence[Fraction], *, side: Literal["plus", "minus", "both"] = "both"
) -> float:
    """Pr(T+ >= t), Pr(T- >= t) or Pr(T >= t) for n values of a distribution function that takes the given levels.

    O(k w m) for k levels, a corridor of w counts and m values that a single point can hold; about eleven digits,
    because weights are exponentials of logarithms. Undefined where that would take minutes. Whether a count is inside
    is decided in exact fractions.

    >>> levels = [Fraction(k, 5) for k in range(6)]
    >>> round(walk_level(Fraction(2, 5), 10, levels), 7)
    0.0416171
    """
    if t <= 0:
        return 1.0
    rising = [(before, level) for before, level in itertools.pairwise(levels) if level > before]
    if _work(t, n, rising, side) > _MOST_WORK:
        return Undefined(
            f"{n:,} values on {len(rising):,} points would take minutes to count; the asymptotic level is a bound"
        )
    chance, start = np.ones(1), 0  # of every count from ``start`` on, of the walks that never left
    left = 0.0
    for before, level in rising:
        chance = _convolved(chance, _poisson(np.arange(n - start + 1), float(n * (level - before))))[: n - start + 1]
        count = start + np.arange(chance.size)
        low, high = _corridor(t, n, level, side)
        outside = (count < low) | (count > high)
        left += float(np.sum(chance[outside] * _poisson(n - count[outside], float(n * (1 - level)))))
        chance = chance[~outside]
        if not chance.size:
            break
        start = int(count[~outside][0])
    return min(left / float(_poisson(np.array([n]), float(n))[0]), 1.0)


def _corridor(t: Fraction, n: int, level: Fraction, side: str) -> tuple[int, int]:
    """The smallest and the largest count up to a level at which nothing is t or more away."""
    low = 0 if side == "minus" else max(floor(n * (level - t)) + 1, 0)
    high = n if side == "plus" else min(ceil(n * (level + t)) - 1, n)
    return low, high


def _work(t: Fraction, n: int, rising: Sequence[tuple[Fraction, Fraction]], side: str) -> float:
    wide = min(n, float(2 * n * t if side == "both" else n))
    return float(sum(wide * min(n, float(n * (level - before)) + 200) for before, level in rising))


def _convolved(chance: Floats, step: Floats) -> Floats:
    held = np.flatnonzero(step)  # far from the mean weights vanish
    first, last = int(held[0]), int(held[-1])
    found: Floats = np.concatenate([np.zeros(first), np.convolve(chance, step[first : last + 1])])
    return found


def _poisson(count: Ints, rate: float) -> Floats:
    found: Floats = np.exp(xlogy(count, rate) - gammaln(count + 1.0) - rate)
    return found
