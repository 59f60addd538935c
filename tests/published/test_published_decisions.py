"""Cut-offs, hull ranges and H-measures as other tools and the source texts print them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from roclab.data.tally import Tally
from roclab.decisions.coordinates import coordinates
from roclab.decisions.cutoffs import find_cutoff
from roclab.decisions.h_measure import h_measure, ks_statistic
from roclab.decisions.hull_table import hull_table
from roclab.options.criterion import CriterionOptions
from tests.conftest import HERE

HULL = json.loads((HERE / "published" / "data" / "hull_ranges.json").read_text())
SEISMOLOGY = json.loads((HERE / "published" / "data" / "seismology.json").read_text())


def marker(asah, name):
    return Tally.from_labels(asah["y"], asah[name])


@pytest.mark.parametrize(
    ("criterion", "options", "cutoffs"),
    [
        ("youden", {}, [0.22]),
        ("closest_to_corner", {}, [0.22]),
        ("kappa", {}, [0.22]),
        ("product", {}, [0.22]),
        ("accuracy", {}, [0.52, 0.22]),  # cutpointr averages these two into 0.37, which is no optimum
        ("cost", {}, [0.52, 0.22]),
        ("se_equals_sp", {}, [0.15]),
        ("max_min_se_sp", {}, [0.16]),
        ("closest_to_predictive_corner", {}, [0.52]),
        ("min_p", {}, [0.52]),
    ],
)
def test_optimal_cutpoints_published(asah, criterion, options, cutoffs):
    """OptimalCutpoints on s100b: cut-offs are observed values, all tied ones are listed."""
    found = find_cutoff(marker(asah, "s100b"), CriterionOptions(criterion=criterion, **options))
    assert [one.threshold for one in found.optima] == cutoffs


def test_optimal_cutpoints_with_bounds_published(asah):
    tally = marker(asah, "s100b")
    assert find_cutoff(tally, CriterionOptions(require={"specificity": 0.85})).threshold == 0.35
    assert find_cutoff(tally, CriterionOptions(require={"sensitivity": 0.85})).threshold == 0.09
    # MaxDOR prints 0.52; from there on no false positive is left and the odds ratio is infinite.
    odds = find_cutoff(tally, CriterionOptions(criterion="dor"))
    assert odds.threshold == 0.52
    assert odds.value == np.inf


@pytest.mark.parametrize(
    ("name", "youden", "se", "sp", "counts", "corner"),
    [
        ("s100b", 0.205, 0.6341463, 0.8055556, (26, 14, 58, 15), 0.205),
        ("wfns", 3.5, 0.6341463, 0.8333333, (26, 12, 60, 15), 2.5),
        ("ndka", 11.08, 0.7073171, 0.5138889, (29, 35, 37, 12), 12.73),
    ],
)
def test_proc_best_published(asah, name, youden, se, sp, counts, corner):
    """pROC's coords(…, "best"): thresholds are midpoints; seven printed digits."""
    best = find_cutoff(marker(asah, name), CriterionOptions(rule="midpoints")).best
    assert best.threshold == pytest.approx(youden, abs=1e-9)
    assert (best.tpr, best.specificity) == pytest.approx((se, sp), abs=5e-8)
    matrix = best.matrix
    assert (matrix.tp, matrix.fp, matrix.tn, matrix.fn) == counts
    found = find_cutoff(marker(asah, name), CriterionOptions(criterion="closest_to_corner", rule="midpoints"))
    assert found.threshold == pytest.approx(corner, abs=1e-9)


def test_proc_weighted_best_published(asah):
    """best.weights = c(5, 0.2): Se + r Sp with r = 0.8 is 1.278590786 at 0.205; ours is the same point by its cost."""
    found = find_cutoff(
        marker(asah, "s100b"), CriterionOptions(criterion="cost", prevalence=0.2, cost_fn=5, rule="midpoints")
    )
    assert found.threshold == pytest.approx(0.205)
    slope = found.details["optimal_slope"]
    assert slope == pytest.approx(0.8)
    assert 1 + slope - found.value / (0.2 * 5) == pytest.approx(1.278590786, abs=5e-10)
    metrics = found.best.matrix.metrics()
    printed = {
        "ppv": 0.65,
        "npv": 0.7945205479,
        "accuracy": 0.7433628319,
        "lr_plus": 3.261324042,
        "lr_minus": 0.4541631623,
    }
    for name, value in printed.items():
        assert metrics[name] == pytest.approx(value, abs=5e-10)


