"""Samples as arrays without gaps."""

from __future__ import annotations

from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Floats
from roclab.data.columns import score_column
from roclab.errors import InputError, MissingValuesError, Words

__all__ = ["sample_of"]


def sample_of(values: Any, name: str) -> Floats:
    """A non-empty sample of numbers."""
    column = score_column(values, name)
    if column.values.size == 0:
        raise InputError(name, "must hold at least one value", Words("none"))
    if column.missing is not None:
        raise MissingValuesError(
            name,
            "must not be missing",
            Words(f"{plural(int(column.missing.sum()), 'gap')} in {plural(column.values.size, 'value')}"),
            "drop them first",
        )
    return column.values.astype(np.float64)
