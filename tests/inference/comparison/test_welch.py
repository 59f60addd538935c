"""Welch's t and Hotelling's F for areas: definitions, invariances, agreement of p and interval, level."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import f as f_distribution
from scipy.stats import t as t_distribution

import roclab as rl
from roclab.errors import InputError


def sample(seed, n_pos=14, n_neg=22, k=2, ties=True):
    rng = np.random.default_rng(seed)
    label = np.repeat([True, False], [n_pos, n_neg])
    common = rng.normal(size=label.size) + label
    scores = {f"s{at}": common + rng.normal(size=label.size) for at in range(k)}
    return label, {name: np.round(values, 1) if ties else values for name, values in scores.items()}


def twin(label, one, two):
    """Difference, standard error and degrees of freedom written out from the matrices of comparisons."""
    pos, neg = np.flatnonzero(label), np.flatnonzero(~label)
    kernel = [np.sign(s[pos][:, None] - s[neg][None, :]) / 2 + 0.5 for s in (one, two)]
    apart = kernel[0] - kernel[1]
    parts = []
    for d in (apart.mean(axis=1), apart.mean(axis=0)):
        d, n = d - d.mean(), d.size
        effective = max(1.0, (d**2).sum() ** 2 / (d**4).sum()) if np.any(np.abs(d) > 1e-12) else 1.0
        parts.append((np.var(d, ddof=1) / n + 1 / (4 * n**2 * effective), n))
    variance = sum(part for part, _ in parts)
    return apart.mean(), variance**0.5, variance**2 / sum(part**2 / (n - 1) for part, n in parts)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=40)
def test_paired_t_definition(seed):
    label, scores = sample(seed)
    pair = rl.compare(label, scores, test="t").pairs[0]
    difference, error, df = twin(label, *scores.values())
    assert (pair.difference, pair.standard_error, pair.df) == pytest.approx(
        (difference, error, df), rel=1e-9, abs=1e-12
    )
    assert pair.p_value == pytest.approx(2 * t_distribution.sf(abs(difference / error), df), rel=1e-9)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=40)
def test_f_of_two_areas_property_is_the_square_of_t(seed):
    label, scores = sample(seed)
    found = rl.compare(label, scores, test="t")
    assert found.equality.p_value == pytest.approx(found.pairs[0].p_value, rel=1e-8)
    assert found.equality.statistic == pytest.approx(found.pairs[0].statistic ** 2, rel=1e-8, abs=1e-12)


@given(seed=st.integers(0, 10_000), level=st.sampled_from([0.8, 0.95, 0.99]))
@settings(max_examples=40)
def test_p_and_interval_property_agree(seed, level):
    label, scores = sample(seed, k=3)
    found = rl.compare(label, scores, level=level, test="t")
    for pair in found.pairs:
        assert (0 in pair.interval) == (pair.p_value >= 1 - level)
    for margin in (0.02, 0.1):
        claim = found.margin("s0", "s1", margin=margin, claim="equivalence")
        assert claim.shown == (-margin < claim.interval.low and claim.interval.high < margin)


def test_f_of_three_areas_definition():
    """Hotelling's statistic with Krishnamoorthy and Yu's degrees of freedom, from differences instead of Helmert's."""
    label, scores = sample(3, k=3, ties=False)
    pos, neg = label, ~label
    kernels = [np.sign(s[pos][:, None] - s[neg][None, :]) / 2 + 0.5 for s in scores.values()]
    areas = np.array([kernel.mean() for kernel in kernels])
    contrasts = np.array([[1.0, -1, 0], [1, 0, -1]])
    parts = []
    for axis in (1, 0):
        v = np.array([kernel.mean(axis=axis) for kernel in kernels])
        n = v.shape[1]
        correction = np.zeros((3, 3))
        for i in range(3):
            for j in range(3):
                d = (v[i] - v[j]) - (v[i] - v[j]).mean()
                if i != j:
                    correction[i, j] = 1 / (4 * n**2 * max(1.0, (d**2).sum() ** 2 / (d**4).sum()))
        ridge = np.diag(correction.sum(axis=1) / 4)  # half of a pair's correction each, shared by two pairs
        parts.append((contrasts @ (np.cov(v) / n + ridge) @ contrasts.T, n))
    whole = parts[0][0] + parts[1][0]
    inverse = np.linalg.inv(whole)
    square = (contrasts @ areas) @ inverse @ (contrasts @ areas)
    below = sum((np.trace(s @ inverse @ s @ inverse) + np.trace(s @ inverse) ** 2) / (n - 1) for s, n in parts)
    nu = 6 / below
    found = rl.compare(label, scores, test="t").equality
    assert found.statistic == pytest.approx(square * (nu - 1) / (2 * nu), rel=1e-9)
    assert found.p_value == pytest.approx(f_distribution.sf(found.statistic, 2, nu - 1), rel=1e-9)
    assert found.distribution == f"F, 2 and {nu - 1:.1f} df"


def test_a_pair_is_the_same_with_a_third_score_beside_it():
    label, scores = sample(5, k=3)
    alone = rl.compare(label, {name: scores[name] for name in ("s0", "s1")}, test="t").pairs[0]
    beside = rl.compare(label, scores, test="t").pair("s0", "s1")
    assert (beside.statistic, beside.df) == pytest.approx((alone.statistic, alone.df), rel=1e-12)
    contrast = rl.compare(label, scores, test="t").contrast({"s0": 1, "s1": -1})
    assert (contrast.statistic, contrast.df) == pytest.approx((alone.statistic, alone.df), rel=1e-12)


