"""Parametric families of score distributions, each fitted to one class by maximum likelihood."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import (
    betaincinv,
    digamma,
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
    zeta,
)

from roclab._core.types import Floats
from roclab.errors import InputError, Words
from roclab.smooth.model import FiniteScores
from roclab.smooth.normal import LOG_SQRT_2PI

__all__ = ["FAMILIES", "Family", "FamilyDistribution", "MaximumLikelihood", "fit_family"]

Parameters = tuple[float, ...]
LOWEST_DF, HIGHEST_DF = 0.3, 200.0


class MaximumLikelihood(NamedTuple):
    """Estimated parameters, and how the search ended."""

    values: Parameters
    iterations: int = 0
    converged: bool = True
    fixed: tuple[int, ...] = ()  # parameters at a bound, which count as known
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """One family: names of its parameters, its functions of (t, parameters), and its estimator."""

    name: str
    parameters: tuple[str, ...]  # every one but "mean" and "location" is positive
    positive_scores: bool
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
        return np.where(t < 0, -np.inf, height) if self.family.positive_scores else height

    def ppf(self, q: Floats) -> Floats:
        """Quantile from below."""
        with np.errstate(over="ignore"):
            return np.asarray(self.family.ppf(q, *self.values))

    def isf(self, q: Floats) -> Floats:
        """Quantile from above."""
        with np.errstate(over="ignore"):
            return np.asarray(self.family.isf(q, *self.values))

    def _inside(self, t: Floats) -> Floats:
        return np.maximum(t, 0.0) if self.family.positive_scores else t

    def grid(self) -> Floats:
        """Thresholds for a search."""
        chance = np.concatenate([np.logspace(-18, -2, 65), np.linspace(0.01, 0.5, 149)])
        return np.unique(np.concatenate([self.ppf(chance), self.isf(chance)]))


def fit_family(scores: FiniteScores, family: Family, *, who: str) -> MaximumLikelihood:
    """Fit one class; scores outside the family's range, or without spread, are an error."""
    if family.positive_scores and scores.values[0] <= 0:
        raise InputError(
            "score",
            f"must be above 0 for the {family.name} distribution",
            Words(f"{scores.values[0]:g} among the {who}"),
            "shift the scores or choose a family on the whole line",
        )
    if scores.values.size < 2:
        raise InputError(
            "",
            f"the {family.name} distribution needs at least 2 distinct scores in each class",
            Words(f"one score ({scores.values[0]:g}) for all {who}"),
            "use the empirical area",
        )
    return family.estimate(scores)


# -- estimators --------------------------------------------------------------------------------------


def _fit_normal(scores: FiniteScores) -> MaximumLikelihood:
    return MaximumLikelihood((scores.mean, math.sqrt(scores.variance(ddof=0))))


def _fit_lognormal(scores: FiniteScores) -> MaximumLikelihood:
    return _fit_normal(FiniteScores(np.log(scores.values), scores.counts))


def _fit_exponential(scores: FiniteScores) -> MaximumLikelihood:
    return MaximumLikelihood((scores.mean,))


def _fit_gamma(scores: FiniteScores) -> MaximumLikelihood:
    """Shape from log k - digamma(k) = log(mean) - mean(log), by Newton's method on log k."""
    mean = scores.mean
    gap = -float(scores.counts @ np.log(scores.values / mean)) / scores.size
    k = (3 - gap + math.sqrt((gap - 3) ** 2 + 24 * gap)) / (12 * gap)
    for iteration in range(1, 101):
        miss = math.log(k) - float(digamma(k)) - gap
        step = miss / (1 - k * float(zeta(2, k)))  # trigamma(k) = zeta(2, k)
        k *= math.exp(-step)
        if abs(step) < 1e-13:
            return MaximumLikelihood((k, mean / k), iteration)
    return MaximumLikelihood((k, mean / k), 100, abs(step) < 1e-8)


