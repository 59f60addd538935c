"""The H-measure and the Kolmogorov-Smirnov distance."""

from __future__ import annotations

import itertools
import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from scipy import stats
from scipy.integrate import quad

from roclab.data.tally import Tally
from roclab.decisions.h_measure import h_measure, ks_statistic
from roclab.errors import InputError
from roclab.results import Sample
from tests.strategies import SCORES


def of(pos, neg, **sample):
    extra = Sample(n_pos=len(pos), n_neg=len(neg), **sample) if sample else None
    return Tally.from_samples(np.array(pos, float), np.array(neg, float), sample=extra)


def brute_points(pos, neg):
    thresholds = [math.inf, *sorted({*pos, *neg}, reverse=True)]
    return [(sum(y >= t for y in neg) / len(neg), sum(x >= t for x in pos) / len(pos)) for t in thresholds]


@pytest.mark.parametrize("shape", [(2, 2), (1, 1), (0.7, 3), (2, 5.5)])
@pytest.mark.parametrize("prevalence", [None, 0.1])
def test_h_measure_definition(shape, prevalence):
    """Against numerical integration of the minimum over all thresholds."""
    rng = np.random.default_rng(3)
    pos, neg = rng.normal(1, 1, 15).round(1), rng.normal(0, 1, 25).round(1)
    pi = 15 / 40 if prevalence is None else prevalence
    points = brute_points(pos, neg)
    density = stats.beta(*shape).pdf
    steps = [(f1 - f0, t1 - t0) for (f0, t0), (f1, t1) in itertools.combinations(points, 2)]
    # Where any two thresholds lose the same: the integrand is smooth in between.
    grid = np.unique([0, *(pi * up / ((1 - pi) * right + pi * up) for right, up in steps), 1])

    def integral(function):
        return sum(quad(lambda c: function(c) * density(c), a, b)[0] for a, b in itertools.pairwise(grid))

    loss = integral(lambda c: min(c * (1 - pi) * f + (1 - c) * pi * (1 - t) for f, t in points))
    trivial = integral(lambda c: min(c * (1 - pi), (1 - c) * pi))
    found = h_measure(of(pos, neg), shape=shape, prevalence=prevalence)
    assert found.h == pytest.approx(1 - loss / trivial, abs=1e-7)
    assert found.ks == pytest.approx(max(t - f for f, t in points))
    assert found.minimum_error_rate == pytest.approx(min((1 - pi) * f + pi * (1 - t) for f, t in points))


@pytest.mark.parametrize(
    ("options", "mode"),
    [
        ({"shape": (2, 10)}, 1 / 10),
        ({"severity_ratio": 1 / 9}, 1 / 10),  # a false negative costs nine times as much
        ({"shape": (10, 2)}, 9 / 10),
        ({}, 1 / 2),
        ({"shape": (0.1, 0.9)}, 1 / 10),  # no mode inside: its mean
        ({"shape": (1, 9)}, 1 / 10),
    ],
)
@pytest.mark.parametrize("prevalence", [0.1, 0.5, None])
def test_minimum_weighted_loss_definition_at_a_skewed_prior(options, mode, prevalence):
    """Twice the least loss over all thresholds where the cost share is the mode of its prior."""
    rng = np.random.default_rng(8)
    pos, neg = rng.normal(1, 1, 12).round(1), rng.normal(0, 1, 28).round(1)
    pi = 12 / 40 if prevalence is None else prevalence
    points = brute_points(pos, neg)
    least = min(mode * (1 - pi) * f + (1 - mode) * pi * (1 - t) for f, t in points)
    found = h_measure(of(pos, neg), prevalence=prevalence, **options)
    assert found.minimum_weighted_loss == found.rows()[0]["MWL"] == pytest.approx(2 * least, abs=1e-12)


def test_h_measure_limits_and_prior():
    assert h_measure(of([3, 4], [1, 2])).h == 1
    assert h_measure(of([1, 1], [1, 1])).h == pytest.approx(0, abs=1e-15)
    assert h_measure(of([1, 2], [3, 4])).h == pytest.approx(0, abs=1e-15), "the hull of a reversed score is trivial"
    tally = of([3, 2, 2, 5], [1, 2, 0])
    by_ratio = h_measure(tally, severity_ratio=0.5)
    assert by_ratio.shape == (2.0, 3.0)
    assert float(by_ratio) == h_measure(tally, shape=(2, 3)).h
    assert h_measure(tally, severity_ratio="data").shape == (2.0, 1 + 3 / 4)
    assert h_measure(tally, prevalence=0.1).prevalence == 0.1
    assert "severity ratio 0.5" in str(by_ratio)
    assert by_ratio.rows()[0]["AUCH"] == by_ratio.hull_area
    # At the mode 1/3 of Beta(2, 3) the weighted loss is doubled, so that equal costs give the error rate.
    assert h_measure(tally).minimum_weighted_loss == pytest.approx(h_measure(tally).minimum_error_rate)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"shape": (2, 0)}, "shape must be a finite number above 0, got 0"),
        ({"shape": 2}, "shape must be a pair of numbers above 0, got 2"),
        ({"severity_ratio": -1}, "severity_ratio must be a finite number above 0, got -1"),
        ({"severity_ratio": 1, "shape": (2, 2)}, "a prior is given by shape or by severity_ratio"),
        ({"prevalence": 1}, "prevalence must lie strictly between 0 and 1, got 1"),
    ],
)
def test_h_measure_errors(arguments, message):
    with pytest.raises(InputError, match=message):
        h_measure(of([2, 3], [1, 2]), **arguments)


@given(pos=SCORES, neg=SCORES)
def test_ks_definition(pos, neg):
    found = ks_statistic(of(pos, neg))
    assert found.statistic == pytest.approx(max(abs(t - f) for f, t in brute_points(pos, neg)), abs=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SciPy warns about its p-value, which nobody asks for here
        theirs = stats.ks_2samp(pos, neg, method="exact").statistic
    assert found.statistic == pytest.approx(theirs, abs=1e-12)
    assert abs(found.tpr - found.fpr) == pytest.approx(float(found))
    assert found.rows()[0]["KS"] == found.statistic
