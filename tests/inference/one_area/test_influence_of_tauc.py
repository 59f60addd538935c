"""The influence of a case on the tAUC is the probability of the triple with that case in it, ties in random order."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from roclab.areas.empirical import auc
from roclab.areas.tauc import tauc
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.inference.one_area.influence import influence_of_tauc

SCORES = st.lists(st.integers(0, 4).map(float), min_size=1, max_size=6)  # few values: ties are the hard case


def in_order(high, middle, low):
    """Pr(high > middle > low) where equal values stand in random order."""
    orders = list(permutations(range(3)))
    values = (high, middle, low)
    fits = 0
    for order in orders:  # the place of each among equals
        keys = [(value, place) for value, place in zip(values, order, strict=True)]
        fits += keys[0] > keys[1] > keys[2]
    return fits / len(orders)


def of(pos, neg):
    return Tally.from_samples(np.array(pos), np.array(neg))


@settings(max_examples=60, deadline=None)
@given(pos=SCORES, neg=SCORES)
def test_influence_definition(pos, neg):
    tally = of(pos, neg)
    found = influence_of_tauc(tally)
    at = {value: place for place, value in enumerate(tally.score.tolist())}
    for x in set(pos):
        assert found.pos[at[x]] == pytest.approx(np.mean([in_order(x, z, y) for z in neg for y in neg]), abs=1e-12)
    for value in set(neg):
        first = np.mean([in_order(x, value, y) for x in pos for y in neg])
        second = np.mean([in_order(x, z, value) for x in pos for z in neg])
        assert found.neg[at[value]] == pytest.approx(first + second, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(pos=SCORES, neg=SCORES)
def test_means_of_the_influence_and_bounds_property(pos, neg):
    tally = of(pos, neg)
    area, value, found = auc(tally), tauc(roc_curve(tally)), influence_of_tauc(tally)
    assert np.average(found.pos, weights=tally.pos) == pytest.approx(value, abs=1e-12)
    assert np.average(found.neg, weights=tally.neg) == pytest.approx(2 * value, abs=1e-12)
    assert area**2 / 2 - 1e-12 <= value <= area / 2 + 1e-12


def test_the_bounds_are_reached():
    late = of([2.0], [1.0, 3.0, 4.0])  # TPR 0 up to FPR 2/3, then 1: A = 1/3
    assert tauc(roc_curve(late)) == pytest.approx((1 / 3) ** 2 / 2)
    perfect = of([2.0, 3.0], [0.0, 1.0])
    assert tauc(roc_curve(perfect)) == pytest.approx(1 / 2)
