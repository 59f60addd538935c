"""What cannot be used gets one sentence on standard error and exit code 2."""

from __future__ import annotations

import pickle
import warnings

import click
import pytest

from roclab.cli.main import cli
from roclab.cli.shared.wording import in_options, saying
from roclab.errors import (
    FileError,
    InputError,
    OneClassError,
    RoclabWarning,
    Words,
    in_python,
    in_syntax,
    named,
)
from roclab.inference.planning.power import plan_one_area
from tests.cli.conftest import DATA

EXAMPLE = ["example", *DATA]
LACTATE = [*EXAMPLE, "--score", "lactate"]
BOTH = [*LACTATE, "--score", "concern"]
PAPERS = ["--published", "A:0.8:se=0.1", "--published", "B:0.8:se=0.1"]
COLUMNS = "its columns are patient, ward, outcome, procalcitonin, lactate, concern."


ERRORS = [
    # data
    (["auc", "example"], f"--label and --score must name columns of example, got none; {COLUMNS}"),
    (["auc", *EXAMPLE], f"--score must name columns of example, got none; {COLUMNS}"),
    (["compare", "example", "--score", "lactate"], f"--label must name columns of example, got none; {COLUMNS}"),
    (["confusion", "example", "--predicted", "outcome"], f"--label must name columns of example, got none; {COLUMNS}"),
    (["auc", "example", "--label", "outcome", "--score", "lactat"], "has no column 'lactat'; did you mean 'lactate'"),
    (["auc", "example", "--label", "outcome", "--score", "lactate"], "write --positive recovered if that is the"),
    (
        ["auc", "example", "--label", "outcome", "--score", "lactate", "--positive", "ill"],
        "--positive must be one of the labels, got 'ill'; the labels are deteriorated, recovered.",
    ),
    (["auc", *EXAMPLE, "--score", "ward"], "'east' in row 2"),
    (["auc", "nowhere.csv", "--label", "y", "--score", "s"], "nowhere.csv does not exist; check the path."),
    (["auc", *LACTATE, "--weights", "frequency"], "--weights frequency needs --weight, got none"),
    (["auc", *LACTATE, "--delimiter", ";"], "write --delimiter , if that is how the file was written."),
    (["auc", *LACTATE, "--direction", "up"], "--direction must be higher, lower, auto, or NAME=higher"),
    (["auc", *LACTATE, "--direction", "lactate=auto"], "--direction must be higher, lower, auto, or NAME=higher"),
    (["auc", *LACTATE, "--direction", "x=lower"], "direction must name scores that exist, got 'x'"),
    (["auc", *LACTATE, "--direction", "lower", "--direction", "higher"], "one side for all scores, got lower and"),
    (["auc", *LACTATE, "--direction", "auto", "--direction", "lactate=lower"], "leave out auto."),
    (["auc", *LACTATE, "--fold", "patient"], "--fold must hold both classes each, got fold P001"),
    # areas
    (["auc", *LACTATE, "--level", "1.5"], "level must lie strictly between 0 and 1, got 1.5"),
    (["auc", *LACTATE, "--level", "nan"], "level must lie strictly between 0 and 1, got nan"),
    (["auc", *LACTATE, "--level", "much"], "Invalid value for '--level': 'much' is not a valid float."),
    (["auc", *LACTATE, "--estimator", "magic"], "--estimator must be one of 'empirical'"),
    (["auc", *LACTATE, "--estimator", "hull", "--se", "delong"], "use --variance bootstrap."),
    (["auc", *LACTATE, "--ci", "bca", "--se", "delong"], "--ci bca comes from the bootstrap, got --variance delong"),
    (["auc", *LACTATE, "--ci", "bca", "--replicates", "1"], "replicates must be a whole number of at least 2, got 1"),
    (["auc", *LACTATE, "--ci", "bca", "--seed", "-1"], "Invalid value for '--seed'"),
    (["auc", *LACTATE, "--fpr", "0.5", "0.1"], "write --fpr 0 0.1 for the range 0 to 0.1."),
    (["auc", *LACTATE, "--fpr", "0", "0.1", "--estimator", "tauc"], "got --estimator tauc as well"),
    (["auc", *LACTATE, "--standardize", "mcclish"], "got no range; give --fpr or --tpr as well."),
    (["auc", *LACTATE, "--test", "wald"], "--test needs a value to test against, got none; write --null 0.5."),
    (["auc", *LACTATE, "--alternative", "less"], "--alternative needs a value to test against, got none"),
    (["auc", *LACTATE, "--null", "0.6", "--test", "null"], "--test null tests against 0.5 only, got --null 0.6"),
    (["auc", *LACTATE, "--null", "2"], "null must lie strictly between 0 and 1, got 2.0"),
    # curves
    (["curve", *BOTH], "--score must name one column for this command, got lactate and concern"),
    (["curve", *LACTATE, "--at-fpr", "1.2"], "fpr must lie between 0 and 1, got 1.2"),
    (["curve", *LACTATE, "--points", "1"], "Invalid value for '--points'"),
    (["curve", *LACTATE, "--band", "pointwise", "--curve", "det"], "are different questions, got both"),
    (["curve", *LACTATE, "--at-fpr", "0.1", "--at-specificity", "0.9"], "are different questions, got both"),
    (["curve", *LACTATE, "--band", "thresholds", "--points", "9"], "--points has no meaning for --band thresholds"),
    # decisions
    (["confusion", *LACTATE], "a matrix needs --threshold or --predicted, got neither"),
    (["confusion", *LACTATE, "--threshold", "nan"], "threshold must be a number, got NaN"),
    (["confusion", *LACTATE, "--threshold", "1", "--predicted", "ward"], "got both"),
    (["confusion", *LACTATE, "--predicted", "ward"], "--score has no meaning for predictions"),
    (["confusion", *EXAMPLE, "--predicted", "ward"], "ward must use the labels of outcome, deteriorated"),
    (["confusion", *LACTATE, "--threshold", "1", "--beta", "-1"], "beta must be a finite number above 0, got -1.0"),
    (["confusion", *LACTATE, "--threshold", "1", "--prevalence", "5"], "prevalence must lie between 0 and 1, got 5.0"),
    # comparisons
    (["compare"], "a comparison needs a FILE with scores, or areas by --published, got neither."),
    (["compare", *LACTATE], "--score must name two scores or more to compare, got lactate; name another one."),
    (["compare", *BOTH, "--pairing", "mixed"], "scores of one file are paired, got --pairing mixed as well"),
    (["compare", *BOTH, "--variance", "clustered"], "need the subject of every case, got none; give --id."),
    (["compare", *BOTH, "--area", "hull"], "needs the bootstrap; use --variance bootstrap."),
    (["compare", *BOTH, "--margin", "0"], "margin must be a finite number above 0, got 0.0"),
    (["compare", *BOTH, "--claim", "equivalence"], "--claim needs the largest difference"),
    (["compare", *BOTH, "--margin", "0.1", "--contrast", "a=1"], "are different questions, got both"),
    (["compare", *BOTH, "--margin", "0.1", "--curves"], "--curves compares whole ROC curves, got --margin as well"),
    (["compare", *BOTH, "--at-specificity", "0.9", "--variance", "clustered"], "is compared by the bootstrap, got"),
    (["compare", *BOTH, "--at-specificity", "9"], "specificity must lie between 0 and 1, got 9"),
    (["compare", *BOTH, "--contrast", "lactate"], "--contrast must be written A=1,B=-0.5,C=-0.5, got 'lactate'"),
    (["compare", *BOTH, "--contrast", "lactate=nan,concern=1"], "got 'lactate=nan' in it."),
    (["compare", *BOTH, "--contrast", "=1"], "--contrast must be written A=1,B=-0.5,C=-0.5, got '=1'"),
    (["compare", *BOTH, "--contrast", "x=1,lactate=-1"], "weights must name lactate, concern, got 'x'."),
    (["compare", *BOTH, "--contrast", "concern=1,lactate=-2"], "must add up to 0"),
    (["compare", *BOTH, "--curves", "--weight", "procalcitonin"], "--weight has no part in permutations"),
    (["compare", *BOTH, "--curves", "--at-specificity", "0.9"], "whole ROC curves, got --at-specificity as well"),
    (["compare", *BOTH, "--curves", "--alternative", "less"], "has no direction, got --alternative as well"),
    (["compare", *BOTH, "--curves", "--pairing", "mixed"], "of one file as paired, got --pairing mixed as well"),
    (["compare", *BOTH, "--curves", "--id", "ward"], "scores of one file as paired, got --id as well"),
    (
        ["compare", *BOTH, "--variance", "hanley_mcneil", "--fpr", "0", "1"],
        "--variance hanley_mcneil compares AUCs only, got another area",
    ),
    (["compare", *BOTH, "--r", "0.5"], "--r belongs to --published"),
    (["compare", *LACTATE, "example", "--pairing", "unpaired"], "files must differ, got example more than once"),
    (["compare", *PAPERS[:2]], "--published must be two or more of different names, got A."),
    (["compare", *PAPERS[:2], *PAPERS[:2]], "--published must be two or more of different names, got A, A."),
    (["compare", *PAPERS, *LACTATE], "--published stands alone"),
    (["compare", *PAPERS, "--margin", "0.1"], "got --margin as well"),
    (["compare", *PAPERS, "--variance", "bootstrap"], "got --variance as well"),
    (["compare", *PAPERS, "--r", "2"], "--r must lie between -1 and 1, got 2.0"),
    (["compare", "--published", "A:0.8"], "--published must be written NAME:AREA:n=POS+NEG or NAME:AREA:se=SE"),
    (["compare", "--published", "A:0.8:n=5+x"], "--published must be written NAME:AREA:n=POS+NEG"),
    (["compare", "--published", "C:8:se=0.1", *PAPERS], "area of C must lie between 0 and 1, got 8.0"),
    # plans
    (["power"], "got no --area, no --positives, no --power; leave out exactly one."),
    (["power", "--area", "0.8", "--positives", "9"], "--positives and --negatives belong together"),
    (["power", "--area", "0.8", "--power", "0.9", "--margin", "0.1"], "--margin belongs to a plan for two areas"),
    (
        ["power", "--area", "0.8", "--power", "0.9", "--other", "0.7", "--null", "0.5"],
        "--null belongs to a plan for one",
    ),
    # output and usage
    (["auc", *LACTATE, "--json", "--csv"], "--json and --csv exclude each other"),
    (["auc", *LACTATE, "--out", "/"], "--out must be a file, got the directory /"),
    (["auc", *LACTATE, "--out", "/nowhere/x"], "--out must be in a directory that exists, got /nowhere/x"),
    (["auc", *LACTATE, "--estmator", "gini"], "--estmator"),
    (["cut"], "there is no command 'cut'; did you mean 'cutoff'."),
]


