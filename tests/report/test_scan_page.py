"""The page of a scan: nothing from outside, nothing that a name could run, and in a browser the right counts."""

from __future__ import annotations

import base64
import json
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

import roclab as rl
import roclab.report
from roclab._core.png import grey_png
from roclab.analysis.lung_cad.page import scan_page_of
from roclab.analysis.viewing.scans import viewer_of_marks
from roclab.analysis.viewing.scene import highest_of, slice_of
from roclab.imaging.cut_outs import cut_outs, edges_of
from roclab.imaging.volumes import Volume
from roclab.report.scan_page import scan_page

HOSTILE = "</script><img src=x onerror=alert(1)>\"'<b>"


@pytest.fixture(scope="module")
def chest():
    return rl.imaging.phantom_chest(
        size=(40, 128, 128), spacing=(2.0, 1.6, 1.6), nodules=8, diameters=(5, 16), rng=9001
    )


@pytest.fixture(scope="module")
def marks(chest):
    return rl.imaging.cad_apply("phantoms", chest.volume, name=HOSTILE, lungs=chest.lungs)


@pytest.fixture(scope="module")
def content(marks, chest):
    return scan_page_of(marks, {HOSTILE: chest.nodules})


@pytest.fixture(scope="module")
def text(content):
    return scan_page(content)


