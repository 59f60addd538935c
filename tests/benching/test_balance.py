"""Fewer negatives: by fuzzy c-means or at random."""

from __future__ import annotations

import numpy as np
import pytest

from roclab.benching.balance import reduce_negatives
from roclab.errors import InputError


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 4))
    return x, np.flatnonzero(rng.random(200) < 0.8)


@pytest.mark.parametrize("how", ["fcm", "random"])
def test_kept_rows_are_distinct_negatives_property(data, how):
    x, negative = data
    kept = reduce_negatives(x, negative, 30, how, 1)
    assert kept.size == np.unique(kept).size == 30
    assert np.isin(kept, negative).all()
    np.testing.assert_array_equal(kept, reduce_negatives(x, negative[::-1], 30, how, 1))
    assert not np.array_equal(kept, reduce_negatives(x, negative, 30, how, 2))


def test_clusters_are_all_represented_definition():
    """Well-parted clusters of very different sizes: one negative of each, and the one nearest to its mean."""
    rng = np.random.default_rng(3)
    places = np.repeat([0.0, 100.0, 200.0], [5, 50, 500])
    x = places[:, None] + rng.normal(size=(places.size, 2))
    for seed in range(10):
        kept = reduce_negatives(x, np.arange(places.size), 3, "fcm", seed)
        if len(set(places[kept])) == 3:
            break
    assert len(set(places[kept])) == 3
    for row in kept:
        mates = x[places == places[row]]
        assert np.linalg.norm(x[row] - mates.mean(axis=0)) < 1.0


def test_copies_and_shared_centres_are_topped_up():
    """Many copies of few points: centres fall together, yet distinct negatives come out, one of each point."""
    points = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1], [5, 5], [9, 9]])
    x = np.repeat(points, [40, 3, 3, 3, 2, 1], axis=0)
    for seed in range(8):
        kept = reduce_negatives(x, np.arange(len(x)), 6, "fcm", seed)
        assert len(np.unique(x[kept], axis=0)) == 6


@pytest.mark.parametrize(
    ("rows", "keep", "how", "message"),
    [
        (range(5), 6, "random", "keep must be at most the number of negatives, 5, got 6; there are more positives"),
        (range(5), 6, "fcm", "keep must be at most the number of negatives, 5"),
        (
            range(9),
            3,
            "fcm",
            "keep must be at most the number of distinct negatives, 2, got 3 clusters; reduce them at",
        ),
        (range(9), 0, "fcm", "keep must be a whole number of at least 1"),
        (range(9), 2, "smote", "how must be one of 'fcm', 'random'"),
    ],
)
def test_errors_say_what_to_do(rows, keep, how, message):
    x = np.array([[0.0], [1.0]] * 5)
    with pytest.raises(InputError, match=message):
        reduce_negatives(x, list(rows), keep, how, 0)


def test_random_needs_no_distinct_negatives():
    assert reduce_negatives(np.zeros((9, 1)), range(9), 5, "random", 0).size == 5
