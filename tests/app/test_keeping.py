"""Nothing is lost: every change is undone and redone, and a page that is loaded again, left or gone finds its work."""

from __future__ import annotations

import asyncio
import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from roclab.app.jobs import Jobs
from roclab.app.kept import Kept
from roclab.datasets import example_path
from roclab.errors import InputError
from tests.app.pages import (
    SCORES,
    agrees,
    choose_columns,
    drawn,
    kept,
    open_example,
    open_view,
    shown,
    state,
    table,
    until,
    upload,
)

TAB = "tab-0123456789"


# -- the server ----------------------------------------------------------------------------------------------------


def test_sessions_are_kept_by_tab_in_the_private_folder(workbench):
    told = {"called": "x.csv", "answer": "AUC 0.9", "state": {"state": {"view": "curves"}, "past": [], "future": []}}
    page = {"X-Roclab-Page": "one"}
    assert workbench.api("keep", {"tab": TAB, **told}, headers=page) == {}
    again = workbench.api("kept", {"tab": TAB, "again": True}, headers={"X-Roclab-Page": "two"})
    assert again["state"] == told["state"]
    assert again["taken"] is False
    copied = workbench.api("kept", {"tab": TAB}, headers={"X-Roclab-Page": "three"})
    assert copied["taken"] is True  # a copied tab has its work, under a name of its own
    workbench.api("leave", {}, headers={"X-Roclab-Page": "two"})
    others = workbench.api("kept", {"tab": "another-tab-1"}, headers=page)["others"]
    assert [one["called"] for one in others if one["tab"] == TAB and not one["here"]] == ["x.csv"]
    workbench.api("drop", {"tab": TAB}, headers=page)
    assert workbench.api("kept", {"tab": TAB}, headers=page)["state"] is None


@pytest.mark.parametrize("tab", [None, 3, "", "../../etc/passwd", "x" * 80])
def test_a_tab_has_a_plain_name(tmp_path, tab):
    with pytest.raises(InputError, match="letters and digits"):
        Kept(tmp_path).keep(tab, "page", called="", answer="", state={})
    assert list(tmp_path.iterdir()) == []


def test_the_oldest_session_goes(tmp_path):
    shelf = Kept(tmp_path)
    for number in range(45):
        shelf.keep(f"tab-{number:06}", "page", called=str(number), answer="", state={})
    assert len(shelf.others(None)) == len(list(tmp_path.iterdir())) == 40
    assert shelf.of("tab-000000", "page") == (None, False)


def test_work_of_pages_that_fell_silent_ends():
    now = [0.0]
    jobs = Jobs(now=lambda: now[0])

    async def run():
        import anyio

        async with anyio.create_task_group() as group:
            jobs.attach(group)
            roles = {"label": "outcome", "positive": "deteriorated", "score": ["lactate"]}
            item = {"key": "k", "called": "example", "place": "example", "fingerprint": "", "reading": {}}
            request = {
                "question": "stability",
                "item": item,
                "roles": roles,
                "options": {"resampling": 10**6, "score": "lactate"},
            }
            silent, heard = jobs.start(request, page="silent"), jobs.start(request, page="heard")
            now[0] = 170.0
            jobs.hear("heard")
            now[0] = 190.0
            await jobs.end_of_silent()
            assert silent.state == "stopped"
            assert not heard.over
            await jobs.leave("heard")
            assert heard.state == "stopped"

    with ThreadPoolExecutor(1) as other:  # a browser driver may run a loop in this thread
        other.submit(asyncio.run, run()).result()


