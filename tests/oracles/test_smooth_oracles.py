"""Every oracle of the smooth curves: normal, Box-Cox, kernels with their stages, binormal, exponential, Pareto."""

from __future__ import annotations

import numpy as np
import pytest

from roclab.data.tally import Tally
from roclab.errors import InputError
from roclab.smooth.binormal import fit_binormal
from roclab.smooth.box_cox import fit_box_cox, fit_power
from roclab.smooth.categories import categories_of
from roclab.smooth.exponential import (
    exponential_area,
    exponential_slope,
    exponential_tpr,
    fit_exponential,
    fit_exponential_points,
)
from roclab.smooth.kernel import fit_kernel, plug_in_bandwidth
from roclab.smooth.model import finite_scores
from roclab.smooth.normal import fit_normal
from roclab.smooth.pareto import pareto_area, pareto_tpr
from tests.conftest import oracle

SMOOTH = ("smooth_normal", "smooth_lognormal")
KERNELS = [("k1", "k1", "h1"), ("k2", "k2", "h2"), ("k2opt", "k2opt", None)]


def load(name):
    case = oracle(name)
    tally = Tally.from_samples(np.array(case["inputs"]["x"], float), np.array(case["inputs"]["y"], float))
    return tally, case["expected"], case["tolerance_abs"]


@pytest.mark.parametrize("name", SMOOTH)
def test_normal_and_box_cox_oracle(name):
    tally, want, tolerance = load(name)
    assert fit_normal(tally).area == pytest.approx(want["n"], abs=tolerance)
    fit = fit_box_cox(tally)
    got = (fit.power, fit.shift, fit.log_likelihood, fit.area)
    assert got == pytest.approx(tuple(want[key] for key in ("lam", "shift", "profile_loglik", "nt")), abs=tolerance)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize(("rule", "key", "widths"), KERNELS)
@pytest.mark.parametrize(("transform", "suffix"), [(False, ""), (True, "T")])
def test_kernel_oracle(name, rule, key, widths, transform, suffix):
    tally, want, tolerance = load(name)
    fit = fit_kernel(tally, rule=rule, box_cox=transform)
    assert fit.area == pytest.approx(want[key + suffix], abs=tolerance)
    assert fit.error_bound == 0
    if widths:
        assert [fit.bandwidth_pos, fit.bandwidth_neg] == pytest.approx(want[widths + suffix], abs=tolerance)


@pytest.mark.parametrize("name", SMOOTH)
@pytest.mark.parametrize("suffix", ["", "T"])
def test_plug_in_stages_oracle(name, suffix):
    tally, want, tolerance = load(name)
    if suffix:
        power = fit_power(tally, model="test")
        sides = {"x": power.pos, "y": power.neg}
    else:
        sides = dict(zip("xy", finite_scores(tally, model="test"), strict=True))
    for side, scores in sides.items():
        stages, expected = plug_in_bandwidth(scores), want[f"stages_{side}{suffix}"]
        # The transformed stages inherit the 1e-8 by which two searches for lambda may differ, times psi6 of order 800.
        relative = 1e-6 if suffix else 1e-9
        assert stages.psi6 == pytest.approx(expected["psi6_ns"], abs=tolerance, rel=relative)
        for stage in ("g4", "psi4", "g2", "psi2"):
            assert getattr(stages, stage) == pytest.approx(expected[stage], abs=tolerance, rel=relative)


def test_degenerate_oracle():
    tally, want, tolerance = load("smooth_degenerate")
    assert fit_normal(tally).area == pytest.approx(want["n"], abs=tolerance)
    fit = fit_kernel(tally, rule="k1")
    assert fit.area == pytest.approx(want["k1_when_h_zero"], abs=tolerance)
    assert "Mann-Whitney" in fit.notes[0]
    assert fit.tpr([0, 0.5, 1]).tolist() == [1, 1, 1]
    assert fit_kernel(tally, rule="k2").bandwidth_pos > 0  # iqr 0, so the standard deviation is the scale