def _fit_weibull(scores: FiniteScores) -> MaximumLikelihood:
    """Shape from sum(x^k log x)/sum(x^k) - 1/k = mean(log x), an increasing function of k."""
    from scipy.optimize import brentq

    logs = np.log(scores.values)
    mean_log = float(scores.counts @ logs) / scores.size
    u = logs - logs[-1]

    def excess(log_k: float) -> float:
        k = math.exp(log_k)
        weight = scores.counts * np.exp(k * u)
        return float(weight @ u / weight.sum() - 1 / k - (mean_log - logs[-1]))

    start = -math.log(float(np.sqrt(scores.counts @ (logs - mean_log) ** 2 / scores.size)))
    low, high = start - 1, start + 1
    while excess(low) > 0:
        low -= 2
    while excess(high) < 0:
        high += 2
    log_k, report = brentq(excess, low, high, xtol=1e-13, full_output=True)
    k = math.exp(log_k)
    scale = math.exp(logs[-1] + math.log(float(scores.counts @ np.exp(k * u)) / scores.size) / k)
    return MaximumLikelihood((k, scale), int(report.iterations), bool(report.converged))


def _fit_logistic(scores: FiniteScores) -> MaximumLikelihood:
    """Newton's method in (1/scale, location/scale), where the likelihood is concave."""
    centre, unit = scores.mean, math.sqrt(scores.variance(ddof=0))
    x, w, n = (scores.values - centre) / unit, scores.counts, scores.size

    def height(alpha: float, beta: float) -> float:
        z = alpha * x - beta
        return n * math.log(alpha) - float(w @ (np.abs(z) + 2 * np.log1p(np.exp(-np.abs(z)))))

    alpha, beta = math.pi / math.sqrt(3), 0.0
    here = height(alpha, beta)
    for iteration in range(1, 101):
        p = expit(alpha * x - beta)
        g, h = 1 - 2 * p, 2 * p * (1 - p)
        gradient = np.array([n / alpha + float(w @ (g * x)), -float(w @ g)])
        cross = -float(w @ (h * x))
        hessian = np.array([[n / alpha**2 + float(w @ (h * x * x)), cross], [cross, float(w @ h)]])
        step = np.linalg.solve(hessian, gradient)
        rise = float(gradient @ step)
        if rise < 1e-14 * n:
            return MaximumLikelihood((float(centre + unit * beta / alpha), float(unit / alpha)), iteration)
        size = min(1.0, 0.9 * alpha / max(-step[0], 1e-300)) if step[0] < 0 else 1.0
        while size > 1e-12:
            trial = (alpha + size * step[0], beta + size * step[1])
            reached = height(*trial)
            if reached >= here + 1e-4 * size * rise or rise < 1e-9 * n:
                break
            size /= 2
        (alpha, beta), here = trial, reached
    return MaximumLikelihood((float(centre + unit * beta / alpha), float(unit / alpha)), 100, False)


