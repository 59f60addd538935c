"""Scorers inside scikit-learn's own loops, and its functions of all thresholds."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import roclab as rl
from roclab.compat import scorers
from roclab.compat import sklearn as ours
from roclab.errors import InputError

metrics = pytest.importorskip("sklearn.metrics", reason="scikit-learn calls the scorers")
from sklearn.linear_model import LogisticRegression, RidgeClassifier  # noqa: E402
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score  # noqa: E402

rng = np.random.default_rng(5)
N = 150
Y = rng.integers(0, 2, N)
X = rng.normal(size=(N, 3)) + 0.8 * Y[:, None]
FOLDS = list(KFold(3, shuffle=True, random_state=0).split(X))


def by_hand(measure):
    """The loop of cross-validation, written out."""
    found = []
    for train, test in FOLDS:
        fitted = LogisticRegression().fit(X[train], Y[train])
        found.append(measure(Y[test], fitted.predict_proba(X[test])[:, 1]))
    return found


def benefit(y, p, t=0.3):
    called = p >= t
    return (np.sum(called & (y == 1)) - np.sum(called & (y == 0)) * t / (1 - t)) / y.size


SCORERS = {
    "auc": (scorers.auc, metrics.roc_auc_score),
    "tauc": (scorers.tauc, lambda y, s: float(rl.auc(y, s, estimator="tauc"))),
    "average precision": (scorers.average_precision, metrics.average_precision_score),
    "partial": (scorers.partial_auc(fpr=(0, 0.2)), lambda y, s: float(rl.auc(y, s, fpr=(0, 0.2)))),
    "net benefit": (scorers.net_benefit(0.3), benefit),
}


@pytest.mark.parametrize("name", SCORERS)
def test_cross_validation_gives_the_measure_of_every_fold_definition(name):
    scorer, measure = SCORERS[name]
    found = cross_val_score(LogisticRegression(), X, Y, scoring=scorer, cv=FOLDS)
    assert found.tolist() == pytest.approx(by_hand(measure), rel=1e-12)
    again = pickle.loads(pickle.dumps(scorer))
    assert cross_val_score(LogisticRegression(), X, Y, scoring=again, cv=FOLDS).tolist() == found.tolist()


def test_a_grid_is_searched():
    search = GridSearchCV(
        LogisticRegression(), {"C": [0.001, 1.0]}, scoring=scorers.partial_auc(fpr=(0, 0.2)), cv=FOLDS
    )
    search.fit(X, Y)
    assert search.best_score_ == max(search.cv_results_["mean_test_score"])
    words = np.where(Y, "ill", "well")  # the second class of classes_ is "well"
    named = scorers.partial_auc(fpr=(0, 1), pos_label="ill")
    of_ill = cross_val_score(LogisticRegression(), X, words, scoring=named, cv=FOLDS)
    assert of_ill.tolist() == pytest.approx(cross_val_score(LogisticRegression(), X, Y, scoring=scorers.auc, cv=FOLDS))


def test_refusals_and_names():
    ridge = RidgeClassifier().fit(X, Y)
    assert scorers.auc(ridge, X, Y) == pytest.approx(metrics.roc_auc_score(Y, ridge.decision_function(X)))
    with pytest.raises(InputError, match="estimator must have predict_proba, got RidgeClassifier"):
        scorers.net_benefit(0.3)(ridge, X, Y)
    weight = rng.integers(1, 4, N)
    assert scorers.auc(ridge, X, Y, sample_weight=weight) == pytest.approx(
        metrics.roc_auc_score(Y, ridge.decision_function(X), sample_weight=weight)
    )
    assert repr(scorers.partial_auc(fpr=(0, 0.2))) == "Scorer(partial_auc, fpr=(0, 0.2))"


@pytest.mark.parametrize("weights", [None, rng.integers(1, 4, N)])
@pytest.mark.parametrize("labels", [Y, Y.astype(bool), np.where(Y, "b", "a")])
def test_counts_at_thresholds_are_those_of_scikit_learn_oracle(labels, weights):
    score = np.round(X[:, 0], 1)
    given = {"pos_label": "b"} if labels.dtype.kind == "U" else {}
    if weights is not None:
        given["sample_weight"] = weights
    theirs = metrics.confusion_matrix_at_thresholds(labels, score, **given)
    for mine, other in zip(ours.confusion_matrix_at_thresholds(labels, score, **given), theirs, strict=True):
        assert mine.tolist() == other.tolist()


@pytest.mark.parametrize(
    "metric", ["accuracy", "balanced_accuracy", "f1", "precision", "recall", "jaccard", "matthews"]
)
def test_metrics_at_thresholds_are_those_of_scikit_learn_oracle(metric):
    if not hasattr(metrics, "metric_at_thresholds"):
        pytest.skip("scikit-learn has metric_at_thresholds from 1.9 on")
    function = metrics.matthews_corrcoef if metric == "matthews" else getattr(metrics, f"{metric}_score")
    score = np.round(X[:, 0], 1)
    theirs = metrics.metric_at_thresholds(Y, score, function)
    mine = ours.metric_at_thresholds(Y, score, function)
    assert mine[0] == pytest.approx(theirs[0], rel=1e-14)
    assert mine[1].tolist() == theirs[1].tolist()
    weighted = {"sample_weight": np.arange(N) + 1.0}
    both = [one.metric_at_thresholds(Y, score, metrics.accuracy_score, **weighted) for one in (metrics, ours)]
    assert both[0][0].tolist() == both[1][0].tolist()
