"""Scikit-learn's counts and metrics at every threshold, from one sort.

``metric_at_thresholds`` of scikit-learn calls its metric once for every distinct score, O(n k); of metrics that are
functions of the four counts all values follow from one walk, O(n log n). Every other metric is scikit-learn's to call.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from roclab._core.types import Array, Floats
from roclab.compat._common_case import chosen_label, labels_of, require, scores_of, weights_of
from roclab.compat._delegate import drop_in
from roclab.compat._kernels import points_of

__all__ = ["confusion_matrix_at_thresholds", "metric_at_thresholds"]

Counted = tuple[Floats, Floats, Floats, Floats, Array]  # tn, fp, fn, tp and the thresholds
_HOME = "sklearn.metrics._classification"  # of scikit-learn's own metrics: another function of the same name is not one

# Of counts tn, fp, fn, tp with cases of both classes, of which at least one is called positive: nothing divides by 0.
_OF_COUNTS: Mapping[str, Callable[[Floats, Floats, Floats, Floats], Floats]] = {
    "accuracy_score": lambda tn, fp, fn, tp: (tn + tp) / (tn + fp + fn + tp),
    "balanced_accuracy_score": lambda tn, fp, fn, tp: (tn / (tn + fp) + tp / (tp + fn)) / 2,
    "f1_score": lambda tn, fp, fn, tp: 2 * tp / (2 * tp + fp + fn),
    "precision_score": lambda tn, fp, fn, tp: tp / (tp + fp),
    "recall_score": lambda tn, fp, fn, tp: tp / (tp + fn),
}


@drop_in
def confusion_matrix_at_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    pos_label: float | bool | str | None = None,
    sample_weight: ArrayLike | None = None,
) -> Counted:
    """True negatives, false positives, false negatives and true positives at every distinct score, descending.

    Same as `sklearn.metrics.confusion_matrix_at_thresholds`; one sort, O(n log n).

    >>> tns, fps, fns, tps, thresholds = confusion_matrix_at_thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> tps.tolist(), fps.tolist(), thresholds.tolist()
    ([1.0, 1.0, 2.0, 2.0], [0.0, 1.0, 1.0, 2.0], [0.8, 0.4, 0.35, 0.1])
    """
    return _counts(y_true, y_score, pos_label, sample_weight)


def _counts(y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any) -> Counted:
    label, score = labels_of(y_true), scores_of(y_score)
    require(score.ndim == 1 and label.shape == score.shape)
    points = points_of(chosen_label(label, pos_label), score, weights_of(sample_weight, score.size))
    thresholds = points.thresholds
    tps, fps = np.empty(thresholds.size), np.empty(thresholds.size)
    for at, _, true, false in points.walk(None):
        tps[at], fps[at] = true, false
    return fps[-1] - fps, fps, tps[-1] - tps, tps, thresholds


@drop_in
def metric_at_thresholds(
    y_true: ArrayLike,
    y_score: ArrayLike,
    metric_func: Callable[..., Any],
    *,
    sample_weight: ArrayLike | None = None,
    metric_params: dict[str, Any] | None = None,
) -> tuple[Array, Array]:
    """A metric at every distinct score, descending.

    Same as `sklearn.metrics.metric_at_thresholds`. Accuracy, balanced accuracy, F1, precision and recall of labels 0
    and 1 without parameters and weights come from one sort, O(n log n); all else is scikit-learn's, O(n k).

    >>> from sklearn.metrics import f1_score
    >>> values, thresholds = metric_at_thresholds([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], f1_score)
    >>> values.round(3).tolist()
    [0.667, 0.5, 0.8, 0.667]
    """
    name = getattr(metric_func, "__name__", "")
    require(getattr(metric_func, "__module__", "") == _HOME and name in _OF_COUNTS)
    require(not metric_params and sample_weight is None)
    label = labels_of(y_true)
    require(label.dtype.kind in "biu" and np.isin(label, (0, 1)).all())
    *four, thresholds = _counts(y_true, y_score, None, None)
    tns, fps, fns, tps = four
    require(tps[-1] > 0 and fps[-1] > 0)
    return _OF_COUNTS[name](tns, fps, fns, tps), thresholds
