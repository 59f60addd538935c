"""Logistic regression: oracle, statsmodels, published numbers, separation, Firth, far tails."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import roclab as rl
from roclab.datasets import example_path
from roclab.errors import InputError, OneClassError, SeparationError, SingularError
from roclab.models.logistic import fit_logistic
from roclab.models.separation import separation_of
from tests.conftest import oracle


def simulated(seed, n=80, m=3):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, m))
    label = rng.random(n) < 1 / (1 + np.exp(-(x @ np.linspace(-1, 1, m) + 0.3)))
    label[:2] = [True, False]
    return x, label


def test_logistic_oracle():
    case = oracle("logistic_a")
    x, y = np.array(case["inputs"]["X"]), np.array(case["inputs"]["y"], bool)
    want = case["expected"]
    fit = fit_logistic(x, y, intercept=False)
    close = {"atol": case["tolerance_abs"]}
    np.testing.assert_allclose(fit.coefficients, want["coef"], **close)
    np.testing.assert_allclose(fit.standard_errors, want["se"], **close)
    np.testing.assert_allclose(np.abs(fit.wald), want["wald"], **close)
    np.testing.assert_allclose(fit.p_values, want["wald_p"], **close)
    np.testing.assert_allclose(fit.covariance, want["cov"], **close)
    np.testing.assert_allclose(fit.probabilities, want["fitted"], **close)
    np.testing.assert_allclose(fit.path[: len(want["newton_path"])], want["newton_path"], **close)
    assert fit.log_likelihood == pytest.approx(want["loglik"], abs=1e-7)
    assert fit.converged
    assert fit.gradient < 1e-8
    with_intercept = fit_logistic(x[:, 1:], y, names=["a", "b"])
    np.testing.assert_allclose(with_intercept.coefficients, fit.coefficients, **close)
    assert with_intercept.log_likelihood_null == pytest.approx(want["loglik_null"], abs=1e-7)
    assert with_intercept.likelihood_ratio == pytest.approx(want["lr_chi2"], abs=1e-7)
    assert with_intercept.names == ("(intercept)", "a", "b")


def test_logistic_failures_oracle():
    one = oracle("logistic_one_class")["inputs"]
    with pytest.raises(OneClassError, match="needs both classes, got 3 positives among 3 cases"):
        fit_logistic(one["X"], np.array(one["y"], bool), intercept=False)
    for name, kind in (("logistic_separation", "complete"), ("logistic_quasi_separation", "quasi-complete")):
        inputs = oracle(name)["inputs"]
        with pytest.raises(SeparationError, match=f"{kind} separation") as error:
            fit_logistic(inputs["X"], np.array(inputs["y"], bool), intercept=False)
        assert error.value.kind == kind


@pytest.mark.parametrize("seed", range(4))
def test_logistic_oracle_by_statsmodels(seed):
    import statsmodels.api as sm

    x, label = simulated(seed)
    ours, theirs = fit_logistic(x, label), sm.Logit(label.astype(float), sm.add_constant(x)).fit(disp=0)
    np.testing.assert_allclose(ours.coefficients, theirs.params, atol=1e-7)
    np.testing.assert_allclose(ours.standard_errors, theirs.bse, atol=1e-7)
    assert (ours.aic, ours.bic) == pytest.approx((theirs.aic, theirs.bic))
    assert ours.p_likelihood_ratio == pytest.approx(theirs.llr_pvalue)
    row = ours.rows()[1]
    low, high = np.exp(theirs.conf_int()[1])
    assert (row["95% low"], row["95% high"]) == pytest.approx((low, high), rel=1e-6)


def test_birth_weight_published(published_table):
    """R's glm: low ~ age + lwt + race + ftv gives 1.295 -.024 -.014 1.004 .433 -.049, logL -111.286."""
    table = published_table("birth_weight.csv")
    race = table["race"].astype(int)
    columns = {
        "age": table["age"].astype(float),
        "lwt": table["lwt"].astype(float),
        "race2": (race == 2).astype(float),
        "race3": (race == 3).astype(float),
        "ftv": table["ftv"].astype(float),
    }
    fit = fit_logistic(columns, table["low"].astype(int) == 1)
    np.testing.assert_allclose(fit.coefficients.round(3), [1.295, -0.024, -0.014, 1.004, 0.433, -0.049])
    assert round(fit.log_likelihood, 3) == -111.286


