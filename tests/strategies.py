"""Data for property tests: small integers on purpose, because ties are the hard case."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

TIED = st.integers(0, 6)
SCORES = st.lists(TIED, min_size=1, max_size=14)
TWO_OR_MORE = st.lists(TIED, min_size=2, max_size=14)
REALS = st.floats(allow_nan=False, width=64)
WEIGHTS = st.integers(0, 4)


@st.composite
def labelled(draw, scores=TIED, min_size=2, max_size=30):
    """Labels (both classes present) and scores."""
    n = draw(st.integers(min_size, max_size))
    label = draw(st.lists(st.booleans(), min_size=n, max_size=n))
    label[0], label[1] = True, False
    values = draw(st.lists(scores, min_size=n, max_size=n))
    return np.array(label), np.array(values, dtype=np.float64)


RATES = st.sampled_from([0.0, 0.05, 0.1, 0.25, 0.3, 0.5, 0.75, 0.9, 1.0])


@st.composite
def ranges(draw):
    """A pair low < high of rates."""
    low, high = draw(st.tuples(RATES, RATES).filter(lambda pair: pair[0] < pair[1]))
    return low, high
