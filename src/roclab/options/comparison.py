"""Comparison: how differences are tested, adjusted, and held against a margin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypedDict

from roclab._core.checks import check_choice
from roclab.errors import InputError, Words, named
from roclab.names import (
    ADJUSTMENTS,
    ALTERNATIVES,
    AREA_INTERVALS,
    BOOTSTRAP_INTERVALS,
    CLAIMS,
    COMPARISON_TESTS,
    CORRELATION_TABLES,
    PAIRED_VARIANCES,
    SCORE_CORRELATIONS,
    Adjustment,
    Alternative,
    AreaInterval,
    Claim,
    ComparisonTest,
    CorrelationTable,
    PairedVariance,
    RateInterval,
    RateTest,
    ScoreCorrelation,
)
from roclab.options.group import Group, group
from roclab.options.uncertainty import Draws, DrawsKeywords, Level, LevelKeywords

__all__ = [
    "AreaComparison",
    "AreaComparisonKeywords",
    "Correlation",
    "CorrelationKeywords",
    "Pairs",
    "PairsKeywords",
]


class PairsKeywords(LevelKeywords, total=False):
    """How every pair is tested."""

    adjust: Adjustment
    simultaneous: bool
    control: str | None
    alternative: Alternative


class AreaComparisonKeywords(PairsKeywords, DrawsKeywords, total=False):
    """How areas, or rates at a rate, are compared."""

    variance: PairedVariance | None
    interval: AreaInterval | RateInterval
    test: ComparisonTest | RateTest | None
    margin: float | None
    claim: Claim
    contrast: Mapping[str, float] | None
    at_specificity: float | None
    at_sensitivity: float | None


class CorrelationKeywords(TypedDict, total=False):
    """How scores of the same cases hang together, for Hanley and McNeil's method."""

    correlation: ScoreCorrelation
    correlation_table: CorrelationTable


_PAIRS = {
    "adjust": """How p-values are adjusted over all pairs.

- "holm" (default), "bonferroni": the chance of any false claim stays below the level
- "fdr": the expected share of false claims does (Benjamini and Hochberg)
- "none": each pair for itself""",
    "simultaneous": """Limits and adjusted p-values that hold for all pairs together (max-t from the joint covariance),
in place of ``adjust``; otherwise limits are for each pair alone.""",
    "control": "Compare every other one with this one only; with ``simultaneous`` these are Dunnett's comparisons.",
    "alternative": """The alternative hypothesis.

- "two-sided" (default): the first and the second differ
- "greater": the first is larger
- "less": the first is smaller""",
}


@group(PairsKeywords, _PAIRS)
@dataclass(frozen=True, kw_only=True)
class Pairs(Level):
    """How every pair is tested."""

    adjust: Adjustment = "holm"
    simultaneous: bool = False
    control: str | None = None
    alternative: Alternative = "two-sided"

    def __post_init__(self) -> None:
        Level.__post_init__(self)
        check_choice(self.adjust, "adjust", ADJUSTMENTS)
        if self.simultaneous and self.adjust != "holm":
            raise InputError("adjust", f"has no part beside {named('simultaneous')}", self.adjust, "leave one out")
        check_choice(self.alternative, "alternative", ALTERNATIVES)


