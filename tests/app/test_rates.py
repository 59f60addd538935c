"""Rates and promises by mouse: thresholds typed in, differences, gaps and promised cut-offs on the screen."""

from __future__ import annotations

import pytest

import roclab as rl
from tests.app.pages import open_example, open_view, state, until

pytest.importorskip("playwright")
DATA = {"label": "outcome", "pos_label": "deteriorated"}


def typed(page, field, text):
    page.fill(field, text)
    page.keyboard.press("Tab")


def exact(page, selector):
    return [float(one) for one in page.locator(selector).evaluate_all("all => all.map(one => one.dataset.exact)")]


def test_two_tests_and_groups_by_mouse(open_app):
    page = open_app()
    open_example(page)
    open_view(page, "rates")
    assert "fixed beforehand" in page.inner_text("#answer")
    typed(page, "#threshold-0", "1,5")
    page.wait_for_selector("#rate-table")
    typed(page, "#threshold-1", "2")
    page.wait_for_selector("#rate-pairs .forest-table")
    thresholds = {"procalcitonin": 1.5, "lactate": 2}
    asked = DATA | {"score": list(thresholds), "threshold": thresholds}
    wanted = rl.compare("example", **asked, metrics=["sensitivity", "specificity", "ppv", "npv"])
    assert exact(page, "#rate-pairs .forest-table td.num[data-exact]") == [one.difference for one in wanted.pairs]
    assert "not told apart" in page.inner_text("#answer h1")
    page.click("#rate-hypothesis [data-choice=non-inferiority]")
    until(page, "document.querySelector('#answer h1').textContent.startsWith('It is not shown')")
    page.select_option("#by", "ward")
    page.wait_for_selector("#gaps .forest-table")
    gaps = rl.confusion("example", **DATA, score="procalcitonin", threshold=1.5, by="ward").gaps()
    shown = page.locator("#gaps .forest-table").first.locator("td.num[data-exact]")
    assert [float(one) for one in shown.evaluate_all("all => all.map(one => one.dataset.exact)")] == [
        one.gap for one in gaps.gaps
    ]
    assert state(page, "options.rates.fixed") == thresholds
    page.click("#undo")
    until(page, "roclab.state.options.rates.fixed !== undefined")
    assert state(page, "roles.by") is None


def test_a_promise_beside_the_cutoff(open_app):
    page = open_app()
    open_example(page)
    open_view(page, "cutoffs")
    typed(page, "#require-confidence", "95 %")
    page.click("#require")
    page.wait_for_selector("#required .big-answer")
    name = state(page, "roles.score")[0]
    wanted = rl.cutoff("example", **DATA, score=name, require={"sensitivity": 0.9}, confidence=0.95)
    assert exact(page, "#required .big-answer") == [wanted.threshold]
    typed(page, "#require-bound", "0.999")
    page.click("#require")
    page.wait_for_selector("#required .refusal")
    assert "are needed" in page.inner_text("#required .refusal")
