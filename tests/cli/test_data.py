"""What the command line relies on when it hands data to the library."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.cli.shared.data import distinct_names
from roclab.datasets import example_path
from roclab.errors import InputError

COLUMNS = {"label": "outcome", "pos_label": "deteriorated"}


def test_cases_that_were_read_are_taken_as_they_are():
    cases = rl.read_cases(example_path(), **COLUMNS, score=["lactate", "concern"])
    assert rl.read_cases(cases) is cases
    assert area_table(cases).to_dict() == area_table(example_path(), **COLUMNS, score=list(cases.names)).to_dict()
    for options in ({"label": "outcome"}, {"direction": "lower"}, {"missing": "drop"}, {"decimal": ","}):
        with pytest.raises(InputError, match="cases were validated when they were read, got options for them"):
            rl.read_cases(cases, **options)


def test_reading_options_are_for_files(tmp_path):
    path = tmp_path / "german.csv"
    path.write_text("y;s\n1;0,5\n0;0,1\n", encoding="utf-8")
    assert rl.read_cases(path, label="y", score="s", delimiter=";", decimal=",").scores["s"].tolist() == [0.5, 0.1]
    with pytest.raises(InputError, match="delimiter says how to read a file, got data in memory"):
        rl.read_cases([1, 0], [2, 1], delimiter=";")


@pytest.mark.parametrize("ties", ["expected", "optimistic", "pessimistic"])
def test_hull_regression_of_a_walk_spans_its_curve(ties):
    r = rl.roc([1, 1, 0, 0, 1, 0, 1, 0], [3, 2, 3, 2, 2, 1, 1, 1], ties=ties)
    hull = r.hull()
    assert (hull.fpr[0], hull.tpr[0], hull.fpr[-1], hull.tpr[-1]) == (0, 0, 1, 1)
    assert np.all(np.diff(hull.slopes) <= 0)
    assert np.all(hull.at(r.fpr) >= r.tpr - 1e-12)


def test_names_of_several_files():
    assert distinct_names(("a/x.csv", "b/y.csv.gz"), ("s", "s")) == ["x", "y"]
    assert distinct_names(("a/x.csv", "b/x.csv"), ("s", "t")) == ["s", "t"]
    assert distinct_names(("a/x.csv", "b/x.csv"), ("s", "s")) == ["a/x.csv", "b/x.csv"]
    assert distinct_names(("-", "b/x.csv"), ("s", "s")) == ["standard input", "x"]
    with pytest.raises(InputError, match=re.escape("files must differ, got x.csv more than once")):
        distinct_names(("x.csv", "x.csv"), ("s", "s"))


@pytest.mark.parametrize("command", ["cutoff", "confusion --threshold 2", "curve", "rank-test", "ties --mirror"])
def test_folds_are_pooled_where_that_is_said(shell, command):
    words = [*command.split()[:1], "example", *command.split()[1:], "--label", "outcome"]
    words += ["--positive", "deteriorated", "--score", "lactate", "--fold", "ward"]
    assert "write --fold-average pooled" in shell.error(*words)
    assert "5 folds pooled" in shell(*words, "--fold-average", "pooled").stdout


def test_two_samples_instead_of_labels(shell, tmp_path):
    both, ill, well = (tmp_path / name for name in ("both.csv", "ill.csv", "well.csv"))
    both.write_text("ill,well\n3,1\n4,2\n5,3\n,2.5\n")
    ill.write_text("m\n3\n4\n5\n")
    well.write_text("m\n1\n2\n3\n2.5\n")
    area = rl.Roc.from_samples([3, 4, 5], [1, 2, 3, 2.5]).auc().area
    for asked in ([both, "--samples", "ill", "well"], [ill, "--score", "m", "--negative-file", well]):
        told = json.loads(shell("auc", *asked, "--json").stdout)
        assert told["estimates"][0]["area"] == area
        assert "called ill when score >=" in shell("cutoff", *asked).stdout
    assert shell.error("auc", both, "--samples", "ill", "well", "--label", "y").startswith(
        "--label has no part beside --samples"
    )
    assert shell.error("auc", both, "--samples", "ill", "well", "--score", "s").startswith("--score has no part")
    assert shell.error("auc", ill, "--negative-file", well).startswith("--score must name the column of scores of both")
    said = shell.error("plot", both, "--figure", "cdf", "--samples", "ill", "well")
    assert said.startswith("--samples has no part in this question")
