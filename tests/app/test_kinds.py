"""What no page of ours sends: every part, option and way to read, of every wrong kind, gets a sentence."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

import roclab.app
from roclab.app.asking import Asked
from roclab.app.kinds import _OPTIONS, _READING, _ROLES
from roclab.app.questions import QUESTIONS
from roclab.app.shelf import Shelf
from roclab.app.wording import in_page
from roclab.data.reading import Reading

SHORT = [name for name, question in QUESTIONS.items() if not question.long]
ROLES = {"label": "outcome", "positive": "deteriorated", "score": ["lactate", "concern"]}
ODD = [0, -1, 1e20, 1e308, 2**70, True, "x", "\0", "1e400", "nan", ["x"], [[1]], [None], [1e20], [1, 2], {"a": 1},
       {"x": {}}, {"lactate": "lower"}, "constructor", "lactate"]  # fmt: skip


@pytest.fixture(scope="module")
def item():
    shelf = Shelf(upload_limit=1)
    yield shelf.add_path("example")
    shelf.close()


def sentence(run, *arguments, **keywords):
    try:
        run(*arguments, **keywords)
    except Exception as error:
        return in_page(error)
    return "an answer."


def test_every_option_that_is_read_has_a_kind():
    source = "".join(path.read_text(encoding="utf-8") for path in Path(roclab.app.__file__).parent.rglob("*.py"))
    read = set(re.findall(r'option\("(\w+)"', source))
    for names in re.findall(r"chosen\(([^)]*)\)", source):
        read |= set(re.findall(r'"(\w+)"', names))
    assert read <= set(_OPTIONS)
    assert set(_READING) == {one.name for one in dataclasses.fields(Reading)}


@pytest.mark.parametrize("name", SHORT)
def test_parts_of_a_wrong_kind_are_a_sentence(item, name):
    for part in _ROLES:
        for value in ODD:
            said = sentence(QUESTIONS[name].run, Asked(item=item, roles={**ROLES, part: value}))
            assert "bug" not in said, (part, value, said)
            assert said.endswith(".")


class Watched(dict):
    """Options that know which of them were asked for: the others change nothing, whatever their kind."""

    def __init__(self, given, read):
        super().__init__(given)
        self.read = read

    def get(self, name, default=None):
        self.read.setdefault(name)
        return super().get(name, default)

    def __contains__(self, name):
        self.read.setdefault(name)
        return super().__contains__(name)


@pytest.mark.parametrize("name", SHORT)
def test_options_of_a_wrong_kind_are_a_sentence(item, name):
    read = dict.fromkeys(QUESTIONS[name].form.options())
    sentence(QUESTIONS[name].run, Asked(item=item, roles=ROLES, options=Watched({}, read)))
    tried = set()
    while set(read) - tried:  # a choice may make others matter
        option = next(one for one in read if one not in tried)
        tried.add(option)
        for value in ODD:
            said = sentence(QUESTIONS[name].run, Asked(item=item, roles=ROLES, options=Watched({option: value}, read)))
            assert "bug" not in said, (option, value, said)
    assert tried <= set(_OPTIONS) | set(QUESTIONS[name].form.options())


@pytest.mark.parametrize("keyword", sorted(_READING))
def test_ways_to_read_of_a_wrong_kind_are_a_sentence(item, keyword):
    for value in ODD:
        said = sentence(item.read_anew, {keyword: value})
        assert "bug" not in said, (value, said)
    item.read_anew({})


@pytest.mark.parametrize("asked", [{"roles": [1]}, {"roles": "x"}, {"options": 3}, {"options": ["a"]}])
def test_questions_of_a_wrong_kind_are_a_sentence(workbench, asked):
    key = workbench.api("open", {"path": "example"})["key"]
    answer = workbench.api("ask", {"question": "overview", "key": key, **asked})
    assert "must be a JSON object" in answer["error"]
    assert "must be a JSON object" in workbench.api("read", {"key": key, "reading": [1]})["error"]
