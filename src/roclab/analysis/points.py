"""Curves through ready-made operating points, and how curves lie to each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

from roclab.analysis.classifiers import classifiers_of
from roclab.analysis.roc import Roc
from roclab.analysis.support import notes_of_subjects
from roclab.data.groups import groups_of_values
from roclab.data.read import read_columns
from roclab.data.verbs import reader, verb
from roclab.decisions.dominance import Dominance, ParetoFront, dominance_of, pareto_front_of
from roclab.errors import InputError, Words
from roclab.options.data import DataKeywords, ReadingKeywords

__all__ = ["dominance", "pareto_front", "read_points"]


@reader(classifier="name", by="name")
def read_points(
    data: Any,
    *,
    fpr: str,
    tpr: str,
    name: str | None = None,
    n_pos: float | None = None,
    n_neg: float | None = None,
    **reading: Unpack[ReadingKeywords],
) -> dict[str, Roc]:
    """Curves from columns of operating points, by name: what published tables and discrete classifiers offer.

    Parameters
    ----------
    data : data frame, mapping or file
    fpr, tpr : str
        Columns with false and true positive rates.
    name : str, optional
        Column that says whose point each row is; without it all rows are one curve called "points".
    n_pos, n_neg : float, optional
        Cases of each class behind the rates. With them the counts are known, and everything that cases can answer is
        answered: intervals, tests, cut-offs.

    Examples
    --------
    Two radar operators of a textbook:

    >>> import roclab as rl
    >>> table = {"who": ["A", "A", "B", "B"], "fpr": [0.4, 0.9, 0.2, 0.6], "tpr": [0.6, 0.85, 0.5, 0.9]}
    >>> curves = rl.read_points(table, fpr="fpr", tpr="tpr", name="who")
    >>> {who: round(curve.area(), 4) for who, curve in curves.items()}
    {'A': 0.575, 'B': 0.71}
    """
    columns = list(dict.fromkeys([fpr, tpr, *([name] if name else [])]))
    if len(columns) < (3 if name else 2):
        raise InputError("fpr", "tpr and name must be different columns", Words(f"{columns}"))
    found = read_columns(data, columns, numeric=[fpr, tpr], **reading)
    totals = {"n_pos": n_pos, "n_neg": n_neg}
    if name is None:
        return {"points": Roc.from_points(found[fpr], found[tpr], **totals)}
    groups = groups_of_values(found[name])
    return {
        one: Roc.from_points(found[fpr][rows], found[tpr][rows], **totals)
        for one, rows in zip(groups.names, groups.rows(), strict=True)
    }


@verb(splits=False)
def dominance(classifiers: Any, y_score: Any = None, **data: Unpack[DataKeywords]) -> Dominance:
    """Who is highest at which false positive rates, who dominates whom, and where curves cross.

    ``classifiers`` are data with several scores, or a mapping of names to curves made by :func:`roc` and to (fpr, tpr)
    points, as in :func:`hull`; with ``by`` the groups of one score are compared.

    >>> import roclab as rl
    >>> found = rl.classifiers.dominance({"A": [(0.1, 0.6), (0.6, 0.7)], "B": [(0.3, 0.8)]})
    >>> [(round(one.low, 4), round(one.high, 4), one.leaders) for one in found.leads]
    [(0.0, 0.2351, ('A',)), (0.2351, 1.0, ('B',))]
    """
    found = classifiers_of(classifiers, y_score, **data)
    return replace(dominance_of(found), notes=notes_of_subjects(found.values()))


@verb(splits=False)
def pareto_front(classifiers: Any, y_score: Any = None, **data: Unpack[DataKeywords]) -> ParetoFront:
    """The operating points that no other point beats: none has an FPR as low and a TPR as high.

    ``classifiers`` as in :func:`dominance`. Unlike the hull the front knows no points between two classifiers, so that
    it shows what can be had without tossing coins.

    >>> import roclab as rl
    >>> front = rl.classifiers.pareto_front({"A": [(0.4, 0.6), (0.9, 0.85)], "B": [(0.2, 0.5), (0.6, 0.8)]})
    >>> [(one.classifier, one.fpr, one.tpr) for one in front.points]
    [('B', 0.2, 0.5), ('A', 0.4, 0.6), ('B', 0.6, 0.8), ('A', 0.9, 0.85)]
    """
    found = classifiers_of(classifiers, y_score, **data)
    return replace(pareto_front_of(found), notes=notes_of_subjects(found.values()))
