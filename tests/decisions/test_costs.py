"""Expected costs, cost curves side by side, the LC index, the H-measure and decision curves."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from scipy.integrate import quad

from roclab.curves.cost import cost_curve
from roclab.curves.hull import hull_of_curve
from roclab.curves.roc import curve_from_points, roc_curve
from roclab.data.tally import Tally
from roclab.decisions.costs import compare_costs, expected_cost, lowest_cost, signed_regions
from roclab.decisions.h_measure import h_measure, ks_statistic
from roclab.decisions.lc_index import lc_index, least_loss
from roclab.decisions.net_benefit import decision_curve
from roclab.errors import InputError
from roclab.results import Sample
from tests.strategies import SCORES


def of(pos, neg, **sample):
    extra = Sample(n_pos=len(pos), n_neg=len(neg), **sample) if sample else None
    return Tally.from_samples(np.array(pos, float), np.array(neg, float), sample=extra)


def brute_points(pos, neg):
    thresholds = [math.inf, *sorted({*pos, *neg}, reverse=True)]
    return [(sum(y >= t for y in neg) / len(neg), sum(x >= t for x in pos) / len(pos)) for t in thresholds]


# -- expected cost -----------------------------------------------------------------------------------


@given(pos=SCORES, neg=SCORES, prevalence=st.sampled_from([0.05, 0.4, 0.9]), ratio=st.sampled_from([0.2, 1.0, 6.0]))
def test_lowest_cost_definition(pos, neg, prevalence, ratio):
    conditions = {"prevalence": prevalence, "cost_fp": ratio, "cost_fn": 1.0}
    found = lowest_cost(roc_curve(of(pos, neg)), **conditions)
    costs = [prevalence * (1 - t) + (1 - prevalence) * ratio * f for f, t in brute_points(pos, neg)]
    assert found.cost == pytest.approx(min(costs), abs=1e-12)
    assert found.saved == pytest.approx(min(prevalence, (1 - prevalence) * ratio) - min(costs), abs=1e-12)
    assert found.saved >= -1e-12
    # The cost curve at its x is the normalised lowest cost.
    x = prevalence / (prevalence + (1 - prevalence) * ratio)
    assert float(cost_curve(roc_curve(of(pos, neg))).at(x)[0]) == pytest.approx(found.normalised, abs=1e-12)
    assert found.rows()[0]["threshold"] == found.threshold


def test_expected_cost_columns():
    cost = expected_cost([0.1, 0.5], [0.5, 0.8], prevalence=0.5, cost_fp=2, cost_fn=4)
    assert cost.tolist() == pytest.approx([1.1, 0.9])
    share = expected_cost([0.1, 0.5], [0.5, 0.8], prevalence=0.5, cost_fp=2, cost_fn=4, normalised=True)
    assert share.tolist() == pytest.approx([1.1 / 3, 0.3])
    with pytest.raises(InputError, match="prevalence must lie strictly between 0 and 1, got 0"):
        expected_cost(0.1, 0.5, prevalence=0)


@given(one=st.tuples(SCORES, SCORES), two=st.tuples(SCORES, SCORES))
def test_compare_costs_definition(one, two):
    curves = [cost_curve(roc_curve(of(*sample))) for sample in (one, two)]
    found = compare_costs(*curves, names=("one", "two"))
    assert found.regions[0].low == 0
    assert found.regions[-1].high == 1
    for region in found.regions:
        for share in (0.25, 0.5, 0.75):  # inside the region the sign is the same everywhere
            x = region.low + share * (region.high - region.low)
            costs = [min((1 - t) * x + f * (1 - x) for f, t in brute_points(*sample)) for sample in (one, two)]
            gap = costs[1] - costs[0]
            if region.better is None:
                assert gap == pytest.approx(0, abs=1e-9)
            elif region.high - region.low > 1e-9:
                assert (gap > 0) == (region.better == "one")
    grid = np.linspace(0, 1, 2001)
    assert found.mean_cost_first == pytest.approx(np.mean(curves[0].at(grid)), abs=1e-3)
    assert found.difference == pytest.approx(found.mean_cost_first - found.mean_cost_second)


def test_compare_costs_with_itself_and_errors():
    curve = cost_curve(curve_from_points([0.2], [0.7]))
    same = compare_costs(curve, curve)
    assert [(one.low, one.high, one.better) for one in same.regions] == [(0.0, 1.0, None)]
    assert same.rows()[0]["cheaper"] == "equal"
    with pytest.raises(InputError, match="names must be two different names"):
        compare_costs(curve, curve, names=("a", "a"))


def test_signed_regions_definition():
    assert signed_regions(np.array([0.0, 1.0]), np.array([-1.0, 3.0])) == [(0.0, 0.25, -1), (0.25, 1.0, 1)]
    touching = signed_regions(np.array([0.0, 1.0, 2.0]), np.array([1.0, 0.0, 1.0]))
    assert touching == [(0.0, 2.0, 1)]
    noise = signed_regions(np.array([0.0, 1.0, 2.0]), np.array([1e-14, -1e-14, 1.0]))
    assert noise == [(0.0, 1.0, 0), (1.0, 2.0, 1)]


# -- LC index ----------------------------------------------------------------------------------------


@given(one=st.tuples(SCORES, SCORES), two=st.tuples(SCORES, SCORES), prevalence=st.sampled_from([0.2, 0.5, 0.7]))
def test_lc_index_definition(one, two, prevalence):
    """The sign of the difference of least losses, averaged over the triangular distribution on a fine grid."""
    curves = [roc_curve(of(*sample)) for sample in (one, two)]
    found = lc_index(*curves, prevalence=prevalence, interval=(0.1, 0.9), mode=0.3)
    edges = np.linspace(0.1, 0.9, 4001)
    middle = (edges[1:] + edges[:-1]) / 2
    weight = np.diff(stats.triang.cdf(edges, 0.25, 0.1, 0.8))

    def loss(sample):
        points = brute_points(*sample)
        return np.min([(1 - prevalence) * middle * f + prevalence * (1 - middle) * (1 - t) for f, t in points], axis=0)

    gap = loss(two) - loss(one)
    signs = np.where(np.abs(gap) < 1e-12, 0, np.sign(gap))
    # A cell of the grid that holds a crossing is counted whole: at most a few cells of weight 5e-4.
    assert found.index == pytest.approx(float(np.sum(signs * weight)), abs=5e-3)
    assert sum(region.weight for region in found.regions) == pytest.approx(1)
    reverse = lc_index(*curves[::-1], prevalence=prevalence, interval=(0.1, 0.9), mode=0.3)
    assert reverse.index == pytest.approx(-found.index, abs=1e-12)


def test_least_loss_and_words():
    curve = curve_from_points([0.1, 0.5], [0.5, 0.8])
    grid = np.linspace(0, 1, 11)
    points = [(0, 0), (0.1, 0.5), (0.5, 0.8), (1, 1)]
    brute = [min(0.6 * c * f + 0.4 * (1 - c) * (1 - t) for f, t in points) for c in grid]
    np.testing.assert_allclose(least_loss(hull_of_curve(curve), grid, prevalence=0.4), brute, atol=1e-12)
    found = lc_index(curve, curve, prevalence=0.4, interval=(0.2, 0.8), mode=0.2, names=("a", "b"))
    assert found.index == 0
    assert found.regions[0].better is None
    assert "LC index of a against b: 0.0000" in str(found)
    assert found.rows()[0]["better"] == "equal"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"prevalence": 0}, "prevalence must lie strictly between 0 and 1, got 0"),
        ({"interval": (0.8, 0.2)}, "interval must satisfy 0 <= low < high <= 1"),
        ({"mode": 0.9}, "mode must lie within the interval 0.2 to 0.8, got 0.9"),
        ({"names": ("a", "a")}, "names must be two different names"),
    ],
)
def test_lc_index_errors(arguments, message):
    curve = curve_from_points([0.1], [0.5])
    with pytest.raises(InputError, match=message):
        lc_index(curve, curve, **{"prevalence": 0.5, "interval": (0.2, 0.8), "mode": 0.5} | arguments)


# -- H-measure and KS --------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(2, 2), (1, 1), (0.7, 3), (2, 5.5)])
def test_h_measure_definition(shape):
    """Against numerical integration of the minimum over all thresholds."""
    rng = np.random.default_rng(3)
    pos, neg = rng.normal(1, 1, 15).round(1), rng.normal(0, 1, 25).round(1)
    pi = 15 / 40
    points = brute_points(pos, neg)
    density = stats.beta(*shape).pdf
    steps = [(f1 - f0, t1 - t0) for (f0, t0), (f1, t1) in itertools.combinations(points, 2)]
    # Where any two thresholds lose the same: the integrand is smooth in between.
    grid = np.unique([0, *(pi * up / ((1 - pi) * right + pi * up) for right, up in steps), 1])

    def integral(function):
        return sum(quad(lambda c: function(c) * density(c), a, b)[0] for a, b in itertools.pairwise(grid))

    loss = integral(lambda c: min(c * (1 - pi) * f + (1 - c) * pi * (1 - t) for f, t in points))
    trivial = integral(lambda c: min(c * (1 - pi), (1 - c) * pi))
    found = h_measure(of(pos, neg), shape=shape)
    assert found.h == pytest.approx(1 - loss / trivial, abs=1e-7)
    assert found.ks == pytest.approx(max(t - f for f, t in points))
    assert found.minimum_error_rate == pytest.approx(min((1 - pi) * f + pi * (1 - t) for f, t in points))


def test_h_measure_limits_and_prior():
    assert h_measure(of([3, 4], [1, 2])).h == 1
    assert h_measure(of([1, 1], [1, 1])).h == pytest.approx(0, abs=1e-15)
    assert h_measure(of([1, 2], [3, 4])).h == pytest.approx(0, abs=1e-15), "the hull of a reversed score is trivial"
    tally = of([3, 2, 2, 5], [1, 2, 0])
    by_ratio = h_measure(tally, severity_ratio=0.5)
    assert by_ratio.shape == (2.0, 3.0)
    assert float(by_ratio) == h_measure(tally, shape=(2, 3)).h
    assert h_measure(tally, severity_ratio="data").shape == (2.0, 1 + 3 / 4)
    assert h_measure(tally, prevalence=0.1).prevalence == 0.1
    assert "severity ratio 0.5" in str(by_ratio)
    assert by_ratio.rows()[0]["AUCH"] == by_ratio.hull_area
    # At the mode 1/3 of Beta(2, 3) the weighted loss is doubled, so that equal costs give the error rate.
    assert h_measure(tally).minimum_weighted_loss == pytest.approx(h_measure(tally).minimum_error_rate)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shape": (2, 0)}, "shape must be a finite number above 0, got 0"),
        ({"shape": 2}, "shape must be a pair of numbers above 0, got 2"),
        ({"severity_ratio": -1}, "severity_ratio must be a finite number above 0, got -1"),
        ({"severity_ratio": 1, "shape": (2, 2)}, "a prior is given by shape or by severity_ratio"),
        ({"prevalence": 1}, "prevalence must lie strictly between 0 and 1, got 1"),
    ],
)
def test_h_measure_errors(arguments, message):
    with pytest.raises(InputError, match=message):
        h_measure(of([2, 3], [1, 2]), **arguments)


@given(pos=SCORES, neg=SCORES)
def test_ks_definition(pos, neg):
    found = ks_statistic(of(pos, neg))
    assert found.statistic == pytest.approx(max(abs(t - f) for f, t in brute_points(pos, neg)), abs=1e-12)
    assert found.statistic == pytest.approx(stats.ks_2samp(pos, neg, method="exact").statistic, abs=1e-12)
    assert abs(found.tpr - found.fpr) == pytest.approx(float(found))
    assert found.rows()[0]["KS"] == found.statistic


# -- decision curves ---------------------------------------------------------------------------------

PROBABILITIES = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.7, 1.0]), min_size=1, max_size=10)


@given(pos=PROBABILITIES, neg=PROBABILITIES)
def test_net_benefit_definition(pos, neg):
    """SPEC 17: TP/T - FP/T · p/(1 - p), counting by hand at each threshold."""
    curve = decision_curve(of(pos, neg))
    total = len(pos) + len(neg)
    for at, p in enumerate(curve.probabilities):
        tp, fp = sum(x >= p for x in pos), sum(y >= p for y in neg)
        assert curve.net_benefit["model"][at] == pytest.approx(tp / total - fp / total * p / (1 - p), abs=1e-12)
        assert curve.treat_all[at] == pytest.approx(len(pos) / total - len(neg) / total * p / (1 - p), abs=1e-12)
    assert not curve.treat_none.any()
    assert curve.standardised("model")[0] == pytest.approx(curve.net_benefit["model"][0] * total / len(pos))
    better = curve.useful("model")
    assert np.all(np.isin(better, curve.probabilities))


def test_net_benefit_of_two_models_and_another_prevalence():
    a, b = of([0.9, 0.4], [0.6, 0.1]), of([0.8, 0.7], [0.2, 0.1])
    curve = decision_curve({"a": a, "b": b}, probabilities=[0.3, 0.5], prevalence=0.1)
    assert curve.net_benefit["b"].tolist() == pytest.approx([0.1, 0.1])
    assert curve.net_benefit["a"][0] == pytest.approx(0.1 - 0.9 * 0.5 * 0.3 / 0.7)
    assert list(curve.rows()[0]) == ["threshold probability", "a", "b", "treat all", "treat none"]
    # At the same treated positives b avoids treating both of the 0.9 negatives per case.
    assert curve.avoided("b").tolist() == pytest.approx([0.9, 0.9])
    named = Tally.from_samples(np.array([0.9]), np.array([0.1]), sample=Sample(n_pos=1, n_neg=1, score="risk"))
    assert list(decision_curve(named).net_benefit) == ["risk"]


@pytest.mark.parametrize(
    ("models", "arguments", "message"),
    [
        (of([2.0], [0.1]), {}, "decision curves need predicted probabilities between 0 and 1, got the score 2"),
        (of([-0.2], [-0.5], direction="lower"), {}, "decision curves need probabilities of the positive class"),
        (of([0.9], [0.1]), {"probabilities": [0.5, 1.0]}, "probabilities must lie strictly between 0 and 1, got 1.0"),
        ({}, {}, "models must hold at least one tally, got none"),
        (
            {"a": of([0.9], [0.1]), "b": of([0.9], [0.1, 0.2])},
            {},
            "models must come from cases of the same prevalence, got a 0.5, b 0.3333",
        ),
        (of([0.9], [0.1]), {"prevalence": 2}, "prevalence must lie strictly between 0 and 1, got 2"),
    ],
)
def test_net_benefit_errors(models, arguments, message):
    with pytest.raises(InputError, match=message):
        decision_curve(models, **arguments)
