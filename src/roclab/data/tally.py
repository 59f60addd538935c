"""The tally: distinct scores with the positives and negatives at each, and nothing else.

Every empirical statistic of one score is a function of its tally, and tallies merge: two chunks of
the data, counted apart, give the same tally as the whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from roclab._core.checks import in_full
from roclab._core.label_sort import ScoreCounts, count_by_score, sum_by_score
from roclab._core.types import Array, Bools, Counts, Floats, frozen
from roclab.data.subjects import Subjects, rows_needed
from roclab.errors import InputError, OneClassError, Words
from roclab.results import Sample
from roclab.results.restoring import CannotRestoreError

__all__ = ["Known", "Tally", "subjects_at_hand"]

_LONGEST = 2**63 - 1  # the largest int64


class Known(Protocol):
    """Numbers that were counted from all rows, where the tally keeps only groups of scores."""

    @property
    def auc(self) -> float:
        """The area."""
        ...

    @property
    def parts(self) -> tuple[float, float]:
        """What positives and negatives add to DeLong's variance."""
        ...

    @property
    def tauc(self) -> float:
        """Area under the tROC curve."""
        ...

    @property
    def average_precision(self) -> float | None:
        """Average precision, where it was counted."""
        ...

    @property
    def fourth(self) -> tuple[float, float] | None:
        """Sums of fourth powers of DeLong's components about the area, where they were counted."""
        ...

    @property
    def excess(self) -> Counts | None:
        """Of every row of the tally: twice the pairs that positives win inside it, less the pairs inside it."""
        ...

    def reversed(self) -> Known:
        """The same with the direction of the score reversed."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tally:
    """Distinct scores, descending, with the weight of positives and of negatives at each.

    A higher score always means "more positive" here: for ``direction="lower"`` the scores are stored
    negated, and ``sample.direction`` remembers it so that thresholds are shown in the user's units.

    Attributes
    ----------
    score : array of float64
        Distinct scores in descending order; ±inf allowed.
    pos, neg : arrays
        Positives and negatives at each score: int64 counts, or float64 total weights.
    pos_squares, neg_squares : arrays or None
        Sums of squared weights at each score, kept for importance weights only: the variance of a
        weighted estimate needs them.
    sample : Sample
        Class totals and the circumstances of the data.
    top : array or None
        Highest score of each row, where rows are cells that join several scores and ``score`` is the lowest: only data
        that were counted on an engine have it. All vertices of their curve are true; areas have an error.
    known : Known or None
        Areas that were counted before scores were joined, which have no such error.
    counted : str
        Which engine counted, and how.
    """

    score: Floats
    pos: Counts
    neg: Counts
    sample: Sample
    pos_squares: Floats | None = None
    neg_squares: Floats | None = None
    top: Floats | None = None
    known: Known | None = None
    counted: str = ""  # by which engine and how, where it was one
    # Hidden: counts are what a tally shows.
    _subjects: Subjects | None = field(default=None, metadata={"not_in_json": True})

    def __post_init__(self) -> None:
        for array in (self.score, self.pos, self.neg, self.pos_squares, self.neg_squares, self.top):
            if array is not None:
                frozen(array)

    # -- ways in -------------------------------------------------------------------------------

    @classmethod
    def _fields_of(cls, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Counts without their subjects would be taken for independent cases."""
        if data["sample"]["subjects"] or data["known"]:
            raise CannotRestoreError("its counts stand for subjects or cells, which JSON does not hold")
        return data

    @classmethod
    def from_labels(
        cls,
        label: Bools,
        score: Array,
        *,
        weight: Counts | None = None,
        sample: Sample | None = None,
    ) -> Tally:
        """Count validated cases: one sort, O(n log n).

        Integer weights count as repetitions; real weights are importance weights.

        >>> tally = Tally.from_labels(np.array([True, False, True]), np.array([2.0, 1.0, 1.0]))
        >>> tally.score.tolist(), tally.pos.tolist(), tally.neg.tolist()
        ([2.0, 1.0], [1, 1], [0, 1])
        """
        if weight is None:
            counts = count_by_score(label, score)
            n_pos = int(np.count_nonzero(label))
            return cls._of(counts, sample, totals=(n_pos, label.size - n_pos), may_be_empty=False)
        if weight.dtype.kind != "f":
            return cls._of(sum_by_score(label, score, weight)[0], sample)
        counts, squares = sum_by_score(label, score, weight, squares=True)
        return cls._of(counts, sample, squares=squares)

    @classmethod
    def from_samples(cls, positives: Array, negatives: Array, *, sample: Sample | None = None) -> Tally:
        """Count two samples: the scores of the positives and those of the negatives."""
        label = np.repeat([True, False], [positives.size, negatives.size])
        return cls.from_labels(label, np.concatenate([positives, negatives]), sample=sample)

    @classmethod
    def from_counts(cls, score: Array, pos: Array, neg: Array, *, sample: Sample | None = None) -> Tally:
        """Take a ready table: one row per rating or score, in any order; equal scores are joined."""
        ordered, place = np.unique(-score.astype(np.float64), return_inverse=True)
        totals = []
        for column in (pos, neg):
            total: Counts = np.zeros(ordered.size, np.int64 if column.dtype.kind in "iu" else np.float64)
            np.add.at(total, place, column)
            totals.append(total)
        return cls._of(ScoreCounts(-ordered + 0.0, totals[0], totals[1]), sample)

    @classmethod
    def _of(
        cls,
        counts: ScoreCounts,
        sample: Sample | None,
        *,
        squares: ScoreCounts | None = None,
        totals: tuple[float, float] | None = None,
        may_be_empty: bool = True,
    ) -> Tally:
        score, pos, neg = counts
        n_pos, n_neg = (pos.sum().item(), neg.sum().item()) if totals is None else totals
        if n_pos <= 0 or n_neg <= 0:
            check_both_classes(replace(sample or Sample(n_pos=n_pos, n_neg=n_neg), n_pos=n_pos, n_neg=n_neg))
        if pos.dtype.kind != "f" and 4 * n_pos * n_neg > _LONGEST:  # pairs of cases would not fit into their integers
            pos, neg = pos.astype(np.float64), neg.astype(np.float64)
        if sample is None:
            sample = Sample(n_pos=n_pos, n_neg=n_neg)
        elif (sample.n_pos, sample.n_neg) != (n_pos, n_neg):
            sample = replace(sample, n_pos=n_pos, n_neg=n_neg)
        pos_squares = neg_squares = None
        if squares is not None:
            pos_squares, neg_squares = squares.pos.astype(np.float64), squares.neg.astype(np.float64)
        if may_be_empty:
            kept = np.flatnonzero((pos != 0) | (neg != 0))  # cases of weight zero make no vertex
            score, pos, neg = score[kept], pos[kept], neg[kept]
            if pos_squares is not None and neg_squares is not None:
                pos_squares, neg_squares = pos_squares[kept], neg_squares[kept]
        return cls(score=score, pos=pos, neg=neg, sample=sample, pos_squares=pos_squares, neg_squares=neg_squares)

    # -- views ---------------------------------------------------------------------------------

    @property
    def n_pos(self) -> float:
        """Number (int) or total weight (float) of the positives, P."""
        return self.sample.n_pos

    @property
    def n_neg(self) -> float:
        """Number (int) or total weight (float) of the negatives, N."""
        return self.sample.n_neg

    @property
    def subjects(self) -> Subjects | None:
        """Whose the cases are, where subjects have several and the rows are at hand."""
        return self._subjects

    @property
    def weighted(self) -> bool:
        """True for importance weights: sums are real numbers, not counts of cases."""
        return self.pos_squares is not None

    @property
    def untied(self) -> bool:
        """True when every case has a score of its own."""
        return self.top is None and self.pos.dtype.kind != "f" and self.score.size == self.n_pos + self.n_neg

    @property
    def leans_lower(self) -> bool:
        """True when negatives outscore positives in more than half of all pairs: the AUC is below one half."""
        if self.known is not None:
            return self.known.auc < 0.5
        wins = self.neg * (2 * np.cumsum(self.pos) - self.pos)
        return bool(wins.sum() < self.n_pos * self.n_neg)

    def shown(self, oriented: Floats) -> Floats:
        """Scores or thresholds in the user's own units: un-negated for ``direction="lower"``."""
        return oriented if self.sample.direction == "higher" else 0.0 - oriented  # never -0

    # -- algebra -------------------------------------------------------------------------------

    def merge(self, other: Tally) -> Tally:
        """The tally of both sets of cases together; exact, associative and commutative."""
        if self.top is not None or other.top is not None:
            raise InputError(
                "", "cells of scores merge as counts that travel", way_out="write them with rl.tally and use rl.merge"
            )
        mine, theirs = self.sample, other.sample
        if (mine.direction, mine.positive, mine.negative) != (theirs.direction, theirs.positive, theirs.negative):
            raise InputError(
                "",
                "tallies merge only when they agree on labels and direction",
                Words(
                    f"{mine.positive!r}/{mine.negative!r}/{mine.direction} and {theirs.positive!r}/{theirs.negative!r}"
                    f"/{theirs.direction}"
                ),
                "count both parts the same way",
            )
        if self.weighted != other.weighted:
            raise InputError(
                "",
                "tallies merge only when both or neither hold importance weights",
                way_out="count both parts the same way",
            )
        # Exact equality, never isclose: near-ties are distinct scores, and joining them would let the
        # result depend on the order in which chunks arrive.
        negated, place = np.unique(np.concatenate([-self.score, -other.score]), return_inverse=True)

        def joined(a: Any, b: Any) -> Any:
            total = np.zeros(negated.size, np.result_type(a, b))
            np.add.at(total, place, np.concatenate([a, b]))
            return total

        return Tally(
            score=-negated + 0.0,
            pos=joined(self.pos, other.pos),
            neg=joined(self.neg, other.neg),
            sample=replace(
                mine,
                n_pos=mine.n_pos + theirs.n_pos,
                n_neg=mine.n_neg + theirs.n_neg,
                dropped=mine.dropped + theirs.dropped,
            ),
            pos_squares=joined(self.pos_squares, other.pos_squares) if self.weighted else None,
            neg_squares=joined(self.neg_squares, other.neg_squares) if self.weighted else None,
        )

    def joined_notes(self) -> tuple[str, ...]:
        """Where scores were counted in cells: how far each may lie from the end of its cell that stands for it."""
        if self.top is None or not bool(np.any(self.top > self.score)):
            return ()
        inside = np.isfinite(self.score) & np.isfinite(self.top)
        width = float(np.max((self.top - self.score)[inside], initial=0.0))
        called = f" of {self.sample.score}" if self.sample.score else ""
        return (
            f"Scores{called} were counted in {self.score.size:,} cells ({self.counted}): each stands for those of its "
            f"cell, which moves them by at most {width:.2g}.",
        )

    def reversed(self) -> Tally:
        """The same cases with the direction of the score reversed: every area A becomes 1 - A."""
        other: Any = {"higher": "lower", "lower": "higher"}[self.sample.direction]
        flip = slice(None, None, -1)
        return Tally(
            score=-(self.score if self.top is None else self.top)[flip] + 0.0,
            pos=self.pos[flip],
            neg=self.neg[flip],
            sample=replace(self.sample, direction=other),
            top=None if self.top is None else -self.score[flip] + 0.0,
            known=None if self.known is None else self.known.reversed(),
            counted=self.counted,
            pos_squares=None if self.pos_squares is None else self.pos_squares[flip],
            neg_squares=None if self.neg_squares is None else self.neg_squares[flip],
            _subjects=None if self._subjects is None else self._subjects.reversed(),
        )

    def mirrored(self) -> Tally:
        """Scores reversed and classes swapped: the curve mirrored about tpr = 1 - fpr, with the same AUC."""
        back = self.reversed()
        swapped = replace(
            back.sample,
            n_pos=self.n_neg,
            n_neg=self.n_pos,
            positive=self.sample.negative,
            negative=self.sample.positive,
        )
        return Tally(
            score=back.score,
            pos=back.neg,
            neg=back.pos,
            sample=swapped,
            top=back.top,
            pos_squares=back.neg_squares,
            neg_squares=back.pos_squares,
            _subjects=None if self._subjects is None else self._subjects.mirrored(),
        )

    def __repr__(self) -> str:
        return f"Tally({self.score.size} distinct scores; {self.sample.describe()})"


def subjects_at_hand(tally: Tally) -> Subjects | None:
    """Whose the cases are, for whatever is uncertain: counts of an engine do not tell, and say so."""
    if tally.subjects is None and tally.sample.subjects:
        raise rows_needed()
    return tally.subjects


def check_both_classes(sample: Sample) -> None:
    """Refuse cases of one class."""
    if sample.n_pos <= 0 or sample.n_neg <= 0:
        missing = f"positive ({sample.positive})" if sample.n_pos <= 0 else f"negative ({sample.negative})"
        raise OneClassError(
            "",
            "a ROC curve needs both classes",
            Words(f"{in_full(sample.n_pos)} positives and {in_full(sample.n_neg)} negatives"),
            f"add cases of the {missing} class or check which label is positive",
        )
