"""Intervals: scales, sides, ends, and the coverage they claim."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import roclab as rl
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.inference.one_area.area import area_of_method
from roclab.inference.one_area.estimate import estimate_area
from roclab.inference.one_area.intervals import area_interval, clopper_pearson
from roclab.inference.one_curve.proportions import proportion_interval
from roclab.names import AREA_INTERVALS, PROPORTION_INTERVALS, TALLY_VARIANCES
from roclab.options.uncertainty import AreaUncertainty


def interval(area, se, **options):
    return area_interval(area, se, **{"level": 0.95, "pairs": 20, "name": "test"} | options)


def test_asah_intervals_published(asah):
    """pROC's plain DeLong interval, the logit one, variance and Hanley-McNeil error of aSAH, all digits."""
    want = {
        "s100b": (0.7313685637, 0.002668682457, 0.6301182118, 0.8326189156, 0.61921694, 0.82008575, 0.051248079),
        "wfns": (0.8236788618, 0.001469914709, 0.7485348878, 0.8988228358, 0.73576410, 0.88684184, 0.043838726),
        "ndka": (0.6119579946, 0.003190810549, 0.5012449993, 0.7226709899, 0.49733057, 0.71540423, 0.056109143),
    }
    for name, (area, variance, low, high, logit_low, logit_high, hm) in want.items():
        plain = rl.auc(asah["y"], asah[name], interval="plain")
        assert plain.area == pytest.approx(area, abs=5e-11)
        assert plain.standard_error**2 == pytest.approx(variance, abs=5e-13)
        assert (plain.interval.low, plain.interval.high) == pytest.approx((low, high), abs=5e-11)
        logit = rl.auc(asah["y"], asah[name], interval="logit").interval
        assert (logit.low, logit.high) == pytest.approx((logit_low, logit_high), abs=5e-9)
        assert rl.auc(asah["y"], asah[name], variance="hanley_mcneil").standard_error == pytest.approx(hm, abs=5e-10)


def test_bootstrap_interval_published_within_monte_carlo_error(asah):
    """pROC, 2000 replicates: 0.62652 to 0.82724. Two such runs differ by about 0.004."""
    got = rl.auc(asah["y"], asah["s100b"], interval="percentile", rng=42).interval
    assert got.low == pytest.approx(0.62652, abs=0.008)
    assert got.high == pytest.approx(0.82724, abs=0.008)


@given(area=st.floats(0.001, 0.999), se=st.floats(1e-6, 0.3), level=st.floats(0.5, 0.999))
def test_logit_property_stays_inside_and_around_the_area(area, se, level):
    got = interval(area, se, level=level)
    assert 0 <= got.low <= area <= got.high <= 1
    mirrored = interval(1 - area, se, level=level)
    assert mirrored.low == pytest.approx(1 - got.high, abs=1e-9)


@given(area=st.floats(0.01, 0.99), se=st.floats(1e-4, 0.3))
def test_logit_property_of_gini_is_that_of_the_area(area, se):
    inner = interval(area, se)
    outer = interval(2 * area - 1, 2 * se, bounds=(-1.0, 1.0))
    assert outer.low == pytest.approx(2 * inner.low - 1, abs=1e-9)
    assert outer.high == pytest.approx(2 * inner.high - 1, abs=1e-9)


@pytest.mark.parametrize("area", [0.0, 1.0])
@pytest.mark.parametrize("scale", ["logit", "exact"])
def test_interval_at_the_ends_has_length_and_says_why(area, scale):
    got = interval(area, 0.0, scale=scale, pairs=15)
    bound = 0.025 ** (1 / 15)
    assert (got.low, got.high) == pytest.approx((bound, 1.0) if area == 1 else (0.0, 1 - bound))
    assert "exact binomial bound on 15 independent pairs" in got.method


