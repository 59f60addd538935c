"""Bands and regions: shape, levels, coverage."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import ks_2samp

import roclab as rl
from roclab.curves.roc import roc_curve
from roclab.errors import InputError
from roclab.inference.one_area.bootstrap import tally_draws
from roclab.inference.one_curve.bands import joint_rectangle
from roclab.inference.one_curve.curve_draws import curve_draws
from roclab.inference.one_curve.proportions import proportion_interval
from roclab.options.uncertainty import Resampling

FEW = Resampling(replicates=300)


@pytest.fixture(scope="module")
def curve():
    rng = np.random.default_rng(2)
    label = np.repeat([1, 0], [40, 60])
    return rl.roc(label, np.round(rng.normal(size=100) + label, 1))


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous", "kolmogorov", "thresholds"])
def test_band_property_holds_the_curve_and_stays_in_the_square(curve, kind):
    options = {"resampling": FEW, "rng": 1} if kind in ("pointwise", "simultaneous") else {}
    band = curve.band(kind=kind, **options)
    assert np.all((band.low >= 0) & (band.high <= 1))
    assert np.all(band.low <= band.tpr + 1e-12)
    assert np.all(band.tpr <= band.high + 1e-12)
    assert band.kind == kind
    assert len(band.rows()) == band.fpr.size


def test_simultaneous_band_is_wider_than_the_pointwise_one(curve):
    wide = curve.band(kind="simultaneous", resampling=FEW, rng=1)
    narrow = curve.band(kind="pointwise", resampling=FEW, rng=1)
    assert np.mean(wide.high - wide.low) > np.mean(narrow.high - narrow.low)


def test_kolmogorov_band_definition(curve):
    from scipy.stats import kstwo

    band = curve.band(kind="kolmogorov", level=0.9)
    up, aside = kstwo.ppf(math.sqrt(0.9), 40), kstwo.ppf(math.sqrt(0.9), 60)
    at = 50
    assert band.high[at] == pytest.approx(min(1, curve.curve.at(0.5 + aside)[0] + up))
    assert band.low[at] == pytest.approx(max(0, curve.curve.at(0.5 - aside)[0] - up))


def test_threshold_band_definition(curve):
    band = curve.band(kind="thresholds", proportion="exact")
    at = 7
    matrix = curve.confusion(float(band.thresholds[at]))
    want = proportion_interval(matrix.tp, 40, method="exact")
    assert (band.low[at], band.high[at]) == (want.low, want.high)
    side = proportion_interval(matrix.fp, 60, method="exact")
    assert (band.fpr_low[at], band.fpr_high[at]) == (side.low, side.high)


def test_rectangle_level_definition_by_enumeration():
    """Two independent binomials: the joint level is the product of the coverages, summed over all outcomes."""
    from scipy.stats import binom

    box = joint_rectangle(tp=9, n_pos=12, fp=3, n_neg=15, level=0.9, method="wilson")
    each = math.sqrt(0.9)
    total = 1.0
    for k, n in ((9, 12), (3, 15)):
        counts = np.arange(n + 1)
        holds = [k / n in proportion_interval(int(c), n, level=each, method="wilson") for c in counts]
        total *= float(np.sum(binom.pmf(counts, n, k / n) * holds))
    assert box.actual_level == pytest.approx(total, abs=1e-9)
    assert box.tpr == proportion_interval(9, 12, level=each, method="wilson")


@pytest.mark.parametrize(("p", "wrong"), [(0.5, 0.931), (0.8, 0.936), (0.9, 0.913)])
def test_rectangle_exact_level_is_not_below_the_asked_one(p, wrong):
    """A known package's "95%" regions reach only the wrong values (100 + 100 cases); ours hold what they say."""
    k = round(100 * p)
    box = joint_rectangle(tp=k, n_pos=100, fp=100 - k, n_neg=100, level=0.95)
    assert box.actual_level >= 0.95 > wrong


def test_threshold_interval_holds_the_threshold(curve):
    found = curve.threshold_interval(fpr=0.2, resampling=FEW, rng=1)
    assert curve.confusion(found.threshold).fp / 60 <= 0.2
    assert found.threshold in found.interval
    found = curve.threshold_interval(tpr=0.8, resampling=FEW, rng=1)
    assert curve.confusion(found.threshold).tp / 40 >= 0.8
    assert found.threshold in found.interval
    assert "threshold" in str(found)
    with pytest.raises(InputError, match="give exactly one of fpr and tpr"):
        curve.threshold_interval(fpr=0.1, tpr=0.9)


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("scheme", ["stratified", "plain"])
@pytest.mark.parametrize("few", [0, 20_000])  # with 0 the way of many cases is taken
def test_heights_drawn_directly_have_the_distribution_of_resampled_curves(scheme, tied, few, monkeypatch):
    """3000 curves of either kind: every height and every sum of two agree by the two-sample Smirnov test."""
    monkeypatch.setattr("roclab.inference.one_curve.curve_draws._FEW", few)
    rng = np.random.default_rng(5)
    grid = np.linspace(0, 1, 8)
    digits = 1 if tied else 9
    tally = rl.Roc.from_samples(*(np.round(rng.normal(m, 1, n), digits) for m, n in ((1, 23), (0, 31)))).tally
    draws = tally_draws(tally, scheme)
    fast = curve_draws(draws, grid)(rng, 3000)
    slow = np.array([roc_curve(draws.tally_once(rng)).at(grid) for _ in range(3000)])
    for i in range(7):
        for j in range(i, 7):
            p = ks_2samp(fast[:, i] + fast[:, j], slow[:, i] + slow[:, j], method="asymp").pvalue
            assert p > 0.05 / 28, (i, j)
    assert np.all(fast[:, -1] == 1)


