"""Maximum likelihood of one class of scores in each parametric family."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy.special import betaln, digamma, expit, gammaln, zeta

from roclab._core.types import Floats
from roclab.smooth.model import FiniteScores

__all__ = [
    "MaximumLikelihood",
    "Parameters",
    "fit_beta",
    "fit_cauchy",
    "fit_exponential",
    "fit_gamma",
    "fit_logistic",
    "fit_lognormal",
    "fit_normal",
    "fit_t",
    "fit_weibull",
]

Parameters = tuple[float, ...]
LOWEST_DF, HIGHEST_DF = 0.3, 200.0


class MaximumLikelihood(NamedTuple):
    """Estimated parameters, and how the search ended."""

    values: Parameters
    iterations: int = 0
    converged: bool = True
    fixed: tuple[int, ...] = ()  # parameters at a bound, which count as known
    note: str = ""


def fit_normal(scores: FiniteScores) -> MaximumLikelihood:
    """Mean and root mean square deviation."""
    return MaximumLikelihood((scores.mean, math.sqrt(scores.variance(ddof=0))))


def fit_lognormal(scores: FiniteScores) -> MaximumLikelihood:
    """Those of the logarithms."""
    return fit_normal(FiniteScores(np.log(scores.values), scores.counts))


def fit_exponential(scores: FiniteScores) -> MaximumLikelihood:
    """The mean."""
    return MaximumLikelihood((scores.mean,))


def fit_gamma(scores: FiniteScores) -> MaximumLikelihood:
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


def fit_weibull(scores: FiniteScores) -> MaximumLikelihood:
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


def fit_logistic(scores: FiniteScores) -> MaximumLikelihood:
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


def fit_beta(scores: FiniteScores) -> MaximumLikelihood:
    """Newton's method in (alpha, beta), where the likelihood is concave, from the estimates by moments."""
    share = scores.counts / scores.size
    logs = np.array([float(share @ np.log(scores.values)), float(share @ np.log1p(-scores.values))])
    mean = scores.mean
    size = max(mean * (1 - mean) / scores.variance(ddof=0) - 1, 1e-3)
    theta = np.array([mean, 1 - mean]) * size

    def height(at: Floats) -> float:
        return float((at - 1) @ logs) - float(betaln(*at))

    here = height(theta)
    for iteration in range(1, 101):
        gradient = logs - digamma(theta) + digamma(theta.sum())
        information = np.diag(zeta(2, theta)) - zeta(2, theta.sum())  # trigamma(x) = zeta(2, x)
        step = np.linalg.solve(information, gradient)
        rise = float(gradient @ step)
        length = min(1.0, 0.9 * float(np.min(theta / np.maximum(-step, 1e-300))))  # both stay positive
        while length > 1e-12:
            reached = height(theta + length * step)
            if reached >= here + 1e-4 * length * rise or rise < 1e-9:
                break
            length /= 2
        theta, here = theta + length * step, reached
        if rise < 1e-14:
            return MaximumLikelihood((float(theta[0]), float(theta[1])), iteration)
    return MaximumLikelihood((float(theta[0]), float(theta[1])), 100, False)


def fit_t(scores: FiniteScores) -> MaximumLikelihood:
    """Location, scale and degrees of freedom (0.3 to 200) by a bounded quasi-Newton search with exact gradients."""
    centre, unit = scores.mean, math.sqrt(scores.variance(ddof=0))
    starts = [(0.5 * math.log((df - 2) / df), df) for df in (3.0, 30.0)]
    found, collapsed = _search_t(scores, centre, unit, starts, (LOWEST_DF, HIGHEST_DF))
    df = found.values[2]
    if collapsed:
        return found._replace(note="The t distribution collapsed onto tied scores; choose another family.")
    if found.fixed:
        return found._replace(note=f"The degrees of freedom of the t distribution are at their bound {df:.3g}.")
    return found


def fit_cauchy(scores: FiniteScores) -> MaximumLikelihood:
    """Location and scale: the search of the t distribution with one degree of freedom, from median and quartiles.

    From three cases on the likelihood has one maximum, unless half of them or more are tied at one score [1]_.

    References
    ----------
    .. [1] Copas JB. On the unimodality of the likelihood for the Cauchy distribution. Biometrika 1975;62:701-704.
    """
    reached = np.cumsum(scores.counts) / scores.size
    low, centre, high = (float(scores.values[np.searchsorted(reached, q)]) for q in (0.25, 0.5, 0.75))
    # Mean and standard deviation would let one far score, of which there are many here, make all others look tied.
    unit = (high - low) / 2 or math.sqrt(scores.variance(ddof=0))
    found, collapsed = _search_t(scores, centre, unit, [(0.0, 1.0)], (1.0, 1.0))
    note = "The Cauchy distribution collapsed onto tied scores; choose another family." if collapsed else ""
    return found._replace(values=found.values[:2], fixed=(), note=note)


def _search_t(
    scores: FiniteScores,
    centre: float,
    unit: float,
    starts: Sequence[tuple[float, float]],
    df_bounds: tuple[float, float],
) -> tuple[MaximumLikelihood, bool]:
    """Location, scale and degrees of freedom from starts (log scale, df); and whether the scale fell to nothing."""
    from scipy.optimize import minimize

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
    lowest, highest = df_bounds
    bounds = [(-1e6, 1e6), (narrowest, math.log(10.0)), (math.log(lowest), math.log(highest))]
    best: Any = None
    search: Any = minimize  # its stubs do not know options as a dictionary
    for log_scale, df in starts:
        start = np.array([0.0, log_scale, math.log(df)])
        options = {"ftol": 1e-15, "gtol": 1e-9, "maxiter": 500}
        found = search(minus, start, jac=True, method="L-BFGS-B", bounds=bounds, options=options)
        if best is None or found.fun < best.fun:
            best = found
    m, s, df = float(best.x[0]), math.exp(best.x[1]), math.exp(best.x[2])
    collapsed = best.x[1] <= narrowest + 1e-6
    at_bound = not lowest * 1.0001 < df < highest / 1.0001
    flat = float(np.max(np.abs(minus(best.x)[1][: 2 if at_bound else 3]))) < 1e-5
    values = (centre + unit * m, unit * s, df)
    return MaximumLikelihood(values, int(best.nit), flat and not collapsed, (2,) if at_bound else ()), collapsed
