"""Hounsfield units: what lies below air is no measurement, and what has no air is no CT."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from roclab._core.types import Array
from roclab.errors import InputError, Words
from roclab.imaging.volumes import Volume

__all__ = ["AIR", "above_air", "check_hounsfield", "clipped_to_air"]

AIR = -1024.0  # Hounsfield units; scanners pad outside the field of view with lower numbers, which mean nothing
_NO_AIR = -500.0  # HU: a chest CT has lower values


def clipped_to_air(volume: Volume) -> Volume:
    """Hounsfield units with everything below air raised to it: padding outside the field of view is no measurement."""
    array = above_air(volume.array)
    return volume if array is volume.array else replace(volume, array=array)


def check_hounsfield(values: Array, *, name: str = "volume") -> None:
    """Refuse what cannot be a CT: in Hounsfield units the air in and around a patient lies near -1000."""
    if not values.size or float(values.min()) <= _NO_AIR:
        return
    low, high = float(values.min()), float(values.max())
    if low < high:  # a constant image is refused in other words
        raise InputError(
            name, "must be a CT in Hounsfield units, in which air lies near -1000",
            Words(f"values from {low:g} to {high:g}, as of an MR or of a CT without its rescale slope"),
            "give the CT",
        )  # fmt: skip


def above_air(array: Array) -> Array:
    """The same of an array, or of a part of one; itself where nothing lies below air."""
    if array.dtype.kind == "u" or (array.size and array.min() >= AIR):
        return array
    raised: Array = np.maximum(array, np.asarray(AIR, dtype=np.result_type(array, np.int16)))
    return raised
