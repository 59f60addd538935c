"""The tools of the view "More": what they show is what the library says."""

from __future__ import annotations

import base64
import json

import pytest

import roclab as rl
from roclab.app.asking import Asked
from roclab.app.questions import QUESTIONS
from roclab.app.questions.figures import offered
from roclab.app.questions.typed_points import points_of_text
from roclab.app.shelf import Shelf
from roclab.errors import InputError
from tests.app.pages import open_example, open_view, table, until

ROLES = {"label": "outcome", "positive": "deteriorated", "score": ["procalcitonin", "lactate", "concern"]}


@pytest.fixture(scope="module")
def shelf():
    made = Shelf(upload_limit=10**6)
    yield made
    made.close()


def ask(question, item=None, roles=None, beside=None, **options):
    found = QUESTIONS[question].run(Asked(item=item, roles=roles or {}, options=options, beside=beside))
    json.dumps(found, allow_nan=False)
    return found


def test_a_walk_is_of_cases_that_can_be_counted(shelf):
    with pytest.raises(InputError, match="at most 60 cases"):
        ask("figure", shelf.add_path("example"), ROLES, kind="walk")


@pytest.mark.parametrize("figure", [one for one in offered() if one["name"] != "walk"], ids=lambda one: one["name"])
def test_every_figure_is_drawn(shelf, figure):
    item = shelf.add_path("wines")
    roles = {"label": "oak", "positive": 1, "score": ["barbera", "barolo"]}  # probabilities, which some figures need
    more = {
        "lc": {"shares": [0.1, 0.3, 0.6], "prevalence": 0.3},
        "fagan": {"threshold": 0.5},
        "predictive": {"threshold": 0.5},
    }
    options = more.get(figure["name"], {})
    if figure["name"] == "average":
        with pytest.raises(InputError, match="must name the column of folds"):
            ask("figure", item, roles, kind="average", score="barolo")
        roles["fold"] = "grape"
    found = ask("figure", item, roles, kind=figure["name"], score="barolo", **options)
    assert base64.b64decode(found["svg"]).startswith(b"<?xml")
    assert base64.b64decode(found["png"]).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("A; 0,1; 60 %\nB; 0.2; 0.8", {"name": ["A", "B"], "fpr": [0.1, 0.2], "tpr": [0.6, 0.8]}),
        ("0.1 0.6\n0.2 0.8\n", {"fpr": [0.1, 0.2], "tpr": [0.6, 0.8]}),
        ("A,0.1,0.6", {"name": ["A"], "fpr": [0.1], "tpr": [0.6]}),
        ("test\tsensitivity\tspecificity\nA\t0.6\t0.9", {"name": ["A"], "tpr": [0.6], "specificity": [0.9]}),
    ],
)
def test_points_as_people_write_them(text, wanted):
    assert points_of_text(text) == wanted


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "a line must hold a point"), ("name; fpr", "two rates"), ("A; 0.1; 0.6\nB; 0.2", "two rates, got 'B; 0.2'"),
     ("A; 0.1; high", "a rate must be a number, got 'high'"), ("A; 0.1; 1.6", "between 0 and 1")],
)  # fmt: skip
def test_points_that_are_none(text, sentence):
    with pytest.raises(InputError, match=sentence):
        ask("points", typed=text)


def test_the_hull_of_typed_points_is_that_of_the_library():
    found = ask("points", typed="A; 0.1; 0.6\nB; 0.2; 0.8\nC; 0.5; 0.6")
    curves = rl.read_points(
        {"name": ["A", "B", "C"], "fpr": [0.1, 0.2, 0.5], "tpr": [0.6, 0.8, 0.6]}, tpr="tpr", fpr="fpr", name="name"
    )
    assert [row[0] for row in found["hull"]["rows"]] == [row["method"] for row in rl.hull(curves).rows()]
    assert [row[0] for row in found["front"]["rows"]] == ["A", "B"]


def test_a_table_of_four_counts():
    found = ask("counts", counts={"tp": 45, "fp": 10, "fn": 5, "tn": 90}, level=0.9)
    wanted = rl.results.ConfusionMatrix(tp=45, fp=10, fn=5, tn=90).with_intervals(level=0.9)
    rows = {row[0]: row[1:4] for row in found["table"]["rows"]}
    assert rows["tpr"] == [0.9, *wanted.intervals["tpr"]]
    with pytest.raises(InputError, match="no fn and no tn"):
        ask("counts", counts={"tp": 1, "fp": 2})
    with pytest.raises(InputError):
        ask("counts", counts={"tp": -1, "fp": 2, "fn": 0, "tn": 3})


