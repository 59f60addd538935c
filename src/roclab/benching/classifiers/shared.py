"""What the classifiers of the bench share: checked data, one score per class, and the calls that follow from them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from scipy.special import log_softmax, softmax

from roclab._core.blocks import blocks
from roclab._core.types import Array, Floats, Ints
from roclab.errors import InputError, MissingExtraError, OneClassError, Words

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="the bench of classifiers") from error

__all__ = ["PosteriorClassifier", "ScoredClassifier", "check_is_fitted", "check_whole", "pair_blocks", "validate_data"]

_PAIRS = 1 << 17  # distances at a time: a megabyte, which stays in cache, whatever the number of cases


class ScoredClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier with one continuous score per class; the highest one is called.

    Subclasses learn from checked data in ``_learn(x, code, counts)`` and give an (n, k) table in ``_class_scores(x)``.
    """

    classes_: Array

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from cases ``X`` (n, p) of the classes ``y``, two or more of them."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self.classes_, code = np.unique(y, return_inverse=True)
        if self.classes_.size < 2:
            raise OneClassError("y", "must hold at least two classes", Words("one class only"), "add cases of another")
        self._learn(X, code, np.bincount(code))
        return self

    def decision_function(self, X: Any) -> Floats:
        """Scores: of the second class against the first, shape (n,); with more classes one column for each."""
        scores = self._checked_scores(X)
        return np.asarray(scores[:, 1] - scores[:, 0]) if self.classes_.size == 2 else scores

    def predict(self, X: Any) -> Array:
        """The class with the highest score."""
        scores = self.decision_function(X)
        chosen = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
        called: Array = self.classes_[chosen]
        return called

    def _checked_scores(self, X: Any) -> Floats:
        check_is_fitted(self)
        return self._class_scores(validate_data(self, X, reset=False, dtype=np.float64))

    def _learn(self, x: Floats, code: Ints, counts: Ints) -> None:
        """Learn from cases with class codes 0 … k - 1, of which there are ``counts``."""
        raise NotImplementedError  # pragma: no cover - every classifier has its own

    def _class_scores(self, x: Floats) -> Floats:
        """An (n, k) table of scores."""
        raise NotImplementedError  # pragma: no cover - every classifier has its own


class PosteriorClassifier(ScoredClassifier):
    """A classifier whose scores are log posteriors up to a constant of each case."""

    def predict_proba(self, X: Any) -> Floats:
        """Posterior probabilities, a column for each class."""
        return np.asarray(softmax(self._checked_scores(X), axis=1))

    def predict_log_proba(self, X: Any) -> Floats:
        """Logarithms of the posteriors; they stay apart where the posteriors round to 0 and 1."""
        return np.asarray(log_softmax(self._checked_scores(X), axis=1))


def pair_blocks(rows: int, others: int) -> Iterator[slice]:
    """Slices of rows whose distances to all others take bounded memory."""
    yield from blocks(rows, max(1, _PAIRS // max(others, 1)))


def check_whole(value: Any, name: str, *, most: int, of: str) -> int:
    """A whole number from 1 to ``most``, which is ``of`` something: 'cases', 'cases of a class'."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 1 <= value <= most:
        raise InputError(name, f"must be a whole number from 1 to {most}, the number of {of}", value)
    return int(value)
