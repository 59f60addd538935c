r"""Is the difference between two scores the same in all groups? The test of the interaction of score and group.

Every group g has a difference :math:`d_g` of its own, with variance :math:`v_g` known from :math:`\nu_g` degrees of
freedom (``welch``, small-sample correction included). Groups share no case, so with weights :math:`w_g = 1/v_g` of sum
W and the weighted mean :math:`\bar d` Welch's test of k means with unequal variances applies:

.. math:: F = \frac{\sum w_g (d_g - \bar d)^2 / (k - 1)}{1 + \frac{2 (k - 2)}{k^2 - 1} \Lambda}, \qquad
          \Lambda = \sum_g \frac{(1 - w_g / W)^2}{\nu_g}

on k - 1 and :math:`(k^2 - 1) / (3 \Lambda)` degrees of freedom. For two groups it is Welch's t, for large ones
Cochran's Q. That a difference is significant in one group and not in another is no test of this question.

References
----------
Welch BL. On the comparison of several mean values: an alternative approach. Biometrika 1951;38:330-336.
doi:10.1093/biomet/38.3-4.330
Altman DG, Bland JM. Interaction revisited: the difference between two estimates. BMJ 2003;326:219.
doi:10.1136/bmj.326.7382.219
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import chdtrc, fdtrc

from roclab._core.undefined import Undefined
from roclab.inference.welch import EstimatedVariance, contrast_variance
from roclab.results import TestResult

if TYPE_CHECKING:
    from roclab.inference.comparison.compare import Comparison

__all__ = ["interaction_tests", "welch_anova"]


def interaction_tests(groups: Mapping[str, Comparison]) -> tuple[TestResult, ...]:
    """For every pair of scores that all groups have: is their difference the same in all groups?"""
    if len(groups) < 2:
        return ()
    first, *others = groups.values()
    shared = set(first.names).intersection(*(found.names for found in others))
    return tuple(
        _of_pair(groups, pair.first, pair.second) for pair in first.pairs if {pair.first, pair.second} <= shared
    )


def _of_pair(groups: Mapping[str, Comparison], first: str, second: str) -> TestResult:
    differences = [found.pair(first, second).difference for found in groups.values()]
    variances = [_variance_of(found, first, second) for found in groups.values()]
    notes = []
    known = [at for at, estimated in enumerate(variances) if estimated.variance > 0]
    if len(known) < len(variances):
        left_out = [name for at, name in enumerate(groups) if at not in known]
        notes.append(f"without a standard error, and left out: {', '.join(left_out)}")
    if any(area.sample.subjects for found in groups.values() for area in found.areas):
        notes.append("subjects of different groups are taken for different ones")
    statistic, df, p_value, mean = welch_anova([differences[at] for at in known], [variances[at] for at in known])
    return TestResult(
        name=f"interaction: {first} - {second}",
        hypothesis=f"the difference {first} - {second} is the same in all groups",
        statistic=statistic,
        distribution=f"F({len(known) - 1}, {df:.4g})" if math.isfinite(df) else f"chi-squared, {len(known) - 1} df",
        p_value=p_value,
        estimate=mean,
        method="Welch's test of several means; the estimate is the weighted mean of the differences",
        notes=tuple(notes),
    )


def _variance_of(found: Comparison, first: str, second: str) -> EstimatedVariance:
    covariance = found._known
    if covariance is None or not covariance.strata:
        error = found.pair(first, second).standard_error
        return EstimatedVariance(0.0 if math.isnan(error) else error**2, found.pair(first, second).df)
    weights = np.zeros(len(covariance.names))
    weights[covariance.names.index(first)], weights[covariance.names.index(second)] = 1, -1
    return contrast_variance(covariance.strata, covariance.matrix, weights, units=covariance.units)


def welch_anova(means: Sequence[float], variances: Sequence[EstimatedVariance]) -> tuple[float, float, float, float]:
    """Welch's statistic, its second degrees of freedom, the p-value and the weighted mean.

    Where all variances are known for certain the statistic is Cochran's Q, and the degrees of freedom infinite.

    >>> found = welch_anova([0.1, 0.3], [EstimatedVariance(0.01, math.inf), EstimatedVariance(0.01, math.inf)])
    >>> round(found[0], 6), round(found[2], 4)
    (2.0, 0.1573)
    """
    k = len(means)
    if k < 2:
        few = Undefined("fewer than two groups have a difference with a standard error")
        return few, math.inf, few, (means[0] if means else few)
    value, weight = np.array(means), 1 / np.array([estimated.variance for estimated in variances])
    total = float(weight.sum())
    mean = float(np.sum(weight * value) / total)
    q = float(np.sum(weight * (value - mean) ** 2))
    doubt = float(np.sum((1 - weight / total) ** 2 / np.array([estimated.df for estimated in variances])))
    if doubt == 0:
        return q, math.inf, float(chdtrc(k - 1, q)), mean
    df = (k * k - 1) / (3 * doubt)
    f = q / (k - 1) / (1 + 2 * (k - 2) / (k * k - 1) * doubt)
    return f, df, float(fdtrc(k - 1, df, f)), mean