def test_rates_that_share_a_score_lie_on_one_straight_line(monkeypatch):
    """Where no vertex lies between three rates, heights rise evenly, in every resampled curve."""
    monkeypatch.setattr("roclab.inference.one_curve.curve_draws._FEW", 0)
    tally = rl.Roc.from_ratings([1, 2, 3], [10, 80, 10], [60, 20, 20]).tally
    grid = np.array([0.25, 0.3, 0.35])  # 20 negatives stand at the highest score, 20 at the next
    heights = curve_draws(tally_draws(tally, "stratified"), grid)(np.random.default_rng(4), 4000)
    bends = np.abs(heights[:, 0] - 2 * heights[:, 1] + heights[:, 2]) > 1e-12
    assert 0 < np.mean(bends) < 0.5  # most curves have no vertex there, some have
    assert np.all(np.diff(heights, axis=1) >= 0)


def test_many_ties_are_drawn_as_counts():
    """Few distinct scores: counts are multinomial, so their mean is the tally and their sums are the class sizes."""
    tally = rl.Roc.from_ratings([1, 2, 3], [10, 20, 30], [40, 15, 5]).tally
    draws = tally_draws(tally, "stratified")
    rng = np.random.default_rng(3)
    drawn = [draws.counts(rng) for _ in range(2000)]
    pos, neg = (np.array(one) for one in zip(*drawn, strict=True))
    assert np.all(pos.sum(axis=1) == 60)
    assert np.all(neg.sum(axis=1) == 60)
    share = tally.pos / 60
    assert pos.mean(axis=0) == pytest.approx(tally.pos, abs=4 * np.sqrt(60 * 0.25 / 2000))
    assert pos.var(axis=0) == pytest.approx(60 * share * (1 - share), rel=0.15)


@pytest.mark.nightly
def test_band_coverage_by_simulation():
    """Binormal curve with area 0.85, 60 + 60 cases, 300 samples: two standard errors are 2.5%.

    The simultaneous band covers the inner curve (FPR 0.05 to 0.95) at once, the pointwise one at FPR 0.2.
    """
    from scipy.special import ndtr, ndtri

    rng = np.random.default_rng(77)
    shift = math.sqrt(2) * float(ndtri(0.85))
    grid = np.linspace(0, 1, 41)
    with np.errstate(divide="ignore"):
        truth = ndtr(shift + ndtri(grid))
    inner = slice(2, -2)
    resampling = Resampling(replicates=200)
    hits = {"pointwise": 0, "pointwise, resampled": 0, "simultaneous": 0, "kolmogorov": 0}
    runs = 300
    for _ in range(runs):
        roc = rl.Roc.from_samples(rng.normal(shift, 1, 60), rng.normal(0, 1, 60))
        for kind in hits:
            name, _, resampled = kind.partition(", ")
            options = {"resampling": resampling, "rng": rng} if resampled or name == "simultaneous" else {}
            band = roc.band(kind=name, points=41, **options)
            inside = (band.low <= truth + 1e-12) & (truth <= band.high + 1e-12)
            hits[kind] += inside[8] if name == "pointwise" else inside[inner].all()
    # Score limits hold a little more than they promise with 60 cases; a band that always holds would be too wide.
    assert 0.95 <= hits["pointwise"] / runs < 1
    assert 0.90 <= hits["pointwise, resampled"] / runs <= 0.98
    assert hits["simultaneous"] / runs >= 0.93
    assert hits["kolmogorov"] / runs >= 0.95


def test_lists_of_rates_are_answered_one_by_one(curve):
    """The first of several is what it is alone; the others are there too."""
    some = {"resampling": FEW, "rng": 1}
    rates = curve.rate_at(specificity=[0.8, 0.9], **some)
    assert [one.quantity for one in rates.results] == [f"sensitivity at specificity {s}" for s in (0.8, 0.9)]
    assert [one.rate for one in rates.results] == [curve.rate_at(specificity=s, **some).rate for s in (0.8, 0.9)]
    thresholds = curve.threshold_interval(fpr=[0.1, 0.3], **some)
    alone = [curve.threshold_interval(fpr=f, **some) for f in (0.1, 0.3)]
    assert [one.threshold for one in thresholds.results] == [one.threshold for one in alone]
    assert [one.interval for one in thresholds.results] == [one.interval for one in alone]
    points = curve.at(fpr=[0.1, 0.3])
    assert [one.tpr for one in points.points] == [curve.at(fpr=f).tpr for f in (0.1, 0.3)]
    assert len(curve.at(threshold=np.array([0.5, 1.0])).points) == 2
    with pytest.raises(InputError, match="specificity must hold at least one rate, got none"):
        curve.rate_at(specificity=[])


@pytest.mark.parametrize("rate", ["specificity", "sensitivity"])
def test_a_resampled_rate_is_a_point_of_the_resampled_pointwise_band(curve, rate):
    """The same binomial limits: a rate that every resample repeats is not certain."""
    apart = rl.Roc.from_samples(np.arange(30.0, 50), np.arange(30.0))
    found = apart.rate_at(**{rate: 0.8}, resampling=FEW, rng=1)
    n = 20 if rate == "specificity" else 30
    assert (found.rate, found.interval.high) == (1, 1)
    assert found.interval.low == pytest.approx(0.025 ** (1 / n))
    assert "binomial limits" in str(found)
    half = curve.rate_at(specificity=0.5, resampling=Resampling(replicates=2000), rng=1).interval
    band = curve.band(points=3, resampling=Resampling(replicates=2000), rng=2)
    # Two sets of 2000 replicates: their quantiles differ by about 0.01.
    assert tuple(half) == pytest.approx((band.low[1], band.high[1]), abs=0.03)
