"""Areas under the precision-recall curve; the interpolation is always named, because they differ."""

from __future__ import annotations

import numpy as np

from roclab._core.checks import check_written_out
from roclab._core.polyline import bounded, trapezoids
from roclab._core.types import Floats
from roclab.curves.precision_recall import PrecisionRecallCurve
from roclab.errors import InputError

__all__ = ["average_precision", "pr_area_davis_goadrich", "pr_area_integral", "pr_area_trapezoid"]


def average_precision(curve: PrecisionRecallCurve) -> float:
    r"""Average precision :math:`\sum_k (R_k - R_{k-1})\,\text{precision}_k`: the area of the step rule, O(n)."""
    return bounded(float(np.sum(np.diff(curve.recall, prepend=0.0) * curve.precision)), 1.0)


def pr_area_trapezoid(curve: PrecisionRecallCurve) -> float:
    """Area when vertices are joined by straight lines: too optimistic, kept for comparison with other tools.

    The line starts at recall 0 with the precision of the first vertex.
    """
    recall = np.concatenate([[0.0], curve.recall])
    precision = np.concatenate([curve.precision[:1], curve.precision])
    return bounded(trapezoids(recall, precision), 1.0)


def pr_area_integral(curve: PrecisionRecallCurve) -> float:
    r"""Exact area under the hyperbolas between the vertices [1]_, O(n).

    On a segment from (a, b) to (a + d, b + h d) in (true, false) positives per positive case,

    .. math:: \int_0^d \frac{a + x}{a + b + m x}\,dx
              = \frac{d}{m} + \frac{a - (a+b)/m}{m}\,\ln\frac{a + b + m d}{a + b}, \qquad m = 1 + h.

    References
    ----------
    .. [1] Keilwagen J, Grosse I, Grau J. Area under precision-recall curves for weighted and unweighted data.
       PLoS ONE 2014;9:e92209. doi:10.1371/journal.pone.0092209
    """
    true = np.concatenate([[0.0], curve.recall])
    false = np.concatenate([[0.0], curve.false_per_positive])
    rise = np.diff(true)
    moving = rise > 0
    d, a, b = rise[moving], true[:-1][moving], false[:-1][moving]
    m = 1 + np.diff(false)[moving] / d
    called = a + b
    growth = np.divide(m * d, called, out=np.zeros_like(d), where=called > 0)
    # From (0, 0) precision is constant and the logarithm has no share.
    pieces = d / m + np.where(called > 0, (a - called / m) / m * np.log1p(growth), 0.0)
    return bounded(float(np.sum(pieces)), 1.0)


def pr_area_davis_goadrich(curve: PrecisionRecallCurve) -> float:
    """Trapezoid area over the hyperbolas' points at whole numbers of true positives, O(n + P).

    The interpolation points of Davis and Goadrich; needs whole cases.
    """
    if curve.n_pos is None or curve.n_pos != int(curve.n_pos):
        raise InputError(
            "", "the Davis-Goadrich area counts whole positive cases", curve.n_pos, "use the integral instead"
        )
    n_pos = int(curve.n_pos)
    check_written_out(n_pos, way_out="use the integral instead")
    true = np.concatenate([[0.0], curve.recall]) * n_pos
    false = np.concatenate([[0.0], curve.false_per_positive]) * n_pos
    rise = np.rint(np.diff(true)).astype(np.int64)
    moving = np.flatnonzero(rise > 0)
    steps = rise[moving]
    segment = np.repeat(moving, steps)
    done = np.arange(steps.sum()) - np.repeat(np.cumsum(steps) - steps, steps)  # whole steps already taken
    per_true = (false[segment + 1] - false[segment]) / rise[segment]

    def precision(taken: Floats) -> Floats:
        hits = np.rint(true[segment]) + taken
        called = hits + false[segment] + taken * per_true
        start = np.rint(true[segment + 1]) / (np.rint(true[segment + 1]) + false[segment + 1])
        value: Floats = np.divide(hits, called, out=start, where=called > 0)
        return value

    return bounded(float(np.sum(precision(done) + precision(done + 1)) / (2 * n_pos)), 1.0)
