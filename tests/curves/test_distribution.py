"""Histograms and summaries: each against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab._core.undefined import Undefined
from roclab.curves.distribution import score_distribution
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.errors import InputError

SCORES = st.lists(st.integers(-30, 30), min_size=1, max_size=60)


@given(pos=SCORES, neg=SCORES)
def test_every_case_is_in_the_bin_that_holds_its_score_definition(pos, neg):
    shape = score_distribution(Tally.from_samples(np.array(pos, float), np.array(neg, float)))
    for scores, counts in ((pos, shape.pos), (neg, shape.neg)):
        expected, _ = np.histogram(scores, shape.edges)
        assert counts.tolist() == expected.tolist()
        assert counts.sum() == len(scores)


@given(pos=SCORES, neg=SCORES)
def test_summaries_definition(pos, neg):
    shape = score_distribution(Tally.from_samples(np.array(pos, float), np.array(neg, float)))
    for scores, one in zip((pos, neg), shape.classes, strict=True):
        assert one.count == len(scores)
        assert one.mean == pytest.approx(np.mean(scores), abs=1e-12)
        assert one.quartiles == pytest.approx(np.quantile(scores, [0.25, 0.5, 0.75]), abs=1e-12)
        assert (one.smallest, one.largest) == (min(scores), max(scores))
        if len(scores) > 1:
            assert one.deviation == pytest.approx(np.std(scores, ddof=1), abs=1e-9)
        else:
            assert isinstance(one.deviation, Undefined)


def test_lower_scores_are_shown_in_their_own_units():
    label = np.array([True, True, False])
    cases = Cases(label=label, scores={"s": np.array([1.0, 2.0, 9.0])}, direction={"s": "lower"})
    shape = score_distribution(cases.tally())
    assert (shape.edges[0], shape.edges[-1]) == (0.5, 12.5)
    assert shape.pos.tolist() == [1, 1, 0]


def test_skewed_positive_scores_get_bins_of_equal_ratio():
    rng = np.random.default_rng(1)
    shape = score_distribution(Tally.from_samples(np.exp(rng.normal(1, 2, 200)), np.exp(rng.normal(0, 2, 200))))
    assert shape.logarithmic
    assert np.ptp(np.diff(np.log(shape.edges))) < 1e-9
    assert shape.pos.sum() == shape.neg.sum() == 200
    plain = score_distribution(Tally.from_samples(rng.normal(1, 1, 200), rng.normal(0, 1, 200)))
    assert not plain.logarithmic
    assert np.ptp(np.diff(plain.edges)) < 1e-9


@pytest.mark.parametrize("value", [0.0, 5.0, -1e300])
def test_one_value_has_one_bin(value):
    shape = score_distribution(Tally.from_samples(np.array([value]), np.array([value])))
    assert shape.pos.tolist() == shape.neg.tolist() == [1]
    assert shape.edges[0] < value < shape.edges[1]


def test_infinite_scores_are_counted_apart():
    shape = score_distribution(Tally.from_samples(np.array([np.inf, 2.0]), np.array([1.0, -np.inf])))
    assert shape.outside == 2
    assert shape.pos.sum() + shape.neg.sum() == 2
    assert shape.classes[0].mean.reason == "some scores are infinite"


def test_bins_can_be_chosen_and_are_checked():
    tally = Tally.from_samples(np.arange(10.0), np.arange(5.0))
    assert score_distribution(tally, bins=3).edges.tolist() == [0, 3, 6, 9]
    with pytest.raises(InputError, match="bins must be"):
        score_distribution(tally, bins=0)
