"""The Box-Cox normal curve NT: both classes normal after one power transform, found by maximum likelihood."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from roclab._core.checks import check_positive
from roclab._core.types import Floats
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.results import Sample
from roclab.smooth.model import FiniteScores, check_some_spread, check_spread_in_each, finite_scores, user_sign
from roclab.smooth.normal import LOG_SQRT_2PI, Normal, normal_area, normal_of
from roclab.smooth.two_classes import TwoClassFit

__all__ = ["BoxCoxFit", "Power", "box_cox", "fit_box_cox", "fit_power"]

LOWEST, HIGHEST = -5.0, 5.0
SHIFT_EPS = 0.1


class Power(NamedTuple):
    """A fitted power transform of both classes."""

    power: float  # lambda
    shift: float  # added to every score first
    log_likelihood: float  # profile, without the constant of the normal density
    at_bound: bool
    fixed: bool  # given by the user
    iterations: int
    pos: FiniteScores  # transformed scores, higher meaning positive
    neg: FiniteScores

    def notes(self) -> tuple[str, ...]:
        """What a reader should know about the transform."""
        out = []
        if self.shift:
            out.append(
                f"{self.shift:g} was added to every score, because Box-Cox needs scores above 0; "
                "the result depends on the units of the score."
            )
        if self.at_bound:
            out.append(
                f"lambda is at the bound {self.power:g} of its range; no power transform makes these scores normal."
            )
        return tuple(out)

    def original(self, t: float, sample: Sample) -> float:
        """A transformed threshold in the user's units; ±inf beyond the range of the transform."""
        sign = user_sign(sample)
        value = sign * t
        if self.power == 0:
            return math.exp(min(value, 709.0)) - self.shift
        inside = self.power * value
        if inside <= -1:
            return -self.shift if self.power > 0 else math.inf
        if math.isinf(inside):
            return math.inf if self.power > 0 else -self.shift
        return math.exp(min(math.log1p(inside) / self.power, 709.0)) - self.shift

    def on_score_axis(self, t: Floats, sample: Sample) -> tuple[Floats, Floats]:
        """Original scores of transformed ones, NaN beyond the range of the transform, and its slope there."""
        x = np.array([self.original(float(one), sample) for one in t])
        x[x <= -self.shift] = np.nan
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            return x, (x + self.shift) ** (self.power - 1)


def box_cox(values: Floats, power: float) -> Floats:
    r"""Box and Cox's transform :math:`(z^\lambda - 1)/\lambda`, and :math:`\log z` at 0, without cancellation.

    >>> box_cox(np.array([1.0, 3.0]), 2.0).round(12).tolist(), box_cox(np.array([1.0]), 0.0).tolist()
    ([0.0, 4.0], [0.0])
    """
    logs = np.log(values)
    if power == 0:
        return logs
    with np.errstate(over="ignore"):
        return np.asarray(np.expm1(power * logs) / power)


