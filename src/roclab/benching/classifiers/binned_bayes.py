"""Naive Bayes with features cut into bins."""

from __future__ import annotations

import numpy as np

from roclab._core.checks import check_choice, check_points
from roclab._core.types import Floats, Ints
from roclab.benching.classifiers.shared import PosteriorClassifier
from roclab.names import BINNINGS, Binning

__all__ = ["BinnedBayes"]


class BinnedBayes(PosteriorClassifier):
    r"""Independent features, each cut into bins; the score is a sum of log probabilities.

    .. math:: s_k(x) = \log \frac{n_k}{n} + \sum_j \log \frac{n_{k, b_j(x)} + 1}{n_k + B_j}

    with :math:`n_{k, b}` training cases of class k in bin b of feature j, and :math:`B_j` bins. Values beyond the
    training range belong to the outermost bins. A feature with one value in training says nothing and is left out.
    O(n p) to fit.

    Parameters
    ----------
    bins : int
        Bins of a feature.
    edges : "width" or "count"
        Bins of equal width over the training range, or of equal counts (quantiles; equal ones are joined, so that a
        feature with few values has fewer bins).
    """

    def __init__(self, bins: int = 10, *, edges: Binning = "width") -> None:
        self.bins = bins
        self.edges = edges

    def _learn(self, x: Floats, code: Ints, counts: Ints) -> None:
        check_points(self.bins, "bins", least=2, way_out="10 is usual")
        check_choice(self.edges, "edges", BINNINGS)
        self.log_prior_: Floats = np.log(counts / counts.sum())
        self.edges_: list[Floats | None] = [self._inner_edges(column) for column in x.T]
        self.log_probability_: list[Floats] = []
        for column, inner in zip(x.T, self.edges_, strict=True):
            if inner is None:
                self.log_probability_.append(np.zeros((1, counts.size)))
                continue
            size = inner.size + 1
            cell = np.searchsorted(inner, column, side="right") * counts.size + code
            table = np.bincount(cell, minlength=size * counts.size).reshape(size, counts.size)
            self.log_probability_.append(np.log((table + 1) / (counts + size)))

    def _inner_edges(self, column: Floats) -> Floats | None:
        """Edges between the bins, or None for a column with one value."""
        low, high = column.min(), column.max()
        if low == high:
            return None
        if self.edges == "width":
            # weighted ends, not steps from the lower one: the range itself may exceed the largest number
            share = np.arange(1, self.bins) / self.bins
            return np.asarray(low * (1 - share) + high * share)
        inner = np.quantile(column, np.arange(1, self.bins) / self.bins)
        # many cases at the lowest value are a bin of their own, which ends at the next one
        return np.unique(np.where(inner > low, inner, column[column > low].min()))

    def _class_scores(self, x: Floats) -> Floats:
        scores = np.tile(self.log_prior_, (len(x), 1))
        for column, inner, table in zip(x.T, self.edges_, self.log_probability_, strict=True):
            if inner is not None:
                scores += table[np.searchsorted(inner, column, side="right")]
        return scores
