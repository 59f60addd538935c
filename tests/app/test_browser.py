"""The workbench in a real browser: from a file to a decision by mouse and by keyboard, every number the library's."""

from __future__ import annotations

import json

import pytest

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.datasets import example_path
from tests.app.pages import (
    DATA,
    SCORES,
    VIEWS,
    agrees,
    choose_columns,
    drawn,
    open_example,
    open_view,
    shown,
    state,
    tab_to,
    table,
    until,
    upload,
)
from tests.conftest import OUTSIDE


def open_quakes(open_app, folder):
    """A table whose outcome is a number."""
    lines = ["magnitude,x", *(f"{5 + k / 10},{(7 * k) % 11}" for k in range(40))]
    (folder / "quakes.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    page = open_app()
    upload(page, folder / "quakes.csv")
    page.wait_for_selector("#columns")
    return page


def test_a_journey_by_mouse(open_app, tmp_path):
    page = open_app()
    upload(page, example_path())
    choose_columns(page, {"outcome": "label", "lactate": "score", "procalcitonin": "score"})
    until(page, "document.querySelector('#doctor .refusal')?.textContent.includes('positive')")  # none is guessed
    page.locator("#positive input[value=deteriorated]").check()
    page.wait_for_selector("#headline")
    assert "0.88 (0.83" in page.inner_text("#headline")

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
    page.wait_for_selector('[data-panel="roc"] .surface')
    box = page.locator('[data-panel="roc"] .surface').bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.05 * box["width"], box["y"] + 0.4 * box["height"], steps=5)
    page.mouse.up()
    until(page, f"Number(document.getElementById('answer').dataset.exact) !== {before}")
    agrees(page, "procalcitonin")
    page.click("[data-cell=fn]")
    rows = table(page, "#cell-rows")
    assert len(rows) == shown(page, "fn")
    assert {row["outcome"] for row in rows} == {"deteriorated"}
    page.click("#undo")
    until(page, f"Number(document.getElementById('answer').dataset.exact) === {before}")

    open_view(page, "compare")
    rows = table(page, "#areas")
    for row in rows:
        one = rl.auc(example_path(), **DATA, score=row["score"])
        assert [float(row[name]) for name in ("area", "std. error")] == [one.area, one.standard_error]
    difference = rl.compare(example_path(), **DATA, score=["lactate", "procalcitonin"]).pairs[0].difference
    assert float(table(page, "#pairs")[0]["difference"]) == difference

    open_view(page, "cutoffs")
    page.wait_for_selector("#criteria [data-criterion=youden]")
    best = rl.cutoff(example_path(), **DATA, score="procalcitonin", criterion="youden")
    found = page.locator("#criteria [data-criterion=youden] td").first.get_attribute("data-exact")
    assert float(found) == best.threshold

    with page.expect_download() as saved:
        page.click("#report")
    saved.value.save_as(tmp_path / "report.html")
    assert "0.8753" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_same_journey_by_keyboard(open_app, tmp_path):
    page = open_app()
    tab_to(page, "#show-path")
    page.keyboard.press("Enter")
    page.keyboard.type(str(example_path()))
    page.keyboard.press("Enter")
    page.wait_for_selector("#confirm")
    tab_to(page, "#confirm")
    page.keyboard.press("Enter")
    page.wait_for_selector("#headline")
    tab_to(page, "#to-curves")
    page.keyboard.press("Enter")
    page.wait_for_selector("#chart svg .curve")
    tab_to(page, "#tab-point")
    page.keyboard.press("Enter")
    page.wait_for_selector("#tab-point[aria-current=page]")
    agrees(page, "procalcitonin")
    tab_to(page, '[data-panel="roc"] .handle')
    before = shown(page, "threshold")
    page.keyboard.press("ArrowRight")
    until(page, f"Number(document.getElementById('answer').dataset.exact) !== {before}")
    agrees(page, "procalcitonin")
    tab_to(page, "[data-cell=tp]")
    page.keyboard.press("Enter")
    page.wait_for_selector("#cell-rows tbody tr")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.dataset.cell") == "tp"
    tab_to(page, "#report")
    with page.expect_download() as saved:
        page.keyboard.press("Enter")
    saved.value.save_as(tmp_path / "report.html")
    assert "procalcitonin" in (tmp_path / "report.html").read_text(encoding="utf-8")


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
        page.evaluate("roclab.files.saveSession()")
    saved.value.save_as(tmp_path / "it.json")
    other = open_app()
    other.set_input_files("#session-file", str(tmp_path / "it.json"))
    other.wait_for_selector('[data-panel="roc"] .handle')
    agrees(other, "lactate")
    assert {key: shown(other, key) for key in kept} == kept
    assert json.loads((tmp_path / "it.json").read_text())["state"]["roles"]["score"] == SCORES
    other.set_input_files("#session-file", str(example_path()))
    until(other, "document.querySelector('#status').textContent.includes('not a session')")


