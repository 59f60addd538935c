"""tAUC and t²AUC: areas that reward curves which rise early."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from roclab._core.polyline import bounded
from roclab._core.types import Floats
from roclab.curves.roc import RocCurve, roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError

__all__ = [
    "early_area",
    "early_auc",
    "t2auc",
    "t2auc_as_published",
    "tauc",
    "tauc_half_ties",
    "tauc_indicator",
    "tauc_unbiased",
]


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
    return bounded(float(np.sum(run * (tpr * (1 - fpr) - rise * run / 12))), 1 / 2)


def early_area(curve: RocCurve, power: float) -> float:
    r"""Area with the weight :math:`(1 - FPR)^k`, k >= 0: perfect 1/(k + 1), useless 1/((k + 1)(k + 2)).

    .. math:: \int_0^1 TPR\,(1 - FPR)^k\,dFPR

    k = 0 is the AUC, k = 1 tAUC, k = 2 rewards an early rise more than tAUC does. Exact per segment, O(n).

    >>> from roclab.curves.roc import curve_from_points
    >>> perfect, chance = curve_from_points([0], [1]), curve_from_points([0.5], [0.5])
    >>> round(early_area(perfect, 2.0), 6), round(early_area(chance, 2.0), 6)
    (0.333333, 0.083333)
    """
    if not 0 <= power < np.inf:
        raise InputError("power", "must be at least 0", power, "write 1 for tAUC, 2 to reward early rises more")
    k = float(power)
    u, t = 1 - curve.fpr, curve.tpr
    run = u[:-1] - u[1:]
    slope = np.divide(np.diff(t), run, out=np.zeros_like(run), where=run > 0)
    first, second = (u[:-1] ** (k + 1) - u[1:] ** (k + 1)) / (k + 1), (u[:-1] ** (k + 2) - u[1:] ** (k + 2)) / (k + 2)
    return bounded(float(np.sum((t[:-1] + slope * u[:-1]) * first - slope * second)), 1 / (k + 1))


def early_auc(power: float) -> Callable[[Tally], float]:
    """The same of a tally, for a fixed power."""
    return lambda tally: early_area(roc_curve(tally), power)


def tauc_unbiased(tally: Tally) -> float:
    r"""Unbiased estimate of tAUC: the mean over all triples of a positive and two different negatives.

    .. math:: \frac1{P N (N - 1)} \sum_i \sum_{k \ne j} \Pr(x_i' > z_k' > y_j')

    where primes break ties at random: 1/2 for one tie, 1/6 where all three share a value. Without ties it is
    (N tAUC - AUC/2) / (N - 1); the plug-in tAUC is too large by about (AUC/2 - tAUC) / N. O(n). With a single negative
    there is no triple, and the plug-in value stands in.

    >>> from roclab.data.tally import Tally
    >>> tauc_unbiased(Tally.from_samples(np.array([4.0, 2.0]), np.array([3.0, 1.0])))
    0.25
    """
    if tally.n_neg < 2:
        return tauc(roc_curve(tally))
    pos, neg = tally.pos.astype(np.float64), tally.neg.astype(np.float64)
    above = np.cumsum(pos) - pos
    below = tally.n_neg - np.cumsum(neg)
    total = np.sum(neg * (above * below + pos * below / 2 + above * (neg - 1) / 2 + pos * (neg - 1) / 6))
    return bounded(float(total) / (tally.n_pos * tally.n_neg * (tally.n_neg - 1)), 1 / 2)


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
    return bounded(float(np.sum(start * np.diff(power_3) * (2 / 3) + slope * np.diff(power_5) * (2 / 5))), 2 / 3)


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
