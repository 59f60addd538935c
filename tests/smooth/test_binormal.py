"""The binormal curve: likelihood by definition, invariance, degenerate data, speed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.stats import norm

from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.smooth.binormal import fit_binormal
from roclab.smooth.categories import categories_of
from tests import twins
from tests.strategies import SCORES


def of(pos, neg):
    return Tally.from_samples(np.array(pos, float), np.array(neg, float))


def brute_likelihood(pos, neg, a, b, c):
    """The definition, with plain differences of the normal distribution function."""
    low, high = np.concatenate([[-np.inf], c]), np.concatenate([c, [np.inf]])
    total = 0.0
    for k in range(len(pos)):
        if neg[k]:
            total += neg[k] * math.log(norm.cdf(high[k]) - norm.cdf(low[k]))
        if pos[k]:
            total += pos[k] * math.log(norm.cdf(b * high[k] - a) - norm.cdf(b * low[k] - a))
    return total


def brute_fit(pos, neg):
    """Nelder-Mead on a, log b, first cut and log gaps, restarted: slow, and without derivatives."""

    def unpack(theta):
        c = theta[2] + np.concatenate([[0.0], np.cumsum(np.exp(theta[3:]))])
        return theta[0], math.exp(theta[1]), c

    def minus(theta):
        try:
            return -brute_likelihood(pos, neg, *unpack(theta))
        except (ValueError, OverflowError):
            return 1e10

    theta = np.concatenate([[1.0, 0.0, -1.0], np.full(len(pos) - 2, -1.0)])
    for _ in range(4):
        theta = minimize(minus, theta, method="Nelder-Mead", options={"maxiter": 3000, "xatol": 1e-9, "fatol": 1e-12}).x
    return unpack(theta)[:2], -minus(theta)


@pytest.mark.parametrize(("pos", "neg"), [([3, 2, 2, 11, 33], [33, 6, 6, 11, 2]), ([2, 5, 9, 8], [12, 6, 5, 1])])
def test_fit_definition_by_a_search_without_derivatives(pos, neg):
    fit = fit_binormal(Tally.from_counts(np.arange(float(len(pos))), np.array(pos), np.array(neg)))
    (a, b), height = brute_fit(pos, neg)
    assert fit.log_likelihood == pytest.approx(brute_likelihood(pos, neg, fit.a, fit.b, fit.cutpoints), abs=1e-9)
    assert fit.log_likelihood >= height - 1e-9
    assert (fit.a, fit.b) == pytest.approx((a, b), abs=2e-4)


@given(pos=SCORES, neg=SCORES)
def test_fit_property_gradient_vanishes(pos, neg):
    tally = of(pos, neg)
    fit = fit_binormal(tally)
    assume(fit.status != "degenerate")
    assert fit.status == "fitted"
    data = categories_of(tally, merge_runs=True)
    here = brute_likelihood(data.pos, data.neg, fit.a, fit.b, fit.cutpoints)
    for da, db in ((1e-3, 0), (-1e-3, 0), (0, 1e-3), (0, -1e-3)):
        there = brute_likelihood(data.pos, data.neg, fit.a + da, fit.b * (1 + db), fit.cutpoints)
        assert there <= here + 1e-9


@given(
    pos=st.lists(st.integers(-20, 20), min_size=2, max_size=20),
    neg=st.lists(st.integers(-20, 20), min_size=2, max_size=20),
)
def test_fit_property_increasing_transforms_change_nothing(pos, neg):
    plain = fit_binormal(of(pos, neg))
    moved = fit_binormal(of(np.sinh(np.array(pos) / 3), np.sinh(np.array(neg) / 3)))
    assert moved.status == plain.status
    assert moved.area == plain.area
    if plain.status == "fitted":
        assert (moved.a, moved.b, moved.log_likelihood) == (plain.a, plain.b, plain.log_likelihood)


@given(
    pos=st.lists(st.integers(0, 8), min_size=3, max_size=20), neg=st.lists(st.integers(0, 8), min_size=3, max_size=20)
)
def test_runs_property_change_neither_a_nor_b(pos, neg):
    runs, ratings = (fit_binormal(of(pos, neg), categories=kind) for kind in ("runs", "ratings"))
    assert runs.status == ratings.status
    if runs.status == "fitted":
        assert (runs.a, runs.b) == pytest.approx((ratings.a, ratings.b), abs=1e-4)


def test_swapped_classes_property_inverts_b():
    rng = np.random.default_rng(4)
    x, y = rng.normal(1, 1.4, 50), rng.normal(0, 1, 60)
    fit, other = fit_binormal(of(x, y)), fit_binormal(of(-y, -x))
    assert (other.a, other.b) == pytest.approx((fit.a / fit.b, 1 / fit.b), rel=1e-6)
    assert other.standard_error == pytest.approx(fit.standard_error, rel=1e-6)


def test_standard_error_property_matches_the_spread_of_estimates():
    """300 samples: relative error of the spread 4%; allowed 3.5 of these."""
    rng = np.random.default_rng(12)
    fits = [fit_binormal(of(rng.normal(1.2, 1.2, 80), rng.normal(0, 1, 80))) for _ in range(300)]
    spread = np.std([fit.area for fit in fits], ddof=1)
    assert np.mean([fit.standard_error for fit in fits]) == pytest.approx(spread, rel=0.14)
    assert np.mean([fit.area for fit in fits]) == pytest.approx(norm.cdf(1.2 / math.hypot(1.2, 1)), abs=0.006)


def test_goodness_of_fit_property_keeps_its_level_and_sees_a_wrong_model():
    rng = np.random.default_rng(13)
    p = [fit_binormal(of(rng.normal(1, 1.2, 1000), rng.normal(0, 1, 1000))).goodness_of_fit.p_value for _ in range(200)]
    # Binomial(200, .05) exceeds 22 with chance 0.0003; joining at run ends makes the test slightly liberal.
    assert np.mean(np.array(p) < 0.05) <= 22 / 200
    mixed = np.concatenate([rng.normal(-2, 0.3, 500), rng.normal(2, 0.3, 500)])
    assert fit_binormal(of(mixed, rng.normal(0, 1, 1000))).goodness_of_fit.p_value < 1e-6


def test_goodness_of_fit_says_when_there_are_too_few_categories():
    found = fit_binormal(of([1, 2, 3, 2, 3], [1, 2, 3, 1, 1])).goodness_of_fit
    assert "no degree of freedom" in found.p_value.reason


DEGENERATE = [
    ("all tied", [1, 1], [1, 1, 1], 0.5, "all scores are tied"),
    ("separated", [4, 5], [1, 2], 1.0, "every positive lies above every negative"),
    ("separated, wrong way", [1, 2], [4, 5], 0.0, "every positive lies below every negative"),
    ("one cut", [1, 2, 2], [1, 1, 2], 2 / 3, "one cut-off only"),
    ("positives outside", [0, 0, 9, 9, 9], [2, 3, 4], 3 / 5, "so b goes to 0"),
    ("negatives outside", [2, 3, 4], [0, 0, 9, 9, 9], 2 / 5, "so b is unbounded"),
    ("one positive", [2.5], [1, 2, 3, 4], 0.5, "so b is unbounded"),
    ("one positive, tied", [2], [1, 2, 3, 4], 0.375, "not determined"),
]


@pytest.mark.parametrize(("name", "pos", "neg", "area", "why"), DEGENERATE)
def test_degenerate_data_are_explained(name, pos, neg, area, why):
    fit = fit_binormal(of(pos, neg))
    assert (fit.status, fit.converged) == ("degenerate", False)
    assert fit.area == pytest.approx(area)
    assert why in fit.notes[0]
    assert "use the empirical or a kernel curve" in fit.notes[0]
    assert why in fit.standard_error.reason
    assert why in fit.a.reason
    fit.to_json()
    with pytest.raises(InputError, match="degenerate binormal curve has no slope"):
        fit.slope(0.5)
    with pytest.raises(InputError, match="degenerate binormal curve has no slope"):
        fit.optimal_point(1.0)


def test_degenerate_curves_are_their_limits():
    level, upright = fit_binormal(of([0, 0, 9, 9, 9], [2, 3, 4])), fit_binormal(of([2, 3, 4], [0, 0, 9, 9, 9]))
    assert level.tpr([0.1, 0.9, 1]).tolist() == [0.6, 0.6, 1]
    assert upright.tpr([0.1, 0.59, 0.61, 1]).tolist() == [0, 0, 1, 1]
    with pytest.raises(InputError, match="the binormal curve is not determined: one cut-off only"):
        fit_binormal(of([1, 2, 2], [1, 1, 2])).tpr(0.5)


@given(pos=SCORES, neg=SCORES)
def test_degenerate_property_undetermined_data_report_the_empirical_area(pos, neg):
    fit = fit_binormal(of(pos, neg))
    assume(fit.status == "degenerate")
    assert "Degenerate data" in fit.notes[0]
    assert 0 <= fit.area <= 1
    if "many binormal curves" in fit.notes[0] or "all scores are tied" in fit.notes[0]:
        assert fit.area == pytest.approx(float(twins.brute_auc(pos, neg)))


def test_far_tails_stay_finite():
    neg = np.concatenate([np.linspace(-3, 3, 2000), [60.0]])
    fit = fit_binormal(of(np.concatenate([np.linspace(50, 70, 2000), [0.0]]), neg))
    assert fit.status == "fitted"
    assert 0.999 < fit.area < 1
    assert math.isfinite(fit.log_likelihood)


def test_ten_thousand_continuous_scores_find_their_model():
    rng = np.random.default_rng(0)
    fit = fit_binormal(of(rng.normal(1.5, 1.3, 5000), rng.normal(0, 1, 5000)))
    assert fit.a / math.hypot(1, fit.b) == pytest.approx(1.5 / math.hypot(1.3, 1), abs=0.06)


def test_categories_error():
    with pytest.raises(InputError, match="categories must be one of 'runs', 'ratings', got 'bins'"):
        fit_binormal(of([1, 2], [0, 1]), categories="bins")