def test_a_session_of_uploaded_data_asks_for_its_file(open_app, tmp_path):
    (tmp_path / "mine.csv").write_text("y,s,t\n1,5,2\n0,1,3\n1,4,4\n0,2,1\n1,2,6\n", encoding="utf-8")
    (tmp_path / "other.csv").write_text("y,s\n1,5\n0,1\n", encoding="utf-8")
    page = open_app()
    upload(page, tmp_path / "mine.csv")
    choose_columns(page, {"y": "label", "s": "score"})
    page.wait_for_selector("#headline")
    open_view(page, "cutoffs")
    with page.expect_download() as saved:
        page.evaluate("roclab.files.saveSession()")
    saved.value.save_as(tmp_path / "mine.json")
    other = open_app()
    other.set_input_files("#session-file", str(tmp_path / "mine.json"))
    until(other, "document.querySelector('#status').textContent.includes('mine.csv')")
    upload(other, tmp_path / "mine.csv")
    other.wait_for_selector("#criteria tbody tr")
    assert state(other, "roles.score") == ["s"]
    third = open_app()
    third.set_input_files("#session-file", str(tmp_path / "mine.json"))
    until(third, "document.querySelector('#status').textContent.includes('mine.csv')")
    upload(third, tmp_path / "other.csv")
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
    open_example(page, "wines")
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
    page.evaluate("document.getElementById('role-1-score').click()")
    page.wait_for_selector("#doctor .refusal")
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
    open_example(two, "wines")
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
    upload(page, path)
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
    assert {"party", "row"} < set(table(page, "#bench-rows")[0])  # the rows themselves, all columns
    page.keyboard.press("Escape")
    models = set(page.locator("#models tr[data-model]").evaluate_all("all => all.map(one => one.dataset.model)"))
    wanted = rl.bench(str(path), label="party", pos_label="republican", models=["logistic", "naive_bayes"], folds=3)
    areas = {name: rl.auc(wanted.scores.select(name)).area for name in wanted.scores.names}
    assert set(areas) <= models
    page.click("#analyse-scores")
    page.wait_for_selector("#chart svg .curve")
    open_view(page, "compare")
    for row in table(page, "#areas"):
        assert float(row["area"]) == pytest.approx(areas[row["score"]], abs=1e-12)