def test_one_sample_against_a_distribution(shelf):
    item = shelf.add_path("example")
    found = ask("distribution", item, score="lactate", cdf="exponential:0.5")
    assert found["p"] == rl.ranks.kolmogorov("example", "exponential:0.5", score="lactate").p_value
    assert found["width"] == rl.ranks.cdf_band("example", score="lactate").width
    for wrong in ("normal:0,0", "normal:1", "gamma:1,2", "uniform:2,1"):
        with pytest.raises(InputError, match="cdf"):
            ask("distribution", item, score="lactate", cdf=wrong)


def test_marks_of_a_detector(shelf):
    marks, lesions = shelf.add_path("marks_a"), shelf.add_path("lesions")
    found = ask("froc", marks, beside=lesions, resampling=60)
    wanted = rl.imaging.froc("marks_a", "lesions", rng=1, resampling=60)
    assert (found["cpm"], found["missed"]) == (wanted.cpm, wanted.missed)
    assert [one["low"] for one in found["points"]] == [one.interval.low for one in wanted.points]
    again = eval(found["code"]["python"].splitlines()[-1], {"rl": rl})
    assert again.cpm == found["cpm"]
    assert found["code"]["command"] == "roclab froc lesions marks_a --seed 1"
    with pytest.raises(InputError, match="the lesions must be open too"):
        ask("froc", marks)


def test_the_size_of_a_reader_study_as_an_open_one_varies(shelf):
    parts = {"reader": "reader", "modality": "modality", "case": "case", "rating": "rating", "labelled_by": "truth"}
    found = ask("reader_plan", shelf.add_path("readings"), difference=0.05, **parts)
    pilot = rl.readers.mrmc(
        "readings", **{name: value for name, value in parts.items() if name != "labelled_by"}, label="truth"
    )
    wanted = rl.readers.sample_size(pilot, difference=0.05)
    assert [row[3] for row in found["smallest"]["rows"]] == [one.power for one in wanted.smallest]
    again = eval(found["code"]["python"].splitlines()[-1], {"rl": rl})
    assert again.smallest == wanted.smallest


def test_two_regressions_beside_each_other(shelf):
    item = shelf.add_path("example")
    found = ask("logistic", item, {**ROLES, "score": ["lactate"]}, against=["lactate", "concern"])
    one, two = (rl.logistic("example", label="outcome", pos_label="deteriorated", score=score)
                for score in (["lactate"], ["lactate", "concern"]))  # fmt: skip
    wanted = one.compare(two)
    assert found["pairs"]["rows"][0][2] == wanted.comparison.pairs[0].difference
    assert wanted.likelihood_ratio.p_value in found["nested"]["rows"][0]


def test_partial_areas_have_their_p_value_and_their_standardized_value(shelf):
    found = ask("region", shelf.add_path("example"), ROLES, fpr=[0.1, 0.3])
    names = found["table"]["columns"]
    wanted = rl.auc("example", label="outcome", pos_label="deteriorated", score="lactate", fpr=(0.1, 0.3), null=0.04)
    row = found["table"]["rows"][1]
    assert row[names.index("p")] == pytest.approx(
        wanted.test.p_value if hasattr(wanted, "test") else wanted.rows()[0]["p"]
    )
    scaled = rl.auc(
        "example", label="outcome", pos_label="deteriorated", score="lactate", fpr=(0.1, 0.3), standardize="mcclish"
    )
    assert found["standardized"]["rows"][1][names.index("area")] == scaled.area


# -- in a browser --------------------------------------------------------------------------------------


def more(page, tool):
    if page.locator(f"#tool-{tool}").count() == 0:
        open_view(page, "more")
    page.click(f"#tool-{tool}")


def answered(page):
    """Wait until the first answer is that of the data which are open now; its arrival draws the view anew."""
    until(
        page, "roclab.overview !== null && roclab.known('overview', { level: roclab.state.level }) === roclab.overview"
    )


