"""The page of a reproduction: everything in it, escaped, in one file without scripts."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from roclab.report.reproduction import MEANINGS, reproduction_page
from roclab.studies.reproduction import reproduce
from roclab.studies.verdicts import UNEXPLAINED, VERDICTS


@pytest.fixture(scope="module")
def found():
    return reproduce(sources=["italian", "slovenian"])


class Cells(HTMLParser):
    """Rows of all tables as text."""

    def __init__(self):
        super().__init__()
        self.rows, self.inside = [], False

    def handle_starttag(self, tag, attrs):
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self.inside = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.rows[-1][-1] += data


def test_every_comparison_is_a_row(found):
    parser = Cells()
    parser.feed(reproduction_page(found))
    shown = [tuple(row) for row in parser.rows]
    for one in found.comparisons:
        gap = "" if one.difference is None else f"{one.difference:.2g}"
        assert (one.where, one.quantity, one.printed, one.reference, one.ours, gap, one.verdict, one.reason) in shown


def test_page_stands_alone(found):
    page = reproduction_page(found)
    assert "<script" not in page
    assert not re.search(r"(src|href)=\"(?!#)", page)
    assert "url(" not in page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    assert {f"#{name}" for name in found.sources()} <= set(re.findall(r'href="(#\w+)"', page))
    assert "No difference is unexplained." in page


def test_unexplained_differences_stand_on_top(found):
    bad = replace(found.comparisons[0], verdict=UNEXPLAINED, quantity="<b>tAUC</b> & more")
    page = reproduction_page(replace(found, comparisons=(bad, *found.comparisons[1:])))
    assert "Unexplained differences: 1." in page
    assert "&lt;b&gt;tAUC&lt;/b&gt; &amp; more" in page


def test_every_verdict_has_a_meaning():
    assert tuple(MEANINGS) == VERDICTS


def test_simulations_are_named(found):
    page = reproduction_page(replace(found, replicates=1000, seed=7))
    assert "1000 replicates, seed 7" in page
