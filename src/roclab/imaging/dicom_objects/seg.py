"""Regions of a volume as a DICOM segmentation: one binary segment for each, by highdicom."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.whole_file import check_place, write_whole
from roclab.errors import InputError, MissingExtraError, Words
from roclab.imaging.dicom_objects.source import source_images
from roclab.imaging.volumes import Volume

__all__ = ["algorithm", "named_segments", "object_library", "roclab_version", "write_dicom_seg"]

_MOST = 500  # segments: more are no regions that somebody looks at


def object_library() -> Any:
    """Highdicom, or an error with its install line."""
    try:
        import highdicom
    except ImportError:
        raise MissingExtraError(library="highdicom", extra="dicom", purpose="DICOM segmentations and reports") from None
    return highdicom


def roclab_version() -> str:
    """Of the program that found it."""
    try:
        return version("roclab")
    except PackageNotFoundError:
        return "unknown"


def algorithm(hd: Any) -> Any:
    """What found it."""
    return hd.AlgorithmIdentificationSequence(
        name="roclab, research use, not a medical device", version=roclab_version(),
        family=hd.sr.CodedConcept("123109", "DCM", "Artificial Intelligence"),
    )  # fmt: skip


def named_segments(labels: Volume, names: Mapping[str, int] | None) -> dict[str, int]:
    """Names and numbers of what is in a volume of labels."""
    if labels.array.dtype.kind not in "biu":
        raise InputError("labels", "must be whole numbers", Words(str(labels.array.dtype)), "round them first")
    held = {int(one) for one in np.unique(labels.array)} - {0}
    if not held:
        raise InputError("labels", "must hold a region", Words("none"))
    if names is None:
        names = {f"region {one}": one for one in sorted(held)}
    missing = [name for name, number in names.items() if number not in held]
    if missing:
        raise InputError("names", "must be of numbers in the labels", Words(f"{missing[0]!r}, {names[missing[0]]}"))
    if len(names) > _MOST:
        raise InputError("names", f"must be {_MOST} regions at most", Words(plural(len(names), "region")))
    return dict(names)


def write_dicom_seg(
    labels: Volume, source: str | os.PathLike[str], path: str | os.PathLike[str], *,
    names: Mapping[str, int] | None = None,
) -> Path:  # fmt: skip
    """Write regions as a DICOM segmentation (SEG) that belongs to the study of its images.

    Parameters
    ----------
    labels : Volume
        Whole numbers, 0 outside; in the place of the series.
    source : folder
        The DICOM series that was searched.
    path : file
    names : mapping of names to numbers, optional
        Default: every number in the volume. What is called a lung is coded as one, everything else as a lesion.
    """
    place = Path(path)
    check_place(place, name="path")
    hd = object_library()
    chosen = named_segments(labels, names)
    images = source_images(source, labels)
    masks = np.stack([labels.array == number for number in chosen.values()], axis=-1)
    described = [_segment(hd, at, name) for at, name in enumerate(chosen, start=1)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = hd.seg.Segmentation(
            source_images=images, pixel_array=masks.astype(np.uint8),
            segmentation_type=hd.seg.SegmentationTypeValues.BINARY, segment_descriptions=described,
            series_instance_uid=hd.UID(), series_number=900, sop_instance_uid=hd.UID(), instance_number=1,
            manufacturer="roclab", manufacturer_model_name="roclab", software_versions=roclab_version(),
            device_serial_number="0", series_description="roclab, research use",
        )  # fmt: skip
        out = io.BytesIO()
        made.save_as(out)
    write_whole(place, out.getvalue(), name="path")
    return place


def _segment(hd: Any, at: int, name: str) -> Any:
    concept = hd.sr.CodedConcept
    lung = "lung" in name.lower().split()
    return hd.seg.SegmentDescription(
        segment_number=at, segment_label=name[:64],
        segmented_property_category=concept("123037004", "SCT", "Anatomical Structure") if lung else
        concept("49755003", "SCT", "Morphologically Abnormal Structure"),
        segmented_property_type=concept("39607008", "SCT", "Lung") if lung else concept("52988006", "SCT", "Lesion"),
        algorithm_type=hd.seg.SegmentAlgorithmTypeValues.AUTOMATIC, algorithm_identification=algorithm(hd),
        tracking_id=f"{at} {name}"[:64], tracking_uid=hd.UID(),
    )  # fmt: skip
