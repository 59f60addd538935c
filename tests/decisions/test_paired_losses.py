"""Brier scores and net benefits of predictions on the same cases, by their definitions and by the bootstrap."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError

RNG = np.random.default_rng(12)
Y = RNG.random(150) < 0.4
A = np.clip(0.35 + 0.3 * Y + RNG.normal(0, 0.2, 150), 0.01, 0.99)
B = np.clip(0.4 + 0.1 * Y + RNG.normal(0, 0.2, 150), 0.01, 0.99)
FOUND = rl.compare_predictions(Y, {"a": A, "b": B}, probabilities=[0.3, 0.6])


def test_values_definition():
    values = {(one.quantity, one.first): one.value for one in FOUND.single}
    assert values["Brier score", "a"] == pytest.approx(np.mean((A - Y) ** 2))
    for name, p in (("a", A), ("b", B)):
        expected = np.sum(Y & (p >= 0.3)) / 150 - np.sum(~Y & (p >= 0.3)) / 150 * 0.3 / 0.7
        assert values["net benefit at 0.3", name] == pytest.approx(expected)
    curve = rl.net_benefit(Y, {"a": A, "b": B}, probabilities=[0.3, 0.6])
    assert values["net benefit at 0.6", "b"] == pytest.approx(curve.net_benefit["b"][1])
    (brier, at_30, _) = FOUND.pairs
    assert brier.value == pytest.approx(np.mean((A - Y) ** 2 - (B - Y) ** 2))
    assert at_30.value == pytest.approx(values["net benefit at 0.3", "a"] - values["net benefit at 0.3", "b"])


def test_standard_errors_agree_with_the_paired_bootstrap():
    draws = []
    for _ in range(3000):
        rows = RNG.integers(0, 150, 150)
        y, a, b = Y[rows], A[rows], B[rows]
        worth = np.where(y, 1, -0.3 / 0.7)
        draws.append([np.mean((a - y) ** 2 - (b - y) ** 2), np.mean(worth * ((a >= 0.3) * 1.0 - (b >= 0.3)))])
    for one, drawn in zip(FOUND.pairs, np.std(draws, axis=0), strict=False):
        assert one.standard_error == pytest.approx(drawn, rel=0.06)
        # Of net benefits the limits come from their parts, and are close to the symmetric ones with many cases.
        close = 1e-5 if one.quantity == "Brier score" else 0.15
        assert one.interval.high - one.value == pytest.approx(1.959964 * one.standard_error, rel=close)


def test_net_benefits_are_those_of_a_comparison_at_a_threshold():
    found = rl.compare_predictions(Y, {"a": A, "b": B}, probabilities=[0.3])
    rates = rl.compare(Y, {"a": A, "b": B}, threshold=0.3, metrics="net_benefit", probability=0.3)
    assert list(found.pairs[1].interval) == pytest.approx(list(rates.pairs[0].interval))
    assert found.pairs[1].p_value == pytest.approx(rates.pairs[0].p_value)
    assert list(found.single[2].interval) == pytest.approx(list(rates.rate("a", "net_benefit").interval))
    assert "MOVER of Tango" in str(found)


def test_swapping_changes_the_sign_and_repetition_is_weight():
    other = rl.compare_predictions(Y, {"b": B, "a": A})
    assert other.pairs[0].value == pytest.approx(-FOUND.pairs[0].value)
    assert other.pairs[0].p_value == pytest.approx(FOUND.pairs[0].p_value)
    w = RNG.integers(1, 4, 150)
    heavy = rl.compare_predictions(Y, {"a": A}, sample_weight=w)
    long = rl.compare_predictions(np.repeat(Y, w), {"a": np.repeat(A, w)})
    assert heavy.rows()[0] == pytest.approx(long.rows()[0], abs=1e-12, nan_ok=True) or heavy.rows() == long.rows()
    assert "first minus second" in str(FOUND)


def test_errors():
    with pytest.raises(InputError, match="a must hold predicted probabilities between 0 and 1, got .* to 4"):
        rl.compare_predictions([1, 0], {"a": [4, 0.5]})
    with pytest.raises(InputError, match="probabilities must lie strictly between 0 and 1"):
        rl.compare_predictions([1, 0], {"a": [0.4, 0.5]}, probabilities=[1])
    with pytest.raises(InputError, match="a must be a probability of the positive class"):
        rl.compare_predictions([1, 0], {"a": [0.4, 0.5]}, direction="lower")
