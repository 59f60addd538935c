r"""Influence of single cases on the area of a part of the curve, from their places.

Inside a region the influence of a positive falls linearly with the false positive rate at which its score is crossed,
and that of a negative rises linearly with the true positive rate; outside it is constant. A tally whose cells are
opened at the edges of the region therefore tells the influence of every case by its place: scores that tie across an
edge have a row of their own there, with the mean over the interval that they cross
(``inference/one_area/influence.py``), and the other rows join into a few segments of scores, each with one line for
either class.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.fixed_sum import FixedSum
from roclab._core.types import Array, Floats, Ints
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.delong import DelongParts
from roclab.inference.welch import EstimatedVariance, Stratum, degrees

__all__ = ["InfluenceLines", "InfluenceSums", "influence_lines", "parts_at", "terms_of", "value_of"]

_SAME = 1e-12  # constants of two rows that are one line
_NOTHING = 1e-24  # a share of the variance that is rounding


class Segment(NamedTuple):
    """Scores from ``low`` up to the next segment: what places of positives and negatives mean there."""

    low: float
    pos: float
    neg: float
    slope: float  # of positives; of negatives it is the opposite


@dataclass(frozen=True, slots=True)
class InfluenceLines:
    """The segments of one score in ascending order of the user's own scores; influences in units of ``scale``."""

    segments: tuple[Segment, ...]
    n_pos: int
    n_neg: int
    scale: float

    def of(self, score: Array, flag: Array, places: Ints) -> Floats:
        """The influence of cases, by their scores and places."""
        low, pos, neg, slope = (np.array(column) for column in zip(*self.segments, strict=True))
        at = np.maximum(np.searchsorted(low, score, side="right") - 1, 0)
        positive = flag == 1
        rate = places / np.where(positive, 2.0 * self.n_neg, 2.0 * self.n_pos)
        found: Floats = np.where(positive, pos[at] + slope[at] * rate, neg[at] - slope[at] * rate) / self.scale
        return found

    def expression(self, score: Any, flag: Any, place: Any) -> Any:
        """The same for Narwhals."""
        import narwhals as nw

        rate_pos = place.cast(nw.Float64) / (2.0 * self.n_neg)
        rate_neg = place.cast(nw.Float64) / (2.0 * self.n_pos)
        found: Any = None
        for one in self.segments:
            line = nw.when(flag == 1).then(rate_pos * one.slope + one.pos).otherwise(rate_neg * -one.slope + one.neg)
            found = line if found is None else nw.when(score >= one.low).then(line).otherwise(found)
        return found / self.scale


def influence_lines(tally: Tally, area: Area, *, scale: float = 1.0) -> InfluenceLines:
    """The lines of a score whose cells are opened at the edges of the region; O(cells)."""
    assert area.influence is not None
    assert area.region is not None
    fpr, tpr = area.region
    curve, influence = roc_curve(tally), area.influence(tally)
    low, high = area.bounds
    factor = (high - low) / (float(np.prod([ends[1] - ends[0] for ends in (fpr, tpr) if ends is not None])) or 1.0)
    inside = np.ones(tally.score.size, np.bool_)
    for ends, rate in ((fpr, curve.fpr), (tpr, curve.tpr)):
        if ends is not None:
            inside &= (rate[:-1] >= ends[0]) & (rate[1:] <= ends[1])
    middle_f, middle_t = ((rate[:-1] + rate[1:]) / 2 for rate in (curve.fpr, curve.tpr))
    falls = np.where(inside, factor, 0.0)
    pos, neg = influence.pos + falls * middle_f, influence.neg - falls * middle_t
    if tally.sample.direction == "higher":  # the rates are one less the share of places
        pos, neg, slope = pos - falls, neg + falls, falls
        lows = tally.score
    else:
        slope = -falls
        lows = -(tally.score if tally.top is None else tally.top)
    order = np.argsort(lows, kind="stable")
    segments: list[Segment] = []
    for at in order.tolist():
        one = Segment(float(lows[at]), float(pos[at]), float(neg[at]), float(slope[at]))
        # What a row says of a class that it does not have is not needed.
        if not segments or not _one_line(segments[-1], one, bool(tally.pos[at] > 0), bool(tally.neg[at] > 0)):
            segments.append(one)
    return InfluenceLines(tuple(segments), int(tally.n_pos), int(tally.n_neg), scale)


def _one_line(last: Segment, one: Segment, has_pos: bool, has_neg: bool) -> bool:
    """Whether a row goes on with the line of the last segment."""
    pos = not has_pos or abs(last.pos - one.pos) <= _SAME * max(1.0, abs(one.pos))
    neg = not has_neg or abs(last.neg - one.neg) <= _SAME * max(1.0, abs(one.neg))
    return pos and neg and last.slope == one.slope


