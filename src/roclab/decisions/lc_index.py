"""The LC index of Adams and Hand: which of two classifiers loses less, when costs are known only roughly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_fraction, check_range
from roclab._core.text import format_number
from roclab._core.types import Floats
from roclab.curves.hull import RocHull, hull_of_curve
from roclab.curves.roc import RocCurve, rates
from roclab.decisions.costs import signed_regions
from roclab.errors import InputError
from roclab.results import Result
from roclab.results.pictured import Pictured

__all__ = ["LcIndex", "Superiority", "lc_index", "least_loss"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Superiority:
    """A stretch of cost shares, who loses less there (None: both the same) and how likely such costs are."""

    low: float
    high: float
    better: str | None
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LcIndex(Pictured):
    """From -1 (the second classifier is better for all plausible costs) to 1 (the first is)."""

    index: float
    first: str
    second: str
    regions: tuple[Superiority, ...]
    prevalence: float
    interval: tuple[float, float]
    mode: float

    def rows(self) -> list[dict[str, Any]]:
        """One row per interval of superiority."""
        return [
            {
                "from": region.low,
                "to": region.high,
                "better": "equal" if region.better is None else region.better,
                "weight": region.weight,
            }
            for region in self.regions
        ]

    def __str__(self) -> str:
        low, high = self.interval
        lines = [
            f"LC index of {self.first} against {self.second}: {format_number(self.index)}",
            f"cost share of a false positive {low:g} to {high:g}, most likely {self.mode:g}; "
            f"prevalence {self.prevalence:g}",
        ]
        return "\n".join([*lines, "", Result.__str__(self)])


def least_loss(hull: RocHull, cost_share: Any, *, prevalence: float) -> Floats:
    r"""Smallest expected loss over all thresholds at each share c of the cost of a false positive.

    .. math:: L(c) = \min_{hull}\; (1 - \pi)\, c\, FPR + \pi\, (1 - c)\, (1 - TPR), \qquad
              c = \frac{c_{FP}}{c_{FP} + c_{FN}}

    >>> from roclab.curves.roc import curve_from_points
    >>> hull = hull_of_curve(curve_from_points([0.1, 0.5], [0.5, 0.8]))
    >>> round(float(least_loss(hull, 0.5, prevalence=0.5)[0]), 12)
    0.15
    """
    check_fraction(prevalence, "prevalence", way_out="write 0.1 for 10%", open_ends=True)
    return np.interp(rates(cost_share, "cost_share"), *_loss_corners(hull, prevalence))


def lc_index(
    first: RocCurve,
    second: RocCurve,
    *,
    prevalence: float,
    interval: tuple[float, float],
    mode: float,
    names: tuple[str, str] = ("first", "second"),
) -> LcIndex:
    r"""The LC index of two classifiers for roughly known costs [1]_.

    .. math:: LC = \int \operatorname{sign}(L_2(c) - L_1(c))\, dT(c)

    with the least losses :math:`L_k` at the cost share c of a false positive (see :func:`least_loss`) and T the
    triangular distribution on the interval. Where both lose the same the sign is 0.

    Parameters
    ----------
    first, second : RocCurve
    prevalence : float
        Share of positive cases where the classifiers will be used.
    interval : pair
        Smallest and largest plausible share of a false positive in the cost, c = c_FP / (c_FP + c_FN).
    mode : float
        The most likely share, within the interval.
    names : pair of str

    Returns
    -------
    LcIndex
        With the intervals of superiority; their ends are exact, because both losses are broken lines in c.

    References
    ----------
    .. [1] Adams NM, Hand DJ. Comparing classifiers when the misallocation costs are uncertain. Pattern Recognition
       1999;32:1139-1147.

    Examples
    --------
    >>> from roclab.curves.roc import curve_from_points
    >>> early, late = curve_from_points([0.0], [0.5]), curve_from_points([0.5], [1.0])
    >>> found = lc_index(early, late, prevalence=0.5, interval=(0.2, 0.8), mode=0.5, names=("early", "late"))
    >>> round(found.index, 12), [(one.low, one.high, one.better) for one in found.regions]
    (0.0, [(0.2, 0.5, 'late'), (0.5, 0.8, 'early')])
    """
    prevalence = check_fraction(prevalence, "prevalence", way_out="write 0.1 for 10%", open_ends=True)
    low, high = check_range(interval, "interval")
    if not low <= mode <= high:
        raise InputError("mode", f"must lie within the interval {low:g} to {high:g}", mode, "choose a value inside")
    if len(set(names)) != 2:
        raise InputError("names", "must be two different names", names, "name the classifiers")
    corners = [_loss_corners(hull_of_curve(curve), prevalence) for curve in (first, second)]
    inside = np.concatenate([c[(c > low) & (c < high)] for c, _ in corners])
    x = np.unique(np.concatenate([[low], inside, [high]]))
    ahead = np.interp(x, *corners[1]) - np.interp(x, *corners[0])
    regions, index = [], 0.0
    for left, right, sign in signed_regions(x, ahead):
        weight = _triangular(right, low, high, mode) - _triangular(left, low, high, mode)
        index += sign * weight
        better = None if sign == 0 else names[0] if sign > 0 else names[1]
        regions.append(Superiority(low=left, high=right, better=better, weight=weight))
    return LcIndex(
        index=index,
        first=names[0],
        second=names[1],
        regions=tuple(regions),
        prevalence=prevalence,
        interval=(low, high),
        mode=float(mode),
    )


def _loss_corners(hull: RocHull, prevalence: float) -> tuple[Floats, Floats]:
    """Corners of the least loss as a broken line in the cost share, ascending."""
    run, rise = np.diff(hull.fpr), np.diff(hull.tpr)
    # Two neighbouring vertices lose the same where c (1 - π) run = (1 - c) π rise.
    meet = prevalence * rise / ((1 - prevalence) * run + prevalence * rise)
    c = np.concatenate([[1.0], meet, [0.0]])
    fpr = np.append(hull.fpr, hull.fpr[-1])
    fnr = 1 - np.append(hull.tpr, hull.tpr[-1])
    loss = (1 - prevalence) * c * fpr + prevalence * (1 - c) * fnr
    return c[::-1], loss[::-1]


def _triangular(c: float, low: float, high: float, mode: float) -> float:
    """Distribution function of the triangular distribution."""
    if c <= low:
        return 0.0
    if c >= high:
        return 1.0
    if c <= mode:
        return (c - low) ** 2 / ((high - low) * (mode - low))
    return 1 - (high - c) ** 2 / ((high - low) * (high - mode))
