"""Counts by score, on both roads, against a loop over the cases."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from roclab._core import label_sort, order
from roclab._core.label_sort import count_by_score, counts_in_order, sum_by_score

SPECIAL = [0.0, -0.0, np.inf, -np.inf, 5e-324, -5e-324, 1.7e308, -1.7e308, 1.0, np.nextafter(1.0, 2.0)]
SCORES = st.one_of(st.sampled_from(SPECIAL), st.floats(-9, 9))


@pytest.fixture(autouse=True, params=["counting", "packed"])
def _backend(monkeypatch, request):
    """Both roads whatever the processor, also for few cases."""
    monkeypatch.setattr(label_sort, "_LONG", 1)
    monkeypatch.setattr(label_sort, "sorts_fast", lambda: request.param == "packed")
    monkeypatch.setattr(order, "STABLE_FROM", 1)
    monkeypatch.setattr(order, "_CACHED", 8)


def looped(label, score, weight):
    """Distinct scores from the top with the weight of both classes."""
    pos, neg = Counter(), Counter()
    for is_positive, value, times in zip(label.tolist(), score.tolist(), weight.tolist(), strict=True):
        (pos if is_positive else neg)[value] += times
    distinct = sorted({*score.tolist()}, reverse=True)
    return distinct, [pos[one] for one in distinct], [neg[one] for one in distinct]


@given(hnp.arrays(np.float64, st.integers(1, 60), elements=SCORES), st.randoms(use_true_random=False))
def test_counts_definition(score, random):
    label = np.array([random.random() < 0.5 for _ in score])
    wanted = looped(label, score, np.ones(score.size, np.int64))
    assert tuple(column.tolist() for column in count_by_score(label, score)) == wanted
    pos, neg = counts_in_order(label, score)
    assert (pos.tolist(), (1 - pos.astype(int) if neg is None else neg).tolist()) == wanted[1:]


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int8, np.int64])
def test_counts_definition_of_every_type(kind):
    rng = np.random.default_rng(1)
    label, score = rng.random(400) < 0.4, (rng.integers(-50, 50, 400) * 1000).astype(kind)
    wanted = looped(label, score.astype(np.float64), np.ones(400, np.int64))
    assert tuple(column.tolist() for column in count_by_score(label, score)) == wanted


@given(hnp.arrays(np.float64, st.integers(1, 40), elements=SCORES), st.randoms(use_true_random=False))
def test_sums_definition(score, random):
    """Weights that are whole numbers, so that sums are exact in any order."""
    label = np.array([random.random() < 0.5 for _ in score])
    weight = np.array([float(random.randrange(5)) for _ in score])
    sums, squares = sum_by_score(label, score, weight, squares=True)
    assert tuple(column.tolist() for column in sums) == looped(label, score, weight)
    assert tuple(column.tolist() for column in squares) == looped(label, score, weight**2)
