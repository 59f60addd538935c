"""The tutorials run in a new kernel, show what the documentation shows, and are linked from it."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import nbformat
import pytest

TUTORIALS = Path(__file__).parents[2] / "docs" / "tutorials"
NAMES = ["five_models", "methods_paragraph", "readers", "ten_minutes", "who_relapses"]
NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def _module():
    spec = importlib.util.spec_from_file_location("execute_tutorials", TUTORIALS / "execute.py")
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def _texts(cell):
    return "".join(one.text for one in cell.outputs if one.output_type == "stream")


def _pictures(cell):
    return sum("image/png" in one.get("data", {}) for one in cell.outputs)


def test_every_tutorial_is_known_and_linked():
    assert [path.stem for path in sorted(TUTORIALS.glob("*.ipynb"))] == NAMES
    index = (TUTORIALS.parent / "index.md").read_text(encoding="utf-8")
    for name in NAMES:
        assert f"tutorials/{name}" in index


@pytest.mark.parametrize("name", NAMES)
def test_a_new_kernel_shows_what_the_page_shows(name):
    path = TUTORIALS / f"{name}.ipynb"
    kept, new = nbformat.read(path, as_version=4), _module().executed(path)
    shown = 0
    for before, after in zip(kept.cells, new.cells, strict=True):
        if before.cell_type != "code":
            continue
        shown += _pictures(after)
        assert _pictures(before) == _pictures(after), before.source
        words, again = (NUMBER.sub("#", _texts(cell)).split() for cell in (before, after))
        assert words == again, before.source
        numbers = [[float(one) for one in NUMBER.findall(_texts(cell))] for cell in (before, after)]
        # Printed digits may round apart on other processors; nothing else may differ.
        assert numbers[0] == pytest.approx(numbers[1], rel=2e-2, abs=2e-3), before.source
    assert shown >= 2
    assert path.stat().st_size < 200_000
