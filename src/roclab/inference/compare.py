"""Comparing the areas of several scores: all pairs and all at once."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from roclab._core.checks import check_choice, check_level
from roclab._core.text import format_number, text_table
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.cases import Cases
from roclab.errors import InputError
from roclab.inference.bootstrap import Resampling
from roclab.inference.contrasts import ALTERNATIVES, Alternative, Difference, contrast, equality_test
from roclab.inference.covariance import AreaCovariance
from roclab.inference.intervals import area_interval
from roclab.inference.multiplicity import Adjustment, adjusted
from roclab.inference.one_area import Area
from roclab.inference.paired_bootstrap import bootstrap_cases, bootstrap_difference
from roclab.results import AreaEstimate, Result, TestResult

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
        raise InputError(f"first and second must be two of {names} in that order, got {first!r} and {second!r}.")

    def rows(self) -> list[dict[str, Any]]:
        """One row per pair."""
        return [row for one in self.pairs for row in one.rows()]

    def __str__(self) -> str:
        areas = text_table([row for area in self.areas for row in area.rows()])
        parts = [areas, "", text_table(self.rows())]
        if len(self.areas) > 2:
            test = self.equality
            words = f"statistic {format_number(test.statistic)}, p {format_number(test.p_value)}"
            parts += ["", f"all equal: {test.distribution}, {words}"]
        where = self.areas[0].sample
        parts += ["", f"{self.pairing}; {self.method}; p-values adjusted by {self.adjustment}", where.describe()]
        return "\n".join([*parts, *self.notes])


def compare_areas(
    covariance: AreaCovariance,
    areas: Sequence[AreaEstimate],
    *,
    level: float = 0.95,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    reference: Literal["normal", "t"] = "normal",
) -> Comparison:
    """All pairs and the global test from one covariance matrix.

    ``reference="t"`` is for unpaired samples: the Welch-Satterthwaite t distribution with each sample's size less one.
    """
    check_level(level)
    check_choice(alternative, "alternative", ALTERNATIVES)
    check_choice(reference, "reference", ("normal", "t"))
    k = covariance.areas.size
    if k < 2:
        raise InputError(f"a comparison needs at least two scores, got {k}; name another score to compare with.")
    if reference == "t" and covariance.pairing != "unpaired":
        raise InputError("reference='t' is for unpaired samples only; leave it out for paired scores.")
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
        areas=tuple(areas),
        covariance=covariance.matrix,
        pairs=with_adjusted(found, adjust),
        equality=equality_test(covariance.areas, covariance.matrix),
        pairing=covariance.pairing,
        method=covariance.method,
        adjustment=adjust,
        level=level,
        notes=undefined_notes(found),
    )


def estimates_of(covariance: AreaCovariance, *, level: float) -> list[AreaEstimate]:
    """Each area with the standard error of the covariance matrix, on the logit scale."""
    out = []
    for at, sample in enumerate(covariance.samples):
        area = float(covariance.areas[at])
        se = math.sqrt(max(float(covariance.matrix[at, at]), 0.0))
        interval = area_interval(
            area,
            se,
            level=level,
            bounds=covariance.area.bounds,
            pairs=min(sample.n_pos, sample.n_neg),
            name=covariance.method,
        )
        out.append(
            AreaEstimate(
                quantity=covariance.area.quantity,
                area=area,
                standard_error=se,
                interval=interval,
                method=covariance.area.method,
                sample=replace(sample, score=covariance.names[at]),
            )
        )
    return out


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
    areas: Sequence[AreaEstimate],
    *,
    level: float = 0.95,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    resampling: Resampling | None = None,
    rng: Any = None,
    clustered: bool = False,
) -> Comparison:
    """All pairs from paired bootstrap replicates: for any area, also those without a variance formula.

    Tests are normal with the bootstrap's standard errors, intervals are percentiles of the resampled differences, and
    the global test uses the covariance matrix of the replicates.
    """
    check_level(level)
    if len(cases.names) < 2:
        raise InputError("a comparison needs at least two scores, got 1; name another score to compare with.")
    sampled = bootstrap_cases(cases, area.estimate, resampling=resampling, rng=rng, clustered=clustered)
    values = np.array([one.area for one in areas])
    found = [
        bootstrap_difference(
            sampled.replicates[:, i] - sampled.replicates[:, j],
            float(values[i] - values[j]),
            first=cases.names[i],
            second=cases.names[j],
            level=level,
            alternative=alternative,
            name=sampled.describe(),
        )
        for i, j in combinations(range(len(cases.names)), 2)
    ]
    matrix = np.cov(sampled.replicates, rowvar=False)
    return Comparison(
        quantity=area.quantity,
        areas=tuple(areas),
        covariance=matrix,
        pairs=with_adjusted(found, adjust),
        equality=equality_test(values, matrix),
        pairing="paired",
        method=sampled.describe(),
        adjustment=adjust,
        level=level,
        notes=undefined_notes(found),
    )
