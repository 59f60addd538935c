"""The correlated Bayesian t test: its posterior by simulation, its signs, and the bench that asks it."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.inference.comparison.practical import practical_comparison

AREAS = {"a": np.array([0.82, 0.84, 0.83, 0.86, 0.81]), "b": np.array([0.80, 0.81, 0.82, 0.83, 0.80])}


def asked(**changes):
    return practical_comparison(AREAS, **{"quantity": "AUC", "region": 0.01, "test_to_train": 0.25} | changes)


def test_posterior_definition():
    """Draws of the mean from its posterior: a spread from the inverse gamma, a mean given it; no t distribution."""
    (pair,) = asked().pairs
    d = AREAS["a"] - AREAS["b"]
    rng = np.random.default_rng(3)
    variance = d.var(ddof=1) * (d.size - 1) / rng.chisquare(d.size - 1, 400_000)
    mean = rng.normal(d.mean(), np.sqrt(variance * (1 / d.size + 0.25)))
    drawn = [np.mean(mean > 0.01), np.mean(np.abs(mean) <= 0.01), np.mean(mean < -0.01)]
    np.testing.assert_allclose([pair.first_better, pair.same, pair.second_better], drawn, atol=0.004)
    assert pair.first_better + pair.same + pair.second_better == pytest.approx(1)


def test_losses_and_turned_pairs_property():
    found = asked()
    (pair,) = found.pairs
    turned = found.pair("b", "a")
    assert (turned.first_better, turned.second_better) == (pair.second_better, pair.first_better)
    (loss,) = asked(lower_is_better=True).pairs
    assert (loss.first_better, loss.second_better) == (pair.second_better, pair.first_better)
    assert asked(region=0.0).pairs[0].same == 0
    assert asked(test_to_train=0.0).pairs[0].first_better > pair.first_better


def test_splits_that_say_nothing():
    same = {"a": np.array([0.8, 0.8]), "b": np.array([0.7, 0.7])}
    (pair,) = practical_comparison(same, quantity="AUC", region=0.01, test_to_train=1).pairs
    assert "the same in every split" in pair.first_better.reason
    with pytest.raises(InputError, match="region must be 0 or more"):
        asked(region=-1)
    with pytest.raises(InputError, match="first and second must be two of the models"):
        asked().pair("a", "c")


def test_bench_asks_it(tmp_path):
    data = {"label": "outcome", "pos_label": "deteriorated", "score": ["procalcitonin", "lactate"]}
    found = rl.bench("example", **data, models=["logistic", "naive_bayes"], folds=4, rng=1)
    one = found.practical(region=0.02)
    values = {name: found.split_values(name, "AUC") for name in ("logistic", "naive_bayes")}
    wanted = practical_comparison(values, quantity="AUC", region=0.02, test_to_train=found.test_to_train)
    assert one.rows() == wanted.rows()
    assert "less than 0.02" in str(one)
    loss = found.practical(by="Brier", models=["naive_bayes", "logistic"])
    brier = {name: found.split_values(name, "Brier").mean() for name in values}
    better = loss.pair("logistic", "naive_bayes")
    assert (better.first_better > better.second_better) == (brier["logistic"] < brier["naive_bayes"])
    with pytest.raises(InputError, match="models must be two or more"):
        found.practical(models=["logistic"])
