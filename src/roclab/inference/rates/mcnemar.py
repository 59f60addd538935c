r"""Tests that two yes/no tests call equally many cases of one class positive: in b + c discordant cases, b against c.

References
----------
McNemar Q. Note on the sampling error of the difference between correlated proportions or percentages.
Psychometrika 1947;12:153-157.
Fagerland MW, Lydersen S, Laake P. The McNemar test for binary matched-pairs data: mid-p and asymptotic are better than
exact conditional. BMC Med Res Methodol 2013;13:91.
"""

from __future__ import annotations

import math

from roclab._core.normal import normal_tail
from roclab._core.undefined import Undefined
from roclab.inference.rates.paired import PairedCounts
from roclab.names import SingleRateTest

__all__ = ["mcnemar_p"]


def mcnemar_p(counts: PairedCounts, test: SingleRateTest = "score") -> float:
    r"""Two-sided p-value of :math:`H_0`: both tests call equally many.

    - "score": :math:`\chi^2 = (b - c)^2/(b + c)` with one degree of freedom, which is Tango's statistic at 0
    - "corrected": :math:`(|b - c| - 1)^2/(b + c)`, as older programs print it
    - "exact": twice the tail of the binomial distribution of b among b + c, at most 1
    - "midp": the same with half the probability of what was seen

    The binomial ones need whole counts. Where b + c = 0 every p is 1: no case speaks for either.

    >>> counts = PairedCounts(20, 6, 2, 2)
    >>> [round(mcnemar_p(counts, test), 7) for test in ("score", "corrected", "exact", "midp")]
    [0.1572992, 0.2888444, 0.2890625, 0.1796875]
    """
    b, c = counts.first, counts.second
    discordant = b + c
    if discordant == 0:
        return 1.0
    if test in ("score", "corrected"):
        apart = abs(b - c) if test == "score" else max(abs(b - c) - 1, 0.0)
        return min(2 * normal_tail(apart / math.sqrt(discordant)), 1.0)
    if not (float(b).is_integer() and float(c).is_integer()):
        return Undefined("a binomial test needs whole counts")
    from scipy.special import bdtr, gammaln

    fewer = min(b, c)
    tail = float(bdtr(fewer, int(discordant), 0.5))
    if test == "exact":
        return min(2 * tail, 1.0)
    seen = math.exp(gammaln(discordant + 1) - gammaln(fewer + 1) - gammaln(discordant - fewer + 1)
                    - discordant * math.log(2))  # fmt: skip
    return 1 - seen / 2 if b == c else 2 * tail - seen
