"""Numbers with their spread from case to case: definitions, limits, and coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from roclab._core.undefined import Undefined
from roclab.data.cases import Cases
from roclab.inference.clustered_values import ClusteredValues, values_of_areas
from roclab.inference.comparison.clustered import covariance_of_clusters
from roclab.inference.contrast_to_noise import contrast_to_noise
from roclab.inference.one_area.area import area_of_method, area_of_region


def voxels(seed, cases=6, n=40):
    """Voxels of some cases, each with an effect of its own."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(cases), n)
    label = rng.random(cases * n) < 0.3
    own = rng.normal(size=cases)[cluster]
    scores = {name: np.round(rng.normal(size=label.size) + shift * label + 0.5 * own, 1)
              for name, shift in (("a", 1.5), ("b", 0.8))}  # fmt: skip
    return label, scores, cluster


def slow_cnr(label, score, cluster):
    """Value and cluster sums by loops over voxels."""
    pos = [x for x, y in zip(score, label, strict=True) if y]
    neg = [x for x, y in zip(score, label, strict=True) if not y]
    middle = math.fsum(neg) / len(neg)
    sd = math.sqrt(math.fsum((x - middle) ** 2 for x in neg) / len(neg))
    top = math.fsum(pos) / len(pos)
    value = (top - middle) / sd
    sums = dict.fromkeys(set(cluster.tolist()), 0.0)
    for x, y, at in zip(score, label, cluster.tolist(), strict=True):
        if y:
            sums[at] += (x - top) / sd / len(pos)
        else:
            sums[at] -= ((x - middle) / sd + value / 2 * ((x - middle) ** 2 / sd**2 - 1)) / len(neg)
    return value, sums


@given(seed=st.integers(0, 30))
def test_contrast_definition_is_the_slow_one(seed):
    label, scores, cluster = voxels(seed)
    found = contrast_to_noise(label, scores, cluster, 6)
    slow = {name: slow_cnr(label, score, cluster) for name, score in scores.items()}
    for at, (value, _) in enumerate(slow.values()):
        assert found.values[at] == pytest.approx(value, rel=1e-10)
    for i, one in enumerate(slow.values()):
        for j, two in enumerate(slow.values()):
            exact = 6 / 5 * sum(one[1][k] * two[1][k] for k in one[1])
            assert found.matrix[i, j] == pytest.approx(exact, rel=1e-9, abs=1e-12)


@given(seed=st.integers(0, 20), scale=st.sampled_from([0.5, 3.0]), shift=st.integers(-5, 5))
def test_contrast_property_order_scale_and_place_do_not_matter(seed, scale, shift):
    label, scores, cluster = voxels(seed)
    order = np.random.default_rng(seed).permutation(label.size)
    one = contrast_to_noise(label, scores, cluster, 6)
    two = contrast_to_noise(label[order], {k: scale * v[order] + shift for k, v in scores.items()}, cluster[order], 6)
    assert two.values == pytest.approx(one.values, rel=1e-9)
    assert two.matrix == pytest.approx(one.matrix, rel=1e-7, abs=1e-12)


def test_the_variance_of_contrast_agrees_with_leaving_cases_out():
    """The jackknife over cases is another first-order variance: alike within a tenth for forty cases."""
    label, scores, cluster = voxels(3, cases=40)
    found = contrast_to_noise(label, {"a": scores["a"]}, cluster, 40)
    left = []
    for out in range(40):
        keep = cluster != out
        left.append(slow_cnr(label[keep], scores["a"][keep], cluster[keep])[0])
    jackknife = 39 / 40 * np.sum((np.array(left) - np.mean(left)) ** 2)
    assert found.matrix[0, 0] == pytest.approx(jackknife, rel=0.1)


def test_a_constant_image_has_no_contrast():
    label, scores, cluster = voxels(1)
    found = contrast_to_noise(label, {"a": scores["a"], "flat": np.ones(label.size)}, cluster, 6)
    assert math.isnan(found.values[1])
    assert isinstance(found.error("flat"), Undefined)
    assert found.error("a") > 0


def brute_obuchowski(label, one, two, cluster):
    """Covariance of two areas by Obuchowski's formula, from all pairs of voxels."""
    pos, neg = np.flatnonzero(label), np.flatnonzero(~label)
    out = []
    for score in (one, two):
        wins = (score[pos][:, None] > score[neg][None]) + 0.5 * (score[pos][:, None] == score[neg][None])
        area = wins.mean()
        v10, v01 = wins.mean(axis=1) - area, wins.mean(axis=0) - area
        names = sorted(set(cluster.tolist()))
        u = np.array([v10[cluster[pos] == k].sum() for k in names])
        v = np.array([v01[cluster[neg] == k].sum() for k in names])
        out.append((u, v))
    (u1, v1), (u2, v2) = out
    p, n, i = pos.size, neg.size, len(set(cluster.tolist()))
    i10, i01 = len(set(cluster[pos].tolist())), len(set(cluster[neg].tolist()))
    s10 = i10 / ((i10 - 1) * p) * np.sum(u1 * u2)
    s01 = i01 / ((i01 - 1) * n) * np.sum(v1 * v2)
    s11 = i / (i - 1) * (np.sum(u1 * v2) + np.sum(v1 * u2))
    return s10 / p + s01 / n + s11 / (p * n)


