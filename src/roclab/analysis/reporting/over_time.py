"""A report about time to event: the answers of the verbs at every horizon, in rows and lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.text import format_number
from roclab._core.types import Floats
from roclab.analysis.follow_up.areas import areas_of_followed, check_horizon, comparison_of_followed
from roclab.analysis.follow_up.benefit import benefit_of_followed
from roclab.analysis.follow_up.calibration import HorizonCalibration
from roclab.analysis.follow_up.curves import HorizonRoc, curves_of_followed
from roclab.analysis.follow_up.groups import areas_by_group
from roclab.analysis.follow_up.methods import WORKS, methods_of_areas, methods_of_comparisons
from roclab.analysis.follow_up.predictions import predictions_of_followed
from roclab.analysis.follow_up.rates import HorizonRates
from roclab.analysis.follow_up.read import Followed
from roclab.analysis.follow_up.results import AreasOverTime, ComparisonsOverTime, HorizonArea
from roclab.analysis.reporting.content import Cell, Finding, with_interval
from roclab.analysis.reporting.time_part import DrawnLine, TimePart
from roclab.inference.comparison.compare import Comparison
from roclab.inference.comparison.contrasts import Difference
from roclab.options.comparison import AreaComparison
from roclab.options.criterion import Bounds
from roclab.options.follow_up import FollowUpOptions
from roclab.options.rates import Thresholds, thresholds_of
from roclab.options.uncertainty import AreaUncertainty
from roclab.results import TestResult

__all__ = ["TimeAnswer", "answer_over_time"]

_GRID = 16  # horizons at which areas over time are drawn, besides those asked for
_FEW = 10  # cases with the event, and controls, from which on areas are drawn
_DRAWN = 400  # points of a curve
_PROBABILITIES = (0.1, 0.2, 0.3)  # at which net benefits are told
_THIN = ("too narrow", "depends on")  # of notes that warn
_NOTHING: Floats = np.zeros(0)


@dataclass(frozen=True, kw_only=True)
class TimeAnswer:
    """The section, and what the rest of a report takes from it."""

    part: TimePart
    shown: HorizonArea  # of the first score at the last horizon
    findings: tuple[Finding, ...]
    methods: tuple[str, ...]
    references: tuple[str, ...]


def answer_over_time(
    followed: Followed, options: FollowUpOptions, *, level: float, band: bool, threshold: Thresholds | None,
    require: Bounds | None,
) -> TimeAnswer:  # fmt: skip
    """Everything that a report says of cases that were followed."""
    check_horizon(followed, options)
    whole = replace(followed, groups=None)
    how = AreaUncertainty(level=level)
    areas, said = _areas(whole, options, how)
    comparison = _comparison(whole, options, level)
    curves = curves_of_followed(whole, options)
    rates = _rates(curves, whole, threshold, require, level)
    groups = None if followed.groups is None else areas_by_group(followed, options, how)
    risks, why = _risks(whole, options)
    calibrated = {str(one.area.sample.score): one.calibration(level=level) for one in _of(curves, risks)}
    notes = _notes(areas[0], said)
    best = max(_at_last(areas), key=lambda one: one.area)
    part = TimePart(
        at=options.horizons,
        percent=f"{100 * level:g}%",
        best=str(best.sample.score),
        best_area=best.area,
        best_interval=best.interval,
        answer=_answer(areas, comparison, level),
        words=tuple(notes),
        facts=tuple(_facts(areas, whole)),
        known=tuple(_known(areas)),
        areas=tuple(_area_row(one) for one in areas),
        differences=tuple(_differences(comparison)),
        tests=tuple(_tests(comparison, {} if groups is None else groups.heterogeneity)),
        groups=() if groups is None else tuple(
            {groups.by: name, **_area_row(one)} for name, own in groups.areas.items() for one in own
        ),
        cutoffs=_cutoff_words(threshold, require),
        rates=tuple(_rate_row(one) for one in rates),
        calibration=tuple(_calibration_row(name, one) for name, one in calibrated.items()),
        losses=tuple(_losses(whole, options, risks, level)),
        risks=why,
        drawn_areas=_drawn_areas(whole, options, how, band=band),
        states=_states(whole, options),
        curves=_curves(curves, whole),
        drawn_calibration=tuple(_calibrated(name, one, whole) for name, one in calibrated.items()),
        benefit=_benefit(whole, options, risks, level),
        names=tuple(whole.scores),
    )  # fmt: skip
    several = comparison is not None
    sentence = methods_of_areas(areas)
    if several:
        pairs = len(whole.scores) > 2
        sentence = methods_of_comparisons(areas, horizons=len(options.horizons), adjustment="holm" if pairs else "none")
    return TimeAnswer(
        part=part, shown=areas[len(options.horizons) - 1], methods=(sentence, *_more_methods(bool(risks))),
        findings=tuple(Finding(weight="warning", text=one) for one in notes if any(word in one for word in _THIN)),
        references=(*(WORKS[name] for name in ("area", "competing", "influence", "weights")),
                    *(WORKS[name] for name in ("brier", "benefit") if risks)),
    )  # fmt: skip


def _areas(
    followed: Followed, options: FollowUpOptions, how: AreaUncertainty
) -> tuple[tuple[HorizonArea, ...], tuple[str, ...]]:
    """The areas, and what is said with them."""
    found = areas_of_followed(followed, options, how)
    return (found.areas if isinstance(found, AreasOverTime) else (found,)), found.notes


def _comparison(followed: Followed, options: FollowUpOptions, level: float) -> ComparisonsOverTime | Comparison | None:
    if len(followed.scores) < 2:
        return None
    found: ComparisonsOverTime | Comparison = comparison_of_followed(
        followed, options, AreaComparison(level=level, test="normal")
    )
    return found


def _notes(first: HorizonArea, said: Sequence[str]) -> list[str]:
    """What the areas rest on; Kish's numbers stand in a table."""
    words = f"{first.sample.positive.rpartition(' by ')[0]} by the horizon"
    free = "free of any event then" if first.sample.negative.startswith("event-free") else "known not to have had it"
    return [
        f"A case had the {words}; a control is {free}. Tied scores count one half.",
        f"Those lost before the horizon are stood for by {first.method.partition(', ')[0]}.",
        *said,
    ]


