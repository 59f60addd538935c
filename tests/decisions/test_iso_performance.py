"""Lines of equal performance, their values and their tangents."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.curves.hull import hull_of_curve
from roclab.curves.roc import curve_from_points, roc_curve
from roclab.data.tally import Tally
from roclab.decisions.iso_performance import (
    cost_ratio_of_slope,
    equal_cost_slope,
    iso_line,
    iso_line_through,
    iso_value,
    prevalence_of_slope,
    skew_of_prevalence,
    tangent_points,
    tpr_of_troc,
)
from roclab.decisions.metrics import metric_values
from roclab.errors import InputError
from tests.strategies import SCORES

COUNTS = st.integers(1, 12)


@given(tp=st.integers(0, 12), fp=st.integers(0, 12), fn=COUNTS, tn=COUNTS)
def test_values_property_equal_the_confusion_matrix(tp, fp, fn, tn):
    """Precision, accuracy and F from (fpr, tpr, c) equal the confusion-matrix values."""
    fpr, tpr, skew = fp / (fp + tn), tp / (tp + fn), (fp + tn) / (tp + fn)
    for metric, name in [
        ("accuracy", "accuracy"),
        ("precision", "ppv"),
        ("f_measure", "f1"),
        ("youden", "youden_j"),
        ("lr_plus", "lr_plus"),
        ("lr_minus", "lr_minus"),
    ]:
        want = float(metric_values(name, tp=tp, fp=fp, fn=fn, tn=tn))
        value = float(iso_value(metric, fpr, tpr, skew=None if metric in ("youden", "lr_plus", "lr_minus") else skew))
        assert value == pytest.approx(want, rel=1e-12, abs=1e-12, nan_ok=True), metric
    cost = float(iso_value("cost", fpr, tpr, skew=skew, cost_fp=2, cost_fn=7))
    assert cost == pytest.approx((2 * fp + 7 * fn) / (tp + fp + fn + tn))


RATES = st.floats(0.05, 0.95)


@given(fpr=RATES, tpr=RATES, skew=st.floats(0.1, 20), beta=st.sampled_from([0.5, 1.0, 2.0]), step=st.floats(0.01, 0.4))
def test_lines_property_keep_their_value(fpr, tpr, skew, beta, step):
    for metric in ("accuracy", "precision", "f_measure", "cost", "youden", "lr_plus", "lr_minus"):
        conditions = {} if metric in ("youden", "lr_plus", "lr_minus") else {"skew": skew}
        if metric == "f_measure":
            conditions["beta"] = beta
        if metric == "cost":
            conditions |= {"cost_fp": 3, "cost_fn": 2}
        line = iso_line_through(metric, fpr, tpr, **conditions)
        assert float(line.at(fpr)) == pytest.approx(tpr, rel=1e-9)
        assert float(line.troc_at(fpr)) == pytest.approx(tpr * (1 - fpr), rel=1e-9)
        assert float(tpr_of_troc(fpr, line.troc_at(fpr))) == pytest.approx(tpr, rel=1e-9)
        elsewhere = fpr + step if fpr < 0.5 else fpr - step
        height = float(line.at(elsewhere))
        if 0 <= height <= 1 and 0 <= elsewhere <= 1:
            assert float(iso_value(metric, elsewhere, height, **conditions)) == pytest.approx(line.value, rel=1e-9)
        if metric == "f_measure":
            assert float(line.at(-(beta**2) / skew)) == pytest.approx(0, abs=1e-9), "all F lines meet there"


def test_vertical_lines():
    perfect = iso_line("precision", 1, skew=2)
    assert (perfect.slope, perfect.intercept, perfect.fpr) == (math.inf, None, 0.0)
    limit = iso_line("neyman_pearson", 0.1)
    assert limit.fpr == 0.1
    assert limit.rows()[0]["fpr"] == 0.1
    with pytest.raises(InputError, match="a vertical line has no single tpr, got the line of neyman_pearson = 0.1"):
        limit.at(0.5)
    assert iso_line("precision", 0, skew=2).slope == 0


def test_slope_prevalence_and_costs_are_inverse():
    for prevalence, cost_fp, cost_fn in [(0.3, 1, 5), (0.001, 2, 3), (0.5, 1, 1)]:
        slope = equal_cost_slope(prevalence=prevalence, cost_fp=cost_fp, cost_fn=cost_fn)
        assert prevalence_of_slope(slope, cost_fp=cost_fp, cost_fn=cost_fn) == pytest.approx(prevalence)
        assert cost_ratio_of_slope(slope, prevalence=prevalence) == pytest.approx(cost_fp / cost_fn)
        assert skew_of_prevalence(prevalence) == pytest.approx(equal_cost_slope(prevalence=prevalence))
    assert prevalence_of_slope(math.inf) == 0
    assert prevalence_of_slope(0) == 1


@given(pos=SCORES, neg=SCORES, slope=st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, 7.0, 1e9, math.inf]))
def test_tangent_property_touches_and_nothing_lies_above(pos, neg, slope):
    curve = roc_curve(Tally.from_samples(np.array(pos, float), np.array(neg, float)))
    touch = tangent_points(curve, slope)
    if math.isinf(slope):
        assert np.all(touch.fpr == 0)
        assert touch.tpr[0] == curve.tpr[curve.fpr == 0].max()
        assert touch.intercept is None
    else:
        # Exact in fractions: which vertices maximise P N (tpr - m fpr)?
        gain = [
            round(t * len(pos)) * len(neg) - slope * round(f * len(neg)) * len(pos)
            for f, t in zip(*list(curve)[:2], strict=True)
        ]
        want = [at for at, value in enumerate(gain) if value == max(gain)]
        assert touch.positions.tolist() == want
        assert touch.intercept == pytest.approx(max(gain) / (len(pos) * len(neg)), abs=1e-6)
    on_hull = tangent_points(hull_of_curve(curve), slope)
    assert set(on_hull.fpr) <= set(touch.fpr), "optima lie on the hull"
    assert touch.rows()[0]["threshold"] == touch.thresholds[0]


def test_ready_made_points_have_no_thresholds():
    touch = tangent_points(curve_from_points([0.1, 0.5], [0.5, 0.9]), 1)
    assert touch.thresholds is None
    assert "threshold" not in touch.rows()[0]
    assert iso_value("accuracy", [0.1, 0.2], [0.5, 0.6], prevalence=0.5).tolist() == pytest.approx([0.7, 0.7])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: iso_line("acc", 0.5, skew=1), "metric must be one of 'accuracy', .*got 'acc'"),
        (lambda: iso_line("accuracy", 0.5), "accuracy needs either skew or prevalence, got neither"),
        (lambda: iso_line("accuracy", 0.5, skew=1, prevalence=0.5), "accuracy needs either .* got both"),
        (lambda: iso_line("accuracy", 1.5, skew=1), "value of accuracy must lie between 0 and 1, got 1.5"),
        (lambda: iso_line("accuracy", 0.5, skew=-1), "skew must be a finite number above 0, got -1"),
        (lambda: iso_line("cost", -1, skew=1), "value of cost must lie between 0 and inf, got -1"),
        (lambda: iso_line("f_measure", 0.5, skew=1, beta=0), "beta must be a finite number above 0, got 0"),
        (lambda: iso_value("accuracy", 2, 0.5, skew=1), "fpr must lie between 0 and 1, got 2"),
        (lambda: iso_line_through("precision", 0, 0, skew=1), "precision has no line through the point"),
        (lambda: equal_cost_slope(prevalence=0), "prevalence must lie strictly between 0 and 1, got 0"),
        (lambda: tangent_points(curve_from_points([0.1], [0.5]), -1), "slope must be a number >= 0, got -1"),
        (lambda: prevalence_of_slope(math.nan), "slope must be a number >= 0, got nan"),
    ],
)
def test_errors(call, message):
    with pytest.raises(InputError, match=message):
        call()
