r"""What the estimated weights add to the influence of a case, for any statistic.

A statistic is known by its value and by :math:`d_i`, its derivative by the logarithm of the weight of case i. The
weight of a case depends on the chance of censoring at every time v before its own end, so that with

.. math:: D(v) = \sum_{T_i > v} d_i, \qquad
          c_k = 1\{e_k = 0, T_k \le t\} \frac{D(T_k)}{Y(T_k)} - \sum_{v \le \min(T_k, t)} \frac{D(v)\, d_c(v)}{Y(v)^2}

the whole influence is :math:`\varphi_k = n (d_k + c_k)` [1]_: one suffix sum and one prefix sum over time instead of
the triple sums that are printed.

Two rules for 1/Y differ by less than a thousandth. "martingale" takes everybody who is still followed (as
riskRegression does); "derivative" is the exact derivative of the product limit, :math:`1/(Y_c - d_c)` in the jump and
:math:`d_c/(Y_c (Y_c - d_c))` in the drift, and gives Greenwood's and Aalen and Johansen's errors.

References
----------
.. [1] Blanche P, Dartigues J-F, Jacqmin-Gadda H. Estimating and comparing time-dependent areas under receiver operating
   characteristic curves for censored event times with competing risks. Stat Med 2013;32:5381-5397.
   doi:10.1002/sim.5958
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from roclab._core.types import Floats
from roclab.censoring.follow_up import CENSORED, Covariates, FollowUp

__all__ = ["TermRule", "censoring_term", "full_influence"]

TermRule = Literal["martingale", "derivative"]


def full_influence(follow_up: FollowUp, derivative: Floats, at: float, *, rule: TermRule = "martingale") -> Floats:
    """Influence of every case, from its derivative by the logarithm of its weight; sums to 0. O(n)."""
    return len(follow_up) * (derivative + censoring_term(follow_up, derivative, at, rule=rule))


def censoring_term(follow_up: FollowUp, derivative: Floats, at: float, *, rule: TermRule = "martingale") -> Floats:
    """What the estimation of the censoring adds to each case; in Cox's model always the derivative."""
    if follow_up.strata:
        out = np.empty(len(follow_up))
        for rows, part in follow_up.strata:
            out[rows] = censoring_term(part, derivative[rows], at, rule=rule)
        return out
    if isinstance(follow_up.model, Covariates):
        return follow_up.cox.term(follow_up, derivative, at)
    beyond = follow_up.by_time(derivative)
    beyond = beyond.sum() - np.cumsum(beyond)  # of the cases that end after each distinct time
    within = follow_up.distinct <= at
    censored = np.where(within, follow_up.censored, 0.0)
    if rule == "martingale":
        jump = beyond / follow_up.at_risk
        drift = jump * censored / follow_up.at_risk
    else:
        risk = follow_up.at_risk_of_censoring
        left = risk - follow_up.censored
        jump = np.divide(beyond, left, out=np.zeros_like(beyond), where=left > 0)
        drift = np.divide(jump * censored, risk, out=np.zeros_like(beyond), where=risk > 0)
    sums = np.r_[0.0, np.cumsum(drift)]
    place = follow_up.place
    is_censored = follow_up.event == CENSORED
    # By the exact derivative a case whose event is at v is no longer at risk of censoring there.
    until = place + 1 if rule == "martingale" else place + is_censored
    jumps = np.where(is_censored & within[place], jump[place], 0.0)
    added: Floats = (jumps - sums[until]) * follow_up.weights
    return added
