"""The likelihood of the binormal curve and its maximum, in linear time per step."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.special import log_ndtr, ndtri

from roclab._core.types import Counts, Floats
from roclab.smooth.categories import Categories
from roclab.smooth.normal import LOG_SQRT_2PI

__all__ = ["Maximum", "maximise", "slices"]

MOST_ITERATIONS = 200


class Slices(NamedTuple):
    """Log-probability of each category and its derivatives with respect to the ends of the category."""

    log_chance: Floats
    upper: Floats  # phi(upper end) / chance
    lower: Floats  # phi(lower end) / chance


def slices(ends: Floats) -> Slices:
    """Categories of a standard normal between -inf, the ends and +inf, in logarithms throughout.

    Two ends in the same tail are taken as a difference of small tail areas; two ends closer than a thousandth as the
    midpoint density times the gap, 1 + gap² (m² - 1) / 24, whose next term is below rounding.
    """
    low, high = np.concatenate([[-np.inf], ends]), np.concatenate([ends, [np.inf]])
    right = low + high > 0  # -inf + c and c + inf are fine; there is never -inf + inf with ends present
    near, far = np.where(right, -low, high), np.where(right, -high, low)  # both in the left tail now: far < near
    log_near, log_far = log_ndtr(near), log_ndtr(far)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_chance = log_near + np.log(-np.expm1(np.minimum(log_far - log_near, 0.0)))
        gap, middle = high - low, (high + low) / 2
        close = gap * (1 + np.abs(middle)) < 1e-3
        thin = np.log(gap) - 0.5 * middle**2 - LOG_SQRT_2PI + np.log1p(gap**2 * (middle**2 - 1) / 24)
        log_chance = np.where(close, thin, log_chance)
        upper, lower = (np.exp(-0.5 * end**2 - LOG_SQRT_2PI - log_chance) for end in (high, low))
    return Slices(log_chance, upper, lower)


class Maximum(NamedTuple):
    """Where the likelihood is highest, or where Newton's method stopped."""

    a: float
    log_b: float
    c: Floats
    height: float
    information: Floats  # observed, of (a, log b) with the cut-points eliminated
    iterations: int
    converged: bool


def _height(data: Categories, a: float, log_b: float, c: Floats) -> tuple[float, Slices, Slices]:
    pos, neg = slices(math.exp(log_b) * c - a), slices(c)
    height = 0.0
    for counts, chances in ((data.pos, pos), (data.neg, neg)):
        held = counts > 0
        height += float(np.dot(counts[held], chances.log_chance[held]))
    return height, pos, neg


def _start(data: Categories) -> tuple[float, float, Floats]:
    """Normal scores of pooled mid-ranks: each class is about normal on that scale."""
    both = data.pos + data.neg
    total = both.sum()
    reached = np.cumsum(both)
    middle, cuts = ndtri((reached - both / 2) / total), ndtri(reached[:-1] / total)
    means, sds = [], []
    for counts in (data.pos, data.neg):
        size = counts.sum()
        means.append(float(np.dot(counts, middle)) / size)
        sds.append(math.sqrt(max(float(np.dot(counts, (middle - means[-1]) ** 2)) / size, 1e-2)))
    return (means[0] - means[1]) / sds[0], math.log(sds[1] / sds[0]), (cuts - means[1]) / sds[1]


