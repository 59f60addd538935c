"""Distributions of scores, metrics, calibration and decisions."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.curves.distribution import score_distribution
from roclab.decisions.net_benefit import decision_curve
from roclab.errors import InputError
from roclab.plots import draw_calibration, draw_decision, draw_distribution, draw_metrics, new_axes
from tests.plots.conftest import legend_of, line_of


@pytest.mark.parametrize("log", [False, True])
def test_histogram_heights_are_shares_of_the_class(procalcitonin, log):
    ax = draw_distribution(procalcitonin.tally, new_axes(), log=log, bins=12)
    filled = [patch for patch in ax.patches if patch.get_fill()]
    values = procalcitonin.tally.score
    for patch, counts in zip(filled, (procalcitonin.tally.neg, procalcitonin.tally.pos), strict=True):
        heights, edges, _ = patch.get_data()
        assert heights.sum() == pytest.approx(1)
        assert heights.size == 12
        for at, height in enumerate(heights):
            # Bins are closed on the left, the last one on both sides; a hair of room for edges that are powers of e.
            low, high = edges[at] * (1 - 1e-12), edges[at + 1] * (1 - 1e-12 if at < 11 else 1 + 1e-12)
            assert height == pytest.approx(counts[(values >= low) & (values < high)].sum() / counts.sum())
    assert ax.get_xscale() == ("log" if log else "linear")
    assert legend_of(ax) == ["recovered (n = 210)", "deteriorated (n = 90)"]


def test_histogram_has_the_numbers_of_the_table(lactate):
    shape = score_distribution(lactate.tally)
    ax = draw_distribution(lactate.tally, new_axes())
    heights, edges, _ = ax.patches[0].get_data()
    np.testing.assert_array_equal(edges, shape.edges)
    np.testing.assert_allclose(heights * 210, shape.neg)


def test_density_encloses_one_definition(lactate):
    ax = draw_distribution(lactate.tally, new_axes(), kind="density", cutoff=2)
    for label in ("recovered", "deteriorated"):
        x, y = line_of(ax, label)
        assert np.trapezoid(y, x) == pytest.approx(1, abs=2e-3)
    assert line_of(ax, "cut-off 2")[0].tolist() == [2, 2]


def test_density_on_a_logarithmic_axis_encloses_one_there(lactate):
    ax = draw_distribution(lactate.tally, new_axes(), kind="density", log=True)
    x, y = line_of(ax, "recovered")
    assert np.trapezoid(y, np.log(x)) == pytest.approx(1, abs=2e-3)
    assert ax.get_ylabel() == "Density of the logarithm"


def test_dots_are_the_cases(lactate):
    ax = draw_distribution(lactate.tally, new_axes(), kind="dots", cutoff=1.6)
    dots = [line for line in ax.get_lines() if line.get_label() == "_dots"]
    for line, counts, column in zip(dots, (lactate.tally.neg, lactate.tally.pos), (0, 1), strict=True):
        x, y = (np.asarray(one, float) for one in line.get_data())
        np.testing.assert_array_equal(np.sort(y), np.sort(np.repeat(lactate.tally.score, counts)))
        assert np.all(np.abs(x - column) < 0.5)
        assert len(set(zip(x.round(9), y, strict=True))) == y.size  # no dot hides another
    assert legend_of(ax) == ["median", "cut-off 1.6"]
    medians = [line for line in ax.get_lines() if line.get_label() in ("median", "_median")]
    assert [line.get_ydata()[0] for line in medians] == [1.4, 2.2]


def test_dots_of_many_distinct_scores_share_rows(procalcitonin):
    ax = draw_distribution(procalcitonin.tally, new_axes(), kind="dots", log=True)
    y = np.concatenate([line.get_ydata() for line in ax.get_lines() if line.get_label() == "_dots"])
    assert y.size == 300


def test_lower_scores_keep_the_users_units():
    r = rl.roc([1, 1, 0, 0], [1.0, 2.0, 3.0, 4.0], direction="lower")
    for kind in ("histogram", "dots", "density"):
        ax = draw_distribution(r.tally, new_axes(), kind=kind)
        low, high = ax.get_ylim() if kind == "dots" else ax.get_xlim()
        assert low < 1 < 4 < high
    ax = draw_metrics(r.coordinates(), new_axes(), metrics=["sensitivity"])
    line = ax.get_lines()[0]
    assert line.get_drawstyle() == "steps-post"
    assert line.get_xdata().tolist() == [1, 2, 3, 4]
    assert line.get_ydata().tolist() == [0.5, 1, 1, 1]


def test_distributions_that_cannot_be_drawn():
    weighted = rl.roc([1, 1, 0, 0], [1, 2, 3, 4], sample_weight=[0.5, 1, 1, 1]).tally
    with pytest.raises(InputError, match="a dot is one case, got importance weights; draw kind='histogram'"):
        draw_distribution(weighted, new_axes(), kind="dots")
    with pytest.raises(InputError, match="log needs scores above 0, got 0 as the smallest"):
        draw_distribution(rl.roc([0, 1], [0, 1]).tally, new_axes(), log=True)
    with pytest.raises(InputError, match="kind must be one of 'histogram', 'density', 'dots', got 'violin'"):
        draw_distribution(weighted, new_axes(), kind="violin")
    with pytest.raises(InputError, match="a density needs scores that vary within each class"):
        draw_distribution(rl.roc([0, 0, 1, 1], [1, 1, 1, 1]).tally, new_axes(), kind="density")
    infinite = rl.roc([0, 1], [-np.inf, np.inf]).tally
    with pytest.raises(InputError, match="score must have finite values to be drawn"):
        draw_distribution(infinite, new_axes())
    many = rl.roc(np.repeat([0, 1], [5001, 10]), np.arange(5011)).tally
    with pytest.raises(InputError, match="dots show at most 5,000 cases of a class, got 5,001"):
        draw_distribution(many, new_axes(), kind="dots")
    ax = draw_distribution(rl.roc([0, 1, 1, 0], [1, 2, np.inf, -np.inf]).tally, new_axes())
    assert ax.texts[0].get_text() == "2 infinite scores not shown"


def test_metrics_are_the_columns_of_the_table(lactate):
    table = lactate.coordinates()
    ax = draw_metrics(table, new_axes(), metrics=["sensitivity", "ppv", "youden_j"], cutoff=1.6)
    x, y = line_of(ax, "sensitivity")
    order = np.argsort(table.thresholds[1:])
    np.testing.assert_array_equal(x, table.thresholds[1:][order])
    np.testing.assert_array_equal(y, table.column("tpr")[1:][order])
    assert legend_of(ax) == ["sensitivity", "PPV", "Youden J", "cut-off 1.6"]
    with pytest.raises(InputError, match="metric"):
        draw_metrics(table, new_axes(), metrics=["sensitivty"])


def test_metrics_hold_between_scores_definition(lactate):
    """A step reaches from just above the next lower score to its own threshold."""
    ax = draw_metrics(lactate.coordinates(), new_axes(), metrics=["sensitivity"])
    line = ax.get_lines()[0]
    assert line.get_drawstyle() == "steps-pre"
    x, y = line.get_data()
    middle = (x[4] + x[5]) / 2
    assert y[5] == lactate.at(threshold=middle).tpr


def test_calibration_points_and_bars():
    rng = np.random.default_rng(4)
    p = rng.uniform(size=400)
    found = rl.roc((rng.uniform(size=400) < p).astype(int), p).calibration(bins=5)
    ax = draw_calibration(found, new_axes(), label="model", percent=True)
    x, y = line_of(ax, "model")
    assert x.tolist() == [one.predicted for one in found.bins]
    assert y.tolist() == [one.observed for one in found.bins]
    assert legend_of(ax) == [f"model, Brier {found.brier:.4f}"]
    ends = [tuple(one[:, 1]) for one in ax.collections[0].get_segments()]
    assert ends == [(one.interval.low, one.interval.high) for one in found.bins]
    bars = [bar.get_height() * bar.get_width() for bar in ax.patches]
    cases = [one.cases for one in found.bins]
    np.testing.assert_allclose(np.array(bars) / bars[0], np.array(cases) / cases[0])
    bare = draw_calibration(found, new_axes(), intervals=False, counts=False)
    assert not bare.collections
    assert not bare.patches


def test_decision_curves_have_the_numbers_of_the_table():
    rng = np.random.default_rng(4)
    p = rng.uniform(size=400)
    y = (rng.uniform(size=400) < p).astype(int)
    curve = decision_curve({"model": rl.roc(y, p).tally})
    ax = draw_decision(curve, new_axes())
    np.testing.assert_array_equal(line_of(ax, "model")[1], curve.net_benefit["model"])
    np.testing.assert_array_equal(line_of(ax, "treat all")[1], curve.treat_all)
    assert legend_of(ax) == ["treat all", "treat none", "model"]
    ax = draw_decision(curve, new_axes(), standardised=True, percent=True)
    np.testing.assert_array_equal(line_of(ax, "model")[1], curve.standardised("model"))
    assert ax.get_xlabel() == "Threshold probability, %"
