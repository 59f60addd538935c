r"""Two yes/no tests on the same cases of one class: score limits of the difference and of the ratio of their rates.

Of n cases a are called by both, b by the first only, c by the second only and d by neither. The rates are
(a + b)/n and (a + c)/n, and everything about their difference stands in b, c and n.

References
----------
Tango T. Equivalence test and confidence interval for the difference in proportions for the paired-sample design.
Stat Med 1998;17:891-908.
Tang N-S, Tang M-L, Chan ISF. On tests of equivalence via non-unity relative risk for matched-pair design.
Stat Med 2003;22:1217-1233.
Nam J-m. Establishing equivalence of two treatments and sample size requirements in matched-pairs design.
Biometrics 1997;53:1422-1430.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from roclab._core.undefined import Undefined

__all__ = ["PairedCounts", "Pair", "falling_zero", "tang_limits", "tang_statistic", "tango_limits", "tango_statistic"]

Pair = tuple[float, float]
_FARTHEST = 700.0  # of the logarithm of a ratio: beyond it there are no numbers


class PairedCounts(NamedTuple):
    """Cases of one class by what two tests call them; sums of weights and effective counts need not be whole."""

    both: float
    first: float  # called by the first only
    second: float
    neither: float

    @property
    def n(self) -> float:
        """All cases."""
        return self.both + self.first + self.second + self.neither

    @property
    def rates(self) -> Pair:
        """Share that each test calls positive."""
        n = self.n
        return (self.both + self.first) / n, (self.both + self.second) / n

    @property
    def difference(self) -> float:
        """First rate minus second."""
        return (self.first - self.second) / self.n

    def exchanged(self) -> PairedCounts:
        """Positive and negative calls exchanged: rates of negative calls, first still first."""
        return PairedCounts(self.neither, self.second, self.first, self.both)

    def turned(self) -> PairedCounts:
        """The second test first."""
        return PairedCounts(self.both, self.second, self.first, self.neither)

    def divided(self, effect: float) -> PairedCounts:
        """What the counts are worth under a design effect."""
        return PairedCounts(*(count / effect for count in self))


def tango_statistic(counts: PairedCounts, null: float = 0.0) -> float:
    r"""Score statistic of a difference of ``null``; at 0 it is McNemar's :math:`(b - c)/\sqrt{b + c}`.

    .. math:: z(\delta) = \frac{b - c - n\delta}{\sqrt{n (2 \tilde q + \delta (1 - \delta))}}

    with the likeliest share :math:`\tilde q` of cases that only the second calls, among all with the difference
    :math:`\delta`: the larger root of :math:`2 n q^2 + B q + C = 0`, :math:`B = -b - c + (2n - b + c)\delta`,
    :math:`C = -c\,\delta (1 - \delta)`. At a margin it is Nam's test of non-inferiority (1997).

    >>> round(tango_statistic(PairedCounts(20, 6, 2, 2), -0.1), 5)
    2.30183
    """
    n, top = counts.n, counts.first - counts.second - counts.n * null
    variance = _tango_variance(counts, null)
    if variance <= 0:
        return 0.0 if abs(top) <= 1e-12 * n else math.copysign(math.inf, top)
    return top / math.sqrt(variance)


def _tango_variance(counts: PairedCounts, null: float) -> float:
    n, b, c = counts.n, counts.first, counts.second
    middle = -b - c + (2 * n - b + c) * null
    end = -c * null * (1 - null)
    root = math.sqrt(max(middle * middle - 8 * n * end, 0.0))
    # The larger root, without the cancellation of a positive B.
    q = -2 * end / (root + middle) if middle > 0 and root + middle > 0 else (root - middle) / (4 * n)
    return n * (2 * q + null * (1 - null))


def tango_limits(counts: PairedCounts, z: float) -> Pair:
    """All differences that the score test at ``z`` does not reject; about 15 evaluations an end.

    >>> low, high = tango_limits(PairedCounts(319, 78, 22, 32), 1.959963984540054)
    >>> round(low, 10), round(high, 10)
    (0.0827495694, 0.1673204489)
    """
    n, found = counts.n, counts.difference
    # Where nothing varies at the estimate the equation has a closed root, and searches would stop at once.
    if counts.first == counts.second == 0:
        return -z * z / (n + z * z), z * z / (n + z * z)
    if counts.first == n:
        return (n - z * z) / (n + z * z), 1.0
    if counts.second == n:
        return -1.0, (z * z - n) / (n + z * z)
    ends = []
    for side, far in ((1.0, -1.0), (-1.0, 1.0)):

        def excess(null: float, side: float = side) -> float:
            top = counts.first - counts.second - n * null
            return top - side * z * math.sqrt(max(_tango_variance(counts, null), 0.0))

        ends.append(falling_zero(excess, *sorted((far, found))))
    return ends[0], ends[1]


def tang_statistic(counts: PairedCounts, null: float = 1.0) -> float:
    r"""Score statistic of a ratio of ``null``; at 1 it is McNemar's (Nam and Blackwelder 2002).

    .. math:: z(\theta) = \frac{a + b - \theta (a + c)}{\sqrt{n (1 + \theta) \tilde q + (a + b + c)(\theta - 1)}}

    with :math:`\tilde q` the larger root of :math:`n (1 + \theta) q^2 + ((a + c)\theta^2 - (a + b + 2c)) q
    + c (1 - \theta)(a + b + c)/n = 0`.

    >>> round(tang_statistic(PairedCounts(20, 6, 2, 2), 0.9), 5)
    2.13504
    """
    a, b, c, _ = counts
    n, some = counts.n, a + b + c
    middle = (a + c) * null * null - (a + b + 2 * c)
    end = c * (1 - null) * some / n
    lead = n * (1 + null)
    root = math.sqrt(max(middle * middle - 4 * lead * end, 0.0))
    q = -2 * end / (root + middle) if middle > 0 and root + middle > 0 else (root - middle) / (2 * lead)
    variance = lead * q + some * (null - 1)
    top = a + b - null * (a + c)
    if variance <= 0:
        return 0.0 if abs(top) <= 1e-12 * n else math.copysign(math.inf, top)
    return top / math.sqrt(variance)


def tang_limits(counts: PairedCounts, z: float) -> Pair:
    """All ratios that the score test at ``z`` does not reject; 0 or infinite where a rate is 0.

    >>> low, high = tang_limits(PairedCounts(319, 78, 22, 32), 1.959963984540054)
    >>> round(low, 8), round(high, 8)
    (1.10582472, 1.23169476)
    """
    one, two = counts.both + counts.first, counts.both + counts.second
    if one == 0 and two == 0:
        why = Undefined("the ratio is 0/0")
        return why, why

    def log_limit(side: float) -> float:
        def excess(log_ratio: float) -> float:
            return tang_statistic(counts, math.exp(log_ratio)) - side * z

        low = high = math.log((one + 0.5) / (two + 0.5))
        stride = 0.25
        while excess(low) < 0 and low > -_FARTHEST:
            low, stride = low - stride, 2 * stride
        stride = 0.25
        while excess(high) > 0 and high < _FARTHEST:
            high, stride = high + stride, 2 * stride
        return math.exp(falling_zero(excess, max(low, -_FARTHEST), min(high, _FARTHEST)))

    return 0.0 if one == 0 else log_limit(1.0), math.inf if two == 0 else log_limit(-1.0)


def falling_zero(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a falling function crosses 0 between two ends; an end where it does not."""
    at_low, at_high = function(low), function(high)
    if at_low <= 0:
        return low
    if at_high >= 0:
        return high
    if math.isinf(at_low) or math.isinf(at_high):
        at_low, at_high = min(at_low, 1e300), max(at_high, -1e300)
    from scipy.optimize import brentq  # loads longer than most answers take

    def finite(place: float) -> float:
        return min(max(function(place), -1e300), 1e300)

    return float(brentq(finite, low, high, xtol=1e-15, rtol=8.9e-16, maxiter=300))
