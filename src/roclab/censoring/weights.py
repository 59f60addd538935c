r"""Inverse probability of censoring: known cases stand for those that were lost.

The chance to be followed beyond u is Kaplan and Meier's, of the censoring, each factor taken of those that are still
at risk of it (an event at u came first):

.. math:: G(u) = \prod_{v \le u} \Bigl(1 - \frac{d_c(v)}{Y_c(v)}\Bigr), \qquad
          w_i(t) = \frac{1\{T_i \le t, e_i \ne 0\}}{G(T_i-)} + \frac{1\{T_i > t\}}{G(t)}

Who is censored by t has the weight 0. The weights add up to the number of cases exactly, and weighted shares are the
usual incidences, by Kaplan and Meier or Aalen and Johansen [1]_.

References
----------
.. [1] Satten GA, Datta S. The Kaplan-Meier estimator as an inverse-probability-of-censoring weighted average. Am Stat
   2001;55:207-210. doi:10.1198/000313001317098185
"""

from __future__ import annotations

import numpy as np

from roclab._core.types import Floats
from roclab.censoring.follow_up import FollowUp

__all__ = ["case_weights", "followed_beyond"]


def followed_beyond(follow_up: FollowUp) -> Floats:
    """G just after each distinct time: the chance to be followed beyond it.

    >>> follow_up = FollowUp(time=np.array([1.0, 2.0, 2.0, 3.0]), event=np.array([1, 0, 1, 0]))
    >>> followed_beyond(follow_up).tolist()
    [1.0, 0.5, 0.0]
    """
    risk, censored = follow_up.at_risk_of_censoring, follow_up.censored
    factor = np.where(censored > 0, 1 - censored / np.where(risk > 0, risk, 1.0), 1.0)
    return np.asarray(np.cumprod(np.maximum(factor, 0.0)))


def case_weights(follow_up: FollowUp, at: float) -> Floats:
    """The weight of every case at a horizon, 0 where its state is unknown then; O(n) after the sort."""
    beyond = followed_beyond(follow_up)
    before = np.r_[1.0, beyond[:-1]]
    last = int(np.searchsorted(follow_up.distinct, at, side="right")) - 1
    case, other, later = follow_up.known_by(at)
    out = np.zeros(len(follow_up))
    ended = case | other
    out[ended] = 1 / before[follow_up.place[ended]]
    if later.any():
        out[later] = 1 / (beyond[last] if last >= 0 else 1.0)
    return np.asarray(out * follow_up.weights)
