from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.errors import InputError, OneClassError
from roclab.results import Sample

# Ties are the hard case, so most scores come from a handful of values. The special ones are those whose
# bits or order are peculiar: both zeros, both infinities, subnormals, neighbours that differ in one bit.
NEIGHBOURS = [1.0, np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0), 0.1 + 0.2, 0.3]
SPECIAL = [0.0, -0.0, np.inf, -np.inf, 5e-324, -5e-324, 2.2e-308, -2.2e-308, 1.7e308, -1.7e308, *NEIGHBOURS]
FLOATS = st.one_of(
    st.integers(-3, 3).map(float),
    st.sampled_from(SPECIAL),
    st.floats(allow_nan=False),
)
SCORES = {
    "float64": FLOATS.map(np.float64),
    "float32": st.one_of(
        st.integers(-3, 3).map(float),
        st.sampled_from([0.0, -0.0, np.inf, -np.inf, 1e-45, -1e-45, 3.4e38, 1.0, 1.0 + 2**-23]),
        st.floats(allow_nan=False, width=32),
    ).map(np.float32),
    "int64": st.one_of(st.integers(-3, 3), st.integers(-(2**53), 2**53)).map(np.int64),
    "int8": st.integers(-128, 127).map(np.int8),
    "uint8": st.integers(0, 255).map(np.uint8),
}


@st.composite
def labelled(draw, dtype="float64", max_size=40):
    """Labels with both classes, and as many scores."""
    label = [True, False, *draw(st.lists(st.booleans(), max_size=max_size))]
    score = [draw(SCORES[dtype]) for _ in label]
    return np.array(label), np.array(score, dtype=dtype)


def naive_counts(label, score, weight=None):
    """The definition: a dictionary from score to the weight of each class; shares no code with src."""
    weight = np.ones(len(label), int) if weight is None else weight
    table = defaultdict(lambda: [0, 0])
    for positive, value, times in zip(label.tolist(), score.tolist(), weight.tolist(), strict=True):
        table[float(value) + 0.0][0 if positive else 1] += times
    return [(value, *table[value]) for value in sorted(table, reverse=True)]


def as_rows(tally):
    return list(zip(tally.score.tolist(), tally.pos.tolist(), tally.neg.tolist(), strict=True))


def assert_same(left, right):
    assert as_rows(left) == as_rows(right)
    assert left.sample == right.sample


@pytest.mark.parametrize("dtype", SCORES)
@given(data=st.data())
def test_tally_property_equals_a_dictionary_count(dtype, data):
    label, score = data.draw(labelled(dtype))
    tally = Tally.from_labels(label, score)
    assert as_rows(tally) == naive_counts(label, score)
    assert not np.signbit(tally.score[tally.score == 0]).any()  # -0.0 and 0.0 are one score, shown as 0


@given(labelled(), st.randoms(use_true_random=False))
def test_tally_property_does_not_depend_on_row_order(cases, random):
    label, score = cases
    order = list(range(label.size))
    random.shuffle(order)
    assert_same(Tally.from_labels(label[order], score[order]), Tally.from_labels(label, score))


@given(labelled(), labelled())
def test_merge_property_equals_the_tally_of_the_whole(one, other):
    whole = Tally.from_labels(np.r_[one[0], other[0]], np.r_[one[1], other[1]])
    parts = Tally.from_labels(*one), Tally.from_labels(*other)
    assert_same(parts[0].merge(parts[1]), whole)
    assert_same(parts[1].merge(parts[0]), whole)


@given(labelled(max_size=10), labelled(max_size=10), labelled(max_size=10))
def test_merge_property_is_associative(a, b, c):
    a, b, c = (Tally.from_labels(*part) for part in (a, b, c))
    assert_same(a.merge(b).merge(c), a.merge(b.merge(c)))


@st.composite
def weighted(draw):
    label, score = draw(labelled(max_size=15))
    weight = np.array([1, 1, *draw(st.lists(st.integers(0, 4), min_size=label.size - 2, max_size=label.size - 2))])
    return label, score, weight


def cases_of(label, score, weight=None):
    kind = "none" if weight is None else "importance" if weight.dtype.kind == "f" else "frequency"
    return Cases(label=label, scores={"s": score}, weight=weight, weights=kind, direction={"s": "higher"})


