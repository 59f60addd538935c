"""Parametric families of score distributions: what each is, and its estimator."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import (
    betainc,
    betaincinv,
    betaln,
    expit,
    gammainc,
    gammaincc,
    gammainccinv,
    gammaincinv,
    gammaln,
    logit,
    ndtr,
    ndtri,
    stdtr,
    xlog1py,
    xlogy,
)

from roclab._core.types import Floats
from roclab.errors import InputError, Words
from roclab.smooth.likelihood import (
    MaximumLikelihood,
    Parameters,
    fit_beta,
    fit_cauchy,
    fit_exponential,
    fit_gamma,
    fit_logistic,
    fit_lognormal,
    fit_normal,
    fit_t,
    fit_weibull,
)
from roclab.smooth.model import FiniteScores, check_squares
from roclab.smooth.normal import LOG_SQRT_2PI

__all__ = ["FAMILIES", "Family", "FamilyDistribution", "fit_family"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One family: names of its parameters, its functions of (t, parameters), and its estimator."""

    name: str
    parameters: tuple[str, ...]  # every one but "mean" and "location" is positive
    support: tuple[float, float]  # scores lie strictly between
    estimate: Callable[[FiniteScores], MaximumLikelihood]
    log_pdf: Callable[..., Floats]
    cdf: Callable[..., Floats]
    sf: Callable[..., Floats]
    ppf: Callable[..., Floats]
    isf: Callable[..., Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyDistribution:
    """A member of a family."""

    name: str
    values: Parameters

    @property
    def family(self) -> Family:
        """The functions of the family; looked up, so that a fit can be pickled."""
        return FAMILIES[self.name]

    @property
    def has_density(self) -> bool:
        """Always."""
        return True

    def cdf(self, t: Floats) -> Floats:
        """Chance of at most t."""
        return np.asarray(self.family.cdf(self._inside(t), *self.values))

    def sf(self, t: Floats) -> Floats:
        """Chance of more than t."""
        return np.asarray(self.family.sf(self._inside(t), *self.values))

    def log_pdf(self, t: Floats) -> Floats:
        """Logarithm of the density."""
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            height = np.asarray(self.family.log_pdf(self._inside(t), *self.values))
        low, high = self.family.support
        return np.where((t < low) | (t > high), -np.inf, height)

    def ppf(self, q: Floats) -> Floats:
        """Quantile from below."""
        with np.errstate(over="ignore"):
            return np.asarray(self.family.ppf(q, *self.values))

    def isf(self, q: Floats) -> Floats:
        """Quantile from above."""
        with np.errstate(over="ignore"):
            return np.asarray(self.family.isf(q, *self.values))

    def _inside(self, t: Floats) -> Floats:
        return np.clip(t, *self.family.support)

    def grid(self) -> Floats:
        """Thresholds for a search."""
        chance = np.concatenate([np.logspace(-18, -2, 65), np.linspace(0.01, 0.5, 149)])
        return np.unique(np.concatenate([self.ppf(chance), self.isf(chance)]))


def fit_family(scores: FiniteScores, family: Family, *, who: str) -> MaximumLikelihood:
    """Fit one class; scores outside the family's range, or without spread, are an error."""
    low, high = family.support
    least, most = float(scores.values[0]), float(scores.values[-1])
    if not (low < least and most < high):
        bounded = math.isfinite(high)
        raise InputError(
            "score",
            f"must {'lie strictly between 0 and 1' if bounded else 'be above 0'} for the {family.name} distribution",
            Words(f"{most if least > low else least:g} among the {who}"),
            f"{'rescale' if bounded else 'shift'} the scores or choose a family on the whole line",
        )
    if scores.values.size < 2:
        raise InputError(
            "",
            f"the {family.name} distribution needs at least 2 distinct scores in each class",
            Words(f"one score ({scores.values[0]:g}) for all {who}"),
            "use the empirical area",
        )
    if family.support != _LINE and most - least < _APART * most:
        raise InputError(
            "",
            f"the {family.name} distribution needs scores that differ by more than rounding in each class",
            Words(f"{least:.17g} to {most:.17g} for the {who}"),
            "subtract a number from all scores, or use the empirical area",
        )
    check_squares(scores, model=family.name)
    return family.estimate(scores)


# -- the table ---------------------------------------------------------------------------------------


_APART = 1e-6  # of their size: shapes of scores that lie closer are beyond 1e12, and equations for them lose all digits
_FAR = 1e-20  # of a beta score: its relative error there is (1 - b) t a / (a + 1)
_LINE, _POSITIVE, _UNIT = (-math.inf, math.inf), (0.0, math.inf), (0.0, 1.0)


def _family(name: str, parameters: str, **functions: Any) -> Family:
    return Family(name=name, parameters=tuple(parameters.split()), **functions)


FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        _family(
            "normal",
            "mean sd",
            support=_LINE,
            estimate=fit_normal,
            log_pdf=lambda t, m, s: -0.5 * ((t - m) / s) ** 2 - LOG_SQRT_2PI - math.log(s),
            cdf=lambda t, m, s: ndtr((t - m) / s),
            sf=lambda t, m, s: ndtr((m - t) / s),
            ppf=lambda q, m, s: m + s * ndtri(q),
            isf=lambda q, m, s: m - s * ndtri(q),
        ),
        _family(
            "lognormal",
            "location sdlog",
            support=_POSITIVE,
            estimate=fit_lognormal,
            log_pdf=lambda t, m, s: -0.5 * ((_log(t) - m) / s) ** 2 - LOG_SQRT_2PI - math.log(s) - _log(t),
            cdf=lambda t, m, s: ndtr((_log(t) - m) / s),
            sf=lambda t, m, s: ndtr((m - _log(t)) / s),
            ppf=lambda q, m, s: np.exp(m + s * ndtri(q)),
            isf=lambda q, m, s: np.exp(m - s * ndtri(q)),
        ),
        _family(
            "gamma",
            "shape scale",
            support=_POSITIVE,
            estimate=fit_gamma,
            log_pdf=lambda t, k, s: (k - 1) * _log(t) - t / s - k * math.log(s) - gammaln(k),
            cdf=lambda t, k, s: gammainc(k, t / s),
            sf=lambda t, k, s: gammaincc(k, t / s),
            ppf=lambda q, k, s: s * gammaincinv(k, q),
            isf=lambda q, k, s: s * gammainccinv(k, q),
        ),
        _family(
            "exponential",
            "scale",
            support=_POSITIVE,
            estimate=fit_exponential,
            log_pdf=lambda t, s: -t / s - math.log(s),
            cdf=lambda t, s: -np.expm1(-t / s),
            sf=lambda t, s: np.exp(-t / s),
            ppf=lambda q, s: -s * np.log1p(-q),
            isf=lambda q, s: -s * _log(q),
        ),
        _family(
            "weibull",
            "shape scale",
            support=_POSITIVE,
            estimate=fit_weibull,
            log_pdf=lambda t, k, s: math.log(k / s) + (k - 1) * (_log(t) - math.log(s)) - (t / s) ** k,
            cdf=lambda t, k, s: -np.expm1(-((t / s) ** k)),
            sf=lambda t, k, s: np.exp(-((t / s) ** k)),
            ppf=lambda q, k, s: s * (-np.log1p(-q)) ** (1 / k),
            isf=lambda q, k, s: s * (-_log(q)) ** (1 / k),
        ),
        _family(
            "logistic",
            "location scale",
            support=_LINE,
            estimate=fit_logistic,
            log_pdf=lambda t, m, s: -np.abs(t - m) / s - 2 * np.log1p(np.exp(-np.abs(t - m) / s)) - math.log(s),
            cdf=lambda t, m, s: expit((t - m) / s),
            sf=lambda t, m, s: expit((m - t) / s),
            ppf=lambda q, m, s: m + s * logit(q),
            isf=lambda q, m, s: m - s * logit(q),
        ),
        _family(
            "t",
            "location scale df",
            support=_LINE,
            estimate=fit_t,
            log_pdf=lambda t, m, s, df: (
                gammaln((df + 1) / 2)
                - gammaln(df / 2)
                - 0.5 * math.log(df * math.pi)
                - math.log(s)
                - (df + 1) / 2 * np.log1p(((t - m) / s) ** 2 / df)
            ),
            cdf=lambda t, m, s, df: stdtr(df, (t - m) / s),
            sf=lambda t, m, s, df: stdtr(df, (m - t) / s),
            ppf=lambda q, m, s, df: m - s * _t_tail(q, df),
            isf=lambda q, m, s, df: m + s * _t_tail(q, df),
        ),
        _family(
            "cauchy",
            "location scale",
            support=_LINE,
            estimate=fit_cauchy,
            log_pdf=lambda t, m, s: -np.log1p(((t - m) / s) ** 2) - math.log(math.pi * s),
            cdf=lambda t, m, s: np.arctan2(s, m - t) / math.pi,  # accurate in the lower tail, as sf is in the upper
            sf=lambda t, m, s: np.arctan2(s, t - m) / math.pi,
            ppf=lambda q, m, s: m - s * _cauchy_tail(q),
            isf=lambda q, m, s: m + s * _cauchy_tail(q),
        ),
        _family(
            "beta",
            "alpha beta",
            support=_UNIT,
            estimate=fit_beta,
            log_pdf=lambda t, a, b: xlogy(a - 1, t) + xlog1py(b - 1, -t) - betaln(a, b),
            cdf=lambda t, a, b: betainc(a, b, t),
            sf=lambda t, a, b: betainc(b, a, 1 - t),
            ppf=lambda q, a, b: _beta_low(q, a, b),
            isf=lambda q, a, b: 1 - _beta_low(q, b, a),
        ),
    )
}


def _t_tail(q: Floats, df: float) -> Floats:
    """The standard t score exceeded with chance q, by the beta quantile; scipy's stdtrit is wrong at 0."""
    with np.errstate(divide="ignore"):
        far = np.sqrt(df * (1 / betaincinv(df / 2, 0.5, 2 * np.minimum(q, 1 - q)) - 1))
    return np.where(q <= 0.5, far, -far)


def _cauchy_tail(q: Floats) -> Floats:
    """The standard Cauchy score exceeded with chance q."""
    with np.errstate(divide="ignore"):
        far = 1 / np.tan(math.pi * np.minimum(q, 1 - q))
    return np.where(q <= 0.5, far, -far)


def _beta_low(q: Floats, a: float, b: float) -> Floats:
    """The beta score not exceeded with chance q; far out, where scipy's search fails, q is t^a / (a B(a, b))."""
    with np.errstate(over="ignore"):
        far = np.exp((_log(q) + math.log(a) + float(betaln(a, b))) / a)
    return np.where(far < _FAR, far, betaincinv(a, b, np.where(far < _FAR, 0.5, q)))


def _log(t: Floats) -> Floats:
    """Logarithm with -inf at 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(t))