def test_every_curve_is_drawn(open_app):
    page = open_app()
    open_example(page)
    open_view(page, "curves")
    page.wait_for_selector("#chart svg .curve")
    for kind in ("troc", "pr", "det", "cost", "lift", "gain"):
        page.evaluate(f"roclab.current.choose({{ kind: '{kind}', region: null }})")
        until(page, f"roclab.current.found?.kind === '{kind}'")
        until(page, "document.querySelectorAll('#chart svg .curve').length === 3")
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
    until(page, "document.querySelectorAll('#chart svg .curve.dim').length === 5")
    for kind in ("svg", "csv", "png", "svg-85"):
        with page.expect_download() as saved:
            page.evaluate(f"document.getElementById('save-{kind}').click()")
        saved.value.save_as(tmp_path / f"figure.{kind}")
    drawn_text = (tmp_path / "figure.svg").read_text(encoding="utf-8")
    assert 'width="175mm"' in drawn_text
    assert 'width="85mm"' in (tmp_path / "figure.svg-85").read_text(encoding="utf-8")
    assert all(name in drawn_text for name in SCORES)  # the legend, with the areas
    assert "AUC 0.88" in drawn_text
    assert "light-dark" not in drawn_text
    assert (tmp_path / "figure.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "figure.csv").read_text(encoding="utf-8").startswith("curve,threshold,fpr,tpr\n")


def test_groups_margins_requirements_and_other_questions(open_app):
    page = open_app()
    open_example(page)
    open_view(page, "compare")
    page.select_option("#by", "ward")
    page.wait_for_selector("#groups svg.forest")
    page.click("[data-choice=non-inferiority]")
    page.wait_for_selector("#pairs h3 >> text=margin")
    open_view(page, "cutoffs")
    page.click("#require")
    assert float(table(page, "#required")[0]["sensitivity"]) >= 0.9
    page.wait_for_selector("#zone .zones")
    assert "0.36" in page.inner_text("#zone")
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
    page.click("#code-button")
    assert "roclab rank-test" in page.inner_text("#code")


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
    assert page.locator("#models").count() == 0
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
    upload(page, tmp_path / name)
    page.wait_for_selector("#status.bad, #refused-file")
    said = page.locator("#status p, #refused-file .error").first.inner_text()
    assert said.endswith(".")
    assert name in said
    assert "/tmp" not in said
    open_example(page)


def test_names_and_cells_are_never_html(open_app, tmp_path):
    page = open_app()
    hostile = "<img src=x onerror=alert(1)>"
    (tmp_path / "x.csv").write_text(f'{hostile},s\n"{hostile}",1\nb,2\n"{hostile}",3\nb,4\n', encoding="utf-8")
    upload(page, tmp_path / "x.csv")
    choose_columns(page, {hostile: "label", "s": "score"})
    page.locator("#positive input").first.check()
    page.wait_for_selector("#headline")
    for view in VIEWS:
        open_view(page, view)
        assert page.locator("img").count() == 0


def test_other_languages(open_app):
    page = open_app(locale="it-IT")
    open_example(page)
    assert page.inner_text("#tab-point") == "Punto operativo"
    assert "0,88 (0,83" in page.inner_text("#headline")
    open_view(page, "point")
    agrees(page, "procalcitonin")
    page.click("#all-measures summary")
    assert "," in page.inner_text('dd [data-value="youden_j"]')
    page.click("#language")
    page.click("[data-language=ru]")
    page.wait_for_selector("#tab-point >> text=Рабочая точка")
    assert page.get_attribute("html", "lang") == "ru"
    agrees(page, "procalcitonin")


def test_each_number_is_explained_on_request(open_app):
    page = open_app()
    open_example(page)
    open_view(page, "point")
    agrees(page, "procalcitonin")
    page.click("#all-measures summary")
    mark = page.locator("button.what").first
    mark.click()
    assert mark.get_attribute("aria-expanded") == "true"
    assert "(TP + TN) / (TP + FP + FN + TN)" in page.inner_text("#meaning-accuracy")


@pytest.mark.parametrize("width", [390, 800, 1280])
def test_nothing_is_wider_than_the_page(open_app, width):
    page = open_app(width=width)
    open_example(page)
    for view in VIEWS:
        open_view(page, view)
        page.wait_for_load_state("networkidle")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{view} is {wide} wide"


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
    page.wait_for_selector("#status.bad")
    assert "does not answer" in page.inner_text("#status")
    page.close()


def test_a_choice_made_while_a_curve_is_on_its_way_is_not_lost(open_app):
    page = open_app()
    open_example(page)
    page.evaluate(
        """async () => {
            const there = new Promise((done) => addEventListener("hashchange", () => setTimeout(done), { once: true }));
            roclab.open("curves");
            await there;
            const band = document.getElementById("band");
            band.value = "kolmogorov";
            band.dispatchEvent(new Event("change"));
        }"""
    )
    page.wait_for_selector("#chart svg .band")
    assert page.locator("#chart svg .curve").count() == 3
