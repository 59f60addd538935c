"""Fisher's linear discriminant as least squares to ±1."""

from __future__ import annotations

import numpy as np

from roclab._core.types import Floats, Ints
from roclab.benching.classifiers.shared import ScoredClassifier

__all__ = ["Fisher"]


class Fisher(ScoredClassifier):
    r"""Least squares of a target that is +1 in a class and -1 elsewhere, on features and a constant.

    For two classes the direction is that of Fisher's discriminant, :math:`S_W^{-1} (m_1 - m_0)`, and of the
    normal-based linear classifier; only the constant differs, so the ROC curves are the same. Features that depend
    linearly on others, or are constant, get the solution of least norm in units of the standard deviations; ridge
    regression without a penalty would divide by rounding errors there. O(n p²).

    Attributes
    ----------
    coef_ : array of shape (k, p)
    intercept_ : array of shape (k,)
    """

    def _learn(self, x: Floats, code: Ints, counts: Ints) -> None:
        self.mean_: Floats = x.mean(axis=0)
        spread = x.std(axis=0)
        # a column of equal numbers has a spread of rounding errors only
        spread[spread <= 1e-14 * np.abs(x).max(axis=0)] = np.inf
        target = np.where(code[:, None] == np.arange(counts.size), 1.0, -1.0)
        centre = target.mean(axis=0)
        solution = np.linalg.lstsq((x - self.mean_) / spread, target - centre, rcond=1e-10)[0]
        self.coef_: Floats = solution.T / spread
        self.intercept_: Floats = centre - self.coef_ @ self.mean_
        self._centre: Floats = centre

    def _class_scores(self, x: Floats) -> Floats:
        scores: Floats = np.einsum("ij,kj->ik", x - self.mean_, self.coef_) + self._centre
        return (
            scores / 2 if self.classes_.size == 2 else scores
        )  # two opposite targets: their difference is one of them
