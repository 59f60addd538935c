"""Every call that a table of the documentation offers runs as it stands, after the code block of its page."""

from __future__ import annotations

import ast
import re
import shlex
import warnings

import pytest
from click.testing import CliRunner

from roclab.cli.main import cli
from tests.conftest import HERE

PAGES = ("migration.md", "peers.md", "which_method.md")
BLOCK = re.compile(r"```python\n(.*?)```", re.S)
CELL = re.compile(r"(?<!\\)\|")
SPAN = re.compile(r"`([^`]+)`")


def page_text(page):
    return (HERE.parent / "docs" / page).read_text(encoding="utf-8")


def calls_of(page):
    """The code of the second column of every table row."""
    found = []
    for line in page_text(page).splitlines():
        if not line.startswith("| ") or set(line) <= set("|-: "):
            continue
        cells = [cell.strip() for cell in CELL.split(line.strip().strip("|"))]
        found += SPAN.findall(cells[1]) if len(cells) > 1 else []
    return found


CALLS = [(page, call) for page in PAGES for call in calls_of(page)]


@pytest.fixture(scope="module")
def namespaces():
    """What the code block of each page defines."""
    made = {}
    for page in PAGES:
        names = {}
        for block in BLOCK.findall(page_text(page)):
            exec(compile(block, page, "exec"), names)
        made[page] = names
    return made


def test_pages_offer_calls():
    assert len(CALLS) > 180


def answer(call, names):
    """What a call returns; of a statement, what it assigns."""
    try:
        return eval(compile(ast.parse(call, mode="eval"), "call", "eval"), names)
    except SyntaxError:
        before = set(names)
        exec(call, names)
        return [names[name] for name in set(names) - before] or names


COMMANDS = [(page, call) for page, call in CALLS if call.startswith("roclab ")]
EXPRESSIONS = [(page, call) for page, call in CALLS if not call.startswith("roclab ")]


@pytest.mark.parametrize(("page", "call"), EXPRESSIONS, ids=[f"{page}: {call}"[:90] for page, call in EXPRESSIONS])
def test_call_runs(page, call, namespaces):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert answer(call, dict(namespaces[page])) is not None


@pytest.mark.parametrize(("page", "call"), COMMANDS, ids=[f"{page}: {call}"[:90] for page, call in COMMANDS])
def test_command_runs(page, call, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(cli, shlex.split(call)[1:])
    assert result.exit_code == 0, result.output
    assert result.output.strip()
