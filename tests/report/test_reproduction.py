"""The page of a reproduction: everything in it, escaped, in one file without scripts."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import numpy as np
import pytest

from roclab.report.reproduction import _MARKS, reproduction_page
from roclab.studies.bench_tables import HalfSplits
from roclab.studies.reproduction import reproduce
from roclab.studies.verdicts import KINDS, UNEXPLAINED, VERDICTS


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
        assert (one.where, one.quantity, one.compared_with, one.ours, gap, one.verdict, one.reason) in shown


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


def test_first_page_shows_the_four_kinds_with_their_counts(found):
    parser = Cells()
    parser.feed(reproduction_page(found))
    for row, expected in zip(parser.rows[1:5], found.summary(), strict=True):
        assert row == [str(value) for value in expected.values()]


def test_kinds_have_tables_of_their_own(found):
    page = reproduction_page(found)
    for source in found.sources():
        part = page.split(f'<h2 id="{source}">')[1].split("<h2")[0]
        shown = [kind for kind, words in KINDS.items() if f"<h3>{words.capitalize()}</h3>" in part]
        assert shown == [kind for kind in KINDS if found.of_source(source, kind)]


def test_every_verdict_has_a_mark():
    assert len(_MARKS) == len(VERDICTS)


def test_mistakes_in_words_stand_apart(found):
    parser = Cells()
    parser.feed(reproduction_page(found))
    for source, rows in found.remarks.items():
        assert all([source, one.where, one.quantity, one.says] in parser.rows for one in rows)


def test_the_bench_is_drawn(found):
    assert 'id="figures"' not in reproduction_page(found)
    ends = np.array([0.0, 0.1, 1.0])
    curves = {f"model {at}": HalfSplits(auc=ends, tauc=ends / 2, fpr=ends, tpr=ends**0.5) for at in range(9)}
    page = reproduction_page(replace(found, curves={"phoneme": curves}))
    part = page.split('id="figures"')[1]
    assert part.count('role="img"') == 2
    assert all(f"model {at}: AUC 0.3667, tAUC 0.1833" in part for at in range(9))
    looks = re.findall(r'stroke="var\(--c(\d)[^>]*?(?:stroke-dasharray="([^"]*)")?/>', part.split('class="names"')[1])
    assert len(set(looks)) == 9


def test_public_data_are_named_with_their_origin(found):
    page = reproduction_page(found)
    assert "ELENA project" in page
    assert "UCI repository" in page


def test_simulations_are_named(found):
    page = reproduction_page(replace(found, replicates=1000, seed=7))
    assert "1000 replicates, seed 7" in page
