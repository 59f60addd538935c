"""Figures of reader studies: the drawn data are those of the results."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.plots import (
    draw_components,
    draw_interaction,
    draw_reader_forest,
    draw_reader_plan,
    draw_readers,
    figure,
    new_axes,
)
from tests.plots.conftest import legend_of, line_of


@pytest.fixture(scope="module")
def study():
    return rl.readers.mrmc("readings")


def test_curves_of_readers_and_their_averages(study):
    found = study.curves()
    ax = draw_readers(found, new_axes())
    x, y = line_of(ax, "digital")
    np.testing.assert_array_equal(x, found.averages["digital"].fpr)
    np.testing.assert_array_equal(y, found.averages["digital"].tpr)
    assert sum(line.get_label() == "_reader" for line in ax.get_lines()) == 10
    assert legend_of(ax)[0] == "digital, 5 readers, mean AUC 0.8855"


def test_forest_by_reader_shows_cells_and_means(study):
    ax = draw_reader_forest(study, new_axes("double", ratio=0.5))
    x, _ = line_of(ax, "_areas")
    areas = [one.area for one in study.areas]
    means = [one.area for one in study.means]
    np.testing.assert_allclose(x, [*areas[:5], means[0], *areas[5:], means[1]])
    x, y = line_of(ax, "_means")
    assert (x.tolist(), y.tolist()) == (means, [5, 11])
    single = rl.readers.mrmc("readings", modalities=["film"])
    labels = [text.get_text() for text in draw_reader_forest(single, new_axes()).get_yticklabels()]
    assert labels == ["Adams", "Brandt", "Costa", "Dubois", "Evans", "mean"]


def test_interaction_has_a_line_per_reader(study):
    ax = draw_interaction(study, new_axes())
    _, y = line_of(ax, "Dubois")
    assert y.tolist() == [study.area_of("Dubois", "digital").area, study.area_of("Dubois", "film").area]
    _, y = line_of(ax, "mean")
    assert y.tolist() == [one.area for one in study.means]
    with pytest.raises(InputError, match="study must have two modalities for this figure"):
        draw_interaction(rl.readers.mrmc("readings", modalities=["film"]), new_axes())


def test_components_are_bars(study):
    ax = draw_components(study.components, new_axes())
    widths = [bar.get_width() for bar in ax.patches]
    np.testing.assert_allclose(widths, [1e4 * row["variance"] for row in study.components.rows()])


def test_plan_has_lines_of_equal_power(study):
    plan = rl.readers.sample_size(study, difference=0.06, readers=range(3, 12), cases=range(40, 301, 20))
    ax = draw_reader_plan(plan, new_axes())
    x, y = line_of(ax, "fewest cases")
    own = [(one.readers, one.cases) for one in plan.smallest if one.cases <= 300]
    assert list(zip(x.tolist(), y.tolist(), strict=True)) == own
    with pytest.raises(InputError, match="plan must hold two numbers of readers and two of cases"):
        draw_reader_plan(rl.readers.sample_size(study, difference=0.06, readers=4), new_axes())


def test_figures_by_name_take_studies_and_tables(study):
    assert figure("interaction", study).numbers == (study,)
    shown = study.plot("components", size="double")
    assert shown.width_mm == 180
    assert figure("readers", "readings").figure == "readers"
    with pytest.raises(InputError, match="label has no part in figure='readers'"):
        figure("readers", "readings", label="truth")
    with pytest.raises(InputError, match="figure must be one of"):
        study.plot("pie")
