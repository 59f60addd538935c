"""What a viewer shows is what the files hold: voxels, planes, projections, layers, curves and maps, embedded too."""

from __future__ import annotations

import base64
import json
import zlib

import numpy as np
import pytest

import roclab as rl
from roclab.analysis.viewing.embedding import embedded, halved
from roclab.analysis.viewing.layers import layer_of_text, text_of_layer
from roclab.analysis.viewing.overlays import layer_of, layers_of_classes
from roclab.analysis.viewing.page import viewer_page_of
from roclab.analysis.viewing.scans import show_scan
from roclab.analysis.viewing.scene import Image, Labels, coded, empty_scene
from roclab.analysis.viewing.series import scene_of_series, show_series
from roclab.errors import InputError
from roclab.imaging.dce.findings import curve_type
from roclab.imaging.dce.maps import curve_maps
from roclab.imaging.volumes import Volume
from roclab.imaging.volumes_in_time import write_in_time
from roclab.report.viewer_page import viewer_page


@pytest.fixture(scope="module")
def chest():
    return rl.imaging.phantom_chest(size=(24, 64, 72), spacing=(4.0, 3.2, 3.0), nodules=2, noise=20, rng=5)


@pytest.fixture(scope="module")
def breast():
    made = rl.imaging.phantom_breast(size=(8, 48, 64), lesions=[("malignant", 22.0), ("benign", 20.0)], rng=9)
    model = rl.imaging.dce_train([rl.imaging.phantom_breast(size=(8, 48, 64), rng=1).as_case("one")],
                                 classifier="logistic", rng=1)  # fmt: skip
    return made, rl.imaging.dce_apply(model, made.series)


def test_slices_are_the_voxels_of_the_file(chest, tmp_path):
    place = rl.imaging.write_volume(chest.volume, tmp_path / "chest.nii.gz")
    shown, volume = show_scan(place), rl.imaging.read_volume(place)
    image = shown.images[0]
    values = image.codes * image.slope + image.intercept
    for position in ([0.0, 0.0, 0.0], [10.0, -20.0, 15.0], [-40.0, 30.0, -12.0]):
        stored = tuple(np.rint(volume.to_index(position)[0]).astype(int))
        z, y, x = np.rint(shown.places([position])[0]).astype(int)
        assert values[z, y, x] == pytest.approx(volume.array[stored], abs=image.slope)
        up = image.codes.shape[0] - 1
        assert shown.slice("scan", "axial", z)[y, x] == image.codes[z, y, x]
        assert shown.slice("scan", "coronal", y)[up - z, x] == image.codes[z, y, x]
        assert shown.slice("scan", "sagittal", x)[up - z, y] == image.codes[z, y, x]
    assert (shown.highest("scan", "axial") == image.codes.max(axis=0)).all()
    assert (shown.highest("scan", "coronal") == image.codes.max(axis=1)[::-1]).all()
    assert image.unit == "HU"


def test_the_same_patient_in_another_order_of_axes_is_shown_alike(chest, tmp_path):
    first = show_scan(rl.imaging.write_volume(chest.volume, tmp_path / "one.nii.gz"))
    volume = chest.volume
    direction = np.array(volume.direction).reshape(3, 3)
    end = volume.to_world([[0, 0, volume.shape[2] - 1]])[0]
    direction[:, 0] *= -1
    turned = Volume(array=np.ascontiguousarray(volume.array[:, :, ::-1]), spacing=volume.spacing,
                    origin=tuple(end.tolist()), direction=tuple(direction.ravel().tolist()))  # fmt: skip
    second = show_scan(rl.imaging.write_volume(turned, tmp_path / "two.nii.gz"))
    assert np.array_equal(first.images[0].codes, second.images[0].codes)


def test_values_of_any_size_are_shown_to_the_last_code():
    values = np.random.default_rng(3).normal(size=(5, 6, 7)) * 1e-3
    shown = coded("small", values)
    assert np.abs(shown.codes * shown.slope + shown.intercept - values).max() <= shown.slope
    assert not coded("flat", np.zeros((3, 4, 5))).codes.any()
    with pytest.raises(InputError, match="an image with values, got empty without any"):
        coded("empty", np.full((2, 2, 2), np.nan))


