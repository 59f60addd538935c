"""``roclab reproduce``: summary, page and JSON, exit codes, and bad input."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from roclab.report.reproduction import reproduction_page
from roclab.studies import reproduction
from roclab.studies.verdicts import UNEXPLAINED


@pytest.fixture(autouse=True)
def somewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_quick_run_writes_page_and_json(shell, somewhere):
    text = shell("reproduce").stdout
    found = reproduction.reproduce()
    assert text == f"{found}\n\nAll comparisons: reproduction.html and reproduction.json\n"
    assert (somewhere / "reproduction.html").read_text() == reproduction_page(found)
    assert (somewhere / "reproduction.json").read_text() == found.to_json() + "\n"


def test_other_places_and_none(shell, somewhere):
    shell("reproduce", "--only", "russian", "--page", "here.html")
    assert sorted(path.name for path in somewhere.iterdir()) == ["here.html", "here.json"]
    found = json.loads(shell("reproduce", "--only", "russian", "--no-page", "--json").stdout)
    assert found == json.loads((somewhere / "here.json").read_text())
    assert len(list(somewhere.iterdir())) == 2


def test_an_unexplained_difference_is_exit_code_1(shell, monkeypatch):
    found = reproduction.reproduce(sources=["russian"])
    bad = replace(found, comparisons=(replace(found.comparisons[0], verdict=UNEXPLAINED), *found.comparisons[1:]))
    monkeypatch.setattr("roclab.analysis.study.reproduce", lambda **options: bad)
    done = shell("reproduce", code=1)
    assert "Unexplained differences:" in done.stdout


def test_one_text_ends_with_it(shell, somewhere):
    text = shell("reproduce", "--only", "greek", "--page", "here.html").stdout
    assert "dmd_carriers.csv: 209 women" in text
    assert not any(name in text for name in ("slovenian", "italian", "phoneme.csv"))
    page = (somewhere / "here.html").read_text()
    assert "Slovenian table 5.3" not in page


def test_help_says_where_public_data_come_from(shell):
    text = " ".join(shell("reproduce", "--help").stdout.split())
    for word in ("phoneme.csv (ELENA project", "pima.csv (Pima Indians Diabetes", "dystrophy of the R package ipred"):
        assert word in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--page /none/page.html", "--page must be in a directory that exists, got /none/page.html"),
        ("--page page.json", "--page must not end in .json, which stands beside it, got page.json"),
        ("--data nowhere", "--data must be a folder that exists, got nowhere"),
        ("--all --only greek --replicates 0", "--replicates must be a whole number of at least 2, got 0"),
        ("--out /none/table.txt", "--out must be in a directory that exists"),
    ],
)
def test_bad_input(shell, somewhere, words, message):
    assert shell.error("reproduce", *words.split()).startswith(message)
    assert list(somewhere.iterdir()) == []
