"""One feature as it is: the baseline that whatever was learnt has to beat."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab._core.types import Array, Floats
from roclab.errors import MissingExtraError

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="the classifier bench") from error

__all__ = ["OneFeature"]


class OneFeature(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """The first feature as the score, the same in every split; calls are cut midway between the means of both classes.

    A model fitted to one feature gives scores that differ from split to split, and pooled they may fall below chance.
    """

    def fit(self, X: Any, y: Any) -> OneFeature:
        """Learn where to cut."""
        X, y = validate_data(self, X, y)
        self.classes_ = np.unique(y)
        self.cut_ = float(np.mean([X[y == one, 0].mean() for one in self.classes_]))
        return self

    def decision_function(self, X: Any) -> Floats:
        """The feature."""
        check_is_fitted(self)
        return np.asarray(validate_data(self, X, reset=False)[:, 0], dtype=np.float64)

    def predict(self, X: Any) -> Array:
        """The second class above the cut."""
        called: Array = self.classes_[(self.decision_function(X) > self.cut_).astype(int)]
        return called
