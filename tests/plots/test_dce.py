"""Figures of DCE-MRI draw finished numbers and compute nothing."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

import roclab as rl
from roclab.errors import InputError
from roclab.plots.canvas import new_axes
from roclab.plots.dce import draw_case_curves, draw_data_space, draw_learning_curve, draw_signal_curves

SIZE = (8, 48, 64)
BOTH = [("malignant", 24.0), ("benign", 22.0)]


@pytest.fixture(scope="module")
def phantoms():
    return [rl.imaging.phantom_breast(size=SIZE, lesions=BOTH, rng=at) for at in (1, 2, 3)]


@pytest.fixture(scope="module")
def model(phantoms):
    return rl.imaging.dce_train(phantoms[0].as_case("a"), classifier="logistic", rng=1)


@pytest.fixture(scope="module")
def found(phantoms, model):
    return rl.imaging.dce_evaluate(
        [one.as_case(f"c{at}") for at, one in enumerate(phantoms[1:])], model, images=("early",)
    )


def test_the_data_space_shows_points_and_decision(model):
    plane = model.plane(40)
    ax = draw_data_space(plane, new_axes())
    clouds = [one for one in ax.collections if hasattr(one, "get_offsets") and len(one.get_offsets()) > 1]
    assert sorted(len(one.get_offsets()) for one in clouds)[-2:] == sorted([len(plane.positives), len(plane.negatives)])
    assert ax.get_xlim() == pytest.approx((plane.x[0], plane.x[-1]))
    assert {text.get_text() for text in ax.get_legend().get_texts()} == {"inside", "outside of the label"}
    assert model.plot().figure == "dce_data_space"


def test_curves_of_cases_are_the_averages(found):
    ax = draw_case_curves(found, new_axes())
    line = next(one for one in ax.lines if str(one.get_label()).startswith("network"))
    mean = found.average("network")
    assert line.get_ydata()[1:-1] == pytest.approx(mean.tpr)
    assert f"{found.measure('network').value:.3f}" in line.get_label()
    zoom = draw_case_curves(found, new_axes(), most=0.15)
    assert zoom.get_xlim()[1] == 0.15
    assert "pAUC FPR ≤ 0.15" in zoom.get_title(loc="left")
    assert found.plot().figure == "dce_curves"


def test_a_learning_curve_shows_its_points(found, phantoms):
    cases = [one.as_case(f"t{at}") for at, one in enumerate(phantoms[:2])]
    test = [phantoms[2].as_case("x"), rl.imaging.phantom_breast(size=SIZE, lesions=BOTH, rng=9).as_case("y")]
    curve = rl.imaging.dce_learning_curve(cases, test, sizes=(1, 2), repeats=2, classifier="logistic", rng=1)
    ax = draw_learning_curve(curve, new_axes())
    assert ax.lines[0].get_ydata() == pytest.approx([one.value for one in curve.points])
    assert ax.get_xlabel() == "Training cases"
    assert curve.plot().figure == "dce_learning_curve"


def test_the_chapters_figure_has_three_panels(model, phantoms, tmp_path):
    made = phantoms[1]
    shown = rl.imaging.dce_figure(model, made.series, truth=made.truth)
    assert list(shown.curves) == ["malignant", "benign", "normal"]
    inside = rl.imaging.dce_mask(made.series).mask.array
    chosen = (made.truth.array > 100) & inside
    rest = np.maximum(made.series.baseline, 0.1 * np.median(made.series.baseline[inside]))
    last = ((made.series.frames[-1] - made.series.baseline) / rest)[chosen]
    assert shown.curves["malignant"].middle[-1] == pytest.approx(np.median(last), rel=1e-4)
    figure = shown.plot().fig
    assert isinstance(figure, Figure)
    assert [ax.get_title(loc="left") for ax in figure.axes[:3]] == ["a", "b", "c"]
    shown.save(tmp_path / "f.png")
    assert (tmp_path / "f.png").stat().st_size > 5000
    bare = rl.imaging.dce_figure(model, made.series, slice=2)
    assert bare.slice == 2
    assert all(name.startswith("confidence") for name in bare.curves)
    assert bare.rows()[0]["seconds"] == 0.0
    ax = draw_signal_curves(bare.times, bare.curves, new_axes())
    assert len(ax.lines) == len(bare.curves)
    with pytest.raises(InputError, match="slice must be a number from 0 to 7"):
        rl.imaging.dce_figure(model, made.series, slice=99)


def test_a_montage_has_a_row_for_every_image_and_one_window(model, phantoms, tmp_path):
    made = phantoms[1]
    shown = rl.imaging.dce_montage(
        made.series, slices=3, confidence=rl.imaging.dce_apply(model, made.series), outlines={"lesion": made.truth}
    )
    figure = shown.plot().fig
    assert len(figure.axes) == 5 * 3
    windows = {ax.images[0].get_clim() for ax in figure.axes[:12]}
    assert windows == {shown.window}
    assert {ax.images[0].get_clim() for ax in figure.axes[12:]} == {(0.0, 1.0)}
    assert [ax.get_title() for ax in figure.axes[:3]] == [f"slice {at}" for at in shown.slices]
    assert (figure.axes[0].images[0].get_array() == shown.images["early"][0]).all()
    shown.save(tmp_path / "m.png")
    assert (tmp_path / "m.png").stat().st_size > 5000


def test_montages_of_many_rows_fit_on_a_page():
    made = rl.imaging.phantom_breast(size=(8, 48, 64), rng=1)
    found = rl.imaging.dce_montage(made.series, images=["pairs"], slices=4)
    wide, high = found.plot().fig.get_size_inches()
    assert len(found.images) == 15
    assert wide <= 10.6
    assert high <= 14.1


def test_a_curve_of_one_scan_says_that_it_has_no_interval():
    marks = {"seriesuid": ["a", "a"], "coordX": [0, 30], "coordY": [0, 0], "coordZ": [0, 0], "probability": [0.9, 0.4]}
    lesions = {"seriesuid": ["a"], "coordX": [1], "coordY": [0], "coordZ": [0], "diameter_mm": [8]}
    found = rl.imaging.froc(marks, lesions, scans=["a"], resampling=20, rng=1)
    assert "intervals: none, one scan does not show how scans differ" in str(found)
    words = [text.get_text() for text in found.plot().ax.get_legend().get_texts()]
    assert words == [f"{found.detector}, CPM {found.cpm:.4f} (no interval: one scan)"]
