"""Prove, in a few passes over the data, that a call is the common case; otherwise raise `Unusual`.

Nothing here judges whether input is valid: a doubtful case is simply not common. What is proved is that
scikit-learn would accept the input and in which of its cases it would land.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from numbers import Real
from typing import Any

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.types import Array, Bools, Floats
from roclab.compat._delegate import Unusual

# Up to here every whole number is a float64 of its own.
EXACT = 2.0**53
_LIGHTEST, _HEAVIEST = 1e-100, 1e100


def require(condition: object) -> None:
    """Leave the common case unless the condition holds."""
    if not condition:
        raise Unusual


def is_switch(value: object) -> bool:
    """What scikit-learn takes for a boolean option."""
    return isinstance(value, bool | np.bool_)


def is_option(value: object, options: Iterable[str]) -> bool:
    """One of the named options; the type first, because an array would compare elementwise."""
    return isinstance(value, str) and value in options


def array_of(values: Any) -> Array:
    """The array scikit-learn would make of plain arrays, lists and data-frame columns."""
    kind = type(values)
    if kind is np.ndarray or kind is np.memmap:  # other subclasses, such as masked arrays, mean more
        return np.asarray(values)
    if kind is list or kind is tuple:
        try:
            return np.asarray(values)
        except (ValueError, TypeError, OverflowError):
            raise Unusual from None
    library = kind.__module__.partition(".")[0]
    require(library in ("pandas", "polars") and kind.__name__ in ("Series", "DataFrame"))
    array = np.asarray(values)
    if library == "pandas":
        # Nullable, sparse and Arrow columns have rules of their own; strings arrive as objects.
        types = [values.dtype] if kind.__name__ == "Series" else values.dtypes
        require(array.dtype.kind == "O" or all(isinstance(each, np.dtype) for each in types))
    return array


def scores_of(values: Any) -> Array:
    """Finite scores of a type the counting kernel sorts without rounding."""
    score = array_of(values)
    require(score.ndim in (1, 2) and score.size and score.dtype.isnative)
    if score.dtype.kind == "f":
        require(score.dtype.itemsize in (4, 8))
        # A finite sum has finite terms; one that overflows proves nothing, and NaN wins both min and max. A range that
        # overflows is no trouble: only the order of scores counts here, while scikit-learn takes sums and differences
        # of them and warns.
        if not math.isfinite(np.add.reduce(score, axis=None)):
            require(math.isfinite(score.max()) and math.isfinite(score.min()))
    else:
        require(score.dtype.kind in "iu" and score.min() >= -EXACT and score.max() <= EXACT)
    return score


def weights_of(values: Any, length: int) -> Floats | None:
    """Weights as float64, none negative; None where there are none."""
    if values is None:
        return None
    weight = array_of(values)
    require(weight.shape == (length,) and weight.dtype.kind in "biuf" and weight.dtype.itemsize <= 8)
    real = weight.astype(np.float64, copy=False)
    # Between these bounds no sum overflows, where scikit-learn would warn, and no rate of a nonzero weight
    # vanishes. NaN fails both.
    require(real.min() >= 0 and real.max() <= _HEAVIEST)
    require(np.count_nonzero(real < _LIGHTEST) == np.count_nonzero(real == 0))
    return real


def labels_of(values: Any) -> Array:
    """A non-empty array of labels of a kind that has a clear meaning of equality."""
    label = array_of(values)
    require(label.ndim in (1, 2) and label.size and label.dtype.isnative)
    kind = label.dtype.kind
    if kind == "O":
        require(set(map(type, label.ravel().tolist())) <= {str, np.str_})
    else:
        require(kind in "biuU" or (kind == "f" and label.dtype.itemsize in (4, 8)))
    return label


def greater_label(label: Array) -> Bools:
    """Where the greater of exactly two labels is."""
    if label.dtype.kind == "b" and label.ndim == 1:
        require(0 < np.count_nonzero(label) < label.size)
        return label
    is_first, first, other = _two_labels(label)
    return is_first if first > other else ~is_first


def chosen_label(label: Array, pos_label: Any, *, many: bool = False) -> Bools:
    """Where the positive label is.

    Parameters
    ----------
    label
        Labels with exactly two values.
    pos_label
        The positive one; None stands for 1 among {0, 1} or {-1, 1}.
    many
        Whether whole-number labels may take more than two values when ``pos_label`` names one.
    """
    require(label.ndim == 1)
    if pos_label is None:
        is_first, first, other = _two_labels(label)
        require(label.dtype.kind in "biuf" and (first == 1 or other == 1))
        require((other if first == 1 else first) in (0, -1))
        return is_first if first == 1 else ~is_first
    if label.dtype.kind in "UO":
        require(isinstance(pos_label, str))
    else:
        require(isinstance(pos_label, Real | np.bool_))
    if many and label.dtype.kind in "iu":
        positive: Bools = label == pos_label
        require(0 < np.count_nonzero(positive) < label.size)
        return positive
    is_first, first, other = _two_labels(label)
    require(first == pos_label or other == pos_label)
    return is_first if first == pos_label else ~is_first


def _two_labels(label: Array) -> tuple[Bools, Any, Any]:
    """Where the first label stands, that label, and the other one; there is no third."""
    require(label.ndim == 1)
    first = label[0]
    is_first: Bools = label == first
    at = int(np.argmin(is_first))
    require(at > 0)  # else all labels are the same
    other = label[at]
    if label.dtype.kind == "b":
        return is_first, first, other
    if label.dtype.kind == "f":
        # Labels with a fraction are a continuous target to scikit-learn; infinities are errors.
        require(first.is_integer() and other.is_integer() and max(abs(first), abs(other)) <= EXACT)
    n_other = sum(int(np.count_nonzero(label[part] == other)) for part in blocks(label.size))
    require(np.count_nonzero(is_first) + n_other == label.size)
    return is_first, first, other
