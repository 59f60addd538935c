r"""Several cases per subject: how many independent cases a clustered sample is worth.

The design effect is the clustered variance of an AUC over the variance that takes every case for itself,

.. math:: d = V_{clusters} / V_{DeLong}, \qquad d \ge \tfrac14,

so that :math:`P/d` positives and :math:`N/d` negatives would know the area as well. With these class sizes, and
DeLong's spreads as they are, the score interval and its test (``score``) hold for clusters too, referred to Student's t
with K - 1 degrees of freedom for K subjects, because K subjects are all that the clustered variance was seen in. Rao
and Scott did the same for tables of counts. Where nothing varies (a perfect area, constant scores) there is no
quotient, and every subject counts once.

Measured over 72 designs (8 to 60 subjects of 1 to 7 cases, correlated by .2 and .6, areas .7 to .97; both classes in a
subject, or one; 400 samples each), 95% intervals held, in the worst design and in the median: ignoring subjects .718
and .948, the logit interval by the normal distribution .863 and .926, by t .882 and .946, this one .925 and .963
(``benchmarks/coverage_clusters.py --only areas``). The combination is ours.

References
----------
Obuchowski NA. Nonparametric analysis of clustered ROC curve data. Biometrics 1997;53:567-578. doi:10.2307/2533958
Rao JNK, Scott AJ. A simple method for the analysis of clustered binary data. Biometrics 1992;48:577-585.
doi:10.2307/2532311
"""

from __future__ import annotations

import math

from roclab.inference.one_area.delong import DelongParts

__all__ = ["LEAST_EFFECT", "effective_parts"]

LEAST_EFFECT = 0.25  # subjects rarely make a sample worth more than four times its cases; smaller quotients are chance
_FEWEST = 1.5  # effective cases of a class: with one, no spread could be seen


def effective_parts(naive: DelongParts, variance: float, subjects: tuple[float, float]) -> DelongParts:
    """DeLong's parts with the class sizes that the clustered ``variance`` is worth.

    Parameters
    ----------
    naive : DelongParts
        Of the same cases, each taken for itself.
    variance : float
        Clustered variance of the AUC.
    subjects : pair
        Numbers of subjects with positives and with negatives.

    Examples
    --------
    Twice the variance, half the cases:

    >>> effective_parts(DelongParts(0.001, 0.001, 40, 60), 0.004, (10, 12))
    DelongParts(pos=0.002, neg=0.002, n_pos=20.0, n_neg=30.0)
    """
    own = naive.pos + naive.neg
    if math.isnan(own) or not own > 0 or not variance > 0:
        return DelongParts(0.0, 0.0, *subjects)
    effect = max(variance / own, LEAST_EFFECT)
    parts = []
    for part, size in ((naive.pos, naive.n_pos), (naive.neg, naive.n_neg)):
        parts.append((part * size, max(size / effect, _FEWEST)))
    (pos, n_pos), (neg, n_neg) = parts
    return DelongParts(pos / n_pos, neg / n_neg, n_pos, n_neg)
