"""The workbench in a real browser: from a file to a decision by mouse and by keyboard, every number the library's."""

from __future__ import annotations

import json
import math
import os

import pytest

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.datasets import example_path
from tests.conftest import OUTSIDE

DATA = {"label": "outcome", "pos_label": "deteriorated"}
SCORES = ["procalcitonin", "lactate", "concern"]
PATIENCE = int(os.environ.get("ROCLAB_PATIENCE", "20000"))  # looks at a condition; only ends what hangs
VIEWS = ("data", "curves", "point", "compare", "cutoffs", "train", "more")
RATES = ("tpr", "tnr", "ppv", "npv", "accuracy", "f1", "youden_j", "lr_plus", "lr_minus")


def until(page, condition):
    """Wait for a condition; the page's own policy keeps a browser driver from waiting inside it."""
    for _ in range(PATIENCE):
        if page.evaluate(f"() => {condition}"):
            return
        page.wait_for_timeout(30)
    raise AssertionError(f"never came true: {condition}; the page says: {page.inner_text('#status')}")


def shown(page, key):
    text = page.locator(f'[data-value="{key}"]').first.get_attribute("data-exact")
    return math.nan if text == "null" else float(text.replace("Infinity", "inf"))


def table(page, host):
    """Cells of the first table in a place: columns as text, numbers with all their digits."""
    page.wait_for_selector(f"{host} tbody tr")
    columns = page.locator(f"{host} table").first.locator("thead th").all_inner_texts()
    rows = (
        page.locator(f"{host} table")
        .first.locator("tbody tr")
        .evaluate_all("rows => rows.map(row => [...row.cells].map(cell => cell.dataset.exact ?? cell.textContent))")
    )
    return [dict(zip([name.strip(" ▾▴") for name in columns], row, strict=True)) for row in rows]


def choose_columns(page, roles):
    names = page.locator("#columns tbody th").all_inner_texts()
    for name, part in roles.items():
        page.select_option(f"#role-{names.index(name)}", part)


def open_example(page):
    page.click("#example-example")
    page.wait_for_selector("#headline")


def open_quakes(open_app, folder):
    """A table whose outcome is a number."""
    lines = ["magnitude,x", *(f"{5 + k / 10},{(7 * k) % 11}" for k in range(40))]
    (folder / "quakes.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    page = open_app()
    page.set_input_files("#file", str(folder / "quakes.csv"))
    page.wait_for_selector("#columns")
    return page


def open_view(page, name):
    page.click(f"#tab-{name}")
    page.wait_for_selector(f"#tab-{name}[aria-selected=true]")


def agrees(page, score):
    """Matrix and metrics on the screen follow from the threshold on the screen."""
    until(page, "document.querySelector('[data-value=tpr]')?.dataset.exact !== undefined")
    point = rl.roc(example_path(), **DATA, score=score).at(threshold=shown(page, "threshold"))
    matrix = point.matrix
    assert [shown(page, key) for key in ("tp", "fp", "fn", "tn")] == [matrix.tp, matrix.fp, matrix.fn, matrix.tn]
    for key in RATES:
        assert shown(page, key) == pytest.approx(float(matrix.metrics()[key]), rel=1e-12, nan_ok=True), key


def test_a_journey_by_mouse(open_app, tmp_path):
    page = open_app()
    page.set_input_files("#file", str(example_path()))
    page.wait_for_selector("#columns")
    choose_columns(page, {"outcome": "label", "lactate": "score", "procalcitonin": "score"})
    until(page, "document.querySelector('#status').textContent.includes('positive')")  # none is guessed
    page.locator("#positive input[value=deteriorated]").check()
    page.wait_for_selector("#headline")
    assert "0.8753" in page.inner_text("#headline")

    page.click("#to-curves")
    page.wait_for_selector("#chart svg .curve")
    page.fill("#fpr-to", "0.2")
    page.press("#fpr-to", "Enter")
    rows = table(page, "#region")
    wanted = area_table(example_path(), **DATA, score=["lactate", "procalcitonin"], fpr=(0, 0.2)).rows()
    assert [float(row["area"]) for row in rows] == [row["area"] for row in wanted]

    open_view(page, "point")
    agrees(page, "procalcitonin")
    before = shown(page, "threshold")
    box = page.locator('[data-panel="roc"] .surface').bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.05 * box["width"], box["y"] + 0.4 * box["height"], steps=5)
    page.mouse.up()
    until(page, f"Number(document.querySelector('[data-value=threshold]').dataset.exact) !== {before}")
    agrees(page, "procalcitonin")
    page.click("[data-cell=fn]")
    rows = table(page, "#cell-rows")
    assert len(rows) == shown(page, "fn")
    assert {row["outcome"] for row in rows} == {"deteriorated"}
    page.click("#undo")
    until(page, f"Number(document.querySelector('[data-value=threshold]').dataset.exact) === {before}")

    open_view(page, "compare")
    rows = table(page, "#areas")
    for row in rows:
        one = rl.auc(example_path(), **DATA, score=row["score"])
        assert [float(row[name]) for name in ("area", "std. error")] == [one.area, one.standard_error]
    difference = rl.compare(example_path(), **DATA, score=["lactate", "procalcitonin"]).pairs[0].difference
    assert float(table(page, "#pairs")[0]["difference"]) == difference

    open_view(page, "cutoffs")
    rows = {row["criterion"]: row for row in table(page, "#criteria")}
    best = rl.cutoff(example_path(), **DATA, score="procalcitonin", criterion="youden")
    assert float(rows["youden"]["cut-off"]) == best.threshold

    with page.expect_download() as saved:
        page.click("#report")
    saved.value.save_as(tmp_path / "report.html")
    assert "0.8753" in (tmp_path / "report.html").read_text(encoding="utf-8")


