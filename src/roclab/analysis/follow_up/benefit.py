"""Net benefit of predicted risks of the event by a horizon by threshold, with limits and differences."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from roclab._core.checks import check_level
from roclab._core.types import Floats
from roclab.analysis.follow_up.notes import notes_of_horizons
from roclab.analysis.follow_up.predictions import horizon_of_risks, risks_of
from roclab.analysis.follow_up.read import Followed, read_followed
from roclab.censoring.follow_up import Covariates
from roclab.decisions.net_benefit import BenefitDifference, DecisionCurve, check_threshold_probabilities
from roclab.inference.follow_up_areas import covariance_of_influences, horizon_of
from roclab.inference.follow_up_risks import RiskMeasure, net_benefit_of
from roclab.inference.one_area.intervals import deviate
from roclab.options.follow_up import FollowUpOptions

__all__ = ["benefit_of_followed", "benefit_over_time"]

_ALL = "treat all"


def benefit_over_time(
    y_true: Any, y_score: Any, data: Mapping[str, Any], probabilities: Any, level: float
) -> DecisionCurve:
    """The decision curve at a horizon."""
    check_level(level)
    options = FollowUpOptions.of(data)
    followed = read_followed(y_true, y_score, data, options, verb="net_benefit()")
    return benefit_of_followed(followed, options, probabilities, level)


def benefit_of_followed(
    followed: Followed, options: FollowUpOptions, probabilities: Any = None, level: float = 0.95
) -> DecisionCurve:
    """The same of cases that were read."""
    levels = check_threshold_probabilities(probabilities)
    at = horizon_of_risks(options, followed)
    risks = risks_of(followed)
    follow_up, horizon = followed.follow_up, horizon_of(followed.follow_up, at, "not a case")
    everybody = np.ones(len(follow_up), dtype=np.bool_)
    # Of everybody it is a straight line in the odds of the threshold: two of its points give all.
    ends = [net_benefit_of(follow_up, horizon, everybody, threshold) for threshold in (0.0, 0.5)]
    found: dict[str, list[RiskMeasure | None]] = {name: [] for name in (*risks, _ALL)}
    for threshold in levels.tolist():
        for name, risk in risks.items():
            found[name].append(net_benefit_of(follow_up, horizon, risk >= threshold, threshold))
        found[_ALL].append(_at_odds(ends, threshold / (1 - threshold)))
    value = {name: np.array([math.nan if one is None else one.value for one in own]) for name, own in found.items()}
    half = {name: _half(own, followed, level) for name, own in found.items()}
    differences = []
    for first, second in combinations(found, 2):
        apart = [_apart(one, two) for one, two in zip(found[first], found[second], strict=True)]
        gap, width = value[first] - value[second], _half(apart, followed, level)
        differences.append(BenefitDifference(
            first=first, second=second, probabilities=levels.copy(), difference=gap, low=gap - width, high=gap + width,
        ))  # fmt: skip
    undefined = int(sum(one is None for own in found.values() for one in own))
    weights = (
        "Weights are those of Cox's model."
        if isinstance(follow_up.model, Covariates)
        else "Weights are those among the treated at each threshold."
    )
    notes = [f"{weights} Limits, by influence, hold at each threshold probability alone."]
    if undefined:
        notes.append(f"{undefined} net benefits are undefined: the last of those treated are lost before the horizon.")
    return DecisionCurve(
        probabilities=levels, net_benefit={name: value[name] for name in risks}, treat_all=value[_ALL],
        prevalence=horizon.incidence, level=level, low={name: value[name] - half[name] for name in risks},
        high={name: value[name] + half[name] for name in risks}, differences=tuple(differences), at=at,
        notes=(*notes, *notes_of_horizons({at: horizon}, followed, level)),
    )  # fmt: skip


def _at_odds(ends: list[RiskMeasure | None], odds: float) -> RiskMeasure | None:
    """Between, or beyond, what it is at odds of 0 and of 1."""
    none, even = ends
    if none is None or even is None:
        return None
    return RiskMeasure(
        value=none.value + odds * (even.value - none.value),
        influence=none.influence + odds * (even.influence - none.influence),
    )


def _apart(one: RiskMeasure | None, two: RiskMeasure | None) -> RiskMeasure | None:
    if one is None or two is None:
        return None
    return RiskMeasure(value=one.value - two.value, influence=one.influence - two.influence)


def _half(found: list[RiskMeasure | None], followed: Followed, level: float) -> Floats:
    """Half the length of the limits at every threshold probability."""
    df = math.inf if followed.subjects is None else float(followed.subjects.max())
    z = deviate(level, df=df)
    errors = [
        math.nan
        if one is None
        else math.sqrt(float(covariance_of_influences([one.influence], followed.subjects)[0, 0]))
        for one in found
    ]
    return np.asarray(z * np.array(errors))
