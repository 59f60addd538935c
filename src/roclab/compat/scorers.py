"""Scorers for ``cross_val_score``, ``cross_validate`` and ``GridSearchCV``: the areas of roclab, ready to be named.

>>> from sklearn.linear_model import LogisticRegression
>>> from sklearn.model_selection import cross_val_score
>>> from roclab.compat.scorers import auc, partial_auc
>>> X, y = [[0.0], [1.0], [2.0], [3.0]] * 6, [0, 0, 1, 1] * 6
>>> cross_val_score(LogisticRegression(), X, y, scoring=auc, cv=3).tolist()
[1.0, 1.0, 1.0]

Greater is better for every one of them. The positive class is the second of the classifier's ``classes_``, or
``pos_label``; scores are probabilities where the classifier has some, else its decision function.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab.analysis.auc import auc as area_of
from roclab.analysis.costs import net_benefit as decision_curve
from roclab.compat.responses import ResponseMethod, scores_of
from roclab.names import Standard

__all__ = ["Scorer", "auc", "average_precision", "net_benefit", "partial_auc", "tauc"]


@dataclass(frozen=True, slots=True)
class Scorer:
    """What scikit-learn calls with a fitted classifier, features and labels, and which answers with a number."""

    name: str
    measure: Callable[[Any, Any, dict[str, Any]], float]
    options: tuple[tuple[str, Any], ...] = ()
    pos_label: Any = None
    response_method: ResponseMethod = "auto"

    def __call__(self, estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The measure of the classifier's scores of these cases."""
        score, positive = scores_of(estimator, X, pos_label=self.pos_label, response_method=self.response_method)
        truth = np.asarray(y) == positive
        given = dict(self.options)
        if sample_weight is not None:
            given["sample_weight"] = np.asarray(sample_weight)
        return self.measure(truth, score, given)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options)
        return f"Scorer({self.name}{options})"


def _area(truth: Any, score: Any, given: dict[str, Any]) -> float:
    return float(area_of(truth, score, **given))


def _benefit(truth: Any, probability: Any, given: dict[str, Any]) -> float:
    threshold = given.pop("threshold")
    curve = decision_curve(truth, probability, probabilities=[threshold], **given)
    return float(curve.rows()[0]["score"])


auc = Scorer("auc", _area)
tauc = Scorer("tauc", _area, (("estimator", "tauc"),))
average_precision = Scorer("average_precision", _area, (("estimator", "average_precision"),))


def partial_auc(
    *,
    fpr: tuple[float, float] | None = None,
    tpr: tuple[float, float] | None = None,
    standardize: Standard = "none",
    pos_label: Any = None,
) -> Scorer:
    """A scorer of the area over a range of false or of true positive rates, on a scale as in :func:`roclab.auc`."""
    asked = {"fpr": fpr, "tpr": tpr, "standardize": standardize}
    given = tuple((name, value) for name, value in asked.items() if value not in (None, "none"))
    return Scorer("partial_auc", _area, given, pos_label)


def net_benefit(threshold: float, *, pos_label: Any = None) -> Scorer:
    """A scorer of the net benefit at a threshold probability; it needs a classifier with ``predict_proba``."""
    return Scorer("net_benefit", _benefit, (("threshold", threshold),), pos_label, "predict_proba")
