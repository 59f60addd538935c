r"""Influence of single cases on an area: the one ingredient of all its variances and covariances.

An area T is a functional of two distributions, that of the positives and that of the negatives. Its first-order
expansion gives every case an influence value: :math:`\varphi^+` at each score for a positive case there,
:math:`\varphi^-` for a negative one. Then

.. math:: \operatorname{Var} T \approx \frac{s^2(\varphi^+)}{P} + \frac{s^2(\varphi^-)}{N}

and covariances of areas of scores measured on the same cases follow in the same way. For the AUC the influence
values are DeLong's structural components (placements), and the formula is DeLong's variance, ties included.

Write :math:`R(f)` for the ROC curve, :math:`f(s)` for the false positive rate at which score s is crossed. Then

================  =============================================  =============================================
area              positive case at s                             negative case at s
================  =============================================  =============================================
AUC               :math:`1 - f(s)`                               :math:`R(f(s))`
pAUC on [a, b]    length of [a, b] to the right of f(s)          :math:`R(f(s))`, f(s) moved into [a, b]
tAUC              :math:`(1 - f(s))^2 / 2`                       :math:`R(f)(1-f) + \int_0^f R`, f = f(s)
================  =============================================  =============================================

each up to a constant, which variances do not see. A negative whose threshold moves shifts the whole curve
beyond it, which is where the integral of the tAUC comes from. A group of tied scores crosses an interval of
false positive rates; its value is the mean over that interval, which makes the formulas exact derivatives of
the areas under the expected curve. The average precision is differentiated directly (see below).

References
----------
DeLong ER, DeLong DM, Clarke-Pearson DL. Biometrics 1988;44:837-845. doi:10.2307/2531595
Sun X, Xu W. Fast implementation of DeLong's algorithm. IEEE Signal Process Lett 2014;21:1389-1393.
He Y, Escobar M. Nonparametric statistical inference method for partial areas under ROC curves. Stat Med 2008;27.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from roclab._core.polyline import first_reach, value_at, value_before
from roclab._core.types import Floats
from roclab.curves.roc import RocCurve, roc_curve
from roclab.data.tally import Tally
from roclab.options.region import Range

__all__ = ["Influence", "InfluenceOf", "influence_of_ap", "influence_of_auc", "influence_of_tauc", "partial_influence"]


class Influence(NamedTuple):
    """Influence of a positive and of a negative case at each distinct score of the tally."""

    pos: Floats
    neg: Floats


InfluenceOf = Callable[[Tally], Influence]


def influence_of_auc(tally: Tally) -> Influence:
    """DeLong's structural components; their class means are the AUC. O(n)."""
    below = tally.n_neg - np.cumsum(tally.neg) + tally.neg / 2
    above = np.cumsum(tally.pos) - tally.pos / 2
    return Influence(below / tally.n_neg, above / tally.n_pos)


def influence_of_tauc(tally: Tally) -> Influence:
    """Influence on the tAUC, O(n)."""
    curve = roc_curve(tally)
    run, rise = np.diff(curve.fpr), np.diff(curve.tpr)
    mid_f, mid_t = curve.fpr[:-1] + run / 2, curve.tpr[:-1] + rise / 2
    pos = (1 - curve.fpr[1:]) ** 2 / 2 + run * ((1 - mid_f) / 2 - run / 12)
    area_before = _area_before(curve)
    neg = mid_t * (1 - mid_f) + area_before + run * mid_t / 2 - run * rise / 6
    return Influence(pos, neg)


def influence_of_ap(tally: Tally) -> Influence:
    r"""Influence on the average precision for fixed class sizes, O(n).

    With cumulated shares :math:`T_g, F_g`, skew c and steps :math:`\alpha_g`, AP is
    :math:`\sum_g \alpha_g T_g / (T_g + c F_g)`; its derivative by the share of the positives (negatives) at
    one score adds the change of all later precisions.
    """
    tpr = np.cumsum(tally.pos) / tally.n_pos
    false = np.cumsum(tally.neg) / tally.n_pos  # c F
    skew = tally.n_neg / tally.n_pos
    called = tpr + false
    step = tally.pos / tally.n_pos
    from_here_on = slice(None, None, -1)
    # Where cases of weight 0 come first nothing is called yet: they have no precision, and no part in any sum.
    per_called = np.divide(1.0, called, out=np.zeros_like(called), where=called > 0)
    gain = np.cumsum((step * false * per_called**2)[from_here_on])[from_here_on]
    loss = np.cumsum((step * tpr * per_called**2)[from_here_on])[from_here_on]
    return Influence(tpr * per_called + gain, -skew * loss)


