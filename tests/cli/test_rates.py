"""Rates at thresholds, gaps, promises, referral and validation on the command line are the library's own answers."""

from __future__ import annotations

import pytest

import roclab as rl
from roclab.datasets import example_path
from tests.cli.conftest import DATA, FILE, answer, cases_of, same, scores

TWO = [*DATA, *scores("procalcitonin", "lactate")]
AT = ["--threshold", "procalcitonin=1.5", "--threshold", "lactate=2"]


def test_compare_at_thresholds_is_compare(shell):
    cases = cases_of("procalcitonin", "lactate")
    found = rl.compare(cases, threshold={"procalcitonin": 1.5, "lactate": 2}, metrics=["ppv", "lr_plus"])
    same(shell, found, "compare", "example", *TWO, *AT, "--metric", "ppv", "--metric", "lr_plus")
    both = rl.compare(cases, threshold=[1.5, 2], margin=0.1, test="exact", interval="newcombe")
    arguments = ["--threshold", 1.5, "--threshold", 2, "--margin", 0.1, "--test", "exact", "--ci", "newcombe"]
    same(shell, both, "compare", "example", *TWO, *arguments)


def test_calls_in_columns_are_compared(shell, tmp_path):
    path = tmp_path / "calls.csv"
    path.write_text("d,new,old\n" + "ill,ill,well\nwell,well,ill\nill,ill,ill\nwell,well,well\n" * 6)
    found = rl.compare(path, label="d", pos_label="ill", predicted=["new", "old"], ratio_margin=0.9)
    arguments = ["--label", "d", "--positive", "ill", "--predicted", "new", "--predicted", "old", "--ratio-margin", 0.9]
    same(shell, found, "compare", path, *arguments)


def test_groups_of_one_file_and_of_several(shell):
    one = ["compare", "example", *DATA, "--score", "lactate", "--threshold", 2]
    found = rl.compare_groups(FILE, label="outcome", pos_label="deteriorated", score=["lactate"], group="ward",
                              threshold=2)  # fmt: skip
    assert answer(shell, *one, "--group", "ward") == found.to_dict()
    gaps = rl.confusion(FILE, label="outcome", pos_label="deteriorated", score="lactate", threshold=2, by="ward").gaps()
    matrix = ["confusion", "example", *DATA, "--score", "lactate", "--threshold", 2]
    same(shell, gaps, *matrix, "--by", "ward", "--gaps")


def test_a_promised_cutoff_is_cutoff(shell):
    found = rl.cutoff(cases_of("procalcitonin"), require={"sensitivity": 0.8}, confidence=0.95)
    arguments = ["cutoff", "example", *DATA, "--score", "procalcitonin", "--min-se", 0.8, "--confidence", 0.95]
    same(shell, found, *arguments)
    zone = rl.grey_zone(cases_of("procalcitonin"), rule_out={"sensitivity": 0.8}, rule_in={"specificity": 0.8},
                        confidence=0.9)  # fmt: skip
    same(shell, zone, "cutoff", "example", *DATA, "--score", "procalcitonin", "--grey-zone", "--min-se", 0.8,
         "--min-sp", 0.8, "--confidence", 0.9)  # fmt: skip


def test_selective_is_selective(shell):
    found = rl.selective(example_path(), label="outcome", pos_label="deteriorated", score="lactate", threshold=2)
    arguments = ["selective", "example", *DATA, "--score", "lactate", "--threshold", 2]
    same(shell, found, *arguments)
    same(shell, found.at(0.8), *arguments, "--coverage", 0.8)
    same(shell, found.referral(0.2), *arguments, "--error", 0.2)


def test_a_validation_is_planned(shell):
    plan = rl.planning.plan_validation(prevalence=0.1, c=0.8, sensitivity=0.8, specificity=0.6, probability=0.2)
    same(shell, plan, "power", "--validation", "--prevalence", 0.1, "--area", 0.8, "--sensitivity", 0.8,
         "--specificity", 0.6, "--probability", 0.2)  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["compare", "example", *TWO, "--threshold", "youden"], "must be fixed before these data were seen"),
        (["compare", "example", *TWO, *AT, "--curves"], "rates at a threshold are a question of their own"),
        (["compare", "example", *TWO, "--threshold", "a=b"], "--threshold must be written METRIC=VALUE"),
        (["compare", "example", *TWO, "--group", "ward", "--curves"], "--group splits the cases of one FILE"),
        (["confusion", "example", *DATA, "--score", "lactate", "--threshold", 2, "--gaps"], "lie between groups"),
        (["cutoff", "example", *DATA, "--score", "lactate", "--min-se", 0.8, "--confidence", 0.9, "--bootstrap"],
         "--confidence promises the bounds of one cut-off"),
        (["selective", "example", *DATA, "--score", "lactate", "--coverage", 0.5, "--error", 0.1],
         "--coverage and --error are two questions"),
        (["power", "--area", 0.8, "--power", 0.9, "--probability", 0.2], "belong to --validation"),
    ],
)  # fmt: skip
def test_refusals_are_in_the_words_of_the_command_line(shell, arguments, sentence):
    assert sentence in " ".join(shell(*arguments, code=2).stderr.split())


