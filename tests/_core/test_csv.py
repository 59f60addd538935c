"""Names in CSV that a spreadsheet would take for formulas."""

from __future__ import annotations

import csv
import io

import pytest

from roclab._core.text import csv_text, inert
from roclab.analysis.area_table import area_table
from tests.cli.conftest import shell

__all__ = ["shell"]

FORMULAS = ['=HYPERLINK("http://evil","x")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1+1", "\r=1+1", "-x"]
PLAIN = ["a=b", "-1", "+2.5e3", "-inf", "-", "", "lactate", "'=1"]


@pytest.mark.parametrize("name", FORMULAS)
def test_formulas_get_an_apostrophe(name):
    assert inert(name) == f"'{name}"
    (head, row) = csv.reader(io.StringIO(csv_text([{name: name, "n": -1.5}], shown=True)))
    assert head == [f"'{name}", "n"]
    assert row == [f"'{name}", "-1.5"]


@pytest.mark.parametrize("name", PLAIN)
def test_other_names_and_numbers_stay(name):
    assert inert(name) == name


def test_tables_that_are_read_again_stay():
    assert csv_text([{"id": "=1+1"}]) == "id\n=1+1\n"


def test_answers_on_every_face_are_inert(shell, tmp_path):
    path, name = tmp_path / "x.csv", '=HYPERLINK("http://evil")'
    with open(path, "w", encoding="utf-8", newline="") as out:
        csv.writer(out).writerows([["y", name], *([at % 2, at] for at in range(20))])
    text = shell("auc", path, "--label", "y", "--score", name, "--csv").stdout
    assert next(csv.DictReader(io.StringIO(text)))["score"] == f"'{name}"
    assert area_table(path, label="y", score=name).to_csv() == text
    assert (
        f'"{name}"'.replace('"http', '\\"http').replace('evil"', 'evil\\"')
        in shell("auc", path, "--label", "y", "--score", name, "--json").stdout
    )
