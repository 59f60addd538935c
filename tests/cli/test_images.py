"""Images on the command line: phantoms, lungs, classes and regions, written in place and read again."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest

import roclab as rl

pytest.importorskip("SimpleITK", reason="the extra roclab[imaging] is not installed")


@pytest.fixture
def scan(shell, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shell(
        "phantom", "scan.nii.gz", "--size", "24,128,128", "--seed", "1", "--lungs", "truth.nii.gz", "--labels",
        "tissues.nii.gz", "--annotations", "lesions.csv",
    )  # fmt: skip
    return tmp_path


def test_a_phantom_is_written_with_its_truth(scan):
    made = rl.imaging.phantom_chest(size=(24, 128, 128), rng=1)
    assert (rl.imaging.read_volume(scan / "scan.nii.gz").array == made.volume.array).all()
    assert (rl.imaging.read_volume(scan / "truth.nii.gz").array == made.lungs.array).all()
    assert (rl.imaging.read_volume(scan / "tissues.nii.gz").array == made.labels.array).all()
    with (scan / "lesions.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [float(row["diameter_mm"]) for row in rows] == [one.diameter for one in made.nodules]
    assert {row["seriesuid"] for row in rows} == {"scan"}


def test_lungs_are_written_where_the_scan_lies(shell, scan):
    told = shell("segment", "scan.nii.gz", "--out", "lungs.nii.gz", "--overlay", "lungs.png").stdout
    lungs, truth = rl.imaging.read_volume(scan / "lungs.nii.gz"), rl.imaging.read_volume(scan / "truth.nii.gz")
    assert lungs.same_place(truth)
    assert (
        2 * ((lungs.array > 0) & (truth.array > 0)).sum() / ((lungs.array > 0).sum() + (truth.array > 0).sum()) > 0.97
    )
    assert "right" in told
    assert (scan / "lungs.png").read_bytes().startswith(b"\x89PNG")


def test_classes_are_written_from_one(shell, scan):
    told = json.loads(shell("segment", "scan.nii.gz", "--classes", "3", "--beta", "0", "-o", "c.mha", "--json").stdout)
    classes = rl.imaging.read_volume(scan / "c.mha").array
    assert np.unique(classes).tolist() == [1, 2, 3]
    assert np.bincount(classes.ravel())[1:].tolist() == told["sizes"]


def test_classes_by_the_settings_of_the_thesis(shell, scan):
    asked = ("segment", "scan.nii.gz", "--classes", "3", "--preset", "thesis", "--window", "-1024,1000")
    told = json.loads(shell(*asked, "--mask", "truth.nii.gz", "--history", "j.png", "-o", "c.nii.gz", "--json").stdout)
    assert told["beta"] == 100
    assert (scan / "j.png").read_bytes().startswith(b"\x89PNG")
    inside = rl.imaging.read_volume(scan / "truth.nii.gz").array > 0
    assert ((rl.imaging.read_volume(scan / "c.nii.gz").array > 0) == inside).all()
    plain = json.loads(shell("segment", "scan.nii.gz", "--classes", "3", "--method", "fcm", "--json").stdout)
    assert plain["beta"] == 0
    flat = json.loads(shell("segment", "scan.nii.gz", "--classes", "2", "--radius", "0,1,1", "--json").stdout)
    assert flat["radius"] == [0, 1, 1]


def test_python_calls_have_the_names_of_the_commands(scan):
    chest = rl.imaging.phantom(size=(24, 128, 128), rng=1)
    assert (chest.volume.array == rl.imaging.read_volume("scan.nii.gz").array).all()
    lungs = rl.imaging.segment("scan.nii.gz")
    assert (lungs.labels.array == rl.imaging.segment_lungs(chest.volume).labels.array).all()
    classes = rl.imaging.segment("scan.nii.gz", classes=2, mask="truth.nii.gz")
    again = rl.imaging.segment(np.maximum(chest.volume.array, -1024), classes=2, mask=chest.lungs.array)
    assert (classes.labels == again.labels).all()
    with pytest.raises(rl.errors.InputError, match="kind must be one of"):
        rl.imaging.phantom("knee")
    asked = {"size": (8, 48, 64), "rng": 1}
    assert (rl.imaging.phantom("breast", **asked).truth.array == rl.imaging.phantom_breast(**asked).truth.array).all()


def test_regions_are_marks_for_froc_and_features_for_the_bench(shell, scan):
    table = shell(
        "nodules", "scan.nii.gz", "--lungs", "truth.nii.gz", "-o", "marks.csv", "--regions", "regions.nii.gz", "--csv"
    ).stdout  # fmt: skip
    rows = list(csv.DictReader(table.splitlines()))
    found = rl.imaging.nodules(scan / "scan.nii.gz", lungs=scan / "truth.nii.gz")
    assert [int(row["region"]) for row in rows] == [one.number for one in found.regions]
    assert rl.imaging.read_volume(scan / "regions.nii.gz").array.max() == len(rows)
    curve = json.loads(shell("froc", "lesions.csv", "marks.csv", "--replicates", "20", "--seed", "1", "--json").stdout)
    assert curve["lesions"] == 12
    assert curve["missed"] < 5


def test_marks_of_another_program_are_measured(shell, scan):
    shell("nodules", "scan.nii.gz", "--lungs", "truth.nii.gz", "-o", "marks.csv")
    told = json.loads(
        shell("nodules", "scan.nii.gz", "--lungs", "truth.nii.gz", "--marks", "marks.csv", "--json").stdout
    )
    assert told["score"] == "probability"
    with (scan / "marks.csv").open(newline="") as lines:
        given = sorted(float(row["score"]) for row in csv.DictReader(lines))
    measured = sorted(row["probability"] for row in told["regions"])
    assert 0.9 * len(given) <= len(measured) <= len(given)
    assert set(measured) <= set(given)


def test_stages_of_several_scans(shell, scan):
    shell("phantom", "two.nii.gz", "--size", "24,128,128", "--seed", "2", "--annotations", "two.csv")
    rows = (scan / "lesions.csv").read_text().splitlines() + (scan / "two.csv").read_text().splitlines()[1:]
    (scan / "all.csv").write_text("\n".join(rows) + "\n")
    (scan / "pages").mkdir()
    asked = (
        "cad",
        "all.csv",
        "scan.nii.gz",
        "two.nii.gz",
        "--model",
        "logistic",
        "--model",
        "ldc",
        "--replicates",
        "20",
    )
    told = json.loads(shell(*asked, "--seed", "1", "--reports", "pages", "--json").stdout)
    assert told["scans"] == 2
    assert [one["stage"] for one in told["stages"]][:2] == ["regions", "nodules"]
    assert (scan / "pages" / "nodules.html").exists()
    assert "--reports must be a folder that exists" in shell.error(*asked, "--reports", "nowhere")
    assert "ANNOTATIONS must hold a nodule of the scans" in shell.error("cad", "two.csv", "scan.nii.gz")


def test_what_cannot_be_is_one_line(shell, scan):
    assert "--size must be numbers with commas" in shell.error("phantom", "x.nii.gz", "--size", "4x4")
    assert "must end in .nii" in shell.error("phantom", "x.jpg", "--size", "16,64,64")
    assert "--out must not be a file that is read" in shell.error("segment", "scan.nii.gz", "-o", "scan.nii.gz")
    assert "--lungs must not be" in shell.error("phantom", "x.nii.gz", "--lungs", "x.nii.gz")
    assert "--overlay must end in" in shell.error("segment", "scan.nii.gz", "--overlay", "x.jpg")
    assert "--out must be in a directory that exists" in shell.error("nodules", "scan.nii.gz", "-o", "none/x.csv")
    assert not (scan / "x.nii.gz").exists()
    assert "--score-by must be one of" in shell.error("nodules", "scan.nii.gz", "--score-by", "luck")
    assert "--beta is for classes of pixels" in shell.error("segment", "scan.nii.gz", "--beta", "4")
    assert "--window must be" in shell.error("segment", "scan.nii.gz", "--classes", "3", "--window", "5,1")
    assert "--history must end in" in shell.error("segment", "scan.nii.gz", "--classes", "3", "--history", "x.txt")
    assert "--radius must be" in shell.error("segment", "scan.nii.gz", "--classes", "3", "--radius", "1,1")
    rl.imaging.write_volume(rl.results.Volume(array=np.zeros((3, 40, 40), np.int16)), "flat.nii.gz")
    assert "two grey values" in shell.error("segment", "flat.nii.gz")
    assert "same place" in shell.error("nodules", "scan.nii.gz", "--lungs", "flat.nii.gz")


def test_a_phantom_is_written_as_dicom_and_its_classes_as_memberships(shell, tmp_path):
    shell("phantom", tmp_path / "c.nii.gz", "--size", "24,64,64", "--seed", "1", "--dicom", tmp_path / "ct")
    one, two = rl.imaging.read_volume(tmp_path / "c.nii.gz"), rl.imaging.read_volume(tmp_path / "ct")
    assert (one.array == two.array).all()
    assert two.modality == "CT"
    said = shell("segment", tmp_path / "ct", "--classes", "3", "--memberships", tmp_path / "m", "--matched",
                 tmp_path / "p.png").stdout  # fmt: skip
    held = [rl.imaging.read_volume(tmp_path / "m" / f"class_{at}.nii.gz").array for at in (1, 2, 3)]
    assert sum(held) == pytest.approx(1.0, abs=1e-5)
    assert "both agree in" in said
    assert (tmp_path / "p.png").stat().st_size > 5000


def test_lobes_of_another_program_are_lungs(shell, scan):
    truth = rl.imaging.read_volume(scan / "truth.nii.gz")
    lobes = np.array([0, 13, 10], dtype=np.uint8)[truth.array]
    lobes[0, 0, 0] = 5
    rl.imaging.write_volume(truth.with_array(lobes), scan / "lobes.nii.gz")
    both = ["--lungs", "lobes.nii.gz", "--lungs-by", "totalsegmentator"]
    wanted = shell("nodules", "scan.nii.gz", "--lungs", "truth.nii.gz", "--csv").stdout
    assert shell("nodules", "scan.nii.gz", *both, "--csv").stdout == wanted
    shell("cad", "apply", "phantoms", "scan.nii.gz", *both, "-o", "marks.csv")
    classes = ["segment", "scan.nii.gz", "--classes", "2", "--mask", "lobes.nii.gz"]
    shell(*classes, "--mask-by", "totalsegmentator", "--out", "classes.nii.gz")
    assert ((rl.imaging.read_volume(scan / "classes.nii.gz").array > 0) == (truth.array > 0)).all()
    assert "--lungs must be a mask" in shell("nodules", "scan.nii.gz", *both[:2], code=2).stderr
    for words in (["nodules", "scan.nii.gz", *both[2:]], [*classes[:-2], "--mask-by", "lungmask"]):
        assert "is for the labels of" in shell(*words, code=2).stderr


def test_marks_of_another_detector_go_into_froc(shell, scan):
    record = {"image": "x/scan.nii.gz", "box": [], "score": []}
    with (scan / "lesions.csv").open(newline="") as lines:
        for row in csv.DictReader(lines):
            record["box"].append([float(row[f"coord{axis}"]) for axis in "XYZ"] + [5, 5, 5])
            record["score"].append(0.5)
    (scan / "result.json").write_text(json.dumps({"validation": [record]}))
    shell("marks", "monai", "result.json", "-o", "marks.csv")
    found = json.loads(shell("froc", "lesions.csv", "marks.csv", "--replicates", "10", "--json").stdout)
    assert (found["missed"], found["false_positives"]) == (0, 0)
    said = shell("marks", "nndetection", "case_boxes.pkl", code=2).stderr
    assert "opening a pickle can run programs" in said


def test_outlines_of_readers_become_annotations(shell, scan):
    volume = rl.imaging.read_volume(scan / "scan.nii.gz")
    z = volume.origin[2] + 5 * volume.spacing[0]
    rows = {
        "scans": [{"id": 1, "series_instance_uid": "scan"}],
        "annotations": [{"id": at, "scan_id": 1, "malignancy": 5 - at} for at in range(3)],
        "contours": [
            {"annotation_id": at, "inclusion": 1, "image_z_position": z, "coords": "10,10\n14,10\n14,14\n10,14"}
            for at in range(3)
        ],
    }
    (scan / "pylidc.json").write_text(json.dumps(rows))
    asked = ["marks", "lidc", "pylidc.json", "--scan", "scan.nii.gz"]
    shell(*asked, "-o", "nodules.csv", "--excluded-out", "others.csv")
    with (scan / "nodules.csv").open(newline="") as lines:
        (row,) = csv.DictReader(lines)
    assert [float(row[f"coord{axis}"]) for axis in "XYZ"] == pytest.approx(volume.to_world([[5, 12, 12]])[0])
    assert (row["malignant"], row["readers"]) == ("1", "3")
    assert "--readers must be 4 at most" in shell(*asked, "--readers", "5", code=2).stderr
    assert "--axes is for boxes of detectors" in shell(*asked, "--axes", "RAS", code=2).stderr
    others = ["marks", "luna16", "marks_a", "--readers", "2"]
    assert "--readers is for outlines of readers" in shell(*others, code=2).stderr


def test_two_saved_runs_are_matched(shell, scan):
    for name, method in (("robust", "rfcm"), ("plain", "fcm")):
        shell("segment", "scan.nii.gz", "--classes", "3", "--method", method, "--memberships", name)
    found = json.loads(shell("match-classes", "robust", "plain", "--image", "scan.nii.gz", "--figure", "m.png",
                             "--plane", "3", "--json").stdout)  # fmt: skip
    runs = [rl.imaging.segment(scan / "scan.nii.gz", classes=3, method=method) for method in ("rfcm", "fcm")]
    wanted = rl.imaging.match_clusters(*runs, names=("robust", "plain"))
    assert found["agreement"] == pytest.approx(wanted.agreement, abs=1e-6)
    assert [row["Dice"] for row in found["pairs"]] == pytest.approx(list(wanted.dice), abs=1e-6)
    assert (scan / "m.png").stat().st_size > 1000
    for words, said in (
        (["robust", "nowhere"], "SECOND must be a folder with the memberships of a run"),
        (["robust", "plain", "--figure", "m.png", "--plane", "99"], "--plane must be a slice from 0 to 23"),
        (["robust", "plain", "--figure", "m.png", "--image", "m.npy"], "--image must have the shape"),
    ):
        np.save("m.npy", np.zeros((2, 3, 4)))
        assert said in shell("match-classes", *words, code=2).stderr
    (scan / "plain" / "class_2.nii.gz").unlink()
    assert "2 images of 3 classes" in shell("match-classes", "robust", "plain", code=2).stderr
    for text in ("[1]", "{}", '{"centres": [[1]], "beta": []}'):
        (scan / "plain" / "run.json").write_text(text)
        assert "must say the run of its classes" in shell("match-classes", "robust", "plain", code=2).stderr
