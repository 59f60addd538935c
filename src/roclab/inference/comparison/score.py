r"""The score test that areas of the same cases are equal, and intervals that agree with it.

DeLong's variance is an estimate. With few cases it is too large on average and moves with the difference itself, so
that Welch's t rejects 3 of 100 true hypotheses at 15 + 15 cases where 5 are meant, and hardly any where two good scores
agree. A score test takes the variance that the hypothesis implies: exchanging the scores case by case tells what it is
if areas are equal (``permutation``).

**Several areas.** For contrasts, whose weights add up to 0, the variances :math:`\Delta_{jl}` of all pairs are a
covariance matrix: :math:`\operatorname{Var} \sum_j c_j A_j = -\tfrac12 \sum_{jl} c_j c_l \Delta_{jl}`. With its form
:math:`S_0` for q = k - 1 orthonormal contrasts D, equality of all areas is tested by

.. math:: F = \frac{\nu - q + 1}{\nu q}\, D^\top S_0^{-1} D \sim F_{q,\ \nu - q + 1}, \qquad
          \frac1\nu = \frac1q \frac1{\nu_0} + \Bigl(\frac{q - 1}{q}\Bigr)^2 \frac2{\nu_w}

where :math:`\nu_0` are the degrees of freedom that exchange gives a pair, on average, and :math:`\nu_w` those of
Krishnamoorthy and Yu (``welch``), because exchange of pairs says nothing about directions other than that of the
difference. For two areas it is the test of the pair.

**Intervals.** What exchange says holds for equal areas; of a difference δ between them Welch's t with its correction
knows more. So the half-width is that of the score test at δ = 0, c₀, and passes over into that of t, h, in a straight
line:

.. math:: |d - \delta| \le c_0 + (h - c_0) \min\Bigl(1, \frac{|\delta|}{\max(c_0, h)}\Bigr)

Every δ for which this holds is in the interval: 0 lies in it exactly when the test does not reject, and where the
difference is large the limits are those of t. Both limits are in closed form.

Simulated (``benchmarks/coverage.py``, docs/coverage.md), the test holds its level at 15 + 15, 30 + 30 and 20 + 200
cases with two and three areas, errs on the careful side near 1 and with many correlated scores, and intervals hold
theirs as those of t do. The ν of several areas was chosen of five, with 3, 5 and 10 scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from roclab._core.normal import normal_tail, probit
from roclab._core.roots import falling_root
from roclab._core.types import Floats
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.one_area.intervals import deviate
from roclab.inference.welch import (
    EstimatedVariance,
    contrast_parts,
    f_result,
    hotelling_df,
    inverted,
    opposed,
    orthonormal_contrasts,
)
from roclab.results import TestResult

__all__ = ["ScoreContrast", "equality_by_score", "null_variance_of"]

_NEVER_LESS = 0.1  # of DeLong's variance: that of a contrast is put together from pairs, which need not fit
_FLAT = 1e-3  # of the largest eigenvalue: directions in which areas of so few cases tell nothing
_FARTHEST = 37.0  # deviates beyond it have no normal tail in double precision


def null_variance_of(covariance: AreaCovariance, weights: Floats) -> EstimatedVariance:
    """Variance and degrees of freedom of a contrast if all areas are equal; of a pair those it has by itself."""
    equal = covariance.null_variance
    assert equal is not None
    variance = -float(weights @ equal.variances @ weights) / 2
    if np.count_nonzero(weights) > 2:
        variance = max(variance, _NEVER_LESS * float(weights @ covariance.matrix @ weights))
    inverse_df = float(np.sum(opposed(weights) * equal.inverse_df))
    return EstimatedVariance(variance, max(1 / inverse_df, 1.0) if inverse_df > 0 else math.inf)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreContrast:
    """A contrast with the two spreads that its interval goes between.

    Attributes
    ----------
    value : float
        The contrast d.
    equal : EstimatedVariance
        Variance and degrees of freedom if the areas are equal.
    apart : EstimatedVariance
        Those of Welch's t, for areas that differ.
    """

    value: float
    equal: EstimatedVariance
    apart: EstimatedVariance

    @property
    def deviate(self) -> float:
        """The normal deviate that says the same as t against equality: 1.96 where p is 0.05."""
        t = abs(self.value) / math.sqrt(self.equal.variance)
        return math.copysign(_normal(t, self.equal.df), self.value)

    def interval(self, level: float) -> tuple[float, float]:
        """All differences that are not rejected at 1 - level."""
        widths = self._half_widths(deviate(level))
        return _lower(self.value, *widths), -_lower(-self.value, *widths)

    def error_at(self, true: float) -> float:
        """The standard error with which a normal deviate judges ``true`` as the intervals do.

        Against equality it is d / z; elsewhere z is that of the level at which ``true`` is a limit, searched for.
        """
        distance = abs(self.value - true)
        if distance <= 1e-9 * math.sqrt(self.equal.variance):  # no deviate to be read from
            return math.sqrt(self.equal.variance if true == 0 else self.apart.variance)
        if true == 0:
            return distance / abs(self.deviate)

        def left(z: float) -> tuple[float, float]:
            equal, apart = self._half_widths(z)
            passed = min(1.0, abs(true) / max(equal, apart)) if z > 0 else 1.0
            return distance - equal - (apart - equal) * passed, math.nan

        start = distance / math.sqrt(self.apart.variance)
        return distance / falling_root(left, min(start, 1.0), 0.5, farthest=_FARTHEST)

    def _half_widths(self, z: float) -> tuple[float, float]:
        """If areas are equal, and if they are far apart, for the level of a normal deviate."""
        equal, apart = (_student(z, one.df) * math.sqrt(one.variance) for one in (self.equal, self.apart))
        return equal, apart


def _lower(value: float, equal: float, apart: float) -> float:
    """The least δ for which value - δ is within the half-width that δ has."""
    reach = max(equal, apart)
    rise = (apart - equal) / reach  # of the half-width with |δ|, within ±1
    beyond = value - equal
    limit = beyond / (1 + rise if beyond > 0 else 1 - rise)
    return limit if abs(limit) < reach else value - apart


def _student(z: float, df: float) -> float:
    """Student's deviate with the tail of a normal one."""
    if math.isinf(df):
        return z
    from scipy.special import stdtrit  # SciPy's special functions take longer to load than most answers

    return -float(stdtrit(df, normal_tail(z)))


