"""Predicted risks over time on the command line."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import roclab as rl
from tests.cli.conftest import same

TABLE = ["--time", "days", "--event", "ended"]
CLINIC = [*TABLE, "--cause", "relapse", "--competing", "death", "--censored", "lost"]


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(3)
    days, ended = rng.integers(1, 60, 90), rng.integers(0, 2, 90)
    rows = zip(days, ended, np.round(rng.uniform(size=90), 2), np.round(rng.uniform(size=90), 2), strict=True)
    path = tmp_path / "predicted.csv"
    with path.open("w", newline="") as stream:
        csv.writer(stream).writerows([("days", "ended", "a", "b"), *rows])
    return path


def test_predictions_at_a_horizon(shell, file):
    found = rl.compare_predictions(file, time="days", event="ended", score=["a", "b"], at=30, probabilities=[0.2])
    asked = ("compare", file, "--predictions", *TABLE, "--score", "a", "--score", "b", "--horizon", 30, "--at", 0.2)
    assert "IPA" in same(shell, found, *asked)


def test_what_it_does_not_take(shell, file):
    asked = ("compare", file, "--predictions", *TABLE, "--score", "a")
    assert shell.error(*asked).startswith("--horizon must be given")
    assert shell.error(*asked, "--horizon", 30, "--horizon", 40).startswith("--horizon must be one horizon")
    assert "--margin" in shell.error(*asked, "--horizon", 30, "--margin", 0.1)
    assert shell.error(*asked, "--horizon", 30, "--at", 2).startswith("--at must lie strictly between 0 and 1")


@pytest.mark.parametrize(
    "words",
    [
        ["auc", "--score", "grade", "--horizon", "365", "--horizon", "730"],
        ["compare", "--score", "grade", "--horizon", "365", "--horizon", "730"],
        ["curve", "--horizon", "730"],
        ["cutoff", "--horizon", "730"],
    ],
)
def test_answers_at_horizons_are_drawn_too(shell, tmp_path, words):
    place = tmp_path / "figure.svg"
    command, *more = words
    shell(command, "followed", *CLINIC, "--score", "marker", *more, "--figure", place)
    assert place.read_text(encoding="utf-8").lstrip().startswith("<?xml")


def test_figures_of_other_answers_are_refused(shell, tmp_path):
    place = tmp_path / "figure.svg"
    said = shell.error("auc", "followed", *CLINIC, "--score", "marker", "--horizon", "730", "--figure", place)
    assert said.startswith("--figure draws areas at several horizons")
    known = ["--label", "outcome", "--positive", "deteriorated", "--score", "lactate"]
    assert "--figure belongs to --time here" in shell.error("auc", "example", *known, "--figure", place)
    assert not place.exists()


def test_report_at_horizons(shell, tmp_path):
    page = tmp_path / "page.html"
    shell("report", "followed", *CLINIC, "--score", "marker", "--horizon", "730", "--md", "-o", page)
    assert "Who has the event by when?" in page.read_text(encoding="utf-8")
    assert "0.7445 (0.6607–0.8111)" in page.with_suffix(".md").read_text(encoding="utf-8")
    said = shell.error("report", "followed", *CLINIC, "--score", "marker", "--horizon", "730", "--prevalence", "0.1",
                       "-o", page)  # fmt: skip
    assert "--prevalence" in said
