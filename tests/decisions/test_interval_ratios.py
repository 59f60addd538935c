"""Interval likelihood ratios by their definition, and as slopes of the curve."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.errors import InputError

SCORES = st.lists(st.integers(0, 6), min_size=2, max_size=20)


@given(pos=SCORES, neg=SCORES)
def test_definition(pos, neg):
    r = rl.Roc.from_samples(pos, neg)
    cuts = [1.5, 3, 5]
    ends = [-math.inf, *cuts, math.inf]
    found = r.likelihood_ratios(cuts)
    for one, low, high in zip(found.ratios, ends[:-1], ends[1:], strict=True):
        a, b = (sum(low <= value < high for value in side) for side in (pos, neg))
        assert (one.positives, one.negatives) == (a, b)
        if b:
            assert one.ratio == pytest.approx((a / len(pos)) / (b / len(neg)))
        elif a:
            assert one.ratio == math.inf
        else:
            assert math.isnan(one.ratio)
            assert one.ratio.reason == "the interval holds no case"


def test_ratio_is_the_slope_between_two_points_of_the_curve():
    rng = np.random.default_rng(3)
    r = rl.roc(np.arange(200) % 2, rng.normal(size=200) + np.arange(200) % 2)
    one = r.likelihood_ratios([0, 1]).ratios[1]
    low, high = r.at(threshold=0), r.at(threshold=1)
    assert one.ratio == pytest.approx((low.tpr - high.tpr) / (low.fpr - high.fpr))
    assert one.interval.low < one.ratio < one.interval.high


def test_bins_hold_about_as_many_cases_and_ratings_one_value_each():
    rng = np.random.default_rng(4)
    found = rl.roc(np.arange(100) % 2, rng.normal(size=100)).likelihood_ratios(bins=4)
    assert [one.positives + one.negatives for one in found.ratios] == [25] * 4
    rated = rl.Roc.from_ratings([1, 2, 3], pos=[1, 2, 7], neg=[6, 3, 1]).likelihood_ratios()
    assert [float(one.ratio) for one in rated.ratios] == pytest.approx([1 / 6, 2 / 3, 7])
    assert rated.rows()[0]["negative"] == 6


def test_lower_scores_can_mean_positive():
    up = rl.roc([1, 1, 0, 0], [4, 3, 2, 1]).likelihood_ratios([2.5])
    down = rl.roc([1, 1, 0, 0], [1, 2, 3, 4], direction="lower").likelihood_ratios([2.5])
    assert [one.positives for one in up.ratios] == [one.positives for one in down.ratios][::-1] == [0, 2]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"cuts": [2, 1]}, "cuts must be finite and rise"),
        ({"cuts": [1], "bins": 3}, "bins and cuts are two ways to say the same, got both"),
        ({"bins": 1}, "bins must be a whole number of at least 2"),
        ({"level": 2}, "level must lie"),
    ],
)
def test_refusals(asked, said):
    with pytest.raises(InputError, match=said):
        rl.roc([1, 1, 0, 0], [4, 3, 2, 1]).likelihood_ratios(**asked)
