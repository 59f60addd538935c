"""Questions about several classifiers at once: their joint hull, and ties between them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from roclab.analysis.data import read_cases
from roclab.analysis.roc import Roc
from roclab.decisions.hull_table import HullTable, hull_table
from roclab.decisions.ties import TieAnalysis, performance_ties
from roclab.errors import InputError, Words

__all__ = ["hull", "ties"]


def hull(classifiers: Mapping[str, Any]) -> HullTable:
    """Which classifier is best where: the convex hull over many, with the slope range of each.

    ``classifiers`` maps names to curves made by ``roc()``, or to (fpr, tpr) points of discrete classifiers.

    >>> import roclab as rl
    >>> table = rl.hull({"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]})
    >>> [(row.classifier, round(row.max_slope, 4)) for row in table.ranges]
    [('AllPos', 0.1667), ('b', 1.0), ('a', 6.0), ('AllNeg', inf)]
    """
    if not isinstance(classifiers, Mapping):
        raise InputError("classifiers", "must map names to curves or points", Words(f"{type(classifiers).__name__}"))
    return hull_table({name: one.curve if isinstance(one, Roc) else one for name, one in classifiers.items()})


def ties(y_true: Any, y_score: Any = None, *, options: Mapping[str, Any] | None = None, **data: Any) -> TieAnalysis:
    """AUC and tAUC rankings of several scores, performance ties, and how tAUC and partial areas resolve them.

    ``options`` go to ``decisions.ties.performance_ties``: tolerance, level, fpr.
    """
    return performance_ties(read_cases(y_true, y_score, **data), **dict(options or {}))
