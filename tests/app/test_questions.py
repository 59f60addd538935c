"""Every question of the page: its numbers are the library's, and so are those of the code beside it."""

from __future__ import annotations

import csv
import io
import json
import shlex

import numpy as np
import pytest

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.app.asking import Asked
from roclab.app.questions import QUESTIONS
from roclab.app.shelf import Shelf
from roclab.errors import InputError

ROLES = {"label": "outcome", "positive": "deteriorated", "score": ["procalcitonin", "lactate", "concern"]}
DATA = {"label": "outcome", "pos_label": "deteriorated", "score": ["procalcitonin", "lactate", "concern"]}
ONE = {"label": "outcome", "pos_label": "deteriorated", "score": "lactate"}
FEW = {"resampling": 60}
FOLLOWED = {"time": "days", "event": "ended", "score": ["marker", "grade"]}
CODES = {"cause": "relapse", "competing": ["death"], "censored": ["lost"]}
CLINIC = {"time": "days", "event": "ended", "cause": "relapse", "competing": "death", "censored": "lost"}
# Question, data set, roles, options: each is asked below, and its command line is run.
ASKED = {
    "doctor": ("example", {}, {}),
    "rows": ("example", {}, {"rows": [3, 1]}),
    "overview": ("example", ROLES, {}),
    "cell": ("example", ROLES, {"score": "lactate", "threshold": 2, "cell": "fn"}),
    "curve": ("example", ROLES, {"kind": "pr"}),
    "band": ("example", ROLES, {"kind": "pointwise", **FEW}),
    "average": ("example", {**ROLES, "fold": "ward"}, {"how": "vertical", "score": "lactate"}),
    "region": ("example", ROLES, {"fpr": [0, 0.2]}),
    "leaders": ("example", ROLES, {}),
    "hull": ("example", ROLES, {}),
    "areas": ("example", ROLES, {"estimators": ["empirical", "binormal"], "null": 0.5}),
    "compare": ("example", ROLES, {"margin": 0.05}),
    "groups": ("example", ROLES, {"by": "ward"}),
    "rates": ("example", ROLES, {"fixed": {"procalcitonin": 1.5, "lactate": 2}, "margin": 0.05}),
    "gaps": ("example", ROLES, {"fixed": {"lactate": 2}, "by": "ward"}),
    "promise": ("example", ROLES, {"score": "lactate", "require": {"tpr": 0.9}, "confidence": 0.9}),
    "cutoffs": ("example", ROLES, {"score": "lactate"}),
    "requirement": ("example", ROLES, {"score": "lactate", "require": {"tpr": 0.9}}),
    "grey_zone": ("example", ROLES, {"score": "lactate", "rule_out": {"tpr": 0.95}, "rule_in": {"tnr": 0.95}}),
    "stability": ("example", ROLES, {"score": "lactate", **FEW}),
    "bench": (
        "example",
        {"label": "outcome", "positive": "deteriorated"},
        {"features": ["procalcitonin", "lactate"], "models": ["logistic", "knn"], "sampling": "k_fold", "folds": 3},
    ),
    "readers": (
        "readings",
        {"label": "truth"},
        {"reader": "reader", "modality": "modality", "case": "case", "rating": "rating"},
    ),
    "logistic": ("example", {**ROLES, "score": ["procalcitonin", "lactate"]}, {}),
    "multiclass": ("wines", {"label": "grape", "score": ["barbera", "barolo", "gamay"]}, {}),
    "logistic_report": ("example", {**ROLES, "score": ["lactate"]}, {"against": ["lactate", "concern"], **FEW}),
    "figure": ("example", ROLES, {"kind": "iso", "score": "lactate", "troc_space": True}),
    "points": (None, {}, {"typed": "A; 0.1; 0.6\nB; 0.2; 0.8\nC; 0.5; 0.6"}),
    "counts": (None, {}, {"counts": {"tp": 45, "fp": 10, "fn": 5, "tn": 90}, "prevalence": 0.1}),
    "distribution": ("example", {}, {"score": "lactate", "cdf": "normal:2,1"}),
    "reader_plan": (None, {}, {"kind": "low_reader_high_case", "difference": 0.05, "readers": 6}),
    "screen": ("example", {"label": "outcome", "positive": "deteriorated", "direction": "auto"}, {}),
    "combine": ("example", {**ROLES, "score": ["lactate", "concern"]}, {"how": "and", "thresholds": [2, 3]}),
    "rank_test": ("example", ROLES, {"score": "lactate", "test": "mann-whitney"}),
    "plan": (None, {}, {"area": 0.8, "power": 0.8, "null": 0.5}),
    "over_time": ("followed", FOLLOWED, CODES),
    "at_horizon": ("followed", {**FOLLOWED, "weight": None}, {**CODES, "at": 730, "score": "grade", "cox": ["marker"]}),
    "time_report": ("followed", FOLLOWED, {**CODES, "at": 730, "strata": ["grade"]}),
    "report": ("example", ROLES, FEW),
    "reproduce": (None, {}, {"sources": ["slovenian"]}),
}
TRIED_ELSEWHERE = ("froc", "cad", "classes")  # of two tables, or of a scan


