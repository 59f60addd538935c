"""Comparisons: published numbers, invariances, ids, degenerate pairs, clusters, permutation tests."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import roclab as rl
from roclab.errors import InputError, PairingError
from roclab.inference.comparison.by_bootstrap import compare_at_rate
from roclab.inference.comparison.clustered import covariance_of_clusters
from roclab.inference.comparison.contrasts import equality_test, named_contrast
from roclab.inference.comparison.covariance import covariance_of_cases, covariance_of_groups
from roclab.inference.comparison.margins import margin_test
from roclab.inference.comparison.multiplicity import adjusted
from roclab.inference.comparison.published import PublishedArea, hanley_mcneil_1983, published_difference
from roclab.inference.comparison.venkatraman import venkatraman_paired, venkatraman_unpaired
from roclab.inference.one_area.area import area_of_method, area_of_region
from roclab.inference.p_values import p_of_z
from roclab.options.comparison import AreaComparison
from roclab.options.uncertainty import Resampling
from tests.conftest import oracle

AUC = area_of_method("empirical")


def markers(asah):
    return {name: asah[name] for name in ("s100b", "wfns", "ndka")}


def test_asah_paired_published(asah):
    """pROC's covariances, Z, p and intervals of all three pairs, all digits."""
    result = rl.compare(asah["y"], markers(asah), adjust="none", test="normal")
    covariance = result.covariance
    assert covariance[0, 1] == pytest.approx(0.001196155674, abs=5e-13)
    assert covariance[0, 2] == pytest.approx(-0.0007561649381, abs=5e-14)
    assert covariance[1, 2] == pytest.approx(-0.0005329678568, abs=5e-14)
    want = {
        ("s100b", "wfns"): (-2.208983591, 0.02717578223, -0.1742144192, -0.01040617696),
        ("s100b", "ndka"): (1.390770026, 0.1642951752, -0.04887060642, 0.2876917446),
        ("wfns", "ndka"): (2.797775919, 0.005145579707, 0.06340117093, 0.3600405635),
    }
    for pair, values in want.items():
        got = result.pair(*pair)
        assert (got.statistic, got.p_value, got.interval.low, got.interval.high) == pytest.approx(values, rel=1e-9)
    less = rl.compare(asah["y"], markers(asah), alternative="less", adjust="none", test="normal").pair("s100b", "wfns")
    assert less.p_value == pytest.approx(0.01358789111, rel=1e-9)


def test_asah_three_curves_published(asah):
    """The joint test: chi-squared 12.512728 on 2 df, p 0.0019182075."""
    test = rl.compare(asah["y"], markers(asah), test="normal").equality
    assert test.statistic == pytest.approx(12.512728, abs=5e-7)
    assert test.p_value == pytest.approx(0.0019182075, abs=5e-11)
    assert test.distribution == "chi-squared, 2 df"


def test_asah_unpaired_published(asah):
    """pROC's unpaired D with Satterthwaite degrees of freedom."""
    groups = {name: rl.read_cases(asah["y"], {name: values}) for name, values in markers(asah).items()}
    result = rl.compare_groups(groups, pairing="unpaired", test="t_proc", adjust="none")
    one = result.pair("s100b", "wfns")
    assert (one.statistic, one.df, one.p_value) == pytest.approx((-1.434906409, 206.6610638, 0.1528253788), rel=1e-9)
    two = result.pair("s100b", "ndka")
    assert (two.statistic, two.df, two.p_value) == pytest.approx((1.559957434, 222.235396, 0.1201928324), rel=1e-9)
    normal = rl.compare_groups(groups, pairing="unpaired", adjust="none").pair("s100b", "wfns")
    assert normal.interval.low < normal.difference < normal.interval.high


def test_delong_1988_ovarian_published(published_table):
    """The example of DeLong's paper as SAS prints it: three areas, and chi-squared(2) = 2.5340, p 0.2817.

    The paper's Khuri-Geha score is the raw one with low values positive; albumin and protein are low in disease too.
    """
    table = published_table("delong_1988_ovarian.csv")
    y = table["benefit"].astype(int)
    scores = {name: table[name].astype(float) for name in ("albumin", "total_protein", "kg_score")}
    result = rl.compare(y, scores, test="normal")
    found = {one.sample.score: (round(one.area, 4), round(one.standard_error, 4)) for one in result.areas}
    assert sorted(found.values()) == [(0.6478, 0.1), (0.7258, 0.1028), (0.7366, 0.0927)]
    assert round(result.equality.statistic, 4) == 2.5340
    assert round(result.equality.p_value, 4) == 0.2817


