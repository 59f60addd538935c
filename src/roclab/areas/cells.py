"""Partial areas of a tally whose rows are cells of several scores: what the cells inside a region add, and its edge.

Between its ends a cell's curve may run above or below the chord. What that adds to an area under the curve was counted
with the rows (``Known.excess``); it belongs to a region as a whole where the cell lies inside, and not at all where it
lies outside. Only cells that the edge of a region cuts leave a question open.
"""

from __future__ import annotations

import numpy as np

from roclab._core.types import Bools, Floats
from roclab.data.tally import Tally

__all__ = ["cells_at_edge", "cells_reaching", "excess_inside", "joined_cells"]

Range = tuple[float, float]


def _ends(tally: Tally) -> list[tuple[Floats, Floats]]:
    """Lowest and highest rate of every cell: false positive rates, true positive rates."""
    ends = []
    for counts, total in ((tally.neg, tally.n_neg), (tally.pos, tally.n_pos)):
        upto = np.cumsum(counts)
        ends.append(((upto - counts) / total, upto / total))
    return ends


def joined_cells(tally: Tally) -> Bools:
    """Rows of a tally that join several scores."""
    if tally.top is None:
        return np.zeros(tally.score.size, np.bool_)
    found: Bools = tally.top > tally.score
    return found


def _inside(tally: Tally, fpr: Range | None, tpr: Range | None) -> Bools:
    inside = joined_cells(tally)
    for asked, (low, high) in zip((fpr, tpr), _ends(tally), strict=True):
        if asked is not None:
            inside &= (low >= asked[0]) & (high <= asked[1])
    return inside


def cells_reaching(tally: Tally, fpr: Range | None, tpr: Range | None) -> Bools:
    """Cells of several scores that have a part in a region; O(rows)."""
    reaching = joined_cells(tally)
    for asked, (low, high) in zip((fpr, tpr), _ends(tally), strict=True):
        if asked is not None:
            reaching &= (high > asked[0]) & (low < asked[1])
    return reaching


def cells_at_edge(tally: Tally, fpr: Range | None, tpr: Range | None) -> Bools:
    """Cells of several scores, with cases of both classes, that the edge of a region cuts; O(rows)."""
    both = (tally.pos > 0) & (tally.neg > 0)
    edge: Bools = cells_reaching(tally, fpr, tpr) & ~_inside(tally, fpr, tpr) & both
    return edge


def excess_inside(tally: Tally, fpr: Range | None, tpr: Range | None) -> float:
    """What the curve adds to the chords of the cells inside a region; 0 where it is not known."""
    if tally.known is None or tally.known.excess is None:
        return 0.0
    won: float = np.sum(tally.known.excess[_inside(tally, fpr, tpr)]).item()
    return won / (2 * tally.n_pos * tally.n_neg)
