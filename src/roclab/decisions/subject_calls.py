"""Calls of subjects with several cases: a confusion matrix of every subject, from which variances of metrics follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Array, Bools, Floats
from roclab.data.subjects import Subjects, numbered
from roclab.inference.one_curve.design_effects import DesignEffect, Metric, design_effect

__all__ = ["SubjectCalls", "calls_by_subject", "effect_on"]

_POSITIVES, _NEGATIVES, _CALLED, _CLEARED = (0, 2), (1, 3), (0, 1), (2, 3)
# Cells of the matrix (TP, FP, FN, TN) in the denominator of a metric; of the others all of them.
_CELLS = {
    "tpr": _POSITIVES, "fnr": _POSITIVES, "tnr": _NEGATIVES, "fpr": _NEGATIVES,
    "ppv": _CALLED, "fdr": _CALLED, "npv": _CLEARED, "for": _CLEARED,
    "f1": (0, 1, 2), "jaccard": (0, 1, 2),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubjectCalls:
    """Cases with their subjects, called positive from a threshold on; counted by subject when somebody asks."""

    subjects: Subjects
    threshold: float  # oriented

    def __len__(self) -> int:
        return len(self.subjects)

    def table(self) -> Floats:
        """TP, FP, FN and TN of every subject, K x 4; O(n)."""
        return self.subjects.counts_at(self.threshold)

    def with_those_of(self, other: SubjectCalls) -> SubjectCalls:
        """The cases of both together; the same name is the same subject."""
        mine, theirs = self.subjects, other.subjects
        label = np.concatenate([mine.label, theirs.label])
        called = np.concatenate([mine.score >= self.threshold, theirs.score >= other.threshold])
        ids = np.concatenate([mine.names[mine.number].astype(str), theirs.names[theirs.number].astype(str)])
        weight = None
        if mine.weight is not None or theirs.weight is not None:
            weight = np.concatenate([mine.weights(), theirs.weights()])
        return calls_by_subject(label, called, ids, weight=weight)

    def describe(self) -> str:
        """One line for people."""
        return f"cases of {len(self):,} subjects, which the intervals of with_intervals() count"


def effect_on(table: Floats, name: str, metric: Metric) -> DesignEffect | None:
    """What the counts of a table behind a metric are worth; None where fewer than two subjects have cases for it."""
    return design_effect(table, metric, _CELLS.get(name, (0, 1, 2, 3)))


def calls_by_subject(label: Bools, called: Bools, ids: Array, *, weight: Any = None) -> SubjectCalls:
    """Calls of cases with their subjects."""
    names, number = numbered(ids)
    subjects = Subjects(names=names, number=number, label=label, score=called.astype(np.float64), weight=weight)
    return SubjectCalls(subjects=subjects, threshold=1.0)
