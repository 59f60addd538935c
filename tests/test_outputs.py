"""Results as documents, frames, numbers, and from their own JSON again."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError

rng = np.random.default_rng(0)
N = 80
Y = rng.integers(0, 2, N)
S, T = (rng.normal(size=N) + Y for _ in range(2))
P = 1 / (1 + np.exp(-S))
G = np.array(["a", "b"])[np.arange(N) % 2]

RESTORED = {
    "auc": lambda: rl.auc(Y, S),
    "several": lambda: rl.auc(Y, {"a": S, "b": T}),
    "perfect": lambda: rl.auc([0, 0, 1, 1], [1, 2, 3, 4]),  # an undefined standard error, with its reason
    "confusion": lambda: rl.confusion(Y, S, threshold=0.5),
    "metrics": lambda: rl.confusion(Y, S, threshold=0.5).with_intervals(),
    "cutoff_table": lambda: rl.cutoff_table(Y, S),
    "net_benefit": lambda: rl.net_benefit(Y, P),
    "ties": lambda: rl.ties(Y, {"a": S, "b": T}),
    "screen": lambda: rl.screen({"y": Y, "s": S, "t": T}, label="y"),
    "average": lambda: rl.average(Y, S, folds=G),
    "multiclass": lambda: rl.multiclass(np.arange(N) % 3, rng.dirichlet([1, 1, 1], N)),
    "plan": lambda: rl.planning.plan_one_area(area=0.8, power=0.9),
    "mann_whitney": lambda: rl.ranks.mann_whitney(Y, S),
    "rate": lambda: rl.roc(Y, S).rate_at(specificity=0.9),
    "points": lambda: rl.roc(Y, S).points(),
    "test": lambda: rl.roc(Y, S).test(),
    "calibration": lambda: rl.roc(Y, P).calibration(),
    "grey_zone": lambda: rl.grey_zone(Y, S, rule_out={"sensitivity": 0.9}, rule_in={"specificity": 0.9}),
    "doctor": lambda: rl.doctor({"y": Y, "s": S}),
    "compare": lambda: rl.compare(Y, {"a": S, "b": T}),
    "compare_margin": lambda: rl.compare(Y, {"a": S, "b": T}, margin=0.1),
    "compare_three": lambda: rl.compare(Y, {"a": S, "b": T, "c": S + T}),
    "compare_bootstrap": lambda: rl.compare(Y, {"a": S, "b": T}, variance="bootstrap", rng=0),
    "groups": lambda: rl.auc(Y, S, by=G),
    "groups_partial": lambda: rl.auc(Y, S, by=G, fpr=(0, 0.3)),
    "groups_one_class": lambda: rl.auc([0, 1, 0, 1, 0, 0], [1, 2, 3, 4, 5, 6], by=list("aabbcc")),
    "by_group": lambda: rl.cutoff(Y, S, by=G),
    "by_group_confusion": lambda: rl.confusion(Y, S, threshold=0.5, by=G),
    "cutoff": lambda: rl.cutoff(Y, S),
    "cutoff_requirement": lambda: rl.cutoff(Y, S, require={"sensitivity": 0.9}),
    "cutoffs": lambda: rl.cutoff(Y, {"a": S, "b": T}),
    "cutoff_stability": lambda: rl.cutoff_stability(Y, S, rng=0, resampling=50),
    "hull": lambda: rl.hull({"a": [(0.1, 0.5)], "b": [(0.3, 0.8)]}),
    "hull_of_scores": lambda: rl.hull(Y, {"a": S, "b": T}),
    "hull_contribution": lambda: rl.classifiers.hull_contribution(Y, {"a": S, "b": T}, add="b"),
    "roc": lambda: rl.roc(Y, S),
    "roc_of_points": lambda: rl.Roc.from_points([0.1, 0.3], [0.5, 0.8]),
    "roc_by_group": lambda: rl.roc(Y, S, by=G),
    "coordinates": lambda: rl.roc(Y, S).coordinates(),
    "interval_ratios": lambda: rl.roc(Y, S).likelihood_ratios([0, 1]),
    "pareto_front": lambda: rl.classifiers.pareto_front({"a": [(0.1, 0.5)], "b": [(0.3, 0.8)]}),
    "readers": lambda: rl.readers.mrmc("readings"),
    "report": lambda: rl.build_report(Y, {"a": P, "b": T}, rng=1),
    "report_by_group": lambda: rl.build_report(Y, S, by=G, folds=G, rng=1),
}
REFUSED = {  # what keeps cases, or a fit of its own
    "subjects": lambda: rl.roc(Y, S, ids=np.arange(N) // 2),
    "curve": lambda: rl.roc(Y, S).precision_recall(),
    "fit": lambda: rl.roc(Y, S).smooth("binormal"),
    "model": lambda: rl.logistic({"y": Y, "s": S, "t": T}, label="y", score=["s", "t"]),
}


@pytest.mark.parametrize("name", RESTORED)
def test_a_result_comes_back_from_its_json(name):
    result = RESTORED[name]()
    again = type(result).from_json(result.to_json())
    assert str(again) == str(result)
    assert again.to_json() == result.to_json()
    assert again.to_csv() == result.to_csv()


@pytest.mark.parametrize("name", REFUSED)
def test_what_json_does_not_hold_is_refused_and_can_be_pickled(name):
    result = REFUSED[name]()
    with pytest.raises(InputError, match="text must be the JSON of a .* that can be restored, got one that cannot"):
        type(result).from_json(result.to_json())
    assert str(pickle.loads(pickle.dumps(result))) == str(result)


WHOLE = {
    **REFUSED,
    "recalibration": lambda: rl.recalibrate(Y, S),
    "isotonic": lambda: rl.recalibrate(Y, S, method="isotonic"),
    "two_models": lambda: REFUSED["model"]().compare(rl.logistic({"y": Y, "s": S, "t": T}, label="y", score=["s"])),
    "froc": lambda: rl.imaging.froc("marks_a", "lesions", resampling=20, rng=1),
    "dominance": lambda: rl.classifiers.dominance(Y, {"a": S, "b": T}),
    "clusters": lambda: rl.imaging.robust_cmeans(np.arange(64.0).reshape(8, 8), 2, beta=0.1),
    "compare": RESTORED["compare"],
    "perfect": RESTORED["perfect"],
    "readers": RESTORED["readers"],
}


@pytest.mark.parametrize("name", WHOLE)
def test_every_result_comes_back_from_its_whole_json(name):
    result = WHOLE[name]()
    again = type(result).from_json(result.to_json(whole=True))
    assert str(again) == str(result)
    assert again.to_json() == result.to_json()


def test_a_model_that_came_back_answers_as_before():
    model = REFUSED["model"]()
    again = type(model).from_json(model.to_json(whole=True))
    new = np.column_stack([S, T])[:5]
    assert again.predict_proba(new) == pytest.approx(model.predict_proba(new))
    subjects = REFUSED["subjects"]()
    assert str(type(subjects).from_json(subjects.to_json(whole=True)).auc()) == str(subjects.auc())


@pytest.mark.parametrize(
    "whole",
    [
        {"~": "os:system", "fields": {}},
        {"~": "roclab.cli.main:main", "fields": {}},
        {"~": "roclab.__main__:main", "fields": {}},
        {"~": "roclab._core.whole_file:write_whole", "values": []},
        {"~": "roclab.results.base:Interval", "fields": {"low": 0}},
        {"~": "array", "dtype": "O", "shape": [1], "values": [1]},
        {"~": "array", "dtype": "<f8", "shape": [5], "values": [1]},
        {"~": "roclab.nowhere:Thing", "fields": {}},
        [1],
        None,
    ],
)
def test_a_whole_that_is_damaged_or_hostile_is_refused(whole):
    text = json.dumps({"whole": whole})
    with pytest.raises(InputError, match="^text must"):
        rl.results.AreaEstimate.from_json(text)


def test_functions_are_never_written():
    result = rl.roc(Y, S).smooth("binormal")
    object.__setattr__(result, "notes", (print,))
    with pytest.raises(InputError, match="whole must hold values of this package, got a builtin_function"):
        result.to_json(whole=True)


def test_a_report_is_laid_out_anew_from_its_json():
    for name in ("report", "report_by_group"):
        report = RESTORED[name]()
        again = type(report).from_json(report.to_json())
        assert again.to_html() == report.to_html()
        assert again.to_markdown() == report.to_markdown()


def test_a_restored_curve_answers_as_it_did():
    curve = RESTORED["roc"]()
    again = rl.Roc.from_json(curve.to_json())
    assert again.auc() == curve.auc()
    assert str(again.cutoff("youden")) == str(curve.cutoff("youden"))


@pytest.mark.parametrize("name", ["compare", "groups", "cutoff_stability", "hull_of_scores", "coordinates"])
def test_a_restored_result_is_drawn(name):
    pytest.importorskip("matplotlib", reason="figures need it")
    result = RESTORED[name]()
    first, second = (one.plot() for one in (result, type(result).from_json(result.to_json())))
    for before, after in zip(first.ax.get_lines(), second.ax.get_lines(), strict=True):
        np.testing.assert_array_equal(before.get_xydata(), after.get_xydata())


def test_what_a_restored_result_lacks_is_said():
    compared, groups, cutoff = (
        type(one).from_json(one.to_json()) for one in (RESTORED[name]() for name in ("compare", "groups", "cutoff"))
    )
    with pytest.raises(InputError, match="needs the ranks of the cases, which JSON does not hold"):
        compared.contrast({"a": 1, "b": -1})
    with pytest.raises(InputError, match="the area of a alone needs its cases, which JSON does not hold"):
        groups["a"]
    with pytest.raises(InputError, match="the curve of this cut-off is not known any more"):
        cutoff.plot()
    study = type(RESTORED["readers"]()).from_json(RESTORED["readers"]().to_json())
    with pytest.raises(InputError, match="needs the ratings of the cases, which JSON does not hold"):
        study.curves()


def test_json_of_something_else_is_refused():
    for text in ("", "[1]", "{}", rl.confusion(Y, S, threshold=0.5).to_json()):
        with pytest.raises(InputError, match="^text must be"):
            rl.results.AreaEstimate.from_json(text)


@pytest.mark.parametrize(
    "name", sorted({*RESTORED, *REFUSED} - {"report", "report_by_group"})
)  # its Markdown is the whole report
def test_every_result_is_a_table_of_markdown_and_latex(name):
    result = (RESTORED | REFUSED)[name]()
    rows = result.rows()
    markdown, latex = result.to_markdown().splitlines(), result.to_latex().splitlines()
    assert len(markdown) == len(rows) + 2
    assert len({line.replace(r"\|", "").count("|") for line in markdown}) == 1
    assert len(latex) == len(rows) + 6
    assert all(line.replace(r"\&", "").count("&") == latex[2].replace(r"\&", "").count("&") for line in latex[4:-2])


def test_latex_escapes_what_it_would_run():
    found = rl.auc({"y": Y, "a_b%{}\\": S}, label="y", score="a_b%{}\\")
    assert r"a\_b\%\{\}\textbackslash{}" in found.to_latex()
    assert r"95\% low" in found.to_latex()


def test_frames_have_the_same_names_at_every_level():
    pytest.importorskip("pandas", reason="frames are pandas' here")
    frames = [rl.auc(Y, S, level=level).to_frame("pandas") for level in (0.9, 0.95)]
    assert list(frames[0].columns) == list(frames[1].columns)
    assert {"low", "high", "level"} <= set(frames[0].columns)
    assert frames[0]["level"].tolist() == [0.9]
    interval = rl.auc(Y, S).interval
    assert frames[1][["low", "high"]].iloc[0].tolist() == [interval.low, interval.high]


def test_an_estimate_behaves_like_its_number():
    area = rl.auc(Y, S)
    number = float(area)
    assert area - 0.5 == number - 0.5
    assert 1 - area == 1 - number
    assert area + area == sum([area, area]) == 2 * number
    assert area * 2 == 2 * area == 2 * number
    assert area / 2 == number / 2
    assert 1 / area == 1 / number
    assert (-area, abs(area)) == (-number, number)
    assert np.mean([area, area]) == number
    assert np.asarray([area, area]).dtype == np.float64
    assert (np.array([1.0, 2.0]) * area).tolist() == [number, 2 * number]
    assert isinstance(area - area, float)