@pytest.fixture(scope="module")
def workbench_page(workbench, chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    page = context.new_page()
    page.goto(workbench.page)
    page.wait_for_selector("#tab-start", state="attached")
    yield page
    context.close()


def test_the_tour_walks_through_twenty_cases(workbench_page):
    page = workbench_page
    more(page, "tour")
    slider = page.locator("#tour-at")
    assert slider.get_attribute("max") == "20"
    slider.focus()
    page.keyboard.press("Home")
    assert page.get_attribute("#tour-counts", "data-exact") == "0 0"
    for counts in ("1 0", "2 0", "2 1"):  # p, p, n
        page.keyboard.press("ArrowRight")
        until(page, f"document.querySelector('#tour-counts').dataset.exact === '{counts}'")
    for _ in range(3):
        page.click("#tour-next")
    assert "of 100 such pairs 68 are ranked right and 0 are tied" in page.inner_text("#tour-words")
    page.click("#tour-back")
    assert "No positive and negative case share a score" in page.inner_text("#tour-words")
    page.check("#tour-round")
    until(page, "document.querySelector('#tour-words').textContent.includes('order is unknown')")
    page.click("#tour-next")
    page.click("#tour-next")
    page.click("#tour-next")
    assert "slope 1.00" in page.inner_text("#tour-words")


def test_tools_that_need_no_data(workbench_page):
    page = workbench_page
    more(page, "counts")
    page.fill("#count-tp", "40")
    page.locator("#count-tp").blur()
    page.click("#run-counts")
    page.wait_for_selector("#more-answer [data-value=tpr]")
    assert float(page.get_attribute("#more-answer [data-value=tpr]", "data-exact")) == 40 / 45
    more(page, "points")
    page.click("#run-points")
    page.wait_for_selector("#more-answer .drawn img")
    assert page.evaluate("document.querySelector('.drawn img').naturalWidth") > 100
    page.fill("#points-typed", "A; 0.1")
    page.click("#run-points")
    page.wait_for_selector("#more-answer .error")
    more(page, "reader_plan")
    page.click("#run-reader-plan")
    assert {row["readers"] for row in table(page, "#more-answer")} == {"15", "20"}


def test_two_lists_become_a_table(workbench_page):
    page = workbench_page
    more(page, "lists")
    page.fill("#list-positive", "3 4,5 5")
    page.fill("#list-negative", "1 two 3")
    page.click("#run-lists")
    assert "“two” is no number" in page.inner_text("#more-answer .error")
    page.fill("#list-negative", "1; 2\n3")
    page.click("#run-lists")
    page.wait_for_selector("#tab-curves[aria-current=page]", state="attached")
    until(page, "roclab.overview !== null")
    assert page.evaluate("roclab.areas[0].area") == pytest.approx(8.5 / 9)


def test_marks_and_lesions_on_the_page(workbench_page):
    page = workbench_page
    open_view(page, "start")
    page.click("#show-path")
    page.fill("#path", "marks_a")
    page.click("#open-path")
    until(page, "roclab.data?.called === 'marks_a'")
    more(page, "froc")
    page.click("#run-froc")
    page.wait_for_selector("#more-answer .error")
    page.click("#example-lesions")
    until(page, "document.querySelector('#froc-lesions').textContent.includes(' lesions')")
    page.click("#run-froc")
    page.wait_for_selector("#more-answer .big-answer")
    wanted = rl.imaging.froc("marks_a", "lesions", resampling=None)
    assert float(page.get_attribute("#more-answer .big-answer", "data-exact")) == pytest.approx(wanted.cpm)


def test_figures_and_one_sample_of_open_data(workbench_page):
    page = workbench_page
    open_example(page)
    answered(page)
    more(page, "figure")
    page.select_option("#figure-kind", "iso")
    page.check("#figure-troc")
    page.click("#run-figure")
    page.wait_for_selector("#more-answer .drawn img")
    more(page, "sample")
    page.select_option("#sample-family", "uniform")
    page.click("#run-sample")
    page.wait_for_selector("#more-answer .big-answer")
    assert "does not come from this distribution" in page.inner_text("#more-answer .big-answer")


def test_a_second_model_and_a_report(workbench_page):
    page = workbench_page
    open_example(page)
    answered(page)
    more(page, "logistic")
    page.click("summary:has-text('Compare with a second model')")
    for at in range(3):
        page.check(f"#against-{at}")
    page.click("#run-logistic")
    page.wait_for_selector("#models-answer")
    with page.expect_download() as download:
        page.click("#logistic-report")
    assert download.value.suggested_filename == "regression.html"


def test_whose_margin_it_is(workbench_page):
    page = workbench_page
    open_example(page)
    open_view(page, "compare")
    page.click("#hypothesis [data-choice=non-inferiority]")
    page.wait_for_selector("#compare-subject")
    until(page, "document.querySelector('#answer').textContent.includes('worse than')")
    page.select_option("#compare-subject", "concern")
    until(page, "document.querySelector('#answer').textContent.includes('that concern is worse than')")
    wanted = rl.compare(
        "example", label="outcome", pos_label="deteriorated", score=["concern", "procalcitonin", "lactate"], margin=0.05
    )
    assert [one.shown for one in wanted.claims] == [False, False]
