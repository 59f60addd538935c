"""Comparing the areas of several scores: all pairs and all at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_level
from roclab._core.text import format_number, text_table, without_shared
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.data.cases import Cases
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.contrasts import Difference, contrast, equality_test
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.comparison.multiplicity import adjusted
from roclab.inference.comparison.paired_bootstrap import bootstrap_cases, bootstrap_difference
from roclab.inference.one_area.bootstrap import Resampling, bootstrap_interval
from roclab.inference.one_area.estimate import Area, area_notes
from roclab.inference.one_area.intervals import area_interval
from roclab.names import ALTERNATIVES, REFERENCES, Adjustment, Alternative, Reference
from roclab.results import AreaEstimate, Interval, Result, TestResult

__all__ = ["Comparison", "compare_areas", "compare_by_bootstrap", "estimates_of", "undefined_notes", "with_adjusted"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison(Result):
    """Areas of several scores, their covariance, all pairwise differences and the test that all are equal."""

    quantity: str
    areas: tuple[AreaEstimate, ...]
    covariance: Floats
    pairs: tuple[Difference, ...]
    equality: TestResult
    pairing: str
    method: str
    adjustment: str
    level: float
    notes: tuple[str, ...] = ()

    def pair(self, first: str, second: str) -> Difference:
        """The difference between two of the scores."""
        for one in self.pairs:
            if (one.first, one.second) == (first, second):
                return one
        names = ", ".join(repr(area.sample.score) for area in self.areas)
        raise InputError(
            "", f"first and second must be two of {names} in that order", Words(f"{first!r} and {second!r}")
        )

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair."""
        return [row for one in self.pairs for row in one.rows()]

    def __str__(self) -> str:
        rows, below = without_shared([row for area in self.areas for row in area.rows()], ["method", "interval"])
        parts = [text_table(rows), *below, "", text_table(self.rows())]
        if len(self.areas) > 2:
            test = self.equality
            words = f"statistic {format_number(test.statistic)}, p {format_number(test.p_value)}"
            parts += ["", f"all equal: {test.distribution}, {words}"]
        samples = dict.fromkeys(replace(area.sample, score=None).describe() for area in self.areas)
        notes = [f"{area.sample.score}: {note}" for area in self.areas for note in area.notes]
        said = f"{self.pairing}; {self.method}; p-values adjusted by {self.adjustment}"
        return "\n".join([*parts, "", said, *samples, *notes, *self.notes])


def compare_areas(
    covariance: AreaCovariance,
    *,
    level: float = 0.95,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    reference: Reference = "normal",
    areas: Sequence[AreaEstimate] | None = None,
) -> Comparison:
    """All pairs and the global test from one covariance matrix.

    ``areas`` replaces the single estimates shown beside the comparison, for other intervals than the default.
    ``reference="t"`` is for unpaired samples: the Welch-Satterthwaite t distribution with each sample's size less one.
    """
    check_level(level)
    check_choice(alternative, "alternative", ALTERNATIVES)
    check_choice(reference, "reference", REFERENCES)
    k = covariance.areas.size
    if k < 2:
        raise InputError("", "a comparison needs at least two scores", Words(k), "name another score to compare with")
    if reference == "t" and covariance.pairing != "unpaired":
        raise InputError(
            "", f"{named('reference', 't')} is for unpaired samples only", way_out="leave it out for paired scores"
        )
    found = []
    for i, j in combinations(range(k), 2):
        weights = np.zeros(k)
        weights[i], weights[j] = 1, -1
        found.append(
            contrast(
                covariance.areas,
                covariance.matrix,
                weights,
                names=(covariance.names[i], covariance.names[j]),
                level=level,
                alternative=alternative,
                df=_welch_df(covariance, i, j) if reference == "t" else math.inf,
                method=covariance.method,
            )
        )
    return Comparison(
        quantity=covariance.area.quantity,
        areas=estimates_of(covariance, level=level) if areas is None else tuple(areas),
        covariance=covariance.matrix,
        pairs=with_adjusted(found, adjust),
        equality=equality_test(covariance.areas, covariance.matrix),
        pairing=covariance.pairing,
        method=covariance.method,
        adjustment=adjust,
        level=level,
        notes=undefined_notes(found),
    )


