"""Bootstrap of subjects: whole subjects are drawn with all their cases, because cases of one subject are alike.

K of K subjects are drawn with replacement, each with all its cases of both classes, as studies draw them. Class sizes
change from sample to sample with the subjects; a sample that lacks a class is drawn again. Subjects are numbered by
their sorted names, so that the result does not depend on the order of the rows.

References
----------
Davison AC, Hinkley DV. Bootstrap Methods and their Application. Cambridge 1997, section 3.8.
Rutter CM. Bootstrap estimation of diagnostic accuracy with patient-clustered data. Acad Radiol 2000;7:413-419.
doi:10.1016/S1076-6332(00)80381-5
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from roclab._core.types import Counts, Floats, Ints
from roclab.areas.empirical import doubled_wins
from roclab.data.subjects import Subjects
from roclab.data.tally import Tally
from roclab.errors import InputError

__all__ = ["SubjectDraws", "resampled"]

_TRIES = 1000


def resampled(tally: Tally, pos: Counts, neg: Counts) -> Tally:
    """The tally with other counts; scores nobody drew leave no vertex."""
    kept = np.flatnonzero(pos + neg)
    sample = replace(tally.sample, n_pos=int(pos.sum()), n_neg=int(neg.sum()), subjects=0)
    return Tally(score=tally.score[kept], pos=pos[kept], neg=neg[kept], sample=sample)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SubjectDraws:
    """Where each case stands among the distinct scores, and whose it is."""

    tally: Tally
    subjects: Subjects
    places: Ints  # of every case among the distinct scores, descending

    @property
    def scheme(self) -> str:
        """What results call it."""
        return "clustered"

    @classmethod
    def of(cls, tally: Tally) -> SubjectDraws:
        """Find the place of every case once, before all replicates; O(n log n)."""
        assert tally.subjects is not None
        places = tally.score.size - np.searchsorted(tally.score[::-1], tally.subjects.score, side="right")
        return cls(tally=tally, subjects=tally.subjects, places=places)

    def times(self, rng: np.random.Generator) -> Ints:
        """How often every subject is drawn; both classes are always present."""
        count = len(self.subjects)
        for _ in range(_TRIES):
            times = np.bincount(rng.integers(0, count, count), minlength=count)
            of_case = times[self.subjects.number] * self._repeats
            if of_case[self.subjects.label].any() and of_case[~self.subjects.label].any():
                return times
        raise InputError(
            "", "resampling subjects keeps drawing one class only, because too few subjects have it",
            way_out="collect more subjects",
        )  # fmt: skip

    @property
    def _repeats(self) -> Ints | int:
        return 1 if self.subjects.weight is None else self.subjects.weight.astype(np.int64)

    def at_scores(self, times: Ints) -> tuple[Ints, Ints]:
        """Positives and negatives at each distinct score, where every subject counts so many times."""
        of_case = times[self.subjects.number] * self._repeats
        size = self.tally.score.size
        found = [
            np.bincount(self.places[side], weights=of_case[side], minlength=size).astype(np.int64)
            for side in (self.subjects.label, ~self.subjects.label)
        ]
        return found[0], found[1]

    def counts(self, rng: np.random.Generator) -> tuple[Ints, Ints]:
        """Resampled positives and negatives at each distinct score."""
        return self.at_scores(self.times(rng))

    def bags(self, rng: np.random.Generator) -> tuple[tuple[Ints, Ints], tuple[Ints, Ints] | None]:
        """Positives and negatives at each distinct score in the sample, and of the subjects that were not drawn."""
        times = self.times(rng)
        left = self.at_scores((times == 0).astype(np.int64))
        return self.at_scores(times), left if left[0].any() and left[1].any() else None

    def tally_once(self, rng: np.random.Generator) -> Tally:
        """The tally of one resampled set of subjects."""
        return resampled(self.tally, *self.counts(rng))

    def auc(self, rng: np.random.Generator) -> float:
        """The AUC of one resampled set of subjects."""
        pos, neg = self.counts(rng)
        return doubled_wins(pos, neg) / (2 * int(pos.sum()) * int(neg.sum()))

    def statistic(self, estimate: Callable[[Tally], float]) -> Callable[[np.random.Generator], float]:
        """Any area of one resampled set of subjects."""
        return lambda rng: estimate(self.tally_once(rng))

    def matrices(self, rng: np.random.Generator, by_subject: Floats) -> Floats:
        """Totals of numbers of subjects (one row each) over the drawn ones."""
        total: Floats = np.sum(self.times(rng)[:, None] * by_subject, axis=0)
        return total