def test_binormal_ratings_oracle():
    case = oracle("rc_ct_ratings")
    pos, neg = (np.array(case["inputs"][f"categories_{side}"]) for side in ("pos", "neg"))
    fit = fit_binormal(Tally.from_counts(np.arange(1.0, 6.0), pos, neg), categories="ratings")
    want, tolerance = case["expected"], case["tolerance_abs"]
    assert (fit.a, fit.b, fit.area) == pytest.approx((want["a"], want["b"], want["auc"]), abs=tolerance)
    assert fit.cutpoints.tolist() == pytest.approx(want["cutpoints"], abs=tolerance)
    assert -fit.log_likelihood == pytest.approx(want["neg_loglik"], abs=tolerance)


def test_binormal_continuous_oracle():
    tally, want, tolerance = load("rc_continuous_a")
    runs = categories_of(tally, merge_runs=True)
    assert np.column_stack([runs.pos, runs.neg]).tolist() == want["categories"]
    fit = fit_binormal(tally)
    got = (fit.a, fit.b, fit.area, -fit.log_likelihood)
    assert got == pytest.approx((want["a"], want["b"], want["auc"], want["neg_loglik"]), abs=tolerance)


def test_binormal_separated_oracle():
    tally, want, _ = load("rc_separated")
    runs = categories_of(tally, merge_runs=True)
    assert np.column_stack([runs.pos, runs.neg]).tolist() == want["categories"]
    fit = fit_binormal(tally)
    assert (fit.status, fit.area, fit.converged) == (want["status"], want["auc"], False)


def test_exponential_formula_oracle():
    case = oracle("exponential_formula")
    for given, want in zip(case["inputs"]["cases"], case["expected"], strict=True):
        E, R, f = given["E"], given["R"], given["fpr"]
        assert exponential_tpr(f, E, R).tolist() == pytest.approx(want["tpr"], abs=case["tolerance_abs"])
        assert exponential_slope(f, E, R).tolist() == pytest.approx(want["slope"], abs=case["tolerance_abs"])
        assert exponential_area(E) == pytest.approx(want["auc"], abs=case["tolerance_abs"])


def check_exponential(fit, slope, want, tolerance):
    assert fit.start == pytest.approx((want["start"]["E"], want["start"]["R"]), abs=tolerance)
    got = (fit.E, fit.R, fit.sum_of_squares, fit.area)
    assert got == pytest.approx(tuple(want[key] for key in ("E", "R", "sse", "auc")), abs=tolerance)
    best = fit.optimal_point(slope)
    assert [best.fpr, best.tpr] == pytest.approx(want["optimal_point"], abs=tolerance)


@pytest.mark.parametrize("which", ["B", "C"])
def test_exponential_points_oracle(which):
    case = oracle("exponential_points")
    points = np.array(case["inputs"][f"points_{which}"])
    fit = fit_exponential_points(points[:, 0], points[:, 1])
    check_exponential(fit, case["inputs"][f"slope_{which}"], case["expected"][which], case["tolerance_abs"])


def test_exponential_fawcett20_oracle():
    case = oracle("exponential_fawcett20")
    given = case["inputs"]
    odds = (1 - given["prevalence"]) / given["prevalence"]
    slope = odds * (given["benefit_tn"] + given["cost_fp"]) / (given["benefit_tp"] + given["cost_fn"])
    assert slope == pytest.approx(case["expected"]["slope"])
    tally = Tally.from_labels(np.array(given["labels"], bool), np.array(given["scores"]))
    check_exponential(fit_exponential(tally), slope, case["expected"], case["tolerance_abs"])


def test_pareto_formula_oracle():
    case = oracle("pareto_formula")
    for given, want in zip(case["inputs"]["cases"], case["expected"], strict=True):
        theta = (given["k1"], given["k2"], given["theta2"])
        assert pareto_area(*theta) == pytest.approx(want["auc"], abs=case["tolerance_abs"])
        assert pareto_tpr(given["fpr"], *theta).tolist() == pytest.approx(want["tpr"], abs=case["tolerance_abs"])


def test_normal_oracle_undefined_when_both_classes_are_constant():
    with pytest.raises(InputError, match="one constant score in each class"):
        fit_normal(Tally.from_samples(np.array([2.0, 2.0]), np.array([1.0, 1.0])))
