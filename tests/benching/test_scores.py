"""One score of the positive class from classifiers of any kind, and the remark on scores with few values."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from roclab.benching.catalogue import make_classifier
from roclab.benching.scores import as_score, few_values
from roclab.errors import InputError


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(2)
    y = np.repeat(["no", "yes"], [60, 40])
    return rng.normal(size=(100, 3)) + (y == "yes")[:, None], y


@pytest.fixture(scope="module")
def three():
    rng = np.random.default_rng(3)
    y = np.repeat([1, 2, 3], 40)
    return rng.normal(size=(120, 2)) + np.repeat([[0, 0], [2, 0], [0, 2]], 40, axis=0), y


MODELS = [
    LogisticRegression(),
    LinearSVC(),
    SVC(),
    GaussianNB(),
    RandomForestClassifier(20, random_state=0),
    make_pipeline(StandardScaler(), GaussianNB()),
    make_classifier("parzen"),
    make_classifier("tree", random_state=0),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_two_classes_are_opposite_property(model, data):
    x, y = data
    model.fit(x, y)
    yes, no = as_score(model, x, "yes"), as_score(model, x, "no")
    assert yes.shape == (100,)
    np.testing.assert_array_equal(np.argsort(yes, kind="stable"), np.argsort(-no, kind="stable"))
    assert yes[y == "yes"].mean() > yes[y == "no"].mean()


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_three_classes_against_the_rest(model, three):
    x, y = three
    model.fit(x, y)
    for one in (1, 2, 3):
        score = as_score(model, x, one)
        assert score[y == one].min() > -np.inf
        assert np.mean(score[y == one]) > np.mean(score[y != one])


def test_log_odds_order_as_probabilities_do_and_do_not_saturate(data, three):
    x, y = data
    model = GaussianNB().fit(x, y)
    p = model.predict_proba(x)[:, 1]
    np.testing.assert_allclose(as_score(model, x, "yes"), np.log(p / (1 - p)), rtol=1e-9)
    far = np.linspace(50, 100, 40)[:, None] * np.ones((1, 3)) + np.r_[np.zeros(20), np.full(20, 7)][:, None]
    assert np.unique(model.predict_proba(far)[:, 1]).size < 40
    assert np.unique(as_score(model, far, "yes")).size == np.unique(far[:, 0]).size
    x, y = three
    p = model.fit(x, y).predict_proba(x)[:, 1]
    np.testing.assert_allclose(as_score(model, x, 2), np.log(p / (1 - p)), rtol=1e-7)


def test_rounded_probabilities_are_taken_as_they_are(data):
    x, y = data
    forest = RandomForestClassifier(5, random_state=0).fit(x, y)
    np.testing.assert_array_equal(as_score(forest, x, "yes"), forest.predict_proba(x)[:, 1])


class Own:
    """An object that is no estimator, with one column of probabilities."""

    classes_ = np.array([0, 1])

    def __init__(self, answer):
        self.answer = np.asarray(answer)

    def predict_proba(self, x):
        return self.answer


def test_objects_of_ones_own_join():
    np.testing.assert_array_equal(as_score(Own([0.2, 0.7]), None, 1), [0.2, 0.7])
    np.testing.assert_allclose(as_score(Own([0.2, 0.7]), None, 0), [0.8, 0.3])
    np.testing.assert_array_equal(as_score(Own([[0.8, 0.2]]), None, 1), [0.2])


def test_what_has_no_score_is_refused(data):
    x, y = data
    fitted = LogisticRegression().fit(x, y)
    with pytest.raises(
        InputError, match=r"positive_class must be one of the classes of the estimator: 'no', 'yes', got"
    ):
        as_score(fitted, x, "maybe")
    with pytest.raises(InputError, match="estimator must be fitted and have classes_, got LogisticRegression"):
        as_score(LogisticRegression(), x, "yes")
    with pytest.raises(InputError, match="estimator must give finite scores, got 1 score missing or infinite"):
        as_score(Own([0.2, np.nan]), None, 1)
    with pytest.raises(InputError, match=r"must give a column for each of 2 classes, got shape \(1, 3\)"):
        as_score(Own([[0.2, 0.3, 0.5]]), None, 1)

    class Mute:
        classes_ = (0, 1)

    with pytest.raises(InputError, match="must have decision_function or predict_proba, got Mute"):
        as_score(Mute(), None, 1)


def test_few_values_are_remarked_on():
    assert "19 distinct values" in few_values(np.arange(190) % 19)
    assert few_values(np.arange(190) % 20) is None
    assert few_values([0, 1] * 5) is None  # as few cases as that have few values anyway
    assert few_values(np.zeros(30)).startswith("The score has 1 distinct value only")