def tab_to(page, selector):
    """Press Tab until the element has the focus, as somebody without a mouse does."""
    for _ in range(400):
        if page.evaluate("one => document.activeElement?.matches(one) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {selector}")


def test_the_same_journey_by_keyboard(open_app, tmp_path):
    page = open_app()
    tab_to(page, "#path")
    page.keyboard.type(str(example_path()))
    page.keyboard.press("Enter")
    page.wait_for_selector("#columns")
    for at, part in ((2, "l"), (3, "s"), (4, "s")):  # the first letter chooses label or score
        tab_to(page, f"#role-{at}")
        page.keyboard.type(part)
        until(page, f"document.querySelector('#role-{at}').value !== ''")
    tab_to(page, "#positive input")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#headline")
    until(page, "document.querySelector('#positive input[value=deteriorated]').checked")
    tab_to(page, "#to-curves")
    page.keyboard.press("Enter")
    page.wait_for_selector("#chart svg .curve")
    page.evaluate("document.body.focus()")
    tab_to(page, "#tab-curves")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector("#tab-point[aria-selected=true]")
    agrees(page, "procalcitonin")
    tab_to(page, '[data-panel="roc"] .handle')
    before = shown(page, "threshold")
    page.keyboard.press("ArrowRight")
    until(page, f"Number(document.querySelector('[data-value=threshold]').dataset.exact) !== {before}")
    agrees(page, "procalcitonin")
    tab_to(page, "[data-cell=tp]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#cell-rows tbody tr")
    page.evaluate("document.activeElement.blur()")
    tab_to(page, "#report")
    with page.expect_download() as saved:
        page.keyboard.press("Enter")
    saved.value.save_as(tmp_path / "report.html")
    assert "procalcitonin" in (tmp_path / "report.html").read_text(encoding="utf-8")


