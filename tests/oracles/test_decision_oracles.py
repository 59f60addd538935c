"""Oracles of cut-offs, lines of equal performance, the joint hull, costs and performance ties."""

from __future__ import annotations

import numpy as np
import pytest

from roclab.areas.empirical import auc, trapezoid
from roclab.curves.roc import curve_from_points, roc_curve
from roclab.data.tally import Tally
from roclab.decisions.coordinates import coordinates
from roclab.decisions.costs import expected_cost, lowest_cost
from roclab.decisions.cutoffs import find_cutoff
from roclab.decisions.hull_table import hull_table
from roclab.decisions.iso_performance import iso_line_through, iso_value
from roclab.decisions.lc_index import lc_index, least_loss
from roclab.decisions.ties import performance_ties
from roclab.inference.one_area.area_tests import auc_test
from roclab.inference.one_area.hanley_mcneil import empirical_q_se
from roclab.options.criterion import CriterionOptions
from tests.conftest import HERE, decoded, oracle

ROC_CASES = sorted(path.stem for path in (HERE / "oracles" / "open").glob("roc_*.json") if path.stem != "roc_one_class")


def tally_of(inputs):
    return Tally.from_labels(np.array(inputs["labels"], bool), np.array(inputs["scores"], float))


@pytest.mark.parametrize("name", ROC_CASES)
@pytest.mark.parametrize(
    ("criterion", "key", "value"),
    [
        ("youden", "youden", "j"),
        ("closest_to_corner", "closest_to_01", "distance"),
        ("accuracy", "max_accuracy", "accuracy"),
    ],
)
def test_best_cutoff_oracle(name, criterion, key, value):
    case = oracle(name)
    want = case["expected"][key]
    found = find_cutoff(tally_of(case["inputs"]), CriterionOptions(criterion=criterion))
    assert found.value == pytest.approx(want[value], abs=case["tolerance_abs"])
    assert found.best.threshold == decoded(want["threshold"])
    assert [found.best.fpr, found.best.tpr] == pytest.approx(want["point"], abs=case["tolerance_abs"])


@pytest.mark.parametrize("name", ROC_CASES)
def test_neyman_pearson_oracle(name):
    case = oracle(name)
    for want in case["expected"]["neyman_pearson"]:
        found = find_cutoff(
            tally_of(case["inputs"]), CriterionOptions(criterion="neyman_pearson", max_fpr=want["fpr_max"])
        )
        assert found.best.threshold == decoded(want["threshold"])
        assert [found.best.fpr, found.best.tpr] == pytest.approx(want["point"], abs=case["tolerance_abs"])
        assert found.randomised.tpr == pytest.approx(want["tpr_interpolated"], abs=case["tolerance_abs"])
        assert found.randomised.fpr == pytest.approx(want["fpr_max"], abs=1e-12)


def test_tied_optima_oracle():
    """Fawcett's 20 cases ties (.3, .6) and (.4, .7) for the corner; slov10 ties (.2, .8) and (.4, 1) for the sum."""
    corner = find_cutoff(tally_of(oracle("roc_fawcett20")["inputs"]), CriterionOptions(criterion="closest_to_corner"))
    assert [(one.fpr, one.tpr) for one in corner.optima] == [(0.3, 0.6), (0.4, 0.7)]
    youden = find_cutoff(tally_of(oracle("roc_slovenian10")["inputs"]), CriterionOptions(criterion="youden"))
    assert [(one.fpr, one.tpr) for one in youden.optima] == [(0.2, 0.8), (0.4, 1.0)]


