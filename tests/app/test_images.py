"""The viewer: slices are the file's voxels in the order of the body, marks lie where the CAD says."""

from __future__ import annotations

import json

import numpy as np
import pytest

import roclab as rl
from roclab.analysis.viewing import cad_of_scan, packed, show_scan, unpacked
from roclab.app.asking import Asked
from roclab.app.questions import QUESTIONS
from roclab.app.scans import Scans
from roclab.errors import InputError, RoclabError
from tests.app.pages import open_view, until

pytest.importorskip("SimpleITK", reason="images need roclab[imaging]")


@pytest.fixture(scope="module")
def chest():
    return rl.imaging.phantom_chest(size=(24, 64, 72), spacing=(3.0, 3.2, 3.0), nodules=2, noise=20, rng=5)


@pytest.fixture(scope="module")
def place(chest, tmp_path_factory):
    return rl.imaging.write_volume(chest.volume, tmp_path_factory.mktemp("scans") / "chest.nii.gz")


def test_slices_are_the_voxels_of_the_file(place):
    shown, volume = show_scan(place), rl.imaging.read_volume(place)
    values = shown.codes * shown.slope + shown.intercept
    for position in ([0.0, 0.0, 0.0], [10.0, -20.0, 15.0], [-40.0, 30.0, -12.0]):
        stored = tuple(np.rint(volume.to_index(position)[0]).astype(int))
        z, y, x = np.rint(shown.places([position])[0]).astype(int)
        wanted = volume.array[stored]
        assert values[z, y, x] == pytest.approx(wanted, abs=shown.slope)
        up = shown.codes.shape[0] - 1
        assert shown.slice("axial", z)[y, x] == shown.codes[z, y, x]
        assert shown.slice("coronal", y)[up - z, x] == shown.codes[z, y, x]
        assert shown.slice("sagittal", x)[up - z, y] == shown.codes[z, y, x]


def test_the_same_patient_in_another_order_of_axes_is_shown_alike(chest, tmp_path):
    first = show_scan(rl.imaging.write_volume(chest.volume, tmp_path / "one.nii.gz"))
    volume = chest.volume
    direction = np.array(volume.direction).reshape(3, 3)
    end = volume.to_world([[0, 0, volume.shape[2] - 1]])[0]
    direction[:, 0] *= -1
    turned = type(volume)(array=np.ascontiguousarray(volume.array[:, :, ::-1]), spacing=volume.spacing,
                          origin=tuple(end.tolist()), direction=tuple(direction.ravel().tolist()))  # fmt: skip
    second = show_scan(rl.imaging.write_volume(turned, tmp_path / "two.nii.gz"))
    assert np.array_equal(first.codes, second.codes)


def test_values_of_any_size_are_shown_to_the_last_code(tmp_path):
    rng = np.random.default_rng(3)
    values = rng.normal(size=(5, 6, 7)) * 1e-3
    np.save(tmp_path / "small.npy", values)
    shown = show_scan(tmp_path / "small.npy")
    assert np.abs(shown.codes * shown.slope + shown.intercept - values).max() <= shown.slope
    np.save(tmp_path / "flat.npy", np.zeros((3, 4, 5)))
    assert not show_scan(tmp_path / "flat.npy").codes.any()


def test_masks_come_back_as_they_went():
    mask = np.random.default_rng(1).random((5, 7, 9)) > 0.6
    assert np.array_equal(unpacked(packed(mask), mask.shape), mask)


def test_bad_requests_have_their_sentence(place, tmp_path):
    shown = show_scan(place)
    for plane, at in (("oblique", 0), ("axial", -1), ("axial", 24), ("sagittal", 72)):
        with pytest.raises(InputError):
            shown.slice(plane, at)
    scans = Scans(tmp_path)
    for path in ("", "\0", str(tmp_path / "nowhere.nii.gz"), str(tmp_path)):
        with pytest.raises(RoclabError):
            scans.open(path)
    with pytest.raises(InputError, match="does not hold"):
        scans.slice("unknown", "axial", 0)
    opened = scans.open(str(place))
    with pytest.raises(InputError, match="layer that is asked for"):
        scans.layer(opened["key"], "lungs", "axial", 0)


def test_only_the_last_scans_are_held(place, tmp_path):
    scans = Scans(tmp_path)
    keys = [scans.open(str(place))["key"] for _ in range(3)]
    with pytest.raises(InputError):
        scans.slice(keys[0], "axial", 0)
    assert len(scans.slice(keys[2], "axial", 0)) == 2 * 64 * 72


def test_marks_are_those_of_the_cad(place):
    asked = Asked(item=None, options={"path": str(place)})
    found = QUESTIONS["cad"].run(asked)
    json.dumps(found, allow_nan=False)
    wanted = rl.imaging.cad_apply("phantoms", place)
    at = found["table"]["columns"].index("probability")
    assert [row[at] for row in found["table"]["rows"]] == wanted.probability.tolist()
    shown = show_scan(place)
    row, index = found["table"]["rows"][0], np.array(found["places"][0])
    names = found["table"]["columns"]
    assert shown.volume.to_world(index)[0] == pytest.approx([row[names.index(name)] for name in "xyz"])
    lungs = unpacked(asked.made["lungs"], shown.codes.shape)
    assert lungs.sum() == (wanted.lungs.array > 0).sum()
    inside = shown.codes[lungs.astype(bool)] * shown.slope + shown.intercept
    assert np.median(inside) < -600  # air, so the mask lies where the lungs are shown
    assert cad_of_scan(place, "phantoms")["threshold"] == found["threshold"]
    with pytest.raises(InputError, match="a scan must be open"):
        QUESTIONS["cad"].run(Asked(item=None, options={}))


def test_a_scan_is_scrolled_and_marked_by_mouse_and_keyboard(open_app):
    page = open_app()
    open_view(page, "images")
    page.fill("#scan-path", "/nowhere/scan.nii.gz")
    page.click("#open-scan")
    page.wait_for_selector("#scan-said .banner")
    page.click("#example-scan")
    page.wait_for_selector("canvas[data-at]")
    axial = page.locator("canvas[data-plane=axial]")
    assert axial.get_attribute("data-at") == "20"
    axial.focus()
    page.keyboard.press("ArrowUp")
    until(page, "document.querySelector('canvas[data-plane=axial]').dataset.at === '21'")
    page.keyboard.press("End")
    until(page, "document.querySelector('canvas[data-plane=axial]').dataset.at === '39'")
    page.click("#windows [data-choice=soft]")
    page.wait_for_selector("#windows [data-choice=soft][aria-pressed=true]")
    box = page.locator("canvas[data-plane=coronal]").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    until(page, "Math.abs(Number(document.querySelector('canvas[data-plane=axial]').dataset.at) - 19) <= 1")
    page.click("#mark")
    page.wait_for_selector("#marks tbody tr")
    many = page.locator("#marks tbody tr").count()
    page.locator("#marks tbody tr button").first.click()
    wanted = page.evaluate("roclab.scan.marks[0].place.map(Math.round)")
    until(page, f"document.querySelector('canvas[data-plane=axial]').dataset.at === '{wanted[0]}'")
    page.evaluate("document.querySelector('#mark-threshold').value = 0.98")
    page.dispatch_event("#mark-threshold", "input")
    assert page.locator("#marks tbody tr").count() < many
    page.click("#close-scan")
    page.wait_for_selector("#example-scan")
