"""Both rates at every threshold of subjects with several cases, with what their counts are worth there; O(n log n).

As the threshold falls past a case of subject k, its count x_k of called cases rises by the case's weight, and

    sum of (x_k - p m_k)^2 = sum of x_k^2 - 2 p sum of x_k m_k + p^2 sum of m_k^2

with m_k its cases of the class and p the rate of all. The first two sums change by what one case adds, so running sums
give the design effect (``design_effects``) at every threshold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from roclab._core.types import Bools, Floats
from roclab.data.subjects import Subjects
from roclab.data.tally import Tally
from roclab.inference.one_area.design_effect import LEAST_EFFECT
from roclab.inference.one_curve.design_effects import level_of_t
from roclab.inference.one_curve.proportions import proportion_interval
from roclab.names import ProportionInterval
from roclab.results import Interval

__all__ = ["ClusteredRates", "clustered_rates"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClusteredRates:
    """The rate of one class at every vertex of the curve, with its design effect."""

    rate: Floats
    effect: Floats
    cases: float
    subjects: int  # that have a case of the class

    def intervals(self, *, level: float, method: ProportionInterval) -> list[Interval]:
        """The interval of a proportion at every vertex, on effective counts, with t."""
        asked = level_of_t(level, max(self.subjects - 1, 1))
        found = []
        for rate, effect in zip(self.rate.tolist(), self.effect.tolist(), strict=True):
            n = self.cases / effect
            one = proportion_interval(min(rate * n, n), n, level=asked, method=method)
            found.append(
                replace(one, level=level, method=f"{one.method} t on effective cases of {self.subjects} subjects")
            )
        return found


def clustered_rates(tally: Tally, subjects: Subjects) -> tuple[ClusteredRates, ClusteredRates]:
    """True and false positive rates at every vertex."""
    return _of_class(tally, subjects, subjects.label), _of_class(tally, subjects, ~subjects.label)


def _of_class(tally: Tally, subjects: Subjects, rows: Bools) -> ClusteredRates:
    score, number, weight = subjects.score[rows], subjects.number[rows], subjects.weights()[rows]
    of_subject = np.bincount(number, weights=weight, minlength=len(subjects))
    held, total = int(np.count_nonzero(of_subject)), float(weight.sum())
    order = np.lexsort((-score, number))
    # Within every subject, in falling order of its scores: what it had before each case.
    running = np.cumsum(weight[order])
    start = np.concatenate([[0.0], np.cumsum(of_subject)])[number[order]]
    before = running - weight[order] - start
    squares, products = np.empty(score.size), np.empty(score.size)
    squares[order] = weight[order] * (2 * before + weight[order])
    products[order] = weight[order] * of_subject[number[order]]
    place = tally.score.size - np.searchsorted(tally.score[::-1], score, side="right")
    counts, square, product = (
        np.concatenate([[0.0], np.cumsum(np.bincount(place, weights=one, minlength=tally.score.size))])
        for one in (weight, squares, products)
    )
    rate = counts / total
    spread = square - 2 * rate * product + rate**2 * float(np.sum(of_subject**2))
    own = rate * (1 - rate) * total
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = held / max(held - 1, 1) * np.maximum(spread, 0.0) / own
    inside = (own > 1e-12 * total) & (spread > 0)
    return ClusteredRates(
        rate=rate, effect=np.where(inside, np.maximum(effect, LEAST_EFFECT), max(total / held, 1.0)), cases=total,
        subjects=held,
    )  # fmt: skip
