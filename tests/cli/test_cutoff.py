"""``roclab cutoff`` prints the library's cut-offs, tables, zones and bootstraps."""

from __future__ import annotations

import json

import pytest

import roclab as rl
from roclab.decisions.coordinates import coordinates
from roclab.decisions.cutoff_bootstrap import bootstrap_cutoff
from roclab.decisions.cutoffs import find_cutoff
from roclab.decisions.grey_zone import grey_zone
from roclab.decisions.intervals import metric_intervals
from roclab.decisions.left_out import cutoff_left_out
from roclab.decisions.smooth_cutoffs import kernel_cutoff, normal_cutoff
from roclab.decisions.smoothed_criteria import local_cutoff, penalised_cutoff, spline_cutoff
from roclab.options.criterion import CriterionOptions
from roclab.options.uncertainty import Draws
from tests.cli.conftest import ALL, DATA, answer, cases_of, narrow, roc_of, same, scores
from tests.conftest import oracle

EXAMPLE = ["cutoff", "example", *DATA]
LACTATE = [*EXAMPLE, "--score", "lactate"]


def tally_of(name):
    return cases_of(name).tally()


def file_of(tmp_path, given):
    path = tmp_path / "cases.csv"
    rows = zip(given["inputs"]["labels"], given["inputs"]["scores"], strict=True)
    path.write_text("y,s\n" + "".join(f"{label},{score}\n" for label, score in rows))
    return ["cutoff", path, "--label", "y", "--score", "s"]


# -- one score -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"criterion": "closest_to_corner", "rule": "midpoints"}, ["--criterion", "closest_to_corner",
                                                                   "--thresholds", "midpoints"]),
        ({"criterion": "cost", "prevalence": 0.1, "cost_fn": 10.0}, ["--criterion", "cost", "--prevalence", 0.1,
                                                                     "--cost-fn", 10]),
        ({"criterion": "f_beta", "beta": 2.0}, ["--criterion", "f_beta", "--beta", 2]),
        ({"criterion": "efficiency"}, ["--criterion", "efficiency"]),
        ({"criterion": "min_p", "trim": 0.1}, ["--criterion", "min_p", "--trim", 0.1]),
        ({"criterion": "target", "target": {"sensitivity": 0.9}}, ["--target", "sensitivity=0.9"]),
        ({"criterion": "prevalence_matching", "prevalence": 0.2}, ["--criterion", "prevalence_matching",
                                                                   "--prevalence", 0.2]),
        ({"criterion": "neyman_pearson", "max_fpr": 0.1}, ["--max-fpr", 0.1]),
        ({"criterion": "neyman_pearson", "max_fpr": 0.1}, ["--max-fpr", 0.1, "--criterion", "neyman_pearson"]),
        ({"criterion": "accuracy", "require": {"fpr": 0.1}}, ["--max-fpr", 0.1, "--criterion", "accuracy"]),
        ({"require": {"sensitivity": 0.9, "npv": 0.9}}, ["--min-se", 0.9, "--min-npv", 0.9]),
        ({"require": {"lr_minus": 0.3}}, ["--max-lr-minus", 0.3, "--criterion", "required"]),
        (
            {"criterion": "mcc", "require": {"specificity": 0.7, "ppv": 0.5, "lr_plus": 2.0, "accuracy": 0.7}},
            ["--criterion", "mcc", "--min-sp", 0.7, "--min-ppv", 0.5, "--min-lr", 2, "--require", "accuracy=0.7"],
        ),
    ],
)  # fmt: skip
def test_cutoff_definition_is_the_cutoff(shell, options, arguments):
    expected = find_cutoff(tally_of("lactate"), CriterionOptions(**options))
    found = answer(shell, *LACTATE, *arguments)
    metrics = {name: found.pop(name) for name in ("metrics", "intervals", "level")}
    assert found.pop("left_out") == cutoff_left_out(tally_of("lactate"), CriterionOptions(**options)).to_dict()
    # The verb adds how often bounds on one class will hold in new cases.
    said = [note for note in found["notes"] if note.startswith("In new cases")]
    found["notes"] = [note for note in found["notes"] if note not in said]
    assert len(said) == any(word in str(options.get("require")) for word in ("sensitivity", "specificity", "fpr"))
    assert found == expected.to_dict()
    intervals = metric_intervals(expected.best.matrix, prevalence=options.get("prevalence")).to_dict()
    assert metrics["intervals"] == intervals["intervals"]
    assert shell(*LACTATE, *arguments, "--csv").stdout == expected.to_csv()
    text = narrow(shell, *LACTATE, *arguments)
    expected = expected._noting(*said)
    assert text.startswith(f"{expected}\n\ncalled deteriorated when score >= ")
    assert "actual deteriorated  actual recovered" in text
    assert text.endswith("roclab cutoff --bootstrap) shows how much better it looks than it is.\n")


