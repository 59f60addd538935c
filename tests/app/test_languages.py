"""The page in another language: nothing that the library says stays English, and refusals are built anew."""

from __future__ import annotations

import re

import pytest

from tests.app.pages import open_example, open_view, until

ENGLISH = re.compile(r"\b(the|of|and|are|with|from|than|which|that|must)\b", re.IGNORECASE)
# Every text on the page and what is said of it to those who rest on it; not code, and not what needs no scripts.
TEXTS = """() => {
    for (const one of document.querySelectorAll("details")) one.open = true;
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walk.nextNode()) {
        const place = walk.currentNode.parentElement;
        if (!place.closest("script, style, noscript, code, pre")) found.push(walk.currentNode.textContent.trim());
    }
    for (const one of document.querySelectorAll("[title]")) found.push(one.title);
    return found.filter(Boolean);
}"""


def english(page):
    return sorted({text for text in page.evaluate(TEXTS) if ENGLISH.search(text)})


@pytest.fixture
def spoken(open_app):
    """The example, opened by somebody who reads another language."""

    def visit(language):
        page = open_app()
        page.evaluate(f"localStorage.setItem('roclab language', '{language}')")
        page.reload()
        page.wait_for_selector("html.live")
        open_example(page)
        return page

    return visit


ANSWERED = {
    "curves": "#leaders, [aria-label*=leaders], .findings",
    "compare": "#areas-options, #compare-options",
    "cutoffs": "#more-criteria .table",
}


def test_nothing_stays_english(spoken):
    page = spoken("sl")
    for view, answered in ANSWERED.items():
        open_view(page, view)
        page.wait_for_selector(answered, state="attached")
        until(page, "!document.querySelector('[aria-busy=true], .busy')")
        assert len(page.evaluate(TEXTS)) > 40
        assert english(page) == [], view


@pytest.mark.parametrize("language", ["el", "ru"])
def test_a_criterion_without_an_answer_says_so_in_the_language(spoken, language):
    page = spoken(language)
    open_view(page, "cutoffs")
    page.wait_for_selector("#more-criteria .table", state="attached")
    said = [text for text in page.locator(".notes li").all_text_contents() if "'bayes'" in text]
    assert len(said) == 1
    assert ENGLISH.search(said[0]) is None
    assert re.search(r"0[.,]01.*55[.,]75", said[0])  # what was received stays
