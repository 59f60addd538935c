"""The ways ``roclab hull`` asks the library, and its answers made of several results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from roclab._core.text import text_table
from roclab.cli.parsing import point_of
from roclab.curves.cost import cost_curve
from roclab.curves.roc import RocCurve, curve_from_points, roc_curve
from roclab.data.tally import Tally
from roclab.decisions.costs import LowestCost, compare_costs, lowest_cost
from roclab.decisions.h_measure import HMeasure, h_measure
from roclab.decisions.hull_table import HullRange, HullTable, HullVertex
from roclab.decisions.iso_performance import equal_cost_slope, prevalence_of_slope
from roclab.decisions.lc_index import lc_index
from roclab.errors import InputError, Words
from roclab.results import Result

__all__ = ["Choice", "HMeasures", "Pairs", "Ranges", "Vertices", "classifiers", "cost_pairs", "lc_pairs"]

Rows = list[dict[str, Any]]


# -- answers ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Vertices(Result):
    """The joint hull, vertex by vertex."""

    vertices: tuple[HullVertex, ...]
    area: float

    def rows(self) -> Rows:
        """One row per vertex, by rising false positive rate."""
        return [row for one in self.vertices for row in one.rows()]

    def __str__(self) -> str:
        return f"{text_table(self.rows())}\n\narea under the joint hull {self.area:.4f}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Choice(Result):
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Ranges(Result):
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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pairs(Result):
    """Results about pairs of classifiers."""

    results: tuple[Result, ...]

    def to_dict(self) -> dict[str, Any]:
        """The dictionary of each pair's own result."""
        return {"results": [one.to_dict() for one in self.results]}

    def rows(self) -> Rows:
        """The rows of each pair's own result."""
        return [
            {"first": getattr(one, "first", ""), "second": getattr(one, "second", ""), **row}
            for one in self.results
            for row in one.rows()
        ]

    def __str__(self) -> str:
        return "\n\n\n".join(map(str, self.results))


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


def _some(row: Mapping[str, Any], names: Sequence[str]) -> dict[str, Any]:
    return {name: row[name] for name in names}


# -- classifiers -----------------------------------------------------------------------------------


def classifiers(tallies: Mapping[str, Tally], points: Sequence[str]) -> dict[str, RocCurve]:
    """The curve of each score, and points of discrete classifiers by name."""
    curves = {name: roc_curve(tally) for name, tally in tallies.items()}
    found: dict[str, list[tuple[float, float]]] = {}
    for text in points:
        name, colon, rates = text.rpartition(":")
        if not colon or not name.strip():
            raise InputError("--point", "must be written NAME:FPR,TPR", text, "for instance nurse:0.1,0.7")
        found.setdefault(name.strip(), []).append(point_of(rates, "--point", "NAME:FPR,TPR"))
    for name, some in found.items():
        if name in curves:
            raise InputError(
                "--point", "must have a name of its own", Words(f"{name!r}, which is a score"), "choose another"
            )
        fpr, tpr = zip(*some, strict=True)
        curves[name] = curve_from_points(list(fpr), list(tpr))
    return curves


# -- questions -------------------------------------------------------------------------------------


def choice(table: HullTable, curves: Mapping[str, RocCurve], conditions: Mapping[str, float]) -> Choice:
    """The best classifier for a prevalence and two costs."""
    asked: dict[str, Any] = dict(conditions)
    slope = equal_cost_slope(**asked)
    return Choice(
        slope=slope,
        conditions=conditions,
        best=table.at_slope(slope),
        costs={name: lowest_cost(curve, **asked) for name, curve in curves.items()},
    )


def cost_pairs(curves: Mapping[str, RocCurve]) -> Result:
    """Where each of two classifiers is cheaper, for every pair."""
    drawn = {name: cost_curve(curve) for name, curve in curves.items()}
    return _pairs([compare_costs(drawn[one], drawn[two], names=(one, two)) for one, two in combinations(drawn, 2)])


def lc_pairs(curves: Mapping[str, RocCurve], shares: tuple[float, float, float], prevalence: float) -> Result:
    """Who loses less when costs are known only roughly, for every pair."""
    low, mode, high = shares
    asked: dict[str, Any] = {"prevalence": prevalence, "interval": (low, high), "mode": mode}
    return _pairs(
        [lc_index(curves[one], curves[two], names=(one, two), **asked) for one, two in combinations(curves, 2)]
    )


def _pairs(results: Sequence[Result]) -> Result:
    if not results:
        raise InputError(
            "", "costs are compared between classifiers", Words("one only"), "name another --score or --point"
        )
    return results[0] if len(results) == 1 else Pairs(results=tuple(results))


def h_measures(
    tallies: Mapping[str, Tally], *, shape: tuple[float, float] | None, ratio: Any, prevalence: float | None
) -> HMeasures:
    """The H-measure of every score."""
    asked: dict[str, Any] = {"shape": shape, "severity_ratio": ratio, "prevalence": prevalence}
    return HMeasures(measures=tuple(h_measure(tally, **asked) for tally in tallies.values()))
