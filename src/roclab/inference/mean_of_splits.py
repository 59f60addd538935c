r"""How far the mean of a few splits reaches: t, and what training parts in common add.

Results of J splits with the standard deviation s have a mean that is known to

.. math:: t_{J-1} \, s \sqrt{\frac1J + \frac{n_2}{n_1}},

with :math:`n_1` cases to train and :math:`n_2` to test: splits of the same cases share most of their training cases, so
their results vary together, and Nadeau and Bengio add :math:`n_2 / n_1`, which is :math:`1 / (k - 1)` for k-fold
cross-validation, once or repeated. Curves that share no training cases (readers, runs, centres) have
:math:`n_2 / n_1 = 0`. By the normal distribution, :math:`1.96\, s / \sqrt J`, the limits of the mean of three
independent curves hold 81%.

References
----------
Nadeau C, Bengio Y. Inference for the generalization error. Machine Learning 2003;52:239-281.
doi:10.1023/A:1024068626366
"""

from __future__ import annotations

import math

from roclab.inference.one_area.intervals import deviate

__all__ = ["reach_of_mean"]


def reach_of_mean(splits: int, *, level: float, test_to_train: float = 0.0) -> float:
    """Half the interval of a mean over so many splits, in standard deviations between them; NaN for one split.

    >>> round(reach_of_mean(3, level=0.95), 4), round(reach_of_mean(3, level=0.95, test_to_train=1 / 2), 4)
    (2.4841, 3.9278)
    """
    if splits < 2:
        return math.nan
    return deviate(level, df=splits - 1) * math.sqrt(1 / splits + test_to_train)
