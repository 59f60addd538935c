"""Calibration: bins, intervals, and the Brier score with its parts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss

import roclab as rl
from roclab._core.undefined import Undefined
from roclab.decisions.calibration import calibration
from roclab.errors import InputError
from roclab.inference.one_curve.proportions import proportion_interval

TENTHS = st.integers(0, 10).map(lambda k: k / 10)  # ties, and predictions on the edges of bins
CASES = st.lists(st.tuples(st.integers(0, 1), TENTHS), min_size=2, max_size=40).filter(
    lambda rows: {label for label, _ in rows} == {0, 1}
)


def of(rows, **options):
    y, p = zip(*rows, strict=True)
    return rl.roc(list(y), list(p)).calibration(**options)


@given(CASES, st.integers(1, 12), st.sampled_from(["width", "count"]))
def test_brier_and_its_parts_property(rows, bins, binning):
    found = of(rows, bins=bins, binning=binning)
    y, p = (np.array(column, float) for column in zip(*rows, strict=True))
    assert found.brier == pytest.approx(np.mean((p - y) ** 2), abs=1e-12)
    parts = found.reliability - found.resolution + found.uncertainty + found.within_bins
    assert parts == pytest.approx(found.brier, abs=1e-12)
    assert found.in_the_large == pytest.approx(p.mean() - y.mean(), abs=1e-12)
    assert sum(one.cases for one in found.bins) == len(rows)
    assert sum(one.positives for one in found.bins) == y.sum()
    for one in found.bins:
        inside = (p > one.low) & (p <= one.high) | ((one is found.bins[0]) & (p == one.low))
        assert one.cases == inside.sum()
        assert one.predicted == pytest.approx(p[inside].mean())
        assert one.observed == pytest.approx(y[inside].mean())
        assert one.low - 1e-12 <= one.predicted <= one.high + 1e-12


@given(CASES)
def test_one_bin_per_prediction_leaves_nothing_within_property(rows):
    """Then the decomposition is Murphy's own, of three parts."""
    assert of(rows, bins=1000).within_bins == pytest.approx(0, abs=1e-12)


def test_bins_of_equal_width_oracle():
    rng = np.random.default_rng(5)
    p = rng.uniform(size=500).round(2)
    y = (rng.uniform(size=500) < p).astype(int)
    found = rl.roc(y, p).calibration(bins=10)
    observed, predicted = calibration_curve(y, p, n_bins=10)
    np.testing.assert_allclose([one.observed for one in found.bins], observed)
    np.testing.assert_allclose([one.predicted for one in found.bins], predicted)
    assert found.brier == pytest.approx(brier_score_loss(y, p))


def test_bins_of_equal_count():
    p = np.arange(1, 101) / 101
    found = rl.roc(np.arange(100) % 2, p).calibration(bins=4, binning="count")
    assert [one.cases for one in found.bins] == [25, 25, 25, 25]
    tied = rl.roc([0, 1, 0, 1, 0, 1], [0.2, 0.2, 0.2, 0.2, 0.9, 0.9]).calibration(bins=3, binning="count")
    assert [one.cases for one in tied.bins] == [4, 2]  # equal predictions stay together
    assert [(one.low, one.high) for one in tied.bins] == [(0.0, 0.2), (0.2, 0.9)]


def test_intervals_are_wilsons():
    found = rl.roc([0, 0, 1, 1, 1], [0.1, 0.2, 0.2, 0.7, 0.9]).calibration(bins=2, level=0.9)
    assert found.bins[0].interval == proportion_interval(1, 3, level=0.9)
    assert found.rows()[0]["90% low"] == found.bins[0].interval.low


def test_perfect_and_useless_predictions():
    perfect = rl.roc([0, 0, 1], [0.0, 0.0, 1.0]).calibration()
    assert (perfect.brier, perfect.skill, perfect.expected_error) == (0, 1, 0)
    useless = rl.roc([0, 0, 1, 1], [0.5, 0.5, 0.5, 0.5]).calibration()
    assert useless.skill == pytest.approx(0)
    assert (useless.reliability, useless.resolution) == (0, 0)


def test_importance_weights_have_means_but_no_intervals():
    found = rl.roc([0, 1, 1], [0.2, 0.4, 0.8], sample_weight=[1.5, 1.0, 2.0]).calibration(bins=1)
    assert found.brier == pytest.approx((1.5 * 0.04 + 0.36 + 2 * 0.04) / 4.5)
    low = found.bins[0].interval.low
    assert isinstance(low, Undefined)
    assert low.reason == "importance weights are no counts of cases"
    assert math.isclose(found.bins[0].cases, 4.5)


def test_frequency_weights_are_repeated_cases():
    weighted = rl.roc([0, 1], [0.2, 0.8], sample_weight=[3, 2]).calibration().to_dict()
    repeated = rl.roc([0, 0, 0, 1, 1], [0.2, 0.2, 0.2, 0.8, 0.8]).calibration().to_dict()
    assert weighted["bins"] == repeated["bins"]
    assert weighted["brier"] == repeated["brier"]


def test_text_says_all_parts():
    text = str(rl.roc([0, 0, 1, 1], [0.1, 0.3, 0.6, 0.9]).calibration(bins=2))
    for word in (
        "Brier score 0.0675 (skill 0.7300)",
        "reliability",
        "calibration in the large",
        "expected calibration",
    ):
        assert word in text


@pytest.mark.parametrize(
    ("scores", "options", "said"),
    [
        ([0.5, 2.0], {}, "calibration needs predicted probabilities between 0 and 1, got the score 2"),
        ([-0.5, 1.0], {}, "got the score -0.5"),
        ([0.5, 1.0], {"bins": 0}, "bins must be a whole number of at least 1, got 0; 10 is usual"),
        ([0.5, 1.0], {"binning": "quantile"}, "binning must be one of 'width', 'count', got 'quantile'"),
        ([0.5, 1.0], {"level": 1}, "level must lie strictly between 0 and 1"),
    ],
)
def test_what_cannot_be_judged(scores, options, said):
    with pytest.raises(InputError, match=said):
        rl.roc([0, 1], scores).calibration(**options)


def test_lower_scores_are_no_probabilities():
    with pytest.raises(InputError, match="got direction='lower'; use 1 - score"):
        calibration(rl.roc([0, 1], [0.9, 0.1], direction="lower").tally)
