"""Worked examples of the source texts and of the literature, by their printed numbers."""

from __future__ import annotations

import json

import numpy as np
import pytest

import roclab as rl
from roclab.areas.methods import METHODS
from roclab.models.logistic import fit_logistic
from tests.conftest import HERE

EXAMPLES = json.loads((HERE / "published" / "data" / "worked_examples.json").read_text())
SEISMOLOGY = json.loads((HERE / "published" / "data" / "seismology.json").read_text())


def test_fawcett_20_instances_published():
    r = rl.roc(EXAMPLES["greek_fig_2_3"]["label"], EXAMPLES["greek_fig_2_3"]["score"])
    assert r.auc().area == pytest.approx(0.68)
    assert r.at(threshold=0.54).matrix.metrics()["accuracy"] == pytest.approx(0.70)
    assert r.at(threshold=0.5).matrix.metrics()["accuracy"] == pytest.approx(0.60)
    best = max(r.at(threshold=t).matrix.metrics()["accuracy"] for t in r.thresholds)
    assert best == pytest.approx(0.70)
    assert r.hull().area == pytest.approx(0.755)
    assert r.auc("gini").area == pytest.approx(0.36)


def test_fawcett_perfect_ranking_published():
    """AUC 1 while accuracy is 80% at 0.5 and 90% at 0.6: a ranking is not a calibration."""
    example = EXAMPLES["greek_fig_2_4"]
    r = rl.roc(example["label"], example["score"])
    assert r.auc().area == 1
    assert r.confusion(0.5).metrics()["accuracy"] == pytest.approx(0.8)
    assert r.confusion(0.6).metrics()["accuracy"] == pytest.approx(0.9)


def test_slovenian_table_5_3_published():
    example = EXAMPLES["slovenian_table_5_3"]
    r = rl.roc(example["label"], example["score"])
    assert r.fpr.tolist() == pytest.approx([0, 0, 0.2, 0.2, 0.4, 1])
    assert r.tpr.tolist() == pytest.approx([0, 0.2, 0.6, 0.8, 1, 1])
    assert [METHODS[m].estimate(r.tally) for m in ("empirical", "optimistic", "pessimistic")] == pytest.approx(
        [0.86, 0.92, 0.80]
    )
    assert r.tauc().area == pytest.approx(0.376)
    assert r.auc().standard_error == pytest.approx(0.127279, abs=5e-7)


def test_slovenian_table_5_2_radar_operators_published():
    """The hull of operator B lies above that of A at every false positive rate."""
    table = EXAMPLES["slovenian_table_5_2"]
    hulls = {}
    for name in ("A", "B"):
        points = np.array(table[name])
        hulls[name] = rl.Roc.from_points(points[:, 0], points[:, 1]).hull()
    grid = np.linspace(0, 1, 201)[1:-1]
    assert np.all(hulls["B"].at(grid) > hulls["A"].at(grid))
    assert hulls["A"].area == pytest.approx(0.60)
    front = {tuple(p) for p in table["A"] if not any(q[0] <= p[0] and q[1] >= p[1] and q != p for q in table["A"])}
    on_hull = set(zip(hulls["A"].fpr, hulls["A"].tpr, strict=True)) - {(0.0, 0.0), (1.0, 1.0)}
    assert on_hull == {(0.4, 0.6)}
    assert on_hull <= front, "hull vertices are never dominated"


def test_greek_x11_coordinates_published():
    """Table 4.2 as ready-made points: its trapezoid area is the printed .648, and the best sum is at 24.5."""
    rows = SEISMOLOGY["coordinates_X11"]["rows"]
    fpr, tpr = [row[2] for row in rows], [row[1] for row in rows]
    assert round(rl.Roc.from_points(fpr, tpr).area(), 3) == 0.648
    best = max(rows, key=lambda row: row[1] - row[2])
    assert best[0] == 24.5
    assert 1 + best[1] - best[2] == pytest.approx(1.37)


@pytest.mark.parametrize("row", SEISMOLOGY["confusion"]["rows"], ids=lambda row: row[0])
def test_greek_confusion_matrices_published(row):
    name, tp, fp, fn, tn, accuracy = row
    matrix = rl.results.ConfusionMatrix(tp=tp, fp=fp, fn=fn, tn=tn)
    metrics = matrix.metrics()
    # Printed in whole percent; X2's 53.08 and the rest round or truncate to the printed value.
    assert abs(100 * metrics["accuracy"] - accuracy) < 1
    assert metrics["majority_rate"] == pytest.approx(0.7072, abs=5e-5)
    assert metrics["accuracy"] < metrics["majority_rate"], "no printed accuracy beats always saying yes"
    printed = {r[0]: r for r in SEISMOLOGY["best_cutoffs"]["rows"]}[name]
    # Sensitivity and specificity are printed to three digits from the same matrices.
    assert metrics["tpr"] == pytest.approx(printed[2], abs=6e-4)
    assert metrics["tnr"] == pytest.approx(printed[3], abs=6e-4)


def test_italian_limits_published():
    perfect, chance = EXAMPLES["italian_troc_limits"]["perfect"], EXAMPLES["italian_troc_limits"]["chance"]
    assert rl.roc([1, 1, 0, 0], [4, 3, 2, 1]).tauc(interval=None).area == perfect
    assert rl.roc([1, 1, 0, 0], [1, 1, 1, 1]).tauc(interval=None).area == pytest.approx(chance)


def test_hanley_mcneil_1982_ct_ratings_published():
    """109 CT images rated 1 to 5: area .893, standard error .032 with the empirical Q's."""
    r = rl.Roc.from_ratings([1, 2, 3, 4, 5], pos=[3, 2, 2, 11, 33], neg=[33, 6, 6, 11, 2])
    estimate = r.auc(variance="empirical_q", interval="plain")
    assert round(estimate.area, 3) == 0.893
    assert round(estimate.standard_error, 3) == 0.032
    delong = r.auc(interval="plain")
    assert (round(delong.interval.low, 5), round(delong.interval.high, 5)) == (0.83295, 0.95339)


def test_mason_graham_2002_published(published_table):
    """.839 with ties, .875 without."""
    table = published_table("mason_graham_2002.csv")
    areas = [rl.auc(table["event"].astype(int), table[name].astype(float)).area for name in ("p_ties", "p_noties")]
    assert [round(area, 3) for area in areas] == [0.839, 0.875]


def test_hand_till_two_class_published(published_table):
    """The two-class example of HandTill2001, AUC .802607561929596: the model that MASS chooses for low birth weight."""
    table = {name: values.astype(int) for name, values in published_table("birth_weight.csv").items()}
    visits = {"one": table["ftv"] == 1, "more": table["ftv"] >= 2}
    columns = {
        **{name: table[name] for name in ("age", "lwt", "smoke", "ht", "ui")},
        "ptd": table["ptl"] > 0,
        **visits,
        **{f"age:{name}": table["age"] * value for name, value in visits.items()},
        "smoke:ui": table["smoke"] * table["ui"],
    }
    fit = fit_logistic({name: values.astype(float) for name, values in columns.items()}, table["low"] == 1)
    assert rl.auc(table["low"], fit.probabilities).area == pytest.approx(0.802607561929596, abs=1e-14)
