"""``roclab bench``: the same numbers as the library, and files that hold what they say."""

from __future__ import annotations

import csv
import json

import pytest
from click.testing import CliRunner

import roclab as rl
from roclab.cli.main import cli

DATA = ["bench", "example", "--label", "outcome", "--positive", "deteriorated", "--exclude", "patient"]
ASKED = {
    "label": "outcome",
    "pos_label": "deteriorated",
    "exclude": "patient",
    "models": ["logistic", "ldc"],
    "folds": 4,
}


def run(*words):
    return CliRunner().invoke(cli, [*DATA, *words], prog_name="roclab")


def test_the_table_is_that_of_the_library():
    done = run("--models", "logistic,ldc", "--folds", "4", "--seed", "3", "--show", "table", "--json")
    assert done.exit_code == 0, done.output
    shown = {row["model"]: row for row in json.loads(done.stdout)["models"]}
    found = rl.bench("example", **ASKED, rng=3).table()
    assert shown["ldc"]["auc"] == pytest.approx(found["ldc"].auc)


def test_every_part_and_every_file(tmp_path):
    done = run(
        "--models", "logistic,ldc", "--folds", "4", "--seed", "3", "--combine", "mean,vote",
        "--second-level", "logistic",
        "--show", "table,folds,compare,matrix,hull,choice", "--cost-fn", "4", "--scores-out", str(tmp_path / "s.csv"),
        "--figure", f"hulls={tmp_path / 'hulls.svg'}", "--report", str(tmp_path / "r.html"),
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    for words in ("mean of 2", "logistic on 2 scores", "expected cost per case", "area under the joint hull"):
        assert words in done.stdout
    rows = list(csv.DictReader((tmp_path / "s.csv").read_text().splitlines()))
    assert len(rows) == 300
    assert {"row", "split", "class", "ldc", "ldc calls"} <= set(rows[0])
    again = rl.bench_of_scores(
        tmp_path / "s.csv", label="class", pos_label="deteriorated", score=["ldc"], folds="split"
    )
    assert again.table()["ldc"].auc == pytest.approx(rl.bench("example", **ASKED, rng=3).table()["ldc"].auc)
    assert (tmp_path / "hulls.svg").exists()
    assert "How the classifiers were trained" in (tmp_path / "r.html").read_text()


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_rows_behind_cells_are_those_of_the_file(tmp_path):
    words = ("--models", "logistic", "--folds", "4", "--seed", "3", "--rows-out", str(tmp_path / "rows.csv"))
    matrix = rl.bench("example", **{**ASKED, "models": ["logistic"]}, rng=3).matrix("logistic")
    missed = matrix.cases(actual="deteriorated", called="recovered")
    done = run(*words, "--cells", "deteriorated:recovered")
    assert done.exit_code == 0, done.output
    rows = rows_of(tmp_path / "rows.csv")
    assert [row["patient"] for row in rows] == [f"P{at + 1:03}" for at in missed.positions]
    assert list(rows[0]) == ["patient", "ward", "outcome", "procalcitonin", "lactate", "concern"]
    assert run(*words, "--cells", "misclassified", "--cells", "correct").exit_code == 0
    assert len(rows_of(tmp_path / "rows.csv")) == 300


def test_balances_side_by_side():
    done = run(
        "--models", "ldc", "--folds", "4", "--seed", "1", "--balance", "none,fcm,random", "--show", "experiments"
    )
    assert done.exit_code == 0, done.output
    assert "fcm - none" in done.stdout


def test_figures_of_some_models_and_balances(tmp_path):
    path = tmp_path / "t.svg"
    done = run(
        "--models", "ldc,nearest_mean", "--folds", "3", "--seed", "1", "--balance", "none,random", "--show", "table",
        "--figure", f"troc={path}", "--figure-models", "ldc", "--figure-balance", "random",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    drawn = path.read_text()
    assert "ldc (random), tAUC" in drawn
    assert "ldc (none)" not in drawn
    assert "nearest_mean" not in drawn


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--figure-models", "ldc"], "--figure-models chooses what --figure draws, got no --figure"),
        (
            ["--models", "ldc", "--folds", "3", "--figure", "roc=x.svg", "--figure-models", "svm"],
            "--figure-models must be among ldc",
        ),
        (["--show", "everything"], "--show must name any of"),
        (["--models", "oracle"], "--models must be one of"),
        (["--figure", "roc"], "--figure must be KIND=PATH"),
        (["--report", "nowhere/r.html"], "--report must be in a directory that exists"),
        (["--rows-out", "rows.csv"], "--rows-out goes together with --cells"),
        (["--rows-out", "rows.csv", "--cells", "sick:well"], "--cells must be ACTUAL:CALLED"),
        (["--folds", "120"], "smallest class"),
        (["--folds", "nobody"], "nobody"),
    ],
)
def test_bad_requests(words, message):
    done = run(*words)
    assert done.exit_code == 2
    assert message in done.output
