"""Intervals of proportions, of their differences, and of F1."""

from __future__ import annotations

import math

from scipy.special import betaincinv

from roclab._core.checks import check_choice, check_level
from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words
from roclab.inference.one_area.intervals import clopper_pearson, deviate
from roclab.names import PROPORTION_INTERVALS, ProportionInterval
from roclab.results import Interval

__all__ = [
    "PROPORTION_INTERVALS",
    "ProportionInterval",
    "difference_interval",
    "f1_interval",
    "proportion_interval",
]

_TITLES = {
    "exact": "Clopper-Pearson",
    "wilson": "Wilson",
    "agresti_coull": "Agresti-Coull",
    "jeffreys": "Jeffreys",
    "wald": "Wald",
}


def proportion_interval(
    successes: float, trials: float, *, level: float = 0.95, method: ProportionInterval = "wilson"
) -> Interval:
    r"""Interval of a proportion k/n.

    - "exact" (Clopper-Pearson): never below its level, often well above it.
    - "wilson": the score interval; its level is right on average, also near 0 and 1.
    - "agresti_coull": Wilson's centre with a plain width.
    - "jeffreys": equal-tailed posterior for a Beta(1/2, 1/2) prior, with the ends 0 and 1 at k = 0 and k = n.
    - "wald": :math:`\hat p \pm z \sqrt{\hat p (1 - \hat p) / n}`, for comparison only: it fails near 0 and 1.

    References
    ----------
    Brown LD, Cai TT, DasGupta A. Interval estimation for a binomial proportion. Stat Sci 2001;16:101-133.

    Examples
    --------
    >>> print(proportion_interval(26, 40, method="exact"))
    0.4832 to 0.7937
    >>> print(proportion_interval(0, 10))
    0.0000 to 0.2775
    """
    check_choice(method, "method", PROPORTION_INTERVALS)
    check_level(level)
    if trials < 0 or not 0 <= successes <= trials:
        raise InputError(
            "successes", "must lie between 0 and trials", Words(f"{successes:g} of {trials:g}"), "count again"
        )
    title = _TITLES[method]
    if trials == 0:
        why = Undefined("there are no cases to form the proportion of")
        return Interval(low=why, high=why, level=level, method=title)
    z = deviate(level)
    share = successes / trials
    if method == "exact":
        low, high = clopper_pearson(successes, trials, tail=(1 - level) / 2)
    elif method == "jeffreys":
        tail = (1 - level) / 2
        low = 0.0 if successes == 0 else float(betaincinv(successes + 0.5, trials - successes + 0.5, tail))
        high = 1.0 if successes == trials else float(betaincinv(successes + 0.5, trials - successes + 0.5, 1 - tail))
    elif method == "wald":
        half = z * math.sqrt(share * (1 - share) / trials)
        low, high = max(share - half, 0.0), min(share + half, 1.0)
    else:
        centre = (successes + z * z / 2) / (trials + z * z)
        if method == "wilson":
            half = z / (trials + z * z) * math.sqrt(trials * share * (1 - share) + z * z / 4)
        else:
            half = z * math.sqrt(centre * (1 - centre) / (trials + z * z))
        # At k = 0 and k = n the exact ends are 0 and 1; rounding must not move them.
        low = 0.0 if successes == 0 else max(centre - half, 0.0)
        high = 1.0 if successes == trials else min(centre + half, 1.0)
    return Interval(low=low, high=high, level=level, method=title)


def difference_interval(
    hits: float,
    n_hits: float,
    alarms: float,
    n_alarms: float,
    *,
    level: float = 0.95,
    method: ProportionInterval = "wilson",
) -> Interval:
    r"""Interval of a difference of two independent proportions, such as Youden's J = TPR - FPR, by square-and-add [1]_.

    .. math:: \hat p_1 - \hat p_2 - \sqrt{(\hat p_1 - l_1)^2 + (u_2 - \hat p_2)^2} \;\text{ to }\;
              \hat p_1 - \hat p_2 + \sqrt{(u_1 - \hat p_1)^2 + (\hat p_2 - l_2)^2}

    with the limits l and u of each proportion by ``method``. It holds for a threshold fixed beforehand.

    References
    ----------
    .. [1] Newcombe RG. Interval estimation for the difference between independent proportions: comparison of eleven
       methods. Stat Med 1998;17:873-890, method 10.

    Examples
    --------
    >>> print(difference_interval(56, 70, 48, 80))
    0.0524 to 0.3339
    """
    one = proportion_interval(hits, n_hits, level=level, method=method)
    two = proportion_interval(alarms, n_alarms, level=level, method=method)
    title = f"square-and-add, {one.method}"
    if n_hits == 0 or n_alarms == 0:
        why = Undefined("one class has no case")
        return Interval(low=why, high=why, level=level, method=title)
    p, q = hits / n_hits, alarms / n_alarms
    low = p - q - math.hypot(p - one.low, two.high - q)
    high = p - q + math.hypot(one.high - p, q - two.low)
    return Interval(low=max(low, -1.0), high=min(high, 1.0), level=level, method=title)


def f1_interval(
    tp: float, fp: float, fn: float, *, level: float = 0.95, method: ProportionInterval = "wilson"
) -> Interval:
    """Interval of F1 = 2J / (1 + J) from that of Jaccard's J = TP / (TP + FP + FN), a proportion of those cases.

    >>> print(f1_interval(45, 30, 5))
    0.6239 to 0.7994
    """
    share = proportion_interval(tp, tp + fp + fn, level=level, method=method)
    if tp + fp + fn == 0:
        return share
    low, high = (2 * end / (1 + end) for end in share)
    return Interval(low=low, high=high, level=level, method=f"from Jaccard's, {share.method}")
