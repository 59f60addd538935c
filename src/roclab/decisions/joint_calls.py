"""What several yes/no tests call the same cases: distinct patterns of calls with the cases that have each.

Everything about rates of tests and their differences follows from these counts, one GROUP BY over the cases. Where
cases come in clusters a pattern is counted for every cluster.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from roclab._core.types import Array, Bools, Floats, Ints, frozen
from roclab.data.subjects import numbered
from roclab.decisions.confusion import ConfusionMatrix
from roclab.errors import InputError, Words
from roclab.inference.one_area.design_effect import LEAST_EFFECT
from roclab.inference.rates.paired import PairedCounts
from roclab.inference.rates.predictive import PairedTables

__all__ = ["JointCalls", "joint_calls"]

_MOST_CODED = 12  # tests whose patterns are counted by their code; more are sorted
_MOST_TESTS = 32  # whose calls fit into a number beside that of a cluster


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JointCalls:
    """Cells: a pattern of calls, a class and, where there are some, a cluster."""

    names: tuple[str, ...]
    patterns: Bools  # cells x tests
    positive: Bools  # class of every cell
    weight: Floats  # cases, or the sum of their weights
    square: Floats  # the sum of squares of importance weights; the cases themselves where each counts once
    cluster: Ints | None = None
    importance: bool = False

    def __post_init__(self) -> None:
        for array in (self.patterns, self.positive, self.weight, self.square):
            frozen(array)

    @property
    def n_pos(self) -> float:
        """Positive cases."""
        return float(self.weight[self.positive].sum())

    @property
    def n_neg(self) -> float:
        """Negative cases."""
        return float(self.weight[~self.positive].sum())

    def matrix(self, at: int) -> ConfusionMatrix:
        """The confusion matrix of one test."""
        called = self.patterns[:, at]
        tp, fn, fp, tn = (
            _whole(self.weight[truth & call].sum())
            for truth in (self.positive, ~self.positive)
            for call in (called, ~called)
        )
        return ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)

    def table(self, at: int) -> Floats:
        """TP, FP, FN and TN of one test in every cluster, K x 4."""
        assert self.cluster is not None
        cell = (2 * ~self.patterns[:, at] + ~self.positive).astype(np.int64)
        clusters = int(self.cluster.max()) + 1
        found = np.bincount(4 * self.cluster + cell, weights=self.weight, minlength=4 * clusters)
        return found.astype(np.float64).reshape(clusters, 4)

    def tables(self, first: int, second: int) -> PairedTables:
        """The eight counts of two tests."""
        one, two = self.patterns[:, first], self.patterns[:, second]
        parts = [
            PairedCounts(*(_whole(self.weight[truth & cell].sum()) for cell in (one & two, one & ~two, ~one & two,
                                                                                ~one & ~two)))
            for truth in (self.positive, ~self.positive)
        ]  # fmt: skip
        return PairedTables(*parts)

    def paired_table(self, first: int, second: int, inside: Bools, right: Bools) -> Floats:
        """Cases that both, only the first, only the second, and none is right about; of every subject among some."""
        assert self.cluster is not None
        one, two = right[:, first], right[:, second]
        cell = (2 * ~one + ~two).astype(np.int64)
        clusters = int(self.cluster.max()) + 1
        found = np.bincount(4 * self.cluster[inside] + cell[inside], weights=self.weight[inside],
                            minlength=4 * clusters).astype(np.float64).reshape(clusters, 4)  # fmt: skip
        present: Floats = found[found.sum(axis=1) > 0]
        return present

    def covariance(self, influence: Floats) -> Floats:
        """Covariance of values from the influence of the cases in every cell; of clusters from their sums."""
        if self.cluster is None:
            return np.asarray((influence * self.square[:, None]).T @ influence)
        sums = self._sums(influence)
        among = int(np.count_nonzero(self._present(influence)))
        spread: Floats = sums.T @ sums * (among / max(among - 1, 1))
        return spread

    def clusters(self, among: Bools) -> int:
        """Clusters that have a case in some of the cells."""
        assert self.cluster is not None
        return int(np.unique(self.cluster[among & (self.weight > 0)]).size)

    def effect(self, influence: Floats, among: Bools) -> float:
        """What a count is worth: the variance of a value over that of as many independent cases.

        Of clusters it is at least 1/4, and where no case varies a cluster counts once; of importance weights Kish's.
        """
        cases = float(self.weight[among].sum())
        if self.cluster is None:
            return float(self.square[among].sum()) / cases if self.importance and cases > 0 else 1.0
        alone = float(self.weight @ (influence * influence))
        clusters = self.clusters(among)
        if clusters < 2:
            return max(cases, 1.0)
        if alone <= 0:
            return max(cases / clusters, 1.0)
        sums = self._sums(influence[:, None])[:, 0]
        return max(float(sums @ sums) * clusters / (clusters - 1) / alone, LEAST_EFFECT)

    def _sums(self, influence: Floats) -> Floats:
        assert self.cluster is not None
        count = int(self.cluster.max()) + 1
        weighted = influence * self.weight[:, None]
        return np.stack([np.bincount(self.cluster, weights=column, minlength=count) for column in weighted.T], axis=1)

    def _present(self, influence: Floats) -> Bools:
        assert self.cluster is not None
        return np.bincount(self.cluster, weights=(influence != 0).any(axis=1).astype(float)) > 0


def joint_calls(
    names: Sequence[str],
    label: Bools,
    calls: Sequence[Bools],
    *,
    weight: Array | None = None,
    importance: bool = False,
    ids: Array | None = None,
) -> JointCalls:
    """Count the patterns of calls; O(n k), and a sort where there are clusters or more than 12 tests.

    >>> found = joint_calls(["a", "b"], np.array([True, True, False]), [np.array([True, True, False])] * 2)
    >>> found.tables(0, 1).diseased.both, found.matrix(0).tn
    (2, 1)
    """
    k = len(names)
    if k > _MOST_TESTS:
        raise InputError("score", f"and predictions must be at most {_MOST_TESTS} to compare", Words(f"{k}"),
                         "choose some of them")  # fmt: skip
    code = label.astype(np.int64)
    for at, called in enumerate(calls):
        code |= called.astype(np.int64) << (at + 1)
    cluster = None
    if ids is not None:
        cluster = numbered(ids)[1].astype(np.int64)
        code |= cluster << (k + 1)
    if ids is None and k <= _MOST_CODED:
        weights = np.bincount(code, weights=weight, minlength=2 << k).astype(np.float64)
        squares: Floats = weights
        if importance and weight is not None:
            squares = np.bincount(code, weights=weight * weight, minlength=2 << k).astype(np.float64)
        kept = np.flatnonzero(weights > 0)
        distinct, weights, squares = kept, weights[kept], squares[kept]
    else:
        distinct, place = np.unique(code, return_inverse=True)
        weights = np.bincount(place, weights=weight).astype(np.float64)
        squares = weights
        if importance and weight is not None:
            squares = np.bincount(place, weights=weight * weight).astype(np.float64)
    bits = (distinct[:, None] >> np.arange(k + 1)) & 1
    return JointCalls(
        names=tuple(names),
        patterns=bits[:, 1:].astype(bool),
        positive=bits[:, 0].astype(bool),
        weight=weights,
        square=squares,
        cluster=None if cluster is None else distinct >> (k + 1),
        importance=importance,
    )


def _whole(total: float) -> float:
    """Counts as whole numbers, sums of weights as they are."""
    value = float(total)
    return int(value) if value.is_integer() else value
