r"""Several pairs at once: limits and p-values that hold for all of them together.

Adjusted p-values alone leave the limits of every pair to themselves. The single-step method (max-t) takes both from the
joint distribution of the pairs' statistics, whose correlations R follow from the covariance of the areas:

.. math:: p_i^{joint} = P\left(\max_j |Z_j| \ge c_i\right), \qquad c_i = \Phi^{-1}(1 - p_i/2), \qquad Z \sim N(0, R)

and each pair's interval is made by its own method (score, t, normal, percentile) at the one level that leaves 1 - level
for all pairs together. With all pairs of uncorrelated areas these are Tukey's comparisons, with one control Dunnett's.
Statistics by t enter with their p-values, so their joint tails are taken as those of normal deviates of the same
correlations, which are less alike than those of t: the error is not exceeded.

The probability is counted over pairs (Naiman; Adler, Blanchet and Liu): each of the m pairs is drawn beyond c, and N of
them are beyond it then,

.. math:: P\left(\max_j |Z_j| \ge c\right) = m\,P(|Z| \ge c)\,E\left[1 / N\right]

so that small probabilities have as many digits as large ones. The draws are always the same; with 3 pairs they leave a
relative error of about 0.001.

References
----------
Hothorn T, Bretz F, Westfall P. Biom J 2008;50:346-363. doi:10.1002/bimj.200810425
Dunnett CW. J Am Stat Assoc 1955;50:1096-1121. doi:10.1080/01621459.1955.10501294
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from roclab._core.types import Floats
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.contrasts import Difference
from roclab.inference.comparison.multiplicity import adjusted
from roclab.options.comparison import Pairs

__all__ = ["JointPairs", "family_words", "pairs_compared", "pairs_of"]

_MOST = 1 << 16  # draws
_WORK = 3e7  # draws x pairs x pairs: less than a second
_KNOTS = 64  # so many probabilities are counted, and others interpolated between them


def pairs_of(names: Sequence[str], control: str | None = None) -> list[tuple[int, int]]:
    """Places of all pairs; with a control, of every other one beside it."""
    if control is None:
        return list(combinations(range(len(names)), 2))
    if control not in names:
        raise InputError("control", f"must be one of {', '.join(names)}", control)
    at = list(names).index(control)
    return [(other, at) for other in range(len(names)) if other != at]


def pairs_compared(
    names: Sequence[str],
    asked: Pairs,
    difference: Callable[[int, int, float], Difference],
    matrix: Floats | None,
) -> tuple[Difference, ...]:
    """Every pair that was asked for, by a function of its places and level; ``matrix`` is the areas' covariance."""
    places = pairs_of(names, asked.control)
    if not asked.simultaneous:
        found = [difference(i, j, asked.level) for i, j in places]
        fixed = adjusted([one.p_value for one in found], asked.adjust)
        return tuple(replace(one, p_adjusted=p) for one, p in zip(found, fixed, strict=True))
    if matrix is None:
        raise InputError(
            "simultaneous", "limits need the covariance of all areas", Words("a method that has none"),
            f"use {named('variance', 'delong')}, or leave it out",
        )  # fmt: skip
    joint = JointPairs(matrix, places)
    level = joint.level_of_each(asked.level)
    found = [difference(i, j, level) for i, j in places]
    fixed = joint.p_values([one.p_value for one in found], two_sided=asked.alternative == "two-sided")
    return tuple(
        replace(
            one,
            p_adjusted=p,
            interval=replace(one.interval, level=asked.level, method=f"{one.interval.method}, simultaneous"),
        )
        for one, p in zip(found, fixed, strict=True)
    )


def family_words(asked: Pairs) -> str:
    """How the p-values of several pairs were adjusted."""
    return "max-t" if asked.simultaneous else asked.adjust