def test_wieand_pancreas_published(published_table):
    """Wieand et al. 1989: areas, errors and the paired test as R prints them."""
    table = published_table("pancreas_reconstructed.csv")
    markers = {name: table[name].astype(float) for name in ("ca199", "ca125")}
    result = rl.compare(table["positive"].astype(int), markers, adjust="none", test="normal")
    assert [round(one.area, 4) for one in result.areas] == [0.8614, 0.7056]
    assert [round(one.standard_error, 4) for one in result.areas] == [0.0306, 0.0468]
    assert round(result.pairs[0].statistic, 4) == 2.7221
    assert round(result.pairs[0].p_value, 5) == 0.00649


def test_paired_oracle():
    case = oracle("paired_a")
    inputs, want = case["inputs"], case["expected"]
    cases = rl.read_cases(inputs["labels"], {"1": inputs["marker1"], "2": inputs["marker2"]})
    delong = covariance_of_cases(cases, AUC)
    assert delong.areas == pytest.approx([want["auc1"], want["auc2"]], abs=1e-12)
    assert delong.matrix[0, 1] == pytest.approx(want["delong"]["cov"], abs=1e-12)
    pair = rl.compare(inputs["labels"], {"1": inputs["marker1"], "2": inputs["marker2"]}, test="normal").pairs[0]
    assert pair.statistic == pytest.approx(want["delong"]["z"], abs=1e-9)
    assert pair.p_value == pytest.approx(want["delong"]["p"], abs=1e-9)
    for correlation in ("pearson", "kendall"):
        for mode, key in (("table50", "table50"), ("actual", "actual_nm")):
            difference, r, notes = hanley_mcneil_1983(cases, "1", "2", correlation=correlation, r_mode=mode)
            expected = want[f"hm83_{correlation}_{key}"]
            assert r == pytest.approx(expected["r"], abs=1e-9)
            assert difference.statistic == pytest.approx(expected["z"], abs=1e-9)
            assert difference.p_value == pytest.approx(expected["p"], abs=1e-9)
            assert notes == ()
    one = PublishedArea(name="1", area=want["auc1"], standard_error=want["se1"])
    two = PublishedArea(name="2", area=want["auc2"], standard_error=want["se2"])
    assert published_difference(one, two).statistic == pytest.approx(want["z_unpaired"], abs=1e-9)


def random_cases(seed, n=60, k=3, ties=True):
    rng = np.random.default_rng(seed)
    label = rng.random(n) < 0.45
    label[:2] = [True, False]
    common = rng.normal(size=n) + label
    scores = {f"s{i}": common * 0.6 + rng.normal(size=n) for i in range(k)}
    if ties:
        scores = {name: np.round(values, 1) for name, values in scores.items()}
    return label, scores


@given(seed=st.integers(0, 10_000))
def test_covariance_property_definition_by_components(seed):
    """DeLong's matrix from the full matrices of comparisons."""
    label, scores = random_cases(seed, n=25)
    assume(2 <= label.sum() <= 23)  # a variance needs two cases of each class
    psi = lambda s: (s[label][:, None] > s[~label]) + 0.5 * (s[label][:, None] == s[~label])  # noqa: E731
    kernels = [psi(s) for s in scores.values()]
    v10 = np.array([kernel.mean(axis=1) for kernel in kernels])
    v01 = np.array([kernel.mean(axis=0) for kernel in kernels])
    want = np.cov(v10) / label.sum() + np.cov(v01) / (~label).sum()
    got = covariance_of_cases(rl.read_cases(label, scores), AUC).matrix
    np.testing.assert_allclose(got, want, atol=1e-14)


