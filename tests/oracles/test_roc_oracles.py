"""Every ROC oracle: vertices, areas, hull, partial areas, the tAUC family and standard errors."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.areas.methods import METHODS
from roclab.areas.partial import partial_area
from roclab.curves.hull import hull_of_curve, hull_of_tally
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.errors import OneClassError
from roclab.inference.one_area.delong import delong_variance
from roclab.inference.one_area.hanley_mcneil import empirical_q_se, hanley_mcneil_se, null_se, tie_corrected_null_se
from tests.conftest import HERE, decoded, oracle

NAMES = sorted(path.stem for path in (HERE / "oracles" / "open").glob("roc_*.json") if path.stem != "roc_one_class")


def load(name):
    case = oracle(name)
    tally = Tally.from_labels(
        np.array(case["inputs"]["labels"], dtype=bool), np.array(case["inputs"]["scores"], dtype=float)
    )
    return case["expected"], tally, case["tolerance_abs"]


@pytest.mark.parametrize("name", NAMES)
def test_vertices_oracle(name):
    expected, tally, tolerance = load(name)
    curve = roc_curve(tally)
    np.testing.assert_allclose(curve.fpr, expected["fpr"], atol=tolerance)
    np.testing.assert_allclose(curve.tpr, expected["tpr"], atol=tolerance)
    assert curve.thresholds.tolist() == [decoded(t) for t in expected["thresholds"]]
    assert (tally.n_pos, tally.n_neg) == (expected["n_pos"], expected["n_neg"])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("method", "key"),
    [
        ("empirical", "auc"),
        ("optimistic", "auc_optimistic"),
        ("pessimistic", "auc_pessimistic"),
        ("gini", "gini"),
        ("hull", "hull_auc"),
    ],
)
def test_areas_oracle(name, method, key):
    expected, tally, tolerance = load(name)
    assert METHODS[method].estimate(tally) == pytest.approx(expected[key], abs=tolerance)


@pytest.mark.parametrize("name", NAMES)
def test_hull_vertices_oracle(name):
    expected, tally, tolerance = load(name)
    curve = roc_curve(tally)
    for hull in (hull_of_tally(tally, curve), hull_of_curve(curve)):
        np.testing.assert_allclose(np.column_stack([hull.fpr, hull.tpr]), expected["hull_points"], atol=tolerance)


@pytest.mark.parametrize("name", NAMES)
def test_partial_areas_oracle(name):
    expected, tally, tolerance = load(name)
    curve = roc_curve(tally)
    for row in expected["partial_auc"]:
        part = partial_area(curve, **{row["focus"]: tuple(row["range"])})
        assert part.area == pytest.approx(row["pauc"], abs=tolerance)
        assert part.chance == pytest.approx(row["min"], abs=tolerance)
        assert part.largest == pytest.approx(row["max"], abs=tolerance)
        assert part.standardised("jiang") == pytest.approx(row["jiang"], abs=tolerance)
        assert part.standardised("mcclish") == pytest.approx(row["mcclish"], abs=tolerance)


@pytest.mark.parametrize("name", NAMES)
def test_tauc_family_oracle(name):
    expected, tally, tolerance = load(name)
    want = expected["tauc"]
    for method, key in [
        ("tauc", "tauc"),
        ("tauc_indicator", "tauc_triple_indicator"),
        ("tauc_half_ties", "tauc_triple_half_ties"),
        ("t2auc", "t2auc_corrected_sqrt_1mfpr"),
        ("t2auc_as_published", "t2auc_as_printed_sqrt_fpr"),
    ]:
        assert METHODS[method].estimate(tally) == pytest.approx(want[key], abs=tolerance), method
    assert METHODS["tauc"].estimate(tally.reversed()) == pytest.approx(want["tauc_of_negated"], abs=tolerance)
    troc = rl.Roc(tally=tally).troc()
    np.testing.assert_allclose(np.column_stack([troc.fpr, troc.p_correct]), want["troc_points"], atol=tolerance)


@pytest.mark.parametrize("name", NAMES)
def test_standard_errors_oracle(name):
    expected, tally, tolerance = load(name)
    want = expected["inference"]
    area = METHODS["empirical"].estimate(tally)
    assert hanley_mcneil_se(area, tally.n_pos, tally.n_neg) == pytest.approx(want["se_hm"], abs=tolerance)
    assert null_se(tally.n_pos, tally.n_neg) == pytest.approx(want["se_null"], abs=tolerance)
    assert tie_corrected_null_se(tally) == pytest.approx(want["se_null_tie_corrected"], abs=tolerance)
    assert empirical_q_se(tally) == pytest.approx(want["spss_se"], abs=tolerance)


@pytest.mark.parametrize("name", NAMES)
def test_delong_oracle(name):
    expected, tally, tolerance = load(name)
    variance = delong_variance(tally, METHODS["empirical"].estimate(tally))
    want = expected["delong"]["var"]
    if want is None:
        assert np.isnan(variance)
        assert "only one" in variance.reason
    else:
        assert variance == pytest.approx(want, abs=tolerance)


def test_one_class_oracle():
    case = oracle("roc_one_class")
    assert case["expected"] == {"status": "one_class"}
    with pytest.raises(OneClassError, match="must hold two classes, got only 1 in 3 cases"):
        rl.roc(case["inputs"]["labels"], case["inputs"]["scores"])
