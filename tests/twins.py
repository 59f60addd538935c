"""Slow definitions that share no code with src/: what the fast code is compared with."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np


def psi(a, b):
    """1 if a beats b, one half for a tie, else 0."""
    return Fraction(1) if a > b else Fraction(1, 2) if a == b else Fraction(0)


def brute_auc(pos, neg):
    """The definition, pair by pair."""
    return sum(psi(x, y) for x in pos for y in neg) / (len(pos) * len(neg))


def brute_vertices(pos, neg):
    """Vertices by counting at every threshold, as exact fractions, (0, 0) first."""
    points = [(Fraction(0), Fraction(0))]
    for t in sorted({*pos, *neg}, reverse=True):
        fpr = Fraction(sum(y >= t for y in neg), len(neg))
        tpr = Fraction(sum(x >= t for x in pos), len(pos))
        points.append((fpr, tpr))
    return points


def integrate_product(points, weight, low=Fraction(0), high=Fraction(1)):
    """Exact integral of TPR(f) * weight(f) over [low, high] for weight(f) = w0 + w1 f, in fractions."""
    w0, w1 = weight
    total = Fraction(0)
    for (f0, t0), (f1, t1) in itertools.pairwise(points):
        a, b = max(f0, low), min(f1, high)
        if b <= a:
            continue
        slope = (t1 - t0) / (f1 - f0)
        start = t0 - slope * f0

        def antiderivative(f, start=start, slope=slope):
            return start * w0 * f + (start * w1 + slope * w0) * f**2 / 2 + slope * w1 * f**3 / 3

        total += antiderivative(b) - antiderivative(a)
    return total


def brute_tauc(pos, neg):
    """Integral of TPR (1 - FPR)."""
    return integrate_product(brute_vertices(pos, neg), (Fraction(1), Fraction(-1)))


def brute_partial(pos, neg, low, high):
    """Integral of TPR over a range of FPR."""
    return integrate_product(brute_vertices(pos, neg), (Fraction(1), Fraction(0)), Fraction(low), Fraction(high))


def brute_hull(points):
    """Upper hull by testing every pair of points: a segment belongs if nothing lies above it."""
    points = sorted(set(points))
    chain = [points[0]]
    while chain[-1] != points[-1]:
        x0, y0 = chain[-1]
        best = None
        for x, y in points:
            if (x, y) <= (x0, y0):
                continue
            if best is None:
                best = (x, y)
                continue
            turn = (best[0] - x0) * (y - y0) - (best[1] - y0) * (x - x0)
            farther = (x - x0) + (y - y0) > (best[0] - x0) + (best[1] - y0)
            if turn > 0 or (turn == 0 and farther):
                best = (x, y)
        chain.append(best)
    return chain


def brute_average_precision(pos, neg):
    """Sum of precision times the step in recall, threshold by threshold."""
    total, before = Fraction(0), 0
    for t in sorted({*pos, *neg}, reverse=True):
        tp, fp = sum(x >= t for x in pos), sum(y >= t for y in neg)
        total += Fraction(tp - before, len(pos)) * Fraction(tp, tp + fp)
        before = tp
    return total


def brute_delong_variance(pos, neg):
    """DeLong's variance from the full matrix of comparisons."""
    kernel = np.array([[float(psi(x, y)) for y in neg] for x in pos])
    v10, v01 = kernel.mean(axis=1), kernel.mean(axis=0)
    return v10.var(ddof=1) / len(pos) + v01.var(ddof=1) / len(neg)
