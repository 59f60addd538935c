"""Standard errors against definitions, the bootstrap, the jackknife and simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.areas.methods import METHODS
from roclab.areas.partial import partial_area
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.inference.one_area.area import area_of_method, area_of_region
from roclab.inference.one_area.delong import delong_variance
from roclab.inference.one_area.estimate import estimate_area
from roclab.inference.one_area.hanley_mcneil import (
    bamber_se,
    correlation_of_areas,
    empirical_q_se,
    hanley_mcneil_se,
    null_se,
    tie_corrected_null_se,
)
from roclab.inference.one_area.influence import influence_of_auc
from roclab.inference.one_area.variance import area_variance
from roclab.options.uncertainty import AreaUncertainty, Resampling
from tests import twins
from tests.conftest import oracle
from tests.strategies import TWO_OR_MORE, labelled


def of(pos, neg):
    return Tally.from_samples(np.array(pos, float), np.array(neg, float))


AREAS = {
    "auc": area_of_method("empirical"),
    "gini": area_of_method("gini"),
    "tauc": area_of_method("tauc"),
    "average precision": area_of_method("average_precision"),
    "pauc fpr": area_of_region(fpr=(0.03, 0.41)),
    "pauc tpr": area_of_region(tpr=(0.37, 0.93)),
    "two-way": area_of_region(fpr=(0.03, 0.61), tpr=(0.17, 0.83)),
    "mcclish": area_of_region(fpr=(0.03, 0.41), standardize="mcclish"),
}


@given(pos=TWO_OR_MORE, neg=TWO_OR_MORE)
def test_delong_property_equals_its_definition(pos, neg):
    tally = of(pos, neg)
    area = METHODS["empirical"].estimate(tally)
    want = twins.brute_delong_variance(pos, neg)
    assert delong_variance(tally, area) == pytest.approx(want, abs=1e-14)
    assert area_variance(tally, influence_of_auc(tally)) == pytest.approx(want, abs=1e-14)


@given(pos=TWO_OR_MORE, neg=TWO_OR_MORE)
def test_components_property_have_the_auc_as_mean(pos, neg):
    tally = of(pos, neg)
    influence = influence_of_auc(tally)
    area = METHODS["empirical"].estimate(tally)
    assert float(np.sum(influence.pos * tally.pos)) == pytest.approx(len(pos) * area, abs=1e-12)
    assert float(np.sum(influence.neg * tally.neg)) == pytest.approx(len(neg) * area, abs=1e-12)


@pytest.mark.parametrize("name", AREAS)
@given(data=labelled(min_size=5, max_size=25))
def test_influence_property_is_the_derivative_by_the_weight_of_a_case(name, data):
    """The infinitesimal jackknife: move a little weight onto one score and see the area change."""
    area = AREAS[name]
    tally = Tally.from_labels(*data)
    influence = area.influence(tally)
    step = 1e-6

    def moved(side, at, by):
        shares = {"pos": tally.pos / tally.n_pos, "neg": tally.neg / tally.n_neg}
        shares[side] = shares[side] * (1 - by)
        shares[side][at] += by
        return Tally(
            score=tally.score,
            pos=shares["pos"] * tally.n_pos,
            neg=shares["neg"] * tally.n_neg,
            sample=tally.sample,
        )

    for side, values, counts in (("pos", influence.pos, tally.pos), ("neg", influence.neg, tally.neg)):
        centred = values - np.sum(values * counts) / counts.sum()
        for at in np.flatnonzero(counts):
            rise = area.estimate(moved(side, at, step)) - area.estimate(moved(side, at, -step))
            assert centred[at] == pytest.approx(rise / (2 * step), abs=2e-4), (side, at)


@pytest.mark.parametrize("name", AREAS)
def test_variance_definition_by_the_delete_one_jackknife(name):
    """For smooth areas the jackknife variance is the influence variance up to O(1/n²)."""
    area = AREAS[name]
    rng = np.random.default_rng(5)
    pos, neg = rng.normal(1.2, 1, 150), rng.normal(0, 1, 200)
    tally = of(pos, neg)
    analytic = area_variance(tally, area.influence(tally))
    total = 0.0
    for sample, other, swap in ((pos, neg, False), (neg, pos, True)):
        n = sample.size
        values = []
        for at in range(n):
            less = np.delete(sample, at)
            values.append(area.estimate(of(other, less) if swap else of(less, other)))
        total += (n - 1) / n * np.sum((values - np.mean(values)) ** 2)
    assert analytic == pytest.approx(total, rel=0.08)


@pytest.mark.parametrize("name", AREAS)
def test_standard_error_definition_by_simulation(name):
    """The mean estimated variance over samples is the variance of the estimates (seeded; Monte-Carlo error 5%)."""
    area = AREAS[name]
    rng = np.random.default_rng(11)
    values, variances = [], []
    for _ in range(800):
        tally = of(rng.normal(1, 1.3, 60), rng.normal(0, 1, 80))
        values.append(area.estimate(tally))
        variances.append(area_variance(tally, area.influence(tally)))
    assert math.sqrt(np.mean(variances)) == pytest.approx(np.std(values), rel=0.10)


@given(n_pos=st.integers(1, 60), n_neg=st.integers(1, 60))
def test_hanley_mcneil_property_at_one_half_is_the_null_error(n_pos, n_neg):
    assert hanley_mcneil_se(0.5, n_pos, n_neg) == pytest.approx(null_se(n_pos, n_neg), rel=1e-12)


def test_hanley_mcneil_grid_oracle():
    case = oracle("hanley_mcneil_se_grid")
    for inputs, want in zip(case["inputs"]["cases"], case["expected"], strict=True):
        assert hanley_mcneil_se(inputs["auc"], inputs["n_pos"], inputs["n_neg"]) == pytest.approx(want["se"], abs=1e-12)
        assert null_se(inputs["n_pos"], inputs["n_neg"]) == pytest.approx(want["se_null"], abs=1e-12)


def test_correlation_of_areas_oracle():
    case = oracle("hm1983_r_formula")
    for inputs, want in zip(case["inputs"]["cases"], case["expected"], strict=True):
        got = correlation_of_areas(inputs["avg_area"], inputs["avg_corr"], cases=inputs["n_plus_m_minus_2"] + 2)
        assert got == pytest.approx(want, abs=1e-6)


def test_correlation_of_areas_published_table(published_table):
    """All 540 cells of table I within .007, more than 96% of them exactly after rounding."""
    table = published_table("hanley_mcneil_1983_correlations.csv")
    rho = table["average_correlation"].astype(float)
    gaps, same = [], 0
    for column in list(table)[1:]:
        for r, printed in zip(rho, table[column].astype(float), strict=True):
            ours = correlation_of_areas(float(column), r)
            gaps.append(abs(ours - printed))
            same += round(ours, 2) == printed
    assert len(gaps) == 540
    assert max(gaps) < 0.007
    assert same / 540 > 0.96


@given(area=st.floats(0.5, 0.98), low=st.floats(-0.9, 0.98), step=st.floats(0.001, 0.5))
def test_correlation_property_rises_with_rho(area, low, step):
    high = min(low + step, 1.0)
    assert correlation_of_areas(area, low) <= correlation_of_areas(area, high)
    assert correlation_of_areas(area, 0.0) == pytest.approx(0, abs=1e-12)
    assert correlation_of_areas(area, 1.0) == pytest.approx(1, abs=1e-9)


def test_correlation_of_areas_is_undefined_at_the_ends():
    assert "does not exist" in correlation_of_areas(1.0, 0.5).reason
    with pytest.raises(InputError, match="mean_correlation must lie between -1 and 1, got 1.5"):
        correlation_of_areas(0.8, 1.5)


def test_bamber_definition():
    """Against the triple sums written out."""
    rng = np.random.default_rng(2)
    pos, neg = rng.integers(0, 6, 7), rng.integers(0, 5, 9)

    def sign(a, b):
        return int(a > b) - int(a < b)

    byyx = np.mean(
        [sign(x, y) * sign(x, z) for x in pos for i, y in enumerate(neg) for j, z in enumerate(neg) if i != j]
    )
    bxxy = np.mean(
        [sign(y, x) * sign(y, z) for y in neg for i, x in enumerate(pos) for j, z in enumerate(pos) if i != j]
    )
    unequal = np.mean([x != y for x in pos for y in neg])
    p, n = len(pos), len(neg)
    area = float(twins.brute_auc(pos, neg))
    want = (unequal + (p - 1) * bxxy + (n - 1) * byyx - 4 * (p + n - 1) * (area - 0.5) ** 2) / (4 * (p - 1) * (n - 1))
    assert bamber_se(of(pos, neg)) == pytest.approx(math.sqrt(want))


def test_bamber_is_undefined_for_one_case():
    assert "two cases" in bamber_se(of([3], [1, 2])).reason


@given(pos=TWO_OR_MORE, neg=TWO_OR_MORE)
def test_tie_corrected_property_never_exceeds_the_uncorrected(pos, neg):
    tally = of(pos, neg)
    assert 0 <= tie_corrected_null_se(tally) <= null_se(len(pos), len(neg)) + 1e-15


def test_empirical_q_published_by_spss():
    """The worked Slovenian table: .126639, where DeLong gives .127279."""
    tally = of([0.89, 0.80, 0.80, 0.63, 0.33], [0.80, 0.33, 0.10, 0.10, 0.10])
    assert round(empirical_q_se(tally), 6) == 0.126639
    assert round(math.sqrt(delong_variance(tally, 0.86)), 6) == 0.127279


def test_importance_weights_of_one_give_the_unweighted_variance():
    rng = np.random.default_rng(4)
    label = rng.random(60) < 0.4
    score = np.round(rng.normal(size=60) + label, 1)
    plain = Tally.from_labels(label, score)
    weighted = Tally.from_labels(label, score, weight=np.full(60, 0.25))
    for name, area in AREAS.items():
        assert area_variance(weighted, area.influence(weighted)) == pytest.approx(
            area_variance(plain, area.influence(plain)), rel=1e-10
        ), name


def test_importance_weights_definition_by_the_sandwich_sum():
    rng = np.random.default_rng(6)
    label = np.repeat([True, False], [30, 40])
    score, weight = rng.normal(size=70) + label, rng.uniform(0.2, 3, 70)
    tally = Tally.from_labels(label, score, weight=weight)
    area = METHODS["empirical"].estimate(tally)
    x, y, w, v = score[label], score[~label], weight[label], weight[~label]
    v10 = np.array([np.sum(v * (xi > y)) / v.sum() for xi in x])
    v01 = np.array([np.sum(w * (x > yj)) / w.sum() for yj in y])
    assert area == pytest.approx(np.sum(w * v10) / w.sum())
    want = 0.0
    for values, share in ((v10, w), (v01, v)):
        effective = share.sum() ** 2 / np.sum(share**2)
        spread = np.sum(share**2 * (values - area) ** 2) / share.sum() ** 2
        want += spread * effective / (effective - 1)
    assert area_variance(tally, influence_of_auc(tally)) == pytest.approx(want, rel=1e-12)


def test_frequency_weights_give_the_variance_of_repeated_cases():
    rng = np.random.default_rng(8)
    label = np.repeat([True, False], [12, 15])
    score, weight = rng.integers(0, 9, 27).astype(float), rng.integers(0, 4, 27)
    weighted = Tally.from_labels(label, score, weight=weight)
    repeated = Tally.from_labels(np.repeat(label, weight), np.repeat(score, weight))
    area = METHODS["empirical"].estimate(repeated)
    assert delong_variance(weighted, area) == pytest.approx(delong_variance(repeated, area), rel=1e-12)


def test_bootstrap_agrees_with_the_influence_for_every_area(asah):
    """2000 replicates have a relative error of 1.6%; the rest is the difference of two estimators at n = 113."""
    tally = Tally.from_labels(asah["y"], asah["s100b"])
    for name, area in AREAS.items():
        closed = estimate_area(tally, area).standard_error
        sampled = estimate_area(tally, area, AreaUncertainty(variance="bootstrap", rng=1)).standard_error
        assert sampled == pytest.approx(closed, rel=0.12), name


def test_one_case_per_class_falls_back_and_says_so():
    tally = of([3], [1, 2, 4])
    estimate = estimate_area(tally, area_of_method("empirical"))
    assert "only one positive case" in estimate.notes[0]
    logit = estimate_area(tally, area_of_method("empirical"), AreaUncertainty(interval="logit"))
    assert logit.interval.method.startswith("Hanley-McNeil 1982")
    assert 0 < estimate.interval.low < estimate.area < estimate.interval.high < 1


def test_other_areas_with_one_case_are_undefined_with_a_reason():
    estimate = estimate_area(of([3], [1, 2, 4]), area_of_method("tauc"))
    assert "only one positive case" in estimate.standard_error.reason
    assert "only one positive case" in estimate.interval.low.reason


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variance": "jackknife"}, "variance must be one of 'delong'"),
        ({"interval": "arcsine"}, "interval must be one of 'auto', 'score', 'logit'"),
        ({"interval": "bca", "variance": "bamber"}, "comes from the bootstrap, got variance='bamber'"),
        ({"level": 95}, r"level must lie strictly between 0 and 1, got 95; write 0.95"),
        ({"rng": -1, "interval": "bca"}, "rng must be a whole number >= 0"),
    ],
)
def test_estimate_error_messages(options, message):
    with pytest.raises(InputError, match=message):
        estimate_area(of([3, 4], [1, 2, 4]), area_of_method("empirical"), AreaUncertainty(**options))


def test_hull_has_no_closed_standard_error():
    with pytest.raises(InputError, match="needs a known influence function, and 'hull' has none"):
        estimate_area(of([3, 4], [1, 2, 4]), area_of_method("hull"), AreaUncertainty(variance="delong"))
    with pytest.raises(InputError, match="exists for the empirical AUC only, got tAUC"):
        estimate_area(of([3, 4], [1, 2, 4]), area_of_method("tauc"), AreaUncertainty(variance="bamber"))


def test_importance_weights_refuse_the_bootstrap():
    tally = Tally.from_labels(np.array([True, False, True]), np.arange(3.0), weight=np.array([0.5, 1.5, 1.0]))
    with pytest.raises(InputError, match="no form for importance weights"):
        estimate_area(
            tally,
            area_of_method("empirical"),
            AreaUncertainty(variance="bootstrap", resampling=Resampling(replicates=5)),
        )


def test_partial_estimate_matches_the_area_room(asah):
    tally = Tally.from_labels(asah["y"], asah["wfns"])
    estimate = estimate_area(tally, area_of_region(fpr=(0, 0.1), standardize="mcclish"))
    part = partial_area(roc_curve(tally), fpr=(0, 0.1))
    assert estimate.area == part.standardised("mcclish")
    assert estimate.quantity == "partial AUC (mcclish)"
