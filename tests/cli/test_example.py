"""``roclab example``: data on disk, and commands that work on them."""

from __future__ import annotations

import shlex

import pytest

from roclab.cli.example import TRY
from roclab.datasets import example_path


@pytest.mark.parametrize("name", TRY)
def test_every_line_that_is_offered_runs(shell, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    said = shell("example", name).stdout
    lines = [line.strip() for line in said.splitlines() if line.startswith("  roclab ")]
    assert len(lines) == len(TRY[name])
    for line in lines:
        assert shell(*shlex.split(line)[1:]).stdout


def test_the_file_is_the_bundled_one(shell, tmp_path):
    shell("example", "-o", tmp_path / "a.csv", "-q")
    assert (tmp_path / "a.csv").read_bytes() == example_path().read_bytes()


def test_nothing_is_written_over_unless_asked(shell, tmp_path):
    place = tmp_path / "a.csv"
    place.write_text("mine")
    assert "must not exist yet" in shell.error("example", "-o", place)
    assert place.read_text() == "mine"
    shell("example", "-o", place, "--force")
    assert place.read_text() != "mine"
    assert "directory that exists" in shell.error("example", "-o", tmp_path / "no" / "a.csv")
