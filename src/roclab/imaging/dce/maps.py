"""Maps of a series, voxel by voxel: type of the curve, time to the peak, wash-out.

Each is what ``findings.curve_type`` and the curve say of one voxel, for all at once. Noise has a type too, so voxels
that rise by less than ``least`` within 150 s of arrival, or lie outside of the mask, have none.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roclab._core.types import Array, Bools, Floats
from roclab.imaging.dce.findings import EARLY, LATE, LEVEL

__all__ = ["CURVE_TYPES", "LEAST_RISE", "CurveMaps", "curve_maps"]

CURVE_TYPES = {1: "I persistent", 2: "II plateau", 3: "III wash-out"}
LEAST_RISE = 0.5  # relative enhancement


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CurveMaps:
    """Images (z, y, x); NaN and 0 where a voxel does not rise."""

    types: Array  # uint8, 0 for none
    time_to_peak: Array  # seconds after arrival of the highest frame
    wash_out: Array  # share of the initial signal lost at the last frame; below 0 where it still rises
    told: bool  # False where the series ends too early to tell types


def curve_maps(stack: Array, after: Floats, inside: Bools, *, least: float = LEAST_RISE) -> CurveMaps:
    """Of relative enhancement (t, z, y, x) at seconds after arrival; O(voxels frames)."""
    early = np.flatnonzero(after <= EARLY)
    if early.size == 0:
        early = np.array([0])
    rise = stack[early].max(axis=0)
    first = early[stack[early].argmax(axis=0)]
    shown = inside & (rise >= least)
    change = (stack[-1] - rise) / (1 + np.maximum(rise, 0))
    long_enough = (after[-1] - after[first] >= LATE) & (after[-1] > EARLY)
    types = np.full(shown.shape, 2, dtype=np.uint8)
    types[np.round(change, 6) >= LEVEL] = 1
    types[np.round(change, 6) <= -LEVEL] = 3
    types[~shown | ~long_enough] = 0
    peak = after[stack.argmax(axis=0)]
    nothing = np.float32(np.nan)
    return CurveMaps(
        types=types, time_to_peak=np.where(shown, peak, nothing).astype(np.float32),
        wash_out=np.where(shown, -change, nothing).astype(np.float32), told=bool((shown & long_enough).any()),
    )  # fmt: skip
