"""Over time: areas on a grid of horizons, and everything at the horizon that the slider stands on."""

from __future__ import annotations

from typing import Any

import numpy as np

import roclab as rl
from roclab.analysis.table_overview import printed
from roclab.app.asking import Asked, table_of_rows
from roclab.errors import InputError, Words
from roclab.report.page import report_page

__all__ = ["at_horizon", "over_time", "time_report"]

_VERBS: dict[str, Any] = {"auc": rl.auc, "compare": rl.compare, "net_benefit": rl.net_benefit, "roc": rl.roc}
_STOPS = 24  # horizons of the area over time
_FEW = 10  # cases with the event, and left, between which the slider runs
_POINTS = 400  # of a curve
_CODES = ("cause", "competing", "censored")
_LEFT_OUT = ("label", "pos_label", "neg_label", "weights")


def over_time(asked: Asked) -> dict[str, Any]:
    """Areas over time, who is known when, and where the slider runs."""
    keywords = _keywords(asked)
    times, had, lost = _states(asked, keywords)
    stops = _stops(times, had)
    level = asked.chosen("level")
    asked.note("auc", keywords, {"at": stops, **level})
    with asked.listening():
        found = _VERBS["auc"](asked.data(), **keywords, at=stops, **level)
    areas = list(getattr(found, "areas", (found,)))
    names = list(dict.fromkeys(str(one.sample.score) for one in areas))
    drawn = {
        "y": [one.area for one in areas], "low": [one.interval.low for one in areas],
        "high": [one.interval.high for one in areas],
    }  # fmt: skip
    half = float(np.median(times[had]))
    share = [[float(np.mean(rows & (times <= at))) for at in stops] for rows in (had, lost)]
    return asked.answer(
        stops=stops,
        usual=min(stops, key=lambda at: abs(at - half)),
        longest=float(times.max()),
        lines=[
            {
                "name": name, "x": stops,
                **{
                    key: [value for one, value in zip(areas, values, strict=True) if one.sample.score == name]
                    for key, values in drawn.items()
                },
            }
            for name in names
        ],
        states={"x": stops, "had": share[0], "lost": share[1]},
    )  # fmt: skip


def at_horizon(asked: Asked) -> dict[str, Any]:
    """Areas, curves, the square at a cut-off and net benefit at one horizon."""
    keywords = _keywords(asked)
    given: dict[str, Any] = {"at": _horizon(asked), **asked.chosen("level")}
    scores = keywords["score"]
    verb = "compare" if len(scores) > 1 else "auc"
    asked.note(verb, keywords, given)
    with asked.listening():
        found = _VERBS[verb](asked.data(), **keywords, **given)
        curves = _VERBS["roc"](asked.data(), **keywords, at=given["at"])
    areas = list(found.areas) if verb == "compare" else [found]
    several = [curves] if len(scores) == 1 else list(curves)
    first = areas[0]
    return asked.answer(
        at=given["at"],
        areas=[
            {"name": one.sample.score, "value": one.area, "low": one.interval.low, "high": one.interval.high}
            for one in areas
        ],
        known={"cases": first.sample.n_pos, "controls": first.sample.n_neg, "unknown": first.unknown,
               "incidence": first.incidence, "effective_cases": first.effective_cases,
               "effective_controls": first.effective_controls},
        pairs=[
            {"first": one.first, "second": one.second, "value": one.difference, "low": one.interval.low,
             "high": one.interval.high, "p": one.p_adjusted} for one in getattr(found, "pairs", ())
        ],
        table=table_of_rows([row for one in areas for row in one.rows()]),
        lines=[_line(one) for one in several],
        square=_square(asked, keywords, given, several),
        benefit=_benefit(asked, keywords, given, several),
        methods=first.methods(),
        notes=list(first.notes or found.notes),
    )  # fmt: skip


def time_report(asked: Asked) -> dict[str, Any]:
    """The one-file report of this analysis."""
    keywords = _keywords(asked, "by")
    given = {"at": _horizon(asked), **asked.chosen("level", "threshold")}
    if "threshold" in given and len(keywords["score"]) > 1:
        del given["threshold"]  # it is of the score that is shown
    asked.note("write_report", keywords, given, command="report", first=("report.html",))
    with asked.listening():
        found = rl.build_report(
            asked.data(), **keywords, **given, source=asked.held().called, command=asked.calls[-1].command
        )
    return asked.answer(html=report_page(found), name="report.html")


def _keywords(asked: Asked, *more: str) -> dict[str, Any]:
    """The parts of the data that belong to a follow-up, and what its codes mean, as they stand in the table."""
    keywords = asked.keywords("time", "event", *more)
    for name in _LEFT_OUT:
        keywords.pop(name, None)
    for name in ("time", "event", "score"):
        if not keywords.get(name):
            raise InputError(name, "must name a column", Words("none"), "choose it among the columns")
    scores = keywords["score"]
    keywords["score"] = [scores] if isinstance(scores, str) else list(scores)
    sides = keywords.get("direction")
    if isinstance(sides, dict):
        keywords["direction"] = {name: side for name, side in sides.items() if name in keywords["score"]}
    codes = {printed(value): value for value in set(_column(asked, keywords["event"]).tolist())}
    for name in _CODES:
        said = asked.option(name)
        words = [said] if isinstance(said, str) else said or []
        unknown = [word for word in words if word not in codes]
        if unknown:
            raise InputError(name, f"must be codes of the event ({', '.join(sorted(codes))})", unknown[0])
        if words:
            found = [codes[word] for word in words]
            keywords[name] = found[0] if name == "cause" or len(found) == 1 else found
    if asked.option("controls") == "event-free":
        keywords["controls"] = "event-free"
    strata, cox = asked.option("strata", []), asked.option("cox", [])
    if strata or cox:
        keywords["censoring"] = {"cox": cox} if cox else strata
    return keywords


