"""Curves through ready-made operating points, and how curves lie to each other."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Unpack

import numpy as np

from roclab._core.types import Floats
from roclab.analysis.classifiers import classifiers_of
from roclab.analysis.roc import Roc
from roclab.analysis.support import notes_of_subjects
from roclab.data.columns import score_column
from roclab.data.groups import groups_of_values
from roclab.data.read import read_columns
from roclab.data.verbs import reader, verb
from roclab.decisions.dominance import Dominance, ParetoFront, dominance_of, pareto_front_of
from roclab.errors import InputError, Words, named
from roclab.options.data import DataKeywords, ReadingKeywords

__all__ = ["dominance", "pareto_front", "read_points"]


@reader(classifier="name", by="name", sensitivity="tpr")
def read_points(
    data: Any,
    *,
    tpr: str,
    fpr: str | None = None,
    specificity: str | None = None,
    name: str | None = None,
    n_pos: float | None = None,
    n_neg: float | None = None,
    in_percent: bool = False,
    **reading: Unpack[ReadingKeywords],
) -> dict[str, Roc]:
    """Curves from columns of operating points, by name: what published tables and discrete classifiers offer.

    Parameters
    ----------
    data : data frame, mapping or file
    tpr : str
        Column with true positive rates (also: ``sensitivity``).
    fpr, specificity : str
        Column with false positive rates, or with specificities; one of them.
    name : str, optional
        Column that says whose point each row is; without it all rows are one curve called "points".
    n_pos, n_neg : float, optional
        Cases of each class behind the rates. With them the counts are known, and everything that cases can answer is
        answered: intervals, tests, cut-offs. Rates are printed rounded: the count is taken whose rate rounds to the
        printed one, and every answer says so where that was needed.
    in_percent : bool
        True where rates are written as 98 for 98%. Cells such as "98%" say so themselves.

    Examples
    --------
    Two radar operators of a textbook:

    >>> import roclab as rl
    >>> table = {"who": ["A", "A", "B", "B"], "fpr": [0.4, 0.9, 0.2, 0.6], "tpr": [0.6, 0.85, 0.5, 0.9]}
    >>> curves = rl.read_points(table, fpr="fpr", tpr="tpr", name="who")
    >>> {who: round(curve.area(), 4) for who, curve in curves.items()}
    {'A': 0.575, 'B': 0.71}

    A table of a paper, per cent:

    >>> paper = {"sens": ["98%", "71%"], "spec": ["43%", "90%"]}
    >>> curve = rl.read_points(paper, sensitivity="sens", specificity="spec", n_pos=120, n_neg=300)["points"]
    >>> print(curve.auc().sample.outcome)
    tpr printed to 2 digits: 0.71 of 120 is taken for 85 cases, and 1 other rate likewise
    """
    across = fpr if specificity is None else specificity
    if across is None or (fpr is not None and specificity is not None):
        got = Words("neither" if fpr is None else "both")
        raise InputError("fpr", f"or {named('specificity')} must be given, one of them", got)
    columns = list(dict.fromkeys([across, tpr, *([name] if name else [])]))
    if len(columns) < (3 if name else 2):
        raise InputError("tpr", "and the columns beside it must be different ones", Words(f"{columns}"))
    found = _columns_of_rates(data, [across, tpr], columns, **reading)
    roles = {across: "fpr" if specificity is None else "specificity", tpr: "tpr"}
    rates = {one: _fractions(found[one], role, in_percent) for one, role in roles.items()}
    right = rates[across] if specificity is None else 1 - rates[across]
    up = rates[tpr]
    totals = {"n_pos": n_pos, "n_neg": n_neg}
    if name is None:
        return {"points": Roc.from_points(right, up, **totals)}
    groups = groups_of_values(found[name])
    return {
        one: Roc.from_points(right[rows], up[rows], **totals)
        for one, rows in zip(groups.names, groups.rows(), strict=True)
    }


def _columns_of_rates(data: Any, rates: list[str], columns: list[str], **reading: Any) -> dict[str, Any]:
    """The columns, with rates as numbers or as text that ends in a per cent sign."""
    found = read_columns(data, columns, **reading).values
    written = [name for name in rates if found[name].dtype.kind in "OU" and _in_percent(found[name])]
    if all(found[name].dtype.kind in "iuf" or name in written for name in rates):
        return dict(found)
    numbers = [name for name in rates if name not in written]
    return dict(read_columns(data, columns, numeric=numbers, **reading).values)


def _in_percent(values: Any) -> bool:
    return all(str(value).strip().endswith("%") for value in values)


def _fractions(values: Any, name: str, percent: bool) -> Floats:
    """Rates as fractions, whichever way they are written; the last digits that a division makes are taken off."""
    if values.dtype.kind in "OU":
        return score_column([_without_sign(value, name) for value in values], name).values / 100
    array = score_column(values, name).values.astype(np.float64)
    if percent:
        outside = array[~((array >= 0) & (array <= 100))]
        if outside.size:
            raise InputError(name, "must lie between 0 and 100", Words(f"{outside[0]:g}"), "check the rates")
        return np.asarray((array / 100).round(12))
    outside = array[~((array >= 0) & (array <= 1))]
    if outside.size:
        way_out = f"write {named('in_percent', True)} where 98 means 98%"
        raise InputError(name, "must lie between 0 and 1", Words(f"{outside[0]:g}"), way_out)
    return np.asarray(array)


def _without_sign(value: str, name: str) -> float:
    try:
        return float(str(value).strip().removesuffix("%").strip().replace(",", "."))
    except ValueError:
        raise InputError(name, "must hold rates", str(value), "write 98% or 0.98") from None


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
