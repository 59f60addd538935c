"""Confidence bands of the whole curve, and regions at one operating point."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import check_choice, check_level, check_points
from roclab._core.polyline import SAME
from roclab._core.text import text_table
from roclab._core.types import Floats, frozen
from roclab._core.undefined import Undefined
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally, subjects_at_hand
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.bootstrap import run_bootstrap_rows, tally_draws
from roclab.inference.one_area.variance import effective_sizes
from roclab.inference.one_curve.band_floor import binomial_floor
from roclab.inference.one_curve.clustered_rates import clustered_rates
from roclab.inference.one_curve.curve_draws import curve_draws
from roclab.inference.one_curve.pointwise_limits import pointwise_limits
from roclab.inference.one_curve.proportions import proportion_interval
from roclab.names import BANDS, BandKind, ProportionInterval
from roclab.options.uncertainty import Resampling, resampling_of
from roclab.results import Interval, Result

__all__ = ["BANDS", "Band", "Rectangle", "clustered_rectangle", "joint_rectangle", "roc_band"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Band(Result):
    """Lower and upper limits of the true positive rate over the false positive rate."""

    fpr: Floats
    tpr: Floats
    low: Floats
    high: Floats
    level: float
    kind: str
    method: str
    thresholds: Floats | None = None
    fpr_low: Floats | None = None  # limits in the other direction, where the band has them
    fpr_high: Floats | None = None

    def __post_init__(self) -> None:
        for array in (self.fpr, self.tpr, self.low, self.high, self.thresholds, self.fpr_low, self.fpr_high):
            if array is not None:
                frozen(array)

    def __str__(self) -> str:
        return f"{text_table(self.rows())}\n\n{self.kind} band, level {self.level:g}: {self.method}"

    def rows(self) -> list[dict[str, Any]]:
        """One row per point of the band."""
        columns = {"threshold": self.thresholds, "fpr": self.fpr, "fpr low": self.fpr_low, "fpr high": self.fpr_high,
                   "tpr": self.tpr, "tpr low": self.low, "tpr high": self.high}  # fmt: skip
        shown = {name: values.tolist() for name, values in columns.items() if values is not None}
        return [dict(zip(shown, values, strict=True)) for values in zip(*shown.values(), strict=True)]


def roc_band(
    tally: Tally,
    *,
    kind: BandKind = "pointwise",
    level: float = 0.95,
    points: int = 101,
    proportion: ProportionInterval = "wilson",
    resampling: Resampling | int | None = None,
    rng: Any = None,
) -> Band:
    r"""A confidence band of the ROC curve.

    - "pointwise": the level holds at one false positive rate chosen in advance. Score limits of the height of the curve
      (``pointwise_limits``); with ``resampling`` or ``rng``, and for subjects with several cases, percentiles of
      resampled curves.
    - "simultaneous": the level holds for the whole curve at once. Bootstrap sup-t: limits
      :math:`\hat R(f) \pm q\,s(f)`, with s the pointwise bootstrap deviation and q the quantile of the largest
      standardised deviation over the curve. Resampling sees no spread where all resampled curves agree, so s is never
      below the binomial :math:`\sqrt{p(1-p)/P}` at p = (TP + 1) / (P + 2). Limits rise as curves do.
      Resampled bands are never narrower than the binomial limits of their counts (``band_floor``), because resampling
      sees no uncertainty where the classes are separated, nor how far beyond the highest negatives another may lie.
    - "kolmogorov": the whole curve, without resampling. Both distribution functions stay within their Kolmogorov
      distance at level √level each, so the curve moves at most d up and e sideways (fixed width, conservative) [1]_.
    - "thresholds": at every observed threshold the binomial intervals of both rates, each at the given level; of
      subjects with several cases on effective counts (``design_effects``).

    References
    ----------
    .. [1] Campbell G. Advances in statistical methodology for the evaluation of diagnostic and laboratory tests.
       Stat Med 1994;13:499-508. doi:10.1002/sim.4780130513
    """
    check_choice(kind, "kind", BANDS)
    check_level(level)
    if tally.weighted and kind in ("thresholds", "kolmogorov"):
        raise InputError("", f"the {kind} band counts whole cases and has no form for importance weights")
    subjects = subjects_at_hand(tally)
    if subjects is not None and kind == "kolmogorov":
        raise InputError(
            "kind", "'kolmogorov' takes every case for itself and has no form for subjects with several cases",
            Words(f"{len(subjects)} subjects"), f"use {named('kind', 'simultaneous')}",
        )  # fmt: skip
    if kind == "thresholds":
        return _at_thresholds(tally, level, proportion)
    check_points(points, least=2, way_out="101 points are one per percent")
    grid = np.linspace(0, 1, points)
    if kind == "kolmogorov":
        return _kolmogorov(tally, grid, level)
    if kind == "pointwise" and resampling is None and rng is None and subjects is None:
        return _by_score(tally, grid, level)
    resampling = resampling_of(resampling)
    draws = tally_draws(tally, resampling.scheme)
    sampled = run_bootstrap_rows(curve_draws(draws, grid), points, resampling=resampling, rng=rng)
    sampled = replace(sampled, scheme=draws.scheme)
    replicates = sampled.replicates
    line = roc_curve(tally)
    curve = line.at(grid)
    least_low, least_high = binomial_floor(
        line, grid, n_pos=tally.n_pos, n_neg=tally.n_neg, level=level, whole=kind == "simultaneous"
    )
    if kind == "pointwise":
        low, high = np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2], axis=0)
        low, high = np.minimum(low, least_low), np.maximum(high, least_high)
        return Band(
            fpr=grid, tpr=curve, low=low, high=high, level=level, kind=kind, method=f"{sampled.describe()}, percentile"
        )
    share = (curve * tally.n_pos + 1) / (tally.n_pos + 2)
    deviation = np.maximum(np.std(replicates, axis=0, ddof=1), np.sqrt(share * (1 - share) / tally.n_pos))
    inner = slice(1, -1)  # the ends are fixed points of every curve
    largest = np.max(np.abs(replicates[:, inner] - curve[inner]) / deviation[inner], axis=1, initial=0.0)
    quantile = float(np.quantile(largest, level))
    low = np.minimum(np.clip(curve - quantile * deviation, 0, 1), least_low)
    low[grid > 1 - SAME] = 1.0
    low = np.maximum.accumulate(low)
    high = np.maximum(np.clip(curve + quantile * deviation, 0, 1), least_high)
    high = np.minimum.accumulate(high[::-1])[::-1]
    return Band(
        fpr=grid,
        tpr=curve,
        low=low,
        high=high,
        level=level,
        kind=kind,
        method=f"{sampled.describe()}, sup-t {quantile:.3f}",
    )


def _by_score(tally: Tally, grid: Floats, level: float) -> Band:
    curve = roc_curve(tally)
    n_pos, n_neg = effective_sizes(tally)
    low, high = pointwise_limits(curve.fpr, curve.tpr, grid, n_pos=n_pos, n_neg=n_neg, level=level)
    # Curves rise, so a limit that falls says less than its neighbour: the wider of the two holds for both.
    low, high = np.minimum.accumulate(low[::-1])[::-1], np.maximum.accumulate(high)
    return Band(
        fpr=grid, tpr=curve.at(grid), low=low, high=high, level=level, kind="pointwise", method="score, no resampling"
    )


def _kolmogorov(tally: Tally, grid: Floats, level: float) -> Band:
    from scipy.stats import kstwo  # scipy.stats takes longer to import than most analyses take to run

    each = math.sqrt(level)
    up = float(kstwo.ppf(each, int(tally.n_pos)))
    aside = float(kstwo.ppf(each, int(tally.n_neg)))
    curve = roc_curve(tally)
    low = np.clip(curve.at(np.clip(grid - aside, 0, 1)) - up, 0, 1)
    low[grid < aside] = 0.0
    high = np.clip(curve.at(np.clip(grid + aside, 0, 1)) + up, 0, 1)
    return Band(
        fpr=grid,
        tpr=curve.at(grid),
        low=low,
        high=high,
        level=level,
        kind="kolmogorov",
        method=f"Kolmogorov, {up:.4f} up and {aside:.4f} sideways",
    )


def _at_thresholds(tally: Tally, level: float, method: ProportionInterval) -> Band:
    curve = roc_curve(tally)
    tp = np.rint(curve.tpr * tally.n_pos)
    fp = np.rint(curve.fpr * tally.n_neg)
    if tally.subjects is None:
        tpr_ends = [proportion_interval(k, tally.n_pos, level=level, method=method) for k in tp]
        fpr_ends = [proportion_interval(k, tally.n_neg, level=level, method=method) for k in fp]
    else:
        both = clustered_rates(tally, tally.subjects)
        tpr_ends, fpr_ends = (one.intervals(level=level, method=method) for one in both)
    return Band(
        fpr=curve.fpr,
        tpr=curve.tpr,
        low=np.array([one.low for one in tpr_ends]),
        high=np.array([one.high for one in tpr_ends]),
        fpr_low=np.array([one.low for one in fpr_ends]),
        fpr_high=np.array([one.high for one in fpr_ends]),
        thresholds=curve.thresholds,
        level=level,
        kind="thresholds",
        method=tpr_ends[0].method,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectangle(Result):
    """A joint confidence region of (fpr, tpr) at a threshold fixed in advance.

    ``level`` is what was asked for; ``actual_level`` is the exact chance, at the observed rates, that the rectangle
    holds the true point: the two classes are independent, so it is the product of two binomial coverages.
    """

    fpr: Interval
    tpr: Interval
    level: float
    actual_level: float
    method: str

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "fpr low": self.fpr.low,
                "fpr high": self.fpr.high,
                "tpr low": self.tpr.low,
                "tpr high": self.tpr.high,
                "asked level": self.level,
                "actual level": self.actual_level,
                "method": self.method,
            }
        ]


def clustered_rectangle(tpr: Interval, fpr: Interval, *, level: float) -> Rectangle:
    """Rectangle of two intervals that need not be independent: each at level 1 - (1 - level) / 2, by Bonferroni."""
    why = Undefined("cases of one subject are alike, so that no exact chance is known")
    method = f"{tpr.method}; at {1 - (1 - level) / 2:.4f} each"
    return Rectangle(fpr=fpr, tpr=tpr, level=level, actual_level=why, method=method)


def joint_rectangle(
    *, tp: float, n_pos: float, fp: float, n_neg: float, level: float = 0.95, method: ProportionInterval = "exact"
) -> Rectangle:
    """Rectangle of two independent intervals, each at level √level, so that both hold together at ``level``.

    >>> box = joint_rectangle(tp=80, n_pos=100, fp=20, n_neg=100)
    >>> box.actual_level >= 0.95
    True
    """
    check_level(level)
    each = math.sqrt(level)
    sides = [proportion_interval(k, n, level=each, method=method) for k, n in ((fp, n_neg), (tp, n_pos))]
    actual: float = Undefined("the cases have real weights, and a chance to be covered is one of whole cases")
    if all(float(one).is_integer() for one in (fp, n_neg, tp, n_pos)):
        actual = _coverage(int(fp), int(n_neg), each, method) * _coverage(int(tp), int(n_pos), each, method)
    return Rectangle(
        fpr=sides[0], tpr=sides[1], level=level, actual_level=actual, method=f"{sides[0].method} at {each:.4f} each"
    )


def _coverage(successes: int, trials: int, level: float, method: ProportionInterval) -> float:
    """Chance that the interval of a binomial count holds its true proportion, taken at the observed one."""
    from scipy.stats import binom

    p = successes / trials
    # Only counts within 8 deviations have any weight; their intervals decide.
    spread = 8 * math.sqrt(trials * p * (1 - p)) + 1
    counts = np.arange(max(0, math.floor(successes - spread)), min(trials, math.ceil(successes + spread)) + 1)
    holds = [p in proportion_interval(int(k), trials, level=level, method=method) for k in counts]
    return float(np.sum(binom.pmf(counts, trials, p) * holds))
