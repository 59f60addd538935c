"""The score test of equal areas: p and interval agree at every level, t far away, F for several areas, level."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import f as f_distribution
from scipy.stats import norm
from scipy.stats import t as t_distribution

import roclab as rl
from roclab.inference.comparison.contrasts import score_contrast
from roclab.inference.comparison.covariance import covariance_of_cases
from roclab.inference.comparison.score import ScoreContrast
from roclab.inference.one_area.area import area_of_method
from roclab.inference.welch import EstimatedVariance

AUC = area_of_method("empirical")


def sample(seed, n_pos=14, n_neg=22, k=2, ties=True, shift=1.0):
    rng = np.random.default_rng(seed)
    label = np.repeat([True, False], [n_pos, n_neg])
    common = rng.normal(size=label.size) + label
    scores = {f"s{at}": common + at * shift * label + rng.normal(size=label.size) for at in range(k)}
    return label, {name: np.round(values, 1) if ties else values for name, values in scores.items()}


@given(
    seed=st.integers(0, 10_000), level=st.sampled_from([0.5, 0.8, 0.95, 0.99]), shift=st.sampled_from([0.0, 0.5, 1.5])
)
@settings(max_examples=60)
def test_p_and_interval_property_agree(seed, level, shift):
    label, scores = sample(seed, k=3, shift=shift)
    found = rl.compare(label, scores, level=level)
    assert found.test == "score"
    for pair in found.pairs:
        assert (0 in pair.interval) == (pair.p_value >= 1 - level)
        assert pair.statistic == pytest.approx(pair.difference / pair.null_error, rel=1e-9, abs=1e-12)
        assert pair.p_value == pytest.approx(2 * norm.sf(abs(pair.statistic)), rel=1e-9)
    for margin in (0.02, 0.1, 0.3):
        for claim in ("non-inferiority", "equivalence"):
            asked = found.margin("s0", "s1", margin=margin, claim=claim)
            above = -margin < asked.interval.low
            assert asked.shown == (above and (claim == "non-inferiority" or asked.interval.high < margin))


contrasts = st.builds(
    lambda value, equal, apart, dfs: ScoreContrast(
        value=value, equal=EstimatedVariance(equal**2, dfs[0]), apart=EstimatedVariance(apart**2, dfs[1])
    ),
    st.floats(-0.9, 0.9), st.floats(0.01, 0.3), st.floats(0.01, 0.3),
    st.tuples(st.sampled_from([2.0, 12.5, math.inf]), st.floats(1.5, 300)),
)  # fmt: skip


@given(one=contrasts, level=st.floats(0.01, 0.999))
def test_limits_definition(one, level):
    """At a limit the distance is the half-width that the limit itself has; beyond it is larger, inside smaller."""
    z = norm.isf((1 - level) / 2)
    equal = z if math.isinf(one.equal.df) else t_distribution.isf(norm.sf(z), one.equal.df)
    equal *= math.sqrt(one.equal.variance)
    apart = t_distribution.isf(norm.sf(z), one.apart.df) * math.sqrt(one.apart.variance)

    def outside(true):
        half = equal + (apart - equal) * min(1, abs(true) / max(equal, apart))
        return abs(one.value - true) - half

    low, high = one.interval(level)
    assert low < one.value < high
    for limit, away in ((low, -1), (high, 1)):
        assert outside(limit) == pytest.approx(0, abs=1e-9)
        assert outside(limit + away * 1e-3) > 0 > outside(limit - away * 1e-3 * min(1, abs(limit - one.value) / 1e-3))


@given(one=contrasts, levels=st.tuples(st.floats(0.05, 0.998), st.floats(0.05, 0.998)))
def test_intervals_property_are_nested(one, levels):
    inner, outer = (one.interval(level) for level in sorted(levels))
    assert outer[0] <= inner[0] + 1e-12
    assert outer[1] >= inner[1] - 1e-12


@given(one=contrasts, true=st.floats(-0.5, 0.5))
def test_errors_property_say_what_intervals_say(one, true):
    """The normal deviate of a hypothesis is that of the level at which it is a limit."""
    z = abs(one.value - true) / one.error_at(true)
    if 0.05 < z < 3.3:
        low, high = one.interval(1 - 2 * norm.sf(z))
        assert min(abs(low - true), abs(high - true)) < 1e-7
    assert one.deviate == pytest.approx(one.value / one.error_at(0.0), rel=1e-9, abs=1e-12)


def test_large_differences_have_the_interval_of_t():
    label, scores = sample(3, shift=0.0)
    scores = {"s0": scores["s0"] + 2 * label, "s1": -scores["s1"]}
    score, t = (rl.compare(label, scores, test=name).pairs[0] for name in ("score", "t"))
    assert tuple(score.interval) == pytest.approx(tuple(t.interval), rel=1e-12)
    assert score.interval.method == "roclab score"
    assert t.interval.method == "DeLong, t"


def test_f_of_several_areas_definition():
    """Its square by differences to the last area instead of Helmert's contrasts, degrees of freedom from parts."""
    label, scores = sample(4, k=4, shift=0.3, ties=False)
    covariance = covariance_of_cases(rl.read_cases(label, scores), AUC)
    equal, areas = covariance.null_variance, covariance.areas
    last = np.hstack([np.eye(3), -np.ones((3, 1))])
    square = (last @ areas) @ np.linalg.inv(-last @ equal.variances @ last.T / 2) @ (last @ areas)
    by_t = rl.compare(label, scores, test="t").equality
    nu_t = float(by_t.distribution.split(" and ")[1].split()[0]) + 2  # printed with one decimal
    nu = 1 / (equal.inverse_df[np.triu_indices(4, 1)].mean() / 3 + (2 / 3) ** 2 * 2 / nu_t)
    found = rl.compare(label, scores).equality
    assert found.statistic == pytest.approx(square * (nu - 2) / (nu * 3), rel=3e-3)
    below = float(found.distribution.split(" and ")[1].split()[0])
    assert below == pytest.approx(nu - 2, abs=0.2)
    assert found.p_value == pytest.approx(f_distribution.sf(found.statistic, 3, below), rel=1e-2)
    assert (found.method, by_t.method) == ("score", "Hotelling, Krishnamoorthy-Yu df")


