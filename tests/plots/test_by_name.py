"""Figures by name: words and digits for journals, many curves, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.datasets import example_path, wines_path
from roclab.errors import InputError
from roclab.plots import figure
from roclab.plots.legend import MOST_NAMED
from tests.plots.conftest import EXAMPLE, legend_of, line_of

MARKERS = ["procalcitonin", "lactate", "concern"]


def drawn(name, score="lactate", **options):
    return figure(name, example_path(), **EXAMPLE, score=score, **options)


def many(count=60, cases=80):
    rng = np.random.default_rng(1)
    y = np.arange(cases) % 2
    return y, {f"m{at}": y + rng.normal(size=cases) for at in range(count)}


def test_digits_are_those_of_the_legend_and_not_of_the_numbers():
    found = drawn("roc", digits=2)
    assert legend_of(found.ax) == ["lactate, AUC 0.77 (0.71 to 0.82)"]
    assert "0.7737" in str(found)
    assert legend_of(drawn("roc").ax) == ["lactate, AUC 0.7737 (0.7119 to 0.8233)"]  # and only while it was asked for
    texts = [text.get_text() for text in drawn("forest", MARKERS, digits=3).ax.texts]
    assert "0.774 (0.712 to 0.823)" in texts
    with pytest.raises(InputError, match="digits must be a whole number of at least 1, got 0"):
        drawn("roc", digits=0)


def test_specificity_runs_from_one_to_zero_over_the_same_data(lactate):
    for percent, ticks in ((False, ["1.0", "0.8", "0.6", "0.4", "0.2", "0.0"]), (True, ["100", "80", "60"])):
        ax = drawn("roc", specificity_axis=True, percent=percent).ax
        ax.get_figure().draw_without_rendering()
        assert [tick.get_text() for tick in ax.get_xticklabels()][: len(ticks)] == ticks
        assert ax.get_xlabel() == ("Specificity, %" if percent else "Specificity")
        np.testing.assert_array_equal(line_of(ax, "lactate")[0], lactate.fpr)
    assert lactate.plot(specificity_axis=True).get_xlabel() == "Specificity"


@pytest.mark.parametrize("names", [["PCT", "Lactate", "Concern"], {"procalcitonin": "PCT"}])
def test_names_are_those_of_the_reader(names):
    found = drawn("roc", MARKERS, names=names, title="Markers", x_label="1 - Sp", y_label="Se")
    assert legend_of(found.ax)[0].startswith("PCT, AUC 0.8753")
    assert next(row["score"] for row in found.rows()) == "PCT"
    assert (found.ax.get_title(loc="left"), found.ax.get_xlabel(), found.ax.get_ylabel()) == ("Markers", "1 - Sp", "Se")


def test_names_of_groups_classes_and_curves():
    groups = drawn("forest", by="ward", names={"central": "Central ward"})
    assert groups.ax.get_yticklabels()[0].get_text().startswith("Central ward (17+37)")
    grapes = ["barbera", "barolo", "gamay"]
    classes = figure("multiclass", wines_path(), label="grape", score=grapes, names=["B", "N", "G"])
    assert [words.split(",")[0] for words in legend_of(classes.ax)[:3]] == ["B", "N", "G"]
    points = figure("roc", {"a": rl.Roc.from_points([0.2], [0.7])}, names=["Doctor"])
    assert legend_of(points.ax)[0].startswith("Doctor")


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["one"], "names must be 3 names, for procalcitonin and lactate and concern, got 1 names"),
        ("abc", "names must be a mapping or a sequence, got 'abc'"),
        ({"crp": "CRP"}, "names must rename procalcitonin and lactate and concern, got 'crp'"),
        (["a", "a", "b"], "names must differ from each other"),
    ],
)
def test_names_that_do_not_fit(names, said):
    with pytest.raises(InputError, match=said):
        drawn("roc", MARKERS, names=names)


def test_bands_of_several_curves_have_one_entry():
    found = drawn("roc", MARKERS, band="pointwise", resampling=50, rng=1).ax
    assert len(found.collections) == 3
    assert legend_of(found).count("95% band, pointwise") == 1
    for name, band in zip(MARKERS, found.collections, strict=True):
        x, y = line_of(found, name)
        corners = band.get_paths()[0].vertices
        assert corners[:, 1].max() == 1
        assert corners[:, 0].min() == x[0]
        assert corners[:, 1].min() <= y[1]
    with pytest.raises(InputError, match="band is drawn for at most 12 curves, got 60"):
        figure("roc", *many(), band="kolmogorov")


@pytest.mark.parametrize("name", ["roc", "troc", "pr", "det", "cost", "gain", "lift", "hull", "pareto"])
def test_sixty_curves_have_a_short_legend(name):
    ax = figure(name, *many()).ax
    assert 1 <= len(ax.get_legend().get_texts()) <= MOST_NAMED + 3
    if name not in ("hull", "pareto"):
        assert any(words.startswith("60 curves") for words in legend_of(ax))
        assert sum(line.get_linewidth() == 0.5 for line in ax.get_lines()) == 60


def test_a_comparison_of_many_scores_has_shades_instead_of_words():
    few, lots = figure("comparison", *many(5)).ax, figure("comparison", *many(20)).ax
    assert len(few.texts) == 25
    assert len(few.get_figure().axes) == 1
    assert len(lots.texts) == 0
    assert len(lots.get_figure().axes) == 2  # the bar that explains the shades
    shades = lots.collections[0].get_array().reshape(20, 20)
    np.testing.assert_allclose(shades, -shades.T, atol=1e-15)


def test_a_legend_keeps_clear_of_the_curves():
    good = {"good": rl.Roc.from_points([0.1], [0.9])}
    poor = {"poor": rl.Roc.from_points([0.6, 0.9], [0.02, 0.05])}
    free, moved = figure("roc", good), figure("roc", poor)
    assert free.ax.get_legend()._get_loc() == 4  # lower right
    assert moved.ax.get_legend()._get_loc() == 2  # upper left
    corners = [[0.02, 0.5, 0.98], [0.98, 0.5, 0.02]]
    full = {name: rl.Roc.from_points([0.02, 0.98], heights[::2]) for name, heights in zip("ab", corners, strict=True)}
    assert figure("roc", full | poor).height_mm > free.height_mm  # below, and the figure grew


REFUSED = [
    ("det", {"digits": 2}, "digits is for figure='roc' or"),
    ("pr", {"specificity_axis": True}, "specificity_axis is for figure='roc' or"),
    ("det", {"mirror": True}, "mirror is for figure='roc' or troc"),
    ("roc", {"how": "pooled"}, "how is for figure='average'"),
    ("roc", {"spread_as": "band"}, "spread_as is for figure='average'"),
    ("roc", {"scenarios": {"a": (0.1, 1, 1)}}, "scenarios is for figure='hull'"),
    ("roc", {"shares": (0.1, 0.2, 0.3)}, "shares is for figure='lc'"),
    ("roc", {"at_fpr": 0.2}, "at_fpr is for figure='combination'"),
    ("roc", {"cdf": abs}, "cdf is for figure='cdf'"),
    ("roc", {"labels": True}, "labels writes the coordinates of ready-made points, got scores"),
    ("hull", {"scenarios": {"a": (0.1, 1)}}, "scenarios must give prevalence, cost of a false positive"),
    ("distribution", {"estimator": ["binormal"]}, "estimator must have the scale of the scores"),
    ("distribution", {"estimator": ["exponential"]}, "estimator must fit the scores of each class"),
    ("distribution", {"estimator": ["normal"], "kind": "dots"}, "estimator is drawn over kind='histogram'"),
    ("lc", {}, "shares and prevalence say which costs are plausible"),
    ("walk", {}, "a walk shows at most 60 cases of a class, got 210"),
]


@pytest.mark.parametrize(("name", "options", "said"), REFUSED)
def test_what_means_nothing_is_refused(name, options, said):
    with pytest.raises(InputError, match=said):
        drawn(name, **options)


def test_averages_of_every_kind():
    folds = {"folds": "ward"}
    pooled, threshold = (drawn("average", how=how, **folds) for how in ("pooled", "threshold"))
    assert legend_of(pooled.ax)[1].startswith("pooled average")
    assert len(threshold.ax.collections) == 2
    for kind, said in (("band", "95% limits of the mean"), ("boxes", "TPR of the single curves")):
        assert any(words.startswith(said) for words in legend_of(drawn("average", spread_as=kind, **folds).ax))
    with pytest.raises(InputError, match="spread_as needs an average of several curves, got the pooled curve"):
        drawn("average", how="pooled", spread_as="band", **folds)
    with pytest.raises(InputError, match="spread_as is a band for averages in one direction"):
        drawn("average", how="threshold", spread_as="band", **folds)
    kinds = "'vertical', 'horizontal', 'diagonal', 'threshold', 'threshold_as_published', 'pooled'"
    with pytest.raises(InputError, match=f"how must be one of {kinds}"):
        drawn("average", how="precision_recall", **folds)


def test_boxes_are_the_quartiles_of_the_single_curves():
    found = drawn("average", folds="ward", spread_as="boxes")
    average = found.numbers[0]
    pairs = [np.column_stack(line.get_data()) for line in found.ax.get_lines() if len(line.get_xdata()) == 2]
    medians = [ends for ends in pairs if np.isclose(ends[1, 0] - ends[0, 0], 0.025) and ends[0, 1] == ends[1, 1]]
    assert len(medians) >= 8
    for ends in medians:
        place = int(np.argmin(np.abs(average.fpr - ends[:, 0].mean())))
        assert ends[0, 1] == pytest.approx(np.median(average.tpr_spread.values[:, place]))


def test_boxes_hold_one_row_per_curve():
    average = drawn("average", folds="ward").numbers[0]
    values = average.tpr_spread.values
    assert values.shape == (len(average.names), average.fpr.size)
    np.testing.assert_allclose(values.mean(axis=0), average.tpr)