def partial_influence(*, fpr: Range | None = None, tpr: Range | None = None) -> InfluenceOf:
    """Influence on the raw partial area of a region (see ``areas.partial``), O(n)."""

    def influence(tally: Tally) -> Influence:
        if fpr is None:
            low, high = tpr if tpr is not None else (0.0, 1.0)
            mirror = _inside_rectangle(tally.mirrored(), (1 - high, 1 - low), (0.0, 1.0))
            return Influence(mirror.neg[::-1], mirror.pos[::-1])
        return _inside_rectangle(tally, fpr, (0.0, 1.0) if tpr is None else tpr)

    return influence


def _inside_rectangle(tally: Tally, fpr: Range, tpr: Range) -> Influence:
    """Influence on the area under the curve inside a rectangle.

    A positive case lifts the curve to the right of its own score, where the curve is between the two levels. A
    negative case moves the curve sideways and gains its height there, both moved into the rectangle.
    """
    (low, high), (floor, ceiling) = fpr, tpr
    curve = roc_curve(tally)
    run = np.diff(curve.fpr)
    enters, leaves = first_reach(curve.fpr, curve.tpr, np.array([floor, ceiling]))
    start = min(max(float(enters), low), high)
    stop = max(min(float(leaves), high), start) if ceiling < 1 else high
    pos = _mean_length_to_the_right(curve.fpr, start, stop)

    moved = np.clip(curve.fpr, low, high)
    slope = np.divide(np.diff(curve.tpr), run, out=np.zeros_like(run), where=run > 0)
    first = curve.tpr[:-1] + slope * (moved[:-1] - curve.fpr[:-1])
    last = curve.tpr[:-1] + slope * (moved[1:] - curve.fpr[:-1])
    inside = np.diff(moved) * _mean_between_levels(first, last, floor, ceiling)
    before, after = np.diff(np.minimum(curve.fpr, low)), np.diff(np.maximum(curve.fpr, high))
    # At the ends of the range a vertical step counts from the inside.
    at_low = float(value_at(curve.fpr, curve.tpr, np.array([low]))[0])
    at_high = value_before(curve.fpr, curve.tpr, high)
    outside = before * np.clip(at_low, floor, ceiling) + after * np.clip(at_high, floor, ceiling)
    neg = _mean(inside + outside, run, np.clip(last, floor, ceiling))
    return Influence(pos, neg)


def _mean_length_to_the_right(fpr: Floats, low: float, high: float) -> Floats:
    """Mean over each group's interval of the length of [low, high] to the right of a point in it."""
    moved = np.clip(fpr, low, high)
    before = np.diff(np.minimum(fpr, low))
    middle = np.diff(moved) * (high - (moved[:-1] + moved[1:]) / 2)
    return _mean(before * (high - low) + middle, np.diff(fpr), high - moved[1:])


def _mean_between_levels(first: Floats, last: Floats, floor: float, ceiling: float) -> Floats:
    """Mean of a straight line from ``first`` up to ``last``, cut off at two levels."""
    rise = last - first
    start, stop = np.clip(first, floor, ceiling), np.clip(last, floor, ceiling)
    total = (start - first) * floor + (stop - start) * (start + stop) / 2 + (last - stop) * ceiling
    # The cut-off parts are (start - first) long below the floor and (last - stop) long above the ceiling, unless
    # the whole line lies outside on one side, where it is level.
    level = start == stop
    return np.divide(total, rise, out=start.copy(), where=(rise > 0) & ~level)


def _mean(total: Floats, run: Floats, point: Floats) -> Floats:
    """Mean over an interval, or the value at its one point when it has no length."""
    return np.divide(total, run, out=point.astype(np.float64, copy=True), where=run > 0)


def _area_before(curve: RocCurve) -> Floats:
    """Area under the curve to the left of each segment."""
    pieces = np.diff(curve.fpr) * (curve.tpr[1:] + curve.tpr[:-1]) / 2
    before: Floats = np.cumsum(pieces) - pieces
    return before
