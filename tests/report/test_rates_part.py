"""The sections about decisions made beforehand: their numbers are those of the verbs, in the page and in Markdown."""

from __future__ import annotations

import json

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError, NoPromiseError
from roclab.results import Report

THRESHOLDS = {"procalcitonin": 1.5, "lactate": 2, "concern": 3}
DATA = {"label": "outcome", "pos_label": "deteriorated", "score": list(THRESHOLDS)}
ASKED = DATA | {"threshold": THRESHOLDS, "require": {"sensitivity": 0.9}, "resampling": 20, "rng": 1}


@pytest.fixture(scope="module")
def made():
    return rl.build_report("example", by="ward", **ASKED)


def test_rates_are_those_of_compare(made):
    found = rl.compare("example", threshold=THRESHOLDS, metrics=["sensitivity", "ppv"], **DATA)
    one = found.pair("procalcitonin", "lactate", "sensitivity")
    (row,) = [
        row
        for row in made.rates.differences
        if (row["rate"], row["first"], row["second"]) == ("sensitivity", "procalcitonin", "lactate")
    ]
    assert row["p"] == one.p_value
    assert row["difference"].startswith(f"{one.difference:.4f} ({one.interval.low:.4f} to ")
    drawn = [line for line in made.rates.drawn if line.heading == "PPV"]
    assert [line.value for line in drawn] == [pair.difference for pair in found.pairs if pair.metric == "ppv"]
    rates = {row["score"]: row["sensitivity"] for row in made.rates.rates}
    assert rates["lactate"].startswith(f"{found.rate('lactate', 'sensitivity').value:.4f} (")


def test_gaps_are_those_of_the_matrix(made):
    gaps = rl.confusion(
        "example", label="outcome", pos_label="deteriorated", score="lactate", threshold=2, by="ward"
    ).gaps()
    shown = made.rates.gaps["lactate"]
    assert [row["p"] for row in shown] == [one.p_value for one in gaps.gaps]
    assert [row["highest"] for row in shown] == [one.highest for one in gaps.gaps]
    assert set(made.rates.groups) == set(THRESHOLDS)


def test_promises_are_those_of_cutoff(made):
    asked = DATA | {"score": "lactate"}
    best = rl.cutoff("example", require={"sensitivity": 0.9}, confidence=0.95, **asked)
    (row,) = [row for row in made.promise.rows if row["score"] == "lactate"]
    assert row["cut-off"] == f"≥ {best.threshold:g}"
    assert row["kept with"] == f"{100 * best.kept:.4g}%"


def test_what_no_case_can_promise_is_said(made):
    few = rl.build_report([1] * 5 + [0] * 5, np.arange(10.0)[::-1], require={"sensitivity": 0.9}, resampling=20, rng=1)
    assert few.promise.rows == ()
    assert "29 are needed" in few.promise.refused[0]
    with pytest.raises(NoPromiseError, match="29 are needed"):
        rl.cutoff([1] * 5 + [0] * 5, np.arange(10.0)[::-1], require={"sensitivity": 0.9}, confidence=0.95)


def test_one_score_has_its_rates(made):
    one = rl.build_report("example", **ASKED | {"score": "lactate", "threshold": 2})
    assert one.rates.differences == ()
    assert one.rates.rates[0]["sensitivity"] == made.rates.rates[1]["sensitivity"]
    assert "Do the rates differ" not in one.to_html()


def test_page_and_markdown_show_them(made):
    page, words = made.to_html(), made.to_markdown()
    for text in (page, words):
        assert "Rates at fixed thresholds" in text
        assert "Promised cut-offs" in text
        assert "equal opportunity" in text
        assert "Tango" in text
    assert 'aria-label="Differences of rates, with intervals"' in page
    back = Report.from_json(made.to_json())
    assert back.to_html() == page
    assert json.loads(made.to_json())["promise"]["confidence"] == 0.95


def test_engine_counts_the_same(tmp_path):
    pl, _ = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 600)
    table = {"y": y, "a": np.round(y + rng.normal(size=600), 2), "b": np.round(y / 2 + rng.normal(size=600), 2)}
    table["site"] = rng.choice(["x", "y", "z"], 600)
    place = tmp_path / "scores.parquet"
    pl.DataFrame(table).write_parquet(place)
    asked = {"label": "y", "pos_label": 1, "score": ["a", "b"], "by": "site", "threshold": 0.5, "resampling": 20,
             "require": {"specificity": 0.8}, "rng": 1, "only": ["rates", "promise"]}  # fmt: skip
    here = json.loads(rl.build_report(place, **asked).to_json())
    there = json.loads(rl.build_report(place, engine="duckdb", **asked).to_json())
    assert here["rates"] == there["rates"]
    assert here["promise"] == there["promise"]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"threshold": "youden"}, "threshold must be fixed before these data were seen, got 'youden'; give numbers"),
        ({"threshold": {"lactate": 2}}, "threshold must give one number for every score, got 1 for 3 scores"),
        ({"require": None, "confidence": 0.9}, "confidence belongs to a bound"),
        ({"require": {"mcc": 0.5}}, "confidence is known for sensitivity, specificity"),
        ({"threshold": None, "only": ["rates"]}, "only names the section 'rates'.*fix thresholds with threshold=0.5"),
        ({"require": None, "only": ["promise"]}, "only names the section 'promise'"),
    ],
)
def test_wrong_questions_are_refused(asked, words):
    with pytest.raises(InputError, match=words):
        rl.build_report("example", **ASKED | asked)


def test_groups_of_one_class_have_no_gaps():
    site = ["a", "a", "b", "b", "c", "c"]
    made = rl.build_report([1, 0, 1, 0, 1, 1], [6, 2, 5, 3, 4, 1], by=site, threshold=3, resampling=20, rng=1)
    assert "Left out of the gaps, with cases of one class only: c." in made.rates.words
    alone = rl.build_report([1, 0, 1, 1], [6, 2, 5, 3], by=["a", "a", "b", "b"], threshold=3, resampling=20, rng=1)
    assert alone.rates.gaps == {}
    assert any("fewer than two groups" in one for one in alone.rates.words)
