"""``roclab screen`` prints the library's screening of many markers."""

from __future__ import annotations

import io
import sys

import pytest

import roclab as rl
from roclab.cli.shared.progress import bar_unless_quiet
from roclab.datasets import wines_path
from tests.cli.conftest import COLUMNS, DATA, FILE, answer, same

EXAMPLE = ["screen", "example", *DATA]


def markers(*names):
    return [word for name in names for word in ("--marker", name)]


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"markers": ["concern", "lactate"]}, markers("concern", "lactate")),
        ({"standard_error": "empirical_q", "interval": "clipped"}, ["--se", "empirical_q", "--ci", "clipped"]),
        ({"direction": "lower", "level": 0.9}, ["--direction", "lower", "--level", 0.9]),
        ({"adjust": "bonferroni", "interval": "exact"}, ["--adjust", "bonferroni", "--interval", "exact"]),
        ({"workers": 3}, ["--workers", 2]),
    ],
)
def test_screen_definition_is_the_screening(shell, options, arguments):
    expected = rl.screen(FILE, **COLUMNS, **options)
    same(shell, expected, *EXAMPLE, *arguments)


def test_screen_directions_are_chosen_and_said(shell):
    expected = rl.screen(wines_path(), label="oak", direction="auto", adjust="fdr")
    text = same(shell, expected, "screen", "wines", "--label", "oak", "--direction", "auto", "--adjust", "fdr")
    assert "lower values mean positive (chosen from the data)" in text


def test_screen_skips_and_lists_what_is_not_numeric(shell):
    assert shell(*EXAMPLE).stdout.endswith("skipped patient: it is not numeric\nskipped ward: it is not numeric\n")
    found = answer(shell, *EXAMPLE, *markers("ward", "lactate"))
    assert [one["name"] for one in found["markers"]] == ["lactate"]
    assert found["skipped"] == {"ward": "it is not numeric"}


def test_screen_in_the_layout_of_spss(shell, tmp_path):
    expected = rl.screen(FILE, **COLUMNS)
    text = shell(*EXAMPLE, "--spss").stdout
    assert text == f"{expected.spss()}\n"
    assert text.endswith("skipped patient: it is not numeric\nskipped ward: it is not numeric\n")
    path = tmp_path / "table.txt"
    assert shell(*EXAMPLE, "--spss", "--out", path).stdout == ""
    assert path.read_text() == text


def test_screen_missing_values(shell, tmp_path):
    path = tmp_path / "gaps.csv"
    path.write_text("y,a,b\n1,3,1\n1,,2\n0,1,5\n0,2,4\n,9,9\n")
    assert "y lacks 1" in shell.error("screen", path, "--label", "y")
    table = {"y": [1, 1, 0, 0], "a": [3, None, 1, 2], "b": [1, 2, 5, 4]}
    arguments = ["screen", path, "--label", "y", "--missing", "drop"]
    expected = rl.screen(table, label="y")
    found = answer(shell, *arguments)
    assert found["markers"] == expected.to_dict()["markers"]
    assert {one["name"]: one["dropped"] for one in found["markers"]} == {"a": 1, "b": 0}
    assert shell(*arguments).stdout.endswith("1 dropped for a missing outcome\n")


def test_screen_reads_any_text(shell, tmp_path):
    path = tmp_path / "german.csv"
    path.write_text("krank;wert\nja;1,5\nnein;0,5\nja;0,7\nnein;0,6\n")
    reading = ["--delimiter", ";", "--decimal", ",", "--positive", "ja"]
    table = {"krank": ["ja", "nein", "ja", "nein"], "wert": [1.5, 0.5, 0.7, 0.6]}
    expected = rl.screen(table, label="krank", pos_label="ja")
    assert answer(shell, "screen", path, "--label", "krank", *reading) == expected.to_dict()
    piped = shell("screen", "-", "--label", "krank", *reading, "--json", input=path.read_text()).stdout
    assert piped == expected.to_json() + "\n"


def test_screen_shows_how_far_it_is(shell, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    seen = []
    monkeypatch.setattr("roclab.cli.shared.progress.Bar.__call__", lambda self, done, total: seen.append((done, total)))
    shell(*EXAMPLE)
    assert seen == [(1, 3), (2, 3), (3, 3)]
    monkeypatch.undo()
    monkeypatch.setattr("roclab.cli.shared.progress._PATIENCE", 0)
    monkeypatch.setattr("click.get_current_context", lambda: type("Context", (), {"obj": None}))
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    with bar_unless_quiet("screening") as bar:
        bar(1, 3)
    assert "screening" in screen.getvalue()


ERRORS = [
    (["screen", "example"], "--label must name columns of example, got none; its columns are patient, ward"),
    (["screen", "example", "--label", "outcom"], "has no column 'outcom'; did you mean 'outcome'"),
    (["screen", "example", "--label", "outcome"], "write --positive recovered if that is the"),
    (["screen", "example", "--label", "ward"], "ward must hold exactly two classes where none is named, got 5 labels"),
    (["screen", "example", "--label", "outcome", "--positive", "ill"], "--positive must be one of the labels, got"),
    ([*EXAMPLE, *markers("lactat")], "has no column 'lactat'; did you mean 'lactate'"),
    ([*EXAMPLE, *markers("outcome")], "--label and --marker must be different columns, got 'outcome' for both."),
    ([*EXAMPLE, *markers("ward", "patient")], "no numeric column is left to screen; skipped ward, patient."),
    ([*EXAMPLE, "--level", "95"], "level must lie strictly between 0 and 1, got 95.0"),
    ([*EXAMPLE, "--workers", "0"], "workers must be a whole number of at least 1, got 0"),
    ([*EXAMPLE, "--direction", "up"], "Invalid value for '--direction'"),
    ([*EXAMPLE, "--ci", "wilson"], "Invalid value for '--ci'"),
    ([*EXAMPLE, "--exclude", "nobody"], "has no column 'nobody'"),
    ([*EXAMPLE, "--id", "ward", "--variance", "delong"], "--id join the cases of one subject, got --variance delong"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), ERRORS)
def test_screen_error_is_one_sentence(shell, arguments, words):
    assert words in shell.error(*arguments)
