"""The log-concave density of highest likelihood of one sample, by an active-set method.

The logarithm of the estimate is a concave broken line whose bends lie at data points and which is -inf outside the
data [1]_. Given the set of bends ("knots") the best heights are a smooth concave problem with a tridiagonal Hessian:
Newton's method. The active-set loop adds the data point where a new bend would raise the likelihood fastest, solves,
and walks back towards the last concave line wherever the solution bends upwards, dropping the knots that become
straight. The number of knots stays small (some tens), so each round is a pass over the data, O(n).

Whether a new bend helps is read off the distribution functions: with D(x) the integral up to x of (empirical - fitted)
distribution function, D vanishes at the knots, and the fit is the maximum exactly when D >= 0 everywhere.

.. [1] Dümbgen L, Rufibach K. Bernoulli 2009;15:40-68, theorem 2.4, doi:10.3150/08-BEJ141; logcondens, J Stat Softw
   2011;39(6), doi:10.18637/jss.v039.i06.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from roclab._core.types import Floats, Ints, frozen
from roclab.smooth.model import FiniteScores

__all__ = ["LogConcave", "fit_log_concave_density"]

MOST_ROUNDS = 500


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LogConcave:
    """A density whose logarithm is a concave broken line through (knots, heights), 0 outside."""

    knots: Floats
    heights: Floats
    reached: Floats  # distribution function at the knots, from 0 to 1
    log_likelihood: float
    iterations: int
    converged: bool

    def __post_init__(self) -> None:
        for array in (self.knots, self.heights, self.reached):
            frozen(array)

    @property
    def has_density(self) -> bool:
        """Always."""
        return True

    def log_pdf(self, t: Floats) -> Floats:
        """Logarithm of the density."""
        inside = (t >= self.knots[0]) & (t <= self.knots[-1])
        return np.where(inside, np.interp(t, self.knots, self.heights), -np.inf)

    def cdf(self, t: Floats) -> Floats:
        """Chance of at most t."""
        at, start, end = self._piece(t)
        grown = (end - start) * _mean_exp(self.heights[at], self._height(end))
        return np.where(t >= self.knots[-1], 1.0, np.clip(self.reached[at] + grown, 0.0, 1.0))

    def sf(self, t: Floats) -> Floats:
        """Chance of more than t, summed from above."""
        at, _, place = self._piece(t)
        beyond = (1 - self.reached)[at + 1]  # exactly 0 beyond the last knot
        right = self.knots[at + 1]
        left = (right - place) * _mean_exp(self._height(place), self.heights[at + 1])
        return np.where(t <= self.knots[0], 1.0, np.clip(beyond + left, 0.0, 1.0))

    def _piece(self, t: Floats) -> tuple[Ints, Floats, Floats]:
        place = np.clip(t, self.knots[0], self.knots[-1])
        at = np.clip(np.searchsorted(self.knots, place, "right") - 1, 0, self.knots.size - 2)
        return at, self.knots[at], place

    def _height(self, t: Floats) -> Floats:
        return np.asarray(np.interp(t, self.knots, self.heights))

    def ppf(self, q: Floats) -> Floats:
        """Quantile from below, in closed form on each piece."""
        at = np.clip(np.searchsorted(self.reached, q, "right") - 1, 0, self.knots.size - 2)
        slope = (self.heights[at + 1] - self.heights[at]) / (self.knots[at + 1] - self.knots[at])
        flat = (q - self.reached[at]) * np.exp(-self.heights[at])  # how far at the height of the left knot
        grown = flat * slope
        small = np.abs(grown) < 1e-9
        with np.errstate(divide="ignore", invalid="ignore"):
            far = np.where(small, flat * (1 - grown / 2), np.log1p(np.maximum(grown, -1.0)) / slope)
        return np.clip(self.knots[at] + far, self.knots[at], self.knots[at + 1])

    def isf(self, q: Floats) -> Floats:
        """Quantile from above."""
        return self.ppf(1 - q)

    def grid(self) -> Floats:
        """Thresholds for a search: 16 in each piece."""
        steps = np.arange(16) / 16
        inner = self.knots[:-1, None] + np.diff(self.knots)[:, None] * steps
        return np.append(inner.ravel(), self.knots[-1])


def _mean_exp(r: Floats, s: Floats) -> Floats:
    """Integral of exp((1-t) r + t s) over t in (0, 1)."""
    return np.exp(r) * _moment(s - r, 0)


def _moment(d: Floats, order: int) -> Floats:
    """Integral of t^order exp(t d) over t in (0, 1), for order 0, 1 or 2; a series where the closed form cancels."""
    small = np.abs(d) < 0.5
    safe = np.where(small, 1.0, d)
    with np.errstate(over="ignore"):
        e = np.exp(safe)
    if order == 0:
        closed = np.expm1(safe) / safe
    elif order == 1:
        closed = (e * (safe - 1) + 1) / safe**2
    else:
        closed = (e * (safe**2 - 2 * safe + 2) - 2) / safe**3
    series = np.zeros(d.shape)
    near = np.where(small, d, 0.0)
    for k in range(14, -1, -1):
        series = series * near / (k + 1) + 1 / (k + order + 1)
    return np.where(small, series, closed)


def fit_log_concave_density(scores: FiniteScores) -> LogConcave:
    """The log-concave density of highest likelihood; needs two distinct scores; O(n) per round.

    Two points a unit apart, equally often: the uniform density between them.

    >>> fit = fit_log_concave_density(FiniteScores(np.array([0.0, 1.0]), np.array([1, 1])))
    >>> fit.knots.tolist(), abs(fit.heights).round(9).tolist()
    ([0.0, 1.0], [0.0, 0.0])
    """
    unit = float(scores.values[-1] - scores.values[0])
    x = (scores.values - scores.values[0]) / unit
    w = scores.counts / scores.size
    below = np.concatenate([[0.0], np.cumsum(np.cumsum(w)[:-1] * np.diff(x))])  # integral of the empirical cdf
    knots = np.array([0, x.size - 1])
    heights = np.zeros(2)  # of the current concave line at the knots
    converged, rounds = False, 0
    tolerance = 1e-10
    heights, _ = _newton(x[knots], _shares(x, w, knots), heights)
    for rounds in range(1, MOST_ROUNDS + 1):  # noqa: B007 - reported
        gain = _fitted_integral(x, knots, heights) - below  # -D: how much a bend at each point would help
        gain[knots] = 0.0
        best = int(np.argmax(gain))
        if gain[best] <= tolerance:
            converged = True
            break
        line = np.interp(x, x[knots], heights)
        knots = np.sort(np.append(knots, best))
        heights = line[knots]
        while True:
            proposal, _ = _newton(x[knots], _shares(x, w, knots), heights)
            bends_old, bends_new = _bends(x[knots], heights), _bends(x[knots], proposal)
            upward = bends_new > 0
            if not upward.any():
                heights = proposal
                break
            # Walk from the concave line towards the proposal until the first knot straightens, and drop it.
            with np.errstate(divide="ignore", invalid="ignore"):
                share = np.where(upward, -bends_old / (bends_new - bends_old), np.inf)
            far = float(np.min(share))
            heights = heights + far * (proposal - heights)
            keep = np.ones(knots.size, np.bool_)
            keep[1:-1] = share > far * (1 + 1e-12)
            knots, heights = knots[keep], heights[keep]
        if best not in knots and gain[best] < 1e-7:  # the new bend vanished: nothing left but rounding
            converged = True
            break
    masses = np.diff(x[knots]) * _mean_exp(heights[:-1], heights[1:])
    reached = np.concatenate([[0.0], np.cumsum(masses)])
    total = reached[-1]
    heights = heights - math.log(total)
    line = np.interp(x, x[knots], heights)
    return LogConcave(
        knots=scores.values[knots].copy(),
        heights=heights - math.log(unit),
        reached=reached / total,
        log_likelihood=float(np.dot(scores.counts, line)) - scores.size * math.log(unit),
        iterations=rounds,
        converged=converged,
    )


def _shares(x: Floats, w: Floats, knots: Ints) -> Floats:
    """Weights of the data split linearly between the knots on either side."""
    at = np.clip(np.searchsorted(knots, np.arange(x.size), "right") - 1, 0, knots.size - 2)
    left = x[knots[at]]
    share = (x - left) / (x[knots[at + 1]] - left)
    out = np.bincount(at, w * (1 - share), knots.size) + np.bincount(at + 1, w * share, knots.size)
    return np.asarray(out, np.float64)


def _bends(x: Floats, heights: Floats) -> Floats:
    """Change of slope at each inner knot: negative where the line is concave."""
    return np.diff(np.diff(heights) / np.diff(x))


def _newton(x: Floats, shares: Floats, heights: Floats) -> tuple[Floats, int]:
    """Heights that maximise sum(shares * heights) - integral of exp(line), without the shape constraint."""
    from scipy.linalg import solveh_banded

    gaps = np.diff(x)

    def value(h: Floats) -> float:
        with np.errstate(over="ignore"):
            return float(shares @ h - np.sum(gaps * _mean_exp(h[:-1], h[1:])))

    here = value(heights)
    step_count = 0
    for step_count in range(1, 101):  # noqa: B007 - reported
        r, d = np.exp(heights[:-1]), np.diff(heights)
        m0, m1, m2 = (gaps * r * _moment(d, order) for order in (0, 1, 2))
        gradient = shares.copy()
        gradient[:-1] -= m0 - m1
        gradient[1:] -= m1
        banded = np.zeros((2, x.size))
        banded[1, :-1] += m0 - 2 * m1 + m2
        banded[1, 1:] += m2
        banded[0, 1:] = m1 - m2
        banded[1] += 1e-14 * banded[1].max()
        step = solveh_banded(banded, gradient, check_finite=False)
        rise = float(gradient @ step)
        if rise < 1e-15:
            break
        size = 1.0
        while size > 1e-10:
            trial = heights + size * step
            reached = value(trial)
            if reached >= here + 1e-4 * size * rise or (rise < 1e-12 and math.isfinite(reached)):
                heights, here = trial, reached
                break
            size /= 2
        else:
            break
    return heights, step_count


def _fitted_integral(x: Floats, knots: Ints, heights: Floats) -> Floats:
    """Integral of the fitted distribution function up to each data point."""
    gaps = np.diff(x[knots])
    d = np.diff(heights)
    r = np.exp(heights[:-1])
    masses = gaps * r * _moment(d, 0)
    # The integral over a piece of the distribution function it adds is the integral of (1 - t) e^(r + t d), times gap².
    rises = gaps**2 * r * (_moment(d, 0) - _moment(d, 1))
    reached = np.concatenate([[0.0], np.cumsum(masses)])
    whole = np.concatenate([[0.0], np.cumsum(reached[:-1] * gaps + rises)])
    at = np.clip(np.searchsorted(knots, np.arange(x.size), "right") - 1, 0, knots.size - 2)
    far = x - x[knots[at]]
    climbed = far / gaps[at] * d[at]
    part = far**2 * r[at] * (_moment(climbed, 0) - _moment(climbed, 1))
    return np.asarray(whole[at] + reached[at] * far + part)
