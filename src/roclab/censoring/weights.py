r"""Inverse probability of censoring: known cases stand for those that were lost.

The chance to be followed beyond u is Kaplan and Meier's, of the censoring, each factor taken of those that are still
at risk of it (an event at u came first):

.. math:: G(u) = \prod_{v \le u} \Bigl(1 - \frac{d_c(v)}{Y_c(v)}\Bigr), \qquad
          w_i(t) = \frac{1\{T_i \le t, e_i \ne 0\}}{G(T_i-)} + \frac{1\{T_i > t\}}{G(t)}

Who is censored by t has the weight 0. The weights add up to the number of cases exactly, and weighted shares are the
usual incidences, by Kaplan and Meier or Aalen and Johansen [1]_. In strata all of this holds in each. By Cox's model of
the censoring (``cox``) G depends on covariates too, and the weights add up to the number of cases only about.

References
----------
.. [1] Satten GA, Datta S. The Kaplan-Meier estimator as an inverse-probability-of-censoring weighted average. Am Stat
   2001;55:207-210. doi:10.1198/000313001317098185
"""

from __future__ import annotations

import numpy as np

from roclab._core.types import Floats
from roclab.censoring.follow_up import Covariates, FollowUp, Strata

__all__ = ["case_weights", "chance_before", "followed_beyond", "lost_strata"]


def followed_beyond(follow_up: FollowUp) -> Floats:
    """G just after each distinct time: the chance to be followed beyond it.

    >>> follow_up = FollowUp(time=np.array([1.0, 2.0, 2.0, 3.0]), event=np.array([1, 0, 1, 0]))
    >>> followed_beyond(follow_up).tolist()
    [1.0, 0.5, 0.0]
    """
    risk, censored = follow_up.at_risk_of_censoring, follow_up.censored
    factor = np.where(censored > 0, 1 - censored / np.where(risk > 0, risk, 1.0), 1.0)
    return np.asarray(np.cumprod(np.maximum(factor, 0.0)))


def chance_before(follow_up: FollowUp) -> Floats:
    """The chance of every case to be followed up to its own time, G(T-) by the model of its censoring."""
    if follow_up.strata:
        out = np.empty(len(follow_up))
        for rows, part in follow_up.strata:
            out[rows] = chance_before(part)
        return out
    if isinstance(follow_up.model, Covariates):
        return follow_up.cox.chance_before(follow_up)
    return np.asarray(np.r_[1.0, followed_beyond(follow_up)[:-1]][follow_up.place])


def case_weights(follow_up: FollowUp, at: float) -> Floats:
    """The weight of every case at a horizon, 0 where its state is unknown then; O(n) after the sort."""
    if follow_up.strata:
        out = np.empty(len(follow_up))
        for rows, part in follow_up.strata:
            out[rows] = case_weights(part, at)
        return out
    case, other, later = follow_up.known_by(at)
    out = np.zeros(len(follow_up))
    ended = case | other
    out[ended] = 1 / chance_before(follow_up)[ended]
    if later.any() and isinstance(follow_up.model, Covariates):
        out[later] = 1 / follow_up.cox.chance_at(follow_up, at)[later]
    elif later.any():
        last = int(np.searchsorted(follow_up.distinct, at, side="right")) - 1
        out[later] = 1 / (followed_beyond(follow_up)[last] if last >= 0 else 1.0)
    return np.asarray(out * follow_up.weights)


def lost_strata(follow_up: FollowUp, at: float) -> list[str]:
    """Strata for some of whose cases nobody stands: the last of those still followed were lost before the horizon."""
    if not isinstance(follow_up.model, Strata):
        return []
    names = []
    for rows, part in follow_up.strata:
        whole = float(part.weights.sum())
        if abs(float(case_weights(part, at).sum()) - whole) > 1e-9 * whole:
            names.append(follow_up.model.names[int(follow_up.model.code[rows[0]])])
    return names
