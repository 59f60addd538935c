"""Did anything move between the frames? A check, and the place for a registration.

A frame is compared with the baseline by the translation that brings their edges together best: contrast agent changes
brightness, not where fat ends. The translation is read off the peak of the cross-correlation of both gradient images,
with a parabola between voxels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import fft, ndimage

from roclab._core.text import text_table
from roclab._core.types import Array, Floats
from roclab._core.work import Progress, leave_if_stopped
from roclab.errors import InputError, Words
from roclab.imaging.dce.deformable import deform
from roclab.imaging.dce.series import DceSeries
from roclab.imaging.orientation import canonical, slice_axis
from roclab.imaging.volumes import Volume
from roclab.names import DCE_REGISTRATIONS
from roclab.results import Result

__all__ = ["MotionCheck", "Registration", "check_motion", "register"]

_ALLOWED = (0.7, 1.4)  # factors of volume between which 98% of the voxels stay

Registration = Callable[[Volume, Volume], Volume]  # takes a frame and the baseline, returns the frame in its place


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MotionCheck(Result):
    """How far every frame lies from the baseline."""

    shift: Floats  # (frames, 3), mm towards the head (z), the back (y) and the left (x) of the patient
    times: Floats
    most: float  # mm: the largest of them
    limit: float  # mm: half of the smallest distance between voxels

    @property
    def moved(self) -> bool:
        """Whether any frame moved by more than half a voxel."""
        return self.most > self.limit

    def rows(self) -> list[dict[str, Any]]:
        """One row per frame."""
        return [
            {"frame": at, "seconds": float(time), "z_mm": float(one[0]), "y_mm": float(one[1]), "x_mm": float(one[2]),
             "distance_mm": float(np.linalg.norm(one))}
            for at, (time, one) in enumerate(zip(self.times, self.shift, strict=True))
        ]  # fmt: skip

    def __str__(self) -> str:
        advice = "more than half a voxel: consider a registration" if self.moved else "less than half a voxel"
        return f"{text_table(self.rows())}\n\nfarthest {self.most:.2f} mm, {advice}"


def check_motion(series: DceSeries) -> MotionCheck:
    """Translations of all frames from the baseline, O(frames voxels log voxels)."""
    place, turn = canonical(series.place)
    slices = slice_axis(place.spacing)
    fixed = _edges(place.array, slices)
    steps = np.array([_translation(_edges(turn.forward(frame), slices), fixed) for frame in series.frames])
    shift = steps * np.array(place.spacing)
    distance = np.linalg.norm(shift, axis=1)
    within = [step for axis, step in enumerate(place.spacing) if axis != slices]
    return MotionCheck(shift=shift, times=series.times, most=float(distance.max()), limit=min(within) / 2)


def register(series: DceSeries, how: str | Registration, *, progress: Progress | None = None) -> DceSeries:
    """Every later frame brought onto the baseline: by one of the names, or by a function (frame, baseline) → frame."""
    if how not in DCE_REGISTRATIONS and not callable(how):
        listed = ", ".join(map(repr, DCE_REGISTRATIONS))
        raise InputError("registration", f"must be {listed} or a function of a frame and the baseline",
                         Words(repr(how)))  # fmt: skip
    if how in ("bspline", "demons"):
        return _deformed(series, str(how), progress)
    frames = series.frames.copy()
    place, turn = canonical(series.place)
    slices = slice_axis(place.spacing)
    fixed = _edges(place.array, slices)
    for at in range(series.before, len(frames)):
        if callable(how):
            moved = how(series.frame(at), series.place)
            if not isinstance(moved, Volume) or not moved.same_place(series.place):
                got = "another geometry" if isinstance(moved, Volume) else type(moved).__name__
                raise InputError("registration", "must return a Volume in the place of the baseline", Words(got))
            if not np.isfinite(moved.array).all():
                raise InputError("registration", "must return finite numbers", Words(f"NaN in frame {at}"))
            frames[at] = moved.array
        else:
            frame = turn.forward(frames[at])
            step = -np.array(_translation(_edges(frame, slices), fixed))
            frames[at] = turn.back(ndimage.shift(frame, step, order=1, mode="nearest"))
        if progress is not None:
            progress(at + 1, len(frames))
    method = "translation" if isinstance(how, str) else getattr(how, "__name__", "a function")
    return replace(series, frames=frames, notes=(*series.notes, f"registered by {method}"))


def _deformed(series: DceSeries, how: str, progress: Progress | None) -> DceSeries:
    """Every later frame by a non-rigid mapping, and what it did to volumes in the worst of them."""
    frames = series.frames.copy()
    changes = []
    for at in range(series.before, len(frames)):
        leave_if_stopped()
        found = deform(series.frame(at), series.place, how)
        frames[at] = found.array
        changes.append((abs(found.change.whole - 1), at, found.change))
        if progress is not None:
            progress(at + 1, len(frames))
    _, at, worst = max(changes)
    warn = worst.folded or not _ALLOWED[0] < worst.low <= worst.high < _ALLOWED[1]
    more = "; volumes do not stay, so do not measure them here" if warn else ""
    note = f"registered by {how}; of frame {at}, which changed most, {worst}{more}"
    return replace(series, frames=frames, notes=(*series.notes, note))


def _edges(image: Array, slices: int) -> Array:
    """Length of the gradient within slices, by its own standard deviation."""
    first, second = (axis for axis in range(3) if axis != slices)
    smooth = ndimage.gaussian_filter(image.astype(np.float32), [0 if axis == slices else 1 for axis in range(3)])
    steep = np.hypot(ndimage.sobel(smooth, first), ndimage.sobel(smooth, second))
    steep -= steep.mean()
    return steep / max(float(steep.std()), 1e-12)


def _translation(moving: Array, fixed: Array) -> list[float]:
    """Voxels (z, y, x) by which a frame lies off, to a fraction."""
    size = [fft.next_fast_len(n, real=True) for n in fixed.shape]
    both = fft.irfftn(fft.rfftn(moving, size) * np.conj(fft.rfftn(fixed, size)), size)
    peak = np.unravel_index(int(np.argmax(both)), both.shape)
    out = []
    for axis, at in enumerate(peak):
        n = both.shape[axis]
        if fixed.shape[axis] < 3:
            out.append(0.0)
            continue
        line = [both[tuple((at + step) % n if k == axis else peak[k] for k in range(3))] for step in (-1, 0, 1)]
        bend = line[0] - 2 * line[1] + line[2]
        part = 0.5 * (line[0] - line[2]) / bend if bend < 0 else 0.0
        whole = at - n if at > n // 2 else at
        out.append(float(whole + np.clip(part, -0.5, 0.5)))
    return out