def test_layers_come_back_as_they_went():
    rng = np.random.default_rng(1)
    labels = Labels(name="parts", codes=rng.integers(0, 9, (5, 7, 9)).astype("<u2"), words={1: "one"}, filled=True)
    again = layer_of_text(text_of_layer(labels), (5, 7, 9))
    assert (again.codes == labels.codes).all()
    assert (again.name, again.words, again.filled) == ("parts", {1: "one"}, True)
    image = coded("share", rng.random((5, 7, 9)), window=(0.0, 1.0), colour=True)
    again = layer_of_text(text_of_layer(image), (5, 7, 9))
    assert (again.codes == image.codes).all()
    assert (again.slope, again.window, again.colour) == (image.slope, (0.0, 1.0), True)


def test_classes_and_memberships_lie_where_their_pixels_are():
    """Of a scan that is stored in another order of axes."""
    array = np.zeros((6, 8, 10))
    array[4:, 5:, 7:] = 100
    volume = Volume(array=array, direction=(0, 0, -1, 0, 1, 0, 1, 0, 0), spacing=(2.0, 1.0, 1.0))
    scene = empty_scene("turned", volume)
    found = rl.imaging.segment(volume, classes=2, beta=0.0)
    classes, *members = layers_of_classes(found, scene)
    assert ((classes.codes == 2) == (scene.turn.forward(array) > 50)).all()
    assert len(members) == 2
    with pytest.raises(InputError, match="layers must lie in the same place as the scan, got 'no' with another"):
        layer_of("no", Volume(array=array), scene)


def blocks_of(held, like):
    """Embedded codes by the name of the image, read by their definition."""
    out = {}
    for one in [*held["facts"]["images"], *held["facts"]["labels"]]:
        kind = "<i2" if "slope" in one else "<u2"
        codes = np.frombuffer(zlib.decompress(base64.b64decode(held["blocks"][one["block"]])), kind)
        codes = codes.reshape((-1, *like.volume.shape))
        out[one["name"]] = codes[one["frame"] or 0]
    return out


def test_embedded_codes_are_those_of_the_scene(breast):
    made, confidence = breast
    scene = scene_of_series(made.series, called="phantom", confidence=confidence, truth=made.truth)
    shown, held = embedded(scene)
    json.dumps(held["facts"], allow_nan=False)
    assert shown is scene
    found = blocks_of(held, scene)
    for one in scene.images:
        assert (found[one.name] == one.array).all(), one.name
    for one in scene.labels:
        assert (found[one.name] == one.codes).all(), one.name
    assert len(held["blocks"]) < len(scene.images) + len(scene.labels)  # frames share one block


def test_large_scans_are_halved_in_plane_and_it_is_said(chest):
    page = viewer_page_of(chest.volume, layers={"lungs": chest.lungs}, most=30_000)
    assert any("2 x 2 voxels in plane as one" in note for note in page.notes)
    assert page.viewer["facts"]["planes"]["axial"]["rows"] == 32
    scene = empty_scene("c", chest.volume)
    scene.add(coded("scan", scene.volume.array))
    small = halved(scene, (1, 2))
    array = np.asarray(scene.volume.array, dtype=float)
    means = array.reshape(24, 32, 2, 36, 2).mean(axis=(2, 4))  # the definition
    assert np.abs(small.images[0].codes - means).max() <= 0.5
    corner = scene.volume.to_world([[0, 0, 0], [0, 1, 1]]).mean(axis=0)
    assert small.volume.to_world([[0, 0, 0]])[0] == pytest.approx(corner)
    upright = halved(scene, (0, 1))
    assert np.abs(upright.images[0].codes - array.reshape(12, 2, 32, 2, 72).mean(axis=(1, 3))).max() <= 0.5


