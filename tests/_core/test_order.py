"""Counting sorts of positions against ``np.argsort``."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from roclab._core import order
from roclab._core.order import blocks_in_order, descending_order

SPECIAL = [0.0, -0.0, np.inf, -np.inf, 5e-324, -5e-324, 1.7e308, -1.7e308, 1.0, np.nextafter(1.0, 2.0)]


def check(score):
    found = descending_order(score)
    assert sorted(found.tolist()) == list(range(score.size))
    np.testing.assert_array_equal(score[found], np.sort(score)[::-1])


@pytest.fixture(
    autouse=True, params=[(1 << 14, 1 << 17), (4, 1 << 17), (4, 16)], ids=["one part", "many parts", "many pieces"]
)
def _always_counted(monkeypatch, request):
    """Small arrays take the road of long ones, also the one that cuts them up."""
    monkeypatch.setattr(order, "STABLE_FROM", 1)
    monkeypatch.setattr(order, "_CACHED", request.param[0])
    monkeypatch.setattr(order, "_PIECE", request.param[1])


@given(hnp.arrays(np.float64, st.integers(1, 60), elements=st.one_of(st.sampled_from(SPECIAL), st.floats(-9, 9))))
def test_descending_order_property_sorts_any_floats(score):
    check(score)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int8, np.int64, np.uint16])
def test_descending_order_definition_of_every_type(kind):
    rng = np.random.default_rng(1)
    check(rng.integers(0, 100, 500).astype(kind))


@pytest.mark.parametrize(
    "score",
    [
        np.random.default_rng(2).normal(size=5000),
        np.random.default_rng(3).random(5000) ** 20,
        np.random.default_rng(4).integers(0, 3, 5000) + np.random.default_rng(5).normal(size=5000) * 1e-13,
        np.concatenate([np.random.default_rng(6).normal(size=4000) * 1e300, np.full(500, 1.0), np.zeros(500)]),
        1 + np.arange(5000) * np.finfo(float).eps,
    ],
    ids=["normal", "skewed", "near ties", "huge range", "neighbouring floats"],
)
def test_descending_order_definition_where_scores_differ_in_their_last_bits(score):
    """Most of these need the run-by-run repair, levels of bits, or the way back to argsort."""
    check(score)
    check(-score)


def test_descending_order_property_keeps_the_rows_of_equal_scores_in_order():
    score = np.random.default_rng(7).integers(-3, 4, 3000) * np.float64(0.1)
    score[::7] = -0.0
    np.testing.assert_array_equal(descending_order(score), np.argsort(-score, kind="stable"))


@given(hnp.arrays(np.float64, st.integers(1, 60), elements=st.one_of(st.sampled_from(SPECIAL), st.floats(-9, 9))))
def test_blocks_property_equal_scores_share_a_block_and_none_lies_between(score):
    rows = np.arange(score.size)
    blocks = list(blocks_in_order(score, rows, score))
    assert [block.part.start for block in blocks] == [0, *(block.part.stop for block in blocks[:-1])]
    for one, other in itertools.pairwise(blocks):
        assert one.score[-1] > other.score[0]
    for block in blocks:
        np.testing.assert_array_equal(block.carried[1], block.score)
        np.testing.assert_array_equal(score[block.carried[0]], block.score)
