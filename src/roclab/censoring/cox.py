r"""Cox's model of the censoring, with what it adds to the influence of a case.

With the covariates :math:`Z_i`, censoring as the event of the model, everybody with :math:`T_i \ge v` at risk at v, and
ties by Breslow,

.. math:: S_0(v) = \sum_{T_i \ge v} e^{\beta Z_i}, \quad
          E(v) = \frac{\sum_{T_i \ge v} Z_i e^{\beta Z_i}}{S_0(v)}, \quad
          \Lambda_0(u) = \sum_{v \le u} \frac{d_c(v)}{S_0(v)}, \quad
          G(u \mid Z) = \exp(-\Lambda_0(u)\, e^{\beta Z})

:math:`\beta` solves :math:`\sum_k U_k = 0` with :math:`U_k = \int (Z_k - E)\, dM_k`. For a statistic with the
derivatives :math:`d_i` by the logarithm of the weights, which G takes at :math:`s_i = T_i-` or t,

.. math:: c_k = \int_0^t \frac{D}{S_0}\, dM_k + q^\top I^{-1} U_k, \quad D(v) = \sum_{T_i > v} d_i e^{\beta Z_i}, \quad
          q = \sum_i d_i \Lambda_0(s_i) e^{\beta Z_i} Z_i - \sum_{v \le t} D(v) E(v)\, d\Lambda_0(v)

is what their estimation adds [1]_: the exact derivative of the estimate by the weight of case k, O(n p²).

References
----------
.. [1] Hung H, Chiang C-T. Estimation methods for time-dependent AUC models with survival data. Can J Stat 2010;38:8-26.
   doi:10.1002/cjs.10046
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from roclab._core.types import Floats
from roclab.censoring.follow_up import CENSORED, FollowUp
from roclab.errors import InputError, Words, named

__all__ = ["CoxFit", "fit_censoring"]

_STEPS = 40
_SETTLED = 1e-9  # of the gradient, in units of its own standard deviation
_FAR = 15.0  # a log hazard ratio between the extremes of a covariate beyond which the censored are separated


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CoxFit:
    """The fitted model: coefficients, hazards, and what the influence of a case needs."""

    beta: Floats
    relative: Floats  # e^(beta Z) of every case
    risk: Floats  # S0 at each distinct time
    mean: Floats  # E at each distinct time
    step: Floats  # dΛ0 at each distinct time
    inverse: Floats  # of the information
    design: Floats  # centred covariates

    @property
    def cumulated(self) -> Floats:
        """Λ0 just after each distinct time."""
        return np.cumsum(self.step)

    def chance_before(self, follow_up: FollowUp) -> Floats:
        """G just before the time of every case."""
        hazard = np.r_[0.0, self.cumulated[:-1]][follow_up.place]
        return np.asarray(np.exp(-hazard * self.relative))

    def chance_at(self, follow_up: FollowUp, at: float) -> Floats:
        """G at a horizon, of every case."""
        last = int(np.searchsorted(follow_up.distinct, at, side="right")) - 1
        hazard = float(self.cumulated[last]) if last >= 0 else 0.0
        return np.asarray(np.exp(-hazard * self.relative))

    def scores(self, follow_up: FollowUp) -> Floats:
        """U of every case, a column a coefficient."""
        place, lost = follow_up.place, follow_up.event == CENSORED
        drift = np.cumsum(self.step)[place][:, None] * self.design - np.cumsum(self.step[:, None] * self.mean, 0)[place]
        jump = np.where(lost[:, None], self.design - self.mean[place], 0.0)
        return np.asarray(jump - self.relative[:, None] * drift)

    def term(self, follow_up: FollowUp, derivative: Floats, at: float) -> Floats:
        """What the estimation of the model adds to each case."""
        place, lost = follow_up.place, follow_up.event == CENSORED
        moved = derivative * self.relative
        beyond = follow_up.by_time(moved)
        beyond = beyond.sum() - np.cumsum(beyond)
        within = follow_up.distinct <= at
        step = np.where(within, self.step, 0.0)
        ratio = np.where(within, beyond / self.risk, 0.0)
        drift = np.cumsum(np.where(within, beyond / self.risk, 0.0) * step)
        own = np.where(lost, ratio[place], 0.0) - self.relative * drift[place]
        cumulated = np.cumsum(step)
        last = float(cumulated[-1]) if cumulated.size else 0.0
        ended = follow_up.time <= at
        hazard = np.where(ended, np.r_[0.0, cumulated[:-1]][place], last)
        q = (moved * hazard) @ self.design - (beyond * step) @ self.mean
        out: Floats = (own + self.scores(follow_up) @ (self.inverse @ q)) * follow_up.weights
        return out


def fit_censoring(follow_up: FollowUp, design: Floats, names: tuple[str, ...]) -> CoxFit:
    """Newton's steps, halved while they lose likelihood; refused where covariates separate the censored."""
    centred = design - design.mean(axis=0)
    lost = follow_up.event == CENSORED
    beta = np.zeros(design.shape[1])
    if not lost.any():
        return _fitted(follow_up, centred, beta)[0]
    fit, gradient, information, height = _with_gradient(follow_up, centred, beta)
    for _ in range(_STEPS):
        scale = np.sqrt(np.maximum(np.diag(information), 1e-300))
        if not np.isfinite(information).all() or np.linalg.cond(information / np.outer(scale, scale)) > 1e12:
            raise _unsettled(centred, beta, names, "repeats the others or is constant")
        move = np.linalg.solve(information, gradient)
        if float(np.max(np.abs(gradient) / scale)) < _SETTLED:
            break
        for half in range(30):
            tried = beta + move / 2**half
            fit, new_gradient, new_information, new_height = _with_gradient(follow_up, centred, tried)
            if new_height >= height - 1e-12 * max(1.0, abs(height)):
                break
        beta, gradient, information, height = tried, new_gradient, new_information, new_height
        if float(np.max(np.abs(beta) * np.ptp(centred, axis=0))) > _FAR:
            raise _unsettled(centred, beta, names, "separates the censored")
    else:
        raise _unsettled(centred, beta, names, "separates the censored")
    return fit