def estimates_of(covariance: AreaCovariance, *, level: float) -> tuple[AreaEstimate, ...]:
    """Each area with its standard error from the covariance matrix, on the logit scale."""
    return tuple(
        _estimate(covariance, at, math.sqrt(max(float(covariance.matrix[at, at]), 0.0)), None, level=level)
        for at in range(len(covariance.names))
    )


def _estimate(
    covariance: AreaCovariance, at: int, se: float, interval: Interval | None, *, level: float
) -> AreaEstimate:
    area, sample = float(covariance.areas[at]), covariance.samples[at]
    if interval is None:
        interval = area_interval(
            area,
            Undefined("a class has only one case, so its spread cannot be seen") if math.isnan(se) else se,
            level=level,
            bounds=covariance.area.bounds,
            pairs=min(sample.n_pos, sample.n_neg),
            name=covariance.method,
        )
    return AreaEstimate(
        quantity=covariance.area.quantity,
        area=area,
        standard_error=se,
        interval=interval,
        method=covariance.area.method,
        sample=replace(sample, score=covariance.names[at]),
        notes=area_notes(covariance.area, area, sample),
    )


def with_adjusted(pairs: Sequence[Difference], adjust: Adjustment) -> tuple[Difference, ...]:
    """The same differences with adjusted p-values."""
    fixed = adjusted([one.p_value for one in pairs], adjust)
    return tuple(replace(one, p_adjusted=p) for one, p in zip(pairs, fixed, strict=True))


def undefined_notes(pairs: Sequence[Difference]) -> tuple[str, ...]:
    """Why some p-values do not exist, in words."""
    return tuple(
        f"{one.first} - {one.second}: {one.p_value.reason}." for one in pairs if isinstance(one.p_value, Undefined)
    )


def _welch_df(covariance: AreaCovariance, i: int, j: int) -> float:
    one, two = covariance.matrix[i, i], covariance.matrix[j, j]
    sizes = [covariance.samples[at].n_pos + covariance.samples[at].n_neg for at in (i, j)]
    return float((one + two) ** 2 / (one**2 / (sizes[0] - 1) + two**2 / (sizes[1] - 1)))


def compare_by_bootstrap(
    cases: Cases,
    area: Area,
    *,
    level: float = 0.95,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    resampling: Resampling | None = None,
    rng: Any = None,
    clustered: bool = False,
) -> Comparison:
    """All pairs from paired bootstrap replicates: for any area, also those without a variance formula.

    Tests are normal with the bootstrap's standard errors, intervals are percentiles of the replicates, and the global
    test uses their covariance matrix.
    """
    check_level(level)
    if len(cases.names) < 2:
        raise InputError("", "a comparison needs at least two scores", Words("1"), "name another score to compare with")
    sampled = bootstrap_cases(cases, area.estimate, resampling=resampling, rng=rng, clustered=clustered)
    covariance = AreaCovariance(
        names=tuple(cases.names),
        areas=np.array([area.estimate(cases.tally(name)) for name in cases.names]),
        matrix=np.cov(sampled.replicates, rowvar=False),
        area=area,
        samples=tuple(cases.sample(name) for name in cases.names),
        pairing="paired",
        method=sampled.describe(),
    )
    areas, replicates = covariance.areas, sampled.replicates
    found = [
        bootstrap_difference(
            replicates[:, i] - replicates[:, j],
            float(areas[i] - areas[j]),
            first=cases.names[i],
            second=cases.names[j],
            level=level,
            alternative=alternative,
            name=covariance.method,
        )
        for i, j in combinations(range(areas.size), 2)
    ]
    return Comparison(
        quantity=area.quantity,
        areas=tuple(
            _estimate(
                covariance,
                at,
                float(np.std(replicates[:, at], ddof=1)),
                bootstrap_interval(replicates[:, at], float(areas[at]), level=level, name=covariance.method),
                level=level,
            )
            for at in range(areas.size)
        ),
        covariance=covariance.matrix,
        pairs=with_adjusted(found, adjust),
        equality=equality_test(areas, covariance.matrix),
        pairing="paired",
        method=covariance.method,
        adjustment=adjust,
        level=level,
        notes=undefined_notes(found),
    )
