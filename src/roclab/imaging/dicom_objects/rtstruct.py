"""Regions of a volume as an RT Structure Set: closed planar contours on the slices they were found in."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.whole_file import check_place, write_whole
from roclab.imaging.dicom_elements import DataSet, decimals, new_uid, part_10
from roclab.imaging.dicom_objects.contours import contours_of
from roclab.imaging.dicom_objects.seg import named_segments
from roclab.imaging.dicom_objects.source import source_images
from roclab.imaging.volumes import Volume

__all__ = ["write_dicom_rtstruct"]

_CLASS = "1.2.840.10008.5.1.4.1.1.481.3"
_COLOURS = ("232\\89\\12", "34\\184\\207", "255\\212\\59", "169\\227\\75")


def write_dicom_rtstruct(
    labels: Volume, source: str | os.PathLike[str], path: str | os.PathLike[str], *,
    names: Mapping[str, int] | None = None,
) -> Path:  # fmt: skip
    """Write regions as contours (RTSTRUCT), which planning systems and viewers read.

    Parameters
    ----------
    labels : Volume
        Whole numbers, 0 outside; in the place of the series.
    source : folder
        The DICOM series: patient, study and frame of reference are taken from it.
    path : file
    names : mapping of names to numbers, optional
        Default: every number in the volume.

    Notes
    -----
    A voxel lies inside by the rule of even and odd, exactly where the label has it.
    """
    place = Path(path)
    check_place(place, name="path")
    chosen = named_segments(labels, names)
    images = source_images(source, labels)
    first = images[0]
    rois, contours, seen = [], [], []
    for at, (name, number) in enumerate(chosen.items(), start=1):
        items = []
        for z in np.flatnonzero((labels.array == number).any(axis=(1, 2))):
            for loop in contours_of(labels.array[z] == number):
                points = labels.to_world(np.column_stack([np.full(len(loop), z), loop]))
                items.append(_contour(images[z], points))
        rois.append({
            0x30060022: ("IS", str(at)), 0x30060024: ("UI", str(first.FrameOfReferenceUID)),
            0x30060026: ("LO", name[:64]), 0x30060036: ("CS", "AUTOMATIC"),
        })  # fmt: skip
        contours.append({
            0x3006002A: ("IS", _COLOURS[(at - 1) % len(_COLOURS)]), 0x30060040: ("SQ", items),
            0x30060084: ("IS", str(at)),
        })  # fmt: skip
        seen.append({
            0x30060082: ("IS", str(at)), 0x30060084: ("IS", str(at)), 0x300600A4: ("CS", ""), 0x300600A6: ("PN", ""),
        })  # fmt: skip
    now = datetime.now()
    data: dict[int, tuple[str, Any]] = {
        0x00080005: ("CS", "ISO_IR 192"), 0x00080016: ("UI", _CLASS), 0x00080018: ("UI", new_uid()),
        0x00080060: ("CS", "RTSTRUCT"), 0x00080070: ("LO", "roclab"), 0x0008103E: ("LO", "roclab, research use"),
        0x0020000E: ("UI", new_uid()), 0x00200011: ("IS", "1"), 0x30060002: ("SH", "roclab"),
        0x30060008: ("DA", f"{now:%Y%m%d}"), 0x30060009: ("TM", f"{now:%H%M%S}"),
        0x30060010: ("SQ", [_frame(first, images)]), 0x30060020: ("SQ", rois), 0x30060039: ("SQ", contours),
        0x30060080: ("SQ", seen), **_patient(first),
    }  # fmt: skip
    write_whole(place, part_10(data), name="path")
    return place


def _contour(image: Any, points: Any) -> DataSet:
    return {
        0x30060016: ("SQ", [_reference(image)]), 0x30060042: ("CS", "CLOSED_PLANAR"),
        0x30060046: ("IS", str(len(points))), 0x30060050: ("DS", decimals(points.ravel())),
    }  # fmt: skip


def _reference(image: Any) -> DataSet:
    return {0x00081150: ("UI", str(image.SOPClassUID)), 0x00081155: ("UI", str(image.SOPInstanceUID))}


def _frame(first: Any, images: list[Any]) -> DataSet:
    series: DataSet = {
        0x0020000E: ("UI", str(first.SeriesInstanceUID)), 0x30060016: ("SQ", [_reference(one) for one in images])
    }  # fmt: skip
    study: DataSet = {
        0x00081150: ("UI", "1.2.840.10008.3.1.2.3.1"), 0x00081155: ("UI", str(first.StudyInstanceUID)),
        0x30060014: ("SQ", [series]),
    }  # fmt: skip
    return {0x00200052: ("UI", str(first.FrameOfReferenceUID)), 0x30060012: ("SQ", [study])}


def _patient(first: Any) -> dict[int, tuple[str, Any]]:
    """Of patient and study, as the source has them."""
    tags = {
        0x00080020: ("DA", "StudyDate"), 0x00080030: ("TM", "StudyTime"), 0x00080050: ("SH", "AccessionNumber"),
        0x00080090: ("PN", "ReferringPhysicianName"), 0x00100010: ("PN", "PatientName"),
        0x00100020: ("LO", "PatientID"), 0x00100030: ("DA", "PatientBirthDate"), 0x00100040: ("CS", "PatientSex"),
        0x0020000D: ("UI", "StudyInstanceUID"), 0x00200010: ("SH", "StudyID"),
    }  # fmt: skip
    return {tag: (kind, str(first.get(name) or "")) for tag, (kind, name) in tags.items()}