def fit_power(tally: Tally, *, shift_eps: float = SHIFT_EPS, power: float | None = None, model: str) -> Power:
    r"""The power that makes both classes most normal, by joint maximum likelihood.

    .. math:: \ell(\lambda) = -\tfrac m2 \log v_x(\lambda) - \tfrac n2 \log v_y(\lambda)
              + (\lambda - 1)\left(\sum \log x + \sum \log y\right)

    with :math:`v` the variances (divisor n) of the transformed scores. A grid over [-5, 5], then Brent's method. If a
    score is not positive, ``shift_eps`` minus the smallest score is added to all first. O(n) per value of lambda.
    """
    check_positive(shift_eps, "shift_eps", way_out="it is how far above 0 the smallest shifted score lies")
    pos, neg = finite_scores(tally, model=model)
    check_some_spread(pos, neg, model=model)
    sign = user_sign(tally.sample)
    pos, neg = pos.mapped(sign * pos.values), neg.mapped(sign * neg.values)
    least = min(pos.values[0], neg.values[0])
    shift = 0.0 if least > 0 else shift_eps - float(least)
    pos, neg = (FiniteScores(side.values + shift, side.counts) for side in (pos, neg))
    check_spread_in_each(pos, neg, model=model)
    if not min(pos.values[0], neg.values[0]) > 0:
        raise InputError(
            "shift_eps", "must lift the smallest score above 0", Words(f"{shift_eps:g}, lost beside {abs(least):g}"),
            "rescale the scores, or give a larger one",
        )  # fmt: skip
    size = pos.size + neg.size
    logs = [np.log(side.values) for side in (pos, neg)]
    centre = sum(float(np.dot(side.counts, log)) for side, log in zip((pos, neg), logs, strict=True)) / size
    at_bound, iterations = False, 0

    def profile(value: float) -> float:
        # Divided by their geometric mean the scores have no Jacobian left, and their powers stay in range.
        total = -size * centre
        for side, log in zip((pos, neg), logs, strict=True):
            u = log - centre
            with np.errstate(over="ignore", invalid="ignore"):
                variance = FiniteScores(np.expm1(value * u) / value if value else u, side.counts).variance(ddof=0)
            if not 0 < variance < math.inf:
                return -math.inf
            total -= side.size / 2 * math.log(variance)
        return total

    if power is None:
        chosen, at_bound, iterations = _maximise(profile)
    else:
        if not isinstance(power, int | float) or not math.isfinite(power):
            raise InputError("power", "must be a finite number", power, "leave it out to estimate it")
        chosen = float(power)
    likelihood = profile(chosen)
    moved = [box_cox(side.values, chosen) for side in (pos, neg)]
    if not math.isfinite(likelihood) or not all(np.all(np.isfinite(values)) for values in moved):
        raise InputError(
            "score",
            f"must stay in the range of numbers when raised to the power {chosen:g}, and does not",
            way_out="rescale the scores or give another power",
        )
    return Power(
        power=chosen,
        shift=shift,
        log_likelihood=likelihood,
        at_bound=at_bound,
        fixed=power is not None,
        iterations=iterations,
        pos=pos.mapped(sign * moved[0]),
        neg=neg.mapped(sign * moved[1]),
    )


def _maximise(profile: Any) -> tuple[float, bool, int]:
    from scipy.optimize import minimize_scalar

    grid = np.linspace(LOWEST, HIGHEST, 41)
    heights = np.array([profile(float(value)) for value in grid])
    best = int(np.argmax(heights))
    if not math.isfinite(heights[best]):
        raise InputError(
            "score", "must have a finite spread on some power scale, and has none", way_out="rescale the scores"
        )
    around = (grid[max(best - 1, 0)], grid[min(best + 1, grid.size - 1)])
    minimum = minimize_scalar(lambda value: -profile(value), bounds=around, method="bounded", options={"xatol": 1e-9})
    value = float(minimum.x)
    bound = LOWEST if best == 0 else HIGHEST
    if best in (0, grid.size - 1) and abs(value - bound) < 1e-6:
        return bound, True, int(minimum.nfev) + grid.size
    return value, False, int(minimum.nfev) + grid.size


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoxCoxFit(TwoClassFit):
    """The power and the normal distributions on the transformed scale."""

    power: float
    shift: float
    log_likelihood: float
    power_at_bound: bool
    mean_pos: float
    sd_pos: float
    mean_neg: float
    sd_neg: float
    _power: Power

    def parameters(self) -> dict[str, Any]:
        """Power, shift, means and standard deviations after the transform."""
        return {
            "lambda": self.power,
            "shift": self.shift,
            "mean pos": self.mean_pos,
            "sd pos": self.sd_pos,
            "mean neg": self.mean_neg,
            "sd neg": self.sd_neg,
        }

    def _in_user_units(self, t: float) -> float:
        assert self.sample is not None
        return self._power.original(t, self.sample)

    def _on_score_axis(self, t: Floats) -> tuple[Floats, Floats]:
        assert self.sample is not None
        return self._power.on_score_axis(t, self.sample)


