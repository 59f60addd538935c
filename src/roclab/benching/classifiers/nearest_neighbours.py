"""Nearest neighbours with a number of neighbours chosen by leaving one out, and scores that are continuous."""

from __future__ import annotations

from typing import Literal

import numpy as np
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist

from roclab._core.checks import check_choice, check_count
from roclab._core.types import Array, Floats, Ints
from roclab.benching.classifiers.shared import ScoredClassifier, check_whole, pair_blocks

__all__ = ["NearestNeighbours"]

_TREE_FEATURES = 12  # with more of them a tree visits nearly all cases and is slower than looking at all


class NearestNeighbours(ScoredClassifier):
    r"""The k nearest training cases, or the k nearest of each class, decide.

    Parameters
    ----------
    neighbours : int, optional
        k; by default the one with the smallest leave-one-out error, the smaller one of equals.
    scores : "distances" or "votes"
        ``"distances"``: :math:`s_c(x) = -\log r_c(x)`, with :math:`r_c` the distance to the k-th nearest case of class
        c. Of two classes the difference is the log ratio of both distances: continuous, and up to the factor p the log
        odds of nearest-neighbour density estimates, whose shares of the classes cancel. A class with fewer than k cases
        is measured to its farthest one.
        ``"votes"``: the share of each class among the k nearest; k + 1 values only, so for k ≤ 2 the distances to the
        nearest case of each class are used instead.
    most : int, optional
        The largest k tried; all by default.

    Attributes
    ----------
    neighbours_ : int
    errors_ : array, expected leave-one-out error at k = 1, 2, …; absent when k was given

    Notes
    -----
    All k are tried from one pass over the distances, in blocks of bounded memory: O(n²) distances and a sort of them,
    or a k-d tree where only some are asked for and the features are few. Cases at distance 0 are taken as
    a tiny part of the largest distance away, so that every score is finite. Ties of votes count as a guess among the
    tied classes in the error.
    """

    def __init__(
        self,
        neighbours: int | None = None,
        *,
        scores: Literal["distances", "votes"] = "distances",
        most: int | None = None,
    ) -> None:
        self.neighbours = neighbours
        self.scores = scores
        self.most = most

    def _learn(self, x: Floats, code: Ints, counts: Ints) -> None:
        check_choice(self.scores, "scores", ("distances", "votes"))
        self.cases_: list[Floats] = [x[code == one] for one in range(counts.size)]
        few = x.shape[1] <= _TREE_FEATURES
        self._trees: list[KDTree | None] = [KDTree(cases) if few else None for cases in self.cases_]
        # Coincident cases are this far apart: far below any distance that a feature can resolve.
        span = float(np.sqrt(np.sum(np.square(np.ptp(x / 2, axis=0)))))
        self.least_distance_: float = 1e-12 * span if span > 0 else 1.0
        if self.neighbours is not None:
            self.neighbours_: int = check_whole(self.neighbours, "neighbours", most=len(x), of="training cases")
            return
        most = len(x) - 1
        if self.most is not None:
            most = min(most, check_count(self.most, "most", least=1, way_out="leave it out to try all"))
        self.errors_: Floats = (
            self._errors_of_votes(x, code, most) if self.scores == "votes" else self._errors_of_distances(counts, most)
        )
        self.neighbours_ = int(np.argmin(self.errors_)) + 1

    def _errors_of_votes(self, x: Floats, code: Ints, most: int) -> Floats:
        """Expected leave-one-out error of the vote of the k nearest, k = 1 … most.

        The class is packed into the last bits of each squared distance, whose bits sort as the numbers do, so that a
        plain sort brings the classes along.
        """
        classes = len(self.cases_)
        mask = np.uint64((1 << int(classes - 1).bit_length()) - 1)
        packed = code.astype(np.uint64)
        wrong = np.zeros(most)
        for part in pair_blocks(len(x), len(x)):
            distance = cdist(x[part], x, "sqeuclidean")
            distance[np.arange(len(distance)), np.arange(part.start, part.stop)] = np.inf
            keys = distance.view(np.uint64)
            keys &= ~mask
            keys |= packed
            if most < len(x) // 8:
                keys = np.partition(keys, most - 1, axis=1)[:, :most]
            keys.sort(axis=1)
            wrong += _wrong_votes((keys[:, :most] & mask).astype(np.intp), code[part], classes)
        return wrong / len(x)

    def _errors_of_distances(self, counts: Ints, most: int) -> Floats:
        """Leave-one-out error of the nearest k-th neighbour, k = 1 … most."""
        most = min(most, int(counts.max()))
        wrong = np.zeros(most)
        for own, cases in enumerate(self.cases_):
            for part in pair_blocks(len(cases), most * len(self.cases_)):
                rows = cases[part]
                reach = [self._sorted(rows, k, most + (k == own)) for k in range(len(self.cases_))]
                # the nearest of its own class is the case itself, or a copy of it; alone, nothing is near
                reach[own] = reach[own][:, 1:] if len(cases) > 1 else np.full((len(rows), 1), np.inf)
                own_reach = _padded(reach[own], most)
                rivals = np.stack([_padded(one, most) for k, one in enumerate(reach) if k != own])
                ties = np.sum(rivals == own_reach, axis=0)
                beaten = np.any(rivals < own_reach, axis=0)
                wrong += np.where(beaten, 1.0, ties / (ties + 1)).sum(axis=0)
        return np.asarray(wrong / counts.sum())

    def _sorted(self, x: Floats, k: int, most: int) -> Floats:
        """Distances to the nearest cases of class k, in rising order, at most as many as there are."""
        cases = self.cases_[k]
        most = min(most, len(cases))
        tree = self._trees[k]
        if tree is not None and len(cases) > 8 * most:
            return np.asarray(tree.query(x, k=np.arange(1, most + 1))[0], dtype=np.float64)
        out = np.empty((len(x), most))
        for part in pair_blocks(len(x), len(cases)):
            distance = cdist(x[part], cases)
            if most < len(cases):
                distance = np.partition(distance, most - 1, axis=1)[:, :most]
            out[part] = np.sort(distance, axis=1)
        return out

    def _class_scores(self, x: Floats) -> Floats:
        k = self.neighbours_
        if self.scores == "votes" and k > 2:
            return self._votes(x)
        at = 1 if self.scores == "votes" else k
        reach = np.column_stack([self._sorted(x, one, at)[:, -1] for one in range(len(self.cases_))])
        return -np.log(np.maximum(reach, self.least_distance_))

    def _votes(self, x: Floats) -> Floats:
        """Shares of the classes among the nearest ``neighbours_`` cases."""
        k, classes = self.neighbours_, len(self.cases_)
        reach = [self._sorted(x, one, k) for one in range(classes)]
        code: Array = np.repeat(np.arange(classes), [one.shape[1] for one in reach])
        order = np.argsort(np.concatenate(reach, axis=1), axis=1, kind="stable")[:, :k]
        return np.stack([(code[order] == one).mean(axis=1) for one in range(classes)], axis=1)


def _wrong_votes(nearest: Ints, true: Ints, classes: int) -> Floats:
    """Sum over cases of the chance of a wrong vote, for each number of neighbours."""
    own = np.cumsum(nearest == true[:, None], axis=1)
    if classes == 2:
        rest = np.arange(1, nearest.shape[1] + 1) - own
        return np.asarray(np.sum((rest > own) + 0.5 * (rest == own), axis=0))
    votes = np.stack([np.cumsum(nearest == one, axis=1) for one in range(classes)])
    top = votes.max(axis=0)
    tied = np.sum(votes == top, axis=0)
    return np.asarray(np.sum(np.where(own == top, 1 - 1 / tied, 1.0), axis=0))


def _padded(reach: Floats, most: int) -> Floats:
    """Distances up to the ``most``-th neighbour; a class with fewer cases is measured to its farthest."""
    if reach.shape[1] >= most:
        return reach[:, :most]
    return np.concatenate([reach, np.repeat(reach[:, -1:], most - reach.shape[1], axis=1)], axis=1)
