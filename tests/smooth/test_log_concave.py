"""Log-concave densities: the conditions of optimality by definition, and the curve between two of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.smooth.log_concave import fit_log_concave
from roclab.smooth.log_concave_density import fit_log_concave_density
from roclab.smooth.model import FiniteScores

SAMPLES = st.lists(st.integers(0, 12), min_size=2, max_size=25).filter(lambda values: len(set(values)) > 1)


def density_of(values):
    return fit_log_concave_density(FiniteScores(*np.unique(np.array(values, float), return_counts=True)))


@given(SAMPLES)
def test_density_property_is_optimal(values):
    """Dümbgen and Rufibach 2009, theorem 2.4: the integrated fitted cdf never exceeds the empirical, equal at knots."""
    fit = density_of(values)
    assert fit.converged
    assert np.all(np.diff(np.diff(fit.heights) / np.diff(fit.knots)) <= 1e-6)
    assert fit.reached[-1] == pytest.approx(1)
    points = np.unique(values).astype(float)
    grid = np.linspace(points[0], points[-1], 20001)
    step = grid[1] - grid[0]
    fitted = np.cumsum(fit.cdf(grid[:-1] + step / 2)) * step
    for x in points[1:]:
        empirical = sum(max(x - value, 0) for value in values) / len(values)
        got = fitted[min(round((x - points[0]) / step), fitted.size) - 1]
        assert got <= empirical + 1e-3
        if x in fit.knots:
            assert got == pytest.approx(empirical, abs=2e-3)  # the midpoint rule on 20000 cells


@given(SAMPLES)
def test_density_property_integrates_and_inverts(values):
    fit = density_of(values)
    inner = [float(knot) for knot in fit.knots[1:-1]]
    total = quad(lambda t: math.exp(fit.log_pdf(np.array([t]))[0]), fit.knots[0], fit.knots[-1], points=inner or None)[
        0
    ]
    assert total == pytest.approx(1, abs=1e-6)
    q = np.linspace(0.01, 0.99, 23)
    np.testing.assert_allclose(fit.cdf(fit.ppf(q)), q, atol=1e-10)
    np.testing.assert_allclose(fit.sf(fit.isf(q)), q, atol=1e-10)
    np.testing.assert_allclose(fit.cdf(fit.ppf(q)) + fit.sf(fit.ppf(q)), 1, atol=1e-12)


def test_density_property_beats_every_log_concave_rival():
    rng = np.random.default_rng(3)
    values = rng.normal(size=200)
    fit = density_of(values)
    assert fit.log_likelihood > norm.logpdf(values, values.mean(), values.std()).sum()
    assert fit.log_likelihood > -200 * math.log(np.ptp(values))  # the uniform density on the data


def test_exponential_shape_is_found_exactly():
    """A sample with a log-linear maximum keeps two knots."""
    fit = density_of(-np.log((np.arange(500) + 0.5) / 500))
    slopes = np.diff(fit.heights) / np.diff(fit.knots)
    assert slopes[0] == pytest.approx(-1, abs=0.05)


def test_density_property_location_and_scale():
    rng = np.random.default_rng(5)
    values = rng.gamma(3, size=60)
    base, moved = density_of(values), density_of(1e6 + 1e-3 * values)
    np.testing.assert_allclose(moved.knots, 1e6 + 1e-3 * base.knots, rtol=1e-15)
    np.testing.assert_allclose(moved.heights, base.heights + math.log(1e3), atol=1e-4)


def test_area_definition_by_numerical_integration():
    rng = np.random.default_rng(6)
    x, y = rng.normal(1, 1, 70), rng.logistic(0, 0.8, 90)
    fit = fit_log_concave(Tally.from_samples(x, y))
    grid = np.linspace(y.min(), y.max(), 200_001)
    middle = (grid[1:] + grid[:-1]) / 2
    want = np.sum(fit._pos.sf(middle) * np.exp(fit._neg.log_pdf(middle))) * (grid[1] - grid[0])
    assert fit.area == pytest.approx(want, abs=1e-8)


def test_supports_that_do_not_meet():
    fit = fit_log_concave(Tally.from_samples(np.array([5.0, 6.0]), np.array([1.0, 2.0])))
    assert fit.area == 1
    assert fit.standard_error == 0
    assert fit.tpr([0, 0.5]).tolist() == [1, 1]


def test_ten_thousand_cases_are_fitted_close_to_the_truth():
    rng = np.random.default_rng(7)
    fit = fit_log_concave(Tally.from_samples(rng.normal(1, 1, 5000), rng.normal(0, 1, 5000)))
    assert fit.converged
    assert fit.area == pytest.approx(norm.cdf(math.sqrt(0.5)), abs=3 * fit.standard_error)
    f = np.array([0.05, 0.2, 0.5, 0.8])
    np.testing.assert_allclose(fit.tpr(f), norm.cdf(1 + norm.ppf(f)), atol=0.03)


def test_constant_class_error():
    with pytest.raises(InputError, match="log-concave curve needs at least 2 distinct scores in each class"):
        fit_log_concave(Tally.from_samples(np.array([1.0, 1.0]), np.array([0.0, 2.0])))
