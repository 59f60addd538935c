"""Distances from a smooth calibration curve: the definition, a slow twin of the bootstrap, undefined ends, coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import expit, logit

import roclab as rl
from roclab.data.tally import Tally
from roclab.decisions.calibration import calibration
from roclab.decisions.smooth_errors import smooth_errors
from roclab.inference.one_area.bootstrap import tally_draws
from roclab.options.uncertainty import Resampling

RNG = np.random.default_rng(8)
P = expit(RNG.normal(0, 1.3, 260)).round(3)
Y = RNG.random(260) < expit(0.3 + 0.7 * logit(P))
TALLY = Tally.from_labels(Y, P)
NAMES = ("ici", "e50", "e90", "emax")


def by_cases(p, y):
    """The four distances by one least-squares line per case; shares no code with the library."""

    def fit(at):
        distance = np.abs(p - at)
        reach = max(np.sort(distance)[math.ceil(0.75 * p.size - 1e-9) - 1], 1e-12) * (1 + 1e-9)
        w = (1 - np.minimum(distance / reach, 1) ** 3) ** 3
        design = np.column_stack([np.ones(p.size), p - at]) * np.sqrt(w)[:, None]
        return np.linalg.lstsq(design, y * np.sqrt(w), rcond=None)[0][0]

    gaps = np.sort([abs(np.clip(fit(one), 0, 1) - one) for one in p])
    middle, most = gaps[math.ceil(p.size / 2) - 1], gaps[math.ceil(0.9 * p.size - 1e-9) - 1]
    return np.array([gaps.mean(), middle, most, gaps.max()])


def values(found):
    return np.array([getattr(found, name) for name in NAMES])


@pytest.mark.parametrize("digits", [3, 1])
def test_smooth_errors_definition_local_lines(digits):
    p = P.round(digits)
    np.testing.assert_allclose(values(smooth_errors(Tally.from_labels(Y, p))), by_cases(p, Y), atol=1e-6)


def test_many_predictions_property_stay_close_to_every_place():
    """Beyond 400 different predictions the curve is a polyline, which moves the distances by little."""
    rng = np.random.default_rng(2)
    p = expit(rng.normal(0, 1, 900))
    y = rng.random(900) < p**1.5
    np.testing.assert_allclose(values(smooth_errors(Tally.from_labels(y, p))), by_cases(p, y), atol=2e-4)


def test_intervals_definition_slow_twin():
    """The same draws, each case written out, each curve by least squares, and the ends by their formula."""
    few = 12
    found = smooth_errors(TALLY, 0.8, resampling=few, rng=5)
    draws = tally_draws(TALLY, "plain")
    (seed,) = np.random.SeedSequence(5).spawn(1)
    generator = np.random.default_rng(seed)
    sampled = []
    for _ in range(few):
        pos, neg = draws.counts(generator)
        p = np.concatenate([np.repeat(TALLY.score, pos), np.repeat(TALLY.score, neg)])
        sampled.append(by_cases(p, np.repeat([1.0, 0.0], [pos.sum(), neg.sum()])))
    for k, name in enumerate(NAMES):
        ends, value = getattr(found, f"{name}_interval"), getattr(found, name)
        low, high = np.quantile([one[k] for one in sampled], (0.1, 0.9))
        assert ends.high == pytest.approx(high, abs=1e-6)
        assert ends.low == pytest.approx(min(low, math.sqrt(max(2 * value**2 - high**2, 0))), abs=1e-5)
        assert "bootstrap (plain, 12 replicates, seed 5)" in ends.method


def test_seed_and_workers_property_do_not_change_the_ends():
    first = smooth_errors(TALLY, resampling=Resampling(replicates=60), rng=1)
    again = smooth_errors(TALLY, resampling=Resampling(replicates=60, workers=2), rng=1)
    assert first == again
    assert first != smooth_errors(TALLY, resampling=60, rng=2)


def test_progress_is_shown():
    seen = []
    smooth_errors(TALLY, resampling=Resampling(replicates=50, progress=lambda *one: seen.append(one)), rng=1)
    assert seen[-1] == (50, 50)


def test_undefined_ends_have_a_reason():
    assert smooth_errors(TALLY).ici_interval.low.reason == "no resampling was asked for"
    weighted = Tally.from_labels(Y, P, weight=np.full(260, 1.5))
    found = smooth_errors(weighted, resampling=20, rng=1)
    assert found.ici == pytest.approx(smooth_errors(TALLY).ici)
    assert found.emax_interval.high.reason == "importance weights are no counts of cases"
    two = smooth_errors(Tally.from_samples(np.array([0.5]), np.array([0.4])), resampling=20)
    assert two.ici.reason == two.e90_interval.low.reason == "a smooth curve needs three different predictions"
    three = Tally.from_samples(np.array([0.5, 0.6]), np.array([0.4]))
    assert "fewer than three" in smooth_errors(three, resampling=50, rng=1).ici_interval.low.reason


def test_intervals_are_printed_when_asked_for():
    assert "interval" not in str(calibration(TALLY)).split("ICI")[1].splitlines()[0]
    text = str(rl.roc(Y, P).calibration(resampling=40, rng=3))
    assert "ICI 0." in text
    assert text.split("ICI")[1].splitlines()[0].count("95% interval") == 4
    assert "bootstrap (plain, 40 replicates, seed 3)" in text


@pytest.mark.slow
@pytest.mark.parametrize(("intercept", "slope"), [(0.0, 1.0), (0.7, 1.0), (0.0, 0.5)])
def test_intervals_cover_simulation(intercept, slope):
    """Right, shifted and too extreme predictions: 95% intervals of ICI and E90 hold the truth in 90% or more."""
    rng = np.random.default_rng(4)
    many = expit(rng.normal(0, 1.2, 10**5))
    gap = np.abs(many - expit(intercept + slope * logit(many)))
    truth = gap.mean(), np.quantile(gap, 0.9)
    held = np.zeros(2)
    for _ in range(100):
        p = expit(rng.normal(0, 1.2, 100))
        tally = Tally.from_labels(rng.random(100) < expit(intercept + slope * logit(p)), p)
        found = smooth_errors(tally, resampling=100, rng=rng)
        held += [truth[0] in found.ici_interval, truth[1] in found.e90_interval]
    assert np.all(held >= 84)  # two Monte-Carlo errors of 3 below 90
