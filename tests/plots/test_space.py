"""ROC space: ready-made points, the front, crossings, scenarios of costs, AND and OR, LC index."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.patches import Rectangle

import roclab as rl
from roclab.errors import InputError
from roclab.plots import draw_combination, draw_crossings, draw_hull, draw_lc_index, draw_roc, figure, new_axes
from tests.plots.conftest import legend_of, line_of, roc_of

A = ([0.2, 0.25, 0.4, 0.7, 0.9], [0.2, 0.3, 0.6, 0.8, 0.85])
B = ([0.1, 0.2, 0.5, 0.95], [0.15, 0.4, 0.8, 0.95])


@pytest.fixture
def operators():
    return {"A": rl.Roc.from_points(*A), "B": rl.Roc.from_points(*B)}


def test_ready_made_points_are_marked_and_labelled(operators):
    ax = figure("roc", operators, labels=True).ax
    for name, (fpr, _) in (("A", A), ("B", B)):
        line = next(line for line in ax.get_lines() if line.get_label().startswith(name))
        assert line.get_marker() in "os"
        assert np.asarray(line.get_xdata())[line.get_markevery()].tolist() == fpr
    words = [text.get_text() for text in ax.texts]
    assert words == [f"({x:g}, {y:g})" for x, y in (*zip(*A, strict=True), *zip(*B, strict=True))]
    markers = {line.get_marker() for line in ax.get_lines()} - {"None"}
    assert len(markers) == 2


def test_points_have_names_if_wanted(operators, lactate):
    names = ["a", "b", "c", "d", "e"]
    ax = draw_roc(operators["A"].curve, new_axes(), labels=names)
    assert [text.get_text() for text in ax.texts] == names
    with pytest.raises(InputError, match="labels must name 5 points, got 2 names"):
        draw_roc(operators["A"].curve, new_axes(), labels=["a", "b"])
    with pytest.raises(InputError, match="labels name ready-made points, got a curve of scores"):
        draw_roc(lactate.curve, new_axes(), labels=True)
    line = draw_roc(lactate.curve, new_axes(), label="x").get_lines()[-1]
    assert line.get_marker() == "None"


def test_pareto_front_is_drawn_as_it_was_found(operators):
    found = figure("pareto", operators)
    front = found.numbers[0]
    for name in "AB":
        x, y = line_of(found.ax, f"{name}:")
        own = [(one.fpr, one.tpr) for one in front.points if one.classifier == name]
        assert list(zip(x.tolist(), y.tolist(), strict=True)) == own
    assert legend_of(found.ax) == ["A: 2 on the front, 3 beaten", "B: 4 on the front, 0 beaten"]


def test_crossings_and_the_strip_of_leaders():
    curves = {name: roc_of(name) for name in ("lactate", "concern")}
    found = rl.classifiers.dominance(curves)
    ax = draw_crossings(found, new_axes(), curves={name: one.curve for name, one in curves.items()})
    places = [(one.fpr, one.tpr) for one in found.crossings["lactate", "concern"]]
    x, y = line_of(ax, "2 crossings")
    assert list(zip(x.tolist(), y.tolist(), strict=True)) == sorted(places)
    spans = [patch for patch in ax.patches if patch.get_gid() == "lead"]
    ends = [(patch.get_x(), patch.get_x() + patch.get_width()) for patch in spans]
    np.testing.assert_allclose(ends, [(one.low, one.high) for one in found.leads])
    many = {str(at): curves["lactate"].curve for at in range(13)}
    with pytest.raises(InputError, match="curves must be at most 12"):
        draw_crossings(found, new_axes(), curves=many)


def test_lines_of_equal_cost_touch_the_hull_and_cross_it_nowhere():
    curves = {name: roc_of(name) for name in ("lactate", "concern")}
    table = rl.hull(curves)
    conditions = {"one": (0.3, 1, 2), "two": (0.1, 1, 1), "three": (0.5, 1, 9)}
    scenarios = {
        name: rl.classifiers.best_classifier(curves, prevalence=p, cost_fp=fp, cost_fn=fn)
        for name, (p, fp, fn) in conditions.items()
    }
    ax = draw_hull(table, new_axes(), scenarios=scenarios)
    for name, best in scenarios.items():
        x, y = line_of(ax, f"{name}: slope {best.slope:.3g}")
        rises = (y[1] - y[0]) == pytest.approx(best.slope * (x[1] - x[0]))
        assert rises
        height = y[0] + best.slope * (table.hull.fpr - x[0])
        assert np.all(table.hull.tpr <= height + 1e-12)
        assert np.min(height - table.hull.tpr) == pytest.approx(0, abs=1e-12)
        assert x.min() >= 0
        assert y.max() <= 1 + 1e-12


def test_rectangles_are_the_bounds_of_and_and_or():
    tests = {"c1": (0.2, 0.8), "c2": (0.4, 0.6)}
    found = figure("combination", tests)
    boxes = [patch for patch in found.ax.patches if not patch.get_label().startswith("_")]
    # Fréchet: AND between max(0, sum - 1) and the smaller, OR between the larger and min(1, sum)
    for box, (x, y) in zip(boxes, (((0, 0.2), (0.4, 0.6)), ((0.4, 0.6), (0.8, 1.0))), strict=True):
        assert (box.get_x(), box.get_x() + box.get_width()) == pytest.approx(x)
        assert (box.get_y(), box.get_y() + box.get_height()) == pytest.approx(y)
    assert [float(one[0]) for one in line_of(found.ax, "AND if independent")] == pytest.approx([0.08, 0.48])
    assert [float(one[0]) for one in line_of(found.ax, "OR if independent")] == pytest.approx([0.52, 0.92])
    assert [text.get_text() for text in found.ax.texts] == ["c1", "c2"]


def test_measured_combinations_lie_in_their_rectangles():
    table = {"y": [1, 1, 1, 1, 0, 0, 0, 0], "a": [9, 8, 3, 7, 2, 6, 1, 1], "b": [5, 1, 6, 7, 2, 1, 8, 3]}
    options = {"label": "y", "score": ["a", "b"], "at_threshold": [5, 4]}
    by_table = figure("combination", table, **options)
    scores = {"a": table["a"], "b": table["b"]}
    by_arrays = figure("combination", table["y"], scores, at_threshold=[5, 4])
    for found in (by_table, by_arrays):
        for word in ("AND", "OR"):
            x, y = line_of(found.ax, f"{word} measured")
            box = next(one for one in found.ax.patches if one.get_label() == f"{word}: all it can be")
            assert box.get_x() - 1e-12 <= x[0] <= box.get_x() + box.get_width() + 1e-12
            assert box.get_y() - 1e-12 <= y[0] <= box.get_y() + box.get_height() + 1e-12
    curves = {"p": rl.Roc.from_points([0.1], [0.5]), "q": rl.Roc.from_points([0.4], [0.8])}
    coin = figure("combination", curves, at_fpr=0.3).ax
    assert [float(one[0]) for one in line_of(coin, "coin at 0.3")] == pytest.approx([0.3, 0.7])
    with pytest.raises(InputError, match="at_fpr lies between two classifiers, got 3"):
        figure("combination", {"a": (0.1, 0.5), "b": (0.2, 0.6), "c": (0.3, 0.7)}, at_fpr=0.15)
    with pytest.raises(InputError, match="A must have one point to be combined, got 5"):
        figure("combination", {"A": rl.Roc.from_points(*A), "B": rl.Roc.from_points(*B)})


def test_a_coin_alone():
    coin = rl.classifiers.interpolate((0.1, 0.5), (0.4, 0.8), fpr=0.3)
    ax = draw_combination([], new_axes(), names=["careful", "bold"], between=coin)
    x, y = line_of(ax, "_between")
    assert (x.tolist(), y.tolist()) == ([0.1, 0.4], [0.5, 0.8])


def test_bars_of_the_lc_index_are_its_regions(operators):
    found = rl.classifiers.lc_index(operators, prevalence=0.5, shares=(0.1, 0.4, 0.9))
    ax = draw_lc_index(found.pairs, new_axes())
    bars = [bar for bar in ax.patches if isinstance(bar, Rectangle)]
    ends = sorted((bar.get_x(), bar.get_x() + bar.get_width()) for bar in bars)
    np.testing.assert_allclose(ends, [(one.low, one.high) for one in found.pairs[0].regions])
    assert f"LC {found.pairs[0].index:.4f}" in [text.get_text() for text in ax.texts]
    named = figure("lc", operators, prevalence=0.5, shares=(0.1, 0.4, 0.9))
    assert named.numbers[0].pairs[0].index == found.pairs[0].index
