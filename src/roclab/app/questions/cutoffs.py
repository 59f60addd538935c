"""Where to cut: all criteria side by side, requirements, two cut-offs with a grey zone, and how sure a cut-off is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import roclab as rl
from roclab.analysis.cutoff import CutoffStabilityKeywords
from roclab.analysis.every_criterion import cut_by_every_criterion
from roclab.app.asking import Asked, table_of_rows
from roclab.app.forms import Form
from roclab.app.refusals import refused
from roclab.options.conventions import ConventionKeywords
from roclab.options.criterion import ConditionKeywords, CriterionKeywords, RequirementKeywords
from roclab.options.group import given_of, options_of
from roclab.options.spelling import page_word

__all__ = ["CUTOFFS", "REQUIREMENT", "STABILITY", "cutoffs", "grey_zone", "requirement", "stability"]

_RATES = {"sensitivity": "tpr", "specificity": "tnr", "PPV": "ppv", "NPV": "npv", "accuracy": "accuracy"}
_WORDS = {key: name for name, key in _RATES.items()}
_PLACE = ("prevalence", "cost_fp", "cost_fn")  # chosen once for all questions
CUTOFFS = Form((RequirementKeywords, ConventionKeywords), without=(*_PLACE, "require", "goal"))
REQUIREMENT = Form((CriterionKeywords, ConventionKeywords), without=("require",))
STABILITY = Form((CutoffStabilityKeywords,))


def cutoffs(asked: Asked) -> dict[str, Any]:
    """The best cut-off of one score by every criterion that needs nothing else than what was given."""
    score = asked.option("score")
    given = asked.given(CUTOFFS)
    curve = rl.roc(asked.cases().select([score]), conventions=given.get("conventions"))
    with asked.listening():
        every = cut_by_every_criterion(curve, **asked.chosen(*_PLACE), **given_of(given, RequirementKeywords))
    asked.note("cutoff", {**asked.keywords(), "score": score}, {"criterion": "youden", **_for_youden(given)})
    rows = [
        _row(criterion, found, _intervals(asked, curve, found.best.threshold))
        for criterion, found in every.found.items()
    ]
    without = [{"criterion": criterion, **refused(error)} for criterion, error in every.refused.items()]
    return asked.answer(table=table_of_rows(rows), refused=without, left_out=_outside(every.left_out))


def _outside(found: Any) -> dict[str, float] | None:
    """Rates on cases left out of the choice, where they are known."""
    if found is None or not found.known:
        return None
    return {"sensitivity": found.sensitivity, "specificity": found.specificity}


def _for_youden(given: dict[str, Any]) -> dict[str, Any]:
    """Of the options of all criteria those that Youden's, which stands for them in code, takes as well."""
    return {name: value for name, value in given.items() if name not in options_of(ConditionKeywords)}


def _row(called: str, found: Any, intervals: Mapping[str, Any]) -> dict[str, Any]:
    best = found.best
    metrics = best.matrix.metrics()
    row = {"criterion": called, "cut-off": best.threshold}
    for name, key in _RATES.items():
        row[name] = metrics[key]
        if key in intervals:
            row |= {f"{name} low": intervals[key].low, f"{name} high": intervals[key].high}
    return {**row, "equally good": found.tied}


def _intervals(asked: Asked, curve: Any, threshold: float) -> Mapping[str, Any]:
    """Of the rates at a cut-off."""
    found: Mapping[str, Any] = curve.metrics(threshold, level=asked.option("level", 0.95)).intervals
    return found


def requirement(asked: Asked) -> dict[str, Any]:
    """The best cut-off that keeps what is required, such as a sensitivity of at least 0.9."""
    given: dict[str, Any] = {"criterion": "youden", "require": asked.option("require", {}), **asked.given(REQUIREMENT)}
    criterion = given["criterion"]
    found = asked.ask("cutoff", scores=[asked.option("score")], **given)
    curve = rl.roc(asked.cases().select([asked.option("score")]))
    required = asked.option("require", {}).items()
    called = f"{criterion}, {', '.join(f'{_WORDS.get(name, page_word(name))} ≥ {bound:g}' for name, bound in required)}"
    return asked.answer(
        table=table_of_rows([_row(called, found, _intervals(asked, curve, found.best.threshold))]),
        rows=table_of_rows(found.rows()), left_out=_outside(found.left_out),
    )  # fmt: skip


def grey_zone(asked: Asked) -> dict[str, Any]:
    """Two cut-offs: rule out below one, rule in from the other."""
    given = {name: bounds for name, bounds in asked.chosen("rule_out", "rule_in").items() if bounds}
    found = asked.ask("grey_zone", command="cutoff", flags=("--grey-zone",), scores=[asked.option("score")], **given)
    cuts = [
        {"rule": rule, "needs": needs, "cut-off": cut.threshold, "sensitivity": cut.tpr, "specificity": cut.specificity}
        for rule, needs, cut in (
            ("rule out below", found.rule_out, found.lower), ("rule in from", found.rule_in, found.upper),
        )
    ]  # fmt: skip
    return asked.answer(cuts=table_of_rows(cuts), table=table_of_rows(found.rows()), words=str(found).splitlines())


def stability(asked: Asked) -> dict[str, Any]:
    """How much a cut-off and its promise change from sample to sample."""
    found = asked.ask(
        "cutoff_stability", command="cutoff", flags=("--bootstrap",), scores=[asked.option("score")],
        **{"criterion": "youden", "rng": 1, **asked.given(STABILITY), "resampling": asked.resampling()},
    )  # fmt: skip
    cut = {"criterion": found.cutoff.criterion, "cut-off": found.cutoff.best.threshold,
           "low": found.interval.low, "high": found.interval.high, "level": found.interval.level}  # fmt: skip
    return asked.answer(cut=table_of_rows([cut]), table=table_of_rows(found.rows()), words=str(found).splitlines())
