"""The LC index and the least loss."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import roclab as rl
from roclab.curves.hull import hull_of_curve
from roclab.curves.roc import curve_from_points, roc_curve
from roclab.data.tally import Tally
from roclab.decisions.lc_index import lc_index, least_loss
from roclab.errors import InputError
from roclab.results import Sample
from tests.strategies import SCORES


def of(pos, neg, **sample):
    extra = Sample(n_pos=len(pos), n_neg=len(neg), **sample) if sample else None
    return Tally.from_samples(np.array(pos, float), np.array(neg, float), sample=extra)


def brute_points(pos, neg):
    thresholds = [math.inf, *sorted({*pos, *neg}, reverse=True)]
    return [(sum(y >= t for y in neg) / len(neg), sum(x >= t for x in pos) / len(pos)) for t in thresholds]


@given(one=st.tuples(SCORES, SCORES), two=st.tuples(SCORES, SCORES), prevalence=st.sampled_from([0.2, 0.5, 0.7]))
def test_lc_index_definition(one, two, prevalence):
    """The sign of the difference of least losses, averaged over the triangular distribution on a fine grid."""
    curves = [roc_curve(of(*sample)) for sample in (one, two)]
    found = lc_index(*curves, prevalence=prevalence, interval=(0.1, 0.9), mode=0.3)
    edges = np.linspace(0.1, 0.9, 4001)
    middle = (edges[1:] + edges[:-1]) / 2
    weight = np.diff(stats.triang.cdf(edges, 0.25, 0.1, 0.8))

    def loss(sample):
        points = brute_points(*sample)
        return np.min([(1 - prevalence) * middle * f + prevalence * (1 - middle) * (1 - t) for f, t in points], axis=0)

    gap = loss(two) - loss(one)
    signs = np.where(np.abs(gap) < 1e-12, 0, np.sign(gap))
    # A cell of the grid that holds a crossing is counted whole: at most a few cells of weight 5e-4.
    assert found.index == pytest.approx(float(np.sum(signs * weight)), abs=5e-3)
    assert sum(region.weight for region in found.regions) == pytest.approx(1)
    reverse = lc_index(*curves[::-1], prevalence=prevalence, interval=(0.1, 0.9), mode=0.3)
    assert reverse.index == pytest.approx(-found.index, abs=1e-12)


def test_least_loss_and_words():
    curve = curve_from_points([0.1, 0.5], [0.5, 0.8])
    grid = np.linspace(0, 1, 11)
    points = [(0, 0), (0.1, 0.5), (0.5, 0.8), (1, 1)]
    brute = [min(0.6 * c * f + 0.4 * (1 - c) * (1 - t) for f, t in points) for c in grid]
    np.testing.assert_allclose(least_loss(hull_of_curve(curve), grid, prevalence=0.4), brute, atol=1e-12)
    found = lc_index(curve, curve, prevalence=0.4, interval=(0.2, 0.8), mode=0.2, names=("a", "b"))
    assert found.index == 0
    assert found.regions[0].better is None
    assert "LC index of a against b: 0.0000" in str(found)
    assert found.rows()[0]["better"] == "equal"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"prevalence": 0}, "prevalence must lie strictly between 0 and 1, got 0"),
        ({"interval": (0.8, 0.2)}, "interval must satisfy 0 <= low < high <= 1"),
        ({"mode": 0.9}, "mode must lie within the interval 0.2 to 0.8, got 0.9"),
        ({"names": ("a", "a")}, "names must be two different names"),
    ],
)
def test_lc_index_errors(arguments, message):
    curve = curve_from_points([0.1], [0.5])
    with pytest.raises(InputError, match=message):
        lc_index(curve, curve, **{"prevalence": 0.5, "interval": (0.2, 0.8), "mode": 0.5} | arguments)


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        (
            (0.3, 0.2, 0.1),
            r"shares must satisfy 0 <= low .* got \(0.3, 0.2, 0.1\); write shares=\(0.05, 0.1, 0.3",
        ),
        ((0.1, 0.5, 0.3), r"shares must satisfy .* got \(0.1, 0.5, 0.3\)"),
        ((0.2, 0.2, 0.2), r"with low < high, got \(0.2, 0.2, 0.2\)"),
        ((0.1, float("nan"), 0.3), r"shares must satisfy .* got \(0.1, nan, 0.3\)"),
        ((0.1, 0.3), r"shares must be three numbers \(low, mode, high\), got \(0.1, 0.3\)"),
        (("a", "b", "c"), r"shares must be three numbers \(low, mode, high\), got \('a', 'b', 'c'\)"),
    ],
)
def test_shares_of_the_verb_are_refused_by_its_own_argument(shares, message):
    with pytest.raises(InputError, match=message):
        rl.classifiers.lc_index({"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]}, prevalence=0.3, shares=shares)