@pytest.fixture(scope="module")
def shelf():
    made = Shelf(upload_limit=10**6)
    yield made
    made.close()


@pytest.fixture(scope="module")
def ask(shelf):
    items = {}

    def run(question, place, roles, options):
        item = None
        if place is not None:
            item = items.get(place) or items.setdefault(place, shelf.add_path(place))
        answer = QUESTIONS[question].run(Asked(item=item, roles=roles, options=options))
        json.dumps(answer, allow_nan=False)
        return answer

    return run


@pytest.fixture(scope="module")
def answers(ask):
    return {name: ask(name, *asked) for name, asked in ASKED.items()}


def column(table, name):
    at = table["columns"].index(name)
    return [row[at] for row in table["rows"]]


def number(value):
    return {"inf": np.inf, "-inf": -np.inf, None: np.nan}.get(value, value) if not isinstance(value, float) else value


def test_every_question_is_tried():
    assert {*ASKED, *TRIED_ELSEWHERE} == set(QUESTIONS)


def test_overview_has_the_areas_and_the_curves_of_the_library(answers):
    found = answers["overview"]
    for score in DATA["score"]:
        one = rl.auc("example", **{**DATA, "score": score})
        row = dict(zip(found["areas"]["columns"], found["areas"]["rows"][DATA["score"].index(score)], strict=True))
        assert (row["area"], row["std. error"]) == (one.area, one.standard_error)
        assert [row["95% low"], row["95% high"]] == [*one.interval]
        curve = rl.roc("example", **{**DATA, "score": score})
        shown = next(entry for entry in found["explorer"]["scores"] if entry["name"] == score)
        assert [tp / 90 for tp in shown["tp"]] == curve.tpr.tolist()
        assert [fp / 210 for fp in shown["fp"]] == curve.fpr.tolist()


@pytest.mark.parametrize("kind", ["roc", "troc", "pr", "det", "cost", "gain", "lift"])
def test_curves(ask, kind):
    found = ask("curve", "example", ROLES, {"kind": kind})
    for line in found["lines"]:
        wanted = rl.roc("example", **{**DATA, "score": line["name"]}).named_curve(kind)
        assert line["x"] == wanted.x.tolist()
        assert [number(value) for value in line["y"]] == pytest.approx(wanted.y.tolist(), abs=0, nan_ok=True)
        assert [number(value) for value in line["thresholds"]] == wanted.thresholds.tolist()


def test_curves_of_probabilities(ask):
    roles = {"label": "oak", "score": ["barbera"]}
    found = ask("curve", "wines", roles, {"kind": "calibration"})
    rows = [row for row in rl.roc("wines", label="oak", score="barbera").calibration().rows() if row["observed"]]
    assert found["lines"][0]["y"] == [row["observed"] for row in rows]
    found = ask("curve", "wines", roles, {"kind": "net_benefit"})
    rows = rl.net_benefit("wines", label="oak", score="barbera").rows()
    assert {line["name"] for line in found["lines"]} == set(rows[0]) - {found["x_name"]}
    for line in found["lines"]:
        assert line["y"] == [row[line["name"]] for row in rows]


def test_a_cell_lists_the_rows_behind_it(answers):
    matrix = rl.confusion("example", **ONE, threshold=2)
    found = answers["cell"]
    assert found["count"] == matrix.fn == len(found["table"]["rows"])
    assert set(column(found["table"], "outcome")) == {"deteriorated"}
    assert max(column(found["table"], "lactate")) < 2


@pytest.mark.parametrize("cell", ["tp", "fp", "fn", "tn"])
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_cells_share_out_all_rows_definition(ask, cell, direction):
    roles = {**ROLES, "direction": {"lactate": direction}}
    found = ask("cell", "example", roles, {"score": "lactate", "threshold": 2, "cell": cell})
    text = rl.datasets.example_path().read_text(encoding="utf-8")
    called = {"higher": lambda value: value >= 2, "lower": lambda value: value <= 2}[direction]
    names = {(True, True): "tp", (False, True): "fp", (True, False): "fn", (False, False): "tn"}
    wanted = {
        at
        for at, row in enumerate(csv.DictReader(io.StringIO(text)), start=1)
        if names[row["outcome"] == "deteriorated", called(float(row["lactate"]))] == cell
    }
    assert set(column(found["table"], "row")) == wanted


