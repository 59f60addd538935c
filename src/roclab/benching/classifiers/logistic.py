"""Logistic regression by maximum likelihood, as the house fits it, with scikit-learn's manners."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.special import expit, log_expit

from roclab._core.types import Bools, Floats, Ints
from roclab.benching.classifiers.shared import ScoredClassifier
from roclab.errors import RoclabWarning, SeparationError, SingularError
from roclab.models.logistic import LogisticFit, fit_logistic
from roclab.names import Penalty

__all__ = ["LogisticRegression"]


class LogisticRegression(ScoredClassifier):
    r"""Log odds that are linear in the features, by maximum likelihood without a penalty; the score is the log odds.

    With more than two classes each is set against the rest, and the probabilities are divided by their sum. Features
    that depend linearly on others get the coefficient 0, which changes no score of the training data. When a plane
    separates the classes the likelihood has no maximum: then Firth's penalised likelihood is fitted, and a warning says
    so.

    Parameters
    ----------
    penalty : "none" or "firth"
        Maximum likelihood, or Firth's penalised likelihood from the start.

    Attributes
    ----------
    fits_ : list of LogisticFit
        One for two classes, else one for each class; with standard errors and all the likelihood says.
    coef_ : array of shape (1 or k, p)
    intercept_ : array of shape (1 or k,)
    """

    def __init__(self, penalty: Penalty = "none") -> None:
        self.penalty = penalty

    def _learn(self, x: Floats, code: Ints, counts: Ints) -> None:
        self.mean_: Floats = x.mean(axis=0)
        spread = x.std(axis=0)
        spread[spread <= 1e-14 * np.abs(x).max(axis=0)] = np.inf  # a constant says what the intercept says
        scaled = (x - self.mean_) / spread
        positive = [1] if counts.size == 2 else range(counts.size)
        found = [_fit(scaled, code == one, self.penalty) for one in positive]
        self.fits_: list[LogisticFit] = [fit for fit, _ in found]
        self.coef_: Floats = np.array([slopes for _, slopes in found])[:, 1:] / spread
        self._level: Floats = np.array([slopes[0] for _, slopes in found])
        self.intercept_: Floats = self._level - self.coef_ @ self.mean_

    def _class_scores(self, x: Floats) -> Floats:
        odds: Floats = np.einsum("ij,kj->ik", x - self.mean_, self.coef_) + self._level
        return np.column_stack([np.zeros(len(x)), odds]) if self.classes_.size == 2 else odds

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities of the classes, a column for each."""
        scores = self._checked_scores(X)
        if self.classes_.size == 2:
            return np.column_stack([expit(-scores[:, 1]), expit(scores[:, 1])])
        shares = expit(scores)
        return np.asarray(shares / shares.sum(axis=1, keepdims=True))

    def predict_log_proba(self, X: Any) -> Floats:
        """Logarithms of the probabilities; they stay apart where the probabilities round to 0 and 1."""
        scores = self._checked_scores(X)
        if self.classes_.size == 2:
            return np.column_stack([log_expit(-scores[:, 1]), log_expit(scores[:, 1])])
        shares = log_expit(scores)
        return np.asarray(shares - np.logaddexp.reduce(shares, axis=1)[:, None])


def _fit(x: Floats, label: Bools, penalty: Penalty) -> tuple[LogisticFit, Floats]:
    """The fit, and intercept and slopes of all columns with 0 for those that were left out."""
    kept = np.flatnonzero(np.any(x != 0, axis=0))
    while True:
        try:
            fit = fit_logistic(x[:, kept], label, names=[str(at) for at in kept], penalty=penalty)
            break
        except SingularError as error:
            kept = np.array([at for at in kept if str(at) not in error.columns], dtype=np.intp)
        except SeparationError as error:
            warnings.warn(
                f"the features separate the classes ({error.kind} separation), so the likelihood has no maximum; "
                "Firth's penalised likelihood is fitted instead.",
                RoclabWarning,
                stacklevel=5,
            )
            penalty = "firth"
    slopes = np.zeros(x.shape[1] + 1)
    slopes[0] = fit.coefficients[0]
    slopes[kept + 1] = fit.coefficients[1:]
    return fit, slopes
