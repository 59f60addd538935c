"""Marks as a structured report: TID 1500, every mark a place in the patient with its measurements, by highdicom."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.whole_file import check_place, write_whole
from roclab.errors import InputError, Words
from roclab.imaging.dicom_objects.seg import object_library
from roclab.imaging.dicom_objects.source import source_images
from roclab.imaging.volumes import Volume

__all__ = ["CONCEPTS", "PlacedMark", "write_sr"]

# What is measured, by its name: code, scheme, meaning, and the unit in UCUM.
CONCEPTS = {
    "diameter_mm": ("81827009", "SCT", "Diameter", "mm"),
    "volume_ml": ("118565006", "SCT", "Volume", "mL"),
    "probability": ("probability", "99ROCLAB", "Probability of a lesion", "1"),
    "confidence": ("confidence", "99ROCLAB", "Highest confidence", "1"),
    "malignancy": ("111047", "DCM", "Probability of cancer", "1"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedMark:
    """One mark: its name, its place (x, y, z) in mm, and numbers by names of ``CONCEPTS``."""

    name: str
    position: tuple[float, float, float]
    measured: dict[str, float]


def write_sr(
    marks: Sequence[PlacedMark], place_of: Volume, source: str | os.PathLike[str], path: str | os.PathLike[str]
) -> Path:
    """Write marks in the frame of reference of the images they were found in."""
    place = Path(path)
    check_place(place, name="path")
    if not marks:
        raise InputError("marks", "must hold at least one for a report", Words("none"))
    hd = object_library()
    images = source_images(source, place_of)
    concept = hd.sr.CodedConcept
    groups = []
    for one in marks:
        measured = [
            hd.sr.Measurement(name=concept(*CONCEPTS[key][:3]), value=float(value), unit=_unit(hd, CONCEPTS[key][3]))
            for key, value in one.measured.items()
        ]
        region = hd.sr.ImageRegion3D(
            graphic_type=hd.sr.GraphicTypeValues3D.POINT, graphic_data=np.array([one.position], dtype=np.float64),
            frame_of_reference_uid=images[0].FrameOfReferenceUID,
        )  # fmt: skip
        groups.append(hd.sr.PlanarROIMeasurementsAndQualitativeEvaluations(
            referenced_region=region, measurements=measured, algorithm_id=None,
            tracking_identifier=hd.sr.TrackingIdentifier(uid=hd.UID(), identifier=one.name),
            finding_type=concept("52988006", "SCT", "Lesion"),
        ))  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        observer = hd.sr.ObserverContext(
            observer_type=concept("121007", "DCM", "Device"),
            observer_identifying_attributes=hd.sr.DeviceObserverIdentifyingAttributes(uid=hd.UID(), name="roclab"),
        )
        report = hd.sr.MeasurementReport(
            observation_context=hd.sr.ObservationContext(observer_device_context=observer),
            procedure_reported=concept("363679005", "SCT", "Imaging procedure"), imaging_measurements=groups,
            title=concept("126000", "DCM", "Imaging Measurement Report"),
        )  # fmt: skip
        made = hd.sr.Comprehensive3DSR(
            evidence=images, content=report[0], series_number=901, series_instance_uid=hd.UID(),
            sop_instance_uid=hd.UID(), instance_number=1, manufacturer="roclab", is_complete=False, is_final=False,
            series_description="roclab, research use",
        )  # fmt: skip
        out = io.BytesIO()
        made.save_as(out)
    write_whole(place, out.getvalue(), name="path")
    return place


def _unit(hd: Any, unit: str) -> Any:
    return hd.sr.CodedConcept(unit, "UCUM", {"1": "no units", "mm": "millimeter", "mL": "milliliter"}[unit])
