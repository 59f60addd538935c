"""A bench against loops of scikit-learn that share no code with it."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import roclab as rl
from roclab.analysis.bench.ask import bench


def by_hand(bench_result, x, y, estimator):
    """Scores and calls of a loop along the splits of a bench, in its order."""
    score, called, probability = [], [], []
    for split in bench_result.design:
        fitted = clone(estimator).fit(x[split.train], y[split.train])
        score.append(fitted.decision_function(x[split.test]))
        called.append(fitted.predict(x[split.test]))
        probability.append(fitted.predict_proba(x[split.test])[:, 1])
    return np.concatenate(score), np.concatenate(called), np.concatenate(probability)


@pytest.mark.parametrize("design", [{"folds": 5}, {"folds": 4, "repeats": 2}, {"sampling": "splits", "repeats": 3}])
def test_scores_calls_and_metrics_are_those_of_a_loop(numbers, design):
    y, x = numbers
    found = bench(y, x, models={"lr": LogisticRegression()}, rng=3, **design)
    score, called, probability = by_hand(found, x, y, LogisticRegression())
    actual = y[found.where]
    assert found.scores.scores["lr"] == pytest.approx(score)
    row = found.table()["lr"].measures
    assert row["accuracy"] == pytest.approx(metrics.accuracy_score(actual, called))
    assert row["F1"] == pytest.approx(metrics.f1_score(actual, called))
    assert row["precision"] == pytest.approx(metrics.precision_score(actual, called))
    assert row["recall"] == pytest.approx(metrics.recall_score(actual, called))
    assert row["specificity"] == pytest.approx(metrics.recall_score(actual, called, pos_label=0))
    assert row["MCC"] == pytest.approx(metrics.matthews_corrcoef(actual, called))
    assert row["log loss"] == pytest.approx(metrics.log_loss(actual, probability))
    assert row["Brier"] == pytest.approx(metrics.brier_score_loss(actual, probability))
    assert found.table()["lr"].auc == pytest.approx(metrics.roc_auc_score(actual, score))


def test_fold_means_are_those_of_a_loop(numbers):
    y, x = numbers
    found = bench(y, x, models={"lr": LogisticRegression()}, folds=5, rng=3)
    areas = []
    for split in found.design:
        fitted = LogisticRegression().fit(x[split.train], y[split.train])
        areas.append(metrics.roc_auc_score(y[split.test], fitted.decision_function(x[split.test])))
    assert found.folds("AUC").values["lr"] == pytest.approx(areas)
    mean = found.mean("lr")
    assert mean.mean == pytest.approx(np.mean(areas))
    spread = np.std(areas, ddof=1) * np.sqrt(1 / 5 + 24 / 96)
    assert mean.standard_error == pytest.approx(spread)


def test_every_case_is_tested_once_a_repeat_and_classes_keep_their_shares(numbers):
    y, x = numbers
    found = bench(y, x, models=["nearest_mean"], folds=5, repeats=3, rng=1)
    assert np.bincount(found.where).tolist() == [3] * y.size
    for split in found.design:
        assert np.intersect1d(split.train, split.test).size == 0
        assert y[split.test].sum() == 9


def test_the_interval_of_a_repeated_design_counts_cases_not_rows(numbers):
    y, x = numbers
    once = bench(y, x, models=["logistic"], folds=5, rng=1).table()["logistic"]
    often = bench(y, x, models=["logistic"], folds=5, repeats=20, rng=1).table()["logistic"]
    width = once.interval.high - once.interval.low
    assert often.interval.high - often.interval.low == pytest.approx(width, rel=0.3)


def test_the_632_rule_by_hand(numbers):
    y, x = numbers
    found = bench(y, x, models={"lr": LogisticRegression()}, sampling="bootstrap", repeats=15, rng=2)
    outside = []
    for split in found.design.splits[:-1]:
        assert np.intersect1d(split.train, split.test).size == 0
        fitted = LogisticRegression().fit(x[split.train], y[split.train])
        outside.append(metrics.roc_auc_score(y[split.test], fitted.decision_function(x[split.test])))
    apparent = metrics.roc_auc_score(y, LogisticRegression().fit(x, y).decision_function(x))
    row = found.table()["lr"]
    assert row.auc == pytest.approx(0.632 * np.mean(outside) + 0.368 * apparent)
    whole = rl.auc(y, LogisticRegression().fit(x, y).decision_function(x)).interval
    assert row.interval.low == pytest.approx(whole.low + row.auc - apparent)


def test_leave_one_out_and_testing_on_the_training_cases(numbers):
    y, x = numbers
    left = bench(y, x, models={"nb": GaussianNB()}, sampling="leave_one_out")
    by_loop = [GaussianNB().fit(np.delete(x, at, 0), np.delete(y, at)).predict(x[at : at + 1])[0] for at in range(120)]
    assert left.table()["nb"].measures["accuracy"] == pytest.approx(np.mean(by_loop == y))
    same = bench(y, x, models={"nb": GaussianNB()}, sampling="train")
    assert same.table()["nb"].auc == pytest.approx(
        metrics.roc_auc_score(y, GaussianNB().fit(x, y).predict_proba(x)[:, 1])
    )
    assert "better than on new cases" in str(same)


def test_a_separate_test_file_by_hand(numbers, tmp_path):
    y, x = numbers
    for name, rows in (("train", slice(0, 80)), ("test", slice(80, None))):
        lines = [
            "y,a,b,c",
            *(f"{one},{','.join(map(repr, values))}" for one, values in zip(y[rows], x[rows].tolist(), strict=True)),
        ]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
    found = bench(tmp_path / "train.csv", label="y", test=tmp_path / "test.csv", models={"nb": GaussianNB()})
    fitted = GaussianNB().fit(x[:80], y[:80])
    assert found.table()["nb"].auc == pytest.approx(metrics.roc_auc_score(y[80:], fitted.predict_proba(x[80:])[:, 1]))
    assert "separate test data" in str(found)


def test_words_and_gaps_are_learnt_inside_the_training_part(mixed):
    y = (mixed["outcome"] == "ill").astype(int)
    found = bench(
        mixed, label="outcome", pos_label="ill", ids="subject", exclude="name", folds=4, rng=1,
        models={"lr": LogisticRegression()},
    )  # fmt: skip
    x = np.empty((y.size, 2), object)
    x[:, 0], x[:, 1] = mixed["value"], mixed["word"]
    words = make_pipeline(
        SimpleImputer(strategy="most_frequent", missing_values=None), OneHotEncoder(handle_unknown="ignore")
    )
    model = make_pipeline(
        ColumnTransformer([("n", SimpleImputer(strategy="median"), [0]), ("w", words, [1])]), LogisticRegression()
    )
    score, _, _ = by_hand(found, x, y, model)
    assert found.scores.scores["lr"] == pytest.approx(score, abs=1e-4)  # both solvers stop a little before the optimum
    assert "filled inside every training part" in str(found)
    assert "columns of 0 and 1" in str(found)


def test_cases_of_a_subject_stay_together(mixed):
    found = bench(
        mixed, label="outcome", pos_label="ill", ids="subject", exclude="name", models=["ldc"], folds=4, rng=1
    )
    for split in found.design:
        assert np.intersect1d(mixed["subject"][split.train], mixed["subject"][split.test]).size == 0
    assert found.scores.clustered


def test_results_of_cross_validate_join_as_they_are(numbers):
    y, x = numbers
    cv = StratifiedKFold(4, shuffle=True, random_state=0)
    kept = {"return_estimator": True, "return_indices": True}
    given = {
        name: cross_validate(one, x, y, cv=cv, **kept)
        for name, one in (("lr", LogisticRegression()), ("nb", GaussianNB()))
    }
    found = bench(y, x, models=given)
    again = bench(y, x, models={"lr": LogisticRegression(), "nb": GaussianNB(), "theirs": given["lr"]})
    assert found.scores.scores["lr"] == pytest.approx(again.scores.scores["lr"])
    assert again.scores.scores["theirs"] == pytest.approx(again.scores.scores["lr"])
    areas = [
        metrics.roc_auc_score(y[test], est.decision_function(x[test]))
        for est, test in zip(given["lr"]["estimator"], given["lr"]["indices"]["test"], strict=True)
    ]
    assert found.folds().values["lr"] == pytest.approx(areas)


def test_several_classes_by_scikit_learn():
    from sklearn.datasets import load_wine

    x, y = load_wine(return_X_y=True)
    found = bench(y, x, models={"nb": GaussianNB()}, folds=5, rng=1)
    actual = y[found.where]
    called = found.joined("nb", "called")
    row = found.table()["nb"]
    assert row.measures["accuracy"] == pytest.approx(metrics.accuracy_score(actual, called))
    assert row.measures["MCC"] == pytest.approx(metrics.matthews_corrcoef(actual, called))
    assert row.measures["recall"] == pytest.approx(metrics.recall_score(actual, called, average="macro"))
    assert found.matrix("nb").counts.tolist() == metrics.confusion_matrix(actual, called).tolist()
    probability = found.joined("nb", "probability")
    assert row.auc == pytest.approx(metrics.roc_auc_score(actual, probability, multi_class="ovr"))
    one = found.scores_of_class("1")
    assert rl.auc(one).area == pytest.approx(metrics.roc_auc_score(actual == 1, one.scores["nb"]))
