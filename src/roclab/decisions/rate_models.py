"""Rates of several tests at equal covariates, as a comparison of rates answers them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from roclab._core.text import text_table
from roclab.errors import InputError
from roclab.results import Interval, Result, TestResult

__all__ = ["AdjustedDifference", "RateModel"]


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustedDifference(Result):
    """A rate of two tests at equal covariates."""

    metric: str
    first: str
    second: str
    first_rate: float
    second_rate: float
    difference: float
    interval: Interval
    statistic: float
    df: float
    p_value: float

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        level = f"{100 * self.interval.level:g}%"
        return [{
            "metric": self.metric, "first": self.first, "second": self.second, "adjusted first": self.first_rate,
            "adjusted second": self.second_rate, "difference": self.difference, f"{level} low": self.interval.low,
            f"{level} high": self.interval.high, "t": self.statistic, "df": self.df, "p": self.p_value,
        }]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RateModel(Result):
    """The marginal model of one rate: coefficients, adjusted differences, and a test of every interaction."""

    metric: str
    fit: Result  # a LogisticFit: one row per coefficient
    pairs: tuple[AdjustedDifference, ...]
    interactions: tuple[TestResult, ...]
    reference: str  # the test that the others' coefficients are against

    def pair(self, first: str, second: str) -> AdjustedDifference:
        """The difference of two tests as they stand in ``pairs``."""
        for one in self.pairs:
            if (one.first, one.second) == (first, second):
                return one
        raise InputError("first", "and second must be tests in the order of the comparison", f"{first} and {second}")

    def rows(self) -> list[dict[str, Any]]:
        """One row per coefficient."""
        return [{"metric": self.metric, **row} for row in self.fit.rows()]

    def __str__(self) -> str:
        lines = [text_table([row for one in self.pairs for row in one.rows()]), "", text_table(self.rows())]
        for test in self.interactions:
            lines.append(f"{test.hypothesis}: {test.distribution}, {test.statistic:.4g}, p {test.p_value:.4g}")
        return "\n".join(lines)
