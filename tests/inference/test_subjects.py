"""Subjects with several cases, in every question to a curve: against definitions written out, and by invariances."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, t

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.data.subjects import numbered
from roclab.errors import InputError
from roclab.inference.one_curve.clustered_rates import clustered_rates
from roclab.inference.subject_sums import error_of_mean

SEEDS = st.integers(0, 10_000)


def readings(seed=1, subjects=25, most=4, rounded=False):
    """Labels, scores and subjects: a subject's scores share an effect, its labels a leaning."""
    rng = np.random.default_rng(seed)
    ids = np.repeat(np.arange(subjects), rng.integers(1, most + 1, subjects))
    y = rng.random(ids.size) < rng.uniform(0.2, 0.8, subjects)[ids]
    y[:2] = True, False
    s = y + rng.normal(size=subjects)[ids] + rng.normal(size=ids.size)
    return y, np.round(s) if rounded else s, ids


# -- definitions ----------------------------------------------------------------------------------------


def slow_ratio(numerator, denominator, ids):
    """A proportion, its variance by the ratio estimator, and the number of subjects with a case in the denominator."""
    share = sum(numerator) / sum(denominator)
    total, squares, count = sum(denominator), 0.0, 0
    for one in set(ids.tolist()):
        mine = [at for at in range(len(ids)) if ids[at] == one]
        if sum(denominator[at] for at in mine):
            count += 1
            squares += sum(numerator[at] - share * denominator[at] for at in mine) ** 2
    return share, count / (count - 1) * squares / total**2, count


def slow_wilson(share, n, z):
    """Wilson's limits as the roots of (share - p)^2 = z^2 p (1 - p) / n."""
    a, b, c = 1 + z * z / n, -(2 * share + z * z / n), share * share
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


SHARES = {  # numerator and denominator of a case, from its label and call
    "tpr": lambda y, c: (y and c, y),
    "tnr": lambda y, c: (not y and not c, not y),
    "ppv": lambda y, c: (y and c, c),
    "npv": lambda y, c: (not y and not c, not c),
    "accuracy": lambda y, c: (y == c, True),
    "detection_rate": lambda y, c: (c, True),
    "jaccard": lambda y, c: (y and c, y or c),
}


@pytest.mark.parametrize("metric", SHARES)
@pytest.mark.parametrize("seed", range(4))
def test_clustered_shares_definition(metric, seed):
    """Wilson's interval on the number of cases that the ratio estimator's variance is worth, with t."""
    y, s, ids = readings(seed)
    called = s >= 0.5
    parts = [SHARES[metric](bool(a), bool(b)) for a, b in zip(y, called, strict=True)]
    share, variance, count = slow_ratio([int(a) for a, _ in parts], [int(b) for _, b in parts], ids)
    cases = sum(b for _, b in parts)
    effect = max(variance / (share * (1 - share) / cases), 0.25)
    low, high = slow_wilson(share, cases / effect, t.ppf(0.975, count - 1))
    found = rl.roc(y, s, ids=ids).metrics(0.5)
    assert found.metrics[metric] == pytest.approx(share, rel=1e-12)
    assert tuple(found.intervals[metric]) == pytest.approx((low, high), abs=1e-6)  # slopes are differences
    assert f"of {count} subjects" in found.intervals[metric].method


@pytest.mark.parametrize("seed", range(4))
def test_clustered_likelihood_ratio_definition(seed):
    """Simel's interval on the log scale with the variance of cluster totals by the delta method, written out."""
    y, s, ids = readings(seed)
    called = s >= 0.5
    tp, fn = np.sum(y & called), np.sum(y & ~called)
    fp, tn = np.sum(~y & called), np.sum(~y & ~called)
    worth = np.where(y, np.where(called, 1 / tp, 0.0) - 1 / (tp + fn), 1 / (fp + tn) - np.where(called, 1 / fp, 0.0))
    count = np.unique(ids).size
    sums = [worth[ids == one].sum() for one in np.unique(ids)]
    se = math.sqrt(count / (count - 1) * sum(one**2 for one in sums))
    naive = math.sqrt(1 / tp - 1 / (tp + fn) + 1 / fp - 1 / (fp + tn))
    se = max(se, naive / 2)  # the design effect is at least one quarter
    ratio = (tp / (tp + fn)) / (fp / (fp + tn))
    half = t.ppf(0.975, count - 1) * se
    want = ratio * math.exp(-half), ratio * math.exp(half)
    found = rl.roc(y, s, ids=ids).metrics(0.5, ratio_interval="log").intervals["lr_plus"]
    assert tuple(found) == pytest.approx(want, rel=1e-5)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rounded", [False, True])
