"""Kernel curves against double loops, and their invariances."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.smooth import gauss_sums
from roclab.smooth.kernel import bandwidth_k1, fit_kernel, plug_in_bandwidth
from roclab.smooth.model import FiniteScores
from tests import twins
from tests.strategies import SCORES


def of(pos, neg):
    return Tally.from_samples(np.array(pos, float), np.array(neg, float))


def phi(u):
    return 0.5 * math.erfc(-u / math.sqrt(2))


def brute_kernel(pos, neg, h):
    return np.array([[phi((x - y) / h) for y in neg] for x in pos])


@given(pos=SCORES, neg=SCORES, widths=st.tuples(st.floats(0.05, 3), st.floats(0, 3)))
def test_area_and_error_definition(pos, neg, widths):
    fit = fit_kernel(of(pos, neg), bandwidths=widths)
    pairs = brute_kernel(pos, neg, math.hypot(*widths))
    assert fit.area == pytest.approx(pairs.mean(), abs=1e-13)
    if min(len(pos), len(neg)) < 2:
        assert "only one" in fit.standard_error.reason
    else:
        v10, v01 = pairs.mean(axis=1), pairs.mean(axis=0)
        variance = v10.var(ddof=1) / len(pos) + v01.var(ddof=1) / len(neg)
        assert fit.standard_error == pytest.approx(math.sqrt(variance), abs=1e-12)


@given(pos=SCORES, neg=SCORES)
def test_vanishing_bandwidth_property_gives_mann_whitney(pos, neg):
    want = float(twins.brute_auc(pos, neg))
    assert fit_kernel(of(pos, neg), bandwidths=(0.0, 0.0)).area == pytest.approx(want, abs=1e-14)
    assert fit_kernel(of(pos, neg), bandwidths=(1e-9, 1e-9)).area == pytest.approx(want, abs=1e-14)


def brute_k1(values):
    """The definition with sorted order statistics."""
    values = sorted(values)
    n = len(values)
    iqr = values[math.ceil(0.75 * n) - 1] - values[math.ceil(0.25 * n) - 1]
    return 0.9 * min(np.std(values, ddof=1), iqr / 1.34) * n**-0.2


@pytest.mark.parametrize("n", [2, 3, 4, 5, 8, 13, 40])
def test_bandwidth_k1_definition(n):
    values = np.random.default_rng(n).normal(size=n).round(1)
    assert bandwidth_k1(FiniteScores(*np.unique(values, return_counts=True))) == pytest.approx(brute_k1(values))


def test_plug_in_definition_by_double_loops():
    values = np.random.default_rng(5).gamma(2, size=30).round(2)
    stages = plug_in_bandwidth(FiniteScores(*np.unique(values, return_counts=True)))

    def psi(order, g):
        total = 0.0
        for a in values:
            for b in values:
                u = (a - b) / g
                shape = u**2 - 1 if order == 2 else u**4 - 6 * u**2 + 3
                total += shape * math.exp(-u * u / 2) / math.sqrt(2 * math.pi)
        return total / (values.size**2 * g ** (order + 1))

    assert stages.psi4 == pytest.approx(psi(4, stages.g4), rel=1e-10)
    assert stages.psi2 == pytest.approx(psi(2, stages.g2), rel=1e-10)
    assert stages.h_f == pytest.approx((-1 / (math.sqrt(math.pi) * values.size * stages.psi2)) ** (1 / 3))


@pytest.mark.parametrize("rule", ["k1", "k2", "k2opt"])
@pytest.mark.parametrize(("shift", "scale"), [(0, 1e-3), (-7, 1), (1e4, 30), (3, 1e100)])
def test_location_and_scale_property(rule, shift, scale):
    rng = np.random.default_rng(8)
    x, y = rng.normal(1, 1, 25), rng.normal(0, 1, 30)
    base, moved = fit_kernel(of(x, y), rule=rule), fit_kernel(of(shift + scale * x, shift + scale * y), rule=rule)
    assert moved.area == pytest.approx(base.area, abs=1e-9)
    assert moved.bandwidth_pos == pytest.approx(scale * base.bandwidth_pos, rel=1e-9)
    assert moved.standard_error == pytest.approx(base.standard_error, abs=1e-9)


@pytest.mark.parametrize("rule", ["k1", "k2"])
def test_rescaling_property_of_the_transformed_kernel(rule):
    rng = np.random.default_rng(8)
    x, y = rng.lognormal(1, 1, 25), rng.lognormal(0, 1, 30)
    areas = [fit_kernel(of(c * x, c * y), rule=rule, box_cox=True).area for c in (1, 50)]
    assert areas[1] == pytest.approx(areas[0], abs=1e-7)


@pytest.mark.parametrize("kind", ["normal", "lognormal", "ties"])
def test_large_samples_property_cells_equal_pairs(monkeypatch, kind):
    rng = np.random.default_rng(1)
    draw = {
        "normal": lambda m: rng.normal(m, 1, 1500),
        "lognormal": lambda m: rng.lognormal(m, 2, 1500),
        "ties": lambda m: rng.poisson(3 + m, 1500) / 7,
    }[kind]
    tally = of(draw(1), draw(0))
    for rule in ("k1", "k2"):
        pairs = fit_kernel(tally, rule=rule)
        monkeypatch.setattr(gauss_sums, "EXACT_PAIRS", 0)
        cells = fit_kernel(tally, rule=rule)
        assert 0 < cells.error_bound < 1e-15
        assert cells.area == pytest.approx(pairs.area, abs=1e-13)
        assert cells.standard_error == pytest.approx(pairs.standard_error, abs=1e-13)
        assert cells.bandwidth_neg == pytest.approx(pairs.bandwidth_neg, rel=1e-11)
        grid = np.linspace(0, 1, 51)
        np.testing.assert_allclose(cells.tpr(grid), pairs.tpr(grid), atol=1e-9)
        monkeypatch.undo()


def test_memory_stays_linear():
    rng = np.random.default_rng(0)
    n = 30_000
    tally = of(rng.normal(1, 1, n), rng.normal(0, 1, n))
    tracemalloc.start()
    fit = fit_kernel(tally, rule="k2")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 400 * 2 * n  # bytes; all pairs would need 7 billion
    assert fit.area == pytest.approx(phi(1 / math.sqrt(2)), abs=4 * fit.standard_error)


@pytest.mark.parametrize(("pos", "neg"), [([1.0, 2, 5], [0.0]), ([1.0], [0.0, 2, 3, 4]), ([1.0, 1, 1, 4], [0.0, 2, 3])])
def test_one_bandwidth_zero_definition_curve_integrates_to_the_area(pos, neg):
    fit = fit_kernel(of(pos, neg), rule="k1")
    assert 0 in (fit.bandwidth_pos, fit.bandwidth_neg)
    grid = (np.arange(20000) + 0.5) / 20000
    assert fit.tpr(grid).mean() == pytest.approx(fit.area, abs=1e-4)
    assert any("only the other class is smoothed" in note for note in fit.notes)
    with pytest.raises(InputError, match="slope of the kernel_k1 curve needs a density in each class"):
        fit.slope(0.5)
    with pytest.raises(InputError, match="optimal point of the kernel_k1 curve needs a density"):
        fit.optimal_point(1.0)


@pytest.mark.parametrize("bandwidths", [(1.0,), (-1.0, 1.0), ("a", 1.0), 3.0, (np.inf, 1.0)])
def test_bandwidths_error(bandwidths):
    with pytest.raises(InputError, match="bandwidths must be two numbers of at least 0"):
        fit_kernel(of([1, 2], [0, 1]), bandwidths=bandwidths)


def test_rule_error():
    with pytest.raises(InputError, match="rule must be one of 'k1', 'k2', 'k2opt', got 'k3'"):
        fit_kernel(of([1, 2], [0, 1]), rule="k3")


def test_fit_names_what_was_used():
    fit = fit_kernel(of([1, 2, 4], [0, 1, 2]), rule="k2", box_cox=True)
    assert fit.method == "kernel_k2_box_cox"
    assert fit.shift == pytest.approx(0.1)
    assert fit.standard_error_method == "structural components, bandwidths held fixed and lambda too"
    assert "lambda" in fit.parameters()
    assert fit_kernel(of([1, 2], [0, 1]), bandwidths=(1, 1)).method == "kernel"