def _facts(areas: Sequence[HorizonArea], followed: Followed) -> Iterator[dict[str, Cell]]:
    sample, follow_up = areas[0].sample, followed.follow_up
    yield {"what": "cases followed", "value": len(follow_up)}
    yield {"what": "left out for missing values", "value": followed.dropped}
    yield {"what": f"ended with the event asked about ({followed.cause})", "value": _count(follow_up.event == 1)}
    if followed.others:
        words = ", ".join(followed.others)
        yield {"what": f"ended with another event ({words})", "value": _count(follow_up.event == 2)}
    yield {"what": "lost", "value": _count(follow_up.event == 0)}
    yield {"what": "longest follow-up", "value": _whole(float(follow_up.time.max()))}
    sides: dict[str, list[str]] = {}
    for name, side in followed.directions.items():
        sides.setdefault(side, []).append(name)
    for way, names in sides.items():
        yield {"what": f"a {way} score means the event", "value": ", ".join(names)}
    if followed.landmark is not None:
        yield {"what": "the clock starts at", "value": _whole(followed.landmark)}
    if sample.subjects:
        yield {"what": "subjects, each a cluster of cases", "value": sample.subjects}
    if sample.weights != "none":
        yield {"what": "weights", "value": sample.weights}


def _count(rows: Any) -> int:
    return int(np.count_nonzero(rows))


def _whole(value: float) -> float | int:
    """A number as it was written: 730, not 730.0."""
    return int(value) if float(value).is_integer() else value


def _area_row(one: HorizonArea) -> dict[str, Cell]:
    return {
        "score": one.sample.score, "at": _whole(one.at), "AUC": with_interval(one.area, one.interval),
        "std. error": one.standard_error, "cases": one.sample.n_pos, "controls": one.sample.n_neg,
        "unknown": one.unknown, "incidence": one.incidence,
    }  # fmt: skip


