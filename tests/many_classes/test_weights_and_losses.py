"""Weighted cases, losses of probabilities and weighted kappas of several classes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import t as student
from sklearn.metrics import cohen_kappa_score, confusion_matrix, log_loss, roc_auc_score

import roclab as rl
from roclab.errors import InputError, RoclabWarning

RNG = np.random.default_rng(4)
Y = np.repeat(["a", "b", "c"], [20, 30, 25])
P = RNG.random((75, 3)) + 0.5 * (Y[:, None] == np.array(["a", "b", "c"]))
P = np.round(P / P.sum(axis=1, keepdims=True), 2)  # ties
P[:, 2] = 1 - P[:, 0] - P[:, 1]
W = np.round(RNG.random(75) * 3, 2)


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
def test_weighted_areas_are_those_of_scikit_learn_oracle(average):
    found = rl.multiclass(Y, P, sample_weight=W)
    want = roc_auc_score(Y, P, multi_class="ovr", average=average, sample_weight=W)
    assert found.averages[average].area == pytest.approx(want, abs=1e-12)
    assert found.weighted
    assert "importance weights" in str(found)


def test_weighted_pairs_definition():
    found = rl.multiclass(Y, P, sample_weight=W)
    pos, neg = Y == "a", Y == "c"
    score, pairs = P[:, 0], W[pos][:, None] * W[neg]
    wins = (score[pos][:, None] > score[neg]) + (score[pos][:, None] == score[neg]) / 2
    assert found.pairs["a|c"].area == pytest.approx(np.sum(pairs * wins) / pairs.sum(), abs=1e-12)
    assert found.averages["hand_till"].area == pytest.approx(np.mean([one.area for one in found.pairs.values()]))


def test_equal_weights_change_nothing_property():
    plain, weighted = rl.multiclass(Y, P), rl.multiclass(Y, P, sample_weight=np.full(75, 1.7))
    for kind in ("classes", "pairs", "averages"):
        for name, one in getattr(plain, kind).items():
            other = getattr(weighted, kind)[name]
            assert other.area == pytest.approx(one.area, abs=1e-12)
            if name != "micro":  # whose plain error has Obuchowski's denominators
                assert other.standard_error == pytest.approx(one.standard_error, rel=1e-9)
    assert weighted.averages["micro"].standard_error == pytest.approx(plain.averages["micro"].standard_error, rel=0.01)


def test_weighted_errors_agree_with_the_bootstrap():
    closed = rl.multiclass(Y, P, sample_weight=W).averages
    drawn = rl.multiclass(Y, P, sample_weight=W, resampling=400, rng=1).averages
    for name, one in closed.items():
        assert drawn[name].area == one.area
        # The error of 400 replicates is known to 4%; the sandwich of 20 weighted cases to some 15%.
        assert drawn[name].standard_error == pytest.approx(one.standard_error, rel=0.25)


@pytest.mark.parametrize("weight", [None, W])
def test_losses_definition(weight):
    found = rl.multiclass(Y, P, sample_weight=weight).losses
    w = np.ones(75) if weight is None else weight
    assert found["log loss"].value == pytest.approx(log_loss(Y, P, sample_weight=weight), abs=1e-12)
    truth = (Y[:, None] == np.array(["a", "b", "c"])).astype(float)
    brier = [sum((p - t) ** 2 for p, t in zip(row, actual, strict=True)) for row, actual in zip(P, truth, strict=True)]
    assert found["Brier"].value == pytest.approx(sum(w * np.array(brier)) / w.sum())
    if weight is None:
        reach = student.ppf(0.975, 74) * np.std(brier, ddof=1) / 75**0.5
        assert found["Brier"].interval.high == pytest.approx(np.mean(brier) + reach)


def test_losses_of_scores_that_are_no_probabilities():
    with pytest.warns(RoclabWarning, match="sum to 1"):
        found = rl.multiclass(Y, 2 * P)
    assert math.isnan(found.losses["Brier"].value)
    assert "log loss and Brier score are undefined: the scores are no probabilities" in str(found)


def test_weighted_kappas_and_matrices_are_those_of_scikit_learn_oracle():
    called = np.array(["a", "b", "c"])[P.argmax(axis=1)]
    found = rl.multiclass_confusion(Y, called, sample_weight=W)
    np.testing.assert_allclose(found.counts.T, confusion_matrix(Y, called, sample_weight=W), atol=1e-12)
    for name, kind in (("kappa", None), ("kappa_linear", "linear"), ("kappa_quadratic", "quadratic")):
        assert found.metrics()[name] == pytest.approx(cohen_kappa_score(Y, called, weights=kind, sample_weight=W))
    plain = rl.multiclass_confusion(Y, called)
    assert plain.total == 75
    assert plain.metrics()["kappa_linear"] == pytest.approx(cohen_kappa_score(Y, called, weights="linear"))
    turned = rl.multiclass_confusion(Y, called, labels=["b", "a", "c"]).metrics()
    assert turned["kappa"] == pytest.approx(plain.metrics()["kappa"])
    assert turned["kappa_linear"] != pytest.approx(plain.metrics()["kappa_linear"])  # it rests on the order
    assert "kappa_linear" not in rl.multiclass_confusion(list("aabb"), list("abab")).metrics()


def test_weights_of_a_table_and_bad_weights():
    table = {"y": Y, "a": P[:, 0], "b": P[:, 1], "c": P[:, 2], "w": W, "call": Y[::-1]}
    columns = {"label": "y", "score": ["a", "b", "c"]}
    by_name = rl.multiclass(table, **columns, sample_weight="w")
    assert by_name.averages["macro"].area == rl.multiclass(Y, P, sample_weight=W).averages["macro"].area
    matrix = rl.multiclass_confusion(table, label="y", predicted="call", sample_weight="w")
    assert matrix.total == pytest.approx(W.sum())
    with pytest.raises(InputError, match="one weight per case, got 3 for 75"):
        rl.multiclass(Y, P, sample_weight=[1, 2, 3])
    with pytest.raises(InputError, match="some weight, got none for 'b'"):
        rl.multiclass(Y, P, sample_weight=np.where(Y == "b", 0.0, 1.0))
    with pytest.raises(InputError, match="sample_weight has no part for one score"):
        rl.multiclass(Y, P[:, 0], sample_weight=W)
    with pytest.raises(InputError, match="one weight per case"):
        rl.multiclass_confusion(Y, Y, sample_weight=[1.0])
    with pytest.raises(InputError, match="must not all be zero"):
        rl.multiclass_confusion(Y, Y, sample_weight=np.zeros(75))
