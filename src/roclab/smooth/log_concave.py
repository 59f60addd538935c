"""The log-concave curve: both densities the log-concave ones of highest likelihood."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from roclab.data.tally import Tally
from roclab.smooth.kernel import Kernel
from roclab.smooth.log_concave_density import LogConcave, fit_log_concave_density
from roclab.smooth.model import FiniteScores, check_some_spread, check_spread_in_each, finite_scores
from roclab.smooth.two_classes import TwoClassFit

__all__ = ["LogConcaveFit", "SmoothedLogConcaveFit", "fit_log_concave", "fit_smoothed_log_concave"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogConcaveFit(TwoClassFit):
    """Log-densities of both classes as concave broken lines."""

    log_likelihood: float
    knots_pos: int
    knots_neg: int

    def parameters(self) -> dict[str, Any]:
        """Knots of both densities, and the likelihood."""
        return {"knots pos": self.knots_pos, "knots neg": self.knots_neg, "log-likelihood": self.log_likelihood}


def fit_log_concave(tally: Tally) -> LogConcaveFit:
    r"""The ROC curve between two log-concave densities of highest likelihood [1]_: a shape, and nothing to tune.

    .. math:: A = \int S_+(t)\, \hat f_-(t)\, dt, \qquad \log \hat f \text{ concave}

    Log-concave are the normal, logistic, exponential, uniform, and gamma and Weibull densities with shape at least 1;
    heavy tails and two humps are not.

    Notes
    -----
    Densities by :func:`~roclab.smooth.log_concave_density.fit_log_concave_density`; the area by Gauss-Legendre on the
    pieces where both logarithms are straight, exact to rounding. The fitted distribution functions stay within the
    order :math:`n^{-1/2}` of the empirical ones, so the standard error is that of the structural components
    :math:`\hat F_-(x_i)` and :math:`\hat S_+(y_j)`. Each density ends at its smallest and largest score, so the curve
    may start with an upright and end with a level stretch. Each class needs two distinct scores.

    References
    ----------
    .. [1] Rufibach K. A smooth ROC curve estimator based on log-concave density estimates. Int J Biostat 2012;8(1):7.
       doi:10.1515/1557-4679.1378

    Examples
    --------
    Uniform on (0, 1) against uniform on (1/2, 3/2): the negative wins with chance 1/8.

    >>> fit = fit_log_concave(Tally.from_samples(np.array([0.5, 1.5]), np.array([0.0, 1.0])))
    >>> round(fit.area, 9)
    0.875
    """
    pos, neg = finite_scores(tally, model="log-concave")
    check_some_spread(pos, neg, model="log-concave")
    check_spread_in_each(pos, neg, model="log-concave")
    upper, lower = fit_log_concave_density(pos), fit_log_concave_density(neg)
    variance = 0.0
    for side, components in ((pos, lower.cdf(pos.values)), (neg, upper.sf(neg.values))):
        mean = float(side.counts @ components) / side.size
        variance += float(side.counts @ (components - mean) ** 2) / ((side.size - 1) * side.size)
    converged = upper.converged and lower.converged
    return LogConcaveFit(
        method="log_concave",
        area=_area(upper, lower),
        standard_error=math.sqrt(variance),
        standard_error_method="structural components of the fitted distributions",
        sample=tally.sample,
        converged=converged,
        iterations=upper.iterations + lower.iterations,
        notes=() if converged else ("The active-set search stopped early; the densities are close to the best ones.",),
        log_likelihood=upper.log_likelihood + lower.log_likelihood,
        knots_pos=upper.knots.size,
        knots_neg=lower.knots.size,
        _pos=upper,
        _neg=lower,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmoothedLogConcaveFit(TwoClassFit):
    """Log-concave densities of both classes, each spread by a normal kernel until it has the variance of its scores."""

    log_likelihood: float
    bandwidth_pos: float
    bandwidth_neg: float

    def parameters(self) -> dict[str, Any]:
        """Standard deviations of the kernels."""
        return {"bandwidth pos": self.bandwidth_pos, "bandwidth neg": self.bandwidth_neg}


def fit_smoothed_log_concave(tally: Tally) -> SmoothedLogConcaveFit:
    r"""The log-concave curve with smoothed densities [1]_: no corners, and tails beyond the observed scores.

    Each density is convolved with a normal of variance :math:`s^2 - \operatorname{Var} \hat f`, what the fitted density
    lacks of the variance of the scores; nothing is to be tuned. Convolutions are sums over 20 Gauss-Legendre nodes on
    every straight piece of the logarithm.

    References
    ----------
    .. [1] Dümbgen L, Rufibach K. logcondens. J Stat Softw 2011;39(6). doi:10.18637/jss.v039.i06

    Examples
    --------
    >>> tally = Tally.from_samples(np.array([1.0, 2.0, 3.0, 5.0]), np.array([0.0, 1.0, 2.0, 2.5]))
    >>> round(fit_smoothed_log_concave(tally).area, 4)
    0.745
    """
    plain = fit_log_concave(tally)
    pos, neg = finite_scores(tally, model="log-concave")
    upper, lower = (_spread(side, density) for side, density in ((pos, plain._pos), (neg, plain._neg)))
    width = math.hypot(upper.width, lower.width)
    sums = Kernel(lower.scores, width, 1.0).cdf(upper.scores.values)
    variance = 0.0
    for side, components in ((pos, lower.cdf(pos.values)), (neg, upper.sf(neg.values))):
        mean = float(side.counts @ components) / side.size
        variance += float(side.counts @ (components - mean) ** 2) / ((side.size - 1) * side.size)
    return SmoothedLogConcaveFit(
        method="log_concave_smoothed",
        area=min(max(float(upper.scores.counts @ sums), 0.0), 1.0),
        standard_error=math.sqrt(variance),
        standard_error_method="structural components of the fitted distributions",
        sample=tally.sample,
        converged=plain.converged,
        iterations=plain.iterations,
        notes=plain.notes,
        log_likelihood=plain.log_likelihood,
        bandwidth_pos=upper.width,
        bandwidth_neg=lower.width,
        _pos=upper,
        _neg=lower,
    )


def _spread(scores: FiniteScores, density: Any) -> Kernel:
    """The density as weighted nodes, under a normal kernel that makes up for the variance it lacks."""
    nodes, weights = np.polynomial.legendre.leggauss(20)
    low, run = density.knots[:-1, None], np.diff(density.knots)[:, None]
    t = (low + run * (nodes + 1) / 2).ravel()
    mass = np.exp(density.log_pdf(t)) * (run * weights / 2).ravel()
    mass /= mass.sum()
    mean = float(mass @ t)
    lacking = scores.variance() - float(mass @ (t - mean) ** 2)
    # A density of full variance needs no kernel; the least one keeps formulas for kernels valid.
    return Kernel(FiniteScores(t, mass), math.sqrt(max(lacking, 1e-12 * scores.variance())), 1.0)


def _area(pos: LogConcave, neg: LogConcave) -> float:
    """Integral of the survival of the positives over the density of the negatives, piece by piece."""
    if pos.knots[0] >= neg.knots[-1] or pos.knots[-1] <= neg.knots[0]:
        return float(pos.knots[0] >= neg.knots[-1])
    nodes, weights = np.polynomial.legendre.leggauss(20)
    nodes, weights = (nodes + 1) / 2, weights / 2
    inside = (pos.knots > neg.knots[0]) & (pos.knots < neg.knots[-1])
    ends = np.unique(np.concatenate([neg.knots, pos.knots[inside]]))
    total = 0.0
    for low, high in pairwise(ends.tolist()):
        pair = np.array([low, high])
        inner = pair + np.array([1e-9, -1e-9]) * (high - low)
        climb = np.abs(np.diff(neg.log_pdf(pair)))[0]
        if pos.knots[0] <= inner[0] and inner[1] <= pos.knots[-1]:
            climb += np.abs(np.diff(pos.log_pdf(inner)))[0]
        parts = max(1, math.ceil(climb / 4))  # an exponent that changes by 4 is exact with 20 nodes
        starts = low + (high - low) * np.arange(parts) / parts
        t = (starts[:, None] + (high - low) / parts * nodes).ravel()
        heights = pos.sf(t) * np.exp(neg.log_pdf(t))
        total += (high - low) / parts * float(np.sum(heights.reshape(parts, -1) @ weights))
    return float(min(max(total, 0.0), 1.0))
