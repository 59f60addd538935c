"""Frames of tissue that takes up contrast agent: kinetics, signal, motion, a bias field and Rician noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import ndimage

from roclab._core.types import Array, Floats
from roclab._core.work import Progress
from roclab.imaging.dce.kinetics import parker_aif, spgr_signal, unit_response
from roclab.imaging.phantoms.protocols import Protocol

__all__ = ["TissueMaps", "scan_frames", "smooth_field"]

_RATES = np.geomspace(1e-3, 60.0, 400)  # per minute: responses in between are interpolated, to 1e-4 of themselves
_STEP = 1.0  # seconds between points of the arterial curve


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TissueMaps:
    """What every voxel is made of; arrays (z, y, x), float32."""

    s0: Array
    t1: Array  # seconds
    ktrans: Array  # per minute
    ve: Array
    vp: Array

    def mix(self, covered: Array, box: tuple[slice, ...] | None, **values: Array | float) -> None:
        """Let a tissue take its share of every voxel."""
        for name, value in values.items():
            field = getattr(self, name) if box is None else getattr(self, name)[box]
            field += covered * (value - field)


def smooth_field(shape: tuple[int, ...], spacing: tuple[float, ...], scale: float, rng: np.random.Generator) -> Array:
    """A random field of standard deviation about 1 that changes over ``scale`` mm; O(voxels)."""
    coarse = [max(2, round(n * step / scale) + 1) for n, step in zip(shape, spacing, strict=True)]
    field = rng.normal(size=coarse).astype(np.float32)
    near = [n / c for n, c in zip(shape, coarse, strict=True)]
    found: Array = ndimage.zoom(field, near, order=1, mode="nearest", grid_mode=True)
    return found * np.float32(1.6)  # what interpolation between the points takes away


def scan_frames(
    maps: TissueMaps, spacing: tuple[float, float, float], protocol: Protocol, *, dose: float, late: float,
    noise: float, motion: float, bias: float, rng: list[np.random.Generator], progress: Progress | None = None,
) -> tuple[Array, Floats]:  # fmt: skip
    """The frames (t, z, y, x), float32, and how far the two sides moved in each (frames, 2, 3) in mm.

    ``dose`` multiplies the arterial curve, ``late`` seconds are added to its arrival. O(voxels frames).
    """
    times = np.array(protocol.times)
    fine = np.unique(np.concatenate([np.arange(0, times[-1] + _STEP, _STEP), times]))
    plasma = dose * parker_aif(fine, arrival=protocol.arrival + late)
    table = unit_response(fine, plasma, _RATES).astype(np.float32)
    at = np.searchsorted(fine, times)
    shape = maps.s0.shape
    rate = np.clip(maps.ktrans / np.maximum(maps.ve, 1e-3), _RATES[0], _RATES[-1])
    where = np.log(rate / np.float32(_RATES[0])) * np.float32((_RATES.size - 1) / np.log(_RATES[-1] / _RATES[0]))
    low = np.minimum(where.astype(np.int32), _RATES.size - 2)
    part = where - low
    flip = protocol.flip * (1 + 0.06 * smooth_field(shape, spacing, 120.0, rng[0]))
    gain = np.exp(bias * smooth_field(shape, spacing, 150.0, rng[0]))
    gland = float(spgr_signal(0.0, t1=1.05 * protocol.longer, s0=0.85, tr=protocol.tr, flip=protocol.flip))
    walk = np.cumsum(rng[1].normal(size=(times.size, 2, 3)), axis=0) * motion
    walk -= walk[0]
    side = _side_weight(shape, spacing)
    frames = np.empty((times.size, *shape), dtype=np.float32)
    for frame, row in enumerate(at):
        response = table[row][low] * (1 - part) + table[row][low + 1] * part
        agent = maps.ktrans * response + maps.vp * np.float32(plasma[row])
        signal = gain * spgr_signal(
            agent, t1=maps.t1 * protocol.longer, s0=maps.s0, tr=protocol.tr, flip=flip, relaxivity=protocol.relaxivity
        )
        signal = _moved(signal.astype(np.float32), walk[frame], spacing, side)
        sd = noise * gland
        real = signal + sd * rng[2].standard_normal(shape, dtype=np.float32)
        other = sd * rng[2].standard_normal(shape, dtype=np.float32)
        frames[frame] = 1000 * np.hypot(real, other) / gland
        if progress is not None:
            progress(frame + 1, times.size)
    return frames, walk


def _side_weight(shape: tuple[int, ...], spacing: tuple[float, ...]) -> Array:
    """0 on one side of the body, 1 on the other, and in between where nothing moves apart."""
    x = (np.arange(shape[2]) - (shape[2] - 1) / 2) * spacing[2]
    weight: Array = np.clip(0.5 + x / 20.0, 0, 1).astype(np.float32)
    return weight


def _moved(signal: Array, steps: Floats, spacing: tuple[float, ...], side: Array) -> Array:
    """Both sides moved by their own steps (z, y, x) in mm."""
    if not steps.any():
        return signal
    one, two = (ndimage.shift(signal, step / np.array(spacing), order=1, mode="nearest") for step in steps)
    moved: Array = one + side * (two - one)
    return moved