@given(seed=st.integers(0, 10_000))
def test_comparison_property_invariances(seed):
    """Row order, order of the scores, monotone maps and swapping both classes and directions change nothing."""
    label, scores = random_cases(seed)
    base = rl.compare(label, scores)
    order = np.random.default_rng(seed).permutation(label.size)
    shuffled = rl.compare(label[order], {name: s[order] for name, s in scores.items()})
    mapped = rl.compare(label, {name: np.exp(s) for name, s in scores.items()})
    mirrored = rl.compare(~label, scores, direction="lower")
    for other in (shuffled, mapped, mirrored):
        np.testing.assert_allclose(other.covariance, base.covariance, atol=1e-15)
        assert [p.p_value for p in other.pairs] == pytest.approx([p.p_value for p in base.pairs], rel=1e-9)
        assert other.equality.statistic == pytest.approx(base.equality.statistic, rel=1e-8)
    swapped = rl.compare(label, dict(reversed(scores.items())))
    assert swapped.pair("s1", "s0").statistic == pytest.approx(-base.pair("s0", "s1").statistic, rel=1e-9)
    assert swapped.equality.statistic == pytest.approx(base.equality.statistic, rel=1e-8)


@given(seed=st.integers(0, 10_000), weights=st.lists(st.integers(1, 3), min_size=60, max_size=60))
def test_frequency_weights_property_equal_repetition(seed, weights):
    label, scores = random_cases(seed)
    weight = np.array(weights)
    weighted = rl.compare(label, scores, sample_weight=weight)
    repeated = rl.compare(np.repeat(label, weight), {name: np.repeat(s, weight) for name, s in scores.items()})
    np.testing.assert_allclose(weighted.covariance, repeated.covariance, atol=1e-15)


@pytest.mark.parametrize("area", [AUC, area_of_method("tauc"), area_of_method("average_precision"),
                                  area_of_region(fpr=(0, 0.3))], ids=lambda a: a.quantity)  # fmt: skip
def test_covariance_diagonal_is_the_single_variance(area):
    from roclab.inference.one_area.variance import area_variance

    label, scores = random_cases(3, n=200)
    cases = rl.read_cases(label, scores)
    got = covariance_of_cases(cases, area)
    for at, name in enumerate(cases.names):
        tally = cases.tally(name)
        assert got.matrix[at, at] == pytest.approx(area_variance(tally, area.influence(tally)), rel=1e-12)


def test_groups_with_the_same_ids_in_another_order_are_paired():
    label, scores = random_cases(1)
    ids = np.array([f"p{i}" for i in range(label.size)])
    order = np.random.default_rng(0).permutation(label.size)
    groups = {
        "s0": rl.read_cases(label, {"s0": scores["s0"]}, ids=ids),
        "s1": rl.read_cases(label[order], {"s1": scores["s1"][order]}, ids=ids[order]),
    }
    want = rl.compare(label, {name: scores[name] for name in ("s0", "s1")})
    for pairing in ("paired", "mixed"):
        got = rl.compare_groups(groups, pairing=pairing)
        assert got.pairs[0].p_value == pytest.approx(want.pairs[0].p_value, rel=1e-12)
    assert rl.compare_groups(groups, pairing="unpaired").pairs[0].standard_error > want.pairs[0].standard_error


def test_mixed_covariance_lies_between_paired_and_unpaired():
    label, scores = random_cases(2, n=120)
    ids = np.arange(120)
    half = slice(0, 90)
    groups = {
        "s0": rl.read_cases(label[half], {"s0": scores["s0"][half]}, ids=ids[half]),
        "s1": rl.read_cases(label[30:], {"s1": scores["s1"][30:]}, ids=ids[30:]),
    }
    mixed = covariance_of_groups(groups, AUC, pairing="mixed")
    assert 0 < mixed.matrix[0, 1] < covariance_of_cases(rl.read_cases(label, scores), AUC).matrix[0, 1] * 120 / 60
    assert np.linalg.eigvalsh(mixed.matrix).min() > 0


