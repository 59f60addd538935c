r"""How narrow a band of the curve may be: never narrower than its counts allow.

Resampling can only rearrange what was seen. Where all resampled curves agree, as they do wherever the classes are
separated, a bootstrap band has no width at all and claims a true positive rate of exactly 1. The binomial distribution
knows better: 20 of 20 positives found leave a rate of 0.83 possible. Neither does resampling see how far beyond the
highest negatives the next one may lie, so that the first steps of a curve are worth less than they look.
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaincinv

from roclab._core.checks import check_level
from roclab._core.polyline import SAME
from roclab._core.types import Floats
from roclab.curves.roc import RocCurve, rates

__all__ = ["binomial_floor"]


def binomial_floor(
    curve: RocCurve, fpr: Floats, *, n_pos: float, n_neg: float, level: float, whole: bool = False
) -> tuple[Floats, Floats]:
    r"""Limits of the true positive rate that no band at this level may lie inside of, at each false positive rate.

    .. math:: low(f) = B^{-1}_{\alpha/2}(k_a,\, P - k_a + 1), \qquad high(f) = B^{-1}_{1 - \alpha/2}(k + 1,\, P - k)

    with B⁻¹ the quantile of the beta distribution, α = 1 - level, :math:`k = P \hat R(f)` the positives found at the
    rate f and :math:`k_a = P \hat R(f - a/N)` those found a negatives earlier: Clopper and Pearson's limits of a
    proportion. The lower limit is 0 up to the second negative (``whole``: the third), f < 2/N, and 1 at f = 1, where
    every curve ends; the upper one is 1 from the last but one on. Both limits rise with f and enclose the curve, so the
    smaller of two lower limits and the larger of two upper ones make a band again.

    Parameters
    ----------
    curve : RocCurve
        The empirical curve :math:`\hat R`.
    fpr : array
        False positive rates f.
    n_pos, n_neg : float
        Class sizes P and N.
    level : float
        Level of the binomial limits, that of the band.
    whole : bool
        Whether the band is to hold for the whole curve, and so must survive the worst of its steps: the threshold of a
        rate may then be misjudged by a = 1.5 standard deviations of the number of negatives beyond it,
        :math:`1.5 \sqrt{N f (1 - f)}`, and by 3 of them at least. Otherwise, for one rate chosen in advance, a = 0.

    Notes
    -----
    Counts between two vertices of a tie group are fractions, for which the beta quantile serves as well. O(m log n) for
    m rates.

    References
    ----------
    Clopper CJ, Pearson ES. The use of confidence or fiducial limits illustrated in the case of the binomial. Biometrika
    1934;26:404-413. doi:10.1093/biomet/26.4.404

    Examples
    --------
    Twenty positives above twenty negatives:

    >>> from roclab.curves.roc import roc_curve
    >>> from roclab.data.tally import Tally
    >>> curve = roc_curve(Tally.from_samples(np.arange(20.0, 40), np.arange(20.0)))
    >>> low, high = binomial_floor(curve, np.array([0, 0.05, 0.1, 0.5, 1]), n_pos=20, n_neg=20, level=0.95)
    >>> low.round(4).tolist(), high.tolist()  # 0.025 ** (1 / 20) = 0.8316
    ([0.0, 0.0, 0.8316, 0.8316, 1.0], [1.0, 1.0, 1.0, 1.0, 1.0])
    """
    check_level(level)
    at = rates(fpr, "fpr")
    tail = (1 - level) / 2
    found = n_pos * curve.at(at)
    aside = np.maximum(3.0, 1.5 * np.sqrt(n_neg * at * (1 - at))) if whole else np.zeros(at.size)
    earlier = n_pos * curve.at(np.maximum(at - aside / n_neg, 0.0)) if whole else found
    # The beta quantile has no value at k = 0 and k = P, where the limits are 0 and 1.
    low = np.where(earlier > 0, betaincinv(np.maximum(earlier, SAME), n_pos - earlier + 1, tail), 0.0)
    high = np.where(found < n_pos, betaincinv(found + 1, np.maximum(n_pos - found, SAME), 1 - tail), 1.0)
    low[at < (3.0 if whole else 2.0) / n_neg - SAME] = 0.0
    high[at > 1 - 2.0 / n_neg + SAME] = 1.0
    low[at > 1 - SAME] = 1.0
    return low, high