def fit_box_cox(tally: Tally, *, shift_eps: float = SHIFT_EPS, power: float | None = None) -> BoxCoxFit:
    r"""The normal curve after one Box-Cox transform of all scores: NT.

    The power comes from :func:`fit_power`; then :func:`~roclab.smooth.normal.fit_normal` applies to the transformed
    scores [1]_. The area does not change when all scores are multiplied by a positive number, unless a shift is needed.

    Parameters
    ----------
    shift_eps : float
        If some score is not positive, all are shifted so that the smallest becomes this. Not free of scale.
    power : float, optional
        A lambda to use instead of the estimate.

    Notes
    -----
    Standard error by the delta method from the observed information of (lambda, two means, two variances), so that
    the uncertainty of lambda counts; with a given lambda, or one at its bound, lambda counts as known.
    A constant class has no likelihood and is an error.

    References
    ----------
    .. [1] Faraggi D, Reiser B. Stat Med 2002;21:3093-3106, section 2.2. doi:10.1002/sim.1228

    Examples
    --------
    >>> x, y = np.exp([1.0, 2.0, 3.0, 4.0]), np.exp([0.0, 1.0, 2.0, 3.0])
    >>> fit = fit_box_cox(Tally.from_samples(x, y))
    >>> round(abs(fit.power), 4), round(fit.area, 4)
    (0.0, 0.7081)
    """
    fit = fit_power(tally, shift_eps=shift_eps, power=power, model="Box-Cox")
    upper, lower = normal_of(fit.pos), normal_of(fit.neg)
    area, error = normal_area(upper, lower, fit.pos.size, fit.neg.size)
    how = "delta method, lambda held fixed"
    if not (fit.fixed or fit.at_bound):
        error, how = _profiled_error(fit, upper, lower, user_sign(tally.sample)), "delta method, lambda estimated"
    return BoxCoxFit(
        method="box_cox",
        area=area,
        standard_error=error,
        standard_error_method=how,
        sample=tally.sample,
        converged=not fit.at_bound,
        iterations=fit.iterations,
        notes=fit.notes(),
        power=fit.power,
        shift=fit.shift,
        log_likelihood=fit.log_likelihood,
        power_at_bound=fit.at_bound,
        mean_pos=upper.mean,
        sd_pos=upper.sd,
        mean_neg=lower.mean,
        sd_neg=lower.sd,
        _pos=upper,
        _neg=lower,
        _power=fit,
    )


def _profiled_error(found: Power, pos: Normal, neg: Normal, sign: float) -> float:
    """Delta-method standard error with the information of lambda profiled out.

    Given lambda the four normal parameters have a diagonal information D; with c the cross terms of lambda and k its
    own information, the inverse adds (D^-1 c)(D^-1 c)' / (k - c' D^-1 c) to the covariance D^-1.
    """
    v_pos, v_neg = pos.sd**2, neg.sd**2
    total = v_pos + v_neg
    delta = (pos.mean - neg.mean) / math.sqrt(total)
    gradient = np.array([1, -1, -delta / (2 * math.sqrt(total)), -delta / (2 * math.sqrt(total))]) / math.sqrt(total)
    inverse, cross, own = np.empty(4), np.empty(4), 0.0
    for at, (side, normal) in enumerate(((found.pos, pos), (found.neg, neg))):
        z, w, v = side.values, side.counts, normal.sd**2
        raw = sign * z
        logs = np.log1p(found.power * raw) / found.power if found.power else raw
        first, second = (sign * d for d in _power_derivatives(logs, found.power))
        centred = z - normal.mean
        inverse[at], inverse[at + 2] = v / side.size, 2 * v**2 / (side.size - 1)
        cross[at], cross[at + 2] = -float(w @ first) / v, -float(w @ (centred * first)) / v**2
        own += float(w @ (first**2 + centred * second)) / v
    left = own - float(cross @ (inverse * cross))
    variance = float(gradient @ (inverse * gradient))
    if left > 0:
        variance += float(gradient @ (inverse * cross)) ** 2 / left
    return math.exp(-0.5 * delta**2 - LOG_SQRT_2PI) * math.sqrt(variance)


def _power_derivatives(logs: Floats, power: float) -> tuple[Floats, Floats]:
    """First and second derivative of the transform with respect to lambda.

    The transform is L times the integral of exp(s lambda L) over s in (0, 1), L = log z, so the derivatives put s and
    s^2 under the integral: Gauss-Legendre is exact to rounding for the exponents that occur, and never cancels.
    """
    nodes, weights = np.polynomial.legendre.leggauss(40)
    first, second = np.zeros(logs.shape), np.zeros(logs.shape)
    for node, weight in zip((nodes + 1) / 2, weights / 2, strict=True):
        wave = weight * np.exp(node * power * logs)
        first += node * wave
        second += node**2 * wave
    return logs**2 * first, logs**3 * second
