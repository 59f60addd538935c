"""A folder of DICOM files as a series in time: which slices belong to one phase, and when it was measured.

Scanners number phases in one way or another: by temporal position, by trigger, by the time or the number of the
acquisition, by when images were made, or by a series for every phase. The first that gives whole volumes, every place
once, is taken; where none does, the k-th slice at every place belongs to phase k. Times come from the first entry
that all phases have and that rises from one to the next.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Array, Floats
from roclab.errors import FileError, InputError, Words, named
from roclab.imaging.dicom_enhanced import read_frames
from roclab.imaging.dicom_headers import ENHANCED, Slice, files_below, heads_of
from roclab.imaging.volumes import Volume, same_locale, volume_of_slices

__all__ = ["InTime", "read_dicom_in_time"]

_CLOCKS = (
    "FrameAcquisitionDateTime", "FrameReferenceDateTime", "TemporalPositionTimeOffset", "AcquisitionDateTime",
    "AcquisitionTime", "TriggerTime", "ContentTime", "SeriesTime",
)  # fmt: skip
_DAY = 86400.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class InTime:
    """Frames in the order of time, and what was chosen."""

    frames: Array
    place: Volume
    times: Floats | None
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scan:
    """Slices made alike: one series, or several of which each may be a phase."""

    slices: tuple[Slice, ...]

    @property
    def places(self) -> int:
        return len({round(one.along, 2) for one in self.slices})

    @property
    def phases(self) -> float:
        return len(self.slices) / self.places

    @property
    def series(self) -> list[str]:
        return sorted({one.text["series"] for one in self.slices})

    def __str__(self) -> str:
        first = self.slices[0].text
        parts = [f"series {first['number']}" if first["number"] else "a series"]
        if len(self.series) > 1:
            parts = [f"{len(self.series)} series"]
        parts += [repr(first["name"])] if first["name"] else []
        parts.append(f"of {plural(self.places, 'slice')}")
        if self.phases != 1:
            whole = self.phases == int(self.phases)
            parts.append(
                f"at {plural(int(self.phases), 'time')}" if whole else f"in {plural(len(self.slices), 'file')}"
            )
        return " ".join(parts)


def read_dicom_in_time(folder: Path, series: str | None = None) -> InTime:
    """All frames of a folder, also nested and mixed, or of one file; ``series`` names one, by its UID or number."""
    slices = list(heads_of(files_below(folder) if folder.is_dir() else [folder]))
    if not slices:
        raise FileError(
            "frames", "must hold DICOM images", Words(f"{folder.name}, in which there are none"),
            "give a file of four axes, or one file or folder for every frame",
        )  # fmt: skip
    scans = _scans(slices)
    chosen = _chosen(scans, series, folder)
    phases, by = _phases(chosen)
    times, clock, order = _times(phases)
    phases = [phases[at] for at in order]
    volumes: list[Volume] = []
    frames: Array | None = None
    for at, one in enumerate(phases):
        volume = _read(one)
        if frames is None:
            frames = np.empty((len(phases), *volume.shape), dtype=np.float32)
            volumes.append(replace(volume, array=np.zeros(volume.shape, dtype=np.int8)))
        frames[at] = volume.array
    assert frames is not None
    said = f"taken: {chosen}, told apart by {by}"
    when = "" if times is None else f", times by {clock}: {', '.join(f'{one:g}' for one in times)} s"
    rest = "; ".join(str(one) for one in scans if one is not chosen)
    notes = (said + when, *([f"not taken: {rest}"] if rest else []))
    return InTime(frames=frames, place=volumes[0], times=times, notes=notes)


def _scans(slices: Sequence[Slice]) -> list[_Scan]:
    """Slices made alike belong together; echoes, kinds of images and subtractions of the scanner's own do not."""
    groups: dict[tuple[object, ...], list[Slice]] = defaultdict(list)
    for one in slices:
        text = one.text
        kind = tuple(text["kind"].upper().split("\\")[:5])
        key = (text["study"], text["modality"], text["sop"], kind, text["echo"], text["repetition"], text["flip"])
        groups[*key, one.size, one.across].append(one)
    found = []
    for together in groups.values():
        every = _Scan(slices=tuple(together))
        if every.phases == int(every.phases):
            found.append(every)
            continue
        apart: dict[str, list[Slice]] = defaultdict(list)
        for one in together:
            apart[one.text["series"]].append(one)
        found += [_Scan(slices=tuple(one)) for one in apart.values()]
    return found


def _is_subtraction(scan: _Scan) -> bool:
    text = scan.slices[0].text
    return any(word in ("SUB", "SUBTRACT", "SUBTRACTION") for word in text["kind"].upper().split("\\"))


