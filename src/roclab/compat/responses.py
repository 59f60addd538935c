"""Scores of fitted scikit-learn classifiers, for displays; scikit-learn itself is not imported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, NamedTuple

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Floats
from roclab.errors import InputError, Words

__all__ = ["Fold", "ResponseMethod", "folds_of", "scores_of"]

ResponseMethod = Literal["auto", "predict_proba", "decision_function"]


class Fold(NamedTuple):
    """Labels, scores and weights of the cases that a fold was tested on."""

    y_true: Any
    y_score: Floats
    sample_weight: Any
    pos_label: Any


def scores_of(
    estimator: Any, X: Any, *, pos_label: Any = None, response_method: ResponseMethod = "auto"
) -> tuple[Floats, Any]:
    """Scores for the positive class of a fitted binary classifier, and that class: its second one by default."""
    check_choice(response_method, "response_method", ("auto", "predict_proba", "decision_function"))
    classes = list(getattr(estimator, "classes_", ()))
    if len(classes) != 2:
        raise InputError(
            "estimator",
            "must be a fitted classifier of two classes",
            Words(f"{type(estimator).__name__} with {len(classes)}"),
            "fit it, or take one class against the rest",
        )
    positive = classes[1] if pos_label is None else pos_label
    if positive not in classes:
        raise InputError("pos_label", f"must be one of {classes[0]!r} and {classes[1]!r}", pos_label)
    ways = ("predict_proba", "decision_function") if response_method == "auto" else (response_method,)
    way = next((name for name in ways if hasattr(estimator, name)), None)
    if way is None:
        raise InputError(
            "estimator",
            f"must have {' or '.join(ways)}",
            Words(f"{type(estimator).__name__}"),
            "calls alone make no curve",
        )
    at = classes.index(positive)
    if way == "predict_proba":
        return np.asarray(estimator.predict_proba(X), dtype=np.float64)[:, at], positive
    value = np.asarray(estimator.decision_function(X), dtype=np.float64)
    return value if at == 1 else -value, positive


def folds_of(
    cv_results: Any, X: Any, y: Any, *, sample_weight: Any = None, pos_label: Any = None,
    response_method: ResponseMethod = "auto",
) -> Iterator[Fold]:  # fmt: skip
    """What each fold of scikit-learn's ``cross_validate`` was tested on."""
    lacking = [key for key in ("estimator", "indices") if not isinstance(cv_results, Mapping) or key not in cv_results]
    if lacking:
        raise InputError(
            "cv_results",
            f"must hold {' and '.join(map(repr, lacking))}",
            Words("none"),
            "call cross_validate with return_estimator=True and return_indices=True",
        )
    for estimator, rows in zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True):
        score, positive = scores_of(estimator, _taken(X, rows), pos_label=pos_label, response_method=response_method)
        weight = None if sample_weight is None else _taken(sample_weight, rows)
        yield Fold(_taken(y, rows), score, weight, positive)


def _taken(data: Any, rows: Any) -> Any:
    if hasattr(data, "iloc"):
        return data.iloc[rows]
    return data[rows] if hasattr(data, "shape") else [data[row] for row in rows]