def test_cutoff_metrics_have_the_intervals_asked_for(shell):
    found = answer(shell, *LACTATE, "--level", 0.9, "--ci", "exact", "--prevalence", 0.02)
    matrix = find_cutoff(tally_of("lactate")).best.matrix
    expected = metric_intervals(matrix, level=0.9, interval="exact", prevalence=0.02).to_dict()
    assert (found["intervals"], found["level"]) == (expected["intervals"], 0.9)
    assert found["metrics"] == dict(matrix.metrics(prevalence=0.02))
    assert "ppv_at_prevalence" in shell(*LACTATE, "--prevalence", 0.02).stdout


def test_cutoff_shows_all_tied_optima(shell, tmp_path):
    arguments = file_of(tmp_path, oracle("spss_slov10"))
    found = answer(shell, *arguments)
    assert [one["threshold"] for one in found["optima"]] == [0.63, 0.33]
    text = shell(*arguments).stdout
    assert "2 cut-offs are equally good; the first has the fewest false positives" in text


def test_cutoff_oracle_of_costs(shell, tmp_path):
    given = oracle("cost_fawcett20")
    asked = ["--criterion", "cost", "--prevalence", given["inputs"]["p_pos"], "--cost-fn", given["inputs"]["c_fn"]]
    found = answer(shell, *file_of(tmp_path, given), *asked)
    assert found["value"] == pytest.approx(given["expected"]["optimal"]["cost"], abs=given["tolerance_abs"])
    assert found["optima"][0]["threshold"] == given["expected"]["optimal"]["threshold"]
    assert found["details"]["optimal_slope"] == pytest.approx(given["expected"]["slope"], abs=given["tolerance_abs"])


def test_cutoff_in_the_other_direction(shell):
    expected = find_cutoff(cases_of("lactate", direction="lower").tally())
    found = shell(*LACTATE, "--direction", "lower", "--csv").stdout
    assert found == expected.to_csv()
    assert "called deteriorated when score <= " in shell(*LACTATE, "--direction", "lower").stdout


# -- several scores --------------------------------------------------------------------------------


def test_cutoff_of_several_scores_is_one_row_each(shell):
    each = [find_cutoff(tally_of(name), CriterionOptions(rule="spss")) for name in ALL]
    arguments = [*EXAMPLE, *scores(*ALL), "--thresholds", "spss"]
    outside = [cutoff_left_out(tally_of(name), CriterionOptions(rule="spss")).to_dict() for name in ALL]
    assert answer(shell, *arguments) == {"cutoffs": [one.to_dict() for one in each], "left_out": outside}
    lines = shell(*arguments, "--csv").stdout.splitlines()
    assert lines[0] == (
        "variable,cut-off,sensitivity,specificity,value,tp,fp,fn,tn,accuracy,majority rate,tied,"
        "left-out sensitivity,left-out specificity"
    )
    assert lines[2].startswith(f"lactate,{each[1].threshold},{each[1].best.tpr},{each[1].best.specificity}")
    text = narrow(shell, *arguments)
    assert text.splitlines()[0].split()[:4] == ["variable", "cut-off", "sensitivity", "specificity"]
    assert "youden: largest sensitivity + specificity - 1" in text