def unpacked(png):
    """Rows and columns of a grey PNG without filters, read by its definition."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, parts = 8, {}
    while at < len(png):
        (size,) = struct.unpack(">I", png[at : at + 4])
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size : at + 12 + size])[0] == zlib.crc32(kind + body)
        parts[kind] = body
        at += 12 + size
    columns, rows, depth, colour = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    assert (depth, colour) == (8, 0)
    lines = np.frombuffer(zlib.decompress(parts[b"IDAT"]), dtype=np.uint8).reshape(rows, columns + 1)
    assert (lines[:, 0] == 0).all()
    return lines[:, 1:]


def test_pictures_are_png_definition():
    image = np.random.default_rng(1).integers(0, 256, size=(5, 7), dtype=np.uint8)
    assert (unpacked(grey_png(image)) == image).all()


def test_cut_outs_are_slices_through_the_place_definition():
    """With pixels as large as voxels every slice is a part of the array."""
    rng = np.random.default_rng(2)
    volume = Volume(array=rng.integers(0, 256, size=(21, 21, 21)), oriented=True)
    labels = np.zeros(volume.shape, dtype=np.int16)
    labels[8:13, 9:12, 10:12] = 7
    axial, coronal, sagittal = cut_outs(volume, labels, 7, (10, 10, 10), field=9, pixels=9, window=(0, 255))
    part = slice(6, 15)
    assert (axial.grey == volume.array[10, part, part]).all()
    assert (coronal.grey == volume.array[part, 10, part][::-1]).all()
    assert (sagittal.grey == volume.array[part, part, 10][::-1]).all()
    assert (axial.inside == (labels[10, part, part] == 7)).all()
    assert (sagittal.inside == (labels[part, part, 10] == 7)[::-1]).all()
    assert [(one.above, one.left) for one in (axial, coronal, sagittal)] == [("A", "R"), ("S", "R"), ("S", "A")]
    beyond = cut_outs(volume, None, 0, (500, 500, 500), field=9, pixels=9, window=(0, 255))
    assert all((one.grey == 0).all() and not one.inside.any() for one in beyond)
    unknown = Volume(array=volume.array)
    assert {one.above for one in cut_outs(unknown, None, 0, (1, 1, 1), field=9, pixels=9, window=(0, 255))} == {""}


def test_outlines_close_around_the_mask_definition():
    mask = np.random.default_rng(3).random((9, 8)) < 0.4
    edges = set()
    for y, x in np.argwhere(mask):
        edges ^= {("H", y, x), ("H", y + 1, x), ("V", y, x), ("V", y, x + 1)}
    found = set()
    for x, y, way, end in re.findall(r"M(\d+) (\d+)([HV])(\d+)", edges_of(mask)):
        x, y, end = int(x), int(y), int(end)
        found |= {("H", y, at) for at in range(x, end)} if way == "H" else {("V", at, x) for at in range(y, end)}
    assert found == edges


def test_the_page_has_every_mark_and_nothing_from_outside(text, content, marks):
    assert len(content.rows) == len(marks.found.regions)
    assert text.count('<article class="mark') == len(content.rows) + len(content.missed)
    assert text.count("data:image/png;base64,") == 3 * (len(content.rows) + len(content.missed))
    chances = [float(one) for one in re.findall(r'data-probability="([^"]+)"', text)]
    assert chances == marks.probability.tolist() == sorted(chances, reverse=True)
    assert "default-src 'none'" in text
    assert text.count("Research use, not a medical device.") >= 2
    assert not re.search(r'(?:src|href)="(?!#|data:image/png;base64,)', text)
    first = base64.b64decode(re.search(r"base64,([^\"]+)", text).group(1))
    assert unpacked(first).shape == (96, 96)


def test_a_hostile_name_stays_text(text):
    assert HOSTILE not in text
    assert "<img src=x" not in text
    assert text.count("</script>") == 2
    assert json.loads(re.search(r'id="numbers">(.*?)</script>', text, re.DOTALL).group(1))["evaluated"] is True
    scripts = (Path(roclab.report.__file__).parent / "static" / "scan.js").read_text(encoding="utf-8")
    assert "innerHTML" not in scripts
    assert "eval" not in scripts.replace("evaluated", "")


def test_in_an_evaluation_hits_misses_and_worst_marks_are_told(content, marks, chest):
    hits = marks.found.hits(chest.nodules)
    assert [row["hit"] for row in content.rows] == hits
    assert {one["nodule"] for one in content.missed} == set(range(1, 9)) - set(hits)
    wrong = [row["mark"] for row in content.rows if row["hit"] == 0]
    assert content.worst == tuple(wrong[:5])
    found = {hit for hit, row in zip(hits, content.rows, strict=True) if row["marked"]} - {0}
    assert f"They find {len(found)} of 8 nodules" in content.answer
    alone = scan_page_of(marks)
    assert not alone.evaluated
    assert alone.missed == ()
    assert "They find" not in alone.answer


def test_the_threshold_shows_and_hides_marks(open_page, text, content):
    page = open_page(text)

    def counted():
        shown = page.locator("#marks .mark:visible").count()
        return [int(page.locator(f"#{name}").inner_text()) for name in ("count", "found", "lost", "false")], shown

    def expected(threshold):
        rows = [row for row in content.rows if row["probability"] >= threshold]
        found = len({row["hit"] for row in rows} - {0})
        return [len(rows), found, 8 - found, sum(row["hit"] == 0 for row in rows)], len(rows)

    assert counted() == expected(content.threshold)
    page.get_by_role("button", name="All marks").click()
    assert counted() == expected(0)
    page.locator("#slide").fill("50")
    assert counted() == expected(0.05)
    page.get_by_role("button", name="Stored operating point").click()
    grip = page.locator("#froc .handle")
    grip.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    at = content.curve["threshold"].index(content.threshold) + 3
    assert counted() == expected(content.curve["threshold"][at])
    assert page.locator("#sensitivity").inner_text() == f"{content.curve['sensitivity'][at]:.4f}"
    box = page.locator("#froc .surface").bounding_box()
    page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.2 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"], box["y"] + 0.05 * box["height"], steps=4)
    page.mouse.up()
    last = len(content.curve["threshold"]) - 1
    assert counted()[0][0] >= expected(content.curve["threshold"][last - 40])[0][0]


def test_without_scripts_all_marks_are_there(open_page, text, content):
    page = open_page(text, java_script_enabled=False, width=800)
    assert page.locator("#marks .mark:visible").count() == len(content.rows)
    assert page.locator("#froc").is_hidden()


@pytest.mark.parametrize("width", [320, 800, 1280])
def test_nothing_runs_over_the_side(open_page, text, width):
    page = open_page(text, width=width)
    assert page.evaluate("() => document.documentElement.scrollWidth") <= width


def test_places_are_checked(marks, tmp_path):
    with pytest.raises(rl.errors.InputError, match="path must end in .html, got"):
        marks.write_report(tmp_path / "scan.txt")
    with pytest.raises(rl.errors.FileError, match="must be in a directory that exists"):
        marks.write_report(tmp_path / "none" / "scan.html")


def test_applying_needs_no_scikit_learn():
    code = (
        "import sys\nimport roclab as rl\nmade = rl.imaging.phantom_chest(size=(12, 64, 64), nodules=1, rng=1)\n"
        "marks = rl.imaging.cad_apply('phantoms', made.volume, name='x')\n"
        "from roclab.analysis.lung_cad.page import scan_page_of\nscan_page_of(marks, {'x': made.nodules})\n"
        "print(any(name.startswith('sklearn') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_viewer_shows_the_voxels_of_the_scan(open_page, marks, chest):
    """Codes of the page against the volume, by a source that is made of the page's own blocks."""
    content = scan_page_of(marks, {HOSTILE: chest.nodules}, viewer_of_marks(marks))
    page = open_page(scan_page(content))
    page.wait_for_selector("#viewer.ready")
    index = np.rint(chest.volume.to_index(marks.found.regions[0].position)[0]).astype(int)
    value = max(int(chest.volume.array[tuple(index)]), -1024)
    assert page.locator("#voxel").inner_text() == f"value here: {value} HU"
    assert page.locator("canvas[data-plane=axial]").get_attribute("data-at") == str(index[0])
    last = page.locator("#marks .mark:visible").last
    number = int(last.get_attribute("data-mark"))
    last.locator(".show").click()
    region = next(row["region"] for row in content.rows if row["mark"] == number)
    where = next(one.position for one in marks.found.regions if one.number == region)
    z = round(float(chest.volume.to_index(where)[0][0]))
    page.wait_for_selector(f"canvas[data-plane=axial][data-at='{z}']")
    assert page.locator(".mark.chosen").get_attribute("data-mark") == str(number)
    cells = [int(page.locator(f"#square-{one}").inner_text()) for one in ("tp", "fp", "fn", "tn")]
    shown = [row for row in content.rows if row["probability"] >= content.threshold]
    assert cells[:2] == [sum(row["hit"] > 0 for row in shown), sum(row["hit"] == 0 for row in shown)]
    assert sum(cells) == len(content.rows)


