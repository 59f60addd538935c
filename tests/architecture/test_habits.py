"""Habits of the tests themselves: nothing is measured in seconds, and no example is passed over in silence."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests").rglob("*.py"))
CLOCKS = {"perf_counter", "perf_counter_ns", "monotonic", "monotonic_ns", "process_time", "timeit"}


def functions_of(path):
    """The test functions of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]


def returns_of(test):
    """Return statements of the test itself, not of functions inside it."""
    inner = [node for node in ast.walk(test) if isinstance(node, ast.FunctionDef) and node is not test]
    within = {id(node) for function in inner for node in ast.walk(function)}
    return [node.lineno for node in ast.walk(test) if isinstance(node, ast.Return) and id(node) not in within]


def names_in(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    imported = {name.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for name in node.names}
    return attributes | imported


def test_there_are_tests_to_look_at():
    assert sum(len(functions_of(path)) for path in FILES) > 1000


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT / "tests")))
def test_no_test_ends_early(path):
    """An example that does not fit is refused with assume() or reject(), which hypothesis counts; a return hides it."""
    assert {test.name: lines for test in functions_of(path) if (lines := returns_of(test))} == {}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT / "tests")))
def test_no_test_looks_at_a_clock(path):
    """A limit in seconds fails on a loaded machine; speed is measured by benchmarks/run.py."""
    assert names_in(path) & CLOCKS == set()


def test_returns_of_a_test_definition():
    code = "def test_a():\n    def inner():\n        return 1\n    if inner():\n        return\n"
    assert returns_of(ast.parse(code).body[0]) == [5]
