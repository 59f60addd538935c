"""DICOM out: classic images, segments, contours and reports, each read back by a program that did not write it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError, MissingExtraError
from roclab.imaging.dicom_objects.contours import contours_of

C, S = np.cos(0.3), np.sin(0.3)
PLACES = {"straight": None, "oblique": (C, -S, 0, S * C, C * C, -S, S * S, S * C, C)}


def inside_of(loops, shape):
    """Voxels by the rule of even and odd: how many pieces a line to the left crosses; slightly below the centre."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    y = y + 0.013
    found = np.zeros(shape, bool)
    for loop in loops:
        for (y0, x0), (y1, x1) in zip(loop, np.roll(loop, -1, axis=0), strict=True):
            if y0 != y1:
                found ^= ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_contours_hold_the_voxels_of_a_mask_property(seed, share):
    mask = np.random.default_rng(seed).random((9, 12)) < share
    assert (inside_of(contours_of(mask), mask.shape) == mask).all()


def test_contours_of_a_hole_and_of_touching_corners():
    ring = np.ones((3, 3), bool)
    ring[1, 1] = False
    assert len(contours_of(ring)) == 2
    assert len(contours_of(np.eye(2, dtype=bool))) == 2
    assert contours_of(np.zeros((2, 2), bool)) == []


@pytest.fixture(params=PLACES, ids=str)
def scan(request, tmp_path):
    """A CT in a folder, and labels with a lot of noise in its place."""
    chest = rl.imaging.phantom_chest(size=(8, 48, 48), nodules=3, rng=1)
    way = PLACES[request.param]
    volume = chest.volume if way is None else replace(chest.volume, direction=way)
    rl.imaging.write_dicom(volume, tmp_path / "ct")
    noise = np.random.default_rng(2).random(volume.shape) < 0.1
    labels = volume.with_array(np.where(noise, 3, chest.lungs.array).astype(np.uint8))
    return tmp_path / "ct", labels, chest


def test_series_is_classic_and_keeps_place_and_values(scan):
    folder, labels, chest = scan
    back = rl.imaging.read_volume(folder)
    assert (back.array == chest.volume.array).all()
    assert back.same_place(labels)
    assert back.modality == "CT"


@pytest.mark.parametrize(("modality", "sop"), [("CT", "1.2"), ("MR", "1.4")])
def test_series_has_the_class_of_its_modality(modality, sop, tmp_path):
    import SimpleITK as sitk  # noqa: N813

    array = np.random.default_rng(1).normal(size=(3, 4, 5))
    volume = rl.results.Volume(array=array, spacing=(2, 1, 1))
    with pytest.raises(InputError, match="modality must be said .* write modality='CT' or modality='MR'"):
        rl.imaging.write_dicom(volume, tmp_path / "none")
    rl.imaging.write_dicom(volume, tmp_path / "d", modality=modality)
    uids = set()
    for file in sorted((tmp_path / "d").iterdir()):
        reader = sitk.ImageFileReader()
        reader.SetFileName(str(file))
        reader.ReadImageInformation()
        assert reader.GetMetaData("0008|0016").strip("\0 ") == f"1.2.840.10008.5.1.4.1.1.{sop[2:]}"
        assert reader.GetMetaData("0008|0060").strip() == modality
        uids.add(reader.GetMetaData("0008|0018"))
    assert len(uids) == 3
    assert rl.imaging.read_volume(tmp_path / "d").array == pytest.approx(array, abs=np.ptp(array) / 65000)


NAMES = {"right lung": 1, "left lung": 2, "noise": 3}


def test_segments_are_read_back(scan, tmp_path):
    pydicom, hd = pytest.importorskip("pydicom"), pytest.importorskip("highdicom")
    folder, labels, _ = scan
    rl.imaging.write_dicom_seg(labels, folder, tmp_path / "s.dcm", names=NAMES)
    found = hd.seg.segread(tmp_path / "s.dcm")
    images = [pydicom.dcmread(one) for one in sorted(folder.iterdir())]
    masks = found.get_pixels_by_source_instance([one.SOPInstanceUID for one in images])
    for at, number in enumerate(NAMES.values()):
        assert (masks[..., at] == (labels.array == number)).all()
    assert found.StudyInstanceUID == images[0].StudyInstanceUID
    assert [found.get_segment_description(at).segment_label for at in (1, 2, 3)] == list(NAMES)
    plain = pydicom.dcmread(tmp_path / "s.dcm")
    assert plain.pixel_array.sum() == (labels.array > 0).sum()


