"""Ordered categories of two classes: rating counts, or the runs of one truth state along a continuous score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from roclab._core.types import Bools, Counts, Floats
from roclab.data.tally import Tally

__all__ = ["Categories", "Degenerate", "categories_of", "degenerate_shape"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Categories:
    """Counts of both classes per category, ascending."""

    pos: Counts
    neg: Counts
    lowest: Floats  # smallest score of each category, on the scale where higher means positive

    @property
    def count(self) -> int:
        """Number of categories."""
        return int(self.pos.size)


def categories_of(tally: Tally, *, merge_runs: bool) -> Categories:
    """The distinct scores as categories, neighbours that hold one class only joined into runs [1]_; O(n).

    Joining loses nothing: a cut between two scores of the same class can be put anywhere without changing the others.

    References
    ----------
    .. [1] Metz CE, Herman BA, Shen JH. Stat Med 1998;17:1033-1053 (LABROC4, truth-state runs).

    Examples
    --------
    >>> tally = Tally.from_samples(np.array([4.0, 5.0, 2.0]), np.array([1.0, 3.0, 5.0]))
    >>> found = categories_of(tally, merge_runs=True)
    >>> found.pos.tolist(), found.neg.tolist()
    ([0, 1, 0, 1, 1], [1, 0, 1, 0, 1])
    """
    score = tally.score[::-1]
    pos, neg = (counts[::-1].astype(np.int64) for counts in (tally.pos, tally.neg))
    starts: Bools = np.ones(score.size, np.bool_)
    if merge_runs:
        only_pos, only_neg = neg == 0, pos == 0
        starts[1:] = ~((only_pos[1:] & only_pos[:-1]) | (only_neg[1:] & only_neg[:-1]))
    first = np.flatnonzero(starts)
    return Categories(pos=np.add.reduceat(pos, first), neg=np.add.reduceat(neg, first), lowest=score[first])


@dataclass(frozen=True, slots=True, kw_only=True)
class Degenerate:
    """Why no binormal curve fits best, and the curve that the fits approach."""

    area: float
    shape: Literal["level", "upright", "unknown"]  # constant tpr, constant fpr, or not determined
    reason: str


def degenerate_shape(data: Categories) -> Degenerate | None:
    """Find data whose likelihood rises without end as b goes to 0 or to infinity.

    As b goes to 0 the negatives shrink to a point beside the positives. That point can be spread over any categories
    that hold no positive, so if no positive lies strictly between the lowest and the highest category of the
    negatives, the limit fits perfectly: a level line at the share of positives above the point. With the classes
    exchanged (b to infinity) the limit is an upright line. Otherwise every limit has likelihood 0 somewhere and the
    maximum is inside.
    """
    pos, neg = data.pos, data.neg
    n_pos, n_neg = int(pos.sum()), int(neg.sum())
    half_wins = float(np.dot(pos, np.cumsum(neg) - neg / 2)) / (n_pos * n_neg)
    if data.count == 1:
        return Degenerate(area=0.5, shape="unknown", reason="all scores are tied, so there is one category only")
    if half_wins in (0.0, 1.0):
        level = "above" if half_wins == 1 else "below"
        return Degenerate(
            area=half_wins,
            shape="level",
            reason=f"the classes are separated (every positive lies {level} every negative), so a is unbounded",
        )
    limits: list[Degenerate] = []
    low, high = np.flatnonzero(neg)[[0, -1]]
    if low == high or not pos[low + 1 : high].any():
        above = pos[high if low < high else low + 1 :].sum() / n_pos
        above += pos[low] / 2 / n_pos if low == high else 0.0
        reason = (
            "no positive lies strictly between the lowest and the highest category of the negatives, so b goes to 0"
        )
        limits.append(Degenerate(area=float(above), shape="level", reason=reason))
    first, last = np.flatnonzero(pos)[[0, -1]]
    if first == last or not neg[first + 1 : last].any():
        below = neg[: first + 1 if first < last else first].sum() / n_neg
        below += neg[first] / 2 / n_neg if first == last else 0.0
        reason = (
            "no negative lies strictly between the lowest and the highest category of the positives, so b is unbounded"
        )
        limits.append(Degenerate(area=float(below), shape="upright", reason=reason))
    if not limits:
        return None
    shared = (low == high and pos[low] > 0) or (first == last and neg[first] > 0)  # split at will, all equally likely
    if len(limits) == 1 and not shared:
        return limits[0]
    why = "one cut-off only" if data.count == 2 else "too few mixed categories"
    return Degenerate(
        area=half_wins,
        shape="unknown",
        reason=f"{why}, so many binormal curves fit perfectly and a and b are not determined",
    )
