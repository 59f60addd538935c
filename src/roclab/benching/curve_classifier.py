"""Classifiers of signal curves, trained by scikit-learn and handed back as plain weights."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Array, Floats
from roclab.errors import InputError, MissingExtraError, Words
from roclab.names import CURVE_CLASSIFIERS

try:
    from sklearn.base import clone
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.neural_network import MLPClassifier
except ImportError as error:
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="training on signal curves") from error

__all__ = ["TrainedWeights", "train_weights"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainedWeights:
    """What training found."""

    centre: Floats
    scale: Floats
    weights: tuple[Floats, ...]
    offsets: tuple[Floats, ...]
    activation: str
    classifier: str
    loss: Floats  # after every pass over the data; empty for logistic regression
    notes: tuple[str, ...]


def train_weights(
    points: Array, positive: Array, classifier: Any, *, hidden: tuple[int, ...], seed: int, passes: int = 60
) -> TrainedWeights:
    """Fit "mlp", "logistic", or a scikit-learn estimator of either kind, to scaled points; the seed decides all.

    Other estimators are refused, because a model file holds weights and no programs.
    """
    estimator, name = _estimator(classifier, hidden, seed, passes)
    centre = points.mean(axis=0, dtype=np.float64)
    scale = points.std(axis=0, dtype=np.float64)
    scale[scale <= 1e-12] = 1.0  # a coordinate that never changes says nothing
    scaled = (points.astype(np.float64) - centre) / scale
    notes: list[str] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        estimator.fit(scaled, positive.astype(np.int64))
    if any(issubclass(one.category, ConvergenceWarning) for one in caught):
        done = int(np.max(estimator.n_iter_))
        more = f"; {4 * done} passes may let it" if classifier == "mlp" else ""
        notes.append(f"training stopped after {done} passes, before it had settled{more}")
    if isinstance(estimator, MLPClassifier):
        weights = tuple(np.array(one, dtype=np.float64) for one in estimator.coefs_)
        offsets = tuple(np.array(one, dtype=np.float64) for one in estimator.intercepts_)
        activation, loss = estimator.activation, np.array(estimator.loss_curve_)
    else:
        weights = (np.array(estimator.coef_, dtype=np.float64).T.copy(),)
        offsets = (np.array(estimator.intercept_, dtype=np.float64),)
        activation, loss = "identity", np.empty(0)
    return TrainedWeights(
        centre=centre, scale=scale, weights=weights, offsets=offsets, activation=activation, classifier=name,
        loss=loss, notes=tuple(notes),
    )  # fmt: skip


def _estimator(given: Any, hidden: tuple[int, ...], seed: int, passes: int) -> tuple[Any, str]:
    if given == "mlp":
        # Weight decay and a stop when the loss no longer falls, so that few cases are not learnt by heart.
        made = MLPClassifier(hidden, alpha=0.01, learning_rate_init=0.005, batch_size=256, tol=1e-4,
                             n_iter_no_change=5, max_iter=passes, random_state=seed)  # fmt: skip
        return made, "mlp"
    if given == "logistic":
        return LogisticRegression(C=1.0, max_iter=500), "logistic"
    if isinstance(given, MLPClassifier | LogisticRegression):
        copied = clone(given)
        if copied.get_params().get("random_state", 0) is None:
            copied.set_params(random_state=seed)
        return copied, "mlp" if isinstance(given, MLPClassifier) else "logistic"
    listed = ", ".join(map(repr, CURVE_CLASSIFIERS))
    raise InputError("classifier", f"must be {listed}, an MLPClassifier or a LogisticRegression",
                     Words(repr(given)[:60]), "a model file holds weights of these only")  # fmt: skip
