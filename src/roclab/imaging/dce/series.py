"""A DCE-MRI series: frames of one geometry, their times, and when contrast agent arrived."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import ndimage

from roclab._core.checks import plural
from roclab._core.text import text_table
from roclab._core.types import Array, Floats, frozen
from roclab.errors import FileError, InputError, Words, named
from roclab.imaging.dicom_in_time import read_dicom_in_time
from roclab.imaging.volumes import Volume, read_volume
from roclab.imaging.volumes_in_time import read_in_time
from roclab.results import Result

__all__ = ["DceSeries", "make_series"]

_BRIGHT = 0.99  # quantile of the enhancement above which voxels tell the arrival
_RISE = 0.15  # of the baseline: a lower rise is no contrast agent


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DceSeries(Result):
    """Frames in time.

    Attributes
    ----------
    frames : (t, z, y, x)
    times : seconds, rising
    arrival : seconds, when contrast agent arrived; frames up to then are the baseline
    place : Volume
        The geometry of every frame; its image is the baseline, the mean of the frames before arrival.
    """

    frames: Array
    times: Floats
    arrival: float
    place: Volume
    notes: tuple[str, ...] = ()
    seed: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        frozen(self.frames)
        frozen(self.times)

    @property
    def before(self) -> int:
        """How many frames are baseline."""
        return int(np.count_nonzero(self.times <= self.arrival))

    @property
    def after_arrival(self) -> Floats:
        """Seconds after arrival of the frames with contrast agent."""
        found: Floats = self.times[self.before :] - self.arrival
        return found

    @property
    def baseline(self) -> Array:
        """The image before contrast agent."""
        return self.place.array

    @property
    def shape(self) -> tuple[int, int, int]:
        """Planes, rows and columns."""
        return self.place.shape

    def frame(self, at: int) -> Volume:
        """One frame in its place."""
        if not -len(self.frames) <= at < len(self.frames):
            raise InputError("at", f"must be a frame from 0 to {len(self.frames) - 1}", at)
        return self.place.with_array(self.frames[at])

    def rows(self) -> list[dict[str, Any]]:
        """One row per frame."""
        return [
            {"frame": at, "seconds": float(time), "after arrival": float(time - self.arrival),
             "part": "baseline" if at < self.before else "contrast", "mean": float(self.frames[at].mean())}
            for at, time in enumerate(self.times)
        ]  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """Everything but the images."""
        return {
            "size": list(self.shape), "spacing": list(self.place.spacing), "times": self.times.tolist(),
            "arrival": self.arrival, "frames": self.rows(), "notes": list(self.notes),
        }  # fmt: skip

    def __str__(self) -> str:
        size, gaps = (" x ".join(f"{n:g}" for n in one) for one in (self.shape, self.place.spacing))
        head = (f"{len(self.frames)} frames of {size} voxels of {gaps} mm, {self.before} before contrast agent, "
                f"which arrived at {self.arrival:g} s")  # fmt: skip
        return "\n".join([head, "", text_table(self.rows()), *self.notes])


def make_series(
    frames: Any, *, times: Sequence[float] | None = None, arrival: float | None = None,
    spacing: Sequence[float] | None = None, series: str | None = None,
) -> DceSeries:  # fmt: skip
    """A series from frames; see :func:`roclab.dce_series`. O(voxels frames)."""
    array, place, found, notes = _frames(frames, spacing, series)
    if times is None and found is None:
        raise InputError("times", "must be given for frames that do not know theirs", Words("none"),
                         f"write {named('times', (0, 60, 120))} in seconds")  # fmt: skip
    seconds = np.array(found if times is None else times, dtype=np.float64)
    _check_times(seconds, len(array))
    for at, frame in enumerate(array):
        if not np.isfinite(frame.sum(dtype=np.float64)):
            bad = int(np.count_nonzero(~np.isfinite(frame)))
            if bad:
                raise InputError("frames", "must hold finite numbers", Words(f"{plural(bad, 'voxel')} of frame {at} "
                                 "that are NaN or infinite"), "repair or mask them first")  # fmt: skip
    if arrival is None:
        arrival = _found_arrival(array, seconds)
        notes.append(
            f"arrival at {arrival:g} s was found in the images, to within one frame; say it if you know it better"
        )
    elif not _is_time(arrival) or not seconds[0] <= arrival < seconds[-1]:
        raise InputError(
            "arrival", f"must lie between the first and the last frame, {seconds[0]:g} and {seconds[-1]:g} s", arrival,
            "a frame before it is the baseline",
        )  # fmt: skip
    before = int(np.count_nonzero(seconds <= arrival))
    baseline = array[0].astype(np.float32) if before == 1 else array[:before].mean(axis=0, dtype=np.float32)
    if not (baseline > 0).any():
        raise InputError("frames", "must have a baseline above 0", Words("0 or less in every voxel"),
                         "check which frame comes first")  # fmt: skip
    return DceSeries(
        frames=array,
        times=seconds,
        arrival=float(arrival),
        place=replace(place, array=baseline, modality="MR"),
        notes=tuple(notes),
    )


def _frames(given: Any, spacing: Any, series: str | None) -> tuple[Array, Volume, Any, list[str]]:
    """Frames in one array, their geometry and, from files that have them, their times and what was chosen."""
    if isinstance(given, str | os.PathLike):
        path = Path(given)
        if not path.exists():
            raise FileError("frames", "must be a file with all frames, or one file or folder for each",
                            Words(str(given)), "check the path")  # fmt: skip
        if path.is_dir() or path.suffix.lower() in (".dcm", ".ima"):
            found = read_dicom_in_time(path, series)
            return found.frames, found.place, found.times, list(found.notes)
    if series is not None:
        raise InputError("series", "is for a folder of DICOM files", series, "leave it out")
    if isinstance(given, str | os.PathLike):
        return (*read_in_time(Path(given)), [])
    if isinstance(given, np.ndarray):
        if given.ndim != 4:
            raise InputError("frames", "must have four axes, time, z, y and x", Words(f"shape {given.shape}"))
        _check_count(len(given))
        gaps = (1.0, 1.0, 1.0) if spacing is None else tuple(float(step) for step in spacing)
        array = given if given.dtype.kind == "f" else given.astype(np.float32)
        return array, Volume(array=np.zeros(given.shape[1:], dtype=np.int8), spacing=gaps), None, []  # type: ignore[arg-type]
    if not isinstance(given, Sequence):
        raise InputError("frames", "must be volumes or files in the order of time, or one array",
                         Words(type(given).__name__))  # fmt: skip
    _check_count(len(given))
    out: Array | None = None
    first: Volume | None = None
    for at, one in enumerate(given):  # one after the other: two copies of all frames would be in memory otherwise
        volume = one if isinstance(one, Volume) else read_volume(one)
        if first is None:
            first, out = volume, np.empty((len(given), *volume.shape), dtype=np.float32)
        elif not first.same_place(volume):
            raise InputError(
                "frames", "must have one geometry",
                Words(f"{_geometry(volume)} in frame {at}, {_geometry(first)} in frame 0"),
                "resample them to the first",
            )  # fmt: skip
        assert out is not None
        out[at] = volume.array
    assert out is not None
    assert first is not None
    return out, replace(first, array=np.zeros(first.shape, dtype=np.int8)), None, []


def _geometry(volume: Volume) -> str:
    size, gaps = (" x ".join(f"{n:g}" for n in one) for one in (volume.shape, volume.spacing))
    start = ", ".join(f"{one:g}" for one in volume.origin)
    return f"{size} voxels of {gaps} mm from ({start})"


def _check_count(many: int) -> None:
    if many < 2:
        raise InputError("frames", "must be two or more, one of them before contrast agent",
                         Words(plural(many, "frame")), "give the whole series")  # fmt: skip


def _check_times(seconds: Floats, many: int) -> None:
    _check_count(many)
    if seconds.shape != (many,) or not np.isfinite(seconds).all() or (np.diff(seconds) <= 0).any():
        shown = ", ".join(f"{one:g}" for one in seconds.ravel()[:8])
        raise InputError(
            "times", f"must be {many} rising numbers of seconds, one for each frame", Words(shown or "none"),
            "give the middle of every frame",
        )  # fmt: skip


def _is_time(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool) and math.isfinite(value)


def _found_arrival(array: Array, seconds: Floats) -> float:
    """The last frame before the brightest voxels rise; an error where they do not.

    The curve is the median over voxels whose last frames stand highest above the first one, smoothed in space so that
    single noisy voxels do not lead.
    """
    first = ndimage.uniform_filter(array[0].astype(np.float32), 3)
    last = ndimage.uniform_filter(array[len(array) // 2 :].mean(axis=0, dtype=np.float32), 3)
    inside = first > 0.2 * np.quantile(first, 0.98)
    if not inside.any():
        raise InputError("frames", "must have a baseline above 0", Words("0 or less in every voxel"))
    gain = np.where(inside, (last - first) / np.where(inside, first, 1), -np.inf)
    bright = gain >= np.quantile(gain[inside], _BRIGHT)
    curve = np.array([float(np.median(frame[bright])) for frame in array])
    rise = (curve - curve[0]) / curve[0]
    top = float(rise.max())
    if top < _RISE:
        raise InputError(
            "frames", "must show contrast agent arriving after the first frame",
            Words(f"a rise of {100 * max(top, 0):.0f}% at most in the brightest voxels"),
            f"check the order of the frames, or say {named('arrival')} in seconds",
        )  # fmt: skip
    risen = int(np.argmax(rise > max(_RISE, top / 3)))
    return float(seconds[max(risen - 1, 0)])