def test_rows_of_a_cell_count_from_the_table_also_where_cases_were_left_out(shelf):
    item = shelf.add_text("y,s\n1,\n1,5\n0,1\n", "gaps.csv")
    asked = Asked(item=item, roles={"label": "y", "score": ["s"], "missing": "drop"},
                  options={"score": "s", "threshold": 3, "cell": "tp"})  # fmt: skip
    assert column(QUESTIONS["cell"].run(asked)["table"], "row") == [2]


def test_comparison(answers):
    wanted = rl.compare("example", **DATA, margin=0.05)
    found = answers["compare"]
    assert column(found["pairs"], "difference") == [one.difference for one in wanted.pairs]
    assert column(found["pairs"], "p") == [row["p"] for one in wanted.pairs for row in one.rows()]
    assert column(found["equality"], "p") == [wanted.equality.p_value]
    assert len(found["claims"]["rows"]) == sum(len(one.rows()) for one in wanted.claims)


def test_rates_of_tests(answers, ask):
    thresholds = {"procalcitonin": 1.5, "lactate": 2}
    asked = {**DATA, "score": list(thresholds), "threshold": thresholds, "margin": 0.05}
    wanted = rl.compare("example", **asked, metrics=["sensitivity", "specificity", "ppv", "npv"])
    found = answers["rates"]
    assert [one["value"] for one in found["pairs"]] == [one.difference for one in wanted.pairs]
    assert [one["low"] for one in found["pairs"]] == [one.interval.low for one in wanted.pairs]
    assert [one["shown"] for one in found["claims"]] == [one.shown for one in wanted.claims]
    assert found["methods"] == wanted.methods()
    alone = ask("rates", "example", ROLES, {"fixed": {"lactate": 2}})
    matrix = rl.confusion("example", **ONE, threshold=2).with_intervals()
    assert {one["metric"]: one["low"] for one in alone["rates"]} == {
        name: matrix.intervals[key].low
        for name, key in (("sensitivity", "tpr"), ("specificity", "tnr"), ("ppv", "ppv"), ("npv", "npv"))
    }
    ratios = ask("rates", "example", ROLES, {"fixed": thresholds, "metrics": ["lr_plus"]})
    assert [one["scale"] for one in ratios["pairs"]] == ["ratio"]


def test_rates_of_yes_no_tests(ask):
    roles = {"label": "grape", "positive": "barolo"}
    found = ask("rates", "wines", roles, {"predicted": ["called"]})
    matrix = rl.confusion("wines", label="grape", pos_label="barolo", predicted="called")
    assert found["rates"][0]["value"] == matrix.metrics()["tpr"]
    both = ask("rates", "wines", {**roles, "score": ["barolo"]}, {"predicted": ["called"], "fixed": {"barolo": 0.5}})
    wanted = rl.compare("wines", label="grape", pos_label="barolo", score="barolo", threshold=0.5, predicted="called")
    assert both["names"] == list(wanted.names)
    assert both["pairs"][0]["value"] == wanted.pairs[0].difference
    gaps = ask("gaps", "wines", roles, {"predicted": ["called"], "by": "oak"})
    assert gaps["found"][0]["groups"] == ["0", "1"]
    with pytest.raises(InputError, match="threshold must be given for one score or more"):
        ask("rates", "wines", roles, {})


def test_gaps_between_groups(answers):
    wanted = rl.confusion("example", **ONE, threshold=2, by="ward").gaps()
    (found,) = answers["gaps"]["found"]
    assert [one["value"] for one in found["gaps"]] == [one.gap for one in wanted.gaps]
    assert [one["high"] for one in found["gaps"]] == [one.interval.high for one in wanted.gaps]
    assert ".gaps()" in answers["gaps"]["code"]["python"]


def test_promised_cutoff(answers):
    wanted = rl.cutoff("example", **ONE, require={"sensitivity": 0.9}, confidence=0.9)
    found = answers["promise"]
    assert (found["threshold"], found["low"], found["high"]) == (wanted.threshold, wanted.low, wanted.high)
    assert found["rates"]["specificity"]["value"] == pytest.approx(wanted.best.specificity)


