"""The normal curve N: both classes normal, each with its own mean and variance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from roclab._core.types import Floats
from roclab.data.tally import Tally
from roclab.smooth.model import FiniteScores, check_some_spread, finite_scores
from roclab.smooth.two_classes import TwoClassFit

__all__ = ["Normal", "NormalFit", "fit_normal", "normal_area"]

LOG_SQRT_2PI = 0.5 * math.log(2 * math.pi)


@dataclass(frozen=True, slots=True, kw_only=True)
class Normal:
    """A normal distribution; with sd 0 a point."""

    mean: float
    sd: float

    @property
    def has_density(self) -> bool:
        """False for a point."""
        return self.sd > 0

    def _standard(self, t: Floats) -> Floats:
        if self.sd == 0:  # a score equal to the point counts half below it
            return np.where(t == self.mean, 0.0, np.where(t > self.mean, np.inf, -np.inf))
        return (t - self.mean) / self.sd

    def cdf(self, t: Floats) -> Floats:
        """Chance of at most t."""
        return np.asarray(ndtr(self._standard(t)))

    def sf(self, t: Floats) -> Floats:
        """Chance of more than t."""
        return np.asarray(ndtr(-self._standard(t)))

    def log_pdf(self, t: Floats) -> Floats:
        """Logarithm of the density."""
        return np.asarray(-0.5 * self._standard(t) ** 2 - LOG_SQRT_2PI - math.log(self.sd))

    def ppf(self, q: Floats) -> Floats:
        """Quantile from below."""
        return self._quantile(ndtri(q))

    def isf(self, q: Floats) -> Floats:
        """Quantile from above."""
        return self._quantile(-ndtri(q))

    def _quantile(self, z: Floats) -> Floats:
        return self.mean + self.sd * z if self.sd > 0 else np.full(z.shape, self.mean)

    def grid(self) -> Floats:
        """Thresholds for a search."""
        return self.mean + self.sd * np.linspace(-9, 9, 361)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NormalFit(TwoClassFit):
    """Means and standard deviations of the scores of both classes, in the user's units."""

    mean_pos: float
    sd_pos: float
    mean_neg: float
    sd_neg: float

    def parameters(self) -> dict[str, Any]:
        """Means and standard deviations."""
        return {
            "mean pos": self.mean_pos,
            "sd pos": self.sd_pos,
            "mean neg": self.mean_neg,
            "sd neg": self.sd_neg,
        }


def fit_normal(tally: Tally) -> NormalFit:
    r"""The ROC curve between two normal distributions, O(n) after the tally's sort.

    .. math:: A = \Phi(\delta), \quad \delta = \frac{\bar x - \bar y}{\sqrt{s_x^2 + s_y^2}}, \qquad
              TPR(f) = \Phi\left(\frac{\bar x - \bar y + s_y \Phi^{-1}(f)}{s_x}\right)

    with the means and standard deviations (divisor n - 1) of the m positives x and the n negatives y [1]_.

    Notes
    -----
    Standard error by the delta method,

    .. math:: SE^2 = \varphi(\delta)^2 \left[\frac{s_x^2/m + s_y^2/n}{S}
              + \frac{\delta^2}{2 S^2}\left(\frac{s_x^4}{m-1} + \frac{s_y^4}{n-1}\right)\right],\quad S = s_x^2 + s_y^2.

    One constant class is allowed (the curve is then a step); two, or a class of one case, are an error.

    References
    ----------
    .. [1] Faraggi D, Reiser B. Estimation of the area under the ROC curve. Stat Med 2002;21:3093-3106, section 2.
       doi:10.1002/sim.1228

    Examples
    --------
    Means 1 and 0, variances 1 and 1, so A = Φ(1/√2):

    >>> fit = fit_normal(Tally.from_samples(np.array([0.0, 1.0, 2.0]), np.array([-1.0, 0.0, 1.0])))
    >>> round(fit.area, 6), round(fit.tpr(0.5).item(), 6)
    (0.76025, 0.841345)
    """
    pos, neg = finite_scores(tally, model="normal")
    check_some_spread(pos, neg, model="normal")
    upper, lower = normal_of(pos), normal_of(neg)
    area, error = normal_area(upper, lower, pos.size, neg.size)
    sign = 1.0 if tally.sample.direction == "higher" else -1.0
    return NormalFit(
        method="normal",
        area=area,
        standard_error=error,
        standard_error_method="delta method",
        sample=tally.sample,
        mean_pos=sign * upper.mean,
        sd_pos=upper.sd,
        mean_neg=sign * lower.mean,
        sd_neg=lower.sd,
        _pos=upper,
        _neg=lower,
    )


def normal_of(scores: FiniteScores) -> Normal:
    """Mean and standard deviation (divisor n - 1) of one class."""
    return Normal(mean=scores.mean, sd=math.sqrt(scores.variance()))


def normal_area(pos: Normal, neg: Normal, n_pos: float, n_neg: float) -> tuple[float, float]:
    """Area between two normal distributions, and its delta-method standard error.

    >>> area, error = normal_area(Normal(mean=1, sd=1), Normal(mean=0, sd=1), 50, 50)
    >>> round(area, 6), round(error, 6)
    (0.76025, 0.046657)
    """
    # Scaled by the larger standard deviation, so that no square overflows or vanishes.
    unit = max(pos.sd, neg.sd)
    v_pos, v_neg = (pos.sd / unit) ** 2, (neg.sd / unit) ** 2
    total = v_pos + v_neg
    delta = (pos.mean - neg.mean) / unit / math.sqrt(total)
    variance = (v_pos / n_pos + v_neg / n_neg) / total
    variance += delta**2 / (2 * total**2) * (v_pos**2 / (n_pos - 1) + v_neg**2 / (n_neg - 1))
    density = math.exp(-0.5 * delta**2 - LOG_SQRT_2PI)
    return float(ndtr(delta)), density * math.sqrt(variance)
