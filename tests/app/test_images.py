"""Scans on the page: slices are those of the file, marks those of the CAD, and places are the same in all planes."""

from __future__ import annotations

import json

import numpy as np
import pytest

import roclab as rl
from roclab._core.text import csv_text
from roclab.analysis.viewing.layers import layer_of_text
from roclab.analysis.viewing.scans import cad_of_scan, show_scan
from roclab.app.asking import Asked
from roclab.app.questions import QUESTIONS
from roclab.app.scans import Scans
from roclab.errors import InputError, RoclabError
from tests.app.pages import open_view, until

pytest.importorskip("SimpleITK", reason="the extra roclab[imaging] is not installed")


@pytest.fixture(scope="module")
def chest():
    return rl.imaging.phantom_chest(size=(24, 64, 72), spacing=(3.0, 3.2, 3.0), nodules=2, noise=20, rng=5)


@pytest.fixture(scope="module")
def place(chest, tmp_path_factory):
    folder = tmp_path_factory.mktemp("scans")
    (folder / "truth.csv").write_text(csv_text(chest.annotations("chest")))
    rl.imaging.write_volume(chest.lungs, folder / "lungs.nii.gz")
    return rl.imaging.write_volume(chest.volume, folder / "chest.nii.gz")


def test_bad_requests_have_their_sentence(place, tmp_path):
    scans = Scans(tmp_path)
    for path in ("", "\0", str(tmp_path / "nowhere.nii.gz"), str(tmp_path)):
        with pytest.raises(RoclabError):
            scans.open(path)
    with pytest.raises(InputError, match="does not hold"):
        scans.slice("unknown", "scan", "axial", 0)
    key = scans.open(str(place))["key"]
    for image, plane, at in (
        ("scan", "oblique", 0),
        ("scan", "axial", -1),
        ("scan", "sagittal", 72),
        ("no", "axial", 0),
    ):
        with pytest.raises(InputError):
            scans.slice(key, image, plane, at)
    with pytest.raises(InputError, match="layer that is asked for"):
        scans.labels(key, "lungs", "axial", 0)
    with pytest.raises(InputError, match="must be a series in time"):
        scans.curve(key, [0, 0, 0])
    with pytest.raises(InputError, match="a path must name an image"):
        scans.add_file(key, " ")
    np.save(tmp_path / "other.npy", np.zeros((2, 3, 4)))
    with pytest.raises(InputError, match="must lie in the same place as the scan"):
        scans.add_file(key, str(tmp_path / "other.npy"))
    with pytest.raises(InputError, match="times and arrival must be seconds"):
        scans.open(str(place), {"times": "0, soon"})


def test_only_the_last_scans_are_held(place, tmp_path):
    scans = Scans(tmp_path)
    keys = [scans.open(str(place))["key"] for _ in range(3)]
    with pytest.raises(InputError):
        scans.slice(keys[0], "scan", "axial", 0)
    assert len(scans.slice(keys[2], "scan", "axial", 0)) == 2 * 64 * 72


def test_files_over_a_scan_are_labels_or_colours(chest, place, tmp_path):
    scans = Scans(tmp_path)
    key = scans.open(str(place))["key"]
    facts = scans.add_file(key, str(place.with_name("lungs.nii.gz")))
    assert [one["name"] for one in facts["labels"]] == ["lungs"]
    codes = np.frombuffer(scans.labels(key, "lungs", "axial", 11), "<u2").reshape(64, 72)
    assert (codes == chest.lungs.array[11]).all()
    share = chest.volume.with_array(np.linspace(0, 1, chest.volume.array.size).reshape(chest.volume.shape))
    facts = scans.add_file(key, str(rl.imaging.write_volume(share, tmp_path / "share.nii.gz")))
    assert facts["images"][-1]["colour"]
    assert facts["images"][-1]["window"] == [0.0, 1.0]


def test_marks_are_those_of_the_cad(place, chest):
    asked = Asked(item=None, options={"path": str(place), "truth": str(place.with_name("truth.csv"))})
    found = QUESTIONS["cad"].run(asked)
    json.dumps(found, allow_nan=False)
    wanted = rl.imaging.cad_apply("phantoms", place)
    at = found["table"]["columns"].index("probability")
    assert [row[at] for row in found["table"]["rows"]] == wanted.probability.tolist()
    assert found["hits"] == wanted.found.hits(chest.nodules)
    assert found["nodules"] == 2
    shown = show_scan(place)
    row, index = found["table"]["rows"][0], np.array(found["places"][0])
    names = found["table"]["columns"]
    assert shown.volume.to_world(index)[0] == pytest.approx([row[names.index(name)] for name in "xyz"])
    lungs = layer_of_text(asked.made["lungs"], shown.volume.shape).codes
    assert (lungs > 0).sum() == (wanted.lungs.array > 0).sum()
    assert np.median(shown.images[0].codes[lungs > 0]) < -600  # air, so the mask lies where the lungs are shown
    regions = layer_of_text(asked.made["regions"], shown.volume.shape).codes
    assert regions[tuple(np.rint(index).astype(int))] == found["regions"][0]
    alone = cad_of_scan(place, "phantoms")
    assert (alone["threshold"], alone["nodules"], alone["hits"]) == (found["threshold"], None, None)
    for question in ("cad", "classes"):
        with pytest.raises(InputError, match="a scan must be open"):
            QUESTIONS[question].run(Asked(item=None, options={}))


