"""A small table that every classifier learns something from, with words, gaps and subjects."""

from __future__ import annotations

import numpy as np
import pytest


@pytest.fixture(scope="session")
def numbers():
    """120 cases of two classes with three features."""
    random = np.random.default_rng(7)
    y = np.repeat([1, 0], [45, 75])
    x = random.normal(size=(120, 3)) + y[:, None] * [1.0, 0.5, 0.0]
    order = random.permutation(120)
    return y[order], x[order]


@pytest.fixture(scope="session")
def mixed():
    """The same with a column of words, gaps, subjects of two cases each and a name of every case."""
    random = np.random.default_rng(8)
    y = np.tile([1, 1, 0, 0, 0, 0], 20)
    size = y.size
    words = np.where(random.random(size) < 0.3 + 0.4 * y, "high", random.choice(["low", "middle"], size)).astype(object)
    words[::17] = None
    value = random.normal(size=size) + y
    value[3::13] = np.nan
    return {
        "outcome": np.where(y == 1, "ill", "well"),
        "value": value,
        "word": words,
        "subject": np.repeat(np.arange(size // 2), 2),
        "name": np.array([f"case {at}" for at in range(size)]),
    }