def test_cutoff_of_several_scores_names_ties_and_notes(shell, tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text("y,s,t\n1,4,1\n1,2,1\n0,3,2\n0,1,2\n")
    text = shell("cutoff", path, "--label", "y", "--score", "s", "--score", "t").stdout
    assert "s: 2 cut-offs are equally good; shown is the one with the fewest false positives" in text
    assert "t: No threshold beats calling nothing 1." in text


# -- the whole table -------------------------------------------------------------------------------


def test_cutoff_table_oracle_as_spss_prints_it(shell, tmp_path):
    given = oracle("spss_slov10")
    arguments = [*file_of(tmp_path, given), "--table"]
    wanted = given["expected"]["coordinates"]
    rows = [line.split(",") for line in shell(*arguments, "--csv").stdout.splitlines()]
    assert rows[0] == ["cut-off", "sensitivity", "1 - specificity", "sum"]
    for row, expected in zip(rows[1:], wanted, strict=True):
        numbers = [expected[name] for name in ("cutoff", "sensitivity", "one_minus_specificity", "sum")]
        assert [float(cell) for cell in row] == pytest.approx(numbers, abs=given["tolerance_abs"])
    best = shell(*arguments, "--sort", "sum", "--rows", 1, "--csv").stdout.splitlines()[1]
    assert float(best.split(",")[0]) == pytest.approx(given["expected"]["best"]["cutoff"], abs=given["tolerance_abs"])


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"sort_by": "sum", "head": 5}, ["--sort", "sum", "--rows", 5]),
        ({"sort_by": "fpr", "descending": False}, ["--sort", "fpr", "--ascending"]),
        ({"columns": ["tp", "fn", "accuracy", "LR+"]}, ["--columns", "tp,fn,accuracy,LR+"]),
    ],
)
def test_cutoff_table_definition_is_the_coordinates(shell, options, arguments):
    expected = coordinates(tally_of("lactate"), rule="spss").table(**options)
    asked = [*LACTATE, "--table", *arguments]
    assert shell(*asked, "--json").stdout == expected.to_json() + "\n"
    assert shell(*asked, "--csv").stdout == expected.to_csv()
    assert shell(*asked).stdout.startswith(str(expected))  # few enough rows for the library to show them all


def test_cutoff_table_is_printed_to_its_last_row(shell):
    expected = coordinates(tally_of("procalcitonin"), rule="observed").table()
    text = narrow(shell, *EXAMPLE, "--score", "procalcitonin", "--table", "--thresholds", "observed")
    assert len(expected) > 100
    lines = text.splitlines()
    assert lines[:2] == str(expected).splitlines()[:2]
    assert len(lines) == len(expected) + 4
    assert "more rows" not in text


def test_cutoff_tables_of_several_scores(shell):
    found = answer(shell, *EXAMPLE, *scores(*ALL[1:]), "--table", "--thresholds", "midpoints")
    each = {name: coordinates(tally_of(name), rule="midpoints").table().to_dict() for name in ALL[1:]}
    assert found["results"] == each
    rows = shell(*EXAMPLE, *scores(*ALL[1:]), "--table", "--csv").stdout.splitlines()
    assert rows[0].startswith("variable,cut-off,")
    assert rows[-1].startswith("concern,")


# -- zones, bootstrap, smoothing -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        (
            {"rule_out": {"sensitivity": 0.9, "npv": 0.9}, "rule_in": {"specificity": 0.9}, "rule": "midpoints"},
            ["--min-se", 0.9, "--min-npv", 0.9, "--min-sp", 0.9, "--thresholds", "midpoints"],
        ),
        ({"rule_out": {"lr_minus": 0.2}}, ["--max-lr-minus", 0.2]),
        ({"rule_in": {"lr_plus": 4.0, "fpr": 0.1}}, ["--min-lr", 4, "--max-fpr", 0.1]),
    ],
)
def test_cutoff_grey_zone(shell, options, arguments):
    expected = grey_zone(tally_of("procalcitonin"), **options)
    asked = [*EXAMPLE, "--score", "procalcitonin", "--grey-zone", *arguments]
    same(shell, expected, *asked)
    narrow(shell, *asked)


def test_cutoff_bootstrap(shell):
    how = {"resampling": rl.Resampling(replicates=60, scheme="plain"), "rng": 3, "level": 0.9}
    options = {"criterion": "cost", "cost_fn": 5.0, "prevalence": 0.2, "require": {"specificity": 0.3}}
    level = how.pop("level")
    expected = bootstrap_cutoff(tally_of("lactate"), CriterionOptions(**options), level=level, drawn=Draws(**how))
    asked = ["--criterion", "cost", "--cost-fn", 5, "--prevalence", 0.2, "--min-sp", 0.3]
    drawn = ["--bootstrap", "--replicates", 60, "--seed", 3, "--scheme", "plain", "--level", 0.9]
    text = same(shell, expected, *LACTATE, *asked, *drawn)
    assert "optimism" in text
    narrow(shell, *LACTATE, *asked, *drawn)