def test_id_error_messages():
    label, scores = random_cases(1)
    ids = np.array([f"p{i}" for i in range(label.size)])
    one = rl.read_cases(label, {"a": scores["s0"]}, ids=ids)
    fewer = rl.read_cases(label[:-2], {"b": scores["s1"][:-2]}, ids=ids[:-2])
    with pytest.raises(PairingError, match=r"paired scores need the same ids, got 2 ids missing from 'b' \(p58, p59\)"):
        rl.compare_groups({"a": one, "b": fewer}, pairing="paired")
    flipped = label.copy()
    flipped[7] = not flipped[7]
    other = rl.read_cases(flipped, {"b": scores["s1"]}, ids=ids)
    with pytest.raises(PairingError, match=r"different outcomes for 1 id in 'b' and an earlier group \(p7\)"):
        rl.compare_groups({"a": one, "b": other}, pairing="paired")
    without = rl.read_cases(label, {"b": scores["s1"]})
    with pytest.raises(PairingError, match="needs ids in every group, got none for 'b'"):
        rl.compare_groups({"a": one, "b": without}, pairing="paired")
    twice = rl.read_cases(label, {"b": scores["s1"]}, ids=np.where(ids == "p3", "p4", ids))
    with pytest.raises(PairingError, match="ids must be unique within 'b', got 'p4' 2 times"):
        rl.compare_groups({"a": one, "b": twice}, pairing="mixed")


def test_identical_scores_are_explained_not_nan():
    label, scores = random_cases(4)
    same = {"a": scores["s0"], "b": np.exp(scores["s0"]), "c": scores["s1"]}
    result = rl.compare(label, same, test="normal")
    pair = result.pair("a", "b")
    assert pair.difference == 0
    assert pair.standard_error == 0
    assert (pair.interval.low, pair.interval.high) == (0, 0)
    assert "order the cases alike" in pair.p_value.reason
    assert any("order the cases alike" in note for note in result.notes)
    assert result.equality.distribution == "chi-squared, 1 df", "a curve counted twice adds no degree of freedom"
    assert "NaN" not in result.to_json()
    careful = rl.compare(label, same)
    pair = careful.pair("a", "b")
    assert pair.interval.low < 0 < pair.interval.high, "seeing no difference is not the same as there being none"
    assert (pair.statistic, pair.p_value) == (0, 1)
    assert any("a - b: no case is placed differently" in note for note in careful.notes)


def test_two_perfect_scores_are_explained_not_nan():
    perfect = {"a": [4, 3, 2, 1], "b": [9, 8, 1, 0]}
    result = rl.compare([1, 1, 0, 0], perfect, test="normal")
    assert "order the cases alike" in result.pairs[0].p_value.reason
    opposites = {"a": [4, 3, 2, 1], "b": [1, 2, 3, 4]}
    opposite = rl.compare([1, 1, 0, 0], opposites, test="normal")
    assert "variance of the difference is 0" in opposite.pairs[0].p_value.reason
    assert result.equality.p_value.reason
    assert rl.compare([1, 1, 0, 0], perfect).pairs[0].interval.low < 0
    assert rl.compare([1, 1, 0, 0], opposites).pairs[0].p_value > 0


def test_one_score_error():
    with pytest.raises(InputError, match="score must name two scores or more to compare, got a"):
        rl.compare([1, 0, 1, 0], {"a": [1, 2, 3, 4]})


def test_contrasts_and_their_errors():
    label, scores = random_cases(5)
    covariance = covariance_of_cases(rl.read_cases(label, scores), AUC)
    pair = rl.compare(label, scores).pair("s0", "s1")
    same = named_contrast(covariance, {"s0": 1, "s1": -1})
    assert (same.difference, same.p_value) == pytest.approx((pair.difference, pair.p_value))
    mean = named_contrast(covariance, {"s0": 1, "s1": -0.5, "s2": -0.5})
    a = covariance.areas
    assert mean.difference == pytest.approx(a[0] - (a[1] + a[2]) / 2)
    with pytest.raises(InputError, match="must add up to 0"):
        named_contrast(covariance, {"s0": 1, "s1": 1})
    with pytest.raises(InputError, match="weights must name s0, s1, s2, got 'x'"):
        named_contrast(covariance, {"x": 1, "s1": -1})


def test_equality_property_does_not_depend_on_the_reference_curve():
    label, scores = random_cases(6, k=4)
    covariance = covariance_of_cases(rl.read_cases(label, scores), AUC)
    base = equality_test(covariance.areas, covariance.matrix).statistic
    for shift in range(1, 4):
        turn = np.roll(np.arange(4), shift)
        other = equality_test(covariance.areas[turn], covariance.matrix[np.ix_(turn, turn)]).statistic
        assert other == pytest.approx(base, rel=1e-9)


