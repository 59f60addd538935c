"""Invariances that hold for every estimator in the table, run over all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.areas.methods import METHODS
from roclab.data.tally import Tally
from tests.strategies import WEIGHTS, labelled

EVERY = pytest.mark.parametrize("name", METHODS)


def tally_of(label, score, weight=None):
    return Tally.from_labels(label, score, weight=weight)


@EVERY
@given(data=labelled(), seed=st.integers(0, 99))
def test_row_order_property_does_not_matter(name, data, seed):
    label, score = data
    order = np.random.default_rng(seed).permutation(label.size)
    estimate = METHODS[name].estimate
    assert estimate(tally_of(label, score)) == estimate(tally_of(label[order], score[order]))


@EVERY
@given(data=labelled())
def test_increasing_maps_property_change_nothing(name, data):
    label, score = data
    estimate = METHODS[name].estimate
    want = estimate(tally_of(label, score))
    for mapped in (np.exp(score), 3 * score - 7, score**3, np.arctan(score).astype(np.float32)):
        assert estimate(tally_of(label, mapped)) == want


@EVERY
@given(data=labelled(min_size=4), weights=st.lists(WEIGHTS, min_size=30, max_size=30))
def test_whole_weights_property_equal_repetition(name, data, weights):
    label, score = data
    weight = np.array(weights[: label.size])
    weight[:2] = np.maximum(weight[:2], 1)  # both classes stay
    repeated = tally_of(np.repeat(label, weight), np.repeat(score, weight))
    estimate = METHODS[name].estimate
    assert estimate(tally_of(label, score, weight)) == pytest.approx(estimate(repeated), rel=1e-13)


@pytest.mark.parametrize("name", [name for name, row in METHODS.items() if not row.whole_cases_only])
@given(data=labelled(min_size=4), weights=st.lists(WEIGHTS, min_size=30, max_size=30), scale=st.floats(0.01, 100))
def test_common_factor_property_of_weights_does_not_matter(name, data, weights, scale):
    label, score = data
    weight = np.array(weights[: label.size])
    weight[:2] = np.maximum(weight[:2], 1)
    estimate = METHODS[name].estimate
    want = estimate(tally_of(label, score, weight))
    assert estimate(tally_of(label, score, weight * scale)) == pytest.approx(want, rel=1e-9)


@EVERY
@given(data=labelled(min_size=6), cut=st.integers(2, 4))
def test_merged_parts_property_equal_the_whole(name, data, cut):
    label, score = data
    label[-1], label[-2] = True, False
    parts = [tally_of(label[:cut], score[:cut]), tally_of(label[cut:], score[cut:])]
    estimate = METHODS[name].estimate
    want = estimate(tally_of(label, score))
    assert estimate(parts[0].merge(parts[1])) == want
    assert estimate(parts[1].merge(parts[0])) == want


@EVERY
def test_perfect_and_useless_scores_have_their_stated_values(name):
    method = METHODS[name]
    perfect = Tally.from_samples(np.array([4.0, 5.0, 6.0]), np.array([0.0, 1.0, 2.0, 3.0]))
    useless = Tally.from_samples(np.ones(3), np.ones(4))
    if method.perfect is not None:
        assert method.estimate(perfect) == pytest.approx(float(method.perfect), abs=1e-15)
    if method.chance is not None:
        assert method.estimate(useless) == pytest.approx(float(method.chance), abs=1e-15)
    if name in ("average_precision", "pr_integral", "pr_davis_goadrich", "pr_trapezoid"):
        assert method.estimate(useless) == pytest.approx(3 / 7)


@EVERY
@given(data=labelled())
def test_better_property_scores_never_lower_the_area(name, data):
    """Raising one positive above everything else cannot hurt."""
    label, score = data
    better = score.copy()
    better[np.flatnonzero(label)[0]] = score.max() + 1
    estimate = METHODS[name].estimate
    assert estimate(tally_of(label, better)) >= estimate(tally_of(label, score)) - 1e-12


@pytest.mark.parametrize("name", ["empirical", "optimistic", "pessimistic", "gini", "hull"])
@given(data=labelled())
def test_mirror_property_keeps_symmetric_areas(name, data):
    """Swapping the classes and reversing the score keeps every area that treats both classes alike."""
    tally = tally_of(*data)
    estimate = METHODS[name].estimate
    assert estimate(tally.mirrored()) == pytest.approx(estimate(tally), abs=1e-13)


@given(data=labelled())
def test_reversed_property_areas_add_up_to_one(data):
    tally = tally_of(*data)
    estimate = METHODS["empirical"].estimate
    assert estimate(tally) + estimate(tally.reversed()) == pytest.approx(1, abs=1e-15)
