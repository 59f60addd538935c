"""Score distributions: draws against their distribution functions, areas against other ways to compute them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from roclab.errors import InputError
from roclab.studies.distributions import (
    DISTRIBUTIONS,
    Gamma,
    LogNormal,
    Mixture,
    NormalModel,
    PowerNormal,
    area_between,
)

EVERY = [
    NormalModel(mean=1.0, variance=4.0),
    LogNormal(mean=0.5, variance=0.25),
    PowerNormal(mean=2.5, variance=0.09, power=-3),
    PowerNormal(mean=0.3, variance=1.0, power=-1),
    PowerNormal(mean=0.5, variance=1.0, power=3),
    Gamma(shape=2.0, scale=0.5),
    Mixture(means=(0, 4), variances=(1, 5), weights=(0.3, 0.7), shift=-0.5),
]


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.describe())
def test_draws_follow_the_distribution_function(one):
    drawn = one.draw(np.random.default_rng(1), (40, 50))
    assert drawn.shape == (40, 50)
    assert stats.kstest(drawn.ravel(), one.cdf).pvalue > 0.001


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.describe())
def test_quantiles_invert_the_distribution_function_property(one):
    q = np.array([0.001, 0.1, 0.3, 0.5, 0.9, 0.999])
    assert one.cdf(one.ppf(q)) == pytest.approx(q, abs=1e-12)
    assert np.all(np.diff(one.ppf(q)) > 0)


@pytest.mark.parametrize("x", EVERY, ids=lambda one: one.describe())
@pytest.mark.parametrize("y", EVERY, ids=lambda one: one.describe())
def test_areas_of_both_orders_add_up_to_one_property(x, y):
    assert area_between(x, y) + area_between(y, x) == pytest.approx(1, abs=2e-9)


@pytest.mark.parametrize(("x", "y"), [(EVERY[0], EVERY[5]), (EVERY[1], EVERY[6]), (EVERY[5], EVERY[1])])
def test_area_definition_as_an_integral(x, y):
    grid = (np.arange(200_000) + 0.5) / 200_000
    assert area_between(x, y) == pytest.approx(float(np.mean(y.cdf(x.ppf(grid)))), abs=1e-6)


def test_closed_forms_oracle_scipy():
    x, y = EVERY[6], NormalModel(mean=0.0, variance=1.0)
    by_quad = integrate.quad(lambda t: float(x.cdf(t)) * stats.norm.pdf(t), -12, 12, epsabs=1e-12)[0]
    assert area_between(y, x) == pytest.approx(by_quad, abs=1e-10)
    x, y = Gamma(shape=3.0, scale=2.0), Gamma(shape=1.5, scale=1.0)
    by_quad = integrate.quad(lambda t: float(y.cdf(t)) * stats.gamma.pdf(t, 3, scale=2), 0, 200, epsabs=1e-12)[0]
    assert area_between(x, y) == pytest.approx(by_quad, abs=1e-9)


def test_an_increasing_transform_keeps_the_area():
    pairs = [(2.9, 0.25), (2.5, 0.09)]
    areas = {
        kind: area_between(*(make(mean, variance) for mean, variance in pairs))
        for kind, make in {
            "normal": lambda m, v: NormalModel(mean=m, variance=v),
            "log": lambda m, v: LogNormal(mean=m, variance=v),
            "cube": lambda m, v: PowerNormal(mean=m, variance=v, power=3),
        }.items()
    }
    # One closed form and one quadrature; the last bits of both depend on the processor.
    assert areas["log"] == pytest.approx(areas["normal"], rel=1e-12)
    assert areas["cube"] == pytest.approx(areas["normal"], abs=1e-10)


def test_table_of_distributions_knows_what_may_be_solved():
    assert {name: kind.solvable for name, kind in DISTRIBUTIONS.items()} == {
        "normal": "mean",
        "lognormal": "mean",
        "power_normal": "mean",
        "gamma": "scale",
        "mixture": "shift",
    }


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: NormalModel(mean=0, variance=0), "variance must be a finite number above 0, got 0"),
        (lambda: NormalModel(mean=np.inf, variance=1), "mean must be a finite number, got inf"),
        (lambda: Gamma(shape=-1, scale=1), "shape must be a finite number above 0, got -1"),
        (lambda: PowerNormal(mean=1, variance=1, power=2), "power must be an odd whole number, got 2"),
        (lambda: Mixture(means=(0,), variances=(1, 2), weights=(1,)), "must be of one length"),
        (lambda: Mixture(means=(0, 1), variances=(1, 2), weights=(0.5, 0.6)), "add up to 1, got"),
    ],
)
def test_impossible_parameters_are_errors(make, message):
    with pytest.raises(InputError, match=message):
        make()
