"""Products of finite matrices, without the stray flags of a processor."""

from __future__ import annotations

import numpy as np

from roclab._core.types import Array

__all__ = ["product"]


def product(left: Array, right: Array) -> Array:
    """``left @ right`` of matrices that are known to be finite.

    Some BLAS kernels also multiply the unused lanes of their registers. What is left there from before may be no
    number; the processor notes that, and NumPy then warns of an "invalid value" that is in no matrix.
    """
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        out: Array = left @ right
    return out
