r"""Planning for precision: how many cases until an interval is as narrow as it has to be.

A rate p of n cases has an interval whose width depends on what will be counted, so the plan is for its mean,

.. math:: \bar w(n) = \sum_k \binom nk p^k (1 - p)^{n - k}\,(u_k - l_k),

summed exactly over all counts k with the limits that will be printed ("wilson" unless another is asked for). The
usual formula :math:`z^2 p (1 - p) / (w / 2)^2` is that of Wald's interval, which nobody should print near 0 or 1. An
area has the limits of its logit interval, with the variance of a plan (``power``).

Sensitivity needs positive cases, specificity negative ones. Where both come from one consecutive sample its size is
what the scarcer class needs, :math:`\max(n_+ / \pi, n_- / (1 - \pi))`; with that many cases the classes turn out
smaller than planned in about half of all samples.

References
----------
Buderer NM. Statistical methodology: I. Incorporating the prevalence of disease into the sample size calculation for
sensitivity and specificity. Acad Emerg Med 1996;3:895-900. doi:10.1111/j.1553-2712.1996.tb03538.x
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_fraction, check_level
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.intervals import deviate
from roclab.inference.one_curve.proportions import proportion_interval
from roclab.inference.planning.power import area_variance_times_positives
from roclab.names import PLAN_VARIANCES, PROPORTION_INTERVALS, PlanVariance, ProportionInterval
from roclab.options.verb import public
from roclab.results import Result

__all__ = ["WidthPlan", "expected_width", "plan_area_width", "plan_rate_widths"]

_MOST = 10_000_000  # cases, beyond which no study is planned


@dataclass(frozen=True, slots=True, kw_only=True)
class WidthPlan(Result):
    """So many cases give intervals of at most this width, on average."""

    width: float
    level: float
    method: str
    expected: dict[str, float]  # what is assumed of each quantity
    widths: dict[str, float]  # the mean width of each with these cases
    cases_pos: int | None
    cases_neg: int | None
    total: int | None = None  # of one consecutive sample
    prevalence: float | None = None

    def rows(self) -> list[dict[str, Any]]:
        """One row per quantity."""
        return [
            {
                "quantity": name,
                "expected": value,
                "width": self.widths[name],
                "positives": self.cases_pos,
                "negatives": self.cases_neg,
                "total": self.total,
                "level": self.level,
            }
            for name, value in self.expected.items()
        ]

    def __str__(self) -> str:
        needed = [
            f"{count} {name} cases"
            for name, count in (("positive", self.cases_pos), ("negative", self.cases_neg))
            if count is not None
        ]
        summary = " and ".join(needed)
        if self.total is not None:
            summary += f"; in one sample with a prevalence of {self.prevalence:g} that is {self.total} cases"
        widths = "; ".join(
            f"{name} {value:g}: {100 * self.level:g}% interval {self.widths[name]:.4f} wide"
            for name, value in self.expected.items()
        )
        lines = [summary, widths, f"{self.method}; asked for at most {self.width:g}"]
        if self.total is not None:
            lines.append("The numbers of positives and negatives will vary: plan more where they must not fall short.")
        return "\n".join(lines)


def expected_width(rate: float, cases: int, *, level: float = 0.95, interval: ProportionInterval = "wilson") -> float:
    """The mean width of the interval of a rate over all counts; those beyond 9 deviations have no weight.

    >>> round(expected_width(0.9, 139), 4)
    0.0998
    """
    from scipy.stats import binom

    reach = 9 * math.sqrt(cases * rate * (1 - rate)) + 10
    counts = np.arange(max(0, math.floor(cases * rate - reach)), min(cases, math.ceil(cases * rate + reach)) + 1)
    chance = binom.pmf(counts, cases, rate)
    ends = [proportion_interval(int(k), cases, level=level, method=interval) for k in counts]
    return float(np.sum(chance * [end.high - end.low for end in ends]) / np.sum(chance))


@public()
def plan_rate_widths(
    *,
    sensitivity: float | None = None,
    specificity: float | None = None,
    width: float,
    prevalence: float | None = None,
    level: float = 0.95,
    interval: ProportionInterval = "wilson",
) -> WidthPlan:
    """How many cases until the intervals of sensitivity and specificity are no wider than ``width``, on average.

    ``prevalence`` adds the size of one consecutive sample in which both classes are large enough.

    >>> plan = plan_rate_widths(sensitivity=0.9, specificity=0.8, width=0.1, prevalence=0.2)
    >>> plan.cases_pos, plan.cases_neg, plan.total
    (139, 243, 695)
    """
    check_level(level)
    check_choice(interval, "interval", PROPORTION_INTERVALS)
    width = _width(width)
    given = {"sensitivity": sensitivity, "specificity": specificity}
    rates = {
        name: check_fraction(value, name, way_out="give the rate you expect, e.g. 0.9", open_ends=True)
        for name, value in given.items()
        if value is not None
    }
    if not rates:
        raise InputError(
            "sensitivity", f"or {named('specificity')} must be expected", Words("neither"), "give the rate you expect"
        )
    sizes, widths = {}, {}
    for name, rate in rates.items():

        def wide(n: int, rate: float = rate) -> float:
            return expected_width(rate, n, level=level, interval=interval)

        sizes[name] = _smallest(wide, width, start=_wald_size(rate, width, level))
        widths[name] = wide(sizes[name])
    total = None
    if prevalence is not None:
        share = check_fraction(prevalence, "prevalence", way_out="write 0.1 for 10%", open_ends=True)
        parts = {"sensitivity": share, "specificity": 1 - share}
        total = max(math.ceil(count / parts[name] - 1e-9) for name, count in sizes.items())
    return WidthPlan(
        width=width,
        level=level,
        method=f"{proportion_interval(1, 2, level=level, method=interval).method} interval, mean over all counts",
        expected=rates,
        widths=widths,
        cases_pos=sizes.get("sensitivity"),
        cases_neg=sizes.get("specificity"),
        total=total,
        prevalence=prevalence,
    )


@public()
def plan_area_width(
    *,
    area: float,
    width: float,
    ratio: float = 1.0,
    level: float = 0.95,
    variance: PlanVariance = "obuchowski",
    b: float = 1.0,
) -> WidthPlan:
    """How many cases until the interval of an area is no wider than ``width``; ``ratio`` negatives per positive.

    >>> plan = plan_area_width(area=0.8, width=0.1)
    >>> plan.cases_pos, plan.cases_neg
    (184, 184)
    """
    check_level(level)
    check_choice(variance, "variance", PLAN_VARIANCES)
    area = check_fraction(area, "area", way_out="give the area you expect, e.g. 0.8", open_ends=True)
    width = _width(width)
    if not (isinstance(ratio, int | float) and 1e-6 <= ratio <= 1e6):
        raise InputError("ratio", "must lie between 1e-6 and 1e6", ratio, "it is the number of negatives per positive")
    z, logit = deviate(level), math.log(area / (1 - area))

    def wide(n: int) -> float:
        spread = area_variance_times_positives(area, ratio=ratio, variance=variance, n_pos=n, b=b) / n
        half = z * math.sqrt(spread) / (area * (1 - area))
        low, high = (1 / (1 + math.exp(-(logit + sign * half))) for sign in (-1, 1))
        return high - low

    found = _smallest(wide, width, start=2)
    return WidthPlan(
        width=width,
        level=level,
        method=f"logit interval at the expected area, {variance} variance",
        expected={"AUC": area},
        widths={"AUC": wide(found)},
        cases_pos=found,
        cases_neg=math.ceil(found * ratio - 1e-9),
    )


def _width(width: float) -> float:
    return check_fraction(width, "width", way_out="0.1 is from 0.85 to 0.95 for instance", open_ends=True)


def _wald_size(rate: float, width: float, level: float) -> int:
    return max(2, math.floor((2 * deviate(level) / width) ** 2 * rate * (1 - rate)))


def _smallest(wide: Callable[[int], float], width: float, *, start: int) -> int:
    """The smallest number of cases with at most this width: doubling from a first guess, then halving the gap."""
    high = max(start, 2)
    while wide(high) > width:
        high *= 2
        if high > _MOST:
            raise InputError(
                "width", f"needs more than {_MOST:,} cases".replace(",", " "), width, "plan for a wider interval"
            )
    low = 1
    while high - low > 1:
        middle = (low + high) // 2
        if wide(middle) > width:
            low = middle
        else:
            high = middle
    return high
