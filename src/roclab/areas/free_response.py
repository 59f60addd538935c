r"""Figures of merit of free-response data: how often a lesion outscores the highest false mark of a case.

A case has any number of lesions, each with the rating of the highest mark on it, and one rival: the highest mark beside
its lesions. Whatever was not marked lies below every rating, at :math:`-\infty`. With :math:`w_l` the weight of lesion
l and the cases C that have a rival,

.. math:: A = \frac{\sum_l w_l \sum_{c \in C} \psi(x_l, y_c)}{|C| \sum_l w_l}, \qquad
          \psi(x, y) = 1_{x > y} + \tfrac12 1_{x = y},

==========  =====================  ==========================================
figure      rivals C               weights
==========  =====================  ==========================================
AFROC       cases without lesions  each lesion the same
AFROC1      all cases              each lesion the same
wAFROC      cases without lesions  each case the same: weights sum to 1 in it
wAFROC1     all cases              likewise
==========  =====================  ==========================================

References
----------
Chakraborty DP. Observer performance methods for diagnostic imaging. CRC Press 2017, chapters 13 and 14.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from roclab._core.types import Bools, Floats, Ints, frozen
from roclab.names import FrocFigure

__all__ = ["MarkedCases", "area_of_marks", "areas_without_cases", "marked_cases"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MarkedCases:
    """What one reader or detector marked: a rating of every lesion and a rival in every case."""

    lesion_case: Ints
    lesion_score: Floats  # -inf where nothing marked it
    lesion_weight: Floats
    rival: Floats  # of every case, -inf where nothing beside its lesions was marked
    rivalling: Bools  # cases whose rival counts

    def __post_init__(self) -> None:
        for one in (self.lesion_case, self.lesion_score, self.lesion_weight, self.rival, self.rivalling):
            frozen(one)


def marked_cases(
    figure: FrocFigure, *, lesion_case: Ints, lesion_score: Floats, rival: Floats, weight: Floats | None = None
) -> MarkedCases:
    """The parts of a figure of merit; ``weight`` of every lesion is 1 / (lesions of its case) where none is given."""
    held = np.bincount(lesion_case, minlength=rival.size)
    if not figure.startswith("w"):
        weight = np.ones(lesion_case.size)
    elif weight is None:
        weight = 1 / held[lesion_case]
    return MarkedCases(
        lesion_case=lesion_case,
        lesion_score=lesion_score,
        lesion_weight=weight,
        rival=rival,
        rivalling=np.ones(rival.size, np.bool_) if figure.endswith("1") else held == 0,
    )


def area_of_marks(marked: MarkedCases, times: Floats | None = None) -> float:
    """The figure of merit; with ``times``, of a sample that holds every case so often. NaN without rivals; O(n log n).

    >>> two = marked_cases("AFROC", lesion_case=np.array([0]), lesion_score=np.array([3.0]), rival=np.array([1.0, 2.0]))
    >>> area_of_marks(two)
    1.0
    """
    held = np.ones(marked.rival.size) if times is None else times
    lesions = marked.lesion_weight * held[marked.lesion_case]
    rivals = held[marked.rivalling]
    pairs = float(rivals.sum() * lesions.sum())
    return float(np.sum(lesions * _beaten(marked, rivals))) / pairs if pairs else math.nan


def areas_without_cases(marked: MarkedCases) -> Floats:
    """The figure of merit with each case left out in turn, its lesions and its rival; all of them O(n log n).

    What a case adds to the sum over pairs is what its lesions win and what is won against its rival; the pairs of its
    lesions with its own rival are in both. NaN where a case has all lesions, or is the only rival.
    """
    size = marked.rival.size
    weight, of_case = marked.lesion_weight, marked.lesion_case
    rivals = marked.rivalling.astype(np.float64)
    wins = weight * _beaten(marked, rivals[marked.rivalling])
    own = weight * _half_wins(marked.lesion_score, marked.rival[of_case]) * rivals[of_case]
    order = np.argsort(marked.lesion_score, kind="stable")
    score = marked.lesion_score[order]
    reach = np.concatenate([[0.0], np.cumsum(weight[order])])
    above = reach[-1] - reach[np.searchsorted(score, marked.rival, side="right")]
    level = reach[-1] - reach[np.searchsorted(score, marked.rival, side="left")]
    lost = (above + level) / 2 * rivals
    per_case = [np.bincount(of_case, weights=one, minlength=size) for one in (wins, own, weight)]
    left = float(wins.sum()) - per_case[0] - lost + per_case[1]
    pairs = (float(weight.sum()) - per_case[2]) * (float(rivals.sum()) - rivals)
    # A difference of equal sums of weights such as 1/3 may leave a trace: a case with all lesions leaves no pair.
    known = (np.bincount(of_case, minlength=size) < of_case.size) & (rivals.sum() > rivals)
    out: Floats = np.divide(left, pairs, out=np.full(size, math.nan), where=known)
    return out


def _beaten(marked: MarkedCases, times: Floats) -> Floats:
    """Rivals that every lesion outscores, a tie counting one half."""
    rivals = marked.rival[marked.rivalling]
    order = np.argsort(rivals, kind="stable")
    ordered, before = rivals[order], np.concatenate([[0.0], np.cumsum(times[order])])
    below = before[np.searchsorted(ordered, marked.lesion_score, side="left")]
    upto = before[np.searchsorted(ordered, marked.lesion_score, side="right")]
    half: Floats = (below + upto) / 2
    return half


def _half_wins(lesion: Floats, rival: Floats) -> Floats:
    wins: Floats = (lesion > rival) + 0.5 * (lesion == rival)
    return wins
