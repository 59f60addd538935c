"""``roclab combine`` prints the library's combinations, and measures what was chosen on other cases."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.combining.boolean import combine_points, measure_calls
from roclab.combining.chain import chain_under_cap
from roclab.combining.hybrid import hybrid_of_curves
from roclab.combining.interpolate import interpolate
from roclab.curves.roc import roc_curve
from roclab.decisions.confusion import confusion_of_calls
from roclab.decisions.costs import expected_cost
from roclab.decisions.iso_performance import equal_cost_slope
from tests.cli.conftest import ALL, COLUMNS, DATA, FILE, answer, cases_of, narrow, same, scores
from tests.conftest import oracle

EXAMPLE = ["combine", "example", *DATA]
POINTS = ["--point", "0.2,0.8", "--point", "0.4,0.6"]
THREE = {"lactate": 3.0, "concern": 5.0, "procalcitonin": 4.0}
RULES = [word for name, cut in THREE.items() for word in ("--score", name, "--threshold", cut)]


def calls_of(cases, thresholds=THREE):
    return {f"{name} >= {cut:g}": cases.scores[name] >= cut for name, cut in thresholds.items()}


# -- points ----------------------------------------------------------------------------------------


def test_combine_interpolates(shell):
    given = oracle("combine_classifiers_a")
    expected = interpolate((0.1, 0.5), (0.4, 0.8), fpr=0.3)
    text = same(
        shell, expected, "combine", "--interpolate", "0.1,0.5", "0.4, 0.8", "--fpr", given["inputs"]["interp"]["fpr"],
        notes=True,
    )  # fmt: skip
    assert expected.share == pytest.approx(given["expected"]["interp"]["k"], abs=given["tolerance_abs"])
    assert "ask the second classifier (0.4, 0.8) with probability 0.6667, else the first (0.1, 0.5)" in text


@pytest.mark.parametrize("operation", ["and", "or"])
def test_combine_points_oracle(shell, operation):
    given = oracle("combine_classifiers_a")
    expected = rl.classifiers.combine({"(0.2,0.8)": (0.2, 0.8), "(0.4,0.6)": (0.4, 0.6)}, operation=operation)
    text = same(shell, expected, "combine", f"--{operation}", *POINTS)
    found = answer(shell, "combine", f"--{operation}", *POINTS)
    wanted = given["expected"]["boolean"][operation]["independent"]
    assert found["combination"]["independent"] == pytest.approx(wanted, abs=given["tolerance_abs"])
    assert f"(0.2,0.8) {operation.upper()} (0.4,0.6)" in text


def test_combine_points_may_have_names(shell):
    named = ["--point", "CT:0.2,0.8", "--point", "MR: 3T:0.4,0.6"]
    found, plain = (answer(shell, "combine", "--and", *points) for points in (named, POINTS))
    assert found["classifiers"] == ["CT", "MR: 3T"]
    assert found["combination"] == plain["combination"]
    assert shell("combine", "--and", *named).stdout.endswith("\nCT AND MR: 3T\n")


def test_combine_three_points_oracle(shell):
    given = oracle("combine_classifiers_a")
    points = [word for f, t in given["inputs"]["chain"] for word in ("--point", f"{f},{t}")]
    found = answer(shell, "combine", "--or", *points)
    assert found["combination"]["independent"] == pytest.approx(
        given["expected"]["chain_or"], abs=given["tolerance_abs"]
    )


def test_combine_points_with_costs(shell):
    combination = combine_points([(0.2, 0.8), (0.4, 0.6)], operation="or")
    costs = {"prevalence": 0.1, "cost_fn": 10.0}
    arguments = ["combine", "--or", *POINTS, "--prevalence", 0.1, "--cost-fn", 10]
    found = answer(shell, *arguments)
    assert found["combination"] == combination.to_dict()
    assert found["cost_cap"] == combination.cost_cap(**costs)
    assert found["conditions"] == {**costs, "cost_fp": 1.0}
    rows = shell(*arguments, "--csv").stdout.splitlines()
    assert rows[0] == "what,fpr,tpr,cost"
    assert rows[1].endswith(f",{float(expected_cost(*combination.independent, **costs))}")
    assert rows[-1] == f"cost at most,,,{combination.cost_cap(**costs)}"
    assert "cost at most" in narrow(shell, *arguments)


# -- calls -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("operation", ["and", "or"])
def test_combine_measures_scores_with_thresholds(shell, operation):
    cases = cases_of(*THREE)
    asked = {"score": list(THREE), "thresholds": list(THREE.values()), "operation": operation}
    expected = rl.classifiers.combine(FILE, **COLUMNS, **asked)
    assert expected.combination == measure_calls(cases.label, calls_of(cases), operation=operation)
    text = same(shell, expected, *EXAMPLE, f"--{operation}", *RULES)
    assert f"lactate >= 3 {operation.upper()} concern >= 5" in text
    assert "measured: sensitivity" in text
    assert "(90%: " in narrow(shell, *EXAMPLE, f"--{operation}", *RULES, "--level", 0.9)
    assert text.endswith("90 positive (deteriorated), 210 negative (recovered)\n")


def test_combine_measures_predictions_and_lower_scores(shell, tmp_path):
    path = tmp_path / "calls.csv"
    path.write_text("y,a,b,s\nill,ill,well,1\nill,well,ill,\nill,ill,ill,3\nwell,well,ill,4\nwell,well,well,5\n")
    data = ["combine", path, "--label", "y", "--positive", "ill", "--missing", "drop"]
    found = answer(shell, *data, "--or", "--predicted", "a", "--predicted", "b")
    label = np.array([1, 1, 1, 0, 0], bool)
    calls = {"a": np.array([1, 0, 1, 0, 0], bool), "b": np.array([0, 1, 1, 1, 0], bool)}
    assert found["combination"] == measure_calls(label, calls, operation="or").to_dict()
    lower = ["--predicted", "a", "--score", "s", "--threshold", 3, "--direction", "lower"]
    some = np.array([0, 2, 3, 4])
    both = {"a": calls["a"][some], "s <= 3": np.array([1, 1, 0, 0], bool)}
    measured = answer(shell, *data, "--and", *lower)["combination"]
    assert measured == measure_calls(label[some], both, operation="and").to_dict()
    assert "a AND s <= 3" in shell(*data, "--and", *lower).stdout
    assert shell(*data, "--and", *lower).stdout.endswith("; 1 dropped for missing values\n")
    single = ["--direction", "s=lower", *lower[:-2]]
    assert answer(shell, *data, "--and", *single) == answer(shell, *data, "--and", *lower)
    assert "s lacks 1 (first at position 1); write --missing drop" in shell.error(*data[:-2], "--and", *lower)


def test_combine_chain(shell):
    cases = cases_of(*THREE)
    expected = chain_under_cap(cases.label, calls_of(cases), max_fpr=0.05)
    arguments = [*EXAMPLE, "--chain", "--max-fpr", 0.05, *RULES]
    text = same(shell, expected, *arguments, notes=True)
    assert "left out: concern >= 5" in text
    assert "Chosen and measured on the same cases, so it looks better than it is" in text
    narrow(shell, *arguments)


def test_combine_chain_is_measured_on_other_folds(shell):
    cases = cases_of(*THREE, folds="ward")
    here = np.isin(cases.folds, ["east", "west"])
    calls = calls_of(cases)
    expected = chain_under_cap(cases.label[here], {name: called[here] for name, called in calls.items()}, max_fpr=0.1)
    select = ["--fold", "ward", "--select-on", "east", "--select-on", "west"]
    arguments = [*EXAMPLE, "--chain", "--max-fpr", 0.1, *RULES, *select]
    found = answer(shell, *arguments)
    assert found["chosen"] == expected.to_dict()
    assert (found["chosen_on"], found["measured_on"]) == (["east", "west"], ["north", "south", "central"])
    assert len(found["measured"]) == len(expected.steps) > 1
    united = np.zeros(len(cases), bool)
    for step, matrix in zip(expected.steps, found["measured"], strict=True):
        united |= calls[step.name]
        assert matrix == confusion_of_calls(cases.label[~here], united[~here]).to_dict()
    text = narrow(shell, *arguments)
    assert "chosen on east, west; measured on north, south, central\nmeasured: sensitivity" in text
    assert "same cases" not in text


# -- hybrids ---------------------------------------------------------------------------------------


def hybrid_of(cases):
    return hybrid_of_curves({name: roc_curve(cases.tally(name)) for name in cases.names})


@pytest.mark.parametrize(
    ("arguments", "point"),
    [
        ([], lambda whole: whole),
        (["--fpr", 0.1], lambda whole: whole.at_fpr(0.1)),
        (["--fpr", 0], lambda whole: whole.at_fpr(0)),
        (
            ["--prevalence", 0.05, "--cost-fn", 20, "--cost-fp", 2],
            lambda whole: whole.at_slope(equal_cost_slope(prevalence=0.05, cost_fp=2, cost_fn=20)),
        ),
    ],
)
def test_combine_hybrid(shell, arguments, point):
    expected = point(hybrid_of(cases_of(*ALL)))
    asked = [*EXAMPLE, "--hybrid", *scores(*ALL), *arguments]
    text = same(shell, expected, *asked, notes=True)
    assert "Chosen and measured on the same cases" in text
    assert ("called positive when" in text) == bool(arguments)
    narrow(shell, *asked)


def test_combine_hybrid_is_measured_on_other_folds(shell):
    cases = cases_of(*ALL, folds="ward")
    here = cases.folds == "north"
    chosen, rest = hybrid_of(cases.only(here)), cases.only(~here)
    select = [*EXAMPLE, "--hybrid", *scores(*ALL), "--fold", "ward", "--select-on", "north"]
    whole = answer(shell, *select)
    assert whole["chosen"] == chosen.to_dict()
    assert whole["measured"] == [
        confusion_of_calls(rest.label, rule.call(rest.scores)).to_dict() for rule in chosen.rules
    ]
    point = chosen.at_fpr(0.1)
    assert 0 < point.share < 1
    chance = point.probability(rest.scores)
    found = answer(shell, *select, "--fpr", 0.1)
    matrix = found["measured"][0]
    assert found["measured"] == [matrix, matrix]
    assert matrix["tp"] == pytest.approx(chance[rest.label].sum(), rel=1e-12)
    assert matrix["fn"] == pytest.approx((1 - chance)[rest.label].sum(), rel=1e-12)
    assert matrix["fp"] == pytest.approx(chance[~rest.label].sum(), rel=1e-12)
    assert "measured fpr" in narrow(shell, *select, "--fpr", 0.1)
    vertex = chosen.at_slope(2.0)
    sure = answer(shell, *select, "--prevalence", "0.5", "--cost-fp", "2")
    assert sure["chosen"] == vertex.to_dict()
    assert sure["measured"] == [confusion_of_calls(rest.label, vertex.call(rest.scores)).to_dict()]


# -- errors ----------------------------------------------------------------------------------------

CHAIN = [*EXAMPLE, "--chain", "--max-fpr", "0.1", *RULES]
HYBRID = [*EXAMPLE, "--hybrid", *scores(*ALL)]
ERRORS = [
    (["combine"], "needs one of --interpolate, --and, --or, --chain, --hybrid, got none; ask one at a time."),
    (["combine", "--and", "--or", *POINTS], "got --and and --or; ask one at a time."),
    (["combine", "--and"], "--and needs a FILE or classifiers by --point, got neither."),
    (["combine", "--chain", "--max-fpr", "0.1"], "--chain needs a FILE, got none."),
    (["combine", "--hybrid"], "--hybrid needs a FILE, got none."),
    (["combine", "--interpolate", "0.1,0.5", "0.4,0.8"], "--interpolate needs the rate to meet, got no --fpr"),
    (["combine", "--interpolate", "0.1,0.5", "0.4", "--fpr", "0.3"], "--interpolate must be written FPR,TPR FPR,TPR"),
    (["combine", "--interpolate", "0.1,0.5", "0.1,0.8", "--fpr", "0.1"], "have none between them, got 0.1 for both."),
    (["combine", "--interpolate", "0.1,0.5", "0.4,0.8", "--fpr", "0.9"], "fpr must lie between those of the two"),
    (["combine", "--interpolate", "0.1,0.5", "0.4,0.8", "--fpr", "0.3", "--max-fpr", "1"], "got --max-fpr as well"),
    (["combine", "--or", "--point", "0.1,0.5"], "a combination needs at least two classifiers, got 1; name another"),
    (["combine", "--or", "--point", "0.1;0.5"], "--point must be written [NAME:]FPR,TPR, got '0.1;0.5'; for"),
    ([*EXAMPLE, "--or", *scores("lactate"), "--threshold", "nan"], "--threshold must be numbers, got nan; write inf"),
    (["combine", "--or", "--point", "0.1,5"], "tpr of --point must lie between 0 and 1, got 5.0 in '0.1,5'"),
    (["combine", "--or", "--point", "nan,0.5"], "fpr of --point must lie between 0 and 1, got nan"),
    (["combine", "example", "--or", *POINTS], "--point stands for a classifier without data, got a FILE as well"),
    (["combine", "--or", *POINTS, "--fpr", "0.1"], "--or has the rates that follow from its classifiers, got --fpr"),
    (["combine", "--or", *POINTS, "--max-fpr", "0.1"], "--or leaves nothing to choose, got --max-fpr as well"),
    (["combine", "--or", *POINTS, "--cost-fn", "2"], "costs are weighed by the prevalence, got none; write --prevale"),
    (["combine", "--or", *POINTS, "--prevalence", "1.5"], "prevalence must lie strictly between 0 and 1, got 1.5"),
    (["combine", "--or", *POINTS, "--prevalence", "0.1", "--cost-fn", "0"], "--cost-fn must be a finite number above"),
    (["combine", "example", "--or"], "--label must name columns of example, got none"),
    ([*EXAMPLE, "--or", "--score", "lactate", "--threshold", "3"], "needs at least two classifiers, got 1; name"),
    ([*EXAMPLE, "--or", *scores(*ALL), "--threshold", "3"], "one threshold for every --score, got 1 for 3 scores"),
    ([*EXAMPLE, "--or", *RULES[:4], *RULES[:4]], "classifiers to combine must differ, got lactate >= 3 twice"),
    ([*EXAMPLE, "--or", *RULES, "--direction", "auto"], "--direction auto chooses by the AUC"),
    ([*EXAMPLE, "--or", *RULES, "--weight", "concern"], "--weight has no part here: calls count every case once"),
    (
        [*EXAMPLE, "--or", "--predicted", "ward", *RULES],
        "ward must use the labels of outcome, deteriorated and recovered, got central; for scores give --score and",
    ),
    ([*EXAMPLE, "--chain", *RULES], "--chain needs the largest false positive rate you accept, got no --max-fpr"),
    ([*EXAMPLE, "--chain", "--max-fpr", "2", *RULES], "--max-fpr must lie between 0 and 1, got 2.0"),
    ([*EXAMPLE, "--chain", "--max-fpr", "0.1", *RULES[:4]], "a chain needs at least two classifiers to choose from"),
    (
        [*EXAMPLE, "--chain", "--max-fpr", "0", *RULES],
        "--max-fpr 0 leaves no classifier that is worth it, got 0.004762 from the most careful one, procalcitonin",
    ),
    ([*CHAIN, "--prevalence", "0.1"], "costs belong to --chain with --order cost, got --prevalence"),
    ([*CHAIN, "--select-on", "east"], "belong together, got --select-on without --fold; give both."),
    ([*CHAIN, "--fold", "ward"], "belong together, got --fold without --select-on; give both."),
    ([*CHAIN, "--fold", "ward", "--select-on", "up"], "--select-on must be one of the folds east, north, south, "),
    ([*CHAIN, "--fold", "outcome", "--select-on", "recovered"], "--select-on needs both classes in the folds"),
    ([*EXAMPLE, "--hybrid", "--score", "lactate"], "a hybrid needs at least two classifiers, got 1; name another one."),
    ([*HYBRID, "--threshold", "3"], "--hybrid takes scores and finds the thresholds itself, got --threshold as well"),
    ([*HYBRID, "--fpr", "2"], "fpr must lie between 0 and 1, got 2"),
    ([*HYBRID, "--fpr", "0.1", "--prevalence", "0.1"], "--fpr fixes the point of the hybrid, got --prevalence as well"),
    ([*HYBRID, "--cost-fp", "2"], "costs are weighed by the prevalence, got none"),
    ([*HYBRID, "--prevalence", "0"], "prevalence must lie strictly between 0 and 1, got 0.0"),
    (
        [*HYBRID, "--fold", "ward", "--select-on", "east", "--weight", "concern"],
        "--weight has no part here: folds to choose on count every case once",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), ERRORS)
def test_combine_error_is_one_sentence(shell, arguments, words):
    assert words in shell.error(*arguments)


def test_combine_error_when_no_fold_is_left(shell):
    every = [word for ward in ("east", "north", "south", "west", "central") for word in ("--select-on", ward)]
    assert "must leave a fold to measure on, got all of them" in shell.error(*CHAIN, "--fold", "ward", *every)
