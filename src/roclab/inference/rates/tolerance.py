r"""Thresholds that keep a rate in new cases with a given confidence: how many cases may lie on the wrong side.

Of P positives the share below the (k + 1)-th smallest follows a beta distribution whatever the scores are (Wilks 1941),
so that with

.. math:: k = \max\{k : P(\mathrm{Bin}(P, 1 - p) \le k) \le 1 - c\}

and the (k + 1)-th smallest positive score as threshold the sensitivity reaches p with probability c or more, whatever
the distribution of the scores; tied scores only add to it.

References
----------
Wilks SS. Determination of sample sizes for setting tolerance limits. Ann Math Stat 1941;12:91-96.
Korn EL, Graubard BI. Confidence intervals for proportions with small expected number of positive counts estimated from
survey data. Surv Methodol 1998;24:193-201.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import betainc, betaincinv

from roclab._core.types import Floats, Ints
from roclab.inference.one_area.intervals import deviate

__all__ = [
    "bound_kept",
    "cases_needed",
    "clopper_pearson_lower",
    "clustered_size",
    "misses_allowed",
    "misses_chance",
    "weighted_misses",
]


def misses_chance(misses: float, cases: float, rate: float) -> float:
    """P(Bin(cases, 1 - rate) <= misses), also of numbers that are not whole.

    >>> round(misses_chance(1, 60, 0.9), 4)
    0.0138
    """
    if misses < 0:
        return 0.0
    return 1.0 if misses >= cases else float(betainc(cases - misses, misses + 1, rate))


def misses_allowed(cases: int, rate: float, confidence: float) -> int:
    """The largest k, or -1 where even no miss is one too many; O(log cases).

    >>> [misses_allowed(n, 0.9, 0.95) for n in (28, 30, 60, 100, 300, 1000)]
    [-1, 0, 1, 4, 21, 84]
    """
    low, high = -1, cases  # the chance exceeds 1 - c at the upper one
    while high - low > 1:
        middle = (low + high) // 2
        if misses_chance(middle, cases, rate) <= 1 - confidence + 1e-15:
            low = middle
        else:
            high = middle
    return low


def cases_needed(rate: float, confidence: float) -> int:
    """The fewest cases of which a threshold can promise the rate: no miss among them says enough.

    >>> cases_needed(0.9, 0.95), cases_needed(0.95, 0.95), cases_needed(0.99, 0.95)
    (29, 59, 299)
    """
    needed = max(math.ceil(math.log(1 - confidence) / math.log(rate)) - 1, 1)
    while rate**needed > 1 - confidence + 1e-15:
        needed += 1
    return needed


def bound_kept(misses: int, cases: int, rate: float) -> float:
    """How often a threshold at the (misses + 1)-th smallest score keeps the rate in new cases: 1 - P(Bin <= misses).

    >>> round(bound_kept(1, 60, 0.9), 4), round(bound_kept(6, 60, 0.9), 4)
    (0.9862, 0.3935)
    """
    return 1 - misses_chance(misses, cases, rate)


def clopper_pearson_lower(successes: float, cases: float, confidence: float) -> float:
    """One-sided lower bound of a proportion; also of effective numbers."""
    return 0.0 if successes <= 0 else float(betaincinv(successes, cases - successes + 1, 1 - confidence))


def weighted_misses(weights: Floats, rate: float, confidence: float) -> int:
    """The same for weights of importance, in ascending order of their scores: how many may be missed, or -1.

    Their share is weighed against the effective number of cases, the square of the sum of weights over the sum of
    their squares (Kish), which is approximate.

    >>> weighted_misses(np.ones(60), 0.9, 0.95)
    1
    """
    total = float(weights.sum())
    size = total * total / float(weights @ weights)
    below = np.r_[0.0, np.cumsum(weights)][:-1] / total
    kept = [misses_chance(share * size, size, rate) <= 1 - confidence + 1e-12 for share in below.tolist()]
    return int(np.count_nonzero(np.logical_and.accumulate(kept))) - 1


def clustered_size(missed: Floats, cluster: Ints, clusters: int, confidence: float) -> float:
    r"""Effective number of cases behind a share of misses, :math:`\hat p (1 - \hat p)/V \cdot (z_c/t_{c,K-1})^2 \le n`.

    V is the clustered variance of the share; without a miss, and where clusters know more than cases, it is n.

    >>> clustered_size(np.array([0.0, 0, 0, 0]), np.array([0, 0, 1, 1]), 2, 0.95)
    4.0
    """
    n = float(missed.size)
    share = float(missed.mean())
    sums = np.bincount(cluster, weights=missed - share, minlength=clusters)
    present = int(np.count_nonzero(np.bincount(cluster, minlength=clusters)))
    if present < 2:
        return 1.0
    variance = float(sums @ sums) * present / (present - 1) / n**2
    if variance <= 0:
        return n
    smaller = (deviate(confidence, "lower") / deviate(confidence, "lower", df=present - 1)) ** 2
    return min(share * (1 - share) / variance * smaller, n)
