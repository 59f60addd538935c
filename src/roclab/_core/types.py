"""Array types used everywhere."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Counts: TypeAlias = NDArray[Any]  # int64 cases or float64 weights
Bools: TypeAlias = NDArray[np.bool_]
Array: TypeAlias = NDArray[Any]


def frozen(array: Array) -> Array:
    """The same array, marked read-only: results are values and must not change under their owner."""
    array.flags.writeable = False
    return array
