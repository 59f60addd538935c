"""Sorted scores with importance weights: areas, cells of the curve and the best cut-off, in memory that does not grow.

Distinct scores come in ascending order with exact sums of cut weights (``weights``). They are taken in pieces of so
many distinct scores, counted from the lowest, and cells are cut by number as well, so that neither the order of rows
nor the batches they came in change a digit. A score with as many cases as a cell has a cell of its own, and the best
cut-off by Youden's index begins one.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from roclab._core.types import Array, Floats, Ints
from roclab.engines.scan import CELLS, Cells, Scanned
from roclab.engines.weighted_sums import RangeSums, real_sums
from roclab.engines.weights import CutWeights

__all__ = ["WeightedScan", "WeighedScores", "weighed_scores", "whole_scores"]

_PIECE = 1 << 17  # distinct scores that are summed at once


class WeighedScores(NamedTuple):
    """Distinct scores in ascending order, the cases at each, and sums of pieces of their weights.

    ``pieces`` has two rows each for positives, negatives and the squares of both.
    """

    score: Floats
    cases: Ints
    pieces: Ints


def weighed_scores(batches: Iterable[list[Array]], weights: CutWeights) -> Iterator[WeighedScores]:
    """Rows in ascending order (score, 1 for positives, weight) as distinct scores; the last tie of a batch waits."""
    for score, positive, weight in _whole_ties(batches):
        first = np.concatenate([[True], score[1:] != score[:-1]])
        starts = np.flatnonzero(first)
        positives = positive == 1
        columns = []
        for squared in (False, True):
            both = weights.pieces_of(weight, squared=squared)
            for side in (positives, ~positives):
                columns += [np.add.reduceat(np.where(side, one, 0), starts) for one in both]
        yield WeighedScores(score[starts], np.diff(starts, append=score.size), np.stack(columns))


def whole_scores(batches: Iterable[list[Array]]) -> Iterator[tuple[Floats, Ints, Ints]]:
    """The same of whole weights: distinct scores and the total weight of positives and negatives at each."""
    for score, positive, weight in _whole_ties(batches):
        starts = np.flatnonzero(np.concatenate([[True], score[1:] != score[:-1]]))
        counts, positives = weight.astype(np.int64), positive == 1
        pos, neg = (np.add.reduceat(np.where(side, counts, 0), starts) for side in (positives, ~positives))
        yield score[starts], pos, neg


def _whole_ties(batches: Iterable[list[Array]]) -> Iterator[list[Array]]:
    """Batches of sorted rows that end where a score ends."""
    held: list[Array] | None = None
    for batch in batches:
        columns = batch if held is None else [np.concatenate(pair) for pair in zip(held, batch, strict=True)]
        if not columns[0].size:
            continue
        columns[0] = columns[0] + 0.0  # no -0
        last = int(np.searchsorted(columns[0], columns[0][-1], side="left"))
        held = [column[last:] for column in columns]
        if last:
            yield [column[:last] for column in columns]
    if held is not None and held[0].size:
        yield held


class WeightedScan:
    """Feed it distinct scores in ascending order, then ask for the result; O(scores) time, O(cells) memory."""

    def __init__(self, weights: CutWeights, cases: int, *, most_cells: int = CELLS) -> None:
        self.weights = weights
        self.size = max(-(-cases // most_cells), 1)  # distinct scores of a cell, and cases that have one of their own
        self.piece = max(_PIECE // self.size, 1) * self.size
        self._waiting: list[WeighedScores] = []
        self._held = 0
        self._cells: list[tuple[Floats, Floats]] = []
        self._ranges: list[list[Floats]] = []
        self._precise: list[Floats] = []
        self._below = [0, 0, 0, 0]  # pieces of what lies below, as integers of any size
        self._best = -math.inf

    def add(self, scores: WeighedScores) -> None:
        """Distinct scores that begin above the last ones."""
        self._waiting.append(scores)
        self._held += scores.score.size
        while self._held >= self.piece:
            self._take(self.piece)

    def _take(self, count: int) -> None:
        """Count the first of the scores that wait."""
        every = [np.concatenate(parts, axis=-1) for parts in zip(*self._waiting, strict=True)]
        self._waiting = [WeighedScores(*(one[..., count:] for one in every))]
        self._held -= count
        self._count(WeighedScores(*(one[..., :count] for one in every)))

    def _count(self, part: WeighedScores) -> None:
        score, cases, pieces = part
        cut = self.weights
        upto = np.cumsum(pieces[:4], axis=1)
        before = upto - pieces[:4]
        total_pos, total_neg = cut.pos / cut.unit, cut.neg / cut.unit
        offset = [cut.shares(float(self._below[at]), float(self._below[at + 1])) for at in (0, 2)]
        under_pos = offset[0] + cut.shares(before[0], before[1])
        under_neg = offset[1] + cut.shares(before[2], before[3])
        gain = under_neg / total_neg - under_pos / total_pos
        best = int(np.argmax(gain))
        begins = np.zeros(score.size + 1, np.bool_)
        begins[:: self.size] = True
        heavy = np.flatnonzero(cases >= self.size) if self.size > 1 else np.empty(0, np.int64)
        begins[heavy] = begins[heavy + 1] = True
        if gain[best] > self._best:
            self._best = float(gain[best])
            begins[best] = True
        starts = np.flatnonzero(begins[:-1])
        cell = np.cumsum(begins[:-1]) - 1
        inside = before - before[:, starts][:, cell]
        p, n, pp, nn = (cut.shares(pieces[at], pieces[at + 1]) for at in range(0, 8, 2))
        p0, n0 = cut.shares(inside[0], inside[1]), cut.shares(inside[2], inside[3])
        u, w, p1, n1 = n0 + n / 2, p0 + p / 2, p0 + p, n0 + n
        terms = [p * u, pp * u, pp * u * u, nn * w, nn * w * w, n * (2 * n0 * p0 + n0 * p1 + n1 * p0 + 2 * n1 * p1)]
        wholes = np.add.reduceat(pieces, starts, axis=1)
        weights = [cut.shares(wholes[at], wholes[at + 1]) for at in range(0, 8, 2)]
        self._ranges.append([*weights, *(np.add.reduceat(term, starts) for term in terms)])
        ends = np.append(starts[1:], score.size) - 1
        self._cells.append((score[starts], score[ends]))
        reached, called = total_pos - under_pos, total_pos - under_pos + total_neg - under_neg
        share = np.divide(reached, called, out=np.zeros_like(called), where=called > 0)
        self._precise.append(np.add.reduceat(p * share, starts))
        self._below = [below + int(one) for below, one in zip(self._below, upto[:, -1], strict=True)]

    def finish(self) -> Scanned:
        """The result, after all scores."""
        if self._held:
            self._take(self._held)
        ranges = RangeSums(*(np.concatenate(one) for one in zip(*self._ranges, strict=True)))
        low, high = (np.concatenate(one) for one in zip(*self._cells, strict=True))
        unit = self.weights.unit
        cells = Cells(
            low,
            high,
            ranges.pos * unit,
            ranges.neg * unit,
            (ranges.pos_squares * unit**2, ranges.neg_squares * unit**2),
        )
        precision = math.fsum(np.concatenate(self._precise)) / math.fsum(ranges.pos)
        excess = (2 * ranges.won - ranges.pos * ranges.neg) * unit**2
        return Scanned(real_sums(ranges), cells, precision, excess)
