"""Every file opens: refusals carry what may be chosen, remarks their remedy, and the way to an answer is short."""

from __future__ import annotations

import openpyxl
import pytest

import roclab as rl
from roclab.analysis.file_choices import choices_of_file
from roclab.datasets import example_path
from tests.app.pages import open_view, state, table, until, upload

ROWS = [(number % 2, round(1.5 * number + number % 3, 1)) for number in range(40)]


def workbook(path):
    book = openpyxl.Workbook()
    book.active.title = "Info"
    book.active.append(["a note"])
    for name in ("Ward A", "Ward B"):
        sheet = book.create_sheet(name)
        sheet.append(["ill", "crp", "albumin"])
        for number, (ill, crp) in enumerate(ROWS):
            row = ["yes" if ill else "no", crp + 20 * ill, 50 - crp / 2 - 20 * ill + number % 5]
            sheet.append([row[0], None if number % 7 == 3 else row[1], row[2]])
    book.save(path)


class Clicks:
    """A page on which presses are counted; a file that is chosen counts as one."""

    def __init__(self, page):
        self.page, self.count = page, 0

    def __call__(self, selector):
        self.page.wait_for_selector(selector)
        self.page.click(selector)
        self.count += 1

    def choose(self, path):
        upload(self.page, path)
        self.count += 1


def to_the_report(page, click, folder):
    """Comparison, cut-off and report, once the curves are there."""
    page.wait_for_selector("#chart svg .curve")
    assert "AUC" in page.inner_text("#answer")
    click("#tab-compare")
    page.wait_for_selector("#pairs .table", state="attached")
    click("#tab-cutoffs")
    page.wait_for_selector("#criteria tbody tr")
    with page.expect_download() as saved:
        click("#report")
    saved.value.save_as(folder / "report.html")
    assert (folder / "report.html").stat().st_size > 10_000


def test_a_clean_file_needs_six_clicks(open_app, tmp_path):
    page = open_app()
    click = Clicks(page)
    click.choose(example_path())
    click("#confirm")
    click("#to-curves")
    to_the_report(page, click, tmp_path)
    assert click.count <= 6


def test_a_messy_file_needs_nine_clicks(open_app, tmp_path):
    workbook(tmp_path / "ward.xlsx")
    page = open_app()
    click = Clicks(page)
    click.choose(tmp_path / "ward.xlsx")
    page.wait_for_selector("#refused-file")
    said = page.inner_text("#refused-file")
    assert "ward.xlsx has 3 sheets" in said
    assert "/tmp" not in said
    assert "--" not in said
    click("[data-sheet='Ward A']")
    click("#confirm")
    click("#drop-missing")
    click("[data-turn=albumin]")
    click("#to-curves")
    to_the_report(page, click, tmp_path)
    assert click.count <= 9
    assert state(page, "roles.direction.albumin") == "lower"
    open_view(page, "compare")
    wanted = rl.auc(str(tmp_path / "ward.xlsx"), sheet="Ward A", label="ill", pos_label="yes", score=["crp", "albumin"],
                    missing="drop", direction={"albumin": "lower"})  # fmt: skip
    assert [float(row["area"]) for row in table(page, "#areas")] == [row["area"] for row in wanted.rows()]


TEXTS = {
    "title": ("My study 2024\n\ny;s\n" + "\n".join(f"{a};{b}".replace(".", ",") for a, b in ROWS), "3"),
    "comment": ("Study of wards,,\n,,\nid,y,s\n" + "\n".join(f"p{n},{a},{b}" for n, (a, b) in enumerate(ROWS)), "3"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_refused_text_shows_its_lines_to_choose_the_names(open_app, tmp_path, name):
    content, row = TEXTS[name]
    (tmp_path / f"{name}.csv").write_text(content + "\n", encoding="utf-8")
    page = open_app()
    upload(page, tmp_path / f"{name}.csv")
    page.wait_for_selector("#refused-file")
    assert f"{name}.csv" in page.inner_text("#refused-file")
    page.evaluate("document.querySelector('#refused-file details').open = true")
    page.click(f"[data-header='{row}']")
    page.wait_for_selector("#columns")
    assert {"y", "s"} <= set(page.locator("#columns [data-name]").all_inner_texts())


def test_codes_are_one_press_and_several_columns_get_a_role_at_once(open_app, tmp_path):
    lines = ["ill,a,b,c"] + [
        f"{'yes' if x else 'no'},{-99 if n % 9 == 2 else s},{s / 2},{s + x}" for n, (x, s) in enumerate(ROWS)
    ]
    (tmp_path / "codes.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    page = open_app()
    upload(page, tmp_path / "codes.csv")
    page.click("#code-missing-1")
    until(page, "roclab.data.columns[1].missing === 5")
    assert state(page, "roles.missing") == "drop"
    page.click("#undo")  # reading a file again is a step as well
    until(page, "roclab.data.columns[1].missing === 0")
    page.click("#role-0-label")
    page.click("#tick-2")
    page.click("#tick-3")
    page.click("#make-scores")
    until(page, "roclab.state.roles.score.length === 2")
    assert state(page, "roles.score") == ["b", "c"]
    page.click("#undo")
    until(page, "roclab.state.roles.score.length === 0")


def test_markers_that_are_ticked_go_on_to_curves(open_app):
    page = open_app()
    upload(page, example_path())
    page.click("#confirm")
    page.wait_for_selector("#headline")
    open_view(page, "more")
    page.click("#tool-screen")
    page.click("#run-screen")
    page.wait_for_selector("#more-answer tbody input")
    for name in ("lactate", "concern"):
        page.check(f"#more-answer input[aria-label='Tick {name}']")
    page.click("#take-markers")
    page.wait_for_selector("#chart svg .curve")
    assert sorted(state(page, "roles.score")) == ["concern", "lactate"]


def test_classes_are_joined_by_ticking(open_app):
    page = open_app()
    page.click("#example-wines")
    page.wait_for_selector("#headline")
    at = page.locator("#columns [data-name]").all_inner_texts().index("grape")
    page.click(f"#role-{at}-label")
    page.check("#positive input[value=barbera]")
    page.check("#positive input[value=gamay]")
    until(page, "Array.isArray(roclab.state.roles.positive)")
    wanted = rl.auc("wines", label="grape", pos_label=["barbera", "gamay"], score=state(page, "roles.score[0]"))
    answered = f"{{ try {{ return roclab.areas[0].area === {wanted.area!r}; }} catch {{ return false; }} }}"
    until(page, f"(() => {answered})()")  # until then there is no answer, or that to the question before


def test_choices_are_looked_for_in_any_file(tmp_path):
    workbook(tmp_path / "w.xlsx")
    found = choices_of_file(tmp_path / "w.xlsx", sheet="Ward B")
    assert found.sheets == ("Info", "Ward A", "Ward B")
    assert found.lines[0] == (1, "ill │ crp │ albumin")
    (tmp_path / "t.csv").write_bytes("Titel\nå;b\n1;2\n".encode("utf-16"))
    assert choices_of_file(tmp_path / "t.csv").lines == ((1, "Titel"), (2, "å;b"), (3, "1;2"))
    assert choices_of_file(tmp_path / "t.csv").delimiters == (";",)
    (tmp_path / "b.csv").write_bytes(bytes(range(256)))
    assert choices_of_file(tmp_path / "b.csv").lines == ()
    assert found.rows()[0] == {"row": 1, "text": "ill │ crp │ albumin"}
