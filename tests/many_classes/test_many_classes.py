"""Many classes: oracle, scikit-learn, definitions, simulation and errors."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import roclab as rl
from roclab.errors import InputError, OneClassError, PairingError, RoclabWarning
from roclab.many_classes.confusion import confusion_of_classes
from roclab.many_classes.labels import multilabel_areas
from roclab.many_classes.result import AVERAGES
from roclab.options.uncertainty import Resampling
from tests.conftest import oracle


def some(seed, n=120, k=4, ties=True):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    y[:k] = np.arange(k)
    p = rng.dirichlet(np.ones(k), n) + 0.7 * (y[:, None] == np.arange(k))
    if ties:
        p = np.round(p, 1) + 0.01
    return y, p / p.sum(axis=1, keepdims=True)


def test_multiclass_oracle():
    case = oracle("multiclass_3")
    inputs, want = case["inputs"], case["expected"]
    scores = next(value for value in inputs.values() if isinstance(value, list) and isinstance(value[0], list))
    labels = inputs["labels"]
    got = rl.multiclass(labels, scores)
    values = {name: one.area for name, one in got.averages.items()}
    assert [one.area for one in got.classes.values()] == pytest.approx([0.842593, 0.890625, 0.864286], abs=5e-7)
    assert got.pairs["0|1"].area == pytest.approx(0.916667, abs=5e-7)
    assert got.pairs["1|0"].area == pytest.approx(0.895833, abs=5e-7)
    assert values["weighted"] == pytest.approx(0.867642, abs=5e-7)
    assert values["macro"] == pytest.approx(0.865834, abs=5e-7)
    assert values["micro"] == pytest.approx(0.871962, abs=5e-7)
    assert values["hand_till"] == pytest.approx(0.869097, abs=5e-7)
    assert len(want) >= 4


@pytest.mark.parametrize("seed", range(5))
def test_averages_oracle_by_scikit_learn(seed):
    from sklearn.metrics import roc_auc_score

    y, p = some(seed)
    got = {name: one.area for name, one in rl.multiclass(y, p).averages.items()}
    for ours, options in {
        "macro": {"multi_class": "ovr", "average": "macro"},
        "weighted": {"multi_class": "ovr", "average": "weighted"},
        "micro": {"multi_class": "ovr", "average": "micro"},
        "hand_till": {"multi_class": "ovo", "average": "macro"},
        "pairs_weighted": {"multi_class": "ovo", "average": "weighted"},
    }.items():
        assert got[ours] == pytest.approx(roc_auc_score(y, p, **options), abs=1e-12), ours


def test_hand_till_published(published_table):
    """The example of HandTill2001, M = .947211779448622: a tree that predicts the shares in its leaves."""
    table = published_table("glass_leaves.csv")
    classes = list(table)
    counts = np.column_stack([table[name].astype(int) for name in classes])
    leaf, kind = (np.repeat(at.ravel(), counts.ravel()) for at in np.indices(counts.shape))
    shares = counts / counts.sum(axis=1, keepdims=True)
    got = rl.multiclass(np.array(classes)[kind], shares[leaf], labels=classes)
    assert got.averages["hand_till"].area == pytest.approx(0.947211779448622, abs=1e-12)


def test_two_complementary_columns_give_the_binary_area():
    rng = np.random.default_rng(2)
    y = rng.integers(0, 2, 60)
    p = np.clip(0.3 * y + rng.random(60) * 0.7, 0, 1)
    got = rl.multiclass(y, np.column_stack([1 - p, p]))
    want = rl.auc(y, p, interval="logit")
    for name in ("macro", "weighted", "hand_till", "pairs_weighted"):
        assert got.averages[name].area == pytest.approx(want.area)
        assert got.averages[name].standard_error == pytest.approx(want.standard_error, rel=1e-9)
        assert got.averages[name].interval.low == pytest.approx(want.interval.low, rel=1e-9)


def test_standard_errors_agree_with_the_bootstrap():
    y, p = some(7, n=300, ties=False)
    closed = rl.multiclass(y, p)
    sampled = rl.multiclass(y, p, resampling=Resampling(replicates=600), rng=1)
    for name in AVERAGES:
        assert sampled.averages[name].standard_error == pytest.approx(closed.averages[name].standard_error, rel=0.12)
        assert sampled.averages[name].area == closed.averages[name].area
    assert "bootstrap" in sampled.method


@pytest.mark.slow
def test_standard_errors_definition_by_simulation():
    """The mean estimated variance is the variance of the estimates: 300 samples of 150 cases, class sizes fixed."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1, 2], [70, 50, 30])
    found = {name: ([], []) for name in AVERAGES}
    for _ in range(300):
        logits = rng.normal(size=(150, 3)) + 1.2 * (y[:, None] == np.arange(3))
        p = np.exp(logits)
        result = rl.multiclass(y, p / p.sum(axis=1, keepdims=True))
        for name, (values, variances) in found.items():
            values.append(result.averages[name].area)
            variances.append(result.averages[name].standard_error ** 2)
    for name, (values, variances) in found.items():
        assert np.sqrt(np.mean(variances)) == pytest.approx(np.std(values), rel=0.13), name


