"""The four counts of a confusion matrix, and the formulas of its metrics.

Every formula works on single numbers and on whole columns of counts alike. A quotient 0/0 is undefined, x/0 with x > 0
is infinite; NumPy is never allowed to warn about it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_positive
from roclab._core.types import Floats
from roclab.errors import InputError

__all__ = [
    "Counts4",
    "chi_squared",
    "f_beta",
    "fnr",
    "fpr",
    "kappa",
    "mcc",
    "mutual_information",
    "npv",
    "post_test_probability",
    "ppv",
    "quotient",
    "tnr",
    "tpr",
]


@dataclass(frozen=True, slots=True)
class Counts4:
    """TP, FP, FN and TN as float arrays with their margins, which most metrics need and none should add up again."""

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats
    p: Floats  # actual positives
    n: Floats  # actual negatives
    called_pos: Floats
    called_neg: Floats
    total: Floats

    @classmethod
    def of(cls, tp: Any, fp: Any, fn: Any, tn: Any) -> Counts4:
        """Numbers or arrays of counts as broadcast arrays."""
        tp, fp, fn, tn = np.broadcast_arrays(*(np.asarray(value, dtype=np.float64) for value in (tp, fp, fn, tn)))
        p, n = tp + fn, fp + tn
        return cls(tp, fp, fn, tn, p, n, tp + fp, fn + tn, p + n)

    @classmethod
    def of_calls(cls, tp: Any, fp: Any, *, n_pos: float, n_neg: float) -> Counts4:
        """Columns of true and false positives among fixed numbers of cases; p, n and total are single numbers."""
        tp, fp = np.asarray(tp, dtype=np.float64), np.asarray(fp, dtype=np.float64)
        p, n = np.asarray(n_pos, dtype=np.float64), np.asarray(n_neg, dtype=np.float64)
        # Sums of real weights may pass their total by a rounding error; no count is negative.
        fn, tn = np.maximum(p - tp, 0.0), np.maximum(n - fp, 0.0)
        return cls(tp, fp, fn, tn, p, n, tp + fp, fn + tn, np.asarray(p + n))


def quotient(top: Any, bottom: Any) -> Floats:
    """Top / bottom with 0/0 undefined (NaN) and x/0 = inf, without warnings: IEEE division for numbers >= 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio: Floats = np.divide(top, bottom, dtype=np.float64)
    return ratio


def tpr(c: Counts4) -> Floats:
    """TP / P."""
    return quotient(c.tp, c.p)


def tnr(c: Counts4) -> Floats:
    """TN / N."""
    return quotient(c.tn, c.n)


def fpr(c: Counts4) -> Floats:
    """FP / N."""
    return quotient(c.fp, c.n)


def fnr(c: Counts4) -> Floats:
    """FN / P."""
    return quotient(c.fn, c.p)


def ppv(c: Counts4) -> Floats:
    """TP over cases called positive."""
    return quotient(c.tp, c.called_pos)


def npv(c: Counts4) -> Floats:
    """TN over cases called negative."""
    return quotient(c.tn, c.called_neg)


def mcc(c: Counts4) -> Floats:
    """Matthews' correlation of calls and labels."""
    # Two roots instead of the root of a product of four, which large weights could overflow.
    bottom = np.sqrt(c.called_pos * c.called_neg) * np.sqrt(c.p * c.n)
    return _or_nan(c.tp * c.tn - c.fp * c.fn, bottom)


def kappa(c: Counts4) -> Floats:
    """Cohen's kappa."""
    agreed = c.tp + c.tn
    expected = quotient(c.p * c.called_pos + c.n * c.called_neg, c.total)
    bottom = c.total - expected
    return _or_nan(agreed - expected, bottom)


def _or_nan(top: Floats, bottom: Floats) -> Floats:
    """A quotient of any sign that does not exist when its denominator is not positive."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(bottom > 0, np.divide(top, bottom), np.nan)


def f_beta(c: Counts4, beta: float = 1.0) -> Floats:
    """F-measure: precision and recall, recall weighing beta times as much; 0 when nothing positive is called."""
    if not 1e-6 <= check_positive(beta, "beta", way_out="1 weighs precision and recall alike") <= 1e6:
        raise InputError("beta", "must lie between 1e-6 and 1e6", beta, "1 weighs precision and recall alike")
    square = beta**2
    return quotient((1 + square) * c.tp, (1 + square) * c.tp + square * c.fn + c.fp)


def mutual_information(c: Counts4) -> Floats:
    """Bits that the call tells about the label: H(label) - H(label | call), with 0 log 0 = 0."""
    out = np.zeros(np.broadcast_shapes(c.tp.shape, c.total.shape))
    for cell, called, actual in ((c.tp, c.called_pos, c.p), (c.fp, c.called_pos, c.n),
                                 (c.fn, c.called_neg, c.p), (c.tn, c.called_neg, c.n)):  # fmt: skip
        ratio = quotient(cell * c.total, called * actual)
        out += np.where(cell > 0, cell * np.log2(np.where(cell > 0, ratio, 1.0)), 0.0)
    return np.where(c.total > 0, np.maximum(quotient(out, c.total), 0.0), np.nan)


def chi_squared(c: Counts4) -> Floats:
    """Pearson's statistic of the 2 x 2 table without continuity correction, on either side of chance."""
    bottom = c.called_pos * c.called_neg * c.p * c.n
    return _or_nan((c.tp * c.tn - c.fp * c.fn) ** 2 * c.total, bottom)


def post_test_probability(ratio: float, prevalence: Any) -> Floats:
    """Chance of the condition after an answer with this likelihood ratio, for each prevalence before it.

    >>> float(post_test_probability(9.0, 0.1)), float(post_test_probability(math.inf, 0.1))
    (0.5, 1.0)
    """
    before = np.asarray(prevalence, dtype=np.float64)
    if math.isinf(ratio):
        return np.ones_like(before)
    return np.asarray(ratio * before / (ratio * before + (1 - before)))
