"""Two tests on the same cases: against packages, against the likelihood by brute force, and by enumeration."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar
from scipy.stats import binomtest, norm

from roclab.inference.rates.benefit import net_benefit_difference
from roclab.inference.rates.likelihood import likelihood_ratios_compared
from roclab.inference.rates.mcnemar import mcnemar_p
from roclab.inference.rates.paired import PairedCounts, tang_limits, tang_statistic, tango_limits, tango_statistic
from roclab.inference.rates.paired_others import paired_difference, paired_ratio
from roclab.inference.rates.predictive import PairedTables, negative_values, positive_values
from tests.inference.rates.oracle_files import cases_of, number

Z = float(norm.ppf(0.975))
COUNTS = st.tuples(*[st.integers(0, 12)] * 4).filter(lambda cells: sum(cells) > 0).map(lambda c: PairedCounts(*c))
TWO_TESTS = cases_of("two_tests_paired")


def tables_of(case):
    ill, well = (PairedCounts(*case["inputs"][name]) for name in ("diseased", "healthy"))
    right = PairedCounts(ill.both + well.neither, ill.first + well.second, ill.second + well.first,
                         ill.neither + well.both)  # fmt: skip
    return PairedTables(ill, well), {"sensitivity": ill, "specificity": well.exchanged(), "accuracy": right}


@pytest.mark.parametrize("case", TWO_TESTS, ids=lambda case: case["id"])
@pytest.mark.parametrize("metric", ["sensitivity", "specificity", "accuracy"])
def test_differences_ratios_and_p_values_oracle(case, metric):
    counts, expected = tables_of(case)[1][metric], case["expected"][metric]
    close = {"abs": case["tolerance_abs"], "nan_ok": True}
    for name in ("tango", "newcombe", "bonett_price", "agresti_min", "wald"):
        assert paired_difference(counts, Z, name) == pytest.approx(expected[name], **close)
    for name, method in (("ratio_tang", "tango"), ("ratio_bonett_price", "bonett_price")):
        assert paired_ratio(counts, Z, method) == pytest.approx([number(end) for end in expected[name]], **close)
    for name, test in (("mcnemar", "score"), ("mcnemar_cc", "corrected"), ("exact", "exact"), ("midp", "midp")):
        assert mcnemar_p(counts, test) == pytest.approx(expected[f"{name}_p"], **close)


@pytest.mark.parametrize("case", TWO_TESTS, ids=lambda case: case["id"])
def test_predictive_values_oracle(case):
    tables, _ = tables_of(case)
    for name, found in (("ppv", positive_values(tables)), ("npv", negative_values(tables))):
        expected = case["expected"][name]
        close = {"abs": case["tolerance_abs"]}
        assert found.values == pytest.approx((expected["test1"], expected["test2"]), **close)
        assert found.correlation == pytest.approx(expected["correlation"], **close)
        assert found.limits(Z) == pytest.approx(expected["difference_mover_wilson"], **close)
        assert found.test() == pytest.approx((expected["wgs"], expected["wgs_p"]), **close)
        assert found.test(weighted=False) == pytest.approx((expected["gs"], expected["gs_p"]), **close)


@pytest.mark.parametrize("case", TWO_TESTS, ids=lambda case: case["id"])
def test_likelihood_ratios_oracle(case):
    tables, _ = tables_of(case)
    for name in ("lr_plus", "lr_minus"):
        expected = case["expected"][name]
        ratio, limits, error = likelihood_ratios_compared(tables, Z, positive=name == "lr_plus")
        assert ratio == pytest.approx(number(expected["ratio"]), abs=case["tolerance_abs"], nan_ok=True)
        if "mover_tang" in expected:
            assert limits == pytest.approx(expected["mover_tang"], abs=case["tolerance_abs"])
            assert error == pytest.approx(expected["se_log"], abs=case["tolerance_abs"])
        else:
            assert math.isnan(limits[0])
            assert "a rate in it is 0" in ratio.reason


@pytest.mark.parametrize("case", cases_of("mcnemar"), ids=lambda case: case["id"])
def test_mcnemar_oracle(case):
    (a, b), (c, d) = case["inputs"]["table"]
    expected, counts = case["expected"], PairedCounts(a, b, c, d)
    found = [mcnemar_p(counts, test) for test in ("score", "corrected", "exact", "midp")]
    wanted = [expected[name] for name in ("p", "p_cc", "exact_p", "midp_p")]
    assert found == pytest.approx(wanted, abs=case["tolerance_abs"])


def test_without_disagreement_the_interval_comes_from_n_alone_definition():
    square = Z * Z
    assert tango_limits(PairedCounts(20, 0, 0, 0), Z) == pytest.approx(
        (-square / (20 + square), square / (20 + square))
    )
    assert tango_limits(PairedCounts(12, 0, 0, 8), Z)[1] == pytest.approx(0.16112516, abs=1e-8)
    assert tango_limits(PairedCounts(0, 9, 0, 0), Z)[1] == 1.0
    low, high = tang_limits(PairedCounts(16, 0, 0, 4), Z)
    assert (low, high) == pytest.approx((1 / (1 + square / 16), 1 + square / 16))


def test_a_margin_is_judged_by_the_statistics_printed_definition():
    counts = PairedCounts(20, 6, 2, 2)
    assert tango_statistic(counts, -0.1) == pytest.approx(2.30183, abs=5e-6)
    assert tang_statistic(counts, 0.9) == pytest.approx(2.13504, abs=5e-6)


def brute_tango(counts, null):
    """The statistic with the likeliest nuisance found by search, not by the quadratic."""
    n, b, c = counts.n, counts.first, counts.second

    def lost(q):
        p, rest = q + null, 1 - 2 * q - null
        parts = [(b, p), (c, q), (n - b - c, rest)]
        return -sum(count * math.log(max(share, 1e-300)) for count, share in parts if count)

    low, high = max(0.0, -null), (1 - null) / 2
    found = minimize_scalar(lost, bounds=(low, high), method="bounded", options={"xatol": 1e-12})
    q = min([found.x, low, high], key=lost)
    variance = n * (2 * q + null * (1 - null))
    return (b - c - n * null) / math.sqrt(variance) if variance > 1e-9 else math.nan


@given(counts=COUNTS, null=st.sampled_from([-0.6, -0.2, -0.05, 0.0, 0.1, 0.45]))
def test_tango_property_equals_its_likelihood(counts, null):
    wanted = brute_tango(counts, null)
    if not math.isnan(wanted):
        assert tango_statistic(counts, null) == pytest.approx(wanted, rel=2e-4, abs=2e-4)


@given(counts=COUNTS)
def test_limits_property_hold_the_estimate_and_turn_with_the_tests(counts):
    low, high = tango_limits(counts, Z)
    assert -1 <= low <= counts.difference <= high <= 1
    assert tango_limits(counts.turned(), Z) == pytest.approx((-high, -low), abs=1e-10)
    for end in (low, high):
        if abs(end) < 1:
            assert abs(tango_statistic(counts, end)) == pytest.approx(Z, abs=1e-5)
    if counts.both + counts.first > 0 and counts.both + counts.second > 0:
        least, most = tang_limits(counts, Z)
        one, two = counts.rates
        assert least <= one / two * (1 + 1e-9)
        assert one / two <= most * (1 + 1e-9)
        turned = tang_limits(counts.turned(), Z)
        assert turned == pytest.approx((1 / most, 1 / least), rel=1e-6)


@given(counts=COUNTS)
def test_both_score_statistics_are_mcnemars_at_no_difference_property(counts):
    b, c = counts.first, counts.second
    wanted = (b - c) / math.sqrt(b + c) if b + c else 0.0
    assert tango_statistic(counts) == pytest.approx(wanted)
    assert tang_statistic(counts) == pytest.approx(wanted)
    exact = binomtest(min(b, c), b + c).pvalue if b + c else 1.0
    assert mcnemar_p(counts, "exact") == pytest.approx(exact)
    assert mcnemar_p(counts, "midp") <= mcnemar_p(counts, "exact") + 1e-12


def paired_designs(n):
    """Every table of b and c with its probability, for some true rates."""
    for sensitivity, apart, phi in ((0.9, 0.05, 0.3), (0.8, 0.0, 0.6), (0.95, 0.1, 0.0)):
        one, two = sensitivity, sensitivity - apart
        both = one * two + phi * math.sqrt(one * (1 - one) * two * (1 - two))
        p, q = one - both, two - both
        if min(p, q) < 0:
            continue
        for b in range(n + 1):
            for c in range(n - b + 1):
                log = (math.lgamma(n + 1) - math.lgamma(b + 1) - math.lgamma(c + 1) - math.lgamma(n - b - c + 1)
                       + b * math.log(max(p, 1e-300)) + c * math.log(max(q, 1e-300))
                       + (n - b - c) * math.log(1 - p - q))  # fmt: skip
                if log > -30:
                    yield (sensitivity, apart, phi), apart, PairedCounts(n - b - c, b, c, 0), math.exp(log)


@pytest.mark.slow
def test_tango_covers_in_every_design_by_enumeration():
    kept = {}
    for design, true, counts, chance in paired_designs(30):
        low, high = tango_limits(counts, Z)
        kept[design] = kept.get(design, 0.0) + chance * (low - 1e-12 <= true <= high + 1e-12)
    assert min(kept.values()) > 0.94


def test_net_benefits_are_compared_as_their_parts_published():
    tables = PairedTables(PairedCounts(319, 78, 22, 32), PairedCounts(31, 53, 22, 155))
    found, limits = net_benefit_difference(tables, 0.25, Z)
    assert found == pytest.approx((56 - 0.25 * 31) / 712)
    assert limits == pytest.approx((0.04073, 0.09646), abs=5e-6)


def test_without_a_call_a_predictive_value_is_undefined():
    found = positive_values(PairedTables(PairedCounts(0, 4, 0, 6), PairedCounts(0, 1, 0, 9)))
    assert found.values[0] == 0.8
    assert found.values[1].reason == "no case was called so"
    assert np.isnan(found.limits(Z)).all()
    assert np.isnan(found.test()).all()
