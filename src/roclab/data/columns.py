"""One column of input: turned into a NumPy array, checked, and its missing values found."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Array, Bools, Counts, frozen
from roclab.errors import InputError, Words

if TYPE_CHECKING:
    import narwhals as nw

_NEVER_A_VALUE = {"NoneType", "NAType", "NaTType"}  # by name, so that no data frame library is imported
MOST_WHOLE = 1 << 53  # integers up to here are exact in float64
LARGEST_WEIGHT = 1e100  # its square, which variances add up, is still a number
SMALLEST_WEIGHT = 1e-100  # and so is that of this one; a product of smaller ones is 0, and areas divide by it


class Column(NamedTuple):
    """Values, and where they are missing (None when nothing is)."""

    values: Array
    missing: Bools | None


def as_array(values: Any, name: str) -> Array:
    """Any sequence, NumPy array or data frame column as a one-dimensional array, not copied if possible."""
    if type(values) is not np.ndarray:
        if not isinstance(values, np.ndarray):
            values = _from_sequence(values, name)
        # Other arrays are no masked ones; numpy.ma is loaded by whoever makes one, and not for the question.
        elif isinstance(values, np.ma.MaskedArray):
            values = _unmasked(values)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]  # one column, as scikit-learn and data frames hand it out
    if values.ndim == 1:
        return frozen(values.view())
    if values.ndim == 2:
        shape = " x ".join(map(str, values.shape))
        raise InputError(
            name,
            "must be one-dimensional",
            Words(f"a {shape} table"),
            f"pass one column, for class probabilities the one of the positive class: {name}[:, 1]",
        )
    raise InputError(name, "must be one-dimensional", Words(f"{values.ndim} dimensions"), "pass one value per case")


def _from_sequence(values: Any, name: str) -> Array:
    if isinstance(values, str | bytes) or not hasattr(values, "__len__"):
        raise InputError(
            name,
            "must hold one value per case",
            Words(f"{type(values).__name__} {_short(values)}"),
            "pass a list, an array or a data frame column",
        )
    if isinstance(values, list | tuple):
        try:
            return np.asarray(values)
        except ValueError:
            raise InputError(
                name, "must be one-dimensional", Words("rows of different lengths"), "pass one value per case"
            ) from None
    if getattr(values, "requires_grad", False) is True:
        raise InputError(
            name, "must be plain numbers", Words("a tensor that requires grad"), f"pass {name}.detach() instead"
        )
    import narwhals as nw

    if is_frame(values):
        values = _only_column(values)
    column = nw.from_native(values, series_only=True, pass_through=True)
    return _from_series(column, name) if isinstance(column, nw.Series) else np.asarray(values)


def _only_column(frame: Any) -> Any:
    """The column of a data frame that has one; a wider frame as it is, to be refused by its shape."""
    import narwhals as nw

    table = nw.from_native(frame)
    if isinstance(table, nw.LazyFrame):
        table = table.collect()
    names = table.columns
    return table[names[0]].to_native() if len(names) == 1 else table.to_numpy()


def _from_series(column: nw.Series[Any], name: str) -> Array:
    import narwhals as nw

    dtype = column.dtype
    if dtype.is_nested():
        raise InputError(
            name, "must hold one value per case", Words(f"a column of {dtype}"), "pick or compute one value"
        )
    if dtype == nw.Categorical and column.implementation.is_pyarrow():
        # pyarrow's to_numpy shows a null in a dictionary column as one of the entries; decoded it stays null.
        native = column.to_native()
        column = nw.from_native(native.cast(native.type.value_type), series_only=True)
    elif dtype in (nw.Int128, nw.UInt128) or (dtype.is_integer() and _gaps_beside_big_integers(column)):
        out = np.empty(len(column), np.object_)
        out[:] = column.to_list()
        return out
    return np.asarray(column.to_numpy())


def _gaps_beside_big_integers(column: nw.Series[Any]) -> bool:
    """True when the usual conversion, to float64 with NaN for the gaps, could make two integers equal."""
    if column.null_count() == 0:
        return False
    present = column.drop_nulls()
    return len(present) > 0 and max(abs(int(present.min())), abs(int(present.max()))) > MOST_WHOLE


def _unmasked(values: np.ma.MaskedArray[Any, Any]) -> Array:
    """A masked array as a plain one: masked values become NaN, or None where NaN does not exist."""
    gaps = np.ma.getmaskarray(values)
    plain: Array = values.data
    if not gaps.any():
        return plain
    if plain.dtype.kind == "f":
        return np.where(gaps, plain.dtype.type(np.nan), plain)
    out = plain.astype(np.object_)
    out[gaps] = None
    return out


def score_column(values: Any, name: str) -> Column:
    """Scores as float32, float64 or integers; NaN and null are found, not yet judged.

    The levels of an ordered factor (pandas' ordered categories, polars' Enum) are numbered from 0 in their order.
    """
    array = None if type(values) is np.ndarray else _level_numbers(values)
    if array is None:
        array = as_array(values, name)
    kind = array.dtype.kind
    if kind == "f":
        width = array.dtype.itemsize
        if width == 2:
            array = array.astype(np.float32)
        elif width > 8:
            array = _narrowed(array, name)
        # NaN counts as the smallest. Asking where that is costs less than how large it is.
        if array.size and math.isnan(array[array.argmin()]):
            return Column(array, np.isnan(array))
        return Column(array, None)
    if kind == "b":
        return Column(array.astype(np.int8), None)
    if kind in "iu":
        largest = max((int(array.min()), int(array.max())), key=abs) if array.size else 0
        if abs(largest) > MOST_WHOLE:
            raise InputError(
                name,
                "must hold integers of at most 2**53 in size, which float64 keeps apart",
                Words(largest),
                "divide or rank them first",
            )
        return Column(array, None)
    if kind == "O":
        return _objects_as_scores(array, name)
    if kind in "US":
        raise InputError(
            name,
            "must be numeric",
            Words(f"text such as {_short(next(iter(array[:1].tolist()), ''))}"),
            "convert it to numbers, or use it as the label",
        )
    if kind in "mM":
        raise InputError(
            name,
            "must be numeric",
            Words(f"dates or times ({array.dtype})"),
            "turn them into numbers, such as days since a fixed date",
        )
    raise InputError(name, "must be numeric", Words(array.dtype), "convert it to float")


def _level_numbers(values: Any) -> Array | None:
    """Numbers of the levels of an ordered factor, NaN for gaps; None for anything else."""
    if isinstance(values, np.ndarray | list | tuple):
        return None
    import narwhals as nw

    column = nw.from_native(values, series_only=True, pass_through=True)
    if not isinstance(column, nw.Series) or column.dtype != nw.Enum:
        return None
    levels: Any = column.dtype
    place = {level: at for at, level in enumerate(levels.categories)}
    return np.array([np.nan if value is None else place.get(value, np.nan) for value in column.to_list()], np.float64)


def _narrowed(array: Array, name: str) -> Array:
    with np.errstate(over="ignore"):  # what overflows to inf is told apart no more, which the next line finds
        narrow = array.astype(np.float64)
    if np.unique(narrow).size != np.unique(array).size:
        raise InputError(
            name,
            "must be distinguishable in float64",
            Words(f"{array.dtype} values that differ beyond it"),
            "rank them first",
        )
    return narrow


def _objects_as_scores(array: Array, name: str) -> Column:
    missing = _missing_objects(array)
    present = array[~missing]
    out = np.full(array.size, np.nan)
    out[~missing] = [_as_float(value, name) for value in present]
    exact = any(isinstance(value, Decimal | int) for value in present)
    if exact and np.unique(out[~missing]).size != len(set(present)):
        raise InputError(
            name,
            "must be distinguishable in float64",
            Words("numbers that differ only beyond 15 digits"),
            "rank or rescale them first",
        )
    return Column(out, missing if missing.any() else None)


def _as_float(value: Any, name: str) -> float:
    if not isinstance(value, str | bytes | np.datetime64 | np.timedelta64):
        try:
            return float(value)
        except (TypeError, ValueError):
            pass  # the sentence below says it better
        except OverflowError:
            raise InputError(
                name, "must fit in float64", Words(f"{_short(value)}"), "rescale or rank the scores"
            ) from None
    raise InputError(name, "must be numeric", Words(f"{type(value).__name__} {_short(value)}"), "convert it to numbers")


def _missing_objects(array: Array) -> Bools:
    """True for None, NaN of any kind, and the missing-value marks of data frame libraries."""
    # Kinds are few and values are many: a column of nothing but text is cleared without a look at its values.
    doubtful = tuple(kind for kind in set(map(type, array)) if _may_be_missing(kind))
    if not doubtful:
        return np.zeros(array.size, np.bool_)
    return np.fromiter(
        (isinstance(value, doubtful) and _is_missing(value) for value in array), np.bool_, count=array.size
    )


def _may_be_missing(kind: type) -> bool:
    return kind.__name__ in _NEVER_A_VALUE or issubclass(kind, float | np.floating | Decimal)


def _is_missing(value: Any) -> bool:
    if type(value).__name__ in _NEVER_A_VALUE:
        return True
    return value.is_nan() if isinstance(value, Decimal) else bool(np.isnan(value))


def label_column(values: Any, name: str) -> Column:
    """Labels of any kind, with missing ones found."""
    array = as_array(values, name)
    kind = array.dtype.kind
    if kind == "f":
        missing = np.isnan(array)
    elif kind == "O":
        missing = _missing_objects(array)
    elif kind in "mM":
        missing = np.isnat(array)
    else:
        return Column(array, None)
    return Column(array, missing if missing.any() else None)


def weight_column(values: Any, name: str) -> Column:
    """Weights, checked to be >= 0, finite and not all zero; NaN and null are found, not yet judged."""
    column = score_column(values, name)
    array = column.values
    if column.missing is not None:
        array = np.where(column.missing, 1, array)
    if array.size == 0:
        return column
    if array.min() < 0:
        at = int(np.argmax(array < 0))
        raise InputError(name, "must be >= 0", Words(f"{array[at]:g} at position {at}"), "drop or correct that case")
    if np.isinf(array.max()):
        at = int(np.argmax(array))
        raise InputError(name, "must be finite", Words(f"inf at position {at}"), "drop or correct that case")
    total = array.sum(dtype=np.float64)
    if total > MOST_WHOLE and array.dtype.kind in "iu":
        raise InputError(name, "must add up to at most 2**53", Words(f"{total:.3g}"), "divide them all by one number")
    if array.max() > LARGEST_WEIGHT:
        raise InputError(
            name, f"must be at most {LARGEST_WEIGHT:g}", Words(f"{array.max():.3g}"), "divide them all by one number"
        )
    light = (array > 0) & (array < SMALLEST_WEIGHT)
    if light.any():
        at = int(np.argmax(light))
        raise InputError(
            name, f"must be 0 or at least {SMALLEST_WEIGHT:g}", Words(f"{array[at]:.3g} at position {at}"),
            "write 0, or multiply them all by one number",
        )  # fmt: skip
    if array.max() == 0:
        raise InputError(
            name, "must not all be zero", Words(f"{plural(array.size, 'weight')} of 0"), "no case would count"
        )
    return column


def whole_or_real(weight: Array) -> Counts:
    """Weights without gaps: int64 when all are whole numbers, else float64."""
    whole = weight.dtype.kind in "iu" or (all_whole(weight) and weight.sum() <= MOST_WHOLE)
    return weight.astype(np.int64) if whole else weight.astype(np.float64)


def all_whole(values: Array) -> bool:
    """True when floats are whole numbers that int64 holds exactly."""
    return bool(np.abs(values).max(initial=0) <= MOST_WHOLE) and np.array_equal(values, np.floor(values))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "…"


def is_frame(obj: Any) -> bool:
    """True for a data frame, eager or lazy; arrays, lists and single columns are none.

    Every data frame has ``columns``. Asking the class first costs nothing, evaluates nothing on a lazy
    frame, and spares a program that only uses arrays the import of narwhals.
    """
    kind = type(obj)
    if kind is np.ndarray or not hasattr(kind, "columns"):
        return False
    import narwhals as nw

    try:
        table = nw.from_native(obj, pass_through=True)
    except nw.exceptions.DuplicateError:  # a frame all the same; which columns are double is said elsewhere
        return True
    return isinstance(table, nw.DataFrame | nw.LazyFrame)
