"""tAUC and t²AUC: areas that reward curves which rise early."""

from __future__ import annotations

import numpy as np

from roclab._core.types import Floats
from roclab.curves.roc import RocCurve
from roclab.data.tally import Tally

__all__ = ["t2auc", "t2auc_as_published", "tauc", "tauc_half_ties", "tauc_indicator"]


def tauc(curve: RocCurve) -> float:
    r"""Area under the tROC curve: perfect 1/2, useless 1/6.

    .. math:: tAUC = \int_0^1 TPR\,(1 - FPR)\,dFPR
              = \sum_g \Delta f_g \left[\bar t_g (1 - \bar f_g) - \tfrac1{12} \Delta t_g \Delta f_g\right]

    over the segments g of the curve, with midpoints :math:`\bar f, \bar t` and increments
    :math:`\Delta f, \Delta t`; exact, where a trapezoid rule on tROC points is not. O(n).

    Notes
    -----
    1/6 is the value of a useless score, not a lower bound: a curve that rises late can fall below it while its
    AUC exceeds one half. Reversing the score gives 1/2 - AUC + tAUC.

    Examples
    --------
    >>> from roclab.curves.roc import curve_from_points
    >>> tauc(curve_from_points([0], [1])), round(tauc(curve_from_points([0.5], [0.5])), 4)
    (0.5, 0.1667)
    """
    run, rise = np.diff(curve.fpr), np.diff(curve.tpr)
    fpr, tpr = curve.fpr[:-1] + run / 2, curve.tpr[:-1] + rise / 2
    return float(np.sum(run * (tpr * (1 - fpr) - rise * run / 12)))


def t2auc(curve: RocCurve) -> float:
    r"""t²AUC, :math:`\int TPR \sqrt{1 - FPR}\,dFPR`: perfect 2/3, useless 4/15. Exact per segment, O(n)."""
    mirrored = 1 - curve.fpr
    return _root_weighted(mirrored[::-1], curve.tpr[::-1])


def t2auc_as_published(curve: RocCurve) -> float:
    r"""t²AUC with the weight as printed, :math:`\int TPR \sqrt{FPR}\,dFPR`: perfect 2/3, useless 2/5.

    The printed weight rewards high false positive rates, the opposite of its purpose; kept for comparison.
    """
    return _root_weighted(curve.fpr, curve.tpr)


def _root_weighted(u: Floats, tpr: Floats) -> float:
    r"""Integral of a broken line times :math:`\sqrt u`, by its closed form on each segment."""
    run, rise = np.diff(u), np.diff(tpr)
    slope = np.divide(rise, run, out=np.zeros_like(run), where=run > 0)
    start = tpr[:-1] - slope * u[:-1]
    power_3, power_5 = u**1.5, u**2.5
    return float(np.sum(start * np.diff(power_3) * (2 / 3) + slope * np.diff(power_5) * (2 / 5)))


def tauc_indicator(tally: Tally) -> float:
    r"""The triple-indicator statistic :math:`\frac1{PN^2}\sum_{ijk} I(x_i > z_k \ge y_j)`, z also a negative.

    Without ties it equals tAUC + AUC/(2N), because it counts j = k: it exceeds 1/2 for a perfect score and is
    no estimate of tAUC in small samples. Kept for comparison with published values.
    """
    above = np.cumsum(tally.pos) - tally.pos
    at_most = tally.n_neg - (np.cumsum(tally.neg) - tally.neg)
    return float(np.sum(1.0 * tally.neg * above * at_most)) / (tally.n_pos * tally.n_neg**2)


def tauc_half_ties(tally: Tally) -> float:
    r"""The triple statistic with half ties, :math:`\psi(x, z)\,\psi(z, y)`: tAUC without ties, slightly more with."""
    above = np.cumsum(tally.pos) - tally.pos / 2
    below = tally.n_neg - np.cumsum(tally.neg) + tally.neg / 2
    return float(np.sum(tally.neg * above * below)) / (tally.n_pos * tally.n_neg**2)
