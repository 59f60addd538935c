"""``roclab hull`` prints the library's hull tables, costs and measures."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

import roclab as rl
from roclab.analysis.roc import rocs
from roclab.curves.cost import cost_curve
from roclab.curves.roc import curve_from_points, roc_curve
from roclab.data.read import read_cases
from roclab.decisions.costs import compare_costs, lowest_cost
from roclab.decisions.h_measure import h_measure
from roclab.decisions.hull_table import hull_table
from roclab.decisions.iso_performance import prevalence_of_slope
from roclab.decisions.lc_index import lc_index
from roclab.decisions.net_benefit import decision_curve
from tests.cli.conftest import ALL, DATA, answer, cases_of, narrow, same, scores
from tests.conftest import oracle

EXAMPLE = ["hull", "example", *DATA]
BOTH = [*EXAMPLE, *scores("lactate", "concern")]
NURSE = ["--point", "nurse:0.1,0.7"]


def curves_of(*names):
    cases = cases_of(*names)
    return {name: roc_curve(cases.tally(name)) for name in names}


def points(classifiers):
    return [word for name, some in classifiers.items() for f, t in some for word in ("--point", f"{name}:{f},{t}")]


# -- the table -------------------------------------------------------------------------------------


def test_hull_table_oracle(shell):
    given = oracle("hull_table_4_classifiers")
    arguments = ["hull", *points(given["inputs"]["classifiers"])]
    found = answer(shell, *arguments)
    for row, wanted in zip(found["ranges"], given["expected"]["table_4_4"], strict=True):
        assert row["classifier"] == wanted["classifier"]
        for ours, theirs in (("max_slope", "slope_max"), ("min_slope", "slope_min")):
            if wanted[theirs] == "inf":
                assert row[ours] == "inf"
            else:
                assert row[ours] == pytest.approx(wanted[theirs], abs=given["tolerance_abs"])
    assert found["area"] == pytest.approx(given["expected"]["hull_auc"], abs=given["tolerance_abs"])
    lines = shell(*arguments).stdout.splitlines()
    assert [line.split() for line in lines[:5]] == [
        ["method", "max", "slope", "min", "slope"],
        ["AllPos", "0.0040", "0.0000"],
        ["rbnc", "0.2975", "0.0040"],
        ["loglc", "8.0000", "0.2975"],
        ["ldc", "inf", "8.0000"],
    ]
    assert "never optimal: qdc" in lines


def test_hull_definition_is_the_table(shell):
    same(shell, hull_table(curves_of(*ALL)), *EXAMPLE, *scores(*ALL), notes=True)
    nurse = {**curves_of("lactate", "concern"), "nurse": [(0.1, 0.7), (0.5, 0.95)]}
    text = same(shell, hull_table(nurse), *BOTH, *NURSE, "--point", "nurse:0.5,0.95", notes=True)
    assert text.endswith("a higher score means positive\n")


def test_hull_of_several_files(shell, halves):
    curves = {
        path.stem: roc_curve(read_cases(path, label="outcome", pos_label="deteriorated", score="lactate").tally())
        for path in halves
    }
    # The command line calls every curve after its file.
    curves = {name: replace(one, sample=replace(one.sample, score=name)) for name, one in curves.items()}
    same(shell, hull_table(curves), "hull", *halves, *DATA, "--score", "lactate", notes=True)


def test_hull_vertices(shell):
    table = hull_table({**curves_of("lactate"), "nurse": [(0.1, 0.7)]})
    arguments = [*EXAMPLE, "--score", "lactate", *NURSE, "--vertices"]
    found = answer(shell, *arguments)
    assert found["vertices"] == [one.to_dict() for one in table.vertices]
    assert shell(*arguments, "--csv").stdout.startswith("method,max slope,min slope,fpr,tpr,threshold\nAllNeg,inf,inf,")
    assert f"area under the joint hull {table.area:.4f}" in narrow(shell, *arguments)


def test_hull_adding(shell):
    change = hull_table(curves_of("lactate", "concern")).adding("nurse", [(0.1, 0.7)])
    text = same(shell, change, *BOTH, *NURSE, "--add", "nurse", notes=True)
    assert "nurse is optimal for slopes" in text
    none = hull_table(curves_of("procalcitonin", "lactate")).adding("concern", curves_of("concern")["concern"])
    assert "the hull stays as it is" in same(
        shell, none, *EXAMPLE, *scores(*ALL), "--add", "concern", notes=True
    )  # fmt: skip


# -- conditions ------------------------------------------------------------------------------------


def test_hull_optimal_for_a_prevalence_and_costs(shell):
    costs = {"prevalence": 0.1, "cost_fp": 2.0, "cost_fn": 5.0}
    curves = curves_of("lactate", "concern")
    arguments = [*BOTH, *NURSE, "--prevalence", 0.1, "--cost-fp", 2, "--cost-fn", 5]
    table = hull_table({**curves, "nurse": [(0.1, 0.7)]})
    found = answer(shell, *arguments)
    assert found["best"] == [table.optimal(**costs).to_dict()]
    assert found["slope"] == pytest.approx(0.9 * 2 / (0.1 * 5))
    assert found["conditions"] == costs
    every = {**curves, "nurse": curve_from_points([0.1], [0.7])}
    assert found["costs"] == {name: lowest_cost(curve, **costs).to_dict() for name, curve in every.items()}
    rows = shell(*arguments, "--csv").stdout.splitlines()
    assert rows[0] == "method,threshold,fpr,tpr,cost,without the score,saved"
    assert rows[1].startswith("nurse,,0.1,0.7,")
    assert narrow(shell, *arguments).startswith("best for prevalence 0.1, cost fp 2, cost fn 5: slope 3.6\n")


def test_hull_names_all_that_cost_the_same(shell):
    arguments = ["hull", "--point", "a:0.1,0.5", "--point", "b:0.5,0.9", "--prevalence", 0.5]
    found = answer(shell, *arguments)
    assert [one["classifier"] for one in found["best"]] == ["a", "b"]
    assert "2 points of the hull cost the same" in shell(*arguments).stdout


def test_hull_for_a_range(shell):
    table = hull_table({**curves_of("lactate", "concern"), "nurse": [(0.1, 0.7)]})
    arguments = [*BOTH, *NURSE, "--prevalences", 0.05, 0.6, "--cost-fn", 3]
    ranges = table.for_prevalences(0.05, 0.6, cost_fn=3.0)
    found = answer(shell, *arguments)
    assert [one["classifier"] for one in found["ranges"]] == [one.classifier for one in ranges]
    rows = [line.split(",") for line in shell(*arguments, "--csv").stdout.splitlines()]
    assert rows[0] == ["method", "max slope", "min slope", "min prevalence", "max prevalence"]
    for row, one in zip(rows[1:], ranges, strict=True):
        assert float(row[3]) == prevalence_of_slope(one.max_slope, cost_fn=3.0)
    assert float(rows[1][4]) == pytest.approx(0.6)
    assert float(rows[-1][3]) == pytest.approx(0.05)
    between = answer(shell, *BOTH, *NURSE, "--slopes", 0.2, 5)["ranges"]
    assert [(one["classifier"], one["min_slope"], one["max_slope"]) for one in between] == [
        (one.classifier, one.min_slope, one.max_slope) for one in table.between(0.2, 5)
    ]


# -- costs -----------------------------------------------------------------------------------------


def test_hull_cost_curves(shell):
    curves = curves_of(*ALL)
    drawn = {name: cost_curve(curve) for name, curve in curves.items()}
    two = compare_costs(drawn["lactate"], drawn["concern"], names=("lactate", "concern"))
    assert "conditions: share" in same(
        shell, rl.classifiers.compare_classifier_costs(rocs(cases_of(*ALL[1:]))), *BOTH, "--cost-curve", notes=True
    )
    found = answer(shell, *EXAMPLE, *scores(*ALL), "--cost-curve")
    assert [(one["first"], one["second"]) for one in found["pairs"]] == [
        ("procalcitonin", "lactate"),
        ("procalcitonin", "concern"),
        ("lactate", "concern"),
    ]
    assert found["pairs"][2] == two.to_dict()
    lines = shell(*EXAMPLE, *scores(*ALL), "--cost-curve", "--csv").stdout.splitlines()
    assert lines[0] == "first,second,from,to,cheaper"
    narrow(shell, *EXAMPLE, *scores(*ALL), "--cost-curve")


def test_hull_lc_index_oracle(shell, tmp_path):
    given = oracle("lc_index_a")
    paths = []
    for name in ("classifier1", "classifier2"):
        paths.append(tmp_path / f"{name}.csv")
        rows = zip(given["inputs"][name]["labels"], given["inputs"][name]["scores"], strict=True)
        paths[-1].write_text("y,s\n" + "".join(f"{label},{score}\n" for label, score in rows))
    (low, high), mode = given["inputs"]["interval"], given["inputs"]["mode"]
    asked = ["--lc", low, mode, high, "--prevalence", given["inputs"]["p_pos"]]
    (found,) = answer(shell, "hull", *paths, "--label", "y", "--score", "s", *asked)["pairs"]
    assert found["index"] == pytest.approx(given["expected"]["lc"], abs=given["tolerance_abs"])
    assert [one["better"] for one in found["regions"]] == ["classifier2", "classifier1"]


def test_hull_lc_index_of_pairs(shell):
    curves = curves_of(*ALL)
    asked = ["--lc", 0.05, 0.1, 0.3, "--prevalence", 0.3]
    options = {"prevalence": 0.3, "interval": (0.05, 0.3), "mode": 0.1}
    expected = lc_index(curves["lactate"], curves["concern"], names=("lactate", "concern"), **options)
    two = rl.classifiers.lc_index(rocs(cases_of(*ALL[1:])), shares=(0.05, 0.1, 0.3), prevalence=0.3)
    same(shell, two, *BOTH, *asked, notes=True)
    found = answer(shell, *EXAMPLE, *scores(*ALL), *asked)["pairs"]
    assert found[2] == expected.to_dict()


@pytest.mark.parametrize(
    ("options", "arguments"),
    [
        ({}, []),
        ({"severity_ratio": "data"}, ["--severity-ratio", "data"]),
        ({"severity_ratio": 0.5, "prevalence": 0.1}, ["--severity-ratio", 0.5, "--prevalence", 0.1]),
        ({"shape": (1.0, 3.0)}, ["--shape", 1, 3]),
    ],
)
def test_hull_h_measures(shell, options, arguments):
    cases = cases_of(*ALL)
    asked = [*EXAMPLE, *scores(*ALL), "--h-measure", *arguments]
    found = answer(shell, *asked)
    assert found == {"measures": [h_measure(cases.tally(name), **options).to_dict() for name in ALL], "notes": []}
    text = narrow(shell, *asked)
    assert text.startswith("score               H    AUCH      KS     MER     MWL\n")
    assert f"H with {found['measures'][0]['prior']}" in text


def test_hull_net_benefit(shell, wine):
    cases = read_cases(wine, label="oak", score=["barbera", "net_1"])
    tallies = {name: cases.tally(name) for name in cases.names}
    arguments = ["hull", wine, "--label", "oak", *scores("barbera", "net_1"), "--net-benefit"]
    same(shell, decision_curve(tallies), *arguments, notes=True)
    expected = decision_curve(tallies, probabilities=[0.2, 0.5], prevalence=0.3)
    text = same(shell, expected, *arguments, "--at", 0.2, "--at", 0.5, "--prevalence", 0.3, notes=True)
    assert "beats treating all and treating none:\nbarbera: " in text
    path = wine.parent / "good.csv"
    path.write_text("y,p\n1,0.9\n1,0.8\n0,0.2\n0,0.1\n")
    text = shell("hull", path, "--label", "y", "--score", "p", "--net-benefit", "--at", 0.3, "--at", 0.95).stdout
    assert "p: 1 of " in text
    assert json.loads(shell("hull", path, "--label", "y", "--score", "p", "--net-benefit", "--json").stdout)


# -- errors ----------------------------------------------------------------------------------------

ERRORS = [
    (["hull"], "a hull needs a FILE with scores, or classifiers by --point, got neither."),
    (["hull", "example"], "--label and --score must name columns of example, got none"),
    (["hull", *NURSE, "--score", "lactate"], "columns need a FILE that holds them, got --score as well"),
    (["hull", "--point", "0.1,0.7"], "--point must be written NAME:FPR,TPR, got '0.1,0.7'; for instance nurse:"),
    (["hull", "--point", "a:0.1"], "--point must be written NAME:FPR,TPR, got '0.1'; for instance nurse:0.1,0.7."),
    (["hull", "--point", "a:1.1,0.5"], "fpr of --point must lie between 0 and 1, got 1.1"),
    (["hull", "--point", "AllPos:0.1,0.5"], "'AllPos' is the name of a trivial rule"),
    ([*BOTH, "--point", "lactate:0.1,0.5"], "--point must have a name of its own, got 'lactate', which is a score"),
    ([*BOTH, "--cost-fn", "5"], "costs are weighed by the prevalence, got none; write --prevalence 0.1 for 10%."),
    ([*BOTH, "--prevalence", "1.2"], "prevalence must lie strictly between 0 and 1, got 1.2"),
    ([*BOTH, "--prevalence", "0.1", "--cost-fp", "inf"], "--cost-fp must be a finite number above 0, got inf"),
    ([*BOTH, "--prevalences", "0.5", "0.1"], "the first prevalence must not exceed the second, got 0.5 and 0.1"),
    ([*BOTH, "--prevalences", "0", "0.1"], "prevalence must lie strictly between 0 and 1, got 0.0"),
    ([*BOTH, "--prevalences", "0.1", "0.2", "--prevalence", "0.1"], "got --prevalence as well; leave it out."),
    ([*BOTH, "--slopes", "-1", "2"], "the first slope must be a number >= 0, got -1.0"),
    ([*BOTH, "--slopes", "3", "2"], "the first slope must not exceed the second, got 3 and 2"),
    ([*BOTH, "--vertices", "--prevalence", "0.1"], "--vertices holds for all prevalences and costs, got --prevalence"),
    ([*BOTH, "--vertices", "--slopes", "1", "2"], "--slopes and --vertices are different questions, got both"),
    ([*BOTH, "--add", "nurse"], "--add must name one of the classifiers lactate, concern, got 'nurse'."),
    (["hull", *NURSE, "--add", "nurse"], "--add needs classifiers to join, got nurse only"),
    (["hull", *NURSE, "--cost-curve"], "classifiers are compared with each other, got one only; name another one."),
    ([*BOTH, "--lc", "0.1", "0.2", "0.3"], "--lc needs the share of positive cases, got none; write --prevalence 0.1"),
    ([*BOTH, "--lc", "0.1", "0.5", "0.3", "--prevalence", "0.3"], "--lc must satisfy 0 <= low <= mode <= high <= 1"),
    ([*BOTH, "--lc", "0.3", "0.2", "0.1", "--prevalence", "0.3"], "got (0.3, 0.2, 0.1); write --lc 0.05 0.1 0.3."),
    ([*BOTH, "--lc", "0.1", "0.2", "0.3", "--prevalence", "0.3", "--cost-fn", "2"], "got --cost-fn as well"),
    ([*BOTH, "--shape", "2", "2"], "the prior of costs belongs to --h-measure, got --shape as well"),
    ([*BOTH, "--h-measure", "--shape", "0", "1"], "--shape must be a finite number above 0, got 0.0; write --shape 2"),
    ([*BOTH, "--h-measure", "--shape", "1", "1", "--severity-ratio", "2"], "given by --shape or by --severity-ratio"),
    ([*BOTH, "--h-measure", "--severity-ratio", "much"], "--severity-ratio must be a number or data, got 'much'."),
    ([*BOTH, "--h-measure", "--severity-ratio", "-1"], "--severity-ratio must be a finite number above 0, got -1.0"),
    ([*BOTH, *NURSE, "--h-measure"], "--h-measure needs the cases of scores, got --point as well"),
    ([*BOTH, "--at", "0.5"], "threshold probabilities belong to --net-benefit, got --at as well"),
    ([*BOTH, "--net-benefit"], "decision curves need predicted probabilities between 0 and 1, got the score"),
    ([*BOTH, "--net-benefit", "--at", "1"], "--at must lie strictly between 0 and 1, got 1.0"),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "words"), ERRORS)
def test_hull_error_is_one_sentence(shell, arguments, words):
    assert words in shell.error(*arguments)