def test_rates_at_every_threshold_definition(seed, rounded):
    y, s, ids = readings(seed, rounded=rounded)
    tally = rl.read_cases(y, s, ids=ids).tally()
    both = clustered_rates(tally, tally.subjects)
    for row, threshold in enumerate(tally.score.tolist(), start=1):
        called = s >= threshold
        for found, side in zip(both, (y, ~y), strict=True):
            share, variance, count = slow_ratio((side & called).astype(int), side.astype(int), ids)
            assert found.rate[row] == pytest.approx(share, abs=1e-12)
            assert found.subjects == count
            if 0 < share < 1:
                want = max(variance / (share * (1 - share) / side.sum()), 0.25)
                assert found.effect[row] == pytest.approx(want, rel=1e-9)


def test_threshold_band_is_that_of_the_metrics():
    y, s, ids = readings(3)
    r = rl.roc(y, s, ids=ids)
    band = r.band(kind="thresholds")
    for at in range(1, len(band.fpr) - 1, 7):
        want = r.metrics(float(band.thresholds[at])).intervals
        assert (band.low[at], band.high[at]) == pytest.approx(tuple(want["tpr"]), abs=1e-6)
        assert (band.fpr_low[at], band.fpr_high[at]) == pytest.approx(tuple(want["fpr"]), abs=1e-6)


def test_error_of_a_mean_definition():
    _, s, ids = readings(5)
    share, variance, _ = slow_ratio(s, np.ones(s.size), ids)
    assert error_of_mean(s, ids, np.unique(ids).size) == pytest.approx(math.sqrt(variance), rel=1e-12)
    assert share == pytest.approx(s.mean())


@pytest.mark.parametrize("null", [0.5, 0.7])
@pytest.mark.parametrize("options", [{}, {"estimator": "gini"}, {"fpr": (0, 0.4)}, {"estimator": "tauc"}])
def test_the_clustered_test_agrees_with_the_interval_property(options, null):
    """A limit of the 95% interval, taken for the null value, has p = .05."""
    y, s, ids = readings(8, subjects=30)
    r = rl.roc(y, s, ids=ids)
    for end in r.auc(**options).interval:
        assert r.test(null=end, **options).p_value == pytest.approx(0.05, abs=1e-6)
    tests = area_table(y, s, ids=ids, null=null).tests
    assert tests[0] == r.test(null=null)
    assert tests[0].distribution == "t, 29.0 df"


@pytest.mark.parametrize("scale", ["logit", "plain"])
def test_clustered_intervals_from_the_error_use_t_definition(scale):
    y, s, ids = readings(2)
    found = rl.auc(y, s, ids=ids, interval=scale)
    half = t.ppf(0.975, 24) * found.standard_error
    want = (found.area - half, found.area + half)
    if scale == "logit":
        middle, slope = math.log(found.area / (1 - found.area)), half / (found.area * (1 - found.area))
        want = tuple(1 / (1 + math.exp(-(middle + way * slope))) for way in (-1, 1))
    assert tuple(found.interval) == pytest.approx(want, abs=1e-12)


def test_clustered_calibration_oracle_statsmodels():
    """Intercept and slope of the calibration line by statsmodels' clustered sandwich, K / (K - 1)."""
    sm = pytest.importorskip("statsmodels.api")
    y, s, ids = readings(4, subjects=60)
    p = 1 / (1 + np.exp(-s))
    x = np.log(p / (1 - p))
    groups = {"groups": ids, "use_correction": False}
    count = np.unique(ids).size
    fit = sm.Logit(y.astype(float), sm.add_constant(x)).fit(disp=0, cov_type="cluster", cov_kwds=groups)
    large = sm.GLM(y.astype(float), np.ones((x.size, 1)), family=sm.families.Binomial(), offset=x).fit(
        cov_type="cluster", cov_kwds=groups
    )
    line = rl.roc(y, p, ids=ids).calibration().line
    half = t.ppf(0.975, count - 1) * math.sqrt(count / (count - 1))
    for value, found, (want, error) in (
        (line.slope, line.slope_interval, (fit.params[1], fit.bse[1])),
        (line.intercept, line.intercept_interval, (large.params[0], large.bse[0])),
    ):
        assert value == pytest.approx(want, rel=1e-6)
        assert tuple(found) == pytest.approx((want - half * error, want + half * error), rel=1e-6)


