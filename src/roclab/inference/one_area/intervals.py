"""Confidence intervals of an area from its standard error, on several scales."""

from __future__ import annotations

import math

from roclab._core.checks import check_choice, check_level
from roclab._core.normal import probit
from roclab._core.undefined import Undefined
from roclab.errors import InputError
from roclab.names import SCALES, SIDES, Scale, Side
from roclab.results import Interval

__all__ = ["SCALES", "Scale", "Side", "area_interval", "clopper_pearson", "deviate"]

_ROUNDING = 1e-12  # an area that near to its bound is on it
_NOTHING = 1e-15  # a share that is none


def deviate(level: float, side: Side = "two-sided", *, df: float = math.inf) -> float:
    """Normal deviate of a confidence level, 1.96 for a two-sided 0.95, or Student's with ``df`` degrees of freedom.

    >>> round(deviate(0.95), 6), round(deviate(0.95, "lower"), 6)
    (1.959964, 1.644854)
    """
    check_level(level)
    share = (1 + level) / 2 if side == "two-sided" else level
    if math.isinf(df):
        return probit(share)
    from scipy.special import stdtrit  # SciPy's special functions take longer to load than most answers

    return float(stdtrit(df, share))


def area_interval(
    area: float,
    standard_error: float,
    *,
    level: float,
    scale: Scale = "logit",
    side: Side = "two-sided",
    bounds: tuple[float, float] = (0.0, 1.0),
    pairs: float,
    name: str,
    df: float = math.inf,
    cases: float = math.nan,
) -> Interval:
    r"""Interval of an area within its bounds.

    - "logit": :math:`\operatorname{logit} A \pm z\,SE / (A (1 - A))`, back-transformed; stays inside the bounds and
      keeps its level near them, where the plain interval does not.
    - "plain": :math:`A \pm z\,SE`, as it comes, possibly beyond the bounds.
    - "clipped": the plain interval cut off at the bounds, as most programs print it.
    - "exact": Clopper-Pearson for the number of independent cases whose binomial standard error would be SE; with
      ``df`` for (z / t)² times as many, as Korn and Graubard have it.
    - "binomial": Clopper-Pearson for the nearest whole number of successes to A n in all n cases, as if they were
      independent pairs: what Stata's option of that name prints.

    Parameters
    ----------
    bounds : pair
        Smallest and largest possible value of the area; other scales than plain work on the share
        (A - low) / (high - low).
    pairs : float
        The number of independent pairs: min(P, N), of the cases in a region. At an area on its bound every standard
        error is 0, and an interval of no length would claim certainty; the logit and exact scales then return the
        exact binomial bound for ``pairs`` successes out of ``pairs`` and say so.
    name : str
        Where the standard error comes from, for the interval's ``method``.
    df : float
        Degrees of freedom the standard error is known with: t takes the place of the normal distribution.
    cases : float
        All cases, for "binomial".
    """
    check_choice(scale, "scale", SCALES)
    check_choice(side, "side", SIDES)
    z = deviate(level, side, df=df)
    low, high = bounds
    if math.isnan(standard_error):
        reason = standard_error.reason if isinstance(standard_error, Undefined) else "the standard error is undefined"
        return Interval(low=Undefined(reason), high=Undefined(reason), level=level, method=f"{name}, {scale}")
    if scale in ("plain", "clipped"):
        ends = (area - z * standard_error, area + z * standard_error)
        if scale == "clipped":
            ends = (max(ends[0], low), min(ends[1], high))
        return _sided(ends, bounds, level=level, side=side, method=f"{name}, {scale}{' t' if df < math.inf else ''}")
    width = high - low
    share = (area - low) / width
    if scale == "binomial":
        if math.isnan(cases):
            raise InputError(
                "interval", "'binomial' counts independent cases, and has no form here", way_out="use 'logit'"
            )
        tail = (1 - level) / 2 if side == "two-sided" else 1 - level
        ends = clopper_pearson(round(share * cases), cases, tail=tail)
        method = f"exact binomial on all {cases:g} cases"
        return _sided((low + width * ends[0], low + width * ends[1]), bounds, level=level, side=side, method=method)
    if share <= _ROUNDING or share >= 1 - _ROUNDING:
        share = float(round(share))
        tail = (1 - level) / 2 if side == "two-sided" else 1 - level
        ends = clopper_pearson(share * pairs, pairs, tail=tail)
        method = f"exact binomial bound on {pairs:g} independent pairs, because the area is {area:g}"
    elif scale == "logit":
        centre = math.log(share / (1 - share))
        spread = z * standard_error / width / (share * (1 - share))
        lowest = _expit(centre - spread)
        # A share of 1e-19, which t with one degree of freedom reaches, is none.
        ends = (0.0 if lowest < _NOTHING else lowest, _expit(centre + spread))
        method = f"{name}, logit" if math.isinf(df) else f"{name}, logit t"
    elif standard_error == 0:
        ends = (share, share)
        method = f"{name}, exact"
    else:
        cases = share * (1 - share) / (standard_error / width) ** 2 * (deviate(level, side) / z) ** 2
        tail = (1 - level) / 2 if side == "two-sided" else 1 - level
        ends = clopper_pearson(share * cases, cases, tail=tail)
        method = f"{name}, Clopper-Pearson on {cases:.1f} effective cases"
    return _sided((low + width * ends[0], low + width * ends[1]), bounds, level=level, side=side, method=method)


def _sided(
    ends: tuple[float, float], bounds: tuple[float, float], *, level: float, side: Side, method: str
) -> Interval:
    low = ends[0] if side != "upper" else bounds[0]
    high = ends[1] if side != "lower" else bounds[1]
    return Interval(
        low=low, high=high, level=level, method=method if side == "two-sided" else f"{method}, {side} bound"
    )


def clopper_pearson(successes: float, trials: float, *, tail: float) -> tuple[float, float]:
    """Exact binomial bounds with ``tail`` probability on each side; counts may be fractional.

    >>> low, high = clopper_pearson(26, 40, tail=0.025)
    >>> round(low, 4), round(high, 4)
    (0.4832, 0.7937)
    """
    from scipy.special import betaincinv

    low = 0.0 if successes <= 0 else float(betaincinv(successes, trials - successes + 1, tail))
    high = 1.0 if successes >= trials else float(betaincinv(successes + 1, trials - successes, 1 - tail))
    return low, high


def _expit(value: float) -> float:
    if value >= 0:
        return 1 / (1 + math.exp(-value))
    return math.exp(value) / (1 + math.exp(value))