_COMPARISON = {
    "variance": """Where the covariance of the areas comes from.

- "delong" (default): from the influence of every case
- "clustered" (default with ``ids`` of several cases): of whole subjects (Obuchowski)
- "bootstrap", "clustered_bootstrap": resampled cases or subjects; any area, percentile intervals
- "hanley_mcneil": from the areas and the correlation of the scores (1983)""",
    "interval": """Kind of interval of each single area, as in :func:`auc`.

- at a ``threshold`` that of paired differences: "tango" (default), "newcombe", "bonett_price", "agresti_min", "wald"
- between groups of different cases "auto" only: Miettinen and Nurminen""",
    "test": """How differences are judged; H0: the areas are equal.

- "score" (default for AUCs of few cases): by the variance that equal areas imply, from permutations of the scores of
  every case; the package's own (docs/methods/score_test, simulated in docs/coverage). It passes over into Welch's t
  where one class is much smaller and the curves differ in shape
- "t" (default for other areas, more cases and "clustered"): Welch's t, and F for all scores at once
- "t_proc": t as pROC computes it for unpaired curves
- "normal": DeLong's z and chi-squared, as published and as other programs print them
- at a ``threshold``: "score" (default; McNemar, which is Tango's test of no difference), "midp", "exact" or
  "corrected"; of subjects with several cases (``ids``) "eliasziw_donner", "obuchowski", "durkalski" or "yang\"""",
    "margin": "The largest difference that is accepted: is the first score not worse than each other one by more?",
    "claim": """What the margin is to show.

- "non-inferiority" (default): H0: the first is worse by the margin or more; one-sided at 2.5%, by the 95% interval
- "equivalence": H0: the difference reaches the margin on either side; twice one-sided at 5%, by the 90% interval""",
    "contrast": 'A weighted sum of areas against 0, such as ``{"a": 1, "b": -0.5, "c": -0.5}``; weights add up to 0.',
    "at_specificity": "Compare the sensitivities at this specificity instead of areas, by the bootstrap.",
    "at_sensitivity": "Compare the specificities at this sensitivity instead of areas, by the bootstrap.",
}


@group(AreaComparisonKeywords, _COMPARISON)
@dataclass(frozen=True, kw_only=True)
class AreaComparison(Pairs, Draws):
    """How areas, or rates at a rate, are compared; one question besides the pairs at most."""

    variance: PairedVariance | None = None
    interval: AreaInterval = "auto"
    test: ComparisonTest | None = None
    margin: float | None = None
    claim: Claim = "non-inferiority"
    contrast: Mapping[str, float] | None = None
    at_specificity: float | None = None
    at_sensitivity: float | None = None

    def __post_init__(self) -> None:
        Pairs.__post_init__(self)
        Draws.__post_init__(self)
        check_choice(self.interval, "interval", AREA_INTERVALS)
        check_choice(self.claim, "claim", CLAIMS)
        if self.variance is not None:
            check_choice(self.variance, "variance", PAIRED_VARIANCES)
        if self.test is not None:
            check_choice(self.test, "test", COMPARISON_TESTS)
        if self.claim != "non-inferiority" and self.margin is None:
            raise InputError("claim", "is about a margin", self.claim, f"write {named('margin', 0.05)}")
        questions = self.questions
        if self.simultaneous and questions and not self.at_rate:
            raise InputError(
                "simultaneous",
                "is about pairs",
                Words(named(questions[0])),
                f"leave it out; claims follow {named('adjust')}",
            )
        if self.control is not None and self.contrast is not None:
            raise InputError("control", "is about pairs", Words(named("contrast")), "leave it out")
        if len(questions) > 1:
            raise InputError(
                questions[0], f"and {named(questions[1])} are different questions", Words("both"), "ask one at a time"
            )

    @property
    def questions(self) -> list[str]:
        """What was asked besides the pairs."""
        every = ("margin", "contrast", "at_specificity", "at_sensitivity")
        return [name for name in every if getattr(self, name) is not None]

    @property
    def draws(self) -> bool:
        """Whether cases are resampled."""
        return self.at_rate or "bootstrap" in (self.variance or "") or self.interval in BOOTSTRAP_INTERVALS

    @property
    def at_rate(self) -> bool:
        """Whether rates are compared instead of areas."""
        return self.at_specificity is not None or self.at_sensitivity is not None


_CORRELATION = {
    "correlation": """Of the scores, for Hanley and McNeil's method.

- "pearson" (default): for continuous scores
- "kendall": for ratings""",
    "correlation_table": """What gives the correlation of the areas.

- "table50" (default): the paper's table, of 50 + 50 cases
- "actual": computed for the actual number of cases""",
}


@group(CorrelationKeywords, _CORRELATION)
@dataclass(frozen=True, kw_only=True)
class Correlation(Group):
    """How scores of the same cases hang together."""

    correlation: ScoreCorrelation = "pearson"
    correlation_table: CorrelationTable = "table50"

    def __post_init__(self) -> None:
        check_choice(self.correlation, "correlation", SCORE_CORRELATIONS)
        check_choice(self.correlation_table, "correlation_table", CORRELATION_TABLES)
