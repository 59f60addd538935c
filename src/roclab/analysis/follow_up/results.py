"""Answers of time to event: an area at a horizon, areas of several scores and horizons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from roclab._core.text import format_number, text_table, without_shared
from roclab._core.types import Floats, frozen
from roclab.analysis.follow_up.methods import methods_of_areas, methods_of_comparisons
from roclab.errors import InputError, Words
from roclab.inference.comparison.compare import Comparison
from roclab.results import AreaEstimate, TestResult
from roclab.results.pictured import Pictured

__all__ = ["AreasOverTime", "ComparisonsOverTime", "HorizonArea", "moment_words"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HorizonArea(AreaEstimate):
    """The area of one score at one horizon; the sample counts those whose state is known then."""

    at: float
    incidence: float  # of the event by the horizon
    unknown: int  # lost before it
    effective_cases: float  # Kish's numbers: what the weights leave of the counts
    effective_controls: float
    landmark: float | None = None  # where the clock starts

    def __str__(self) -> str:
        sample = self.sample
        known = f"{sample.n_pos:g} cases ({sample.positive}), {sample.n_neg:g} controls ({sample.negative})"
        lines = [
            f"{self.quantity} {self.area:.4f} {moment_words(self)}, {100 * self.interval.level:g}% interval "
            f"{self.interval} ({self.interval.method})",
            f"standard error {format_number(self.standard_error)}; {self.method}",
            f"{known}, {self.unknown} unknown; incidence {self.incidence:.4f}",
            f"a {sample.direction} score means the event; by their weights {self.effective_cases:.1f} cases and "
            f"{self.effective_controls:.1f} controls",
        ]
        return "\n".join([*lines, *self.notes])

    def methods(self) -> str:
        """What a paper says of it: definition, ties, weights, errors and interval."""
        return methods_of_areas([self])

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        percent = f"{100 * self.interval.level:g}%"
        start = {} if self.landmark is None else {"landmark": _whole(float(self.landmark))}
        return [
            {
                "score": self.sample.score or "score", **start, "at": _whole(self.at), "area": self.area,
                "std. error": self.standard_error, f"{percent} low": self.interval.low,
                f"{percent} high": self.interval.high, "cases": self.sample.n_pos, "controls": self.sample.n_neg,
                "unknown": self.unknown, "incidence": self.incidence, "method": self.method,
                "interval": self.interval.method,
            }
        ]  # fmt: skip


def moment_words(area: HorizonArea) -> str:
    """When: "at 730", or "at 730 after 365"."""
    return f"at {area.at:g}{_after(area.landmark)}"


def _after(landmark: float | None) -> str:
    return "" if landmark is None else f" after {landmark:g}"


def _whole(at: float) -> float | int:
    """A horizon as a whole number where it is one, as it was written."""
    return int(at) if at.is_integer() else at


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AreasOverTime(Pictured):
    """Areas of several scores or horizons, with one covariance matrix of all of them."""

    areas: tuple[HorizonArea, ...]
    covariance: Floats
    means: Mapping[str, AreaEstimate]  # of each score over the horizons, where there are several
    constant: tuple[TestResult, ...] = ()  # of each score: the same area at all horizons?
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        frozen(self.covariance)

    def __getitem__(self, key: Any) -> HorizonArea:
        """The area of a score, or at a horizon, or of a score at a horizon: ``found["bili", 2000]``.

        Of two numbers the second is the landmark: ``found["bili", 2000, 365]``.
        """
        wanted = key if isinstance(key, tuple) else (key,)
        names = [part for part in wanted if isinstance(part, str)]
        numbers = [part for part in wanted if not isinstance(part, str)]
        fits = [
            area for area in self.areas
            if all(name == area.sample.score for name in names)
            and all(part == own for part, own in zip(numbers, (area.at, area.landmark), strict=False))
        ]  # fmt: skip
        if len(fits) != 1:
            raise KeyError(key)
        return fits[0]

    def integrated(self, score: str | None = None) -> AreaEstimate:
        """The mean area over the horizons, each weighed by the incidence since the one before."""
        if not self.means:
            raise InputError("", "the mean area needs several horizons from one start", way_out="give at=[…]")
        name = next(iter(self.means)) if score is None and len(self.means) == 1 else score
        if name not in self.means:
            raise InputError("score", f"must be one of {', '.join(map(repr, self.means))}", Words(repr(score)))
        return self.means[str(name)]

    def methods(self) -> str:
        """What a paper says of them, in a paragraph."""
        return methods_of_areas(self.areas)

    def rows(self) -> list[dict[str, Any]]:
        """One row for every score at every horizon."""
        return [row for area in self.areas for row in area.rows()]

    def __str__(self) -> str:
        rows, below = without_shared(self.rows(), ["method", "interval"])
        means = [f"mean area of {name} {mean.area:.4f} ({mean.interval})" for name, mean in self.means.items()]
        tests = [_test_words(test) for test in self.constant]
        return "\n".join([text_table(rows), *below, "", *means, *tests, *self.notes])


def _test_words(test: TestResult) -> str:
    return (
        f"{test.hypothesis}: {test.distribution}, statistic {format_number(test.statistic)}, "
        f"p {format_number(test.p_value)}"
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComparisonsOverTime(Pictured):
    """Scores compared at several horizons or from several landmarks, and over all of them together."""

    comparisons: Mapping[Any, Comparison]  # by horizon; by (landmark, horizon) where there are several landmarks
    joint: tuple[TestResult, ...]  # of every pair: equal at all horizons?
    changing: tuple[TestResult, ...]  # of every pair: the same difference at all horizons?
    largest: tuple[TestResult, ...]  # of every pair: the largest |z| of all horizons
    covariance: Floats  # of all areas, horizon by horizon within each score

    def __post_init__(self) -> None:
        frozen(self.covariance)

    def __getitem__(self, at: Any) -> Comparison:
        return self.comparisons[at]

    def _following(self, program: str, note: str) -> ComparisonsOverTime:
        """Every comparison as the conventions of a program have it."""
        return replace(self, comparisons={at: one._following(program, note) for at, one in self.comparisons.items()})

    def methods(self) -> str:
        """What a paper says of it, in a paragraph."""
        found = list(self.comparisons.values())
        areas = [area for one in found for area in one.areas if isinstance(area, HorizonArea)]
        several = len(found[0].pairs) > 1
        return methods_of_comparisons(
            areas, horizons=len(found), adjustment=found[0].adjustment if several else "none"
        )  # fmt: skip

    def rows(self) -> list[dict[str, Any]]:
        """One row for every pair at every horizon."""
        return [{**_moment(at), **row} for at, found in self.comparisons.items() for row in found.rows()]

    def to_dict(self) -> dict[str, Any]:
        """Every comparison, and the tests over all horizons."""
        return {
            "comparisons": {_key(at): comparison.to_dict() for at, comparison in self.comparisons.items()},
            "joint": [test.to_dict() for test in self.joint],
            "changing": [test.to_dict() for test in self.changing],
            "largest": [test.to_dict() for test in self.largest],
            "covariance": self.covariance.tolist(),
        }

    def __str__(self) -> str:
        every = [row for found in self.comparisons.values() for area in found.areas for row in area.rows()]
        areas, below = without_shared(every, ["method", "interval"])
        tests = [_test_words(test) for test in (*self.joint, *self.changing, *self.largest)]
        first = next(iter(self.comparisons.values()))
        about = f"{first.pairing}; normal distribution; limits are for each pair and horizon alone"
        lines = [text_table(areas), *below, "", text_table(self.rows()), "", *tests, "", about, *first.notes]
        return "\n".join(lines)


def _moment(at: Any) -> dict[str, float]:
    if isinstance(at, tuple):
        return {"landmark": _whole(float(at[0])), "at": _whole(at[1])}
    return {"at": _whole(at)}


def _key(at: Any) -> str:
    return ", ".join(f"{part:g}" for part in at) if isinstance(at, tuple) else f"{at:g}"
