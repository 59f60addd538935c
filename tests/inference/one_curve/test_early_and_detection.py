"""Equal error rate, enrichment, BEDROC and precision bands: against their definitions, by loops that share no code."""

from __future__ import annotations

import math

import numpy as np
import pytest

import roclab as rl
from roclab.areas.early_recognition import bedroc_of, rie
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.inference.one_area.early_influence import influence_of_bedroc


def marked(seed, n_pos=40, n_neg=160, *, ties=False):
    rng = np.random.default_rng(seed)
    pos, neg = rng.normal(1.2, 1, n_pos), rng.normal(0, 1, n_neg)
    if ties:
        pos, neg = np.round(pos * 2) / 2, np.round(neg * 2) / 2
    return np.concatenate([np.ones(n_pos), np.zeros(n_neg)]).astype(int), np.concatenate([pos, neg])


def ranked_weights(y, s, alpha):
    """The published sum: exp(-alpha rank / N) of every positive, over all orders of tied cases by their mean."""
    order = np.argsort(-s, kind="stable")
    total, n = 0.0, len(y)
    place = 0
    while place < n:
        tied = [at for at in order if s[at] == s[order[place]]]
        mean = sum(math.exp(-alpha * (place + step + 1) / n) for step in range(len(tied))) / len(tied)
        total += mean * sum(y[at] for at in tied)
        place += len(tied)
    return total / y.sum()


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("alpha", [1.0, 20.0, 160.9])
def test_bedroc_is_the_published_formula(ties, alpha):
    y, s = marked(1, ties=ties)
    n, share = len(y), y.mean()
    random = (1 - math.exp(-alpha)) / (math.exp(alpha / n) - 1) / n
    want = ranked_weights(y, s, alpha) / random
    factor = share * math.sinh(alpha / 2) / (math.cosh(alpha / 2) - math.cosh(alpha / 2 - alpha * share))
    bedroc = want * factor + 1 / (1 - math.exp(alpha * (1 - share)))
    tally = rl.roc(y, s).tally
    assert rie(tally, alpha) == pytest.approx(want, rel=1e-12)
    assert bedroc_of(alpha)(tally) == pytest.approx(bedroc, abs=1e-12)


def test_bedroc_ends_at_0_and_1():
    high, low = np.array([3.0, 2.0]), np.array([1.0, 0.5, 0.1])
    assert bedroc_of()(Tally.from_samples(high, low)) == 1
    assert bedroc_of()(Tally.from_samples(low, high)) == pytest.approx(0, abs=1e-15)


@pytest.mark.parametrize("alpha", [0.5, 20.0, 300.0])
@pytest.mark.parametrize("ties", [False, True])
def test_influence_is_the_derivative(alpha, ties):
    y, s = marked(2, 12, 30, ties=ties)
    tally = rl.roc(y, s).tally
    area, influence = bedroc_of(alpha), influence_of_bedroc(alpha)(tally)
    step = 1e-6

    def moved(values, at, total):
        """A share of weight goes to one score, the class size stays."""
        out = values.astype(float) * (1 - step)
        out[at] += step * total
        return out

    for name, n, found in (("pos", tally.n_pos, influence.pos), ("neg", tally.n_neg, influence.neg)):
        counts = getattr(tally, name)
        mean = float(np.sum(counts * found)) / n
        for at in range(tally.score.size):
            changed = {"pos": tally.pos.astype(float), "neg": tally.neg.astype(float), name: moved(counts, at, n)}
            other = Tally.from_counts(tally.score, changed["pos"], changed["neg"])
            slope = (area(other) - area(tally)) / step
            assert found[at] - mean == pytest.approx(slope, abs=2e-4 * max(1, alpha / 20))


def test_bedroc_is_an_area_like_the_others():
    y, s = marked(3)
    found = rl.auc(y, s, estimator="bedroc")
    assert found.quantity == "BEDROC"
    assert found.interval.low < found < found.interval.high
    drawn = rl.auc(y, s, estimator="bedroc", variance="bootstrap", resampling=2000, rng=1)
    assert found.standard_error == pytest.approx(drawn.standard_error, rel=0.1)
    other = s + np.random.default_rng(4).normal(0, 1, s.size)
    assert rl.compare(y, {"a": s, "b": other}, estimator="bedroc").pairs[0].difference > 0


def test_enrichment_counts_the_first_cases():
    y, s = marked(5, 30, 170)
    order = np.argsort(-s)
    found = rl.roc(y, s).enrichment([0.01, 0.1, 0.5])
    for factor, first in zip(found.factors, (2, 20, 100), strict=True):
        hits = y[order[:first]].sum()
        assert factor.tpr == pytest.approx(hits / 30)
        assert factor.factor == pytest.approx(hits / 30 / (first / 200))
        assert factor.interval.low <= factor.factor <= factor.interval.high <= factor.largest + 1e-12
    assert found.factors[0].largest == pytest.approx(1 / 0.15)
    assert "times as many" in str(found).splitlines()[0]


@pytest.mark.parametrize("bad", [[], [0.0], [1.0], [5.0]])
def test_enrichment_refuses(bad):
    with pytest.raises(InputError, match="fractions"):
        rl.roc([1, 0, 1, 0], [4, 3, 2, 1]).enrichment(bad)
    with pytest.raises(InputError, match="alpha"):
        rl.roc([1, 0, 1, 0], [4, 3, 2, 1]).enrichment(alpha=0)


