"""Sentences of the library in other languages: recognised, complete, and still those that the library says."""

from __future__ import annotations

import ast
import json
import math
import re
from pathlib import Path

import pytest

import roclab as rl
import roclab.report
from roclab.names import LANGUAGES
from roclab.report.language import in_language
from roclab.report.sentences import GAP, Sentences

STATIC = Path(roclab.report.__file__).parent / "static"
SOURCE = Path(rl.__file__).parent
CASES = Path(__file__).parents[1] / "app" / "javascript" / "sentence_cases.json"  # the scripts answer the same
OTHERS = [one for one in LANGUAGES if one != "en"]


@pytest.fixture(scope="module")
def known():
    return json.loads((STATIC / "sentences.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", json.loads(CASES.read_text(encoding="utf-8")), ids=lambda case: case["given"])
def test_a_sentence_is_known_by_its_still_words(case):
    assert Sentences(case["texts"])(case["given"]) == case["said"]


def gaps(text):
    return sorted(number for number, _ in GAP.findall(text))


def test_every_sentence_is_there_in_every_language_with_its_gaps(known):
    page = json.loads((STATIC / "texts.json").read_text(encoding="utf-8"))
    assert not set(known) & set(page), "one place for each sentence"
    for english, others in known.items():
        assert set(others) == set(OTHERS), english
        assert gaps(english) == [str(at) for at in range(len(gaps(english)))], english
        for language, said in others.items():
            assert said.strip(), (english, language)
            assert gaps(said) == gaps(english), (english, language)
            assert not any(star for _, star in GAP.findall(said)), (english, language)


@pytest.fixture(scope="module")
def literals():
    """Everything that the library writes in quotes."""
    found = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return "\n".join(sorted(found))


def pieces(words, literals):
    """How many pieces of the library's own words make up these."""
    count = 0
    while words:
        size = next((size for size in range(len(words), 0, -1) if words[:size] in literals), 0)
        if size == 0:
            return math.inf
        words, count = words[size:], count + 1
    return count


def test_no_sentence_is_kept_that_the_library_does_not_say(known, literals):
    """A sentence that was reworded would stay English without a word; its still words are in no source then."""
    assert pieces("Seven editors looked through an article on quality", literals) > 1 + 50 / 20
    for english in known:
        for words in GAP.split(english)[::3]:
            assert pieces(words, literals) <= 1 + math.ceil(len(words) / 20), (english, words)


@pytest.fixture(scope="module")
def report():
    """A page that has much to say: few cases, ties, gaps, a score that is turned round, groups and folds."""
    label = (["sick", "well", "well"] * 21)[:60]
    marker = [float(at % 7 - 3 * (one == "sick")) for at, one in enumerate(label)]
    other = [None if at == 5 else float(at % 5 + (one == "sick")) for at, one in enumerate(label)]
    data = {
        "outcome": label,
        "marker": marker,
        "other": other,
        "site": ["ABC"[at // 20] for at in range(60)],
        "fold": [at // 10 for at in range(60)],
    }
    pandas = pytest.importorskip("pandas")
    return rl.build_report(
        pandas.DataFrame(data), label="outcome", pos_label="sick", score=["marker", "other"], missing="drop", by="site",
        fold="fold", rng=1, resampling=60,
    )  # fmt: skip


@pytest.mark.parametrize("language", OTHERS)
def test_every_finding_is_said_in_the_language(report, language):
    say = in_language(language)
    assert len(report.findings) >= 4
    for finding in report.findings:
        said = say(finding.text)
        assert said != finding.text
        assert sorted(re.findall(r"\d+", said)) == sorted(re.findall(r"\d+", finding.text))
        for name in ("marker", "other", "sick", "well"):
            assert (f"{name} " in finding.text) <= (name in said)
