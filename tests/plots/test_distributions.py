"""Distribution functions, densities, walks, interval ratios: what is drawn is what was computed."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm, uniform

import roclab as rl
from roclab.analysis.study import TABLES, table_design
from roclab.datasets import example_path, wines_path
from roclab.errors import InputError
from roclab.plots import draw_cdf, draw_densities, draw_distribution, draw_forest, draw_troc, figure, new_axes
from tests.plots.conftest import EXAMPLE, legend_of, line_of, roc_of

SAMPLE = [0.621, 0.503, 0.203, 0.477, 0.710, 0.581, 0.329, 0.480, 0.554, 0.382]


def drawn(name, score="lactate", **options):
    return figure(name, example_path(), **EXAMPLE, score=score, **options)


@pytest.mark.parametrize("theory", [uniform(0, 1), norm(0.3, 0.2), norm(0.7, 0.2)])
def test_the_gap_of_kolmogorov_is_drawn_where_it_is(theory):
    found = figure("cdf", SAMPLE, cdf=theory.cdf)
    test = found.numbers[0]
    x, y = line_of(found.ax, "T = ")
    assert x[0] == x[1] == test.location
    assert abs(y[1] - y[0]) == pytest.approx(test.t)
    assert y[0] == pytest.approx(theory.cdf(test.location))
    steps = np.sort(SAMPLE)
    counted = np.mean(steps < test.location) if test.above else np.mean(steps <= test.location)
    assert y[1] == pytest.approx(counted)


def test_the_band_holds_the_sample_and_data_of_both_shapes_are_read():
    found = figure("cdf", example_path(), score="lactate", level=0.9)
    band = rl.ranks.cdf_band(example_path(), score="lactate", level=0.9)
    x, y = line_of(found.ax, "lactate, 42 distinct values")
    np.testing.assert_array_equal(x[1:-1], band.x)
    np.testing.assert_array_equal(y[1:-1], band.s)
    with pytest.raises(InputError, match="label has no part in figure='cdf', which shows one sample"):
        drawn("cdf")
    with pytest.raises(InputError, match="cdf must be given to draw the gap to it"):
        draw_cdf(band, new_axes(), test=rl.ranks.kolmogorov(SAMPLE, uniform(0, 1).cdf))


MODELS = ["normal", "box_cox", "kernel_k1", "kernel_k1_box_cox", "log_concave", "binormal"]


@pytest.mark.parametrize("model", [name for name in MODELS if name in rl.names.SMOOTH_MODELS])
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_fitted_densities_are_densities_with_the_area_of_the_fit(model, direction):
    sign = 1 if direction == "higher" else -1
    scores = np.column_stack([roc_of("lactate").tally.score]).ravel()
    tally = roc_of("lactate").tally
    values = np.concatenate([np.repeat(scores, tally.pos), np.repeat(scores, tally.neg)])
    y = np.repeat([1, 0], [tally.n_pos, tally.n_neg])
    r = rl.roc(y, sign * values + (0 if sign > 0 else 10), direction=direction)
    fit = r.smooth(model)
    found = fit.densities()
    assert np.all(np.diff(found.x) > 0)
    assert found.scale == ("latent" if model == "binormal" else "score")
    totals = [np.trapezoid(side, found.x) for side in (found.pos, found.neg)]
    # A normal after a power transform reaches a little beyond the range of the transform, where no score is.
    assert totals == pytest.approx([1, 1], abs=0.02)
    below = np.concatenate([[0], np.cumsum(np.diff(found.x) * (found.neg[1:] + found.neg[:-1]) / 2)])
    area = np.trapezoid(found.pos * below, found.x)
    upwards = model == "binormal" or direction == "higher"
    assert (area if upwards else 1 - area) == pytest.approx(fit.area, abs=0.02)


def test_densities_lie_over_a_histogram_of_density():
    ax = drawn("distribution", estimator=["normal", "kernel_k1"]).ax
    for patch in (patch for patch in ax.patches if not patch.get_label().startswith("_")):
        values, edges, _ = patch.get_data()
        assert np.sum(values * np.diff(edges)) == pytest.approx(1)
    fit = roc_of("lactate").smooth("normal").densities()
    np.testing.assert_array_equal(line_of(ax, "normal, positives")[1], fit.pos)
    log = drawn("distribution", score="procalcitonin", estimator=["box_cox"], log=True).ax
    values, edges, _ = next(patch for patch in log.patches if not patch.get_label().startswith("_")).get_data()
    assert np.sum(values * np.diff(np.log(edges))) == pytest.approx(1)
    x, y = line_of(log, "box cox, positives")
    assert np.trapezoid(y, np.log(x)) == pytest.approx(1, abs=0.01)


def test_latent_densities_have_axes_of_their_own():
    ax = draw_densities(roc_of("lactate").smooth().densities(), new_axes())
    assert ax.get_xlabel() == "latent score"
    assert legend_of(ax) == ["negatives", "positives"]


@pytest.mark.parametrize("name", TABLES)
def test_densities_of_designs_are_the_slopes_of_their_distributions(name):
    for condition in table_design(name).conditions()[:3]:
        for side in (condition.positive, condition.negative):
            t = side.ppf(np.array([0.1, 0.3, 0.5, 0.7, 0.9]))
            step = 1e-6 * np.maximum(np.abs(t), 1e-3)
            slope = (side.cdf(t + step) - side.cdf(t - step)) / (2 * step)
            np.testing.assert_allclose(side.pdf(t), slope, rtol=1e-4)


def test_a_design_is_drawn_once_per_distribution():
    ax = figure("design", "VI").ax
    assert [words.split()[0] for words in legend_of(ax)] == ["negatives", "positives", "positives", "positives"]
    with pytest.raises(InputError, match="design must be a file that can be read"):
        figure("design", "nothing")


def test_box_cox_is_drawn_beside_the_raw_scores():
    found = drawn("box_cox", score="procalcitonin", size="double")
    left, right = found.ax.get_figure().axes
    assert left is found.ax
    assert "λ = " in right.get_xlabel()
    fit = roc_of("procalcitonin").smooth("box_cox")
    x, y = line_of(right, "normal, negatives")
    np.testing.assert_allclose(y, norm(fit.mean_neg, fit.sd_neg).pdf(x), rtol=1e-9)


def test_a_walk_has_a_step_per_score():
    y = [1, 1, 1, 0, 1, 1, 0, 0, 0, 0]
    score = [0.89, 0.80, 0.80, 0.80, 0.63, 0.33, 0.33, 0.10, 0.10, 0.10]
    ax = figure("walk", y, score).ax
    steps = sorted((tuple(line.get_xdata()), tuple(line.get_ydata())) for line in ax.get_lines())
    assert steps == [((0, 0), (0, 1)), ((0, 1), (1, 3)), ((1, 1), (3, 4)), ((1, 2), (4, 5)), ((2, 5), (5, 5))]
    assert legend_of(ax) == ["positive: up", "negative: right", "tied scores: slanted"]
    # the cells below the walk are the pairs in the right order, 21.5 of 25: the area .86 of the textbook
    x, up = ([0, *(end[1] for end, _ in steps)], [0, *(end[1] for _, end in steps)])
    assert np.trapezoid(up, x) / 25 == pytest.approx(0.86)
    with pytest.raises(InputError, match="weights have no steps of one case"):
        figure("walk", y, score, sample_weight=[0.5] * 10)


def test_bars_of_interval_ratios_are_the_ratios():
    found = drawn("likelihood", at_threshold=[1, 2, 3, 4])
    ratios = found.numbers[0].ratios
    bars = [(bar.get_y(), bar.get_y() + bar.get_height()) for bar in found.ax.patches]
    for (low, high), one in zip(bars, ratios, strict=True):
        assert (low, high) == pytest.approx((min(one.ratio, 1), max(one.ratio, 1)))
    empty = figure("likelihood", [1, 1, 0, 0], [4, 3, 2, 1], at_threshold=[0, 2.5]).ax
    assert len(empty.patches) == 2  # an interval without cases has no bar


def test_rates_stand_beside_the_dots(lactate):
    best = lactate.cutoff("youden").optima[0]
    ax = draw_distribution(lactate.tally, new_axes(), kind="dots", point=best)
    assert [text.get_text() for text in ax.texts] == ["Sp 0.5952", "Se 0.8333"]
    assert line_of(ax, "cut-off 1.6")[1].tolist() == [1.6, 1.6]


def test_a_forest_of_groups_has_their_common_area():
    found = rl.auc(example_path(), **EXAMPLE, score="lactate", by="ward")
    ax = draw_forest(found, new_axes("double", ratio=0.3))
    x, y = line_of(ax, "_common")
    assert x[0] == found.heterogeneity.estimate
    assert y[0] == len(found.groups)
    np.testing.assert_array_equal(line_of(ax, "_areas")[0][:-1], found.area)


def test_the_mirror_image_of_a_troc_curve(concern):
    ax = draw_troc(concern.troc(), new_axes(), mirror=True, label="concern")
    x, y = line_of(ax, "concern, mirror image")
    for fpr, tpr in zip(concern.fpr, concern.tpr, strict=True):
        at = np.argmin(np.abs(x - (1 - tpr)) + np.abs(y - (1 - fpr) * tpr))
        assert (x[at], y[at]) == pytest.approx((1 - tpr, (1 - fpr) * tpr))


def test_averages_of_classes_are_curves_with_their_areas():
    found = figure("multiclass", wines_path(), label="grape", score=["barbera", "barolo", "gamay"])
    areas = found.numbers[0]
    for name in ("micro", "macro"):
        x, y = line_of(found.ax, f"{name} average")
        assert np.trapezoid(y, x) == pytest.approx(areas.averages[name].area, abs=1e-12)


def test_a_discrete_distribution_is_drawn_as_steps_with_its_gap():
    sample, support, chances = [1, 1, 1, 2, 2, 2, 3, 3, 3, 3], [1, 2, 3, 4, 5], ["1/5"] * 5
    found = figure("cdf", sample, support=support, probabilities=chances)
    test = found.numbers[0]
    theory, gap = (
        next(line for line in found.ax.lines if line.get_label().startswith(words)) for words in ("F*", "T =")
    )
    assert theory.get_drawstyle() == "steps-post"
    assert theory.get_xdata()[1:-1].tolist() == support
    assert theory.get_ydata().tolist() == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.0])
    assert gap.get_xdata()[0] == test.location == 3
    assert sorted(gap.get_ydata()) == pytest.approx([0.6, 1.0])
    assert "p 0.0416" in gap.get_label()
    with pytest.raises(InputError, match="support and probabilities must have the same length"):
        figure("cdf", sample, support=support)
    with pytest.raises(InputError, match="support is for figure='cdf'"):
        figure("roc", [1, 0], [2, 1], support=support)
