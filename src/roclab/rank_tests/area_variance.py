"""Variance of the Mann-Whitney area from the area and the class sizes alone."""

from __future__ import annotations

__all__ = ["hanley_mcneil_variance", "variance_from_q"]


def hanley_mcneil_variance(area: float, n_pos: float, n_neg: float) -> float:
    r"""Hanley and McNeil's variance of an AUC [1]_, with Q1 and Q2 of exponential scores.

    .. math:: Q_1 = \frac{A}{2-A},\quad Q_2 = \frac{2A^2}{1+A}

    Q1 is the chance that two positives both outscore one negative, Q2 that one positive outscores two negatives.

    References
    ----------
    .. [1] Hanley JA, McNeil BJ. Radiology 1982;143:29-36. doi:10.1148/radiology.143.1.7063747

    Examples
    --------
    >>> round(hanley_mcneil_variance(0.893, 51, 58) ** 0.5, 6)
    0.032512
    """
    return variance_from_q(area, area / (2 - area), 2 * area**2 / (1 + area), n_pos, n_neg)


def variance_from_q(area: float, q1: float, q2: float, n_pos: float, n_neg: float) -> float:
    r"""Variance of an AUC from Q1 and Q2, :math:`\frac{A(1-A) + (P-1)(Q_1 - A^2) + (N-1)(Q_2 - A^2)}{PN}`."""
    square = area * (1 - area) + (n_pos - 1) * (q1 - area**2) + (n_neg - 1) * (q2 - area**2)
    return max(square, 0.0) / (n_pos * n_neg)
