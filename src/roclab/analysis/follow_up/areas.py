"""How well does a score tell who has the event by a horizon? Areas over time, and their comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from roclab._core.types import Floats
from roclab.analysis.follow_up.joint import JOINT, constant_areas, joint_test
from roclab.analysis.follow_up.notes import notes_of_horizons, notes_of_landmarks
from roclab.analysis.follow_up.read import Followed, read_followed
from roclab.analysis.follow_up.results import AreasOverTime, ComparisonsOverTime, HorizonArea
from roclab.errors import InputError, Words
from roclab.inference.comparison.compare import Comparison, compare_areas, with_questions
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.follow_up_areas import (
    AreaAtHorizon,
    Horizon,
    areas_at_horizons,
    covariance_of_influences,
    integrated_area,
)
from roclab.inference.one_area.area import area_of_method
from roclab.inference.one_area.intervals import area_interval
from roclab.inference.one_area.score import SCORE, fit_score_variance, score_interval
from roclab.names import Side
from roclab.options.comparison import AreaComparison
from roclab.options.follow_up import FollowUpOptions
from roclab.options.uncertainty import AreaUncertainty
from roclab.results import AreaEstimate, Interval, Sample

__all__ = [
    "areas_at",
    "areas_of_followed",
    "areas_over_time",
    "check_horizon",
    "comparison_of_followed",
    "comparison_over_time",
    "estimate_of",
    "matrix_of",
    "method_of",
    "sample_at",
    "sample_of",
]

_ALLOWED = {"level", "interval", "side"}
_SCALES: dict[str, Literal["logit", "plain", "clipped"]] = {"logit": "logit", "plain": "plain", "clipped": "clipped"}


def areas_over_time(y_true: Any, y_score: Any, asked: Mapping[str, Any], data: Mapping[str, Any]) -> Any:
    """One area, or all of several scores, horizons or landmarks; of groups each with its own censoring."""
    _refuse_beside(asked, _ALLOWED)
    options = FollowUpOptions.of(data)
    how = AreaUncertainty.of(asked)
    followed = read_followed(y_true, y_score, data, options, verb=None if len(options.landmarks) > 1 else "areas")
    check_horizon(followed, options)
    if followed.groups is not None:
        from roclab.analysis.follow_up.groups import areas_by_group

        return areas_by_group(followed, options, how)
    return areas_of_followed(followed, options, how)


def areas_of_followed(followed: Followed, options: FollowUpOptions, how: AreaUncertainty) -> Any:
    """The areas of cases that were read."""
    found = areas_at(followed, options)
    estimates = tuple(
        estimate_of(area, followed, options, level=how.level, interval=str(how.interval), side=how.side)
        for area in found
    )
    notes = _notes(found, followed, options, how.level)
    if len(estimates) == 1:
        return replace(estimates[0], notes=notes)
    matrix = matrix_of(found, followed)
    return AreasOverTime(
        areas=estimates, covariance=matrix, means=_means(found, followed, options, how.level),
        constant=tuple(constant_areas(found, matrix)), notes=notes,
    )  # fmt: skip


def comparison_over_time(y_true: Any, y_score: Any, asked: Mapping[str, Any], data: Mapping[str, Any]) -> Any:
    """Scores of the same cases compared at a horizon, or at several and over all of them."""
    _refuse_beside(asked, {"level", "interval", "adjust", "alternative", "control", "simultaneous", "margin", "claim",
                           "contrast", "test"})  # fmt: skip
    questions = AreaComparison.of({**asked, "test": asked.get("test") or "normal"})
    if questions.test != "normal":
        raise InputError("test", "must be 'normal' over time", questions.test, "leave it out")
    options = FollowUpOptions.of(data)
    followed = read_followed(y_true, y_score, data, options, verb=None if len(options.landmarks) > 1 else "areas")
    return comparison_of_followed(followed, options, questions)


def comparison_of_followed(followed: Followed, options: FollowUpOptions, questions: AreaComparison) -> Any:
    """The comparison of cases that were read."""
    check_horizon(followed, options)
    if len(followed.scores) < 2:
        raise InputError(
            "", "a comparison needs at least two scores", Words("one"), "name another score to compare with"
        )
    found = areas_at(followed, options)
    matrix = matrix_of(found, followed)
    notes = _notes(found, followed, options, questions.level)
    names = list(followed.scores)
    many = len(found) // len(names)
    each: dict[Any, Comparison] = {}
    for place in range(many):
        rows = [score * many + place for score in range(len(names))]
        one = found[place]
        at = one.horizon.at if len(options.landmarks) < 2 else (one.landmark, one.horizon.at)
        each[at] = _compared(
            [found[row] for row in rows], matrix[np.ix_(rows, rows)], followed, options, questions, notes
        )
    if many == 1:
        return next(iter(each.values()))
    areas = np.array([area.area for area in found])
    pairs = [(i, j) for i, j in combinations(range(len(names)), 2)]
    tests = {kind: tuple(joint_test(areas, matrix, names, pair, many, kind) for pair in pairs) for kind in JOINT}
    return ComparisonsOverTime(
        comparisons=each, covariance=matrix, joint=tests["joint"], changing=tests["changing"], largest=tests["largest"]
    )


def _means(
    found: Sequence[AreaAtHorizon], followed: Followed, options: FollowUpOptions, level: float
) -> dict[str, AreaEstimate]:
    """The mean area of every score over the horizons, where there are several and one start."""
    if len(options.horizons) < 2 or len(options.landmarks) > 1:
        return {}
    means = {}
    for name in followed.scores:
        own = [area for area in found if area.score == name]
        value, influence = integrated_area(followed.follow_up, own)
        error = math.sqrt(float(covariance_of_influences([influence], followed.subjects)[0, 0]))
        means[name] = AreaEstimate(
            quantity="integrated AUC", area=value, standard_error=error,
            interval=area_interval(
                value, error, level=level, scale="logit", name="influence", df=_units(followed) - 1,
                pairs=min(own[-1].horizon.effective),
            ),
            method=f"mean over {', '.join(f'{at:g}' for at in options.horizons)}, weighed by the incidence",
            sample=sample_of(own[-1], followed, options),
        )  # fmt: skip
    return means


def check_horizon(followed: Followed, options: FollowUpOptions) -> None:
    """Ask for the horizon, and say what would be one."""
    if options.at is not None:
        return
    follow_up = followed.follow_up
    events = follow_up.time[follow_up.event == 1]
    half = "" if not events.size else f", half of the events are by {float(np.median(events)):g}"
    raise InputError(
        "at", "must be given", Words("none"),
        f"an area over time needs its horizon; follow-up ends at {float(follow_up.time.max()):g}{half}",
    )  # fmt: skip


def _refuse_beside(asked: Mapping[str, Any], allowed: set[str]) -> None:
    for name, value in asked.items():
        if value is not None and name not in allowed:
            shown = value if isinstance(value, str | int | float | bool) else Words("a value")
            raise InputError(name, "has no part in areas over time", shown, "leave it out")


def areas_at(followed: Followed, options: FollowUpOptions) -> list[AreaAtHorizon]:
    """All areas: of every score, at every landmark and horizon.

    Those who are gone by a landmark have no influence on what comes after it; the others as many times more as the
    cases that are left are fewer, so that one matrix holds the areas of all landmarks with the errors they have alone.
    """
    controls = options.controls or "not a case"
    if len(options.landmarks) < 2:
        areas = areas_at_horizons(followed.follow_up, followed.scores, options.horizons, controls=controls)
        return areas if followed.landmark is None else [replace(area, landmark=followed.landmark) for area in areas]
    n, found = len(followed.follow_up), []
    for start in options.landmarks:
        rows = followed.beyond(start)
        part = followed.only(rows, start=start)
        m = len(part.follow_up)
        scale = n / m if followed.subjects is not None or m < 2 else math.sqrt(n * (n - 1) / (m * (m - 1)))
        for area in areas_at_horizons(part.follow_up, part.scores, options.horizons, controls=controls):
            whole = np.zeros(n)
            whole[rows] = scale * area.influence
            found.append(replace(area, influence=whole, landmark=start))
    order = list(followed.scores)
    return sorted(found, key=lambda area: order.index(area.score))  # stable: landmarks and horizons stay in order


def method_of(followed: Followed) -> str:
    """Where weights and errors come from, in words."""
    return f"{followed.follow_up.described()}, influence functions"


def matrix_of(found: Sequence[AreaAtHorizon], followed: Followed) -> Floats:
    """The covariance matrix of areas."""
    return covariance_of_influences([area.influence for area in found], followed.subjects)


def _units(followed: Followed) -> float:
    return math.inf if followed.subjects is None else float(followed.subjects.max()) + 1


def _error(area: AreaAtHorizon, followed: Followed) -> float:
    return math.sqrt(float(matrix_of([area], followed)[0, 0]))


def sample_of(area: AreaAtHorizon, followed: Followed, options: FollowUpOptions) -> Sample:
    """Who was analysed: those whose state is known at the horizon."""
    return sample_at(area.horizon, area.score, followed, options)


def sample_at(horizon: Horizon, score: str, followed: Followed, options: FollowUpOptions) -> Sample:
    """Who is known at a horizon."""
    cases, controls = horizon.counts
    by = f"by {horizon.at:g}"
    free = "event-free" if options.controls == "event-free" or not followed.others else "not a case"
    return Sample(
        n_pos=cases, n_neg=controls, positive=f"event {followed.cause} {by}", negative=f"{free} {by}",
        direction=followed.directions[score], dropped=followed.dropped, score=score,
        weights="none" if followed.follow_up.weight is None else "importance",
        subjects=0 if followed.subjects is None else int(_units(followed)),
    )  # fmt: skip


def estimate_of(
    area: AreaAtHorizon, followed: Followed, options: FollowUpOptions, *, level: float, interval: str, side: Side
) -> HorizonArea:
    """An area with its interval."""
    error = _error(area, followed)
    cases, controls = area.horizon.effective
    df = _units(followed) - 1
    pairs = min(cases, controls)
    if interval in ("auto", "score"):
        limits = _score_limits(area, error, level=level, side=side, df=df)
    elif interval in _SCALES:
        limits = area_interval(
            area.area, error, level=level, scale=_SCALES[interval], side=side, name="influence", df=df, pairs=pairs
        )
    else:
        raise InputError("interval", "must be 'score', 'logit', 'plain' or 'clipped' over time", interval)
    return HorizonArea(
        quantity="AUC", area=area.area, standard_error=error, interval=limits, method=method_of(followed),
        sample=sample_of(area, followed, options), at=area.horizon.at, incidence=area.horizon.incidence,
        unknown=area.horizon.unknown, effective_cases=cases, effective_controls=controls,
        landmark=area.landmark,
    )  # fmt: skip


def _score_limits(area: AreaAtHorizon, error: float, *, level: float, side: Side, df: float) -> Interval:
    """The score interval with Kish's numbers, its spreads scaled to the whole variance."""
    cases, controls = area.horizon.effective
    known = sum(area.parts)
    scale = error**2 / known if known > 0 else 1.0
    fit = fit_score_variance(
        min(area.area, 1.0),
        cases * area.parts[0] * scale,
        controls * area.parts[1] * scale,
        n_pos=cases,
        n_neg=controls,
    )
    low, high = score_interval(fit, level=level, side=side, df=df)
    name = f"{SCORE}, effective numbers" + ("" if side == "two-sided" else f", {side} bound")
    return Interval(low=low, high=high, level=level, method=name)