@pytest.mark.parametrize(
    ("name", "h", "hull_area", "ks"),
    [
        ("s100b", 0.2953548710, 0.7638888889, 0.4397018970),
        ("wfns", 0.3718700798, 0.8263888889, 0.4674796748),
        ("ndka", 0.0910893833, 0.6521002710, 0.2212059621),
    ],
)
def test_hmeasure_published(asah, name, h, hull_area, ks):
    """The R package's default prior: severity ratio P/N, that is Beta(2, 1 + N/P); ten printed digits."""
    found = h_measure(marker(asah, name), severity_ratio="data")
    assert found.h == pytest.approx(h, abs=1e-9)
    assert found.hull_area == pytest.approx(hull_area, abs=5e-11)
    assert found.ks == pytest.approx(ks, abs=5e-11)
    assert ks_statistic(marker(asah, name)).statistic == pytest.approx(ks, abs=5e-11)


def test_italian_table_4_4_layout_published():
    """Its scores are not public: points with the printed slopes reproduce the printed table, row by row."""
    rows = HULL["rows"]
    slopes = [float("inf") if row[1] == "inf" else row[1] for row in rows]
    # One vertex per row, in falling slope: walk right and up along the printed slopes, scaled to end at (1, 1).
    steep_first = slopes[::-1]
    runs = np.array([0.0, 1e-4, 0.05, 0.2, 0.3])
    rises = np.array([0.05, *(slope * run for slope, run in zip(steep_first[1:], runs[1:], strict=True))])
    fpr, tpr = np.cumsum(runs), np.cumsum(rises)
    tpr = tpr / tpr[-1] if tpr[-1] > 1 else tpr + (1 - tpr[-1])
    owners = [row[0] for row in rows[::-1]]
    points: dict[str, list[tuple[float, float]]] = {}
    for name, f, t in zip(owners, fpr, tpr, strict=True):
        points.setdefault(name, []).append((float(f), float(t)))
    table = hull_table(points)
    printed = [
        [row[0], pytest.approx(slope, rel=1e-9), pytest.approx(row[2], abs=1e-9)]
        for row, slope in zip(rows, slopes, strict=True)
    ]
    assert [list(row.values()) for row in table.rows()] == printed
    assert list(table.rows()[0]) == ["method", "max slope", "min slope"]
    assert str(table).splitlines()[:3] == [
        "method  max slope  min slope",
        "rbnc       0.0688     0.0000",
        "loglc      0.1750     0.0688",
    ]


@pytest.mark.parametrize("row", SEISMOLOGY["confusion"]["rows"], ids=lambda row: row[0])
def test_greek_best_cutoffs_published(row):
    """Table 4.4: the two-score table behind each printed matrix has the printed optimum, unless chance beats it."""
    name, tp, fp, fn, tn, _ = row
    printed = {r[0]: r for r in SEISMOLOGY["best_cutoffs"]["rows"]}[name]
    cutoff = printed[1]
    tally = Tally.from_counts(np.array([cutoff + 0.5, cutoff - 0.5]), np.array([tp, fn]), np.array([fp, tn]))
    found = find_cutoff(tally, CriterionOptions(rule="spss"))
    if name == "X1":
        # E37: sensitivity + specificity = .956 is no optimum; the direction is reversed.
        assert found.value == 0
        assert found.best.threshold == cutoff + 1.5
        other = find_cutoff(tally.reversed())
        assert other.value == pytest.approx(1 - 0.956, abs=1e-3)
    else:
        assert found.best.threshold == cutoff
        assert (found.best.tpr, found.best.specificity) == pytest.approx((printed[2], printed[3]), abs=6e-4)


def test_greek_table_4_3_layout_published():
    """Cut-off, sensitivity, 1 - specificity and their sum, sorted by the sum: 24.5 with 1.370 comes first."""
    rows = SEISMOLOGY["coordinates_X11"]["rows"]
    cutoffs = np.array([row[0] for row in rows], float)
    pos, neg = (np.rint(-1000 * np.diff([row[at] for row in rows])).astype(int) for at in (1, 2))
    scores = [1.0]
    for middle in cutoffs[1:-1]:
        scores.append(2 * middle - scores[-1])
    table = coordinates(Tally.from_counts(np.array(scores), pos, neg), rule="spss")
    assert str(table.table(sort_by="sum", head=2)).splitlines() == [
        "positive if greater than or equal to the cut-off (spss values)",
        "cut-off  sensitivity  1 - specificity    sum",
        "24.5           0.579            0.209  1.370",
        "  32           0.443            0.102  1.341",
    ]
    assert str(table).splitlines()[2].split() == ["0", "1.000", "1.000", "1.000"]
