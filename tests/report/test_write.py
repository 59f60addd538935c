"""Reports on disk: all of it or nothing."""

from __future__ import annotations

import json

import pytest

import roclab as rl
from roclab.errors import FileError, InputError
from roclab.report import pdf, write

LABEL, SCORE = [1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_page_json_and_markdown_are_written(tmp_path):
    report = rl.write_report(tmp_path / "a.html", LABEL, SCORE, rng=1, also=("md",))
    assert names(tmp_path) == ["a.html", "a.json", "a.md"]
    assert (tmp_path / "a.html").read_text() == report.to_html()
    assert json.loads((tmp_path / "a.json").read_text()) == report.to_dict()
    assert (tmp_path / "a.md").read_text() == report.to_markdown()


def test_nothing_is_written_when_something_fails(tmp_path, monkeypatch):
    def fails(self):
        raise RuntimeError("no page today")

    monkeypatch.setattr("roclab.analysis.reporting.content.Report.to_markdown", fails)
    with pytest.raises(RuntimeError, match="no page today"):
        rl.write_report(tmp_path / "a.html", LABEL, SCORE, rng=1, also=("md",))
    assert names(tmp_path) == []


def test_places_are_checked_before_any_work(tmp_path, monkeypatch):
    monkeypatch.setattr(write, "build_report", lambda *_, **__: pytest.fail("worked for nothing"))
    with pytest.raises(FileError, match="directory that exists"):
        rl.write_report(tmp_path / "no" / "a.html", LABEL, SCORE)
    with pytest.raises(InputError, match="path must end in .html, got .*a.txt"):
        rl.write_report(tmp_path / "a.txt", LABEL, SCORE)
    (tmp_path / "a.json").mkdir()
    with pytest.raises(FileError, match="must be a file, got the directory"):
        rl.write_report(tmp_path / "a.html", LABEL, SCORE)
    assert names(tmp_path) == ["a.json"]


def test_pdf_without_a_browser_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setattr(pdf.shutil, "which", lambda name: None)
    with pytest.raises(InputError, match="needs Chromium or Chrome on this machine, got none"):
        rl.write_report(tmp_path / "a.html", LABEL, SCORE, also=("pdf",))
    assert names(tmp_path) == []


def test_a_browser_that_fails_is_an_error_not_a_broken_file(tmp_path, monkeypatch):
    monkeypatch.setattr(pdf.shutil, "which", lambda name: "/bin/false")
    with pytest.raises(FileError, match="must print the page, got exit code 1"):
        rl.write_report(tmp_path / "a.html", LABEL, SCORE, also=("pdf",))
    assert names(tmp_path) == []


def test_pdf_is_printed_by_a_real_browser(chromium, tmp_path):
    rl.write_report(tmp_path / "a.html", LABEL, SCORE, rng=1, also=("pdf",))
    assert (tmp_path / "a.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "a.pdf").stat().st_size > 20_000
