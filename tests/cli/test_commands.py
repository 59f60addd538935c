"""Every command prints the library's own digits: --json is to_json(), --csv is to_csv(), the default is str()."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.inference.comparison.by_bootstrap import compare_at_rate
from roclab.inference.comparison.contrasts import named_contrast
from roclab.inference.comparison.covariance import covariance_of_cases, covariance_of_groups
from roclab.inference.comparison.margins import with_adjusted_claims
from roclab.inference.comparison.published import hanley_mcneil_1983
from roclab.inference.comparison.venkatraman import venkatraman_paired, venkatraman_unpaired
from roclab.inference.one_area.area import area_of_method, area_of_region
from roclab.inference.one_area.area_tests import auc_test
from roclab.inference.one_area.estimate import estimate_area
from roclab.inference.one_curve.fixed_rate import rate_at
from roclab.options.comparison import AreaComparison
from tests.cli.conftest import ALL, COLUMNS, DATA, FILE, answer, cases_of, roc_of, same, scores

# -- auc -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"estimator": "tauc", "level": 0.9}, ["--estimator", "tauc", "--level", 0.9]),
        ({"interval": "plain", "standard_error": "bamber"}, ["--ci", "plain", "--se", "bamber"]),
        ({"interval": "exact", "side": "lower"}, ["--interval", "exact", "--side", "lower"]),
        ({"interval": None}, ["--ci", "none"]),
    ],
)
def test_auc_definition_is_the_area_table(shell, options, arguments):
    expected = area_table(FILE, **COLUMNS, score=ALL, **options)
    same(shell, expected, "auc", "example", *DATA, *scores(*ALL), *arguments)


def test_auc_definition_resamples_as_the_library_does(shell):
    how = rl.Resampling(replicates=100, scheme="plain", workers=2)
    expected = area_table(FILE, **COLUMNS, score=ALL[:2], interval="bca", resampling=how, rng=7)
    options = ["--ci", "bca", "--seed", 7, "--replicates", 100, "--scheme", "plain", "--workers", 2]
    same(shell, expected, "auc", FILE, *DATA, *scores(*ALL[:2]), *options)


def test_auc_without_a_seed_names_one_that_repeats_the_result(shell):
    arguments = ["auc", "example", *DATA, *scores(*ALL), "--ci", "percentile", "--replicates", 60]
    found = answer(shell, *arguments)
    methods = {one["interval"]["method"] for one in found["estimates"]}
    assert len(methods) == 1
    seed = methods.pop().split("seed ")[1].split(")")[0]
    assert answer(shell, *arguments, "--seed", seed) == found


def test_auc_of_a_region(shell):
    area = area_of_region(fpr=(0, 0.2), standardize="mcclish")
    expected = estimate_area(cases_of("lactate").tally(), area).to_dict()
    arguments = ["--fpr", 0, 0.2, "--standardize", "mcclish"]
    assert answer(shell, "auc", "example", *DATA, *scores("lactate"), *arguments)["estimates"] == [expected]


def test_auc_with_a_test_of_each_area(shell):
    asked = ["--null", 0.7, "--test", "hanley_mcneil", "--alternative", "greater"]
    arguments = ["auc", "example", *DATA, *scores(*ALL[:2]), *asked]
    found = answer(shell, *arguments)
    for name, area, test in zip(ALL, found["estimates"], found["tests"], strict=False):
        tally = cases_of(name).tally()
        assert area == estimate_area(tally, area_of_method("empirical")).to_dict()
        assert test == auc_test(tally, null=0.7, test="hanley_mcneil", alternative="greater").to_dict()
    text = shell(*arguments).stdout
    assert "AUC against 0.7 (hanley_mcneil)" in text
    assert "a higher score means positive" in text
    rows = shell(*arguments, "--csv").stdout.splitlines()
    assert rows[0].endswith("hypothesis,z,p,alternative")
    assert len(rows) == 3


def test_auc_tests_any_area(shell):
    expected = area_table(FILE, **COLUMNS, score="lactate", estimator="gini", null=0.5)
    same(shell, expected, "auc", "example", *DATA, *scores("lactate"), "--estimator", "gini", "--null", 0.5)


def test_compare_clusters_wherever_subjects_are_named(shell):
    expected = rl.compare(FILE, **COLUMNS, score=ALL, ids="ward", interval="plain")
    assert "5 clusters" in same(
        shell, expected, "compare", "example", *DATA, *scores(*ALL), "--id", "ward", "--ci", "plain"
    )


def test_auc_by_fold(shell):
    found = answer(shell, "auc", "example", *DATA, *scores("lactate"), "--fold", "ward")
    folds = cases_of("lactate", folds="ward").by_fold()
    areas = [estimate_area(part.tally(), area_of_method("empirical")).area for part in folds.values()]
    named = [*(f"lactate, {fold}" for fold in folds), "lactate, mean of folds"]
    assert [one["sample"]["score"] for one in found["estimates"]] == named
    assert [one["area"] for one in found["estimates"][:-1]] == areas
    mean = rl.auc(cases_of("lactate", folds="ward"))
    assert found["estimates"][-1]["area"] == mean.area == pytest.approx(np.mean(areas))
    # the test of the mean and its interval share one variance, so that they never contradict each other
    for null in mean.interval:
        tested = area_table(cases_of("lactate", folds="ward"), null=null).tests[-1]
        assert tested.p_value == pytest.approx(0.05, abs=1e-9)


def test_auc_directions(shell):
    turned = area_table(FILE, **COLUMNS, score=ALL[1:], direction={"lactate": "lower", "concern": "higher"})
    same(shell, turned, "auc", "example", *DATA, *scores(*ALL[1:]), "--direction", "lactate=lower")
    both = area_table(FILE, **COLUMNS, score=ALL[1:], direction={"lactate": "lower", "concern": "higher"})
    directions = ["--direction", "lower", "--direction", "concern=higher"]
    same(shell, both, "auc", "example", *DATA, *scores(*ALL[1:]), *directions)
    chosen = area_table(FILE, label="outcome", pos_label="recovered", score="lactate", direction="auto")
    same(
        shell,
        chosen,
        *["auc", "example", "--label", "outcome", "--positive", "recovered", *scores("lactate"), "--direction", "auto"],
    )


def test_auc_reads_other_ways_of_writing_files(shell, tmp_path):
    path = tmp_path / "german.csv"
    path.write_text("y;s;w\n1;0,5;2\n0;0,1;1\n1;;1\n0;0,7;3\n1;0,9;1\n", encoding="utf-8")
    arguments = ["--label", "y", "--score", "s", "--weight", "w", "--weights", "frequency", "--missing", "drop"]
    found = answer(shell, "auc", path, *arguments, "--delimiter", ";", "--decimal", ",")["estimates"][0]
    assert found["sample"] == {
        **found["sample"],
        "n_pos": 3,
        "n_neg": 4,
        "dropped": 1,
        "weights": "frequency",
    }
    assert found["area"] == pytest.approx((2 * 1 + 1 * 4) / 12)
    tabs = tmp_path / "tabs.csv"
    tabs.write_text("y\ts\n1\t2\n0\t1\n", encoding="utf-8")
    for written in ("\\t", "tab", "\t"):
        assert shell("auc", tabs, "--label", "y", "--score", "s", "--delimiter", written)


def test_auc_reads_a_sheet(shell, tmp_path):
    openpyxl = pytest.importorskip("openpyxl", reason="Excel files need openpyxl")
    book = openpyxl.Workbook()
    for name in ("one", "two"):
        sheet = book.create_sheet(name)
        for row in (["y", "s"], [1, 2.5], [0, 1.5]):
            sheet.append(row)
    path = tmp_path / "book.xlsx"
    book.save(path)
    assert "AUC" in shell("auc", path, "--label", "y", "--score", "s", "--sheet", "two").stdout


# -- curve -----------------------------------------------------------------------------------------

CURVES = {
    "roc": lambda r: r.points(),
    "troc": lambda r: r.troc().points(),
    "pr": lambda r: r.precision_recall().points(),
    "det": lambda r: r.det().points(),
    "cost": lambda r: r.cost().points(),
    "gain": lambda r: r.gain().points(),
    "lift": lambda r: r.gain().points("lift"),
    "hull": lambda r: r.hull().points(),
}


@pytest.mark.parametrize("kind", CURVES)
@pytest.mark.parametrize("ties", ["expected", "optimistic", "pessimistic"])
def test_curve_definition_is_the_points(shell, kind, ties):
    expected = CURVES[kind](rl.roc(FILE, **COLUMNS, score="lactate", ties=ties))
    arguments = ["curve", "example", *DATA, *scores("lactate"), "--curve", kind, "--ties", ties]
    assert shell(*arguments, "--json").stdout == expected.to_json() + "\n"
    assert shell(*arguments, "--csv").stdout == expected.to_csv()
    text = shell(*arguments).stdout
    assert text.startswith(str(expected))
    assert text.endswith("a higher score means positive\n")


def test_curve_simplified_says_its_error(shell):
    whole = roc_of("procalcitonin").points()
    some = whole.simplified(10)
    arguments = ["curve", "example", *DATA, *scores("procalcitonin"), "--points", 10]
    assert shell(*arguments, "--json").stdout == some.to_json() + "\n"
    text = shell(*arguments).stdout
    assert "10 points; no vertex left out is farther than" in text
    assert f"{len(whole)} points in all" in text
    assert f"farther than {some.max_error:.2g} from the line" in text


def test_curve_operating_points(shell):
    r = roc_of("lactate")
    asked = ["--at-fpr", 0.1, "--at-threshold", 2, "--at-tpr", 0.85, "--at-fpr", 0.13]
    found = answer(shell, "curve", "example", *DATA, *scores("lactate"), *asked)
    expected = [r.at(threshold=2), r.at(fpr=0.1), r.at(fpr=0.13), r.at(tpr=0.85)]
    assert found["points"] == [one.to_dict() for one in expected]
    assert found["sample"]["n_pos"] == 90


def test_curve_rates_with_intervals(shell):
    tally = cases_of("lactate").tally()
    how = {"level": 0.9, "resampling": rl.Resampling(replicates=80), "rng": 3}
    expected = [rate_at(tally, specificity=0.9, **how), rate_at(tally, sensitivity=0.8, **how)]
    asked = ["--at-specificity", 0.9, "--at-sensitivity", 0.8, "--level", 0.9, "--replicates", 80, "--seed", 3]
    found = answer(shell, "curve", "example", *DATA, *scores("lactate"), *asked)
    assert found["results"] == [one.to_dict() for one in expected]


def test_curve_rates_and_pointwise_bands_are_resampled_only_if_something_is_said_about_it(shell):
    r = roc_of("lactate")
    lactate = ["curve", "example", *DATA, *scores("lactate")]
    found = answer(shell, *lactate, "--at-specificity", 0.9)
    assert found["results"] == [r.rate_at(specificity=0.9).to_dict()]
    assert shell(*lactate, "--band", "pointwise", "--json").stdout == r.band().to_json() + "\n"
    drawn = answer(shell, *lactate, "--at-specificity", 0.9, "--replicates", 50)
    assert "50 replicates" in drawn["results"][0]["interval"]["method"]


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous", "kolmogorov"])
def test_curve_bands(shell, kind):
    expected = roc_of("lactate").band(kind=kind, points=21, resampling=rl.Resampling(replicates=60), rng=1, level=0.9)
    asked = ["--band", kind, "--points", 21, "--replicates", 60, "--seed", 1, "--level", 0.9]
    arguments = ["curve", "example", *DATA, *scores("lactate"), *asked]
    assert shell(*arguments, "--json").stdout == expected.to_json() + "\n"
    assert f"{kind} band, level 0.9: {expected.method}" in shell(*arguments).stdout


def test_curve_band_at_thresholds(shell):
    expected = roc_of("concern").band(kind="thresholds", proportion="jeffreys")
    arguments = ["curve", "example", *DATA, *scores("concern"), "--band", "thresholds", "--ci", "jeffreys"]
    assert shell(*arguments, "--csv").stdout == expected.to_csv()


# -- confusion -------------------------------------------------------------------------------------


def test_confusion_at_a_threshold(shell):
    r = roc_of("lactate")
    asked = ["--threshold", 2, "--ci", "exact", "--level", 0.9, "--prevalence", 0.05, "--beta", 2]
    arguments = ["confusion", "example", *DATA, *scores("lactate"), *asked]
    found = answer(shell, *arguments)
    matrix = r.confusion(2)
    assert [found["matrix"][name] for name in ("tp", "fp", "fn", "tn")] == [matrix.tp, matrix.fp, matrix.fn, matrix.tn]
    assert found["metrics"] == {**matrix.metrics(prevalence=0.05), "f_beta(2)": matrix.f_beta(2)}
    expected = r.metrics(2, level=0.9, interval="exact", prevalence=0.05).intervals
    assert found["intervals"]["ppv"] == {"low": expected["ppv"].low, "high": expected["ppv"].high, "level": 0.9,
                                         "method": "Clopper-Pearson"}  # fmt: skip
    assert set(found["intervals"]) == set(expected)
    text = shell(*arguments).stdout
    assert "called deteriorated when score >= 2.0000" in text
    assert "sensitivity" in text
    rows = shell(*arguments, "--csv").stdout.splitlines()
    assert rows[:2] == ["metric,value,90% low,90% high,method", f"tp,{matrix.tp},,,"]


def test_confusion_of_predictions(shell, tmp_path):
    path = tmp_path / "calls.csv"
    path.write_text("truth,called,w\nill,ill,1\nill,well,2\nwell,well,3\nwell,ill,4\n", encoding="utf-8")
    arguments = ["confusion", path, "--label", "truth", "--positive", "ill", "--predicted", "called"]
    found = answer(shell, *arguments)["matrix"]
    assert [found[name] for name in ("tp", "fp", "fn", "tn")] == [1, 1, 1, 1]
    weighted = answer(shell, *arguments, "--weight", "w")["matrix"]
    assert [weighted[name] for name in ("tp", "fp", "fn", "tn")] == [1, 4, 2, 3]
    assert "a higher score" not in shell(*arguments).stdout


# -- compare ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"adjust": "fdr", "alternative": "greater"}, ["--adjust", "fdr", "--alternative", "greater"]),
        ({"area": "tauc", "level": 0.9}, ["--area", "tauc", "--level", 0.9]),
        ({"fpr": (0, 0.3), "standardize": "mcclish"}, ["--fpr", 0, 0.3, "--standardize", "mcclish"]),
        ({"variance": "clustered", "ids": "ward"}, ["--variance", "clustered", "--id", "ward"]),
        (
            {"variance": "bootstrap", "area": "hull", "resampling": rl.Resampling(replicates=60), "rng": 5},
            ["--variance", "bootstrap", "--area", "hull", "--replicates", 60, "--seed", 5],
        ),
        (
            {"variance": "clustered_bootstrap", "ids": "ward", "resampling": rl.Resampling(replicates=60), "rng": 5},
            ["--variance", "clustered_bootstrap", "--id", "ward", "--replicates", 60, "--seed", 5],
        ),
    ],
)
def test_compare_definition_is_the_comparison(shell, options, arguments):
    expected = rl.compare(FILE, **COLUMNS, score=ALL, **options)
    same(shell, expected, "compare", "example", *DATA, *scores(*ALL), *arguments)


def test_compare_with_another_interval_of_each_area(shell):
    expected = rl.compare(FILE, **COLUMNS, score=ALL, interval="plain")
    same(shell, expected, "compare", "example", *DATA, *scores(*ALL), "--ci", "plain")
    usual = rl.compare(FILE, **COLUMNS, score=ALL)
    assert expected.pairs == usual.pairs
    assert expected.areas != usual.areas


@pytest.mark.parametrize("pairing", ["unpaired", "mixed"])
def test_compare_groups(shell, halves, pairing):
    groups = {path.stem: rl.read_cases(path, **COLUMNS, score="lactate", ids="patient") for path in halves}
    expected = rl.compare_groups(groups, pairing=pairing)
    same(shell, expected, *["compare", *halves, *DATA, *scores("lactate"), "--id", "patient", "--pairing", pairing])


def test_compare_groups_by_score_and_region(shell, halves):
    groups = {
        name: rl.read_cases(path, **COLUMNS, score=name)
        for name, path in zip(["lactate", "concern"], halves, strict=True)
    }
    covariance = covariance_of_groups(groups, area_of_region(fpr=(0, 0.5)), pairing="unpaired")
    asked = ["--pairing", "unpaired", "--fpr", 0, 0.5, "--ci", "plain"]
    found = answer(shell, "compare", *halves, *DATA, *scores("lactate", "concern"), *asked)
    assert [one["sample"]["score"] for one in found["areas"]] == ["lactate", "concern"]
    assert found["covariance"] == covariance.matrix.tolist()
    assert found["areas"][0]["interval"]["method"] == "influence, plain"


@pytest.mark.parametrize("claim", ["non-inferiority", "equivalence"])
def test_compare_margins(shell, claim):
    scored = ["lactate", "procalcitonin", "concern"]
    expected = rl.compare(FILE, **COLUMNS, score=scored, margin=0.1, claim=claim, level=0.9)
    compared = rl.compare(FILE, **COLUMNS, score=scored, level=0.9)
    alone = [compared.margin("lactate", other, margin=0.1, claim=claim) for other in ("procalcitonin", "concern")]
    assert list(expected.claims) == list(with_adjusted_claims(alone, "holm"))
    arguments = ["compare", "example", *DATA, *scores(*scored), "--margin", 0.1, "--claim", claim, "--level", 0.9]
    text = same(shell, expected, *arguments)
    assert claim in text


def test_compare_contrast(shell):
    weights = {"procalcitonin": 1.0, "lactate": -0.5, "concern": -0.5}
    covariance = covariance_of_cases(cases_of(*ALL), area_of_method("empirical"))
    arguments = ["compare", "example", *DATA, *scores(*ALL), "--contrast", "procalcitonin=1,lactate=-0.5,concern=-.5"]
    same(shell, rl.compare(FILE, **COLUMNS, score=ALL, contrast=weights), *arguments)
    assert answer(shell, *arguments)["contrasts"] == [named_contrast(covariance, weights).to_dict()]


@pytest.mark.parametrize("rate", ["specificity", "sensitivity"])
def test_compare_at_a_rate(shell, rate):
    how = {"resampling": rl.Resampling(replicates=60), "rng": 2}
    cases = cases_of(*ALL[:2])
    arguments = ["compare", "example", *DATA, *scores(*ALL[:2]), f"--at-{rate}", 0.9, "--replicates", 60, "--seed", 2]
    same(shell, rl.compare(cases, **{f"at_{rate}": 0.9}, **how), *arguments)
    found = answer(shell, *arguments)
    assert found["pairs"] == [compare_at_rate(cases, AreaComparison(**{f"at_{rate}": 0.9}, **how)).pairs[0].to_dict()]
    assert [one["rate"] for one in found["areas"]] == [
        rate_at(cases.tally(name), **{rate: 0.9}, **how).rate for name in ALL[:2]
    ]


def test_compare_by_hanley_and_mcneil(shell):
    arguments = ["compare", "example", *DATA, *scores(*ALL), "--variance", "hanley_mcneil", "--adjust", "none"]
    cases = cases_of(*ALL)
    text = same(shell, rl.compare(cases, variance="hanley_mcneil", adjust="none"), *arguments)
    found = answer(shell, *arguments)
    difference, r, _ = hanley_mcneil_1983(cases, "procalcitonin", "lactate")
    assert found["pairs"][0] == difference.to_dict()
    assert len(found["pairs"]) == 3
    assert f"procalcitonin and lactate: correlation of the areas {r:.4f}" in text


def test_compare_unpaired_by_hanley_and_mcneil(shell, halves):
    asked = ["--pairing", "unpaired", "--variance", "hanley_mcneil"]
    found = answer(shell, "compare", *halves, *DATA, *scores("lactate"), *asked)
    areas = [rl.auc(path, **COLUMNS, score="lactate") for path in halves]
    reported = [
        rl.PublishedArea(name=path.stem, area=one.area, n_pos=one.n_pos, n_neg=one.n_neg)
        for path, one in zip(halves, areas, strict=True)
    ]
    assert found["pairs"] == [one.to_dict() for one in rl.compare_published(*reported).pairs]


def test_compare_curves_by_venkatraman(shell, halves):
    how = {"resampling": rl.Resampling(replicates=60), "rng": 4}
    asked = ["--curves", "--replicates", 60, "--seed", 4]
    arguments = ["compare", "example", *DATA, *scores(*ALL), *asked]
    cases = cases_of(*ALL)
    text = same(shell, rl.compare_curves(cases, **how), *arguments)
    found = answer(shell, *arguments)
    expected = [venkatraman_paired(cases, *pair, **how) for pair in (ALL[:2], ALL[::2], ALL[1:])]
    assert found["tests"] == [one.to_dict() for one in expected]
    assert found["p_adjusted"] == pytest.approx(np.maximum(found["p_adjusted"], [one.p_value for one in expected]))
    assert "p-values adjusted by holm" in text
    groups = {path.stem: rl.read_cases(path, **COLUMNS, score="lactate") for path in halves}
    unpaired = ["compare", *halves, *DATA, *scores("lactate"), "--pairing", "unpaired", *asked]
    same(shell, rl.compare_curves(groups, **how), *unpaired)
    (test,) = answer(shell, *unpaired)["tests"]
    assert test["hypothesis"] == "first and last have the same ROC curve"
    other = rl.read_cases(halves[1], **COLUMNS, score="concern")  # the library wants different names
    assert test["distribution"] == venkatraman_unpaired(groups["first"], other, **how).distribution


def test_compare_areas_from_papers_published(shell):
    ct = rl.PublishedArea(name="CT", area=0.893, n_pos=51, n_neg=58)
    mr = rl.PublishedArea(name="MR: 3T", area=0.85, standard_error=0.03)
    expected = rl.compare_published(ct, mr, correlation=0.5, level=0.9)
    arguments = ["--published", "CT:0.893:n=51+58", "--published", "MR: 3T:0.85:se=0.03", "--r", 0.5, "--level", 0.9]
    text = same(shell, expected, "compare", *arguments)
    assert "CT: area 0.893, standard error 0.0325" in text


# -- power -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plan", "arguments"),
    [
        (rl.planning.plan_one_area(area=0.8, power=0.9), ["--area", 0.8, "--power", 0.9]),
        (
            rl.planning.plan_one_area(area=0.8, null=0.7, n_pos=60, n_neg=90, level=0.9, alternative="one-sided"),
            ["--area", 0.8, "--null", 0.7, "--positives", 60, "--negatives", 90, "--level", 0.9, "--one-sided"],
        ),
        (
            rl.planning.plan_one_area(n_pos=50, n_neg=50, power=0.8, variance="binormal", b=0.7),
            ["--positives", 50, "--negatives", 50, "--power", 0.8, "--variance", "binormal", "--b", 0.7],
        ),
        (
            rl.planning.plan_two_areas(area=0.85, other=0.8, correlation=0.5, power=0.8, ratio=2),
            ["--area", 0.85, "--other", 0.8, "--correlation", 0.5, "--power", 0.8, "--ratio", 2],
        ),
        (
            rl.planning.plan_two_areas(area=0.85, other=0.85, margin=0.05, power=0.8, alternative="two-sided"),
            ["--area", 0.85, "--other", 0.85, "--margin", 0.05, "--power", 0.8, "--two-sided"],
        ),
    ],
)
def test_power_definition_is_the_plan(shell, plan, arguments):
    same(shell, plan, "power", *arguments)


def test_confusion_of_counts_and_of_rates_needs_no_file(shell):
    from_counts = shell("confusion", "--matrix", 45, 30, 5, 120, "--json").stdout
    assert shell("confusion", "--rates", 0.9, 0.8, "--totals", 50, 150, "--json").stdout == from_counts
    drawn = shell("confusion", "--matrix", 45, 30, 5, 120, "--bootstrap", "--seed", 1, "--replicates", 50).stdout
    assert "50 replicates, seed 1" in drawn
    assert "--rates and --totals belong together, got one of them" in shell.error("confusion", "--rates", 0.9, 0.8)
    assert "a matrix comes from FILE, --matrix or --rates, got none of them" in shell.error("confusion")
    refused = shell.error("confusion", "--matrix", 1, 1, 1, 1, "--threshold", 2)
    assert "columns need a FILE, got --threshold as well" in refused


def test_predictions_are_compared_by_brier_score_and_net_benefit(shell, tmp_path):
    rows = ["y,a,b", *(f"{at % 2},{0.3 + 0.4 * (at % 2)},{0.1 + at / 50}" for at in range(30))]
    (tmp_path / "p.csv").write_text("\n".join(rows))
    asked = ["compare", tmp_path / "p.csv", "--label", "y", "--score", "a", "--score", "b", "--predictions"]
    text = shell(*asked, "--at", 0.5).stdout
    assert "net benefit at 0.5" in text
    assert "first minus second, on the same cases" in text
    assert "--at belongs to --predictions" in shell.error(*asked[:-1], "--at", 0.5)
    assert "compares Brier scores and net benefits, got --curves as well" in shell.error(*asked, "--curves")
    shown = shell("curve", tmp_path / "p.csv", "--label", "y", "--score", "b", "--calibration", "--bins", 4).stdout
    assert "calibration slope" in shown
    assert "its intervals" not in shown
    asked = ["--calibration", "--error-intervals", "--replicates", 30, "--seed", 2]
    shown = shell("curve", tmp_path / "p.csv", "--label", "y", "--score", "b", *asked).stdout
    assert "its intervals: bootstrap (plain, 30 replicates, seed 2)" in shown
    refused = shell.error("curve", tmp_path / "p.csv", "--label", "y", "--score", "b", "--error-intervals")
    assert "--error-intervals belongs to --calibration" in refused
    part = shell("curve", tmp_path / "p.csv", "--label", "y", "--score", "b", "--curve", "pr", "--recall", 0, 0.5)
    assert "smallest" in part.stdout
