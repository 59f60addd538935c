r"""Rates of different cases: score limits of their difference, and exact tests; x₁ of n₁ against x₂ of n₂.

The ratio has Koopman's limits (``one_curve/ratios.py``), and the difference Newcombe's square-and-add as well
(``one_curve/proportions.py``).

References
----------
Miettinen O, Nurminen M. Comparative analysis of two rates. Stat Med 1985;4:213-226.
Agresti A, Caffo B. Simple and effective confidence intervals for proportions and differences of proportions result from
adding two successes and two failures. Am Stat 2000;54:280-288.
"""

from __future__ import annotations

import math

import numpy as np

from roclab.inference.rates.paired import Pair, falling_zero

__all__ = ["agresti_caffo_limits", "fisher_p", "miettinen_nurminen_limits", "miettinen_nurminen_statistic"]

_ALIKE = 1 + 1e-7  # tables of the same probability but for rounding


def miettinen_nurminen_statistic(x1: float, n1: float, x2: float, n2: float, null: float = 0.0) -> float:
    r"""Score statistic of a difference of ``null``, with the factor N/(N - 1) of Miettinen and Nurminen.

    .. math:: z(\delta) = \frac{\hat p_1 - \hat p_2 - \delta}{\sqrt{\frac{N}{N-1}\left[
              \frac{\tilde p_1 (1 - \tilde p_1)}{n_1} + \frac{\tilde p_2 (1 - \tilde p_2)}{n_2}\right]}}

    The likeliest rates with this difference solve a cubic, whose right root has a closed form.

    >>> round(miettinen_nurminen_statistic(56, 70, 48, 80), 4)
    2.6413
    """
    n = n1 + n2
    top = x1 / n1 - x2 / n2 - null
    two = _likeliest(x1, n1, x2, n2, null)
    one = min(max(two + null, 0.0), 1.0)
    variance = (one * (1 - one) / n1 + two * (1 - two) / n2) * n / (n - 1)
    if variance <= 0:
        return 0.0 if abs(top) <= 1e-12 else math.copysign(math.inf, top)
    return top / math.sqrt(variance)


def _likeliest(x1: float, n1: float, x2: float, n2: float, null: float) -> float:
    """The second rate under the restriction p1 - p2 = null."""
    n, x = n1 + n2, x1 + x2
    lead, second = n, (n1 + 2 * n2) * null - n - x
    third = (n2 * null - n - 2 * x2) * null + x
    last = x2 * null * (1 - null)
    # In terms of the second rate the likelihood equation is a cubic in p2 (Miettinen and Nurminen, appendix).
    v = second**3 / (27 * lead**3) - second * third / (6 * lead**2) + last / (2 * lead)
    inside = second**2 / (9 * lead**2) - third / (3 * lead)
    u = math.copysign(math.sqrt(max(inside, 0.0)), v)
    cosine = v / u**3 if u != 0 else 0.0
    angle = (math.pi + math.acos(min(max(cosine, -1.0), 1.0))) / 3
    found = 2 * u * math.cos(angle) - second / (3 * lead)
    return min(max(found, 0.0, -null), 1.0, 1.0 - null)


def miettinen_nurminen_limits(x1: float, n1: float, x2: float, n2: float, z: float) -> Pair:
    """All differences that the score test at ``z`` does not reject; an end is -1 or 1 where it is.

    >>> [round(end, 4) for end in miettinen_nurminen_limits(56, 70, 48, 80, 1.959964)]
    [0.0528, 0.3382]
    """
    found = x1 / n1 - x2 / n2
    ends = []
    for side, far in ((1.0, -1.0), (-1.0, 1.0)):

        def excess(null: float, side: float = side) -> float:
            return miettinen_nurminen_statistic(x1, n1, x2, n2, null) - side * z

        ends.append(falling_zero(excess, *sorted((far, found))))
    return ends[0], ends[1]


def agresti_caffo_limits(x1: float, n1: float, x2: float, n2: float, z: float) -> Pair:
    """The plain interval after one success and one failure were added to each; it may pass the bounds.

    >>> [round(end, 4) for end in agresti_caffo_limits(56, 70, 48, 80, 1.959964)]
    [0.0525, 0.3358]
    """
    one, two = (x1 + 1) / (n1 + 2), (x2 + 1) / (n2 + 2)
    half = z * math.sqrt(one * (1 - one) / (n1 + 2) + two * (1 - two) / (n2 + 2))
    return one - two - half, one - two + half


def fisher_p(x1: float, n1: float, x2: float, n2: float, *, mid: bool = False) -> float:
    """Fisher's exact p-value: all tables with these margins that are no likelier; ``mid`` halves those as likely.

    >>> round(fisher_p(56, 70, 48, 80), 6), round(fisher_p(56, 70, 48, 80, mid=True), 6)
    (0.012521, 0.010421)
    """
    from scipy.special import gammaln

    x = x1 + x2
    low, high = max(0, int(x - n2)), int(min(n1, x))
    k = np.arange(low, high + 1)

    log = -(gammaln(k + 1) + gammaln(n1 - k + 1) + gammaln(x - k + 1) + gammaln(n2 - x + k + 1))
    chance = np.exp(log - log.max())
    chance /= chance.sum()
    seen = chance[int(x1) - low]
    total = float(chance[chance <= seen * _ALIKE].sum())
    if not mid:
        return min(total, 1.0)
    alike = (chance <= seen * _ALIKE) & (chance >= seen / _ALIKE)
    return min(total - float(chance[alike].sum()) / 2, 1.0)
