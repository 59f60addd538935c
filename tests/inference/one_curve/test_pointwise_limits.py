"""Score limits of a rate where the other one is fixed: their definition, what must not change them, their level."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.special import ndtr, ndtri

import roclab as rl
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.inference.one_curve.pointwise_limits import pointwise_limits
from roclab.inference.one_curve.proportions import proportion_interval
from tests.strategies import TWO_OR_MORE, labelled

Z = 1.9599639845400545
STEPS = 400


def heights_kept(pos, neg, at):
    """By definition: every height that some point of the curve is compatible with; points and heights on a grid."""
    thresholds = sorted({*pos, *neg}, reverse=True)
    corners = [(0.0, 0.0)] + [
        (sum(n >= t for n in neg) / len(neg), sum(p >= t for p in pos) / len(pos)) for t in thresholds
    ]
    points = [
        (f0 + step / STEPS * (f1 - f0), t0 + step / STEPS * (t1 - t0))
        for (f0, t0), (f1, t1) in itertools.pairwise(corners)
        for step in range(STEPS + 1)
    ]
    found, height = np.array(points).T
    kept = []
    for h in np.linspace(0, 1, STEPS + 1):
        distance = sum(
            np.where(np.abs(seen - true) < 1e-12, 0.0, (seen - true) ** 2 / max(true * (1 - true) / n, 1e-300))
            for seen, true, n in ((found, at, len(neg)), (height, h, len(pos)))
        )
        if distance.min() <= Z * Z:
            kept.append(h)
    return min(kept), max(kept)


@settings(max_examples=25)
@given(TWO_OR_MORE, TWO_OR_MORE)
def test_pointwise_limits_definition(pos, neg):
    curve = roc_curve(Tally.from_samples(np.array(pos, float), np.array(neg, float)))
    rates = np.array([0.1, 0.35, 0.8])
    low, high = pointwise_limits(curve.fpr, curve.tpr, rates, n_pos=len(pos), n_neg=len(neg), level=0.95)
    for at, *limits in zip(rates.tolist(), low, high, strict=True):
        # The twin looks at a grid: its ends lie inside, by a step of heights and what a step along the curve is worth.
        for limit, known in zip(limits, heights_kept(pos, neg, at), strict=True):
            assert limit == pytest.approx(known, abs=2.5 / STEPS)
        known = heights_kept(pos, neg, at)
        assert limits[0] <= known[0] + 1e-9
        assert limits[1] >= known[1] - 1e-9


@given(labelled())
def test_limits_property_hold_the_rate_and_nest_by_level(data):
    label, score = data
    r = rl.roc(label, score)
    for fixed in ({"specificity": 0.8}, {"sensitivity": 0.6}):
        wide, narrow = (r.rate_at(**fixed, level=level) for level in (0.99, 0.8))
        assert 0 <= wide.interval.low <= narrow.interval.low <= narrow.rate + 1e-12
        assert narrow.rate - 1e-12 <= narrow.interval.high <= wide.interval.high <= 1
        one_sided = r.rate_at(**fixed, level=0.975, side="lower").interval
        assert one_sided.low == pytest.approx(r.rate_at(**fixed).interval.low, abs=1e-12)
        assert one_sided.high == 1


@given(labelled())
def test_limits_property_do_not_change_with_order_classes_scale_and_repetition(data):
    label, score = data
    known = rl.roc(label, score).rate_at(specificity=0.7).interval
    order = np.random.default_rng(1).permutation(label.size)
    swapped = rl.roc(~label, -score).rate_at(sensitivity=0.7)  # the same question with the roles exchanged
    assert rl.roc(label[order], np.exp(score[order])).rate_at(specificity=0.7).interval == known
    assert tuple(swapped.interval) == pytest.approx(tuple(known), abs=1e-12)
    twice = rl.roc(np.tile(label, 2), np.tile(score, 2)).rate_at(specificity=0.7).interval
    weighted = rl.roc(label, score, sample_weight=np.full(label.size, 2)).rate_at(specificity=0.7).interval
    assert tuple(weighted) == pytest.approx(tuple(twice), abs=1e-12)


def test_a_rate_found_without_doubt_about_the_threshold_has_wilsons_limits():
    """With so many negatives that the threshold is known, only the positives are left to doubt."""
    neg = np.arange(1_000_000) / 1e6
    pos = np.array([0.95] * 12 + [0.5] * 8)
    found = rl.Roc.from_samples(pos, neg).rate_at(specificity=0.8).interval
    known = proportion_interval(12, 20)
    assert tuple(found) == pytest.approx(tuple(known), abs=1e-9)


def test_separated_classes_leave_a_doubt_that_resampling_does_not_see():
    apart = rl.Roc.from_samples(np.arange(30.0, 50), np.arange(30.0))
    drawn = apart.rate_at(specificity=0.9, rng=1, resampling=100).interval
    found = apart.rate_at(specificity=0.9).interval
    assert drawn.low == pytest.approx(0.025 ** (1 / 20))
    assert (found.low, found.high) == (0, 1)  # no negative of 30 above the threshold happens in 4% of samples
    assert apart.rate_at(specificity=0.85).interval.low == pytest.approx(20 / (20 + Z * Z))


def test_the_pointwise_band_has_these_limits_and_rises():
    rng = np.random.default_rng(4)
    label = rng.random(80) < 0.4
    r = rl.roc(label, np.round(rng.normal(size=80) + label, 1))
    band = r.band(points=21)
    assert band.method == "score, no resampling"
    assert np.all(np.diff(band.low) >= 0)
    assert np.all(np.diff(band.high) >= 0)
    for at in range(1, 20):
        one = r.rate_at(specificity=1 - float(band.fpr[at])).interval
        assert band.low[at] <= one.low + 1e-12
        assert band.high[at] >= one.high - 1e-12
    assert np.mean(band.high - band.low) < 1.15 * np.mean(r.band(points=21, rng=1).high - r.band(points=21, rng=1).low)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(15, 15), (20, 200), (200, 20), (10, 1000), (100, 100)])
@pytest.mark.parametrize(("area", "ratio"), [(0.7, 1.0), (0.9, 0.5), (0.97, 1.0)])
def test_pointwise_limits_hold_their_level(sizes, area, ratio):
    """400 samples: a true coverage of 0.95 shows 0.92 or less once in two hundred times."""
    rng = np.random.default_rng([*sizes, round(100 * area)])
    shift = math.hypot(1, ratio) * float(ndtri(area))
    truth = float(ndtr((shift + ndtri(0.2)) / ratio))  # where a fifth of the negatives lies above the threshold
    other = float(ndtr(shift + ratio * ndtri(0.2)))
    hits = np.zeros(2)
    for _ in range(400):
        r = rl.Roc.from_samples(rng.normal(shift, ratio, sizes[0]), rng.normal(size=sizes[1]))
        hits += [truth in r.rate_at(specificity=0.8).interval, other in r.rate_at(sensitivity=0.8).interval]
    assert np.all(hits / 400 >= 0.92)