@given(seed=st.integers(0, 10_000))
@settings(max_examples=30)
def test_equality_of_two_areas_property_is_the_test_of_the_pair(seed):
    label, scores = sample(seed, shift=0.4)
    found = rl.compare(label, scores)
    assert found.equality.p_value == pytest.approx(found.pairs[0].p_value, rel=1e-8)


@given(seed=st.integers(0, 1000))
@settings(max_examples=20)
def test_score_property_rows_classes_weights_and_scale(seed):
    label, scores = sample(seed)
    rng = np.random.default_rng(seed)
    order, weight = rng.permutation(label.size), rng.integers(0, 4, label.size)
    weight[[0, 1, -1, -2]] = 1
    pair = rl.compare(label, scores).pairs[0]
    turned = {name: -values for name, values in scores.items()}
    gini = rl.compare(label, scores, estimator="gini").pairs[0]
    others = {
        "rows": rl.compare(label[order], {name: values[order] for name, values in scores.items()}).pairs[0],
        "classes": rl.compare(~label, turned).pairs[0],
        "direction": rl.compare(label, turned, direction="lower").pairs[0],
        "a third score": rl.compare(label, {**scores, "s2": scores["s0"] + label}).pair("s0", "s1"),
        "a contrast": rl.compare(label, {**scores, "s2": scores["s0"] + label}).contrast({"s0": 1, "s1": -1}),
    }
    for name, other in others.items():
        assert (other.statistic, *other.interval) == pytest.approx((pair.statistic, *pair.interval), rel=1e-8), name
    assert (gini.statistic, *gini.interval) == pytest.approx(
        (pair.statistic, 2 * pair.interval.low, 2 * pair.interval.high), rel=1e-8
    )
    weighted = rl.compare(label, scores, sample_weight=weight).pairs[0]
    written_out = {name: np.repeat(values, weight) for name, values in scores.items()}
    repeated = rl.compare(np.repeat(label, weight), written_out).pairs[0]
    assert (weighted.statistic, *weighted.interval) == pytest.approx((repeated.statistic, *repeated.interval), rel=1e-8)


def test_identical_and_separated_scores_stay_finite():
    label, scores = sample(5)
    same = rl.compare(label, {"a": scores["s0"], "b": scores["s0"]}).pairs[0]
    assert (same.difference, same.p_value) == (0, 1)
    assert same.interval.low < 0 < same.interval.high
    perfect = rl.compare(label, {"a": label.astype(float), "b": 2.0 * label}).pairs[0]
    assert (perfect.difference, perfect.p_value) == (0, 1)
    assert -0.3 < perfect.interval.low < 0 < perfect.interval.high < 0.3


def test_which_comparisons_the_score_test_is_for():
    label, scores = sample(6)
    assert rl.compare(label, scores).test == "score"
    assert rl.compare(label, scores, estimator="gini").test == "score"
    assert rl.compare(label, scores, estimator="tauc").test == "t"
    assert rl.compare(label, scores, fpr=(0, 0.2)).test == "t"
    assert rl.compare(label, scores, sample_weight=np.full(label.size, 0.5)).test == "t"
    assert rl.compare(label, scores, ids=np.arange(label.size) // 2).test == "t"
    assert rl.compare_groups(label, scores["s0"], group=np.arange(label.size) % 2).test == "t"
    many = sample(7, n_pos=201, n_neg=200)
    assert rl.compare(*many).test == "t"
    assert rl.compare(many[0][1:], {name: values[1:] for name, values in many[1].items()}).test == "score"


def test_contrasts_have_no_less_than_a_share_of_delongs_variance():
    label, scores = sample(8, k=4, shift=0.2)
    covariance = covariance_of_cases(rl.read_cases(label, scores), AUC)
    for weights in ([3.0, -1, -1, -1], [1, 1, -1, -1], [1, -3, 3, -1]):
        vector = np.array(weights)
        asked = score_contrast(covariance, vector)
        assert asked.equal.variance >= 0.1 * (vector @ covariance.matrix @ vector)
        assert asked.apart.variance > 0
        assert asked.interval(0.95)[0] < asked.value < asked.interval(0.95)[1]


@pytest.mark.nightly
def test_score_test_holds_its_level_where_t_does_not_simulation():
    """Equal areas of .76, correlation .5, 15 + 15 cases: 1500 samples, Monte-Carlo error .006 at .05."""
    rng = np.random.default_rng(12)
    label = np.repeat([True, False], 15)
    rejected = {"score": 0, "t": 0, "all by score": 0, "all by t": 0}
    for _ in range(1500):
        common = label * 1.4 + rng.normal(size=30)
        cases = rl.read_cases(label, {name: common + rng.normal(size=30) for name in "abc"})
        for reference in ("score", "t"):
            found = rl.compare(cases, test=reference)
            rejected[reference] += found.pairs[0].p_value < 0.05
            rejected[f"all by {reference}"] += found.equality.p_value < 0.05
    shares = {name: count / 1500 for name, count in rejected.items()}
    assert 0.037 < shares["score"] < 0.063
    assert 0.037 < shares["all by score"] < 0.063
    assert max(shares["t"], shares["all by t"]) < 0.04
