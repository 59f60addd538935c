r"""Limits of the height of a ROC curve where the other rate is fixed, without resampling and without a slope.

Whether the true curve passes through the point (f, h) is asked as Wilson asks about a proportion: with the variances
that this hypothesis itself implies. If it does, then some threshold has the true rates f and h. The false and the true
positive rate F and T found at that threshold are those of two independent binomial numbers, so that

.. math:: \frac{(F - f)^2}{f (1 - f) / N} + \frac{(T - h)^2}{h (1 - h) / P} \le z^2

is to be expected of the empirical curve there. Which threshold it is nobody knows, so h is kept as long as any point of
the curve fulfils this. In the limit the nearest one has a chi-squared distribution with one degree of freedom, but the
minimum over the points of an empirical curve comes near it slowly: 95% limits held 98% with 150 + 150 cases, 96 to 98%
with 1000 + 1000 and 5000 + 5000, and were 17, 7 and 5% too long. They err on the safe side.

For a point (F, T) of the curve the heights that fulfil it are Wilson's interval of T with the deviate

.. math:: z_F = \sqrt{z^2 - (F - f)^2 / [f (1 - f) / N]},

and the limits are the lowest and the highest of these intervals over all points within reach: a threshold nearby may be
the true one, but the farther off it is, the less doubt is left for its own rate. On a slanted line of slope s (a tie),
which passes the rate f at the height τ, they end where :math:`(\tau - h)^2 = z^2 [h (1 - h)/P + s^2 f (1 - f)/N]`.

The bootstrap sees neither how far beyond the last of few cases the next one may lie, nor any uncertainty where classes
are separated. These limits do: with no negative above the threshold they reach down to 0 for every f below
z²/(N + z²). ``benchmarks/coverage.py`` holds both against the truth.

References
----------
Wilson EB. Probable inference, the law of succession, and statistical inference. JASA 1927;22:209-212.
doi:10.1080/01621459.1927.10502953

The same question asked by empirical likelihood: Claeskens G, Jing BY, Peng L, Zhou W. Empirical likelihood confidence
regions for comparison distributions and ROC curves. Can J Stat 2003;31:173-190. doi:10.2307/3316066
"""

from __future__ import annotations

import math

import numpy as np

from roclab._core.polyline import SAME
from roclab._core.types import Floats
from roclab.inference.one_area.intervals import deviate
from roclab.names import Side

__all__ = ["pointwise_limits"]


def pointwise_limits(
    fpr: Floats, tpr: Floats, at: Floats, *, n_pos: float, n_neg: float, level: float, side: Side = "two-sided"
) -> tuple[Floats, Floats]:
    """Lower and upper limits of the true positive rate at each false positive rate.

    Parameters
    ----------
    fpr, tpr : array
        Vertices of the curve, from (0, 0) to (1, 1).
    at : array
        False positive rates.
    n_pos, n_neg : float
        Class sizes P and N, effective ones where cases are weighted.
    level, side
        A one-sided limit puts all of 1 - level on its side; the other one is then 0 or 1.

    Notes
    -----
    O(log n + w) for each rate, with the w vertices within reach of it, about the square root of n.

    Examples
    --------
    Twenty positives above twenty negatives. Up to a rate of 0.16 a threshold above all cases may be the true one;
    beyond it Wilson's limit of 20 of 20 holds, 20 / (20 + 1.96²) = 0.839:

    >>> low, high = pointwise_limits(
    ...     np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 1.0]), np.array([0.1, 0.2]), n_pos=20, n_neg=20, level=0.95
    ... )
    >>> low.round(3).tolist(), high.tolist()
    ([0.0, 0.839], [1.0, 1.0])
    """
    z = deviate(level, side)
    ends = np.array([_limits(fpr, tpr, float(one), z, n_pos, n_neg) for one in at]).reshape(-1, 2)
    low, high = ends.T.copy()
    low[at > 1 - SAME] = 1.0  # where every curve ends
    if side == "upper":
        low[:] = 0.0
    if side == "lower":
        high[:] = 1.0
    return low, high


def _limits(fpr: Floats, tpr: Floats, at: float, z: float, n_pos: float, n_neg: float) -> tuple[float, float]:
    beside = at * (1 - at) / n_neg
    reach = z * math.sqrt(beside)
    first = max(int(np.searchsorted(fpr, at - reach, side="left")) - 1, 0)
    last = int(np.searchsorted(fpr, at + reach, side="right")) + 1
    found, height = fpr[first:last], tpr[first:last]
    aside = (found - at) ** 2
    near = aside <= reach * reach
    left = z * z - (aside[near] / beside if beside > 0 else 0.0)
    lows, highs = _wilson(height[near], np.sqrt(np.maximum(left, 0.0)), n_pos)
    lower, upper = _along_lines(found, height, at, z, n_pos, beside)
    return float(np.min(np.append(lows, lower))), float(np.max(np.append(highs, upper)))


def _wilson(share: Floats, z: Floats, trials: float) -> tuple[Floats, Floats]:
    """Wilson's limits, each share with a deviate of its own."""
    square = z * z / trials
    centre = (share + square / 2) / (1 + square)
    half = np.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    return np.where(share > 0, centre - half, 0.0), np.where(share < 1, centre + half, 1.0)


def _along_lines(
    found: Floats, height: Floats, at: float, z: float, n_pos: float, beside: float
) -> tuple[Floats, Floats]:
    """Limits that touch a line between two of its vertices; vertical lines have theirs at the vertices."""
    wide = found[1:] > found[:-1]
    start, end, base = found[:-1][wide], found[1:][wide], height[:-1][wide]
    slope = (height[1:][wide] - base) / (end - start)
    passes = base + slope * (at - start)  # tau
    square, spread = z * z / n_pos, slope**2 * beside
    middle = passes + square / 2
    root = middle**2 - (1 + square) * (passes**2 - z * z * spread)
    limits = []
    for sign in (-1, 1):
        h = (middle + sign * np.sqrt(np.maximum(root, 0.0))) / (1 + square)
        variance = np.maximum(h * (1 - h), 0.0) / n_pos + spread
        with np.errstate(divide="ignore", invalid="ignore"):
            foot = np.where(variance > 0, at + slope * beside * (h - passes) / variance, at)
        within = (foot >= start - SAME) & (foot <= end + SAME) & (h >= -SAME) & (h <= 1 + SAME)
        limits.append(np.clip(h[within & (root >= 0)], 0.0, 1.0))
    return limits[0], limits[1]
