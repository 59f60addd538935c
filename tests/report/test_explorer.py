"""What surrounds the operating point in a real browser: legend, numbers in view, every cut-off, decimals, print."""

from __future__ import annotations

import csv
import io
import math

import numpy as np
import pytest

import roclab as rl
from roclab._core.text import format_number
from roclab.datasets import example_path
from roclab.report import build_report
from tests.report.test_browser import COLUMNS, roc_of, settle, shown


@pytest.fixture
def page(open_page, report):
    return open_page(report.to_html())


def open_table(page):
    page.click("#all-cutoffs summary")
    page.wait_for_selector("#all-cutoffs tbody tr")


def inks(page, selector):
    """Colour and dashes of lines, by the place of their score."""
    found = page.eval_on_selector_all(
        selector,
        """lines => lines.map(line => [
            (line.closest("[data-legend]")?.dataset.legend ?? line.dataset.curve),
            line.getAttribute("stroke"), line.getAttribute("stroke-dasharray") ?? "none"])""",
    )
    return {place: (colour, dash) for place, colour, dash in found}


def test_curve_and_legend_are_on_the_first_screen(open_page, report):
    for width, height in ((1280, 900), (800, 900), (390, 844)):
        page = open_page(report.to_html(), width=width)
        page.set_viewport_size({"width": width, "height": height})
        box = page.locator('[data-panel="roc"] svg').bounding_box()
        assert box["y"] + 0.9 * box["height"] < height
    page = open_page(report.to_html())
    last = page.locator("#legend li").last.bounding_box()
    assert last["y"] + last["height"] < 900


def test_every_curve_has_an_ink_of_its_own_and_the_legend_has_it_too(open_page, many):
    page = open_page(many.to_html())
    legend = inks(page, "#legend .sample line")
    curves = inks(page, '[data-panel="roc"] [data-curve]')
    assert legend == curves
    assert len(legend) == 60
    assert len({legend[str(place)] for place in range(48)}) == 48
    names = page.locator("#legend .name").all_inner_texts()
    areas = {one.name: one.area for one in many.scores}
    assert sorted(names) == sorted(areas)
    assert [areas[name].area for name in names] == sorted((one.area for one in areas.values()), reverse=True)
    first = areas[names[0]]
    low, high = map(format_number, first.interval)
    assert page.locator("#legend .auc").first.inner_text() == f"{format_number(first.area)} ({low}–{high})"


def test_legend_hides_shows_and_lifts_curves_by_mouse_and_keyboard(page):
    button = page.locator('#legend [data-legend="1"]')
    curve = page.locator('[data-panel="roc"] [data-curve="1"]')
    button.click()
    settle(page)
    assert button.get_attribute("aria-pressed") == "false"
    assert curve.count() == 0
    button.focus()
    page.keyboard.press("Enter")
    settle(page)
    assert button.get_attribute("aria-pressed") == "true"
    assert "lit" in curve.get_attribute("class")
    assert "dim" in page.locator('[data-panel="roc"] [data-curve="2"]').get_attribute("class")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.legend") == "2"
    page.evaluate("document.activeElement.blur()")
    assert "lit" not in curve.get_attribute("class")


def test_hiding_the_chosen_score_chooses_one_that_is_seen(page):
    page.locator('#legend [data-legend="0"]').click()
    settle(page)
    assert page.input_value("#score") == "lactate"
    page.select_option("#score", "procalcitonin")
    settle(page)
    assert page.locator('#legend [data-legend="0"]').get_attribute("aria-pressed") == "true"


@pytest.mark.parametrize("width", [1280, 390])
def test_numbers_stay_in_view_while_dragging_on_any_panel(open_page, report, width):
    page = open_page(report.to_html(), width=width)
    for panel in ("roc", "metrics", "cost"):
        page.locator(f'[data-panel="{panel}"] .handle').focus()
        page.locator(f'[data-panel="{panel}"]').scroll_into_view_if_needed()
        page.keyboard.press("ArrowRight")
        settle(page)
        box = page.locator(".strip").bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 901
        assert page.evaluate("document.querySelector('.strip').scrollWidth") <= box["width"]
        text = page.locator(".strip").inner_text()
        assert format_number(shown(page, "tpr")) in text
        assert page.locator('dl [data-interval="tpr"]').inner_text() in text


