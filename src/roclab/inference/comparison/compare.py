"""Comparing the areas of several scores: all pairs and all at once."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np

from roclab._core.text import format_number, text_table, without_shared
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words
from roclab.inference.comparison.contrasts import (
    Difference,
    contrast_of,
    equality_of,
    named_contrast,
    referred,
)
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.comparison.margins import MarginTest, claim_words, margin_test, with_adjusted_claims
from roclab.inference.comparison.multiplicity import adjusted
from roclab.inference.comparison.simultaneous import family_words, pairs_compared, pairs_of
from roclab.inference.one_area.estimate import estimate_from_error
from roclab.inference.one_area.score import SCORE
from roclab.names import Adjustment, Alternative, AreaInterval, Claim, ComparisonTest, Side
from roclab.options.comparison import AreaComparison
from roclab.results import AreaEstimate, Interval, RateEstimate, Result, TestResult
from roclab.results.pictured import Pictured

__all__ = [
    "Comparison",
    "compare_areas",
    "distribution_words",
    "estimate_of",
    "estimates_of",
    "undefined_notes",
    "with_adjusted",
    "with_questions",
]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison(Pictured):
    """What every comparison returns: estimates, their differences and, where asked for, claims and contrasts.

    Attributes
    ----------
    quantity : str
        What was compared: "AUC", "tAUC", "sensitivity at specificity 0.9" …
    areas : tuple of AreaEstimate or RateEstimate
        The single estimates, each as it is without the comparison; empty for areas typed from papers.
    covariance : array or None
        Their covariance matrix, where the method has one.
    pairs : tuple of Difference
        All pairs, first minus second, with intervals, p-values and adjusted p-values.
    equality : TestResult or None
        The test that all are equal.
    claims : tuple of MarginTest
        Non-inferiority or equivalence of the first score against each other one, if a margin was given.
    contrasts : tuple of Difference
        Weighted sums that were asked for.
    test : "score", "t", "normal" or "t_proc"
        How differences were judged.
    """

    quantity: str
    areas: tuple[AreaEstimate | RateEstimate, ...]
    covariance: Floats | None
    pairs: tuple[Difference, ...]
    equality: TestResult | None
    pairing: str
    method: str
    adjustment: str
    level: float
    claims: tuple[MarginTest, ...] = ()
    contrasts: tuple[Difference, ...] = ()
    test: ComparisonTest = "normal"
    distribution: str = ""  # to which the statistics were referred, where that was a choice
    notes: tuple[str, ...] = ()
    # What further contrasts are read from; JSON does not have it.
    _known: AreaCovariance | None = field(default=None, metadata={"not_in_json": True})

    @property
    def names(self) -> tuple[str, ...]:
        """What was compared, by name."""
        return tuple(dict.fromkeys(name for pair in self.pairs for name in (pair.first, pair.second)))

    def pair(self, first: str, second: str) -> Difference:
        """The difference between two of the scores, first minus second."""
        for one in self.pairs:
            if (one.first, one.second) == (first, second):
                return one
            if (one.first, one.second) == (second, first):
                return one.turned()
        names = ", ".join(map(repr, self.names))
        raise InputError("first", f"and second must be two of {names}", Words(f"{first!r} and {second!r}"))

    def margin(self, first: str, second: str, *, margin: float, claim: Claim = "non-inferiority") -> MarginTest:
        """Is ``first`` not worse than ``second`` by more than ``margin``, or equivalent within it?"""
        return margin_test(
            self._covariance(), first, second, margin=margin, claim=claim, level=self.level, test=self.test
        )

    def contrast(self, weights: Mapping[str, float], *, alternative: Alternative = "two-sided") -> Difference:
        """A weighted sum of the areas against 0, such as ``{"a": 1, "b": -0.5, "c": -0.5}``."""
        return named_contrast(self._covariance(), weights, level=self.level, alternative=alternative, test=self.test)

    def _covariance(self) -> AreaCovariance:
        if self._known is None and self.covariance is not None and self.areas:
            raise InputError(
                "", "a margin or contrast needs the ranks of the cases, which JSON does not hold",
                way_out="compare the cases again, or keep the comparison with pickle",
            )  # fmt: skip
        if self._known is None:
            raise InputError(
                "",
                f"a margin or contrast needs the covariance of the areas, and {self.method} has none",
                way_out="compare with variance='delong', 'bootstrap' or 'clustered'",
            )
        return self._known

    @classmethod
    def _between_groups(cls, answers: Mapping[str, Comparison]) -> tuple[TestResult, ...]:
        """Is each difference the same in all groups?"""
        from roclab.inference.comparison.interaction import interaction_tests

        return interaction_tests(answers)

    def rows(self) -> list[dict[str, Any]]:
        """One row per claim or contrast that was asked for, else one per pair."""
        asked: tuple[Result, ...] = (*self.claims, *self.contrasts) or self.pairs
        return [row for one in asked for row in one.rows()]

    def __str__(self) -> str:
        parts = []
        if self.areas:
            rows, below = without_shared([row for area in self.areas for row in area.rows()], ["method", "interval"])
            parts = [text_table(rows), *below, ""]
        single = len(self.claims or self.contrasts or self.pairs) < 2
        shown, below = without_shared(self.rows(), ["claim", "margin"])
        if self.adjustment == "none" or single:
            shown = [{name: value for name, value in row.items() if name != "adjusted p"} for row in shown]
        parts += [text_table(shown), *below]
        if self.equality is not None and len(self.areas) > 2 and not (self.claims or self.contrasts):
            words = f"statistic {format_number(self.equality.statistic)}, p {format_number(self.equality.p_value)}"
            parts += ["", f"all equal: {self.equality.distribution}, {words}"]
        samples = dict.fromkeys(replace(area.sample, score=None).describe() for area in self.areas)
        notes = [f"{area.sample.score}: {note}" for area in self.areas for note in area.notes]
        adjusted_words = "" if single or self.claims or self.contrasts else f"; {self._family_words()}"
        method = "; ".join(word for word in (self.pairing, self.method, self.distribution) if word) + adjusted_words
        claimed = [claim_words(self.claims, self.adjustment)] if self.claims else []
        return "\n".join([*parts, *claimed, "", method, *samples, *notes, *self.notes])

    def _family_words(self) -> str:
        """What p-values and limits of several pairs say together."""
        if self.adjustment == "max-t":
            return f"limits and p-values hold for all {len(self.pairs)} pairs together (max-t)"
        alone = "limits are for each pair alone"
        return alone if self.adjustment == "none" else f"p-values adjusted by {self.adjustment}, {alone}"


_TEST_WORDS: dict[str, str] = {
    "score": f"{SCORE} test of equal areas",
    "t": "Welch's t",
    "normal": "normal distribution",
    "t_proc": "t with the degrees of freedom of whole samples",
}


def distribution_words(covariance: AreaCovariance, test: ComparisonTest) -> str:
    """Which distribution the statistics are referred to, where that is a choice."""
    return _TEST_WORDS[test] if covariance.strata else ""


def compare_areas(
    covariance: AreaCovariance, asked: AreaComparison, *, areas: Sequence[AreaEstimate] | None = None
) -> Comparison:
    """All pairs and the global test from one covariance matrix.

    ``areas`` replaces the single estimates. Differences are judged by the "score" test (default for AUCs of few cases,
    see ``score``) with chi-squared for all areas at once; by "t" (default elsewhere, see ``welch``) with F; by the
    "normal" distribution with chi-squared, as DeLong published it; or by "t_proc", for unpaired samples, with each
    sample's whole size less one.
    """
    level = asked.level
    judged_by = referred(covariance, asked.test)
    k = covariance.areas.size
    if k < 2:
        raise InputError("", "a comparison needs at least two scores", Words(k), "name another score to compare with")

    def difference(i: int, j: int, level: float) -> Difference:
        weights = np.zeros(k)
        weights[i], weights[j] = 1, -1
        names = (covariance.names[i], covariance.names[j])
        return contrast_of(covariance, weights, names=names, level=level, alternative=asked.alternative, test=judged_by)

    pairs = pairs_compared(covariance.names, asked, difference, covariance.matrix)
    return Comparison(
        quantity=covariance.area.quantity if covariance.area is not None else "AUC",
        areas=estimates_of(covariance, level=level, interval=asked.interval) if areas is None else tuple(areas),
        covariance=covariance.matrix,
        pairs=pairs,
        equality=equality_of(covariance, judged_by),
        pairing=covariance.pairing,
        method=covariance.method,
        adjustment=family_words(asked),
        level=level,
        test=judged_by,
        distribution=distribution_words(covariance, judged_by),
        notes=(*undefined_notes(pairs), *(_alike_notes(covariance) if judged_by in ("score", "t") else ())),
        _known=covariance,
    )


def estimates_of(
    covariance: AreaCovariance, *, level: float, interval: AreaInterval = "auto"
) -> tuple[AreaEstimate, ...]:
    """Each area with its standard error from the covariance matrix: what ``auc`` says of it alone."""
    return tuple(
        estimate_of(covariance, at, math.sqrt(max(float(covariance.matrix[at, at]), 0.0)), None, level, interval)
        for at in range(len(covariance.names))
    )


def estimate_of(
    covariance: AreaCovariance,
    at: int,
    se: float,
    found: Interval | None,
    level: float,
    interval: AreaInterval = "auto",
    side: Side = "two-sided",
) -> AreaEstimate:
    """One area of a covariance matrix as ``auc`` says it, or with an interval found elsewhere."""
    assert covariance.area is not None
    parts = None if covariance.parts is None or found is not None else covariance.parts[at]
    estimate = estimate_from_error(
        covariance.area,
        float(covariance.areas[at]),
        Undefined("a class has only one case, so its spread cannot be seen") if math.isnan(se) else se,
        covariance.method,
        sample=replace(covariance.samples[at], score=covariance.names[at]),
        level=level,
        interval=interval,
        side=side,
        pairs=None if parts is None else min(parts.n_pos, parts.n_neg),
        parts=parts if covariance.area.of_auc else None,
        estimated=None
        if covariance.variances is None or found is not None or interval != "auto"
        else covariance.variances[at],
        df=covariance.units - 1,
    )
    return estimate if found is None else replace(estimate, standard_error=se, interval=found)


def with_adjusted(pairs: Sequence[Difference], adjust: Adjustment) -> tuple[Difference, ...]:
    """The same differences with adjusted p-values."""
    fixed = adjusted([pair.p_value for pair in pairs], adjust)
    return tuple(replace(one, p_adjusted=p) for one, p in zip(pairs, fixed, strict=True))


def undefined_notes(pairs: Sequence[Difference]) -> tuple[str, ...]:
    """Why some p-values do not exist, in words."""
    return tuple(
        f"{pair.first} - {pair.second}: {pair.p_value.reason}." for pair in pairs if isinstance(pair.p_value, Undefined)
    )


def _alike_notes(covariance: AreaCovariance) -> tuple[str, ...]:
    """Pairs whose scores place every case alike: what their intervals rest on then."""
    matrix = covariance.matrix
    return tuple(
        f"{covariance.names[i]} - {covariance.names[j]}: no case is placed differently, so the variance is 0; the "
        "interval allows for one case of each class that might have been."
        for i, j in combinations(range(len(covariance.names)), 2)
        if matrix[i, i] + matrix[j, j] - 2 * matrix[i, j] <= 1e-14 * (matrix[i, i] + matrix[j, j])
    )


def with_questions(found: Comparison, asked: AreaComparison) -> Comparison:
    """The comparison with what was asked besides the pairs: the first score against each other one, or a contrast."""
    if asked.margin is not None:
        names = [str(area.sample.score) for area in found.areas]
        sides = [(names[0], other) for other in names[1:]]
        if asked.control is not None:
            sides = [(names[i], names[j]) for i, j in pairs_of(names, asked.control)]
        claims = [found.margin(*side, margin=asked.margin, claim=asked.claim) for side in sides]
        return replace(found, claims=with_adjusted_claims(claims, asked.adjust))
    if asked.contrast is not None:
        return replace(found, contrasts=(found.contrast(asked.contrast, alternative=asked.alternative),))
    return found
