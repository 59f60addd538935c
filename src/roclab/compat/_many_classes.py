"""Multiclass and multilabel scores: one binary kernel, averaged in scikit-learn's ways.

Every function takes one boolean column per class. A column without both of its classes is not the common
case: scikit-learn warns there, and so it gets the call.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from roclab._core.types import Array, Bools, Floats
from roclab.compat._common_case import array_of, is_option, labels_of, require, weights_of
from roclab.compat._delegate import Unusual
from roclab.compat._kernels import roc_area

AVERAGES = ("micro", "macro", "weighted", "samples")

# numpy.allclose, which scikit-learn asks, allows 1e-5; sums near that limit are left for it to judge.
_SUM_TOLERANCE = 5e-6

Counted = Callable[[Bools, Array, Floats | None], float]


def class_columns(y_true: Any, score: Array, labels: Any = None) -> list[Bools]:
    """Which cases belong to each class, in the order of the columns of ``score``.

    The classes are ``labels``, or else the distinct values of ``y_true``: whole numbers or strings, sorted.
    """
    label = labels_of(y_true)
    require(label.shape == score.shape[:1] and score.shape[1] > 2 and label.dtype.kind in "iuUO")
    classes = _distinct(label) if labels is None else _increasing(labels, like=label)
    require(len(classes) == score.shape[1])
    columns: list[Bools] = [label == each for each in classes]
    require(sum(map(np.count_nonzero, columns)) == label.size)
    return columns


def label_columns(y_true: Any, score: Array) -> list[Bools]:
    """The columns of a matrix of zeros and ones as booleans."""
    label = labels_of(y_true)
    require(label.shape == score.shape and score.shape[1] > 1 and label.dtype.kind in "biuf")
    positive = label == 1
    require(np.count_nonzero(positive) + np.count_nonzero(label == 0) == label.size)
    return [np.ascontiguousarray(column) for column in positive.T]


def column_weights(sample_weight: Any, length: int) -> Floats | None:
    """Weights as float64; not from shorter floats, whose totals scikit-learn rounds to their own type."""
    weight = weights_of(sample_weight, length)
    if weight is not None and array_of(sample_weight).dtype.kind == "f":
        require(array_of(sample_weight).dtype == np.float64)
    return weight


def average_over_columns(
    kernel: Counted, columns: Sequence[Bools], score: Array, average: str | None, weight: Floats | None
) -> float | Floats:
    """The kernel of every column against its scores, or all columns in one, averaged as asked."""
    require(average is None or is_option(average, ("micro", "macro", "weighted")))
    require(all(0 < np.count_nonzero(column) < column.size for column in columns))
    if average == "micro":
        repeated = None if weight is None else np.repeat(weight, len(columns))
        return kernel(np.stack(columns, axis=1).ravel(), score.ravel(), repeated)
    each = np.array([kernel(column, np.ascontiguousarray(score[:, at]), weight) for at, column in enumerate(columns)])
    if average is None:
        return each
    support = None if average == "macro" else _support(columns, weight)
    return float(np.average(each, weights=support))


def one_versus_one_area(columns: Sequence[Bools], score: Array, average: str | None) -> float:
    """Hand and Till's mean of the areas of all pairs of classes that occur."""
    require(is_option(average, ("macro", "weighted")))
    present = [at for at, column in enumerate(columns) if column.any()]
    require(len(present) > 1)
    own_score = {at: np.ascontiguousarray(score[:, at]) for at in present}
    areas, shares = [], []
    for a, b in combinations(present, 2):
        either = columns[a] | columns[b]
        is_a = columns[a][either]
        area_a = roc_area(is_a, own_score[a][either])
        area_b = roc_area(~is_a, own_score[b][either])
        areas.append((area_a + area_b) / 2)
        shares.append(is_a.size / either.size)
    mean: float = np.average(areas, weights=shares if average == "weighted" else None)
    return mean


def require_probabilities(score: Array) -> None:
    """Rows that add up to one beyond doubt."""
    total = score.sum(axis=1)
    require(abs(total.min() - 1) <= _SUM_TOLERANCE and abs(total.max() - 1) <= _SUM_TOLERANCE)


def _support(columns: Sequence[Bools], weight: Floats | None) -> Array:
    if weight is None:
        return np.array([np.count_nonzero(column) for column in columns])
    # As a product of matrices summed over rows, because scikit-learn's rounding is that of this sum.
    support: Floats = np.sum(np.stack(columns, axis=1) * weight[:, np.newaxis], axis=0)
    require(support.sum() > 1e-6)  # scikit-learn takes a total near zero for zero
    return support


def _distinct(label: Array) -> list[Any]:
    if label.dtype.kind in "UO":
        return sorted(set(label.tolist()))  # hashing; np.unique would sort all strings
    distinct: list[Any] = np.unique(label).tolist()
    return distinct


def _increasing(labels: Any, *, like: Array) -> list[Any]:
    given = array_of(labels)
    if given.ndim != 1 or (given.dtype.kind in "iu") != (like.dtype.kind in "iu"):
        raise Unusual
    classes: list[Any] = labels_of(given).tolist()
    require(given.dtype.kind in "iuUO")
    require(all(low < high for low, high in pairwise(classes)))
    return classes
