"""Which classifier is best for which prevalence and costs? The joint hull, its ranges and its best point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from roclab._core.text import text_table, with_notes
from roclab.analysis.classifiers import classifiers_of
from roclab.analysis.support import notes_of_subjects
from roclab.data.verbs import verb
from roclab.decisions.costs import LowestCost, lowest_cost
from roclab.decisions.hull_table import HullChange, HullRange, HullTable, HullVertex, hull_table
from roclab.decisions.iso_performance import prevalence_of_slope
from roclab.decisions.stakes import Stakes
from roclab.errors import InputError, Words, named
from roclab.options.data import DataKeywords
from roclab.results import Result

__all__ = [
    "BestClassifier",
    "HullRanges",
    "best_classifier",
    "hull",
    "hull_ranges",
    "hull_contribution",
]

Rows = list[dict[str, Any]]


# -- results ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BestClassifier(Result):
    """The best classifier under stated conditions, and what each classifier costs at its own best point."""

    slope: float
    conditions: Mapping[str, float]
    best: tuple[HullVertex, ...]  # several where they cost the same
    costs: Mapping[str, LowestCost]  # by classifier
    notes: tuple[str, ...] = ()

    def rows(self) -> Rows:
        """One row per classifier, the cheapest first."""
        ordered = sorted(self.costs, key=lambda name: self.costs[name].cost)
        shown = ("threshold", "fpr", "tpr", "cost", "without the score", "saved")
        return [{"method": name, **_some(self.costs[name].rows()[0], shown)} for name in ordered]

    def __str__(self) -> str:
        conditions = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in self.conditions.items())
        rows = [{"method": one.classifier, **_some(one.rows()[0], ("threshold", "fpr", "tpr"))} for one in self.best]
        lines = [f"best for {conditions}: slope {self.slope:.4g}", "", text_table(rows), ""]
        if len(self.best) > 1:
            lines.insert(1, f"{len(self.best)} points of the hull cost the same")
        lines += ["each classifier at its own best point, with its expected cost per case:", text_table(self.rows())]
        return with_notes("\n".join(lines), self.notes)


def _some(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HullRanges(Result):
    """Who is best within a range of conditions."""

    ranges: tuple[HullRange, ...]
    costs: Mapping[str, float] | None  # costs and benefits when the range is one of prevalences, else None
    notes: tuple[str, ...] = ()

    def rows(self) -> Rows:
        """One row per classifier and range: by rising slope, that is by falling prevalence."""
        out = []
        for one in self.ranges:
            row: dict[str, Any] = {
                "method": one.classifier,
                "max slope": one.max_slope,
                "min slope": one.min_slope,
            }
            if self.costs is not None:
                row["min prevalence"] = prevalence_of_slope(one.max_slope, **dict(self.costs))
                row["max prevalence"] = prevalence_of_slope(one.min_slope, **dict(self.costs))
            out.append(row)
        return out


# -- questions -------------------------------------------------------------------------------------


@verb()
def hull(classifiers: Any, y_score: Any = None, **data: Unpack[DataKeywords]) -> HullTable:
    """Which classifier is best where: the convex hull over many, with the slope range of each.

    Parameters
    ----------
    classifiers, y_score : data with several scores, or a mapping
        Data of any shape, as in :func:`roc`; or a mapping of names to curves made by ``roc()`` and to (fpr, tpr) points
        of discrete classifiers.

    Returns
    -------
    HullTable
        ``.ranges`` (who is optimal for which slopes), ``.vertices``, ``.area``; ``.optimal(prevalence=…)``.

    Examples
    --------
    >>> import roclab as rl
    >>> table = rl.hull({"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]})
    >>> [(row.classifier, round(row.max_slope, 4)) for row in table.ranges]
    [('AllPos', 0.1667), ('b', 1.0), ('a', 6.0), ('AllNeg', inf)]
    """
    found = classifiers_of(classifiers, y_score, **data)
    return replace(hull_table(found), notes=notes_of_subjects(found.values()))


@verb()
def hull_ranges(
    classifiers: Any,
    y_score: Any = None,
    *,
    slopes: tuple[float, float] | None = None,
    prevalences: tuple[float, float] | None = None,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    benefit_tp: float = 0.0,
    benefit_tn: float = 0.0,
    **data: Unpack[DataKeywords],
) -> HullRanges:
    """Who is best within a range of slopes, or of prevalences at given costs of errors and benefits of right calls.

    >>> import roclab as rl
    >>> found = rl.classifiers.hull_ranges({"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]}, prevalences=(0.3, 0.6))
    >>> [row["method"] for row in found.rows()]
    ['b', 'a']
    """
    found = classifiers_of(classifiers, y_score, **data)
    table, notes = hull_table(found), notes_of_subjects(found.values())
    costs = {"cost_fp": cost_fp, "cost_fn": cost_fn}
    benefits = {"benefit_tp": benefit_tp, "benefit_tn": benefit_tn}
    if (slopes is None) == (prevalences is None):
        raise InputError("slopes", "or prevalences must be given", Words("neither" if slopes is None else "both"))
    if slopes is not None:
        for name, worth in (*costs.items(), *benefits.items()):
            if worth != (name in costs):  # costs are 1 and benefits 0 where nothing was said
                raise InputError(
                    name, f"belongs to {named('prevalences')}; slopes know their costs", worth, "leave it out"
                )
        return HullRanges(ranges=table.between(*slopes), costs=None, notes=notes)
    assert prevalences is not None
    every = costs | {name: value for name, value in benefits.items() if value}
    return HullRanges(ranges=table.for_prevalences(*prevalences, **every), costs=every, notes=notes)


@verb()
def best_classifier(
    classifiers: Any,
    y_score: Any = None,
    *,
    prevalence: float,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    benefit_tp: float = 0.0,
    benefit_tn: float = 0.0,
    **data: Unpack[DataKeywords],
) -> BestClassifier:
    """The best classifier for a prevalence and two costs, and what each classifier costs at its own best point.

    Benefits of right calls are weighed beside the costs of errors; the expected cost is then less by what they bring.

    >>> import roclab as rl
    >>> rl.classifiers.best_classifier({"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]}, prevalence=0.3).best[0].classifier
    'a'
    """
    found = classifiers_of(classifiers, y_score, **data)
    stakes = Stakes(
        prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn, benefit_tp=benefit_tp, benefit_tn=benefit_tn
    )
    conditions = stakes.given()
    return BestClassifier(
        slope=stakes.slope,
        conditions=conditions,
        best=hull_table(found).at_slope(stakes.slope),
        costs={name: lowest_cost(curve, **conditions) for name, curve in found.items()},
        notes=notes_of_subjects(found.values()),
    )


@verb()
def hull_contribution(classifiers: Any, y_score: Any = None, *, add: str, **data: Unpack[DataKeywords]) -> HullChange:
    """What one of the classifiers changes when it joins the others: area gained, and where it is optimal.

    >>> import roclab as rl
    >>> rl.classifiers.hull_contribution({"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]}, add="b").displaced
    ()
    """
    found = classifiers_of(classifiers, y_score, **data)
    if add not in found:
        raise InputError("add", f"must name one of the classifiers {', '.join(found)}", add)
    rest = {name: curve for name, curve in found.items() if name != add}
    if not rest:
        raise InputError("add", "needs classifiers to join", Words(f"{add} only"), "name another one")
    return replace(hull_table(rest).adding(add, found[add]), notes=notes_of_subjects(found.values()))
