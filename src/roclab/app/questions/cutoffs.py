"""Where to cut: all criteria side by side, requirements, two cut-offs with a grey zone, and how sure a cut-off is."""

from __future__ import annotations

from typing import Any

import roclab as rl
from roclab.app.asking import Asked, table_of_rows
from roclab.errors import RoclabError
from roclab.names import CRITERIA

__all__ = ["cutoffs", "grey_zone", "requirement", "stability"]

_PLACE = ("prevalence", "cost_fp", "cost_fn")
_OWN_NUMBER = ("neyman_pearson", "target", "f_beta", "f_alpha", "bayes")  # criteria that need one


def cutoffs(asked: Asked) -> dict[str, Any]:
    """The best cut-off of one score by every criterion that needs no number of its own."""
    score = asked.option("score")
    criteria = asked.option("criteria") or [one for one in CRITERIA if one not in _OWN_NUMBER]
    curve = rl.roc(asked.cases().select([score]))  # sorted once, and counted at every threshold once, for all criteria
    rows, refused = [], []
    for criterion in criteria:
        given: dict[str, Any] = {"criterion": criterion}
        if criterion == "cost":
            given |= asked.chosen(*_PLACE)
        try:
            with asked.listening():
                found = curve.cutoff(**given)
        except RoclabError as error:
            refused.append(f"{criterion}: {error}")
            continue
        rows.append(_row(criterion, found))
        if criterion == "youden":
            asked.note("cutoff", {**asked.keywords(), "score": score}, given)
    return asked.answer(table=table_of_rows(rows), refused=refused)


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
    bounds = asked.option("require", {})
    criterion = asked.option("criterion", "youden")
    found = asked.ask("cutoff", scores=[asked.option("score")], criterion=criterion, require=bounds)
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
        criterion=asked.option("criterion", "youden"), resampling=asked.resampling(), rng=asked.option("seed", 1),
    )  # fmt: skip
    return asked.answer(table=table_of_rows(found.rows()), words=str(found).splitlines())
