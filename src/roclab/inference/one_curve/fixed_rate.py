"""Sensitivity at a fixed specificity, and the reverse: intervals and paired tests by the bootstrap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from roclab.curves.roc import rates, roc_curve
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.inference.comparison.contrasts import Difference
from roclab.inference.comparison.paired_bootstrap import bootstrap_cases, bootstrap_difference
from roclab.inference.one_area.bootstrap import (
    Resampling,
    bootstrap_area,
    bootstrap_interval,
    resampling_of,
    run_bootstrap,
    tally_draws,
)
from roclab.inference.one_curve.curve_draws import curve_draw
from roclab.names import Alternative, Side
from roclab.results import RateEstimate

__all__ = ["compare_at_rate", "rate_at", "rates_at"]


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


def rates_at(
    tally: Tally,
    *,
    specificities: Sequence[float] = (),
    sensitivities: Sequence[float] = (),
    level: float = 0.95,
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> tuple[RateEstimate, ...]:
    """As ``rate_at`` for several rates at once, from one bootstrap a side.

    The heights of resampled curves are drawn directly (``curve_draws``): the intervals have the same distribution as
    those of ``rate_at``, at a cost that does not depend on the number of cases where no score is shared by both
    classes. A specificity at a sensitivity is a height of the mirrored curve.
    """
    asked = resampling_of(resampling)
    found: list[RateEstimate] = []
    for side, wanted, drawn in (
        ("specificity", specificities, tally),
        ("sensitivity", sensitivities, tally.mirrored()),
    ):
        if len(wanted) == 0:
            continue
        grid = 1 - rates(list(wanted), side)
        order = np.argsort(grid)  # the draws walk along the curve
        draw = curve_draw(tally_draws(drawn, asked.scheme), grid[order])
        sampled = run_bootstrap(draw, grid.size, resampling=asked, rng=rng)
        place = np.argsort(order)
        for at, rate in enumerate(wanted):
            name, estimate = statistic_at(**{side: rate})
            value, replicates = estimate(tally), sampled.replicates[:, place[at]]
            found.append(
                RateEstimate(
                    quantity=name,
                    rate=value,
                    standard_error=float(np.std(replicates, ddof=1)),
                    interval=bootstrap_interval(replicates, value, level=level, name=sampled.describe()),
                    method="empirical",
                    sample=tally.sample,
                )
            )
    return tuple(found)


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
