"""Distances between predictions and a smooth calibration curve: ICI, E50, E90, Emax, and their bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import check_level
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.data.tally import Tally
from roclab.inference.one_area.bootstrap import run_bootstrap, tally_draws
from roclab.options.uncertainty import Resampling, resampling_of
from roclab.results import Interval

__all__ = ["SmoothErrors", "cells_of_intervals", "smooth_errors"]

SPAN = 0.75  # share of the cases in a window of the smooth calibration curve
PLACES = 400  # where the smooth curve is fitted; between them it is a polyline
_CELLS = 2**14  # places times predictions that are weighed at once: what stays near the processor
_NAMES = ("ici", "e50", "e90", "emax")


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothErrors:
    """Distances between predictions and a local regression of the outcome on them, over the cases."""

    ici: float  # mean: the integrated calibration index
    e50: float
    e90: float
    emax: float
    ici_interval: Interval
    e50_interval: Interval
    e90_interval: Interval
    emax_interval: Interval


def smooth_errors(
    tally: Tally, level: float = 0.95, *, resampling: Resampling | int | None = None, rng: Any = None
) -> SmoothErrors:
    r"""ICI, E50, E90 and Emax [1]_: predictions against a local linear regression of the outcomes, span 0.75.

    O(m n) for at most 400 places m. These distances are never negative: sampling noise alone makes them positive.

    Parameters
    ----------
    tally : Tally
    level : float
        Of the intervals.
    resampling : Resampling or int, optional
        Asks for intervals: so many samples of whole cases, with their predictions as they are, and the curve fitted
        anew in each. Cases are drawn from both classes together whatever ``scheme`` says, because a fixed prevalence
        would hide how uncertain the calibration in the large is.
    rng : seed or Generator

    Notes
    -----
    A resampled distance :math:`\theta^*` carries the noise of the estimate :math:`\hat\theta` and once more as much,
    so percentiles alone lie too high and can never reach the 0 of right predictions. The upper end of the interval is
    the percentile; the lower end is the smaller one of the percentile and :math:`\sqrt{2\hat\theta^2 - q}` with the
    upper percentile q of :math:`\theta^{*2}`, which takes the noise off where it adds up, in the squares, and is 0
    where nothing else remains. Importance weights, and samples with fewer than three different predictions, have none.
    The rule was chosen on four designs (right, shifted, too extreme and too timid predictions) and held the truth on
    new samples of the same designs in 94 to 100% of 200 samples of 100 cases and 93 to 100% of 60 samples of 400;
    percentiles alone in none of right predictions and in 52 to 99% of the others. It is wide rather than narrow.

    References
    ----------
    .. [1] Austin PC, Steyerberg EW. The Integrated Calibration Index (ICI) and related metrics. Stat Med
       2019;38:4051-4065. doi:10.1002/sim.8281
    """
    p, pos, neg = (one[::-1].astype(np.float64) for one in (tally.score, tally.pos, tally.neg))
    if p.size < 3:
        missing = Undefined("a smooth curve needs three different predictions")
        return _with_intervals((missing,) * 4, (_no_interval(missing, level),) * 4)
    found = _distances(p, pos, pos + neg)
    if resampling is None or tally.weighted:
        missing = _UNASKED if resampling is None else Undefined("importance weights are no counts of cases")
        return _with_intervals(found, (_no_interval(missing, level),) * 4)
    return _with_intervals(found, _bootstrap_intervals(tally, found, level, resampling_of(resampling), rng))


def cells_of_intervals(tally: Tally, replicates: int) -> int:
    """How many places times predictions the intervals weigh at most: some five nanoseconds each."""
    return replicates * tally.score.size * min(tally.score.size, PLACES)


_UNASKED = Undefined("no resampling was asked for")


def _no_interval(missing: Undefined, level: float) -> Interval:
    return Interval(low=missing, high=missing, level=level, method="none")


def _with_intervals(values: Sequence[float], intervals: Sequence[Interval]) -> SmoothErrors:
    ends = {f"{name}_interval": interval for name, interval in zip(_NAMES, intervals, strict=True)}
    return SmoothErrors(**dict(zip(_NAMES, values, strict=True)), **ends)  # type: ignore[arg-type]


def _bootstrap_intervals(
    tally: Tally, values: Sequence[float], level: float, resampling: Resampling, rng: Any
) -> list[Interval]:
    check_level(level)
    resampling = replace(resampling, scheme="plain")
    draws, p = tally_draws(tally, resampling.scheme), tally.score[::-1].astype(np.float64)

    def one(generator: np.random.Generator) -> Sequence[float]:
        pos, neg = (counts[::-1].astype(np.float64) for counts in draws.counts(generator))
        kept = np.flatnonzero(pos + neg)
        return _distances(p[kept], pos[kept], (pos + neg)[kept]) if kept.size > 2 else (np.nan,) * len(_NAMES)

    sampled = replace(run_bootstrap(one, len(_NAMES), resampling=resampling, rng=rng), scheme=draws.scheme)
    if np.isnan(sampled.replicates).any():
        missing = Undefined("some resampled sets of cases had fewer than three different predictions")
        return [_no_interval(missing, level)] * len(_NAMES)
    tail = (1 - level) / 2
    found = []
    for value, (low, high) in zip(values, np.quantile(sampled.replicates, (tail, 1 - tail), axis=0).T, strict=True):
        without_noise = math.sqrt(max(2 * value**2 - high**2, 0.0))
        ends = {"low": min(without_noise, float(low)), "high": float(high)}
        found.append(Interval(**ends, level=level, method=f"{sampled.describe()}, noise taken off the lower end"))
    return found


def _distances(p: Floats, pos: Floats, cases: Floats) -> tuple[float, float, float, float]:
    """Mean, median, 90th percentile and largest distance of rising distinct predictions."""
    reached = np.cumsum(cases)
    places = p
    if p.size > PLACES:
        levels = np.linspace(0, reached[-1], PLACES)
        places = np.unique(p[np.minimum(np.searchsorted(reached, levels), p.size - 1)])
        places = np.unique(np.concatenate([p[:1], places, p[-1:]]))
    share = np.clip(_local_lines(places, p, pos / cases, cases), 0.0, 1.0)
    gap = np.abs(np.interp(p, places, share) - p)
    order = np.argsort(gap)
    below = np.cumsum(cases[order]) / reached[-1]
    middle, most = (float(gap[order][np.searchsorted(below, q - 1e-12)]) for q in (0.5, 0.9))
    return float(np.sum(cases * gap) / reached[-1]), middle, most, float(gap.max())


def _local_lines(places: Floats, x: Floats, y: Floats, weight: Floats) -> Floats:
    """Heights at places of the weighted lines through the nearest share of the cases, tricube in the distance."""
    nearer = 1 / (np.maximum(_reaches(places, x, weight), 1e-12) * (1 + 1e-9))
    plain = np.stack([weight, weight * y], axis=1)
    tilted = np.stack([weight, weight * y, weight * x], axis=1)
    found = np.empty(places.size)
    step = max(1, _CELLS // x.size)
    for start in range(0, places.size, step):
        rows = slice(start, start + step)
        away = x - places[rows, None]
        near = np.abs(away)
        near *= nearer[rows, None]
        np.minimum(near, 1.0, out=near)
        kernel = near * near
        kernel *= near
        np.subtract(1.0, kernel, out=kernel)
        np.multiply(kernel, kernel, out=near)
        kernel *= near
        away *= kernel
        total, height = (kernel @ plain).T
        shift, tilt, spread = (away @ tilted).T  # sums of away, away · y, away · x
        spread = spread - places[rows] * shift - shift * shift / total
        tilt = tilt - shift * height / total
        slope = np.divide(tilt, spread, out=np.zeros(total.size), where=spread > 1e-18)
        found[rows] = (height - slope * shift) / total
    return found


def _reaches(places: Floats, x: Floats, weight: Floats) -> Floats:
    """How far from each place the nearest share of the cases ends, O(n log n).

    Let r(l) be the first prediction up to which those from l on hold enough cases. The window from l to r(l) is centred
    at (x[l] + x[r(l)]) / 2, which rises with l. A place left of that centre has the right end farther away, so that of
    all windows only two can be the nearest: the first one centred at or behind the place, and the one before it.
    """
    before = np.concatenate([[0.0], np.cumsum(weight)])
    wanted = SPAN * before[-1] - 1e-9
    right = np.append(x, np.inf)[np.searchsorted(before[1:], before[:-1] + wanted)]
    first = np.searchsorted(x + right, 2 * places)
    behind = np.append(right, np.inf)[first] - places
    ahead = places - np.concatenate([[-np.inf], x])[first]
    return np.asarray(np.minimum(behind, ahead))