@pytest.mark.parametrize("kind", ["non-inferiority", "equivalence"])
def test_margin_claims_agree_with_their_interval(kind, asah):
    covariance = covariance_of_cases(rl.read_cases(asah["y"], markers(asah)), AUC)
    for margin in (0.01, 0.1, 0.2, 0.3):
        test = margin_test(covariance, "wfns", "s100b", margin=margin, claim=kind)
        low, high = test.interval.low, test.interval.high
        inside = low > -margin if kind == "non-inferiority" else -margin < low and high < margin
        assert test.shown == inside
    definition = margin_test(covariance, "s100b", "wfns", margin=0.05, test="t")
    z = (definition.difference + 0.05) / definition.standard_error
    assert definition.statistic == pytest.approx(z)
    assert definition.p_value == pytest.approx(p_of_z(z, "greater", definition.df))
    normal = margin_test(covariance, "s100b", "wfns", margin=0.05, test="normal")
    assert normal.p_value == pytest.approx(p_of_z(normal.statistic, "greater"))
    assert abs(normal.statistic) > abs(definition.statistic)


def test_margin_error_messages(asah):
    covariance = covariance_of_cases(rl.read_cases(asah["y"], markers(asah)), AUC)
    with pytest.raises(InputError, match="margin must be a finite number above 0, got 0"):
        margin_test(covariance, "s100b", "wfns", margin=0)
    with pytest.raises(InputError, match="score must be one of s100b, wfns, ndka, got 'x'"):
        margin_test(covariance, "s100b", "x", margin=0.1)


def test_adjustments_definition():
    p = [0.01, 0.04, 0.03, 0.005]
    assert adjusted(p, "bonferroni") == pytest.approx([0.04, 0.16, 0.12, 0.02])
    assert adjusted(p, "holm") == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjusted(p, "fdr") == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert adjusted(p, "none") == p
    with_gap = adjusted([0.01, float("nan"), 0.03], "bonferroni")
    assert with_gap[0] == pytest.approx(0.02)
    assert np.isnan(with_gap[1])


@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_adjustments_property_order(p):
    for how in ("holm", "bonferroni", "fdr"):
        fixed = adjusted(p, how)
        assert all(q >= raw - 1e-15 for q, raw in zip(fixed, p, strict=True))
        assert all(q <= min(1, raw * len(p)) + 1e-15 for q, raw in zip(fixed, p, strict=True))


# -- bootstrap ---------------------------------------------------------------------------------------


def test_bootstrap_comparison_published_within_monte_carlo_error(asah):
    """pROC, 2000 replicates: s100b - wfns D = -2.174; s100b - ndka D = 1.403. Relative error of a deviation 1.6%."""
    result = rl.compare(asah["y"], markers(asah), variance="bootstrap", rng=42, adjust="none")
    assert result.pair("s100b", "wfns").statistic == pytest.approx(-2.17447, rel=0.06)
    assert result.pair("s100b", "ndka").statistic == pytest.approx(1.40331, rel=0.06)
    assert "seed 42" in result.method


def test_bootstrap_of_partial_areas_agrees_with_the_closed_form(asah):
    """2000 replicates have a relative error of 1.6%; the rest is the difference of two estimators at n = 113."""
    region = {"fpr": (0, 0.1), "standardize": "mcclish", "adjust": "none"}
    sampled = rl.compare(asah["y"], markers(asah), **region, variance="bootstrap", rng=1)
    closed = rl.compare(asah["y"], markers(asah), **region)
    for pair in (("s100b", "ndka"), ("s100b", "wfns"), ("wfns", "ndka")):
        assert sampled.pair(*pair).standard_error == pytest.approx(closed.pair(*pair).standard_error, rel=0.1)


@pytest.mark.parametrize("method", ["bootstrap", "clustered_bootstrap"])
def test_bootstrap_property_row_order_and_workers_change_nothing(method):
    label, scores = random_cases(7)
    ids = np.arange(label.size) // 2
    order = np.random.default_rng(1).permutation(label.size)

    def run(rows, workers):
        resampling = Resampling(replicates=160, workers=workers)
        return rl.compare(
            label[rows],
            {n: s[rows] for n, s in scores.items()},
            ids=ids[rows] if method.startswith("clustered") else None,
            variance=method,
            rng=5,
            resampling=resampling,
        ).covariance

    base = run(np.arange(label.size), 1)
    np.testing.assert_array_equal(run(order, 1), base)
    np.testing.assert_array_equal(run(np.arange(label.size), 3), base)


