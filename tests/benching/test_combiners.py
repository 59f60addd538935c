"""Fixed rules and the second level."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB

from roclab.benching.combiners import SecondLevel, combine_scores
from roclab.benching.scores import as_score
from roclab.errors import InputError, MissingValuesError
from roclab.names import FIXED_RULES

TABLE = np.array([[0.2, 0.9, 0.4], [0.5, 0.5, 0.5], [1.0, 0.0, 0.8]])


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(5)
    y = np.repeat([0, 1], [70, 50])
    return rng.normal(size=(120, 4)) + 0.8 * y[:, None], y


def test_rules_definition():
    slow = {
        "mean": lambda row: sum(row) / 3,
        "product": lambda row: (row[0] * row[1] * row[2]) ** (1 / 3),
        "max": max,
        "min": min,
        "median": lambda row: sorted(row)[1],
        "vote": lambda row: sum(one >= 0.5 for one in row) / 3,
    }
    assert set(slow) == set(FIXED_RULES)
    for rule, one in slow.items():
        np.testing.assert_allclose(combine_scores(TABLE, rule), [one(list(row)) for row in TABLE])
    np.testing.assert_allclose(combine_scores(TABLE, "vote", threshold=[0.1, 0.95, 0.4]), [2 / 3, 2 / 3, 2 / 3])


def test_order_of_detectors_does_not_matter_property():
    for rule in FIXED_RULES:
        np.testing.assert_allclose(combine_scores(TABLE, rule), combine_scores(TABLE[:, ::-1], rule))


def test_rules_refuse_what_they_cannot_mean():
    with pytest.raises(InputError, match="must be posteriors between 0 and 1 for the product, got -2 to 3"):
        combine_scores([[-2.0, 3.0]], "product")
    with pytest.raises(InputError, match="rule must be one of 'mean', 'product'"):
        combine_scores(TABLE, "sum")
    with pytest.raises(InputError, match="threshold must be one number, or one for each detector, got 2 numbers"):
        combine_scores(TABLE, "vote", threshold=[0.1, 0.2])
    with pytest.raises(InputError, match="scores must have a column for each detector"):
        combine_scores([1.0, 2.0], "mean")
    with pytest.raises(MissingValuesError, match="scores must be finite"):
        combine_scores([[np.nan, 1.0]], "mean")


def test_second_level_definition(data):
    x, y = data
    parts = [("logistic", LogisticRegression()), ("bayes", GaussianNB())]
    model = SecondLevel(parts, LogisticRegression(), folds=4, random_state=1).fit(x, y)
    scores = np.empty((120, 2))
    for train, test in StratifiedKFold(4, shuffle=True, random_state=1).split(x, y):
        for at, (_, one) in enumerate(parts):
            scores[test, at] = as_score(clone(one).fit(x[train], y[train]), x[test], 1)
    np.testing.assert_allclose(model.out_of_fold_, scores)
    final = LogisticRegression().fit(scores, y)
    np.testing.assert_allclose(model.final_.coef_, final.coef_)
    first = np.column_stack([as_score(clone(one).fit(x, y), x, 1) for _, one in parts])
    np.testing.assert_allclose(model.decision_function(x), final.decision_function(first))
    # from scores that are at hand, without fitting the first level
    again = SecondLevel(final=LogisticRegression()).fit_scores(scores, y)
    np.testing.assert_allclose(again.decision_of_scores(first), model.decision_function(x))


def test_second_level_of_three_classes():
    rng = np.random.default_rng(6)
    y = np.repeat(["a", "b", "c"], 40)
    x = rng.normal(size=(120, 2)) + np.repeat([[0, 0], [3, 0], [0, 3]], 40, axis=0)
    model = SecondLevel([("bayes", GaussianNB())], GaussianNB(), random_state=0).fit(x, y)
    assert model.out_of_fold_.shape == (120, 3)
    assert np.mean(model.predict(x) == y) > 0.85


def test_second_level_refuses_what_it_cannot_use(data):
    x, y = data
    with pytest.raises(InputError, match="estimators must be .name, classifier. pairs with distinct names"):
        SecondLevel([("a", GaussianNB()), ("a", GaussianNB())]).fit(x, y)
    with pytest.raises(InputError, match="y must have two cases of every class at least"):
        SecondLevel().fit(x[:71], y[:71])
    with pytest.raises(InputError, match="folds must be a whole number of at least 2"):
        SecondLevel(folds=1).fit(x, y)