def _known(areas: Sequence[HorizonArea]) -> Iterator[dict[str, Cell]]:
    """One row per horizon; all scores have the same cases."""
    for one in areas:
        if one.sample.score != areas[0].sample.score:
            return
        yield {
            "at": _whole(one.at), "cases": one.sample.n_pos, "controls": one.sample.n_neg, "unknown": one.unknown,
            "incidence": one.incidence, "cases by their weights": f"{one.effective_cases:.1f}",
            "controls by their weights": f"{one.effective_controls:.1f}",
        }  # fmt: skip


def _by_horizon(found: ComparisonsOverTime | Comparison | None) -> Mapping[float, Comparison]:
    if found is None:
        return {}
    if isinstance(found, ComparisonsOverTime):
        return found.comparisons
    (at,) = {area.at for area in found.areas if isinstance(area, HorizonArea)}
    return {at: found}


def _differences(found: ComparisonsOverTime | Comparison | None) -> Iterator[dict[str, Cell]]:
    for at, one in _by_horizon(found).items():
        for pair in one.pairs:
            adjusted: dict[str, Cell] = {"adjusted p": pair.p_adjusted} if len(one.pairs) > 1 else {}
            yield {
                "at": _whole(at), "first": pair.first, "second": pair.second,
                "difference": with_interval(pair.difference, pair.interval), "std. error": pair.standard_error,
                "p": pair.p_value, **adjusted,
            }  # fmt: skip


def _tests(
    found: ComparisonsOverTime | Comparison | None, groups: Mapping[str, TestResult]
) -> Iterator[dict[str, Cell]]:
    several = [*found.joint, *found.changing, *found.largest] if isinstance(found, ComparisonsOverTime) else []
    asked = [(one.hypothesis, one) for one in several]
    asked += [(f"same area of {about} in all groups", one) for about, one in groups.items()]
    for hypothesis, one in asked:
        if not math.isnan(one.p_value):
            yield {"hypothesis": hypothesis, "test": one.distribution, "statistic": one.statistic, "p": one.p_value}


def _rates(
    curves: Sequence[HorizonRoc], followed: Followed, threshold: Thresholds | None, require: Bounds | None, level: float
) -> list[HorizonRates]:
    """At thresholds that were given, at the best ones under bounds, or at Youden's."""
    if threshold is not None:
        at = thresholds_of(threshold, list(followed.scores))
        return [one.rates(at[str(one.area.sample.score)], level=level) for one in curves]
    return [one.cutoff(None if require else "youden", level=level, require=require).rates for one in curves]


def _cutoff_words(threshold: Thresholds | None, require: Bounds | None) -> str:
    if threshold is not None:
        return "Thresholds were fixed beforehand."
    how = f"the best with {', '.join(f'{name} {bound:g} or more' for name, bound in require.items())}" if isinstance(
        require, Mapping
    ) else "Youden's" if require is None else f"the best with {require}"  # fmt: skip
    return (
        f"Cut-offs: {how}. They were chosen on these same cases, which the errors ignore: expect lower rates in new "
        "ones."
    )


def _rate_row(one: HorizonRates) -> dict[str, Cell]:
    sign = "≤" if one.sample.direction == "lower" else "≥"
    row: dict[str, Cell] = {"score": one.sample.score, "at": _whole(one.at), "positive": f"{sign} {one.threshold:.6g}"}
    for name in ("sensitivity", "specificity", "ppv", "npv"):
        found = one.rates[name]
        row[name.upper() if name in ("ppv", "npv") else name] = with_interval(found.rate, found.interval)
    return row | {"expected TP, FP, FN, TN": ", ".join(f"{value:.1f}" for value in (one.tp, one.fp, one.fn, one.tn))}