def test_bootstrap_of_one_area_does_not_depend_on_workers(asah):
    one, two = (
        rl.auc(asah["y"], asah["ndka"], interval="percentile", rng=9, resampling=Resampling(replicates=300, workers=w))
        for w in (1, 4)
    )
    assert one.interval == two.interval


def test_progress_is_reported_and_an_interrupt_ends_the_bootstrap(asah):
    seen = []
    rl.auc(
        asah["y"], asah["ndka"], interval="percentile", rng=1,
        resampling=Resampling(replicates=120, progress=lambda done, total: seen.append((done, total))),
    )  # fmt: skip
    assert seen == [(50, 120), (100, 120), (120, 120)]

    def stop(done, total):
        raise KeyboardInterrupt

    for workers in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            rl.auc(
                asah["y"], asah["ndka"], interval="percentile", rng=1,
                resampling=Resampling(replicates=5000, progress=stop, workers=workers),
            )  # fmt: skip


def test_plain_bootstrap_with_one_case_of_a_class_says_so():
    """A class of one case is missed by a third of all plain draws; those are drawn again, never NaN."""
    estimate = rl.auc([1] + [0] * 9, np.arange(10), interval="percentile", rng=1,
                      resampling=Resampling(replicates=50, scheme="plain"))  # fmt: skip
    assert estimate.area == 0
    assert estimate.interval.low == 0


def test_resampling_error_messages():
    with pytest.raises(InputError, match="replicates must be a whole number of at least 2, got 1"):
        Resampling(replicates=1)
    with pytest.raises(InputError, match="scheme must be one of 'stratified', 'plain', 'poisson', got 'wild'"):
        Resampling(scheme="wild")


def test_sensitivity_at_fixed_specificity_published(asah):
    """pROC's rates; its p-values need the patients themselves (tests/published/test_outside_data.py)."""
    r = rl.roc(asah["y"], asah["s100b"])
    assert r.rate_at(specificity=0.9, rng=1).rate == pytest.approx(0.3902439024)
    assert r.rate_at(sensitivity=0.9, rng=1).rate == pytest.approx(0.2305555556)


def test_comparison_at_a_fixed_rate_definition(asah):
    """Difference of the two rates over the spread of the paired bootstrap of that difference, written out."""

    def difference(rows):
        label, rates = asah["y"][rows], []
        for name in ("s100b", "wfns"):
            called = asah[name][rows] >= np.append(np.unique(asah[name][rows]), np.inf)[::-1, None]
            # 0.1 is no multiple of 1/72, so no upright piece of the curve lies there.
            rates.append(np.interp(0.1, called[:, ~label].mean(axis=1), called[:, label].mean(axis=1)))
        return rates[0] - rates[1]

    rng = np.random.default_rng(3)
    pos, neg = np.flatnonzero(asah["y"]), np.flatnonzero(~asah["y"])
    drawn = [difference(np.r_[rng.choice(pos, pos.size), rng.choice(neg, neg.size)]) for _ in range(1000)]
    got = compare_at_rate(
        rl.read_cases(asah["y"], {name: asah[name] for name in ("s100b", "wfns")}),
        AreaComparison(at_specificity=0.9, rng=1),
    ).pairs[0]
    assert got.difference == pytest.approx(difference(np.arange(113)))
    # 1000 and 2000 replicates: the ratio of two spreads has an error of about 2.7%.
    assert got.difference / got.statistic == pytest.approx(np.std(drawn), rel=0.11)


# -- clusters ----------------------------------------------------------------------------------------


def test_clusters_of_one_case_give_delong():
    label, scores = random_cases(8)
    cases = rl.read_cases(label, scores, ids=np.arange(label.size))
    np.testing.assert_allclose(
        covariance_of_clusters(cases, AUC).matrix, covariance_of_cases(cases, AUC).matrix, rtol=1e-12
    )


