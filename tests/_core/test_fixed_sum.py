"""A sum that no order and no batches change."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from roclab._core import fixed_sum
from roclab._core.fixed_sum import FixedSum

TERMS = st.lists(st.tuples(st.floats(-1, 1, allow_subnormal=False), st.integers(0, 50)), min_size=1, max_size=30)


def added(terms, cuts=1):
    total = FixedSum()
    for part in np.array_split(np.arange(len(terms)), cuts):
        values, times = (np.array([terms[at][side] for at in part], kind) for side, kind in ((0, float), (1, np.int64)))
        total.add(values, times)
    return total.value


@given(TERMS, st.randoms(use_true_random=False), st.integers(1, 5))
def test_sum_property_of_any_order_and_batches_is_the_same(terms, random, cuts):
    known = added(terms)
    exact = sum((Fraction(value) * times for value, times in terms), Fraction(0))
    assert abs(known - exact) <= Fraction(50 * len(terms), 2**93)
    mixed = random.sample(terms, len(terms))
    assert added(mixed, cuts) == known


@given(TERMS)
def test_sum_property_of_many_repetitions_is_the_same(terms):
    known = added(terms)
    most, fixed_sum._MOST = fixed_sum._MOST, -1
    try:
        assert added(terms) == known
    finally:
        fixed_sum._MOST = most