def _column(asked: Asked, name: str) -> Any:
    """A column of the table as it stands there."""
    with asked.listening():
        return rl.read_columns(asked.data()).values[name]


def _states(asked: Asked, keywords: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Times, who had the event asked about, and who was lost, of the rows that say both."""
    times = np.asarray(_column(asked, keywords["time"]))
    if times.dtype.kind not in "iuf":
        raise InputError("time", "must be a column of numbers", keywords["time"], "choose how long each was followed")
    event = [printed(value) for value in _column(asked, keywords["event"]).tolist()]
    cause = printed(keywords.get("cause", 1))
    lost = {printed(one) for one in np.atleast_1d(np.asarray(keywords.get("censored", 0), dtype=object)).tolist()}
    there = ~np.isnan(times.astype(np.float64))
    had = np.array([one in (cause, "True") if cause == "1" else one == cause for one in event])[there]
    if not had.any():
        raise InputError("cause", "must be the code of an event", Words(cause), "say what the codes mean")
    return times[there].astype(np.float64), had, np.array([one in lost or one == "False" for one in event])[there]


def _stops(times: Any, had: Any) -> list[float]:
    """Rounded horizons from when ten had the event to when ten are left."""
    events, every = np.sort(times[had]), np.sort(times)
    low, high = float(events[min(_FEW, events.size) - 1]), float(every[-min(_FEW, every.size)])
    if not low < high:
        low, high = float(events[0]), float(every[-2] if every.size > 1 else every[-1])
    longest = float(times.max())
    found = {_whole(float(f"{at:.3g}")) for at in np.linspace(low, high, _STOPS)}
    return sorted(at for at in found if events[0] <= at < longest) or [_whole(float(events[0]))]


def _whole(at: float) -> float | int:
    """A horizon as it is written: 730, not 730.0."""
    return int(at) if at.is_integer() else at


def _horizon(asked: Asked) -> float:
    at = asked.option("at")
    if at is None:
        raise InputError("at", "must be given", Words("none"), "move the slider")
    return _whole(float(at))


def _line(one: Any) -> dict[str, Any]:
    points = one.curve.points()
    points = points.simplified(_POINTS) if len(points.x) > _POINTS else points
    area = one.area
    return {
        "name": area.sample.score, "x": points.x, "y": points.y, "value": area.area, "low": area.interval.low,
        "high": area.interval.high, "risk": _is_risk(one),
    }  # fmt: skip


def _is_risk(one: Any) -> bool:
    """Whether a score may be a predicted risk: it lies between 0 and 1, and higher means the event."""
    inner = one.thresholds[np.isfinite(one.thresholds)]
    between = bool(np.any((inner > 0) & (inner < 1)))
    return one.area.sample.direction == "higher" and 0 <= inner.min() <= inner.max() <= 1 and between


def _square(asked: Asked, keywords: dict[str, Any], given: dict[str, Any], curves: list[Any]) -> dict[str, Any]:
    """What the cut-off of one score does: the one that was typed, or Youden's."""
    name = asked.option("score") or keywords["score"][0]
    curve = next((one for one in curves if one.area.sample.score == name), curves[0])
    name = str(curve.area.sample.score)
    level = given.get("level", 0.95)
    typed = asked.option("threshold")
    one = {**keywords, "score": name}
    if isinstance(one.get("direction"), dict):
        one["direction"] = one["direction"].get(name, "higher")
    if typed is None:
        asked.note("cutoff", one, given)
        rates = curve.cutoff("youden", level=level).rates
    else:
        asked.note("confusion", one, {"threshold": typed, **given})
        rates = curve.rates(float(typed), level=level)
    shown = ("sensitivity", "specificity", "ppv", "npv")
    return {
        "score": name, "threshold": rates.threshold, "chosen": typed is None, "direction": rates.sample.direction,
        "cells": {cell: getattr(rates, cell) for cell in ("tp", "fp", "fn", "tn")},
        "rates": [
            {"metric": metric, "value": rates.rates[metric].rate, "low": rates.rates[metric].interval.low,
             "high": rates.rates[metric].interval.high} for metric in shown
        ],
    }  # fmt: skip


def _benefit(asked: Asked, keywords: dict[str, Any], given: dict[str, Any], curves: list[Any]) -> dict[str, Any] | None:
    """Decision curves of the scores that may be risks of the event."""
    risks = [str(one.area.sample.score) for one in curves if _is_risk(one)]
    if not risks or keywords.get("controls") == "event-free":
        return None
    own = {name: value for name, value in keywords.items() if name != "direction"} | {"score": risks}
    asked.note("net_benefit", own, given, command="curve", flags=("--net-benefit",))
    with asked.listening():
        found = _VERBS["net_benefit"](asked.data(), **own, **given)
    return {
        "x": found.probabilities, "all": found.treat_all,
        "lines": [
            {"name": name, "y": values, "low": found.low[name], "high": found.high[name]}
            for name, values in found.net_benefit.items()
        ],
    }  # fmt: skip