@pytest.mark.parametrize("m", range(1, 14))
def test_equal_rows_property_are_tied_to_the_last_bit(m):
    """BLAS rounds the rows at the end of a block otherwise; equal cases would then be ranked by their place."""
    rng = np.random.default_rng(m)
    kinds = rng.normal(size=(40, m))
    kind = rng.integers(0, 40, 603)
    label = rng.random(603) < 0.4
    fit = fit_logistic(kinds[kind], label)
    for values in (fit.probabilities, fit.scores(kinds[kind])):
        assert max(np.ptp(values[kind == one]) for one in range(40)) == 0


@given(n_pos=st.integers(1, 30), n_neg=st.integers(1, 30))
def test_intercept_only_property_is_the_log_odds(n_pos, n_neg):
    label = np.repeat([True, False], [n_pos, n_neg])
    fit = fit_logistic(np.ones((label.size, 1)), label, intercept=False)
    assert fit.coefficients[0] == pytest.approx(math.log(n_pos / n_neg), abs=1e-9)


@given(seed=st.integers(0, 500), scale=st.floats(1e-3, 1e3))
def test_rescaling_property_changes_coefficients_only(seed, scale):
    x, label = simulated(seed, n=60)
    try:
        base = fit_logistic(x, label)
    except SeparationError:
        reject()
    other = fit_logistic(x * scale, label)
    np.testing.assert_allclose(other.probabilities, base.probabilities, atol=1e-6)
    np.testing.assert_allclose(other.wald[1:], base.wald[1:], atol=1e-4)


def test_gradient_and_information_definition_by_differences():
    from roclab.models.likelihood import Design, Likelihood

    x, label = simulated(3, n=40, m=2)
    beta, step = np.array([0.3, -0.4]), 1e-5
    for firth in (False, True):
        problem = Likelihood(Design(x, intercept=False), label, firth=firth)
        _, gradient, information = problem.at(beta)
        for at in range(2):
            move = np.zeros(2)
            move[at] = step
            up, down = problem.at(beta + move), problem.at(beta - move)
            assert gradient[at] == pytest.approx((up[0] - down[0]) / (2 * step), abs=1e-5)
            if not firth:
                np.testing.assert_allclose(-information[at], (up[1] - down[1]) / (2 * step), atol=1e-5)


def test_firth_published_two_by_two():
    """For a 2 x 2 table Firth's penalty adds one half to every count: the log odds ratio has a closed form."""
    x = np.repeat([0.0, 0.0, 1.0, 1.0], [10, 0, 4, 6])
    label = np.repeat([False, True, False, True], [10, 0, 4, 6])
    with pytest.raises(SeparationError, match="use penalty='firth'"):
        fit_logistic(x, label)
    fit = fit_logistic(x, label, penalty="firth")
    want = math.log((6.5 * 10.5) / (4.5 * 0.5))
    assert fit.coefficients[1] == pytest.approx(want, abs=1e-6)
    assert fit.converged


def test_far_tails_stay_finite():
    x = np.array([-2000.0, -1500, -1, 1, 0.5, 1500, 2000, -0.2])
    label = np.array([0, 0, 1, 0, 1, 1, 1, 0], bool)
    fit = fit_logistic(x, label)
    assert np.isfinite(fit.log_likelihood)
    assert np.isfinite(fit.coefficients).all()
    assert np.all((fit.probabilities >= 0) & (fit.probabilities <= 1))


