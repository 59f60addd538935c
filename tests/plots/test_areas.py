"""Forest plots, matrices, many classes and simulation studies."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.datasets import example_path, wines_path
from roclab.errors import InputError
from roclab.plots import (
    draw_class_pairs,
    draw_comparison,
    draw_differences,
    draw_forest,
    draw_multiclass,
    draw_study,
    new_axes,
)
from tests.plots.conftest import EXAMPLE, legend_of

MARKERS = ["procalcitonin", "lactate", "concern"]


@pytest.fixture(scope="module")
def comparison():
    return rl.compare(example_path(), **EXAMPLE, score=MARKERS)


def words_of(ax):
    return [text.get_text() for text in ax.texts]


def test_forest_rows_are_the_areas():
    table = area_table(example_path(), **EXAMPLE, score=MARKERS)
    ax = draw_forest(table, new_axes("double", ratio=0.3))
    points = next(line for line in ax.get_lines() if line.get_label() == "_areas")
    assert points.get_xdata().tolist() == [one.area for one in table]
    ends = [tuple(one[:, 0]) for one in ax.collections[0].get_segments()]
    assert ends == [(one.interval.low, one.interval.high) for one in table]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == MARKERS
    assert words_of(ax) == [*(f"{one.area:.4f} ({one.interval})" for one in table), "estimate (95% interval)"]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first row is on top


def test_forest_takes_markers_of_a_screening_and_classes():
    found = rl.screen(example_path(), label="outcome", pos_label="deteriorated", markers=MARKERS)
    ax = draw_forest(found.markers, new_axes(), null=None)
    assert [tick.get_text() for tick in ax.get_yticklabels()] == [one.name for one in found.markers]
    assert draw_forest(wines()[0].classes.values(), new_axes()).texts


def test_forest_refuses_none_and_too_many():
    with pytest.raises(InputError, match="areas must hold at least one area"):
        draw_forest([], new_axes())
    one = rl.auc([0, 1, 1], [1, 2, 3])
    with pytest.raises(InputError, match="a forest plot shows at most 60 rows, got 61"):
        draw_forest([one] * 61, new_axes())


def test_forest_without_interval_shows_the_area_alone():
    ax = draw_forest([rl.auc([0, 1, 0, 1], [1, 2, 3, 4], interval=None)], new_axes())
    assert words_of(ax)[0] == "0.7500"


def test_differences(comparison):
    ax = draw_differences(comparison, new_axes("double", ratio=0.3))
    first = comparison.pairs[0]
    assert words_of(ax)[0] == f"{first.difference:.4f} ({first.interval})"
    assert words_of(ax)[2].startswith("0.0590 (−0.0114 to 0.1295)")
    assert ax.get_yticklabels()[0].get_text() == "procalcitonin − lactate"


def test_comparison_cells_have_the_numbers_of_the_table(comparison):
    ax = draw_comparison(comparison, new_axes())
    cells = {(round(text.get_position()[1]), round(text.get_position()[0])): text.get_text() for text in ax.texts}
    assert len(cells) == 9
    assert cells[0, 0] == f"AUC\n{comparison.areas[0].area:.4f}"
    pair = comparison.pair("lactate", "concern")
    assert cells[1, 2] == f"+{pair.difference:.4f}\np {pair.p_adjusted:.4f}"
    assert cells[2, 1] == f"−{pair.difference:.4f}\np {pair.p_adjusted:.4f}"


def test_comparison_of_equal_scores_has_no_p():
    y, s = [0, 1, 0, 1, 1], [1.0, 2, 3, 4, 5]
    ax = draw_comparison(rl.compare(y, {"a": s, "b": s}, test="normal"), new_axes())
    assert "0.0000" in words_of(ax)


def wines():
    with wines_path().open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    names = ["barbera", "barolo", "gamay"]
    truth, table = [row["grape"] for row in rows], np.array([[float(row[name]) for name in names] for row in rows])
    curves = {name: rl.roc([one == name for one in truth], table[:, at]).curve for at, name in enumerate(names)}
    return rl.multiclass(truth, table), curves


def test_many_classes():
    found, curves = wines()
    ax = draw_multiclass(found, new_axes(), curves=curves, average="hand_till")
    best = found.averages["hand_till"]
    wanted = [f"{name}, AUC {one.area:.4f} ({one.interval})" for name, one in found.classes.items()]
    assert legend_of(ax) == [*wanted, f"Hand and Till's M {best.area:.4f} ({best.interval})"]
    assert len(legend_of(draw_multiclass(found, new_axes(), curves=curves, average=None))) == 3
    with pytest.raises(InputError, match="curves must be named barbera, barolo, gamay, got 'merlot'"):
        draw_multiclass(found, new_axes(), curves={"merlot": curves["gamay"]})


def test_matrix_of_class_pairs():
    found, _ = wines()
    ax = draw_class_pairs(found, new_axes())
    cells = {(round(text.get_position()[1]), round(text.get_position()[0])): text.get_text() for text in ax.texts}
    assert len(cells) == 6
    assert cells[0, 2] == f"{found.pairs['barbera|gamay'].area:.4f}"


class Study:
    def rows(self):
        return [
            {"table": "I", "condition": "normal", "area": 0.8, "n_pos": n, "n_neg": n, "estimator": name,
             "bias": 0.001 * n, "bias_se": 0.002, "rmse": 0.03, "rmse_se": 0.001}
            for n in (20, 50) for name in ("MW", "N")
        ]  # fmt: skip


@pytest.mark.parametrize("value", ["bias", "rmse"])
def test_study(value):
    ax = draw_study(Study(), new_axes("double", ratio=0.5), value=value, table="I")
    assert legend_of(ax) == ["MW", "N"]
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["normal\nAUC 0.8\n20+20", "normal\nAUC 0.8\n50+50"]
    rows = [row for row in Study().rows() if row["estimator"] == "MW"]
    line = next(line for line in ax.get_lines() if line.get_label() == "MW")
    assert line.get_ydata().tolist() == [row[value] for row in rows]
    segments = ax.collections[0].get_segments()
    for row, segment in zip(rows, segments, strict=True):
        middle, half = row[value], 2 * row[f"{value}_se"]
        assert segment[:, 1] == pytest.approx([middle - half, middle + half])
    with pytest.raises(InputError, match="result must hold rows to draw, got none of table 'II'"):
        draw_study(Study(), new_axes(), table="II")