def _with_gradient(follow_up: FollowUp, design: Floats, beta: Floats) -> tuple[CoxFit, Floats, Floats, float]:
    fit, information = _fitted(follow_up, design, beta)
    lost = np.where(follow_up.event == CENSORED, follow_up.weights, 0.0)
    gradient = lost @ design - follow_up.censored @ fit.mean
    held = follow_up.censored > 0
    height = float(lost @ (design @ beta) - follow_up.censored[held] @ np.log(fit.risk[held]))
    return fit, np.asarray(gradient), information, height


def _fitted(follow_up: FollowUp, design: Floats, beta: Floats) -> tuple[CoxFit, Floats]:
    line = design @ beta
    relative = np.exp(np.clip(line, -700, 700))
    weighed = relative * follow_up.weights
    risk = _from_above(follow_up, weighed)
    many = design.shape[1]
    sums = np.column_stack([_from_above(follow_up, weighed * design[:, j]) for j in range(many)])
    mean = np.divide(sums, risk[:, None], out=np.zeros_like(sums), where=risk[:, None] > 0)
    information = np.empty((many, many))
    for i in range(many):
        for j in range(i, many):
            square = _from_above(follow_up, weighed * design[:, i] * design[:, j])
            second = np.divide(square, risk, out=np.zeros_like(square), where=risk > 0)
            information[i, j] = information[j, i] = follow_up.censored @ (second - mean[:, i] * mean[:, j])
    step = np.divide(follow_up.censored, risk, out=np.zeros_like(risk), where=risk > 0)
    usable = np.isfinite(information).all() and abs(np.linalg.det(information)) > 0
    inverse = np.asarray(np.linalg.inv(information) if usable else np.zeros((many, many)), dtype=np.float64)
    fit = CoxFit(beta=beta, relative=relative, risk=risk, mean=mean, step=step, inverse=inverse, design=design)
    return fit, information


def _from_above(follow_up: FollowUp, values: Floats) -> Floats:
    """Sums over those still followed at each distinct time."""
    return np.asarray(np.cumsum(follow_up.by_time(values)[::-1])[::-1])


def _unsettled(design: Floats, beta: Floats, names: tuple[str, ...], why: str) -> InputError:
    ranges = np.ptp(design, axis=0)
    constant = np.flatnonzero(ranges == 0)
    reach = np.abs(beta) * ranges
    worst = names[int(constant[0])] if constant.size else names[int(np.argmax(reach))]
    if math.isnan(float(reach.max())) or constant.size:
        why = "is constant"
    return InputError(
        "censoring", "must be a model that converges", Words(f"{worst!r}, which {why}"),
        f"leave it out, or use strata: {named('censoring', [worst])}",
    )  # fmt: skip
