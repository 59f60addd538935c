"""Averages of curves: the oracle, definitions and errors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

import roclab as rl
from roclab.averaging.result import mean_and_spread
from roclab.errors import InputError, OneClassError, RoclabWarning
from tests.conftest import decoded, oracle


@pytest.fixture(scope="module")
def case():
    return oracle("averaging_a")


@pytest.fixture(scope="module")
def folds(case):
    return [rl.roc(fold["labels"], fold["scores"]) for fold in case["inputs"]["folds"]]


def test_vertical_oracle(case, folds):
    want = case["expected"]["vertical"]
    got = rl.average(folds, points=case["inputs"]["fpr_samples"], spread="normal")
    np.testing.assert_allclose(got.fpr, want["fpr"], atol=1e-12)
    np.testing.assert_allclose(got.tpr, want["tpr_mean"], atol=1e-9)
    np.testing.assert_allclose(got.tpr_spread.sd, want["tpr_sd"], atol=1e-9)
    np.testing.assert_allclose(
        np.column_stack([got.tpr_spread.low, got.tpr_spread.high]), want["ci95_normal"], atol=1e-9
    )
    binomial = rl.average(folds, points=case["inputs"]["fpr_samples"], spread="binomial")
    np.testing.assert_allclose(
        np.column_stack([binomial.tpr_spread.low, binomial.tpr_spread.high]), want["ci95_binomial"], atol=1e-9
    )
    assert got.area_of_average == pytest.approx(want["auc_of_average"], abs=1e-9)
    assert got.areas == pytest.approx(case["expected"]["fold_auc"], abs=1e-9)
    assert got.mean_of_areas == pytest.approx(case["expected"]["mean_auc"], abs=1e-9)


def test_threshold_as_published_oracle(case, folds):
    """The oracle follows the printed algorithm."""
    got = rl.average(folds, how="threshold_as_published", points=case["inputs"]["threshold_samples"])
    want = case["expected"]["threshold"]
    assert got.thresholds.tolist() == [decoded(row["threshold"]) for row in want]
    for values, key in (
        (got.fpr, "fpr_mean"),
        (got.tpr, "tpr_mean"),
        (got.fpr_spread.sd, "fpr_sd"),
        (got.tpr_spread.sd, "tpr_sd"),
    ):
        np.testing.assert_allclose(values, [row[key] for row in want], atol=1e-9)


def test_threshold_definition_rates_are_those_at_the_threshold(case, folds):
    got = rl.average(folds, how="threshold", points=case["inputs"]["threshold_samples"])
    printed = rl.average(folds, how="threshold_as_published", points=case["inputs"]["threshold_samples"])
    assert got.thresholds.tolist() == printed.thresholds.tolist()
    for at, t in enumerate(got.thresholds):
        rates = {
            label: np.mean(
                [np.mean(np.array(f["scores"])[np.array(f["labels"]) == label] >= t) for f in folds_of(case)]
            )
            for label in (0, 1)
        }
        assert (got.fpr[at], got.tpr[at]) == pytest.approx((rates[0], rates[1]), abs=1e-12)
        assert printed.fpr[at] >= got.fpr[at]
        assert printed.tpr[at] >= got.tpr[at]
    assert (printed.tpr > got.tpr).any(), "these folds tell the two apart"
    assert str(printed).startswith("threshold as published average of 4 curves")


def folds_of(case):
    return case["inputs"]["folds"]


def test_threshold_in_the_lower_direction_definition():
    curves = [rl.roc([1, 0], [high, 9.0], direction="lower") for high in (3.0, 2.0)]
    got = rl.average(curves, how="threshold", points=50)
    points = dict(zip(got.thresholds.tolist(), zip(got.fpr.tolist(), got.tpr.tolist(), strict=True), strict=True))
    assert points[2.0] == (0.0, 0.5)  # the positive of score 3 is not called at 2
    assert points[3.0] == (0.0, 1.0)


def test_diagonal_property_its_area_is_the_mean_of_the_areas_and_its_mirror_image_the_same(folds):
    got = rl.average(folds, how="diagonal")
    assert got.area_of_average == pytest.approx(got.mean_of_areas, abs=1e-12)  # exact but for the order of sums
    mirrored = [rl.Roc.from_points(1 - one.curve.tpr[::-1], 1 - one.curve.fpr[::-1]) for one in folds]
    other = rl.average(mirrored, how="diagonal")
    np.testing.assert_allclose(other.fpr, 1 - got.tpr[::-1], atol=1e-12)
    np.testing.assert_allclose(other.tpr, 1 - got.fpr[::-1], atol=1e-12)
    rough = rl.average(folds, how="diagonal", points=400)
    assert rough.fpr.size == 401
    assert rough.area_of_average == pytest.approx(got.mean_of_areas, abs=2e-3)  # a grid cuts corners


def test_diagonal_definition_of_two_curves():
    """On the line fpr + tpr = 1 a perfect curve stands at (0, 1) and chance at (1/2, 1/2)."""
    two = [rl.Roc.from_points([0.0], [1.0]), rl.Roc.from_points([0.5], [0.5])]
    got = rl.average(two, how="diagonal", points=2)
    assert list(zip(got.fpr.tolist(), got.tpr.tolist(), strict=True)) == [(0, 0), (0.25, 0.75), (1, 1)]


def test_pooled_oracle(case, folds):
    got = rl.average(folds, how="pooled")
    assert got.area_of_average == pytest.approx(case["expected"]["pooled_auc"], abs=1e-12)
    assert got.fpr.size == case["expected"]["pooled_points"]


def test_folds_in_a_column_are_the_same_as_a_list(case, folds):
    label = np.concatenate([fold["labels"] for fold in case["inputs"]["folds"]])
    score = np.concatenate([fold["scores"] for fold in case["inputs"]["folds"]])
    fold = np.repeat(["a", "b", "c", "d"], 14)
    order = np.random.default_rng(1).permutation(label.size)
    cases = rl.read_cases(label[order], score[order], folds=fold[order])
    by_column = rl.average(cases)
    by_list = rl.average(folds)
    assert sorted(by_column.areas) == pytest.approx(sorted(by_list.areas))
    np.testing.assert_allclose(by_column.tpr, by_list.tpr, atol=1e-12)


def test_identical_folds_have_no_spread_and_their_own_curve(folds):
    got = rl.average([folds[0]] * 3, points=20)
    np.testing.assert_allclose(got.tpr, folds[0].curve.at(got.fpr))
    np.testing.assert_allclose(got.tpr_spread.sd, 0, atol=1e-15)
    assert got.area_of_average != got.mean_of_areas, "a grid of 20 points is not the curve itself"
    assert got.sd_of_areas == pytest.approx(0)


def test_one_curve_has_no_standard_deviation(folds):
    got = rl.average(folds[:1])
    assert "no spread" in got.sd_of_areas.reason
    assert np.isnan(got.tpr_spread.sd).all()


def test_lower_direction_averages_like_the_negated_scores(case):
    up = [rl.roc(f["labels"], f["scores"]) for f in case["inputs"]["folds"]]
    down = [rl.roc(f["labels"], np.negative(f["scores"]), direction="lower") for f in case["inputs"]["folds"]]
    a, b = (rl.average(curves, how="threshold", points=8) for curves in (up, down))
    np.testing.assert_allclose(a.fpr, b.fpr)
    np.testing.assert_allclose(a.thresholds, -b.thresholds)


def test_different_models_are_warned_about(case):
    first, second = case["inputs"]["folds"][:2]
    curves = [rl.roc(f["labels"], {n: f["scores"]}) for n, f in (("svm", first), ("tree", second))]
    with pytest.warns(RoclabWarning, match=r"different models \(svm, tree\)"):
        rl.average(curves, how="threshold")


def test_averaging_error_messages(folds):
    with pytest.raises(InputError, match="threshold averaging needs the thresholds of every curve, and '2' has none"):
        rl.average([folds[0], rl.Roc.from_points([0.2], [0.5])], how="threshold")
    with pytest.raises(InputError, match="pooling needs the cases of every curve"):
        rl.average([folds[0], rl.Roc.from_points([0.2], [0.5])], how="pooled")
    with pytest.raises(InputError, match="spread='binomial' needs the number of cases"):
        rl.average([folds[0], rl.Roc.from_points([0.2], [0.5])], spread="binomial")
    with pytest.raises(InputError, match="curves must hold at least one curve"):
        rl.average([])
    with pytest.raises(InputError, match="curves must be made by roc"):
        rl.average([1, 2])
    with pytest.raises(InputError, match="how must be one of 'vertical', 'horizontal', .* got 'crosswise'"):
        rl.average(folds, how="crosswise")
    cases = rl.read_cases([1, 0, 1, 1], [1, 2, 3, 4], folds=["a", "a", "b", "b"])
    with pytest.raises(OneClassError, match="fold 'b' holds one class only"):
        rl.average(cases)
    with pytest.raises(InputError, match="an average needs several curves, got one, of score; split it with folds"):
        rl.average(rl.read_cases([1, 0], [1, 2]))


def test_ten_folds_of_a_cross_validation():
    """Areas by fold as each fold alone gives them; on the default grid the average curve has their mean as its area."""
    rng = np.random.default_rng(4)
    label = rng.integers(0, 2, 2000)
    score, fold = label + rng.normal(size=2000), rng.integers(0, 10, 2000)
    got = rl.average(rl.read_cases(label, score, folds=fold))
    alone = {str(k): rl.auc(label[fold == k], score[fold == k]).area for k in range(10)}
    assert dict(zip(got.names, got.areas, strict=True)) == pytest.approx(alone)
    assert got.mean_of_areas == pytest.approx(np.mean(list(alone.values())))
    assert got.area_of_average == pytest.approx(got.mean_of_areas, abs=0.01)


def test_limits_definition_of_every_spread(folds):
    """By hand: t with k - 1 degrees of freedom, and 1 / (k - 1) more for folds that share training cases."""
    values = np.array([one.curve.at(np.arange(5) / 4) for one in folds])
    k, sd, mean = len(folds), values.std(axis=0, ddof=1), values.mean(axis=0)
    t = student.ppf(0.95, k - 1)
    reach = {"t": t / k**0.5, "corrected": t * (1 / k + 1 / (k - 1)) ** 0.5, "normal": norm.ppf(0.95) / k**0.5}
    for kind, by in reach.items():
        got = rl.average(folds, points=4, spread=kind, level=0.9)
        assert got.spread == kind
        np.testing.assert_allclose(got.tpr_spread.low, np.clip(mean - by * sd, 0, 1), atol=1e-12)
        np.testing.assert_allclose(got.tpr_spread.high, np.clip(mean + by * sd, 0, 1), atol=1e-12)


@pytest.mark.parametrize("how", ["vertical", "horizontal", "diagonal", "threshold", "precision_recall"])
def test_folds_are_corrected_and_other_curves_are_not(how):
    rng = np.random.default_rng(4)
    label = np.tile([1, 0], 40)
    score, fold = rng.normal(size=80) + label, np.repeat(list("abcd"), 20)
    of_folds = rl.average(label, score, folds=fold, how=how)
    curves = [rl.roc(label[fold == name], score[fold == name]) for name in "abcd"]
    plain = rl.average(curves, how=how)
    assert "with Nadeau and Bengio's correction" in str(of_folds)
    assert "limits by t from the spread between curves" in str(plain)
    low = [one.spread if how == "precision_recall" else one.fpr_spread or one.tpr_spread for one in (of_folds, plain)]
    assert np.all(low[0].low <= low[1].low)
    assert np.any(low[0].low < low[1].low)


def test_mean_of_three_curves_holds_its_level():
    """2000 sets of three normal heights: t holds 95%, the normal limits 81% (Monte-Carlo error .005 and .009)."""
    heights = 0.5 + 0.02 * np.random.default_rng(1).normal(size=(3, 2000))
    held = {}
    for kind in ("t", "normal"):
        found = mean_and_spread(heights, level=0.95, kind=kind)
        held[kind] = float(np.mean((found.low <= 0.5) & (found.high >= 0.5)))
    assert held["t"] == pytest.approx(0.95, abs=0.02)
    assert held["normal"] == pytest.approx(0.81, abs=0.03)
