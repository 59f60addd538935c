"""Subjects with several cases: whose every case is, which a tally alone forgets.

Cases of one subject are alike, so that intervals and tests count subjects. A tally made from such cases carries them
along; whatever is estimated from its counts stays the same, and whatever is uncertain can ask them.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass, replace

import numpy as np

from roclab._core.types import Array, Bools, Counts, Floats, Ints
from roclab.errors import InputError, Words, named

__all__ = ["Subjects", "numbered", "rows_needed"]

_REMEMBERED: dict[int, tuple[weakref.ref[Array], Array, Ints]] = {}


def numbered(ids: Array) -> tuple[Array, Ints]:
    """The distinct ids, sorted, and the number of every case's; identifiers that are not whole numbers are text.

    Remembered for as long as the array lives: one question asks for it several times, and sorting text is slow.

    >>> names, number = numbered(np.array(["b", "a", "b"]))
    >>> names.tolist(), number.tolist()
    (['a', 'b'], [1, 0, 1])
    """
    known = _REMEMBERED.get(id(ids))
    if known is not None and known[0]() is ids:
        return known[1], known[2]
    names, number = np.unique(ids if ids.dtype.kind in "iu" else ids.astype(str), return_inverse=True)
    key = id(ids)
    _REMEMBERED[key] = (weakref.ref(ids, lambda _: _REMEMBERED.pop(key, None)), names, number)
    return names, number


def rows_needed() -> InputError:
    """What is said where subjects are to be counted and only counts of an engine are at hand."""
    return InputError(
        "ids", "are counted from their rows, which must be in memory for this question", Words("counts of an engine"),
        f"fetch the rows with {named('engine', 'memory')}, ask for areas, or leave out {named('ids')}",
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subjects:
    """Cases with their subjects, in the direction of their tally.

    Attributes
    ----------
    names : array
        Of the K subjects, sorted.
    number : array
        Which of them every case belongs to.
    label, score : arrays
        Class and oriented score of every case.
    weight : array or None
        What every case counts.
    """

    names: Array
    number: Ints
    label: Bools
    score: Floats
    weight: Counts | None = None

    def __len__(self) -> int:
        return int(self.names.size)

    def reversed(self) -> Subjects:
        """The same with the direction of the score reversed."""
        return replace(self, score=-self.score + 0.0)

    def mirrored(self) -> Subjects:
        """Scores reversed and classes swapped."""
        return replace(self, score=-self.score + 0.0, label=~self.label)

    def counts(self, called: Bools) -> Floats:
        """True and false positives, false and true negatives of every subject, K x 4."""
        cell = np.where(self.label, np.where(called, 0, 2), np.where(called, 1, 3))
        size = 4 * len(self)
        found: Floats = np.bincount(4 * self.number + cell, weights=self.weight, minlength=size).astype(np.float64)
        return found.reshape(-1, 4)

    def counts_at(self, threshold: float) -> Floats:
        """The same where cases that reach an oriented threshold are called positive."""
        return self.counts(self.score >= threshold)

    def weights(self) -> Floats:
        """What every case counts."""
        return np.ones(self.label.size) if self.weight is None else self.weight.astype(np.float64)
