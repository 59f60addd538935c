"""Every code block of the documentation runs, page by page, in the order of the page."""

from __future__ import annotations

import contextlib
import io
import re
import shlex

import pytest
from click.testing import CliRunner

import roclab as rl
from roclab.cli.main import cli
from tests.docs.pages import PAGES, ROOT, SHOWN_ONLY, blocks, page_name
from tests.public import MODULES, public_names


def test_there_are_pages_and_they_are_known_kinds_of_blocks():
    assert len(PAGES) > 20
    kinds = {kind for page in PAGES for kind, _ in blocks(page)}
    assert kinds <= {"python", "console", *SHOWN_ONLY}


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_blocks_of_a_page_run_and_print_what_is_shown(page, tmp_path, monkeypatch):
    """A block of text after a block that ran shows what it printed, in an empty folder: a reader has no files of ours.

    Lines of three dots stand for lines left out, and … after a digit for the digits that follow it.
    """
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    printed = None
    for at, (kind, text) in enumerate(blocks(page)):
        if kind == "python":
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(text, f"{page.name} block {at}", "exec"), names)
            printed = out.getvalue()
        elif kind == "console":
            printed = ""
            for line in re.findall(r"^\$ roclab (.*)$", text.replace("\\\n", " "), re.MULTILINE):
                done = CliRunner().invoke(cli, shlex.split(line, comments=True), prog_name="roclab")
                assert done.exit_code == 0, f"roclab {line}\n{done.output}"
                printed += done.stdout
        elif kind == "toml":
            (tmp_path / "study.toml").write_text(text, encoding="utf-8")
        elif kind == "text" and printed is not None:
            shows(text, printed)
            printed = None
    assert names["__name__"] == "page"


# Stories, in which every step uses the one before, and the gallery, whose second block is for all that follow.
TOLD_IN_ORDER = {"earthquakes.md", "gallery.md", "whole_study.md", "lung_cad.md", "dce_mri.md"}


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in TOLD_IN_ORDER], ids=page_name)
def test_every_block_runs_after_the_first_one_of_its_page(page, tmp_path, monkeypatch):
    """Readers paste the first block and then the one that they came for."""
    monkeypatch.chdir(tmp_path)
    for kind, text in blocks(page):
        if kind == "toml":
            (tmp_path / "study.toml").write_text(text, encoding="utf-8")
    codes = [text for kind, text in blocks(page) if kind == "python"]
    for at, text in enumerate(codes[1:], start=1):
        names = {"__name__": "page"}
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(codes[0], f"{page.name}, first block", "exec"), names)
            exec(compile(text, f"{page.name}, block {at}", "exec"), names)
        assert names["__name__"] == "page"


def shows(text, printed):
    have = "\n".join(line.rstrip() for line in printed.split("\n"))
    for part in re.split(r"^\.\.\.\n?", text, flags=re.MULTILINE):
        pattern = re.sub(r"(?<=\d)…", r"\\d+", re.escape(part.strip("\n")))
        place = re.search(pattern, have)
        assert place, f"no longer printed:\n{part}\nbut:\n{have}"
        have = have[place.end() :]


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_links_between_pages_lead_somewhere(page):
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        if not re.match(r"https?:|mailto:", target):
            assert (page.parent / target).exists(), target


def test_every_public_name_is_listed_once():
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    listed = re.findall(rf"^   (?:(?:{'|'.join(MODULES)})\.)?([A-Za-z_]+)$", text, re.MULTILINE)
    assert sorted(listed) == sorted([*public_names(), "datasets", "errors", "names", "plots"])


def test_every_figure_is_listed_once():
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    listed = re.findall(r"^   plots\.([A-Za-z_]+)$", text, re.MULTILINE)
    assert sorted(listed) == sorted(rl.plots.__all__)


def test_every_command_is_in_the_table_of_commands():
    text = (ROOT / "docs" / "guide" / "command_line.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    listed = {word.split()[0] for line in rows for word in re.findall(r"`([^`]+)`", line.split("|")[1])}
    assert sorted(set(cli.commands) - listed) == []
