"""Parametric curves: maximum likelihood against scipy.stats, areas in closed form, standard errors."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import integrate, stats

from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.smooth.families import FAMILIES, FamilyDistribution
from roclab.smooth.fitted import fit_fitted
from roclab.smooth.model import FiniteScores
from roclab.smooth.quadrature import integrate_unit
from roclab.smooth.two_classes import threshold_at

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
    "cauchy": lambda m, s: stats.cauchy(m, s),
    "beta": lambda a, b: stats.beta(a, b),
}


def scores(family):
    """Both classes, inside the range of the family."""
    return (X / (X + 5), Y / (Y + 5)) if family == "beta" else (X, Y)


@pytest.mark.parametrize("family", FAMILIES)
def test_distribution_definition_equals_scipy(family):
    values = {"exponential": (1.7,), "t": (0.3, 1.2, 2.5)}.get(family, (1.3, 0.8))
    mine, theirs = FamilyDistribution(name=family, values=values), SCIPY[family](*values)
    t, q = np.array([0.05, 0.7, 2.0, 9.0]), np.array([1e-9, 0.02, 0.5])
    t = t / 10 if family == "beta" else t
    np.testing.assert_allclose(mine.cdf(t), theirs.cdf(t), rtol=1e-10)
    np.testing.assert_allclose(mine.sf(t), theirs.sf(t), rtol=1e-9)
    np.testing.assert_allclose(mine.log_pdf(t), theirs.logpdf(t), rtol=1e-10)
    np.testing.assert_allclose(mine.ppf(q), theirs.ppf(q), rtol=1e-8)
    np.testing.assert_allclose(mine.isf(q), theirs.isf(q), rtol=1e-8)


@pytest.mark.parametrize("family", FAMILIES)
def test_estimate_definition_is_a_maximum(family):
    x = scores(family)[0]
    found = FAMILIES[family].estimate(FiniteScores(*np.unique(x, return_counts=True)))
    assert found.converged
    best = SCIPY[family](*found.values).logpdf(x).sum()
    for k in range(len(found.values)):
        for factor in (0.999, 1.001):
            moved = list(found.values)
            moved[k] *= factor
            assert SCIPY[family](*moved).logpdf(x).sum() <= best + (1e-6 if k in found.fixed else 1e-9)


@pytest.mark.parametrize("family", FAMILIES)
def test_area_definition_by_a_fine_grid(family):
    x, y = scores(family)
    fit = fit_fitted(Tally.from_samples(x, y), family)
    pos, neg = SCIPY[family](*fit.parameters_pos.values()), SCIPY[family](*fit.parameters_neg.values())
    f = (np.arange(200_000) + 0.5) / 200_000
    assert fit.area == pytest.approx(pos.sf(neg.isf(f)).mean(), abs=1e-6)
    assert fit.log_likelihood == pytest.approx(pos.logpdf(x).sum() + neg.logpdf(y).sum(), abs=1e-8)


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


def test_cauchy_area_and_error_in_closed_form():
    """A difference of Cauchy scores is Cauchy, and 2 s² / n is the asymptotic variance of both parameters."""
    fit = fit_fitted(TALLY, "cauchy")
    (m_pos, s_pos), (m_neg, s_neg) = fit.parameters_pos.values(), fit.parameters_neg.values()
    gap, wide = m_pos - m_neg, s_pos + s_neg
    assert fit.area == pytest.approx(0.5 + math.atan(gap / wide) / math.pi, abs=1e-10)
    rng = np.random.default_rng(3)
    many = Tally.from_samples(1 + rng.standard_cauchy(20_000), rng.standard_cauchy(30_000))
    by_location, by_scale = 2 / (4 + 1) / math.pi, -1 / (4 + 1) / math.pi  # of the area at gap 1 and wide 2
    want = math.sqrt((by_location**2 + by_scale**2) * 2 * (1 / 20_000 + 1 / 30_000))
    # The observed information differs from the expected one by about 1 / sqrt(20 000).
    assert fit_fitted(many, "cauchy").standard_error == pytest.approx(want, rel=0.05)


def beta_area(pos, neg):
    """The road of the fit: its distributions and its quadrature."""
    above, below = (FamilyDistribution(name="beta", values=values) for values in (pos, neg))
    return integrate_unit(lambda f, g: above.sf(threshold_at(below, f, g))).value


@pytest.mark.parametrize(
    ("alpha", "beta"), [((3.0, 2.0), (2.0, 3.0)), ((0.6, 0.4), (0.7, 1.5)), ((40.0, 2.0), (9.0, 1.0))]
)
def test_beta_area_definition_double_integral(alpha, beta):
    """The quadrature of the fit against nested adaptive integrals of the densities."""
    pos, neg = stats.beta(*alpha), stats.beta(*beta)
    middle = 0.5
    parts = [
        integrate.quad(
            lambda t: pos.pdf(t) * integrate.quad(neg.pdf, 0, t, epsabs=1e-13, limit=200)[0], *ends, limit=200
        )
        for ends in ((0, middle), (middle, 1))
    ]
    assert beta_area(alpha, beta) == pytest.approx(sum(part[0] for part in parts), abs=1e-8)


def test_beta_areas_in_closed_form():
    """Against an even class A is the mean of the other; against alpha, 1 it is alpha' / (alpha' + alpha)."""
    for (a, b), (c, d), want in [
        ((3.2, 1.7), (1.0, 1.0), 3.2 / 4.9),
        ((0.4, 0.3), (1.0, 1.0), 0.4 / 0.7),
        ((5.0, 1.0), (0.5, 1.0), 5.0 / 5.5),
        ((1.0, 2.0), (1.0, 6.0), 6.0 / 8.0),
        ((900.0, 1.0), (30.0, 1.0), 900 / 930),
    ]:
        assert beta_area((a, b), (c, d)) == pytest.approx(want, abs=1e-10)


def test_estimates_oracle_scipy_fits():
    x = scores("beta")[0]
    found = FAMILIES["beta"].estimate(FiniteScores(*np.unique(x, return_counts=True)))
    a, b, _, _ = stats.beta.fit(x, floc=0, fscale=1)
    np.testing.assert_allclose(found.values, (a, b), rtol=1e-5)  # scipy's root finder stops at 1.5e-8 of its equations
    found = FAMILIES["cauchy"].estimate(FiniteScores(*np.unique(X, return_counts=True)))
    np.testing.assert_allclose(found.values, stats.cauchy.fit(X), rtol=1e-4)  # its simplex search stops at 1e-4


def test_beta_standard_error_simulation():
    """The delta method against the spread of areas of repeated samples."""
    rng = np.random.default_rng(8)
    fits = [fit_fitted(Tally.from_samples(rng.beta(3, 2, 80), rng.beta(2, 3, 60)), "beta") for _ in range(300)]
    spread = np.std([fit.area for fit in fits])
    # Monte-Carlo error of a standard deviation of 300 numbers: 4%.
    assert np.mean([fit.standard_error for fit in fits]) == pytest.approx(spread, rel=0.13)


def test_integral_that_does_not_settle_is_said():
    """Two classes heaped at 1: what lies within a rounding of it holds a part of both."""
    heaped = [1 - np.exp(-np.linspace(0.1, ends, 30)) for ends in (33.0, 30.0)]
    fit = fit_fitted(Tally.from_samples(*heaped), "beta")
    assert fit.parameters_pos["beta"] + fit.parameters_neg["beta"] < 0.5
    assert any("The integral of the area settled to" in note for note in fit.notes)
    assert not fit_fitted(TALLY, "gamma").notes


def test_beta_close_to_a_point_is_still_a_maximum():
    x = 0.9 + 1e-3 * np.random.default_rng(5).normal(size=50)
    found = FAMILIES["beta"].estimate(FiniteScores(*np.unique(x, return_counts=True)))
    assert found.converged
    best = stats.beta(*found.values).logpdf(x).sum()
    for factor in (0.99, 1.01):
        assert stats.beta(*(factor * value for value in found.values)).logpdf(x).sum() < best


def test_cauchy_far_scores_and_ties():
    far = np.concatenate([X, [1e9, -1e9]])
    found = FAMILIES["cauchy"].estimate(FiniteScores(*np.unique(far, return_counts=True)))
    assert found.converged
    assert 0 < found.values[0] < 10
    tied = Tally.from_samples(np.concatenate([np.full(50, 1.0), [0.0, 2.0, 5.0]]), Y)
    fit = fit_fitted(tied, "cauchy")
    assert not fit.converged
    assert any("collapsed onto tied scores" in note for note in fit.notes)


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
        (TALLY, "laplace", "family must be one of 'normal', 'lognormal', .* got 'laplace'"),
        (TALLY, "beta", "score must lie strictly between 0 and 1 for the beta distribution, got .* positives; rescale"),
        (
            Tally.from_samples(X / 100, np.append(Y / 100, 1.0)),
            "beta",
            "strictly between 0 and 1 .* got 1 among the neg",
        ),
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
