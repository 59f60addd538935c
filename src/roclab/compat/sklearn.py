"""Scikit-learn's ranking metrics, many times faster: change the import, keep the rest.

>>> from roclab.compat.sklearn import roc_auc_score
>>> roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.75

Arguments, results, warnings and errors are those of the installed scikit-learn (1.8 or later). The speed
comes from sorting scores and labels as one array of integers (`roclab._core.label_sort`) and from checking
the input once. Common input is two classes, finite scores and weights that are not negative, in arrays,
lists, pandas or Polars columns; for `roc_auc_score` and `average_precision_score` also matrices of several
classes or labels. Everything else is handed to scikit-learn, which is imported only then: without it
installed, common input still works and the rest raises `MissingExtraError`.

Rates and thresholds are the same to the last bit; areas agree to about 1e-15, because sums of rounded
terms are here replaced by exact ones or taken in another order.
"""

from __future__ import annotations

import functools
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from roclab._core.types import Array, Floats
from roclab.compat._common_case import (
    array_of,
    chosen_label,
    greater_label,
    is_option,
    is_switch,
    labels_of,
    require,
    scores_of,
    weights_of,
)
from roclab.compat._delegate import drop_in
from roclab.compat._kernels import (
    Points,
    det_points,
    mean_precision,
    partial_roc_area,
    points_of,
    precision_recall_points,
    roc_area,
    roc_points,
    trapezoid,
)
from roclab.compat._many_classes import (
    AVERAGES,
    Counted,
    average_over_columns,
    class_columns,
    column_weights,
    label_columns,
    one_versus_one_area,
    require_probabilities,
)
from roclab.compat.at_thresholds import confusion_matrix_at_thresholds, metric_at_thresholds

__all__ = [
    "auc",
    "average_precision_score",
    "confusion_matrix_at_thresholds",
    "det_curve",
    "metric_at_thresholds",
    "precision_recall_curve",
    "roc_auc_score",
    "roc_curve",
]


@drop_in
def auc(x: ArrayLike, y: ArrayLike) -> float:
    """Area under the line through the points (x, y), by trapezoids.

    Same as `sklearn.metrics.auc`, in one pass over the data in cache-sized pieces.

    Parameters
    ----------
    x, y
        Coordinates; x never turns back. Float64 arrays or lists of floats take the fast way.

    Returns
    -------
    float
        The area, positive in whichever direction x runs.

    Examples
    --------
    >>> auc([0.0, 0.5, 1.0], [0.0, 1.0, 1.0])
    0.75
    """
    across, up = array_of(x), array_of(y)
    require(across.ndim == 1 and across.shape == up.shape and across.size > 1)
    require(across.dtype == np.float64 and up.dtype == np.float64)
    return trapezoid(across, up)


@drop_in
def roc_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: float | bool | str | None = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = True,
) -> tuple[Floats, Floats, Floats]:
    """False and true positive rates at every distinct score, from the highest down.

    Same as `sklearn.metrics.roc_curve`; one sort, O(n log n).

    Parameters
    ----------
    y_true
        Labels of two classes; any number of whole-number classes if ``pos_label`` names one.
    y_score
        Scores; a case is called positive at ``score >= threshold``.
    pos_label
        The positive label; None stands for 1 among {0, 1} or {-1, 1}.
    sample_weight
        Weights of the cases, moved along with the sort, so the gain is smaller.
    drop_intermediate
        Leave out points that continue the step before them.

    Returns
    -------
    fpr, tpr, thresholds : ndarray
        The first threshold is infinity, where both rates are 0.

    Examples
    --------
    >>> fpr, tpr, thresholds = roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr.tolist(), tpr.tolist()
    ([0.0, 0.0, 0.5, 0.5, 1.0], [0.0, 0.5, 0.5, 1.0, 1.0])
    """
    require(is_switch(drop_intermediate))
    points = _points(y_true, y_score, pos_label, sample_weight, many=True)
    return roc_points(points, drop=drop_intermediate)


@drop_in
def precision_recall_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: float | bool | str | None = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
) -> tuple[Floats, Floats, Array]:
    """Precision and recall at every distinct score, from the lowest up.

    Same as `sklearn.metrics.precision_recall_curve`; one sort, O(n log n).

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `roc_curve`.
    drop_intermediate
        Leave out points between others with the same recall.

    Returns
    -------
    precision, recall, thresholds : ndarray
        The rates end with a point (1, 0) that has no threshold. Thresholds keep the type of the scores.

    Examples
    --------
    >>> precision, recall, thresholds = precision_recall_curve([0, 0, 1, 1], [1, 3, 2, 4])
    >>> recall.tolist(), thresholds.tolist()
    ([1.0, 1.0, 0.5, 0.5, 0.0], [1, 2, 3, 4])
    """
    require(is_switch(drop_intermediate))
    points = _points(y_true, y_score, pos_label, sample_weight, many=True)
    return precision_recall_points(points, drop=drop_intermediate)