def test_cuts_of_embedded_blocks_are_slices(open_page, text):
    """Against those that the server makes."""
    page = open_page(text)
    source = (Path(roclab.report.__file__).parent / "static" / "embedded.js").read_text("utf-8")
    made = re.sub(r"^export ", "", source, flags=re.MULTILINE)
    counts = page.evaluate(
        """([code, [z, y, x]]) => {
            const make = new Function(code + "; return EmbeddedSource;")();
            const codes = Int16Array.from({ length: z * y * x }, (_, at) => at % 30011);
            const axial = { slices: z, rows: y, columns: x };
            const planes = { axial, coronal: { slices: y }, sagittal: { slices: x } };
            const source = new make({ planes }, { b: codes });
            const image = { name: "i", block: "b", frame: null };
            return { axial: [...source.slice(image, "axial", 2)], coronal: [...source.slice(image, "coronal", 3)],
                     sagittal: [...source.slice(image, "sagittal", 4)],
                     highest: [...source.highest(image, "sagittal")] };
        }""",
        [made, [5, 6, 7]],
    )
    codes = (np.arange(5 * 6 * 7) % 30011).reshape(5, 6, 7)
    assert counts["axial"] == slice_of(codes, "axial", 2).ravel().tolist()
    assert counts["coronal"] == slice_of(codes, "coronal", 3).ravel().tolist()
    assert counts["sagittal"] == slice_of(codes, "sagittal", 4).ravel().tolist()
    assert counts["highest"] == highest_of(codes, "sagittal").ravel().tolist()
