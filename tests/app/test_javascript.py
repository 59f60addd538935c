"""The scripts of the workbench as modules of their own, in the browser they are for; texts in every language."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import roclab.app
import roclab.report
from tests.javascript import cases_in, failure, module_page

TESTS = Path(__file__).parent / "javascript"
STATIC = Path(roclab.app.__file__).parent / "static"
REPORT = Path(roclab.report.__file__).parent / "static"
CASES = cases_in(TESTS)
LANGUAGES = ("it", "el", "sl", "ru")


@pytest.fixture(scope="module")
def modules(chromium):
    yield from module_page(chromium, {"static": STATIC, "report": REPORT, "tests": TESTS})


def test_there_are_tests_of_the_modules_that_hold_state():
    assert {name.removesuffix(".test.js") for name, _ in CASES} == {"sentences", "session", "tables", "text"}


@pytest.mark.parametrize(("file", "name"), CASES)
def test_module(modules, file, name):
    assert failure(modules, file, name) == ""


def texts():
    return json.loads((REPORT / "texts.json").read_text(encoding="utf-8"))


def test_every_sentence_is_there_in_every_language():
    for english, others in texts().items():
        assert set(others) == set(LANGUAGES), english
        for language, said in others.items():
            assert said.strip(), (english, language)
            assert sorted(re.findall(r"\{\w+\}", said)) == sorted(re.findall(r"\{\w+\}", english)), (english, language)


def test_every_sentence_of_the_scripts_is_translated():
    known = texts()
    said = set()
    for path in STATIC.rglob("*.js"):
        source = path.read_text(encoding="utf-8")
        code = re.sub(r"^\s*//.*$", "", source, flags=re.MULTILINE)
        said |= set(re.findall(r'\bt\(\s*"((?:[^"\\]|\\.)*)"', code))
    for name in ("panels", "store", "cutoff_table"):
        source = (REPORT / f"{name}.js").read_text(encoding="utf-8")
        said |= set(re.findall(r'\bword\(\s*"((?:[^"\\]|\\.)*)"', source))
    assert len(said) > 150
    assert sorted(said - set(known)) == []
