"""Predicted risks over time on the command line."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import roclab as rl
from tests.cli.conftest import same

TABLE = ["--time", "days", "--event", "ended"]


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