def _risks(followed: Followed, options: FollowUpOptions) -> tuple[list[str], str]:
    """Scores that may be predicted risks of the event by the one horizon, and what is said of them."""
    found = [
        name for name, score in followed.scores.items()
        if followed.directions[name] == "higher" and 0 <= float(score.min()) <= float(score.max()) <= 1
        and bool(((score > 0) & (score < 1)).any()) and name not in ("null model", "treat all")
    ]  # fmt: skip
    if not found:
        return [], "No score lies between 0 and 1, as predicted risks do: there is no calibration and no net benefit."
    if len(options.horizons) > 1:
        return [], "A predicted risk is of the event by one horizon: calibration and net benefit need a report of one."
    if options.controls == "event-free":
        return [], "Calibration and net benefit count those with another event as not having this one; these controls "\
                   "leave them out."  # fmt: skip
    return found, f"Meaningful only where {', '.join(found)} predict{'s' if len(found) == 1 else ''} the risk of the "\
                  f"event by {options.horizons[0]:g}."  # fmt: skip


def _of(curves: Sequence[HorizonRoc], names: Sequence[str]) -> list[HorizonRoc]:
    return [one for one in curves if one.area.sample.score in names]


def _calibration_row(name: str, one: HorizonCalibration) -> dict[str, Cell]:
    return {
        "score": name, "mean risk": one.predicted, "incidence": one.observed, "Brier score": one.brier,
        **{
            estimate.quantity.removeprefix("calibration "): with_interval(estimate.rate, estimate.interval)
            for estimate in (one.ratio, one.intercept, one.slope)
        },
        "p (intercept 0, slope 1)": one.joint_test.p_value,
    }  # fmt: skip


def _only(followed: Followed, names: Sequence[str]) -> Followed:
    return replace(followed, scores={name: followed.scores[name] for name in names})


def _losses(
    followed: Followed, options: FollowUpOptions, risks: Sequence[str], level: float
) -> Iterator[dict[str, Cell]]:
    if not risks:
        return
    found = predictions_of_followed(
        _only(followed, risks), options, probabilities=np.array(_PROBABILITIES), level=level
    )  # fmt: skip
    for one in found.single:
        yield {"quantity": one.quantity, "of": one.first, "value": with_interval(one.value, one.interval), "p": None}
    for one in found.pairs:
        of = f"{one.first} − {one.second}"
        yield {"quantity": one.quantity, "of": of, "value": with_interval(one.value, one.interval), "p": one.p_value}


def _line(name: str, place: int, x: Any, y: Any, low: Any = _NOTHING, high: Any = _NOTHING) -> DrawnLine:
    arrays = (np.array(one, dtype=np.float64) for one in (x, y, low, high))
    x, y, low, high = arrays
    return DrawnLine(name=name, place=place, x=x, y=y, low=low, high=high)


def _grid(followed: Followed, options: FollowUpOptions) -> list[float]:
    """Horizons from when ten had the event to the last one asked for, while ten controls are left."""
    follow_up = followed.follow_up
    events = np.sort(follow_up.time[follow_up.event == 1])
    later = np.sort(follow_up.time)[::-1]
    first = float(events[min(_FEW, events.size) - 1])
    last = min(options.horizons[-1], float(later[min(_FEW, later.size - 1)]))
    even = np.linspace(first, last, _GRID).tolist() if first < last else []
    return sorted({*options.horizons, *even})


def _drawn_areas(
    followed: Followed, options: FollowUpOptions, how: AreaUncertainty, *, band: bool
) -> tuple[DrawnLine, ...]:
    """Areas on a grid of horizons, with the limits at each alone."""
    every, _ = _areas(followed, replace(options, at=_grid(followed, options)), how)
    lines = []
    for place, name in enumerate(followed.scores):
        own = [one for one in every if one.sample.score == name]
        limits = ([one.interval.low for one in own], [one.interval.high for one in own]) if band else ()
        lines.append(_line(name, place, [one.at for one in own], [one.area for one in own], *limits))
    return tuple(lines)


