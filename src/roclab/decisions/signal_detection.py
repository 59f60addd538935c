r"""Signal detection: how far apart signal and noise lie, and where the observer draws the line.

With H the rate of hits (sensitivity) and F that of false alarms, of normal distributions of equal spread,

.. math:: d' = \Phi^{-1}(H) - \Phi^{-1}(F), \qquad c = -\tfrac12 (\Phi^{-1}(H) + \Phi^{-1}(F)), \qquad \ln\beta = d' c .

A criterion c above 0 says "noise" more often than an unbiased observer does. Both have the variance of their two
independent parts [1]_,

.. math:: \operatorname{Var} d' = \frac{H (1 - H)}{P\,\varphi(z_H)^2} + \frac{F (1 - F)}{N\,\varphi(z_F)^2},
          \qquad \operatorname{Var} c = \tfrac14 \operatorname{Var} d' .

Rates of 0 and 1 have no deviate. The log-linear rule [2]_ adds one half to every count of hits and false alarms and one
to both class sizes, whatever they are, and so has the smallest bias of the usual repairs.

References
----------
.. [1] Gourevitch V, Galanter E. A significance test for one parameter isosensitivity functions. Psychometrika
   1967;32:25-33. doi:10.1007/BF02289402
.. [2] Hautus MJ. Corrections for extreme proportions and their biasing effects on estimated values of d'. Behav Res
   Methods Instrum Comput 1995;27:46-51. doi:10.3758/BF03203619
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from scipy.special import ndtri

from roclab._core.checks import check_choice, check_level
from roclab._core.text import format_number, text_table
from roclab._core.undefined import Undefined
from roclab.errors import InputError, Words
from roclab.inference.one_area.intervals import deviate
from roclab.names import RATE_CORRECTIONS, RateCorrection
from roclab.results import Interval, Result

__all__ = ["SignalDetection", "signal_detection"]

_TITLES = {"loglinear": "log-linear rule", "none": "rates as counted"}


@dataclass(frozen=True, slots=True, kw_only=True)
class SignalDetection(Result):
    """d′, the criterion c and the likelihood ratio β of one observer or threshold."""

    d_prime: float
    d_prime_interval: Interval
    criterion: float
    criterion_interval: Interval
    standard_error: float  # of d'; that of c is half of it
    beta: float
    hit_rate: float  # as corrected
    false_alarm_rate: float
    correction: str

    def rows(self) -> list[dict[str, Any]]:
        """One row per measure."""
        pairs = {"d'": (self.d_prime, self.d_prime_interval), "c": (self.criterion, self.criterion_interval)}
        rows = [
            {"measure": name, "value": value, "low": ends.low, "high": ends.high, "level": ends.level}
            for name, (value, ends) in pairs.items()
        ]
        empty = Undefined("no interval is known for it")
        level = self.d_prime_interval.level
        return [*rows, {"measure": "beta", "value": self.beta, "low": empty, "high": empty, "level": level}]

    def __str__(self) -> str:
        says = "neither answer is preferred"
        if not math.isnan(self.criterion) and self.criterion_interval.low > 0:
            says = "a negative answer is preferred"
        elif not math.isnan(self.criterion) and self.criterion_interval.high < 0:
            says = "a positive answer is preferred"
        summary = (
            f"d' {format_number(self.d_prime)} ({self.d_prime_interval}), c {format_number(self.criterion)}: {says}"
        )
        rows = [{name: value for name, value in row.items() if name != "level"} for row in self.rows()]
        method = f"{self.d_prime_interval.method}, level {self.d_prime_interval.level:g}; {_TITLES[self.correction]}"
        return "\n".join([summary, "", text_table(rows), "", method])


def signal_detection(
    *, tp: float, fp: float, fn: float, tn: float, correction: RateCorrection = "loglinear", level: float = 0.95
) -> SignalDetection:
    """d′ and criterion of four counts, with the intervals of Gourevitch and Galanter.

    >>> found = signal_detection(tp=80, fp=20, fn=20, tn=80, correction="none")
    >>> round(found.d_prime, 4), round(found.standard_error, 4), round(found.criterion, 4) + 0.0
    (1.6832, 0.2021, 0.0)
    """
    check_choice(correction, "correction", RATE_CORRECTIONS)
    check_level(level)
    n_pos, n_neg = tp + fn, fp + tn
    if not n_pos or not n_neg:
        empty = "positive" if not n_pos else "negative"
        raise InputError("", "d' needs cases of both classes", Words(f"no {empty} case"), "count both")
    extra = 0.5 if correction == "loglinear" else 0.0
    hits, alarms = (tp + extra) / (n_pos + 2 * extra), (fp + extra) / (n_neg + 2 * extra)
    title = "Gourevitch-Galanter"
    if not (0 < hits < 1 and 0 < alarms < 1):
        why = Undefined("a rate is 0 or 1, which has no deviate; correction='loglinear' gives one")
        none = Interval(low=why, high=why, level=level, method=title)
        return SignalDetection(
            d_prime=why, d_prime_interval=none, criterion=why, criterion_interval=none, standard_error=why, beta=why,
            hit_rate=hits, false_alarm_rate=alarms, correction=correction,
        )  # fmt: skip
    z_hits, z_alarms = float(ndtri(hits)), float(ndtri(alarms))
    spread = math.sqrt(_deviate_variance(hits, n_pos + 2 * extra) + _deviate_variance(alarms, n_neg + 2 * extra))
    d_prime, criterion, z = z_hits - z_alarms, -(z_hits + z_alarms) / 2, deviate(level)

    def around(value: float, error: float) -> Interval:
        return Interval(low=value - z * error, high=value + z * error, level=level, method=title)

    return SignalDetection(
        d_prime=d_prime,
        d_prime_interval=around(d_prime, spread),
        criterion=criterion,
        criterion_interval=around(criterion, spread / 2),
        standard_error=spread,
        beta=math.exp(d_prime * criterion),
        hit_rate=hits,
        false_alarm_rate=alarms,
        correction=correction,
    )


def _deviate_variance(rate: float, cases: float) -> float:
    """Variance of the normal deviate of a rate, by the delta method."""
    density = math.exp(-(float(ndtri(rate)) ** 2) / 2) / math.sqrt(2 * math.pi)
    return rate * (1 - rate) / (cases * density**2)