RISKS = ["wines", "--label", "grape", "--positive", "barolo", "--score", "barolo"]


def wines_of(*names):
    return rl.read_cases("wines", label="grape", pos_label="barolo", score=list(names))


def test_reclassification_is_that_of_compare_predictions(shell):
    arguments = ["compare", *RISKS, *scores("net_2"), "--predictions"]
    cases = wines_of("barolo", "net_2")
    bounds = ["--reclassification", 0.2, "--reclassification", 0.5]
    found = rl.compare_predictions(cases, reclassification=[0.2, 0.5], probabilities=[0.3], level=0.9)
    same(shell, found, *arguments, *bounds, "--at", 0.3, "--level", 0.9)
    same(shell, rl.compare_predictions(cases, reclassification=[]), *arguments, "--reclassification", "none")
    assert shell.error(*arguments, *bounds[::-1][1::2], "--reclassification", "few").startswith("--reclassification")
    falling = ["--reclassification", 0.5, "--reclassification", 0.2]
    assert shell.error(*arguments, *falling).startswith("--reclassification must be rising bounds between 0 and 1")
    assert shell.error(*arguments[:-1], *bounds).startswith("--reclassification belongs to --predictions")


def test_the_calibration_band_is_that_of_calibration(shell):
    arguments = ["curve", *RISKS, "--calibration", "--calibration-band"]
    found = rl.roc(wines_of("barolo")).calibration(band=True, level=0.9)
    text = same(shell, found, *arguments, "--level", 0.9)
    assert "intercept 0 and slope 1 together: score test (Cox 1958)" in text
    assert answer(shell, *arguments)["curve"]["predicted"] == found.curve.predicted.tolist()
    assert shell.error(*arguments[:-2], "--calibration-band").startswith("--calibration-band belongs to --calibration")


def test_a_band_that_cannot_be_says_which_option(shell, tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("d,p\n" + "1,0.2\n0,0.2\n1,0.6\n0,0.6\n" * 4)
    arguments = ["curve", path, "--label", "d", "--score", "p", "--calibration", "--calibration-band"]
    assert shell.error(*arguments).endswith("leave out --calibration-band.")


def test_risks_at_another_prevalence(shell):
    risks = wines_of("barolo").scores["barolo"]
    arguments = ["fit", "prevalence", "wines", "--score", "barolo", "--trained", 0.4]
    given = rl.shift_prevalence(risks, trained=0.4, prevalence=0.1)
    text = same(shell, given, *arguments, "--prevalence", 0.1, "--threshold", 0.5, notes=True)
    assert f"a threshold of 0.5 lies at {given.threshold(0.5):.6g}" in text
    same(shell, rl.shift_prevalence(risks, trained=0.4, level=0.9), *arguments, "--level", 0.9, notes=True)
    table = shell(*arguments, "--prevalence", 0.1, "--cases", "--csv").stdout.splitlines()
    assert table[0] == "before,after"
    assert [tuple(map(float, line.split(","))) for line in table[1:]] == [
        *zip(risks.tolist(), given.probabilities.tolist(), strict=True)
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--score", "oak", "--score", "barolo", "--trained", 0.4], "--score must name the one column"),
        (["--trained", 0.4], "--score must name the one column"),
        (["--score", "p_oak", "--trained", 0.4], "p_oak must hold predicted probabilities"),
        (["--score", "barolo", "--trained", 0], "--trained must lie strictly between 0 and 1"),
        (["--score", "barolo", "--trained", 0.4, "--prevalence", 2], "--prevalence must lie"),
        (["--score", "barolo", "--trained", 0.4, "--threshold", 2], "--threshold must lie"),
    ],
)
def test_a_bad_prevalence_is_one_sentence(shell, arguments, words):
    assert shell.error("fit", "prevalence", "wines", *arguments).startswith(words)


def test_model_based_is_the_method(shell):
    arguments = ["curve", *RISKS, "--model-based"]
    found = rl.roc(wines_of("barolo")).model_based(resampling=200, rng=3)
    same(shell, found, *arguments, "--replicates", 200, "--seed", 3)
    assert shell.error(*arguments, "--scheme", "plain").startswith("--scheme has no part where outcomes")
    assert shell.error(*arguments, "--level", 0.9).startswith("--model-based has tests in place of intervals")
    assert shell.error(*arguments, "--calibration").startswith(
        "--calibration and --model-based are different questions"
    )


def test_covariates_are_columns_of_the_file(shell):
    asked = {"score": ["procalcitonin", "lactate"], "threshold": [1.5, 2], "covariates": ["concern", "ward"]}
    found = rl.compare(FILE, label="outcome", pos_label="deteriorated", **asked, interaction=["concern"])
    arguments = ["--threshold", 1.5, "--threshold", 2, "--covariates", "concern", "--covariates", "ward"]
    same(shell, found, "compare", "example", *TWO, *arguments, "--interaction", "concern")
