"""scikit-learn's multilayer perceptron with a score that does not saturate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import expit

from roclab._core.types import Floats
from roclab.benching.classifiers.shared import check_is_fitted, validate_data
from roclab.errors import MissingExtraError

try:
    from sklearn.neural_network import MLPClassifier
except ImportError as error:  # pragma: no cover - the line above it raises first
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="the bench of classifiers") from error

__all__ = ["Perceptron"]

_ACTIVATIONS: dict[str, Callable[[Floats], Floats]] = {
    "identity": lambda x: x,
    "logistic": expit,
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0.0),
}


class Perceptron(MLPClassifier):  # type: ignore[misc]
    """A multilayer perceptron whose decision function is what enters its output units.

    Probabilities of a well-trained network round to 0 and 1 and tie; the log odds before the last function do not.
    All else, parameters and attributes, is scikit-learn's.
    """

    def decision_function(self, X: Any) -> Floats:
        """Log odds of the second class, shape (n,); with more classes a column for each, up to a constant."""
        check_is_fitted(self)
        layer = validate_data(self, X, reset=False, accept_sparse=["csr", "csc"])
        bend = _ACTIVATIONS[self.activation]
        for weights, start in zip(self.coefs_[:-1], self.intercepts_[:-1], strict=True):
            layer = bend(layer @ weights + start)
        out = np.asarray(layer @ self.coefs_[-1] + self.intercepts_[-1], dtype=np.float64)
        return out[:, 0] if out.shape[1] == 1 else out
