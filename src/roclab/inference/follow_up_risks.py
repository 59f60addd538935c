r"""Predicted risks at a horizon: Brier score, index of prediction accuracy, net benefit, where some were lost before.

With :math:`w_i` the weight of a case at the horizon (``censoring.weights``; 0 where its state is unknown),
:math:`y_i = 1` for those with the event by then and :math:`r_i` the predicted risk of it, all are weighted means:

.. math:: \mathrm{Brier} = \frac1n \sum_i w_i (y_i - r_i)^2, \qquad
          \mathrm{IPA} = 1 - \frac{\mathrm{Brier}}{\mathrm{Brier}_0}, \qquad
          \mathrm{NB}(p) = \frac1n \sum_{r_i \ge p} w_i \Bigl(y_i - \frac{p}{1-p}(1 - y_i)\Bigr)

:math:`\mathrm{Brier}_0` is that of the null model, which predicts the incidence for everybody. Its derivative by the
incidence is 0, so that estimating it adds nothing to the error [1]_ [2]_.

The weights of the net benefit are those of the cases at or above the threshold alone: what is counted there is their
incidence by Kaplan and Meier or Aalen and Johansen, which stays right where the loss depends on which side of the
threshold a case is [3]_.

The influence of a mean is :math:`n (d_k + c_k) - \theta` with :math:`d = w x/n` and c from ``censoring.term``.

References
----------
.. [1] Blanche P, Proust-Lima C, Loubère L, Berr C, Dartigues J-F, Jacqmin-Gadda H. Quantifying and comparing dynamic
   predictive accuracy of joint models for longitudinal marker and time-to-event in presence of censoring and competing
   risks. Biometrics 2015;71:102-113. doi:10.1111/biom.12232
.. [2] Kattan MW, Gerds TA. The index of prediction accuracy. Diagn Progn Res 2018;2:7. doi:10.1186/s41512-018-0029-2
.. [3] Vickers AJ, Cronin AM, Elkin EB, Gonen M. Extensions to decision curve analysis. BMC Med Inform Decis Mak
   2008;8:53. doi:10.1186/1472-6947-8-53
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roclab._core.types import Bools, Floats
from roclab.censoring.follow_up import Covariates, FollowUp
from roclab.censoring.term import censoring_term
from roclab.censoring.weights import case_weights
from roclab.inference.follow_up_areas import Horizon

__all__ = ["RiskMeasure", "accuracy_of", "brier_of", "net_benefit_of"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RiskMeasure:
    """A statistic of predicted risks, and the influence of every case on it."""

    value: float
    influence: Floats


def brier_of(follow_up: FollowUp, horizon: Horizon, risk: Floats) -> RiskMeasure:
    """The Brier score at a horizon, whose controls must be all those that are not a case. O(n).

    >>> from roclab.inference.follow_up_areas import horizon_of
    >>> follow_up = FollowUp(time=np.array([1.0, 2, 3, 4]), event=np.array([1, 0, 1, 0]))
    >>> round(brier_of(follow_up, horizon_of(follow_up, 3, "not a case"), np.array([0.9, 0.5, 0.6, 0.2])).value, 4)
    0.0775
    """
    case = horizon.cases > 0
    return _mean(follow_up, horizon.cases + horizon.controls, (case - risk) ** 2, horizon.at)


def accuracy_of(brier: RiskMeasure, null: RiskMeasure) -> RiskMeasure:
    """The index of prediction accuracy: by which share a Brier score is below that of the null model."""
    ratio = brier.value / null.value
    return RiskMeasure(value=1 - ratio, influence=-(brier.influence - ratio * null.influence) / null.value)


def net_benefit_of(
    follow_up: FollowUp, horizon: Horizon, treated: Bools, threshold: float, *, stratified: bool = True
) -> RiskMeasure | None:
    """The net benefit of treating some at a threshold probability; O(n).

    With ``stratified`` the weights are those of the treated alone, else of all cases. None where the last of the
    treated are lost before the horizon, so that nobody stands for them.
    """
    worth = np.where(horizon.cases > 0, 1.0, -threshold / (1 - threshold))
    if not stratified or isinstance(follow_up.model, Covariates):  # Cox's model knows more than the two sides
        return _mean(follow_up, horizon.cases + horizon.controls, np.where(treated, worth, 0.0), horizon.at)
    if not treated.any():
        return RiskMeasure(value=0.0, influence=np.zeros(len(follow_up)))
    own = follow_up.only(treated)
    weights = case_weights(own, horizon.at)
    whole = float(own.weights.sum())
    if abs(float(weights.sum()) - whole) > 1e-9 * whole:
        return None
    size = float(follow_up.weights.sum())
    derivative = weights * worth[treated] / size
    value = float(derivative.sum())
    moved = np.zeros(len(follow_up))
    moved[treated] = derivative + censoring_term(own, derivative, horizon.at)
    return RiskMeasure(value=value, influence=len(follow_up) * (moved - value * follow_up.weights / size))


def _mean(follow_up: FollowUp, weights: Floats, values: Floats, at: float) -> RiskMeasure:
    size = float(follow_up.weights.sum())
    derivative = weights * values / size
    value = float(derivative.sum())
    moved = derivative + censoring_term(follow_up, derivative, at)
    return RiskMeasure(value=value, influence=len(follow_up) * (moved - value * follow_up.weights / size))
