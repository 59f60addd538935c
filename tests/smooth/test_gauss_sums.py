"""Fast sums of normal kernels against all pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from roclab.smooth import gauss_sums
from roclab.smooth.gauss_sums import NormalSums, truncation_bound

HERMITE = {
    1: lambda u: 1 + 0 * u,
    2: lambda u: -u,
    3: lambda u: u**2 - 1,
    5: lambda u: u**4 - 6 * u**2 + 3,
}


def brute(targets, values, weights, width, order):
    """The definition, pair by pair, with the derivatives written out."""
    u = (np.asarray(targets)[:, None] - values) / width
    if order == 0:
        return np.array([[0.5 * math.erfc(-x / math.sqrt(2)) for x in row] for row in u]) @ weights
    return (HERMITE[order](u) * np.exp(-(u**2) / 2) / math.sqrt(2 * math.pi)) @ weights


@pytest.mark.parametrize("order", [0, 1, 3, 5])
@pytest.mark.parametrize("kind", ["normal", "tied", "heavy"])
@pytest.mark.parametrize("pairs", ["exact", "cells"])
def test_sums_definition(monkeypatch, order, kind, pairs):
    if pairs == "cells":
        monkeypatch.setattr(gauss_sums, "EXACT_PAIRS", 0)
    rng = np.random.default_rng(3)
    raw = {"normal": rng.normal(size=150), "tied": rng.integers(0, 9, 150) / 4, "heavy": rng.standard_t(1, 150) ** 3}
    values, weights = np.unique(raw[kind], return_counts=True)
    targets = np.concatenate([values[::7], rng.normal(size=40), [values[0] - 50, values[-1] + 50]])
    sums = NormalSums(values, weights, 0.31)
    want = brute(targets, values, weights, 0.31, order)
    # The proved bound, and the rounding of 150 terms.
    bound = 150 * (sums.error_bound(targets.size, order) + 1e-14)
    np.testing.assert_allclose(sums.at(targets, order), want, atol=bound, rtol=0)


def test_sums_reach_their_limits_at_infinity(monkeypatch):
    for pairs in (1 << 22, 0):
        monkeypatch.setattr(gauss_sums, "EXACT_PAIRS", pairs)
        sums = NormalSums(np.array([0.0, 1.0]), np.array([2, 3]), 0.1)
        assert sums.at(np.array([-np.inf, np.inf])).tolist() == [0, 5]
        assert sums.at(np.array([-np.inf, np.inf]), 1).tolist() == [0, 0]


def test_bound_is_smaller_than_rounding():
    assert truncation_bound(0) < 1e-16
    assert truncation_bound(3) < 1e-15
    assert truncation_bound(5) < 1e-14


def test_scores_too_far_apart_for_cells_fall_back_to_pairs(monkeypatch):
    monkeypatch.setattr(gauss_sums, "EXACT_PAIRS", 0)
    sums = NormalSums(np.array([0.0, 1e20]), np.array([1, 1]), 1.0)
    assert sums.error_bound(5) == 0
    assert sums.at(np.array([0.0, 1e19])).tolist() == [0.5, 1.0]
