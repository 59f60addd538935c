"""Seven integers of a block: against their definition, and how they merge."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from roclab.engines.sums import EMPTY, merged, sums_of_counts, sums_of_labels, sums_of_one_score

COUNTS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8)


def block(counts):
    pos, neg = (np.array([one[side] for one in counts], np.int64) for side in (0, 1))
    return sums_of_counts(pos, neg)


def components(counts):
    """Shares of negatives below each positive and of positives above each negative, ties one half; O(n²)."""
    every = [(place, True) for place, (p, _) in enumerate(counts) for _ in range(p)]
    every += [(place, False) for place, (_, n) in enumerate(counts) for _ in range(n)]
    pos, neg = ([place for place, positive in every if positive is side] for side in (True, False))

    def won(a, b):
        return Fraction(int(a > b) * 2 + int(a == b), 2)

    return [sum(won(a, b) for b in neg) / len(neg) for a in pos], [sum(won(a, b) for a in pos) / len(pos) for b in neg]


def spread(values):
    mean = Fraction(sum(values), len(values))
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


@given(COUNTS)
def test_area_and_delong_definition(counts):
    P, N = sum(p for p, _ in counts), sum(n for _, n in counts)
    assume(P > 1 and N > 1)
    v10, v01 = components(counts)
    found = block(counts)
    assert found.auc == float(Fraction(sum(v10), P))
    assert found.parts == (float(spread(v10) / P), float(spread(v01) / N))


@given(COUNTS)
def test_tauc_definition(counts):
    """∫ TPR (1 - FPR) dFPR over the straight pieces, by Simpson's rule, which is exact for squares."""
    P, N = sum(p for p, _ in counts), sum(n for _, n in counts)
    assume(P and N)
    fp = tp = 0
    area = Fraction(0)
    for p, n in reversed(counts):
        ends = [(Fraction(fp, N), Fraction(tp, P)), (Fraction(fp + n, N), Fraction(tp + p, P))]
        middle = tuple((a + b) / 2 for a, b in zip(*ends, strict=True))
        heights = [t * (1 - f) for f, t in (ends[0], middle, ends[1])]
        area += Fraction(n, N) * (heights[0] + 4 * heights[1] + heights[2]) / 6
        fp, tp = fp + n, tp + p
    assert block(counts).tauc == float(area)


@given(COUNTS, st.integers(0, 8))
def test_merge_property_any_cut_gives_the_whole(counts, cut):
    assert block(counts[:cut]) + block(counts[cut:]) == block(counts)
    assert merged(sums_of_one_score(p, n) for p, n in counts) == block(counts)
    assert EMPTY + block(counts) == block(counts) == block(counts) + EMPTY


@given(COUNTS)
def test_reversed_property_is_the_block_upside_down(counts):
    assert block(counts).reversed() == block(counts[::-1])


def test_blocks_of_any_size_do_not_overflow():
    large = 10**10
    whole = sums_of_one_score(0, large) + sums_of_one_score(large, 0)
    assert whole.auc == 1.0
    assert whole.parts == (0.0, 0.0)


@given(st.lists(st.booleans(), max_size=30))
def test_sums_of_labels_property_are_those_of_counts(labels):
    positive = np.array(labels, np.bool_)
    assert sums_of_labels(positive) == sums_of_counts(positive.astype(np.int64), (~positive).astype(np.int64))
