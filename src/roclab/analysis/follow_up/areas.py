"""How well does a score tell who has the event by a horizon? Areas over time, and their comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Floats
from roclab.analysis.follow_up.read import Followed, read_followed
from roclab.analysis.follow_up.results import AreasOverTime, ComparisonsOverTime, HorizonArea
from roclab.censoring.follow_up import CENSORED, FollowUp
from roclab.errors import InputError, Words
from roclab.inference.comparison.compare import Comparison, compare_areas, with_questions
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.concordance import harrell
from roclab.inference.follow_up_areas import (
    AreaAtHorizon,
    Horizon,
    areas_at_horizons,
    covariance_of_influences,
    integrated_area,
)
from roclab.inference.one_area.area import area_of_method
from roclab.inference.one_area.intervals import area_interval, deviate
from roclab.inference.one_area.score import SCORE, fit_score_variance, score_interval
from roclab.names import Side
from roclab.options.comparison import AreaComparison
from roclab.options.follow_up import FollowUpOptions
from roclab.options.uncertainty import AreaUncertainty
from roclab.results import AreaEstimate, Interval, Sample, TestResult

__all__ = ["areas_over_time", "comparison_over_time", "notes_of_horizons"]

_METHOD = "weights by Kaplan and Meier's censoring, influence functions"
_WILD = 0.7  # of the count: what the weights leave where they are mentioned
_FEW = 10  # known cases or controls
_ALLOWED = {"level", "interval", "side"}
_SCALES: dict[str, Literal["logit", "plain", "clipped"]] = {"logit": "logit", "plain": "plain", "clipped": "clipped"}


def areas_over_time(y_true: Any, y_score: Any, asked: Mapping[str, Any], data: Mapping[str, Any]) -> Any:
    """One area, or all of several scores or horizons."""
    _refuse_beside(asked, _ALLOWED)
    options = _options(data)
    how = AreaUncertainty.of(asked)
    followed = read_followed(y_true, y_score, data, options)
    found = _areas(followed, options)
    estimates = tuple(
        _estimate(area, followed, options, level=how.level, interval=str(how.interval), side=how.side) for area in found
    )
    notes = _notes(found, followed, how.level)
    if len(estimates) == 1:
        return replace(estimates[0], notes=notes)
    means = {} if len(options.horizons) < 2 else _means(found, followed, options, how.level)
    return AreasOverTime(areas=estimates, covariance=_matrix(found, followed), means=means, notes=notes)


def comparison_over_time(y_true: Any, y_score: Any, asked: Mapping[str, Any], data: Mapping[str, Any]) -> Any:
    """Scores of the same cases compared at a horizon, or at several and over all of them."""
    _refuse_beside(asked, {"level", "interval", "adjust", "alternative", "control", "simultaneous", "margin", "claim",
                           "contrast", "test"})  # fmt: skip
    questions = AreaComparison.of({**asked, "test": asked.get("test") or "normal"})
    if questions.test != "normal":
        raise InputError("test", "must be 'normal' over time", questions.test, "leave it out")
    options = _options(data)
    followed = read_followed(y_true, y_score, data, options)
    if len(followed.scores) < 2:
        raise InputError(
            "", "a comparison needs at least two scores", Words("one"), "name another score to compare with"
        )
    found = _areas(followed, options)
    matrix = _matrix(found, followed)
    notes = _notes(found, followed, questions.level)
    names, many = list(followed.scores), len(options.horizons)
    each: dict[float, Comparison] = {}
    for place, at in enumerate(options.horizons):
        rows = [score * many + place for score in range(len(names))]
        each[at] = _compared(
            [found[row] for row in rows], matrix[np.ix_(rows, rows)], followed, options, questions, notes
        )
    if many == 1:
        return next(iter(each.values()))
    areas = np.array([area.area for area in found])
    pairs = [(i, j) for i, j in combinations(range(len(names)), 2)]
    return ComparisonsOverTime(
        comparisons=each, covariance=matrix,
        joint=tuple(_joint(areas, matrix, names, pair, many, changing=False) for pair in pairs),
        changing=tuple(_joint(areas, matrix, names, pair, many, changing=True) for pair in pairs),
    )  # fmt: skip


def _means(
    found: Sequence[AreaAtHorizon], followed: Followed, options: FollowUpOptions, level: float
) -> dict[str, AreaEstimate]:
    """The mean area of every score over the horizons."""
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
            sample=_sample(own[-1], followed, options),
        )  # fmt: skip
    return means


def _options(data: Mapping[str, Any]) -> FollowUpOptions:
    options = FollowUpOptions.of(data)
    if options.at is None:
        raise InputError(
            "at", "must be given", Words("none"), "an area over time needs its horizon, in the unit of the times"
        )
    return options


def _refuse_beside(asked: Mapping[str, Any], allowed: set[str]) -> None:
    for name, value in asked.items():
        if value is not None and name not in allowed:
            shown = value if isinstance(value, str | int | float | bool) else Words("a value")
            raise InputError(name, "has no part in areas over time", shown, "leave it out")


def _areas(followed: Followed, options: FollowUpOptions) -> list[AreaAtHorizon]:
    return areas_at_horizons(
        followed.follow_up, followed.scores, options.horizons, controls=options.controls or "not a case"
    )


def _matrix(found: Sequence[AreaAtHorizon], followed: Followed) -> Floats:
    return covariance_of_influences([area.influence for area in found], followed.subjects)


def _units(followed: Followed) -> float:
    return math.inf if followed.subjects is None else float(followed.subjects.max()) + 1


def _error(area: AreaAtHorizon, followed: Followed) -> float:
    return math.sqrt(float(_matrix([area], followed)[0, 0]))


def _sample(area: AreaAtHorizon, followed: Followed, options: FollowUpOptions) -> Sample:
    cases, controls = area.horizon.counts
    by = f"by {area.horizon.at:g}"
    free = "event-free" if options.controls == "event-free" or not followed.others else "not a case"
    return Sample(
        n_pos=cases, n_neg=controls, positive=f"event {followed.cause} {by}", negative=f"{free} {by}",
        direction=followed.directions[area.score], dropped=followed.dropped, score=area.score,
        weights="none" if followed.follow_up.weight is None else "importance",
        subjects=0 if followed.subjects is None else int(_units(followed)),
    )  # fmt: skip


def _estimate(
    area: AreaAtHorizon, followed: Followed, options: FollowUpOptions, *, level: float, interval: str, side: Side
) -> HorizonArea:
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
        quantity="AUC", area=area.area, standard_error=error, interval=limits, method=_METHOD,
        sample=_sample(area, followed, options), at=area.horizon.at, incidence=area.horizon.incidence,
        unknown=area.horizon.unknown, effective_cases=cases, effective_controls=controls,
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
        area=area_of_method("empirical"), samples=tuple(_sample(area, followed, options) for area in areas),
        pairing="paired", method=_METHOD, units=_units(followed),
    )  # fmt: skip
    single = [
        _estimate(area, followed, options, level=questions.level, interval=questions.interval, side="two-sided")
        for area in areas
    ]
    compared = compare_areas(covariance, questions, areas=single)
    return with_questions(replace(compared, notes=(*compared.notes, *notes)), questions)


def _joint(
    areas: Floats, matrix: Floats, names: Sequence[str], pair: tuple[int, int], many: int, *, changing: bool
) -> TestResult:
    """χ² of all differences at once, or of their changes from the first horizon on."""
    first, second = pair
    sums = np.zeros((many, areas.size))
    for at in range(many):
        sums[at, first * many + at], sums[at, second * many + at] = 1, -1
    if changing:
        sums = sums[1:] - sums[0]
    from scipy.special import chdtrc

    value, spanned = sums @ areas, sums @ matrix @ sums.T
    rank = int(np.linalg.matrix_rank(spanned, tol=1e-12 * max(float(np.trace(spanned)), 1e-300)))
    statistic = float(value @ np.linalg.pinv(spanned, rcond=1e-12) @ value)
    words = "the same at all horizons" if changing else "0 at all horizons"
    return TestResult(
        name=f"{names[first]} - {names[second]}",
        hypothesis=f"the difference {names[first]} - {names[second]} is {words}",
        statistic=statistic, distribution=f"chi-squared, {rank} df", p_value=float(chdtrc(rank, statistic)),
    )  # fmt: skip


def _notes(found: Sequence[AreaAtHorizon], followed: Followed, level: float) -> tuple[str, ...]:
    """What the areas rest on."""
    horizons = {area.horizon.at: area.horizon for area in found}
    notes = notes_of_horizons(horizons, followed, level)
    if any(horizon.unknown for horizon in horizons.values()):
        return notes
    first, *others = notes
    return (first, "Nobody is lost before the horizon, so the area is the ordinary one.", *others)


def notes_of_horizons(horizons: Mapping[float, Horizon], followed: Followed, level: float) -> tuple[str, ...]:
    """What an answer over time rests on, and where that is thin."""
    notes = [
        "An event at exactly the horizon counts by it; a censoring at some time comes after the events at that time.",
    ]
    if followed.landmark is not None:
        notes.append(f"The clock starts at {followed.landmark:g}, among those followed beyond it.")
    for at, horizon in horizons.items():
        for what, count, effective in zip(("case", "control"), horizon.counts, horizon.effective, strict=True):
            if count < _FEW:
                notes.append(f"{plural(count, what)} at {at:g}: the interval may be too narrow.")
            elif followed.follow_up.weight is None and effective < _WILD * count:
                notes.append(
                    f"{plural(count, what)} at {at:g} count as {effective:.1f}: the interval may be too narrow."
                )
    last = max(horizons)
    notes += [note for name in followed.scores for note in _dependence(name, followed, last, level)]
    return tuple(notes)


def _dependence(name: str, followed: Followed, at: float, level: float) -> list[str]:
    """Does the score say who is lost? Its concordance with the censoring, against one half."""
    follow_up = followed.follow_up
    lost = (follow_up.event == CENSORED) & (follow_up.time <= at)
    if lost.sum() < 2:
        return []
    turned = FollowUp(time=np.minimum(follow_up.time, at), event=lost.astype(np.intp), weight=follow_up.weight)
    found = harrell(turned, followed.scores[name])
    if found is None or not found.standard_error > 0 or abs(found.value - 0.5) <= deviate(level) * found.standard_error:
        return []
    return [
        f"Censoring depends on {name} (concordance {found.value:.3f}, standard error {found.standard_error:.3f}), so "
        "that weights which do not know the score make what is said of it biased."
    ]