# -- invariances ----------------------------------------------------------------------------------------


def questions(y, s, ids=None, seed=1):
    """Every number of a curve that could depend on subjects."""
    r = rl.roc(y, s, ids=ids)
    p = rl.roc(y, 1 / (1 + np.exp(-s)), ids=ids)
    drawn = {"resampling": 60, "rng": seed}
    return {
        "auc": [r.auc().area, *r.auc().interval],
        "partial": [*r.partial_auc(fpr=(0, 0.5)).interval],
        "test": [r.test(null=0.6).p_value],
        "metrics": [end for one in r.metrics(0.5, prevalence=0.1).intervals.values() for end in one],
        "rectangle": [*r.rectangle(0.5).tpr],
        "ratios": [end for one in r.likelihood_ratios(bins=2).ratios for end in one.interval],
        "calibration": [end for one in p.calibration(bins=2).bins for end in one.interval],
        "brier": [*p.calibration().losses.brier_interval],
        "line": [*p.calibration().line.slope_interval],
        "thresholds": [*r.band(kind="thresholds").low],
        "band": [*r.band(kind="simultaneous", points=11, **drawn).low],
        "rate": [*r.rate_at(specificity=0.7, **drawn).interval],
        "threshold": [*r.threshold_interval(fpr=0.2, **drawn).interval],
        "stability": [*r.cutoff_stability(**drawn).interval, *r.cutoff_stability(**drawn).youden_interval],
        "smooth cut-off": [rl.smooth_cutoff(y, s, ids=ids, smoother="bootstrap", **drawn).threshold],
    }  # fmt: skip


def test_every_case_its_own_subject_changes_nothing_property():
    y, s, _ = readings(6)
    assert questions(y, s) == questions(y, s, ids=np.arange(y.size))
    assert str(rl.roc(y, s)) == str(rl.roc(y, s, ids=np.arange(y.size)))


def test_subjects_change_every_number_that_is_uncertain():
    y, s, ids = readings(6)
    plain, clustered = questions(y, s), questions(y, s, ids)
    assert [name for name in plain if plain[name] == clustered[name]] == []


@settings(max_examples=6)
@given(seed=SEEDS)
def test_the_order_of_rows_and_the_names_of_subjects_do_not_matter_property(seed):
    y, s, ids = readings(6)
    order = np.random.default_rng(seed).permutation(y.size)
    want, found = questions(y, s, ids), questions(y[order], s[order], ids[order])
    for name, values in want.items():
        assert found[name] == pytest.approx(values, rel=1e-9, abs=1e-9), name
    named = questions(y, s, np.array([f"subject {one:03d}" for one in ids]))
    for name, values in want.items():
        assert named[name] == pytest.approx(values, rel=1e-9, abs=1e-9), name


@settings(max_examples=15)
@given(seed=SEEDS)
def test_repeating_every_row_within_its_subject_tells_nothing_new_property(seed):
    """The same case measured twice is no further case: closed forms stay where they are."""
    y, s, ids = readings(seed)
    r, twice = rl.roc(y, s, ids=ids), rl.roc(np.tile(y, 2), np.tile(s, 2), ids=np.tile(ids, 2))
    assert twice.auc().standard_error == pytest.approx(r.auc().standard_error, rel=1e-9)
    assert tuple(twice.auc(interval="logit").interval) == pytest.approx(
        tuple(r.auc(interval="logit").interval), rel=1e-9
    )
    for name, one in r.metrics(0.5).intervals.items():
        # A case that counts twice may meet the bound of the design effect, which then differs.
        other = twice.metrics(0.5).intervals[name]
        if not math.isnan(one.low):
            assert other.high - other.low <= (one.high - one.low) * (1 + 1e-6) or math.isinf(one.high), name


def test_whole_weights_are_repeated_cases_of_the_same_subject():
    y, s, ids = readings(9)
    weight = np.random.default_rng(1).integers(1, 4, y.size)
    rows = np.repeat(np.arange(y.size), weight)
    weighted = rl.roc(y, s, ids=ids, sample_weight=weight)
    written = rl.roc(y[rows], s[rows], ids=ids[rows])
    assert weighted.auc().standard_error == pytest.approx(written.auc().standard_error, rel=1e-9)
    for name, one in weighted.metrics(0.5).intervals.items():
        assert tuple(one) == pytest.approx(tuple(written.metrics(0.5).intervals[name]), rel=1e-6), name
    drawn = {"resampling": 50, "rng": 1}
    assert weighted.rate_at(specificity=0.7, **drawn).interval == written.rate_at(specificity=0.7, **drawn).interval


