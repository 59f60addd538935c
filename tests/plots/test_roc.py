"""ROC curves: what is drawn is what was computed."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.areas.partial import partial_area
from roclab.curves.roc import curve_from_points
from roclab.errors import InputError
from roclab.inference.one_curve.bands import joint_rectangle
from roclab.plots import draw_roc, draw_rocs, new_axes
from tests.plots.conftest import legend_of, line_of


def polygon_area(collection):
    x, y = collection.get_paths()[0].vertices.T
    return abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])) / 2


def test_line_is_the_curve(lactate):
    ax = draw_roc(lactate.curve, new_axes(), label="lactate")
    x, y = line_of(ax, "lactate")
    np.testing.assert_array_equal(x, lactate.fpr)
    np.testing.assert_array_equal(y, lactate.tpr)
    assert ax.get_aspect() == "auto"
    assert ax.get_box_aspect() == 1
    assert ax.get_xlim()[0] < 0 < 1 < ax.get_xlim()[1]


def test_legend_has_the_digits_of_the_table(lactate):
    area = lactate.auc()
    ax = draw_roc(lactate.curve, new_axes(), area=area, label="lactate")
    assert legend_of(ax) == [f"lactate, AUC {area.area:.4f} ({area.interval.low:.4f} to {area.interval.high:.4f})"]
    assert legend_of(draw_roc(lactate.curve, new_axes(), area=area))[0].startswith("AUC 0.7737")
    assert draw_roc(lactate.curve, new_axes()).get_legend() is None


def test_chance_line_is_drawn_once_or_not_at_all(lactate, concern):
    ax = new_axes()
    draw_roc(lactate.curve, ax)
    draw_roc(concern.curve, ax)
    assert [line.get_gid() for line in ax.get_lines()].count("chance") == 1
    assert line_of(ax, "_chance")[1].tolist() == [0, 1]
    assert all(line.get_gid() is None for line in draw_roc(lactate.curve, new_axes(), chance=False).get_lines())


def test_percent_changes_ticks_not_data(lactate):
    ax = draw_roc(lactate.curve, new_axes(), percent=True, label="lactate")
    ax.get_figure().draw_without_rendering()
    assert [tick.get_text() for tick in ax.get_xticklabels()] == ["0", "20", "40", "60", "80", "100"]
    assert ax.get_xlabel().endswith(", %")
    assert line_of(ax, "lactate")[0].max() == 1


@pytest.mark.parametrize("kind", ["pointwise", "simultaneous", "kolmogorov"])
def test_band_polygon_holds_the_curve(lactate, kind):
    band = lactate.band(kind=kind, rng=1, resampling=rl.Resampling(replicates=100))
    ax = draw_roc(lactate.curve, new_axes(), band=band, area=lactate.auc(), label="lactate")
    corners = ax.collections[0].get_paths()[0].vertices
    for x, low, high in zip(band.fpr, band.low, band.high, strict=True):
        heights = corners[np.isclose(corners[:, 0], x, atol=1e-12), 1]
        assert heights.min() == pytest.approx(low)
        assert heights.max() == pytest.approx(high)
        assert low <= lactate.curve.at(x)[0] <= high
    assert legend_of(ax)[1] == f"95% band, {kind}"


def test_band_of_thresholds_is_drawn_as_crosses(concern):
    band = concern.band(kind="thresholds")
    ax = draw_roc(concern.curve, new_axes(), band=band)
    up, aside = (np.array(one.get_segments()) for one in ax.collections)
    assert {tuple(row) for row in up[:, :, 1]} <= set(zip(band.low, band.high, strict=True))
    assert {tuple(row) for row in aside[:, :, 0]} <= set(zip(band.fpr_low, band.fpr_high, strict=True))


REGIONS = [
    ({"fpr": (0, 0.2)}, {"shade_fpr": (0, 0.2)}),
    ({"fpr": (0.15, 0.62)}, {"shade_fpr": (0.15, 0.62)}),
    ({"tpr": (0.8, 1)}, {"shade_tpr": (0.8, 1)}),
    ({"tpr": (0.31, 0.77)}, {"shade_tpr": (0.31, 0.77)}),
    ({"fpr": (0.1, 0.5), "tpr": (0.4, 0.75)}, {"shade_fpr": (0.1, 0.5), "shade_tpr": (0.4, 0.75)}),
]


@pytest.mark.parametrize(("region", "shaded"), REGIONS)
@pytest.mark.parametrize("name", ["lactate", "concern", "procalcitonin"])
def test_shaded_polygon_has_the_partial_area_definition(request, name, region, shaded):
    roc = request.getfixturevalue(name)
    ax = draw_roc(roc.curve, new_axes(), **shaded)
    assert polygon_area(ax.collections[0]) == pytest.approx(partial_area(roc.curve, **region).area, abs=1e-9)


def test_whole_area_is_shaded(concern):
    ax = draw_roc(concern.curve, new_axes(), shade=True)
    assert polygon_area(ax.collections[0]) == pytest.approx(concern.auc().area)


def test_shaded_staircase_has_the_area_of_its_legend(concern):
    """Scores that both classes share stay slanted; steps there would be another curve."""
    ax = draw_roc(concern.curve, new_axes(), shade=True, staircase=True)
    assert polygon_area(ax.collections[0]) == pytest.approx(concern.auc(interval=None).area)
    assert ax.get_lines()[-1].get_xdata().size == len(concern.curve)


def test_operating_points_and_their_boxes(lactate):
    best = lactate.cutoff("youden").optima[0]
    box = joint_rectangle(tp=75, n_pos=90, fp=85, n_neg=210)
    ax = draw_roc(lactate.curve, new_axes(), operating_points={"Youden": best}, boxes={"Youden": box})
    assert legend_of(ax) == ["Youden at 1.6: Se 0.8333, Sp 0.5952"]
    x, y = line_of(ax, "Youden")
    assert (x[0], y[0]) == (best.fpr, best.tpr)
    patch = ax.patches[0]
    assert (patch.get_x(), patch.get_y()) == (box.fpr.low, box.tpr.low)
    assert patch.get_width() == pytest.approx(box.fpr.high - box.fpr.low)


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_thresholds_written_decide_like_their_vertex_definition(direction):
    y, s = [1, 1, 0, 1, 0, 0], np.array([9.0, 8, 7, 6, 4, 2])
    r = rl.roc(y, s if direction == "higher" else -s, direction=direction)
    wanted = [7.5, 6.0, 1.0] if direction == "higher" else [-7.5, -6.0, -1.0]
    ax = draw_roc(r.curve, new_axes(), thresholds=wanted)
    x, height = line_of(ax, "_thresholds")
    for at, threshold in enumerate(wanted):
        point = r.at(threshold=threshold)
        assert (x[at], height[at]) == pytest.approx((point.fpr, point.tpr))
    assert [text.get_text() for text in ax.texts] == [f"{value:.4g}" for value in wanted]


def test_thresholds_by_number_are_vertices(lactate):
    ax = draw_roc(lactate.curve, new_axes(), thresholds=5)
    x, y = line_of(ax, "_thresholds")
    vertices = set(zip(lactate.fpr, lactate.tpr, strict=True))
    assert 3 <= x.size <= 5
    assert set(zip(x, y, strict=True)) <= vertices
    with pytest.raises(InputError, match="thresholds cannot be written on ready-made points"):
        draw_roc(curve_from_points([0.1], [0.5]), new_axes(), thresholds=3)


def test_long_curves_are_thinned_out_within_a_thousandth():
    rng = np.random.default_rng(1)
    r = rl.roc(rng.integers(0, 2, 50_000), rng.normal(size=50_000))
    ax = draw_roc(r.curve, new_axes(), label="long")
    x, y = line_of(ax, "long")
    assert x.size <= 2000
    assert np.abs(np.interp(r.fpr, x, y) - r.tpr).max() < 0.002


def many(count):
    rng = np.random.default_rng(2)
    y = np.repeat([1, 0], [30, 40])
    return {f"m{at}": rl.roc(y, rng.normal(size=70) + y) for at in range(count)}


def test_several_curves_take_different_looks():
    found = many(12)
    ax = draw_rocs({name: one.curve for name, one in found.items()}, new_axes())
    looks = {(line.get_color(), str(line.get_linestyle()), str(line._dash_pattern)) for line in ax.get_lines()}
    assert len(looks) == 13
    assert legend_of(ax) == list(found)


def test_sixty_curves_have_one_entry():
    found = many(60)
    areas = {name: one.auc() for name, one in found.items()}
    ax = draw_rocs({name: one.curve for name, one in found.items()}, new_axes(), areas=areas)
    values = [one.area for one in areas.values()]
    assert legend_of(ax) == [f"60 curves, AUC {min(values):.4f} to {max(values):.4f}"]
    assert len(ax.get_lines()) == 61
    with pytest.raises(InputError, match="curves must hold at least one curve"):
        draw_rocs({}, new_axes())


def test_two_cases_are_enough():
    r = rl.roc([0, 1], [1, 2])
    ax = r.plot(label="two")
    assert line_of(ax, "two")[1].tolist() == [0, 1, 1]
    assert legend_of(ax) == ["two, AUC 1.0000 (0.2065 to 1.0000)"]


def test_plot_of_an_analysis(lactate):
    ax = lactate.plot(band="kolmogorov", cutoff="youden", level=0.9, label="lactate", thresholds=3)
    words = legend_of(ax)
    assert words[0].startswith("lactate, AUC 0.7737")
    assert words[1:] == ["90% band, kolmogorov", "youden at 1.6: Se 0.8333, Sp 0.5952"]
    again = rl.Roc.from_points([0.1], [0.5]).plot(ax, label="point")
    assert again.ax is ax.ax
    assert legend_of(ax)[-1] == "point"
