"""Parametric curves: maximum likelihood against scipy.stats, areas in closed form, standard errors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.smooth.families import FAMILIES, FamilyDistribution
from roclab.smooth.fitted import fit_fitted
from roclab.smooth.model import FiniteScores
from roclab.smooth.quadrature import integrate_unit

RNG = np.random.default_rng(17)
X, Y = RNG.gamma(3, 2, 70), RNG.gamma(2, 1.5, 90)
TALLY = Tally.from_samples(X, Y)

SCIPY = {
    "normal": lambda m, s: stats.norm(m, s),
    "lognormal": lambda m, s: stats.lognorm(s, scale=math.exp(m)),
    "gamma": lambda k, s: stats.gamma(k, scale=s),
    "exponential": lambda s: stats.expon(scale=s),
    "weibull": lambda k, s: stats.weibull_min(k, scale=s),
    "logistic": lambda m, s: stats.logistic(m, s),
    "t": lambda m, s, df: stats.t(df, m, s),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_distribution_definition_equals_scipy(family):
    values = {"exponential": (1.7,), "t": (0.3, 1.2, 2.5)}.get(family, (1.3, 0.8))
    mine, theirs = FamilyDistribution(name=family, values=values), SCIPY[family](*values)
    t, q = np.array([0.05, 0.7, 2.0, 9.0]), np.array([1e-9, 0.02, 0.5])
    np.testing.assert_allclose(mine.cdf(t), theirs.cdf(t), rtol=1e-10)
    np.testing.assert_allclose(mine.sf(t), theirs.sf(t), rtol=1e-9)
    np.testing.assert_allclose(mine.log_pdf(t), theirs.logpdf(t), rtol=1e-10)
    np.testing.assert_allclose(mine.ppf(q), theirs.ppf(q), rtol=1e-8)
    np.testing.assert_allclose(mine.isf(q), theirs.isf(q), rtol=1e-8)


@pytest.mark.parametrize("family", FAMILIES)
def test_estimate_definition_is_a_maximum(family):
    found = FAMILIES[family].estimate(FiniteScores(*np.unique(X, return_counts=True)))
    assert found.converged
    best = SCIPY[family](*found.values).logpdf(X).sum()
    for k in range(len(found.values)):
        for factor in (0.999, 1.001):
            moved = list(found.values)
            moved[k] *= factor
            assert SCIPY[family](*moved).logpdf(X).sum() <= best + (1e-6 if k in found.fixed else 1e-9)


@pytest.mark.parametrize("family", FAMILIES)
def test_area_definition_by_a_fine_grid(family):
    fit = fit_fitted(TALLY, family)
    pos, neg = SCIPY[family](*fit.parameters_pos.values()), SCIPY[family](*fit.parameters_neg.values())
    f = (np.arange(200_000) + 0.5) / 200_000
    assert fit.area == pytest.approx(pos.sf(neg.isf(f)).mean(), abs=1e-6)
    assert fit.log_likelihood == pytest.approx(pos.logpdf(X).sum() + neg.logpdf(Y).sum(), abs=1e-8)


def test_normal_area_and_error_in_closed_form():
    fit = fit_fitted(TALLY, "normal")
    v_pos, v_neg = X.var(), Y.var()
    total = v_pos + v_neg
    delta = (X.mean() - Y.mean()) / math.sqrt(total)
    assert fit.area == pytest.approx(stats.norm.cdf(delta), abs=1e-11)
    variance = (v_pos / 70 + v_neg / 90) / total + delta**2 / (2 * total**2) * (v_pos**2 / 70 + v_neg**2 / 90)
    assert fit.standard_error == pytest.approx(stats.norm.pdf(delta) * math.sqrt(variance), rel=1e-6)


def test_exponential_area_and_error_in_closed_form():
    fit = fit_fitted(TALLY, "exponential")
    area = X.mean() / (X.mean() + Y.mean())
    assert fit.area == pytest.approx(area, abs=1e-11)
    assert fit.standard_error == pytest.approx(area * (1 - area) * math.sqrt(1 / 70 + 1 / 90), rel=1e-6)


def test_families_may_differ():
    fit = fit_fitted(TALLY, "gamma", family_neg="lognormal")
    assert fit.method == "fitted_gamma_lognormal"
    assert (fit.family_pos, fit.family_neg) == ("gamma", "lognormal")
    assert fit.aic == pytest.approx(8 - 2 * fit.log_likelihood)


def test_t_bound_is_reported():
    rng = np.random.default_rng(1)
    fit = fit_fitted(Tally.from_samples(rng.uniform(1, 2, 100), rng.uniform(0, 1, 100)), "t")
    assert any("degrees of freedom of the t distribution are at their bound 200" in note for note in fit.notes)
    assert math.isfinite(fit.standard_error)


def test_t_collapse_is_reported():
    tied = np.concatenate([np.full(50, 1.0), [0.0, 2.0, 5.0]])
    fit = fit_fitted(Tally.from_samples(tied, Y), "t")
    assert not fit.converged
    assert any("collapsed onto tied scores" in note for note in fit.notes)


@pytest.mark.parametrize(
    ("tally", "family", "message"),
    [
        (TALLY, "cauchy", "family must be one of 'normal', 'lognormal', .* got 'cauchy'"),
        (Tally.from_samples(X - 5, Y), "gamma", "score must be above 0 for the gamma distribution, got .* positives"),
        (Tally.from_samples(X, np.array([1.0, 1.0])), "weibull", r"got one score \(1\) for all negatives"),
    ],
)
def test_errors(tally, family, message):
    with pytest.raises(InputError, match=message):
        fit_fitted(tally, family)


@pytest.mark.parametrize(
    ("function", "want"),
    [
        (lambda f, g: f**-0.9, 10.0),
        (lambda f, g: g**-0.9, 10.0),
        (lambda f, g: np.log(f) * np.log(g), 2 - math.pi**2 / 6),
        (lambda f, g: 1 / (1 + f), math.log(2)),
    ],
)
def test_quadrature_definition(function, want):
    assert integrate_unit(function).value == pytest.approx(want, rel=1e-9)
