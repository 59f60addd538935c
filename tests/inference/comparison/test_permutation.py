"""Bias and drift of DeLong's variance under exchange: by all exchanges there are, and what must not change them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import rankdata

from roclab.inference.comparison.permutation import MOST_PAIRS, Permutation, null_variance, permutation_of
from roclab.inference.welch import Stratum

SMALL = st.lists(st.tuples(st.booleans(), st.integers(0, 5), st.integers(0, 5)), min_size=5, max_size=8)


def delong(label, one, two):
    """Difference of areas and DeLong's variance of it, pair by pair."""
    orders = [[[(p > n) + (p == n) / 2 for n in s[~label]] for p in s[label]] for s in (one, two)]
    apart = np.array(orders[0]) - np.array(orders[1])
    pos, neg = apart.mean(axis=1), apart.mean(axis=0)
    return apart.mean(), np.var(pos, ddof=1) / pos.size + np.var(neg, ddof=1) / neg.size


def every_permutation(label, one, two):
    """The same for every way of exchanging the ranks of cases, which is what the closed form sums over."""
    one, two = rankdata(one), rankdata(two)
    found = []
    for coins in itertools.product((False, True), repeat=label.size):
        turned = np.array(coins)
        found.append(delong(label, np.where(turned, two, one), np.where(turned, one, two)))
    return np.array(found).T


def cases_of(rows):
    label, one, two = (np.array(column) for column in zip(*rows, strict=True))
    assume(2 <= label.sum() <= label.size - 2)
    return label, one, two


@given(rows=SMALL)
@settings(max_examples=40, deadline=None)
def test_bias_and_drift_definition(rows):
    label, one, two = cases_of(rows)
    difference, variance = every_permutation(label, one, two)
    square = difference**2
    assume(square.mean() > 1e-12)
    found = permutation_of(label, [one, two])
    drift = np.cov(square, variance, ddof=0)[0, 1] / square.var() if square.var() > 1e-12 * square.mean() ** 2 else 0.0
    assert found.drift[0, 1] == pytest.approx(drift, rel=1e-9, abs=1e-10)
    assert found.bias[0, 1] == pytest.approx(np.clip(variance.mean() / square.mean(), 0.5, 3), rel=1e-9)


@given(rows=SMALL)
def test_scores_that_place_every_case_alike_have_nothing_to_exchange(rows):
    label, one, _ = cases_of(rows)
    found = permutation_of(label, [one, 2 * one + 1])
    assert (found.bias[0, 1], found.drift[0, 1]) == (1, 0)


@given(rows=SMALL, seed=st.integers(0, 100))
@settings(max_examples=40)
def test_permutation_property_rows_maps_names_and_classes(rows, seed):
    label, one, two = cases_of(rows)
    order = np.random.default_rng(seed).permutation(label.size)
    found = permutation_of(label, [one, two])
    others = {
        "rows": permutation_of(label[order], [one[order], two[order]]),
        "monotone maps": permutation_of(label, [np.exp(one), two.astype(float) ** 3]),
        "scores turned": permutation_of(label, [two, one]),
        "classes and signs turned": permutation_of(~label, [-one, -two]),
        "a third beside them": permutation_of(label, [one, two, one + two]),
    }
    for name, other in others.items():
        assert other.bias[0, 1] == pytest.approx(found.bias[0, 1], rel=1e-9), name
        assert other.drift[0, 1] == pytest.approx(found.drift[0, 1], rel=1e-9, abs=1e-11), name


def test_permutation_is_none_where_it_is_not_known():
    score = [np.arange(5.0), np.arange(5.0)]
    assert permutation_of(np.array([True, False, False, False, False]), score) is None
    n = int(MOST_PAIRS**0.5) + 1
    label = np.repeat([True, False], n)
    assert permutation_of(label, [np.arange(2 * n), np.arange(2 * n)]) is None
    assert permutation_of(label[1:-1], [np.arange(2 * n - 2)] * 2) is not None


