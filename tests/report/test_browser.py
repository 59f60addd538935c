"""The page in a real browser: one operating point on every panel, and every number compared with the library."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import roclab as rl
from roclab.datasets import example_path
from roclab.decisions.costs import expected_cost, lowest_cost
from roclab.decisions.iso_performance import equal_cost_slope
from roclab.decisions.metrics import predictive_values
from roclab.report import build_report

COLUMNS = {"label": "outcome", "pos_label": "deteriorated"}
KEYS = ("tpr", "tnr", "ppv", "npv", "accuracy", "f1", "youden_j", "lr_plus", "lr_minus")
INTERVALS = ("tpr", "tnr", "ppv", "npv", "ppv_there", "npv_there", "accuracy", "lr_plus", "lr_minus", "youden_j", "f1")
PANELS = ("roc", "distribution", "metrics", "precision", "cost")


def roc_of(name):
    return rl.roc(example_path(), **COLUMNS, score=name)


def shown(page, key):
    """The full number behind a read-out; undefined and infinite as Python has them."""
    text = page.locator(f'[data-value="{key}"]').get_attribute("data-exact")
    return math.nan if text == "null" else float(text.replace("Infinity", "inf"))


def interval(page, key):
    """Both ends behind an interval; NaN where there is none."""
    ends = json.loads(page.locator(f'dl [data-interval="{key}"]').get_attribute("data-exact"))
    return [math.nan, math.nan] if ends is None else [float(end) for end in ends]


def settle(page):
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def box_of(page, panel):
    return page.locator(f'[data-panel="{panel}"] svg .surface').bounding_box()


def drag(page, panel, across, up):
    """Drag to a place given as shares of the panel, in steps as a hand does."""
    page.locator(f'[data-panel="{panel}"]').scroll_into_view_if_needed()
    box = box_of(page, panel)
    x, y = box["x"] + across * box["width"], box["y"] + (1 - up) * box["height"]
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.down()
    page.mouse.move((x + box["x"]) / 2, y, steps=3)
    page.mouse.move(x, y, steps=5)
    page.mouse.up()
    settle(page)


def agrees(page, roc, conditions):
    """Everything on the page follows from its threshold, as the library computes it."""
    threshold = shown(page, "threshold")
    matrix = roc.at(threshold=threshold).matrix
    assert [shown(page, key) for key in ("tp", "fp", "fn", "tn")] == [matrix.tp, matrix.fp, matrix.fn, matrix.tn]
    metrics = matrix.metrics()
    for key in KEYS:
        assert shown(page, key) == pytest.approx(float(metrics[key]), rel=1e-12, nan_ok=True), key
    point = {"tpr": metrics["tpr"], "fpr": metrics["fpr"]}
    ppv, npv = predictive_values(**point, prevalence=conditions["prevalence"])
    assert shown(page, "ppv_there") == pytest.approx(float(ppv), rel=1e-12, nan_ok=True)
    assert shown(page, "npv_there") == pytest.approx(float(npv), rel=1e-12, nan_ok=True)
    assert shown(page, "slope") == pytest.approx(equal_cost_slope(**conditions), rel=1e-12)
    assert shown(page, "cost") == pytest.approx(float(expected_cost(**point, **conditions)), rel=1e-12)
    expected = matrix.with_intervals(prevalence=conditions["prevalence"]).intervals
    for key in INTERVALS:
        ends = expected[{"ppv_there": "ppv_at_prevalence", "npv_there": "npv_at_prevalence"}.get(key, key)]
        assert interval(page, key) == pytest.approx([float(end) for end in ends], rel=1e-12, nan_ok=True), key
    cheapest = lowest_cost(roc.curve, **conditions)
    assert shown(page, "cost_best") == pytest.approx(cheapest.cost, rel=1e-9)
    assert shown(page, "threshold_best") == cheapest.threshold
    return matrix


@pytest.fixture
def page(open_page, report):
    return open_page(report.to_html())


EQUAL = {"prevalence": 0.3, "cost_fp": 1.0, "cost_fn": 1.0}


def test_page_opens_at_youdens_cutoff_of_the_best_score(page):
    roc = roc_of("procalcitonin")
    agrees(page, roc, EQUAL)
    assert shown(page, "threshold") == roc.cutoff("youden").threshold


@pytest.mark.parametrize("panel", PANELS)
def test_dragging_on_any_panel_moves_all_numbers(page, panel):
    roc = roc_of("procalcitonin")
    seen = set()
    for across, up in ((0.2, 0.6), (0.8, 0.9), (0.55, 0.3)):
        drag(page, panel, across, up)
        matrix = agrees(page, roc, EQUAL)
        seen.add((matrix.tp, matrix.fp))
        texts = {page.locator(f'[data-panel="{other}"] .handle').get_attribute("aria-valuetext") for other in PANELS}
        assert len(texts) == 1, "all panels tell of one point"
    assert len(seen) > 1


def test_the_point_on_the_roc_panel_is_the_nearest_vertex(page):
    roc = roc_of("procalcitonin")
    for across, up in ((0.3, 0.8), (0.9, 0.2), (0.0, 1.0)):
        drag(page, "roc", across, up)
        distance = (roc.curve.fpr - across) ** 2 + (roc.curve.tpr - up) ** 2
        found = (shown(page, "fp") / 210 - across) ** 2 + (shown(page, "tp") / 90 - up) ** 2
        assert found == pytest.approx(distance.min(), abs=2e-3)


def test_dragging_on_the_scores_calls_the_cases_that_reach_the_line(page):
    roc = roc_of("procalcitonin")
    drag(page, "distribution", 0.6, 0.5)
    low, high = np.log10(0.01), np.log10(55.75)
    line = 10 ** (low + 0.6 * (high - low))  # the axis of this skewed score is logarithmic
    here = roc.at(threshold=line).matrix
    assert shown(page, "tp") == pytest.approx(here.tp, abs=1)
    assert shown(page, "fp") == pytest.approx(here.fp, abs=1)


def test_touch_moves_the_point(open_page, report):
    page = open_page(report.to_html(), width=390, has_touch=True, is_mobile=True)
    before = shown(page, "threshold")
    page.locator('[data-panel="roc"]').scroll_into_view_if_needed()
    box = box_of(page, "roc")
    page.touchscreen.tap(box["x"] + 0.7 * box["width"], box["y"] + 0.05 * box["height"])
    settle(page)
    assert shown(page, "threshold") != before
    agrees(page, roc_of("procalcitonin"), EQUAL)


def test_keyboard_alone_reaches_everything(page):
    roc = roc_of("procalcitonin")
    thresholds = roc.curve.thresholds
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('role')") == "slider":
            break
    assert page.evaluate("document.activeElement.closest('[data-panel]').dataset.panel") == "roc"
    page.keyboard.press("Home")
    settle(page)
    assert shown(page, "threshold") == math.inf
    agrees(page, roc, EQUAL)
    for key, place in (("ArrowRight", 1), ("ArrowUp", 2), ("PageUp", 22), ("ArrowLeft", 21), ("PageDown", 1)):
        page.keyboard.press(key)
        settle(page)
        assert shown(page, "threshold") == thresholds[place]
    page.keyboard.press("End")
    settle(page)
    assert (shown(page, "fn"), shown(page, "tn")) == (0, 0)
    agrees(page, roc, EQUAL)
    page.keyboard.press("ArrowRight")  # beyond the end nothing moves
    settle(page)
    assert shown(page, "tp") == 90


def test_arrow_to_the_right_means_a_higher_threshold_on_the_scores(page):
    handle = page.locator('[data-panel="distribution"] .handle')
    handle.focus()
    before = shown(page, "threshold")
    page.keyboard.press("ArrowRight")
    settle(page)
    assert shown(page, "threshold") > before


def test_prevalence_and_costs_move_the_line_and_the_numbers(page):
    roc = roc_of("procalcitonin")
    for key, value in (("prevalence", "0.05"), ("costFn", "7"), ("costFp", "0.5")):
        page.fill(f"#{key}", value)
    settle(page)
    conditions = {"prevalence": 0.05, "cost_fp": 0.5, "cost_fn": 7.0}
    agrees(page, roc, conditions)
    page.click('[data-jump="cost"]')
    settle(page)
    agrees(page, roc, conditions)
    assert shown(page, "threshold") == shown(page, "threshold_best")
    tangent = page.locator("path.tangent").bounding_box()
    grip = page.locator('[data-panel="roc"] .grip').bounding_box()
    for side, size in (("x", "width"), ("y", "height")):
        assert tangent[side] + tangent[size] / 2 == pytest.approx(grip[side] + grip[size] / 2, abs=1)


def test_sliders_and_numbers_agree(page):
    page.locator("#prevalence-range").focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    settle(page)
    value = float(page.input_value("#prevalence"))
    assert value > 0.3
    agrees(page, roc_of("procalcitonin"), {**EQUAL, "prevalence": value})


@pytest.mark.parametrize("value", ["0", "1", "-3", "1.5", ""])
def test_an_impossible_prevalence_is_marked_and_changes_nothing(page, value):
    page.fill("#prevalence", value)
    settle(page)
    assert page.get_attribute("#prevalence", "aria-invalid") == "true"
    agrees(page, roc_of("procalcitonin"), EQUAL)


def test_rates_are_stairs_between_scores(page):
    page.select_option("#score", "concern")
    settle(page)
    line = page.locator('[data-panel="metrics"] polyline.metric.tpr').get_attribute("points")
    corners = np.array([pair.split(",") for pair in line.split()], float)
    level = (np.diff(corners[:, 0]) == 0) | (np.diff(corners[:, 1]) == 0)
    assert level.all()


def test_a_point_worse_than_a_coin_stays_on_the_cost_panel(page):
    page.fill("#prevalence", "0.05")
    page.locator('[data-panel="roc"] .handle').focus()
    page.keyboard.press("End")
    settle(page)
    assert shown(page, "cost") == pytest.approx(0.95)
    box = box_of(page, "cost")
    grip = page.locator('[data-panel="cost"] .grip').bounding_box()
    height = 1 - (grip["y"] + grip["height"] / 2 - box["y"]) / box["height"]
    assert height == pytest.approx(0.95, abs=0.01)


def test_choosing_another_score_shows_its_numbers(page):
    for name in ("lactate", "concern"):
        page.select_option("#score", name)
        settle(page)
        roc = roc_of(name)
        agrees(page, roc, EQUAL)
        assert shown(page, "threshold") == roc.cutoff("youden").threshold
        drag(page, "metrics", 0.4, 0.5)
        agrees(page, roc, EQUAL)


def test_digits_are_printed_as_the_library_prints_them(page):
    from roclab._core.text import format_number

    for text, value in {"0.1235": 0.12345678, "1.2e-05": 1.23e-5, "inf": math.inf, "12.0000": 12.0, "-0.5000": -0.5,
                        "1.234568e+08": 123456789.0, "1e-09": 1e-9, "0.0000": 0.0, "1e+08": 1e8}.items():  # fmt: skip
        assert format_number(value) == text
    for key in (*KEYS, "slope", "cost"):
        assert page.locator(f'[data-value="{key}"]').text_content() == format_number(shown(page, key))


def test_a_score_where_low_means_positive(open_page):
    rng = np.random.default_rng(12)
    label = np.repeat([1, 0], [30, 50])
    score = np.round(rng.normal(size=80) - 1.2 * label, 1)
    page = open_page(build_report(label, {"low": score}, direction="lower", rng=1).to_html())
    roc = rl.roc(label, {"low": score}, direction="lower")
    conditions = {"prevalence": 30 / 80, "cost_fp": 1.0, "cost_fn": 1.0}
    agrees(page, roc, conditions)
    assert "≤" in page.locator(".rule").inner_text()
    drag(page, "distribution", 0.5, 0.5)
    agrees(page, roc, conditions)
    page.locator('[data-panel="distribution"] .handle').focus()
    before = shown(page, "threshold")
    page.keyboard.press("ArrowRight")
    settle(page)
    assert shown(page, "threshold") > before


def test_hostile_names_run_nothing(open_page):
    name = "</script><img src=x onerror=\"document.title='broken'\">"
    page = open_page(build_report([1, 0, 1, 0], {name: [4, 3, 2, 1], "b": [1, 2, 3, 4]}, rng=1).to_html())
    page.select_option("#score", name)
    settle(page)
    assert page.title() == "ROC analysis"
    assert name in page.locator(".rule").inner_text()


def test_without_scripts_the_pictures_and_tables_are_there(open_page, report):
    page = open_page(report.to_html(), java_script_enabled=False)
    assert page.locator('[data-panel="roc"] svg.still polyline').count() == 4
    assert page.locator('[data-panel="distribution"] svg.still').is_visible()
    assert page.locator("p.script-off").is_visible()
    assert page.locator("#legend li").count() == 3
    assert page.locator(".in-print").is_visible()
    assert "Prevalence 0.3 (that of these data)" in page.locator(".in-print").inner_text()
    assert not page.locator(".controls").is_visible()
    assert "0.8753" in page.locator("#areas").inner_text()


@pytest.mark.parametrize("width", [1280, 800, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_layout_fits_the_screen(open_page, report, width, scheme):
    page = open_page(report.to_html(), width=width, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for panel in PANELS:
        box = page.locator(f'[data-panel="{panel}"] svg').bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        assert box["width"] >= 280
    colours = page.evaluate("[getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    light = [sum(map(int, colour.strip("rgb()").split(","))) for colour in colours]
    assert (light[0] < light[1]) == (scheme == "light")


def test_long_names_do_not_widen_the_page(open_page):
    report = build_report([1, 0, 1, 0], {"n" * 300: [4, 3, 2, 1], "b": [1, 2, 3, 4]}, rng=1)
    for width in (1280, 390):
        page = open_page(report.to_html(), width=width)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("count", [2, 60])
def test_few_rows_and_many_scores_open(open_page, many, count):
    report = build_report([1, 0], [2.0, 1.0], rng=1) if count == 2 else many
    page = open_page(report.to_html())
    assert page.locator("#score option").count() == len(report.scores)
    page.locator('[data-panel="roc"] .handle').focus()
    page.keyboard.press("End")
    settle(page)
    assert shown(page, "fn") == 0
