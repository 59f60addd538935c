"""The ways ``roclab combine`` asks the library, and its answers made of several results."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.text import format_number, text_table
from roclab._core.types import Array, Bools
from roclab.cli.data import Data
from roclab.cli.parsing import refuse
from roclab.cli.wording import saying
from roclab.combine.boolean import Combination, measure_calls
from roclab.combine.chain import Chain, chain_under_cap
from roclab.combine.hybrid import Hybrid, HybridPoint, Rule, hybrid_of_curves
from roclab.curves.roc import roc_curve
from roclab.data.cases import Cases
from roclab.data.labels import binary_labels, called_positive, match_label, word_of
from roclab.decisions.confusion import ConfusionMatrix, confusion_of_calls
from roclab.decisions.costs import expected_cost
from roclab.decisions.intervals import metric_intervals
from roclab.decisions.iso_performance import equal_cost_slope
from roclab.errors import InputError, OneClassError, Words
from roclab.names import Operation
from roclab.results import Result

__all__ = ["Calls", "CostCapped", "Selected", "chain", "hybrid", "measured", "read_calls"]

SAME_CASES = (
    "Chosen and measured on the same cases, so it looks better than it is; choose on one fold\n"
    "and measure on the others with --select-on VALUE --fold COLUMN."
)
_PREDICTIONS = {"for scores use roc(y_true, y_score).at(threshold=…)": "for scores give --score and --threshold"}


# -- answers ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CostCapped(Result):
    """A combination with its expected cost, and the most that its bounds allow."""

    combination: Combination
    cost_cap: float
    conditions: Mapping[str, float]

    def rows(self) -> list[dict[str, Any]]:
        """The rows of the combination, with the cost of each point."""
        out = []
        for row in self.combination.rows():
            point = row["what"] in ("measured", "if independent")
            cost = expected_cost(row["fpr"], row["tpr"], **self._costs) if point else None
            out.append({**row, "cost": None if cost is None else float(cost)})
        return [*out, {"what": "cost at most", "cost": self.cost_cap}]

    @property
    def _costs(self) -> dict[str, Any]:
        return dict(self.conditions)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Selected(Result):
    """A rule chosen on some folds, and what it does to the cases of the others."""

    chosen: Chain | Hybrid | HybridPoint
    chosen_on: tuple[str, ...]
    measured_on: tuple[str, ...]
    measured: tuple[ConfusionMatrix, ...]  # one per row of what was chosen
    level: float

    def to_dict(self) -> dict[str, Any]:
        """What was chosen, where, and the matrices on the other folds."""
        return {
            "chosen": self.chosen.to_dict(),
            "chosen_on": list(self.chosen_on),
            "measured_on": list(self.measured_on),
            "measured": [one.to_dict() for one in self.measured],
            "level": self.level,
        }

    def rows(self) -> list[dict[str, Any]]:
        """The rows of what was chosen, with the rates on the other folds."""
        rates = [one.metrics() for one in self.measured]
        return [
            {**row, "measured fpr": rate["fpr"], "measured tpr": rate["tpr"]}
            for row, rate in zip(self.chosen.rows(), rates, strict=True)
        ]

    def __str__(self) -> str:
        where = f"chosen on {', '.join(self.chosen_on)}; measured on {', '.join(self.measured_on)}"
        lines = [text_table(self.rows()), "", where]
        if not isinstance(self.chosen, Hybrid):
            lines.append(in_words(self.measured[-1], self.level))
        return "\n".join(lines)


def in_words(matrix: ConfusionMatrix, level: float) -> str:
    """Sensitivity and specificity of a measured rule, with their intervals."""
    found = metric_intervals(matrix, level=level)
    metrics = matrix.metrics()
    words = [
        f"{title} {format_number(metrics[name])} ({100 * level:g}%: {found.intervals[name]})"
        for title, name in (("sensitivity", "tpr"), ("specificity", "tnr"))
    ]
    return f"measured: {', '.join(words)}"


# -- calls -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """What each classifier calls each case."""

    label: Bools
    calls: Mapping[str, Bools]
    folds: Array | None
    words: str  # who was analysed

    def only(self, rows: Bools) -> Calls:
        """The same classifiers on some cases."""
        calls = {name: called[rows] for name, called in self.calls.items()}
        return replace(self, label=self.label[rows], calls=calls, folds=None)

    def matrix(self, name: str) -> ConfusionMatrix:
        """The confusion matrix of one classifier."""
        return confusion_of_calls(self.label, self.calls[name])

    def singles(self) -> str:
        """The point of each classifier, as a table."""
        metrics = {name: self.matrix(name).metrics() for name in self.calls}
        rows = [{"classifier": name, "fpr": found["fpr"], "tpr": found["tpr"]} for name, found in metrics.items()]
        return text_table(rows)


def read_calls(file: str, data: Data, predicted: Sequence[str], thresholds: Sequence[float]) -> Calls:
    """Calls from columns of predictions, and from scores with a threshold each."""
    refuse("calls count every case once", {"--weight": data.weight, "--weights": data.weights})
    data.named(file, label=data.label)
    assert data.label is not None
    if len(thresholds) != len(data.score):
        raise InputError(
            "",
            "every --score needs its --threshold",
            Words(f"{len(data.score)} of the one and {len(thresholds)} of the other"),
            "give them in the same order",
        )
    if any(map(math.isnan, thresholds)):
        raise InputError(
            "--threshold", "must be a number", Words("nan"), "give a score or inf to call nothing positive"
        )
    directions = data.directions(data.score)
    if directions == "auto":
        raise InputError(
            "", "--direction auto chooses by the AUC, which calls have none of", Words("it with --threshold")
        )
    others = [name for name in (data.fold,) if name is not None]
    wanted = dict.fromkeys((data.label, *predicted, *data.score, *others))
    columns, dropped = data.complete(data.columns(file, *wanted, numeric=data.score))
    truth = columns[data.label]
    positive = None if data.positive is None else match_label(truth, data.positive)
    labels = binary_labels(truth, pos_label=positive, name=data.label)
    calls: dict[str, Bools] = {}
    for name in predicted:
        with saying({**_PREDICTIONS, "y_pred": name, "y_true": data.label}):
            _add(calls, name, called_positive(columns[name], labels))
    for name, threshold in zip(data.score, thresholds, strict=True):
        side = directions if isinstance(directions, str) else directions[name]
        rule = Rule(classifier=name, threshold=threshold, lower=side == "lower")
        _add(calls, f"{name} {'<=' if rule.lower else '>='} {threshold:g}", rule.call(columns))
    n_pos = int(np.count_nonzero(labels.is_positive))
    words = f"{n_pos} positive ({labels.positive}), {truth.size - n_pos} negative ({labels.negative})"
    return Calls(
        label=labels.is_positive,
        calls=calls,
        folds=None if data.fold is None else columns[data.fold],
        words=words + (f"; {dropped} dropped for missing values" if dropped else ""),
    )


def _add(calls: dict[str, Bools], name: str, called: Bools) -> None:
    if name in calls:
        raise InputError("", "classifiers to combine must differ", Words(f"{name} twice"), "name another one")
    calls[name] = called


def measured(found: Calls, operation: Operation) -> Combination:
    """AND or OR of calls, measured."""
    return measure_calls(found.label, found.calls, operation=operation)


def chain(found: Calls, max_fpr: float, select_on: Sequence[str], level: float) -> Chain | Selected:
    """A chain, chosen on all cases or on some folds."""
    here, rest, folds = found, None, None
    if select_on:
        chosen, folds = _parts(found.folds, found.label, select_on)
        here, rest = found.only(chosen), found.only(~chosen)
    result = chain_under_cap(here.label, here.calls, max_fpr=max_fpr)
    if not result.steps:
        rates = {name: here.matrix(name).metrics()["fpr"] for name in here.calls}
        careful = min(rates, key=lambda name: rates[name])
        raise InputError(
            "",
            f"no classifier finds positives within --max-fpr {max_fpr:g}",
            way_out=(
                f"the most careful one, {careful}, has {rates[careful]:.4g}; raise the cap or name more "
                "careful classifiers"
            ),
        )
    if rest is None or folds is None:
        return result
    names = [step.name for step in result.steps]
    matrices = []
    for count in range(1, len(names) + 1):
        united = np.logical_or.reduce([rest.calls[name] for name in names[:count]])
        matrices.append(confusion_of_calls(rest.label, united))
    return Selected(chosen=result, chosen_on=folds[0], measured_on=folds[1], measured=tuple(matrices), level=level)


# -- hybrids ---------------------------------------------------------------------------------------


def hybrid(
    cases: Cases, *, fpr: float | None, costs: Mapping[str, float], select_on: Sequence[str], level: float
) -> Hybrid | HybridPoint | Selected:
    """The hybrid of all scores: all of it, or the point asked for, chosen on all cases or on some folds."""
    here, rest, folds = cases, None, None
    if select_on:
        chosen, folds = _parts(cases.folds, cases.label, select_on)
        here, rest = cases.only(chosen), cases.only(~chosen)
    whole = hybrid_of_curves({name: roc_curve(here.tally(name)) for name in here.names})
    result: Hybrid | HybridPoint = whole
    if fpr is not None:
        result = whole.at_fpr(fpr)
    elif costs:
        result = whole.at_slope(equal_cost_slope(**costs))
    if rest is None or folds is None:
        return result
    if isinstance(result, Hybrid):
        matrices = [confusion_of_calls(rest.label, rule.call(rest.scores)) for rule in result.rules]
    else:
        matrices = [_expected(rest, result)] * len(result.rows())
    return Selected(chosen=result, chosen_on=folds[0], measured_on=folds[1], measured=tuple(matrices), level=level)


def _expected(cases: Cases, point: HybridPoint) -> ConfusionMatrix:
    """The matrix to expect of a rule that flips coins: each case counts as called, and as not called, by its chance."""
    if point.share == 0:
        return confusion_of_calls(cases.label, point.call(cases.scores))
    chance = point.probability(cases.scores)
    label = np.concatenate([cases.label, cases.label])
    called = np.repeat([True, False], chance.size)
    return confusion_of_calls(label, called, weight=np.concatenate([chance, 1 - chance]))


def rule_in_words(point: HybridPoint) -> str:
    """Whom to ask, and how often."""
    asked = [
        f"{rule.classifier} {'<=' if rule.lower else '>='} {rule.threshold:.10g}"
        for rule in (point.first, point.second)
    ]
    if point.share == 0:
        return f"called positive when {asked[0]}"
    return f"called positive when {asked[1]} with probability {point.share:.4f}, else when {asked[0]}"


# -- folds -----------------------------------------------------------------------------------------


def _parts(
    folds: Array | None, label: Bools, select_on: Sequence[str]
) -> tuple[Bools, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Which cases to choose on, and the names of the folds on both sides."""
    assert folds is not None  # the command asks for --fold
    words = [word_of(value) for value in folds.tolist()]
    known = list(dict.fromkeys(words))
    for name in select_on:
        if name not in known:
            raise InputError("--select-on", f"must be one of the folds {', '.join(known)}", name)
    rest = tuple(name for name in known if name not in select_on)
    if not rest:
        raise InputError("--select-on", "must leave a fold to measure on", Words("all of them"), "leave one out")
    chosen = np.isin(np.array(words), list(select_on))
    for names, mask in ((select_on, chosen), (rest, ~chosen)):
        if label[mask].all() or not label[mask].any():
            raise OneClassError(
                "",
                "folds to choose on and to measure on need both classes",
                Words(f"one only in {', '.join(names)}"),
                "choose other folds",
            )
    return chosen, (tuple(select_on), rest)
