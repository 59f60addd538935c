"""Intervals of likelihood ratios and odds ratios: definitions, published numbers, other programs, level."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import binom

import roclab as rl
from roclab.errors import InputError
from roclab.inference.one_curve.ratios import likelihood_ratio_interval, odds_ratio_interval

Z = 1.9599639845400545
SHARES = st.integers(1, 30).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def deviates(a, n, b, m, ratio):
    """By definition: how far the shares lie apart, with the likeliest ones of this ratio, found on a grid."""
    most = min(1.0, 1 / ratio)
    second = np.linspace(0, most, 200_001)[1:-1]
    first = ratio * second
    logs = a * np.log(first) + (n - a) * np.log1p(-first) + b * np.log(second) + (m - b) * np.log1p(-second)
    p2 = second[np.argmax(logs)]
    p1 = ratio * p2
    return (a / n - ratio * b / m) / math.sqrt(p1 * (1 - p1) / n + ratio**2 * p2 * (1 - p2) / m)


@pytest.mark.parametrize(("a", "n", "b", "m"), [(26, 41, 14, 72), (3, 10, 5, 9), (9, 10, 250, 1000), (19, 20, 2, 40)])
def test_score_interval_definition(a, n, b, m):
    found = likelihood_ratio_interval(a, n, b, m)
    # The twin's likeliest share lies on a grid of 200,000 steps.
    assert deviates(a, n, b, m, found.low) == pytest.approx(Z, abs=1e-4)
    assert deviates(a, n, b, m, found.high) == pytest.approx(-Z, abs=1e-4)


def test_score_interval_published():
    """Koopman's example: 36 of 40 against 16 of 80."""
    assert tuple(likelihood_ratio_interval(36, 40, 16, 80)) == pytest.approx((2.94, 7.15), abs=0.005)


@given(SHARES, SHARES)
def test_score_interval_oracle_statsmodels(one, other):
    from statsmodels.stats.proportion import confint_proportions_2indep

    (a, n), (b, m) = one, other
    assume(0 < a < n and 0 < b < m)  # beyond that its roots lose their precision
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = confint_proportions_2indep(a, n, b, m, compare="ratio", method="score", correction=False)
    assert tuple(likelihood_ratio_interval(a, n, b, m)) == pytest.approx(tuple(np.real(known)), rel=1e-6)


@given(SHARES, SHARES, st.sampled_from(["score", "log"]))
def test_ratio_intervals_property_hold_the_ratio_and_turn_over_with_the_classes(one, other, method):
    (a, n), (b, m) = one, other
    assume(a + b > 0)
    found = likelihood_ratio_interval(a, n, b, m, method=method)
    turned = likelihood_ratio_interval(b, m, a, n, method=method)
    ratio = math.inf if b == 0 else (a / n) / (b / m)
    assert found.low <= ratio * (1 + 1e-9)
    assert ratio <= found.high * (1 + 1e-9)
    for end, other_end in ((found.low, turned.high), (found.high, turned.low)):
        inverse = math.inf if other_end == 0 else 1 / other_end
        assert end == pytest.approx(inverse, rel=1e-8)
    wider = likelihood_ratio_interval(a, n, b, m, level=0.99, method=method)
    assert wider.low <= found.low * (1 + 1e-9)
    assert wider.high >= found.high * (1 - 1e-9)


def test_log_interval_definition():
    a, n, b, m = 26, 41, 14, 72
    se = math.sqrt(1 / a - 1 / n + 1 / b - 1 / m)
    ratio = (a / n) / (b / m)
    got = likelihood_ratio_interval(a, n, b, m, method="log")
    assert math.log(got.high / ratio) == pytest.approx(1.959963984540054 * se)
    assert ratio == pytest.approx(3.261324042)


def coverage(sizes, rates, method):
    """The true level, summed over all outcomes."""
    n, m = sizes
    ratio = rates[0] / rates[1]
    chance = [binom.pmf(np.arange(size + 1), size, rate) for size, rate in zip(sizes, rates, strict=True)]
    total = 0.0
    for a, b in np.argwhere(np.outer(*chance) > 1e-7):
        held = a + b == 0 or ratio in likelihood_ratio_interval(int(a), n, int(b), m, method=method)
        total += held * chance[0][a] * chance[1][b]
    return total


@pytest.mark.parametrize(
    ("sizes", "rates", "log"),
    [((15, 15), (0.95, 0.25), 0.94), ((10, 1000), (0.87, 0.25), 0.82), ((20, 60), (0.98, 0.25), 0.93)],
)
def test_score_interval_holds_its_level_where_the_log_one_may_not(sizes, rates, log):
    assert coverage(sizes, rates, "score") >= 0.94
    assert coverage(sizes, rates, "log") == pytest.approx(log, abs=0.02)


def test_ratio_intervals_at_zero_counts_keep_the_open_end():
    for method in ("score", "log"):
        assert likelihood_ratio_interval(10, 20, 0, 30, method=method).high == math.inf
        assert likelihood_ratio_interval(0, 20, 5, 30, method=method).low == 0
        assert "0/0" in likelihood_ratio_interval(0, 20, 0, 30, method=method).low.reason
    assert odds_ratio_interval(5, 0, 2, 9).high == math.inf
    assert odds_ratio_interval(0, 3, 2, 9).low == 0
    # Twenty of twenty against none of twenty: nothing is added, and the other end is still found.
    assert likelihood_ratio_interval(20, 20, 0, 20).low == pytest.approx(6.206355, abs=5e-7)


def test_predictive_values_follow_the_ratio_and_its_kind():
    matrix = rl.results.ConfusionMatrix(tp=9, fp=250, fn=1, tn=750)
    for kind, name in (("score", "Koopman"), ("log", "Simel")):
        found = matrix.with_intervals(prevalence=0.1, ratio_interval=kind).intervals
        ratio, value = found["lr_plus"], found["ppv_at_prevalence"]
        assert name in ratio.method
        assert name in value.method
        for end, of_ratio in zip(value, ratio, strict=True):
            assert end / (1 - end) == pytest.approx(of_ratio / 9)
    with pytest.raises(InputError, match="method must be one of 'score', 'log', got 'wald'"):
        likelihood_ratio_interval(1, 2, 1, 2, method="wald")
