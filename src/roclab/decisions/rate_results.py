"""What a comparison of rates returns: the rates of every test, their differences and ratios, claims about margins."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from roclab._core.text import format_number, text_table
from roclab.decisions.rate_models import RateModel
from roclab.errors import InputError, Words
from roclab.results import Interval, Result, TestResult
from roclab.results.pictured import Pictured

__all__ = ["RateClaim", "RateComparison", "RateDifference", "RateOfTest"]

_RATIOS = ("lr_plus", "lr_minus")  # what is compared by its ratio


@dataclass(frozen=True, slots=True, kw_only=True)
class RateOfTest(Result):
    """One rate of one test, or of one group, with its interval."""

    test: str
    metric: str
    value: float
    interval: Interval

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        level = f"{100 * self.interval.level:g}%"
        return [
            {
                "test": self.test,
                "metric": self.metric,
                "value": self.value,
                f"{level} low": self.interval.low,
                f"{level} high": self.interval.high,
                "interval": self.interval.method,
            }
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class RateDifference(Result):
    """A rate of ``first`` against that of ``second``: their difference and their ratio.

    ``midp`` is McNemar's mid-p beside the p-value; None where the test is another one. ``counts`` are the cases that
    both, only the first, only the second and neither calls right.
    """

    metric: str
    first: str
    second: str
    difference: float
    interval: Interval
    ratio: float
    ratio_interval: Interval
    statistic: float
    p_value: float
    p_adjusted: float
    alternative: str
    test: str
    midp: float | None = None
    counts: tuple[float, float, float, float] | None = None
    df: float = math.inf  # degrees of freedom of t; infinite for the normal distribution

    def turned(self) -> RateDifference:
        """Second against first."""
        other = {"greater": "less", "less": "greater"}.get(self.alternative, self.alternative)
        (low, high), (least, most) = self.interval, self.ratio_interval
        counts = None if self.counts is None else (self.counts[0], self.counts[2], self.counts[1], self.counts[3])
        return replace(
            self,
            first=self.second,
            second=self.first,
            difference=-self.difference if self.difference == self.difference else self.difference,
            interval=replace(self.interval, low=_less(high), high=_less(low)),
            ratio=_over(self.ratio),
            ratio_interval=replace(self.ratio_interval, low=_over(most), high=_over(least)),
            statistic=_less(self.statistic),
            alternative=other,
            counts=counts,
        )

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        level = f"{100 * self.interval.level:g}%"
        return [
            {
                "metric": self.metric,
                "first": self.first,
                "second": self.second,
                "difference": self.difference,
                f"{level} low": self.interval.low,
                f"{level} high": self.interval.high,
                "ratio": self.ratio,
                f"{level} ratio low": self.ratio_interval.low,
                f"{level} ratio high": self.ratio_interval.high,
                **({"z": self.statistic} if math.isinf(self.df) else {"t": self.statistic, "df": self.df}),
                "p": self.p_value,
                **({} if self.midp is None else {"mid-p": self.midp}),
                "adjusted p": self.p_adjusted,
                "test": self.test,
            }
        ]


def _less(value: float) -> float:
    return value if math.isnan(value) else -value


def _over(value: float) -> float:
    return value if math.isnan(value) else math.inf if value == 0 else 1 / value


@dataclass(frozen=True, slots=True, kw_only=True)
class RateClaim(Result):
    """Is a rate of ``first`` not worse than that of ``second`` by more than a margin, or equivalent within it?

    ``shown`` where the adjusted one-sided p-value is below ``alpha``; for one claim, where the limits, which are at the
    level that belongs to it, lie inside the margin.
    """

    metric: str
    claim: str
    first: str
    second: str
    scale: str  # "difference" or "ratio"
    margin: float
    estimate: float
    interval: Interval
    statistic: float
    p_value: float
    p_adjusted: float
    alpha: float
    shown: bool

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        level = f"{100 * self.interval.level:g}%"
        return [
            {
                "metric": self.metric,
                "claim": self.claim,
                "first": self.first,
                "second": self.second,
                "margin": self.margin,
                self.scale: self.estimate,
                f"{level} low": self.interval.low,
                f"{level} high": self.interval.high,
                "statistic": self.statistic,
                "one-sided p": self.p_value,
                "adjusted p": self.p_adjusted,
                "shown": self.shown,
            }
        ]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RateComparison(Pictured):
    """Rates of several tests at fixed thresholds, and what they differ by.

    Attributes
    ----------
    rates : tuple of RateOfTest
        Every rate of every test, as it is without the comparison.
    pairs : tuple of RateDifference
        All pairs of every metric, first against second.
    equality : tuple of TestResult
        Cochran's Q of more than two tests, for sensitivity, specificity and accuracy.
    claims : tuple of RateClaim
        Of the first test against each other one, if a margin was given.
    models : tuple of RateModel
        Sensitivity and specificity at equal covariates, where some were named.
    thresholds : mapping
        What makes calls of each score; tests that call by themselves are not in it.
    """

    names: tuple[str, ...]
    metrics: tuple[str, ...]
    rates: tuple[RateOfTest, ...]
    pairs: tuple[RateDifference, ...]
    equality: tuple[TestResult, ...]
    claims: tuple[RateClaim, ...]
    thresholds: Mapping[str, float]
    probability: float | None
    pairing: str
    adjustment: str
    level: float
    cases: str
    models: tuple[RateModel, ...] = ()
    notes: tuple[str, ...] = field(default=())

    def pair(self, first: str, second: str, metric: str | None = None) -> RateDifference:
        """The difference of two tests in one metric, the first of the metrics unless another is named."""
        wanted = self.metrics[0] if metric is None else metric
        if wanted not in self.metrics:
            raise InputError("metric", f"must be one of {', '.join(map(repr, self.metrics))}", metric)
        for one in self.pairs:
            if one.metric == wanted and {one.first, one.second} == {first, second}:
                return one if one.first == first else one.turned()
        names = ", ".join(map(repr, self.names))
        raise InputError("first", f"and second must be two of {names}", Words(f"{first!r} and {second!r}"))

    def rate(self, test: str, metric: str) -> RateOfTest:
        """One rate of one test."""
        for one in self.rates:
            if (one.test, one.metric) == (test, metric):
                return one
        raise InputError("test", "and metric must be among those compared", Words(f"{test!r} and {metric!r}"))

    def rows(self) -> list[dict[str, Any]]:
        """One row per claim that was asked for, else one per pair and metric."""
        asked: tuple[Result, ...] = self.claims or self.pairs
        return [row for one in asked for row in one.rows()]

    def methods(self) -> str:
        """One paragraph for a paper: what was compared and by whose methods."""
        from roclab.decisions.rate_methods import methods_of_rates

        return methods_of_rates(self)

    @classmethod
    def _between_groups(cls, answers: Mapping[str, Any]) -> tuple[TestResult, ...]:
        """Is each difference the same in all groups?"""
        from roclab.decisions.rate_interaction import interaction_of_rates

        return interaction_of_rates(answers)

    def __str__(self) -> str:
        level = f"{100 * self.level:g}%"
        first = [{"metric": m, **{name: _with_limits(self.rate(name, m)) for name in self.names}} for m in self.metrics]
        parts = [text_table(first), f"with limits of {level}"]
        apart = [one for one in self.pairs if one.metric not in _RATIOS]
        if apart:
            parts += ["", text_table([self._line(one, level, "difference") for one in apart])]
        ratios = [one for one in self.pairs if one not in apart]
        if ratios:
            parts += ["", text_table([self._line(one, level, "ratio") for one in ratios])]
        if self.claims:
            parts += ["", text_table([row for one in self.claims for row in one.rows()])]
            alpha = f"{100 * self.claims[0].alpha:g}%"
            over = f", adjusted by {self.adjustment} over {len(self.claims)} claims," if len(self.claims) > 1 else ""
            parts += [f"shown: the one-sided p{over} is below {alpha}"]
        parts += [""] if self.equality else []
        for test in self.equality:
            words = f"statistic {format_number(test.statistic)}, p {format_number(test.p_value)}"
            parts += [f"{test.hypothesis}: {test.name}, {test.distribution.split(', ')[-1]}, {words}"]
        tests = dict.fromkeys(
            f"{one.metric}: {(one.ratio_interval if one.metric in _RATIOS else one.interval).method}; {one.test}"
            for one in self.pairs
        )
        models = [line for model in self.models for line in ("", str(model))]
        if models:
            models = ["", "at equal covariates, by a marginal model (Leisenring, Pepe and Longton 1997)", *models[1:]]
        return "\n".join([*parts, "", self.pairing, *tests, *self._family(), self.cases, *models, *self.notes])

    def _line(self, one: RateDifference, level: str, scale: str) -> dict[str, Any]:
        found, limits = (one.difference, one.interval) if scale == "difference" else (one.ratio, one.ratio_interval)
        several = len(self.names) > 2
        return {
            "metric": one.metric,
            "first": one.first,
            "second": one.second,
            scale: found,
            f"{level} low": limits.low,
            f"{level} high": limits.high,
            **({} if scale == "ratio" or math.isnan(one.ratio) else {"ratio": one.ratio}),
            "p": one.p_value,
            **({} if one.midp is None else {"mid-p": one.midp}),
            **({"adjusted p": one.p_adjusted} if several and self.adjustment != "none" else {}),
        }

    def _family(self) -> list[str]:
        if len(self.names) < 3:
            return []
        if self.adjustment == "max-t":
            return ["limits and p-values hold for all pairs of a metric together (max-t)"]
        alone = "limits are for each pair alone"
        said = alone if self.adjustment == "none" else f"p-values adjusted by {self.adjustment} in each metric, {alone}"
        return [said]


def _with_limits(one: RateOfTest) -> str:
    return f"{format_number(one.value)} ({one.interval})"