def drawn(page):
    """Wait until what was typed is drawn: numbers that are read one by one must be of one moment."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def test_a_session_reopens_exactly(open_app, workbench, tmp_path):
    page = open_app()
    open_example(page)
    open_view(page, "point")
    agrees(page, "procalcitonin")
    page.select_option("#score", "lactate")
    page.fill("#prevalence", "0.0001")
    page.focus('[data-panel="roc"] .handle')
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    until(page, "Number(document.querySelector('[data-value=slope]').dataset.exact) > 1000")
    drawn(page)
    kept = {key: shown(page, key) for key in ("threshold", "tp", "ppv_there", "cost")}
    with page.expect_download() as saved:
        page.click("#save-session")
    saved.value.save_as(tmp_path / "it.json")
    other = open_app()
    other.set_input_files("#session-file", str(tmp_path / "it.json"))
    other.wait_for_selector('[data-panel="roc"] svg')
    agrees(other, "lactate")
    assert {key: shown(other, key) for key in kept} == kept
    assert json.loads((tmp_path / "it.json").read_text())["state"]["roles"]["score"] == SCORES
    other.set_input_files("#session-file", str(example_path()))
    until(other, "document.querySelector('#status').textContent.includes('not a session')")


def test_a_session_of_uploaded_data_asks_for_its_file(open_app, tmp_path):
    (tmp_path / "mine.csv").write_text("y,s,t\n1,5,2\n0,1,3\n1,4,4\n0,2,1\n1,2,6\n", encoding="utf-8")
    (tmp_path / "other.csv").write_text("y,s\n1,5\n0,1\n", encoding="utf-8")
    page = open_app()
    page.set_input_files("#file", str(tmp_path / "mine.csv"))
    page.wait_for_selector("#columns")
    choose_columns(page, {"y": "label", "s": "score"})
    page.wait_for_selector("#headline")
    open_view(page, "cutoffs")
    with page.expect_download() as saved:
        page.click("#save-session")
    saved.value.save_as(tmp_path / "mine.json")
    other = open_app()
    other.set_input_files("#session-file", str(tmp_path / "mine.json"))
    until(other, "document.querySelector('#status').textContent.includes('mine.csv')")
    other.set_input_files("#file", str(tmp_path / "mine.csv"))
    other.wait_for_selector("#criteria tbody tr")
    assert other.evaluate("roclab.state.roles.score") == ["s"]
    third = open_app()
    third.set_input_files("#session-file", str(tmp_path / "mine.json"))
    until(third, "document.querySelector('#status').textContent.includes('mine.csv')")
    third.set_input_files("#file", str(tmp_path / "other.csv"))
    until(third, "document.querySelector('#status').textContent.includes('another file')")


def test_an_outcome_by_a_rule_and_one_class_against_the_rest(open_app, tmp_path):
    page = open_quakes(open_app, tmp_path)
    choose_columns(page, {"magnitude": "label", "x": "score"})
    page.fill("#rule", "> 6.5")
    page.click("#use-rule")
    page.wait_for_selector("#headline")
    open_view(page, "compare")
    wanted = rl.auc(str(tmp_path / "quakes.csv"), label="magnitude", pos_label=">6.5", score="x")
    assert float(table(page, "#areas")[0]["area"]) == wanted.area
    page = open_app()
    page.click("#example-wines")
    page.wait_for_selector("#headline")
    open_view(page, "more")
    page.click("#tool-multiclass")
    page.click("#run-multiclass")
    page.wait_for_selector("#more-answer tbody tr")
    page.select_option("#class-target", "barolo")
    page.click("#take-target")
    page.wait_for_selector("#chart svg .curve")
    open_view(page, "compare")
    wanted = rl.auc("wines", label="grape", pos_label="barolo", score="barolo")
    assert float(table(page, "#areas")[0]["area"]) == wanted.area


def test_what_is_being_typed_outlives_an_answer(open_app, tmp_path):
    page = open_quakes(open_app, tmp_path)
    choose_columns(page, {"magnitude": "label"})
    page.click("#rule")
    page.keyboard.type("> 6")
    # The view is drawn anew, as it is when an answer arrives; the field stays as it was, and so does the caret.
    page.evaluate("document.getElementById('role-1').value = 'score'")
    page.evaluate("document.getElementById('role-1').dispatchEvent(new Event('change'))")
    page.wait_for_selector("#status.error")
    assert page.input_value("#rule") == "> 6"
    page.click("#rule")
    page.keyboard.press("End")
    page.keyboard.type(".5")
    page.click("#use-rule")
    page.wait_for_selector("#headline")
    assert page.input_value("#rule") == "> 6.5"


def test_two_pages_do_not_mix(open_app):
    one, two = open_app(), open_app()
    open_example(one)
    two.click("#example-wines")
    two.wait_for_selector("#headline")
    open_view(one, "compare")
    open_view(two, "compare")
    assert {row["score"] for row in table(one, "#areas")} == set(SCORES)
    assert {row["score"] for row in table(two, "#areas")} == {"p_oak"}


def test_train_and_test_as_in_the_chapter(open_app):
    """Orange's flow: a table, models, the matrix and the rows behind a cell, then the ROC analysis of the scores."""
    path = OUTSIDE / "voting.tab"
    if not path.exists():
        pytest.skip(f"{path.name} may not be shipped, and no folder with it is on this machine (set ROCLAB_DATA)")
    page = open_app()
    page.set_input_files("#file", str(path))
    page.wait_for_selector("#columns")
    open_view(page, "train")
    page.select_option("#train-label", "party")
    page.select_option("#train-positive", "republican")
    for name in ("knn", "tree"):
        page.locator(f"#model-{name}").uncheck()
    page.fill("#bench-folds", "3")
    page.press("#bench-folds", "Tab")
    page.click("#train")
    page.wait_for_selector("#bench-matrix table")
    counts = [int(text) for text in page.locator("#bench-matrix .cell").all_inner_texts()]
    assert sum(counts) == 435
    page.locator("#bench-matrix .cell").nth(1).click()
    assert len(table(page, "#bench-rows")) == counts[1]
    models = {row["model"]: row for row in table(page, "#bench")}
    wanted = rl.bench(str(path), label="party", pos_label="republican", models=["logistic", "naive_bayes"], folds=3)
    areas = {name: rl.auc(wanted.scores.select(name)).area for name in wanted.scores.names}
    assert set(areas) <= set(models)
    page.click("#analyse-scores")
    page.wait_for_selector("#chart svg .curve")
    open_view(page, "compare")
    for row in table(page, "#areas"):
        assert float(row["area"]) == pytest.approx(areas[row["score"]], abs=1e-12)


