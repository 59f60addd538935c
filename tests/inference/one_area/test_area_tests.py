"""Tests of one area against a null value."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given

import roclab as rl
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.inference.one_area.area_tests import auc_test
from roclab.inference.p_values import p_of_z
from roclab.names import AREA_TESTS
from tests.conftest import HERE, decoded, oracle
from tests.strategies import labelled

NAMES = sorted(path.stem for path in (HERE / "oracles" / "open").glob("roc_*.json") if path.stem != "roc_one_class")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("method", "z", "p"),
    [
        ("gaidyshev", "z_russian", "p_russian"),
        ("null", "z_null", "p_null"),
        ("tie_corrected", "z_null_tie_corrected", "p_null_tie_corrected"),
    ],
)
def test_null_tests_oracle(name, method, z, p):
    case = oracle(name)
    label, score = np.array(case["inputs"]["labels"], bool), np.array(case["inputs"]["scores"], float)
    got = auc_test(Tally.from_labels(label, score), test=method)
    want_z, want_p = decoded(case["expected"]["inference"][z]), decoded(case["expected"]["inference"][p])
    if want_z is None:
        assert math.isnan(got.statistic)
        assert got.p_value.reason
    else:
        assert got.statistic == pytest.approx(want_z, abs=1e-9)
        assert got.p_value == pytest.approx(want_p, abs=1e-9)


@given(labelled(min_size=4))
def test_null_property_is_the_mann_whitney_z(data):
    """Against scipy's asymptotic Mann-Whitney test, with ties and without continuity correction."""
    from scipy.stats import mannwhitneyu

    label, score = data
    assume(np.ptp(score) > 0)
    ours = auc_test(Tally.from_labels(label, score), test="tie_corrected")
    want = mannwhitneyu(score[label], score[~label], method="asymptotic", use_continuity=False)
    assert ours.p_value == pytest.approx(min(want.pvalue, 1.0), rel=1e-9)


def test_constant_scores_have_no_tie_corrected_z():
    test = auc_test(Tally.from_labels(np.array([True, False, False]), np.ones(3)), test="tie_corrected")
    assert "no spread" in test.p_value.reason


def test_wald_against_any_area(asah):
    test = rl.roc(asah["y"], asah["wfns"]).test(null=0.75, test="wald")
    estimate = rl.auc(asah["y"], asah["wfns"])
    assert test.statistic == pytest.approx((estimate.area - 0.75) / estimate.standard_error)
    greater = rl.roc(asah["y"], asah["wfns"]).test(null=0.75, test="wald", alternative="greater")
    less = rl.roc(asah["y"], asah["wfns"]).test(null=0.75, test="wald", alternative="less")
    assert greater.p_value + less.p_value == pytest.approx(1)
    assert test.p_value == pytest.approx(2 * greater.p_value)


def test_logit_test_agrees_with_the_logit_interval(asah):
    """A null value at the end of the 95% interval has p = 0.05, for the score test as well."""
    for kind in ("score", "logit"):
        estimate = rl.auc(asah["y"], asah["ndka"], interval=kind)
        for end in estimate.interval:
            found = rl.roc(asah["y"], asah["ndka"]).test(null=end, test=kind)
            assert found.p_value == pytest.approx(0.05, abs=1e-9)


def test_perfect_separation_says_which_test_still_works():
    roc = rl.roc([1, 1, 0, 0], [4, 3, 2, 1])
    assert "use test='null' or 'hanley_mcneil'" in roc.test(test="wald").p_value.reason
    assert roc.test().method == "score"
    assert 0.1 < roc.test().p_value < 0.2  # four cases cannot show more
    assert roc.test(test="null").statistic == pytest.approx(0.5 / math.sqrt(5 / 48))


def test_area_test_error_messages(asah):
    roc = rl.roc(asah["y"], asah["ndka"])
    with pytest.raises(InputError, match="test='null' tests against 0.5 only, got null=0.7"):
        roc.test(null=0.7, test="null")
    with pytest.raises(InputError, match="null must lie strictly between 0 and 1, got 1"):
        roc.test(null=1)
    with pytest.raises(InputError, match="alternative must be one of 'two-sided', 'greater', 'less', got 'both'"):
        roc.test(alternative="both")
    assert set(AREA_TESTS) >= {"wald", "logit"}


@pytest.mark.parametrize(
    ("method", "region"),
    [("gini", {}), ("tauc", {}), ("average_precision", {}), ("empirical", {"fpr": (0, 0.2), "standardize": "mcclish"}),
     ("empirical", {"tpr": (0.8, 1)})],
)  # fmt: skip
def test_any_area_test_agrees_with_its_interval(method, region, asah):
    """A null value at the end of the 95% interval has p = 0.05, for every area and on both scales."""
    roc = rl.roc(asah["y"], asah["s100b"])
    for scale in ("logit", "plain"):
        estimate = roc.partial_auc(**region, interval=scale) if region else roc.auc(method, interval=scale)
        asked = {"estimator": None if region else method, "test": "wald" if scale == "plain" else "logit", **region}
        test = roc.test(null=estimate.interval.low, **asked)
        assert test.p_value == pytest.approx(0.05, abs=1e-9)
        greater = roc.test(null=estimate.interval.low, alternative="greater", **asked)
        assert greater.p_value == pytest.approx(0.025, abs=1e-9)


def test_gini_against_zero_is_the_auc_against_one_half(asah):
    roc = rl.roc(asah["y"], asah["wfns"])
    assert roc.test(estimator="gini", null=0).statistic == pytest.approx(roc.test(test="logit").statistic)
    with pytest.raises(InputError, match="null must lie strictly between 0 and 0.5 for tAUC, got 0.7"):
        roc.test(estimator="tauc", null=0.7)


def test_p_of_z_tails_do_not_underflow_early():
    assert p_of_z(30.0) == pytest.approx(2 * 4.906713927148187e-198, rel=1e-9)
    assert p_of_z(-2.0, "greater") == pytest.approx(0.9772498680518208)


@pytest.mark.slow
def test_size_under_the_null_by_simulation():
    """5% tests of a useless score, 2000 samples of 25 + 35: Monte-Carlo error 0.5%. Gaidyshev's claims too little."""
    rng = np.random.default_rng(5)
    rejected = dict.fromkeys(AREA_TESTS, 0)
    runs = 2000
    for _ in range(runs):
        tally = Tally.from_samples(rng.normal(size=25), rng.normal(size=35))
        for method in AREA_TESTS:
            rejected[method] += auc_test(tally, test=method).p_value < 0.05
    rates = {method: count / runs for method, count in rejected.items()}
    assert rates["gaidyshev"] < 0.02
    for method in ("null", "tie_corrected", "hanley_mcneil", "logit"):
        assert 0.035 <= rates[method] <= 0.065, (method, rates[method])
    assert 0.045 <= rates["wald"] <= 0.085, "the plain Wald test is a little liberal in small samples"
