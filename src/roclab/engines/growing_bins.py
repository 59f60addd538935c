"""Bins of scores that are counted while rows arrive, before anybody knows the range of the scores.

A bin is a range between whole multiples of a power of two, of the score itself or of the integer that shares its bits
(a logarithm in steps, for skewed scores). Bins of one power lie inside those of the next, so whatever a first guess
was, the answer does not depend on it: the window of bins grows with the rows; when it would hold too many, neighbours
are joined two by two; and in the end they are joined as long as there are more than enough and the wanted accuracy
holds. Which bins that leaves follows from all rows together, in any order. Every bin keeps its lowest and highest score
and the cases of both classes, from which the bounds are computed as for any cells.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.levels import pattern
from roclab._core.types import Array, Bools, Floats, Ints
from roclab.engines.quantising import half_width
from roclab.engines.scan import Cells

__all__ = ["BYTES", "GrowingBins", "BinRule", "rule_for"]

_ENOUGH = 1 << 16  # bins that are kept even where fewer would meet the accuracy
_MOST = 1 << 20  # bins of a window
BYTES = 32 * _MOST  # that its arrays may take
_LONGEST = 1 << 62  # numbers of bins, which are int64
_BLOCK = 1 << 14  # scores that stay in the cache on their way into bins
_LOWEST = int(pattern(np.array([2.0**-100]))[0])  # smaller scores share the first bin by bits: zero is too far off
_MARGIN = 0.75  # of the wanted accuracy, that a sample must promise
_SKEWED = 4.0  # how many times better bits must be than the scores themselves


class BinRule(NamedTuple):
    """A rule that gives every score the number of its bin, which never falls where scores rise."""

    by_bits: bool
    power: int

    def of(self, score: Floats) -> Ints:
        """The bin of every score; multiplying by a power of two and rounding down are exact."""
        if self.by_bits:
            bits = pattern(score)
            np.maximum(bits, _LOWEST, out=bits)
            bits >>= self.power
            return bits
        place = score * math.ldexp(1.0, -self.power)
        return np.floor(place, out=place).astype(np.int64)

    def of_ends(self, low: float, high: float) -> tuple[int, int]:
        """The bins of two finite scores, in integers that do not overflow."""
        if self.by_bits:
            first, last = self.of(np.array([low, high])).tolist()
            return first, last
        first, last = (math.floor(math.ldexp(one, -self.power)) for one in (low, high))
        return first, last

    @property
    def coarser(self) -> BinRule:
        """Bins of twice the width."""
        return self._replace(power=self.power + 1)

    def within(self, low: float, high: float, most: int) -> BinRule:
        """These bins or the finest wider ones of which so many cover a range."""
        rule = self
        while True:
            first, last = rule.of_ends(low, high)
            if last - first < most:
                return rule
            rule = rule._replace(power=rule.power + ((last - first) // most).bit_length())


def rule_for(score: Floats, positive: Bools, accuracy: float) -> BinRule | None:
    """The bins with which a sample of both classes promises the accuracy; None where no bins would do.

    Pairs of a sample that share a bin are as frequent, on average, as those of all rows.
    """
    order = np.argsort(score)
    score, positive = score[order], positive[order]
    low, high = float(score[0]), float(score[-1])
    if low == high:
        return None
    # No finer than float64 is, and no power that it does not reach.
    finest = max(math.frexp(high - low)[1] - 24, math.frexp(max(abs(low), abs(high)))[1] - 52, -1000)
    ways = [start.within(low, high, _ENOUGH) for start in (BinRule(False, finest), BinRule(True, 0))]
    even, bits = (_promised(way, score, positive) for way in ways)
    rule, width = (ways[1], bits) if _SKEWED * bits < even else (ways[0], even)
    while width > _MARGIN * accuracy:
        finer = rule._replace(power=rule.power - 1)
        first, last = finer.of_ends(low, high)
        if last - first >= _MOST or (finer.by_bits and finer.power < 0):
            return None
        rule, width = finer, _promised(finer, score, positive)
    return rule


def _promised(rule: BinRule, score: Floats, positive: Bools) -> float:
    """The half-width of sorted scores in bins."""
    number = rule.of(score)
    starts = np.concatenate([[0], np.flatnonzero(number[1:] != number[:-1]) + 1])
    ends = np.append(starts[1:], score.size)
    pos = np.add.reduceat(positive.astype(np.int64), starts)
    return half_width(Cells(score[starts], score[ends - 1], pos, ends - starts - pos))


class GrowingBins:
    """Add rows in any order, then ask for the cells.

    >>> bins = GrowingBins(BinRule(False, -1))
    >>> bins.add(np.array([0.3, 2.0, 0.1]), np.array([True, True, False]))
    >>> bins.counted().pos.tolist(), bins.counted().low.tolist()
    ([1, 1], [0.1, 2.0])
    """

    def __init__(self, rule: BinRule) -> None:
        self.rule = rule
        self._first = 0  # bin at which the window begins
        self._cases = np.zeros((0, 2), np.int64)  # negatives and positives
        self._low, self._high = np.empty(0), np.empty(0)

    def add(self, score: Floats, positive: Array) -> None:
        """Finite scores and their classes, 0 or 1."""
        if not score.size:
            return
        self._make_room(float(score.min()), float(score.max()))
        cases = self._cases.reshape(-1)
        for part in blocks(score.size, _BLOCK):
            values = score[part]
            at = self.rule.of(values)
            at -= self._first
            np.minimum.at(self._low, at, values)
            np.maximum.at(self._high, at, values)
            at *= 2
            at += positive[part]
            np.add.at(cases, at, 1)

    def _make_room(self, low: float, high: float) -> None:
        """Widen the window until it covers two scores, with wider bins where it would be too long."""
        while True:
            first, last = self.rule.of_ends(low, high)
            size = len(self._cases)
            if size:
                first, last = min(first, self._first), max(last, self._first + size - 1)
            if last - first < _MOST and -_LONGEST < first <= last < _LONGEST:
                break
            self._coarsen()
        if not size:
            self._first = first
        before, after = self._first - first, last - self._first - size + 1
        if not before and not after:
            return
        # More than is needed, where there is room, so that rows in order do not widen the window again and again.
        spare = min((last - first + 1) // 2, _MOST - (last - first + 1))
        before, after = (way + (spare // 2 if way and size else 0) for way in (before, after))
        self._first -= before
        self._cases = np.pad(self._cases, ((before, after), (0, 0)))
        self._low = np.pad(self._low, (before, after), constant_values=np.inf)
        self._high = np.pad(self._high, (before, after), constant_values=-np.inf)

    def _coarsen(self) -> None:
        """Bins of twice the width."""
        odd = self._first % 2, (self._first + len(self._cases)) % 2
        cases = np.pad(self._cases, (odd, (0, 0)))
        self._cases = cases[0::2] + cases[1::2]
        low, high = (
            np.pad(values, odd, constant_values=gap) for values, gap in ((self._low, np.inf), (self._high, -np.inf))
        )
        self._low, self._high = np.minimum(low[0::2], low[1::2]), np.maximum(high[0::2], high[1::2])
        self._first //= 2
        self.rule = self.rule.coarser

    def counted(self) -> Cells:
        """The bins that hold cases, ascending."""
        cases = self._cases
        held = np.flatnonzero(cases.any(axis=1))
        return Cells(self._low[held] + 0.0, self._high[held] + 0.0, cases[held, 1], cases[held, 0])

    def cells(self, accuracy: float) -> Cells | None:
        """The cells, the same whatever the first bins were; None where they do not meet the accuracy."""
        found = self.counted()
        if half_width(found) > accuracy:
            return None
        low, high = float(found.low[0]), float(found.high[-1])
        while True:
            first, last = self.rule.of_ends(low, high)
            if last - first < _ENOUGH:
                return found
            self._coarsen()
            wider = self.counted()
            if half_width(wider) > accuracy:
                return found
            found = wider

    @property
    def words(self) -> str:
        """What the bins are called."""
        return "bins by bits" if self.rule.by_bits else "even bins"
