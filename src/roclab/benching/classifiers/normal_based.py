"""scikit-learn's normal-based classifiers, with one sentence where covariances leave nothing to compute."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from roclab.errors import InputError, MissingExtraError, OneClassError, Words

try:
    from sklearn.discriminant_analysis import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis
except ImportError as error:
    raise MissingExtraError(library="scikit-learn", extra="sklearn", purpose="the bench of classifiers") from error

__all__ = ["LinearNormal", "QuadraticNormal"]


class LinearNormal(LinearDiscriminantAnalysis):  # type: ignore[misc]
    """Normal classes with one covariance (LDC): scikit-learn's linear discriminant analysis.

    Its default solver leaves out directions in which no class varies, so that dependent columns do no harm.
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Fit, or say that no column varies within a class."""
        labels = np.asarray(y)
        missing = labels.dtype.kind == "f" and not np.isfinite(labels).all()  # scikit-learn has a sentence for these
        if labels.ndim == 1 and not missing and np.unique(labels).size == 1:
            raise OneClassError("y", "must hold at least two classes", Words("one class only"), "add cases of another")
        try:
            super().fit(X, y)
        except (np.linalg.LinAlgError, IndexError):
            raise InputError(
                "X", "must vary within classes in one column at least", Words("constant columns only"), "add features"
            ) from None
        return self


class QuadraticNormal(QuadraticDiscriminantAnalysis):  # type: ignore[misc]
    """Normal classes with a covariance each (QDC): scikit-learn's quadratic discriminant analysis."""

    def fit(self, X: Any, y: Any) -> Self:
        """Fit, or say that the covariance of a class is singular."""
        try:
            super().fit(X, y)
        except np.linalg.LinAlgError:
            raise InputError(
                "X",
                "must have a regular covariance within every class",
                Words("a constant or dependent column, or a class with no more cases than columns"),
                "drop such columns, or shrink the covariances as the modern settings do",
            ) from None
        return self
