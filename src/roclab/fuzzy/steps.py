"""The two steps of fuzzy c-means, memberships from distances and centres from memberships, on blocks of cases."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from roclab._core.types import Floats

__all__ = ["CentreSums", "memberships_of", "squared_distances"]


def squared_distances(x: Floats, centres: Floats) -> Floats:
    """Squared distances (n, c) by differences, so that a case on a centre is at distance 0 exactly."""
    distance: Floats = cdist(x, centres, "sqeuclidean")
    return distance


def memberships_of(cost: Floats, fuzziness: float) -> Floats:
    r"""Degrees that minimise :math:`\sum_k u_k^q D_k` with :math:`\sum_k u_k = 1`, for each row of costs (n, c).

    .. math:: u_k = D_k^{-1/(q-1)} \Big/ \sum_m D_m^{-1/(q-1)}

    A cost of 0 takes all; several share it equally. The costs are squared distances, or those and a penalty. Ratios to
    the smallest cost of the row are raised to the power, so that nothing overflows. O(n c).
    """
    smallest = cost.min(axis=1, keepdims=True)
    # The smallest cost itself has ratio 1, also where it is 0 and the ratio 0 / 0.
    ratio: Floats = np.divide(smallest, cost, out=np.ones_like(cost), where=cost > smallest)
    if fuzziness != 2:
        ratio **= 1 / (fuzziness - 1)
    ratio /= ratio.sum(axis=1, keepdims=True)
    return ratio


class CentreSums:
    """Sums over blocks of cases from which the next centres follow: weights :math:`u^q` and weighted cases."""

    def __init__(self, clusters: int, features: int) -> None:
        self.weight: Floats = np.zeros(clusters)
        self.weighted: Floats = np.zeros((clusters, features))

    def add(self, x: Floats, weight: Floats) -> None:
        """Add cases with their weights (n, c)."""
        self.weight += weight.sum(axis=0)
        self.weighted += weight.T @ x

    def centres(self, before: Floats) -> Floats:
        """Weighted means; a cluster without any weight stays where it was."""
        weight = self.weight[:, None]
        return np.divide(self.weighted, weight, out=before.copy(), where=weight > 0)