def test_every_cutoff_is_listed_with_the_numbers_of_the_library(page):
    roc = roc_of("procalcitonin")
    open_table(page)
    with page.expect_download() as saved:
        page.click("[data-save]")
    assert saved.value.suggested_filename == "cut-offs procalcitonin.csv"
    rows = list(csv.DictReader(io.StringIO(saved.value.path().read_text(encoding="utf-8"))))
    assert [float(row["cut-off"]) for row in rows] == roc.curve.thresholds.tolist()
    for row in rows[:: len(rows) // 20]:
        matrix = roc.at(threshold=float(row["cut-off"])).matrix
        assert [int(row[name]) for name in ("TP", "FP", "FN", "TN")] == [matrix.tp, matrix.fp, matrix.fn, matrix.tn]
        found = matrix.with_intervals(prevalence=0.3)
        for name, key in {
            "sensitivity": "tpr", "specificity": "tnr", "PPV in these data": "ppv", "NPV in these data": "npv",
            "accuracy": "accuracy", "LR+": "lr_plus", "LR−": "lr_minus", "PPV at the prevalence": "ppv_at_prevalence",
            "Youden's J": "youden_j", "F1": "f1",
        }.items():  # fmt: skip
            ends = found.intervals[key]
            for text, value in zip(
                (row[name], row[f"{name} 95% low"], row[f"{name} 95% high"]),
                (found.metrics[key], ends.low, ends.high),
                strict=True,
            ):
                assert float(text or "nan") == pytest.approx(float(value), rel=1e-12, abs=1e-12, nan_ok=True), name


def test_the_table_sorts_copies_and_follows_the_point(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    open_table(page)
    head = page.locator("#all-cutoffs th", has_text="Youden's J")
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    best = page.locator("#all-cutoffs tbody tr").first
    assert "here" in best.get_attribute("class"), "the page opens at Youden's cut-off"
    assert best.locator("td").first.inner_text() == "0.54"
    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    page.click("[data-copy]")
    page.wait_for_selector("#all-cutoffs [data-says]:has-text('Copied')")
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(lines) == len(roc_of("procalcitonin").curve) + 1
    assert len({line.count("\t") for line in lines}) == 1
    page.select_option("#all-cutoffs select", "concern")
    settle(page)
    assert page.locator("#all-cutoffs tbody tr").count() == len(roc_of("concern").curve)


def test_decimal_sign_is_that_of_the_reader_and_can_be_turned(open_page, report):
    page = open_page(report.to_html(), locale="de-DE")
    settle(page)
    assert "0,8753 (95% interval 0,8252 to 0,9100)" in page.locator(".answer").inner_text()
    assert "0,8753" in page.locator("#areas td").all_inner_texts()
    assert page.locator('[data-value="tpr"]').text_content() == "0,8667"
    assert "0,2" in page.locator('[data-panel="roc"] .tick').all_text_contents()
    page.click("#decimal")
    settle(page)
    assert page.locator("#decimal").get_attribute("aria-pressed") == "false"
    assert "0.8753" in page.locator("#areas td").all_inner_texts()
    assert page.locator('[data-value="tpr"]').text_content() == "0.8667"
    assert "0.2" in page.locator('[data-panel="roc"] .tick').all_text_contents()


def test_names_keep_their_points(open_page):
    report = build_report([1, 0, 1, 0], {"v1.5": [4, 3, 2, 1], "b": [1, 2, 3, 4]}, rng=1)
    page = open_page(report.to_html(), locale="de-DE")
    assert page.locator(".answer").inner_text().startswith("v1.5 has an AUC of 0,7500")


def test_print_states_prevalence_and_costs_and_fits_the_paper(open_page):
    report = build_report(
        example_path(), **COLUMNS, score=["procalcitonin", "lactate", "concern"], by="ward", rng=1, band=False
    )
    page = open_page(report.to_html(), width=1280)
    page.fill("#prevalence", "0.05")
    page.fill("#costFn", "7")
    settle(page)
    page.set_viewport_size({"width": 688, "height": 970})  # A4 between its margins
    page.emulate_media(media="print")
    assert page.locator(".in-print").inner_text() == (
        "Prevalence 0.05; cost of a false positive 1, cost of a false negative 7."
    )
    assert page.evaluate("document.documentElement.scrollWidth") <= 688
    assert not page.locator(".strip").is_visible()
    assert page.locator("#legend li").last.is_visible()


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_infinite_scores_leave_a_vertex_without_a_threshold(open_page, direction):
    label = np.array([1, 0] * 10)
    score = np.arange(20.0)
    score[[0, -2]] = -np.inf, np.inf
    report = build_report(label, {"s": score}, direction=direction, rng=1)
    page = open_page(report.to_html())
    page.locator('[data-panel="roc"] .handle').focus()
    page.keyboard.press("Home")
    settle(page)
    assert math.isnan(shown(page, "threshold"))
    assert (shown(page, "tp"), shown(page, "fp")) == (0, 0)
    assert "beyond every score" in page.locator(".rule").inner_text()
    for panel in ("distribution", "metrics"):
        assert "NaN" not in page.locator(f'[data-panel="{panel}"] .handle').get_attribute("transform")
        assert "NaN" not in page.locator(f'[data-panel="{panel}"]').inner_html()
    page.keyboard.press("ArrowRight")
    settle(page)
    roc = rl.roc(label, {"s": score}, direction=direction)
    assert shown(page, "threshold") == roc.curve.thresholds[1]
    open_table(page)
    assert page.locator("#all-cutoffs tbody tr").count() == len(roc.curve)
    for text in ("NaN", "-inf", "nan"):
        assert text not in page.locator("body").inner_text()


def test_weights_have_no_intervals_and_say_so(open_page):
    rng = np.random.default_rng(2)
    label = np.repeat([1, 0], 20)
    weight = rng.uniform(0.5, 2, 40)
    page = open_page(build_report(label, label + rng.normal(size=40), sample_weight=weight, rng=1).to_html())
    assert page.locator("[data-interval]").count() == 0
    assert "importance weights are no counts" in page.locator(".readout").inner_text()
    open_table(page)
    assert page.locator("#all-cutoffs small").count() == 0
