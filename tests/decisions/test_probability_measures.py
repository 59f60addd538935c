"""Losses and calibration line against their definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit

from roclab.data.tally import Tally
from roclab.decisions.calibration import calibration
from roclab.decisions.probability_measures import calibration_line, losses

RNG = np.random.default_rng(8)
P = expit(RNG.normal(0, 1.3, 260)).round(3)
Y = RNG.random(260) < expit(0.3 + 0.7 * logit(P))
TALLY = Tally.from_labels(Y, P)


def test_losses_definition():
    found = losses(TALLY, 0.95)
    loss = (P - Y) ** 2
    assert found.brier == pytest.approx(loss.mean())
    half = 1.959964 * loss.std(ddof=1) / math.sqrt(260)
    assert list(found.brier_interval) == pytest.approx([loss.mean() - half, loss.mean() + half], abs=1e-7)
    assert found.rmse == pytest.approx(math.sqrt(loss.mean()))
    assert found.cross_entropy == pytest.approx(-np.mean(np.where(Y, np.log(P), np.log(1 - P))))
    wins = P[Y][:, None] > P[~Y]
    area = np.mean(wins + 0.5 * (P[Y][:, None] == P[~Y]))
    accuracy = max(np.mean((t <= P) == Y) for t in [*np.unique(P), 2])
    assert found.sar == pytest.approx((np.mean((P >= 0.5) == Y) + area + 1 - found.rmse) / 3)
    assert found.sar_largest == pytest.approx((accuracy + area + 1 - found.rmse) / 3)


def test_sliding_error_definition_and_too_few_cases():
    share = {p: Y[p == P].mean() for p in P}
    order = np.sort(P)
    gaps = np.array([p - share[p] for p in order])
    windows = [abs(gaps[at : at + 100].mean()) for at in range(161)]
    assert losses(TALLY, 0.95).sliding_error == pytest.approx(np.mean(windows))
    few = losses(Tally.from_labels(Y[:50], P[:50]), 0.95)
    assert math.isnan(few.sliding_error)
    assert "fewer than 100 cases" in few.sliding_error.reason


def test_a_certain_mistake_costs_infinite_entropy():
    tally = Tally.from_samples(np.array([0.0, 0.9]), np.array([0.0, 0.4]))
    assert losses(tally, 0.95).cross_entropy == math.inf
    line = calibration_line(tally, 0.95)
    assert math.isnan(line.slope)
    assert "0 or 1" in line.slope.reason


def test_calibration_line_definition_highest_likelihood():
    x = logit(P)

    def cost(beta):
        eta = beta[0] + beta[1] * x
        return -np.sum(Y * eta - np.logaddexp(0, eta))

    best = minimize(cost, [0.0, 1.0], method="BFGS", options={"gtol": 1e-9})
    large = minimize(lambda a: cost([a[0], 1.0]), [0.0], method="BFGS", options={"gtol": 1e-9})
    found = calibration_line(TALLY, 0.95)
    assert found.slope == pytest.approx(best.x[1], abs=1e-5)
    assert found.intercept == pytest.approx(large.x[0], abs=1e-5)
    chance = expit(best.x[0] + best.x[1] * x)
    design = np.column_stack([np.ones(260), x])
    error = math.sqrt(np.linalg.inv(design.T @ (design * (chance * (1 - chance))[:, None]))[1, 1])
    assert found.slope_interval.high - found.slope == pytest.approx(1.959964 * error, rel=1e-4)
    apart = calibration_line(Tally.from_samples(np.array([0.8, 0.9]), np.array([0.1, 0.2])), 0.95)
    assert math.isnan(apart.slope)


@pytest.mark.slow
def test_intervals_cover_simulation():
    """Slope and Brier score of right predictions: 95% intervals hold the truth in about 95% of samples."""
    rng = np.random.default_rng(9)
    many = expit(rng.normal(0, 1, 10**6))
    truth = float(np.mean(many * (1 - many)))
    slopes = briers = 0
    for _ in range(400):
        p = expit(rng.normal(0, 1, 200))
        tally = Tally.from_labels(rng.random(200) < p, p)
        slopes += 1 in calibration_line(tally, 0.95).slope_interval
        briers += truth in losses(tally, 0.95).brier_interval
    assert 0.92 < slopes / 400 < 0.98
    assert 0.92 < briers / 400 < 0.98


def test_printed_with_the_bins():
    text = str(calibration(TALLY, bins=5))
    for word in ("calibration slope", "ICI", "cross-entropy", "SAR", "Brier score"):
        assert word in text
