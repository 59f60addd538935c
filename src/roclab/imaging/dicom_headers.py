"""What the headers of a folder of DICOM files say of every slice: its series, its place and its times.

SimpleITK reads the headers of classic images. It hides what enhanced multi-frame files say of their frames, for which
pydicom is asked; without it such a file is refused with the line that installs it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from roclab.errors import FileError, MissingExtraError, Words
from roclab.imaging.volumes import image_library, reason_of, same_locale

__all__ = ["ENHANCED", "Slice", "dicom_library", "files_below", "group_of", "heads_of", "seconds_of"]

ENHANCED = ("1.2.840.10008.5.1.4.1.1.4.1", "1.2.840.10008.5.1.4.1.1.2.1", "1.2.840.10008.5.1.4.1.1.4.4")
_TEXT = {
    "sop": "0008|0016", "kind": "0008|0008", "modality": "0008|0060", "study": "0020|000d", "series": "0020|000e",
    "name": "0008|103e", "number": "0020|0011", "echo": "0018|0081", "repetition": "0018|0080", "flip": "0018|1314",
    "instance": "0020|0013", "position": "0020|0100", "acquisition": "0020|0012", "orientation": "0020|0037",
    "place": "0020|0032",
}  # fmt: skip
_CLOCKS = {
    "AcquisitionTime": ("0008|0022", "0008|0032"), "ContentTime": ("0008|0023", "0008|0033"),
    "SeriesTime": ("0008|0021", "0008|0031"),
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Slice:
    """One slice: a file, or a frame of one."""

    file: str
    frame: int = 0
    text: dict[str, str]  # entries of the header, "" where there are none
    size: tuple[int, int]
    along: float  # mm along the normal
    across: tuple[float, ...]  # orientation and the corner in its plane, rounded
    times: dict[str, float]  # seconds by the name of the entry that says them


def dicom_library() -> Any:
    """Pydicom, or an error with its install line."""
    try:
        import pydicom
    except ImportError:
        raise MissingExtraError(
            library="pydicom", extra="dicom", purpose="DICOM files whose tags SimpleITK hides"
        ) from None
    return pydicom


def files_below(folder: Path) -> list[Path]:
    """All DICOM files of a folder and those in it, in the order of their names; others are passed over."""
    return [file for file in sorted(folder.rglob("*")) if file.is_file() and _is_dicom(file)]


def _is_dicom(file: Path) -> bool:
    if file.name.upper() == "DICOMDIR":
        return False
    with file.open("rb") as opened:
        return opened.read(132)[128:] == b"DICM" or file.suffix.lower() in (".dcm", ".ima")


def heads_of(files: Sequence[Path]) -> Iterator[Slice]:
    """The slices of files, one after the other; what has no place, such as a report, is passed over."""
    itk = image_library()
    itk.ProcessObject.SetGlobalWarningDisplay(False)
    for file in files:
        head = itk.ImageFileReader()
        head.SetFileName(str(file))
        head.SetImageIO("GDCMImageIO")
        try:
            with same_locale():
                head.ReadImageInformation()
        except RuntimeError as error:
            if _is_no_image(file):
                continue
            raise FileError(
                "frames", "must hold DICOM files that can be read", Words(f"{file.name} ({reason_of(error)})"),
                "get it again, or move it",
            ) from None  # fmt: skip

        def entry(key: str, head: Any = head) -> str:
            return str(head.GetMetaData(key)).strip(" \0") if head.HasMetaDataKey(key) else ""

        text = {name: entry(key) for name, key in _TEXT.items()}
        if text["sop"] in ENHANCED:
            yield from _frames_of(file, text)
            continue
        if not text["place"] or not text["orientation"]:
            continue
        times = {name: seconds_of(entry(day), entry(clock)) for name, (day, clock) in _CLOCKS.items()}
        times["AcquisitionDateTime"] = seconds_of(entry("0008|002a"))
        trigger = entry("0018|1060")
        times["TriggerTime"] = float(trigger) / 1000 if trigger else math.nan
        x, y = head.GetSize()[:2]
        yield _slice(str(file), 0, text, (y, x), _numbers(text["place"]), _numbers(text["orientation"]), times)


def _is_no_image(file: Path) -> bool:
    """Reports, directories and other objects without pixels, which a folder from an archive holds too."""
    data = file.read_bytes()
    return data[128:132] == b"DICM" and b"\xe0\x7f\x10\x00" not in data


def _slice(
    file: str, frame: int, text: dict[str, str], size: tuple[int, int], place: Sequence[float],
    orientation: Sequence[float], times: dict[str, float],
) -> Slice:  # fmt: skip
    rows, columns = np.array(orientation[:3]), np.array(orientation[3:])
    corner = np.array(place)
    across = (*orientation, float(corner @ rows), float(corner @ columns))
    return Slice(
        file=file, frame=frame, text=text, size=size, along=float(corner @ np.cross(rows, columns)),
        across=tuple(round(one, 2) + 0.0 for one in across),
        times={name: value for name, value in times.items() if not math.isnan(value)},
    )  # fmt: skip


def _frames_of(file: Path, text: dict[str, str]) -> Iterator[Slice]:
    """The frames of an enhanced file: what is said of all of them together, and of each."""
    held = dicom_library().dcmread(file, stop_before_pixels=True)
    for at, own in enumerate(held.PerFrameFunctionalGroupsSequence):
        place, orientation, content, offset = (
            group_of(held, own, f"{name}Sequence")
            for name in ("PlanePosition", "PlaneOrientation", "FrameContent", "TemporalPosition")
        )
        if place is None or orientation is None:
            raise FileError(
                "frames", "must say where every frame lies", Words(f"{file.name}, frame {at + 1}, which does not")
            )
        loose = group_of(held, own, "UnassignedPerFrameConvertedAttributesSequence")  # of converted classic images
        times = {
            **{name: seconds_of(_word(loose, f"{name[:-4]}Date"), _word(loose, name)) for name in _CLOCKS},
            "TriggerTime": float(_word(loose, "TriggerTime") or "nan") / 1000,
            "FrameAcquisitionDateTime": seconds_of(_word(content, "FrameAcquisitionDateTime")),
            "FrameReferenceDateTime": seconds_of(_word(content, "FrameReferenceDateTime")),
            "TemporalPositionTimeOffset": float(_word(offset, "TemporalPositionTimeOffset") or "nan"),
        }
        position = _word(content, "TemporalPositionIndex") or _word(loose, "TemporalPositionIdentifier")
        words = {**text, "position": position, "instance": str(at + 1)}
        words["acquisition"] = _word(content, "FrameAcquisitionNumber") or _word(loose, "AcquisitionNumber")
        yield _slice(
            str(file), at, words, (int(held.Rows), int(held.Columns)),
            [float(one) for one in place.ImagePositionPatient],
            [float(one) for one in orientation.ImageOrientationPatient], times,
        )  # fmt: skip


def group_of(held: Any, own: Any, name: str) -> Any:
    """What an enhanced file says of one frame, or of all of them together; None where it does not."""
    for one in (own, *held.get("SharedFunctionalGroupsSequence", [])):
        if name in one and len(one[name].value):
            return one[name].value[0]
    return None


def _word(held: Any, name: str) -> str:
    value = None if held is None else held.get(name)
    return "" if value is None else str(value)


def _numbers(text: str) -> list[float]:
    return [float(one) for one in text.split("\\")]


def seconds_of(day: str, clock: str | None = None) -> float:
    """Seconds of a date with a time, of a time alone, or of both in one; NaN where they do not say.

    >>> seconds_of("", "000130.5"), seconds_of("20240102", "000000") - seconds_of("20240101", "235900")
    (90.5, 60.0)
    """
    if clock is None:
        day, clock = day[:8], day[8:].split("+")[0].split("-")[0]
    clock = clock.replace(":", "")
    try:
        hours, minutes, rest = int(clock[:2]), int(clock[2:4] or 0), float(clock[4:] or 0)
        since = datetime.strptime(day, "%Y%m%d") - datetime(1970, 1, 1) if day else timedelta(0)
    except ValueError:
        return math.nan
    return since.total_seconds() + 3600 * hours + 60 * minutes + rest