def test_curves_are_relative_enhancement(breast):
    made, confidence = breast
    scene = scene_of_series(made.series, called="phantom", confidence=confidence, truth=made.truth)
    inside = confidence.mask.array
    frames, rest = made.series.frames, made.series.baseline
    low = 0.1 * np.median(rest[inside])
    for place in np.argwhere(inside)[::200]:
        wanted = (frames[1:, *place].astype(float) - rest[tuple(place)]) / max(rest[tuple(place)], low)
        canonical = np.rint(scene.places(made.series.place.to_world([place]))[0]).astype(int)
        assert scene.curve(canonical.tolist()) == pytest.approx(wanted, abs=1e-3)
    lesions = made.truth.array > 0
    means = [((frame - rest) / np.maximum(rest, low))[lesions].mean() for frame in frames[1:]]
    assert scene.curves.means["mean of lesions"] == pytest.approx(means, abs=1e-3)
    first = confidence.findings.findings[0]
    assert scene.curves.of_parts[1] is first.curve
    with pytest.raises(InputError, match="must be a voxel of"):
        scene.curve([0, 0, 64])


def test_series_are_opened_with_what_files_do_not_say(breast, tmp_path):
    made, _ = breast
    frames, times = np.asarray(made.series.frames), made.series.times
    path = write_in_time(frames, times, made.series.place, tmp_path / "series.nii.gz")
    scene = show_series(str(path), times=made.series.times.tolist(), arrival=made.series.arrival)
    assert (np.diff(scene.curves.seconds) > 0).all()
    assert len(scene.curves.seconds) == len(frames) - made.series.before
    assert "mean of normal tissue" in scene.curves.means
    assert "mean of lesions" not in scene.curves.means
    names = [one.name for one in scene.images]
    assert "confidence" not in names
    model = rl.imaging.dce_train([made.as_case("one")], classifier="logistic", rng=1)
    place = rl.imaging.write_dce_model(model, tmp_path / "m.npz")
    whole = show_series(str(path), times=made.series.times.tolist(), arrival=made.series.arrival, model=str(place))
    assert "confidence" in [one.name for one in whole.images]
    assert "mean of suspicious regions" in whole.curves.means
    assert whole.start is not None
    with pytest.raises(InputError, match="anterior must be one of"):
        show_series(str(path), times=made.series.times.tolist(), arrival=30.0, anterior="up", model=str(place))


def test_maps_are_curve_types_voxel_by_voxel_definition():
    rng = np.random.default_rng(7)
    after = np.array([30.0, 80.0, 140.0, 200.0, 330.0])
    stack = rng.normal(0.7, 0.6, size=(5, 3, 8, 9)).astype(np.float32)
    inside = rng.random((3, 8, 9)) < 0.8
    maps = curve_maps(stack, after, inside)
    numbers = {"": 0, "I": 1, "II": 2, "III": 3}
    for place in np.ndindex(3, 8, 9):
        curve = stack[(slice(None), *place)].astype(float)
        early, change, kind = curve_type(after, curve)
        if not inside[place] or early < 0.5:
            assert maps.types[place] == 0
            assert np.isnan(maps.time_to_peak[place])
            continue
        assert maps.types[place] == numbers[kind]
        assert maps.time_to_peak[place] == after[curve.argmax()]
        assert maps.wash_out[place] == pytest.approx(-change, abs=1e-5)
    assert maps.told
    assert not curve_maps(stack[:3], after[:3], inside).told


def test_pages_of_series_work_offline(breast, tmp_path):
    made, confidence = breast
    path = rl.imaging.write_viewer(made.series, tmp_path / "dce.html", confidence=confidence, truth=made.truth)
    text = path.read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert text.count("Research use, not a medical device.") >= 2
    assert 'src="' not in text
    hostile = viewer_page(viewer_page_of(made.series, title="</script><img src=x>"))
    assert "<img src=x>" not in hostile
    for words, match in (
        ({"confidence": confidence}, "confidence is for a series in time"),
        ({"layers": {"one": np.zeros(3)}}, "layers must be volumes"),
        ({"layers": [1]}, "layers must be a mapping"),
    ):
        with pytest.raises(InputError, match=match):
            rl.imaging.write_viewer(made.truth, tmp_path / "no.html", **words)
    with pytest.raises(InputError, match="must end in .html"):
        rl.imaging.write_viewer(made.truth, tmp_path / "no.txt")
    assert not (tmp_path / "no.html").exists()
    assert isinstance(scene_of_series(made.series, called="x").images[0], Image)
