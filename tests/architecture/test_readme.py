"""Every README command and code block runs and prints what the README shows."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
COMMANDS = re.findall(r"^    (roclab .*)$", README, flags=re.MULTILINE)


def test_there_is_something_to_check():
    assert len(BLOCKS) >= 3
    assert len(COMMANDS) >= 5


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_python_blocks_run(block):
    done = subprocess.run([sys.executable, "-W", "error", "-c", block], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(command):
    done = subprocess.run(
        [sys.executable, "-m", "roclab", *shlex.split(command)[1:]], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


def test_make_run_prints_what_the_readme_shows():
    line = next(line for line in (ROOT / "Makefile").read_text().split("\n") if "roclab auc" in line)
    words = shlex.split(line.replace("@$(BIN)/roclab", "").replace("\\", ""))
    scores = ["--score", "procalcitonin", "--score", "lactate", "--score", "concern"]
    done = subprocess.run(
        [sys.executable, "-m", "roclab", *words, *scores], capture_output=True, text=True, check=True, cwd=ROOT
    )
    for row in done.stdout.strip().splitlines():
        assert row.strip() in README
