r"""How far cells can move the limits of an interval of an area that is no AUC.

Limits rise or fall with the area, with its variance and with the degrees of freedom, so that their extremes are those
at the ends of what these can be. The default interval adds a small-sample correction :math:`w^2 / (4 r^2 k)` to the
part of each class, with r the cases that the region rests on and :math:`k = (\sum d^2)^2 / \sum d^4`
(``inference/welch.py``), which also bounds the degrees of freedom. With
:math:`\delta_i` the most that the influence of case i can move (``influence_bounds.py``), :math:`\sqrt{\sum d^2}` moves
by no more than that of :math:`\delta`, and :math:`\sqrt[4]{\sum d^4}` by no more than twice its own, because the mean
is taken away from both.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.data.tally import Tally
from roclab.engines.influence_bounds import away_of_cases
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.intervals import area_interval, deviate
from roclab.inference.welch import EstimatedVariance, degrees
from roclab.names import Scale, Side
from roclab.options.region import Range
from roclab.results import AreaEstimate

__all__ = ["limits_error"]


def limits_error(
    tally: Tally, area: Area, found: AreaEstimate, half: float, *, level: float, interval: str, side: Side
) -> Range:
    """How far both limits can be from those of the scores; Undefined where no bound is known.

    ``half`` is how far the area itself can be.
    """
    scales: dict[str, Scale] = {"auto": "logit", "logit": "logit", "plain": "plain", "clipped": "clipped"}
    scale = scales.get(interval)
    if tally.weighted:
        why = Undefined("the limits with importance weights have no known bound")
        return why, why
    if scale is None:
        why = Undefined(f"the limits of {found.interval.method} have no known bound")
        return why, why
    widest, narrowest = _spreads(tally, area, cautious=interval == "auto")
    if not narrowest.variance > 0 or not _rise(area, found.area, half, widest, scale, level, side):
        why = Undefined("cells are too coarse for a bound of the limits")
        return why, why

    def limits(value: float, estimated: EstimatedVariance) -> Range:
        drawn = area_interval(
            value, math.sqrt(estimated.variance), level=level, scale=scale, side=side, bounds=area.bounds,
            pairs=area.pairs(tally.n_pos, tally.n_neg), name="", df=estimated.df,
        )  # fmt: skip
        return drawn.low, drawn.high

    low, high = found.interval.low, found.interval.high
    lows = [limits(found.area - half, widest)[0], limits(found.area + half, narrowest)[0]]
    highs = [limits(found.area + half, widest)[1], limits(found.area - half, narrowest)[1]]
    return max(abs(one - low) for one in lows), max(abs(one - high) for one in highs)


class _Class(NamedTuple):
    """What a class adds to the variance, and the degrees of freedom it is known with: each at least and at most."""

    least: float
    most: float
    fewest_df: float
    most_df: float


def _spreads(tally: Tally, area: Area, *, cautious: bool) -> tuple[EstimatedVariance, EstimatedVariance]:
    """The largest variance with the fewest degrees of freedom, and the smallest with the most."""
    assert area.influence is not None
    here, away = area.influence(tally), away_of_cases(tally, area)
    moved = float(np.max(away[1]))
    widths = [area.correction_widths(tally, moved=by) if cautious else (0.0, 0.0) for by in (-moved, moved)]
    one, two = (
        _class_of(values, moved, cases.astype(np.float64), (widths[0][at], widths[1][at]), area.shares[at])
        for at, (values, moved, cases) in enumerate(zip(here, away, (tally.pos, tally.neg), strict=True))
    )
    most, least = one.most + two.most, one.least + two.least
    if not cautious:
        return EstimatedVariance(most, math.inf), EstimatedVariance(least, math.inf)
    # 1/df is a parabola of the share of a class: largest at an end of what it can be, least there or at its vertex.
    ends = [one.least / (one.least + two.most), one.most / (one.most + two.least)] if least > 0 else [0.0, 1.0]
    largest = max(share**2 / one.fewest_df + (1 - share) ** 2 / two.fewest_df for share in ends)
    vertex = min(max(one.most_df / (one.most_df + two.most_df), ends[0]), ends[1])
    smallest = min(share**2 / one.most_df + (1 - share) ** 2 / two.most_df for share in (*ends, vertex))
    return EstimatedVariance(most, 1 / largest), EstimatedVariance(least, 1 / smallest)


def _class_of(values: Floats, away: Floats, cases: Floats, widths: Range, share: float) -> _Class:
    n = float(cases.sum())
    apart = values - float(np.sum(cases * values)) / n
    (second, moved_second), (fourth, moved_fourth) = (
        tuple(float(np.sum(cases * np.abs(one) ** power)) ** (1 / power) for one in (apart, away)) for power in (2, 4)
    )
    low, high = max(second - moved_second, 0.0), second + moved_second
    below, above = fourth - 2 * moved_fourth, fourth + 2 * moved_fourth
    fewest = max((low / above) ** 4, 1.0) if above > 0 else 1.0
    most = min(max((high / below) ** 4, 1.0), n) if below > 0 else n
    scale, correction = n * (n - 1), 4 * (n * share) ** 2
    return _Class(
        low**2 / scale + widths[0] ** 2 / correction / most,
        high**2 / scale + widths[1] ** 2 / correction / fewest,
        degrees(n, share, fewest),
        degrees(n, share, most),
    )


def _rise(
    area: Area, value: float, half: float, widest: EstimatedVariance, scale: str, level: float, side: Side
) -> bool:
    """Whether both limits rise with the area all the way: those of the logit do, except for very long intervals.

    On that scale they are logit a ± c / (a (1 - a)) of the share a, whose slope has the sign of a (1 - a) ± c (1 - 2a).
    """
    if scale != "logit":
        return True
    low, high = area.bounds
    shares = [(value + shift - low) / (high - low) for shift in (-half, half)]
    c = deviate(level, side, df=widest.df) * math.sqrt(widest.variance) / (high - low)
    return all(0 < a < 1 and a * (1 - a) > c * abs(1 - 2 * a) for a in shares)
