"""Curves other than ROC."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri

import roclab as rl
from roclab.datasets import example_path
from roclab.decisions.iso_performance import iso_line, tangent_points
from roclab.errors import InputError
from roclab.plots import (
    draw_average,
    draw_cost,
    draw_det,
    draw_gain,
    draw_hull,
    draw_iso,
    draw_lift,
    draw_precision_recall,
    draw_smooth,
    draw_troc,
    new_axes,
)
from tests.plots.conftest import EXAMPLE, legend_of, line_of


def test_troc_is_bent_between_vertices_definition(concern):
    ax = draw_troc(concern.troc(), new_axes(), area=concern.tauc(), label="concern")
    x, y = line_of(ax, "concern")
    np.testing.assert_allclose(y, np.interp(x, concern.fpr, concern.tpr) * (1 - x), atol=1e-12)
    assert set(concern.fpr) <= set(x)
    assert legend_of(ax)[:2] == ["perfect score", "useless score"]
    assert legend_of(ax)[2] == f"concern, tAUC {concern.tauc().area:.4f} ({concern.tauc().interval})"
    x, y = line_of(ax, "useless")
    np.testing.assert_allclose(y, x * (1 - x))


def test_troc_keeps_upright_steps():
    r = rl.roc([1, 1, 0, 1, 0, 0], [9, 8, 7, 6, 4, 2])
    x, y = line_of(draw_troc(r.troc(), new_axes(), label="curve"), "curve")
    for fpr, both in zip(r.fpr, r.troc().p_correct, strict=True):
        assert np.any((x == fpr) & (y == both))
    assert np.all(np.diff(x) >= 0)


def test_iso_lines_have_their_metric_definition(procalcitonin):
    lines = [iso_line("accuracy", value, prevalence=0.3) for value in (0.6, 0.7, 0.8)]
    touch = tangent_points(procalcitonin.curve, lines[0].slope)
    for space in ("roc", "troc"):
        ax = draw_iso(lines, new_axes(), curve=procalcitonin.curve, tangent=touch, space=space, label="marker")
        drawn = [line for line in ax.get_lines() if "accuracy" in line.get_label()]
        assert len(drawn) == 3
        for line, value in zip(drawn, (0.6, 0.7, 0.8), strict=True):
            x, y = (np.asarray(one, float) for one in line.get_data())
            keep = x < 0.999
            tpr = y[keep] if space == "roc" else y[keep] / (1 - x[keep])
            np.testing.assert_allclose(0.3 * tpr + 0.7 * (1 - x[keep]), value, atol=1e-9)
        assert {text.get_text() for text in ax.texts} == {"0.6", "0.7", "0.8"}
        x, y = line_of(ax, "touched")
        np.testing.assert_array_equal(x, touch.fpr)
        np.testing.assert_allclose(y, touch.tpr if space == "roc" else touch.tpr * (1 - touch.fpr))
        assert sorted(legend_of(ax)) == ["equal accuracy", "marker", "touched by slope 2.333"]


def test_upright_iso_lines_and_bad_ones():
    ax = draw_iso([iso_line("neyman_pearson", 0.1), iso_line("precision", 1.0, skew=2)], new_axes())
    assert line_of(ax, "equal false positive rate")[0].tolist() == [0.1, 0.1]
    ax = draw_iso([iso_line("neyman_pearson", 0.1)], new_axes(), space="troc")
    assert line_of(ax, "equal")[1].tolist() == [0, 0.9]
    with pytest.raises(InputError, match="lines must hold at least one line"):
        draw_iso([], new_axes())
    with pytest.raises(InputError, match="space must be one of 'roc', 'troc'"):
        draw_iso([iso_line("youden", 0.1)], new_axes(), space="pr")


def test_hull_names_who_is_best(lactate, concern):
    curves = {"lactate": lactate.curve, "concern": concern.curve}
    table = rl.hull({**curves, "nurse": [(0.12, 0.62)]})
    ax = draw_hull(table, new_axes(), curves=curves)
    x, y = line_of(ax, "_hull")
    assert [(one.fpr, one.tpr) for one in table.vertices] == list(zip(x, y, strict=True))
    assert legend_of(ax) == [
        "lactate: best for slopes 0 to 0.749, 4.18 to inf",
        "concern: never best",
        "nurse: best for slopes 0.749 to 4.18",
    ]
    assert line_of(ax, "nurse")[0].tolist() == [0.12]
    assert legend_of(draw_hull(table, new_axes(), curves=curves, slopes=False)) == ["lactate", "concern", "nurse"]
    points = rl.hull({"a": [(0.1, 0.5)], "b": [(0.4, 0.8)]})
    assert {text.get_text() for text in draw_hull(points, new_axes()).texts} == {"AllNeg", "AllPos"}


@pytest.mark.parametrize("interpolation", ["integral", "davis_goadrich", "step"])
def test_precision_recall_follows_its_rule(concern, interpolation):
    curve = concern.precision_recall()
    ax = draw_precision_recall(curve, new_axes(), interpolation=interpolation, label="concern")
    line = next(line for line in ax.get_lines() if line.get_label() == "concern")
    x, y = (np.asarray(one, float) for one in line.get_data())
    assert set(curve.recall) <= set(x)
    if interpolation == "step":
        assert line.get_drawstyle() == "steps-pre"
        np.testing.assert_array_equal(y[1:], curve.precision)
    else:
        np.testing.assert_allclose(y, curve.at(x, interpolation), atol=1e-12)


def test_precision_recall_has_lines_of_reference(concern):
    curve = concern.precision_recall()
    ax = draw_precision_recall(curve, new_axes(), iso_f=[0.5], area=concern.auc("average_precision", interval=None))
    assert "prevalence 0.3000" in legend_of(ax)
    assert line_of(ax, "prevalence")[1].tolist() == [0.3, 0.3]
    recall, precision = line_of(ax, "_F-0.5")
    np.testing.assert_allclose(2 * precision * recall / (precision + recall), 0.5)
    assert any(words.startswith("AP 0.4807") for words in legend_of(ax))  # without an interval that does not exist
    assert all("undefined" not in words for words in legend_of(ax))
    draw_precision_recall(curve, ax, iso_f=[0.5])
    assert [line.get_label() for line in ax.get_lines()].count("_F-0.5") == 1


def test_det_axes_are_normal_deviates_definition(procalcitonin):
    curve = procalcitonin.det()
    ax = draw_det(curve, new_axes(), label="marker")
    x, y = line_of(ax, "marker")
    np.testing.assert_array_equal(x, curve.fpr)
    np.testing.assert_array_equal(y, curve.fnr)
    ax.get_figure().draw_without_rendering()
    on_page = ax.transData.transform(np.column_stack([x, y]))
    for pixels, rates in zip(on_page.T, (x, y), strict=True):
        slope, start = np.polyfit(ndtri(rates), pixels, 1)
        np.testing.assert_allclose(pixels, slope * ndtri(rates) + start, atol=1e-6)
    low, high = ax.get_xlim()
    assert low < min(x.min(), y.min())
    assert max(x.max(), y.max()) < high


def test_det_of_several_shows_all_of_them(procalcitonin, concern):
    ax = new_axes()
    draw_det(procalcitonin.det(), ax, label="one")
    draw_det(concern.det(), ax, label="two", percent=False)
    for label in ("one", "two"):
        x, y = line_of(ax, label)
        assert ax.get_xlim()[0] < min(x.min(), y.min())
        assert max(x.max(), y.max()) < ax.get_xlim()[1]
    assert draw_det(rl.roc([0, 1], [1, 2]).det(), new_axes()).get_lines()  # a perfect curve has no vertex left


def test_cost_envelope_and_its_lines(concern):
    curve = concern.cost()
    ax = draw_cost(curve, new_axes(), label="concern")
    x, y = line_of(ax, "concern")
    np.testing.assert_array_equal(x, curve.x)
    np.testing.assert_array_equal(y, curve.y)
    ends = np.array(ax.collections[0].get_segments())
    np.testing.assert_allclose(ends[:, 0, 1], curve.at_zero)
    np.testing.assert_allclose(ends[:, 1, 1], curve.at_one)
    grid = np.linspace(0, 1, 11)
    lowest = (ends[:, 0, 1, None] * (1 - grid) + ends[:, 1, 1, None] * grid).min(axis=0)
    np.testing.assert_allclose(np.interp(grid, x, y), lowest, atol=1e-12)
    assert not draw_cost(curve, new_axes(), lines=False).collections


def test_gain_and_lift(lactate):
    curve = lactate.gain()
    for draw, kind in ((draw_gain, "gain"), (draw_lift, "lift")):
        ax = draw(curve, new_axes(), label="lactate", percent=True)
        x, y = line_of(ax, "lactate")
        np.testing.assert_array_equal(x, curve.depth)
        np.testing.assert_array_equal(y, getattr(curve, kind))
        assert legend_of(ax) == ["random choice", "perfect score", "lactate"]
        perfect = np.interp(curve.depth, *line_of(ax, "perfect"))
        assert np.all(y <= perfect + 5e-3)
        assert ax.get_ylim()[1] >= y.max()


def test_average_with_bars_in_one_and_two_directions():
    cases = rl.read_cases(example_path(), **EXAMPLE, score="lactate", folds="ward")
    curves = {name: rl.roc(part).curve for name, part in cases.by_fold().items()}
    for how, directions in (("vertical", 1), ("threshold", 2), ("pooled", 0)):
        found = rl.average(cases, how=how)
        ax = draw_average(found, new_axes(), curves=curves, bars=8)
        x, y = line_of(ax, f"{how} average")
        inner = slice(1, -1) if how == "threshold" else slice(None)  # drawn from corner to corner
        assert (x[0], x[-1], y[-1]) == (0, 1, 1)
        np.testing.assert_array_equal(x[inner], found.fpr)
        np.testing.assert_array_equal(y[inner], found.tpr)
        assert len(ax.collections) == directions
        if directions:
            limits = set(zip(found.tpr_spread.low, found.tpr_spread.high, strict=True))
            assert {tuple(one[:, 1]) for one in ax.collections[0].get_segments()} <= limits
        if directions == 2:
            limits = set(zip(found.fpr_spread.low, found.fpr_spread.high, strict=True))
            assert {tuple(one[:, 0]) for one in ax.collections[1].get_segments()} <= limits
        words = f"mean AUC {found.mean_of_areas:.4f} (sd {found.sd_of_areas:.4f})"
        if how == "pooled":  # one curve of all cases, whose own area is that of all cases
            words = f"AUC {rl.auc(example_path(), **EXAMPLE, score='lactate').area:.4f}"
        assert f"{how} average, {words}" in legend_of(ax)
        assert "5 single curves" in legend_of(ax)


def test_smooth_curve_is_the_fit(lactate):
    fit = lactate.smooth("binormal")
    ax = draw_smooth(fit, new_axes())
    x, y = line_of(ax, "binormal")
    np.testing.assert_allclose(y, fit.tpr(x))
    assert (x[0], x[-1]) == (0, 1)
    assert legend_of(ax) == [f"binormal, AUC {fit.area:.4f}"]


def test_smooth_curve_that_did_not_converge_says_so():
    class Fit:
        method, area, converged = "some_model", 0.75, False

        def tpr(self, fpr):
            return np.sqrt(fpr)

    assert legend_of(draw_smooth(Fit(), new_axes())) == ["some model, AUC 0.7500, did not converge"]
