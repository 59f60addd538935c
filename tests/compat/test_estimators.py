"""Combinations as scikit-learn estimators."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from roclab.compat.estimators import BooleanClassifier, ChainClassifier, HullClassifier, InterpolatedClassifier
from roclab.errors import InputError, RoclabWarning

EVERY = [BooleanClassifier, ChainClassifier, HullClassifier, InterpolatedClassifier]
PARTS = [
    ("logistic", LogisticRegression()),
    ("bayes", GaussianNB()),
    ("tree", DecisionTreeClassifier(max_depth=3, random_state=0)),
]


@pytest.fixture(scope="module")
def data():
    return make_classification(1200, n_features=8, n_informative=4, flip_y=0.1, weights=[0.7], random_state=1)


@pytest.mark.filterwarnings("ignore::roclab.errors.RoclabWarning")
@pytest.mark.parametrize("kind", EVERY)
def test_check_estimator_is_green(kind):
    results = check_estimator(kind(), on_skip=None)
    assert len(results) > 40
    assert all(result["status"] in ("passed", "skipped") for result in results)


def test_rules_are_chosen_on_cases_set_aside(data):
    x, y = data
    model = HullClassifier(PARTS, random_state=0).fit(x, y)
    assert 0.25 < model.selection_indices_.size / y.size < 0.35
    assert model.selection_matrix_.tp + model.selection_matrix_.fn == np.sum(y[model.selection_indices_])
    fitted_on = np.setdiff1d(np.arange(y.size), model.selection_indices_)
    again = LogisticRegression().fit(x[fitted_on], y[fitted_on])
    np.testing.assert_allclose(model.estimators_["logistic"].coef_, again.coef_)


@pytest.mark.parametrize("kind", [BooleanClassifier, ChainClassifier, HullClassifier])
def test_choosing_on_the_training_data_is_warned_about(kind, data):
    x, y = data
    with pytest.warns(RoclabWarning, match="it will look better than it is"):
        kind(PARTS, selection="training").fit(x, y)


def test_boolean_predictions_definition(data):
    x, y = data
    for operation, unite in (("and", np.logical_and), ("or", np.logical_or)):
        model = BooleanClassifier(PARTS[:2], operation=operation, random_state=0).fit(x, y)
        calls = [one.predict(x) == 1 for one in model.estimators_.values()]
        np.testing.assert_array_equal(model.predict(x) == 1, unite(*calls))
        assert model.combination_.actual.tp == model.selection_matrix_.tp


def test_chain_stays_under_its_cap_where_it_was_chosen(data):
    x, y = data
    model = ChainClassifier(PARTS, max_fpr=0.15, random_state=0).fit(x, y)
    assert model.selection_matrix_.metrics()["fpr"] <= 0.15
    assert model.chain_.steps


def test_hull_meets_a_false_positive_rate_with_coins(data):
    x, y = data
    model = HullClassifier(PARTS, fpr=0.1, random_state=0).fit(x, y)
    aside = model.selection_indices_
    chance = model.predict_proba(x[aside])[:, 1]
    assert chance[y[aside] == 0].mean() == pytest.approx(0.1, abs=1e-9)
    flips = np.mean([np.mean(model.flip(x[aside][y[aside] == 0], rng=seed) == 1) for seed in range(40)])
    assert flips == pytest.approx(0.1, abs=0.02)


def test_costs_move_the_hull_classifier(data):
    x, y = data
    careful = HullClassifier(PARTS, cost_fp=10, random_state=0).fit(x, y).point_
    eager = HullClassifier(PARTS, cost_fn=10, random_state=0).fit(x, y).point_
    assert careful.fpr < eager.fpr


def test_interpolation_lies_between_its_parts(data):
    x, y = data
    two = [
        ("careful", LogisticRegression(class_weight={0: 5, 1: 1})),
        ("eager", LogisticRegression(class_weight={0: 1, 1: 5})),
    ]
    model = InterpolatedClassifier(two, fpr=0.2, random_state=0).fit(x, y)
    assert 0 < model.interpolation_.share < 1
    aside = model.selection_indices_
    assert model.predict_proba(x[aside])[y[aside] == 0, 1].mean() == pytest.approx(0.2, abs=1e-9)
    with pytest.warns(RoclabWarning, match="lies outside the two classifiers' rates"):
        InterpolatedClassifier(two, fpr=0.99, random_state=0).fit(x, y)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (BooleanClassifier([("a", GaussianNB())]), "at least two"),
        (BooleanClassifier([("a", GaussianNB()), ("a", GaussianNB())]), "distinct names"),
        (BooleanClassifier(PARTS, operation="xor"), "operation must be one of"),
        (BooleanClassifier(PARTS, selection=1.5), "selection must lie strictly between 0 and 1, got 1.5"),
        (BooleanClassifier(PARTS, selection="cv"), "selection must be a share or 'training', got 'cv'"),
        (InterpolatedClassifier(PARTS), "an interpolation lies between two classifiers, got 3"),
        (HullClassifier(PARTS, cost_fp=0), "cost_fp must be a finite number above 0, got 0"),
        (HullClassifier(PARTS, prevalence=1.0), "prevalence must lie strictly between 0 and 1, got 1.0"),
        (ChainClassifier(PARTS, max_fpr=2), "max_fpr must lie between 0 and 1, got 2"),
    ],
)
def test_estimator_error_messages(model, message, data):
    with pytest.raises(InputError, match=message):
        model.fit(*data)
