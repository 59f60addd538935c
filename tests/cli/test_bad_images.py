"""Images that are not what a command needs: one sentence each, in the words that were typed."""

from __future__ import annotations

import math
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import roclab as rl
from roclab.analysis.lung_cad.apply import EXAMPLE
from roclab.imaging.volumes import Volume

pytest.importorskip("SimpleITK", reason="the extra roclab[imaging] is not installed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Scans, series and models, whole and broken."""
    place = tmp_path_factory.mktemp("bad")
    chest = rl.imaging.phantom_chest(size=(12, 96, 96), spacing=(2.5, 2.1, 2.1), nodules=2, rng=1)
    rl.imaging.write_volume(chest.volume, place / "chest.nii.gz")
    rl.imaging.write_volume(chest.lungs, place / "lungs.nii.gz")
    turn = math.radians(30)
    tilted = (1, 0, 0, 0, math.cos(turn), -math.sin(turn), 0, math.sin(turn), math.cos(turn))
    rl.imaging.write_volume(replace(chest.volume, direction=tilted), place / "oblique.nii.gz")
    np.save(place / "plain.npy", chest.volume.array)
    raw = (chest.volume.array + 1024).clip(0).astype(np.uint16)  # a CT without its rescale
    rl.imaging.write_volume(chest.volume.with_array(raw), place / "raw.nii.gz")
    rl.imaging.write_dicom(chest.volume, place / "ct")
    breast = rl.imaging.phantom_breast(size=(6, 48, 64), lesions=[("malignant", 22.0)], rng=1)
    rl.imaging.write_volume(breast.series.place, place / "mr.nii.gz")
    rl.imaging.write_dicom(breast.series.place, place / "mr")
    rl.imaging.write_dicom(breast.series, place / "dce")
    model = rl.imaging.dce_train([breast.as_case("one")], classifier="logistic", rng=1)
    rl.imaging.write_dce_model(model, place / "dce.npz")
    shutil.copy(EXAMPLE, place / "lung.cad")
    for name in ("dce.npz", "lung.cad"):
        whole = (place / name).read_bytes()
        (place / f"cut_{name}").write_bytes(whole[: len(whole) // 2])
    shutil.copytree(place / "dce", place / "mixed")
    sorted((place / "mixed").iterdir())[20].unlink()
    return place


SAID = {
    "another modality by its header": (["cad", "apply", "phantoms", "mr"], "SCAN must be a CT, got mr, of modality MR"),
    "another modality by its values": (
        ["cad", "apply", "phantoms", "mr.nii.gz"], "SCAN must be a CT in Hounsfield units, in which air lies",
    ),
    "no rescale": (["segment", "raw.nii.gz"], "or of a CT without its rescale slope"),
    "dots of no CT": (["nodules", "raw.nii.gz", "--lungs", "lungs.nii.gz"], "FILE must be a CT in Hounsfield units"),
    "model of another modality": (
        ["cad", "apply", "dce.npz", "chest.nii.gz"], "which is roclab DCE model and no roclab lung CAD",
    ),
    "model of another modality, the other way": (
        ["dce", "apply", "lung.cad", "dce"], "which is roclab lung CAD and no roclab DCE model",
    ),
    "cut CAD": (["cad", "apply", "cut_lung.cad", "chest.nii.gz"], "MODEL must be a model that roclab wrote, got cut"),
    "cut model": (["dce", "apply", "cut_dce.npz", "dce"], "MODEL must be a model that roclab wrote, got cut_dce.npz"),
    "mixed phases": (["dce", "apply", "dce.npz", "mixed"], "SERIES must have every slice in every phase"),
    "one phase": (["dce", "apply", "dce.npz", "ct"], "SERIES must hold one place at two times or more"),
    "one volume": (["dce", "apply", "dce.npz", "mr.nii.gz"], "SERIES must be a file of four axes"),
    "no times": (["dce", "apply", "dce.npz", "mr.nii.gz", "mr.nii.gz"], "--times must be given for frames that do not"),
    "a mask of another place": (
        ["cad", "apply", "phantoms", "plain.npy", "--lungs", "lungs.nii.gz"], "--lungs must lie in the same place",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SAID)
def test_one_sentence(shell, folder, monkeypatch, case):
    monkeypatch.chdir(folder)
    words, said = SAID[case]
    done = shell(*words, code=2)
    assert done.stderr.startswith("Error: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_what_may_be_used_says_what_is_odd_about_it(shell, folder, monkeypatch):
    monkeypatch.chdir(folder)
    oblique = shell("cad", "apply", "phantoms", "oblique.nii.gz").stdout
    assert "the image is tilted by 30 degrees against the body" in oblique
    assert "Research use, not a medical device." in oblique
    np.save("lungs.npy", rl.imaging.read_volume("lungs.nii.gz").array)
    unknown = shell("cad", "apply", "phantoms", "plain.npy", "--lungs", "lungs.npy").stdout
    assert "the data do not say how the patient lies" in unknown
    assert "slices 1 mm apart: outside the range of the training scans" in unknown
    assert "pixels of 1 mm: outside the range of the training scans" in unknown
    for words in (["nodules", "chest.nii.gz", "--lungs", "lungs.nii.gz"], ["dce", "apply", "dce.npz", "dce"]):
        assert "Research use, not a medical device." in shell(*words).stdout


def test_sheared_files_are_refused(shell, tmp_path):
    """An sform that is no rotation: NIfTI can say it, a patient cannot lie so."""
    place = rl.imaging.write_volume(Volume(array=np.zeros((4, 5, 6), np.int16)), tmp_path / "sheared.nii")
    data = bytearray(Path(place).read_bytes())
    data[252:256] = np.array([0, 1], "<i2").tobytes()  # no qform, an sform
    rows = np.array([[1, 0.5, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], "<f4")
    data[280:328] = rows.tobytes()
    place.write_bytes(bytes(data))
    assert "FILE must be an image that can be read" in shell("segment", place, code=2).stderr
