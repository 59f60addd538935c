"""Cases that were followed, by mouse and keyboard: the guess, the codes, and one horizon that moves everything."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.analysis.data import bundled_path
from tests.app.pages import open_view, state, tab_to, until, upload

pytest.importorskip("playwright")
CLINIC = {"time": "days", "event": "ended", "cause": "relapse", "competing": "death", "censored": "lost"}


@pytest.fixture
def patients(tmp_path):
    found = rl.read_columns("followed").values
    risk = 1 / (1 + np.exp(4.8 - 0.6 * found["marker"].astype(float) - 0.35 * found["grade"].astype(float)))
    names = ["days", "ended", "marker", "risk"]
    rows = zip(found["days"], found["ended"], found["marker"], risk, strict=True)
    path = tmp_path / "patients.csv"
    path.write_text("\n".join([",".join(names), *(",".join(map(str, row)) for row in rows)]), encoding="utf-8")
    return path


def exact(page, selector):
    return float(page.locator(selector).first.get_attribute("data-exact"))


def here(page, at):
    until(page, f"roclab.current.now?.at === {at}")


def test_a_follow_up_is_recognised_and_its_horizon_moves_everything(open_app, patients):
    page = open_app()
    upload(page, patients)
    page.wait_for_selector("#ask-over-time")
    page.click("#ask-over-time")
    page.wait_for_selector("#time-square .cell")
    assert state(page, "roles.time") == "days"
    assert state(page, "options.time") == {"cause": "relapse", "competing": ["death"], "censored": ["lost"]}
    for at in (365, 730):
        page.fill("#horizon", str(at))
        page.keyboard.press("Tab")
        here(page, at)
        areas = rl.auc(patients, **CLINIC, score=["marker", "risk"], at=at)
        assert exact(page, "#answer") == max(one.area for one in areas.areas)
        best = rl.cutoff(patients, **CLINIC, score="marker", at=at)
        assert exact(page, "#time-cut") == best.threshold
        assert exact(page, "#time-square [data-value=tp]") == best.rates.tp
        assert exact(page, "#time-rates [data-metric=ppv]") == best.rates["ppv"].rate
        shown = page.evaluate("roclab.current.now.benefit.lines[0].y")
        curve = rl.net_benefit(patients, **CLINIC, score="risk", at=at)
        np.testing.assert_array_equal(np.array(shown, dtype=float), curve.net_benefit["risk"])
    page.wait_for_selector("#time-benefit svg .series")
    page.fill("#time-threshold", "4")
    page.keyboard.press("Tab")
    until(page, "document.querySelector('#time-cut').dataset.exact === '4'")
    rates = rl.confusion(patients, **CLINIC, score="marker", at=730, threshold=4)
    assert exact(page, "#time-rates [data-metric=sensitivity]") == rates["sensitivity"].rate


def test_the_horizon_by_keyboard_alone(open_app):
    page = open_app()
    upload(page, bundled_path("followed"))
    page.wait_for_selector("#ask-over-time")
    tab_to(page, "#ask-over-time")
    page.keyboard.press("Enter")
    page.wait_for_selector("#time-square .cell")
    before = page.evaluate("roclab.current.now.at")
    page.focus("#horizon-range")
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    until(page, f"roclab.current.now.at > {before} && roclab.current.now.at === roclab.state.options.time.at")
    at = page.evaluate("roclab.current.now.at")
    assert page.get_attribute("#horizon-range", "aria-valuetext") == f"{at:g}"
    assert exact(page, "#answer") == rl.auc("followed", **CLINIC, score="marker", at=at).area
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Control+z")
    until(page, f"roclab.state.options.time.at < {at} && roclab.current.now?.at === roclab.state.options.time.at")


def test_codes_by_hand_and_what_losses_depend_on(open_app):
    page = open_app()
    upload(page, bundled_path("followed"))
    page.wait_for_selector("#columns")
    open_view(page, "time")
    assert "Who has the event" in page.inner_text("#answer")
    page.select_option("#time-column", "days")
    page.select_option("#event-column", "ended")
    page.wait_for_selector("#codes")
    codes = page.locator("#codes label").all_inner_texts()
    for words, meaning in (("relapse", "cause"), ("death", "competing"), ("lost", "censored")):
        at = next(at for at, text in enumerate(codes) if text.startswith(words))
        page.select_option(f"#code-{at}", meaning)
    page.click("#time-columns .checks label:has-text('marker')")
    page.wait_for_selector("#time-square .cell")
    at = page.evaluate("roclab.current.now.at")
    assert exact(page, "#answer") == rl.auc("followed", **CLINIC, score="marker", at=at).area
    page.evaluate("document.getElementById('time-columns').open = true")
    page.select_option("#censoring", "grade")
    until(page, "roclab.state.options.time.depends === 'grade' && roclab.current.now !== null")
    wanted = rl.auc("followed", **CLINIC, score="marker", at=at, censoring=["grade"])
    assert exact(page, "#answer") == wanted.area
    with page.expect_download() as saved:
        page.click("#report")
    text = saved.value.path().read_text(encoding="utf-8")
    assert "in each stratum of grade" in text


def test_what_cannot_be_asked_is_said(open_app):
    page = open_app()
    upload(page, bundled_path("followed"))
    page.wait_for_selector("#ask-over-time")
    page.click("#ask-over-time")
    page.wait_for_selector("#time-square .cell")
    page.fill("#horizon", "2")
    page.keyboard.press("Tab")
    page.wait_for_selector("#time-wrong .refusal, #time-wrong [role=alert]")
    assert "the first is at 3" in page.inner_text("#time-wrong")
