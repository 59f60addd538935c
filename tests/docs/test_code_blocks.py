"""Every code block of the documentation runs, page by page, in the order of the page."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from roclab.cli.main import cli
from roclab.datasets import example_path, wines_path

ROOT = Path(__file__).parents[2]
PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if "_build" not in path.parts)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHOWN_ONLY = {"text", "r", "toml", "bibtex"}  # what is no Python and no command of ours


def blocks(page):
    return BLOCK.findall(page.read_text(encoding="utf-8"))


def test_there_are_pages_and_they_are_known_kinds_of_blocks():
    assert len(PAGES) > 20
    kinds = {kind for page in PAGES for kind, _ in blocks(page)}
    assert kinds <= {"python", "console", *SHOWN_ONLY}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT / "docs")))
def test_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deterioration.csv").write_bytes(example_path().read_bytes())
    (tmp_path / "wines.csv").write_bytes(wines_path().read_bytes())
    names = {"__name__": "page"}
    for at, (kind, text) in enumerate(blocks(page)):
        if kind == "python":
            exec(compile(text, f"{page.name} block {at}", "exec"), names)
        elif kind == "console":
            for line in re.findall(r"^\$ roclab (.*)$", text.replace("\\\n", " "), re.MULTILINE):
                done = CliRunner().invoke(cli, shlex.split(line, comments=True), prog_name="roclab")
                assert done.exit_code == 0, f"roclab {line}\n{done.output}"
        elif kind == "toml":
            (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    assert names["__name__"] == "page"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT / "docs")))
def test_links_between_pages_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not re.match(r"https?:|mailto:", target):
            assert (page.parent / target).exists(), target
