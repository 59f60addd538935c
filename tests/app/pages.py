"""What browser tests of the workbench do and read: open, choose, wait, and the numbers on the screen."""

from __future__ import annotations

import math
import os

import pytest

import roclab as rl
from roclab.datasets import example_path

DATA = {"label": "outcome", "pos_label": "deteriorated"}
SCORES = ["procalcitonin", "lactate", "concern"]
PATIENCE = int(os.environ.get("ROCLAB_PATIENCE", "20000"))  # looks at a condition; only ends what hangs
VIEWS = (
    "start",
    "data",
    "curves",
    "point",
    "compare",
    "rates",
    "cutoffs",
    "time",
    "train",
    "readers",
    "images",
    "more",
)
RATES = ("tpr", "tnr", "ppv", "npv", "accuracy", "f1", "youden_j", "lr_plus", "lr_minus")


def until(page, condition):
    """Wait for a condition; the page's own policy keeps a browser driver from waiting inside it."""
    for _ in range(PATIENCE):
        if page.evaluate(f"() => {condition}"):
            return
        page.wait_for_timeout(30)
    raise AssertionError(f"never came true: {condition}; the page says: {page.inner_text('body')[:600]}")


def shown(page, key):
    """A number at the operating point, with all its digits."""
    text = (
        page.get_attribute("#answer", "data-exact")
        if key == "threshold"
        else page.locator(f'[data-value="{key}"]').first.get_attribute("data-exact")
    )
    return math.nan if text in ("null", "NaN") else float(text.replace("Infinity", "inf"))


def table(page, host):
    """Cells of the first whole table in a place: columns by their names, numbers with all their digits."""
    page.wait_for_selector(f"{host} .table tbody tr", state="attached")
    return page.locator(f"{host} .table").first.evaluate(
        """place => {
            const names = [...place.querySelectorAll("thead th")].map(one => one.dataset.column);
            return [...place.querySelectorAll("tbody tr")].map(row => Object.fromEntries(
                [...row.cells].map((cell, at) => [names[at], cell.dataset.exact ?? cell.textContent])));
        }"""
    )


def upload(page, path):
    """Choose a file, wherever the page is."""
    if page.locator("#file").count() == 0:
        open_view(page, "start")
    page.set_input_files("#file", str(path))


def choose_columns(page, roles):
    """Give columns their parts, one after the other."""
    page.wait_for_selector("#columns tbody tr")
    names = page.locator("#columns [data-name]").all_inner_texts()
    for name, part in roles.items():
        at = names.index(name)
        if page.locator(f"#role-{at}-{part}").count() == 0:
            page.click(f"#role-{at}-more")
        page.click(f"#role-{at}-{part}")
        page.wait_for_selector(f"#role-{at}-{part}[aria-pressed=true]")


def open_example(page, name="example"):
    """An example whose parts are known."""
    if page.locator(f"#example-{name}").count() == 0:
        open_view(page, "start")
    page.click(f"#example-{name}")
    page.wait_for_selector("#headline")


def open_view(page, name):
    """Go to a view as the address does."""
    page.evaluate(f"location.hash = '/{name}'")
    page.wait_for_selector(f"#tab-{name}[aria-current=page]", state="attached")


def agrees(page, score):
    """Matrix and metrics on the screen follow from the threshold on the screen."""
    until(page, "document.querySelector('[data-value=tpr]')?.dataset.exact !== undefined")
    point = rl.roc(example_path(), **DATA, score=score).at(threshold=shown(page, "threshold"))
    matrix = point.matrix
    assert [shown(page, key) for key in ("tp", "fp", "fn", "tn")] == [matrix.tp, matrix.fp, matrix.fn, matrix.tn]
    for key in RATES:
        assert shown(page, key) == pytest.approx(float(matrix.metrics()[key]), rel=1e-12, nan_ok=True), key


def tab_to(page, selector):
    """Press Tab until the element has the focus, as somebody without a mouse does."""
    for _ in range(400):
        if page.evaluate("one => document.activeElement?.matches(one) ?? false", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {selector}")


def drawn(page):
    """Wait until what was typed is drawn: numbers that are read one by one must be of one moment."""
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def kept(page):
    """Wait until the server has what the page changed."""
    until(page, "roclab.keeping.waiting === null")
    page.wait_for_load_state("networkidle")


def state(page, path):
    """A part of the session, such as "roles.score"."""
    return page.evaluate(f"roclab.state.{path}")
