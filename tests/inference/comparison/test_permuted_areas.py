"""Exchanged ranks: against every exchange there is, and what must not change the answer."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.inference.comparison.permuted_areas import permuted_areas

Y = np.array([1, 1, 1, 1, 0, 0, 0, 0], bool)
SCORES = {
    "a": np.array([8, 7, 6, 3, 5, 4, 2, 1.0]),
    "b": np.array([1, 2, 5, 5, 3, 5, 4, 2.0]),
    "c": np.array([4, 4, 1, 3, 2, 2, 1, 3.0]),
}


def looped_area(label, value):
    pairs = [(x > y) + (x == y) / 2 for x in value[label] for y in value[~label]]
    return sum(pairs) / len(pairs)


def ranks_of(values):
    return np.array([np.sum(values < one) + (np.sum(values == one) + 1) / 2 for one in values])


def every_permutation(label, scores):
    """Share of all exchanges whose areas lie at least as far apart, by loops."""
    ranks = np.column_stack([ranks_of(one) for one in scores])
    orders = list(itertools.permutations(range(len(scores))))
    observed, reached, number = None, 0, 0
    for choice in itertools.product(orders, repeat=label.size):
        mixed = np.array([ranks[at, list(order)] for at, order in enumerate(choice)])
        areas = np.array([looped_area(label, column) for column in mixed.T])
        apart = np.sum((areas - areas.mean()) ** 2)
        observed = apart if observed is None else observed  # the first choice exchanges nothing
        reached += apart >= observed - 1e-12
        number += 1
    return reached / number


def test_permuted_areas_definition_by_every_permutation():
    found = permuted_areas(rl.read_cases(Y, SCORES), ("a", "b"), resampling=4000, rng=1)
    exact = every_permutation(Y, [SCORES["a"], SCORES["b"]])
    assert found.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 4000))
    assert found.statistic == pytest.approx(looped_area(Y, SCORES["a"]) - looped_area(Y, SCORES["b"]), abs=1e-12)


def test_permuted_areas_definition_of_three_scores():
    rows = [0, 1, 3, 4, 5, 7]
    label, scores = Y[rows], {name: value[rows] for name, value in SCORES.items()}
    found = permuted_areas(rl.read_cases(label, scores), ("a", "b", "c"), resampling=4000, rng=1)
    exact = every_permutation(label, list(scores.values()))
    assert found.p_value == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 4000))


def test_permuted_areas_property_of_rows_maps_and_classes():
    rng = np.random.default_rng(3)
    label = rng.random(40) < 0.4
    scores = {name: np.round(label + rng.normal(size=40), 1) for name in "ab"}
    asked = {"statistic": "areas", "resampling": 300, "rng": 5}
    whole = rl.compare_curves(label, scores, **asked).tests[0]
    order = rng.permutation(40)
    moved = rl.compare_curves(label[order], {name: one[order] for name, one in scores.items()}, **asked).tests[0]
    mapped = rl.compare_curves(label, {"a": np.exp(scores["a"]), "b": scores["b"] * 3 - 7}, **asked).tests[0]
    assert whole.p_value == moved.p_value == mapped.p_value
    assert whole.statistic == moved.statistic == mapped.statistic
    turned = rl.compare_curves(~label, {name: -one for name, one in scores.items()}, **asked).tests[0]
    assert turned.statistic == pytest.approx(whole.statistic, abs=1e-12)


def test_identical_scores_never_differ():
    found = rl.compare_curves(Y, {"a": SCORES["a"], "b": SCORES["a"]}, statistic="areas", resampling=99, rng=1)
    assert (found.tests[0].statistic, found.tests[0].p_value) == (0, 1)


def test_three_scores_are_tested_together_as_well():
    found = rl.compare_curves(Y, SCORES, statistic="areas", resampling=99, rng=1)
    assert len(found.tests) == 3
    assert found.equality.hypothesis == "a, b and c have the same ROC curve"
    assert "all the same: p" in str(found)


def test_different_cases_are_refused():
    with pytest.raises(InputError, match="exchanges scores of the same cases"):
        rl.compare_curves(Y, SCORES["a"], group=["m", "w"] * 4, statistic="areas")
