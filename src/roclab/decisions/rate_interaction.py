r"""Is the difference of two tests the same in all groups? Interaction of test and group, by a marginal model.

Every group has a difference of its own (of likelihood ratios the logarithm of their ratio); its variance is the square
of half the width of its limits over their deviate. Groups share no case, so that Cochran's Q, by Welch's test where
subjects are few, judges whether the differences are one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from roclab.inference.comparison.interaction import welch_anova
from roclab.inference.one_area.intervals import deviate
from roclab.inference.welch import EstimatedVariance
from roclab.results import TestResult

if TYPE_CHECKING:
    from roclab.decisions.rate_results import RateComparison, RateDifference

__all__ = ["interaction_of_rates"]


def interaction_of_rates(groups: Mapping[str, RateComparison]) -> tuple[TestResult, ...]:
    """For every metric and pair of tests that all groups have."""
    if len(groups) < 2:
        return ()
    first, *others = groups.values()
    shared = set(first.names).intersection(*(found.names for found in others))
    return tuple(
        _of_pair(groups, one)
        for one in first.pairs
        if {one.first, one.second} <= shared and all(one.metric in found.metrics for found in others)
    )


def _of_pair(groups: Mapping[str, RateComparison], one: RateDifference) -> TestResult:
    known, left_out = [], []
    for name, found in groups.items():
        value, variance, df = _value(found.pair(one.first, one.second, one.metric), found.level)
        if variance > 0:
            known.append((value, EstimatedVariance(variance, df)))
        else:
            left_out.append(name)
    statistic, df, p, mean = welch_anova([value for value, _ in known], [spread for _, spread in known])
    what = f"{one.metric} {one.first} - {one.second}"
    return TestResult(
        name=f"interaction: {what}",
        hypothesis=f"the difference of {what} is the same in all groups",
        statistic=statistic,
        distribution=f"F({len(known) - 1}, {df:.4g})" if math.isfinite(df) else f"chi-squared, {len(known) - 1} df",
        p_value=p,
        estimate=mean,
        method="Welch's test of several means, variances from the limits of every group",
        notes=(f"without limits, and left out: {', '.join(left_out)}",) if left_out else (),
    )


def _value(one: RateDifference, level: float) -> tuple[float, float, float]:
    """Difference or log ratio, its variance, and degrees of freedom."""
    value, (low, high) = one.difference, one.interval
    if math.isnan(value) and one.ratio > 0:
        least, most = one.ratio_interval
        if not least > 0 or math.isinf(most):
            return value, 0.0, one.df
        value, low, high = (math.log(number) for number in (one.ratio, least, most))
    variance = ((high - low) / 2 / deviate(level, df=one.df)) ** 2
    return value, 0.0 if math.isnan(variance) else variance, one.df