def test_bias_and_drift_fade_with_growing_classes():
    """Where curves differ in shape too, so that scores cannot be exchanged: seeded, from 20 + 20 to 190 + 190 cases."""
    far = []
    for n in (20, 60, 190):
        rng = np.random.default_rng(n)
        label = np.repeat([True, False], n)
        common = rng.normal(size=2 * n)
        steep, flat = np.where(label, 1 + common, common), np.where(label, 2.5 * rng.normal(size=2 * n) + 2, common)
        found = permutation_of(label, [steep, flat])
        far.append(max(abs(found.bias[0, 1] - 1), abs(found.drift[0, 1])))
    assert far == sorted(far, reverse=True)
    assert far[-1] < 0.02


def test_null_variance_by_hand():
    """One pair with a falling and one with a rising drift, correction included."""
    areas, matrix = np.array([0.8, 0.7]), np.array([[0.004, 0.001], [0.001, 0.005]])
    correction = np.array([[0.0, 1e-4], [1e-4, 0.0]])
    strata = [
        Stratum(matrix=matrix / 2, correction=correction, size=20.0),
        Stratum(matrix=matrix / 2, correction=correction, size=30.0),
    ]
    added = 1e-8 * 4 * (20**2 + 30**2)
    for bias, drift in ((1.1, -0.05), (1.1, 0.05)):
        both = {"bias": np.array([[1, bias], [bias, 1]]), "drift": np.array([[0, drift], [drift, 0]])}
        found = null_variance(areas, matrix, strata, Permutation(**both))
        v, square = 0.007, 0.01
        by_hand = v / bias if drift < 0 else v / (bias - drift) / (1 + drift * square / v)
        assert found.variances[0, 1] == pytest.approx(by_hand + added, rel=1e-12)
        assert found.inverse_df[0, 1] == pytest.approx(max(-drift, 0) / bias)
        assert found.variances[0, 0] == 0


def strata_of(parts, sizes):
    """Two classes whose scores have these spreads, uncorrelated, without any correction."""
    return [
        Stratum(matrix=np.diag(np.array(own, dtype=float)), correction=np.zeros((2, 2)), size=float(size))
        for own, size in zip(parts, sizes, strict=True)
    ]


NOTHING_TO_MEND = {"bias": np.array([[1.0, 1.2], [1.2, 1.0]]), "drift": np.zeros((2, 2))}


@pytest.mark.parametrize(
    ("parts", "sizes", "weight"),
    [
        ([(0.004, 0.004), (0.001, 0.001)], (10, 300), 0.0),  # alike
        ([(0.007, 0.001), (0.001, 0.001)], (10, 15), 0.0),  # classes of like size
        ([(0.007, 0.001), (0.001, 0.001)], (10, 40), 1.0),  # a = .75
        ([(0.004, 0.004), (0.0001, 0.0009)], (300, 10), 1.0),  # in the other class, a = .8
        ([(0.003, 0.001), (0.001, 0.001)], (10, 40), 0.5),  # a = .5, halfway between .3 and .7
    ],
)
def test_null_variance_passes_over_into_welch_where_scores_cannot_be_exchanged(parts, sizes, weight):
    strata = strata_of(parts, sizes)
    matrix = strata[0].matrix + strata[1].matrix
    found = null_variance(np.array([0.9, 0.9]), matrix, strata, Permutation(**NOTHING_TO_MEND))
    v = float(np.trace(matrix))
    assert found.variances[0, 1] == pytest.approx((1 - weight) * v / 1.2 + weight * v, rel=1e-12)
    by_class = [sum(own) for own in parts]
    inverse_df = sum(one**2 / (size - 1) for one, size in zip(by_class, sizes, strict=True)) / v**2
    assert found.inverse_df[0, 1] == pytest.approx(weight * inverse_df, rel=1e-12)


def test_many_cases_pass_over_into_welch_without_a_border():
    """From 20,000 pairs on what exchanging says fades; at 40,000 nothing of it is left."""
    weights = []
    for n_neg in (100, 101, 150, 199, 200):
        label = np.repeat([True, False], (200, n_neg))
        score = np.arange(label.size)
        weights.append(permutation_of(label, [score, score[::-1]]).weight)
    assert weights == pytest.approx([1.0, 0.99, 0.5, 0.01, 0.0])
