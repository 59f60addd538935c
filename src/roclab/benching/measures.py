"""What a detector is worth on the test cases of a split: areas of its scores, metrics of its calls, losses.

Of two classes the measures are those of the positive class; of more, areas and metrics are means over classes, each
against the rest. A measure that does not exist on a split says why.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from roclab._core.types import Floats, Ints
from roclab._core.undefined import Undefined
from roclab.areas.empirical import auc
from roclab.benching.run import Piece, Task
from roclab.data.tally import Tally
from roclab.inference.one_area.area import area_of_method, area_of_region
from roclab.many_classes.confusion import MulticlassConfusion
from roclab.many_classes.losses import losses_of_cases
from roclab.names import Standard
from roclab.options.region import Range

__all__ = [
    "CALL_MEASURES",
    "LOSSES",
    "MEASURES",
    "count_calls",
    "measures_of",
    "measures_of_calls",
    "probability_losses",
]

CALL_MEASURES = ("accuracy", "F1", "precision", "recall", "specificity", "MCC")
LOSSES = ("log loss", "Brier")  # of which less is better
MEASURES = ("AUC", "tAUC", "partial AUC", *CALL_MEASURES, *LOSSES)
_ONE_CLASS = Undefined("the test cases hold one class only")


def measures_of(
    task: Task, piece: Piece, test: Ints, *, fpr: Range | None = None, standardize: Standard = "none"
) -> dict[str, float]:
    """Every measure of one piece; O(k n log n) for n test cases and k classes."""
    if piece.failure:
        return dict.fromkeys(MEASURES, Undefined(f"failed: {piece.failure}"))
    actual = task.codes[test]
    return {
        **_areas(task, piece.score, actual, fpr, standardize),
        **measures_of_calls(task, piece.called, actual),
        **probability_losses(task, piece.probability, actual),
    }


def _areas(task: Task, score: Floats, actual: Ints, fpr: Range | None, standardize: Standard) -> dict[str, float]:
    asked = {"AUC": auc, "tAUC": area_of_method("tauc").estimate}
    if fpr is not None:
        asked["partial AUC"] = area_of_region(fpr=fpr, standardize=standardize).estimate
    every = range(len(task.classes)) if task.positive is None else [task.positive]
    columns = score if task.positive is None else score[:, None]
    found: dict[str, list[float]] = {name: [] for name in asked}
    for at, number in enumerate(every):
        label = actual == number
        if not 0 < np.count_nonzero(label) < label.size:
            return dict.fromkeys(asked, _ONE_CLASS)
        tally = Tally.from_labels(label, columns[:, at])
        for name, area in asked.items():
            found[name].append(area(tally))
    return {name: float(np.mean(values)) for name, values in found.items()}


def measures_of_calls(task: Task, called: Ints, actual: Ints) -> dict[str, float]:
    """Metrics of class numbers that were called; -1 stands for no call."""
    if (called < 0).any():
        return dict.fromkeys(CALL_MEASURES, Undefined("the scores came without a threshold, so nothing was called"))
    return call_measures(count_calls(task, called, actual), task)


def count_calls(task: Task, called: Ints, actual: Ints) -> MulticlassConfusion:
    """The n x n matrix of class numbers."""
    size = len(task.classes)
    counts = np.bincount(called * size + actual, minlength=size * size).reshape(size, size)
    return MulticlassConfusion(classes=task.classes, counts=counts)


def call_measures(matrix: MulticlassConfusion, task: Task) -> dict[str, float]:
    """Accuracy and its like, at the cut that the model itself calls by."""
    whole = matrix.metrics()
    if task.positive is not None:
        found = matrix.one_vs_rest(task.classes[task.positive]).metrics()
        return _named(found) | {"accuracy": whole["accuracy"]}
    single: list[Mapping[str, float]] = [_named(matrix.one_vs_rest(name).metrics()) for name in task.classes]
    out = {"accuracy": whole["accuracy"], "MCC": whole["mcc"]}
    for name in ("F1", "precision", "recall", "specificity"):
        values = [one[name] for one in single]
        broken = next((value for value in values if isinstance(value, Undefined)), None)
        out[name] = broken if broken is not None else float(np.mean(values))
    return {name: out[name] for name in CALL_MEASURES}


def _named(metrics: Mapping[str, float]) -> dict[str, float]:
    names = {"accuracy": "accuracy", "F1": "f1", "precision": "ppv", "recall": "tpr", "specificity": "tnr",
             "MCC": "mcc"}  # fmt: skip
    return {name: metrics[metric] for name, metric in names.items()}


def probability_losses(task: Task, probability: Floats | None, actual: Ints) -> dict[str, float]:
    """Log loss, and the Brier score: of the positive class for two classes, summed over classes for more."""
    if probability is None:
        return dict.fromkeys(("log loss", "Brier"), Undefined("the model gives no probabilities"))
    losses = losses_of_cases(probability, actual)
    if task.positive is not None:
        losses["Brier"] = (probability[:, task.positive] - (actual == task.positive)) ** 2
    return {name: float(values.mean()) for name, values in losses.items()}