def test_cost_oracle():
    case = oracle("cost_fawcett20")
    inputs, want = case["inputs"], case["expected"]
    tally = tally_of(inputs)
    conditions = {"prevalence": inputs["p_pos"], "cost_fp": inputs["c_fp"], "cost_fn": inputs["c_fn"]}
    found = find_cutoff(tally, CriterionOptions(criterion="cost", **conditions))
    assert found.details["optimal_slope"] == pytest.approx(want["slope"], abs=case["tolerance_abs"])
    assert found.value == pytest.approx(want["optimal"]["cost"], abs=case["tolerance_abs"])
    assert found.best.threshold == want["optimal"]["threshold"]
    assert [found.best.fpr, found.best.tpr] == want["optimal"]["point"]
    curve = roc_curve(tally)
    np.testing.assert_allclose(
        expected_cost(curve.fpr, curve.tpr, **conditions), want["costs"], atol=case["tolerance_abs"]
    )
    assert lowest_cost(curve, **conditions).threshold == want["optimal"]["threshold"]


def test_spss_coordinates_oracle():
    case = oracle("spss_slov10")
    want, tolerance = case["expected"], case["tolerance_abs"]
    tally = tally_of(case["inputs"])
    table = coordinates(tally, rule="spss")
    rows = table.rows()
    assert [list(row.values()) for row in rows] == [
        pytest.approx([r["cutoff"], r["sensitivity"], r["one_minus_specificity"], r["sum"]], abs=tolerance)
        for r in want["coordinates"]
    ]
    best = table.table(sort_by="sum", head=1).rows()[0]
    assert list(best.values()) == pytest.approx(list(want["best"].values()), abs=tolerance)
    assert find_cutoff(tally, CriterionOptions(rule="spss")).best.threshold == pytest.approx(
        want["best"]["cutoff"], abs=tolerance
    )
    assert auc(tally) == pytest.approx(want["area"], abs=tolerance)
    assert empirical_q_se(tally) == pytest.approx(want["std_error"], abs=tolerance)
    assert auc_test(tally, test="null").p_value == pytest.approx(want["asymptotic_sig"], abs=tolerance)


def test_greek_table_4_2_oracle():
    """The printed coordinates as a frequency table: each step between rows is a share of the cases."""
    case = oracle("spss_thesis_table_4_2")
    rows = case["inputs"]["rows"]
    want = case["expected"]
    fpr = np.array([row["one_minus_specificity"] for row in rows])
    tpr = np.array([row["sensitivity"] for row in rows])
    assert trapezoid(curve_from_points(fpr, tpr)) == pytest.approx(want["auc_trapezoid"], abs=case["tolerance_abs"])
    # Printed rates of 7308 and 3026 cases, back as whole thousandths of positives and negatives per score.
    steps = [np.rint(1000 * -np.diff(column)).astype(int) for column in (tpr, fpr)]
    cutoffs = np.array([row["cutoff"] for row in rows], float)
    scores = [cutoffs[0] + 1]  # the first cut-off is min - 1, the others are midpoints
    for middle in cutoffs[1:-1]:
        scores.append(2 * middle - scores[-1])
    assert scores[0] == want["implied_min"]
    assert scores[-1] == want["implied_max"] == cutoffs[-1] - 1
    tally = Tally.from_counts(np.array(scores), *steps)
    table = coordinates(tally, rule="spss")
    np.testing.assert_allclose(np.sort(table.thresholds), cutoffs)
    best = table.table(sort_by="sum", head=1).rows()[0]
    assert best["cut-off"] == want["best_cutoff"]
    assert best["sum"] == pytest.approx(want["best_sum"], abs=case["tolerance_abs"])


def test_isometrics_oracle():
    case = oracle("isometrics_a")
    inputs, tolerance = case["inputs"], case["tolerance_abs"]
    skew = {"skew": inputs["c"]}
    costs = {"prevalence": inputs["p_pos"], "cost_fp": inputs["c_fp"], "cost_fn": inputs["c_fn"]}
    for want in case["expected"]:
        fpr, tpr = want["point"]
        assert tpr * (1 - fpr) == pytest.approx(want["p_cr"])
        for metric, key, short, conditions in [
            ("accuracy", "accuracy", "accuracy", skew),
            ("precision", "precision", "precision", skew),
            ("f_measure", "f_measure", "f", skew),
            ("cost", "cost", "cost", costs),
        ]:
            assert float(iso_value(metric, fpr, tpr, **conditions)) == pytest.approx(want[key], abs=tolerance)
            line = iso_line_through(metric, fpr, tpr, **conditions)
            expected = want[f"line_{short}"]
            if expected is None:
                assert (line.intercept, line.fpr) == (None, 0.0)
                continue
            assert line.slope == pytest.approx(expected["slope"], abs=tolerance)
            assert line.intercept == pytest.approx(expected["intercept"], abs=tolerance)
            points = np.array(want[f"troc_iso_{short}_at"])
            np.testing.assert_allclose(line.troc_at(points[:, 0]), points[:, 1], atol=tolerance)


