"""N and NT: definitions, invariances, standard errors by simulation, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.smooth.box_cox import box_cox, fit_box_cox, fit_power
from roclab.smooth.normal import fit_normal

RNG = np.random.default_rng(11)
X, Y = RNG.lognormal(1, 0.8, 40), RNG.lognormal(0, 0.6, 50)


def of(pos, neg):
    return Tally.from_samples(np.array(pos, float), np.array(neg, float))


def phi(u):
    return 0.5 * math.erfc(-u / math.sqrt(2))


def test_normal_definition():
    delta = (X.mean() - Y.mean()) / math.sqrt(X.var(ddof=1) + Y.var(ddof=1))
    fit = fit_normal(of(X, Y))
    assert fit.area == pytest.approx(phi(delta), abs=1e-14)
    for f, c in ((0.2, 0.8416212335729143), (0.05, 1.6448536269514722)):
        threshold = Y.mean() + c * Y.std(ddof=1)
        assert fit.tpr(f)[0] == pytest.approx(phi((X.mean() - threshold) / X.std(ddof=1)), abs=1e-12)


def test_normal_standard_error_definition_by_numerical_derivatives():
    fit = fit_normal(of(X, Y))

    def area(mx, vx, my, vy):
        return phi((mx - my) / math.sqrt(vx + vy))

    at = np.array([X.mean(), X.var(ddof=1), Y.mean(), Y.var(ddof=1)])
    variances = [at[1] / 40, 2 * at[1] ** 2 / 39, at[3] / 50, 2 * at[3] ** 2 / 49]
    total = 0.0
    for k, variance in enumerate(variances):
        step = np.zeros(4)
        step[k] = 1e-5 * at[k]
        total += ((area(*(at + step)) - area(*(at - step))) / (2 * step[k])) ** 2 * variance
    assert fit.standard_error == pytest.approx(math.sqrt(total), rel=1e-6)


@pytest.mark.parametrize(("shift", "scale"), [(5, 1), (-1e3, 1e-3), (0, 1e140), (2, 1e-140)])
def test_normal_property_location_and_scale(shift, scale):
    shift *= scale
    fit = fit_normal(of(shift + scale * X, shift + scale * Y))
    base = fit_normal(of(X, Y))
    assert (fit.area, fit.standard_error) == pytest.approx((base.area, base.standard_error), abs=1e-9)


def test_normal_with_one_constant_class_is_a_step():
    fit = fit_normal(of([2, 2, 2, 5], [1, 1, 1, 1]))
    assert fit.tpr([0.2, 0.9]).tolist() == pytest.approx([fit.area] * 2)
    fit = fit_normal(of([1, 1, 1], [0, 1, 4]))
    assert set(fit.tpr(np.linspace(0, 0.999, 50)).round(9)) <= {0, 0.5, 1}
    with pytest.raises(InputError, match="the positives have no spread"):
        fit.slope(0.3)


@pytest.mark.parametrize("fit", [fit_normal, fit_box_cox])
def test_standard_errors_property_match_the_spread_of_estimates(fit):
    """300 samples: the spread of the estimates has a relative error of 1/sqrt(600) = 4%; allowed 3.5 of these."""
    rng = np.random.default_rng(6)
    fits = [fit(of(3 + rng.normal(1, 1, 60) / 4, 3 + rng.normal(0, 0.7, 80) / 4)) for _ in range(300)]
    spread = np.std([one.area for one in fits], ddof=1)
    assert np.mean([one.standard_error for one in fits]) == pytest.approx(spread, rel=0.14)


def test_box_cox_transform_definition():
    z = np.array([0.2, 1.0, 7.0])
    for power in (-3.0, 0.5, 2.0):
        np.testing.assert_allclose(box_cox(z, power), (z**power - 1) / power, rtol=1e-12)
    np.testing.assert_allclose(box_cox(z, 1e-13), np.log(z), rtol=1e-9)


def test_power_definition_no_lambda_of_a_fine_grid_is_better():
    found = fit_power(of(X, Y), model="test")

    def profile(power):
        zx, zy = ((v**power - 1) / power for v in (X, Y))
        jacobian = (power - 1) * (np.log(X).sum() + np.log(Y).sum())
        return -X.size / 2 * math.log(zx.var()) - Y.size / 2 * math.log(zy.var()) + jacobian

    grid = np.linspace(-4.95, 4.95, 1980)
    assert found.log_likelihood >= max(profile(power) for power in grid if power) - 1e-9
    assert found.log_likelihood == pytest.approx(profile(found.power), abs=1e-8)


def test_box_cox_property_rescaling():
    fits = [fit_box_cox(of(c * X, c * Y)) for c in (1, 1e-3, 1e5)]
    for fit in fits[1:]:
        assert fit.area == pytest.approx(fits[0].area, abs=1e-8)
        assert fit.power == pytest.approx(fits[0].power, abs=1e-6)
        assert fit.standard_error == pytest.approx(fits[0].standard_error, abs=1e-7)


def test_box_cox_property_normal_scores_need_no_transform():
    rng = np.random.default_rng(2)
    x, y = 50 + rng.normal(1, 1, 4000), 50 + rng.normal(0, 1, 4000)
    assert fit_box_cox(of(x, y)).area == pytest.approx(fit_normal(of(x, y)).area, abs=2e-3)


def test_box_cox_shift_is_reported():
    fit = fit_box_cox(of([-1, 2, 3, 5], [-2, 0, 1, 2]))
    assert fit.shift == pytest.approx(2.1)
    assert "2.1 was added to every score" in fit.notes[0]
    assert fit_box_cox(of([-1, 2, 3, 5], [-2, 0, 1, 2]), shift_eps=0.5).shift == pytest.approx(2.5)
    assert fit_box_cox(of(X, Y)).shift == 0


def test_box_cox_lambda_at_the_bound_says_so():
    base = np.array([1.0, 2, 3, 4, 5, 6])
    fit = fit_box_cox(of(100 + base**0.05, 100 + (base + 0.3) ** 0.05))
    assert fit.power in (-5, 5)
    assert fit.power_at_bound
    assert not fit.converged
    assert "lambda is at the bound" in fit.notes[0]
    assert fit.standard_error_method == "delta method, lambda held fixed"


def test_box_cox_given_power():
    fit = fit_box_cox(of(X, Y), power=0.0)
    logs = fit_normal(of(np.log(X), np.log(Y)))
    assert (fit.area, fit.standard_error) == pytest.approx((logs.area, logs.standard_error), abs=1e-12)
    assert fit.standard_error_method == "delta method, lambda held fixed"
    best = fit.optimal_point(1.0)
    assert math.log(best.threshold) == pytest.approx(logs.optimal_point(1.0).threshold, abs=1e-9)


@pytest.mark.parametrize("power", [-0.7, 0.0, 0.4])
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_box_cox_threshold_property_is_in_the_users_units(power, direction):
    tally = of(X, Y)
    if direction == "lower":
        tally = of(Y, X).reversed()
    fit = fit_box_cox(tally, power=power)
    best = fit.optimal_point(1.0)
    shown = np.array([best.threshold])
    moved = box_cox(shown, power)[0]
    mean, sd = fit._neg.mean, fit._neg.sd
    z = (moved - mean) / sd if direction == "higher" else (-moved - mean) / sd
    assert phi(-z) == pytest.approx(best.fpr, abs=1e-9)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fit_normal(of([1], [0, 1])), "at least 2 cases in each class .* got 1 positive"),
        (lambda: fit_normal(of([1, 2], [0])), "at least 2 cases in each class .* got 1 negative"),
        (lambda: fit_normal(of([1, 1], [0, 0])), "got one constant score in each class"),
        (lambda: fit_box_cox(of([1, 1], [0, 3])), "at least 2 distinct scores in each class, got one score"),
        (lambda: fit_box_cox(of(X, Y), shift_eps=0), "shift_eps must be a finite number above 0, got 0"),
        (lambda: fit_box_cox(of(X, Y), power=math.nan), "power must be a finite number, got nan"),
        (lambda: fit_box_cox(of(X, Y), power=1e4), "when raised to the power 10000"),
    ],
)
def test_errors(call, message):
    with pytest.raises(InputError, match=message):
        call()


@pytest.mark.parametrize(("sd_pos", "slope", "end"), [(3.0, 0.01, -math.inf), (1.0, 0.01, None), (0.4, 60.0, math.inf)])
def test_optimal_point_says_call_all_or_none_where_that_is_best_regression(sd_pos, slope, end):
    """With wider positives the gain rises without end towards -inf: no finite threshold is the best."""
    half = np.array([-1, 1]) / math.sqrt(2)
    fit = fit_normal(Tally.from_samples(1.0 + sd_pos * half, half))
    best = fit.optimal_point(slope)
    if end is None:
        assert math.isfinite(best.threshold)
        assert best.tpr - slope * best.fpr > 1 - slope
    else:
        assert (best.threshold, best.fpr, best.tpr) == (end, float(end < 0), float(end < 0))