def test_cluster_covariance_definition():
    """Obuchowski's sums written out for two scores."""
    rng = np.random.default_rng(3)
    ids = np.repeat(np.arange(12), 4)
    label = np.tile([True, False, False, True], 12)
    label[8:12] = False
    scores = {name: rng.integers(0, 8, 48) + 2 * label for name in "ab"}
    kernel = {n: (s[label][:, None] > s[~label]) + 0.5 * (s[label][:, None] == s[~label]) for n, s in scores.items()}
    area = {n: k.mean() for n, k in kernel.items()}
    p, n = label.sum(), (~label).sum()
    u = {m: np.array([np.sum(k.mean(axis=1)[ids[label] == i] - area[m]) for i in range(12)]) for m, k in kernel.items()}
    v = {
        m: np.array([np.sum(k.mean(axis=0)[ids[~label] == i] - area[m]) for i in range(12)]) for m, k in kernel.items()
    }
    i10, i01 = len(set(ids[label])), len(set(ids[~label]))

    def covariance(a, b):
        s10 = i10 / ((i10 - 1) * p) * np.sum(u[a] * u[b])
        s01 = i01 / ((i01 - 1) * n) * np.sum(v[a] * v[b])
        s11 = 12 / 11 * np.sum(u[a] * v[b])
        s11_turned = 12 / 11 * np.sum(v[a] * u[b])
        return s10 / p + s01 / n + (s11 + s11_turned) / (p * n)

    got = covariance_of_clusters(rl.read_cases(label, scores, ids=ids), AUC).matrix
    want = [[covariance(a, b) for b in "ab"] for a in "ab"]
    np.testing.assert_allclose(got, want, rtol=1e-10)


@pytest.mark.slow
def test_cluster_variance_definition_by_simulation():
    """Strongly alike lesions: the clustered error is right, the ordinary one far too small (400 samples)."""
    rng = np.random.default_rng(12)
    areas, clustered, ordinary = [], [], []
    for _ in range(400):
        patients = 40
        ids = np.repeat(np.arange(patients), 5)
        label = np.repeat(rng.random(patients) < 0.5, 5)
        score = label + np.repeat(rng.normal(0, 1, patients), 5) + rng.normal(0, 0.4, ids.size)
        cases = rl.read_cases(label, {"s": score}, ids=ids)
        got = covariance_of_clusters(cases, AUC)
        areas.append(got.areas[0])
        clustered.append(got.matrix[0, 0])
        ordinary.append(covariance_of_cases(cases, AUC).matrix[0, 0])
    truth = np.std(areas)
    assert np.sqrt(np.mean(clustered)) == pytest.approx(truth, rel=0.12)
    assert np.sqrt(np.mean(ordinary)) < 0.6 * truth


def test_cluster_error_messages():
    label, scores = random_cases(9)
    with pytest.raises(InputError, match="clustered data need the subject of every case, got none; give ids"):
        rl.compare(label, scores, variance="clustered")
    with pytest.raises(InputError, match="needs two subjects of each class, got 1 subject with positives"):
        rl.compare(label, scores, ids=np.where(label, 0, np.arange(label.size) + 1), variance="clustered")


# -- Venkatraman -------------------------------------------------------------------------------------


def test_venkatraman_paired_property_row_order_does_not_matter_under_ties(asah):
    cases = rl.read_cases(asah["y"], markers(asah))
    few = Resampling(replicates=200)
    base = venkatraman_paired(cases, "s100b", "wfns", rng=1, resampling=few)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(cases))
        got = venkatraman_paired(cases.only(order), "s100b", "wfns", rng=1, resampling=few)
        assert got.statistic == pytest.approx(base.statistic, rel=1e-12)
        assert got.p_value == base.p_value


def test_venkatraman_paired_published_magnitude(asah):
    """pROC prints p = 0.0225 and 0.2005 with ties broken by row order; averaging over ties moves E, hardly p."""
    cases = rl.read_cases(asah["y"], markers(asah))
    assert venkatraman_paired(cases, "s100b", "wfns", rng=3).p_value == pytest.approx(0.0225, abs=0.012)
    assert venkatraman_paired(cases, "s100b", "ndka", rng=3).p_value == pytest.approx(0.2005, abs=0.035)


