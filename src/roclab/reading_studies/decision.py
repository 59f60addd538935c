r"""Sensitivity and specificity at the readers' own decision: a rate is an area of one class, so all else follows.

A reader who calls a case positive from a rating c on has the sensitivity :math:`P(X \ge c)` of the positives; a case
adds to it by itself, so its influence is 1 or 0 and the covariance of two readers is that of their calls.
"""

from __future__ import annotations

import numpy as np

from roclab._core.types import Bools
from roclab.data.tally import Tally
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.influence import Influence
from roclab.names import ReaderRate

__all__ = ["area_of_rate", "is_rate", "rests_on"]


def area_of_rate(rate: ReaderRate, threshold: float) -> Area:
    """Sensitivity or specificity of calls at a threshold, ratings at or above which are called positive."""
    sensitivity = rate == "sensitivity"

    def estimate(tally: Tally) -> float:
        called = tally.score >= threshold
        hits, cases = (tally.pos[called], tally.n_pos) if sensitivity else (tally.neg[~called], tally.n_neg)
        return float(hits.sum()) / float(cases)

    def influence(tally: Tally) -> Influence:
        called = (tally.score >= threshold).astype(np.float64)
        nothing = np.zeros(called.size)
        return Influence(called, nothing) if sensitivity else Influence(nothing, 1 - called)

    return Area(
        quantity=rate,
        method=f"calls from {threshold:g} on",
        estimate=estimate,
        bounds=(0.0, 1.0),
        influence=influence,
    )


def rests_on(area: Area, label: Bools) -> Bools:
    """Which cases an area rests on: all, but for a rate those of its class.

    >>> rests_on(area_of_rate("specificity", 3), np.array([True, False])).tolist()
    [False, True]
    """
    if not is_rate(area):
        return np.ones(label.size, np.bool_)
    return label if area.quantity == "sensitivity" else ~label


def is_rate(area: Area) -> bool:
    """True for a rate of one class."""
    return area.quantity in ("sensitivity", "specificity")