def test_the_bootstrap_draws_whole_subjects_definition():
    """A subject's cases come together or not at all: its places have one multiplicity."""
    y, s, ids = readings(3)
    tally = rl.read_cases(y, s, ids=ids).tally()
    from roclab.inference.one_area.bootstrap import tally_draws

    draws = tally_draws(tally, "stratified")
    (pos, neg), left = draws.bags(np.random.default_rng(1))
    of_score = dict(zip(tally.score.tolist(), (pos + neg).tolist(), strict=True))
    times = {one: {of_score[value] for value in s[ids == one]} for one in np.unique(ids)}
    assert all(len(one) == 1 for one in times.values()), "scores differ, so counts are multiplicities"
    assert sum(next(iter(one)) for one in times.values()) == np.unique(ids).size
    assert left is not None
    outside = dict(zip(tally.score.tolist(), (left[0] + left[1]).tolist(), strict=True))
    assert all((outside[value] > 0) == (of_score[value] == 0) for value in of_score)


def test_matrices_of_subjects_add_up():
    y, s, ids = readings(4)
    half = np.arange(y.size) < y.size // 2
    parts = [rl.confusion(y[one], s[one], threshold=0.5, ids=ids[one]) for one in (half, ~half)]
    whole = rl.confusion(y, s, threshold=0.5, ids=ids)
    together = (parts[0] + parts[1]).with_intervals().intervals
    for name, one in whole.with_intervals().intervals.items():
        assert tuple(together[name]) == pytest.approx(tuple(one), nan_ok=True), name
    with pytest.raises(InputError, match="only when the subjects of both are known"):
        parts[0] + rl.confusion(y, s, threshold=0.5)


def test_numbers_of_subjects_are_remembered_while_their_array_lives():
    ids = np.array(["b", "a", "b"])
    assert numbered(ids)[1] is numbered(ids)[1]
    assert numbered(ids.copy())[1] is not numbered(ids)[1]


def test_what_no_method_exists_for_says_what_to_use():
    y, s, ids = readings(1)
    r = rl.roc(y, s, ids=ids)
    with pytest.raises(InputError, match="'kolmogorov' takes every case for itself .* use kind='simultaneous'"):
        r.band(kind="kolmogorov")
    with pytest.raises(InputError, match="has no formula where subjects have several cases, got .*clustered_bootstrap"):
        r.auc("binormal")
    with pytest.raises(InputError, match="test must be one of 'score', 'logit', 'wald'"):
        r.test(test="null")


def test_perfect_areas_of_few_subjects_are_not_certain():
    y, s = np.repeat([True, False], 20), np.arange(40.0)[::-1]
    few = rl.auc(y, s, ids=np.repeat(np.arange(8), 5)).interval
    assert few.low < rl.auc(y, s).interval.low < 1
    assert few.high == 1


@pytest.mark.slow
def test_clustered_intervals_hold_their_level_simulation():
    """95% intervals of 20 subjects, 400 samples: at least .92; ignoring subjects, far less (a fixed seed)."""
    rng = np.random.default_rng(7)
    hits = {"auc": 0, "auc ignoring": 0, "tpr": 0, "tpr ignoring": 0}
    truth, rate = 0.8, float(norm.cdf(math.sqrt(2) * norm.ppf(0.8) - 0.5))
    for _ in range(400):
        ids = np.repeat(np.arange(20), rng.integers(2, 7, 20))
        y = (np.arange(20) % 2 == 0)[ids]
        s = math.sqrt(0.5) * (rng.normal(size=20)[ids] + rng.normal(size=ids.size)) + y * math.sqrt(2) * norm.ppf(0.8)
        for name, r in (("", rl.roc(y, s, ids=ids)), (" ignoring", rl.roc(y, s))):
            hits["auc" + name] += truth in r.auc().interval
            hits["tpr" + name] += rate in r.metrics(0.5).intervals["tpr"]
    assert min(hits["auc"], hits["tpr"]) >= 0.92 * 400
    assert max(hits["auc ignoring"], hits["tpr ignoring"]) <= 0.9 * 400