@pytest.mark.parametrize("ties", [False, True])
def test_equal_error_rate_by_search(ties):
    y, s = marked(6, ties=ties)
    roc = rl.roc(y, s)
    found = roc.equal_error()
    rates = np.linspace(0, 1, 200_001)
    height = np.interp(rates, *_strictly(roc.fpr, roc.tpr))
    assert found.rate == pytest.approx(rates[np.argmin(np.abs(height - (1 - rates)))], abs=1e-5)
    assert found.on_hull <= found.rate + 1e-12
    assert found.interval.low < found.rate < found.interval.high
    drawn = roc.equal_error(resampling=500, rng=1)
    assert drawn.rate == found.rate
    assert drawn.interval.low == pytest.approx(found.interval.low, abs=0.04)
    assert "bootstrap" in drawn.interval.method


def _strictly(fpr, tpr):
    """A vertical step as a very steep line, for np.interp."""
    return np.maximum.accumulate(fpr + np.arange(fpr.size) * 1e-12), tpr


def test_interval_of_the_equal_error_rate_is_where_the_band_meets_the_line():
    y, s = marked(7)
    roc = rl.roc(y, s)
    low, high = roc.equal_error().interval
    for end, sign in ((low, 1), (high, -1)):
        inside = roc.rate_at(specificity=1 - (end + sign * 1e-4)).interval
        outside = roc.rate_at(specificity=1 - (end - sign * 1e-4)).interval
        assert inside.low <= 1 - end - sign * 1e-4 <= inside.high
        assert not outside.low <= 1 - end + sign * 1e-4 <= outside.high


def test_separated_classes_have_an_equal_error_rate_of_0_and_an_interval():
    found = rl.roc([1] * 20 + [0] * 20, [*range(20, 40), *range(20)]).equal_error()
    assert found.rate == 0
    assert found.interval.low == 0
    assert 0.05 < found.interval.high < 0.3


def test_subjects_are_resampled():
    y, s = marked(8)
    ids = np.arange(y.size) // 4
    roc = rl.roc(y, s, ids=ids)
    assert "clustered" in roc.equal_error(resampling=100, rng=1).interval.method
    assert "clustered" in roc.enrichment(resampling=100, rng=1).factors[0].interval.method
    assert (
        roc.enrichment(resampling=100, rng=1).bedroc.standard_error != rl.roc(y, s).enrichment().bedroc.standard_error
    )


def test_precision_band_is_the_curve_with_limits_of_the_specificity():
    y, s = marked(9)
    roc = rl.roc(y, s)
    band = roc.precision_band()
    assert band.recall.size == 100
    assert band.precision == pytest.approx(roc.precision_recall().at(band.recall))
    assert np.all((band.low <= band.precision) & (band.precision <= band.high))
    for at in (19, 49, 89):
        recall = band.recall[at]
        ends = roc.rate_at(sensitivity=recall).interval
        limits = [recall / (recall + 4 * (1 - end)) for end in ends]
        assert [band.low[at], band.high[at]] == pytest.approx(limits, abs=0.01)
    rare = roc.precision_band(skew=99)
    assert rare.prevalence == pytest.approx(0.01)
    assert np.all(rare.high <= band.high)
    wide = roc.precision_band(kind="simultaneous", resampling=200, rng=1)
    assert np.mean(wide.high - wide.low) > np.mean(band.high - band.low)


def test_precision_band_refuses():
    roc = rl.roc([1, 1, 0, 0], [4, 3, 2, 1])
    with pytest.raises(InputError, match="none of precision"):
        roc.precision_band(kind="thresholds")
    with pytest.raises(InputError, match="skew"):
        roc.precision_band(skew=0)


@pytest.mark.nightly
@pytest.mark.parametrize("what", ["equal error", "enrichment", "precision"])
def test_intervals_hold_their_level(what):
    """400 samples of normal scores; the limits err on the safe side, as those of the curve do."""
    from scipy.optimize import brentq
    from scipy.stats import norm

    shift, n_pos, n_neg, held = 1.5, 60, 180, 0
    share = n_pos / (n_pos + n_neg)
    cut = brentq(lambda t: share * norm.sf(t - shift) + (1 - share) * norm.sf(t) - 0.1, -5, 5)
    truth = {
        "equal error": norm.sf(shift / 2),
        "enrichment": norm.sf(cut - shift) / 0.1,
        "precision": 0.6 / (0.6 + 3 * norm.sf(shift + norm.isf(0.6))),
    }[what]
    rng = np.random.default_rng(11)
    y = np.repeat([1, 0], [n_pos, n_neg])
    for _ in range(400):
        roc = rl.roc(y, np.concatenate([rng.normal(shift, 1, n_pos), rng.normal(0, 1, n_neg)]))
        if what == "equal error":
            low, high = roc.equal_error().interval
        elif what == "enrichment":
            low, high = roc.enrichment([0.1]).factors[0].interval
        else:
            band = roc.precision_band(points=6)
            low, high = band.low[2], band.high[2]
        held += low <= truth <= high
    assert 0.945 <= held / 400 <= 0.995


def test_min_dcf_is_the_smallest_cost_of_any_threshold():
    y, s = marked(12)
    found = rl.roc(y, s).lowest_cost(prevalence=0.01, cost_fn=10)
    costs = [0.01 * 10 * np.mean(s[y == 1] < t) + 0.99 * np.mean(s[y == 0] >= t) for t in [*s, np.inf]]
    assert found.relative == pytest.approx(min(costs) / min(0.1, 0.99))
    assert rl.roc(y, s).lowest_cost().prevalence == pytest.approx(0.2)
