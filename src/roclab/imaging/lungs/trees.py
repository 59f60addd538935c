"""Boosted trees as plain arrays: what training by a library left, applied without it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roclab._core.types import Array, Floats, Ints, frozen

__all__ = ["BoostedTrees"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BoostedTrees:
    """Nodes of all trees in a row; a case goes left where its feature is no larger than the threshold.

    >>> stump = BoostedTrees(feature=np.array([0, -1, -1]), threshold=np.array([2.0, 0.0, 0.0]),
    ...     left=np.array([1, 0, 0]), right=np.array([2, 0, 0]), value=np.array([0.0, -1.0, 1.5]),
    ...     root=np.array([0]), base=0.25)
    >>> stump.log_odds(np.array([[2.0], [2.1]])).tolist()
    [-0.75, 1.75]
    """

    feature: Ints  # -1 in a leaf
    threshold: Floats
    left: Ints  # numbers of nodes
    right: Ints
    value: Floats  # of leaves
    root: Ints  # first node of every tree
    base: float  # log odds before the first tree

    def __post_init__(self) -> None:
        for one in (self.feature, self.threshold, self.left, self.right, self.value, self.root):
            frozen(one)

    def check(self, features: int) -> None:
        """A ValueError where a tree leads out of the arrays, round in a circle, or to a feature there is none of."""
        count = self.feature.size
        nodes = np.arange(count)
        inner = self.feature >= 0
        same = all(one.shape == (count,) for one in (self.threshold, self.left, self.right, self.value))
        if not same or count == 0 or self.root.size == 0 or (self.feature >= features).any():
            raise ValueError("trees do not fit")
        for child in (self.left, self.right):  # children follow their parent, so that every walk ends
            if (child[inner] <= nodes[inner]).any() or (child[inner] >= count).any():
                raise ValueError("trees do not fit")
        if (self.root < 0).any() or (self.root >= count).any():
            raise ValueError("trees do not fit")

    def log_odds(self, x: Array) -> Floats:
        """Sum of the leaves that each case reaches. O(cases x trees x depth)."""
        total = np.full(len(x), self.base)
        rows = np.arange(len(x))
        for root in self.root:
            at = np.full(len(x), root)
            while (inner := self.feature[at] >= 0).any():
                feature = np.maximum(self.feature[at], 0)
                down = np.where(x[rows, feature] <= self.threshold[at], self.left[at], self.right[at])
                at = np.where(inner, down, at)
            total += self.value[at]
        return total