@pytest.mark.parametrize(("arguments", "words"), ERRORS)
def test_error_is_one_sentence(shell, arguments, words):
    assert words in shell.error(*arguments)


def test_error_for_files_that_do_not_pair(shell, halves):
    data = [*halves, *DATA, "--score", "lactate"]
    assert "--pairing must say how the cases of several data sets" in shell.error("compare", *data)
    assert "give --id or say --pairing unpaired." in shell.error("compare", *data, "--pairing", "mixed")
    paired = ["--pairing", "paired", "--id", "patient"]
    assert "say --pairing mixed to use every case." in shell.error("compare", *data, *paired)
    clustered = ["--pairing", "unpaired", "--variance", "clustered"]
    assert "--variance must be one of 'delong', 'bootstrap', 'hanley_mcneil', got 'clustered'" in shell.error(
        "compare", *data, *clustered
    )
    many = ["--score", "concern", "--score", "ward", "--pairing", "unpaired"]
    assert "once per file in their order, got 3 of them for 2 files." in shell.error("compare", *data, *many)
    assert "--label and --score must name columns of" in shell.error("compare", *halves)


def test_error_lists_only_the_first_of_many_columns(shell, tmp_path):
    path = tmp_path / "wide.csv"
    names = [f"c{at}" for at in range(100)]
    path.write_text(",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")
    assert shell.error("auc", path).endswith("c38, c39 and 60 more.")


