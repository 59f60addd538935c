r"""Two tests on cases that come in clusters, such as several lesions of a patient: what the counts are worth.

With :math:`d_k = b_k - c_k` and :math:`m_k` cases of cluster k, of K clusters and N cases,

.. math:: V = \frac{K}{K - 1} \sum_k \frac{(d_k - m_k \Delta)^2}{N^2}, \qquad
          \mathrm{deff} = \frac{N V}{(b + c)/N - \Delta^2}

is Obuchowski's variance of the difference over that of independent cases. Tango's limits of the counts divided by it,
with Student's quantile of K - 1 degrees of freedom, cover .942 or more from ten clusters on; the combination, after Rao
and Scott, is this package's own. Obuchowski's own limits fall to .845 there, and to .765 where clusters are ignored.

References
----------
Obuchowski NA. On the comparison of correlated proportions for clustered data. Stat Med 1998;17:1495-1507.
Rao JNK, Scott AJ. A simple method for the analysis of clustered binary data. Biometrics 1992;48:577-585.
Durkalski VL, Palesch YY, Lipsitz SR, Rust PF. Analysis of clustered matched-pair data. Stat Med 2003;22:2417-2428.
"""

from __future__ import annotations

import numpy as np

from roclab._core.normal import normal_tail
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.inference.one_area.intervals import deviate
from roclab.inference.rates.paired import Pair, PairedCounts, tango_limits

__all__ = [
    "LEAST_EFFECT",
    "cluster_variance",
    "clustered_tango",
    "durkalski_test",
    "obuchowski_limits",
    "obuchowski_test",
    "paired_effect",
]

LEAST_EFFECT = 0.25  # of a design: few clusters may look as if they knew more than they do


def paired_effect(table: Floats) -> float:
    """Design effect of the difference from (both, first only, second only, neither) of every cluster, K x 4.

    >>> round(paired_effect(np.array([[0, 2, 0, 1], [3, 0, 0, 1], [1, 0, 2, 0], [2, 1, 0, 2]])), 4)
    2.3231
    """
    counts = PairedCounts(*table.sum(axis=0).tolist())
    n, found = counts.n, counts.difference
    alone = (counts.first + counts.second) / n - found * found
    if alone <= 0:
        return 1.0
    return max(cluster_variance(table[:, 1] - table[:, 2] - table.sum(axis=1) * found) / n / alone, LEAST_EFFECT)


def cluster_variance(sums: Floats) -> float:
    r"""Variance of a total, :math:`K/(K - 1) \sum_k s_k^2`, from every cluster's part less its expectation."""
    k = sums.size
    return float(sums @ sums) * k / (k - 1) if k > 1 else Undefined("one cluster shows no spread between clusters")


def clustered_tango(table: Floats, *, level: float = 0.95) -> Pair:
    """Tango's limits of counts over their design effect, with Student's quantile."""
    counts = PairedCounts(*table.sum(axis=0).tolist())
    return tango_limits(counts.divided(paired_effect(table)), deviate(level, df=len(table) - 1))


def obuchowski_limits(table: Floats, *, level: float = 0.95) -> Pair:
    """The difference and Student's quantile of its clustered standard error on either side."""
    counts = PairedCounts(*table.sum(axis=0).tolist())
    found = counts.difference
    sums = table[:, 1] - table[:, 2] - table.sum(axis=1) * found
    half = deviate(level, df=len(table) - 1) * cluster_variance(sums) ** 0.5 / counts.n
    return found - half, found + half


def obuchowski_test(table: Floats) -> Pair:
    """Her chi-squared statistic and p-value: the sum of all d squared over K/(K - 1) times the sum of their squares."""
    apart = (table[:, 1] - table[:, 2]).astype(np.float64)
    return _squared(float(apart.sum()), cluster_variance(apart))


def durkalski_test(table: Floats) -> Pair:
    """The same with the mean of every cluster in place of its sum."""
    apart = (table[:, 1] - table[:, 2]) / table.sum(axis=1)
    return _squared(float(apart.sum()), float(apart @ apart))


def _squared(total: float, variance: float) -> Pair:
    if variance <= 0:
        return 0.0, 1.0
    statistic = total * total / variance
    return statistic, min(2 * normal_tail(statistic**0.5), 1.0)