def _compared(
    areas: Sequence[AreaAtHorizon], matrix: Floats, followed: Followed, options: FollowUpOptions,
    questions: AreaComparison, notes: tuple[str, ...],
) -> Comparison:  # fmt: skip
    covariance = AreaCovariance(
        names=tuple(area.score for area in areas), areas=np.array([area.area for area in areas]), matrix=matrix,
        area=area_of_method("empirical"), samples=tuple(sample_of(area, followed, options) for area in areas),
        pairing="paired", method=method_of(followed), units=_units(followed),
    )  # fmt: skip
    single = [
        estimate_of(area, followed, options, level=questions.level, interval=questions.interval, side="two-sided")
        for area in areas
    ]
    compared = compare_areas(covariance, questions, areas=single)
    return with_questions(replace(compared, notes=(*compared.notes, *notes)), questions)


def _notes(
    found: Sequence[AreaAtHorizon], followed: Followed, options: FollowUpOptions, level: float
) -> tuple[str, ...]:
    """What the areas rest on."""
    nobody = "Nobody is lost before the horizon, so the area is the ordinary one."
    if len(options.landmarks) > 1:
        return notes_of_landmarks(options.landmarks)
    horizons = {area.horizon.at: area.horizon for area in found}
    return notes_of_horizons(horizons, followed, level, nobody=nobody)
