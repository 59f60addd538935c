"""The smooth calibration curve with its bands, and the joint score test."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit
from scipy.stats import chi2

import roclab as rl
from roclab.data.tally import Tally
from roclab.decisions.calibration_curve import calibration_curve, joint_calibration_test
from roclab.errors import InputError
from tests.inference.rates.oracle_files import cases_of

RNG = np.random.default_rng(4)
P = np.round(RNG.beta(1.5, 2.5, 400), 4)
Y = (RNG.random(400) < P).astype(int)


@pytest.mark.parametrize("case", cases_of("calibration"), ids=lambda case: case["id"])
def test_joint_test_oracle(case):
    given, expected = case["inputs"], case["expected"]
    found = rl.roc(given["y"], given["p"]).calibration(band=True).joint_test
    assert found.statistic == pytest.approx(expected["score_2df"], abs=1e-6)
    assert found.p_value == pytest.approx(expected["score_2df_p"], abs=1e-6)


def test_joint_test_definition():
    found = rl.roc(Y, P).calibration(band=True).joint_test
    x = np.stack([np.ones(400), logit(P)])
    u = x @ (Y - P)
    information = (x * P * (1 - P)) @ x.T
    statistic = u @ np.linalg.inv(information) @ u
    assert (found.statistic, found.p_value) == pytest.approx((statistic, chi2.sf(statistic, 2)))


def test_the_curve_is_the_regression_that_its_name_says():
    curve = rl.roc(Y, P).calibration(band=True).curve
    at, knots = logit(P), logit(np.array(curve.knots))

    def spline(x):
        columns = [x]
        for one in knots[:-2]:
            part = np.maximum(x - one, 0) ** 3
            part = part - np.maximum(x - knots[-2], 0) ** 3 * (knots[-1] - one) / (knots[-1] - knots[-2])
            columns.append(part + np.maximum(x - knots[-1], 0) ** 3 * (knots[-2] - one) / (knots[-1] - knots[-2]))
        return np.stack(columns, axis=1)

    columns = spline(at)
    mean, scale = columns.mean(axis=0), columns.std(axis=0)
    design = np.c_[np.ones(400), (columns - mean) / scale]

    def lost(beta):
        return np.logaddexp(0, design @ beta).sum() - Y @ (design @ beta)

    beta = minimize(lost, np.zeros(design.shape[1]), jac=lambda b: design.T @ (expit(design @ b) - Y), method="BFGS",
                    options={"gtol": 1e-9}).x  # fmt: skip
    line = np.c_[np.ones(curve.predicted.size), (spline(logit(curve.predicted)) - mean) / scale] @ beta
    assert curve.observed == pytest.approx(expit(line), abs=1e-5)


def test_bands_lie_around_the_curve_and_the_simultaneous_one_around_both():
    found = rl.roc(Y, P).calibration(band=True)
    curve = found.curve
    assert (curve.joint_low <= curve.low).all()
    assert (curve.low < curve.observed).all()
    assert (curve.observed < curve.high).all()
    assert (curve.high <= curve.joint_high).all()
    assert "intercept 0 and slope 1 together: score test" in str(found)
    again = rl.results.Calibration.from_json(found.to_json())
    assert str(again) == str(found)


def test_subjects_widen_the_band():
    y, p = np.repeat(Y[:120], 4), np.repeat(P[:120], 4)
    alone = rl.roc(y, p).calibration(band=True).curve
    joined = rl.roc(y, p, ids=np.arange(480) // 4).calibration(band=True)
    assert np.median((joined.curve.high - joined.curve.low) / (alone.high - alone.low)) > 1.6
    assert joined.joint_test.p_value.reason == "the test takes every case for itself, and subjects have several"


def test_what_has_no_curve_says_so():
    with pytest.raises(InputError, match="band needs five distinct predictions between 0 and 1 or more, got 2"):
        rl.roc([1, 0, 1, 0], [0.2, 0.2, 0.8, 0.8]).calibration(band=True)
    with pytest.raises(InputError, match="band needs predictions that do not separate the classes"):
        rl.roc([0, 0, 0, 0, 1, 1, 1, 1], np.arange(1, 9) / 10).calibration(band=True)
    wrong = Tally.from_counts(np.array([1.0, 0.5, 0.2]), np.array([3, 2, 1]), np.array([1, 2, 3]))
    assert joint_calibration_test(wrong).p_value.reason == "a prediction of 0 or 1 was wrong"
    few = calibration_curve(rl.read_cases(Y[:60], P[:60]).tally())
    assert "Fewer than 100 cases" in few.notes[0]


@pytest.mark.slow
def test_bands_cover_by_simulation():
    rng, alone, whole = np.random.default_rng(5), [], 0
    for _ in range(200):
        p = rng.beta(1.5, 2.5, 300)
        true = lambda x: expit(0.2 + 0.8 * logit(x))  # noqa: E731
        y = rng.random(300) < true(p)
        curve = calibration_curve(rl.read_cases(y.astype(int), p).tally())
        inside = (curve.predicted > np.quantile(p, 0.05)) & (curve.predicted < np.quantile(p, 0.95))
        at = true(curve.predicted)
        alone.append(np.mean(((curve.low <= at) & (at <= curve.high))[inside]))
        whole += ((curve.joint_low <= at) & (at <= curve.joint_high))[inside].all()
    assert np.mean(alone) > 0.92
    assert whole / 200 > 0.9