def test_row_and_class_order_property_do_not_matter():
    y, p = some(9)
    base = rl.multiclass(y, p)
    order = np.random.default_rng(1).permutation(y.size)
    shuffled = rl.multiclass(y[order], p[order])
    turned = rl.multiclass(y, p[:, ::-1], labels=[3, 2, 1, 0])
    for name in AVERAGES:
        for other in (shuffled, turned):
            assert other.averages[name].area == pytest.approx(base.averages[name].area, abs=1e-14)
            assert other.averages[name].standard_error == pytest.approx(base.averages[name].standard_error, rel=1e-9)
    few = Resampling(replicates=60)
    one = rl.multiclass(y, p, resampling=few, rng=4)
    two = rl.multiclass(y[order], p[order], resampling=Resampling(replicates=60, workers=2), rng=4)
    assert one.averages["macro"].interval == two.averages["macro"].interval


def test_two_models_are_compared_on_the_same_cases():
    y, p = some(11, n=250, ties=False)
    rng = np.random.default_rng(0)
    worse = p + rng.random(p.shape)
    worse /= worse.sum(axis=1, keepdims=True)
    for average in ("macro", "hand_till"):
        models = {"p": p, "worse": worse}
        closed = rl.compare_multiclass(y, models, average=average).pairs[0]
        drawn = {"resampling": Resampling(replicates=500), "rng": 1}
        sampled = rl.compare_multiclass(y, models, average=average, **drawn).pairs[0]
        assert closed.difference == pytest.approx(sampled.difference)
        assert closed.difference > 0
        assert closed.p_value < 0.01
        assert sampled.standard_error == pytest.approx(closed.standard_error, rel=0.15)
    same = rl.compare_multiclass(y, {"p": p, "again": p}).pairs[0]
    assert (same.difference, same.p_value) == (0, 1)
    assert same.interval.low < 0 < same.interval.high
    micro = rl.compare_multiclass(y, models, average="micro", resampling=Resampling(replicates=100), rng=1)
    assert micro.pairs[0].difference > 0


def test_comparison_needs_the_same_cases():
    y, p = some(1)
    from roclab.data.classes import class_scores
    from roclab.many_classes.averages import compare_models

    with pytest.raises(PairingError, match="compared on the same cases"):
        compare_models(class_scores(y, p), class_scores(y[::-1], p))
    with pytest.raises(InputError, match="average must be one of 'macro'"):
        rl.compare_multiclass(y, {"p": p, "q": p}, average="best")


def test_confusion_matrix_oracle_by_scikit_learn():
    from sklearn.metrics import cohen_kappa_score, confusion_matrix, f1_score, matthews_corrcoef, precision_score

    y, p = some(13)
    called = p.argmax(axis=1)
    matrix = confusion_of_classes(y, called)
    np.testing.assert_array_equal(matrix.counts.T, confusion_matrix(y, called))
    metrics = matrix.metrics()
    assert metrics["kappa"] == pytest.approx(cohen_kappa_score(y, called))
    assert metrics["mcc"] == pytest.approx(matthews_corrcoef(y, called))
    assert metrics["macro_precision"] == pytest.approx(precision_score(y, called, average="macro"))
    assert metrics["weighted_f1"] == pytest.approx(f1_score(y, called, average="weighted"))
    assert matrix.one_vs_rest("2").tp == np.sum((y == 2) & (called == 2))
    assert "actual 0" in str(matrix)


def test_confusion_matrix_with_a_class_never_called():
    matrix = confusion_of_classes(["a", "b", "c"], ["a", "b", "b"])
    metrics = matrix.metrics()
    assert "precision of a class is undefined" in metrics["macro_precision"].reason
    assert metrics["macro_recall"] == pytest.approx(2 / 3)
    with pytest.raises(InputError, match="labels must name every class, got none for 'c'"):
        confusion_of_classes(["a", "c"], ["a", "a"], labels=["a", "b"])
    with pytest.raises(InputError, match="class must be one of a, b, c, got 'z'"):
        matrix.one_vs_rest("z")


