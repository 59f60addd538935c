r"""Does a score say who is lost? The score test of Cox's model of the censoring, of the ranks of the score.

With mid-ranks R and those who are lost by the horizon as the events,

.. math:: U = \sum_{i \text{ lost}} (R_i - \bar R(T_i)), \qquad V = \sum_{i \text{ lost}} \operatorname{var} R(T_i),

mean and variance over everybody still followed, and :math:`z = U / \sqrt V`; in strata U and V are summed over them.
Nothing is fitted, O(n) after the sort. In 18 designs of 100 to 500 cases its size was .042 to .070 (that of Harrell's
concordance with the censoring .052 to .080) and its power the same: .80 to 1 where the hazard of a loss is
:math:`\propto e^{.8X}`, .20 to .97 where it is :math:`\propto e^{.3X}`.
"""

from __future__ import annotations

import math

import numpy as np

from roclab._core.types import Floats
from roclab.censoring.follow_up import CENSORED, FollowUp

__all__ = ["dependence_on"]


def dependence_on(follow_up: FollowUp, score: Floats, at: float) -> float | None:
    """The z of a test that the score says nothing about who is lost by then; above 0 where high ones go earlier.

    None where nobody is lost, or all scores are the same.

    >>> follow_up = FollowUp(time=np.array([1.0, 2, 3, 4, 5, 6]), event=np.array([0, 0, 0, 1, 1, 1]))
    >>> round(dependence_on(follow_up, np.array([6.0, 5, 4, 3, 2, 1]), 5.5), 4)
    2.4162
    """
    group = follow_up.ranked(score)
    size = np.bincount(group)
    middle = (np.cumsum(size) - size / 2)[group]
    parts = follow_up.strata or [(np.arange(len(follow_up)), follow_up)]
    sums = np.array([_parts(part, middle[rows] - score.size / 2, at) for rows, part in parts]).sum(axis=0)
    return float(sums[0] / math.sqrt(sums[1])) if sums[1] > 0 else None


def _parts(follow_up: FollowUp, rank: Floats, at: float) -> tuple[float, float]:
    weights = follow_up.weights
    held = follow_up.distinct <= at
    lost = np.where(held, follow_up.censored, 0.0)
    if not lost.any():
        return 0.0, 0.0
    # Weights as counts, scaled so that their sum is the number of cases: z knows nothing of their unit.
    scale = len(follow_up) / float(weights.sum())
    whole = follow_up.at_risk
    first = _still(follow_up, weights * rank) / whole
    second = _still(follow_up, weights * rank * rank) / whole
    who = (follow_up.event == CENSORED) & (follow_up.time <= at)
    found = float((weights * rank)[who].sum() - lost @ first)
    return scale * found, scale * float(lost @ np.maximum(second - first**2, 0.0))


def _still(follow_up: FollowUp, values: Floats) -> Floats:
    return np.asarray(np.cumsum(follow_up.by_time(values)[::-1])[::-1])
