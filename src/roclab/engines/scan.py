"""One pass over sorted scores: every number that a ROC analysis of one score asks first, in memory that does not grow.

Rows come in batches, in ascending order of the score. Scores that tie are one step of the curve, so the last tie of
each batch is held back until the next one shows where it ends; what a batch adds is then independent of where batches
were cut. The area, DeLong's variance and tAUC are summed in integers (``sums``), the best Youden index is found among
integers too, and the curve is kept in cells of nearly equal numbers of cases, whose ends are true points of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from roclab._core.fixed_sum import FixedSum
from roclab._core.types import Array, Bools, Counts, Floats, Ints
from roclab.engines.sums import EMPTY, MOST_ROWS, Steps, Sums, steps_of, sums_of_one_score
from roclab.engines.weighted_sums import RealSums
from roclab.errors import InputError, Words, named

__all__ = ["CELLS", "Cells", "Scan", "Scanned", "groups_of_sorted"]

CELLS = 1 << 16
_LONGEST = 2**62
_HEAVIEST = 1 << 31  # weight at one score, whose square still fits into int64
_PIECE = 1 << 16  # rows that stay in cache while they are counted; far fewer than sums can take


class Cells(NamedTuple):
    """Scores in ascending groups: lowest and highest score of each, and the cases in it. Equal ends are a true tie.

    With weights the cases are their total weight; of importance weights ``squares`` has the sums of squares by class.
    """

    low: Floats
    high: Floats
    pos: Counts
    neg: Counts
    squares: tuple[Floats, Floats] | None = None

    @property
    def joined(self) -> Bools:
        """Cells that join several scores."""
        found: Bools = self.high > self.low
        return found


class Scanned(NamedTuple):
    """What one pass found; ``excess`` is twice the pairs won inside each cell, less the pairs in it.

    ``fourth`` has the sums of fourth powers of DeLong's components about the area, where they were asked for.
    """

    sums: Sums | RealSums
    cells: Cells
    average_precision: float
    excess: Counts
    fourth: tuple[float, float] | None = None


class _Best(NamedTuple):
    """The threshold with the largest Youden index so far."""

    gain: int  # PN times Youden's index
    score: float


def groups_of_sorted(score: Array, positive: Array) -> tuple[Floats, Ints, Ints]:
    """Distinct scores of rows in ascending order, with the positives and negatives at each; O(n)."""
    positive = positive.astype(np.int64, copy=False)
    starts = np.flatnonzero(score[1:] != score[:-1]) + 1
    if starts.size == score.size - 1:
        return score, positive, 1 - positive
    starts = np.concatenate([[0], starts])
    pos = np.add.reduceat(positive, starts)
    size = np.diff(starts, append=score.size)
    return score[starts], pos, size - pos


@dataclass(slots=True)
class Scan:
    """Feed it rows in ascending order, then ask for the result; O(n) time, O(batch + cells) memory.

    ``n_pos`` and ``n_neg`` are the totals, which an engine counts beforehand; ``powers`` asks for ``Scanned.fourth``.
    ``only_sums`` leaves all out but the sums, which need no totals.

    >>> scan = Scan(n_pos=2, n_neg=2)
    >>> scan.add(np.array([1.0, 2.0]), np.array([False, True]))
    >>> scan.add(np.array([2.0, 3.0]), np.array([False, True]))
    >>> scan.finish().sums.auc
    0.875
    """

    n_pos: int
    n_neg: int
    most_cells: int = CELLS
    powers: bool = False
    only_sums: bool = False
    _powers: tuple[FixedSum, ...] = field(default_factory=lambda: tuple(FixedSum() for _ in range(4)))
    _sums: Sums = EMPTY
    _precision: FixedSum = field(default_factory=FixedSum)
    _best: _Best | None = None
    _held: tuple[float, int, int] | None = None
    _cells: list[tuple[Array, ...]] = field(default_factory=list)
    _cell: int = -1  # number of the cell at hand
    _heavy: bool = False  # the last score had a cell of its own

    def add(self, score: Array, positive: Array) -> None:
        """Rows in ascending order, which begin where the last ones ended."""
        for start in range(0, score.size, _PIECE):
            part = slice(start, start + _PIECE)
            self.add_groups(*groups_of_sorted(score[part], positive[part]))

    def add_weighted(self, score: Floats, pos: Ints, neg: Ints) -> None:
        """Distinct scores in ascending order with whole weights, in blocks whose sums fit into int64."""
        total = pos + neg
        heaviest = int(total.max(initial=0))
        if heaviest > _HEAVIEST:
            raise InputError(
                "sample_weight", f"must add up to at most {_HEAVIEST:,} at one score where rows are sorted",
                Words(f"{heaviest:,}"), f"divide weights by one number, or use {named('engine', 'memory')}",
            )  # fmt: skip
        block = (np.cumsum(total) - total) // (MOST_ROWS // 2)
        heavy = total >= MOST_ROWS // 2
        begins = np.ones(score.size, np.bool_)
        begins[1:] = (block[1:] != block[:-1]) | heavy[1:] | heavy[:-1]
        starts = np.flatnonzero(begins)
        for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), score.size], strict=True):
            for at in range(start, stop, _PIECE):
                part = slice(at, min(at + _PIECE, stop))
                self.add_groups(score[part], pos[part], neg[part])

    def add_groups(self, score: Floats, pos: Ints, neg: Ints) -> None:
        """Distinct scores in ascending order; at most a million cases unless it is one score."""
        if not score.size:
            return
        first = 0
        if self._held is not None:
            value, p, n = self._held
            if value == score[0]:
                pos_one, neg_one = p + int(pos[0]), n + int(neg[0])
                first = 1
                if score.size == 1:
                    self._held = (value, pos_one, neg_one)
                    return
                self._one(value, pos_one, neg_one)
            else:
                self._one(value, p, n)
        score, pos, neg = score[first:], pos[first:], neg[first:]
        self._held = (float(score[-1]), int(pos[-1]), int(neg[-1]))
        if score.size > 1:
            steps = steps_of(pos[:-1], neg[:-1])
            self._count(score[:-1], pos[:-1] + neg[:-1], steps, steps.sums())

    def _one(self, score: float, pos: int, neg: int) -> None:
        self._count(
            np.array([score]), np.array([pos + neg]), steps_of(np.array([pos]), np.array([neg])),
            sums_of_one_score(pos, neg),
        )  # fmt: skip

    def _count(self, score: Floats, cases: Ints, steps: Steps, sums: Sums) -> None:
        if self.only_sums:
            self._sums = self._sums + sums
            return
        if self._sums.pos + sums.pos > self.n_pos or self._sums.neg + sums.neg > self.n_neg:
            raise InputError(
                "", "the rows must not change while they are counted", Words("more of them than at the first look"),
                "ask again when nobody writes to them, or of a snapshot",
            )  # fmt: skip
        reached = self.n_pos - self._sums.pos - steps.pos_below
        called = reached + (self.n_neg - self._sums.neg - steps.neg_below)
        self._precision.add(reached / called, steps.pos)
        if self.powers:
            self._add_powers(steps)
        better = self._look_for_best(score, steps)
        self._add_cells(score, cases, steps, better)
        self._sums = self._sums + sums

    def _add_powers(self, steps: Steps) -> None:
        """Third and fourth powers of both components about one half."""
        below, between = steps.between
        of_pos = (steps.outscored + 2 * self._sums.neg) / (2 * self.n_neg) - 0.5
        twice_below = np.concatenate([2 * steps.pos_below + steps.pos, 2 * below]) + 2 * self._sums.pos
        of_neg = 0.5 - twice_below / (2 * self.n_pos)
        both = (of_pos, steps.pos), (of_neg, np.concatenate([steps.neg, between]))
        for at, (component, times) in enumerate(both):
            third = component**3
            self._powers[2 * at].add(third, times)
            self._powers[2 * at + 1].add(third * component, times)

    def _fourth(self) -> tuple[float, float]:
        """Sums of fourth powers about the area, from powers about one half; both components have the area as mean."""
        mean = Fraction(self._sums.pu, 2 * self.n_pos * self.n_neg) - Fraction(1, 2)
        found = []
        for at, (size, part) in enumerate(zip((self.n_pos, self.n_neg), self._sums.parts, strict=True)):
            second = Fraction(part) * size * (size - 1) if size > 1 else Fraction(0)
            third, fourth = self._powers[2 * at].value, self._powers[2 * at + 1].value
            raw = second + size * mean**2
            found.append(float(fourth - 4 * mean * third + 6 * mean**2 * raw - 3 * size * mean**4))
        return found[0], found[1]

    def _look_for_best(self, score: Floats, steps: Steps) -> int:
        """The place of a threshold that is better than all before, or 0, where a part begins anyway.

        From one score that positives have to the next the index only rises, so these are looked at, and the last one.
        """
        place = np.append(steps.place, score.size - 1)
        below_pos = np.append(steps.pos_below, self._pos_below_last(steps, score.size)) + self._sums.pos
        below_neg = np.append(steps.neg_below, steps.neg_upto[-2] if score.size > 1 else 0) + self._sums.neg
        if self.n_pos * self.n_neg < _LONGEST:
            gain = self.n_pos * below_neg - self.n_neg * below_pos
            at = int(np.argmax(gain))
        else:
            at = int(np.argmax(below_neg / self.n_neg - below_pos / self.n_pos))
        index = self.n_pos * int(below_neg[at]) - self.n_neg * int(below_pos[at])
        if self._best is not None and index <= self._best.gain:
            return 0
        self._best = _Best(index, float(score[place[at]]))
        return int(place[at])

    @staticmethod
    def _pos_below_last(steps: Steps, size: int) -> int:
        if not steps.place.size:
            return 0
        last = int(steps.pos_below[-1])
        return last if steps.place[-1] == size - 1 else last + int(steps.pos[-1])

    def _add_cells(self, score: Floats, cases: Ints, steps: Steps, better: int) -> None:
        """Parts of cells; a threshold that may be the best begins one, and a cell in the end if it is."""
        size = -(-(self.n_pos + self.n_neg) // self.most_cells)
        upto = np.cumsum(cases)
        before = self._sums.pos + self._sums.neg
        # A cell begins at the first score that has a multiple of its size below it, and so does what follows a score
        # with cases for a cell of its own, and this score itself.
        multiples = np.arange(-(-(before + 1) // size) * size, before + int(upto[-1]) - int(cases[-1]) + 1, size)
        begins = np.zeros(score.size + 1, np.bool_)
        begins[0] = before // size != self._cell or self._heavy
        begins[np.searchsorted(upto, multiples - before) + 1] = True
        if cases.max() >= size:
            heavy = np.flatnonzero(cases >= size)
            begins[heavy] = begins[heavy + 1] = True
        parts = begins[:-1].copy()
        parts[0] = parts[better] = True
        starts = np.flatnonzero(parts)
        ends = np.append(starts[1:], score.size) - 1
        first = np.searchsorted(steps.place, starts)
        p, won = (_sums_from(one, first) for one in (steps.pos, steps.pos * steps.outscored))
        under = np.append(0, steps.neg_upto[ends])
        n = np.diff(under)
        self._cells.append((score[starts], score[ends], p, n, won - 2 * under[:-1] * p - p * n, begins[starts]))
        self._cell = (before + int(upto[-1]) - int(cases[-1])) // size
        self._heavy = bool(cases[-1] >= size)

    def sums(self) -> Sums:
        """The sums, after all rows."""
        if self._held is not None:
            self._one(*self._held)
            self._held = None
        return self._sums

    def finish(self) -> Scanned:
        """The result, after all rows."""
        self.sums()
        low, high, pos, neg, excess, begins = (np.concatenate(part) for part in zip(*self._cells, strict=True))
        if self._best is not None:
            begins |= low == self._best.score
        starts = np.flatnonzero(begins)
        ends = np.append(starts[1:], low.size) - 1
        joined = Cells(low[starts], high[ends], np.add.reduceat(pos, starts), np.add.reduceat(neg, starts))
        # A part above others of its cell wins and loses the pairs between them.
        cell = np.cumsum(begins) - 1
        under_pos, under_neg = (np.cumsum(one) - one for one in (pos, neg))
        under_pos, under_neg = under_pos - under_pos[starts][cell], under_neg - under_neg[starts][cell]
        excess = np.add.reduceat(excess + under_neg * pos - under_pos * neg, starts)
        fourth = self._fourth() if self.powers else None
        return Scanned(self._sums, joined, float(self._precision.value / self.n_pos), excess, fourth)


def _sums_from(values: Ints, starts: Ints) -> Ints:
    """Sums of the values from each start to the next, the last one to the end; none where two starts are one."""
    upto = np.append(0, np.cumsum(values))
    found: Ints = np.diff(upto[np.append(starts, values.size)])
    return found