@given(seed=st.integers(0, 1000))
@settings(max_examples=20)
def test_frequency_weights_property_equal_repetition(seed):
    label, scores = sample(seed)
    weight = np.random.default_rng(seed).integers(0, 4, label.size)
    weight[[0, 1, -1, -2]] = 1
    weighted = rl.compare(label, scores, sample_weight=weight, test="t").pairs[0]
    written_out = {n: np.repeat(s, weight) for n, s in scores.items()}
    repeated = rl.compare(np.repeat(label, weight), written_out, test="t").pairs[0]
    assert (weighted.statistic, weighted.df) == pytest.approx((repeated.statistic, repeated.df), rel=1e-9)


def test_gini_and_auc_have_the_same_t():
    label, scores = sample(7)
    auc, gini = (rl.compare(label, scores, estimator=name, test="t").pairs[0] for name in ("empirical", "gini"))
    assert gini.difference == pytest.approx(2 * auc.difference)
    assert (gini.statistic, gini.df) == pytest.approx((auc.statistic, auc.df))


def test_clusters_of_one_case_each_give_the_unclustered_t():
    label, scores = sample(8)
    plain = rl.compare(label, scores, test="t").pairs[0]
    clustered = rl.compare(label, scores, ids=np.arange(label.size), variance="clustered").pairs[0]
    assert (clustered.statistic, clustered.df) == pytest.approx((plain.statistic, plain.df), rel=1e-9)
    both = rl.compare(label, scores, ids=np.arange(label.size) % 12).pairs[0]
    assert both.df <= 11, "twelve subjects are eleven degrees of freedom at most"


def test_unpaired_groups_count_the_parts_of_both_samples():
    """Four strata, each with its own variance and size less one."""
    groups = {name: sample(seed, n_pos=n) for name, seed, n in (("a", 1, 9), ("b", 2, 30))}
    pair = rl.compare_groups(
        {name: (label, scores["s0"]) for name, (label, scores) in groups.items()}, pairing="unpaired"
    ).pairs[0]
    parts = []
    for label, scores in groups.values():
        s = scores["s0"]
        kernel = np.sign(s[label][:, None] - s[~label][None, :]) / 2 + 0.5
        for v in (kernel.mean(axis=1), kernel.mean(axis=0)):
            d, n = v - v.mean(), v.size
            parts.append((np.var(v, ddof=1) / n + (d**4).sum() / (4 * n**2 * (d**2).sum() ** 2), n))
    variance = sum(part for part, _ in parts)
    assert pair.standard_error == pytest.approx(variance**0.5, rel=1e-9)
    assert pair.df == pytest.approx(variance**2 / sum(part**2 / (n - 1) for part, n in parts), rel=1e-9)


def test_which_distribution_was_used_is_said():
    label, scores = sample(1, k=3)
    assert "paired; DeLong; roclab score test of equal areas" in str(rl.compare(label, scores))
    assert "paired; DeLong; Welch's t" in str(rl.compare(label, scores, test="t"))
    normal = rl.compare(label, scores, test="normal")
    assert "paired; DeLong; normal distribution" in str(normal)
    assert "chi-squared, 2 df" in str(normal)
    assert normal.contrast({"s0": 1, "s1": -1}).df == float("inf"), "further questions follow the same road"


def test_reference_errors():
    label, scores = sample(1)
    with pytest.raises(InputError, match="test must be one of 'score', 't', 'normal', 't_proc', got 'z'"):
        rl.compare(label, scores, test="z")
    with pytest.raises(InputError, match="test must be 'normal' for tests with another standard error"):
        rl.compare(label, scores, variance="bootstrap", test="t")
    with pytest.raises(InputError, match="'t_proc' is for unpaired samples only, got paired"):
        rl.compare(label, scores, test="t_proc")
    with pytest.raises(InputError, match=r"'score' is for AUCs of few cases .* got paired tAUC of 14 \+ 22 cases"):
        rl.compare(label, scores, estimator="tauc", test="score")
    with pytest.raises(InputError, match="'score' is for AUCs of few cases .* use test='t', or leave it out"):
        rl.compare(label, scores, sample_weight=np.full(label.size, 0.5), test="score")


@pytest.mark.slow
def test_t_keeps_its_level_where_z_does_not_simulation():
    """Areas .97 and .90, correlation .5, 15 + 15 cases: 500 samples, Monte-Carlo error .013 at .90."""
    rng = np.random.default_rng(5)
    label = np.repeat([True, False], 15)
    held = {"t": 0, "normal": 0}
    for _ in range(500):
        common = rng.normal(size=30)
        scores = {
            name: label * shift + np.sqrt(0.5) * (common + rng.normal(size=30))
            for name, shift in (("a", 1.880794 * 2**0.5), ("b", 1.281552 * 2**0.5))
        }
        for reference in held:
            held[reference] += 0.07 in rl.compare(label, scores, test=reference).pairs[0].interval
    assert held["t"] / 500 >= 0.94
    assert held["normal"] / 500 < 0.92
