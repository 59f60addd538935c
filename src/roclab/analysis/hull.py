"""Which classifier is best for which prevalence and costs? Joint hulls, costs, the LC index, H and net benefit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, Unpack

from roclab._core.text import text_table
from roclab.analysis.roc import Roc, rocs
from roclab.curves.cost import cost_curve
from roclab.curves.roc import RocCurve, curve_from_points
from roclab.data.cases import Cases
from roclab.data.keywords import DataKeywords, data_door
from roclab.data.tally import Tally
from roclab.decisions.costs import CostComparison, LowestCost, compare_costs, lowest_cost
from roclab.decisions.h_measure import HMeasure, h_measure
from roclab.decisions.hull_table import HullChange, HullRange, HullTable, HullVertex, hull_table
from roclab.decisions.iso_performance import equal_cost_slope, prevalence_of_slope
from roclab.decisions.lc_index import LcIndex
from roclab.decisions.lc_index import lc_index as lc_of_curves
from roclab.decisions.net_benefit import DecisionCurve, decision_curve
from roclab.errors import InputError, Words
from roclab.results import Result

__all__ = [
    "BestClassifier",
    "CostComparisons",
    "HMeasures",
    "HullRanges",
    "LcIndices",
    "best_classifier",
    "classifiers_of",
    "compare_classifier_costs",
    "h_measures",
    "hull",
    "hull_ranges",
    "lc_index",
    "net_benefit",
    "what_joins",
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

    def rows(self) -> Rows:
        """One row per classifier, the cheapest first."""
        ordered = sorted(self.costs, key=lambda name: self.costs[name].cost)
        shown = ("threshold", "fpr", "tpr", "cost", "without the score", "saved")
        return [{"method": name, **_some(self.costs[name].rows()[0], shown)} for name in ordered]

    def __str__(self) -> str:
        said = ", ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in self.conditions.items())
        rows = [{"method": one.classifier, **_some(one.rows()[0], ("threshold", "fpr", "tpr"))} for one in self.best]
        lines = [f"best for {said}: slope {self.slope:.4g}", "", text_table(rows), ""]
        if len(self.best) > 1:
            lines.insert(1, f"{len(self.best)} points of the hull cost the same")
        lines += ["each classifier at its own best point, with its expected cost per case:", text_table(self.rows())]
        return "\n".join(lines)


def _some(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HullRanges(Result):
    """Who is best within a range of conditions."""

    ranges: tuple[HullRange, ...]
    costs: Mapping[str, float] | None  # both costs when the range is one of prevalences, else None

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


class _Pairs(Result):
    """Results about pairs of classifiers, one after the other."""

    __slots__ = ()

    pairs: tuple[Any, ...]

    def rows(self) -> Rows:
        """The rows of each pair's own result."""
        return [{"first": one.first, "second": one.second, **row} for one in self.pairs for row in one.rows()]

    def __str__(self) -> str:
        return "\n\n\n".join(map(str, self.pairs))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CostComparisons(_Pairs):
    """Over which conditions each of two classifiers is cheaper, for every pair."""

    pairs: tuple[CostComparison, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LcIndices(_Pairs):
    """Who loses less when costs are known only roughly, for every pair."""

    pairs: tuple[LcIndex, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HMeasures(Result):
    """The H-measure of each score."""

    measures: tuple[HMeasure, ...]

    def rows(self) -> Rows:
        """One row per score."""
        return [row for one in self.measures for row in one.rows()]

    def __str__(self) -> str:
        rows = [{name: value for name, value in row.items() if name != "prior"} for row in self.rows()]
        priors = dict.fromkeys(f"H with {one.prior}; prevalence {one.prevalence:.4g}" for one in self.measures)
        words = "AUCH hull area, KS largest TPR - FPR, MER smallest error rate, MWL smallest weighted loss"
        return "\n".join([text_table(rows), "", *priors, words])


# -- classifiers of any shape ----------------------------------------------------------------------


def classifiers_of(classifiers: Any, y_score: Any = None, **data: Unpack[DataKeywords]) -> dict[str, RocCurve]:
    """Curves by name: of the scores of data, of curves made by ``roc()``, and of points of discrete classifiers.

    A mapping of names to curves or (fpr, tpr) points is taken as it is; anything else is read as data.
    """
    if isinstance(classifiers, Mapping) and y_score is None and not data.get("label"):
        if not classifiers:
            raise InputError("classifiers", "must hold at least one curve or point", Words("none"))
        return {str(name): _curve(name, one) for name, one in classifiers.items()}
    if isinstance(classifiers, Cases | Mapping) or y_score is not None or data:
        return {name: one.curve for name, one in rocs(classifiers, y_score, **data).items()}
    raise InputError(
        "classifiers", "must map names to curves or points, or be data with scores", Words(type(classifiers).__name__)
    )


def _curve(name: Any, one: Any) -> RocCurve:
    if isinstance(one, Roc):
        return one.curve
    if isinstance(one, RocCurve):
        return one
    if isinstance(one, Tally):
        raise InputError(str(name), "must be a curve or points", Words("a tally"), "make a curve of it with roc()")
    try:
        pairs = [one] if len(one) == 2 and not hasattr(one[0], "__len__") else list(one)
        fpr, tpr = zip(*pairs, strict=True)
    except (TypeError, ValueError):
        raise InputError(
            str(name), "must be a curve made by roc(), or (fpr, tpr) points", Words(type(one).__name__)
        ) from None
    return curve_from_points(list(fpr), list(tpr))


def _tallies_of(classifiers: Any, y_score: Any, data: Any, what: str) -> dict[str, Tally]:
    """Counts by name: of the scores of data, or of curves made by ``roc()``, for what points do not have."""
    if isinstance(classifiers, Mapping) and y_score is None and not data.get("label"):
        found: Mapping[str, Any] = classifiers
    else:
        found = rocs(classifiers, y_score, **data)
    out: dict[str, Tally] = {}
    for name, one in found.items():
        if not isinstance(one, Roc) or one.tally is None:
            raise InputError(str(name), f"must be a curve with its cases for {what}", Words("points"), "use roc()")
        out[str(name)] = one.tally
    return out


# -- questions -------------------------------------------------------------------------------------


@data_door()
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
    return hull_table(classifiers_of(classifiers, y_score, **data))


@data_door()
def hull_ranges(
    classifiers: Any,
    y_score: Any = None,
    *,
    slopes: tuple[float, float] | None = None,
    prevalences: tuple[float, float] | None = None,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    **data: Unpack[DataKeywords],
) -> HullRanges:
    """Who is best within a range of slopes, or of prevalences at given costs.

    >>> import roclab as rl
    >>> found = rl.hull_ranges({"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]}, prevalences=(0.3, 0.6))
    >>> [row["method"] for row in found.rows()]
    ['b', 'a']
    """
    table = hull_table(classifiers_of(classifiers, y_score, **data))
    if (slopes is None) == (prevalences is None):
        raise InputError("slopes", "or prevalences must be given", Words("neither" if slopes is None else "both"))
    if slopes is not None:
        return HullRanges(ranges=table.between(*slopes), costs=None)
    assert prevalences is not None
    costs = {"cost_fp": cost_fp, "cost_fn": cost_fn}
    return HullRanges(ranges=table.for_prevalences(*prevalences, **costs), costs=costs)


@data_door()
def best_classifier(
    classifiers: Any,
    y_score: Any = None,
    *,
    prevalence: float,
    cost_fp: float = 1.0,
    cost_fn: float = 1.0,
    **data: Unpack[DataKeywords],
) -> BestClassifier:
    """The best classifier for a prevalence and two costs, and what each classifier costs at its own best point.

    >>> import roclab as rl
    >>> rl.best_classifier({"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]}, prevalence=0.3).best[0].classifier
    'a'
    """
    found = classifiers_of(classifiers, y_score, **data)
    slope = equal_cost_slope(prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn)
    conditions = {"prevalence": prevalence, "cost_fp": cost_fp, "cost_fn": cost_fn}
    return BestClassifier(
        slope=slope,
        conditions=conditions,
        best=hull_table(found).at_slope(slope),
        costs={name: lowest_cost(curve, **conditions) for name, curve in found.items()},
    )


@data_door()
def what_joins(classifiers: Any, y_score: Any = None, *, add: str, **data: Unpack[DataKeywords]) -> HullChange:
    """What one of the classifiers changes when it joins the others: area gained, and where it is optimal.

    >>> import roclab as rl
    >>> rl.what_joins({"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]}, add="b").displaced
    ()
    """
    found = classifiers_of(classifiers, y_score, **data)
    if add not in found:
        raise InputError("add", f"must name one of the classifiers {', '.join(found)}", add)
    rest = {name: curve for name, curve in found.items() if name != add}
    if not rest:
        raise InputError("add", "needs classifiers to join", Words(f"{add} only"), "name another one")
    return hull_table(rest).adding(add, found[add])


def _two(found: Mapping[str, RocCurve]) -> list[tuple[str, str]]:
    if len(found) < 2:
        raise InputError("classifiers", "are compared with each other", Words("one only"), "name another one")
    return list(combinations(found, 2))


@data_door()
def compare_classifier_costs(classifiers: Any, y_score: Any = None, **data: Unpack[DataKeywords]) -> CostComparisons:
    """Over which conditions (prior times cost) each of two classifiers is cheaper, for every pair.

    >>> import roclab as rl
    >>> found = rl.compare_classifier_costs({"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]})
    >>> [(one.first, one.second) for one in found.pairs]
    [('a', 'b')]
    """
    found = classifiers_of(classifiers, y_score, **data)
    drawn = {name: cost_curve(curve) for name, curve in found.items()}
    return CostComparisons(
        pairs=tuple(compare_costs(drawn[one], drawn[two], names=(one, two)) for one, two in _two(found))
    )


@data_door()
def lc_index(
    classifiers: Any,
    y_score: Any = None,
    *,
    prevalence: float,
    shares: tuple[float, float, float],
    **data: Unpack[DataKeywords],
) -> LcIndices:
    """The LC index of every pair: who loses less when costs are known only roughly.

    Parameters
    ----------
    classifiers, y_score : as in :func:`hull`
    prevalence : float
        Share of positive cases.
    shares : three floats
        Smallest, likeliest and largest share of a false positive in the cost of both errors.

    Examples
    --------
    >>> import roclab as rl
    >>> found = rl.lc_index({"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]}, prevalence=0.3, shares=(0.1, 0.2, 0.4))
    >>> len(found.pairs)
    1
    """
    low, mode, high = shares
    found = classifiers_of(classifiers, y_score, **data)
    return LcIndices(
        pairs=tuple(
            lc_of_curves(
                found[one], found[two], names=(one, two), prevalence=prevalence, interval=(low, high), mode=mode
            )
            for one, two in _two(found)
        )
    )


@data_door()
def h_measures(
    y_true: Any,
    y_score: Any = None,
    *,
    shape: tuple[float, float] | None = None,
    severity_ratio: float | Literal["data"] | None = None,
    prevalence: float | None = None,
    **data: Unpack[DataKeywords],
) -> HMeasures:
    """Hand's H-measure of every score, with the numbers read beside it.

    ``shape`` is a Beta prior of the costs (2, 2 by default); ``severity_ratio`` the cost of a false positive per false
    negative instead, or "data" for that of the class sizes.

    >>> import roclab as rl
    >>> found = rl.h_measures([1, 1, 0, 0], {"good": [4, 3, 2, 1], "fair": [4, 2, 3, 1]})
    >>> [round(float(one), 4) for one in found.measures]
    [1.0, 0.5]
    """
    asked: dict[str, Any] = {"shape": shape, "severity_ratio": severity_ratio, "prevalence": prevalence}
    tallies = _tallies_of(y_true, y_score, data, "the H-measure").values()
    return HMeasures(measures=tuple(h_measure(tally, **asked) for tally in tallies))


@data_door()
def net_benefit(
    y_true: Any,
    y_score: Any = None,
    *,
    probabilities: Any = None,
    prevalence: float | None = None,
    **data: Unpack[DataKeywords],
) -> DecisionCurve:
    """Decision curves: net benefit of treating the cases whose predicted probability reaches a threshold.

    Parameters
    ----------
    y_true, y_score : data whose scores are predicted probabilities
    probabilities : sequence of float, optional
        Threshold probabilities; by default every percent.
    prevalence : float, optional
        That of the place where decisions will be made; by default that of the data.

    Examples
    --------
    >>> import roclab as rl
    >>> found = rl.net_benefit([1, 1, 0, 0], [0.9, 0.6, 0.4, 0.1], probabilities=[0.5])
    >>> found.rows()[0]["score"]
    0.5
    """
    tallies = _tallies_of(y_true, y_score, data, "net benefit")
    return decision_curve(tallies, probabilities=probabilities, prevalence=prevalence)
