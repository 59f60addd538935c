"""Two groups ask one question, and the variance that was asked for reaches their difference."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

import roclab as rl

RNG = np.random.default_rng(1)
Y = np.tile([1, 0], 60)
S = RNG.normal(size=120) + Y
TWO, THREE = np.repeat(["f", "m"], 60), np.repeat(["f", "m", "x"], 40)


def test_two_groups_have_one_p_value():
    found = rl.auc(Y, S, by=TWO)
    (pair,) = found.differences.pairs
    assert found.heterogeneity.p_value == pair.p_value
    assert found.heterogeneity.statistic == pair.statistic
    assert rl.compare_groups(Y, S, group=TWO).pairs[0].p_value == pytest.approx(pair.p_value)
    text = str(found)
    assert "same area in both groups: t " in text
    assert text.count(f"{pair.p_value:.4g}") == 1
    assert "adjusted" not in text
    assert found.heterogeneity.hypothesis == "both groups have the same area"


def test_three_groups_keep_cochrans_test_and_their_pairs():
    found = rl.auc(Y, S, by=THREE)
    assert found.heterogeneity.distribution == "chi-squared, 2 df"
    assert "same area in all groups: chi-squared" in str(found)
    assert "adjusted by holm" in str(found)


@pytest.mark.parametrize("variance", ["hanley_mcneil", "empirical_q", "bamber", "bootstrap"])
@pytest.mark.parametrize("groups", [TWO, THREE])
def test_the_variance_reaches_the_pairs_definition(variance, groups):
    """Groups share no case: the squares of the standard errors of the single areas add up."""
    drawn = {"resampling": 60, "rng": 3} if variance == "bootstrap" else {}
    found = rl.auc(Y, S, by=groups, variance=variance, **drawn)
    errors = dict(zip(found.groups, found.standard_error, strict=True))
    areas = dict(zip(found.groups, found.area, strict=True))
    for pair in found.differences.pairs:
        error = np.hypot(errors[pair.first], errors[pair.second])
        z = (areas[pair.first] - areas[pair.second]) / error
        assert pair.standard_error == pytest.approx(error)
        assert pair.p_value == pytest.approx(2 * norm.sf(abs(z)))
    names = {"hanley_mcneil": "Hanley-McNeil 1982", "bootstrap": "bootstrap"}
    assert f"differences: {names.get(variance, '')}" in str(found)


def test_hanley_mcneil_of_groups_is_that_of_compare_groups():
    found = rl.auc(Y, S, by=TWO, variance="hanley_mcneil")
    other = rl.compare_groups(Y, S, group=TWO, variance="hanley_mcneil").pair("f", "m")
    assert found.differences.pairs[0].p_value == pytest.approx(other.p_value)


def test_a_smooth_area_has_differences_by_its_own_errors():
    found = rl.auc(Y, S, by=TWO, estimator="binormal")
    (pair,) = found.differences.pairs
    assert pair.standard_error == pytest.approx(np.hypot(*found.standard_error))
    assert "differences: the model's own errors" in str(found)
