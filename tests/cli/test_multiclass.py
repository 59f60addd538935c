"""``roclab multiclass`` prints the library's areas, comparisons and matrices of many classes."""

from __future__ import annotations

import json

import numpy as np
import pytest

import roclab as rl
from roclab.data.files.read import columns_of_file
from roclab.errors import RoclabWarning
from roclab.many_classes.confusion import confusion_of_classes as multiclass_confusion
from roclab.many_classes.labels import multilabel_areas
from tests.cli.conftest import answer, narrow, same, scores

GRAPES = ["barbera", "barolo", "gamay"]
NET = ["net_1", "net_2", "net_3"]


def table(path, names):
    columns = columns_of_file(path, names, numeric=names)
    return np.column_stack([columns[name] for name in names])


def truth(path, name="grape"):
    return columns_of_file(path, [name])[name]


def against(*names):
    return [word for name in names for word in ("--against", name)]


def test_multiclass_definition_is_the_areas(shell, wine):
    expected = rl.multiclass(truth(wine), table(wine, GRAPES), level=0.9)
    text = same(
        shell, expected, *["multiclass", wine, "--label", "grape", *scores(*GRAPES), "--level", 0.9], notes=False
    )
    assert "columns:" not in text


def test_multiclass_takes_scores_by_their_names_or_in_the_order_of_the_classes(shell, wine):
    expected = rl.multiclass(truth(wine), table(wine, GRAPES)).averages["macro"].area
    turned = answer(shell, "multiclass", wine, "--label", "grape", *scores(*GRAPES[::-1]))
    assert list(turned["classes"]) == GRAPES[::-1]
    assert turned["averages"]["macro"]["area"] == pytest.approx(expected, rel=1e-12)
    net = rl.multiclass(wine, label="grape", score=NET)
    arguments = ["multiclass", wine, "--label", "grape", *scores(*NET)]
    text = same(shell, net, *arguments)
    assert text.endswith("columns: net_1 scores barbera, net_2 scores barolo, net_3 scores gamay\n")
    order = ["gamay", "barbera", "barolo"]
    moved = [NET[2], *NET[:2]]
    found = answer(shell, *arguments[:4], *scores(*moved), "--classes", ", ".join(order))
    assert found == rl.multiclass(wine, label="grape", score=moved, labels=order).to_dict()


def test_multiclass_bootstrap(shell, wine):
    how = {"resampling": rl.Resampling(replicates=60), "rng": 5}
    expected = rl.multiclass(truth(wine), table(wine, GRAPES), **how)
    asked = ["--bootstrap", "--replicates", 60, "--seed", 5]
    same(shell, expected, "multiclass", wine, "--label", "grape", *scores(*GRAPES), *asked)


@pytest.mark.parametrize("average", ["macro", "weighted", "micro", "hand_till", "pairs_weighted"])
def test_multiclass_against_another_model(shell, wine, average):
    how = {"resampling": rl.Resampling(replicates=60), "rng": 5} if average == "micro" else {}
    expected = rl.compare_multiclass(
        truth(wine), {"taster": table(wine, GRAPES), "net": table(wine, NET)}, average=average, level=0.9, **how
    )
    asked = ["--average", average, "--names", "taster,net", "--level", 0.9, "--replicates", 60, "--seed", 5]
    arguments = ["multiclass", wine, "--label", "grape", *scores(*GRAPES), *against(*NET), *asked]
    text = same(shell, expected, *arguments, notes=True)
    areas = rl.multiclass(truth(wine), table(wine, NET), level=0.9).averages[average]
    assert f"net: {areas.area:.4f}, 90% interval" in text
    narrow(shell, *arguments)


def test_multiclass_against_by_bootstrap(shell, wine):
    expected = rl.compare_multiclass(
        truth(wine),
        {"first": table(wine, GRAPES), "second": table(wine, NET)},
        alternative="less",
        resampling=rl.Resampling(replicates=60),
        rng=5,
    )
    asked = ["--bootstrap", "--replicates", 60, "--seed", 5, "--alternative", "less"]
    arguments = ["multiclass", wine, "--label", "grape", *scores(*GRAPES), *against(*NET), *asked]
    assert answer(shell, *arguments) == expected.to_dict()


def test_multiclass_confusion(shell, wine):
    expected = multiclass_confusion(truth(wine), truth(wine, "called"))
    same(shell, expected, "multiclass", wine, "--label", "grape", "--confusion", "called")
    order = ["gamay", "barolo", "barbera", "merlot"]
    found = answer(shell, "multiclass", wine, "--label", "grape", "--confusion", "called", "--classes", ",".join(order))
    assert found == multiclass_confusion(truth(wine), truth(wine, "called"), labels=order).to_dict()


def test_multiclass_multilabel(shell, wine):
    labels = ["oak", "fruit"]
    expected = rl.multilabel(wine, label=labels, score=["p_oak", "p_fruit"])
    assert expected.averages == multilabel_areas(table(wine, labels), table(wine, expected.columns.values())).averages
    arguments = ["multiclass", wine, "--multilabel", "--label", "oak", "--label", "fruit", *scores("p_oak", "p_fruit")]
    text = same(shell, expected, *arguments)
    assert "columns: p_oak scores oak, p_fruit scores fruit" in text


def test_multiclass_warns_about_scores_that_do_not_sum_to_one(shell, wine):
    done = shell("multiclass", wine, "--label", "grape", *scores(NET[0], NET[1], "p_oak"))
    with pytest.warns(RoclabWarning) as said:
        rl.multiclass(truth(wine), table(wine, [NET[0], NET[1], "p_oak"]))
    assert done.stderr == f"Warning: {said[0].message}\n"
    assert "the largest gap is" in done.stderr
    assert done.stdout.startswith("mean AUC of 3 classes")