def test_dependent_columns_are_named():
    x, label = simulated(1)
    table = {"a": x[:, 0], "b": x[:, 1], "c": x[:, 0] - 2 * x[:, 1]}
    with pytest.raises(SingularError, match="but c can be computed from the columns before it; drop it") as error:
        fit_logistic(table, label)
    assert error.value.columns == ("c",)
    with pytest.raises(SingularError, match="const can be computed"):
        fit_logistic({"a": x[:, 0], "const": np.full(len(x), 3.0)}, label)
    with pytest.raises(SingularError, match="'zero' is all zeros"):
        fit_logistic({"zero": np.zeros(len(x))}, label)
    with pytest.raises(SingularError, match="6 columns for 4 cases"):
        fit_logistic(np.random.default_rng(1).normal(size=(4, 5)), np.array([1, 0, 1, 0], bool))


def test_no_convergence_is_said():
    x, label = simulated(2)
    fit = fit_logistic(x, label, max_iterations=1)
    assert not fit.converged
    assert "did not converge" in fit.notes[0]
    assert "NOT CONVERGED" in str(fit)


@given(seed=st.integers(0, 300))
def test_separation_property_agrees_with_the_perceptron(seed):
    """Small random tables: a separating plane exists exactly when the linear program says so."""
    from scipy.optimize import linprog

    rng = np.random.default_rng(seed)
    x = np.column_stack([np.ones(7), rng.integers(-2, 3, (7, 2))]).astype(float)
    label = rng.random(7) < 0.5
    label[:2] = [True, False]
    signed = np.where(label, 1.0, -1.0)[:, None] * x
    strictly = linprog(np.zeros(3), A_ub=-signed, b_ub=-np.ones(7), bounds=(None, None), method="highs").status == 0
    assert (separation_of(x, label) == "complete") == strictly


def test_scores_of_new_cases():
    x, label = simulated(5)
    fit = fit_logistic(x, label)
    np.testing.assert_allclose(1 / (1 + np.exp(-fit.scores(x))), fit.probabilities)
    with pytest.raises(InputError, match="x must have 3 columns, as in the fit, got 2"):
        fit.scores(x[:, :2])


@pytest.mark.parametrize(
    ("x", "message"),
    [
        ([["a"], ["b"], ["c"]], "x must be numeric"),
        ([[1.0], [np.nan], [2.0]], "x must be finite, got nan in row 1, column 0"),
        ([[1.0], [2.0]], "x must have one row per label, got 2 rows for 3 labels"),
        (np.zeros((3, 1, 1)), "x must be a table"),
    ],
)
def test_logistic_error_messages(x, message):
    with pytest.raises(InputError, match=message):
        fit_logistic(x, np.array([1, 0, 1], bool))


def test_one_call_from_table_to_cutoff():
    """Model, scores, curve, optimal cut-off and significance agree with each step made alone."""
    markers = ["procalcitonin", "lactate", "concern"]
    result = rl.logistic(example_path(), label="outcome", pos_label="deteriorated", columns=markers)
    frame = pd.read_csv(example_path())
    ill = (frame["outcome"] == "deteriorated").to_numpy()
    fit = fit_logistic(frame[markers].to_numpy(), ill, names=markers)
    np.testing.assert_allclose(result.fit.coefficients, fit.coefficients)
    alone = rl.roc(ill, fit.probabilities)
    assert result.area.area == alone.auc().area
    assert result.cutoff.threshold == pytest.approx(alone.cutoff("youden").threshold)
    assert result.significance.p_value == pytest.approx(alone.test().p_value)
    assert result.area.area > rl.auc(ill, frame["procalcitonin"]).area
    same = rl.logistic(frame, label="outcome", pos_label="deteriorated", columns=markers)
    np.testing.assert_allclose(same.fit.coefficients, result.fit.coefficients)
    assert "looks better than on new ones" in str(result)


def test_one_call_error_messages():
    table = {"y": [1, 0, 1, 0], "a": [1.0, 2.0, np.nan, 1.0]}
    with pytest.raises(InputError, match="values must not be missing, got gaps in 1 of 4 cases: a lacks 1"):
        rl.logistic(table, label="y", columns=["a"])
    with pytest.raises(InputError, match="the mapping has no column 'b'"):
        rl.logistic(table, label="y", columns=["b"])
    with pytest.raises(InputError, match="score must name at least one column, got an empty list"):
        rl.logistic(table, label="y", columns=[])