def test_pages_do_not_wait_for_each_other(workbench):
    key = workbench.api("open", {"path": "example"})["key"]
    roles = {"label": "outcome", "positive": "deteriorated", "score": SCORES}
    asked = {"question": "band", "key": key, "roles": roles, "options": {"kind": "simultaneous", "resampling": 100_000}}
    busy = {"X-Roclab-Page": "busy"}
    jobs = [workbench.api("ask", asked, headers=busy)["job"] for _ in range(3)]
    quick = {"question": "stability", "key": key, "roles": roles, "options": {"score": "lactate", "resampling": 60}}
    mine = workbench.api("ask", quick, headers={"X-Roclab-Page": "mine"})["job"]
    while workbench.api(f"jobs/{mine}")["state"] not in ("done", "failed"):
        time.sleep(0.05)
    assert workbench.api(f"jobs/{mine}")["state"] == "done"
    assert {one["job"] for one in workbench.api("alive", {}, headers=busy)["jobs"]} == set(jobs)
    workbench.api("leave", {}, headers=busy)
    assert {workbench.api(f"jobs/{job}")["state"] for job in jobs} == {"stopped"}


# -- the page ------------------------------------------------------------------------------------------------------


def undo_all(page):
    """Press undo until nothing is left; the states on the way, the latest first."""
    seen = [json.dumps(page.evaluate("roclab.state"))]
    while not page.is_disabled("#undo"):
        page.click("#undo")
        drawn(page)
        seen.append(json.dumps(page.evaluate("roclab.state")))
    return seen


def test_undo_and_redo_go_through_every_change(open_app):
    page = open_app()
    upload(page, example_path())
    choose_columns(page, {"outcome": "label", "lactate": "score", "procalcitonin": "score"})
    page.locator("#positive input[value=deteriorated]").check()
    page.wait_for_selector("#headline")
    choose_columns(page, {"concern": "score"})
    until(page, "roclab.overview?.areas.rows.length === 3")
    open_view(page, "point")
    agrees(page, "procalcitonin")
    page.click('[data-jump="sensitive"]')
    until(page, "roclab.state.point.threshold === 0.36")
    page.fill("#prevalence", "5 %")
    page.press("#prevalence", "Tab")
    until(page, "roclab.state.place.prevalence === 0.05")
    open_view(page, "curves")
    page.wait_for_selector("#chart svg .curve")
    page.check("#each-hull")
    states = undo_all(page)
    assert len(set(states)) == len(states) >= 9
    assert json.loads(states[-1])["data"] is None
    for wanted in reversed(states[:-1]):
        page.click("#redo")
        drawn(page)
        assert json.loads(json.dumps(page.evaluate("roclab.state"))) == json.loads(wanted)
    assert page.is_disabled("#redo")
    until(page, "roclab.overview?.areas.rows.length === 3")
    open_view(page, "point")
    agrees(page, "procalcitonin")
    assert shown(page, "threshold") == 0.36


def test_a_reload_back_and_a_crash_bring_the_work_back(open_app):
    page = open_app()
    upload(page, example_path())
    page.click("#confirm")
    page.wait_for_selector("#headline")
    open_view(page, "point")
    agrees(page, "procalcitonin")
    page.select_option("#score", "lactate")
    page.click('[data-jump="sensitive"]')
    drawn(page)
    before = shown(page, "threshold")
    kept(page)
    page.reload()
    page.wait_for_selector('[data-panel="roc"] .handle')
    assert "is back" in page.inner_text("#note-place")
    agrees(page, "lactate")
    assert shown(page, "threshold") == before
    assert not page.is_disabled("#undo")
    page.go_back()  # another view, not another page
    page.wait_for_selector("#tab-data[aria-current=page]", state="attached")
    assert state(page, "roles.score") == SCORES
    kept(page)
    page.goto("about:blank")
    page.go_back()
    page.wait_for_selector("html.live")
    page.wait_for_selector("#headline")
    assert state(page, "point.score") == "lactate"


