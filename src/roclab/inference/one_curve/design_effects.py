r"""Rates of subjects with several cases: what their counts are worth, for every metric of a confusion matrix.

With the counts :math:`c_k` (TP, FP, FN, TN) of subject k, a metric g of the totals has, by the delta method on the
totals of K subjects, the variance

.. math:: V = \frac{K}{K - 1} \sum_k \bigl(\nabla g \cdot c_k\bigr)^2 .

Metrics are quotients, so that :math:`\nabla g \cdot \sum_k c_k = 0` and nothing need be centred; of a proportion this
is the ratio estimator of survey samples. If every case were a subject of its own it would be :math:`V_0 = \sum_c n_c
(\nabla_c g)^2`, with the four cells c, which is the binomial variance of a proportion and Simel's of the logarithm of a
likelihood ratio. The quotient :math:`d = V / V_0` is the design effect, at least 1/4. Any interval of g that is known
for counts then holds for the counts divided by d, with Student's t on K - 1 degrees of freedom in place of the normal
distribution, K being the subjects that have a case in the denominator. Rao and Scott did so for proportions, Obuchowski
for sensitivity and specificity.

Where V₀ is 0 (a rate of 0 or 1), every subject counts once.

Measured over 48 designs (8 to 60 subjects of 1 to 7 cases, correlated by .2 and .6; both classes in a subject, or one;
400 samples each), 95% intervals held, in the worst design, which has 8 subjects, and in the median: sensitivity .927
and .963, specificity .897 and .952, LR+ .907 and .943, Youden's J .902 and .945; ignoring subjects .745 to .767 and
.884 to .939. Of the specificity, with the normal distribution instead of t .885 and .929, on the logit scale with t
.907 and .960 (``benchmarks/coverage_clusters.py --only metrics``). Wilson's is kept because it exists at 0 and 1, and
is that of single cases.

References
----------
Rao JNK, Scott AJ. A simple method for the analysis of clustered binary data. Biometrics 1992;48:577-585.
doi:10.2307/2532311
Obuchowski NA. On the comparison of correlated proportions for clustered data. Stat Med 1998;17:1495-1507.
Cochran WG. Sampling Techniques. Wiley 1977, section 6.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from roclab._core.normal import normal_tail
from roclab._core.types import Floats
from roclab.inference.one_area.design_effect import LEAST_EFFECT
from roclab.inference.one_area.intervals import deviate

__all__ = ["DesignEffect", "design_effect", "level_of_t"]

_HIGHEST = 1 - 1e-15
_STEP = 1e-5  # of a cell, for the slope of a metric

Metric = Callable[[Floats], Floats]  # of counts (..., 4)


def level_of_t(level: float, df: float) -> float:
    """The level whose normal deviate is Student's of this level; deviates beyond 8 have no level in double precision.

    >>> round(level_of_t(0.95, 10), 4)
    0.9741
    """
    return min(1 - 2 * normal_tail(deviate(level, df=df)), _HIGHEST)


class DesignEffect(NamedTuple):
    """What the counts behind one metric are worth."""

    effect: float  # counts divided by it are those of independent cases
    subjects: int  # with a case in the denominator
    cases: float

    @property
    def df(self) -> float:
        """Degrees of freedom."""
        return self.subjects - 1

    def level(self, level: float) -> float:
        """The level whose normal deviate is that of t: intervals of counts then reach as far as t has them."""
        return level_of_t(level, self.df)

    def describe(self) -> str:
        """What was counted."""
        return f"{self.cases / self.effect:.1f} effective cases of {self.subjects} subjects"


def design_effect(by_subject: Floats, metric: Metric, cells: Sequence[int] = (0, 1, 2, 3)) -> DesignEffect | None:
    """The design effect of a metric; None where fewer than two subjects have a case among its cells.

    Parameters
    ----------
    by_subject : array, K x 4
        True positives, false positives, false negatives and true negatives of every subject.
    metric : function of counts
        Takes arrays whose last axis has the four counts.
    cells : sequence of int
        Those that the metric depends on.

    Examples
    --------
    Ten subjects with two positives each, which are called alike: as if there were ten.

    >>> counts = np.array([[2.0, 0, 0, 0]] * 6 + [[0, 0, 2.0, 0]] * 4)
    >>> found = design_effect(counts, lambda c: c[..., 0] / (c[..., 0] + c[..., 2]), (0, 2))
    >>> round(found.effect, 4), found.subjects  # 2 * 10 / 9
    (2.2222, 10)
    """
    held = by_subject[by_subject[:, list(cells)].sum(axis=1) > 0]
    count, total = len(held), held.sum(axis=0)
    if count < 2:
        return None
    cases = float(total[list(cells)].sum())
    slopes = _slopes(total, metric)
    own = float(np.sum(total * slopes**2))
    variance = count / (count - 1) * float(np.sum(np.sum(held * slopes, axis=1) ** 2))
    # A metric on its bound has no slope, but for rounding.
    if not own > 1e-20 or not math.isfinite(own + variance) or not variance > 0:
        return DesignEffect(max(cases / count, 1.0), count, cases)
    return DesignEffect(max(variance / own, LEAST_EFFECT), count, cases)


def _slopes(total: Floats, metric: Metric) -> Floats:
    """Slope of the metric in every cell; cells without a case have no weight and get 0."""
    found = np.zeros(4)
    for cell in np.flatnonzero(total):
        step = np.zeros(4)
        step[cell] = _STEP * total[cell]
        with np.errstate(all="ignore"):
            ends = metric(np.stack([total + step, total - step]))
            found[cell] = float((ends[0] - ends[1]) / (2 * step[cell]))
    return found
