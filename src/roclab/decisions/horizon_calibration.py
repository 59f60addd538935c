r"""Do predicted risks of the event by a horizon come true, where some were lost before?

With the weights w of everybody whose state is known at the horizon (``censoring.weights``), outcome y and risk r:

- observed over expected: :math:`F(t) / \bar r`, F by Kaplan and Meier or Aalen and Johansen;
- within a group of risk the same estimate among its cases alone (of Cox's censoring the weighted share);
- the calibration line: the logistic regression of y on logit r with weights w, and with slope 1 its intercept;
- the smooth curve: the same on a restricted cubic spline of logit r (``calibration_curve``).

A fitted coefficient moves with the weight of case i by :math:`H^{-1} z_i w_i (y_i - p_i)`, with the design z and the
information :math:`H = \sum w_i p_i (1 - p_i) z_i z_i^\top`; ``censoring.term`` adds the estimation of the weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import expit, logit

from roclab._core.types import Bools, Floats, Ints
from roclab._core.undefined import Undefined
from roclab.censoring.follow_up import FollowUp
from roclab.censoring.term import full_influence
from roclab.censoring.weights import case_weights, lost_strata
from roclab.decisions.calibration_curve import (
    CalibrationCurve,
    curve_places,
    fit_logistic,
    joint_deviate,
    knots_of,
    spline_basis,
)
from roclab.errors import InputError, Words, named
from roclab.inference.follow_up_areas import Horizon, covariance_of_influences
from roclab.inference.follow_up_rates import RateMeasure
from roclab.inference.one_area.intervals import deviate

__all__ = ["Coefficients", "fitted_curve", "fitted_line", "observed_of_group", "observed_over_expected"]

_DISTINCT = 5  # fewer distinct predictions have no spline
_MEASURED = 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coefficients:
    """A fitted regression, and the influence of every case on each coefficient."""

    values: Floats
    influence: Floats  # a row a coefficient


def observed_over_expected(follow_up: FollowUp, horizon: Horizon, risk: Floats) -> tuple[float, Floats]:
    """Incidence over mean risk, and the influence on its logarithm; by the exact derivative of the product limit."""
    size = float(follow_up.weights.sum())
    own = len(follow_up) * follow_up.weights / size
    mean = float(follow_up.weights @ risk) / size
    observed = full_influence(follow_up, horizon.cases / size, horizon.at, rule="derivative") - horizon.incidence * own
    expected = own * (risk - mean)
    return horizon.incidence / mean, np.asarray(observed / horizon.incidence - expected / mean)


def observed_of_group(follow_up: FollowUp, horizon: Horizon, rows: Bools) -> RateMeasure | None:
    """The incidence among some of the cases; None where the last of them are lost before the horizon."""
    n = len(follow_up)
    if follow_up.model is None or follow_up.strata:
        own = follow_up.only(rows)
        weights = case_weights(own, horizon.at)
        whole = float(own.weights.sum())
        if lost_strata(own, horizon.at) or abs(float(weights.sum()) - whole) > 1e-9 * whole:
            return None
        case, _, _ = own.known_by(horizon.at)
        derivative = np.where(case, weights, 0.0) / whole
        value = float(derivative.sum())
        # An influence on a share of some of the cases, among all of them.
        moved = full_influence(own, derivative, horizon.at, rule="derivative") / len(own)
        moved = moved - value * own.weights / whole
        influence = np.zeros(n)
        influence[rows] = n * moved
    else:
        held = np.where(rows, horizon.known, 0.0)
        whole = float(held.sum())
        if not whole > 0:
            return None
        part = np.where(rows, horizon.cases, 0.0)
        value = float(part.sum()) / whole
        derivative = (part - value * held) / whole
        influence, weights = full_influence(follow_up, derivative, horizon.at), held
    kish = float(weights.sum()) ** 2 / float(np.sum(weights**2))
    return RateMeasure(value=min(value, 1.0), influence=influence, known=0.0, kish=kish)


def fitted_line(follow_up: FollowUp, horizon: Horizon, risk: Floats) -> tuple[Coefficients, Coefficients] | Undefined:
    """Intercept with slope 1, and intercept and slope together; undefined where they do not exist."""
    known, case = horizon.known > 0, horizon.cases > 0
    if (known & (((risk <= 0) & case) | ((risk >= 1) & ~case))).any():
        return Undefined("a risk of 0 or 1 was wrong, and has no finite log odds")
    x = np.asarray(logit(np.clip(risk, np.nextafter(0.0, 1.0), np.nextafter(1.0, 0.0))))
    if np.unique(x[known]).size < 2:
        return Undefined("all risks are equal")
    one = np.ones((x.size, 1))
    large = _fitted(follow_up, horizon, one, x)
    both = _fitted(follow_up, horizon, np.column_stack([np.ones(x.size), x]), np.zeros(x.size))
    if large is None or both is None:
        return Undefined("the risks separate those with the event")
    return large, both


def _fitted(follow_up: FollowUp, horizon: Horizon, design: Floats, offset: Floats) -> Coefficients | None:
    """A weighted logistic regression with an offset."""
    weights, case = horizon.known, (horizon.cases > 0).astype(np.float64)
    rows = weights > 0
    z, w, y, shift = design[rows], weights[rows], case[rows], offset[rows]
    beta, lost = np.zeros(design.shape[1]), math.inf
    for _ in range(60):
        chance = expit(z @ beta + shift)
        information = (z * (w * chance * (1 - chance))[:, None]).T @ z
        if not np.isfinite(information).all() or np.linalg.cond(information) > 1e13:
            return None
        step = np.linalg.solve(information, z.T @ (w * (y - chance)))
        for half in range(25):
            tried = beta + step / 2**half
            line = z @ tried + shift
            new = float(w @ (np.logaddexp(0, line) - y * line))
            if new <= lost + 1e-12 * max(1.0, abs(new)):
                break
        done, beta, lost = float(np.max(np.abs(tried - beta))) < 1e-11, tried, new
        if done:
            break
    else:
        return None
    return _coefficients(follow_up, horizon, design, beta, offset)


def _coefficients(follow_up: FollowUp, horizon: Horizon, design: Floats, beta: Floats, offset: Floats) -> Coefficients:
    weights, case = horizon.known, (horizon.cases > 0).astype(np.float64)
    chance = expit(design @ beta + offset)
    information = (design * (weights * chance * (1 - chance))[:, None]).T @ design
    derivative = np.linalg.solve(information, (design * (weights * (case - chance))[:, None]).T)
    influence = np.array([full_influence(follow_up, row, horizon.at) for row in derivative])
    return Coefficients(values=beta, influence=influence)


def fitted_curve(
    follow_up: FollowUp, horizon: Horizon, risk: Floats, *, level: float, subjects: Ints | None
) -> CalibrationCurve:
    """The smooth curve with its pointwise and its simultaneous band."""
    inside = (risk > 0) & (risk < 1)
    known = inside & (horizon.known > 0)
    if np.unique(risk[known]).size < _DISTINCT:
        raise InputError("band", "needs five distinct risks between 0 and 1 or more",
                         Words(f"{np.unique(risk[known]).size}"), f"leave out {named('band')}")  # fmt: skip
    at = np.zeros(risk.size)
    at[inside] = logit(risk[inside])
    weights = np.where(known, horizon.known, 0.0)
    order = np.argsort(at[known], kind="stable")
    knots = knots_of(at[known][order], weights[known][order])
    places = curve_places(at[known])
    basis, shown = spline_basis(at, knots), spline_basis(places, knots)
    triangle = np.asarray(np.linalg.qr(basis[known] * np.sqrt(weights[known])[:, None])[1], dtype=np.float64)
    keep = np.abs(np.diag(triangle)) > 1e-10 * abs(triangle[0, 0])
    triangle = triangle[np.ix_(keep, keep)]
    design, drawn = (np.asarray(np.linalg.solve(triangle.T, one[:, keep].T).T) for one in (basis, shown))
    fitted = fit_logistic(design[known], np.where(horizon.cases > 0, weights, 0.0)[known], weights[known])
    if fitted is None:
        raise InputError("band", "needs risks that do not separate those with the event", Words("separated ones"),
                         f"leave out {named('band')}")  # fmt: skip
    part = Horizon(
        at=horizon.at, cases=np.where(known, horizon.cases, 0.0), controls=np.where(known, horizon.controls, 0.0),
        known=weights, unknown=horizon.unknown, incidence=horizon.incidence,
    )  # fmt: skip
    found = _coefficients(follow_up, part, design, fitted[0], np.zeros(risk.size))
    covariance = covariance_of_influences(list(found.influence), subjects)
    line = drawn @ found.values
    error = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", drawn, covariance, drawn), 0.0))
    alone = deviate(level, df=math.inf if subjects is None else float(subjects.max()))
    together = max(joint_deviate(drawn, covariance, error, level) * alone / deviate(level), alone)
    notes = []
    if float(np.count_nonzero(known)) < _MEASURED:
        notes.append(f"Fewer than {_MEASURED} known cases: how often such bands cover was not measured.")
    if not inside.all():
        notes.append("Risks of 0 and 1 have no logit and are left out of the smooth curve.")
    return CalibrationCurve(
        predicted=expit(places), observed=expit(line), low=expit(line - alone * error),
        high=expit(line + alone * error), joint_low=expit(line - together * error),
        joint_high=expit(line + together * error), knots=tuple(float(one) for one in expit(knots)), level=level,
        method=f"weighted logistic regression on a restricted cubic spline of logit risk, {len(knots)} knots; "
        "influence, on the logit scale", notes=tuple(notes),
    )  # fmt: skip
