"""Intervals of ratios of two independent proportions: likelihood ratios and the diagnostic odds ratio."""

from __future__ import annotations

import math

from roclab._core.checks import check_choice
from roclab._core.roots import falling_root
from roclab._core.undefined import Undefined
from roclab.inference.one_area.intervals import deviate
from roclab.names import RATIO_INTERVALS, RatioInterval
from roclab.results import Interval

__all__ = ["koopman_limits", "likelihood_ratio_interval", "odds_ratio_interval"]

_FARTHEST = 700.0  # of the logarithm of a ratio: beyond it there are no numbers


def likelihood_ratio_interval(
    hits: float, n_hits: float, alarms: float, n_alarms: float, *, level: float = 0.95, method: RatioInterval = "score"
) -> Interval:
    r"""Interval of a ratio of two independent proportions, such as LR+ = TPR / FPR = (a/n) / (b/m).

    - "score" (Koopman [1]_): all ratios :math:`\theta` with

      .. math:: \Bigl(\frac an - \theta \frac bm\Bigr)^2 \le z^2 \Bigl[\frac{\tilde p_1 (1 - \tilde p_1)}{n}
                + \theta^2 \frac{\tilde p_2 (1 - \tilde p_2)}{m}\Bigr],

      where :math:`\tilde p_1 = \theta \tilde p_2` are the likeliest proportions that have this ratio. It holds its
      level with few cases, and needs nothing added where a count is 0.
    - "log" (Simel [2]_): :math:`\ln\theta \pm z \sqrt{1/a - 1/n + 1/b - 1/m}`, as most programs print it. With ten
      positives it falls to .82 where 95% were promised, because a rate near 1 seems to have no error. A zero count
      leaves one end open, and the other is found by adding one half to every count.

    The ratio is 0 or infinite where a count is 0, and so is that end of its interval.

    References
    ----------
    .. [1] Koopman PAR. Confidence intervals for the ratio of two binomial proportions. Biometrics 1984;40:513-517.
       doi:10.2307/2531405
    .. [2] Simel DL, Samsa GP, Matchar DB. J Clin Epidemiol 1991;44:763-770. doi:10.1016/0895-4356(91)90128-V

    Examples
    --------
    >>> print(likelihood_ratio_interval(26, 41, 14, 72))
    1.9580 to 5.5430
    >>> print(likelihood_ratio_interval(26, 41, 14, 72, method="log"))
    1.9302 to 5.5103
    >>> print(likelihood_ratio_interval(20, 20, 0, 20))
    6.2064 to inf
    """
    check_choice(method, "method", RATIO_INTERVALS)
    title = "score (Koopman)" if method == "score" else "log (Simel)"
    if (hits == 0 and alarms == 0) or n_hits == 0 or n_alarms == 0:
        why = Undefined("the ratio is 0/0")
        return Interval(low=why, high=why, level=level, method=title)
    z = deviate(level)
    if method == "score":
        low, high = (_score_limit(hits, n_hits, alarms, n_alarms, sign * z) for sign in (1, -1))
    else:
        low, high, added = _log_limits(hits, n_hits, alarms, n_alarms, z)
        title += added
    return Interval(low=0.0 if hits == 0 else low, high=math.inf if alarms == 0 else high, level=level, method=title)


def koopman_limits(a: float, n: float, b: float, m: float, z: float) -> tuple[float, float]:
    """Koopman's limits of (a/n) / (b/m) at a deviate; 0 or infinite where a count is 0.

    >>> [round(end, 4) for end in koopman_limits(26, 41, 14, 72, 1.959963984540054)]
    [1.958, 5.543]
    """
    if a == 0 and b == 0:
        why = Undefined("the ratio is 0/0")
        return why, why
    low = 0.0 if a == 0 else _score_limit(a, n, b, m, z)
    return low, math.inf if b == 0 else _score_limit(a, n, b, m, -z)


def _score_limit(a: float, n: float, b: float, m: float, wanted: float) -> float:
    """The ratio that lies ``wanted`` standard errors below the one found, by its logarithm."""

    def excess(log_ratio: float) -> tuple[float, float]:
        ratio = math.exp(log_ratio)
        # The likeliest second proportion solves (n + m) θ p² - [θ (n + b) + a + m] p + a + b = 0.
        middle = ratio * (n + b) + a + m
        p2 = 2 * (a + b) / (middle + math.sqrt(max(middle * middle - 4 * ratio * (n + m) * (a + b), 0.0)))
        p1 = min(ratio * p2, 1.0)
        variance = p1 * (1 - p1) / n + ratio * ratio * p2 * max(1 - p2, 0.0) / m
        apart = a / n - ratio * b / m
        # Without variance both shares are 1, and so is their ratio.
        return (apart / math.sqrt(variance) if variance > 0 else 0.0) - wanted, math.nan

    start = math.log((a + 0.5) / (n + 0.5) / ((b + 0.5) / (m + 0.5)))
    return math.exp(falling_root(excess, start, 0.25, farthest=_FARTHEST))


def _log_limits(a: float, n: float, b: float, m: float, z: float) -> tuple[float, float, str]:
    added = ""
    if a == 0 or b == 0:
        a, n, b, m = a + 0.5, n + 0.5, b + 0.5, m + 0.5
        added = ", 1/2 added to every count"
    spread = z * math.sqrt(max(1 / a - 1 / n + 1 / b - 1 / m, 0.0))
    ratio = (a / n) / (b / m)
    return ratio * math.exp(-spread), ratio * math.exp(spread), added


def odds_ratio_interval(tp: float, fp: float, fn: float, tn: float, *, level: float = 0.95) -> Interval:
    r"""Interval of the diagnostic odds ratio TP TN / (FP FN), :math:`\ln DOR \pm z \sqrt{1/TP + 1/FP + 1/FN + 1/TN}`.

    One half is added to every count when one of them is 0; the ends stay 0 or infinite where the ratio is.
    """
    method = "log (Woolf)"
    top, bottom = tp * tn, fp * fn
    if top == 0 and bottom == 0:
        why = Undefined("the ratio is 0/0")
        return Interval(low=why, high=why, level=level, method=method)
    counts = [tp, fp, fn, tn]
    if 0 in counts:
        counts = [count + 0.5 for count in counts]
        method += ", 1/2 added to every count"
    ratio = counts[0] * counts[3] / (counts[1] * counts[2])
    spread = deviate(level) * math.sqrt(sum(1 / count for count in counts))
    low = 0.0 if top == 0 else ratio * math.exp(-spread)
    high = math.inf if bottom == 0 else ratio * math.exp(spread)
    return Interval(low=low, high=high, level=level, method=method)
