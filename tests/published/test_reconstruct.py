"""The reconstructed cases are what they claim to be, by definitions that share no code with the library."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.published.reconstruct import COVARIANCES, DATA, SCALES, deal, placements, read_steps, scale

CURVES = json.loads((DATA / "curves.json").read_text())


def wins(one, other):
    return (one[:, None] > other[None, :]) + (one[:, None] == other[None, :]) / 2


@pytest.mark.parametrize("name", ["asah", "pancreas"])
def test_cases_have_the_steps_of_the_published_curves(published_table, name):
    table = published_table(f"{name}_reconstructed.csv")
    positive = table["positive"] == "1"
    for score, text in CURVES[name].items():
        values = table[score].astype(float)
        steps = [(np.sum(positive & (values == v)), np.sum(~positive & (values == v))) for v in np.unique(values)]
        assert steps == read_steps(text)


@pytest.mark.parametrize("name", ["asah", "pancreas"])
def test_cases_have_the_published_covariances_definition(published_table, name):
    """DeLong's formula over all pairs of cases."""
    table = published_table(f"{name}_reconstructed.csv")
    positive = table["positive"] == "1"
    for pair, (covariance, tolerance) in COVARIANCES[name].items():
        won = [wins(*(table[score].astype(float)[side] for side in (positive, ~positive))) for score in pair]
        of_positives = np.cov(*(table.mean(axis=1) for table in won))[0, 1] / positive.sum()
        of_negatives = np.cov(*(table.mean(axis=0) for table in won))[0, 1] / (~positive).sum()
        # The printed digits, and as much again for the rounding of this sum.
        assert of_positives + of_negatives == pytest.approx(covariance, abs=2 * tolerance)


def test_printed_cutoffs_stand_at_their_places(published_table):
    table = published_table("asah_reconstructed.csv")
    for score, anchors in SCALES.items():
        values = np.unique(table[score].astype(float))
        assert {at: values[at] for at in anchors} == anchors


def test_placements_definition():
    steps = read_steps("1/0 0/2 1/1 2/0")  # negatives 2, 2, 3; positives 1, 3, 4, 4
    assert placements(steps, 0) == [0, 5, 6, 6]
    assert placements(steps, 1) == [6, 6, 5]
    assert scale(steps, {0: 1, 3: 8}) == [1, 2, 4, 8]
    assert scale(steps, {}) == [1, 2, 3, 4]


def test_dealing_finds_orders_with_the_given_sums():
    values = {"a": [0, 3, 5, 6, 9], "b": [1, 2, 2, 7, 8], "c": [0, 1, 4, 5, 9]}
    rng = np.random.default_rng(5)
    hidden = {name: rng.permutation(column) for name, column in values.items()}
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    sums = {pair: int(hidden[pair[0]] @ hidden[pair[1]]) for pair in pairs}
    orders = deal(values, sums, rng)
    dealt = {name: np.array(values[name])[order] for name, order in orders.items()}
    assert {pair: int(dealt[pair[0]] @ dealt[pair[1]]) for pair in pairs} == sums
