"""Scores of few decimals: their places are those of the sorted distinct scores; no other scores are taken for such."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab._core.decimal_grid import decimal_grid
from roclab._core.label_sort import count_by_score, counts_in_order, sum_by_score
from roclab._core.order import descending_order

MANY = 41_000  # four times as many as there are places on the grids below


def tiled(values):
    return np.tile(np.array(values, dtype=np.float64), MANY // len(values) + 1)[:MANY]


ROUNDED = st.lists(
    st.integers(-50, 50).flatmap(lambda whole: st.sampled_from([float(whole), whole / 10, whole / 100, -0.0])),
    min_size=1, max_size=40,
)  # fmt: skip


@given(values=ROUNDED)
def test_places_property_are_those_of_the_distinct_scores(values):
    score = tiled(values)
    grid = decimal_grid(score)
    assert grid is not None
    assert (grid.scores(grid.place) == score).all()
    assert ((grid.place[:-1] < grid.place[1:]) == (score[:-1] > score[1:])).all()
    assert grid.place.min() == 0
    assert grid.place.max() == grid.size - 1


@given(values=ROUNDED, seed=st.integers(0, 99))
def test_counts_and_sums_definition(values, seed):
    score = tiled(values)
    rng = np.random.default_rng(seed)
    score = np.tile(score, 2)  # so many weights are turned as a matrix
    label, weight = rng.random(score.size) < 0.4, rng.integers(1, 5, score.size)
    distinct, place = np.unique(score, return_inverse=True)
    expected = [np.bincount(place, weights=part)[::-1] for part in (label, ~label)]
    found = count_by_score(label, score)
    assert found.score.tolist() == distinct[::-1].tolist()
    assert not np.signbit(found.score[found.score == 0]).any()
    for one, other in zip((found.pos, found.neg), expected, strict=True):
        assert one.tolist() == other.tolist()
    for one, other in zip(counts_in_order(label, score), expected, strict=True):
        assert one.tolist() == other.tolist()
    (sums,) = sum_by_score(label, score, weight)
    assert sums.score.tolist() == distinct[::-1].tolist()
    assert sums.pos.tolist() == np.bincount(place, weights=weight * label)[::-1].tolist()
    assert sums.neg.tolist() == np.bincount(place, weights=weight * ~label)[::-1].tolist()
    assert descending_order(score).tolist() == np.argsort(-score, kind="stable").tolist()


@pytest.mark.parametrize("decimals", range(7))
def test_what_rounding_makes_lies_on_the_grid(decimals):
    score = np.round(np.random.default_rng(1).normal(size=MANY), decimals)
    grid = decimal_grid(score)
    assert abs(np.ptp(score) * 10**decimals - MANY / 4) > 1
    if np.ptp(score) * 10**decimals < MANY / 4:
        assert grid is not None
        assert grid.power <= 10**decimals
    else:  # few scores to a place: sorting is faster
        assert grid is None
    read = np.array([float(f"{value:.2f}") for value in score])  # as a file has them
    assert decimal_grid(read) is not None


@pytest.mark.parametrize(
    "odd",
    [
        np.nextafter(0.25, 1),
        np.nextafter(0.25, 0),
        1 / 3,
        np.inf,
        -np.inf,
        1e300,
        0.1 + 0.2,
    ],
)
def test_one_other_score_takes_all_off_the_grid(odd):
    """Near-ties are distinct scores, wherever among the rows they stand."""
    score = tiled([0.25, 0.5, 0.75, 0.0])
    assert decimal_grid(score) is not None
    for at in (0, 1, MANY // 2, MANY - 1):
        changed = score.copy()
        changed[at] = odd
        assert decimal_grid(changed) is None
        label = np.arange(MANY) % 2 == 0
        assert count_by_score(label, changed).score.size == np.unique(changed).size


def test_few_scores_and_other_types_are_left_to_the_sort():
    assert decimal_grid(np.array([0.5, 1.0])) is None
    assert decimal_grid(tiled([0.5, 1.0]).astype(np.float32)) is None
    assert decimal_grid(np.full(MANY, 2.0**60)) is None
