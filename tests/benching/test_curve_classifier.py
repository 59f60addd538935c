"""Weights from scikit-learn: the network says what the estimator says."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.svm import SVC

from roclab.benching.curve_classifier import train_weights
from roclab.errors import InputError
from roclab.imaging.dce.network import Network

RNG = np.random.default_rng(5)
POINTS = RNG.normal(size=(300, 4)).astype(np.float32)
POSITIVE = POINTS.sum(axis=1) + RNG.normal(size=300) > 0


def network_of(found):
    return Network(centre=found.centre, scale=found.scale, weights=found.weights, offsets=found.offsets,
                   activation=found.activation)  # fmt: skip


@pytest.mark.parametrize(
    "estimator",
    [
        LogisticRegression(C=0.3),
        MLPClassifier((5, 3), max_iter=10, random_state=1),
        MLPClassifier((4,), activation="tanh", max_iter=10, random_state=2),
        MLPClassifier((4,), activation="logistic", max_iter=10, random_state=2),
    ],
)
def test_confidence_definition_is_the_probability_of_the_estimator(estimator):
    import warnings

    found = train_weights(POINTS, POSITIVE, estimator, hidden=(), seed=7)
    scaled = (POINTS.astype(float) - found.centre) / found.scale
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted = estimator.fit(scaled, POSITIVE.astype(int))
    exact = fitted.predict_proba(scaled)[:, 1]
    assert network_of(found).confidence(POINTS.astype(float)) == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize("classifier", ["mlp", "logistic", MLPClassifier((3,), max_iter=5)])
def test_a_seed_gives_the_same_weights(classifier):
    one, two = (train_weights(POINTS, POSITIVE, classifier, hidden=(4,), seed=7) for _ in range(2))
    for a, b in zip(one.weights, two.weights, strict=True):
        assert (a == b).all()
    if classifier != "logistic":
        other = train_weights(POINTS, POSITIVE, classifier, hidden=(4,), seed=8)
        assert (other.weights[0] != one.weights[0]).any()
        assert one.loss.size > 0


def test_a_training_that_did_not_settle_is_told():
    found = train_weights(POINTS, POSITIVE, MLPClassifier((4,), max_iter=3), hidden=(), seed=1)
    assert found.notes == ("training stopped after 3 passes, before it had settled",)


def test_a_constant_coordinate_says_nothing():
    points = np.column_stack([POINTS, np.full(300, 2.5, np.float32)])
    found = train_weights(points, POSITIVE, "logistic", hidden=(), seed=1)
    assert found.scale[-1] == 1.0
    assert np.isfinite(network_of(found).confidence(points)).all()


@pytest.mark.parametrize("classifier", ["forest", SVC(), None])
def test_other_classifiers_are_refused(classifier):
    with pytest.raises(
        InputError, match="classifier must be 'mlp', 'logistic', an MLPClassifier or a LogisticRegression"
    ):
        train_weights(POINTS, POSITIVE, classifier, hidden=(), seed=1)