def cases_of(label, scores, ids):
    return Cases(label=label, scores=scores, ids=ids, direction=dict.fromkeys(scores, "higher"))


@given(seed=st.integers(0, 30), words=st.booleans())
def test_area_covariances_definition_are_obuchowskis(seed, words):
    label, scores, cluster = voxels(seed, n=15)
    for at in range(6):
        assume(label[cluster == at].any())
    ids = np.array([f"case {one}" for one in cluster]) if words else cluster
    found = values_of_areas(covariance_of_clusters(cases_of(label, scores, ids), area_of_method("empirical")), 6)
    for i, one in enumerate(scores.values()):
        for j, two in enumerate(scores.values()):
            assert found.matrix[i, j] == pytest.approx(brute_obuchowski(label, one, two, cluster), rel=1e-8, abs=1e-14)
    gap = found.pairs(level=0.9)[0]
    error = math.sqrt(found.matrix[0, 0] + found.matrix[1, 1] - 2 * found.matrix[0, 1])
    assert gap.standard_error == pytest.approx(error)
    half = stats.t.ppf(0.95, 5) * error
    assert tuple(gap.interval) == pytest.approx((gap.difference - half, gap.difference + half))
    assert gap.p_value == pytest.approx(2 * stats.t.sf(abs(gap.difference / error), 5))


def test_intervals_definition_are_t_on_the_logit_scale():
    known = ClusteredValues(quantity="AUC", names=("a",), values=np.array([0.9]), matrix=np.array([[0.0004]]), cases=5,
                            method="m", bounds=(0.0, 1.0))  # fmt: skip
    low, high = known.interval("a", level=0.95)
    half = stats.t.ppf(0.975, 4) * 0.02 / 0.09
    middle = math.log(9)
    assert (low, high) == pytest.approx(tuple(1 / (1 + math.exp(-(middle + way * half))) for way in (-1, 1)))
    assert known.interval("a", level=0.95).method == "m, t with 4 df, logit"
    perfect = ClusteredValues(quantity="AUC", names=("a",), values=np.array([1.0]), matrix=np.array([[0.0]]), cases=5,
                              method="m", bounds=(0.0, 1.0))  # fmt: skip
    assert tuple(perfect.interval("a", level=0.95)) == (1.0, 1.0)


def test_one_case_has_no_spread():
    none = np.full((2, 2), np.nan)
    known = ClusteredValues(
        quantity="CNR", names=("a", "b"), values=np.array([3.0, 2.0]), matrix=none, cases=1, method="m"
    )
    assert isinstance(known.error("a"), Undefined)
    assert isinstance(known.interval("a", level=0.95).low, Undefined)
    pair = known.pairs(level=0.95)[0]
    assert pair.difference == 1.0
    assert isinstance(pair.p_value, Undefined)


def test_pairs_with_one_value_are_adjusted_among_themselves():
    known = ClusteredValues(quantity="CNR", names=("a", "b", "c"), values=np.array([3.0, 2.0, 2.5]),
                            matrix=np.diag([0.1, 0.1, 0.1]), cases=9, method="m")  # fmt: skip
    some = known.pairs(level=0.95, first="b", adjust="bonferroni")
    assert [(one.first, one.second) for one in some] == [("b", "a"), ("b", "c")]
    assert [one.p_adjusted for one in some] == pytest.approx([min(2 * one.p_value, 1) for one in some])
    assert len(known.pairs(level=0.95)) == 3


@pytest.mark.slow
def test_coverage_of_clustered_intervals():
    """Ten cases with effects of their own: 95% intervals of the AUC, a partial area and the CNR hold it 91 to 99 times.

    The truth is that of 4000 cases. 400 samples have a Monte-Carlo error of 1.1 points.
    """
    areas = {"auc": area_of_method("empirical"), "part": area_of_region(fpr=(0.0, 0.15), standardize="mcclish")}

    def sample(rng, cases):
        cluster = np.repeat(np.arange(cases), 40)
        label = np.tile(np.arange(40) < 10, cases)
        base, lift = 0.4 * rng.normal(size=cases), 0.4 * rng.normal(size=cases)
        return label, rng.normal(size=label.size) + base[cluster] + (1.5 + lift[cluster]) * label, cluster

    def measured(label, score, cluster, cases):
        held = cases_of(label, {"a": score}, cluster)
        out = {name: values_of_areas(covariance_of_clusters(held, area), cases) for name, area in areas.items()}
        return out | {"cnr": contrast_to_noise(label, {"a": score}, cluster, cases)}

    true = {name: one.values[0] for name, one in measured(*sample(np.random.default_rng(99), 4000), 4000).items()}
    rng = np.random.default_rng(1)
    held = dict.fromkeys(true, 0)
    for _ in range(400):
        for name, one in measured(*sample(rng, 10), 10).items():
            held[name] += true[name] in one.interval("a", level=0.95)
    for name, count in held.items():
        assert 0.91 <= count / 400 <= 0.99, (name, count / 400)