def _normal(t: float, df: float) -> float:
    """The normal deviate with the tail of one of Student's."""
    if math.isinf(df):
        return t
    from scipy.special import stdtr

    return min(-probit(float(stdtr(df, -t))), _FARTHEST)


def equality_by_score(covariance: AreaCovariance) -> TestResult:
    """F test that all k areas are equal, with the covariance matrix that equality implies."""
    equal = covariance.null_variance
    assert equal is not None
    k = covariance.areas.size
    q, contrasts = k - 1, orthonormal_contrasts(k)
    values, vectors = np.linalg.eigh(-contrasts @ equal.variances @ contrasts.T / 2)
    projected = vectors.T @ (contrasts @ covariance.areas)
    # Pairs need not fit together: what little is left of a direction counts as little, never as negative.
    square = float(np.sum(projected**2 / np.maximum(values, _FLAT * values[-1])))
    inverse_df = float(np.sum(equal.inverse_df)) / (k * q) / q
    if q > 1:
        parts = contrast_parts(covariance.strata, contrasts)
        nu = hotelling_df(parts, inverted(np.sum(parts, axis=0)), covariance.strata)
        inverse_df += 2 * ((q - 1) / q) ** 2 / nu
    return f_result(square, k, 1 / inverse_df if inverse_df > 0 else math.inf, method="score")