@pytest.mark.parametrize("kind", ["troc", "pr", "det", "cost", "lift", "gain"])
def test_every_curve_is_drawn(open_app, kind):
    page = open_app()
    open_example(page)
    open_view(page, "curves")
    page.wait_for_selector("#chart svg .curve")
    page.select_option("#kind", kind)
    until(page, f"roclab.current.found?.kind === '{kind}'")
    assert page.locator("#chart svg .curve").count() == 3
    page.locator("[data-legend]").first.click()
    until(page, "document.querySelectorAll('#chart svg .curve').length === 2")


def test_bands_folds_hulls_and_files_of_a_figure(open_app, tmp_path):
    page = open_app()
    open_example(page)
    choose_columns(page, {"ward": "fold"})
    until(page, "document.querySelector('#headline') !== null && roclab.state.roles.fold === 'ward'")
    open_view(page, "curves")
    page.wait_for_selector("#chart svg .curve")
    page.select_option("#band", "pointwise")
    page.wait_for_selector("#chart svg .band")
    assert page.locator("#chart svg .band").count() == 3
    page.check("#joint-hull")
    page.wait_for_selector("#chart svg .joint-hull")
    page.select_option("#average", "vertical")
    until(page, "document.querySelectorAll('#chart svg .curve.other').length === 5")
    for kind in ("svg", "csv", "png"):
        with page.expect_download() as saved:
            page.click(f"#save-{kind}")
        saved.value.save_as(tmp_path / f"figure.{kind}")
    assert "polyline" in (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "figure.csv").read_text(encoding="utf-8").startswith("curve,threshold,fpr,tpr\n")


def test_groups_margins_requirements_and_other_questions(open_app):
    page = open_app()
    open_example(page)
    open_view(page, "compare")
    page.select_option("#by", "ward")
    page.wait_for_selector("#groups svg.forest")
    page.fill("#compare-margin", "0.05")
    page.press("#compare-margin", "Enter")
    page.wait_for_selector("#pairs h3 >> text=margin")
    open_view(page, "cutoffs")
    page.click("#require")
    assert float(table(page, "#required")[0]["sensitivity"]) >= 0.9
    page.click("#grey")
    page.wait_for_selector("#zone tbody tr")
    open_view(page, "more")
    page.click("#tool-screen")
    page.click("#run-screen")
    page.wait_for_selector("#more-answer tbody tr")
    page.click("#tool-plan")
    page.click("#run-plan")
    page.wait_for_selector("#more-answer tbody tr")
    page.click("#tool-combine")
    page.click("#run-combine")
    page.wait_for_selector("#more-answer tbody tr")
    page.click("#tool-rank")
    page.click("#run-rank")
    page.wait_for_selector("#more-answer tbody tr")
    assert "roclab rank-test" in page.inner_text("#code summary")


def test_long_work_is_stopped_from_the_page(open_app):
    page = open_app()
    open_example(page)
    open_view(page, "train")
    page.select_option("#sampling", "bootstrap")
    page.fill("#repeats", "5000")
    page.press("#repeats", "Tab")
    page.click("#train")
    page.wait_for_selector("#bench progress")
    page.click("#bench .working button")
    page.wait_for_selector("#bench >> text=Stopped")
    assert page.locator("#bench table").count() == 0
    open_view(page, "curves")
    page.wait_for_selector("#chart svg .curve")
    assert page.locator("#chart svg .curve").count() == 3


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("empty.csv", b""),
        ("binary.csv", bytes(range(256)) * 20),
        ("twice.csv", b"a,a\n1,2\n"),
        ("wrong.parquet", b"no"),
    ],
)
def test_bad_files_get_a_sentence_in_the_page(open_app, tmp_path, name, content):
    page = open_app()
    (tmp_path / name).write_bytes(content)
    page.set_input_files("#file", str(tmp_path / name))
    page.wait_for_selector("#status.error")
    assert page.inner_text("#status").endswith(".")
    open_example(page)


