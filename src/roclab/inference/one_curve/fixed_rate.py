"""Sensitivity at a fixed specificity, and the reverse, with score intervals or by the bootstrap.

Both are heights of a ROC curve: the specificity at a sensitivity is the height of the curve mirrored about
tpr = 1 - fpr. So they share the limits of the pointwise band, of which they are single points: those of
``pointwise_limits``, or where resampling is asked for its draws and the binomial floor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.types import Floats
from roclab.curves.roc import RocCurve, rates, roc_curve
from roclab.data.tally import Tally, subjects_at_hand
from roclab.errors import InputError, Words
from roclab.inference.one_area.bootstrap import Bootstrap, bootstrap_interval, run_bootstrap_rows, tally_draws
from roclab.inference.one_area.variance import effective_sizes
from roclab.inference.one_curve.band_floor import binomial_floor
from roclab.inference.one_curve.curve_draws import curve_draws
from roclab.inference.one_curve.pointwise_limits import pointwise_limits
from roclab.names import Side
from roclab.options.uncertainty import Resampling, resampling_of
from roclab.results import Interval, RateEstimate

__all__ = ["ONE_DEVIATE", "RateStatistic", "rate_at", "rate_estimate", "rate_replicates", "rate_statistic", "rates_at"]

ONE_DEVIATE = 0.6826894921370859  # level of an interval of one standard deviation to either side


@dataclass(frozen=True, slots=True, kw_only=True)
class RateStatistic:
    """One rate where the other is fixed: a height of the curve, or of the mirrored one."""

    name: str
    at: float  # on the horizontal axis of the curve that is read
    mirrored: bool

    def facing(self, tally: Tally) -> Tally:
        """The tally whose curve is read."""
        return tally.mirrored() if self.mirrored else tally

    def value(self, tally: Tally) -> float:
        """The rate of a sample, on the straight lines of its curve."""
        return float(roc_curve(self.facing(tally)).at(self.at)[0])


def rate_statistic(*, specificity: float | None = None, sensitivity: float | None = None) -> RateStatistic:
    """The sensitivity at a specificity, or the specificity at a sensitivity."""
    if (specificity is None) == (sensitivity is None):
        raise InputError(
            "", "give exactly one of specificity and sensitivity",
            Words("neither" if specificity is None else "both"), "the other rate is then found for it",
        )  # fmt: skip
    if specificity is not None:
        fixed = float(rates(specificity, "specificity")[0])
        return RateStatistic(name=f"sensitivity at specificity {fixed:g}", at=1 - fixed, mirrored=False)
    fixed = float(rates(sensitivity, "sensitivity")[0])
    return RateStatistic(name=f"specificity at sensitivity {fixed:g}", at=1 - fixed, mirrored=True)


def rate_at(
    tally: Tally,
    *,
    specificity: float | None = None,
    sensitivity: float | None = None,
    level: float = 0.95,
    side: Side = "two-sided",
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> RateEstimate:
    """Sensitivity at a specificity (or the reverse), on the curve's straight lines, with its interval.

    A score interval, and as its standard error half the length of the one that reaches one deviate to either side; with
    ``resampling`` or ``rng`` percentiles and deviation of resampled curves.
    """
    statistic = rate_statistic(specificity=specificity, sensitivity=sensitivity)
    return rates_at(tally, [statistic], level=level, side=side, resampling=resampling, rng=rng)[0]


def rates_at(
    tally: Tally,
    statistics: Sequence[RateStatistic],
    *,
    level: float = 0.95,
    side: Side = "two-sided",
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> list[RateEstimate]:
    """Rates of one kind at several places, resampled ones from the same curves; the cost hardly depends on n.

    Subjects with several cases are always resampled: score limits on effective class sizes held .99 instead of .95, and
    were longer by a fifth to five sixths (15 subjects, seven designs).
    """
    if resampling is None and rng is None and subjects_at_hand(tally) is None:
        curve = roc_curve(statistics[0].facing(tally))  # all of one kind are read off one curve
        return [_by_score(tally, statistic, curve, level=level, side=side) for statistic in statistics]
    sampled = rate_replicates(tally, statistics, resampling=resampling, rng=rng)
    return [
        rate_estimate(tally, one, replace(sampled, replicates=column.copy()), level=level, side=side)
        for one, column in zip(statistics, sampled.replicates.T, strict=True)
    ]


def _by_score(tally: Tally, statistic: RateStatistic, curve: RocCurve, *, level: float, side: Side) -> RateEstimate:
    at: Floats = np.array([statistic.at])
    n_pos, n_neg = effective_sizes(statistic.facing(tally))
    sizes: dict[str, Any] = {"n_pos": n_pos, "n_neg": n_neg}
    (low,), (high,) = pointwise_limits(curve.fpr, curve.tpr, at, **sizes, level=level, side=side)
    (below,), (above,) = pointwise_limits(curve.fpr, curve.tpr, at, **sizes, level=ONE_DEVIATE)
    method = "score" if side == "two-sided" else f"score, {side} bound"
    return RateEstimate(
        quantity=statistic.name,
        rate=float(curve.at(statistic.at)[0]),
        standard_error=float(above - below) / 2,
        interval=Interval(low=float(low), high=float(high), level=level, method=method),
        method="empirical",
        sample=tally.sample,
    )


def rate_replicates(
    tally: Tally, statistics: Sequence[RateStatistic], *, resampling: Resampling | int | None = None, rng: Any = None
) -> Bootstrap:
    """Replicates of rates of one kind, one column each."""
    resampling = resampling_of(resampling)
    draws = tally_draws(statistics[0].facing(tally), resampling.scheme)
    heights = curve_draws(draws, np.array([statistic.at for statistic in statistics]))
    return replace(run_bootstrap_rows(heights, len(statistics), resampling=resampling, rng=rng), scheme=draws.scheme)


def rate_estimate(
    tally: Tally, statistic: RateStatistic, sampled: Bootstrap, *, level: float, side: Side = "two-sided"
) -> RateEstimate:
    """The estimate of a rate from its replicates: percentiles, never inside the binomial limits of its counts."""
    value = statistic.value(tally)
    plain = bootstrap_interval(sampled.replicates, value, level=level, side=side, name=sampled.describe())
    interval, notes = _floored(tally, statistic, plain, side)
    return RateEstimate(
        quantity=statistic.name,
        rate=value,
        standard_error=sampled.standard_error,
        interval=interval,
        method="empirical",
        sample=tally.sample,
        notes=notes,
    )


def _floored(tally: Tally, statistic: RateStatistic, plain: Interval, side: Side) -> tuple[Interval, tuple[str, ...]]:
    """The interval joined with the binomial limits of the counts at the same rate (see ``band_floor``)."""
    facing = statistic.facing(tally)
    two_sided = plain.level if side == "two-sided" else 2 * plain.level - 1
    low, high = _limits(facing, statistic.at, max(two_sided, 1e-9))
    ends = min(plain.low, low), max(plain.high, high)
    if ends == (plain.low, plain.high):
        return plain, ()
    note = "Resampling sees less uncertainty here than the counts have: the interval reaches to their binomial limits."
    return replace(plain, low=ends[0], high=ends[1]), (note,)


def _limits(tally: Tally, at: float, level: float) -> tuple[float, float]:
    place: Floats = np.array([at])
    low, high = binomial_floor(roc_curve(tally), place, n_pos=tally.n_pos, n_neg=tally.n_neg, level=level)
    return float(low[0]), float(high[0])
