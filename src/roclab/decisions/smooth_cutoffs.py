"""Cut-offs from smoothed distributions of both classes: kernel and normal.

The empirical optimum jumps from score to score between samples. Smoothing first trades a little bias for a cut-off that
moves less.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr

from roclab._core.text import format_number
from roclab._core.types import Counts, Floats
from roclab.data.tally import Tally
from roclab.decisions.left_out import LeftOut
from roclab.decisions.operating_point import OperatingPoint, point_at_threshold
from roclab.errors import InputError, Words
from roclab.results import Result, Sample

__all__ = ["SmoothCutoff", "kernel_bandwidth", "check_finite", "kernel_cutoff", "normal_cutoff"]

CELLS_PER_BANDWIDTH = 32  # scores closer than this share of the bandwidth act as one, at their mean
EXACT_SCORES = 4096  # below this many distinct scores nothing is joined
CANDIDATES = 1024
PEAKS = 4  # of the candidates that are refined


@dataclass(frozen=True, slots=True, kw_only=True)
class SmoothCutoff(Result):
    """A cut-off of smoothed data and what it does to the actual cases."""

    criterion: str
    threshold: float
    value: float  # of the smoothed criterion
    method: str
    point: OperatingPoint  # on the empirical curve
    bandwidths: tuple[float, float] | None  # kernel: of the positives and of the negatives
    sample: Sample
    notes: tuple[str, ...] = ()
    left_out: LeftOut | None = None  # rates on cases left out of the choice, where samples were asked for

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "criterion": self.criterion,
                "method": self.method,
                "cut-off": self.threshold,
                "smoothed value": self.value,
                "sensitivity": self.point.tpr,
                "specificity": self.point.specificity,
                **({} if self.left_out is None else {
                    "left-out sensitivity": self.left_out.sensitivity,
                    "left-out specificity": self.left_out.specificity,
                }),
            }
        ]  # fmt: skip

    def __str__(self) -> str:
        lines = [
            f"{self.criterion} by {self.method}: cut-off {self.threshold:.10g}, value {format_number(self.value)}",
            f"on the cases that chose it: sensitivity {format_number(self.point.tpr)}, "
            f"specificity {format_number(self.point.specificity)}",
            *([] if self.left_out is None else [str(self.left_out)]),
            self.sample.describe(),
        ]
        return "\n".join([*lines, *self.notes])


# -- Youden's index from two distributions -----------------------------------------------------------


def kernel_bandwidth(values: Floats, counts: Counts) -> float:
    r"""Silverman's bandwidth :math:`0.9 \min(s, iqr/1.34)\, n^{-1/5}` of one class; 0 for constant scores.

    ``values`` descend and ``counts`` say how often each occurs. The quartiles are order statistics (inverted
    distribution function); an interquartile range of 0 leaves the standard deviation alone.
    """
    n = float(counts.sum())
    mean = float(np.sum(values * counts)) / n
    square = float(np.sum(counts * (values - mean) ** 2))
    spread = math.sqrt(square / (n - 1)) if n > 1 else 0.0
    reached = np.cumsum(counts[::-1])
    ascending = values[::-1]
    quartiles = [float(ascending[np.searchsorted(reached, share * n - 1e-9)]) for share in (0.25, 0.75)]
    width = (quartiles[1] - quartiles[0]) / 1.34
    scale = min(spread, width) if width > 0 else spread
    return float(0.9 * scale * n**-0.2)


def kernel_cutoff(tally: Tally) -> SmoothCutoff:
    r"""The threshold with the largest Youden index of two Gaussian-kernel distributions [1]_.

    .. math:: J(t) = \frac1N \sum_j \Phi\left(\frac{t - y_j}{h_y}\right)
                     - \frac1P \sum_i \Phi\left(\frac{t - x_i}{h_x}\right)

    Notes
    -----
    The maximum is sought where the cases are: among quantiles of the scores and, where those leave gaps, at steps of a
    quarter of either bandwidth; the best peaks are then refined between their neighbours. A grid over the range of the
    scores, as other tools use it, has no point near the data when a few scores are huge. Above 4096 distinct scores
    those within 1/32 of a bandwidth act as one at their mean, which changes J by less than 1e-4; the cost is then O(n)
    plus a few million kernel values whatever n.

    References
    ----------
    .. [1] Fluss R, Faraggi D, Reiser B. Estimation of the Youden index and its associated cutoff point. Biometrical J
       2005;47:458-472. doi:10.1002/bimj.200410135

    Examples
    --------
    >>> tally = Tally.from_samples(np.array([4.0, 5.0, 6.0]), np.array([1.0, 2.0, 3.0]))
    >>> round(kernel_cutoff(tally).threshold, 6)
    3.5
    """
    check_finite(tally, "the kernel")
    classes = [_one_class(tally.score, tally.pos), _one_class(tally.score, tally.neg)]
    (x, wx, hx), (y, wy, hy) = classes
    if hx == 0 and hy == 0:
        raise InputError(
            "",
            "kernel smoothing needs scores that differ within a class",
            Words("constant scores in both"),
            "use the empirical cut-off",
        )

    def youden(t: Floats) -> Floats:
        return _smooth_cdf(t, y, wy, hy) - _smooth_cdf(t, x, wx, hx)

    t, value = _maximum(youden, _candidates(tally, hx, hy))
    return _youden_result(tally, t, value, "Gaussian kernels", (hx, hy))


def _one_class(scores: Floats, counts: Counts) -> tuple[Floats, Floats, float]:
    """Scores of one class with weights that sum to 1, near neighbours joined, and the bandwidth."""
    present = np.flatnonzero(counts)
    values, weight = scores[present], counts[present].astype(np.float64)
    h = kernel_bandwidth(values, weight)
    if values.size > EXACT_SCORES and h > 0:
        cell = np.floor((values - values[-1]) / (h / CELLS_PER_BANDWIDTH))
        starts = np.flatnonzero(np.concatenate([[True], cell[1:] != cell[:-1]]))
        total = np.add.reduceat(weight, starts)
        values, weight = np.add.reduceat(values * weight, starts) / total, total
    return values, weight / weight.sum(), h


def _smooth_cdf(t: Floats, values: Floats, weight: Floats, h: float) -> Floats:
    if h == 0:  # a constant class keeps its step
        return np.asarray((t[:, None] > values).astype(np.float64) @ weight)
    out = np.empty(t.size)
    for start in range(0, t.size, 64):  # bounds the memory of the table of kernel values
        part = slice(start, start + 64)
        out[part] = np.sum(ndtr((t[part, None] - values) / h) * weight, axis=1)
    return out


def _candidates(tally: Tally, hx: float, hy: float) -> Floats:
    """Quantiles of all scores, steps into the gaps between them, and places beyond both ends.

    J bends on the scale of the smaller bandwidth, so that in a gap it may peak anywhere within a few bandwidths of a
    score: ordinal scores, with gaps of several bandwidths, need the steps.
    """
    scores = tally.score[::-1]
    if scores.size > CANDIDATES // 2:
        reached = np.cumsum((tally.pos + tally.neg)[::-1])
        levels = np.linspace(0, reached[-1], CANDIDATES // 2)
        scores = np.unique(scores[np.minimum(np.searchsorted(reached, levels), scores.size - 1)])
    middle = scores[:-1] / 2 + scores[1:] / 2
    found = [scores, middle]
    if min(hx, hy) == 0:  # the step of a constant class counts from just above it
        found.append(np.nextafter(scores, np.inf))
    for h in {hx, hy} - {0.0}:
        steps = np.arange(1, 17) * (h / 4)
        for sign, gap in ((1.0, np.append(np.diff(scores), np.inf)), (-1.0, np.append(np.inf, np.diff(scores)))):
            near = steps <= gap[:, None]
            found.append((scores[:, None] + sign * steps)[near])
    return np.unique(np.concatenate(found))


def _maximum(function: Callable[[Floats], Floats], candidates: Floats) -> tuple[float, float]:
    """The best of the highest peaks among the candidates, each refined between its neighbours by shrinking grids."""
    values = function(candidates)
    beside = np.concatenate([[-np.inf], values, [-np.inf]])
    peaks = np.flatnonzero((values >= beside[:-2]) & (values >= beside[2:]))
    peaks = peaks[np.argsort(-values[peaks], kind="stable")[:PEAKS]]
    found = [_refined(function, candidates, values, int(at)) for at in peaks]
    return max(found, key=lambda pair: pair[1])


def _refined(function: Callable[[Floats], Floats], candidates: Floats, values: Floats, at: int) -> tuple[float, float]:
    best, height = float(candidates[at]), float(values[at])
    low, high = candidates[max(at - 1, 0)], candidates[min(at + 1, candidates.size - 1)]
    for _ in range(12):  # each round narrows the bracket sixteenfold
        grid = np.linspace(low, high, 33)
        heights = function(grid)
        at = int(np.argmax(heights))
        if heights[at] > height:
            best, height = float(grid[at]), float(heights[at])
        low, high = grid[max(at - 1, 0)], grid[min(at + 1, 32)]
        if high - low <= 1e-13 * max(abs(low), abs(high)):
            break
    return best, height


def normal_cutoff(tally: Tally) -> SmoothCutoff:
    r"""The threshold with the largest Youden index of two normal distributions, in closed form [1]_.

    The densities of positives :math:`N(\mu_x, s_x^2)` and negatives :math:`N(\mu_y, s_y^2)` cross where

    .. math:: \left(\frac1{s_y^2} - \frac1{s_x^2}\right) \frac{t^2}2
              + \left(\frac{\mu_x}{s_x^2} - \frac{\mu_y}{s_y^2}\right) t
              + \frac{\mu_y^2}{2 s_y^2} - \frac{\mu_x^2}{2 s_x^2} + \ln\frac{s_y}{s_x} = 0;

    for equal variances halfway between the means. Of two crossings the one with the larger index is taken; when both
    lie below chance, no threshold helps and the cut-off is infinite.

    References
    ----------
    .. [1] Fluss R, Faraggi D, Reiser B. Biometrical J 2005;47:458-472. doi:10.1002/bimj.200410135

    Examples
    --------
    >>> tally = Tally.from_samples(np.array([4.0, 5.0, 6.0]), np.array([1.0, 2.0, 3.0]))
    >>> round(normal_cutoff(tally).threshold, 12)
    3.5
    """
    check_finite(tally, "the normal model")
    (mx, sx), (my, sy) = _moments(tally.score, tally.pos), _moments(tally.score, tally.neg)
    if sx == 0 or sy == 0 or math.isnan(sx) or math.isnan(sy):
        raise InputError(
            "",
            "the normal cut-off needs scores that differ within each class",
            Words(f"standard deviations {sx:g} (positive) and {sy:g} (negative)"),
            "use the empirical cut-off",
        )
    # In units of the negatives (mean 0, spread 1) the crossing solves (b² - 1) u² + 2 a u - (a² + 2 b² ln b) = 0.
    a, b = (mx - my) / sy, sx / sy
    roots = _crossings(a, b)
    youden = [float(ndtr(u) - ndtr((u - a) / b)) for u in roots]
    best = int(np.argmax(youden)) if youden else 0
    if not youden or youden[best] <= 0:
        t, value = math.inf, 0.0
    else:
        t, value = my + sy * roots[best], youden[best]
    return _youden_result(tally, t, value, "two normal distributions", None)


def _crossings(a: float, b: float) -> list[float]:
    """Where the densities of N(a, b²) and N(0, 1) cross; stable for b near 1."""
    second, constant = (b - 1) * (b + 1), a * a + 2 * b * b * math.log(b)
    root = math.sqrt(max(a * a + second * constant, 0.0))
    larger = -(a + math.copysign(root, a))  # no cancellation
    out = []
    if larger != 0:
        out.append(-constant / larger)
    if second != 0:
        out.append(larger / second)
    return out


def _moments(scores: Floats, counts: Counts) -> tuple[float, float]:
    n = float(counts.sum())
    mean = float(np.sum(scores * counts)) / n
    square = float(np.sum(counts * (scores - mean) ** 2))
    return mean, math.sqrt(square / (n - 1)) if n > 1 else math.nan


def _youden_result(
    tally: Tally, oriented: float, value: float, method: str, bandwidths: tuple[float, float] | None
) -> SmoothCutoff:
    threshold = float(tally.shown(np.array([oriented]))[0])
    notes = ("No threshold does better than chance in the smoothed distributions.",) if value <= 0 else ()
    return SmoothCutoff(
        criterion="youden",
        threshold=threshold,
        value=value,
        method=method,
        point=point_at_threshold(tally, threshold),
        bandwidths=bandwidths,
        sample=tally.sample,
        notes=notes,
    )


def check_finite(tally: Tally, what: str) -> None:
    """Refuse infinite scores and those whose squares are no numbers."""
    if not (np.isfinite(tally.score[0]) and np.isfinite(tally.score[-1])):
        raise InputError(what, "needs finite scores", Words("infinite ones"), "use the empirical cut-off")
    largest = float(np.max(np.abs(tally.score[[0, -1]])))
    if largest > 1e150:
        raise InputError(
            what, "needs scores whose squares are within the range of numbers", Words(f"{largest:g}"), "rescale them"
        )
