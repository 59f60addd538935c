r"""Do several tests call equally many cases of one class positive? Cochran's Q.

.. math:: Q = \frac{(k - 1)(k \sum_j G_j^2 - T^2)}{k T - \sum_i L_i^2}

with :math:`G_j` the positive calls of test j, :math:`L_i` those of case i and T all of them; chi-squared with k - 1
degrees of freedom. Cases that all tests call alike drop out.

References
----------
Cochran WG. The comparison of percentages in matched samples. Biometrika 1950;37:256-266.
"""

from __future__ import annotations

import numpy as np
from scipy.special import chdtrc

from roclab._core.types import Bools, Floats
from roclab._core.undefined import Undefined
from roclab.results import TestResult

__all__ = ["cochran_q"]


def cochran_q(patterns: Bools, cases: Floats, *, quantity: str = "rates") -> TestResult:
    """The test from the distinct rows of calls (m x k) and how many cases have each.

    >>> calls = np.array([[1, 1, 0], [1, 0, 0], [1, 1, 1], [1, 0, 1]], dtype=bool)
    >>> round(cochran_q(calls, np.array([3.0, 4.0, 5.0, 1.0])).statistic, 4)
    9.75
    """
    k = patterns.shape[1]
    per_case = patterns.sum(axis=1).astype(np.float64)
    per_test = cases @ patterns
    total = float(per_test.sum())
    below = k * total - float(cases @ per_case**2)
    informative = float(cases[(per_case > 0) & (per_case < k)].sum())
    q: float = Undefined("all tests call every case alike")
    p: float = q
    if below > 0:
        q = (k - 1) * (k * float(per_test @ per_test) - total * total) / below
        p = float(chdtrc(k - 1, q))
    few = (f"{quantity}: {informative:g} cases are called differently; from 8 on the test keeps its size within .06.",)
    return TestResult(
        name="Cochran's Q",
        hypothesis=f"all {quantity} are equal",
        statistic=q,
        distribution=f"chi-squared, {k - 1} df",
        p_value=p,
        method="Cochran 1950",
        notes=few if informative < 8 else (),
    )