def test_bug_is_one_line_without_traceback_unless_verbose(shell, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("roclab.planning.plan_one_area", broken)
    done = shell("power", "--area", "0.8", "--power", "0.9", code=1)
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("Error: ZeroDivisionError: by nothing (a bug in roclab; rerun with -v")
    loud = shell("power", "--area", "0.8", "--power", "0.9", "-v", code=1)
    assert "Traceback" in loud.stderr
    assert loud.stderr.rstrip().endswith("please report it).")


def test_an_error_on_the_way_out_of_a_stop_is_a_stop(shell, monkeypatch):
    """Ctrl-C in the middle of a lock's release makes Python raise something else."""

    def stopped(*_, **__):
        try:
            raise KeyboardInterrupt
        finally:
            raise RuntimeError("cannot release un-acquired lock")

    monkeypatch.setattr("roclab.planning.plan_one_area", stopped)
    done = shell("power", "--area", "0.8", "--power", "0.9", code=130)
    assert done.stderr.strip() == "stopped"


def test_stopped_is_one_line(shell, monkeypatch, tmp_path):
    def stopped(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("roclab.planning.plan_one_area", stopped)
    done = shell("power", "--area", "0.8", "--power", "0.9", "--out", tmp_path / "plan.txt", code=130)
    assert done.stderr == "stopped\n"
    assert list(tmp_path.iterdir()) == []


def test_warnings_are_lines_and_said_once(shell, monkeypatch):
    def warned(**_):
        for message in (f"write {named('pos_label', 1)}.", f"write {named('pos_label', 1)}.", "more."):
            warnings.warn(message, RoclabWarning, stacklevel=1)
        return plan_one_area(area=0.8, power=0.9)

    monkeypatch.setattr("roclab.planning.plan_one_area", warned)
    done = shell("power", "--area", "0.8", "--power", "0.9")
    assert done.stderr == "Warning: write --positive 1.\nWarning: more.\n"
    assert done.stdout.startswith("AUC 0.8")


def test_warnings_of_others_are_left_to_python(shell, monkeypatch):
    def warned(**_):
        warnings.warn("not ours", DeprecationWarning, stacklevel=1)

    monkeypatch.setattr("roclab.planning.plan_one_area", warned)
    done = shell("power", "--area", "0.8", "--power", "0.9", code=1)  # an error in these tests
    assert "DeprecationWarning: not ours" in done.stderr


# -- arguments as options ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        (f"write {named('pos_label', 'very ill')} if so.", "write --positive 'very ill' if so."),
        (f"write {named('fpr', (0, 0.1))} or {named('tpr', [0.8, 1])}.", "write --fpr 0 0.1 or --tpr 0.8 1."),
        (f"give {named('n_pos')} and {named('n_neg')}.", "give --positives and --negatives."),
        (f"got {named('fpr', None)}, {named('n_pos', 0.5)}; leave", "got no --fpr, --positives 0.5; leave"),
        (f"write {named('rng', 1)} for a fixed seed.", "write --seed 1 for a fixed seed."),
        (f"write {named('mirror', True)}.", "write --mirror."),
        (f"use {named('penalty', 'firth')}.", "use --firth."),
        (f"use {named('penalty', 'none')}.", "use penalty='none'."),
        (
            "the interval of a score, where fpr=0.1 is not marked",
            "the interval of a score, where fpr=0.1 is not marked",
        ),
    ],
)
def test_marked_arguments_are_written_as_options(said, shown):
    error = InputError("", said.rstrip("."))
    renamed = {"fpr": "--fpr", "tpr": "--tpr", "mirror": "--mirror", "penalty='firth'": "--firth"}
    error.renamed = renamed
    assert in_options(error) == f"{shown.rstrip('.')}."


