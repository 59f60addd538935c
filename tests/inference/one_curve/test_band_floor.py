"""The binomial floor of bands: its definition, its shape, and bands that keep their level with it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr, ndtri
from scipy.stats import binomtest

from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.inference.one_curve.band_floor import binomial_floor
from roclab.inference.one_curve.bands import roc_band
from roclab.options.uncertainty import Resampling
from tests.strategies import SCORES

GRID = np.linspace(0, 1, 41)


def tally_of(pos, neg):
    return Tally.from_samples(np.array(pos, dtype=float), np.array(neg, dtype=float))


def floor_of(tally, level=0.95, whole=False, grid=GRID):
    return binomial_floor(roc_curve(tally), grid, n_pos=tally.n_pos, n_neg=tally.n_neg, level=level, whole=whole)


def test_floor_definition_by_counting_and_scipy():
    """Without ties: the positives above the negative of rank ⌊fN⌋ + 1, and scipy's exact interval of their share."""
    rng = np.random.default_rng(3)
    pos, neg = rng.normal(1, 1, 13), rng.normal(0, 1, 10)
    for whole in (False, True):
        low, high = floor_of(tally_of(pos, neg), level=0.9, whole=whole)
        for at, f in enumerate(GRID.tolist()):
            counts = []
            aside = max(3, 1.5 * math.sqrt(10 * f * (1 - f))) if whole else 0
            for rate in (f - aside / 10, f):
                rank = math.floor(rate * 10 + 1e-9)
                threshold = np.sort(neg)[::-1][rank] if rank < 10 else -np.inf
                counts.append(int(np.sum(pos > threshold)) if rate > -1e-9 else 0)
            if f < (3 if whole else 2) / 10 - 1e-9:
                assert low[at] == 0
            elif f < 1:
                want = binomtest(counts[0], 13).proportion_ci(0.9, method="exact").low
                assert low[at] == pytest.approx(want, abs=1e-12)
            want = binomtest(counts[1], 13).proportion_ci(0.9, method="exact").high
            assert high[at] == pytest.approx(1 if f > 0.8 + 1e-9 else want, abs=1e-12)
    assert low[-1] == high[-1] == 1


@given(pos=SCORES, neg=SCORES, level=st.sampled_from([0.5, 0.9, 0.95, 0.999]), whole=st.booleans())
def test_floor_property_encloses_the_curve_and_rises(pos, neg, level, whole):
    tally = tally_of(pos, neg)
    low, high = floor_of(tally, level, whole)
    curve = roc_curve(tally).at(GRID)
    assert np.all((low >= 0) & (low <= curve + 1e-12) & (curve <= high + 1e-12) & (high <= 1))
    assert np.all(np.diff(low) >= -1e-12)
    assert np.all(np.diff(high) >= -1e-12)
    wider = floor_of(tally, (1 + level) / 2, whole=True)
    assert np.all(wider[0] <= low + 1e-12)
    assert np.all(wider[1] >= high - 1e-12)


@pytest.mark.parametrize("whole", [False, True])
def test_separated_classes_are_no_certainty_published(whole):
    """Rule of three: n of n successes have the exact lower limit (α/2)^(1/n)."""
    low, high = floor_of(tally_of(range(20, 40), range(20)), whole=whole)
    first = 0.15 if whole else 0.1
    inner = (first - 1e-12 <= GRID) & (GRID < 1)
    assert low[inner] == pytest.approx(np.full(inner.sum(), 0.025 ** (1 / 20)), abs=1e-12)
    assert np.all(low[first - 1e-12 > GRID] == 0)
    assert np.all(high == 1)


def test_reversed_classes_and_single_cases_have_a_floor():
    low, high = floor_of(tally_of(range(20), range(20, 40)))
    assert np.all(low[:-1] == 0)
    assert high[GRID <= 0.9] == pytest.approx(np.full(37, 1 - 0.025 ** (1 / 20)))
    assert np.all(high[GRID > 0.9 + 1e-12] == 1)
    low, high = floor_of(tally_of([1], [0]))
    assert np.all(low[:-1] == 0)
    assert low[-1] == 1
    assert np.all(high == 1)


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous"])
@pytest.mark.parametrize("pos", [np.arange(12) + 20.0, np.zeros(12)], ids=["separated", "constant"])
def test_bands_of_separated_and_constant_scores_have_width(kind, pos):
    """Every resampled curve is the same, which is no evidence that the true one is."""
    band = roc_band(tally_of(pos, np.zeros(12)), kind=kind, points=41, resampling=Resampling(replicates=50), rng=1)
    inner = (GRID > 0.01) & (GRID < 0.99)
    assert np.all(band.high[inner] - band.low[inner] > 0.2)


def test_floor_refuses_wrong_rates_and_levels():
    tally = tally_of([2, 3], [1, 2])
    with pytest.raises(InputError, match="fpr must lie between 0 and 1, got 1.5"):
        floor_of(tally, grid=np.array([0.0, 1.5]))
    with pytest.raises(InputError, match="level must lie strictly between 0 and 1, got 1"):
        floor_of(tally, level=1)


def floored(tally, kind, rng):
    """A band and its floor joined."""
    band = roc_band(tally, kind=kind, points=41, resampling=Resampling(replicates=200), rng=rng)
    low, high = floor_of(tally, whole=kind == "simultaneous")
    return np.minimum(band.low, low), np.maximum(band.high, high)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(15, 15), (20, 20)])
@pytest.mark.parametrize(("area", "ratio"), [(0.8, 1.0), (0.97, 1.0), (0.97, 0.5)])
def test_bands_with_their_floor_keep_their_level(area, ratio, sizes):
    """Binormal curves, 200 samples: the Monte-Carlo error is 0.015, so 0.95 may show as 0.91.

    Without the floor the simultaneous band holds 0.75 and the pointwise one 0.48 to 0.78 of the last design at 15 + 15.
    """
    rng = np.random.default_rng(5)
    shift = math.hypot(1, ratio) * float(ndtri(area))
    truth = np.concatenate([[0.0], ndtr((shift + ndtri(GRID[1:-1])) / ratio), [1.0]])
    whole, at_one = 0, np.zeros(GRID.size)
    for _ in range(200):
        tally = tally_of(rng.normal(shift, ratio, sizes[0]), rng.normal(0, 1, sizes[1]))
        for kind in ("simultaneous", "pointwise"):
            low, high = floored(tally, kind, rng)
            inside = (low <= truth + 1e-12) & (truth <= high + 1e-12)
            if kind == "simultaneous":
                whole += bool(inside.all())
            else:
                at_one += inside
    assert whole / 200 >= 0.93
    assert np.all(at_one / 200 >= 0.89)  # the smallest of 41 rates