def test_perfect_separation_is_reported_honestly():
    estimate = rl.auc([1] * 15 + [0] * 20, np.arange(35, 0, -1))
    assert estimate.area == 1
    assert 0.83 < estimate.interval.low < 0.84  # a little above Wilson's bound for 15 of 15, 0.796
    exact = rl.auc([1] * 15 + [0] * 20, np.arange(35, 0, -1), interval="logit")
    assert exact.interval.low == pytest.approx(0.025 ** (1 / 15))
    assert rl.auc([0] * 15 + [1] * 20, np.arange(35, 0, -1)).interval.high < 0.25


def test_constant_scores_are_reported_honestly():
    estimate = rl.auc([1, 1, 1, 0, 0], [7, 7, 7, 7, 7])
    assert estimate.area == 0.5
    assert "null standard error" in rl.auc([1, 1, 1, 0, 0], [7] * 5, interval="logit").interval.method
    assert "constant scores" in estimate.notes[0]
    assert rl.roc([1, 1, 1, 0, 0], [7] * 5).test().p_value == 1
    assert estimate.interval.low < 0.5 < estimate.interval.high


@pytest.mark.parametrize("kind", AREA_INTERVALS)
@pytest.mark.parametrize("side", ["lower", "upper"])
def test_one_sided_bounds_lie_inside_the_two_sided_interval(kind, side, asah):
    both = rl.auc(asah["y"], asah["wfns"], interval=kind, rng=3).interval
    one = rl.auc(asah["y"], asah["wfns"], interval=kind, rng=3, side=side).interval
    assert one.method.endswith(f"{side} bound")
    if side == "lower":
        assert both.low < one.low < 0.8237
        assert one.high in (1.0, math.inf)
    else:
        assert 0.8237 < one.high < both.high
        assert one.low in (0.0, -math.inf)


@pytest.mark.parametrize("se", TALLY_VARIANCES)
def test_every_standard_error_is_close_to_the_others(se, asah):
    estimate = rl.auc(asah["y"], asah["ndka"], variance=se, rng=1)
    assert estimate.standard_error == pytest.approx(0.0565, rel=0.05)


def test_clipped_interval_is_cut_at_one_and_plain_is_not():
    label, score = [1, 1, 1, 1, 1, 0, 0, 0, 0, 0], [0.89, 0.80, 0.80, 0.63, 0.33, 0.80, 0.33, 0.10, 0.10, 0.10]
    plain = rl.auc(label, score, interval="plain", variance="empirical_q").interval
    assert (round(plain.low, 6), round(plain.high, 6)) == (0.611793, 1.108207)
    assert rl.auc(label, score, interval="clipped").interval.high == 1


def test_no_interval_is_a_reason_not_a_number():
    estimate = rl.auc([1, 1, 0, 0], [4, 2, 3, 1], interval=None)
    assert estimate.standard_error.reason == "no interval was asked for"
    assert estimate.to_dict()["standard_error"] is None
    assert estimate.to_dict()["undefined"] == {"standard_error": "no interval was asked for"}


@given(k=st.integers(0, 30), n=st.integers(1, 30), method=st.sampled_from(PROPORTION_INTERVALS))
def test_proportion_property_inside_and_symmetric(k, n, method):
    k = min(k, n)
    got = proportion_interval(k, n, method=method)
    assert 0 <= got.low <= k / n + 1e-12
    assert k / n - 1e-12 <= got.high <= 1
    other = proportion_interval(n - k, n, method=method)
    assert (other.low, other.high) == pytest.approx((1 - got.high, 1 - got.low), abs=1e-9)


@pytest.mark.parametrize("method", PROPORTION_INTERVALS)
def test_proportion_oracle_by_scipy_and_statsmodels_formulas(method):
    """scipy's binomtest has the exact and the Wilson interval; the others are written out here."""
    from scipy.stats import beta, binomtest, norm

    k, n, z = 26, 40, norm.ppf(0.975)
    got = proportion_interval(k, n, method=method)
    p = k / n
    wide = n + z**2
    centre = (k + z**2 / 2) / wide
    want = {
        "exact": binomtest(k, n).proportion_ci(method="exact"),
        "wilson": binomtest(k, n).proportion_ci(method="wilson"),
        "jeffreys": beta.ppf([0.025, 0.975], k + 0.5, n - k + 0.5),
        "agresti_coull": centre + np.array([-1, 1]) * z * math.sqrt(centre * (1 - centre) / wide),
        "wald": p + np.array([-1, 1]) * z * math.sqrt(p * (1 - p) / n),
    }[method]
    assert (got.low, got.high) == pytest.approx(tuple(want), abs=1e-12)


