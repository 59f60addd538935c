"""Thresholds that promise a rate: counts of misses against exact binomials, and kept in every kind of scores."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from roclab.inference.rates.tolerance import (
    bound_kept,
    cases_needed,
    clopper_pearson_lower,
    clustered_size,
    misses_allowed,
    misses_chance,
    weighted_misses,
)
from tests.inference.rates.oracle_files import cases_of

(PROMISE,) = [case for case in cases_of("cutoff_promise") if case["id"] == "promise_misses"]


@pytest.mark.parametrize("cases", sorted(PROMISE["expected"]["misses"], key=int))
def test_misses_allowed_oracle(cases):
    for pair, wanted in PROMISE["expected"]["misses"][cases].items():
        rate, confidence = map(float, pair.split("/"))
        assert misses_allowed(int(cases), rate, confidence) == wanted


def test_fewest_cases_oracle():
    for pair, wanted in PROMISE["expected"]["smallest_n"].items():
        rate, confidence = map(float, pair.split("/"))
        assert cases_needed(rate, confidence) == wanted
        assert misses_allowed(wanted, rate, confidence) == 0
        assert misses_allowed(wanted - 1, rate, confidence) == -1
    assert bound_kept(1, 60, 0.9) == pytest.approx(PROMISE["expected"]["kept_exactly_at_60_.9_.95"], abs=1e-11)


@pytest.mark.parametrize("cases", [1, 7, 29, 60, 211])
@pytest.mark.parametrize("rate", [0.5, 0.8, 0.97])
def test_the_chance_of_few_misses_is_binomial_definition(cases, rate):
    for misses in range(-1, cases + 1, 3):
        assert misses_chance(misses, cases, rate) == pytest.approx(binom.cdf(misses, cases, 1 - rate), abs=1e-12)
    allowed = misses_allowed(cases, rate, 0.9)
    assert binom.cdf(allowed, cases, 1 - rate) <= 0.1 + 1e-12
    assert binom.cdf(allowed + 1, cases, 1 - rate) > 0.1


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["continuous", "tied"])
@pytest.mark.parametrize("cases", [30, 60, 100])
def test_the_rate_is_kept_with_the_confidence_by_simulation(kind, cases):
    rng, kept, misses = np.random.default_rng(cases), 0, misses_allowed(cases, 0.9, 0.95)
    for _ in range(1500):
        scores = rng.normal(size=cases) if kind == "continuous" else rng.integers(0, 12, cases)
        threshold = np.sort(scores)[misses]
        true = 1 - _below(threshold) if kind == "continuous" else (12 - threshold) / 12
        kept += true >= 0.9 - 1e-12
    exact = bound_kept(misses, cases, 0.9)
    assert exact >= 0.95
    assert kept / 1500 >= 0.95 - 0.012  # two Monte-Carlo errors
    if kind == "continuous":
        assert kept / 1500 == pytest.approx(exact, abs=0.018)


def _below(value):
    from scipy.stats import norm

    return norm.cdf(value)


def test_equal_weights_allow_as_many_misses_as_cases_and_unequal_ones_fewer():
    assert [weighted_misses(np.ones(n), 0.9, 0.95) for n in (20, 60, 300)] == [-1, 1, 21]
    rng = np.random.default_rng(2)
    assert weighted_misses(rng.exponential(size=300), 0.9, 0.95) < 21


def test_clusters_are_worth_fewer_cases_and_never_more():
    rng = np.random.default_rng(3)
    cluster = np.repeat(np.arange(40), 3)
    alike = (np.repeat(rng.random(40), 3) < 0.2).astype(float)
    apart = (rng.random(120) < 0.2).astype(float)
    assert clustered_size(alike, cluster, 40, 0.95) < 60 < clustered_size(apart, cluster, 40, 0.95) <= 120
    assert clustered_size(np.zeros(120), cluster, 40, 0.95) == 120


def test_the_lower_bound_is_clopper_and_pearsons_definition():
    bound = clopper_pearson_lower(56, 60, 0.95)
    assert binom.sf(55, 60, bound) == pytest.approx(0.05, abs=1e-10)
    assert clopper_pearson_lower(0, 60, 0.95) == 0.0