def test_region_groups_and_average(answers):
    wanted = area_table("example", **DATA, fpr=(0, 0.2)).rows()
    assert column(answers["region"]["table"], "area") == [row["area"] for row in wanted]
    groups = rl.auc("example", **ONE, by="ward")
    place = DATA["score"].index("lactate")
    assert column(answers["groups"]["tables"][place], "area") == groups.area.tolist()
    mean = rl.average("example", **ONE, folds="ward", how="vertical")
    assert answers["average"]["mean"]["y"] == mean.tpr.tolist()
    assert len(answers["average"]["folds"]) == 5


def test_cutoffs_of_all_criteria(answers):
    table = answers["cutoffs"]["table"]
    for name, threshold in zip(column(table, "criterion"), column(table, "cut-off"), strict=True):
        assert number(threshold) == rl.cutoff("example", **ONE, criterion=name).threshold
    assert len(table["rows"]) >= 15
    best = rl.cutoff("example", **ONE, criterion="youden", require={"tpr": 0.9})
    assert column(answers["requirement"]["table"], "cut-off") == [best.threshold]


def test_bench_matrices_add_up_and_scores_become_data(ask, shelf):
    place, roles, options = ASKED["bench"]
    asked = Asked(item=shelf.add_path(place), roles=roles, options=options)
    found = QUESTIONS["bench"].run(asked)
    for matrix in found["matrices"].values():
        assert sum(map(sum, matrix["counts"])) == 300
        assert sum(cell["count"] for cell in matrix["cells"].values()) == 300
    item = shelf.add_text(asked.made["scores"], "scores.csv")
    areas = ask_areas(item, found["models"])
    wanted = rl.bench("example", label="outcome", pos_label="deteriorated", score=options["features"],
                      models=options["models"], folds=3, rng=0)  # fmt: skip
    for name, area in areas.items():
        assert area == pytest.approx(rl.auc(wanted.scores.select(name)).area, abs=1e-12)


def ask_areas(item, models):
    roles = {"label": "class", "positive": "deteriorated", "score": models}
    table = QUESTIONS["areas"].run(Asked(item=item, roles=roles, options={}))["table"]
    return dict(zip(column(table, "score"), column(table, "area"), strict=True))


