"""Standard errors of one AUC by closed formulas, and the correlation of two (Hanley and McNeil, Bamber)."""

from __future__ import annotations

import math

import numpy as np

from roclab._core.checks import check_fraction, check_positive
from roclab._core.types import Counts
from roclab._core.undefined import Undefined
from roclab.areas.empirical import auc
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.rank_tests.area_variance import hanley_mcneil_variance, variance_from_q

__all__ = [
    "bamber_se",
    "correlation_of_areas",
    "empirical_q_se",
    "counted_q",
    "hanley_mcneil_se",
    "null_se",
    "q_in_words",
    "tie_corrected_null_se",
]


def hanley_mcneil_se(area: float, n_pos: float, n_neg: float) -> float:
    r"""Standard error of an AUC from the area and the class sizes alone [1]_.

    .. math:: SE^2 = \frac{A(1-A) + (P-1)(Q_1 - A^2) + (N-1)(Q_2 - A^2)}{PN},
              \quad Q_1 = \frac{A}{2-A},\; Q_2 = \frac{2A^2}{1+A}

    Q1 is the chance that two positives both outscore one negative, Q2 that one positive outscores two negatives,
    here for exponential scores.

    References
    ----------
    .. [1] Hanley JA, McNeil BJ. Radiology 1982;143:29-36. doi:10.1148/radiology.143.1.7063747

    Examples
    --------
    >>> round(hanley_mcneil_se(0.893, 51, 58), 6)
    0.032512
    """
    check_fraction(area, "area", way_out="an AUC is a fraction, write 0.89 for 89%")
    n_pos = check_positive(n_pos, "n_pos", way_out="give the number of positive cases")
    n_neg = check_positive(n_neg, "n_neg", way_out="give the number of negative cases")
    return math.sqrt(hanley_mcneil_variance(area, n_pos, n_neg))


def null_se(n_pos: float, n_neg: float) -> float:
    r"""Standard error of the AUC of a useless score, :math:`\sqrt{(P+N+1)/(12PN)}`.

    It is the Hanley-McNeil formula at A = 1/2, and the Mann-Whitney null deviation over PN.

    >>> round(null_se(10, 10), 6) == round(hanley_mcneil_se(0.5, 10, 10), 6)
    True
    """
    return math.sqrt((n_pos + n_neg + 1) / (12 * n_pos * n_neg))


def tie_corrected_null_se(tally: Tally) -> float:
    r"""The null standard error with the correction for ties; 0 when all scores are equal.

    .. math:: SE_0^2 = \frac{T + 1 - \sum_t (m_t^3 - m_t) / (T (T - 1))}{12PN}

    with :math:`m_t` cases at score t and T cases in all.
    """
    total = tally.n_pos + tally.n_neg
    at_score = (tally.pos + tally.neg).astype(np.float64)
    ties = float(np.sum(at_score**3 - at_score)) / (total * (total - 1))
    return math.sqrt(max(total + 1 - ties, 0.0) / (12 * tally.n_pos * tally.n_neg))


def empirical_q_se(tally: Tally) -> float:
    r"""Hanley-McNeil standard error with Q1 and Q2 counted from the data, as SPSS prints it.

    A negative with g positives above it and e at its own score contributes
    :math:`(g^2 + g e + e^2/3) / P^2` to Q1, and likewise for Q2. O(n).
    """
    return math.sqrt(variance_from_q(auc(tally), *counted_q(tally), tally.n_pos, tally.n_neg))


def counted_q(tally: Tally) -> tuple[float, float]:
    """Q1 and Q2 counted from the data: two positives above one negative, one positive above two negatives; O(n)."""
    n_pos, n_neg = tally.n_pos, tally.n_neg
    above = np.cumsum(tally.pos) - tally.pos
    below = n_neg - np.cumsum(tally.neg)
    q1 = _both(tally.neg, above, tally.pos) / (n_neg * float(n_pos) ** 2)
    q2 = _both(tally.pos, below, tally.neg) / (n_pos * float(n_neg) ** 2)
    return q1, q2


def q_in_words(tally: Tally) -> str:
    """Q1 and Q2 of Hanley and McNeil in both forms."""
    area, (q1, q2) = auc(tally), counted_q(tally)
    model = f"Q1 {area / (2 - area):.6f}, Q2 {2 * area**2 / (1 + area):.6f} of exponential scores"
    return f"{model}; Q1 {q1:.6f}, Q2 {q2:.6f} counted from the data"


