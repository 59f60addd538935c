"""Kolmogorov and Smirnov tests for continuous distributions, and the confidence band of a distribution function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_level
from roclab._core.types import Floats, Ints, frozen
from roclab.errors import InputError, Words, named
from roclab.names import Alternative
from roclab.rank_tests.samples import sample_of
from roclab.results import Result
from roclab.results.pictured import Pictured

__all__ = ["CdfBand", "Kolmogorov", "Smirnov", "cdf_band", "kolmogorov", "smirnov"]

_JUMP = 1e-6  # from one float to the next; rounding of a distribution function makes smaller ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Kolmogorov(Result):
    """Largest distances between a sample and a distribution, exact p-values and critical values.

    T+ = sup(F - S) and T- = sup(S - F), the names of Conover; other programs call the second one D+.
    """

    n: int
    t: float
    t_plus: float
    t_minus: float
    p_value: float  # two-sided
    p_plus: float
    p_minus: float
    critical: float  # two-sided, at the level
    critical_one_sided: float
    level: float
    location: float  # where the largest gap is
    above: bool  # whether the distribution lies above the sample there: T is then T+, else T-

    @property
    def p_asymptotic(self) -> float:
        """The two-sided p of large samples, Kolmogorov's limit at sqrt(n) T, beside the exact ``p_value``."""
        from scipy.special import kolmogorov as kolmogorov_limit

        return float(kolmogorov_limit(np.sqrt(self.n) * self.t))

    def rows(self) -> list[dict[str, Any]]:
        """One row per statistic."""
        name = f"critical at {1 - self.level:.2g}"
        return [
            {"statistic": "T", "value": self.t, "p": self.p_value, name: self.critical},
            {"statistic": "T+", "value": self.t_plus, "p": self.p_plus, name: self.critical_one_sided},
            {"statistic": "T-", "value": self.t_minus, "p": self.p_minus, name: self.critical_one_sided},
        ]


def kolmogorov(sample: Any, cdf: Callable[[Floats], Any], *, level: float = 0.95) -> Kolmogorov:
    r"""Kolmogorov test of a sample against a continuous distribution, exact, O(n log n).

    .. math:: T^+ = \max_i \left[F(x_{(i)}) - \tfrac{i-1}{n}\right], \quad
              T^- = \max_i \left[\tfrac in - F(x_{(i)})\right], \quad T = \max(T^+, T^-)

    where the supremum is reached: just before a value for :math:`T^+`, at it for :math:`T^-`. A continuous F has the
    same height there. One that jumps at a value of the sample has not, and is refused; for a discrete distribution,
    whose left limits and null distribution are others, see ``discrete``.

    >>> x = [0.621, 0.503, 0.203, 0.477, 0.710, 0.581, 0.329, 0.480, 0.554, 0.382]
    >>> test = kolmogorov(x, lambda x: x)
    >>> round(test.t, 3), round(test.t_plus, 3), round(test.critical, 3)
    (0.29, 0.229, 0.409)
    """
    from scipy.stats import ksone, kstwo

    check_level(level)
    x = np.sort(sample_of(sample, "sample"))
    n = x.size
    heights = np.asarray(cdf(x), dtype=np.float64)
    if heights.shape != x.shape or not np.all((heights >= 0) & (heights <= 1)) or np.any(np.diff(heights) < -1e-12):
        raise InputError(
            "cdf", "must return a rising value between 0 and 1 for every x", way_out="check the distribution function"
        )
    _check_continuous(x, heights, cdf)
    steps = np.arange(n + 1) / n
    t_plus = max(float(np.max(heights - steps[:-1])), 0.0)
    t_minus = max(float(np.max(steps[1:] - heights)), 0.0)
    t = max(t_plus, t_minus)
    return Kolmogorov(
        n=n,
        t=t,
        t_plus=t_plus,
        t_minus=t_minus,
        p_value=float(kstwo.sf(t, n)),
        p_plus=float(ksone.sf(t_plus, n)),
        p_minus=float(ksone.sf(t_minus, n)),
        critical=float(kstwo.ppf(level, n)),
        critical_one_sided=float(ksone.ppf(level, n)),
        level=level,
        location=float(x[np.argmax(heights - steps[:-1] if t_plus >= t_minus else steps[1:] - heights)]),
        above=t_plus >= t_minus,
    )


def _check_continuous(x: Floats, heights: Floats, cdf: Callable[[Floats], Any]) -> None:
    """Refuse a distribution function that jumps at a value of the sample: one float before it, it is much lower.

    A steep one rises as much from float to float on both sides of the value.
    """
    before, after = np.nextafter(x, -np.inf), np.nextafter(x, np.inf)
    left, farther, right = (np.asarray(cdf(one), np.float64) for one in (before, np.nextafter(before, -np.inf), after))
    jump = np.where(heights - left > 10 * np.maximum(left - farther, right - heights), heights - left, 0.0)
    at = int(np.argmax(jump))
    if jump[at] > _JUMP:
        raise InputError(
            "cdf", "must be continuous where the sample has values", Words(f"a jump of {jump[at]:.4g} at {x[at]:g}"),
            f"give a discrete distribution by {named('support')} and {named('probabilities')}",
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Smirnov(Result):
    """Largest distance between two empirical distribution functions."""

    n1: int
    n2: int
    statistic: float
    location: float
    p_value: float
    alternative: str
    method: str
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "n first": self.n1,
                "n second": self.n2,
                "statistic": self.statistic,
                "at": self.location,
                "p": self.p_value,
                "alternative": self.alternative,
                "method": self.method,
            }
        ]


