"""Every criterion side by side: where each would cut one score, under the conditions that were given."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

from roclab.analysis.roc import Roc
from roclab.decisions.criteria import CRITERIA
from roclab.decisions.cutoffs import CutoffResult
from roclab.decisions.left_out import LeftOut, cutoff_left_out
from roclab.errors import RoclabError
from roclab.options.criterion import CriterionOptions, RequirementKeywords, RequirementOptions
from roclab.options.group import given_of

__all__ = ["EveryCriterion", "cut_by_every_criterion"]


@dataclass(frozen=True, slots=True, kw_only=True)
class EveryCriterion:
    """The cut-off of each criterion, by its name, and why others have none."""

    found: dict[str, CutoffResult]
    refused: dict[str, RoclabError]
    left_out: LeftOut | None  # of Youden's, on cases left out of the choice; None where it has no cut-off


def cut_by_every_criterion(curve: Roc, **asked: Unpack[RequirementKeywords]) -> EveryCriterion:
    """The best cut-off of a score by each criterion that can be asked with these conditions.

    A condition goes to the criteria that take it; a criterion that needs one that was not given is left out. The
    score is sorted once, and counted at every threshold once, for all of them.
    """
    conditions = RequirementOptions.of(asked).given()
    shared = {name: value for name, value in asked.items() if name not in conditions}
    found: dict[str, CutoffResult] = {}
    refused: dict[str, RoclabError] = {}
    for name, row in CRITERIA.items():
        if not conditions.keys() >= set(row.needs):
            continue
        own = {word: value for word, value in conditions.items() if word in row.takes}
        try:
            found[name] = curve.cutoff(name, **given_of({**shared, **own}, RequirementKeywords))
        except RoclabError as error:
            refused[name] = error
    outside = None
    if "youden" in found and curve.tally is not None:
        outside = cutoff_left_out(curve.tally, CriterionOptions(criterion="youden", rule=found["youden"].rule))
    return EveryCriterion(found=found, refused=refused, left_out=outside)
