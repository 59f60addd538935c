"""Subtraction images: the difference of two frames, and what radiologists make of all of them.

"early" is the frame nearest to 90 s after arrival less the baseline, "late" the last one less the baseline,
"late_early" what is gained between them and "wash_out" what is lost, "maximum" the highest frame less the baseline. Any
pair of frames is named by its numbers, "3-0" for frame 3 less frame 0.
"""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.types import Array
from roclab.errors import InputError
from roclab.imaging.dce.series import DceSeries
from roclab.names import SUBTRACTION_SCALES, SUBTRACTIONS, SubtractionScale

__all__ = ["early_frame", "every_pair", "subtraction"]

EARLY = 90.0  # seconds after arrival, about when malignant tissue is brightest
_PAIR = re.compile(r"(\d+)-(\d+)")


def every_pair(series: DceSeries) -> list[str]:
    """Names of all pairs, the later frame first."""
    return [f"{late}-{early}" for early, late in combinations(range(len(series.frames)), 2)]


def early_frame(series: DceSeries) -> int:
    """Number of the early frame."""
    return series.before + int(np.argmin(np.abs(series.after_arrival - EARLY)))


def subtraction(
    series: DceSeries, name: str, *, scale: SubtractionScale = "relative", lowest: float | None = None
) -> Array:
    """One image (z, y, x), float32; "relative" divides by the baseline, not below ``lowest``. O(voxels frames)."""
    check_choice(scale, "scale", SUBTRACTION_SCALES)
    frames, early, last = series.frames, early_frame(series), len(series.frames) - 1
    rest = series.baseline
    found: Array
    pair = _PAIR.fullmatch(name)
    if pair is not None:
        one, two = int(pair[1]), int(pair[2])
        if max(one, two) > last or one == two:
            raise InputError("name", f"must be two frames from 0 to {last}", name, "3-0 for frame 3 less frame 0")
        found = frames[one] - frames[two]
    elif name == "early":
        found = frames[early] - rest
    elif name == "late":
        found = frames[last] - rest
    elif name == "late_early":
        found = frames[last] - frames[early]
    elif name == "wash_out":
        found = frames[early] - frames[last]
    elif name == "maximum":
        found = frames[series.before].copy()
        for frame in frames[series.before + 1 :]:
            np.maximum(found, frame, out=found)
        found -= rest
    else:
        raise InputError("name", f"must be one of {', '.join(SUBTRACTIONS)}, or a pair of frames such as 3-0", name)
    found = found.astype(np.float32, copy=False)
    if scale == "relative":
        floor = 0.1 * float(np.median(rest[rest > 0])) if lowest is None else lowest
        found = found / np.maximum(rest, np.float32(max(floor, 1e-30)))
    return found
