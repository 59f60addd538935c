"""The user's functions: every way in leads to the same numbers, and directions are explicit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

import roclab as rl
from roclab.errors import InputError

Y = np.array([1, 1, 0, 1, 0, 0, 1, 0])
S = np.array([8.0, 7, 6, 5, 4, 3, 2, 1])


def test_every_way_in_gives_the_same_area(tmp_path):
    want = rl.auc(Y, S)
    path = tmp_path / "scores.csv"
    path.write_text("outcome,marker\n" + "".join(f"{y},{s}\n" for y, s in zip(Y, S, strict=True)))
    frame = {"outcome": Y, "marker": S}
    ways = [
        rl.auc(Y.tolist(), S.tolist()),
        rl.auc(Y.astype(bool), S.astype(np.float32)),
        rl.auc(np.where(Y == 1, "ill", "well"), S, pos_label="ill"),
        rl.auc(pd.DataFrame(frame), label="outcome", score="marker"),
        rl.auc(pl.DataFrame(frame), label="outcome", score="marker"),
        rl.auc(path, label="outcome", score="marker"),
        rl.auc(str(path), label="outcome", score="marker"),
        rl.Roc.from_samples(S[Y == 1], S[Y == 0]).auc(),
        rl.Roc.from_ratings(S, pos=Y, neg=1 - Y).auc(),
    ]
    for got in ways:
        assert got.area == want.area
        assert got.interval.low == pytest.approx(want.interval.low, rel=1e-12)


def test_direction_is_explicit_and_recorded():
    up, down = rl.auc(Y, S), rl.auc(Y, -S, direction="lower")
    assert down.area == up.area
    assert down.sample.direction == "lower"
    turned = rl.auc(Y, -S, direction="auto")
    assert turned.area == up.area
    assert turned.sample.direction == "lower"
    assert turned.sample.direction_chosen
    assert "direction chosen from the data" in str(turned)
    hint = rl.auc(Y, -S)
    assert hint.area == 1 - up.area
    assert "direction='lower'" in hint.notes[0]


def test_thresholds_of_lower_scores_are_in_the_users_units():
    r = rl.roc(Y, -S, direction="lower")
    assert r.thresholds.tolist() == [-np.inf, *(-S)]
    matrix = r.confusion(-7)
    assert (matrix.tp, matrix.fp) == (2, 0)
    assert "score <= -7" in str(matrix)
    np.testing.assert_array_equal(r.fpr, rl.roc(Y, S).fpr)


def test_missing_values_are_an_error_or_counted():
    s = S.copy()
    s[2] = np.nan
    with pytest.raises(InputError, match="lacks 1"):
        rl.auc(Y, s)
    estimate = rl.auc(Y, s, missing="drop")
    assert estimate.sample.dropped == 1
    assert "1 dropped" in str(estimate)
    assert estimate.area == rl.auc(np.delete(Y, 2), np.delete(S, 2)).area


def test_curve_unpacks_like_scikit_learn():
    fpr, tpr, thresholds = rl.roc(Y, S)
    assert fpr.size == tpr.size == thresholds.size == 9


def test_operating_points():
    r = rl.roc(Y, S)
    at = r.at(threshold=5)
    assert (at.tpr, at.fpr, at.matrix.tp) == (0.75, 0.25, 3)
    between = r.at(fpr=0.3)
    assert between.tpr == pytest.approx(r.curve.at(0.3)[0])
    assert between.threshold == 5
    assert between.other_threshold == 4
    assert between.share == pytest.approx(0.2)
    vertex = r.at(tpr=0.75)
    assert (vertex.fpr, vertex.threshold, vertex.share) == (0.25, 5, 0)
    assert r.at(tpr=0.6).threshold == 6
    assert r.at(fpr=1).tpr == 1
    assert r.at(tpr=0).fpr == 0
    assert "specificity" in str(r.at(tpr=0.75))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: rl.roc(Y, S).at(), "takes exactly one of threshold, fpr, tpr, sensitivity, specificity, got none"),
        (lambda: rl.roc(Y, S).at(fpr=2), "fpr must lie between 0 and 1, got 2"),
        (lambda: rl.roc(Y, S).confusion(float("nan")), "threshold must be a number, got NaN"),
        (
            lambda: rl.auc(pd.DataFrame({"a": Y})),
            "label and score must name columns of the data frame, got none; its columns are a",
        ),
        (lambda: rl.auc(Y, S, label="a"), "label and score name columns of a table, got arrays as well"),
        (lambda: rl.cutoff_table(Y, {"a": S, "b": S}), "score must name one score for this question, got a and b"),
        (lambda: rl.auc(Y, S, direction="up"), "direction must be one of 'higher', 'lower', got 'up'"),
        (lambda: rl.auc(Y, S, estimator="roc"), "estimator must be one of 'empirical'"),
        (lambda: rl.auc([], []), "must hold at least one case"),
        (lambda: rl.confusion(Y, S), "y_pred must use the labels of y_true, 1 and 0, got 2"),
        (lambda: rl.results.ConfusionMatrix(tp=-1, fp=0, fn=0, tn=0), "tp must be a finite count >= 0, got -1"),
        (lambda: rl.roc(Y, S).gain(prevalence=2), "prevalence must lie strictly between 0 and 1, got 2"),
        (lambda: rl.roc(Y, S).precision_recall(skew=-1), "skew must be a finite number above 0, got -1"),
        (lambda: rl.roc(Y, S).simplified(1), "count must be a whole number of at least 2, got 1"),
    ],
)
def test_error_messages(call, message):
    with pytest.raises(InputError, match=message):
        call()


def test_hard_predictions():
    matrix = rl.confusion(["ill", "ill", "well"], ["ill", "well", "well"], pos_label="ill")
    assert (matrix.tp, matrix.fp, matrix.fn, matrix.tn) == (1, 0, 1, 1)
    never = rl.confusion([1, 1, 0], [0, 0, 0])
    assert (never.tp, never.fn, never.tn) == (0, 2, 1)
    weighted = rl.confusion([1, 1, 0], [1, 0, 0], sample_weight=[0.5, 1.5, 2.0])
    assert (weighted.tp, weighted.fn, weighted.tn) == (0.5, 1.5, 2.0)


def test_f_beta_definition():
    matrix = rl.results.ConfusionMatrix(tp=6, fp=2, fn=3, tn=9)
    precision, recall = 6 / 8, 6 / 9
    for beta in (0.5, 1, 2):
        want = (1 + beta**2) * precision * recall / (beta**2 * precision + recall)
        assert matrix.f_beta(beta) == pytest.approx(want)
    assert matrix.f_beta(1) == pytest.approx(matrix.metrics()["f1"])


def test_prevalence_adjusted_predictive_values():
    matrix = rl.results.ConfusionMatrix(tp=90, fp=10, fn=10, tn=90)
    values = matrix.metrics(prevalence=0.01)
    assert values["ppv_at_prevalence"] == pytest.approx(0.009 / (0.009 + 0.099))
    assert values["npv_at_prevalence"] == pytest.approx(0.891 / (0.891 + 0.001))
    assert matrix.metrics(prevalence=0.5)["ppv_at_prevalence"] == pytest.approx(values["ppv"])


def test_weights_are_named_in_the_result():
    estimate = rl.auc(Y, S, sample_weight=[1, 2, 1, 1, 1, 1, 1, 1])
    assert estimate.sample.weights == "frequency"
    real = rl.auc(Y, S, sample_weight=np.linspace(0.5, 1.5, 8))
    assert real.sample.weights == "importance"
    assert "importance weights" in str(real)
