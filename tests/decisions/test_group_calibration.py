"""Calibration by group: each group's own, and score tests between groups against dense algebra and the likelihood."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit
from scipy.stats import chi2

import roclab as rl
from roclab.errors import InputError

RNG = np.random.default_rng(11)
N = 900
RISK = np.round(expit(RNG.normal(size=N) * 1.2 - 0.7), 2).clip(0.01, 0.99)
SITE = np.array(["north", "south", "east"])[np.arange(N) % 3]
Y = (RNG.random(N) < expit(logit(RISK) + 0.5 * (SITE == "east"))).astype(int)


def dense_test(y, risk, group, *, slope):
    """The score test with one row a case and a column a group and coefficient."""
    x, names = logit(risk), np.unique(group)

    def lost(b):
        line = b[0] + (b[1] if slope else 1) * x
        return float(np.logaddexp(0, line).sum() - y @ line)

    b = minimize(lost, [0.0, 1.0][: 2 if slope else 1], method="BFGS", options={"gtol": 1e-9}).x
    p = expit(b[0] + (b[1] if slope else 1) * x)
    columns = [
        (group == name) * one for name in names for one in ([np.ones_like(x), x] if slope else [np.ones_like(x)])
    ]
    design = np.stack(columns, axis=1)
    gradient = design.T @ (y - p)
    information = design.T @ np.diag(p * (1 - p)) @ design
    return gradient @ np.linalg.inv(information) @ gradient, (len(names) - 1) * (2 if slope else 1)


def test_tests_between_groups_definition():
    found = rl.roc(Y, RISK, by=SITE).calibration()
    for test, slope in zip(found.tests, (True, False), strict=False):
        statistic, df = dense_test(Y, RISK, SITE, slope=slope)
        assert test.statistic == pytest.approx(statistic, rel=1e-5)
        assert test.distribution == f"chi-squared, {df} df"
        assert test.p_value == pytest.approx(chi2.sf(statistic, df), rel=1e-4)
    assert found.tests[1].p_value < 0.05  # the risks of one site are too low
    whole = [rl.roc(Y[name == SITE], RISK[name == SITE]).calibration(band=True).joint_test for name in np.unique(SITE)]
    assert found.tests[2].statistic == pytest.approx(sum(one.statistic for one in whole))
    assert found.tests[2].distribution == "chi-squared, 6 df"


def test_the_score_test_is_near_the_likelihood_ratio():
    """Both ask the same of many cases."""

    def best(y, risk):
        x = logit(risk)
        return -minimize(lambda b: np.logaddexp(0, b[0] + b[1] * x).sum() - y @ (b[0] + b[1] * x), [0.0, 1.0]).fun

    ratio = 2 * (sum(best(Y[name == SITE], RISK[name == SITE]) for name in np.unique(SITE)) - best(Y, RISK))
    assert rl.roc(Y, RISK, by=SITE).calibration().tests[0].statistic == pytest.approx(ratio, rel=0.1)


def test_each_group_has_what_it_has_alone():
    found = rl.roc(Y, RISK, by=SITE).calibration(bins=5, level=0.9, resampling=20, rng=1)
    alone = rl.roc(Y[SITE == "east"], RISK[SITE == "east"]).calibration(bins=5, level=0.9, resampling=20, rng=1)
    assert found["east"].to_dict() == alone.to_dict()
    row = next(one for one in found.rows() if one["group"] == "east")
    assert row["O/E"] == pytest.approx(Y[SITE == "east"].mean() / RISK[SITE == "east"].mean())
    assert row["O/E 90% low"] < row["O/E"] < row["O/E 90% high"]
    assert row["ICI 90% low"] <= row["ICI"] <= row["ICI 90% high"]
    assert row["slope"] == alone.line.slope


def test_it_is_laid_out_and_comes_back_from_json():
    found = rl.roc(Y, RISK, by=SITE).calibration()
    assert "all groups share calibration intercept and slope: chi-squared, 4 df" in str(found)
    assert str(type(found).from_json(found.to_json())) == str(found)
    assert set(json.loads(found.to_json())["calibrations"]) == {"north", "south", "east"}


def test_what_has_no_test_says_why():
    subjects = rl.roc(Y, RISK, by=SITE, ids=np.arange(N) // 6).calibration()
    assert "subjects have several" in subjects.tests[0].p_value.reason
    assert np.isnan(subjects.ratios["east"].low)
    wrong = rl.roc(Y, np.where(np.arange(N) == np.argmax(Y), 0.0, RISK), by=SITE).calibration()
    assert wrong.tests[0].p_value.reason == "a prediction of 0 or 1 was wrong"
    same = rl.roc(Y, np.where(SITE == "east", 0.4, RISK), by=SITE).calibration()
    assert same.tests[0].p_value.reason == "a group has one risk for all of its cases"
    assert same.tests[1].p_value < 1
    with pytest.raises(InputError, match="calibration is that of curves of predicted risks"):
        rl.cutoff(Y, RISK, by=SITE).calibration()


@pytest.mark.slow
def test_equal_groups_keep_the_size_by_simulation():
    rng, rejected = np.random.default_rng(4), np.zeros(3)
    for _ in range(300):
        risk = expit(rng.normal(size=240) - 1)
        y = (rng.random(240) < risk).astype(int)
        found = rl.roc(y, risk, by=np.arange(240) % 3).calibration()
        rejected += [test.p_value < 0.05 for test in found.tests]
    assert (rejected / 300 < 0.09).all()  # .05 and three Monte-Carlo errors