def test_clopper_pearson_published():
    """26/40: 0.4832 to 0.7937; another package prints 0.5057 to 0.7904 from wrong degrees of freedom."""
    assert clopper_pearson(26, 40, tail=0.025) == pytest.approx((0.4832, 0.7937), abs=5e-5)


@pytest.mark.parametrize("method", ["exact", "wilson", "agresti_coull", "jeffreys"])
@pytest.mark.parametrize("p", [0.03, 0.2, 0.5])
def test_proportion_coverage_by_exact_summation(method, p):
    """The true level, summed over all outcomes of 40 cases: exact never below 95%, the others near it."""
    from scipy.stats import binom

    n = 40
    counts = np.arange(n + 1)
    inside = [p in proportion_interval(int(k), n, method=method) for k in counts]
    coverage = float(np.sum(binom.pmf(counts, n, p) * inside))
    assert coverage >= (0.95 if method == "exact" else 0.88)


def test_no_trials_is_undefined_with_a_reason():
    assert "no cases" in proportion_interval(0, 0).low.reason


def test_metrics_at_a_threshold_published_by_proc(asah):
    """pROC coords at 0.205 for s100b."""
    table = rl.roc(asah["y"], asah["s100b"]).metrics(0.205, interval="exact")
    value = table.matrix.metrics()
    assert (table.matrix.tp, table.matrix.fp, table.matrix.tn, table.matrix.fn) == (26, 14, 58, 15)
    assert value["ppv"] == pytest.approx(0.65)
    assert value["npv"] == pytest.approx(0.7945205479)
    assert value["accuracy"] == pytest.approx(0.7433628319)
    assert value["lr_plus"] == pytest.approx(3.261324042)
    assert value["lr_minus"] == pytest.approx(0.4541631623)
    assert (table.intervals["ppv"].low, table.intervals["ppv"].high) == pytest.approx((0.4832, 0.7937), abs=5e-5)


def test_level_error_messages():
    with pytest.raises(InputError, match="level must lie strictly between 0 and 1, got 1; write 0.95"):
        interval(0.7, 0.1, level=1)
    with pytest.raises(InputError, match="successes must lie between 0 and trials, got 5 of 3"):
        proportion_interval(5, 3)


@pytest.mark.slow
@pytest.mark.parametrize(("area", "sizes"), [(0.7, (30, 30)), (0.9, (30, 30)), (0.9, (20, 200)), (0.97, (15, 15))])
def test_logit_interval_coverage_by_simulation(area, sizes):
    """95% logit intervals hold their level where plain ones fail; 2000 samples, Monte-Carlo error 0.5%."""
    from scipy.special import ndtri

    rng = np.random.default_rng(20)
    shift = math.sqrt(2) * float(ndtri(area))
    hits = {"logit": 0, "plain": 0}
    runs = 2000
    for _ in range(runs):
        tally = Tally.from_samples(rng.normal(shift, 1, sizes[0]), rng.normal(0, 1, sizes[1]))
        for scale in hits:
            hits[scale] += (
                area in estimate_area(tally, area_of_method("empirical"), AreaUncertainty(interval=scale)).interval
            )
    logit, plain = hits["logit"] / runs, hits["plain"] / runs
    assert 0.93 <= logit <= 0.985
    assert logit > plain - 0.01


# -- "exact" of areas with other bounds than 0 and 1 ------------------------------------------------------------------

BOUNDED = {
    "AUC": (0.0, 1.0),
    "Gini": (-1.0, 1.0),
    "tAUC": (0.0, 0.5),
    "partial area": (0.0, 0.38),
    "McClish": (0.35, 1.0),
}


