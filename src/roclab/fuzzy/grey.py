"""Grey levels of eight bits, in which published settings of image clustering are told."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab.errors import InputError

__all__ = ["beta_in_units", "checked_window", "eight_bit"]

_LEVELS = 255


def checked_window(window: Any) -> tuple[float, float]:
    """Lowest and highest value of a window."""
    try:
        low, high = (float(one) for one in window)
    except (TypeError, ValueError):
        low = high = np.nan
    if not -np.inf < low < high < np.inf:
        raise InputError("window", "must be two numbers, the lower first", window, "-1024, 1000 shows a chest")
    return low, high


def eight_bit(image: Any, window: Any) -> Array:
    """Values of a window as whole numbers from 0 to 255; what lies outside has the level of its end. O(pixels).

    >>> eight_bit([-2000, -1024, -12, 1000], (-1024, 1000)).tolist()
    [0.0, 0.0, 128.0, 255.0]
    """
    low, high = checked_window(window)
    values = np.asarray(image, dtype=np.float64)
    grey: Array = np.rint((np.clip(values, low, high) - low) * (_LEVELS / (high - low)))
    return grey


def beta_in_units(beta: float, window: Any) -> float:
    """The weight of a penalty that was told for eight-bit grey, in the units of the window: squares of them.

    >>> round(beta_in_units(100, (-1000, 400)))  # a window of 1400 HU
    3014
    """
    low, high = checked_window(window)
    return float(beta) * ((high - low) / _LEVELS) ** 2