def smirnov(first: Any, second: Any, *, alternative: Alternative = "two-sided") -> Smirnov:
    """Two-sample Smirnov test, exact for small samples, with ties too.

    "greater": the first distribution function lies above the second somewhere, so its values tend to be smaller. With
    ties the p-value is that of all ways to share the pooled values out between the samples (``_dealt_p``); the usual
    exact distribution looks between tied values, where no distance exists, and is too large.

    >>> round(smirnov([1, 1, 2, 2], [2, 3, 3, 3]).p_value, 4)
    0.1429
    """
    from scipy.stats import ks_2samp

    check_choice(alternative, "alternative", ("two-sided", "less", "greater"))
    x, y = sample_of(first, "first"), sample_of(second, "second")
    small = max(x.size, y.size) <= 10_000 and x.size * y.size <= 10**7
    values, sizes = np.unique(np.concatenate([x, y]), return_counts=True)
    tied = values.size < x.size + y.size
    with np.errstate(divide="ignore"):  # the limit, which one case a sample has none of
        found = ks_2samp(x, y, alternative=alternative, method="asymp")
    # SciPy's exact level rounds to more than 1 now and then, and it takes the limit instead.
    p = _dealt_p(float(found.statistic), x.size, y.size, sizes, alternative) if small else float(found.pvalue)
    words = "exact given the ties" if tied else "exact"
    return Smirnov(
        n1=x.size,
        n2=y.size,
        statistic=float(found.statistic),
        location=float(found.statistic_location),
        p_value=p,
        alternative=alternative,
        method=words if small else "asymptotic, too large with ties" if tied else "asymptotic",
    )


def _dealt_p(statistic: float, n1: int, n2: int, sizes: Ints, alternative: str) -> float:
    """Chance of a distance as large, when the pooled values are dealt out to both samples at random; O(n1 (n1 + n2)).

    Cases are dealt one by one in the order of their values: with i of the first sample and j of the second behind, the
    next one is of the first with chance (n1 - i) / (n1 + n2 - i - j). The distance i/n1 - j/n2 counts where a group of
    tied values ends; what reaches the statistic there is taken out and added up.
    """
    if n1 > n2:  # counts of the smaller sample are followed
        turned = {"greater": "less", "less": "greater"}.get(alternative, alternative)
        return _dealt_p(statistic, n2, n1, sizes, turned)
    total = n1 + n2
    reached = round(statistic * n1 * n2)  # distances are multiples of 1 / (n1 n2)
    ends = np.zeros(total + 1, bool)
    ends[np.cumsum(sizes)] = True
    chance = np.zeros(n1 + 1)
    chance[0] = 1.0
    first = np.arange(n1 + 1)
    p = 0.0
    for dealt in range(total):
        second = dealt - first
        left = total - dealt
        to_first = chance * (n1 - first) / left
        to_second = chance * np.maximum(n2 - second, 0) / left
        chance = to_second
        chance[1:] += to_first[:-1]
        if ends[dealt + 1]:
            distance = first * n2 - (dealt + 1 - first) * n1
            far = (
                np.abs(distance) if alternative == "two-sided" else distance if alternative == "greater" else -distance
            )
            out = far >= reached
            p += float(chance[out].sum())
            chance[out] = 0.0
    return min(p, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CdfBand(Pictured):
    """A confidence band of a distribution function: constant between the values."""

    x: Floats
    s: Floats  # empirical distribution function at x
    low: Floats
    high: Floats
    width: float
    level: float

    def __post_init__(self) -> None:
        for array in (self.x, self.s, self.low, self.high):
            frozen(array)

    def rows(self) -> list[dict[str, Any]]:
        """One row per distinct value."""
        columns = (self.x.tolist(), self.s.tolist(), self.low.tolist(), self.high.tolist())
        return [{"x": x, "S": s, "low": low, "high": high} for x, s, low, high in zip(*columns, strict=True)]


def cdf_band(sample: Any, *, level: float = 0.95) -> CdfBand:
    """Band S(x) ± w, cut at 0 and 1, that holds the whole distribution function with the given level; conservative for
    discrete data. Left of the smallest value the band is 0 to w.

    >>> band = cdf_band([16.7, 17.4, 18.1, 18.2, 18.8], level=0.9)
    >>> round(band.width, 4), band.low.round(4).tolist()[-1]
    (0.5094, 0.4906)
    """
    from scipy.stats import kstwo

    check_level(level)
    values = sample_of(sample, "sample")
    x, counts = np.unique(values, return_counts=True)
    s = np.cumsum(counts) / values.size
    width = float(kstwo.ppf(level, values.size))
    return CdfBand(x=x, s=s, low=np.maximum(s - width, 0.0), high=np.minimum(s + width, 1.0), width=width, level=level)