def test_a_session_of_a_closed_tab_is_offered(open_app, workbench):
    page = open_app()
    open_example(page)
    kept(page)
    page.close(run_before_unload=False)
    other = open_app()
    tab = None
    for one in other.evaluate("roclab.keeping.others"):
        tab = tab or (one["tab"] if one["called"] == "example" and not one["here"] else None)
    assert tab is not None
    other.click(f'[data-recent="{tab}"]')
    other.wait_for_selector("#headline")
    assert state(other, "roles.score") == SCORES
    other.evaluate("roclab.startOver()")
    until(other, "roclab.state.data === null")
    kept(other)
    third = open_app()
    assert tab not in [one["tab"] for one in third.evaluate("roclab.keeping.others")]


def test_the_page_asks_before_it_goes_only_while_something_would_be_lost(open_app):
    page = open_app()
    open_example(page)
    assert page.evaluate("roclab.keeping.atStake") is False
    open_view(page, "cutoffs")
    page.evaluate("roclab.session.set({ options: { stability: { resampling: 500000 } } }, { quiet: true })")
    page.click("#stability")
    until(page, "roclab.keeping.jobs.length === 1")
    assert page.evaluate("roclab.keeping.atStake") is True
    open_view(page, "compare")  # work goes on, and can be ended from any view
    page.click("#jobs")
    assert "Bootstrap" in page.inner_text(".job")
    page.click(".job button")
    until(page, "roclab.keeping.jobs.length === 0")
    assert page.evaluate("roclab.keeping.atStake") is False


def test_the_trained_table_is_one_step_back_and_a_session_of_scores_reopens(open_app, tmp_path):
    page = open_app()
    open_example(page)
    open_view(page, "train")
    for name in ("knn", "tree"):
        page.locator(f"#model-{name}").uncheck()
    page.fill("#bench-folds", "3")
    page.press("#bench-folds", "Tab")
    page.click("#train")
    page.wait_for_selector("#models")
    with page.expect_download() as saved:
        page.click("#save-scores")
    saved.value.save_as(tmp_path / "scores.csv")
    assert (tmp_path / "scores.csv").read_text(encoding="utf-8").startswith("row,id,split,class,")
    counts = page.locator("#bench-matrix .cell").evaluate_all("all => all.map(one => Number(one.dataset.exact))")
    page.click("#misclassified")
    assert len(table(page, "#bench-rows")) == counts[1] + counts[2]
    assert {"patient", "ward", "outcome", "lactate"} < set(table(page, "#bench-rows")[0])
    page.keyboard.press("Escape")
    page.click("#analyse-scores")
    until(page, "roclab.areas.some(one => one.name === 'naive_bayes')")  # the curves of before stood there
    areas = page.evaluate("roclab.areas")
    with page.expect_download() as saved:
        page.evaluate("roclab.files.saveSession()")
    saved.value.save_as(tmp_path / "trained.json")
    page.click("[data-trail='0']")
    page.wait_for_selector("#models")
    again = page.locator("#bench-matrix .cell").evaluate_all("all => all.map(one => Number(one.dataset.exact))")
    assert again == counts
    other = open_app()
    other.set_input_files("#session-file", str(tmp_path / "trained.json"))
    other.wait_for_selector("#chart svg .curve")
    assert other.evaluate("roclab.areas") == areas
    page.click("#analyse-probabilities")  # the log odds of a model are no probabilities; these are kept beside them
    page.wait_for_selector("#chart svg .curve")
    until(page, "roclab.current.found?.kind === 'calibration'")
    assert state(page, "roles.score") == ["logistic probability", "naive_bayes probability"]


def test_a_file_may_be_dropped_anywhere(open_app):
    page = open_app()
    open_view(page, "more")
    page.evaluate(
        """() => {
            const data = new DataTransfer();
            data.items.add(new File(["y,s,t\\n1,5,2\\n0,1,3\\n1,4,4\\n0,2,1\\n"], "dropped.csv"));
            const drop = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
            document.querySelector("main").dispatchEvent(drop);
        }"""
    )
    page.wait_for_selector("#confirm")
    assert page.inner_text("#called") == "dropped.csv"
