"""What is seen inside a model is what the model does."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.special import expit

import roclab as rl
from roclab.errors import InputError
from roclab.plots import draw_model_tree, draw_nomogram, new_axes

DATA = {"label": "outcome", "pos_label": "deteriorated"}


@pytest.fixture(scope="module")
def bench():
    return rl.bench("example", **DATA, models=["logistic", "tree", "knn"], folds=3, rng=1)


@pytest.fixture(scope="module")
def table():
    return rl.read_columns("example", ["ward", "procalcitonin", "lactate", "concern", "outcome"])


def follows(rule, row):
    """Whether a case goes where the rule leads."""
    for sign, test in ((" <= ", float.__le__), (" > ", float.__gt__)):
        name, found, value = rule.rpartition(sign)
        if found:
            return test(float(row[name]), float(value))
    name, _, word = rule.replace(" is not ", " is ").rpartition(" is ")
    return (row[name] == word) != (" is not " in rule)


def test_every_case_comes_to_its_leaf_definition(bench, table):
    tree = bench.inside("tree")
    names = ("ward", "procalcitonin", "lactate", "concern", "outcome")
    cases = zip(*(table[name] for name in names), strict=True)
    rows = [dict(zip(names, one, strict=True)) for one in cases]
    below = {one.number: [other for other in tree.nodes if other.parent == one.number] for one in tree.nodes}
    reached = {one.number: [] for one in tree.nodes}
    for row in rows:
        at = tree.nodes[0]
        reached[0].append(row["outcome"])
        while below[at.number]:
            (at,) = [one for one in below[at.number] if follows(one.rule, row)]
            reached[at.number].append(row["outcome"])
    for one in tree.nodes:
        assert one.cases == len(reached[one.number])
        assert list(one.counts) == [reached[one.number].count(name) for name in tree.classes]
        if one.leaf:
            assert one.counts[tree.classes.index(one.called)] == max(one.counts)
    assert min(one.cases for one in tree.nodes) >= 10
    assert tree.leaves == sum(not below[one.number] for one in tree.nodes)


def test_points_add_up_to_the_probability_of_the_regression(bench, table):
    found = bench.inside("logistic")
    names = {one.feature: one for one in found.scales}
    assert max(max(one.points_low, one.points_high) for one in found.scales) == pytest.approx(100)
    wards = [name.removeprefix("ward is ") for name in names if name.startswith("ward is ")]
    numbers = ("procalcitonin", "lactate", "concern")
    label = np.array(table["outcome"]) == "deteriorated"
    design = np.column_stack([*(np.asarray(table[name], float) for name in numbers),
                              *(np.array(table["ward"]) == ward for ward in wards[1:])])  # fmt: skip
    fit = rl.logistic(label, dict(zip([*numbers, *wards[1:]], design.T, strict=True)))
    for at in range(0, label.size, 7):
        points = sum(names[name].points(float(table[name][at])) for name in numbers)
        points += sum(names[f"ward is {ward}"].points(float(table["ward"][at] == ward)) for ward in wards)
        assert found.probability(points) == pytest.approx(fit.fit.probabilities[at], abs=2e-6)
    assert found.points_of(found.probability(37.5)) == pytest.approx(37.5)
    assert found.probability(0) == pytest.approx(expit(found.log_odds_at_zero))


def test_the_other_class_turns_the_scales():
    table = {"y": [0, 0, 1, 0, 1, 1] * 5, "x": [1, 2, 3, 4, 5, 6] * 5}
    one, two = (rl.bench(table, label="y", pos_label=positive, models="logistic", folds=3, rng=1).inside("logistic")
                for positive in (1, 0))  # fmt: skip
    assert one.scales[0].coefficient == pytest.approx(-two.scales[0].coefficient)
    assert (one.scales[0].points_low, two.scales[0].points_low) == (0, 100)
    assert one.probability(100) == pytest.approx(1 - two.probability(0))


def test_gaps_are_filled_before_the_model_sees_them():
    rng = np.random.default_rng(5)
    x = rng.normal(size=60)
    y = (x + rng.normal(size=60) > 0).astype(int)
    x[::9] = np.nan
    found = rl.bench({"y": y, "x": x}, label="y", models="tree", folds=3, rng=1).inside("tree")
    assert found.nodes[0].cases == 60


def test_a_balanced_bench_is_told_that_this_fit_is_not(bench):
    assert "balanced" not in str(bench.inside("tree"))
    balanced = rl.bench("example", **DATA, models="tree", folds=3, rng=1, balance="random")
    assert "were balanced (random); this fit takes all cases as they are" in str(balanced.inside("tree"))
    assert balanced.inside("tree").nodes[0].cases == 300


def test_models_that_cannot_be_read_are_refused(bench):
    with pytest.raises(InputError, match="a decision tree or a logistic model"):
        bench.inside("knn")
    with pytest.raises(InputError):
        bench.inside("majority")
    table = {"y": ["a", "b", "c"] * 8, "x": list(range(24))}
    three = rl.bench(table, label="y", models=["logistic", "tree"], folds=2, rng=1)
    assert len(three.inside("tree").classes) == 3
    with pytest.raises(InputError, match="looked into"):
        three.inside("logistic")


def test_they_print_and_are_saved(bench, tmp_path):
    for model in ("tree", "logistic"):
        found = bench.inside(model)
        json.loads(found.to_json())
        assert "for looking, not for judging" in str(found)
        assert found.to_csv().count("\n") == len(found.rows()) + 1
        found.plot(str(tmp_path / f"{model}.svg"))
        assert (tmp_path / f"{model}.svg").stat().st_size > 1000


def test_figures_hold_what_they_show(bench):
    tree = bench.inside("tree")
    ax = draw_model_tree(tree, new_axes(), depth=1)
    words = [one.get_text() for one in ax.texts]
    assert f"n = {tree.nodes[0].cases}" in words
    assert sum(one.startswith("n = ") for one in words) == 3
    ax = draw_nomogram(bench.inside("logistic"), new_axes())
    words = [one.get_text() for one in ax.texts]
    assert {"Points", "Sum of points", "lactate", "Probability of deteriorated"} <= set(words)
    with pytest.raises(InputError, match="must name one model"):
        bench.plot("inside")