@drop_in
def det_curve(
    y_true: ArrayLike,
    y_score: ArrayLike,
    pos_label: float | bool | str | None = None,
    sample_weight: ArrayLike | None = None,
    drop_intermediate: bool = False,
) -> tuple[Floats, Floats, Floats]:
    """False positive and false negative rates, from the lowest useful threshold up.

    Same as `sklearn.metrics.det_curve`; one sort, O(n log n).

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `roc_curve`, with two classes always.
    drop_intermediate
        Leave out points between others with the same false negative rate.

    Returns
    -------
    fpr, fnr, thresholds : ndarray
        From the highest threshold that misses nothing to the lowest one without false positives, which
        is infinity if only calling nothing positive achieves that.

    Examples
    --------
    >>> fpr, fnr, thresholds = det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr.tolist(), fnr.tolist(), thresholds.tolist()
    ([0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.35, 0.4, 0.8])
    """
    require(is_switch(drop_intermediate))
    points = _points(y_true, y_score, pos_label, sample_weight)
    return det_points(points, drop=drop_intermediate)


@drop_in
def roc_auc_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    sample_weight: ArrayLike | None = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: ArrayLike | None = None,
) -> float | Floats:
    """Area under the ROC curve of two classes, several classes or several labels.

    Same as `sklearn.metrics.roc_auc_score`; one sort per column of scores, O(n log n), and for ``"ovo"``
    two per pair of classes.

    Parameters
    ----------
    y_true
        Labels of two classes, the greater being positive; labels of several classes; or a matrix of
        zeros and ones.
    y_score
        Scores; a matrix with a column for each class or label if there are several.
    average
        ``"micro"``, ``"macro"``, ``"weighted"``, ``"samples"``, or None for one area per column.
    sample_weight
        Weights of the cases.
    max_fpr
        Standardised partial area up to this false positive rate; two classes or several labels only.
    multi_class
        ``"ovr"`` (each class against the rest) or ``"ovo"`` (each pair); needed for several classes.
    labels
        The classes that the columns of ``y_score`` stand for, sorted.

    Returns
    -------
    float or ndarray
        The area, or one per column.

    Examples
    --------
    >>> roc_auc_score(["no", "no", "yes", "yes"], [0.1, 0.4, 0.35, 0.8])
    0.75
    """
    require(average is None or is_option(average, AVERAGES))
    require(is_option(multi_class, ("raise", "ovr", "ovo")))
    require(max_fpr is None or (isinstance(max_fpr, float | int | np.floating) and 0 < max_fpr <= 1))
    kernel: Counted = roc_area
    if max_fpr is not None and max_fpr != 1:
        kernel = functools.partial(partial_roc_area, max_fpr=max_fpr)
    label, score = labels_of(y_true), scores_of(y_score)
    require(label.shape[0] == score.shape[0])
    if score.ndim == 1:
        require(labels is None)
        return kernel(greater_label(label), score, weights_of(sample_weight, score.size))
    weight = column_weights(sample_weight, score.shape[0])
    if label.ndim == 2:
        require(labels is None)
        return average_over_columns(kernel, label_columns(label, score), score, average, weight)
    require(kernel is roc_area)
    require_probabilities(score)
    columns = class_columns(label, score, labels)
    if multi_class == "ovo":
        require(weight is None)
        return one_versus_one_area(columns, score, average)
    require(multi_class == "ovr")
    return average_over_columns(roc_area, columns, score, average, weight)


@drop_in
def average_precision_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    pos_label: float | bool | str = 1,
    sample_weight: ArrayLike | None = None,
) -> float | Floats:
    """Mean precision over the positives in falling order of score, for two or several classes or labels.

    Same as `sklearn.metrics.average_precision_score`; one sort per column of scores, O(n log n).

    Parameters
    ----------
    y_true, y_score, average, sample_weight
        As in `roc_auc_score`; several classes are always taken one against the rest.
    pos_label
        The positive label of two; must stay 1 if there are several.

    Returns
    -------
    float or ndarray
        The average precision, or one per column.

    Examples
    --------
    >>> round(average_precision_score([0, 0, 1, 1], [0.1, 0.3, 0.2, 0.4]), 4)
    0.8333
    """
    require(average is None or is_option(average, AVERAGES))
    require(pos_label is not None)
    label, score = labels_of(y_true), scores_of(y_score)
    require(label.shape[0] == score.shape[0])
    if score.ndim == 1:
        weight = weights_of(sample_weight, score.size)
        return mean_precision(chosen_label(label, pos_label), score, weight)
    require(isinstance(pos_label, Real) and pos_label == 1)
    weight = column_weights(sample_weight, score.shape[0])
    if label.ndim == 2:
        columns = label_columns(label, score)
    else:
        require(hasattr(y_score, "shape"))  # scikit-learn fails here on lists
        columns = class_columns(label, score)
    return average_over_columns(mean_precision, columns, score, average, weight)


def _points(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any, *, many: bool = False) -> Points:
    label, score = labels_of(y_true), scores_of(y_score)
    require(score.ndim == 1 and label.shape == score.shape)
    positive = chosen_label(label, pos_label, many=many)
    return points_of(positive, score, weights_of(sample_weight, score.size))
