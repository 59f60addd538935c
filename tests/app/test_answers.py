"""Answers that the page shows are those of what it names: classes, cut-offs, areas and fields."""

from __future__ import annotations

import pytest

import roclab as rl
from tests.app.pages import open_example, open_view, table, until

DATA = {"label": "outcome", "positive": "deteriorated", "score": ["lactate"]}


@pytest.fixture
def ask(workbench):
    def run(question, called="example", roles=DATA, **options):
        return workbench.ask(workbench.api("open", {"path": called})["key"], question, roles, **options)

    return run


def test_many_classes_are_paired_with_the_columns_that_the_user_named(ask):
    straight = ask("multiclass", "wines", {"label": "grape", "score": ["net_1", "net_2", "net_3"]},
                   labels=["barbera", "barolo", "gamay"])["table"]["rows"]  # fmt: skip
    turned = ask("multiclass", "wines", {"label": "grape", "score": ["net_3", "net_1", "net_2"]},
                 labels=["gamay", "barbera", "barolo"])["table"]["rows"]  # fmt: skip
    assert {row[1]: row[2] for row in straight} == pytest.approx({row[1]: row[2] for row in turned})


def test_cut_offs_come_with_their_numbers_and_intervals(ask):
    criteria = ask("cutoffs", score="lactate")["table"]
    assert {"sensitivity low", "specificity high", "PPV low"} <= set(criteria["columns"])
    zone = ask("grey_zone", score="lactate", rule_out={"tpr": 0.95}, rule_in={"tnr": 0.95})["cuts"]
    assert [row[2] for row in zone["rows"]] == [1.1, 2.9]
    required = ask("requirement", score="lactate", require={"tpr": 0.9})["table"]["rows"]
    assert required[0][0] == "youden, sensitivity ≥ 0.9"


@pytest.mark.parametrize(("ties", "kind"), [("pessimistic", "roc"), ("optimistic", "roc"), ("expected", "troc")])
def test_areas_beside_curves_are_of_those_curves(ask, ties, kind):
    area = ask("curve", kind=kind, ties=ties)["lines"][0]["area"]
    curve = rl.roc("example", label="outcome", pos_label="deteriorated", score="lactate", ties=ties)
    if kind == "troc":
        assert (area["name"], area["value"]) == ("tAUC", pytest.approx(curve.tauc().area))
    else:
        by_hand = sum(
            (b - a) * (c + d) / 2
            for a, b, c, d in zip(curve.fpr, curve.fpr[1:], curve.tpr, curve.tpr[1:], strict=False)
        )
        assert area["value"] == pytest.approx(by_hand)


def test_prevalence_is_taken_as_people_write_it(open_app):
    page = open_app()
    open_example(page)
    open_view(page, "point")
    for typed, share in (("5", 0.05), ("10 %", 0.1), ("0,05", 0.05)):
        page.fill("#prevalence", typed)
        until(page, f"window.roclab.store.conditions.prevalence === {share}")
    page.fill("#prevalence", "many")
    until(page, "document.getElementById('prevalence-wrong').textContent !== ''")
    assert page.evaluate("roclab.store.conditions.prevalence") == 0.05  # the last good value


def test_a_refused_curve_leaves_no_other_figure(open_app):
    page = open_app()
    open_example(page)
    open_view(page, "curves")
    page.wait_for_selector("#chart svg .curve")
    page.select_option("#more-kinds", "calibration")
    page.wait_for_selector("#chart-busy .refusal")
    assert page.query_selector("#chart svg .curve") is None


def test_the_readers_example_is_a_study_of_readers(open_app):
    page = open_app()
    page.click("#example-readings")
    page.wait_for_selector("#reader-areas tbody tr")
    assert "80 cases" in page.inner_text("#answer")
    wanted = rl.readers.mrmc("readings")
    assert f"{wanted.pairs[0].difference:.3f}" in page.inner_text("#answer h1")
    areas = page.locator("#reader-areas td[data-name=digital]").evaluate_all(
        "all => all.map(one => Number(one.dataset.exact))"
    )
    assert areas[:5] == [one.estimate.area for one in wanted.areas if one.modality == "digital"]


def test_every_field_says_what_is_wrong_beside_it(open_app):
    page = open_app()
    open_example(page)
    open_view(page, "curves")
    for field in ("fpr-from", "fpr-to"):
        page.fill(f"#{field}", "7")
        page.press(f"#{field}", "Tab")
        assert page.inner_text(f"#{field}-wrong") == "Write a number from 0 to 1."
        assert page.get_attribute(f"#{field}", "aria-invalid") == "true"
    assert page.evaluate("roclab.state.curves.region") is None


def test_classes_are_paired_with_columns_on_the_page(open_app):
    page = open_app()
    open_example(page, "wines")
    open_view(page, "more")
    page.click("#tool-multiclass")
    page.select_option("#class-label", "grape")
    assert [page.input_value(f"#class-score-{at}") for at in range(3)] == page.evaluate(
        "roclab.data.columns.find(one => one.name === 'grape').values.map(([value]) => value)"
    )
    names = page.evaluate("roclab.data.columns.find(one => one.name === 'grape').values.map(([value]) => value)")
    page.select_option("#class-score-0", "")
    page.click("#run-multiclass")
    assert names[0] in page.inner_text("#more-answer .error")
    page.select_option("#class-score-0", names[0])
    page.click("#run-multiclass")
    page.wait_for_selector("#more-answer .table")
    rows = table(page, "#more-answer")
    wanted = rl.multiclass("wines", label="grape", score=names, labels=names).rows()
    assert [float(row["area"]) for row in rows] == [row["area"] for row in wanted]


def test_cut_offs_follow_the_conventions_of_a_program(ask):
    """pROC cuts midway between scores, by every criterion."""
    own, theirs = (ask("cutoffs", score="lactate", **chosen)["table"] for chosen in ({}, {"conventions": "pROC"}))
    at = own["columns"].index("cut-off")
    best = rl.cutoff("example", label="outcome", pos_label="deteriorated", score="lactate", conventions="pROC")
    assert theirs["rows"][0][at] == best.threshold != own["rows"][0][at]