def test_contours_are_read_back(scan, tmp_path):
    pydicom = pytest.importorskip("pydicom")
    folder, labels, _ = scan
    rl.imaging.write_dicom_rtstruct(labels, folder, tmp_path / "r.dcm", names=NAMES)
    held = pydicom.dcmread(tmp_path / "r.dcm")
    image = pydicom.dcmread(sorted(folder.iterdir())[0])
    assert held.StudyInstanceUID == image.StudyInstanceUID
    assert [one.ROIName for one in held.StructureSetROISequence] == list(NAMES)
    for roi, number in zip(held.ROIContourSequence, NAMES.values(), strict=True):
        loops = {z: [] for z in range(labels.shape[0])}
        for one in roi.ContourSequence:
            points = labels.to_index(np.array(one.ContourData, float).reshape(-1, 3))
            assert np.ptp(points[:, 0]) < 1e-4
            loops[round(points[0, 0])].append(np.round(points[:, 1:], 3))
        for z, every in loops.items():
            assert (inside_of(every, labels.shape[1:]) == (labels.array[z] == number)).all()


def test_report_of_marks_is_read_back(tmp_path):
    hd = pytest.importorskip("highdicom")
    chest = rl.imaging.phantom_chest(size=(24, 96, 96), nodules=[("solitary", "solid", 18.0)], noise=30, rng=1)
    rl.imaging.write_dicom(chest.volume, tmp_path / "ct")
    marks = rl.imaging.cad_apply("phantoms", tmp_path / "ct")
    rl.imaging.write_dicom_sr(marks, tmp_path / "ct", tmp_path / "sr.dcm")
    groups = hd.sr.srread(tmp_path / "sr.dcm").content.get_planar_roi_measurement_groups()
    rows = [row for row in marks.rows() if row["marked"]]
    assert len(groups) == len(rows) == marks.marked > 0
    for group, row in zip(groups, rows, strict=True):
        assert group.roi.value[0] == pytest.approx([row["x"], row["y"], row["z"]], abs=1e-3)
        told = {one.name.meaning: float(one.value) for one in group.get_measurements()}
        assert told["Diameter"] == pytest.approx(row["diameter_mm"], abs=1e-6)
        assert told["Probability of a lesion"] == pytest.approx(row["probability"], abs=1e-9)


def test_what_belongs_to_no_series_is_refused(scan, tmp_path):
    pytest.importorskip("pydicom")
    pytest.importorskip("highdicom")
    folder, labels, _ = scan
    with pytest.raises(InputError, match="source must be the folder of the DICOM series"):
        rl.imaging.write_dicom_seg(labels, tmp_path / "none", tmp_path / "s.dcm")
    moved = replace(labels, origin=(0.0, 0.0, 999.0))
    with pytest.raises(InputError, match="source must hold the slices that were searched, got ct with 0 of 8 slices"):
        rl.imaging.write_dicom_rtstruct(moved, folder, tmp_path / "s.dcm")
    with pytest.raises(InputError, match="labels must hold a region, got none"):
        rl.imaging.write_dicom_seg(labels.with_array(labels.array * 0), folder, tmp_path / "s.dcm")
    with pytest.raises(InputError, match="names must be of numbers in the labels, got 'x', 9"):
        rl.imaging.write_dicom_seg(labels, folder, tmp_path / "s.dcm", names={"x": 9})
    with pytest.raises(InputError, match="found must be what cad_apply or dce_apply found"):
        rl.imaging.write_dicom_sr(labels, folder, tmp_path / "s.dcm")


def test_objects_need_a_library(monkeypatch, tmp_path):
    import sys

    monkeypatch.setitem(sys.modules, "highdicom", None)
    labels = rl.results.Volume(array=np.ones((2, 3, 3), np.uint8))
    with pytest.raises(MissingExtraError, match=r"roclab\[dicom\]"):
        rl.imaging.write_dicom_seg(labels, tmp_path, tmp_path / "s.dcm")
