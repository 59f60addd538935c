"""Sensitivity at a fixed specificity, and the reverse: intervals and paired tests by the bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from roclab.curves.roc import rates, roc_curve
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.inference.comparison.contrasts import Difference
from roclab.inference.comparison.paired_bootstrap import bootstrap_cases, bootstrap_difference
from roclab.inference.one_area.bootstrap import Resampling, bootstrap_area, bootstrap_interval
from roclab.names import Alternative, Side
from roclab.results import RateEstimate

__all__ = ["compare_at_rate", "rate_at"]


def statistic_at(
    *, specificity: float | None = None, sensitivity: float | None = None
) -> tuple[str, Callable[[Tally], float]]:
    """Name and functional: the sensitivity at a specificity, or the specificity at a sensitivity."""
    if specificity is not None:
        fpr = 1 - float(rates(specificity, "specificity")[0])
        return f"sensitivity at specificity {specificity:g}", lambda tally: float(roc_curve(tally).at(fpr)[0])
    wanted = float(rates(sensitivity, "sensitivity")[0])
    return (
        f"specificity at sensitivity {wanted:g}",
        lambda tally: 1 - float(roc_curve(tally).fpr_at(wanted)[0]),
    )


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
    """Sensitivity at a specificity (or the reverse), on the curve's straight lines, with a percentile interval."""
    name, estimate = statistic_at(specificity=specificity, sensitivity=sensitivity)
    sampled = bootstrap_area(tally, estimate, resampling=resampling, rng=rng)
    value = estimate(tally)
    return RateEstimate(
        quantity=name,
        rate=value,
        standard_error=sampled.standard_error,
        interval=bootstrap_interval(sampled.replicates, value, level=level, side=side, name=sampled.describe()),
        method="empirical",
        sample=tally.sample,
    )


def compare_at_rate(
    cases: Cases,
    first: str,
    second: str,
    *,
    specificity: float | None = None,
    sensitivity: float | None = None,
    level: float = 0.95,
    alternative: Alternative = "two-sided",
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> Difference:
    """Paired bootstrap test of the sensitivities of two scores at a specificity (or the reverse)."""
    name, estimate = statistic_at(specificity=specificity, sensitivity=sensitivity)
    sampled = bootstrap_cases(cases.select([first, second]), estimate, resampling=resampling, rng=rng)
    value = estimate(cases.tally(first)) - estimate(cases.tally(second))
    return bootstrap_difference(
        sampled.replicates[:, 0] - sampled.replicates[:, 1],
        value,
        first=first,
        second=second,
        level=level,
        alternative=alternative,
        name=f"{name}, {sampled.describe()}",
    )
