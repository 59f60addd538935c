"""Nearest mean: a case belongs to the class whose mean is nearest."""

from __future__ import annotations

import numpy as np

from roclab._core.types import Floats, Ints
from roclab.benching.classifiers.shared import ScoredClassifier

__all__ = ["NearestMean"]


class NearestMean(ScoredClassifier):
    r"""Nearest class mean in the units of the features; the score is linear.

    .. math:: s_k(x) = -\lVert x - m_k \rVert^2 + \lVert x - m \rVert^2

    with class means :math:`m_k` and the overall mean :math:`m`; the second term is the same for all classes and makes
    the score linear in x. For two classes the difference is that of the squared distances. Features in large units
    decide alone, so scale them unless they share a unit. O(n p) to fit.

    scikit-learn's ``NearestCentroid`` divides by the standard deviations within classes, which is another method.

    Attributes
    ----------
    means_ : array of shape (k, p)

    Examples
    --------
    >>> import numpy as np
    >>> NearestMean().fit([[0.0], [2.0], [10.0]], [0, 0, 1]).decision_function([[5.5], [4.0]]).tolist()
    [0.0, -27.0]
    """

    def _learn(self, x: Floats, code: Ints, counts: Ints) -> None:
        self.means_: Floats = np.array([x[code == one].mean(axis=0) for one in range(counts.size)])
        self.mean_: Floats = x.mean(axis=0)

    def _class_scores(self, x: Floats) -> Floats:
        means = self.means_ - self.mean_
        # einsum, not BLAS: rows with equal features get equal scores to the last bit
        scores: Floats = 2 * np.einsum("ij,kj->ik", x - self.mean_, means) - np.sum(means**2, axis=1)
        return scores
