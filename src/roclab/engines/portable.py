"""Counts that travel: cells of scores by class, without rows, that merge exactly over days, shards and sites.

Cells are ranges of scores that do not overlap. Merging joins those that do, so that every end of a cell is a true point
of the pooled curve, and the bound on what joining cost is always known. Cells of a grid of powers of two lie inside
each other or apart, whatever grid each site chose, so that pooling loses no more than the coarsest of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Ints
from roclab.data.tally import Tally
from roclab.engines.cells import tally_of_cells
from roclab.engines.quantising import half_width
from roclab.engines.scan import Cells
from roclab.errors import InputError, Words, named
from roclab.names import Direction
from roclab.results import Result, Sample

__all__ = ["PortableTally", "cells_of_tally", "coarser", "exponent_of", "gathered", "merged_cells"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PortableTally(Result):
    """Counts of one or more scores by class, which every verb of one score takes instead of cases.

    Attributes
    ----------
    label, positive, negative : str
        The outcome and its two classes.
    scores : mapping of score to Cells
        Lowest and highest score of each cell, and its positives and negatives.
    direction : mapping of score to "higher" or "lower"
    dropped : int
        Cases left out for missing values.
    minimum : int
        Smallest count of either class that a cell may hold, other than none: 1 unless privacy asks for more.
    parts : int
        How many tallies were merged into this one.
    """

    label: str
    positive: str
    negative: str
    scores: Mapping[str, Cells]
    direction: Mapping[str, Direction]
    dropped: int = 0
    outcome: str = ""
    minimum: int = 1
    parts: int = 1

    def merge(self, *others: PortableTally) -> PortableTally:
        """All cases together; exact, associative and commutative."""
        found = self
        for other in others:
            found = _merged(found, other)
        return found

    def bound(self, score: str) -> float:
        """How far the AUC of a score can be from that of the rows."""
        return half_width(self.scores[score])

    def tally(self, score: str) -> Tally:
        """The counts of one score, as every statistic takes them."""
        cells = self.scores[score]
        sample = Sample(
            n_pos=int(cells.pos.sum()), n_neg=int(cells.neg.sum()), positive=self.positive, negative=self.negative,
            direction="higher", dropped=self.dropped, outcome=self.outcome, score=score,
        )  # fmt: skip
        words = "tally" if self.parts == 1 else f"{self.parts} tallies merged"
        found = tally_of_cells(cells, sample, known=None, counted=words)
        return found if self.direction[score] == "higher" else found.reversed()

    def rows(self) -> list[dict[str, Any]]:
        """One row per score: who was counted, in how many cells, and what that can cost the AUC."""
        return [
            {
                "score": name,
                "n+": int(cells.pos.sum()),
                "n-": int(cells.neg.sum()),
                "cells": int(cells.low.size),
                "AUC error at most": half_width(cells),
            }
            for name, cells in self.scores.items()
        ]

    def __str__(self) -> str:
        made = f"{plural(self.parts, 'part')}; positive is {self.positive}, negative is {self.negative}"
        if self.minimum > 1:
            made += f"; no cell holds fewer than {self.minimum} cases of a class it has any of"
        return f"{Result.__str__(self)}\n{made}"


def _merged(one: PortableTally, two: PortableTally) -> PortableTally:
    for what, mine, theirs in (
        ("the label", one.label, two.label),
        ("the positive class", one.positive, two.positive),
        ("the negative class", one.negative, two.negative),
        ("the scores", list(one.scores), list(two.scores)),
        ("the direction", dict(one.direction), dict(two.direction)),
    ):
        if mine != theirs:
            raise InputError(
                "", f"tallies merge only when they agree on {what}", Words(f"{mine!r} and {theirs!r}"),
                "count all parts the same way",
            )  # fmt: skip
    return replace(
        one,
        scores={name: merged_cells(cells, two.scores[name]) for name, cells in one.scores.items()},
        dropped=one.dropped + two.dropped,
        minimum=min(one.minimum, two.minimum),
        parts=one.parts + two.parts,
    )


def merged_cells(*several: Cells) -> Cells:
    """Cells of all together: those that overlap are joined, others stay as they are; O(k log k)."""
    low, high, pos, neg = (np.concatenate(column) for column in zip(*(one[:4] for one in several), strict=True))
    order = np.argsort(low, kind="stable")
    low, high, pos, neg = low[order], high[order], pos[order], neg[order]
    reach = np.maximum.accumulate(high)
    starts = np.flatnonzero(np.concatenate([[True], low[1:] > reach[:-1]]))
    ends = np.append(starts[1:], low.size) - 1
    return Cells(low[starts], reach[ends], np.add.reduceat(pos, starts), np.add.reduceat(neg, starts))


def cells_of_tally(tally: Tally) -> Cells:
    """Cells in ascending order of the user's own scores."""
    turned = tally if tally.sample.direction == "higher" else tally.reversed()
    top = turned.score if turned.top is None else turned.top
    flip = slice(None, None, -1)
    return Cells(turned.score[flip], top[flip], turned.pos[flip].astype(np.int64), turned.neg[flip].astype(np.int64))