def test_names_and_cells_are_never_html(open_app, tmp_path):
    page = open_app()
    hostile = "<img src=x onerror=alert(1)>"
    (tmp_path / "x.csv").write_text(f'{hostile},s\n"{hostile}",1\nb,2\n"{hostile}",3\nb,4\n', encoding="utf-8")
    page.set_input_files("#file", str(tmp_path / "x.csv"))
    page.wait_for_selector("#columns")
    page.select_option("#role-0", "label")
    page.select_option("#role-1", "score")
    page.locator("#positive input").first.check()
    page.wait_for_selector("#headline")
    for view in VIEWS:
        open_view(page, view)
        assert page.locator("img").count() == 0


def test_other_languages(open_app):
    page = open_app(locale="it-IT")
    open_example(page)
    assert page.inner_text("#tab-point") == "Punto operativo"
    open_view(page, "point")
    agrees(page, "procalcitonin")
    assert "," in page.inner_text('dd [data-value="tpr"]')
    page.select_option("#language", "ru")
    page.wait_for_selector("#tab-point >> text=Рабочая точка")
    assert page.get_attribute("html", "lang") == "ru"
    agrees(page, "procalcitonin")


def test_each_number_is_explained_on_request(open_app):
    page = open_app()
    open_example(page)
    open_view(page, "point")
    agrees(page, "procalcitonin")
    mark = page.locator("button.what").first
    mark.click()
    assert mark.get_attribute("aria-expanded") == "true"
    assert "TP / (TP + FN)" in page.inner_text("#meaning-tpr")


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_nothing_is_wider_than_the_page(open_app, width):
    page = open_app(width=width)
    open_example(page)
    for view in VIEWS:
        open_view(page, view)
        page.wait_for_load_state("networkidle")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{view} is {wide} wide"


def test_numbers_stay_in_view_while_dragging_on_a_phone(open_app):
    page = open_app(width=390)
    open_example(page)
    open_view(page, "point")
    agrees(page, "procalcitonin")
    page.locator('[data-panel="cost"]').scroll_into_view_if_needed()
    strip = page.locator(".strip").bounding_box()
    assert 0 <= strip["y"] <= 900 - strip["height"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_app, scheme):
    base = pytest.importorskip("axe_playwright_python.base", reason="axe-playwright-python is not installed")
    page = open_app(color_scheme=scheme)
    open_example(page)
    for view in VIEWS:
        open_view(page, view)
        page.wait_for_load_state("networkidle")
        page.evaluate(base.AXE_FILE_PATH.read_text() if hasattr(base, "AXE_FILE_PATH") else axe_source(base))
        found = page.evaluate("async () => (await axe.run()).violations")
        serious = [one for one in found if one["impact"] in ("serious", "critical")]
        assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in serious] == [], view


def axe_source(base):
    from pathlib import Path

    return (Path(base.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def test_without_the_token_the_page_says_what_to_do(chromium, workbench):
    page = chromium.new_page()
    page.goto(workbench.address)
    page.wait_for_selector("html.live")
    assert "Open the address that roclab printed" in page.inner_text("body")
    page.close()


def test_a_server_that_is_gone_is_a_sentence(chromium, another):
    server = another()
    page = chromium.new_page()
    page.goto(server.page)
    page.wait_for_selector("html.live")
    server.close()
    page.click("#example-example")
    page.wait_for_selector("#status.error")
    assert "does not answer" in page.inner_text("#status")
    page.close()


def test_a_choice_made_while_a_curve_is_on_its_way_is_not_lost(open_app):
    page = open_app()
    open_example(page)
    page.evaluate(
        """() => {
            roclab.open("curves");
            const band = document.getElementById("band");
            band.value = "kolmogorov";
            band.dispatchEvent(new Event("change"));
        }"""
    )
    page.wait_for_selector("#chart svg .band")
    assert page.locator("#chart svg .curve").count() == 3
