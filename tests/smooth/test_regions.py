"""Parts of smooth curves: partial areas, overlap, given densities, and log-concave curves without corners."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

import roclab as rl
from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.inference.one_area.smooth_region import region_of
from roclab.names import SMOOTH_MODELS
from roclab.smooth.binormal import fit_binormal
from roclab.smooth.log_concave import fit_log_concave, fit_smoothed_log_concave
from roclab.smooth.methods import SMOOTH_METHODS
from roclab.smooth.region import overlap_of, smooth_partial_area

CT = {"ratings": [1, 2, 3, 4, 5], "pos": [3, 2, 2, 11, 33], "neg": [33, 6, 6, 11, 2]}


def ct():
    return Tally.from_counts(np.array(CT["ratings"], float), np.array(CT["pos"]), np.array(CT["neg"]))


def sample(seed=1, n_pos=60, n_neg=80):
    rng = np.random.default_rng(seed)
    return Tally.from_samples(np.exp(rng.normal(0.8, 0.6, n_pos)), np.exp(rng.normal(0.0, 0.6, n_neg)))


def test_partial_area_published():
    """CT ratings, FPR 0 to 0.15: .10521 under the binormal curve."""
    assert round(smooth_partial_area(fit_binormal(ct()), fpr=(0, 0.15)), 5) == 0.10521


@pytest.mark.parametrize("name", [name for name in SMOOTH_MODELS if not name.startswith("fitted_t")])
def test_partial_areas_definition_and_partition(name):
    tally = sample()
    if name == "fitted_beta":
        tally = Tally.from_counts(tally.score / (1 + tally.score), tally.pos, tally.neg)
    fit = SMOOTH_METHODS[name].fit(tally)
    f = np.linspace(0.1, 0.4, 3001)
    assert smooth_partial_area(fit, fpr=(0.1, 0.4)) == pytest.approx(np.trapezoid(fit.tpr(f), f), abs=2e-5)
    parts = [smooth_partial_area(fit, fpr=ends) for ends in ((0.0, 0.2), (0.2, 0.7), (0.7, 1.0))]
    assert sum(parts) == pytest.approx(fit.area, abs=2e-4)


def test_partial_area_by_sensitivity_definition():
    fit = fit_binormal(ct())
    by_quad = quad(lambda s: 1 - norm.cdf((norm.ppf(s) - fit.a) / fit.b), 0.8, 1)[0]
    assert smooth_partial_area(fit, tpr=(0.8, 1.0)) == pytest.approx(by_quad, abs=1e-7)
    kernel = SMOOTH_METHODS["kernel_k1"].fit(sample())
    whole = smooth_partial_area(kernel, tpr=(0.0, 0.5)) + smooth_partial_area(kernel, tpr=(0.5, 1.0))
    assert whole == pytest.approx(kernel.area, abs=1e-5)
    with pytest.raises(InputError, match="bounds a part of a smooth curve, not both"):
        smooth_partial_area(fit, fpr=(0, 0.5), tpr=(0.5, 1))


def test_delta_error_of_partial_area_agrees_with_the_bootstrap():
    tally = sample(n_pos=150, n_neg=200)
    delta = region_of(fit_binormal(tally), fpr=(0, 0.2), tpr=None, standardize="none").standard_error
    labels = np.r_[np.ones(150, int), np.zeros(200, int)]
    scores = np.r_[np.repeat(tally.score, tally.pos), np.repeat(tally.score, tally.neg)]
    asked = {"estimator": "binormal", "fpr": (0, 0.2), "variance": "bootstrap", "resampling": 300, "rng": 1}
    drawn = rl.auc(labels, scores, **asked).standard_error
    assert drawn == pytest.approx(delta, rel=0.15)


def test_partial_areas_of_smooth_curves_are_areas_like_any_other():
    tally = ct()
    y = np.r_[np.ones(51, int), np.zeros(58, int)]
    s = np.r_[np.repeat(tally.score, tally.pos), np.repeat(tally.score, tally.neg)]
    found = rl.auc(y, s, estimator="binormal", fpr=(0, 0.15), standardize="mcclish")
    assert found.method == "binormal, FPR 0 to 0.15"
    assert found.interval.low < found.area < found.interval.high
    kernel = rl.auc(y, s, estimator="kernel_k1", fpr=(0, 0.15), resampling=40, rng=1)
    assert "bootstrap" in kernel.interval.method
    with pytest.raises(InputError, match="partial areas of the empirical curve and of smooth ones"):
        rl.auc(y, s, estimator="gini", fpr=(0, 0.15))


# -- overlap ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("gap", [0.0, 0.5, 1.0, 3.0])
def test_overlap_of_normals_definition(gap):
    """Two normals of equal spread overlap by 2 Φ(-d/2)."""
    assert overlap_of(rl.curve_of_densities(norm(gap, 1), norm(0, 1))) == pytest.approx(
        2 * norm.cdf(-gap / 2), abs=1e-6
    )


def test_overlap_is_the_area_under_the_lower_density():
    fit = SMOOTH_METHODS["kernel_k1"].fit(sample())
    t = np.linspace(-3, 16, 40001)
    lower = np.trapezoid(np.exp(np.minimum(fit._pos.log_pdf(t), fit._neg.log_pdf(t))), t)
    assert overlap_of(fit) == pytest.approx(lower, abs=1e-4)


# -- given densities -----------------------------------------------------------------------------------


def test_given_densities_definition():
    curve = rl.curve_of_densities(norm(1.2, 2), norm(0, 1))
    assert curve.area == pytest.approx(norm.cdf(1.2 / np.sqrt(5)), abs=1e-9)
    assert curve.tpr([0.3])[0] == pytest.approx(norm.sf(norm.isf(0.3), 1.2, 2), abs=1e-12)
    grid = np.linspace(-12, 12, 4001)
    tabulated = rl.curve_of_densities((grid, 7 * norm.pdf(grid, 1.2, 2)), (grid, norm.pdf(grid)))
    assert tabulated.area == pytest.approx(curve.area, abs=1e-5)
    best = rl.curve_of_densities(norm(1, 1), norm(0, 1)).optimal_point(1.0)
    assert best.threshold == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (3, "must be a distribution with cdf, sf, logpdf, ppf and isf, or a pair"),
        (([0, 1], [1]), "must have rising points and one height for each"),
        (([1, 0], [1, 1]), "must have rising points"),
        (([0, 1], [-1, 1]), "must have heights of at least 0"),
        (([0, 1], [0, 0]), "not all of them 0"),
    ],
)
def test_given_densities_errors(given, message):
    with pytest.raises(InputError, match=message):
        rl.curve_of_densities(given, norm())


# -- log-concave, smoothed -------------------------------------------------------------------------------


def test_smoothed_log_concave_has_mean_and_variance_of_the_scores():
    tally = sample()
    fit = fit_smoothed_log_concave(tally)
    for side, counts in ((fit._pos, tally.pos), (fit._neg, tally.neg)):
        scores = np.repeat(tally.score, counts)
        t = np.linspace(scores.min() - 10, scores.max() + 10, 20001)
        density = np.exp(side.log_pdf(t))
        mean = np.trapezoid(t * density, t)
        assert np.trapezoid(density, t) == pytest.approx(1, abs=1e-6)
        assert mean == pytest.approx(scores.mean(), rel=1e-4)
        assert np.trapezoid((t - mean) ** 2 * density, t) == pytest.approx(scores.var(ddof=1), rel=1e-3)


def test_smoothed_log_concave_area_is_that_of_its_curve():
    fit = fit_smoothed_log_concave(sample())
    assert fit.area == pytest.approx(smooth_partial_area(fit, fpr=(0, 1)), abs=1e-6)
    assert fit.area == pytest.approx(fit_log_concave(sample()).area, abs=0.06)
    assert np.all(np.diff(fit.tpr(np.linspace(0, 1, 101))) >= 0)


# -- bandwidths of one's own ---------------------------------------------------------------------------


def test_own_bandwidths():
    r = rl.Roc.from_samples([1.0, 2.0, 4.0, 3.0], [0.0, 1.5, 2.5])
    fit = r.smooth("kernel_k1", bandwidths=(0.5, 0.25))
    pairs = [norm.cdf((x - y) / np.hypot(0.5, 0.25)) for x in (1, 2, 4, 3) for y in (0, 1.5, 2.5)]
    assert fit.area == pytest.approx(np.mean(pairs), abs=1e-12)
    with pytest.raises(InputError, match="bandwidths are those of kernels"):
        r.smooth("binormal", bandwidths=(1, 1))
    with pytest.raises(InputError, match="must be two numbers of at least 0"):
        r.smooth("kernel_k1", bandwidths=(-1, 1))


# -- rates at a fixed point ----------------------------------------------------------------------------


def test_rates_of_smooth_curves_definition():
    fit = fit_binormal(ct())
    r = rl.Roc.from_ratings(CT["ratings"], pos=CT["pos"], neg=CT["neg"])
    found = r.rate_at(specificity=0.9, estimator="binormal")
    assert found.rate == pytest.approx(norm.cdf(fit.a + fit.b * norm.ppf(0.1)))
    back = r.rate_at(sensitivity=found.rate, estimator="binormal")
    assert back.rate == pytest.approx(0.9)
    several = r.rate_at(specificity=[0.8, 0.9], estimator="binormal")
    assert several.results[1].rate == found.rate
    with pytest.raises(InputError, match="specificity"):
        r.rate_at(specificity=1.5, estimator="binormal")


def test_delta_interval_of_a_smooth_rate_agrees_with_the_bootstrap():
    tally = sample(n_pos=120, n_neg=150)
    r = rl.roc(np.r_[np.ones(120, int), np.zeros(150, int)],
               np.r_[np.repeat(tally.score, tally.pos), np.repeat(tally.score, tally.neg)])  # fmt: skip
    rng = np.random.default_rng(5)
    for fixed in ({"specificity": 0.9}, {"sensitivity": 0.8}):
        delta = r.rate_at(**fixed, estimator="binormal")
        drawn = []
        for _ in range(200):
            pos = rng.choice(np.repeat(tally.score, tally.pos), 120)
            neg = rng.choice(np.repeat(tally.score, tally.neg), 150)
            drawn.append(rl.Roc.from_samples(pos, neg).rate_at(**fixed, estimator="binormal").rate)
        assert np.std(drawn, ddof=1) == pytest.approx(delta.standard_error, rel=0.2)
    kernel = r.rate_at(specificity=0.9, estimator="kernel_k1", resampling=60, rng=1)
    assert kernel.interval.low < kernel.rate < kernel.interval.high