@given(weighted())
def test_whole_weights_property_equal_repetition_and_zero_weights_vanish(cases):
    label, score, weight = cases
    tally = cases_of(label, score, weight).tally()
    repeated = cases_of(np.repeat(label, weight), np.repeat(score, weight)).tally()
    assert as_rows(tally) == as_rows(repeated)
    assert (tally.n_pos, tally.n_neg) == (repeated.n_pos, repeated.n_neg)


@given(weighted())
def test_importance_weights_property_sum_weights_and_their_squares(cases):
    label, score, weight = cases
    weight = weight / 4  # quarters add up without rounding, so equality is exact
    tally = cases_of(label, score, weight).tally()
    kept = weight > 0
    assert as_rows(tally) == naive_counts(label[kept], score[kept], weight[kept])
    squares = list(zip(tally.score.tolist(), tally.pos_squares.tolist(), tally.neg_squares.tolist(), strict=True))
    assert squares == naive_counts(label[kept], score[kept], weight[kept] ** 2)


@given(labelled())
def test_reversing_or_mirroring_twice_property_changes_nothing(cases):
    tally = Tally.from_labels(*cases)
    assert_same(tally.reversed().reversed(), tally)
    assert_same(tally.mirrored().mirrored(), tally)


def pairs_won(tally):
    """Twice the number of (positive, negative) pairs the positive wins, ties counting half."""
    return sum(pos * neg * (2 * (p > n) + (p == n)) for p, pos, _ in as_rows(tally) for n, _, neg in as_rows(tally))


@given(labelled(max_size=15))
def test_reversed_and_mirrored_definition_on_pairs(cases):
    tally = Tally.from_labels(*cases)
    all_pairs = 2 * tally.n_pos * tally.n_neg
    assert pairs_won(tally.reversed()) == all_pairs - pairs_won(tally)
    assert pairs_won(tally.mirrored()) == pairs_won(tally)
    assert (tally.mirrored().sample.positive, tally.mirrored().sample.negative) == ("0", "1")


def test_near_ties_definition_stay_apart():
    score = np.array(NEIGHBOURS)
    tally = Tally.from_labels(np.array([True, False, True, False, True]), score)
    assert tally.score.tolist() == sorted(NEIGHBOURS, reverse=True)
    assert all(high > low for high, low in pairwise(tally.score))


def test_tally_definition_of_two_samples():
    tally = Tally.from_samples(np.array([3, 2]), np.array([2, 1]))
    assert as_rows(tally) == [(3.0, 1, 0), (2.0, 1, 1), (1.0, 0, 1)]


def test_tally_definition_of_a_table_of_counts_joins_equal_scores():
    tally = Tally.from_counts(np.array([1, 2, 1]), np.array([0, 3, 2]), np.array([5, 1, 1]))
    assert as_rows(tally) == [(2.0, 3, 1), (1.0, 2, 6)]


def test_big_endian_scores_definition():
    score = np.array([2.0, -1.0, 2.0], dtype=">f8")
    assert as_rows(Tally.from_labels(np.array([True, False, False]), score)) == [(2.0, 1, 1), (-1.0, 0, 1)]


def test_tally_property_arrays_are_read_only():
    tally = Tally.from_labels(np.array([True, False]), np.array([1.0, 2.0]))
    with pytest.raises(ValueError, match="read-only"):
        tally.score[0] = 7


@pytest.mark.parametrize("absent", ["positive", "negative"])
def test_one_class_error_names_the_absent_class(absent):
    with pytest.raises(OneClassError, match=f"needs both classes.*add cases of the {absent}"):
        Tally.from_labels(np.full(3, absent == "negative"), np.arange(3.0))


def test_merge_error_when_directions_differ():
    tally = Tally.from_labels(np.array([True, False]), np.array([1.0, 2.0]))
    with pytest.raises(InputError, match="agree on labels and direction, got '1'/'0'/higher and '1'/'0'/lower"):
        tally.merge(tally.reversed())


def test_merge_error_when_only_one_part_is_weighted():
    label, score = np.array([True, False]), np.array([1.0, 2.0])
    with pytest.raises(InputError, match="both or neither hold importance weights"):
        Tally.from_labels(label, score).merge(Tally.from_labels(label, score, weight=np.array([0.5, 1.0])))


def test_merge_definition_adds_what_was_dropped():
    label, score = np.array([True, False]), np.array([1.0, 2.0])
    sample = Sample(n_pos=1, n_neg=1, dropped=2)
    left = Tally.from_labels(label, score, sample=sample)
    right = Tally.from_labels(label, score, sample=replace(sample, dropped=3))
    assert left.merge(right).sample.dropped == 5