def test_multiclass_missing_values(shell, wine):
    lines = wine.read_text().splitlines()
    lines[2] = "," + lines[2].split(",", 1)[1]
    cells = lines[5].split(",")
    lines[5] = ",".join([cells[0], "", *cells[2:]])
    wine.write_text("\n".join(lines) + "\n")
    arguments = ["multiclass", wine, "--label", "grape", *scores(*GRAPES)]
    message = shell.error(*arguments)
    assert message == (
        "values must not be missing, got gaps in 2 of 90 cases: grape lacks 1, barbera lacks 1 (first at position 1); "
        "write --missing drop to leave those cases out."
    )
    done = shell(*arguments, "--missing", "drop")
    assert done.stdout.endswith("2 dropped for missing values\n")
    kept = np.setdiff1d(np.arange(90), [1, 4])
    expected = rl.multiclass(np.asarray(truth(wine)[kept], str), table(wine, GRAPES)[kept])
    found = answer(shell, *arguments, "--missing", "drop")
    assert found.pop("dropped") == 2
    assert found == {name: part for name, part in expected.to_dict().items() if name != "dropped"}
    called = ["multiclass", wine, "--label", "grape", "--confusion", "called", "--missing", "drop"]
    assert shell(*called).stdout.endswith("1 dropped for missing values\n")
    wine.write_text("grape,barbera,barolo,gamay\n,1,0,0\n")
    assert "every case has a missing value" in shell.error(*arguments, "--missing", "drop")


ERRORS = [
    ([], "--label and --score must name columns of wine.csv, got none; its columns are grape, barbera,"),
    (["--label", "grape"], "--score must name columns of wine.csv, got none"),
    (["--label", "grape", *scores("barbera", "barolo")], "--score must have one column per class, got 2 columns for"),
    (["--label", "grape", *scores("barbera", "barolo")], "give --classes in the order of the columns."),
    (["--label", "grape", *scores("called", "barolo", "gamay")], "'gamay' in row"),
    (
        ["--label", "grape", *scores("grape", "barolo")],
        "--label and --score must be different columns, got 'grape' for both",
    ),
    (
        ["--label", "grape", *scores(*GRAPES), "--classes", "barbera,barolo,merlot"],
        "--classes must name every class of grape, got none for 'gamay'",
    ),
    (
        ["--label", "grape", *scores(*GRAPES, "net_1"), "--classes", "barbera,barolo,gamay,merlot"],
        "every class needs cases, and 'merlot' has none in grape; leave its column out or add cases.",
    ),
    (["--label", "grape", *scores(*GRAPES), "--classes", "barbera,barbera,gamay"], "--classes must be distinct"),
    (["--label", "grape", *scores(*GRAPES), "--classes", "a,,b"], "--classes must be names separated by commas"),
    (["--label", "grape", "--label", "oak", *scores(*GRAPES)], "add --multilabel if a case may have several."),
    (
        ["--label", "grape", *scores(*GRAPES), *against("net_1")],
        "--score and --against must name one column per class each, got 3 for first, 1 for second",
    ),
    (["--label", "grape", *scores(*GRAPES), "--average", "micro"], "two models are compared with --against"),
    (["--label", "grape", *scores(*GRAPES), "--names", "a,b"], "two models are named with --against"),
    (
        ["--label", "grape", *scores(*GRAPES), *against(*NET), "--names", "a,a"],
        "--names must be two different names, got 'a,a'",
    ),
    (
        ["--label", "grape", *scores(*GRAPES), "--scheme", "plain"],
        "--scheme has no part here: classes are resampled one by one, got plain; leave it out.",
    ),
    (["--label", "grape", *scores(*GRAPES), "--level", "0"], "level must lie strictly between 0 and 1, got 0.0"),
    (["--label", "grape", "--confusion", "called", *scores(*GRAPES)], "--confusion counts predicted classes, got"),
    (
        ["--label", "grape", "--confusion", "called", "--classes", "barbera,barolo"],
        "--classes must name every class, got none for 'gamay'; add it to --classes.",
    ),
    (["--confusion", "called"], "--label must name columns of wine.csv, got none"),
    (
        ["--multilabel", "--label", "oak", *scores("p_oak", "p_fruit")],
        "--score must name one column per label, got 2 for 1",
    ),
    (["--multilabel", "--label", "grape", *scores("p_oak")], "--label must hold 0 and 1 only"),
    (["--multilabel", "--label", "oak", *scores("p_oak"), "--bootstrap"], "got --bootstrap as well"),
    (["--multilabel", "--label", "oak", *scores("p_oak"), "--classes", "oak"], "got --classes as well"),
    (["--multilabel", "--label", "oak", *scores("p_oak"), *against("p_fruit")], "got --against as well"),
]


@pytest.mark.parametrize(("arguments", "words"), ERRORS)
def test_multiclass_error_is_one_sentence(shell, wine, monkeypatch, arguments, words):
    monkeypatch.chdir(wine.parent)
    assert words in shell.error("multiclass", "wine.csv", *arguments)


def test_the_volume_under_the_surface_needs_an_order(shell):
    asked = ["multiclass", "wines", "--label", "grape", "--score", "barolo", "--json"]
    told = json.loads(shell(*asked, "--classes", "gamay,barbera,barolo").stdout)
    assert told["volume"]["name"] == "gamay < barbera < barolo"
    assert json.loads(shell(*asked).stdout)["volume"] is None