def test_classes_are_those_of_segment(place):
    asked = Asked(item=None, options={"path": str(place), "classes": 3})
    found = QUESTIONS["classes"].run(asked)
    wanted = rl.imaging.segment(place, classes=3)
    shape = show_scan(place).volume.shape
    assert found["layers"] == ["classes", *(f"membership of class {at}" for at in (1, 2, 3))]
    assert (layer_of_text(asked.made["classes"], shape).codes == wanted.labels + 1).all()
    member = layer_of_text(asked.made["membership of class 2"], shape)
    assert member.codes * member.slope + member.intercept == pytest.approx(wanted.memberships[1], abs=2e-5)


def scroll(page, plane, key):
    page.locator(f"canvas[data-plane={plane}]").focus()
    page.keyboard.press(key)


def at(page, plane):
    return f"document.querySelector('canvas[data-plane={plane}]').dataset.at"


def test_a_scan_is_scrolled_by_mouse_and_keyboard(open_app):
    page = open_app()
    open_view(page, "images")
    page.fill("#scan-path", "/nowhere/scan.nii.gz")
    page.click("#open-scan")
    page.wait_for_selector("#scan-said .banner")
    page.click("#example-scan")
    page.wait_for_selector("canvas[data-at]")
    assert page.locator("canvas[data-plane=axial]").get_attribute("data-at") == "20"
    scroll(page, "axial", "ArrowUp")
    until(page, f"{at(page, 'axial')} === '21'")
    scroll(page, "axial", "End")
    until(page, f"{at(page, 'axial')} === '39'")
    page.click("#windows [data-choice=soft]")
    page.wait_for_selector("#windows [data-choice=soft][aria-pressed=true]")
    box = page.locator("canvas[data-plane=coronal]").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    until(page, f"Math.abs(Number({at(page, 'axial')}) - 19) <= 1")
    page.check("#highest")
    page.uncheck("#highest")
    page.click("#close-scan")
    page.wait_for_selector("#example-scan")


def test_marks_rows_curve_and_circles_are_one(open_app, place):
    page = open_app()
    open_view(page, "images")
    page.fill("#scan-path", str(place))
    page.click("#open-scan")
    page.wait_for_selector("canvas[data-at]")
    page.fill("#cad-truth", str(place.with_name("truth.csv")))
    page.click("#mark")
    page.wait_for_selector("#marks tbody tr")
    many = page.locator("#marks tbody tr").count()
    cells = {one: int(page.locator(f"#marks [data-value={one}]").inner_text()) for one in ("tp", "fp", "fn", "tn")}
    assert sum(cells.values()) == page.evaluate("roclab.scan.marks.length")
    assert cells["tp"] + cells["fp"] == many
    page.locator("#marks tbody tr button").first.click()
    first = page.evaluate("roclab.scan.marks[0]")
    z, y, x = (round(one) for one in first["place"])
    until(page, f"{at(page, 'axial')} === '{z}' && roclab.scan.state.chosen === {first['mark']}")
    assert page.locator("#layer-regions").is_checked()
    page.evaluate("roclab.scan.state.chosen = null")
    box = page.locator("canvas[data-plane=axial]").bounding_box()
    page.mouse.click(box["x"] + (x + 0.5) / 72 * box["width"], box["y"] + (y + 0.5) / 64 * box["height"])
    until(page, f"roclab.scan.state.chosen === {first['mark']}")
    until(page, "document.querySelectorAll('#marks tbody tr.here').length === 1")
    page.evaluate("document.querySelector('#mark-threshold').value = 1")
    page.dispatch_event("#mark-threshold", "input")
    assert page.locator("#marks tbody tr").count() < many
    page.locator("#froc .handle").focus()
    page.keyboard.press("End")  # the lowest threshold of the curve shows all
    until(page, f"document.querySelectorAll('#marks tbody tr').length >= {many}")


def test_a_series_shows_curves_under_the_mouse(open_app):
    page = open_app()
    open_view(page, "images")
    page.click("#scan-kind [data-choice=series]")
    page.click("#example-scan")
    page.wait_for_selector("canvas[data-at]")
    names = page.locator("#viewer-image option").all_inner_texts()
    assert names[0] == "before contrast agent"
    assert names[-1] == "maximum less before"
    page.select_option("#viewer-image", names[2])
    page.select_option("#viewer-over", "confidence")
    page.check("#layer-types-of-curves")
    _, y, x = page.evaluate("roclab.scan.facts.start")
    planes = page.evaluate("roclab.scan.facts.planes.axial")
    box = page.locator("canvas[data-plane=axial]").bounding_box()
    page.mouse.move(
        box["x"] + (x + 0.5) / planes["columns"] * box["width"], box["y"] + (y + 0.5) / planes["rows"] * box["height"]
    )
    page.wait_for_selector(".curve-voxel", state="attached")
    page.wait_for_selector(".curve-part", state="attached")
    assert page.locator(".kinetic-key li").count() == 4
    drawn = page.locator("polyline.curve-voxel").get_attribute("points").split()
    assert len(drawn) == 1 + len(page.evaluate("roclab.scan.facts.curves.seconds"))
