"""Hard predictions."""

from __future__ import annotations

from typing import Any

from roclab.data.arrays import cases_from_arrays
from roclab.data.columns import label_column
from roclab.data.labels import binary_labels, called_positive
from roclab.decisions.confusion import ConfusionMatrix, confusion_of_calls
from roclab.names import Missing, Weighting

__all__ = ["confusion"]


def confusion(
    y_true: Any,
    y_pred: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    weights: Weighting | None = None,
    missing: Missing = "error",
) -> ConfusionMatrix:
    """The confusion matrix of hard predictions, with its metrics.

    >>> import roclab as rl
    >>> matrix = rl.confusion([1, 1, 0, 0], [1, 0, 0, 0])
    >>> matrix.tp, matrix.fp, matrix.fn, matrix.tn
    (1, 0, 1, 2)
    """
    truth = label_column(y_true, "y_true")
    known = truth.values if truth.missing is None else truth.values[~truth.missing]
    called = called_positive(y_pred, binary_labels(known, pos_label=pos_label, name="y_true"))
    cases = cases_from_arrays(
        y_true,
        {"y_pred": called},
        pos_label=pos_label,
        sample_weight=sample_weight,
        weights=weights,
        missing=missing,
    )
    return confusion_of_calls(
        cases.label, cases.scores["y_pred"].astype(bool), weight=cases.weight, sample=cases.sample()
    )