class JointPairs:
    """The joint distribution of several pairs' statistics."""

    def __init__(self, matrix: Floats, places: Sequence[tuple[int, int]]) -> None:
        sums = np.zeros((len(places), len(matrix)))
        for row, (i, j) in enumerate(places):
            sums[row, i], sums[row, j] = 1, -1
        spread = sums @ matrix @ sums.T
        square = np.diag(spread)
        scale = np.abs(sums) @ np.abs(np.diag(matrix))
        with np.errstate(invalid="ignore"):
            self.known = square > 1e-14 * scale  # pairs without a statistic are not of the family
        error = np.sqrt(square[self.known])
        self.correlation = np.clip(spread[np.ix_(self.known, self.known)] / np.outer(error, error), -1, 1)
        count = len(error)
        self._draws = int(np.clip(_WORK / max(count, 1) ** 2, 512, _MOST))
        rng = np.random.default_rng(20081027)
        values, vectors = np.linalg.eigh(self.correlation) if count else (np.zeros(0), np.zeros((0, 0)))
        kept = values > 1e-12 * max(count, 1)
        factor = vectors[:, kept] * np.sqrt(values[kept])
        self._normal: Floats = rng.standard_normal((self._draws, int(kept.sum()))) @ factor.T
        self._uniform = (rng.permutation(self._draws) + 0.5) / self._draws
        self._drawn = np.arange(self._draws) % max(count, 1)

    def error(self, deviate: float, *, two_sided: bool = True) -> float:
        """The chance that any of the pairs is so far from 0, or above 0, if all areas are equal."""
        from scipy.special import ndtr, ndtri

        count = len(self.correlation)
        tail = float(ndtr(-deviate))
        if count == 0 or tail == 0:
            return 0.0
        rows = np.arange(self._draws)
        beyond = -ndtri(self._uniform * tail)
        moved = (beyond - self._normal[rows, self._drawn])[:, None] * self.correlation[self._drawn]
        others = self._normal + moved
        exceeding = np.abs(others) >= deviate if two_sided else others >= deviate
        exceeding[rows, self._drawn] = True  # but for rounding it is
        mean = float(np.mean(1 / exceeding.sum(axis=1)))
        return min(count * tail * (2 if two_sided else 1) * mean, 1.0)

    def level_of_each(self, level: float) -> float:
        """The level of every single interval that leaves 1 - ``level`` for all of them together."""
        from scipy.optimize import brentq
        from scipy.special import ndtr, ndtri

        count = len(self.correlation)
        if count < 2:
            return level
        ends = [-float(ndtri((1 - level) / 2 / number)) for number in (1, count)]
        inside = [self.error(end) - (1 - level) for end in ends]
        if inside[0] <= 0 or inside[1] >= 0:  # as good as one pair, or as Bonferroni's
            return 1 - 2 * float(ndtr(-ends[0 if inside[0] <= 0 else 1]))
        found = float(brentq(lambda at: self.error(at) - (1 - level), ends[0], ends[1], xtol=1e-6))
        return 1 - 2 * float(ndtr(-found))

    def p_values(self, p_values: Sequence[float], *, two_sided: bool = True) -> list[float]:
        """Adjusted p-values, in the order given; undefined ones stay as they are."""
        from scipy.special import ndtri

        out = list(p_values)
        places = [at for at, p in enumerate(p_values) if self.known[at] and not math.isnan(p)]
        deviates = [-float(ndtri(p_values[at] / (2 if two_sided else 1))) for at in places]
        count = len(self.correlation)
        for at, fixed in zip(places, self._errors(deviates, two_sided=two_sided), strict=True):
            out[at] = min(max(fixed, p_values[at]), count * p_values[at], 1.0)
        return out

    def _errors(self, deviates: Sequence[float], *, two_sided: bool) -> list[float]:
        if not deviates:
            return []
        known = np.unique(deviates)
        if known.size > _KNOTS:
            known = np.linspace(known[0], min(known[-1], 37.0), _KNOTS)
        found = np.array([self.error(float(one), two_sided=two_sided) for one in known])
        # A larger statistic never has a larger p-value, whatever the draws say.
        logs = np.log(np.maximum(np.maximum.accumulate(found[::-1])[::-1], 1e-300))
        return [float(one) for one in np.exp(np.interp(deviates, known, logs))]
