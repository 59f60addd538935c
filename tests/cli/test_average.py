"""``roclab average`` prints the library's averages of folds, files and scores."""

from __future__ import annotations

import pytest

import roclab as rl
from tests.cli.conftest import ALL, COLUMNS, DATA, answer, cases_of, narrow, same, scores

LACTATE = ["average", "example", *DATA, "--score", "lactate"]


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({"points": 10}, ["--points", 10]),
        ({"points": 20, "level": 0.9, "spread": "binomial"}, ["--points", 20, "--level", 0.9, "--spread", "binomial"]),
        ({"how": "threshold", "points": 7}, ["--how", "threshold", "--points", 7]),
        ({"how": "pooled"}, ["--how", "pooled"]),
        ({}, []),
    ],
)
def test_average_definition_is_the_average_over_folds(shell, options, arguments):
    expected = rl.average(cases_of("lactate", folds="ward"), **options)
    same(shell, expected, *LACTATE, "--fold", "ward", *arguments, notes=True)


def test_average_of_files(shell, halves):
    curves = {path.stem: rl.roc(path, **COLUMNS, score="lactate") for path in halves}
    same(
        shell,
        rl.average(curves, points=10),
        *["average", *halves, *DATA, "--score", "lactate", "--points", 10],
        notes=True,
    )
    mixed = {path.stem: rl.roc(path, **COLUMNS, score=score) for path, score in zip(halves, ALL[:2], strict=True)}
    found = answer(shell, "average", *halves, *DATA, *scores(*ALL[:2]), "--points", 10)
    assert found == rl.average(mixed, points=10).to_dict()


def test_average_of_scores(shell):
    curves = {name: rl.roc(cases_of(name)) for name in ALL}
    found = answer(shell, "average", "example", *DATA, *scores(*ALL), "--points", 10)
    assert found == rl.average(curves, points=10).to_dict()


def test_average_of_ready_made_points(shell, tmp_path):
    paths, curves = [], {}
    for name, tpr in (("one", [0.5, 0.9]), ("two", [0.4, 0.7])):
        paths.append(tmp_path / f"{name}.csv")
        paths[-1].write_text(f"x,y\n0.1,{tpr[0]}\n0.5,{tpr[1]}\n")
        curves[name] = rl.Roc.from_points([0.1, 0.5], tpr)
    arguments = ["average", *paths, "--fpr-column", "x", "--tpr-column", "y"]
    same(shell, rl.average(curves, points=10), *arguments, "--points", 10, notes=True)
    message = shell.error(*arguments, "--how", "threshold")
    assert message.startswith("threshold averaging needs the thresholds of every curve, and 'one' has none; average")
    assert "pooling needs the cases of every curve" in shell.error(*arguments, "--how", "pooled")
    binomial = shell.error(*arguments, "--spread", "binomial")
    assert binomial.startswith("--spread binomial needs the number of cases")
    assert "belong together, got one of them" in shell.error(*arguments[:-2])
    assert "read points instead of cases, got --label as well" in shell.error(*arguments, "--label", "x")
    assert "got one, in" in shell.error("average", paths[0], *arguments[3:])
    paths[0].write_text("x,y\n2,0.5\n")
    assert f"x of {paths[0]} must lie between 0 and 1, got 2" in shell.error(*arguments)


def test_average_reads_what_curve_writes(shell, halves, tmp_path):
    files = []
    for path in halves:
        files.append(tmp_path / f"curve-{path.name}")
        shell("curve", path, *DATA, "--score", "concern", "--csv", "--out", files[-1])
    found = answer(shell, "average", *files, "--fpr-column", "fpr", "--tpr-column", "tpr", "--points", 10)
    curves = {path.stem: rl.roc(path, **COLUMNS, score="concern") for path in halves}
    assert found["tpr"] == pytest.approx(rl.average(curves, points=10).tpr.tolist(), abs=1e-12)


def test_average_says_what_its_limits_are(shell):
    text = narrow(shell, *LACTATE, "--fold", "ward", "--points", 10)
    assert "limits by t from the spread between folds, with Nadeau and Bengio's correction" in text
    assert "of a proportion" in narrow(shell, *LACTATE, "--fold", "ward", "--spread", "binomial")
    assert "low and high" not in narrow(shell, *LACTATE, "--fold", "ward", "--how", "pooled")
    narrow(shell, *LACTATE, "--fold", "ward", "--how", "threshold")


def test_average_warns_about_thresholds_of_different_models(shell):
    done = shell("average", "example", *DATA, *scores(*ALL[1:]), "--how", "threshold", "--points", 5)
    assert done.stderr.startswith("Warning: threshold averaging compares scores of different models (concern, lactate)")
    assert done.stderr.count("\n") == 1
    assert done.stdout.startswith("threshold average of 2 curves")


def test_average_names_what_has_one_class(shell, tmp_path):
    message = shell.error(*LACTATE, "--fold", "patient")
    assert message.startswith("fold 'P001' holds one class only: ")
    paths = [tmp_path / "good.csv", tmp_path / "poor.csv"]
    paths[0].write_text("y,s\n1,2\n0,1\n")
    paths[1].write_text("y,s\n0,2\n0,1\n")
    message = shell.error("average", *paths, "--label", "y", "--score", "s")
    assert message.startswith(f"{paths[1]}: y must hold two classes")
    assert message.endswith("name another --positive.")


ERRORS = [
    (["average"], "Missing argument 'FILE...'."),
    (["average", "example"], "--label and --score must name columns of example, got none"),
    (LACTATE, "an average needs several curves, got one, of lactate; split it with --fold"),
    (
        [*LACTATE, "--score", "concern", "--fold", "ward"],
        "--score must name one score for this question, got lactate and concern",
    ),
    ([*LACTATE, "--fold", "ward", "--points", "0"], "points must be a whole number of at least 1, got 0"),
    (
        [*LACTATE, "--fold", "ward", "--how", "pooled", "--points", "9"],
        "--points has no meaning for --how pooled, which has",
    ),
    ([*LACTATE, "--fold", "ward", "--how", "threshold", "--spread", "binomial"], "--spread must not be 'binomial'"),
    ([*LACTATE, "--fold", "ward", "--level", "2"], "level must lie strictly between 0 and 1, got 2.0"),
    ([*LACTATE, "--fold", "ward", "--how", "best"], "Invalid value for '--how': 'best' is not one of"),
    (["average", "example", "example", *LACTATE[2:]], "files must differ, got example more than once"),
    (["average", "example", "other.csv", *LACTATE[2:], "--fold", "ward"], "got --fold as well; leave it out."),
    (["average", "a.csv", "b.csv", "c.csv", *DATA, *scores(*ALL[:2])], "got 2 of them for 3 files."),
    (["average", "example", "b.csv", *DATA], "--score must name columns of example, got none"),
]


@pytest.mark.parametrize(("arguments", "words"), ERRORS)
def test_average_error_is_one_sentence(shell, arguments, words):
    assert words in shell.error(*arguments)
