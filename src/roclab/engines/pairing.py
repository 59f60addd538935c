r"""Scores of the same cases: DeLong's covariance matrix without holding the cases.

Sorted by one score, the place of every case follows from running counts: a positive has outscored u/2 negatives and a
negative is outscored by all but w/2 positives. The places go on with the case while it is sorted by the next score, so
that after the last sort every case passes by with all its places, and only their products are added up, in integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations_with_replacement

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.fixed_sum import FixedSum
from roclab._core.types import Array, Counts, Ints
from roclab.data.tally import Tally
from roclab.inference.comparison.covariance import AreaCovariance
from roclab.inference.comparison.permutation import Permutation, null_variance
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.delong import DelongParts
from roclab.inference.welch import Stratum
from roclab.results import Sample

__all__ = ["Meaning", "PlaceSums", "covariance_of_places", "places_by_lookup", "with_places"]


Meaning = Callable[[Array, Array, Ints], Array]  # of scores, flags and places


def with_places(
    batches: Iterator[list[Array]], at: int, flag: int, meaning: Meaning | None = None
) -> Iterator[list[Array]]:
    """Batches sorted by column ``at``, with the places of the cases instead of their scores; O(batch) memory.

    Column ``flag`` is 1 for positives. The last tie of a batch waits for the next one. With a ``meaning`` of places its
    values take their place.
    """
    pos = neg = 0
    held: list[Array] | None = None
    for batch in batches:
        columns = batch if held is None else [np.concatenate(pair) for pair in zip(held, batch, strict=True)]
        last = int(np.searchsorted(columns[at], columns[at][-1], side="left")) if columns[at].size else 0
        held = [column[last:] for column in columns]
        if last:
            columns = [column[:last] for column in columns]
            score = columns[at]
            columns[at], pos, neg = _placed(score, columns[flag], pos, neg)
            if meaning is not None:
                columns[at] = meaning(score, columns[flag], columns[at])
            yield columns
    if held is not None and held[at].size:
        score = held[at]
        held[at], pos, neg = _placed(score, held[flag], pos, neg)
        if meaning is not None:
            held[at] = meaning(score, held[flag], held[at])
        yield held


def _placed(score: Array, flag: Array, pos: int, neg: int) -> tuple[Ints, int, int]:
    """Places of sorted cases above ``pos`` positives and ``neg`` negatives, and the counts above them."""
    positive = flag.astype(np.int64)
    begins = np.concatenate([[True], score[1:] != score[:-1]])
    if begins.all():  # no ties, as most scores are: running counts are places
        below = np.cumsum(positive)
        above, every = pos + int(below[-1]), pos + neg + score.size
        apart: Ints = np.where(flag == 1, np.arange(1, score.size + 1) - below + neg, below + pos)
        apart *= 2
        return apart, above, every - above
    starts = np.flatnonzero(begins)
    p = np.add.reduceat(positive, starts)
    n = np.diff(starts, append=score.size) - p
    p1, n1 = pos + np.cumsum(p), neg + np.cumsum(n)
    group = np.cumsum(begins) - 1
    places: Ints = np.where(positive == 1, (2 * n1 - n)[group], (2 * p1 - p)[group])
    return places, int(p1[-1]), int(n1[-1])


def places_by_lookup(tally: Tally, score: Array, flag: Array) -> Ints:
    """Places of cases in any order, from the tally of all of them, or from cells; O(n log distinct)."""
    turned = tally if tally.sample.direction == "higher" else tally.reversed()
    ascending = turned.score
    tally = turned
    order = np.argsort(ascending)
    ascending, p, n = ascending[order], tally.pos[order].astype(np.int64), tally.neg[order].astype(np.int64)
    at = np.searchsorted(ascending, score, side="right") - 1
    p1, n1 = np.cumsum(p), np.cumsum(n)
    found: Ints = np.where(flag == 1, (2 * n1 - n)[at], (2 * p1 - p)[at])
    return found


@dataclass(slots=True)
class PlaceSums:
    """Sums of places and of their products over either class, exact whatever the order of cases."""

    scores: int
    cases: list[int] = field(default_factory=lambda: [0, 0])
    sums: list[list[int]] = field(default_factory=list)
    products: list[dict[tuple[int, int], int]] = field(default_factory=lambda: [{}, {}])
    powers: list[dict[tuple[int, int], tuple[FixedSum, FixedSum]]] = field(default_factory=lambda: [{}, {}])
    bits: int = 0  # places are below this power of two

    @classmethod
    def of(cls, scores: int, cases: int) -> PlaceSums:
        """Empty sums for so many scores and cases."""
        return cls(scores, bits=(2 * cases).bit_length())

    def add(self, places: Sequence[Counts], flag: Array) -> None:
        """Cases with all their places."""
        if not self.sums:
            self.sums = [[0] * self.scores, [0] * self.scores]
        for part in blocks(flag.size):  # which stay in the cache
            self._add([place[part] for place in places], flag[part])

    def _add(self, places: Sequence[Counts], flag: Array) -> None:
        for side in (0, 1):
            rows = np.flatnonzero(flag == side)
            own = [place[rows].astype(np.int64, copy=False) for place in places]
            self.cases[side] += rows.size
            for i, one in enumerate(own):
                self.sums[side][i] += int(np.sum(one))
            for i, j in combinations_with_replacement(range(self.scores), 2):
                self.products[side][i, j] = self.products[side].get((i, j), 0) + _exact_product(own[i], own[j])
                if i != j:
                    third, fourth = self.powers[side].setdefault((i, j), (FixedSum(), FixedSum()))
                    apart = (own[i] - own[j]) * 2.0**-self.bits
                    square = apart * apart
                    third.add(square * apart)
                    fourth.add(square * square)

    def powers_apart(self, side: int, i: int, j: int) -> tuple[float, float, float, float]:
        """Sums of the first to fourth power of how far apart two scores place cases, in units of 2**bits."""
        products = self.products[side]
        first = self.sums[side][i] - self.sums[side][j]
        second = products[i, i] + products[j, j] - 2 * products[i, j]
        third, fourth = self.powers[side][i, j]
        unit = 1 << self.bits
        return float(Fraction(first, unit)), float(Fraction(second, unit**2)), float(third.value), float(fourth.value)


def _exact_product(one: Ints, two: Ints) -> int:
    """Sum of products in integers of any size: one factor is taken in pieces of so many bits that int64 suffices."""
    if not one.size:
        return 0
    bits = max(62 - int(two.max()).bit_length() - int(one.size).bit_length(), 1)
    total, shift = 0, 0
    mask = (1 << bits) - 1
    while one.any():
        total += int(np.dot(one & mask, two)) << shift
        one, shift = one >> bits, shift + bits
    return total


def covariance_of_places(
    sums: PlaceSums,
    names: Sequence[str],
    samples: Sequence[Sample],
    area: Area,
    *,
    permutation: Permutation | None = None,
) -> AreaCovariance:
    """DeLong's covariance matrix from sums of places, correctly rounded; of few cases with their exchange."""
    N, P = sums.cases
    sign = [1 if sample.direction == "higher" else -1 for sample in samples]
    factor = 2 if area.method == "gini" else 1
    k = len(names)
    strata = []
    for side, (own, other) in ((1, (P, N)), (0, (N, P))):
        matrix, correction = np.zeros((k, k)), np.zeros((k, k))
        for (i, j), product in sums.products[side].items():
            if own > 1:
                top = own * product - sums.sums[side][i] * sums.sums[side][j]
                value = float(Fraction(top, 4 * other**2 * own**2 * (own - 1)))
            else:
                value = np.nan
            matrix[i, j] = matrix[j, i] = sign[i] * sign[j] * factor**2 * value
            if i != j:
                correction[i, j] = correction[j, i] = factor**2 / (
                    4 * own**2 * _placed_differently(sums, side, i, j, sign)
                )
        strata.append(Stratum(matrix=matrix, correction=correction, size=float(own)))
    areas = []
    for i in range(k):
        share = Fraction(sums.sums[1][i], 2 * P * N)
        areas.append(area.of_area(float(share if sign[i] > 0 else 1 - share)))
    parts = tuple(
        DelongParts(strata[0].matrix[i, i] / factor**2, strata[1].matrix[i, i] / factor**2, P, N) for i in range(k)
    )
    found, matrix = np.array(areas), strata[0].matrix + strata[1].matrix
    equal = None if permutation is None else null_variance(found, matrix, strata, permutation, width=factor)
    return AreaCovariance(
        names=tuple(names), areas=found, matrix=matrix, area=area, samples=tuple(samples), pairing="paired",
        method="DeLong", parts=parts, strata=tuple(strata), null_variance=equal,
    )  # fmt: skip


def _placed_differently(sums: PlaceSums, side: int, i: int, j: int, sign: Sequence[int]) -> float:
    """Kish's effective number of cases that two scores place differently, from the powers of what lies between them."""
    if sign[i] != sign[j]:  # opposite directions: nearly every case is placed differently
        return float(sums.cases[side])
    n = sums.cases[side]
    first, second, third, fourth = sums.powers_apart(side, i, j)
    mean = first / n
    square = second - n * mean**2
    spread = max(float(sums.products[side][i, i] - Fraction(sums.sums[side][i] ** 2, n)), 1.0)
    if square <= 1e-14 * spread / 4.0**sums.bits:
        return 1.0
    fourth = fourth - 4 * mean * third + 6 * mean**2 * second - 3 * n * mean**4
    return max(float(square**2 / fourth), 1.0) if fourth > 0 else 1.0