def test_multilabel_oracle_by_scikit_learn():
    from sklearn.metrics import roc_auc_score

    rng = np.random.default_rng(5)
    y = rng.random((80, 3)) < [0.2, 0.5, 0.7]
    s = np.round(rng.normal(size=(80, 3)) + y, 1)
    got = multilabel_areas(y.astype(int), s, labels=["x", "y", "z"])
    for average in ("macro", "weighted", "micro"):
        assert got.averages[average].area == pytest.approx(roc_auc_score(y, s, average=average), abs=1e-12)
    np.testing.assert_allclose(
        [one.area for one in got.classes.values()], roc_auc_score(y, s, average=None), atol=1e-12
    )
    assert got.classes["y"].standard_error == pytest.approx(rl.auc(y[:, 1], s[:, 1]).standard_error)
    with pytest.raises(OneClassError, match="label 'x' needs cases with and without it"):
        multilabel_areas(np.ones((4, 1)), np.ones((4, 1)), labels=["x"])
    with pytest.raises(InputError, match="tables of one shape"):
        multilabel_areas(y, s[:, :2])


def test_probabilities_that_do_not_sum_to_one_are_warned_about():
    y, p = some(3)
    p = p.copy()
    p[0, 0] += 0.2
    with pytest.warns(RoclabWarning, match="the largest gap is 0.2"):
        rl.multiclass(y, p)


@pytest.mark.parametrize(
    ("y", "p", "options", "error", "message"),
    [
        ([0, 1, 2], [[0.5, 0.5]] * 3, {}, InputError, "got 2 columns for the 3 classes 0, 1, 2"),
        (
            [0, 1],
            [[0.5, 0.3, 0.2]] * 2,
            {"labels": [0, 1, 2]},
            OneClassError,
            "every class needs cases, and '2' has none",
        ),
        (
            [0, 3],
            [[0.5, 0.5]] * 2,
            {"labels": [0, 1]},
            InputError,
            "labels must name every class of y_true, got none for '3'",
        ),
        ([0, 1], [[0.5, 0.5]] * 3, {}, InputError, "one row per label, got 3 rows for 2 labels"),
        ([0, 1], [[[0.5, 0.5]]], {}, InputError, "must be a table with one column per class, got 3 dimension"),
        (
            [0, 1],
            [[0.5, np.nan]] * 2,
            {},
            InputError,
            "values must not be missing, got gaps in 2 of 2 cases: column 1 of scores lacks 2",
        ),
        ([0, 1], [[0.5, 0.5]] * 2, {"labels": [1, 1]}, InputError, "labels must be distinct"),
        ([0, 0], [[1.0]] * 2, {}, OneClassError, "at least two classes, got only 0"),
    ],
)
def test_class_error_messages(y, p, options, error, message):
    with pytest.raises(error, match=message):
        rl.multiclass(y, p, **options)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, dict])
def test_named_columns_are_matched_by_name(make):
    rng = np.random.default_rng(5)
    label = np.repeat(["x", "y", "z"], 12)
    table = rng.dirichlet([1, 1, 1], 36) * 0.5 + 0.5 * np.eye(3)[np.repeat([0, 1, 2], 12)]
    expected = rl.multiclass(label, table)
    swapped = make({"z": table[:, 2], "x": table[:, 0], "y": table[:, 1]})
    found = rl.multiclass(label, swapped)
    assert {name: one.area for name, one in found.classes.items()} == {
        name: one.area for name, one in expected.classes.items()
    }
    assert found.averages["macro"].area == pytest.approx(expected.averages["macro"].area)
    named = make({"p1": table[:, 0], "p2": table[:, 1], "p3": table[:, 2]})
    with pytest.raises(InputError, match="must be named after the classes x, y, z, got p1, p2, p3"):
        rl.multiclass(label, named)
    assert rl.multiclass(label, named, labels=["x", "y", "z"]).classes["x"].area == expected.classes["x"].area


def test_numbered_columns_go_by_their_order():
    label = [0, 1, 2] * 4
    table = np.random.default_rng(2).dirichlet([1, 1, 1], 12)
    assert rl.multiclass(label, pd.DataFrame(table)).to_dict() == rl.multiclass(label, table).to_dict()