@pytest.mark.parametrize("bounds", BOUNDED.values(), ids=BOUNDED)
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_exact_interval_definition_is_that_of_the_share_between_the_bounds(bounds, level):
    """26 of 40 cases: an area as far between its bounds, with their binomial standard error, has their interval."""
    low, high = bounds
    k, n = 26, 40
    area, se = low + (high - low) * k / n, (high - low) * math.sqrt(k / n * (1 - k / n) / n)
    want = stats.binomtest(k, n).proportion_ci(level, method="exact")
    got = interval(area, se, scale="exact", bounds=bounds, level=level)
    # SciPy finds its ends as roots, to about 1e-12.
    assert (got.low, got.high) == pytest.approx([low + (high - low) * end for end in want], abs=1e-10)
    assert "Clopper-Pearson on 40.0 effective cases" in got.method
    for side, alternative in (("lower", "greater"), ("upper", "less")):
        one = stats.binomtest(k, n, alternative=alternative).proportion_ci(level, method="exact")
        got = interval(area, se, scale="exact", bounds=bounds, level=level, side=side)
        assert (got.low, got.high) == pytest.approx([low + (high - low) * end for end in one], abs=1e-10)


@pytest.mark.parametrize("bounds", BOUNDED.values(), ids=BOUNDED)
@pytest.mark.parametrize("df", [1, 7.5, 200])
def test_exact_interval_definition_of_few_degrees_of_freedom(bounds, df):
    """Korn and Graubard: (z / t)² times as many cases, so an error smaller by z / t is worth the same 40."""
    low, high = bounds
    k, n = 26, 40
    smaller = stats.norm.ppf(0.975) / stats.t.ppf(0.975, df)
    area, se = low + (high - low) * k / n, (high - low) * math.sqrt(k / n * (1 - k / n) / n) * smaller
    want = stats.binomtest(k, n).proportion_ci(0.95, method="exact")
    got = interval(area, se, scale="exact", bounds=bounds, df=df)
    assert (got.low, got.high) == pytest.approx([low + (high - low) * end for end in want], abs=1e-9)


@pytest.mark.parametrize("bounds", BOUNDED.values(), ids=BOUNDED)
def test_exact_interval_definition_at_either_bound(bounds):
    """An area on its bound is 15 of 15 pairs, or none of them."""
    low, high = bounds
    away = (high - low) * (1 - 0.025 ** (1 / 15))
    top, bottom = (interval(end, 0.0, scale="exact", bounds=bounds, pairs=15) for end in (high, low))
    assert (top.low, top.high) == pytest.approx((high - away, high), abs=1e-12)
    assert (bottom.low, bottom.high) == pytest.approx((low, low + away), abs=1e-12)


REGION = {"fpr": (0.03, 0.41)}
CHANCE = (0.41**2 - 0.03**2) / 2  # below the diagonal in this range
ASKED = {
    "Gini": ({"estimator": "gini"}, (-1.0, 1.0)),
    "tAUC": ({"estimator": "tauc"}, (0.0, 0.5)),
    "FPR 0.03 to 0.41": (REGION, (0.0, 0.38)),
    "its share": (REGION | {"standard": "width"}, (0.0, 1.0)),
    "McClish": (REGION | {"standard": "mcclish"}, (0.5 * (1 - CHANCE / (0.38 - CHANCE)), 1.0)),
}


@pytest.mark.parametrize("name", ASKED)
@pytest.mark.parametrize("score", ["s100b", "wfns"])
def test_exact_interval_of_an_estimate_definition(name, score, asah):
    """From its area and standard error alone: limits at which a binomial tail has 2.5%, for a real number of cases."""
    asked, (low, high) = ASKED[name]
    found = rl.auc(asah["y"], asah[score], interval="exact", **asked)
    share, error = (found.area - low) / (high - low), found.standard_error / (high - low)
    cases = share * (1 - share) / error**2
    hits, misses = share * cases, (1 - share) * cases
    ends = stats.beta.ppf(0.025, hits, misses + 1), stats.beta.ppf(0.975, hits + 1, misses)
    assert (found.interval.low, found.interval.high) == pytest.approx([low + (high - low) * end for end in ends])
