"""What a shell can finish, asked for as shells ask."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


def finished(words, folder):
    """What bash would be offered for the last of the words."""
    asked = {"_ROCLAB_COMPLETE": "bash_complete", "COMP_WORDS": " ".join(words), "COMP_CWORD": str(len(words) - 1)}
    done = subprocess.run(
        [sys.executable, "-c", "from roclab.cli.main import cli; cli.main(prog_name='roclab')"],
        env={**os.environ, **asked}, capture_output=True, text=True, check=True, cwd=folder,
    )  # fmt: skip
    return [line.split(",", 1) for line in done.stdout.splitlines() if line]


def test_commands_options_and_choices(tmp_path):
    assert finished(["roclab", "cu"], tmp_path) == [["plain", "curve"], ["plain", "cutoff"]]
    assert finished(["roclab", "auc", "example", "--lev"], tmp_path) == [["plain", "--level"]]
    assert ["plain", "bca"] in finished(["roclab", "auc", "example", "--ci", ""], tmp_path)


def test_files_and_the_bundled_data(tmp_path):
    assert finished(["roclab", "auc", "ex"], tmp_path) == [["plain", "example"], ["file", "ex"]]


def test_columns_of_the_file_that_was_named(tmp_path):
    (tmp_path / "data.csv").write_text("\ufeffoutcome;oxygen;μέτρηση\n1;2;3\n", encoding="utf-8")
    assert finished(["roclab", "auc", "data.csv", "--score", "o"], tmp_path) == [
        ["plain", "outcome"],
        ["plain", "oxygen"],
    ]
    assert ["plain", "μέτρηση"] in finished(["roclab", "screen", "data.csv", "--label", ""], tmp_path)
    assert ["plain", "lactate"] in finished(["roclab", "auc", "example", "--score", ""], tmp_path)


@pytest.mark.parametrize("name", ["none.csv", "bytes.parquet", "."])
def test_files_that_cannot_be_read_offer_nothing(tmp_path, name):
    (tmp_path / "bytes.parquet").write_bytes(b"PAR1\xff\xfe\x00")
    assert finished(["roclab", "auc", name, "--score", ""], tmp_path) == []


def test_no_file_offers_nothing(tmp_path):
    assert finished(["roclab", "auc", "--score", ""], tmp_path) == []


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_scripts_name_the_program(shell, name):
    assert "_ROCLAB_COMPLETE" in shell("completion", name).stdout
    assert "'tcsh' is not one of" in shell.error("completion", "tcsh")
