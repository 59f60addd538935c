"""Rates at thresholds that were fixed beforehand: which tests, which rates, which gaps."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypedDict

from roclab._core.checks import check_choice, check_fraction, check_positive, plural
from roclab.errors import InputError, Words, named
from roclab.names import RATE_METRICS, RateMetric
from roclab.options.group import Group, group

__all__ = ["CovariateKeywords", "Covariates", "RateKeywords", "RateOptions", "Thresholds", "thresholds_of"]

Thresholds: TypeAlias = float | str | Mapping[str, float] | Sequence[float]
_USUAL: tuple[RateMetric, ...] = ("sensitivity", "specificity")


class RateKeywords(TypedDict, total=False):
    """Yes/no calls of scores and tests, and what is compared of them."""

    threshold: Thresholds | None
    predicted: str | Sequence[str] | None
    metrics: RateMetric | Sequence[RateMetric]
    probability: float | None
    ratio_margin: float | None


_RATES = {
    "threshold": """Compare rates at this threshold, fixed before these data were seen, instead of areas.

One number for all scores, a list, or ``{"a": 0.5, "b": 3}``; a case is called positive when its score reaches it.""",
    "predicted": "Columns that hold yes/no calls in the words of the label; their rates are compared instead of areas.",
    "metrics": """Which rates are compared (default sensitivity and specificity).

- "sensitivity", "specificity", "accuracy": Tango's limits, McNemar's test
- "ppv", "npv": MOVER limits, Kosinski's weighted generalized score test
- "lr_plus", "lr_minus": ratios of likelihood ratios
- "net_benefit": at ``probability``""",
    "probability": "Threshold probability at which net benefits are compared: what a false alarm costs, as odds.",
    "ratio_margin": "Smallest ratio of the first rate to each other one that would still be accepted, such as 0.9.",
}


@group(RateKeywords, _RATES)
@dataclass(frozen=True, kw_only=True)
class RateOptions(Group):
    """Yes/no calls of scores and tests, and what is compared of them."""

    threshold: Thresholds | None = None
    predicted: str | Sequence[str] | None = None
    metrics: RateMetric | Sequence[RateMetric] = _USUAL
    probability: float | None = None
    ratio_margin: float | None = None

    def __post_init__(self) -> None:
        if not self.asked:
            for name in ("metrics", "probability", "ratio_margin"):
                value = getattr(self, name)
                if value is not None and value != _USUAL:
                    raise InputError(
                        name, "is about yes/no calls", Words("areas"),
                        f"give {named('threshold')} for scores or {named('predicted')} for calls",
                    )  # fmt: skip
            return
        if isinstance(self.threshold, str):
            raise InputError(
                "threshold", "must be fixed before these data were seen", self.threshold,
                f"give numbers, or use {named('at_specificity', 0.9)}, which chooses anew in every sample",
            )  # fmt: skip
        if not self.metrics:
            raise InputError("metrics", "must name one rate or more", Words("none"), "write 'sensitivity'")
        for one in self.wanted:
            check_choice(one, "metrics", RATE_METRICS)
        if ("net_benefit" in self.wanted) != (self.probability is not None):
            raise InputError(
                "probability", "and the metric 'net_benefit' belong together",
                Words("one of them"), f"write {named('probability', 0.2)} and name the metric",
            )  # fmt: skip
        if self.probability is not None:
            check_fraction(self.probability, "probability", way_out="write 0.2", open_ends=True)
        if self.ratio_margin is not None:
            check_positive(self.ratio_margin, "ratio_margin", way_out="write 0.9")
            if self.ratio_margin >= 1:
                raise InputError("ratio_margin", "must lie strictly between 0 and 1", self.ratio_margin, "write 0.9")

    @property
    def asked(self) -> bool:
        """Whether rates are compared at all."""
        return self.threshold is not None or self.predicted is not None

    @property
    def wanted(self) -> tuple[RateMetric, ...]:
        """The rates, each once."""
        every = (self.metrics,) if isinstance(self.metrics, str) else tuple(self.metrics)
        return tuple(dict.fromkeys(every))

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns of calls."""
        if self.predicted is None:
            return ()
        return (self.predicted,) if isinstance(self.predicted, str) else tuple(map(str, self.predicted))


