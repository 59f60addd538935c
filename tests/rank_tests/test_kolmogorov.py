"""Kolmogorov and Smirnov tests and bands: oracles, scipy and coverage."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import scipy.stats

from roclab.errors import InputError
from roclab.rank_tests.kolmogorov import cdf_band, kolmogorov, smirnov
from tests.conftest import oracle


def test_kolmogorov_oracle():
    case = oracle("kolmogorov_uniform10")
    got, want = kolmogorov(case["inputs"]["x"], lambda x: x), case["expected"]
    for value, key in (
        (got.t, "T"),
        (got.t_plus, "T_plus"),
        (got.t_minus, "T_minus"),
        (got.p_value, "p_two_sided_exact"),
        (got.p_plus, "p_plus_exact"),
        (got.p_minus, "p_minus_exact"),
        (got.critical, "crit_two_sided_05"),
        (got.critical_one_sided, "crit_one_sided_05"),
    ):
        assert value == pytest.approx(want[key], abs=1e-9), key


def test_cdf_band_oracle():
    case = oracle("cdf_band20")
    got, want = cdf_band(case["inputs"]["x"], level=case["inputs"]["level"]), case["expected"]
    assert got.width == pytest.approx(want["w_exact"], abs=1e-6)
    np.testing.assert_allclose(got.x, want["x"])
    for ours, key in ((got.s, "S"), (got.high, "U"), (got.low, "L")):
        np.testing.assert_allclose(ours, want[key], atol=1e-6)


def test_cdf_band_coverage_by_simulation():
    """A 90% band holds the uniform distribution function in 90% of 800 samples (two standard errors 2.1%)."""
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(800):
        band = cdf_band(rng.random(15), level=0.9)
        before = np.concatenate([[0.0], band.s[:-1]])
        hits += np.all(band.s - band.x <= band.width) and np.all(band.x - before <= band.width)
    assert hits / 800 == pytest.approx(0.9, abs=0.025)


def test_smirnov_oracle_by_scipy():
    from scipy.stats import ks_2samp

    rng = np.random.default_rng(4)
    x, y = rng.normal(size=20), rng.normal(0.5, 1, 25)
    got = smirnov(x, y)
    assert got.statistic == pytest.approx(ks_2samp(x, y).statistic, abs=1e-15)  # the same difference, rounded elsewhere
    assert got.p_value == pytest.approx(ks_2samp(x, y, method="exact").pvalue)
    assert got.method == "exact"


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
@pytest.mark.parametrize("seed", range(4))
def test_smirnov_with_ties_definition_by_all_divisions(alternative, seed):
    """All 126 ways to divide nine tied values into five and four."""
    rng = np.random.default_rng(seed)
    pooled = rng.integers(0, 4, 9).astype(float)
    values = np.unique(pooled)

    def distance(first, second):
        d = np.array([np.mean(first <= v) - np.mean(second <= v) for v in values])
        return max({"two-sided": np.abs(d), "greater": d, "less": -d}[alternative].max(), 0)

    seen = distance(pooled[:5], pooled[5:])
    ways = [np.isin(np.arange(9), rows) for rows in itertools.combinations(range(9), 5)]
    share = np.mean([distance(pooled[rows], pooled[~rows]) >= seen - 1e-12 for rows in ways])
    found = smirnov(pooled[:5], pooled[5:], alternative=alternative)
    assert found.p_value == pytest.approx(share, abs=1e-12)
    assert found.method == "exact given the ties"


@pytest.mark.parametrize(
    ("sample", "cdf", "jump"),
    [
        ([3] * 10, lambda x: np.floor(x) / 5, "a jump of 0.2 at 3"),
        ([0.2, 1.0, 0.7], lambda x: np.where(x < 1, x / 2, 1.0), "a jump of 0.5 at 1"),
        ([0, 1, 1, 2], scipy.stats.poisson(1).cdf, "a jump of 0.3679 at"),
    ],
)
def test_distributions_that_jump_at_a_value_are_refused(sample, cdf, jump):
    with pytest.raises(InputError, match=f"cdf must be continuous where the sample has values, got {jump}.*support"):
        kolmogorov(sample, cdf)


def test_steep_distributions_and_values_at_their_ends_are_continuous():
    assert kolmogorov([1e9, 1e9 + 1e-3, 1e9 - 1e-3], scipy.stats.norm(1e9, 1e-3).cdf).n == 3
    assert kolmogorov([0.0, 0.5, 1.0], scipy.stats.uniform(0, 1).cdf).t == pytest.approx(1 / 3)
    assert kolmogorov([0.0, 1.0, 2.0], scipy.stats.expon().cdf).n == 3


def test_asymptotic_p_definition():
    """Kolmogorov's series at sqrt(n) T, to which the exact p tends."""
    x = np.random.default_rng(3).random(400) ** 1.1
    found = kolmogorov(x, lambda x: x)
    z = np.sqrt(400) * found.t
    series = 2 * sum((-1) ** (k - 1) * np.exp(-2 * k**2 * z**2) for k in range(1, 60))
    assert found.p_asymptotic == pytest.approx(series, rel=1e-9)
    assert found.p_asymptotic == pytest.approx(found.p_value, abs=0.02)