def test_cutoff_bootstrap_of_several_scores(shell):
    how = {"resampling": rl.Resampling(replicates=60), "rng": 3}
    each = {name: bootstrap_cutoff(tally_of(name), drawn=Draws(**how)).to_dict() for name in ALL[1:]}
    arguments = [*EXAMPLE, *scores(*ALL[1:]), "--bootstrap", "--replicates", 60, "--seed", 3]
    assert answer(shell, *arguments)["results"] == each
    assert "\nconcern\n-------\nyouden: cut-off 3" in narrow(shell, *arguments)


@pytest.mark.parametrize(
    ("find", "arguments"),
    [
        (kernel_cutoff, ["kernel"]),
        (spline_cutoff, ["spline"]),
        (penalised_cutoff, ["gam"]),
        (normal_cutoff, ["normal", "--criterion", "youden"]),
        (local_cutoff, ["loess"]),
        (
            lambda tally: local_cutoff(
                tally, CriterionOptions(criterion="cost", cost_fn=3.0, prevalence=0.2), span=0.8
            ),
            ["loess", "--criterion", "cost", "--span", 0.8, "--cost-fn", 3, "--prevalence", 0.2],
        ),
    ],
)
def test_cutoff_smoothed(shell, find, arguments):
    text = same(shell, find(tally_of("lactate")), *LACTATE, "--smooth", *arguments)
    assert "on the cases that chose it: sensitivity" in text


def test_cutoff_smoothed_and_judged_on_cases_left_out(shell):
    text = narrow(shell, *LACTATE, "--smooth", "normal", "--replicates", 30, "--seed", 2)
    assert str(rl.smooth_cutoff(cases_of("lactate"), smoother="normal", resampling=30, rng=2).left_out) in text


# -- errors ----------------------------------------------------------------------------------------