def _states(followed: Followed, options: FollowUpOptions) -> tuple[DrawnLine, ...]:
    """Which share had the event by every time, another one, or was lost; the rest are still followed."""
    follow_up = followed.follow_up
    longest = min(options.horizons[-1] * 1.25, float(follow_up.time.max()))
    at = np.linspace(0, longest, 80)
    parts = [("the event", 1, 1), *([("another event", 2, 2)] if followed.others else []), ("lost before", -1, 0)]
    return tuple(
        _line(name, ink, at, [np.mean((follow_up.event == code) & (follow_up.time <= time)) for time in at])
        for name, ink, code in parts
    )


def _curves(curves: Sequence[HorizonRoc], followed: Followed) -> dict[str, tuple[DrawnLine, ...]]:
    found: dict[str, list[DrawnLine]] = {}
    places = {name: place for place, name in enumerate(followed.scores)}
    for one in curves:
        name = str(one.area.sample.score)
        points = one.curve.points()
        points = points.simplified(_DRAWN) if len(points.x) > _DRAWN else points
        found.setdefault(f"{one.at:g}", []).append(_line(name, places[name], points.x, points.y))
    return {at: tuple(lines) for at, lines in found.items()}


def _calibrated(name: str, one: HorizonCalibration, followed: Followed) -> DrawnLine:
    known = [part for part in one.bins if not math.isnan(part.observed)]
    return _line(
        name, list(followed.scores).index(name), [part.predicted for part in known],
        [part.observed for part in known], [part.interval.low for part in known],
        [part.interval.high for part in known],
    )  # fmt: skip


def _benefit(followed: Followed, options: FollowUpOptions, risks: Sequence[str], level: float) -> tuple[DrawnLine, ...]:
    if not risks:
        return ()
    found = benefit_of_followed(_only(followed, risks), options, None, level)
    places = {name: place for place, name in enumerate(followed.scores)}
    lines = [_line("treat all", -1, found.probabilities, found.treat_all)]
    for name, values in found.net_benefit.items():
        lines.append(_line(name, places[name], found.probabilities, values, found.low[name], found.high[name]))
    return tuple(lines)


def _at_last(areas: Sequence[HorizonArea]) -> list[HorizonArea]:
    """Of all scores at the last horizon."""
    return [one for one in areas if one.at == areas[-1].at]


def _answer(areas: Sequence[HorizonArea], found: ComparisonsOverTime | Comparison | None, level: float) -> str:
    """The largest area at the last horizon, and whether the next one differs there."""
    last = _at_last(areas)
    best = max(last, key=lambda one: one.area)
    said = (
        f"{best.sample.score} has an AUC of {format_number(best.area)} at {best.at:g} ({100 * level:g}% interval "
        f"{best.interval}): {best.sample.n_pos:g} had the {best.sample.positive}, {best.sample.n_neg:g} did not, and "
        f"{best.unknown} were lost before."
    )
    comparisons = _by_horizon(found)
    if not comparisons:
        return said
    second = sorted(last, key=lambda one: -one.area)[1]
    pair: Difference = comparisons[best.at].pair(str(best.sample.score), str(second.sample.score))
    gap = f"{format_number(pair.difference)} ({pair.interval}), p {format_number(pair.p_value)}"
    sure = not pair.interval.low <= 0 <= pair.interval.high and pair.p_adjusted < 1 - level
    verdict = f"It differs from that of {second.sample.score} by {gap}."
    return f"{said} {verdict if sure else f'The difference from {second.sample.score}, {gap}, may be chance.'}"


def _more_methods(risks: bool) -> Iterator[str]:
    yield (
        "Sensitivity, specificity and predictive values at a cut-off are ratios of sums of weights, with Wilson's "
        "interval on effective numbers; their errors know that the weights were estimated."
    )
    if risks:
        yield (
            "Predicted risks: observed over expected and a weighted logistic line; groups by Kaplan and Meier, or "
            "Aalen and Johansen where there are other events; Brier score and index of prediction accuracy against a "
            "model that gives everybody the incidence; net benefit with weights among the treated alone. All limits "
            "come from influence functions."
        )
