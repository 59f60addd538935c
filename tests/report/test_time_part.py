"""The section about time to event: its numbers are those of the verbs, in the page, in Markdown and in JSON."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.results import Report

CLINIC = {"time": "days", "event": "ended", "cause": "relapse", "competing": "death", "censored": "lost"}


@pytest.fixture(scope="module")
def patients():
    found = dict(rl.read_columns("followed").values)
    line = 0.6 * found["marker"].astype(float) + 0.35 * found["grade"].astype(float)
    found["by both"] = 1 / (1 + np.exp(4.8 - line))
    found["by grade"] = np.array([0.05, 0.1, 0.25, 0.25])[found["grade"].astype(int) - 1]
    return found


@pytest.fixture(scope="module")
def made(patients):
    return rl.build_report(patients, **CLINIC, score=["marker", "by both", "by grade"], at=730)


def _shown(estimate, interval):
    between = " to " if interval.low < 0 else "–"
    return f"{estimate:.4f} ({interval.low:.4f}{between}{interval.high:.4f})"


def test_areas_and_differences_are_those_of_the_verbs(made, patients):
    found = rl.compare(patients, **CLINIC, score=["marker", "by both", "by grade"], at=730)
    for row, area in zip(made.time.areas, found.areas, strict=True):
        assert row["AUC"] == _shown(area.area, area.interval)
        assert (row["std. error"], row["unknown"]) == (area.standard_error, area.unknown)
    for row, pair in zip(made.time.differences, found.pairs, strict=True):
        assert row["difference"] == _shown(pair.difference, pair.interval)
        assert (row["p"], row["adjusted p"]) == (pair.p_value, pair.p_adjusted)


def test_rates_calibration_and_benefit_are_those_of_the_verbs(made, patients):
    best = rl.cutoff(patients, **CLINIC, score="marker", at=730)
    row = made.time.rates[0]
    assert row["positive"] == f"≥ {best.threshold:g}"
    assert row["sensitivity"] == _shown(best.rates["sensitivity"].rate, best.rates["sensitivity"].interval)
    assert row["PPV"] == _shown(best.rates["ppv"].rate, best.rates["ppv"].interval)
    calibration = rl.roc(patients, **CLINIC, score="by both", at=730).calibration()
    assert made.time.calibration[0]["slope"] == _shown(calibration.slope.rate, calibration.slope.interval)
    losses = rl.compare_predictions(
        patients, **CLINIC, score=["by both", "by grade"], at=730, probabilities=[0.1, 0.2, 0.3]
    )
    values = [_shown(one.value, one.interval) for one in (*losses.single, *losses.pairs)]
    far = [
        (row["value"], value) for row, value in zip(made.time.losses, values, strict=True) if "e-" not in row["value"]
    ]
    assert all(row == value for row, value in far)
    curve = rl.net_benefit(patients, **CLINIC, score=["by both", "by grade"], at=730)
    np.testing.assert_array_equal(made.time.benefit[1].y, curve.net_benefit["by both"])
    np.testing.assert_array_equal(made.time.benefit[2].low, curve.low["by grade"])


def test_drawn_areas_hold_the_horizons_asked_for(patients):
    made = rl.build_report(patients, **CLINIC, score="marker", at=[365, 730])
    line = made.time.drawn_areas[0]
    area = rl.auc(patients, **CLINIC, score="marker", at=365)
    (at,) = np.flatnonzero(line.x == 365)
    assert (line.y[at], line.low[at], line.high[at]) == (area.area, area.interval.low, area.interval.high)
    assert made.time.risks.startswith("No score lies between 0 and 1")
    assert not rl.build_report(patients, **CLINIC, score="marker", at=365, band=False).time.drawn_areas[0].low.size


def test_groups_and_horizons_together(patients):
    made = rl.build_report(patients, **CLINIC, score=["marker", "by both"], at=[365, 730], by="grade")
    found = rl.auc(patients, **CLINIC, score=["marker", "by both"], at=[365, 730], by="grade")
    assert made.time.groups[0]["AUC"] == _shown(found["1"][0].area, found["1"][0].interval)
    compared = rl.compare(patients, **CLINIC, score=["marker", "by both"], at=[365, 730])
    assert made.time.tests[0]["p"] == compared.joint[0].p_value
    assert any(row["hypothesis"] == "same area of marker at 730 in all groups" for row in made.time.tests)
    assert "A predicted risk is of the event by one horizon" in made.time.risks


def test_fixed_thresholds_and_bounds(patients):
    fixed = rl.build_report(patients, **CLINIC, score="marker", at=730, threshold=4)
    assert fixed.time.rates[0]["positive"] == "≥ 4"
    assert fixed.time.cutoffs == "Thresholds were fixed beforehand."
    bound = rl.build_report(patients, **CLINIC, score="marker", at=730, require={"sensitivity": 0.9})
    best = rl.cutoff(patients, **CLINIC, score="marker", at=730, require={"sensitivity": 0.9})
    assert bound.time.rates[0]["positive"] == f"≥ {best.threshold:g}"


def test_page_markdown_and_json_show_it(made):
    page, words = made.to_html(), made.to_markdown()
    for text in (page, words):
        assert "0.7445 (0.6607–0.8111)" in text or "(0.6607–0.8111)" in text
        assert "An event at exactly the horizon counts by it" in text
        assert "Hung" in text
    assert 'aria-label="Areas over time"' in page
    assert 'aria-label="Decision curves at the horizon"' in page
    assert "<script" not in page
    assert Report.from_json(made.to_json()).to_html() == page
    assert made.rows() == [dict(row) for row in made.time.areas]


def test_landmark_subjects_and_arrays():
    rng = np.random.default_rng(5)
    score = rng.normal(size=200)
    ends, lost = rng.exponential(np.exp(-score)), rng.exponential(2, 200)
    y = np.array(list(zip(ends <= lost, np.minimum(ends, lost), strict=True)), dtype=[("event", "?"), ("time", "f8")])
    made = rl.build_report(y, score, at=0.6, landmark=0.1, ids=np.arange(200) // 2)
    area = rl.auc(y, score, at=0.6, landmark=0.1, ids=np.arange(200) // 2)
    assert made.time.areas[0]["AUC"] == _shown(area.area, area.interval)
    assert {"what": "the clock starts at", "value": 0.1} in made.time.facts


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"prevalence": 0.1}, "prevalence has no part in a report over time, got 0.1"),
        ({"cost_fn": 5}, "cost_fn has no part in a report over time"),
        ({"rng": 1}, "rng has no part in a report over time"),
        ({"confidence": 0.9}, "confidence has no part in a report over time"),
        ({"conventions": "pROC"}, "conventions has no part in a report over time"),
        ({"only": ["curves"]}, "only must name sections of a report over time \\(time, data, methods\\), got 'curves'"),
        ({"at": None}, "at must be given"),
        ({"landmark": [0, 100]}, "landmark must be one time for a report"),
    ],
)
def test_what_has_no_part_is_refused(asked, words):
    with pytest.raises(InputError, match=words):
        rl.build_report("followed", **CLINIC | {"score": "marker", "at": 730} | asked)


def test_section_needs_followed_cases():
    with pytest.raises(InputError, match="only names the section 'time'.*time='days'"):
        rl.build_report([0, 1, 1, 0], [1, 2, 3, 1], only=["time"])


def test_the_explorer_is_of_two_classes():
    pytest.importorskip("anywidget")
    with pytest.raises(InputError, match="time has no part in the explorer"):
        rl.explore("followed", **CLINIC, score="marker", at=730)
