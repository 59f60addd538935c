"""The scripts of the workbench as modules of their own, in the browser they are for; texts in every language."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import roclab.app
import roclab.report

TESTS = Path(__file__).parent / "javascript"
STATIC = Path(roclab.app.__file__).parent / "static"
REPORT = Path(roclab.report.__file__).parent / "static"
CHECK = Path(__file__).parents[1] / "report" / "javascript" / "check.js"
HOST = "http://roclab.test"  # answered by the fixture, never by a network
CASES = [
    (path.name, name)
    for path in sorted(TESTS.glob("*.test.js"))
    for name in re.findall(r'^test\("(.*)", (?:async )?\(\) => \{$', path.read_text(encoding="utf-8"), re.MULTILINE)
]
LANGUAGES = ("it", "el", "sl", "ru")


@pytest.fixture(scope="module")
def modules(chromium):
    """An empty page that can import the scripts and their tests."""
    context = chromium.new_context()
    context.set_default_timeout(600_000)  # only ends what hangs

    def answer(route):
        where = route.request.url.removeprefix(HOST)
        if where == "/":
            route.fulfill(content_type="text/html", body="<!doctype html>")
            return
        _, folder, name = where.split("/", 2)
        path = CHECK if name == "check.js" else {"static": STATIC, "report": REPORT, "tests": TESTS}[folder] / name
        kind = "application/json" if path.suffix == ".json" else "text/javascript"
        route.fulfill(content_type=kind, body=path.read_text(encoding="utf-8"))

    context.route("**/*", answer)
    page = context.new_page()
    page.goto(f"{HOST}/")
    yield page
    context.close()


def test_there_are_tests_of_the_modules_that_hold_state():
    assert {name.removesuffix(".test.js") for name, _ in CASES} == {"session", "tables", "text"}


@pytest.mark.parametrize(("file", "name"), CASES)
def test_module(modules, file, name):
    failed = modules.evaluate(
        """async ([file, name]) => {
            await import(`/tests/${file}`);
            const { run } = await import("/tests/check.js");
            try { await run(name); } catch (error) { return error.message; }
            return "";
        }""",
        [file, name],
    )
    assert failed == ""


def texts():
    return json.loads((STATIC / "texts.json").read_text(encoding="utf-8"))


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