def exponent_of(step: float) -> int:
    """The power of two that a step is rounded down to.

    >>> exponent_of(0.01), exponent_of(1)
    (-7, 0)
    """
    if not (isinstance(step, int | float) and 0 < step < math.inf):
        raise InputError("step", "must be a positive number", step, f"write {named('step', 0.001)}")
    return math.frexp(step)[1] - 1


def coarser(cells: Cells, *, step: float | None = None, minimum: int = 1) -> Cells:
    """Cells on a grid of powers of two; where a class has fewer than ``minimum`` cases, neighbours are joined.

    With a minimum, ends of cells are those of the grid, so that no case's own score is told. Sites that agree on a step
    lose nothing but their tails when they merge.
    """
    if step is None and minimum <= 1:
        return cells
    finite = np.isfinite(cells.low) & np.isfinite(cells.high)
    if minimum > 1 and not finite.all():
        raise InputError("minimum", "needs finite scores", Words("infinite ones"), "replace them before counting")
    largest = float(np.max(np.abs(np.where(finite, cells.high, 0.0)), initial=0.0))
    least = math.frexp(largest)[1] - 52  # a finer grid would have more cells than there are integers
    if minimum <= 1:
        assert step is not None
        return _by_key(cells, _places(cells, max(exponent_of(step), least), largest))
    totals = int(cells.pos.sum()), int(cells.neg.sum())
    if min(totals) < minimum:
        raise InputError(
            "minimum", "must not be more than the cases of either class", minimum,
            f"there are {totals[0]} positives and {totals[1]} negatives",
        )  # fmt: skip
    exponent = _private_exponent(cells, minimum, largest) if step is None else exponent_of(step)
    exponent = max(exponent, least)
    place = _places(cells, exponent, largest)
    grid = _by_key(cells, place)
    return _with_minimum(grid, np.unique(place), exponent, minimum)


def _places(cells: Cells, exponent: int, largest: float) -> Ints:
    """Number of the grid's cell in which each cell begins; infinities lie beyond the grid."""
    place = np.floor(np.ldexp(np.clip(cells.low, -largest, largest), -exponent)).astype(np.int64)
    ends = np.iinfo(np.int64)
    found: Ints = np.where(cells.low > largest, ends.max, np.where(cells.high < -largest, ends.min, place))
    return found


def _by_key(cells: Cells, key: Ints) -> Cells:
    starts = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    return Cells(
        cells.low[starts],
        np.maximum.reduceat(cells.high, starts),
        np.add.reduceat(cells.pos, starts),
        np.add.reduceat(cells.neg, starts),
    )


def _few(pos: Any, neg: Any, minimum: int) -> Any:
    """Whether a class has some cases, but fewer than the minimum."""
    return ((pos > 0) & (pos < minimum)) | ((neg > 0) & (neg < minimum))


def _private_exponent(cells: Cells, minimum: int, largest: float) -> int:
    """The finest grid on which all but the tails, one in ten cases, have enough company."""
    total = float(cells.pos.sum() + cells.neg.sum())
    last = math.frexp(largest or 1.0)[1]
    for exponent in range(last - 20, last + 1):
        grid = _by_key(cells, _places(cells, exponent, largest))
        few = _few(grid.pos, grid.neg, minimum)
        if float((grid.pos + grid.neg)[few].sum()) <= 0.1 * total:
            return exponent
    return last


def _with_minimum(grid: Cells, place: Ints, exponent: int, minimum: int) -> Cells:
    """Join neighbours from the lowest up until neither class has too few cases; ends are those of the grid."""
    starts: list[int] = []
    pos = neg = 0
    for at, (p, n) in enumerate(zip(grid.pos.tolist(), grid.neg.tolist(), strict=True)):
        if not starts or not _few(pos, neg, minimum):
            starts.append(at)
            pos = neg = 0
        pos, neg = pos + p, neg + n
    while len(starts) > 1 and _few(int(grid.pos[starts[-1] :].sum()), int(grid.neg[starts[-1] :].sum()), minimum):
        starts.pop()
    begins = np.array(starts, np.int64)
    ends = np.append(begins[1:], place.size) - 1
    low, beyond = (np.ldexp(edge.astype(np.float64), exponent) for edge in (place[begins], place[ends] + 1))
    return Cells(
        low, np.nextafter(beyond, -np.inf), np.add.reduceat(grid.pos, begins), np.add.reduceat(grid.neg, begins)
    )


def gathered(tallies: list[PortableTally]) -> PortableTally:
    """Several tallies as one."""
    if not tallies:
        raise InputError("tallies", "must be one or more", Words("none"), "name the files to merge")
    return tallies[0].merge(*tallies[1:])
