"""The section about a reader study: its numbers are those of the study, in the page and in Markdown."""

from __future__ import annotations

import json

import pytest

import roclab as rl
from roclab.errors import InputError
from tests.reading_studies.studies import only, study


def test_report_of_a_study_has_its_numbers(tmp_path):
    found = rl.readers.mrmc("readings", margin=0.05)
    report = found.write_report(tmp_path / "study.html", also=("md",), rng=1)
    part = report.readers
    assert [row["mean AUC"] for row in part.means] == [one.area for one in found.means]
    assert part.differences[0]["difference"] == found.pairs[0].difference
    assert part.claims[0]["margin"] == 0.05
    assert len(part.cells) == 10
    assert part.components[0]["variance x 10 000"] == pytest.approx(1e4 * found.components.reader)
    page = (tmp_path / "study.html").read_text(encoding="utf-8")
    words = (tmp_path / "study.md").read_text(encoding="utf-8")
    assert "0.8855" in page
    assert "0.8855" in words
    assert "F, 1 and 13.89 df" in words
    assert "Readers and modalities" in words
    assert json.loads((tmp_path / "study.json").read_text(encoding="utf-8"))["readers"]["means"]


def test_report_needs_a_study_and_every_reading(tmp_path):
    with pytest.raises(InputError, match="only names the section 'readers'"):
        rl.build_report([1, 0, 1, 0], [4, 3, 2, 1], only=["readers"])
    table = study()
    gaps = only(table, table["case"] != table["case"][0] + "x")
    gaps = {name: values[1:] for name, values in gaps.items()}
    with pytest.raises(InputError, match="a report needs every reader to read every case"):
        rl.readers.mrmc(gaps).write_report(tmp_path / "a.html")
