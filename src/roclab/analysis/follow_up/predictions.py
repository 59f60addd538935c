"""Are predicted risks of the event by a horizon right? Brier scores, accuracy, net benefits, and their differences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Bools, Floats
from roclab._core.undefined import Undefined
from roclab.analysis.follow_up.areas import check_horizon
from roclab.analysis.follow_up.notes import notes_of_horizons
from roclab.analysis.follow_up.read import Followed, read_followed
from roclab.decisions.paired_losses import LossDifference, PredictionComparison
from roclab.errors import InputError, Words, named
from roclab.inference.follow_up_areas import Horizon, covariance_of_influences, horizon_of
from roclab.inference.follow_up_risks import RiskMeasure, accuracy_of, brier_of, net_benefit_of
from roclab.inference.one_area.intervals import deviate
from roclab.inference.p_values import p_of_z
from roclab.options.follow_up import FollowUpOptions
from roclab.results import Interval

__all__ = ["horizon_of_risks", "predictions_of_followed", "predictions_over_time", "risks_of"]

_NULL = "null model"
_ALL = "treat all"
_FEW = 10  # known cases that two predictions treat differently


def predictions_over_time(
    y_true: Any, y_score: Any, data: Mapping[str, Any], *, probabilities: Floats, level: float
) -> PredictionComparison:
    """Every measure of every predicted risk, and every difference of two, from the influences of the cases."""
    options = FollowUpOptions.of(data)
    followed = read_followed(y_true, y_score, data, options, verb="compare_predictions()")
    return predictions_of_followed(followed, options, probabilities=probabilities, level=level)


def predictions_of_followed(
    followed: Followed, options: FollowUpOptions, *, probabilities: Floats, level: float
) -> PredictionComparison:
    """The same of cases that were read."""
    at = horizon_of_risks(options, followed)
    risks = risks_of(followed)
    follow_up, horizon = followed.follow_up, horizon_of(followed.follow_up, at, "not a case")
    single: list[LossDifference] = []
    pairs: list[LossDifference] = []

    def add(quantity: str, found: Sequence[tuple[str, RiskMeasure | None]]) -> None:
        single.extend(_answer(quantity, name, None, one, followed, level) for name, one in found)
        pairs.extend(
            _answer(quantity, first, second, _apart(one, two), followed, level)
            for (first, one), (second, two) in combinations(found, 2)
        )

    null = brier_of(follow_up, horizon, np.full(len(follow_up), horizon.incidence))
    briers = [(name, brier_of(follow_up, horizon, risk)) for name, risk in risks.items()]
    add("Brier score", [*briers, (_NULL, null)])
    add("IPA", [(name, accuracy_of(one, null)) for name, one in briers])
    notes: list[str] = []
    for threshold in probabilities.tolist():
        treated = {name: risk >= threshold for name, risk in risks.items()}
        treated[_ALL] = np.ones(len(follow_up), dtype=np.bool_)
        found = [(name, net_benefit_of(follow_up, horizon, rows, threshold)) for name, rows in treated.items()]
        add(f"net benefit at {threshold:g}", found)
        notes += _thin(treated, horizon, threshold)
    return PredictionComparison(
        single=tuple(single), pairs=tuple(pairs), level=level, cases=_cases(horizon, followed),
        notes=(*_about(horizon, followed, bool(probabilities.size)), *notes,
               *notes_of_horizons({at: horizon}, followed, level)),
    )  # fmt: skip


def horizon_of_risks(options: FollowUpOptions, followed: Followed) -> float:
    """The one horizon that predicted risks are about."""
    check_horizon(followed, options)
    if len(options.horizons) > 1:
        raise InputError(
            "at", "must be one horizon", Words(", ".join(f"{at:g}" for at in options.horizons)),
            "a predicted risk is of the event by one; ask for each with its own risks",
        )  # fmt: skip
    if options.controls == "event-free":
        raise InputError(
            "controls", "must be 'not a case' for predicted risks", options.controls,
            "who had another event did not have the one whose risk is predicted; leave it out",
        )  # fmt: skip
    return options.horizons[0]


def risks_of(followed: Followed) -> Mapping[str, Floats]:
    """The scores, which must be risks of the event."""
    for name, risk in followed.scores.items():
        if followed.directions[name] == "lower":
            raise InputError(name, "must be a risk of the event", Words(named("direction", "lower")), "use 1 - score")
        if not 0 <= float(risk.min()) <= float(risk.max()) <= 1:
            raise InputError(
                name, "must hold predicted risks between 0 and 1", Words(f"{risk.min():g} to {risk.max():g}"),
                "fit a model that predicts the risk of the event by the horizon first",
            )  # fmt: skip
        for other in (_NULL, _ALL):
            if name == other:
                raise InputError("score", f"must not be called {other!r}, which stands beside it", name, "rename it")
    return followed.scores


def _apart(one: RiskMeasure | None, two: RiskMeasure | None) -> RiskMeasure | None:
    if one is None or two is None:
        return None
    return RiskMeasure(value=one.value - two.value, influence=one.influence - two.influence)


def _answer(
    quantity: str, first: str, second: str | None, one: RiskMeasure | None, followed: Followed, level: float
) -> LossDifference:
    subjects = followed.subjects
    df = math.inf if subjects is None else float(subjects.max())
    method = "influence, normal" if subjects is None else f"influence, t over {df + 1:g} subjects"
    if one is None or df < 1:
        why = "the last of the treated are lost before the horizon" if one is None else "one subject has no spread"
        missing = Undefined(why)
        return LossDifference(
            quantity=quantity, first=first, second=second, value=missing if one is None else one.value,
            standard_error=missing, interval=Interval(low=missing, high=missing, level=level, method="none"),
            p_value=missing,
        )  # fmt: skip
    error = math.sqrt(float(covariance_of_influences([one.influence], subjects)[0, 0]))
    half = deviate(level, df=df) * error
    p: float = Undefined("a value alone is not held against 0")
    if second is not None and error > 0:
        p = p_of_z(one.value / error, "two-sided", df)
    elif second is not None:
        p = 1.0 if one.value == 0 else Undefined("the difference has no spread")
    return LossDifference(
        quantity=quantity, first=first, second=second, value=one.value, standard_error=error, p_value=p,
        interval=Interval(low=one.value - half, high=one.value + half, level=level, method=method),
    )  # fmt: skip


def _thin(treated: Mapping[str, Bools], horizon: Horizon, threshold: float) -> list[str]:
    """Whose normal limits rest on few known cases that are treated, or treated differently."""
    known = (horizon.cases > 0) | (horizon.controls > 0)
    notes = []
    for name, rows in treated.items():
        many = int(np.count_nonzero(rows & known))
        if many < _FEW:
            notes.append(f"At {threshold:g}, {name} treats {plural(many, 'known case')}: its limits may be too narrow.")
    for (first, rows), (second, others) in combinations(treated.items(), 2):
        many = int(np.count_nonzero((rows != others) & known))
        if many < _FEW:
            notes.append(
                f"At {threshold:g}, {first} and {second} treat {plural(many, 'known case')} differently: limits of "
                "their difference may be too narrow."
            )
    return notes


def _cases(horizon: Horizon, followed: Followed) -> str:
    cases, controls = horizon.counts
    by = f"by {horizon.at:g}"
    free = "not a case" if followed.others else "event-free"
    known = f"{cases} cases (event {followed.cause} {by}), {controls} controls ({free} {by}), {horizon.unknown} unknown"
    dropped = f"; {followed.dropped} left out for gaps" if followed.dropped else ""
    return f"{known}; incidence {horizon.incidence:.4f}{dropped}"


def _about(horizon: Horizon, followed: Followed, benefits: bool) -> tuple[str, ...]:
    notes = (
        f"IPA: by which share the Brier score is below that of the null model, {horizon.incidence:.4f} for everybody.",
        f"W{followed.follow_up.described()[1:]}, errors by influence functions.",
    )
    if not benefits:
        return notes
    return (*notes, "Net benefits count those at or above the threshold, with weights among them alone.")
