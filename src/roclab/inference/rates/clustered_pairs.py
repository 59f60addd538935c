r"""Two tests on cases that come in clusters, such as several lesions of a patient: what the counts are worth.

With :math:`d_k = b_k - c_k` and :math:`m_k` cases of cluster k, of K clusters and N cases,

.. math:: V = \frac{K}{K - 1} \sum_k \frac{(d_k - m_k \Delta)^2}{N^2}, \qquad
          \mathrm{deff} = \frac{N V}{(b + c)/N - \Delta^2}

is Obuchowski's variance of the difference over that of independent cases. Tango's limits of the counts divided by it,
with Student's quantile of K - 1 degrees of freedom, cover .942 or more from ten clusters on; the combination, after Rao
and Scott, is this package's own. Obuchowski's own limits fall to .845 there, and to .765 where clusters are ignored.

Tests by name are for those who know them. In six designs of 10 to 50 clusters (docs/coverage) they reject .019 to .065
of true hypotheses, the limits .035 to .051, and McNemar's up to .168 where clusters are ignored.

References
----------
Eliasziw M, Donner A. Application of the McNemar test to non-independent matched pair data. Stat Med 1991;10:1981-1991.
Yang Z, Sun X, Hardin JW. A note on the tests for clustered matched-pair binary data. Biom J 2010;52:638-652.
Obuchowski NA. On the comparison of correlated proportions for clustered data. Stat Med 1998;17:1495-1507.
Rao JNK, Scott AJ. A simple method for the analysis of clustered binary data. Biometrics 1992;48:577-585.
Durkalski VL, Palesch YY, Lipsitz SR, Rust PF. Analysis of clustered matched-pair data. Stat Med 2003;22:2417-2428.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from roclab._core.normal import normal_tail
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.inference.one_area.intervals import deviate
from roclab.inference.rates.paired import Pair, PairedCounts, tango_limits

__all__ = [
    "CLUSTERED_TESTS",
    "LEAST_EFFECT",
    "cluster_variance",
    "clustered_tango",
    "discordant_correlation",
    "durkalski_test",
    "eliasziw_donner_test",
    "obuchowski_limits",
    "obuchowski_test",
    "paired_effect",
    "yang_test",
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


def yang_test(table: Floats) -> Pair:
    """Obuchowski's with the mean of her variance and of that around the difference found.

    The second one is not swollen by the difference that is tested, so that the test has more power.
    """
    apart = (table[:, 1] - table[:, 2]).astype(np.float64)
    sizes = table.sum(axis=1)
    around = apart - sizes * (apart.sum() / sizes.sum())
    return _squared(float(apart.sum()), (cluster_variance(apart) + cluster_variance(around)) / 2)


def eliasziw_donner_test(table: Floats) -> Pair:
    r"""McNemar's statistic over :math:`1 + (n_c - 1) \tilde\rho`, with :math:`S_k = b_k + c_k` discordant pairs.

    :math:`n_c = \sum S_k^2 / \sum S_k`, and :math:`\tilde\rho` is the correlation of discordant pairs of a cluster.
    """
    discordant = table[:, 1] + table[:, 2]
    total = float(discordant.sum())
    if total <= 0:
        return 0.0, 1.0
    apart = float((table[:, 1] - table[:, 2]).sum())
    swollen = 1 + (float(discordant @ discordant) / total - 1) * discordant_correlation(table)
    return _squared(apart, total * swollen)


def discordant_correlation(table: Floats) -> float:
    r"""Correlation of discordant pairs of a cluster, from that of all four kinds of pairs by analysis of variance.

    With n cases of a cluster, mean squares between and within clusters of the four shares, pooled, give
    :math:`\rho = (B - W)/(B + (n_0 - 1) W)`, and with the share P of discordant pairs
    :math:`\tilde\rho = \rho / (\rho + P (1 - \rho))`. Less than 0 counts as 0: no cluster makes pairs worth more.
    """
    sizes = table.sum(axis=1)
    kept, sizes = table[sizes > 0], sizes[sizes > 0]
    clusters, mean = sizes.size, float(sizes.mean())
    if mean <= 1 or clusters < 2:
        return 0.0  # every cluster is one pair
    share = kept.sum(axis=0) / sizes.sum()
    between = float((((kept - sizes[:, None] * share) ** 2).sum(axis=1) / sizes).sum()) / clusters
    within = float(((kept * (sizes[:, None] - kept)).sum(axis=1) / sizes).sum()) / (clusters * (mean - 1))
    typical = mean - float(((sizes - mean) ** 2).sum()) / (clusters * (clusters - 1) * mean)
    below = between + (typical - 1) * within
    alike = (between - within) / below if below > 0 else 0.0
    if alike <= 0:
        return 0.0
    return alike / (alike + float(share[1] + share[2]) * (1 - alike))


CLUSTERED_TESTS: dict[str, tuple[str, Callable[[Floats], Pair]]] = {
    "eliasziw_donner": ("McNemar over the correlation of discordant pairs (Eliasziw and Donner 1991)",
                        eliasziw_donner_test),
    "obuchowski": ("sums of subjects (Obuchowski 1998)", obuchowski_test),
    "durkalski": ("means of subjects (Durkalski 2003)", durkalski_test),
    "yang": ("sums of subjects, mean of two variances (Yang 2010)", yang_test),
}  # fmt: skip


def _squared(total: float, variance: float) -> Pair:
    if variance <= 0:
        return 0.0, 1.0
    statistic = total * total / variance
    return statistic, min(2 * normal_tail(statistic**0.5), 1.0)