def _fit_t(scores: FiniteScores) -> MaximumLikelihood:
    """Location, scale and degrees of freedom (0.3 to 200) by a bounded quasi-Newton search with exact gradients."""
    from scipy.optimize import minimize

    centre, unit = scores.mean, math.sqrt(scores.variance(ddof=0))
    x, w, n = (scores.values - centre) / unit, scores.counts, scores.size

    def minus(theta: Floats) -> tuple[float, Floats]:
        m, s, df = theta[0], math.exp(theta[1]), math.exp(theta[2])
        z = (x - m) / s
        log_tail, share = np.log1p(z * z / df), (df + 1) / (df + z * z)
        height = gammaln((df + 1) / 2) - gammaln(df / 2) - 0.5 * math.log(df * math.pi) - theta[1]
        value = n * height - (df + 1) / 2 * float(w @ log_tail)
        by_df = digamma((df + 1) / 2) - digamma(df / 2) - 1 / df - log_tail + share * z * z / df
        gradient = [float(w @ (share * z)) / s, float(w @ (share * z * z)) - n, df / 2 * float(w @ by_df)]
        return -value / n, -np.array(gradient) / n

    narrowest = math.log(1e-6)
    bounds = [(-1e6, 1e6), (narrowest, math.log(10.0)), (math.log(LOWEST_DF), math.log(HIGHEST_DF))]
    best: Any = None
    search: Any = minimize  # its stubs do not know options as a dictionary
    for df in (3.0, 30.0):
        start = np.array([0.0, 0.5 * math.log((df - 2) / df), math.log(df)])
        options = {"ftol": 1e-15, "gtol": 1e-9, "maxiter": 500}
        found = search(minus, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        if best is None or found.fun < best.fun:
            best = found
    m, s, df = float(best.x[0]), math.exp(best.x[1]), math.exp(best.x[2])
    collapsed = best.x[1] <= narrowest + 1e-6
    at_bound = not LOWEST_DF * 1.0001 < df < HIGHEST_DF / 1.0001
    flat = float(np.max(np.abs(minus(best.x)[1][: 2 if at_bound else 3]))) < 1e-5
    note = ""
    if collapsed:
        note = "The t distribution collapsed onto tied scores; choose another family."
    elif at_bound:
        note = f"The degrees of freedom of the t distribution are at their bound {df:.3g}."
    values = (centre + unit * m, unit * s, df)
    return MaximumLikelihood(values, int(best.nit), flat and not collapsed, (2,) if at_bound else (), note)


# -- the table ---------------------------------------------------------------------------------------


def _family(name: str, parameters: str, **functions: Any) -> Family:
    return Family(name=name, parameters=tuple(parameters.split()), **functions)


FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        _family(
            "normal",
            "mean sd",
            positive_scores=False,
            estimate=_fit_normal,
            log_pdf=lambda t, m, s: -0.5 * ((t - m) / s) ** 2 - LOG_SQRT_2PI - math.log(s),
            cdf=lambda t, m, s: ndtr((t - m) / s),
            sf=lambda t, m, s: ndtr((m - t) / s),
            ppf=lambda q, m, s: m + s * ndtri(q),
            isf=lambda q, m, s: m - s * ndtri(q),
        ),
        _family(
            "lognormal",
            "location sdlog",
            positive_scores=True,
            estimate=_fit_lognormal,
            log_pdf=lambda t, m, s: -0.5 * ((_log(t) - m) / s) ** 2 - LOG_SQRT_2PI - math.log(s) - _log(t),
            cdf=lambda t, m, s: ndtr((_log(t) - m) / s),
            sf=lambda t, m, s: ndtr((m - _log(t)) / s),
            ppf=lambda q, m, s: np.exp(m + s * ndtri(q)),
            isf=lambda q, m, s: np.exp(m - s * ndtri(q)),
        ),
        _family(
            "gamma",
            "shape scale",
            positive_scores=True,
            estimate=_fit_gamma,
            log_pdf=lambda t, k, s: (k - 1) * _log(t) - t / s - k * math.log(s) - gammaln(k),
            cdf=lambda t, k, s: gammainc(k, t / s),
            sf=lambda t, k, s: gammaincc(k, t / s),
            ppf=lambda q, k, s: s * gammaincinv(k, q),
            isf=lambda q, k, s: s * gammainccinv(k, q),
        ),
        _family(
            "exponential",
            "scale",
            positive_scores=True,
            estimate=_fit_exponential,
            log_pdf=lambda t, s: -t / s - math.log(s),
            cdf=lambda t, s: -np.expm1(-t / s),
            sf=lambda t, s: np.exp(-t / s),
            ppf=lambda q, s: -s * np.log1p(-q),
            isf=lambda q, s: -s * _log(q),
        ),
        _family(
            "weibull",
            "shape scale",
            positive_scores=True,
            estimate=_fit_weibull,
            log_pdf=lambda t, k, s: math.log(k / s) + (k - 1) * (_log(t) - math.log(s)) - (t / s) ** k,
            cdf=lambda t, k, s: -np.expm1(-((t / s) ** k)),
            sf=lambda t, k, s: np.exp(-((t / s) ** k)),
            ppf=lambda q, k, s: s * (-np.log1p(-q)) ** (1 / k),
            isf=lambda q, k, s: s * (-_log(q)) ** (1 / k),
        ),
        _family(
            "logistic",
            "location scale",
            positive_scores=False,
            estimate=_fit_logistic,
            log_pdf=lambda t, m, s: -np.abs(t - m) / s - 2 * np.log1p(np.exp(-np.abs(t - m) / s)) - math.log(s),
            cdf=lambda t, m, s: expit((t - m) / s),
            sf=lambda t, m, s: expit((m - t) / s),
            ppf=lambda q, m, s: m + s * logit(q),
            isf=lambda q, m, s: m - s * logit(q),
        ),
        _family(
            "t",
            "location scale df",
            positive_scores=False,
            estimate=_fit_t,
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
    )
}


def _t_tail(q: Floats, df: float) -> Floats:
    """The standard t score exceeded with chance q, by the beta quantile; scipy's stdtrit is wrong at 0."""
    with np.errstate(divide="ignore"):
        far = np.sqrt(df * (1 / betaincinv(df / 2, 0.5, 2 * np.minimum(q, 1 - q)) - 1))
    return np.where(q <= 0.5, far, -far)


def _log(t: Floats) -> Floats:
    """Logarithm with -inf at 0."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(t))
