"""The rank sum test of subjects: against its definition with single comparisons, and by invariances."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

import roclab as rl
from roclab.errors import InputError
from roclab.rank_tests.clustered import clustered_rank_sum


def drawn(seed, subjects=9, rounded=True):
    rng = np.random.default_rng(seed)
    ids = np.repeat(np.arange(subjects), rng.integers(1, 5, subjects))
    first = rng.random(ids.size) < 0.5
    first[:2] = True, False
    values = rng.normal(size=subjects)[ids] + rng.normal(size=ids.size) + 0.5 * first
    return np.round(values) if rounded else values, first, ids


def below(x, values):
    """Share of values below x, a tie one half."""
    return sum((v < x) + (v == x) / 2 for v in values) / len(values)


def slow_rank_sum(values, first, ids):
    """Datta and Satten's statistic and variance, subject by subject."""
    people = sorted(set(ids.tolist()))
    count = len(people)
    own = {one: [v for v, i in zip(values, ids, strict=True) if i == one] for one in people}
    share = {one: np.mean([f for f, i in zip(first, ids, strict=True) if i == one]) for one in people}
    statistic, variance = 0.0, 0.0
    for one in people:
        work = 0.0
        for value, f, i in zip(values, first, ids, strict=True):
            if i != one:
                continue
            others = sum(below(value, own[other]) for other in people if other != one)
            statistic += f * (1 + others) / len(own[one]) / (count + 1)
            rest = sum(share[other] for other in people if other != one)
            work += ((count - 1) * f - rest) * below(value, values) / len(own[one]) / (count + 1)
        centre = (count * share[one] - sum(share.values())) / (2 * (count + 1))
        variance += (work - centre) ** 2
    return (statistic - sum(share.values()) / 2) / math.sqrt(variance)


@given(seed=st.integers(0, 500))
def test_clustered_rank_sum_definition(seed):
    values, first, ids = drawn(seed)
    found, p = clustered_rank_sum(values, first, ids, 9)
    assert found == pytest.approx(slow_rank_sum(values, first, ids), rel=1e-9)
    assert p == pytest.approx(2 * student.sf(abs(found), 8), rel=1e-9)


def test_the_verb_counts_subjects_and_keeps_the_area():
    values, first, ids = drawn(3, subjects=20)
    found = rl.ranks.mann_whitney(first, values, ids=ids)
    plain = rl.ranks.mann_whitney(first, values)
    assert (found.area, found.u1) == (plain.area, plain.u1)
    assert found.p_value == pytest.approx(clustered_rank_sum(values, first, ids, 20)[1])
    assert found.method == "datta_satten"
    assert "20 subjects, each of which counts the same; t with 19 df" in str(found)


@given(seed=st.integers(0, 200))
def test_repeating_a_subjects_values_changes_nothing_property(seed):
    """Every subject counts the same, so its values twice are its values."""
    values, first, ids = drawn(seed, rounded=False)
    once = clustered_rank_sum(values, first, ids, 9)
    assert clustered_rank_sum(np.tile(values, 2), np.tile(first, 2), np.tile(ids, 2), 9) == pytest.approx(once)


def test_sides_add_up_and_directions_turn_the_score():
    values, first, ids = drawn(5, subjects=15)
    ask = {"ids": ids}
    greater, less = (
        rl.ranks.mann_whitney(first, values, alternative=one, **ask).p_value for one in ("greater", "less")
    )
    assert greater + less == pytest.approx(1)
    turned = rl.ranks.mann_whitney(first, values, alternative="less", direction="lower", **ask)
    assert turned.p_value == pytest.approx(greater)


def test_direction_turns_the_score_of_rank_tests():
    """RELIABILITY: p of "greater" was the same for both directions."""
    y, s = [1, 1, 1, 1, 0, 0, 0, 0, 0], [9, 8, 7, 3, 6, 5, 4, 2, 1]
    for test in (rl.ranks.mann_whitney, rl.ranks.smirnov):
        both = [test(y, s, alternative="greater", direction=one).p_value for one in ("higher", "lower")]
        other = test(y, s, alternative="less").p_value
        assert both[0] != both[1]
        assert both[1] == pytest.approx(other)
        assert "turned round first" in str(test(y, s, direction="lower"))


def test_what_cannot_be_counted_by_subjects_is_refused():
    values, first, ids = drawn(1)
    with pytest.raises(InputError, match="use mann_whitney"):
        rl.ranks.smirnov(first, values, ids=ids)
    with pytest.raises(InputError, match="p_value must be left open where subjects have several cases"):
        rl.ranks.mann_whitney(first, values, ids=ids, p_value="exact")


def test_equal_values_have_no_test():
    _, first, ids = drawn(1)
    assert "do not vary" in clustered_rank_sum(np.ones(ids.size), first, ids, 9)[0].reason


@pytest.mark.slow
def test_clustered_rank_sum_holds_its_size_simulation():
    """5% tests of 15 subjects that are alike, 800 samples: 3.5 to 6.5% rejections."""
    rng = np.random.default_rng(3)
    rejected = 0
    for _ in range(800):
        ids = np.repeat(np.arange(15), rng.integers(1, 7, 15))
        values = rng.normal(size=15)[ids] + rng.normal(size=ids.size)
        first = (np.arange(15) % 2 == 0)[ids]
        rejected += clustered_rank_sum(values, first, ids, 15)[1] < 0.05
    assert 0.03 <= rejected / 800 <= 0.07