def maximise(data: Categories) -> Maximum:
    """Newton's method with the tridiagonal block of the cut-points eliminated, and a line search."""
    from scipy.linalg import solveh_banded

    a, log_b, c = _start(data)
    height, pos, neg = _height(data, a, log_b, c)
    total = float(data.pos.sum() + data.neg.sum())
    for iteration in range(1, MOST_ITERATIONS + 1):
        gradient_c, gradient, diagonal, beside, border, corner = _derivatives(data, a, math.exp(log_b), c, pos, neg)
        banded = np.zeros((2, c.size))  # minus the Hessian, upper form
        banded[0, 1:], banded[1] = -beside, -diagonal
        solved = solveh_banded(banded, np.column_stack([gradient_c, border]), check_finite=False)
        free_c, through = solved[:, 0], solved[:, 1:]
        rest = -(corner + border.T @ through)  # minus the Hessian of (a, log b) with c at its best
        slope = gradient + border.T @ free_c
        step = _definite(rest, total) @ slope
        step_c = free_c + through @ step
        rise = float(gradient @ step + gradient_c @ step_c)
        if rise < 1e-17 * (1 + abs(height)):
            return Maximum(a, log_b, c, height, rest, iteration, True)
        size = _longest_step(c, step_c, step)
        for _ in range(60):
            trial = (a + size * step[0], log_b + size * step[1], c + size * step_c)
            if np.all(np.diff(trial[2]) > 0):
                reached, trial_pos, trial_neg = _height(data, *trial)
                if reached > height + 1e-4 * size * rise or (rise < 1e-6 and reached >= height - 1e-10 * abs(height)):
                    break
            size /= 2
        else:
            return Maximum(a, log_b, c, height, rest, iteration, rise < 1e-6)
        (a, log_b, c), height, pos, neg = trial, reached, trial_pos, trial_neg
    return Maximum(a, log_b, c, height, rest, MOST_ITERATIONS, False)


def _longest_step(c: Floats, step_c: Floats, step: Floats) -> float:
    """At most one unit in (a, log b), and no cut-point more than nine tenths of the way to its neighbour."""
    size = min(1.0, 1.0 / max(float(np.max(np.abs(step))), 1e-300))
    closing = -np.diff(step_c)
    meets = closing > 0
    if meets.any():
        size = min(size, 0.9 * float(np.min(np.diff(c)[meets] / closing[meets])))
    return size


def _definite(matrix: Floats, total: float) -> Floats:
    """Inverse of a symmetric 2 x 2 matrix with its eigenvalues made positive."""
    values, vectors = np.linalg.eigh(matrix)
    values = np.maximum(np.abs(values), 1e-8 * total)
    return np.asarray((vectors / values) @ vectors.T)


def _derivatives(
    data: Categories, a: float, b: float, c: Floats, pos: Slices, neg: Slices
) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats]:
    """Gradient for c and (a, log b); Hessian as diagonal, off-diagonal, border and corner."""
    gradient_neg, diagonal_neg, beside_neg = _by_ends(data.neg, neg, c)
    gradient_u, diagonal_u, beside_u = _by_ends(data.pos, pos, b * c - a)
    gradient_c = gradient_neg + b * gradient_u
    diagonal, beside = diagonal_neg + b * b * diagonal_u, beside_neg + b * b * beside_u
    # u_k = b c_k - a: du/da = -1, du/dlog b = b c.
    along = np.column_stack([np.full(c.size, -1.0), b * c])
    gradient = along.T @ gradient_u
    curved = diagonal_u[:, None] * along
    curved[:-1] += beside_u[:, None] * along[1:]
    curved[1:] += beside_u[:, None] * along[:-1]
    border = b * curved
    border[:, 1] += b * gradient_u
    corner = along.T @ curved
    corner[1, 1] += float(np.dot(gradient_u, b * c))
    return gradient_c, gradient, diagonal, beside, border, corner


def _by_ends(counts: Counts, chances: Slices, ends: Floats) -> tuple[Floats, Floats, Floats]:
    """Gradient, diagonal and off-diagonal of the Hessian of one class with respect to its own ends.

    With p = phi(u)/D at the upper and q = phi(v)/D at the lower end of a category of chance D, log D has the second
    derivatives -u p - p², v q - q² and p q.
    """
    above, below = counts[1:], counts[:-1]  # the categories over and under each end
    p, q = chances.upper[:-1], chances.lower[1:]
    gradient = below * p - above * q
    diagonal = below * (-ends * p - p * p) + above * (ends * q - q * q)
    inner = counts[1:-1]
    return gradient, diagonal, inner * chances.upper[1:-1] * chances.lower[1:-1]
