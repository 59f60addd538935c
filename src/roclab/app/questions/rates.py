"""Two tests, or groups, at thresholds that were fixed beforehand: rates, differences, gaps, and promised cut-offs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import roclab as rl
from roclab.app.asking import Asked, table_of_rows
from roclab.app.forms import Form
from roclab.errors import InputError, Words
from roclab.names import RATE_METRICS
from roclab.options.comparison import PairsKeywords

__all__ = ["RATES", "gaps", "promise", "rates"]

RATES = Form((PairsKeywords,))
_ASKED = ("interval", "test", "margin", "ratio_margin", "claim", "probability")
_RATIOS = ("lr_plus", "lr_minus")
_ALONE = {"sensitivity": "tpr", "specificity": "tnr"}


def rates(asked: Asked) -> dict[str, Any]:
    """Rates of every test at its threshold, and of more than one their differences."""
    keywords, thresholds, predicted = _tests(asked)
    metrics = asked.option("metrics", ["sensitivity", "specificity", "ppv", "npv"])
    if len(thresholds) + len(predicted) < 2:
        return _alone(asked, thresholds, predicted, metrics)
    given: dict[str, Any] = {"metrics": metrics, **asked.chosen("level", *_ASKED), **asked.given(RATES)}
    if thresholds:
        given["threshold"] = thresholds
    if predicted:
        given["predicted"] = predicted
    asked.note("compare", keywords, given)
    with asked.listening():
        found: Any = rl.compare(asked.data(), **keywords, **given)
    return asked.answer(
        names=list(found.names),
        metrics=list(found.metrics),
        rates=[
            {"test": one.test, "metric": one.metric, "value": one.value, "low": one.interval.low,
             "high": one.interval.high} for one in found.rates
        ],
        pairs=[_pair(one) for one in found.pairs],
        table=table_of_rows([row for pair in found.pairs for row in pair.rows()]),
        equality=table_of_rows([row for test in found.equality for row in test.rows()]),
        claims=[
            {"metric": one.metric, "first": one.first, "second": one.second, "claim": one.claim, "margin": one.margin,
             "value": one.estimate, "low": one.interval.low, "high": one.interval.high, "p": one.p_value,
             "shown": one.shown} for one in found.claims
        ],
        claim_table=table_of_rows([row for one in found.claims for row in one.rows()]),
        methods=found.methods(),
        notes=list(found.notes),
    )  # fmt: skip


def _pair(one: Any) -> dict[str, Any]:
    """A difference as it is drawn; of likelihood ratios, which have none, the ratio."""
    ratio = one.metric in _RATIOS
    value, interval = (one.ratio, one.ratio_interval) if ratio else (one.difference, one.interval)
    return {
        "metric": one.metric, "first": one.first, "second": one.second, "scale": "ratio" if ratio else "difference",
        "value": value, "low": interval.low, "high": interval.high, "p": one.p_value, "adjusted": one.p_adjusted,
    }  # fmt: skip


def _tests(asked: Asked) -> tuple[dict[str, Any], dict[str, float], list[str]]:
    """The parts of the data without scores, thresholds of the scores, and columns of calls."""
    predicted = asked.option("predicted", [])
    keywords = asked.keywords()
    scores = keywords.pop("score", None)
    names = [scores] if isinstance(scores, str) else list(scores or ())
    fixed = {name: value for name, value in asked.option("fixed", {}).items() if name in names}
    if isinstance(keywords.get("direction"), dict):
        keywords["direction"] = {name: side for name, side in keywords["direction"].items() if name in fixed}
    if not fixed and not predicted:
        raise InputError(
            "threshold", "must be given for one score or more", Words("none"),
            "write what was fixed before these cases were seen, or choose columns of yes/no tests",
        )  # fmt: skip
    if fixed:
        keywords["score"] = list(fixed)
    return keywords, fixed, predicted


def _alone(
    asked: Asked, thresholds: dict[str, float], predicted: Sequence[str], metrics: Sequence[str]
) -> dict[str, Any]:
    """One test: its matrix with intervals."""
    keywords = asked.keywords()
    keywords.pop("score", None)
    given: dict[str, Any] = {}
    if thresholds:
        ((name, value),) = thresholds.items()
        keywords["score"], given["threshold"] = name, value
        if isinstance(keywords.get("direction"), dict):
            keywords["direction"] = keywords["direction"].get(name, "higher")
    else:
        (name,) = predicted
        keywords.pop("direction", None)
        given["predicted"] = name
    asked.note("confusion", keywords, {**given, **asked.chosen("level")})
    with asked.listening():
        matrix: Any = rl.confusion(asked.data(), **keywords, **given)
    found = matrix.with_intervals(level=asked.option("level", 0.95))
    values, limits = found.metrics, found.intervals
    shown = [(metric, _ALONE.get(metric, metric)) for metric in metrics if metric in RATE_METRICS]
    return asked.answer(
        names=[name],
        metrics=[metric for metric, _ in shown],
        rates=[
            {"test": name, "metric": metric, "value": values[key], "low": limits[key].low, "high": limits[key].high}
            for metric, key in shown
            if key in limits
        ],
        pairs=[],
        table=table_of_rows(found.rows()),
        claims=[],
    )


def gaps(asked: Asked) -> dict[str, Any]:
    """How far apart the rates of groups lie, for every score at its threshold."""
    by = asked.option("by") or asked.keywords("by").get("by")
    if not by:
        raise InputError("by", "must name the column of groups", way_out="choose it among the columns")
    keywords, thresholds, predicted = _tests(asked)
    keywords.pop("score", None)
    directions = keywords.pop("direction", None)
    found = []
    for name in [*thresholds, *predicted]:
        if name in thresholds:
            side = directions.get(name) if isinstance(directions, dict) else directions
            own = {**keywords, "score": name, **({"direction": side} if side else {})}
            given: dict[str, Any] = {"threshold": thresholds[name]}
        else:
            own, given = dict(keywords), {"predicted": name}
        level = asked.option("level", 0.95)
        then = ".gaps()" if level == 0.95 else f".gaps(level={level!r})"
        flags = ("--gaps",) if level == 0.95 else ("--gaps", "--level", str(level))
        asked.note("confusion", {**own, "by": by}, given, flags=flags, then=then)
        with asked.listening():
            matrices: Any = rl.confusion(asked.data(), **own, by=by, **given)
        gaps = matrices.gaps(level=level)
        found.append({
            "test": name, "groups": list(gaps.groups),
            "rates": [
                {"group": one.test, "metric": one.metric, "value": one.value, "low": one.interval.low,
                 "high": one.interval.high} for one in gaps.rates
            ],
            "gaps": [
                {"name": one.name, "of": one.rate, "value": one.gap, "low": one.interval.low, "high": one.interval.high,
                 "highest": one.highest, "lowest": one.lowest, "p": one.p_value} for one in gaps.gaps
                if not math.isnan(one.gap)
            ],
            "table": table_of_rows(gaps.rows(), name), "notes": list(gaps.notes),
        })  # fmt: skip
    return asked.answer(found=found)


def promise(asked: Asked) -> dict[str, Any]:
    """The cut-off whose bounds hold in new cases with a confidence."""
    given: dict[str, Any] = {"require": asked.option("require", {}), "confidence": asked.option("confidence", 0.95)}
    found = asked.ask("cutoff", scores=[asked.option("score")], **given)
    shown = found.metrics
    return asked.answer(
        threshold=found.threshold,
        low=found.low,
        high=found.high,
        confidence=given["confidence"],
        rates={
            name: {"value": shown.metrics[key], "low": shown.intervals[key].low, "high": shown.intervals[key].high}
            for name, key in _ALONE.items()
        },
        promises=table_of_rows([row for one in found.promises for row in one.rows()]),
        notes=list(found.cutoff.notes),
    )
