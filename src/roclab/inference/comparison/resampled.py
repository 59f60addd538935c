r"""The corrected resampled t of Nadeau and Bengio: means over splits whose training parts overlap.

Splits of the same cases share most of their training cases, so their results vary together and the usual variance of a
mean, :math:`s^2 / J`, is far too small. With :math:`n_1` cases to train and :math:`n_2` to test,

.. math:: \operatorname{Var} \bar d \approx \Bigl(\frac1J + \frac{n_2}{n_1}\Bigr) s^2,
          \qquad t = \bar d \Big/ \sqrt{\operatorname{Var} \bar d}, \quad J - 1 \text{ degrees of freedom.}

For k-fold cross-validation, once or repeated, :math:`n_2 / n_1 = 1 / (k - 1)`. It is an approximation: no estimator
of that variance is unbiased for all models.

References
----------
Nadeau C, Bengio Y. Inference for the generalization error. Machine Learning 2003;52:239-281.
doi:10.1023/A:1024068626366
Bouckaert RR, Frank E. Evaluating the replicability of significance tests for comparing learning algorithms. PAKDD
2004;3-12. doi:10.1007/978-3-540-24775-3_3
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from roclab._core.checks import check_level
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words
from roclab.inference.comparison.compare import Comparison, with_adjusted
from roclab.inference.comparison.contrasts import Difference
from roclab.inference.mean_of_splits import reach_of_mean
from roclab.inference.p_values import p_of_z
from roclab.names import Adjustment, Alternative
from roclab.results import Interval, Result

__all__ = ["METHOD", "SplitMean", "compare_over_splits", "mean_over_splits"]

METHOD = "corrected resampled t (Nadeau and Bengio)"
_SAME = 1e-12  # values that spread less are the same


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitMean(Result):
    """The mean of a measure over splits."""

    mean: float
    deviation: float  # standard deviation between splits
    standard_error: float  # corrected
    interval: Interval
    splits: int

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        percent = f"{100 * self.interval.level:g}%"
        return [
            {
                "mean": self.mean,
                "std. deviation": self.deviation,
                "std. error": self.standard_error,
                f"{percent} low": self.interval.low,
                f"{percent} high": self.interval.high,
                "splits": self.splits,
            }
        ]


def mean_over_splits(
    values: Floats, *, test_to_train: float, level: float = 0.95, bounds: tuple[float, float] = (-math.inf, math.inf)
) -> SplitMean:
    """Mean, spread and corrected interval of one measure; ``test_to_train`` is n2 / n1. O(J).

    >>> import numpy as np
    >>> found = mean_over_splits(np.array([0.8, 0.9, 0.85, 0.85]), test_to_train=1 / 3)
    >>> round(found.mean, 4), round(found.standard_error, 4)
    (0.85, 0.0312)
    """
    check_level(level)
    count = int(values.size)
    mean = float(values.mean()) if count else Undefined("no split was finished")
    if count < 2:
        reason = Undefined("a spread needs at least two splits")
        blank = Interval(low=reason, high=reason, level=level, method=METHOD)
        return SplitMean(mean=mean, deviation=reason, standard_error=reason, interval=blank, splits=count)
    deviation = float(values.std(ddof=1))
    se = deviation * math.sqrt(1 / count + test_to_train)
    if deviation <= _SAME:  # an interval of no length would claim certainty
        reason = Undefined("every split has the same value, so their spread says nothing")
        blank = Interval(low=reason, high=reason, level=level, method=METHOD)
        return SplitMean(mean=mean, deviation=deviation, standard_error=se, interval=blank, splits=count)
    reach = deviation * reach_of_mean(count, level=level, test_to_train=test_to_train)
    interval = Interval(low=max(mean - reach, bounds[0]), high=min(mean + reach, bounds[1]), level=level, method=METHOD)
    return SplitMean(mean=mean, deviation=deviation, standard_error=se, interval=interval, splits=count)


def compare_over_splits(
    values: Mapping[str, Floats],
    *,
    quantity: str,
    test_to_train: float,
    level: float = 0.95,
    adjust: Adjustment = "holm",
    alternative: Alternative = "two-sided",
    notes: tuple[str, ...] = (),
) -> Comparison:
    """All pairs of models, each measured on the same splits; O(J) a pair."""
    if len(values) < 2:
        raise InputError("models", "must be two or more to compare", Words(", ".join(values)), "add another one")
    found = []
    for first, second in combinations(values, 2):
        mean = mean_over_splits(values[first] - values[second], test_to_train=test_to_train, level=level)
        se = mean.standard_error
        if isinstance(se, Undefined):
            statistic: float = se
        elif se == 0:
            statistic = Undefined("the difference is the same in every split") if mean.mean else 0.0
        else:
            statistic = mean.mean / se
        p = p_of_z(statistic, alternative, df=mean.splits - 1)
        found.append(
            Difference(
                first=first,
                second=second,
                difference=mean.mean,
                standard_error=se,
                interval=mean.interval,
                statistic=statistic,
                p_value=p,
                p_adjusted=p,
                alternative=alternative,
                hypothesis=f"{first} - {second} = 0",
                df=float(mean.splits - 1),
            )
        )
    means = [
        f"{name}: {quantity} {np.mean(one):.4f}, standard deviation between splits {np.std(one, ddof=1):.4f}"
        for name, one in values.items()
        if one.size > 1
    ]
    return Comparison(
        quantity=quantity,
        areas=(),
        covariance=None,
        pairs=with_adjusted(found, adjust),
        equality=None,
        pairing="paired",
        method=METHOD,
        adjustment=adjust,
        level=level,
        test="t",
        notes=(*means, *notes),
    )
