"""Rates at a fixed point of a smooth curve, with intervals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import ndtr, ndtri

from roclab._core.checks import check_choice, check_fraction
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.inference.one_area.bootstrap import bootstrap_area, bootstrap_interval
from roclab.inference.one_area.intervals import deviate
from roclab.names import SMOOTH_MODELS, Side
from roclab.options.uncertainty import Resampling
from roclab.results import Interval, RateEstimate
from roclab.smooth.binormal import BinormalFit
from roclab.smooth.methods import SMOOTH_METHODS
from roclab.smooth.model import SmoothRoc
from roclab.smooth.region import fpr_at

__all__ = ["smooth_rate_at"]


def smooth_rate_at(
    tally: Tally,
    estimator: str,
    *,
    specificity: float | None = None,
    sensitivity: float | None = None,
    level: float = 0.95,
    side: Side = "two-sided",
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> RateEstimate:
    r"""Sensitivity at a specificity, or the reverse, of a smooth curve.

    For the binormal curve the probit of the sensitivity is :math:`a + b\,\Phi^{-1}(1 - sp)`, whose error follows from
    the covariance of a and b, and so does that of the specificity, :math:`-(\Phi^{-1}(se) - a)/b`; the interval is made
    there and brought back. Other models are fitted anew in every bootstrap sample, and have percentile intervals.

    >>> ratings = Tally.from_counts(np.arange(1.0, 6.0), np.array([3, 2, 2, 11, 33]), np.array([33, 6, 6, 11, 2]))
    >>> found = smooth_rate_at(ratings, "binormal", specificity=0.9)
    >>> round(found.rate, 3), round(found.interval.low, 3), round(found.interval.high, 3)
    (0.771, 0.617, 0.883)
    """
    check_choice(estimator, "estimator", SMOOTH_MODELS)
    if (specificity is None) == (sensitivity is None):
        got = "neither" if specificity is None else "both"
        raise InputError("", "give exactly one of specificity and sensitivity", Words(got), "the other is found for it")
    name, fixed = ("specificity", specificity) if specificity is not None else ("sensitivity", sensitivity)
    assert fixed is not None
    fixed = check_fraction(fixed, name, way_out="write 0.9 for 90%", open_ends=True)

    def value(fit: SmoothRoc) -> float:
        if specificity is not None:
            return float(fit.tpr(np.array([1 - fixed]))[0])
        return 1 - float(fpr_at(fit, np.array([fixed]))[0])

    fit = SMOOTH_METHODS[estimator].fit(tally)
    rate = value(fit)
    if isinstance(fit, BinormalFit) and fit.status != "degenerate":
        error, interval = _by_delta(fit, fixed, specificity is not None, level, side)
    else:
        sampled = bootstrap_area(
            tally, lambda one: value(SMOOTH_METHODS[estimator].fit(one)), resampling=resampling, rng=rng
        )
        error = sampled.standard_error
        interval = bootstrap_interval(sampled.replicates, rate, level=level, side=side, name=sampled.describe())
    other = "sensitivity" if specificity is not None else "specificity"
    return RateEstimate(
        quantity=f"{other} at {name} {fixed:g}",
        rate=rate,
        standard_error=error,
        interval=interval,
        method=estimator,
        sample=tally.sample,
    )


def _by_delta(fit: BinormalFit, fixed: float, of_sensitivity: bool, level: float, side: Side) -> tuple[float, Interval]:
    if of_sensitivity:
        z = float(ndtri(1 - fixed))
        probit, gradient = fit.a + fit.b * z, np.array([1.0, z])
    else:
        lift = float(ndtri(fixed)) - fit.a
        probit, gradient = -lift / fit.b, np.array([1 / fit.b, lift / fit.b**2])
    error = math.sqrt(max(float(gradient @ fit.covariance @ gradient), 0.0))
    half = deviate(level, side) * error
    low = 0.0 if side == "upper" else float(ndtr(probit - half))
    high = 1.0 if side == "lower" else float(ndtr(probit + half))
    density = math.exp(-(probit**2) / 2) / math.sqrt(2 * math.pi)
    return density * error, Interval(low=low, high=high, level=level, method="delta method, probit")
