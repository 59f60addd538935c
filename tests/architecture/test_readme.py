"""Every README command and code block runs and prints what the README shows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from roclab.cli.main import cli

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
COMMANDS = re.findall(r"^    (roclab .*)$", README, flags=re.MULTILINE)


def test_there_is_something_to_check():
    assert len(BLOCKS) >= 3
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_python_blocks_run(block, tmp_path):
    run = [sys.executable, "-W", "error", "-c", block]
    done = subprocess.run(run, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(cli, shlex.split(command)[1:], prog_name="roclab")
    assert done.exit_code == 0, done.output
    assert done.stdout.strip()


def test_make_run_prints_what_the_readme_shows(tmp_path):
    text = (ROOT / "Makefile").read_text().replace("\\\n", " ")
    line = next(line for line in text.split("\n") if "roclab report" in line)
    words = shlex.split(line.replace("@$(BIN)/roclab", ""))
    done = subprocess.run(
        [sys.executable, "-m", "roclab", *words], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout.splitlines()[0] in README
    assert (tmp_path / "report.html").exists()
