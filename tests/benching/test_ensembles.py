"""Forests, boosted trees and support vectors: what the bench adds to scikit-learn's own."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.svm import SVC

from roclab.areas.empirical import auc
from roclab.benching.catalogue import make_classifier
from roclab.benching.classifiers.support_vectors import SupportVectors
from roclab.benching.scores import as_score
from roclab.data.tally import Tally

RNG = np.random.default_rng(5)
Y = RNG.integers(0, 2, 240)
X = RNG.normal(size=(240, 3))
X[:, 0] = np.abs(X[:, 0]) + Y * 0.9  # no line separates what a ring does
NEW_Y = RNG.integers(0, 2, 400)
NEW_X = RNG.normal(size=(400, 3))
NEW_X[:, 0] = np.abs(NEW_X[:, 0]) + NEW_Y * 0.9


@pytest.mark.parametrize("name", ["random_forest", "gradient_boosting", "svm"])
def test_scores_tell_new_cases_apart_and_have_probabilities(name):
    model = make_classifier(name, random_state=3).fit(X, Y)
    score = as_score(model, NEW_X, 1)
    assert 0.7 < auc(Tally.from_labels(NEW_Y == 1, score)) < 0.9
    chance = model.predict_proba(NEW_X)
    assert chance.shape == (400, 2)
    np.testing.assert_allclose(chance.sum(axis=1), 1)
    assert abs(chance[:, 1].mean() - NEW_Y.mean()) < 0.08
    again = clone(make_classifier(name, random_state=3)).fit(X, Y)
    np.testing.assert_array_equal(as_score(again, NEW_X, 1), score)


def test_svm_ranks_as_scikit_learns_machine_definition():
    ours = SupportVectors().fit(X, Y)
    theirs = SVC().fit(X, Y)
    order = np.argsort(theirs.decision_function(NEW_X), kind="stable")
    assert np.all(np.diff(ours.decision_function(NEW_X)[order]) >= -1e-9)


def test_svm_takes_few_cases_and_several_classes():
    few = SupportVectors().fit(X[:7], [0, 0, 0, 0, 0, 0, 1])
    assert np.isfinite(few.decision_function(NEW_X)).all()
    three = SupportVectors().fit(X, np.where(Y == 0, "a", np.where(X[:, 1] > 0, "b", "c")))
    assert three.predict_proba(NEW_X).shape == (400, 3)
    assert set(three.predict(NEW_X)) <= {"a", "b", "c"}