def test_python_and_the_command_line_say_the_same_of_one_error():
    error = InputError("level", "must lie strictly between 0 and 1", 95, f"write {named('level', 0.95)}")
    assert str(error) == "level must lie strictly between 0 and 1, got 95; write level=0.95."
    assert error.sentence(lambda name, *value: f"<{name}{value or ''}>") == (
        "<level> must lie strictly between 0 and 1, got 95; write <level(0.95,)>."
    )
    assert (error.argument, error.rule, error.received) == ("level", "must lie strictly between 0 and 1", "95")
    assert in_python(error.way_out) == "write level=0.95"
    assert in_syntax("nothing marked", lambda *_: "never") == "nothing marked"


def test_an_error_says_where_it_happened_and_survives_another_process():
    error = OneClassError("label", "must hold two classes", Words("one"), f"name {named('pos_label')}", called="y")
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy)) == (OneClassError, str(error))
    assert str(error.inside("poor.csv")) == "poor.csv: y must hold two classes, got one; name pos_label."


def test_the_innermost_words_win():
    with (
        pytest.raises(FileError) as raised,
        saying({"alpha": "--other", "y_true": "--label"}),
        saying({"alpha": "--a"}),
    ):
        raise FileError("alpha", f"and {named('y_true')} differ")
    assert in_options(raised.value) == "--a and --label differ."


def test_a_command_knows_its_options_by_the_names_of_the_library():
    command = cli.get_command(click.Context(cli), "auc")
    known = command._options()
    assert known["variance"] == known["se"] == "--variance"
    assert known["estimator"] == "--estimator"
    assert known["interval"] == known["ci"] == "--ci"
    assert known["pos_label"] == known["positive"] == "--positive"
    assert known["sample_weight"] == "--weight"
    assert "labels" not in known  # --classes is an option of other commands
    assert cli.get_command(click.Context(cli), "multiclass")._options()["labels"] == "--classes"
    assert cli.get_command(click.Context(cli), "curve")._options()["kind"] == "--band"


@pytest.mark.parametrize("option", [["--level", "0.9"], ["--ci", "plain"], ["--label", "outcome"], ["--out", "x.txt"]])
def test_what_may_be_given_once_is_refused_twice(shell, option):
    given = LACTATE if option[0] == "--label" else [*LACTATE, *option]
    assert (
        shell.error("auc", *given, *option) == f"{option[0]} must be given once, got it twice; leave one of them out."
    )
