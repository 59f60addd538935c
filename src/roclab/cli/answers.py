"""Answers made of several results, for commands that answer more than one function of the library does.

They only put results side by side. Wide tables lose the columns that say the same in every row; those go below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from roclab._core.text import text_table, without_shared
from roclab.decisions.confusion import ConfusionMatrix
from roclab.decisions.metrics import METRICS
from roclab.decisions.operating_point import OperatingPoint
from roclab.results import AreaEstimate, Interval, Result, Sample, TestResult

__all__ = ["Answers", "CurveTests", "Decision", "Points", "TestedAreas", "who"]

Rows = list[dict[str, Any]]

_LONG = ("method", "interval", "test", "alternative", "claim", "margin")  # columns that may go below the table


def who(samples: Mapping[str, Sample]) -> list[str]:
    """Who was analysed: one line for all scores where it is the same, else one for each."""
    words = {name: one.describe() for name, one in samples.items()}
    if len(set(words.values())) > 1:
        return [f"{name}: {text}" for name, text in words.items()]
    return list(words.values())[:1]


def circumstances(areas: Sequence[AreaEstimate]) -> list[str]:
    """Who was analysed, each sample once, and what was noted about each area."""
    samples = [replace(one.sample, score=None).describe() for one in areas]
    notes = [f"{one.sample.score}: {note}" for one in areas for note in one.notes]
    return list(dict.fromkeys(samples)) + notes


def _adjusted(adjustment: str | None, results: Sequence[Result]) -> list[str]:
    return [f"p-values adjusted by {adjustment}"] if adjustment is not None and len(results) > 1 else []


def _area_lines(areas: Sequence[AreaEstimate]) -> list[str]:
    rows, below = without_shared([row for one in areas for row in one.rows()], _LONG)
    return [text_table(rows), *below]


@dataclass(frozen=True, slots=True, kw_only=True)
class TestedAreas(Result):
    """Areas, and the test of each against a null value."""

    __test__ = False  # not for pytest

    estimates: tuple[AreaEstimate, ...]
    tests: tuple[TestResult, ...]

    def rows(self) -> Rows:
        """One row per score."""
        return [
            {
                **area,
                "hypothesis": test.hypothesis,
                "z": test.statistic,
                "p": test.p_value,
                "alternative": test.alternative,
            }
            for one, test in zip(self.estimates, self.tests, strict=True)
            for area in one.rows()
        ]

    def __str__(self) -> str:
        tested = [
            {
                "score": one.sample.score,
                "test": test.name,
                "z": test.statistic,
                "p": test.p_value,
                "alternative": test.alternative,
            }
            for one, test in zip(self.estimates, self.tests, strict=True)
        ]
        return "\n".join([*_area_lines(self.estimates), "", text_table(tested), "", *circumstances(self.estimates)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers(Result):
    """Results of one kind, with the areas they are about."""

    areas: tuple[AreaEstimate, ...]
    results: tuple[Result, ...]
    method: str
    adjustment: str | None = None
    notes: tuple[str, ...] = ()

    def rows(self) -> Rows:
        """The rows of the results."""
        return [row for one in self.results for row in one.rows()]

    def __str__(self) -> str:
        rows, below = without_shared(self.rows(), _LONG)
        if self.adjustment is None:
            rows = [{name: value for name, value in row.items() if name != "adjusted p"} for row in rows]
        parts = [*_area_lines(self.areas), ""] if self.areas else []
        said = [self.method, *_adjusted(self.adjustment, self.results), *circumstances(self.areas), *self.notes]
        return "\n".join([*parts, text_table(rows), *below, "", *said])


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveTests(Result):
    """Tests that two scores have the same curve, one per pair."""

    areas: tuple[AreaEstimate, ...]
    tests: tuple[TestResult, ...]
    p_adjusted: tuple[float, ...]
    adjustment: str

    def rows(self) -> Rows:
        """One row per pair."""
        return [
            {"hypothesis": test.hypothesis, "statistic": test.statistic, "p": test.p_value, "adjusted p": p}
            for test, p in zip(self.tests, self.p_adjusted, strict=True)
        ]

    def __str__(self) -> str:
        test = self.tests[0]
        said = [f"{test.name}; {test.method}; {test.distribution}", *_adjusted(self.adjustment, self.tests)]
        table = text_table(self.rows())
        return "\n".join([*_area_lines(self.areas), "", table, "", *said, *circumstances(self.areas)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Points(Result):
    """Operating points of one curve."""

    points: tuple[OperatingPoint, ...]
    sample: Sample

    def rows(self) -> Rows:
        """One row per point."""
        return [row for one in self.points for row in one.rows()]

    def __str__(self) -> str:
        return f"{text_table(self.rows())}\n\n{self.sample.describe()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision(Result):
    """A confusion matrix, its metrics and their intervals."""

    matrix: ConfusionMatrix
    metrics: Mapping[str, float]
    intervals: Mapping[str, Interval]
    level: float

    def rows(self) -> Rows:
        """The four counts, then one row per metric."""
        percent = f"{100 * self.level:g}%"
        counts: Rows = [{"metric": name, "value": getattr(self.matrix, name)} for name in ("tp", "fp", "fn", "tn")]
        for name, value in self.metrics.items():
            row: dict[str, Any] = {"metric": name, "value": value}
            interval = self.intervals.get(name)
            if interval is not None:
                row |= {f"{percent} low": interval.low, f"{percent} high": interval.high, "method": interval.method}
            counts.append(row)
        return counts

    def tables(self) -> str:
        """The matrix, and the metrics below it."""
        metrics = [{**_also_called(row["metric"]), **row} for row in self.rows()[4:]]
        return f"{self.matrix.table_text()}\n\n{text_table(metrics)}"

    def __str__(self) -> str:
        matrix, sample = self.matrix, self.matrix.sample
        below = []
        if matrix.threshold is not None and sample is not None:
            below = ["", sample.describe(), "The intervals hold for a threshold chosen before these data were seen."]
        return "\n".join([self.tables(), *below])


def _also_called(metric: str) -> dict[str, str]:
    known = METRICS.get(metric)
    return {"metric": metric, "also called": known.synonyms[0] if known is not None else ""}
