"""What was found, as DICOM that belongs to the study: a structured report of marks."""

from __future__ import annotations

import os
from pathlib import Path

from roclab.analysis.lung_cad.marks import CadMarks
from roclab.errors import InputError, Words
from roclab.imaging.dce.confidence import Confidence
from roclab.imaging.dicom_objects.sr import PlacedMark, write_sr

__all__ = ["write_dicom_sr"]


def write_dicom_sr(found: CadMarks | Confidence, source: str | os.PathLike[str], path: str | os.PathLike[str]) -> Path:
    """Write marks as a structured report (TID 1500) in the frame of reference of the series they were found in.

    Parameters
    ----------
    found : CadMarks or Confidence
        The marks of :func:`cad_apply` at its operating point, or the suspicious regions of :func:`dce_apply`.
    source : folder
        The DICOM series that was searched, or all phases of it.
    path : file

    Notes
    -----
    Needs ``roclab[dicom]``. A report of research, marked as not complete and not final.
    """
    if isinstance(found, CadMarks):
        return write_sr(_of_cad(found), found.volume, source, path)
    if isinstance(found, Confidence) and found.findings is not None:
        return write_sr(_of_dce(found), found.volume, source, path)
    raise InputError(
        "found", "must be what cad_apply or dce_apply found", Words(type(found).__name__), "give its whole answer"
    )


def _of_cad(found: CadMarks) -> list[PlacedMark]:
    return [
        PlacedMark(
            name=f"mark {row['mark']}", position=(row["x"], row["y"], row["z"]),
            measured={key: row[key] for key in ("diameter_mm", "probability", "malignancy") if key in row},
        )
        for row in found.rows() if row["marked"]
    ]  # fmt: skip


def _of_dce(found: Confidence) -> list[PlacedMark]:
    assert found.findings is not None
    return [
        PlacedMark(
            name=f"region {one.number}, type {one.type or 'unknown'}", position=one.position,
            measured={"diameter_mm": one.diameter_mm, "volume_ml": one.volume_ml, "confidence": one.confidence},
        )
        for one in found.findings.findings
    ]  # fmt: skip
