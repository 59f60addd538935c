"""England's exponential and the Pareto curve."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from roclab.curves.roc import curve_from_points
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.smooth.exponential import (
    exponential_area,
    exponential_slope,
    exponential_tpr,
    fit_exponential,
    fit_exponential_curve,
    fit_exponential_points,
)
from roclab.smooth.pareto import fit_pareto, pareto_area, pareto_curve, pareto_slope, pareto_tpr


@pytest.mark.parametrize("E", [0.3, 1.0, 2.5, 40.0])
@pytest.mark.parametrize("R", [0.0, 0.3, 1.0])
def test_exponential_definition_area_and_slope(E, R):
    assert quad(lambda f: exponential_tpr(f, E, R)[0], 0, 1)[0] == pytest.approx(exponential_area(E), abs=1e-6)
    ends = exponential_tpr([0, 1], E, R).tolist()
    assert ends == [0, 1]
    f = np.array([0.1, 0.5, 0.9])
    derivative = (exponential_tpr(f + 1e-6, E, R) - exponential_tpr(f - 1e-6, E, R)) / 2e-6
    np.testing.assert_allclose(exponential_slope(f, E, R), derivative, rtol=1e-5, atol=1e-8)


def test_exponential_property_recovers_its_own_points():
    f = np.linspace(0.02, 0.98, 25)
    for E, R in ((3.0, 0.4), (1.5, 0.9), (0.5, 0.2), (30.0, 0.6)):
        fit = fit_exponential_points(f, exponential_tpr(f, E, R))
        assert fit.parameters() == pytest.approx({"E": E, "R": R, "sum of squares": 0}, rel=1e-4, abs=1e-10)
        assert fit.sum_of_squares < 1e-12


def test_exponential_definition_no_parameters_on_a_grid_are_better():
    rng = np.random.default_rng(2)
    curve = curve_from_points(np.sort(rng.random(12)), np.sort(rng.random(12)) ** 0.4)
    fit = fit_exponential_curve(curve)
    best = min(
        float(np.sum((curve.tpr - exponential_tpr(curve.fpr, E, R)) ** 2))
        for E in np.exp(np.linspace(-3, 4, 141))
        for R in np.linspace(0, 1, 41)
    )
    assert fit.sum_of_squares <= best + 1e-12


def test_exponential_optimum_ends():
    fit = fit_exponential_points([0.05, 0.15, 0.3, 0.6], [0.35, 0.55, 0.78, 0.93])
    low = fit.optimal_point(0.9 * fit.R / fit.E)
    assert (low.fpr, low.tpr) == (1, 1)
    below_chance = fit_exponential_points([0.3, 0.6], [0.1, 0.3])
    assert below_chance.optimal_point(2.0).fpr == 0
    assert below_chance.optimal_point(0.5).fpr == 1
    assert "no score" in low.threshold.reason


def test_exponential_standard_error_needs_class_sizes():
    points = ([0.1, 0.3], [0.5, 0.8])
    assert "give n_pos and n_neg" in fit_exponential_points(*points).standard_error.reason
    fit = fit_exponential_points(*points, n_pos=40, n_neg=60)
    assert fit.standard_error_method == "Hanley-McNeil 1982"
    assert 0.03 < fit.standard_error < 0.06


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fit_exponential_points([0], [1]), "area strictly between 0 and 1, got 1, where E would be infinite"),
        (lambda: exponential_tpr(0.5, 0, 0.5), "E must be a finite number above 0, got 0"),
        (lambda: exponential_tpr(0.5, 2, 1.5), "R must lie between 0 and 1, got 1.5"),
        (lambda: fit_exponential_points([0.1], [0.5], n_pos=-1, n_neg=2), "n_pos must be a finite number above 0"),
        (lambda: pareto_tpr(0.5, 1, -1, 1), "k2 must be a finite number above 0, got -1"),
        (lambda: pareto_curve(1, 1, 1, n_pos=0, n_neg=1), "n_pos must be a finite number above 0"),
        (
            lambda: fit_pareto(Tally.from_samples(np.array([1.0, -2.0]), np.array([1.0, 2.0]))),
            "score must not be negative for the Pareto curve, got -2 among the positives",
        ),
        (
            lambda: fit_pareto(Tally.from_samples(np.array([1.0, 1.0]), np.array([1.0, 2.0]))),
            "at least 2 distinct scores in each class",
        ),
        (
            lambda: fit_pareto(Tally.from_samples(np.array([1.0, 3.0]), np.array([1.0, 2.0])).reversed()),
            "direction must be 'higher' for the Pareto curve",
        ),
    ],
)
def test_errors(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_exponential_uses_every_vertex():
    rng = np.random.default_rng(1)
    tally = Tally.from_samples(rng.normal(1, 1, 2000), rng.normal(0, 1, 2000))
    fit = fit_exponential(tally)
    assert fit.area == pytest.approx(0.760, abs=0.02)
    assert fit.sample is not None


@pytest.mark.parametrize("theta", [(3, 1.5, 0.5), (4, 1, 3), (0.5, 0.7, 0.01), (150, 200, 0.4), (2, 2, 1), (1, 3, 90)])
def test_pareto_definition_area_and_slope(theta):
    area = quad(lambda f: pareto_tpr(f, *theta)[0], 0, 1, limit=200)[0]
    assert pareto_area(*theta) == pytest.approx(area, abs=1e-7)
    assert pareto_tpr([0, 1], *theta).tolist() == [0, 1]
    f = np.array([0.1, 0.5, 0.9])
    derivative = (pareto_tpr(f + 1e-7, *theta) - pareto_tpr(f - 1e-7, *theta)) / 2e-7
    np.testing.assert_allclose(pareto_slope(f, *theta), derivative, rtol=1e-5, atol=1e-7)


def test_pareto_property_equal_scales():
    for k1, k2 in ((1, 2), (3, 0.5)):
        assert pareto_area(k1, k2, 1) == pytest.approx(k1 / (k1 + k2))


def test_pareto_fit_definition_no_shape_and_scale_on_a_grid_is_better():
    rng = np.random.default_rng(9)
    x, y = 2 * rng.pareto(1.5, 80), rng.pareto(2.5, 90)
    fit = fit_pareto(Tally.from_samples(x, y))
    assert fit.converged

    def best(values):
        grid = [(k, s) for k in np.linspace(0.3, 9, 175) for s in np.exp(np.linspace(-2.5, 3, 221))]
        heights = [values.size * np.log(k / s) - (k + 1) * np.sum(np.log1p(values / s)) for k, s in grid]
        return grid[int(np.argmax(heights))]

    (k_pos, s_pos), (k_neg, s_neg) = best(x), best(y)
    assert (fit.k2, fit.k1) == pytest.approx((k_pos, k_neg), rel=0.06)  # the steps of the grid along its ridge
    assert fit.theta2 == pytest.approx(s_neg / s_pos, rel=0.1)


def test_pareto_fit_says_when_tails_are_too_light():
    rng = np.random.default_rng(9)
    fit = fit_pareto(Tally.from_samples(rng.uniform(0, 2, 60), rng.uniform(0, 1, 60)))
    assert not fit.converged
    assert "no heavier tail than exponential" in fit.notes[0]
    assert 0.5 < fit.area < 1
