"""Choosing model and threshold for given costs, and what the choice is worth on cases that had no part in it.

The cheapest point of the joint hull is the best of very many, so its cost on the same cases is too low. The choice is
therefore made again for every split without the cases of that split, and paid for on them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.text import text_table
from roclab._core.types import Bools, Floats, Ints
from roclab.benching.detectors import NOT_FITTED, fresh
from roclab.benching.scores import as_score
from roclab.benching.table import Encoder
from roclab.combining.hybrid import Hybrid, HybridPoint, hybrid_of_curves
from roclab.curves.roc import roc_curve
from roclab.data.cases import Cases
from roclab.data.columns import is_frame
from roclab.data.table import table_of
from roclab.decisions.costs import expected_cost
from roclab.decisions.hull_table import HullVertex, hull_table
from roclab.decisions.iso_performance import equal_cost_slope
from roclab.errors import InputError, Words
from roclab.names import ALL_NEGATIVE, ALL_POSITIVE
from roclab.results import Result

if TYPE_CHECKING:
    from roclab.analysis.bench.result import Bench

__all__ = ["BenchChoice", "FittedHybrid", "choose_of", "fitted_hybrid", "rows_outside"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BenchChoice(Result):
    """The cheapest model and threshold, and what choosing costs on other cases."""

    prevalence: float
    cost_fp: float
    cost_fn: float
    best: HullVertex  # chosen on all test cases
    apparent: float  # expected cost per case on the cases that chose
    validated: float  # on cases that had no part in the choice
    single: Mapping[str, float]  # of each model alone, its threshold chosen in the same way: validated
    without_model: float  # of the cheaper of calling all cases negative or positive
    chosen: Mapping[str, int]  # how often each model was chosen, over the splits
    words: str

    def rows(self) -> list[dict[str, Any]]:
        """One row per way to decide, the cheapest first."""
        out: list[dict[str, Any]] = [
            {"decide by": f"{name} alone", "validated cost": cost} for name, cost in self.single.items()
        ]
        out.append({"decide by": "no model", "validated cost": self.without_model})
        out.sort(key=lambda row: float(row["validated cost"]))
        return [{"decide by": "the model chosen", "validated cost": self.validated}, *out]

    def __str__(self) -> str:
        at = f" at threshold {self.best.threshold:.4g}" if self.best.threshold is not None else ""
        lines = [
            f"prevalence {self.prevalence:g}; a false positive costs {self.cost_fp:g}, "
            f"a false negative {self.cost_fn:g}",
            f"cheapest: {self.best.classifier}{at} (FPR {self.best.fpr:.4f}, TPR {self.best.tpr:.4f})",
            f"expected cost per case {self.apparent:.4f} on the cases that chose, {self.validated:.4f} on others",
            "",
            text_table(self.rows()),
            "",
            "chosen without the cases of each split: "
            + ", ".join(f"{k} {plural(v, 'time')}" for k, v in self.chosen.items()),
            self.words,
        ]
        return "\n".join(lines)


def choose_of(bench: Bench, *, prevalence: float | None, cost_fp: float, cost_fn: float) -> BenchChoice:
    """Choose on all splits but one, pay on that one, in turn; O(splits x k n log n)."""
    cases = bench.scores
    share = float(np.mean(bench.data.task.codes == bench.data.task.positive)) if prevalence is None else prevalence
    conditions: dict[str, Any] = {"prevalence": share, "cost_fp": cost_fp, "cost_fn": cost_fn}
    slope = equal_cost_slope(**conditions)
    best = _cheapest(cases, cases.names, slope)
    parts = rows_outside(bench)
    chosen: dict[str, int] = {}
    calls: dict[str, list[Bools]] = {"": [], **{name: [] for name in cases.names}}
    truth = []
    for inside, outside in parts:
        truth.append(cases.label[inside])
        for who in calls:
            vertex = _cheapest(cases.only(outside), cases.names if who == "" else [who], slope)
            calls[who].append(_call(cases, vertex, inside))
            if who == "":
                chosen[vertex.classifier] = chosen.get(vertex.classifier, 0) + 1
    label = np.concatenate(truth)
    costs = {who: _cost(label, np.concatenate(found), conditions) for who, found in calls.items()}
    return BenchChoice(
        **conditions,
        best=best,
        apparent=float(expected_cost(best.fpr, best.tpr, **conditions)),
        validated=costs.pop(""),
        single=costs,
        without_model=min(share * cost_fn, (1 - share) * cost_fp),
        chosen=chosen,
        words=bench.design.words,
    )


def rows_outside(bench: Bench) -> list[tuple[Ints, Ints]]:
    """For every split its rows of the scores, and the rows of all cases that are not among them."""
    names = np.array(bench.split_names)
    if np.unique(names).size < 2:
        raise InputError(
            "", "a choice is validated on splits that had no part in it", Words(bench.design.words),
            "run the bench with folds, or validate on other data",
        )  # fmt: skip
    subject = (
        bench.where
        if bench.data.ids is None
        else np.unique(bench.data.ids.astype(str), return_inverse=True)[1][bench.where]
    )
    out = []
    for name in dict.fromkeys(bench.split_names):
        inside = np.flatnonzero(names == name)
        outside = np.flatnonzero(~np.isin(subject, subject[inside]))
        label = bench.data.task.codes[bench.where[outside]] == bench.data.task.positive
        if not 0 < np.count_nonzero(label) < label.size:
            raise InputError(
                "", "a choice needs both classes outside every split", Words(f"one class outside {name}"),
                "use k-fold cross-validation",
            )  # fmt: skip
        out.append((inside, outside))
    return out


def _cheapest(cases: Cases, names: Sequence[str], slope: float) -> HullVertex:
    curves = {name: roc_curve(cases.tally(name)) for name in names}
    return hull_table(curves).at_slope(slope)[0]


def _call(cases: Cases, vertex: HullVertex, rows: Ints) -> Bools:
    if vertex.classifier in (ALL_NEGATIVE, ALL_POSITIVE):
        return np.full(rows.size, vertex.classifier == ALL_POSITIVE)
    threshold = vertex.threshold
    assert threshold is not None
    reached: Bools = cases.scores[vertex.classifier][rows] >= threshold
    return reached


def _cost(label: Bools, called: Bools, conditions: Mapping[str, Any]) -> float:
    fpr, tpr = float(called[~label].mean()), float(called[label].mean())
    return float(expected_cost(fpr, tpr, **conditions))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FittedHybrid(Result):
    """Models of the joint hull, fitted on all cases; the rule follows from prevalence and costs without refitting."""

    hybrid: Hybrid
    features: tuple[str, ...]
    positive: str
    negative: str
    prevalence: float  # of the cases it was fitted to
    _bench: Bench
    _fitted: Mapping[str, tuple[Encoder, Any]]

    def scores(self, new: Any, **reading: Any) -> dict[str, Floats]:
        """Scores of all models for new cases: a table with the features, or a matrix in their order."""
        table = self._bench.data.task.table
        values = new_values(table, new, reading)
        grown = replace(table, values=values)
        rows = np.arange(values.shape[0])
        positive = self._bench.data.task.positive
        return {
            name: as_score(model, encoder.of(grown)(rows), positive) for name, (encoder, model) in self._fitted.items()
        }

    def rule(
        self, *, prevalence: float | None = None, cost_fp: float = 1.0, cost_fn: float = 1.0, fpr: float | None = None
    ) -> HybridPoint:
        """The model and threshold for the conditions, or for a false positive rate."""
        if fpr is not None:
            return self.hybrid.at_fpr(fpr)
        share = self.prevalence if prevalence is None else prevalence
        return self.hybrid.at_slope(equal_cost_slope(prevalence=share, cost_fp=cost_fp, cost_fn=cost_fn))

    def predict(self, new: Any, **conditions: Any) -> list[str]:
        """Classes of new cases under the conditions of ``rule``; where it flips coins, the likelier call."""
        chance = self.rule(**conditions).probability(self.scores(new))
        return [self.positive if one > 0.5 else self.negative for one in chance.tolist()]

    def rows(self) -> list[dict[str, Any]]:
        """One row per vertex of the hull."""
        return self.hybrid.rows()

    def to_dict(self) -> dict[str, Any]:
        """The rules along the hull."""
        return {"positive": self.positive, "negative": self.negative, "vertices": self.rows()}


def new_values(table: Any, new: Any, reading: Mapping[str, Any]) -> Floats:
    """New cases in the numbers of a feature table; words that it does not know are gaps."""
    source = table_of(new, **reading)
    if source is None:
        matrix = np.atleast_2d(np.asarray(new, dtype=np.float64))
        if matrix.shape[1] != len(table.names):
            raise InputError("new", f"must have {len(table.names)} columns", Words(f"{matrix.shape[1]}"))
        return matrix
    from roclab.benching.table import feature_table

    columns = source.columns(list(table.names))
    words = [name for name in table.names if name in table.levels]
    theirs = feature_table(columns, categorical=words, asked=not is_frame(new))
    out = []
    for at, name in enumerate(table.names):
        values = theirs.values[:, at]
        if name in table.levels:
            known = [table.levels[name].index(w) if w in table.levels[name] else np.nan for w in theirs.levels[name]]
            place = np.array([*known, np.nan])
            values = place[np.where(np.isnan(values), len(known), values).astype(np.int64)]
        out.append(values)
    return np.column_stack(out)


def fitted_hybrid(bench: Bench, models: Sequence[str] | None) -> FittedHybrid:
    """Thresholds from the out-of-fold scores, models from all cases: each model of the hull is fitted once."""
    cases = bench.scores if models is None else bench.scores.select(list(models))
    found = hybrid_of_curves({name: roc_curve(cases.tally(name)) for name in cases.names})
    needed = dict.fromkeys(rule.classifier for rule in found.rules)
    task = bench.data.task
    everyone = np.arange(len(task.table))
    fitted: dict[str, tuple[Encoder, Any]] = {}
    by_name = {
        bench.model_name(one.name, balance): (one, balance) for one in bench.detectors for balance in bench.balances
    }
    for name in needed:
        detector, balance = by_name[name]
        if detector.classifier in NOT_FITTED:
            raise InputError(
                "models", "must be classifiers that can be fitted", Words(f"{name!r}, a {detector.classifier}"),
                "name the others",
            )  # fmt: skip
        if balance != "none" or detector.fitted is not None:
            raise InputError("models", "must be trained on the classes as they are", Words(name), "leave it out")
        encoder = Encoder(task.table, task.table.places(detector.features), everyone)
        fitted[name] = encoder, fresh(detector.made(), 0).fit(encoder(everyone), task.codes)
    share = float(np.mean(task.codes == task.positive))
    return FittedHybrid(
        hybrid=found, features=task.table.names, positive=bench.data.positive, negative=bench.data.negative,
        prevalence=share, _bench=bench, _fitted=fitted,
    )  # fmt: skip
