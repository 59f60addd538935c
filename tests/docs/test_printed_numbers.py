"""What the documentation prints is the same on every processor: no page and no docstring shows fragile digits."""

from __future__ import annotations

import ast
import doctest
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, SHOWN_ONLY, blocks, page_name
from tests.docs.printed_numbers import fragile_numbers

MODULES = sorted((ROOT / "src").rglob("*.py"))
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


def wanted_output(module: Path) -> list[str]:
    """What the examples in the docstrings of a module are said to print."""
    nodes = [node for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))) if isinstance(node, DOCUMENTED)]
    docstrings = [ast.get_docstring(node) or "" for node in nodes]
    return [example.want for text in docstrings for example in doctest.DocTestParser().get_examples(text)]


@pytest.mark.parametrize(
    ("text", "fragile"),
    [
        ("0.7778", []),
        ("0.33170430372779247", ["0.33170430372779247"]),
        ("(-121.04512345678, 3)", ["121.04512345678"]),
        ("calibration 5.6e-17, p 8.6e-27", ["5.6e-17"]),
        ("p 5.5e-14 of 123456789012345 pairs", []),
        ("0.773703… of every digit", []),
        ("[0.1 0.00012345678 1.e-16]", ["1.e-16"]),
        ("1.234567890123e-05", ["1.234567890123e-05"]),
    ],
)
def test_fragile_numbers_are_those_with_too_many_digits_or_rounding_noise(text, fragile):
    assert fragile_numbers(text) == fragile


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_pages_show_no_fragile_numbers(page):
    shown = [text for kind, text in blocks(page) if kind in SHOWN_ONLY | {"console"}]
    assert [number for text in shown for number in fragile_numbers(text)] == []


def test_the_readme_shows_no_fragile_numbers():
    assert fragile_numbers((ROOT / "README.md").read_text(encoding="utf-8")) == []


def test_docstrings_show_no_fragile_numbers():
    wanted = {module: wanted_output(module) for module in MODULES}
    assert sum(map(len, wanted.values())) > 100
    found = {module.name: fragile_numbers("\n".join(texts)) for module, texts in wanted.items()}
    assert {name: numbers for name, numbers in found.items() if numbers} == {}