TABLE = [*LACTATE, "--table"]
ERRORS = [
    (["cutoff", "example"], "--label and --score must name columns of example, got none"),
    ([*LACTATE, "--criterion", "best"], "criterion must be one of 'youden', 'closest_to_corner'"),
    ([*LACTATE, "--criterion", "prevalence"], "criterion must judge, and 'prevalence' (P / T) only describes"),
    ([*LACTATE, "--criterion", "cost", "--prevalence", "1"], "prevalence must lie strictly between 0 and 1, got 1.0"),
    ([*LACTATE, "--criterion", "cost", "--cost-fn", "-1"], "--cost-fn must be a finite number above 0, got -1.0"),
    ([*LACTATE, "--prevalence", "2"], "--prevalence must lie strictly between 0 and 1, got 2.0"),
    ([*LACTATE, "--cost-fp", "2"], "criterion 'youden' takes no --cost-fp, got 2.0; leave it out or use 'cost' or"),
    ([*LACTATE, "--score", "concern", "--prevalence", "0.1"], "criterion 'youden' takes no --prevalence, got 0.1"),
    ([*LACTATE, "--beta", "2"], "criterion 'youden' takes no --beta, got 2.0; leave it out or use 'f_beta'."),
    ([*LACTATE, "--criterion", "f_beta"], "criterion 'f_beta' needs --beta, got none; write --beta 2."),
    ([*LACTATE, "--criterion", "neyman_pearson"], "needs --max-fpr, got none; write --max-fpr 0.1."),
    ([*LACTATE, "--max-fpr", "2"], "--max-fpr must lie between 0 and 1, got 2.0"),
    ([*LACTATE, "--criterion", "target"], "needs --target, got none; write --target sensitivity=0.9."),
    ([*LACTATE, "--target", "sensitivity"], "--target must be written METRIC=VALUE, got 'sensitivity'"),
    ([*LACTATE, "--require", "accuracy=high"], "--require must be written METRIC=VALUE, got 'accuracy=high'"),
    ([*LACTATE, "--require", "f1=0.1", "--require", "f1=0.2"], "--require must name each metric once, got 'f1' twice"),
    ([*LACTATE, "--require", "skew=0.1"], "--require must name metrics that judge, got 'skew'"),
    ([*LACTATE, "--criterion", "required"], "--criterion required needs bounds, got none; write --min-se 0.9"),
    ([*LACTATE, "--min-se", "90"], "the bound of sensitivity must lie between 0 and 1, got 90.0"),
    ([*LACTATE, "--trim", "0.6", "--criterion", "min_p"], "trim must lie below 0.5, got 0.6"),
    (
        [*LACTATE, "--min-se", "0.99", "--min-sp", "0.9"],
        "the bounds contradict each other, got sensitivity >= 0.99 and specificity "
        ">= 0.9: with sensitivity >= 0.99 the closest is specificity 0.1048 at threshold 0.8, with",
    ),
    (
        [*LACTATE, "--min-lr", "9", "--min-npv", "0.9"],
        "the bounds contradict each other",
    ),
    ([*LACTATE, "--require", "accuracy=0.99"], "no threshold gives accuracy >= 0.99; the closest is accuracy 0.7567"),
    ([*LACTATE, "--table", "--grey-zone"], "--table and --grey-zone are different questions, got both"),
    ([*LACTATE, "--bootstrap", "--smooth", "kernel"], "--bootstrap and --smooth kernel are different questions"),
    ([*TABLE, "--criterion", "youden"], "--table lists every cut-off, got --criterion as well; leave it out."),
    ([*TABLE, "--min-se", "0"], "--table lists every cut-off, got --min-se as well; leave it out."),
    ([*TABLE, "--prevalence", "0.1"], "the usual columns of --table take no conditions, got --prevalence as well"),
    ([*TABLE, "--sort", "best"], "metric must be one of 'tpr', 'tnr'"),
    ([*TABLE, "--rows", "0"], "head must be a whole number of at least 1, got 0; leave it out for all rows."),
    ([*TABLE, "--ascending"], "--ascending turns --sort around, got no --sort"),
    ([*TABLE, "--columns", ","], "--columns must be names separated by commas, got ','"),
    ([*LACTATE, "--sort", "sum"], "--sort belongs to --table, got no --table; add it."),
    ([*LACTATE, "--rows", "3"], "--rows belongs to --table, got no --table; add it."),
    ([*LACTATE, "--span", "0.5"], "--span belongs to --smooth loess, got no --smooth loess; add it."),
    ([*LACTATE, "--grey-zone", "--criterion", "f1"], "--grey-zone has its two cut-offs from bounds such as --min-se"),
    ([*LACTATE, "--grey-zone", "--min-ppv", "1.5"], "the bound of ppv must lie between 0 and 1, got 1.5"),
    (
        [*EXAMPLE, "--score", "concern", "--grey-zone", "--min-lr", "99"],
        "no threshold gives lr_plus >= 99; the closest is lr_plus 4.333 at threshold 5; relax the bound.",
    ),
    ([*LACTATE, "--smooth", "kernel", "--criterion", "mcc"], "--criterion must be 'youden' for --smooth kernel"),
    ([*LACTATE, "--smooth", "loess", "--min-se", "0.9"], "--smooth looks at every threshold, got --min-se as well"),
    ([*LACTATE, "--smooth", "loess", "--thresholds", "spss"], "got --thresholds as well; leave it out."),
    ([*LACTATE, "--smooth", "loess", "--span", "2"], "span must lie between 0 and 1, got 2.0"),
    ([*LACTATE, "--smooth", "median"], "Invalid value for '--smooth': 'median' is not one of"),
    ([*LACTATE, "--thresholds", "all"], "Invalid value for '--thresholds' / '--rule': 'all' is not one of"),
    ([*LACTATE, "--bootstrap", "--replicates", "1"], "replicates must be a whole number of at least 2, got 1"),
    ([*LACTATE, "--bootstrap", "--level", "1"], "level must lie strictly between 0 and 1, got 1.0"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), ERRORS)
def test_cutoff_error_is_one_sentence(shell, arguments, words):
    assert words in shell.error(*arguments)


def test_cutoff_midpoints_of_infinite_scores(shell, tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text("y,s\n1,inf\n0,1\n")
    message = shell.error("cutoff", path, "--label", "y", "--score", "s", "--table")
    assert message.endswith("use --thresholds observed.")


def test_cutoff_is_that_of_the_library(shell):
    """The first thing to try gives what the first line of the library gives."""
    assert (
        json.loads(shell(*LACTATE, "--json").stdout)["optima"][0]["threshold"] == roc_of("lactate").cutoff().threshold
    )
