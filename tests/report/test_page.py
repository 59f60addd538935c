"""The page as text: complete, self-contained, and unmoved by hostile names."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from roclab._core.text import format_number
from roclab.report import build_report
from roclab.report.headline import answer
from roclab.report.page import modules

HOSTILE = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "quote \" and ' and & and |pipe|",
    "δείκτης",
    "маркер",
    "označevalec č š ž",
    "{{ 7 * 7 }} ${x} \\u003c",
]


class Words(HTMLParser):
    """Tags, attributes and visible words of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.links, self.words, self._skip = [], [], [], 0
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href", "action")]
        self._skip += tag in ("style", "script")

    def handle_endtag(self, tag):
        self._skip -= tag in ("style", "script")

    def handle_data(self, data):
        if not self._skip:
            self.words.append(data)

    @property
    def text(self):
        return " ".join("".join(self.words).split())


def page_data(html):
    return json.loads(re.search(r'id="numbers">(.*?)</script>', html, re.DOTALL).group(1))


def test_page_shows_the_tables_digit_for_digit(report):
    text = Words(report.to_html()).text
    for one in report.scores:
        for value in one.row().values():
            assert format_number(value) in text
    for pair in report.comparison.pairs:
        assert format_number(pair.difference) in text
    assert " ".join(answer(report).split()) in text
    for sentence in (*report.methods, *report.references):
        assert sentence in text


def test_page_needs_nothing_from_outside(report):
    html = report.to_html()
    assert all(link.startswith("#") for link in Words(html).links)
    assert "default-src 'none'" in html
    outside = set(re.findall(r"https?://[^\s\"'<)]+", html))
    assert outside == {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert not re.search(r"\b(import|export)\b [{\w*]", modules())
    assert not re.search(r"@import|url\(\s*['\"]?(?!#)", html.split("<body>")[0])


def test_page_is_small(report):
    data = len(json.dumps(page_data(report.to_html())))
    assert len(report.to_html().encode()) - data < 150_000


def test_scripts_define_each_name_once():
    names = re.findall(r"^(?:const|let|class|function|async function) (\w+)", modules(), re.MULTILINE)
    assert len(names) == len(set(names))
    assert "start" in names


def test_hostile_names_stay_words():
    rng = np.random.default_rng(3)
    label = np.repeat(["<b>ill</b>", "well & 'good'"], 20)
    scores = {name: (label == "<b>ill</b>") + rng.normal(size=40) for name in HOSTILE}
    report = build_report(
        label, scores, pos_label="<b>ill</b>", rng=1, title="<title>", source="a<b>.csv", command="roclab '<x>'"
    )
    html = report.to_html()
    page = Words(html)
    assert set(page.tags) == set(
        Words(build_report([1, 0], {"a": [2, 1], "b": [1, 2]}, rng=1, command="x").to_html()).tags
    )
    assert page.tags.count("script") == 2
    assert [one["name"] for one in page_data(html)["scores"]] == HOSTILE
    for name in HOSTILE:
        assert " ".join(name.split()) in page.text
    markdown = report.to_markdown()
    assert "<script>" not in markdown.replace("\\<", "").replace("\\>", "")
    assert "маркер" in markdown


def test_only_shows_the_sections_asked_for(report):
    few = build_report([1, 0, 1, 0], {"a": [4, 3, 2, 1], "b": [1, 2, 3, 4]}, rng=1, only=("areas", "comparison"))
    html = few.to_html()
    assert re.findall(r'<section id="(\w+)"', html) == ["areas", "comparison"]
    assert "<script" not in html
    assert re.findall(r'<section id="(\w+)"', report.to_html()) == [
        "curves", "areas", "comparison", "cutoffs", "distributions", "data", "methods",
    ]  # fmt: skip


def test_sixty_scores_show_pairs_with_the_best_only(many):
    html = many.to_html()
    assert "pairs with the best score" in html
    assert len(many.comparison.pairs) == 1770
    assert len(page_data(html)["scores"]) == 60
    assert len(html) < 2_000_000


def test_page_says_what_thinning_costs():
    rng = np.random.default_rng(6)
    label = rng.integers(0, 2, 20_000)
    report = build_report(label, label + rng.normal(size=label.size), rng=1)
    (score,) = page_data(report.to_html())["scores"]
    assert 2000 <= len(score["tp"]) < 2200
    assert len(score["tp"]) == len(report.scores[0].outline)
    assert "is off by at most" in report.to_html()
    assert report.scores[0].outline.area_error < 1e-4


@pytest.mark.parametrize("scale", [1e-300, 1e300, -1e300])
def test_extreme_scores_still_make_a_page(scale):
    report = build_report([1, 0] * 15, scale * np.arange(30.0), rng=1)
    assert page_data(report.to_html())["scores"][0]["thresholds"][0] == "inf"


def test_markdown_has_the_same_tables(report):
    text = report.to_markdown()
    assert text.startswith("# ROC analysis\n")
    for one in report.scores:
        assert format_number(one.area.area) in text
    assert "## Comparison" in text
    assert "Seed 1;" in text
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in lines)
