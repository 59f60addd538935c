"""Missing voxels of NIfTI files, which the library that reads them turns into zeros without a word."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np

from roclab._core.types import Array

__all__ = ["with_gaps"]

_FLOATS = {16: "f4", 64: "f8"}  # codes of NIfTI-1
_HEAD = 348  # bytes of its header


def with_gaps(array: Array, place: Path) -> Array:
    """The array that was read, with NaN where the file has no finite number. O(voxels), for floats only."""
    if array.dtype.kind != "f":
        return array
    with gzip.open(place) if place.suffix.lower() == ".gz" else place.open("rb") as opened:
        head = opened.read(_HEAD)
        order = "<" if int.from_bytes(head[:4], "little") == _HEAD else ">"
        code = int(np.frombuffer(head, f"{order}i2", 1, 70)[0])
        start = int(np.frombuffer(head, f"{order}f4", 1, 108)[0])
        if int.from_bytes(head[:4], "little" if order == "<" else "big") != _HEAD or code not in _FLOATS:
            return array
        opened.read(start - _HEAD)
        kind = np.dtype(f"{order}{_FLOATS[code]}")
        values = np.frombuffer(opened.read(array.size * kind.itemsize), kind)
    gaps = ~np.isfinite(values)
    if values.size != array.size or not gaps.any():
        return array
    filled = array.copy()
    filled.ravel()[gaps] = np.nan
    return filled
