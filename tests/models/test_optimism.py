"""Harrell's optimism of a fitted model."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl

RNG = np.random.default_rng(3)
Y = np.arange(60) % 2 == 0
NOISE = {f"x{k}": RNG.normal(size=60) for k in range(5)}


def test_optimism_definition_by_a_hand_written_bootstrap():
    found = rl.logistic(Y, NOISE, optimism=True, resampling=200, rng=1).optimism
    table = np.column_stack(list(NOISE.values()))
    draws, gaps = np.random.default_rng(2), []
    for _ in range(150):
        rows = np.concatenate([draws.choice(np.flatnonzero(side == Y), 30) for side in (True, False)])
        fit = rl.logistic(Y[rows], {name: x[rows] for name, x in NOISE.items()}).fit
        inside, outside = (
            float(rl.auc(Y[at], table[at] @ fit.coefficients[1:], interval=None)) for at in (rows, np.arange(60))
        )
        gaps.append(inside - outside)
    assert found.optimism == pytest.approx(np.mean(gaps), abs=0.02)
    assert found.corrected == pytest.approx(found.apparent - found.optimism)


def test_noise_is_corrected_towards_one_half():
    found = rl.logistic(Y, NOISE, optimism=True, resampling=100, rng=1)
    assert found.optimism.apparent == pytest.approx(float(found.area))
    assert found.optimism.apparent > 0.6
    assert found.optimism.corrected < found.optimism.apparent - 0.05
    assert "optimism" in str(found)
    assert found.to_dict()["optimism"]["corrected"] == found.optimism.corrected
    assert rl.logistic(Y, NOISE).optimism is None