def terms_of(scores: int) -> list[tuple[str, int, int]]:
    """What is summed by class: powers of every influence, products of two, and powers of how far two are apart."""
    powers = [(f"power{power}", at, at) for at in range(scores) for power in (1, 2, 3, 4)]
    pairs = combinations(range(scores), 2)
    return [*powers, *((name, i, j) for i, j in pairs for name in ("product", "apart3", "apart4"))]


def value_of(term: str, one: Any, two: Any) -> Any:
    """A term of the influences of a case on two scores."""
    if term == "product":
        return one * two
    base = one - two if term.startswith("apart") else one
    square = base * base
    return {"1": base, "2": square, "3": square * base, "4": square * square}[term[-1]]


@dataclass(slots=True)
class InfluenceSums:
    """Sums of influences over either class, which no order of cases changes; of numbers between -1 and 1."""

    scores: int
    cases: list[int] = field(default_factory=lambda: [0, 0])
    sums: list[dict[tuple[str, int, int], FixedSum]] = field(default_factory=lambda: [{}, {}])

    def __post_init__(self) -> None:
        for side in (0, 1):
            self.sums[side] = {term: FixedSum() for term in terms_of(self.scores)}

    def add(self, influences: list[Floats], flag: Array) -> None:
        """Cases with the influence on every score."""
        for part in blocks(flag.size):  # which stay in the cache
            for side in (0, 1):
                rows = np.flatnonzero(flag[part] == side)
                own = [one[part][rows] for one in influences]
                self.cases[side] += rows.size
                for (name, i, j), total in self.sums[side].items():
                    total.add(value_of(name, own[i], own[j]))

    def value(self, side: int, name: str, i: int, j: int) -> Fraction:
        """One of the sums."""
        return self.sums[side][name, i, j].value

    def covariance(self, side: int, i: int, j: int) -> Fraction:
        """Sum of products about the means."""
        first, second = (self.value(side, "power1", at, at) for at in (i, j))
        raw = self.value(side, "power2", i, i) if i == j else self.value(side, "product", *sorted((i, j)))
        return raw - first * second / self.cases[side]

    def effective(self, side: int, i: int, j: int) -> float:
        """Kish's effective number of cases that carry the variance of a score, or that two scores place differently."""
        n = self.cases[side]
        if i == j:
            first, second, third, fourth = (self.value(side, f"power{power}", i, i) for power in (1, 2, 3, 4))
            scale = Fraction(1)
        else:
            i, j = sorted((i, j))
            first = self.value(side, "power1", i, i) - self.value(side, "power1", j, j)
            second = self.value(side, "power2", i, i) + self.value(side, "power2", j, j)
            second -= 2 * self.value(side, "product", i, j)
            third, fourth = self.value(side, "apart3", i, j), self.value(side, "apart4", i, j)
            scale = self.covariance(side, i, i)
        mean = first / n
        square = second - n * mean**2
        if not float(square) > _NOTHING * float(scale):
            return 1.0
        central = fourth - 4 * mean * third + 6 * mean**2 * second - 3 * n * mean**4
        return max(float(square**2 / central), 1.0) if central > 0 else 1.0

    def stratum(self, side: int, *, unit: float, width: float, share: float) -> Stratum:
        """What a class adds to the covariance of the areas; ``unit`` is what influences were divided by."""
        n, k = self.cases[side], self.scores
        matrix, correction = np.full((k, k), np.nan), np.zeros((k, k))
        for i in range(k):
            for j in range(i, k):
                if n > 1:
                    found = float(self.covariance(side, i, j) / (n * (n - 1))) * unit**2
                    matrix[i, j] = matrix[j, i] = max(found, 0.0) if i == j else found
                if i != j:
                    least = 4 * (n * share) ** 2 * self.effective(side, i, j)
                    correction[i, j] = correction[j, i] = width**2 / least
        return Stratum(matrix=matrix, correction=correction, size=float(n), share=share)

    def variance(self, at: int, strata: tuple[Stratum, Stratum], widths: tuple[float, float]) -> EstimatedVariance:
        """Of one area, with its small-sample correction, as ``corrected_area_variance`` has it of cases."""
        variance, fewest = 0.0, 0.0
        for side, stratum, width in ((1, strata[0], widths[0]), (0, strata[1], widths[1])):
            k = self.effective(side, at, at)
            part = float(stratum.matrix[at, at]) + width**2 / (4 * (stratum.size * stratum.share) ** 2 * k)
            variance += part
            fewest += part**2 / degrees(stratum.size, stratum.share, k) if stratum.size > 1 else 0.0
        return EstimatedVariance(variance, variance**2 / fewest if fewest > 0 else np.nan)


def parts_at(strata: tuple[Stratum, Stratum], at: int) -> DelongParts:
    """What both classes add to the variance of one area."""
    pos, neg = strata
    return DelongParts(float(pos.matrix[at, at]), float(neg.matrix[at, at]), pos.size, neg.size)
