"""Which scores does the AUC not tell apart, and what decides between them?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Unpack

from roclab.analysis.support import folding_of, prepared
from roclab.data.cases import Cases
from roclab.data.read import read_cases
from roclab.data.tally import Tally
from roclab.data.verbs import verb
from roclab.decisions.ties import TieAnalysis, performance_ties
from roclab.errors import InputError, Words, named
from roclab.options.folds import FoldedKeywords
from roclab.options.region import Range

__all__ = ["ties"]


@verb(FoldedKeywords)
def ties(
    y_true: Any,
    y_score: Any = None,
    *,
    mirror: bool = False,
    tolerance: float = 1e-9,
    fpr: Range = (0.0, 0.1),
    level: float = 0.95,
    **asked: Unpack[FoldedKeywords],
) -> TieAnalysis:
    """AUC and tAUC rankings of several scores, performance ties, and how tAUC and partial areas resolve them.

    Parameters
    ----------
    y_true, y_score : data with several scores of the same cases; or a mapping of names to cases of one score each,
        which are then compared as independent samples
    mirror : bool
        Compare one score with its mirror image about tpr = 1 - fpr, which has the same AUC; other areas are compared
        as paired, on the same cases.
    tolerance : float
        AUCs that differ by no more are equal.
    fpr : pair
        Range of the partial area.
    level : float
        Confidence level of the differences; where ``ids`` give subjects several cases, by Obuchowski's covariance.

    Examples
    --------
    >>> import roclab as rl
    >>> found = rl.ties([1, 1, 0, 1, 0, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2], mirror=True)
    >>> [row["score"] for row in found.rows()]
    ['score', 'mirror image']
    """
    fold_average, data = folding_of(asked)
    shown: dict[str, Any] = {"tolerance": tolerance, "level": level, "fpr": fpr}
    if isinstance(y_true, Mapping) and y_score is None and "label" not in data:
        tallies: dict[str, Tally] = {}
        for name, one in y_true.items():
            if not isinstance(one, Cases):
                raise InputError(str(name), "must be cases of one score", Words(type(one).__name__), "use read_cases")
            if one.clustered:
                raise InputError(
                    str(name), "must have one case of every subject here", Words("several cases of a subject"),
                    "give all scores of the same cases, or use compare_groups()",
                )  # fmt: skip
            tallies[str(name)] = prepared("ties", one.renamed(str(name))).tally()
        return performance_ties(tallies, **shown)
    cases = prepared("ties", read_cases(y_true, y_score, **data), fold_average)
    if mirror:
        cases.only_name()  # or it says that one score is meant
    elif len(cases.names) < 2:
        raise InputError(
            "score",
            "must name at least two scores",
            Words(f"{cases.names[0]} only"),
            f"name another one, or write {named('mirror', True)}",
        )
    found = performance_ties(cases, with_mirror=mirror, **shown)
    notes = cases.sample(cases.names[0]).belonging()
    return replace(found, notes=(*found.notes, *(f"{words[0].upper()}{words[1:]}." for words in notes)))
