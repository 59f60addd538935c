r"""Variances from sums over subjects: of means, and of estimates that solve equations.

Cases of one subject are alike, so that what they add up to is what varies. With :math:`u_k` the sum of the
contributions of subject k's cases, centred so that all of them add up to 0, the sandwich is

.. math:: \operatorname{Var} = \frac{K}{K - 1}\, A^{-1} \Bigl(\sum_k u_k u_k^\top\Bigr) A^{-1},

with A = n for a mean (the ratio estimator of survey samples) and the information matrix for a maximum of the
likelihood. K - 1 degrees of freedom go with it, because K sums are all that was seen; a fit of p coefficients needs K >
p.

References
----------
Liang KY, Zeger SL. Longitudinal data analysis using generalized linear models. Biometrika 1986;73:13-22.
doi:10.1093/biomet/73.1.13
Cochran WG. Sampling Techniques. Wiley 1977, section 6.
"""

from __future__ import annotations

import math

import numpy as np

from roclab._core.types import Floats, Ints
from roclab._core.undefined import Undefined

__all__ = ["error_of_mean", "sandwich", "sums_by_subject"]


def sums_by_subject(values: Floats, number: Ints, count: int) -> Floats:
    """Sums of the rows of every subject: of a column, or of every column of a table."""
    if values.ndim == 1:
        return np.bincount(number, weights=values, minlength=count).astype(np.float64)
    return np.column_stack([sums_by_subject(column, number, count) for column in values.T])


def error_of_mean(values: Floats, number: Ints, count: int, *, weight: Floats | None = None) -> float:
    """Standard error of the mean over all cases of ``count`` subjects.

    >>> round(error_of_mean(np.array([1.0, 1, 0, 0]), np.array([0, 0, 1, 1]), 2), 4)  # two subjects, 1 and 0
    0.5
    """
    if count < 2:
        return Undefined("one subject shows no spread between subjects")
    weight = np.ones(values.size) if weight is None else weight
    total = float(weight.sum())
    centred = weight * (values - float(np.sum(weight * values)) / total)
    sums = sums_by_subject(centred, number, count)
    return math.sqrt(count / (count - 1) * float(np.sum(sums**2))) / total


def sandwich(inverse: Floats, scores: Floats, number: Ints, count: int) -> Floats:
    """Covariance of coefficients from the inverse of their information and the score of every case, n x p."""
    sums = sums_by_subject(scores, number, count)
    middle = np.sum(sums[:, :, None] * sums[:, None, :], axis=0)
    found: Floats = count / (count - 1) * (inverse @ middle @ inverse)
    return found