def _both(weight: Counts, beyond: Counts, equal: Counts) -> float:
    far, tied = beyond.astype(np.float64), equal.astype(np.float64)
    return float(np.sum(weight * (far * far + far * tied + tied * tied / 3)))


def bamber_se(tally: Tally) -> float:
    r"""Bamber's unbiased standard error [1]_, O(n).

    .. math:: \hat\sigma^2 = \frac{\Pr(X \ne Y) + (P-1) B_{XXY} + (N-1) B_{YYX} - 4 (P+N-1)(A - \frac12)^2}
                             {4 (P-1)(N-1)}

    with :math:`B_{YYX}` the mean of sign(x - y) sign(x - y') over a positive and two different negatives, and
    :math:`B_{XXY}` its counterpart. Undefined when a class has one case.

    References
    ----------
    .. [1] Bamber D. J Math Psych 1975;12:387-415. doi:10.1016/0022-2496(75)90001-2
    """
    n_pos, n_neg = tally.n_pos, tally.n_neg
    if n_pos < 2 or n_neg < 2:
        return Undefined("Bamber's formula needs two cases of each class")
    unequal = 1 - float(np.dot(tally.pos, tally.neg)) / (n_pos * n_neg)
    b_neg = _mean_sign_product(tally.pos, tally.neg)
    b_pos = _mean_sign_product(tally.neg, tally.pos)
    top = unequal + (n_pos - 1) * b_pos + (n_neg - 1) * b_neg - 4 * (n_pos + n_neg - 1) * (auc(tally) - 0.5) ** 2
    return math.sqrt(max(top, 0.0) / (4 * (n_pos - 1) * (n_neg - 1)))


def _mean_sign_product(one: Counts, two: Counts) -> float:
    """Mean of sign(u - v) sign(u - v') over a case u of ``one`` and two different cases v, v' of ``two``."""
    total = float(two.sum())
    higher = (np.cumsum(two) - two).astype(np.float64)
    lower = total - higher - two
    products = (lower - higher) ** 2 - (lower + higher)
    return float(np.sum(one * products)) / (float(one.sum()) * total * (total - 1))


def correlation_of_areas(mean_area: float, mean_correlation: float, *, cases: float | None = None) -> float:
    r"""Correlation r of two AUCs measured on the same cases, from the correlation of the scores.

    With :math:`a = \Phi^{-1}(\bar A)`, :math:`B(k) = \Phi_2(a, a; k) - \bar A^2` and s = P + N - 2,

    .. math:: r = \frac{B(\bar\rho) + s B(\bar\rho/2)}{\bar A (1 - \bar A) + s B(1/2)}

    which reproduces the table of Hanley and McNeil [1]_ within 0.007 for s = 98, its 50 + 50 cases. Unlike the
    table it goes on below areas of 0.7 and to negative correlations.

    Parameters
    ----------
    mean_area, mean_correlation : float
        Averages of the two areas, and of the correlations of the two scores within positives and within negatives.
    cases : float, optional
        P + N; default 100, as in the paper.

    References
    ----------
    .. [1] Hanley JA, McNeil BJ. Radiology 1983;148:839-843, table I. doi:10.1148/radiology.148.3.6878708

    Examples
    --------
    >>> round(correlation_of_areas(0.9, 0.6), 5)
    0.51083
    """
    if not 0 < mean_area < 1:
        return Undefined(f"the correlation of areas does not exist at a mean area of {mean_area:g}")
    if not -1 <= mean_correlation <= 1:
        raise InputError("mean_correlation", "must lie between -1 and 1", mean_correlation)
    s = (100.0 if cases is None else cases) - 2
    excess = [_bivariate_normal(mean_area, rho) - mean_area**2 for rho in (mean_correlation, mean_correlation / 2, 0.5)]
    return (excess[0] + s * excess[1]) / (mean_area * (1 - mean_area) + s * excess[2])


def _bivariate_normal(probability: float, rho: float) -> float:
    r"""Chance that two standard normals with correlation rho both stay below the quantile of ``probability``.

    For equal limits a it has the closed form :math:`\Phi(a) - 2 T(a, \sqrt{(1-\rho)/(1+\rho)})` with Owen's T.
    """
    from scipy.special import ndtr, ndtri, owens_t  # loaded when needed: it takes longer than most answers

    a = float(ndtri(probability))
    if rho <= -1:
        return max(0.0, 2 * float(ndtr(a)) - 1)
    return float(ndtr(a) - 2 * owens_t(a, math.sqrt((1 - rho) / (1 + rho))))
