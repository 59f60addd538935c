"""What counts as common input: these calls are answered here, without scikit-learn."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import cross_val_score

import roclab.compat.sklearn as ours
from roclab.compat import _delegate

RNG = np.random.default_rng(3)
POSITIVE = np.arange(60) % 3 == 0
SCORE = RNG.normal(size=60)
CHANCES = RNG.dirichlet(np.ones(3), 60)
INDICATOR = np.column_stack([POSITIVE, ~POSITIVE, np.arange(60) % 2 == 0])
FUNCTIONS = (
    ours.roc_curve,
    ours.precision_recall_curve,
    ours.det_curve,
    ours.roc_auc_score,
    ours.average_precision_score,
)
LABELS = {
    "int": POSITIVE.astype(int),
    "int8": POSITIVE.astype(np.int8),
    "float": POSITIVE.astype(float),
    "bool": POSITIVE,
    "minus one": np.where(POSITIVE, 1, -1),
    "list": POSITIVE.astype(int).tolist(),
    "pandas": pd.Series(POSITIVE.astype(int)),
    "pandas bool": pd.Series(POSITIVE),
    "polars": pl.Series(POSITIVE.astype(int)),
    "polars bool": pl.Series(POSITIVE),
}
NAMED = np.where(POSITIVE, "ill", "healthy")
STRINGS = {
    "array": NAMED,
    "objects": NAMED.astype(object),
    "list": NAMED.tolist(),
    "pandas": pd.Series(NAMED),
    "pandas category": pd.Series(NAMED, dtype="category"),
    "polars": pl.Series(NAMED),
}
SCORES = {
    "float64": SCORE,
    "float32": SCORE.astype(np.float32),
    "int": (SCORE * 100).astype(int),
    "list": SCORE.tolist(),
    "pandas": pd.Series(SCORE),
    "polars": pl.Series(SCORE),
}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("label", LABELS)
def test_numeric_labels_regression_stay_here(function, label, no_delegation):
    with no_delegation():
        assert function(LABELS[label], SCORE) is not None
        assert function(LABELS[label], SCORE, sample_weight=np.ones(60)) is not None


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("label", STRINGS)
def test_string_labels_regression_stay_here(function, label, no_delegation):
    options = {} if function is ours.roc_auc_score else {"pos_label": "ill"}
    with no_delegation():
        assert function(STRINGS[label], SCORE, **options) is not None


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@pytest.mark.parametrize("score", SCORES)
def test_scores_regression_stay_here(function, score, no_delegation):
    with no_delegation():
        assert function(POSITIVE, SCORES[score]) is not None


def test_memory_map_regression_stays_here(tmp_path, no_delegation):
    np.save(tmp_path / "score.npy", SCORE)
    score = np.load(tmp_path / "score.npy", mmap_mode="r")
    with no_delegation():
        fpr, _, _ = ours.roc_curve(POSITIVE, score)
    assert type(fpr) is np.ndarray


def test_several_classes_regression_stay_here(no_delegation):
    label = np.arange(60) % 3
    with no_delegation():
        for average in ("macro", "weighted"):
            assert ours.roc_auc_score(label, CHANCES, multi_class="ovo", average=average) is not None
        for average in ("macro", "weighted", "micro", None):
            assert ours.roc_auc_score(label, CHANCES, multi_class="ovr", average=average) is not None
            assert ours.average_precision_score(label, CHANCES, average=average) is not None
            assert ours.roc_auc_score(INDICATOR, CHANCES, average=average) is not None
            assert ours.average_precision_score(INDICATOR, CHANCES, average=average) is not None


def test_auc_regression_stays_here(no_delegation):
    with no_delegation():
        assert ours.auc([0.0, 1.0], [0.0, 1.0]) == 0.5
        assert ours.auc(np.array([1.0, 0.0]), np.array([1.0, 0.0])) == 0.5


def test_scorer_regression_works_inside_scikit_learn():
    # Signature and pickling survive the wrapping, which is all that make_scorer and joblib ask for.
    features = np.column_stack([SCORE, SCORE + POSITIVE])
    scorer = make_scorer(ours.roc_auc_score, response_method="decision_function")
    areas = cross_val_score(LogisticRegression(), features, POSITIVE, scoring=scorer, cv=3)
    expected = cross_val_score(LogisticRegression(), features, POSITIVE, scoring="roc_auc", cv=3)
    np.testing.assert_allclose(areas, expected, rtol=1e-14)


def test_original_definition_is_scikit_learns_even_when_swapped(monkeypatch):
    # A program that puts our function in scikit-learn's place must not send it round in circles.
    monkeypatch.setattr("sklearn.metrics.roc_auc_score", ours.roc_auc_score)
    assert _delegate.original("roc_auc_score") is not ours.roc_auc_score
