"""Recalibration against its definitions, scikit-learn and honest folds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

import roclab as rl
from roclab.errors import InputError

RNG = np.random.default_rng(21)
Y = RNG.random(120) < 0.4
S = (RNG.normal(size=120) + 1.2 * Y).round(1)


def test_platt_definition_least_cross_entropy_of_his_targets():
    high, low = (Y.sum() + 1) / (Y.sum() + 2), 1 / ((~Y).sum() + 2)
    t = np.where(Y, high, low)

    def cost(beta):
        eta = beta[0] + beta[1] * S
        return np.sum(np.logaddexp(0, eta) - t * eta)

    best = minimize(cost, [0, 1], method="BFGS", options={"gtol": 1e-9}).x
    (row,) = rl.recalibrate(Y, S).rows()
    assert [row["intercept"], row["slope"]] == pytest.approx(best, abs=1e-5)
    apart = rl.recalibrate([0, 0, 1, 1], [1, 2, 3, 4])
    assert 0 < apart.apply([1])[0] < apart.apply([4])[0] < 1


def test_isotonic_definition_is_the_slope_of_the_hull():
    """The isotonic value is max over starts of min over ends of the mean of the stretch between them."""
    x = np.unique(S)
    n, k = np.array([(x_ == S).sum() for x_ in x]), np.array([Y[x_ == S].sum() for x_ in x])
    values = [
        max(min(k[a : b + 1].sum() / n[a : b + 1].sum() for b in range(at, x.size)) for a in range(at + 1))
        for at in range(x.size)
    ]
    found = rl.recalibrate(Y, S, method="isotonic")
    assert found.apply(x) == pytest.approx(values, abs=1e-12)
    assert found.apply([-99, 99]).tolist() == [values[0], values[-1]]


def test_isotonic_oracle_scikit_learn():
    isotonic = pytest.importorskip("sklearn.isotonic")
    theirs = isotonic.IsotonicRegression(out_of_bounds="clip").fit(S, Y)
    grid = np.linspace(S.min() - 1, S.max() + 1, 301)
    assert rl.recalibrate(Y, S, method="isotonic").apply(grid) == pytest.approx(theirs.predict(grid), abs=1e-9)


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_folds_are_judged_by_maps_of_the_others(method):
    folds = np.arange(120) % 3
    found = rl.recalibrate(Y, S, method=method, folds=folds)
    for fold in range(3):
        other = rl.recalibrate(Y[folds != fold], S[folds != fold], method=method)
        assert found.probabilities[folds == fold] == pytest.approx(other.apply(S[folds == fold]))
    flattered = rl.recalibrate(Y, S, method=method)
    assert found.calibration.brier > flattered.calibration.brier
    assert found.out_of_fold
    assert not flattered.out_of_fold
    assert "flatters" in str(flattered)


@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_direction_and_weights_property(method):
    plain = rl.recalibrate(Y, S, method=method).apply(S)
    turned = rl.recalibrate(Y, -S, method=method, direction="lower").apply(-S)
    assert turned == pytest.approx(plain, abs=1e-9)
    w = RNG.integers(1, 4, 120)
    heavy = rl.recalibrate(Y, S, method=method, sample_weight=w).apply(S)
    long = rl.recalibrate(np.repeat(Y, w), np.repeat(S, w), method=method).apply(S)
    assert heavy == pytest.approx(long, abs=1e-9)


def test_errors():
    with pytest.raises(InputError, match="score must be finite to be recalibrated, and have a square, got inf"):
        rl.recalibrate([0, 1], [1, np.inf])
    with pytest.raises(InputError, match="scores must be numbers, got NaN"):
        rl.recalibrate([0, 1], [1, 2]).apply([np.nan])