def _chosen(scans: list[_Scan], series: str | None, folder: Path) -> _Scan:
    listed = "; ".join(map(str, scans))
    if series is not None:
        fit = [
            one for one in scans
            if any(series in (each.text["series"], each.text["number"]) for each in one.slices)
        ]  # fmt: skip
        if not fit:
            raise InputError("series", "must be the UID or number of one in the folder", series, listed)
        # A pre-contrast series of the same kind belongs to it.
        return _whole(max(fit, key=lambda one: len(one.slices)), folder)
    dynamic = [one for one in scans if one.phases > 1 and not _is_subtraction(one)]
    if not dynamic:
        raise FileError(
            "frames", "must hold one place at two times or more", Words(f"{folder.name} with {listed}"),
            "give the folder of all phases",
        )  # fmt: skip
    whole = [one for one in dynamic if one.phases == int(one.phases)] or dynamic
    best = max(whole, key=lambda one: len(one.slices))
    alike = [one for one in whole if len(one.slices) == len(best.slices)]
    if len(alike) > 1:
        numbers = [one.slices[0].text["number"] or one.series[0] for one in alike]
        raise FileError(
            "frames", "must hold one series in time", Words("; ".join(map(str, alike))),
            f"name one with {named('series', numbers[0])}",
        )  # fmt: skip
    return _whole(best, folder)


def _whole(scan: _Scan, folder: Path) -> _Scan:
    """Every place has as many slices as every other."""
    count: dict[float, int] = defaultdict(int)
    for one in scan.slices:
        count[round(one.along, 2)] += 1
    most, least = max(count.values()), min(count.values())
    if most != least:
        where = min(count, key=lambda at: count[at])
        raise FileError(
            "frames", "must have every slice in every phase",
            Words(
                f"{folder.name}, where {scan} has {plural(most, 'slice')} at some places and {least} at {where:g} mm"
            ),
            "find the missing files, or move those of other phases",
        )  # fmt: skip
    if most < 2:
        raise FileError("frames", "must hold one place at two times or more", Words(str(scan)), "give all phases")
    return scan


_APART: tuple[tuple[str, Callable[[Slice], object]], ...] = (
    ("TemporalPositionIdentifier", lambda one: one.text["position"]),
    ("TriggerTime", lambda one: one.times.get("TriggerTime")),
    ("AcquisitionTime", lambda one: one.times.get("AcquisitionDateTime", one.times.get("AcquisitionTime"))),
    ("AcquisitionNumber", lambda one: one.text["acquisition"]),
    ("ContentTime", lambda one: one.times.get("ContentTime")),
    ("series", lambda one: ""),
)


def _phases(scan: _Scan) -> tuple[list[list[Slice]], str]:
    """Slices by phase, each in the order of places, and what told them apart."""
    for by, value in _APART:
        if by != "series" and all(value(one) in ("", None) for one in scan.slices):
            continue
        groups: dict[object, list[Slice]] = defaultdict(list)
        for one in scan.slices:
            groups[one.text["series"], value(one)].append(one)
        if len(groups) == scan.phases and all(
            len({round(one.along, 2) for one in part}) == len(part) == scan.places for part in groups.values()
        ):
            return [sorted(part, key=lambda one: one.along) for part in groups.values()], by
    places: dict[float, list[Slice]] = defaultdict(list)
    for one in scan.slices:
        places[round(one.along, 2)].append(one)
    columns = [sorted(part, key=_order) for _, part in sorted(places.items())]
    return [list(part) for part in zip(*columns, strict=True)], "their order at each place"


def _order(one: Slice) -> tuple[float, ...]:
    """Time where there is one, then the numbers that scanners give."""
    clock = next((one.times[name] for name in _CLOCKS if name in one.times), 0.0)
    numbers = (one.text[name] for name in ("position", "acquisition", "instance"))
    return (clock, *(float(text) if text.lstrip("-").isdigit() else 0.0 for text in numbers))


def _times(phases: list[list[Slice]]) -> tuple[Floats | None, str, list[int]]:
    """Seconds of every phase from the first, by which entry, and the order of the phases."""
    position = [_number(part[0].text["position"]) for part in phases]
    numbered = None not in position and len(set(position)) == len(position)
    for name in _CLOCKS:
        if not all(name in one.times for part in phases for one in part):
            continue
        first = np.array([min(one.times[name] for one in part) for part in phases])
        if numbered:
            order = np.argsort(np.array(position, dtype=np.float64), kind="stable")
            first = _past_midnight(first[order])
        else:
            first = _from_the_longest_pause(first)
            order = np.argsort(first, kind="stable")
            first = first[order]
        if (np.diff(first) > 0).all():
            return np.round(first - first[0], 6), name, [int(at) for at in order]
    keys = [(float(one or 0.0),) if numbered else _order(part[0]) for one, part in zip(position, phases, strict=True)]
    return None, "", sorted(range(len(phases)), key=lambda at: keys[at])


def _past_midnight(clock: Floats) -> Floats:
    """Times of a day as they go on after midnight."""
    late = np.concatenate([[0.0], np.cumsum(np.where(np.diff(clock) < -_DAY / 2, _DAY, 0.0))])
    found: Floats = clock + late
    return found


def _from_the_longest_pause(clock: Floats) -> Floats:
    """Times of a day without a date: where they lie half a day apart, the early ones are those after midnight."""
    known = np.sort(clock)
    gaps = np.diff(known)
    if gaps.size == 0 or known[-1] >= _DAY or gaps.max() < _DAY / 2:
        return clock
    found: Floats = np.where(clock <= known[int(np.argmax(gaps))], clock + _DAY, clock)
    return found


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _read(phase: list[Slice]) -> Volume:
    first = phase[0]
    if first.text["sop"] not in ENHANCED:
        with same_locale():
            return volume_of_slices([one.file for one in phase], Path(first.file).parent.name)
    return read_frames(phase)
