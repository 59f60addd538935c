"""The page in other languages: headings, tables and the answer are translated, names and numbers are not."""

from __future__ import annotations

import re

import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.names import LANGUAGES
from roclab.report.headline import answer, headline
from roclab.report.language import in_language, words_of
from tests.report.test_page import HOSTILE, Words, page_data

DATA = {"label": "outcome", "pos_label": "deteriorated", "score": ["procalcitonin", "lactate", "concern"]}
FEW = {"rng": 1, "resampling": 60}


@pytest.fixture(scope="module")
def shared():
    return rl.build_report("example", **DATA, **FEW)


def numbers(text):
    return re.findall(r"\d+\.\d{4}", text)


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_every_part_is_said_in_the_language(shared, language):
    english, other = (Words(shared.to_html(language=one)).text for one in ("en", language))
    assert f'<html lang="{language}">' in shared.to_html(language=language)
    assert numbers(english) == numbers(other)
    known = words_of(language)
    for heading in ("How well does each score tell the classes apart?", "Where to cut?", "References", "std. error"):
        assert heading in english
        assert heading not in other
        assert known[heading] in other
    assert page_data(shared.to_html(language=language))["words"]["score"] == known["score"]
    assert "words" not in page_data(shared.to_html())
    say = in_language(language)
    for sentence in shared.methods:
        assert say(sentence) != sentence
        assert sentence not in other
    for work in shared.references:  # as they are cited
        assert work in other
    for sentence in (answer, headline):
        assert sentence(shared, say) != sentence(shared)
        assert numbers(sentence(shared, say)) == numbers(sentence(shared))


def test_names_of_the_data_are_never_translated():
    label = ["class", "area"] * 20
    scores = {name: [float(at * (1 + at % 3)) for at in range(40)] for name in ("score", "sensitivity", HOSTILE[0])}
    report = rl.build_report(label, scores, pos_label="area", rng=1, band=False)
    page = report.to_html(language="it")
    shown = Words(page).text
    for name in scores:
        assert " ".join(name.split()) in shown
    assert "classificato come area" in shown
    assert [one["name"] for one in page_data(page)["scores"]] == list(scores)


def test_an_unknown_language_is_refused_before_any_work(tmp_path):
    with pytest.raises(InputError, match="language must be one of"):
        rl.write_report(tmp_path / "page.html", "nowhere.csv", language="de")
    assert list(tmp_path.iterdir()) == []


def test_the_page_of_the_scripts_speaks_too(open_page, shared):
    page = open_page(shared.to_html(language="it"), locale="it-IT")
    page.wait_for_function("document.querySelector('[data-panel=roc] .axis-title') !== null")
    assert "tasso di veri positivi (sensibilità)" in page.locator("[data-panel=roc] .axis-title").all_text_contents()
    page.click("#all-cutoffs summary")
    assert "soglia" in page.inner_text("#all-cutoffs thead")
