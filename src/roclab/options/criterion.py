"""Criterion: what a cut-off should do best, what must hold, and the conditions it is weighed under."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypedDict

from roclab._core.checks import check_choice, check_fraction, check_not_negative, check_positive
from roclab.errors import InputError, Words, named
from roclab.names import CRITERIA, GOALS, THRESHOLD_RULES, Goal, ThresholdRule
from roclab.options.group import Group, group

__all__ = [
    "BenefitKeywords",
    "Benefits",
    "Bounds",
    "ConditionKeywords",
    "Conditions",
    "CostKeywords",
    "Costs",
    "CriterionAsked",
    "CriterionKeywords",
    "CriterionOptions",
    "PromiseKeywords",
    "PromiseOptions",
    "RequirementKeywords",
    "RequirementOptions",
    "check_priced",
]

Bounds: TypeAlias = Mapping[str, float] | Sequence[str] | str
CriterionAsked: TypeAlias = str | Callable[..., Any] | None


class CostKeywords(TypedDict, total=False):
    """Where decisions will be made, and what both errors cost."""

    prevalence: float | None
    cost_fp: float | None
    cost_fn: float | None


class BenefitKeywords(CostKeywords, total=False):
    """The same, and what right decisions are worth."""

    benefit_tp: float | None
    benefit_tn: float | None


class ConditionKeywords(BenefitKeywords, total=False):
    """What some criteria need to know."""

    beta: float | None
    alpha: float | None
    max_fpr: float | None
    target: Mapping[str, float] | None
    trim: float | None


class RequirementKeywords(ConditionKeywords, total=False):
    """What must hold for a cut-off, and how it is shown."""

    require: Bounds | None
    goal: Goal | None
    rule: ThresholdRule


class PromiseKeywords(TypedDict, total=False):
    """Whether bounds are to hold in new cases."""

    confidence: float | None


class CriterionKeywords(RequirementKeywords, total=False):
    """What a cut-off should do best."""

    criterion: CriterionAsked


_COSTS = {
    "prevalence": "Share of positive cases where it will be used; by default that of the data.",
    "cost_fp": "Cost of a false positive, by default 1.",
    "cost_fn": "Cost of a false negative, by default 1.",
}


@group(CostKeywords, _COSTS)
@dataclass(frozen=True, kw_only=True)
class Costs(Group):
    """How common the positive class is where decisions will be made, and what both errors cost."""

    prevalence: float | None = None
    cost_fp: float | None = None
    cost_fn: float | None = None

    def __post_init__(self) -> None:
        if self.prevalence is not None:
            check_fraction(self.prevalence, "prevalence", open_ends=True, way_out="write 0.1 for 10%")
        for name in ("cost_fp", "cost_fn"):
            if getattr(self, name) is not None:
                check_positive(
                    getattr(self, name), name, way_out="costs are weighed against each other, write 1 and 10"
                )


_BENEFITS = {
    "benefit_tp": "Benefit of a true positive, in the units of the costs; by default 0.",
    "benefit_tn": "Benefit of a true negative, in the units of the costs; by default 0.",
}


@group(BenefitKeywords, _BENEFITS)
@dataclass(frozen=True, kw_only=True)
class Benefits(Costs):
    """What right decisions are worth, beside what errors cost."""

    benefit_tp: float | None = None
    benefit_tn: float | None = None

    def __post_init__(self) -> None:
        Costs.__post_init__(self)
        for name in _BENEFITS:
            if getattr(self, name) is not None:
                check_not_negative(
                    getattr(self, name), name, way_out="write what a right decision is worth in the units of the costs"
                )


def check_priced(prevalence: float | None, *costs: float) -> None:
    """Refuse costs of errors without the prevalence they are weighed by."""
    if prevalence is None and any(cost != 1 for cost in costs):
        raise InputError(
            "", "costs are weighed by the prevalence", Words("none"), f"write {named('prevalence', 0.1)} for 10%"
        )


_CONDITIONS = {
    "beta": "For f_beta: recall weighs so many times as much as precision.",
    "alpha": "For f_alpha: weight of the precision, 0 to 1.",
    "max_fpr": "For neyman_pearson: largest false positive rate.",
    "target": 'For target: the metric and the value it should come closest to, such as ``{"sensitivity": 0.9}``.',
    "trim": "For min_p: least share of cases on each side of the cut-off.",
}


@group(ConditionKeywords, _CONDITIONS)
@dataclass(frozen=True, kw_only=True)
class Conditions(Benefits):
    """What some criteria need to know; None means that it was not given."""

    beta: float | None = None
    alpha: float | None = None
    max_fpr: float | None = None
    target: Mapping[str, float] | None = None
    trim: float | None = None

    def __post_init__(self) -> None:
        Benefits.__post_init__(self)
        if self.beta is not None:
            check_positive(self.beta, "beta", way_out="2 weighs recall twice as much")
        if self.alpha is not None:
            check_fraction(self.alpha, "alpha", way_out="0.5 weighs precision and recall alike")
        if self.max_fpr is not None:
            check_fraction(self.max_fpr, "max_fpr", way_out="write 0.1 for at most 10% false alarms")
        if self.trim is not None and not 0 <= check_fraction(self.trim, "trim", way_out=_TRIM) < 0.5:
            raise InputError("trim", "must lie below 0.5", self.trim, _TRIM)

    def given(self) -> dict[str, Any]:
        """The conditions that were given."""
        return {name: value for name in _CONDITION_NAMES if (value := getattr(self, name)) is not None}


_TRIM = "write 0.1 to keep 10% of the cases on each side"
_CONDITION_NAMES = (*_COSTS, *_BENEFITS, *_CONDITIONS)
_CRITERION = {
    "criterion": f"""What to do best (default youden): {", ".join(CRITERIA)}; any metric by name, as accuracy, f1, mcc,
jaccard; or required, the rate that the requirements leave open.

Or a function of the four counts, as arrays."""
}
_REQUIREMENTS = {
    "require": """What must hold: bounds on metrics, such as "sensitivity >= 0.9" or "fpr <= 0.1"; without a sign
the bound is a lower one where higher is better.""",
    "goal": """Which end of the criterion is better, where that is not its own: of functions, and of metrics that only
describe.""",
    "rule": """Which of the thresholds that decide alike is shown.

- "observed" (default): the score of a case
- "midpoints": halfway to the next score
- "spss": halfway, and one beyond both ends""",
}


@group(RequirementKeywords, _REQUIREMENTS)
@dataclass(frozen=True, kw_only=True)
class RequirementOptions(Conditions):
    """What must hold; the names of metrics are known where they are computed, and checked there."""

    require: Bounds | None = None
    goal: Goal | None = None
    rule: ThresholdRule = "observed"

    def __post_init__(self) -> None:
        Conditions.__post_init__(self)
        if self.goal is not None:
            check_choice(self.goal, "goal", GOALS)
        check_choice(self.rule, "rule", THRESHOLD_RULES)


@group(PromiseKeywords, {
    "confidence": """Promise that the bounds hold in new cases with this probability, such as 0.95.

Without it a bound is kept in these cases only, and in new ones about every second time. A table of all cut-offs says
what each of them promises."""
})  # fmt: skip
@dataclass(frozen=True, kw_only=True)
class PromiseOptions(Group):
    """Whether bounds are to hold in new cases."""

    confidence: float | None = None


@group(CriterionKeywords, _CRITERION)
@dataclass(frozen=True, kw_only=True)
class CriterionOptions(RequirementOptions):
    """What a cut-off should do best."""

    criterion: CriterionAsked = None
