"""What classifiers call each case: predictions, and scores with a threshold each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Array, Bools
from roclab.analysis.support import prepared
from roclab.combining.hybrid import Rule
from roclab.data.cases import Cases
from roclab.data.columns import as_array, label_column
from roclab.data.labels import binary_labels, called_positive
from roclab.data.read import asked_label, read_columns
from roclab.data.roles import columns_not_named
from roclab.data.table import named_table, reading_of, table_of
from roclab.decisions.confusion import ConfusionMatrix, confusion_of_calls
from roclab.errors import InputError, Words, named
from roclab.names import FoldAverage

__all__ = ["Calls", "calls_of", "refuse_negative"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Calls:
    """What each classifier calls each case."""

    label: Bools
    calls: Mapping[str, Bools]
    folds: Array | None
    words: str  # who was analysed
    ids: Array | None = None  # whose the cases are, where subjects have several

    def only(self, rows: Bools) -> Calls:
        """The same classifiers on some cases."""
        calls = {name: called[rows] for name, called in self.calls.items()}
        ids = None if self.ids is None else self.ids[rows]
        return replace(self, label=self.label[rows], calls=calls, folds=None, ids=ids)

    def matrix(self, name: str) -> ConfusionMatrix:
        """The confusion matrix of one classifier."""
        return self.measured(self.calls[name])

    def measured(self, called: Bools) -> ConfusionMatrix:
        """The confusion matrix of any calls of these cases."""
        return confusion_of_calls(self.label, called, ids=self.ids)

    def points(self) -> dict[str, tuple[float, float]]:
        """The point of each classifier."""
        metrics = {name: self.matrix(name).metrics() for name in self.calls}
        return {name: (found["fpr"], found["tpr"]) for name, found in metrics.items()}


def calls_of(
    verb: str,
    y_true: Any,
    y_pred: Any,
    predicted: Sequence[str],
    thresholds: Sequence[float],
    data: Any,
    fold_average: FoldAverage | None = None,
    *,
    uses_folds: bool = False,
) -> Calls:
    """Calls from predictions, and from scores with a threshold each; ``uses_folds`` where rules are chosen by fold."""
    for name in ("sample_weight", "weights"):
        if data.get(name) is not None:
            raise InputError(name, "has no part here: calls count every case once", way_out="leave it out")
    refuse_negative(data)
    if y_pred is not None:
        if not isinstance(y_pred, Mapping) or not y_pred:
            raise InputError("y_pred", "must map names to predictions", Words(type(y_pred).__name__))
        table: Any = {"y_true": y_true, **{str(name): values for name, values in y_pred.items()}}
        data = {**data, "label": "y_true"}
        predicted = [str(name) for name in y_pred]
        for name in ("ids", "folds"):  # beside arrays they are values, which lose the same rows as the predictions
            if data.get(name) is not None and not isinstance(data[name], str):
                table[f"{name} of the cases"] = data[name]
                data[name] = f"{name} of the cases"
    else:
        table = y_true
    label = data.get("label")
    reading = reading_of(data)
    if label is None:
        raise columns_not_named(["label"], *named_table(table, **reading))
    score = data.get("score") or ()
    scores = (score,) if isinstance(score, str) else tuple(score)
    if len(thresholds) != len(scores):
        raise InputError(
            "thresholds",
            f"must give one threshold for every {named('score')}",
            Words(f"{len(thresholds)} for {plural(len(scores), 'score')}"),
            "give them in the same order",
        )
    if any(map(math.isnan, thresholds)):
        raise InputError("thresholds", "must be numbers", Words("nan"), "write inf to call nothing positive")
    direction = data.get("direction", "higher")
    if direction == "auto":
        raise InputError("direction", "chooses by the AUC, which calls have none of", way_out="say which side",
                         called=named("direction", "auto"))  # fmt: skip
    if direction != "higher" and not scores:
        raise InputError("direction", "is that of scores", Words("predictions only"), "leave it out")
    folds, ids = data.get("folds"), data.get("ids")
    others = [one for one in (folds, ids) if isinstance(one, str)]
    wanted = list(dict.fromkeys([label, *predicted, *scores, *others]))
    columns = read_columns(table, wanted, numeric=scores, missing=data.get("missing", "error"), **reading)
    truth = label_column(columns[label], label).values
    positive = data.get("pos_label")
    source = table_of(table, **reading)
    if source is not None:
        positive = asked_label(source, label, truth, positive)
    labels = binary_labels(truth, pos_label=positive, name=label)
    calls: dict[str, Bools] = {}
    for name in predicted:
        _add(calls, name, called_positive(columns[name], labels, name=name, truth=label))
    for name, threshold in zip(scores, thresholds, strict=True):
        side = direction if isinstance(direction, str) else direction.get(name, "higher")
        rule = Rule(classifier=name, threshold=threshold, lower=side == "lower")
        _add(calls, f"{name} {'<=' if rule.lower else '>='} {threshold:g}", rule.call(columns.values))
    fold, subject = (
        columns[one] if isinstance(one, str) else _given(name, one, truth.size)
        for name, one in (("folds", folds), ("ids", ids))
    )
    whose = Cases(
        label=labels.is_positive, scores={"calls": np.zeros(truth.size)}, direction={"calls": "higher"}, ids=subject,
        folds=None if uses_folds else fold,
    )  # fmt: skip
    whose = prepared(verb, whose, fold_average)
    belonging = whose.sample().belonging()
    n_pos = int(np.count_nonzero(labels.is_positive))
    words = f"{n_pos} positive ({labels.positive}), {truth.size - n_pos} negative ({labels.negative})"
    return Calls(
        label=labels.is_positive,
        calls=calls,
        folds=fold,
        ids=subject if whose.clustered else None,
        words="; ".join([words, *belonging])
        + (f"; {columns.dropped} dropped for missing values" if columns.dropped else "")
        + (f"; {labels.remark}" if labels.remark else ""),
    )


def _given(name: str, values: Any, size: int) -> Array | None:
    """Subjects or folds that were given as values beside a table."""
    if values is None:
        return None
    array = as_array(values, name)
    if array.size != size:
        raise InputError(
            name, "must hold one value for every case that is kept", Words(f"{array.size} for {size}"),
            "name a column of the table",
        )  # fmt: skip
    return array


def refuse_negative(data: Any) -> None:
    """Predictions name any class, so that those of left-out classes would have nowhere to go."""
    if data.get("neg_label") is not None:
        raise InputError(
            "neg_label",
            "has no part in predictions, which may name any class",
            way_out=f"leave it out, so that {named('pos_label')} stands against the rest",
        )


def _add(calls: dict[str, Bools], name: str, called: Bools) -> None:
    if name in calls:
        raise InputError("", "classifiers to combine must differ", Words(f"{name} twice"), "name another one")
    calls[name] = called
