"""Where to cut: all criteria side by side, requirements, two cut-offs with a grey zone, and how sure a cut-off is."""

from __future__ import annotations

from typing import Any

import roclab as rl
from roclab.analysis.cutoff import CutoffStabilityKeywords
from roclab.analysis.every_criterion import cut_by_every_criterion
from roclab.app.asking import Asked, table_of_rows
from roclab.app.forms import Form
from roclab.app.wording import in_page
from roclab.options.criterion import ConditionKeywords, CriterionKeywords, RequirementKeywords
from roclab.options.group import options_of

__all__ = ["CUTOFFS", "REQUIREMENT", "STABILITY", "cutoffs", "grey_zone", "requirement", "stability"]

_PLACE = ("prevalence", "cost_fp", "cost_fn")  # chosen once for all questions
CUTOFFS = Form((RequirementKeywords,), without=(*_PLACE, "require", "goal"))
REQUIREMENT = Form((CriterionKeywords,), without=("require",))
STABILITY = Form((CutoffStabilityKeywords,))


def cutoffs(asked: Asked) -> dict[str, Any]:
    """The best cut-off of one score by every criterion that needs nothing else than what was given."""
    score = asked.option("score")
    curve = rl.roc(asked.cases().select([score]))
    given = asked.given(CUTOFFS)
    with asked.listening():
        every = cut_by_every_criterion(curve, **asked.chosen(*_PLACE), **given)
    asked.note("cutoff", {**asked.keywords(), "score": score}, {"criterion": "youden", **_for_youden(given)})
    rows = [_row(criterion, found) for criterion, found in every.found.items()]
    refused = [f"{criterion}: {in_page(error)}" for criterion, error in every.refused.items()]
    return asked.answer(table=table_of_rows(rows), refused=refused)


def _for_youden(given: dict[str, Any]) -> dict[str, Any]:
    """Of the options of all criteria those that Youden's, which stands for them in code, takes as well."""
    return {name: value for name, value in given.items() if name not in options_of(ConditionKeywords)}


def _row(criterion: str, found: Any) -> dict[str, Any]:
    best = found.best
    metrics = best.matrix.metrics()
    return {
        "criterion": criterion, "cut-off": best.threshold, "sensitivity": best.tpr,
        "specificity": best.specificity, "PPV": metrics["ppv"], "NPV": metrics["npv"],
        "accuracy": metrics["accuracy"], "equally good": found.tied,
    }  # fmt: skip


def requirement(asked: Asked) -> dict[str, Any]:
    """The best cut-off that keeps what is required, such as a sensitivity of at least 0.9."""
    given: dict[str, Any] = {"criterion": "youden", "require": asked.option("require", {}), **asked.given(REQUIREMENT)}
    criterion = given["criterion"]
    found = asked.ask("cutoff", scores=[asked.option("score")], **given)
    return asked.answer(table=table_of_rows([_row(criterion, found)]), rows=table_of_rows(found.rows()))


def grey_zone(asked: Asked) -> dict[str, Any]:
    """Two cut-offs: rule out below one, rule in from the other."""
    given = {name: bounds for name, bounds in asked.chosen("rule_out", "rule_in").items() if bounds}
    found = asked.ask("grey_zone", command="cutoff", flags=("--grey-zone",), scores=[asked.option("score")], **given)
    return asked.answer(table=table_of_rows(found.rows()), words=str(found).splitlines())


def stability(asked: Asked) -> dict[str, Any]:
    """How much a cut-off and its promise change from sample to sample."""
    found = asked.ask(
        "cutoff_stability", command="cutoff", flags=("--bootstrap",), scores=[asked.option("score")],
        **{"criterion": "youden", "rng": 1, **asked.given(STABILITY), "resampling": asked.resampling()},
    )  # fmt: skip
    return asked.answer(table=table_of_rows(found.rows()), words=str(found).splitlines())