class CovariateKeywords(TypedDict, total=False):
    """Rates of tests at equal covariates."""

    covariates: str | Sequence[str] | Mapping[str, Any] | None
    interaction: str | Sequence[str] | None


_COVARIATES = {
    "covariates": """Columns at whose equal values sensitivity and specificity are compared too, by a marginal model.

Names of columns of the table, or a mapping of names to columns. Numbers enter as they are, words each against the
first one.""",
    "interaction": "Covariates on which the difference of the tests may depend, each tested.",
}


@group(CovariateKeywords, _COVARIATES)
@dataclass(frozen=True, kw_only=True)
class Covariates(Group):
    """Rates of tests at equal covariates."""

    covariates: str | Sequence[str] | Mapping[str, Any] | None = None
    interaction: str | Sequence[str] | None = None

    def __post_init__(self) -> None:
        if self.covariates is None:
            if self.interaction is not None:
                raise InputError("interaction", "is one of test and covariates", Words("no covariates"),
                                 f"write {named('covariates', ['age'])}")  # fmt: skip
            return
        if not self.names:
            raise InputError("covariates", "must name one column or more", Words("none"), "leave it out")
        unknown = [one for one in self.interacting if one not in self.names]
        if unknown:
            raise InputError("interaction", "must be among the covariates", unknown[0],
                             f"write {named('covariates', [*self.names, unknown[0]])}")  # fmt: skip

    @property
    def names(self) -> tuple[str, ...]:
        """The covariates, each once."""
        given = () if self.covariates is None else self.covariates
        return tuple(dict.fromkeys([given] if isinstance(given, str) else map(str, given)))

    @property
    def interacting(self) -> tuple[str, ...]:
        """Those on which the difference may depend."""
        given = () if self.interaction is None else self.interaction
        return tuple(dict.fromkeys([given] if isinstance(given, str) else map(str, given)))


def thresholds_of(asked: Thresholds | None, scores: Sequence[str]) -> dict[str, float]:
    """The threshold of every score, by name.

    >>> thresholds_of({"new": 0.5, "old": 3}, ["new", "old"])
    {'new': 0.5, 'old': 3.0}
    """
    if isinstance(asked, str):
        raise InputError("threshold", "must be fixed before these data were seen", asked, "give numbers")
    if not scores:
        if asked is not None:
            raise InputError("threshold", "is that of scores", Words("calls only"), "leave it out")
        return {}
    example = f"name them: {named('threshold', dict.fromkeys(list(scores)[:3], 0.5))}"
    rule = "must give one number for every score"
    if asked is None:
        raise InputError("threshold", rule, Words(f"none for {plural(len(scores), 'score')}"), example)
    if isinstance(asked, Mapping):
        unknown = [name for name in asked if name not in scores]
        lacking = [name for name in scores if name not in asked]
        if unknown or lacking:
            got = Words(f"{unknown[0]!r}, which is none of them" if unknown
                        else f"{len(asked)} for {plural(len(scores), 'score')}")  # fmt: skip
            raise InputError("threshold", rule, got, example)
        values = [asked[name] for name in scores]
    elif isinstance(asked, Sequence) and not isinstance(asked, str):
        values = list(asked)
        if len(values) != len(scores):
            raise InputError("threshold", rule, Words(f"{len(values)} for {plural(len(scores), 'score')}"), example)
    else:
        values = [float(asked) if isinstance(asked, int | float) else asked] * len(scores)  # type: ignore[list-item]
    for value in values:
        if isinstance(value, str | bool) or not hasattr(value, "__float__") or math.isnan(float(value)):
            raise InputError("threshold", rule, value, example)
    return {name: float(value) for name, value in zip(scores, values, strict=True)}
