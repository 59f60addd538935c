"""What a report says: the library's own numbers, and what a careful colleague would add."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import roclab as rl
from roclab._core.text import format_number
from roclab.analysis.area_table import area_table
from roclab.analysis.reporting import build
from roclab.curves.outline import outline
from roclab.datasets import example_path
from roclab.errors import InputError
from roclab.report import build_report
from roclab.report.headline import answer
from tests.report.conftest import SCORES

COLUMNS = {"label": "outcome", "pos_label": "deteriorated"}


def texts(report, weight=None):
    return " ".join(one.text for one in report.findings if weight in (None, one.weight))


def test_numbers_are_those_of_the_library(report):
    cases = rl.read_cases(example_path(), **COLUMNS, score=SCORES)
    assert [one.area for one in report.scores] == list(area_table(cases))
    assert report.comparison.to_dict() == rl.compare(cases).to_dict()
    for one in report.scores:
        roc = rl.roc(example_path(), **COLUMNS, score=one.name)
        assert one.chance == roc.test()
        for line in one.cutoffs:
            options = {"prevalence": 0.3} if line.criterion == "cost" else {}
            assert line.result.threshold == roc.cutoff(line.criterion, **options).threshold


def test_the_seed_alone_decides(report):
    again = build_report(example_path(), **COLUMNS, score=SCORES, rng=1, source="example")
    assert again.to_json() == report.to_json()
    assert again.to_html() == report.to_html()


def test_json_has_every_number_and_no_nan(report):
    said = report.to_dict()
    assert [one["name"] for one in said["scores"]] == SCORES
    assert said["scores"][0]["cutoffs"][0]["best"]["threshold"] == report.scores[0].cutoffs[0].result.threshold
    assert len(said["comparison"]["pairs"]) == 3
    assert "NaN" not in report.to_json()


def test_outline_keeps_hull_ends_and_cutoffs_with_exact_counts():
    rng = np.random.default_rng(0)
    label = rng.integers(0, 2, 30_000)
    score = label + rng.normal(size=label.size)
    roc = rl.roc(label, score)
    best = roc.cutoff("youden").threshold
    few = outline(roc.tally, 300, keep=[best])
    hull = roc.hull()
    assert few.thresholds[0] == np.inf
    assert set(hull.thresholds) <= set(few.thresholds)
    assert best in few.thresholds
    assert len(few) <= 300 + hull.fpr.size + 1
    assert few.vertices == len(roc.curve)
    for threshold, tp, fp in zip(few.thresholds[1:20], few.tp[1:20], few.fp[1:20], strict=True):
        assert (tp, fp) == (np.sum(score[label == 1] >= threshold), np.sum(score[label == 0] >= threshold))
    drawn = np.trapezoid(few.tp / few.tp[-1], few.fp / few.fp[-1])
    assert few.area_error == pytest.approx(abs(drawn - roc.auc().area), abs=1e-12)
    assert few.area_error < 1e-3


def test_findings_name_what_is_wrong():
    label = [1, 1, 1, 0, 0, 0, 0, 0]
    turned = build_report(label, {"turned": [1, 2, 3, 4, 5, 6, 7, 8]}, rng=1)
    assert "ranks the wrong way round" in texts(turned, "warning")
    assert "--direction turned=lower" in texts(turned)
    assert "Only 3 cases of “1”" in texts(turned)
    weak = build_report([1, 0] * 20, {"weak": np.arange(40) % 7}, rng=1)
    assert "no better than chance" in texts(weak)
    assert "few distinct values" in texts(weak)
    sure = build_report([1] * 12 + [0] * 12, {"sure": np.arange(24)[::-1]}, rng=1)
    assert "separates these cases completely" in texts(sure)
    auto = build_report([1] * 12 + [0] * 12, {"s": np.arange(24)}, direction="auto", rng=1)
    assert "direction of each score was chosen" in texts(auto)
    gap = build_report([1, 0] * 10, {"s": [np.nan, *np.arange(19.0)]}, missing="drop", rng=1)
    assert "1 case with a missing value left out" in texts(gap)
    assert gap.rows_read == 20
    endless = build_report([1, 0] * 10, {"s": [np.inf, *np.arange(19.0)]}, rng=1)
    assert "1 infinite value;" in texts(endless)


def test_findings_about_many_scores(many):
    assert "best of 60 scores looks better than it is" in texts(many, "warning")


def test_conditions_decide_the_cost_cutoff():
    report = build_report(example_path(), **COLUMNS, score="lactate", prevalence=0.05, cost_fn=4, rng=1)
    line = report.scores[0].cutoffs[2]
    roc = rl.roc(example_path(), **COLUMNS, score="lactate")
    assert line.result.threshold == roc.cutoff("cost", prevalence=0.05, cost_fp=1, cost_fn=4).threshold
    assert "assume a prevalence of 0.05" in texts(report)
    with pytest.raises(InputError, match="prevalence"):
        build_report([1, 0], [2, 1], prevalence=1.5)


def test_importance_weights_leave_out_what_counts_cases():
    rng = np.random.default_rng(2)
    label = np.repeat([1, 0], 20)
    report = build_report(label, label + rng.normal(size=40), sample_weight=rng.uniform(0.5, 2, 40), rng=1)
    (score,) = report.scores
    assert score.band is None
    assert all(line.sensitivity is None for line in score.cutoffs)
    assert "importance weights" in texts(report)
    assert "html" in report.to_html()


def test_several_cases_of_a_subject_form_clusters():
    rng = np.random.default_rng(4)
    ids = np.repeat(np.arange(30), 2)
    label = rng.integers(0, 2, 60)
    scores = {"a": label + rng.normal(size=60), "b": rng.normal(size=60)}
    report = build_report(label, scores, ids=ids, rng=1)
    expected = rl.auc(label, scores["a"], ids=ids, variance="clustered")
    assert report.scores[0].area.standard_error == expected.standard_error
    assert report.comparison.to_dict() == rl.compare(label, scores, ids=ids, variance="clustered").to_dict()
    assert report.scores[0].chance is None
    assert report.scores[0].band is None
    assert any("Obuchowski" in one for one in report.references)
    alone = build_report(label, scores, ids=np.arange(60), rng=1)
    assert alone.scores[0].chance is not None


def test_a_fold_with_one_class_has_a_reason_instead_of_an_area():
    label = [1, 0, 1, 0, 1, 1]
    report = build_report(label, [3, 1, 2, 4, 5, 6], folds=["a", "a", "b", "b", "c", "c"], rng=1)
    areas = {one.fold: one.area for one in report.folds}
    assert areas["a"] == 1.0
    assert areas["b"] == 0.0
    assert areas["c"].reason == "the fold holds one class only"
    assert areas["mean of folds"] == 0.5
    assert "Fold c holds one class only" in texts(report)
    with pytest.raises(InputError, match="every fold holds one class only"):
        build_report([1, 1, 0, 0], [4, 3, 2, 1], folds=[1, 1, 2, 2], rng=1)


def test_two_rows_are_enough():
    report = build_report([1, 0], [2.0, 1.0], rng=1)
    assert report.scores[0].area.area == 1
    assert report.scores[0].area.interval.low < 1
    assert "<html" in report.to_html()


def test_p_value_and_interval_agree():
    for seed in range(30):
        rng = np.random.default_rng(seed)
        label = np.repeat([1, 0], 15)
        (one,) = build_report(label, label * 0.8 + rng.normal(size=30), rng=1, band=False, only=["areas"]).scores
        assert (one.chance.p_value < 0.05) == (0.5 not in one.area.interval)


def test_noise_is_called_chance_not_a_wrong_direction():
    label = np.repeat([1, 0], 20)
    score = np.arange(40) % 20 + np.repeat([0, 1], 20)
    report = build_report(label, {"noise": score}, rng=1)
    assert report.scores[0].area.area < 0.5
    assert "wrong way round" not in texts(report)
    assert "may do no better than chance" in texts(report)


def test_many_scores_share_one_sentence():
    rng = np.random.default_rng(7)
    label = np.repeat([1, 0], 12)
    report = build_report(label, {f"n{k}": rng.normal(size=24) for k in range(6)}, rng=1, band=False)
    told = [one.text for one in report.findings if "no better than chance" in one.text]
    assert len(told) == 1
    assert told[0].startswith(("6 scores", "5 scores", "4 scores"))


def test_methods_of_clustered_cases_claim_nothing_else():
    rng = np.random.default_rng(4)
    label = rng.integers(0, 2, 60)
    report = build_report(label, {"a": label + rng.normal(size=60)}, ids=np.repeat(np.arange(30), 2), rng=1)
    said = " ".join(report.methods)
    assert "DeLong's" not in said
    assert "p-value" not in said
    assert "Wilson" not in said
    assert report.clusters == 30
    assert all(line.sensitivity is None for line in report.scores[0].cutoffs)


def test_headlines_of_odd_data():
    same = build_report([1, 1, 0, 0], {"a": [4, 2, 3, 1], "b": [4, 2, 3, 1]}, rng=1)
    assert answer(same).endswith("b has exactly the same.")
    assert "exactly the same area" in texts(same)
    apart = build_report([1, 0], {"a": [2, 1], "b": [1, 2]}, rng=1)
    assert "cannot be told from these cases" in answer(apart)
    flat = build_report([1, 1, 0, 0], [5, 5, 5, 5], rng=1)
    assert answer(flat).endswith("No cut-off does better than calling every case 0.")
    rng = np.random.default_rng(0)
    label = np.repeat([1, 0], 20_000)
    sure = build_report(label, {"a": 3 * label + rng.normal(size=40_000), "b": rng.normal(size=40_000)}, rng=1)
    assert "p below 1e-300" in answer(sure)


def test_sections_without_content_are_refused_when_asked_for():
    with pytest.raises(InputError, match="only names the section 'folds', got data that have none of it"):
        build_report([1, 0], [2, 1], only=["folds"])
    with pytest.raises(InputError, match="give a second score"):
        build_report([1, 0], [2, 1], only=["comparison"])


def test_unknown_sections_are_refused():
    with pytest.raises(InputError, match="only must be one of [0-9]+ words, got 'area'; did you mean 'areas'"):
        build_report([1, 0], [2, 1], only=["area"])


def test_average_precision_and_fixed_rates_are_those_of_the_library(report):
    for one in report.scores:
        roc = rl.roc(example_path(), **COLUMNS, score=one.name)
        assert one.precision == roc.auc(estimator="average_precision")
        asked = {"specificity": (0.8, 0.9, 0.95), "sensitivity": (0.8, 0.9, 0.95)}
        assert list(one.fixed) == [roc.rate_at(**{side: rate}) for side, rates in asked.items() for rate in rates]


def test_calibration_and_net_benefit_are_there_for_probabilities_only():
    rng = np.random.default_rng(3)
    label = rng.integers(0, 2, 200)
    score = 1.5 * label + rng.normal(size=200)
    found = build_report(label, {"p": 1 / (1 + np.exp(-score)), "raw": score}, rng=1, band=False)
    judged, raw = found.scores
    assert raw.calibration is None
    same = rl.roc(label, {"p": 1 / (1 + np.exp(-score))}).calibration()
    assert dataclasses.replace(judged.calibration, errors=same.errors) == same  # which has no intervals of the errors
    assert judged.calibration.errors.ici == same.errors.ici
    wanted = rl.net_benefit(label, {"p": 1 / (1 + np.exp(-score))})
    assert found.net_benefit.to_dict() == wanted.to_dict()
    assert found.shows("calibration")
    html = found.to_html()
    assert format_number(judged.calibration.brier) in html
    assert 'aria-label="Decision curves"' in html
    assert not build_report(label, score, rng=1, band=False).shows("calibration")
    with pytest.raises(InputError, match="give predicted probabilities"):
        build_report(label, score, only=["calibration"])


def test_calibration_errors_have_intervals_where_these_cost_little(monkeypatch):
    rng = np.random.default_rng(4)
    p = rng.random(80).round(2)
    label = rng.random(80) < p
    asked = {"only": ["calibration", "methods"], "resampling": 200, "rng": 1}
    found = build_report(label, p, **asked)
    errors = found.best.calibration.errors
    assert errors.ici_interval.low <= errors.ici <= errors.ici_interval.high
    assert f"({errors.ici_interval.low:.4f}–{errors.ici_interval.high:.4f})" in found.to_html()
    assert "(plain, 200 replicates) of cases" in " ".join(found.methods)
    monkeypatch.setattr(build, "_AFFORDABLE", 1000)
    assert build_report(label, p, **asked).best.calibration.errors.ici_interval.method == "none"
    assert "tricube weights)." in " ".join(build_report(label, p, **asked).methods)


def test_headlines_claim_a_difference_only_after_adjustment():
    rng = np.random.default_rng(11)
    label = np.repeat([1, 0], 60)
    seen = set()
    for turn in range(60):
        if turn >= 20 and len(seen) == 3:
            break
        scores = {name: gain * label + rng.normal(size=120) for name, gain in (("a", 1.2), ("b", 0.6), ("c", 0.1))}
        found = build_report(label, scores, rng=1, band=False, resampling=100)
        first, second = sorted(found.scores, key=lambda one: -one.area.area)[:2]
        pair = found.comparison.pair(first.name, second.name)
        apart = pair.p_adjusted < 0.05 and not pair.interval.low <= 0 <= pair.interval.high
        said = answer(found)
        assert ("It differs from" in said) == apart
        assert ("may be chance" in said) == (not apart)
        assert ("do not tell it from" in texts(found)) == (not apart)
        seen.add(apart)
        if not apart and pair.interval.low > 0:
            assert "once all pairs are allowed for" in said
            seen.add("adjusted")
    assert seen == {True, False, "adjusted"}


def test_a_single_score_says_that_its_cutoff_was_chosen_here():
    said = answer(build_report(example_path(), **COLUMNS, score="lactate", rng=1, band=False))
    assert "83.3% (74.3 to 89.6%) of the positive" in said
    assert "it was chosen on these same cases, and on cases left out of the choice such cut-offs find 76.9% and" in said


def test_no_infinities_and_no_folders_in_words(tmp_path):
    path = tmp_path / "secret folder" / "cases.csv"
    path.parent.mkdir()
    path.write_text("y,s\n1,5\n0,5\n1,5\n0,5\n")
    for direction in ("higher", "lower"):
        found = build_report(path, label="y", score="s", pos_label="1", direction=direction, rng=1)
        assert found.source == "cases.csv"
        for text in (found.to_html(), found.to_markdown(), found.to_json()):
            assert "secret folder" not in text
        shown = [line.row()["cut-off"] for line in found.scores[0].cutoffs]
        assert set(shown) == {"none: no case is called positive"}
        for text in ("≤ -inf", "≥ inf", "NaN", ">nan<"):
            assert text not in found.to_html().split("<script")[0]
