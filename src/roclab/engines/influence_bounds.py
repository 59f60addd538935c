r"""How far cells can move the standard error of an area that is no AUC.

The standard errors rest on the influence of every case (``inference/one_area/influence.py``), which depends on where
the curve is crossed: at a false positive rate f between the ends of the case's own cell, and at heights of the curve
that lie between the ends of the cells they fall into. All of these values rise or fall with f, with the heights and
with the places where the curve meets a level, so that their extremes are those at the ends; that of the average
precision has its extremes at known places between them. With :math:`\delta_i` the
largest distance of the value of case i from the one that its cell gives, the standard deviation of a class moves by no
more than :math:`\sqrt{\sum_i \delta_i^2 / (n - 1)}`, because it is a seminorm.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from roclab._core.polyline import SAME, first_reach, value_at, value_before
from roclab._core.types import Bools, Floats
from roclab._core.undefined import Undefined
from roclab.areas.cells import joined_cells
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.engines.cells import class_error
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.influence import partial_influence
from roclab.inference.one_area.variance import effective_sizes, variance_parts
from roclab.options.region import Range

__all__ = ["CellEnds", "away_of_cases", "cell_ends", "influence_error"]


class CellEnds(NamedTuple):
    """Ends of all cells on both axes, and which of them join scores."""

    f0: Floats
    f1: Floats
    t0: Floats
    t1: Floats
    joined: Bools

    def heights(self, at: float, here: float) -> Range:
        """The lowest and the highest that the curve can be at a false positive rate, given its height in cells."""
        touched = self.joined & (self.f0 <= at + SAME) & (self.f1 >= at - SAME)
        return min([here, *self.t0[touched]]), max([here, *self.t1[touched]])

    def reaches(self, level: float, here: float) -> Range:
        """Where the curve can reach a level first, given where it does so in cells."""
        if level <= 0:
            return here, here
        touched = self.joined & (self.t0 <= level + SAME) & (self.t1 >= level - SAME)
        return min([here, *self.f0[touched]]), max([here, *self.f1[touched]])


def cell_ends(tally: Tally) -> CellEnds:
    """The cells of a tally, from the highest scores down."""
    curve = roc_curve(tally)
    return CellEnds(curve.fpr[:-1], curve.fpr[1:], curve.tpr[:-1], curve.tpr[1:], joined_cells(tally))


def influence_error(tally: Tally, area: Area) -> float:
    """How far the standard error by influence can be from that of the scores; Undefined where no bound is known."""
    if not joined_cells(tally).any():
        return 0.0
    if area.influence is None or (area.region is None and area.method not in ("tauc", "average_precision")):
        return Undefined(f"no bound is known for the standard error of {area.method} in cells")
    if min(effective_sizes(tally)) < 2:
        return Undefined("a class has one case, so its spread cannot be seen")
    if tally.weighted and area.method == "average_precision":
        return Undefined("no bound is known for the standard error of average precision with importance weights")
    away_pos, away_neg = away_of_cases(tally, area)
    e_pos = class_error(away_pos, tally.pos, tally.pos_squares)
    e_neg = class_error(away_neg, tally.neg, tally.neg_squares)
    s_pos, s_neg = (math.sqrt(max(part, 0.0)) for part in variance_parts(tally, area.influence(tally)))
    here = math.hypot(s_pos, s_neg)
    most = math.hypot(s_pos + e_pos, s_neg + e_neg)
    least = math.hypot(max(s_pos - e_pos, 0.0), max(s_neg - e_neg, 0.0))
    return max(most - here, here - least)


def away_of_cases(tally: Tally, area: Area) -> tuple[Floats, Floats]:
    """The largest distance of the influence of a positive and of a negative case of every cell."""
    assert area.influence is not None
    if area.region is None:
        away = _away_of_tauc if area.method == "tauc" else _away_of_precision
        return away(tally, *area.influence(tally))
    fpr, tpr = area.region
    low, high = area.bounds
    widths = [ends[1] - ends[0] for ends in (fpr, tpr) if ends is not None]
    factor = (high - low) / (float(np.prod(widths)) or 1.0)
    if fpr is None:
        assert tpr is not None
        neg, pos = _away_inside(tally.mirrored(), (1 - tpr[1], 1 - tpr[0]), (0.0, 1.0))
        return factor * pos[::-1], factor * neg[::-1]
    pos, neg = _away_inside(tally, fpr, (0.0, 1.0) if tpr is None else tpr)
    return factor * pos, factor * neg


def _away_inside(tally: Tally, fpr: Range, tpr: Range) -> tuple[Floats, Floats]:
    """Of the raw area inside a rectangle, whose influences ``partial_influence`` has."""
    (low, high), (floor, ceiling) = fpr, tpr
    curve, cells = roc_curve(tally), cell_ends(tally)
    here = partial_influence(fpr=fpr, tpr=tpr)(tally)
    # A positive counts the length to its right between the places where the curve meets the two levels.
    enters, leaves = (float(one) for one in first_reach(curve.fpr, curve.tpr, np.array([floor, ceiling])))
    starts = [min(max(one, low), high) for one in cells.reaches(floor, enters)]
    stops = [min(one, high) for one in cells.reaches(ceiling, leaves)] if ceiling < 1 else [high, high]
    most = np.maximum(stops[1] - np.maximum(cells.f0, starts[0]), 0.0)
    least = np.maximum(stops[0] - np.maximum(cells.f1, starts[1]), 0.0)
    moved = (starts[1] - starts[0]) + (stops[1] - stops[0])  # of a tie, which keeps its own place
    pos = np.where(cells.joined, np.maximum(most - here.pos, here.pos - least), moved)
    # A negative counts the height of the curve: where its cell lies outside the range, that at the end of the range.
    first = cells.heights(low, float(value_at(curve.fpr, curve.tpr, np.array([low]))[0]))
    last = cells.heights(high, float(value_before(curve.fpr, curve.tpr, high)))
    before, after, inside = cells.f0 < low, cells.f1 > high, (cells.f1 >= low) & (cells.f0 <= high)
    ways = ((before, first[0], first[1]), (after, last[0], last[1]), (inside, cells.t0, cells.t1))
    lowest = np.minimum.reduce([np.where(there, under, 1.0) for there, under, _ in ways])
    highest = np.maximum.reduce([np.where(there, over, 0.0) for there, _, over in ways])
    lowest, highest = np.clip(lowest, floor, ceiling), np.clip(highest, floor, ceiling)
    moved_ends = np.where(before, first[1] - first[0], 0.0) + np.where(after, last[1] - last[0], 0.0)
    neg = np.where(cells.joined, np.maximum(highest - here.neg, here.neg - lowest), moved_ends)
    return pos, neg


def _away_of_tauc(tally: Tally, pos: Floats, neg: Floats) -> tuple[Floats, Floats]:
    """A positive has (1 - f)²/2, which falls; a negative R (1 - f) plus the area up to f, which rises with f."""
    f0, f1, t0, t1, joined = cell_ends(tally)
    away_pos = np.where(joined, np.maximum((1 - f0) ** 2 / 2 - pos, pos - (1 - f1) ** 2 / 2), 0.0)
    run, half = f1 - f0, np.where(joined, (f1 - f0) * (t1 - t0) / 2, 0.0)
    area = np.cumsum(run * (t0 + t1) / 2)
    unsure = np.cumsum(half)  # how far the area up to the end of a cell can be from the one of chords
    start = t0 * (1 - f0) + (area - run * (t0 + t1) / 2) - (unsure - half)
    stop = t1 * (1 - f1) + area + unsure
    away_neg = np.where(joined, np.maximum(stop - neg, neg - start), unsure - half)
    return away_pos, away_neg


def _away_of_precision(tally: Tally, pos: Floats, neg: Floats) -> tuple[Floats, Floats]:
    """Precision at the case's own score, and what it changes of all precisions from there on (``influence_of_ap``).

    With cumulated cases t and f, the two changes are f/(t + f)² and t/(t + f)², summed over positives. The first falls
    with t and is largest at f = t, the second the other way round; they are least at an end.
    """
    one = 1 / tally.n_pos
    t1, f1 = np.cumsum(tally.pos) * one, np.cumsum(tally.neg) * one
    joined, step = joined_cells(tally), tally.pos * one
    # The first positive of a cell counts itself; where a cell has none, the values have no part in any sum.
    t0 = np.where(joined & (step > 0), t1 - step + one, t1)
    f0 = np.where(joined, f1 - tally.neg * one, f1)
    ends = []
    for least, most in (_share(f0, f1, t0, t1), _share(t0, t1, f0, f1)):
        low, high = (np.cumsum(np.where(step > 0, step * each, 0.0)[::-1])[::-1] for each in (least, most))
        ends += [np.where(joined, np.append(low[1:], 0.0), low), high]
    gain_low, gain_high, loss_low, loss_high = ends
    skew = tally.n_neg * one
    with np.errstate(invalid="ignore"):
        lowest, highest = t0 / (t0 + f1) + gain_low, t1 / (t1 + f0) + gain_high
    away_pos = np.where(step > 0, np.maximum(highest - pos, pos - lowest), 0.0)
    away_neg = np.where(tally.neg > 0, np.maximum(-neg - skew * loss_low, skew * loss_high + neg), 0.0)
    return away_pos, away_neg


def _share(x0: Floats, x1: Floats, y0: Floats, y1: Floats) -> tuple[Floats, Floats]:
    """The least and the largest x/(x + y)² for x and y between their ends; NaN where both may be 0."""
    best = np.clip(y0, x0, x1)
    with np.errstate(invalid="ignore"):
        return np.minimum(x0 / (x0 + y1) ** 2, x1 / (x1 + y1) ** 2), best / (best + y0) ** 2
