"""Oracles of the other curves, of ready-made points and of the confusion matrix."""

from __future__ import annotations

import math

import numpy as np
import pytest

import roclab as rl
from roclab.areas.methods import METHODS
from roclab.curves.hull import hull_of_curve
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.decisions.confusion import ConfusionMatrix
from tests.conftest import HERE, decoded, oracle


def roc_of(inputs):
    return rl.roc(inputs["labels"], inputs["scores"])


def test_det_oracle():
    case = oracle("alternatives_fawcett20")
    det = roc_of(case["inputs"]).det()
    want = case["expected"]["det"]
    np.testing.assert_allclose(det.fpr, [row["fpr"] for row in want], atol=case["tolerance_abs"])
    np.testing.assert_allclose(det.fnr, [row["fnr"] for row in want], atol=case["tolerance_abs"])
    np.testing.assert_allclose(
        np.column_stack([det.x, det.y]), [row["probit"] for row in want], atol=case["tolerance_abs"]
    )


def test_cost_curve_oracle():
    case = oracle("alternatives_fawcett20")
    cost = roc_of(case["inputs"]).cost()
    want = case["expected"]
    np.testing.assert_allclose(cost.at_zero, [line["at0"] for line in want["cost_lines"]], atol=1e-12)
    np.testing.assert_allclose(cost.at_one, [line["at1"] for line in want["cost_lines"]], atol=1e-12)
    np.testing.assert_allclose(cost.at(want["cost_curve_x"]), want["lower_envelope"], atol=1e-12)
    np.testing.assert_allclose(cost.trivial_at(want["cost_curve_x"]), want["trivial"], atol=1e-12)


def test_precision_recall_under_skew_oracle():
    case = oracle("pr_skew_fawcett20")
    for want in case["expected"]["curves"]:
        curve = roc_of(case["inputs"]).precision_recall(skew=want["neg_pos_ratio"])
        np.testing.assert_allclose(curve.recall, want["recall"], atol=1e-12)
        np.testing.assert_allclose(curve.precision, want["precision"], atol=1e-12)
        f1 = 2 * curve.precision * curve.recall / (curve.precision + curve.recall)
        np.testing.assert_allclose(f1, want["f1"], atol=1e-12)


def test_performance_tie_oracle():
    case = oracle("performance_tie_a")
    tallies = {}
    for name in ("original", "mirror"):
        inputs = case["inputs"][name]
        tally = Tally.from_labels(np.array(inputs["labels"], bool), np.array(inputs["scores"], float))
        tallies[name] = tally
        want = case["expected"][name]
        assert METHODS["empirical"].estimate(tally) == pytest.approx(want["auc"], abs=1e-12)
        assert METHODS["tauc"].estimate(tally) == pytest.approx(want["tauc"], abs=1e-12)
        points = np.column_stack(list(roc_curve(tally))[:2])
        np.testing.assert_allclose(points, case["expected"][f"{name}_points"], atol=1e-12)
    np.testing.assert_allclose(roc_curve(tallies["original"].mirrored()).fpr, roc_curve(tallies["mirror"]).fpr)
    # The weight as printed would choose the other curve; the corrected one agrees with tAUC.
    assert METHODS["t2auc"].estimate(tallies["original"]) > METHODS["t2auc"].estimate(tallies["mirror"])
    printed = METHODS["t2auc_as_published"]
    assert printed.estimate(tallies["original"]) < printed.estimate(tallies["mirror"])


def test_ready_made_points_oracle():
    case = oracle("points_radarist_A")
    points = np.array(case["inputs"]["points"])
    roc = rl.Roc.from_points(points[:, 0], points[:, 1])
    want = case["expected"]
    assert roc.area() == pytest.approx(want["auc_trapezoid"], abs=1e-12)
    hull = roc.hull()
    np.testing.assert_allclose(np.column_stack([hull.fpr, hull.tpr]), want["hull_points"], atol=1e-12)
    assert hull.area == pytest.approx(want["hull_auc"], abs=1e-12)
    np.testing.assert_allclose(hull.slopes, want["hull_slopes"], atol=1e-12)


@pytest.mark.parametrize("name", ["fawcett_algorithms", "fawcett_algorithms_slov"])
def test_fawcett_algorithms_oracle(name):
    case = oracle(name)
    roc = roc_of(case["inputs"])
    want = case["expected"]
    np.testing.assert_allclose(np.column_stack([roc.fpr, roc.tpr]), want["alg2_points"], atol=1e-12)
    hull = hull_of_curve(roc.curve)
    np.testing.assert_allclose(np.column_stack([hull.fpr, hull.tpr]), want["alg3_corrected_hull"], atol=1e-12)
    assert roc.area() == pytest.approx(want["alg4_corrected_auc"], abs=1e-12)


NAMES = {"P": None, "N": None, "P_pred": None, "N_pred": None, "total": None, "precision_times_recall": None,
         "skew_c": "skew"}  # fmt: skip
CONFUSIONS = sorted(path.stem for path in (HERE / "oracles" / "open").glob("confusion_*.json"))


@pytest.mark.parametrize("name", CONFUSIONS)
def test_confusion_oracle(name):
    case = oracle(name)
    matrix = ConfusionMatrix(**case["inputs"])
    metrics = matrix.metrics()
    compared = 0
    for key, value in case["expected"].items():
        ours = NAMES.get(key, key)
        if ours is None:
            continue
        value = decoded(value)
        compared += 1
        if value is None:
            assert math.isnan(metrics[ours]), key
            assert metrics[ours].reason
        else:
            assert metrics[ours] == pytest.approx(value, abs=case["tolerance_abs"]), key
    assert compared >= 14