def test_venkatraman_statistic_definition_without_ties():
    """Errors counted cut by cut."""
    label, scores = random_cases(10, n=30, ties=False)
    cases = rl.read_cases(label, scores)
    total = 0
    for cut in range(1, 31):
        errors = []
        for name in ("s0", "s1"):
            low = np.argsort(scores[name])[:cut]
            called_neg = np.isin(np.arange(30), low)
            errors.append(np.sum(label & called_neg) + np.sum(~label & ~called_neg))
        total += abs(int(errors[0]) - int(errors[1]))
    got = venkatraman_paired(cases, "s0", "s1", rng=1, resampling=Resampling(replicates=10))
    assert got.statistic == pytest.approx(total)


def test_venkatraman_p_is_never_zero_and_one_for_equal_curves():
    label, scores = random_cases(11)
    cases = rl.read_cases(label, {"a": scores["s0"], "b": scores["s0"] * 2, "c": label * 9 + scores["s0"] / 100})
    few = Resampling(replicates=99)
    assert venkatraman_paired(cases, "a", "b", rng=1, resampling=few).p_value == 1
    assert venkatraman_paired(cases, "a", "c", rng=1, resampling=few).p_value == pytest.approx(0.01)
    with pytest.raises(InputError, match="must differ"):
        venkatraman_paired(cases, "a", "a")


def test_venkatraman_unpaired_sees_different_curves_and_not_equal_ones():
    rng = np.random.default_rng(21)
    label = np.repeat([True, False], 80)
    make = lambda name, spread: rl.read_cases(label, {name: rng.normal(label * 1.0, np.where(label, spread, 1.0))})  # noqa: E731
    few = Resampling(replicates=400)
    assert venkatraman_unpaired(make("a", 1), make("b", 1), rng=1, resampling=few).p_value > 0.05
    assert venkatraman_unpaired(make("a", 0.2), make("c", 4.0), rng=1, resampling=few).p_value < 0.02


@pytest.mark.nightly
def test_sizes_of_the_tests_under_the_null_by_simulation():
    """5% tests of equal markers reject about 5% of the time (400 samples, two standard errors 2.2%)."""
    rng = np.random.default_rng(31)
    few = Resampling(replicates=199)
    rejected = {"delong": 0, "bootstrap": 0, "venkatraman": 0, "unpaired": 0}
    runs = 400
    for _ in range(runs):
        label = np.repeat([True, False], [30, 40])
        common = rng.normal(size=70) + label
        scores = {name: np.round(common + rng.normal(size=70), 1) for name in "ab"}
        cases = rl.read_cases(label, scores)
        rejected["delong"] += rl.compare(label, scores).pairs[0].p_value < 0.05
        rejected["bootstrap"] += (
            rl.compare(label, scores, variance="bootstrap", rng=rng, resampling=few).pairs[0].p_value < 0.05
        )
        rejected["venkatraman"] += venkatraman_paired(cases, "a", "b", rng=rng, resampling=few).p_value <= 0.05
        groups = {name: rl.read_cases(label, {name: rng.normal(size=70) + label}) for name in "ab"}
        rejected["unpaired"] += venkatraman_unpaired(*groups.values(), rng=rng, resampling=few).p_value <= 0.05
    for name, count in rejected.items():
        assert 0.02 <= count / runs <= 0.085, (name, count / runs)


@pytest.mark.parametrize("estimator", ["empirical", "gini", "tauc", "average_precision"])
def test_areas_in_a_comparison_have_the_intervals_they_have_alone(estimator):
    rng = np.random.default_rng(4)
    label = rng.random(200) < 0.4
    score = rng.normal(size=200) + label
    other, group = score + rng.normal(size=200), rng.random(200) < 0.5
    alone = rl.auc(label, score, estimator=estimator)
    paired = rl.compare(label, {"one": score, "two": other}, estimator=estimator).areas[0]
    assert tuple(paired.interval) == pytest.approx(tuple(alone.interval), abs=1e-14)
    parts = rl.compare_groups(label, score, group=group, estimator=estimator).areas
    for side, part in zip((False, True), parts, strict=True):
        alone = rl.auc(label[group == side], score[group == side], estimator=estimator)
        assert tuple(part.interval) == pytest.approx(tuple(alone.interval), abs=1e-14)
