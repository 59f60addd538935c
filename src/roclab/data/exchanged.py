"""Arrays that were handed over in another way than they were meant: exchanged, or in another order of rows."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from roclab.data.columns import is_frame
from roclab.errors import InputError, MissingValuesError, RoclabWarning, Words

__all__ = ["noticing_exchange", "remark_on_indexes"]

_LOOKED_AT = 100_000  # values that tell labels from scores


@contextmanager
def noticing_exchange(y_true: Any, y_score: Any, pos_label: Any) -> Iterator[None]:
    """An error about labels and scores that were exchanged says so; nothing is looked at where there is no error."""
    try:
        yield
    except InputError as error:
        about_labels = not isinstance(error, MissingValuesError) and _labels_may_be(y_score, pos_label)
        if about_labels and _are_scores(y_true) and len(y_true) == len(y_score):
            raise InputError(
                "y_true",
                "must be the labels and y_score the scores",
                Words("them exchanged: two different values in y_score, and more numbers in y_true"),
                "pass the labels first, then the scores",
            ) from error
        raise


def _labels_may_be(values: Any, pos_label: Any) -> bool:
    """Two different values, and the positive class among them where one is named."""
    if _distinct(values) != 2:
        return False
    return pos_label is None or str(pos_label) in {str(one) for one in _array(values).tolist()}


def _are_scores(values: Any) -> bool:
    found = _array(values)
    return found is not None and found.dtype.kind in "iuf" and _distinct(values) > 2


def _distinct(values: Any) -> int:
    found = _array(values)
    try:
        return 0 if found is None else len(set(found[:_LOOKED_AT].tolist()))
    except TypeError:  # values that have no hash are neither
        return 0


def _array(values: Any) -> Any:
    """Values of one column, or None for what is none."""
    if isinstance(values, str | bytes | Mapping) or is_frame(values) or not hasattr(values, "__len__"):
        return None
    try:
        array = np.asarray(values)
    except (TypeError, ValueError, RuntimeError):
        return None
    return array.reshape(-1) if array.ndim == 1 or (array.ndim == 2 and 1 in array.shape) else None


def remark_on_indexes(y_true: Any, y_score: Any) -> None:
    """Warn where both have an index as pandas has, and not the same: rows go by their order, never by the index."""
    if not _indexed(y_true):
        return
    others = y_score.values() if isinstance(y_score, Mapping) else [y_score]
    for other in others:
        if _indexed(other) and len(other) == len(y_true) and not other.index.equals(y_true.index):
            warnings.warn(
                "y_true and y_score have different indexes and are paired row by row, as they stand; write "
                "y_score.loc[y_true.index] if the index says which rows belong together.",
                RoclabWarning,
                stacklevel=6,
            )
            return


def _indexed(values: Any) -> bool:
    return type(values).__module__.startswith("pandas") and hasattr(values, "index")