def test_hull_table_oracle():
    case = oracle("hull_table_4_classifiers")
    want, tolerance = case["expected"], case["tolerance_abs"]
    table = hull_table(case["inputs"]["classifiers"])
    np.testing.assert_allclose([[one.fpr, one.tpr] for one in table.vertices], want["hull"], atol=tolerance)
    assert table.area == pytest.approx(want["hull_auc"], abs=tolerance)
    with_range = [one for one in table.vertices if one.max_slope > one.min_slope]
    for one, row in zip(with_range, want["vertex_rows"], strict=True):
        assert one.classifier == row["classifier"]
        assert [one.fpr, one.tpr] == pytest.approx(row["point"], abs=tolerance)
        assert one.max_slope == pytest.approx(decoded(row["slope_max"]), abs=tolerance)
        assert one.min_slope == pytest.approx(row["slope_min"], abs=tolerance)
    assert [list(row.values()) for row in table.rows()] == [
        [row["classifier"], pytest.approx(decoded(row["slope_max"])), pytest.approx(row["slope_min"], abs=tolerance)]
        for row in want["table_4_4"]
    ]
    for row in want["optimal_at_slope"]:
        best = table.at_slope(row["slope"])[0]
        assert best.classifier == row["classifier"]
        assert [best.fpr, best.tpr] == pytest.approx(row["point"], abs=tolerance)


def test_lc_index_oracle():
    case = oracle("lc_index_a")
    inputs, want, tolerance = case["inputs"], case["expected"], case["tolerance_abs"]
    tallies = [tally_of(inputs[name]) for name in ("classifier1", "classifier2")]
    curves = [roc_curve(tally) for tally in tallies]
    found = lc_index(
        *curves, prevalence=inputs["p_pos"], interval=tuple(inputs["interval"]), mode=inputs["mode"], names=("1", "2")
    )
    assert found.index == pytest.approx(want["lc"], abs=tolerance)
    assert len(found.regions) == len(want["regions"])
    for region, row in zip(found.regions, want["regions"], strict=True):
        assert [region.low, region.high] == pytest.approx(row["c"], abs=tolerance)
        assert region.better == {1: "1", -1: "2", 0: None}[row["sign"]]
        assert region.weight == pytest.approx(row["weight"], abs=tolerance)
    hulls = [hull_table({"it": curve}).hull for curve in curves]
    for row in want["loss_at"]:
        for hull, key in zip(hulls, ("loss1", "loss2"), strict=True):
            loss = least_loss(hull, row["c"], prevalence=inputs["p_pos"])
            assert float(loss[0]) == pytest.approx(row[key], abs=tolerance)


def test_performance_tie_oracle():
    case = oracle("performance_tie_a")
    want = case["expected"]
    found = performance_ties({name: tally_of(case["inputs"][name]) for name in ("original", "mirror")})
    for row in found.ranking:
        assert row.auc == pytest.approx(want[row.score]["auc"], abs=case["tolerance_abs"])
        assert row.tauc == pytest.approx(want[row.score]["tauc"], abs=case["tolerance_abs"])
        assert row.auc_rank == 1
    (tie,) = found.ties
    assert tie.kind == "mirrored curves"
    assert tie.by_tauc == tie.by_partial == want["winner"]
    assert [row.score for row in found.ranking] == ["original", "mirror"]
