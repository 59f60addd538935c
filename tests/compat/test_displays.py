"""Displays: what scikit-learn's displays show, computed by roclab."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve
from sklearn.model_selection import cross_validate
from sklearn.svm import SVC

from roclab.compat.displays import CalibrationDisplay, DetDisplay, PrecisionRecallDisplay, RocDisplay
from roclab.errors import InputError

X, Y = make_classification(300, n_features=5, random_state=1)
MODEL = LogisticRegression().fit(X, Y)
PROBABILITY = MODEL.predict_proba(X)[:, 1]


def legend_of(display):
    return [" ".join(text.get_text().split()) for text in display.ax_.get_legend().get_texts()]


def test_roc_from_predictions_oracle():
    shown = RocDisplay.from_predictions(Y, PROBABILITY, name="model", drop_intermediate=False)
    fpr, tpr, thresholds = roc_curve(Y, PROBABILITY, drop_intermediate=False)
    np.testing.assert_allclose(shown.fpr, fpr)
    np.testing.assert_allclose(shown.tpr, tpr)
    np.testing.assert_allclose(shown.thresholds, thresholds)
    assert shown.roc_auc == pytest.approx(roc_auc_score(Y, PROBABILITY))
    np.testing.assert_array_equal(shown.line_.get_xdata(), shown.fpr)
    assert shown.figure_ is shown.ax_.get_figure()
    assert legend_of(shown) == [f"model, AUC {shown.roc_auc:.4f} ({shown.areas[0].interval})"]
    assert shown.chance_level_ is not None


def test_straight_stretches_lose_their_inner_vertices():
    every = RocDisplay.from_predictions(Y, PROBABILITY, drop_intermediate=False)
    shown = RocDisplay.from_predictions(Y, PROBABILITY)
    assert every.fpr.size == np.unique(PROBABILITY).size + 1
    assert shown.fpr.size < every.fpr.size
    assert set(zip(shown.fpr, shown.tpr, strict=True)) < set(zip(every.fpr, every.tpr, strict=True))
    assert shown.roc_auc == every.roc_auc
    assert shown.name == "Classifier"


def test_roc_from_estimator_takes_the_second_class():
    shown = RocDisplay.from_estimator(MODEL, X, Y)
    assert shown.roc_auc == pytest.approx(roc_auc_score(Y, PROBABILITY))
    assert shown.name == "LogisticRegression"
    assert shown.pos_label == 1
    other = RocDisplay.from_estimator(MODEL, X, Y, pos_label=0)
    assert other.roc_auc == pytest.approx(shown.roc_auc)
    words = np.where(Y == 1, "ill", "well")
    named = LogisticRegression().fit(X, words)
    assert RocDisplay.from_estimator(named, X, words, pos_label="ill").roc_auc == pytest.approx(shown.roc_auc)


def test_decision_functions_and_weights():
    machine = SVC().fit(X, Y)
    score = machine.decision_function(X)
    for positive in (0, 1):
        shown = RocDisplay.from_estimator(machine, X, Y, pos_label=positive)
        assert shown.roc_auc == pytest.approx(roc_auc_score(Y, score))
    weight = np.random.default_rng(1).uniform(0.5, 2, 300)
    shown = RocDisplay.from_predictions(Y, score, sample_weight=weight)
    assert shown.roc_auc == pytest.approx(roc_auc_score(Y, score, sample_weight=weight))


def test_given_axes_and_looks_are_used():
    ax = Figure().subplots()
    shown = RocDisplay.from_predictions(
        Y, PROBABILITY, ax=ax, curve_kwargs={"color": "red"}, plot_chance_level=False, despine=True
    )
    assert shown.ax_ is ax
    assert shown.line_.get_color() == "red"
    assert shown.chance_level_ is None
    assert not ax.spines["top"].get_visible()
    again = shown.plot(name="again", chance_level_kw={"color": "green"})
    assert again is shown
    assert shown.ax_ is not ax
    assert shown.chance_level_.get_color() == "green"
    assert legend_of(shown)[0].startswith("again, AUC")


@pytest.fixture(scope="module")
def folds():
    return cross_validate(LogisticRegression(), X, Y, cv=4, return_estimator=True, return_indices=True)


@pytest.mark.parametrize("data", [X, pd.DataFrame(X), X.tolist()], ids=["array", "frame", "list"])
def test_roc_from_cv_results_oracle(folds, data):
    shown = RocDisplay.from_cv_results(folds, data, Y, name="model")
    wanted = [
        roc_auc_score(Y[rows], estimator.predict_proba(X[rows])[:, 1])
        for estimator, rows in zip(folds["estimator"], folds["indices"]["test"], strict=True)
    ]
    assert shown.roc_auc == pytest.approx(wanted)
    assert len(shown.line_) == len(shown.fpr) == len(shown.thresholds) == 4
    words = f"model, 4 folds, mean AUC {np.mean(wanted):.4f} (sd {np.std(wanted, ddof=1):.4f})"
    assert legend_of(shown) == [words]


def test_folds_with_a_look_each(folds):
    looks = [{"color": colour} for colour in ("red", "green", "blue", "black")]
    shown = RocDisplay.from_cv_results(folds, X, Y, curve_kwargs=looks, sample_weight=np.ones(300, int))
    assert [line.get_color() for line in shown.line_] == ["red", "green", "blue", "black"]
    assert len(legend_of(shown)) == 4
    with pytest.raises(InputError, match="curve_kwargs must be one mapping, or one for each of the 4 curves, got 2"):
        shown.plot(curve_kwargs=looks[:2])


def test_precision_recall(folds):
    shown = PrecisionRecallDisplay.from_estimator(MODEL, X, Y)
    assert shown.average_precision == pytest.approx(average_precision_score(Y, PROBABILITY))
    assert np.all(np.diff(shown.recall) >= 0)
    assert shown.recall.size == shown.precision.size == shown.thresholds.size
    assert shown.line_.get_drawstyle() == "steps-pre"
    assert f"LogisticRegression, AP {shown.average_precision:.4f}" in legend_of(shown)
    several = PrecisionRecallDisplay.from_cv_results(folds, X, Y, plot_chance_level=False)
    assert len(several.average_precision) == 4
    assert any("4 folds, mean AP" in words for words in legend_of(several))


def test_det():
    shown = DetDisplay.from_predictions(Y, PROBABILITY, name="model")
    assert np.all((shown.fpr > 0) & (shown.fnr > 0) & (shown.fpr < 1) & (shown.fnr < 1))
    np.testing.assert_array_equal(shown.line_.get_ydata(), shown.fnr)
    assert shown.thresholds.size == shown.fpr.size
    assert legend_of(shown) == ["model"]


def test_calibration():
    shown = CalibrationDisplay.from_estimator(MODEL, X, Y, n_bins=6, strategy="quantile")
    assert shown.calibration.binning == "count"
    np.testing.assert_array_equal(shown.line_.get_ydata(), shown.prob_true)
    np.testing.assert_array_equal(shown.line_.get_xdata(), shown.prob_pred)
    assert legend_of(shown) == [f"LogisticRegression, Brier {shown.calibration.brier:.4f}"]
    assert CalibrationDisplay.from_predictions(Y, PROBABILITY, ax=shown.ax_, name="other").ax_ is shown.ax_


def test_bad_estimators_are_told_apart():
    with pytest.raises(InputError, match="estimator must be a fitted classifier of two classes, got Log"):
        RocDisplay.from_estimator(LogisticRegression(), X, Y)
    three = LogisticRegression().fit(X, np.arange(300) % 3)
    with pytest.raises(InputError, match="got LogisticRegression with 3"):
        RocDisplay.from_estimator(three, X, Y)
    with pytest.raises(InputError, match="pos_label must be one of .*0.* and .*1.*, got 7"):
        RocDisplay.from_estimator(MODEL, X, Y, pos_label=7)
    with pytest.raises(InputError, match="estimator must have predict_proba, got SVC; calls alone make no curve"):
        CalibrationDisplay.from_estimator(SVC().fit(X, Y), X, Y)
    with pytest.raises(InputError, match="response_method must be one of"):
        RocDisplay.from_estimator(MODEL, X, Y, response_method="predict")


def test_cv_results_must_be_complete(folds):
    with pytest.raises(InputError, match="cv_results must hold 'indices', got none; call cross_validate with"):
        RocDisplay.from_cv_results({"estimator": folds["estimator"]}, X, Y)
    with pytest.raises(InputError, match="cv_results must hold 'estimator' and 'indices'"):
        RocDisplay.from_cv_results([], X, Y)
    with pytest.raises(InputError, match="curves must hold at least one curve"):
        RocDisplay.from_cv_results({"estimator": [], "indices": {"test": []}}, X, Y)


def test_reference_lines_can_be_styled_and_left_out():
    label, prob = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
    shown = PrecisionRecallDisplay.from_predictions(
        label, prob, plot_chance_level=True, chance_level_kw={"color": "red"}
    )
    assert shown.chance_level_.get_color() == "red"
    bare = PrecisionRecallDisplay.from_predictions(label, prob, plot_chance_level=False)
    assert bare.chance_level_ is None
    assert len(CalibrationDisplay.from_predictions(label, prob, ref_line=False).ax_.get_lines()) == 1
    assert len(CalibrationDisplay.from_predictions(label, prob).ax_.get_lines()) == 2