@pytest.mark.parametrize("name", [name for name in ASKED if name not in ("reproduce", "rows")])
def test_the_command_line_beside_an_answer_runs(answers, name, shell, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = answers[name]["code"]["command"].splitlines()
    assert lines
    for line in lines:
        words = shlex.split(line)
        assert words[0] == "roclab"
        assert shell(*words[1:]).stdout


@pytest.mark.parametrize("name", [name for name in ASKED if name not in ("reproduce", "rows")])
def test_the_python_beside_an_answer_runs(answers, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    space = {}
    exec(answers[name]["code"]["python"], space)
    assert space["rl"] is rl


@pytest.mark.parametrize(
    ("name", "python"),
    [
        ("areas", lambda one: [row["area"] for row in one.rows()]),
        ("region", lambda one: [row["area"] for row in one.rows()]),
    ],
)
def test_the_python_beside_an_answer_gives_its_numbers(answers, name, python):
    expression = answers[name]["code"]["python"].splitlines()[-1]
    assert python(eval(expression, {"rl": rl})) == column(answers[name]["table"], "area")


def test_without_data_a_sentence(ask):
    with pytest.raises(rl.errors.InputError, match="needs data"):
        ask("overview", None, ROLES, {})
    with pytest.raises(rl.errors.InputError, match="column of folds"):
        ask("average", "example", ROLES, {"how": "vertical", "score": "lactate"})
    with pytest.raises(rl.errors.InputError, match="kind must be one of"):
        ask("curve", "example", ROLES, {"kind": "spiral"})


def test_the_guess_is_the_doctors_and_its_bars_count_every_case(answers):
    found, wanted = answers["doctor"], rl.doctor("example").tried
    assert found["guess"]["label"] == wanted.label
    assert found["guess"]["positive"] == wanted.positive
    assert tuple(found["guess"]["score"]) == wanted.scores
    for bars in found["bars"].values():
        assert [sum(side) for side in zip(*bars, strict=True)] == [210, 90]


def test_rows_are_those_of_the_table(ask):
    lines = list(csv.DictReader(io.StringIO(ask("rows", "example", {}, {"rows": [3, 1], "text": True})["text"])))
    shown = ask("rows", "example", {}, {"rows": [3, 1]})["table"]
    assert column(shown, "row") == [3, 1]
    assert [line["patient"] for line in lines] == column(shown, "patient") == ["P003", "P001"]
    with pytest.raises(rl.errors.InputError, match="from 1 to 300"):
        ask("rows", "example", {}, {"rows": [301]})


def test_readers_and_regression_have_the_numbers_of_the_library(answers):
    study = rl.readers.mrmc("readings")
    assert [one["area"] for one in answers["readers"]["areas"]] == [one.estimate.area for one in study.areas]
    assert column(answers["readers"]["pairs"], "difference") == [study.pairs[0].difference]
    fit = rl.logistic("example", **{**DATA, "score": ["procalcitonin", "lactate"]})
    assert answers["logistic"]["area"]["value"] == fit.area.area
    scored = list(csv.DictReader(io.StringIO(answers["logistic"]["scored"])))
    assert [float(row["probability"]) for row in scored] == [row["probability"] for row in fit.scored().rows()]


def test_the_matrix_of_the_point_is_asked_for_by_the_code_beside_it(answers, shell):
    found = answers["overview"]
    line = found["at_point"]["lactate"]["command"].replace(found["threshold_place"], "2")
    point = rl.roc("example", **ONE).at(threshold=2).matrix
    assert all(str(count) in shell(*shlex.split(line)[1:]).stdout for count in (point.tp, point.fp, point.fn, point.tn))


def test_counts_and_rates_are_told_apart(answers):
    for name in ("screen", "cutoffs", "areas"):
        told = dict(zip(answers[name]["table"]["columns"], answers[name]["table"]["counts"], strict=True))
        assert {column for column, count in told.items() if count} & {
            "area",
            "p",
            "sensitivity",
            "specificity",
        } == set()
    assert dict(zip(answers["screen"]["table"]["columns"], answers["screen"]["table"]["counts"], strict=True))["TP"]


def test_over_time_is_what_the_verbs_say(ask, answers):
    found = answers["over_time"]
    areas = rl.auc("followed", **CLINIC, score=["marker", "grade"], at=found["stops"])
    assert found["lines"][0]["y"] == [areas["marker", at].area for at in found["stops"]]
    assert found["lines"][1]["high"] == [areas["grade", at].interval.high for at in found["stops"]]
    assert found["usual"] in found["stops"]
    now = answers["at_horizon"]
    compared = rl.compare("followed", **CLINIC, score=["marker", "grade"], at=730, censoring={"cox": ["marker"]})
    assert [one["value"] for one in now["areas"]] == [one.area for one in compared.areas]
    assert now["pairs"][0]["p"] == compared.pairs[0].p_adjusted
    best = rl.cutoff("followed", **CLINIC, score="grade", at=730, censoring={"cox": ["marker"]})
    assert (now["square"]["threshold"], now["square"]["cells"]["tp"]) == (best.threshold, best.rates.tp)
    assert now["benefit"] is None
    typed = ask("at_horizon", "followed", FOLLOWED, {**CODES, "at": 365, "threshold": 4})
    rates = rl.confusion("followed", **CLINIC, score="marker", at=365, threshold=4)
    assert [one["value"] for one in typed["square"]["rates"]][:2] == [
        rates["sensitivity"].rate, rates["specificity"].rate,
    ]  # fmt: skip
    assert "by 730" in answers["time_report"]["html"]


def test_codes_stand_as_in_the_table(shelf, ask, tmp_path):
    rng = np.random.default_rng(3)
    risk = rng.random(200)
    ends, lost = rng.exponential(1 / risk), rng.exponential(3, 200)
    rows = zip(np.minimum(ends, lost), (ends <= lost).astype(int), risk, strict=True)
    path = tmp_path / "cohort.csv"
    path.write_text("years,died,risk\n" + "\n".join(f"{a},{b},{c}" for a, b, c in rows), encoding="utf-8")
    item = shelf.add_path(str(path))
    asked = Asked(item=item, roles={"time": "years", "event": "died", "score": ["risk"]},
                  options={"cause": "1", "censored": ["0"], "at": 1})  # fmt: skip
    found = QUESTIONS["at_horizon"].run(asked)
    curve = rl.net_benefit(str(path), time="years", event="died", score="risk", at=1)
    shown = np.array(found["benefit"]["lines"][0]["y"], dtype=float)
    np.testing.assert_array_equal(shown, curve.net_benefit["risk"])
    with pytest.raises(InputError, match="cause must be codes of the event"):
        ask("at_horizon", "followed", FOLLOWED, {**CODES, "cause": "gone", "at": 365})
    with pytest.raises(InputError, match="at must be given"):
        ask("at_horizon", "followed", FOLLOWED, CODES)
    with pytest.raises(InputError, match="time must name a column"):
        ask("over_time", "followed", {"score": ["marker"]}, CODES)
