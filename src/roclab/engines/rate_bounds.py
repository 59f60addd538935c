"""How far cells can move a rate where the other one is fixed, and the limits of its score interval.

Inside a cell that joins scores the curve of the rows runs somewhere between two corners: all positives first, or all
negatives first. Limits of the score interval rise with the curve (``inference/one_curve/pointwise_limits.py``), so that
those of the two extreme curves enclose them. Percentiles of resampled cells have no such bound.
"""

from __future__ import annotations

import numpy as np

from roclab._core.types import Floats
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.engines.influence_bounds import CellEnds, cell_ends
from roclab.inference.one_area.variance import effective_sizes
from roclab.inference.one_curve.pointwise_limits import pointwise_limits
from roclab.names import Side

__all__ = ["Limits", "limits_in_cells", "rate_error"]

Limits = tuple[tuple[float, float], tuple[float, float]]  # the lowest and the highest that each of the two can be


def rate_error(tally: Tally, at: float) -> float:
    """How far the height of the curve at a false positive rate can be from that of the scores; O(cells)."""
    here = float(roc_curve(tally).at(at)[0])
    low, high = cell_ends(tally).heights(at, here)
    return max(high - here, here - low)


def limits_in_cells(tally: Tally, at: float, *, level: float, side: Side = "two-sided") -> Limits:
    """Between which values the limits of the rows lie; O(cells)."""
    cells, place = cell_ends(tally), np.array([at])
    n_pos, n_neg = effective_sizes(tally)
    ends = [
        pointwise_limits(*_corners(cells, up=up), place, n_pos=n_pos, n_neg=n_neg, level=level, side=side)
        for up in (False, True)
    ]
    (low, high), (low_up, high_up) = [(float(low[0]), float(high[0])) for low, high in ends]
    return (low, low_up), (high, high_up)


def _corners(cells: CellEnds, *, up: bool) -> tuple[Floats, Floats]:
    """The curve by the upper corner of every joined cell, or by the lower one."""
    fpr, tpr = np.empty(2 * cells.f0.size + 1), np.empty(2 * cells.f0.size + 1)
    fpr[:-1:2], fpr[-1], tpr[:-1:2], tpr[-1] = cells.f0, 1.0, cells.t0, 1.0
    fpr[1::2] = cells.f0 if up else np.where(cells.joined, cells.f1, cells.f0)
    tpr[1::2] = np.where(cells.joined, cells.t1, cells.t0) if up else cells.t0
    return fpr, tpr
