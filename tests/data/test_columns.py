from __future__ import annotations

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from roclab.data.columns import (
    all_whole,
    as_array,
    label_column,
    score_column,
    weight_column,
    whole_or_real,
)
from roclab.errors import InputError

NAN = float("nan")


def listed(column):
    """Values with None for the missing ones."""
    gaps = np.zeros(column.values.size, bool) if column.missing is None else column.missing
    return [None if gap else value for value, gap in zip(column.values.tolist(), gaps, strict=True)]


# -- scores --------------------------------------------------------------------------------------

SCORES_THAT_WORK = {
    "list of int": ([1, 2], [1, 2]),
    "tuple of float": ((0.5, 1.5), [0.5, 1.5]),
    "range": (range(3), [0, 1, 2]),
    "booleans": ([True, False], [1, 0]),
    "float with NaN": ([0.5, NAN], [0.5, None]),
    "list with None": ([0.5, None, 1], [0.5, None, 1]),
    "infinities": ([np.inf, -np.inf], [np.inf, -np.inf]),
    "decimals": ([Decimal("0.1"), None, Decimal("NaN")], [0.1, None, None]),
    "fractions": ([Fraction(1, 4)], [0.25]),
    "float16": (np.array([0.5], np.float16), [0.5]),
    "longdouble": (np.array([0.5, NAN], np.longdouble), [0.5, None]),
    "masked floats": (np.ma.masked_array([1.0, 2.0], [False, True]), [1.0, None]),
    "masked integers": (np.ma.masked_array([1, 2], [True, False]), [None, 2]),
    "masked array without gaps": (np.ma.masked_array([1, 2]), [1, 2]),
    "pandas Int64": (pd.Series([1, None], dtype="Int64"), [1, None]),
    "pandas Float64": (pd.Series([0.5, None], dtype="Float64"), [0.5, None]),
    "pandas boolean": (pd.Series([True, None], dtype="boolean"), [1, None]),
    "pandas categories that are numbers": (pd.Series([3, 1, None], dtype="category"), [3, 1, None]),
    "pandas Arrow decimal": (
        pd.Series([Decimal("1.5"), None], dtype=pd.ArrowDtype(pa.decimal128(5, 2))),
        [1.5, None],
    ),
    "pandas index": (pd.Index([1, 2]), [1, 2]),
    "polars integers": (pl.Series([1, None]), [1, None]),
    "polars float32": (pl.Series([0.5, None], dtype=pl.Float32), [0.5, None]),
    "polars decimal": (pl.Series([Decimal("1.50"), None]), [1.5, None]),
    "polars 128-bit integers": (pl.Series([1, 2], dtype=pl.Int128), [1, 2]),
    "polars nothing but nulls": (pl.Series([None, None]), [None, None]),
    "pyarrow array": (pa.array([1, None]), [1, None]),
    "pyarrow chunks": (pa.chunked_array([[1], [None]]), [1, None]),
    "pyarrow dictionary of numbers": (
        pa.chunked_array([pa.array([2, 1, None]).dictionary_encode()]),
        [2, 1, None],
    ),
    "pyarrow decimal": (pa.chunked_array([[Decimal("1.5"), None]]), [1.5, None]),
}


@pytest.mark.parametrize("case", SCORES_THAT_WORK)
def test_score_column_definition(case):
    values, expected = SCORES_THAT_WORK[case]
    assert listed(score_column(values, "s")) == expected


@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize("at", [0, 1, 50, 98, 99])
def test_score_column_finds_a_gap_wherever_it_is_definition(at, kind):
    """Also beside infinities, and in an array that is read backwards or by every second value."""
    for others in (np.arange(100.0), -np.arange(100.0), np.full(100, -np.inf), np.full(100, np.inf)):
        values = others.astype(kind)
        values[at] = NAN
        twice = np.repeat(values, 2)
        for given, place in ((values, at), (values[::-1], 99 - at), (twice[::2], at)):
            missing = score_column(given, "s").missing
            assert missing is not None
            assert np.flatnonzero(missing).tolist() == [place]
        assert score_column(others.astype(kind), "s").missing is None


SCORES_THAT_DO_NOT = {
    "text": (["a", "b"], "s must be numeric, got text such as 'a'; convert it to numbers"),
    "text that looks like numbers": (["1", "2"], "s must be numeric, got text"),
    "text among numbers": (np.array([1, "x"], dtype=object), "s must be numeric, got str 'x'"),
    "pandas text": (pd.Series(["a"]), "s must be numeric, got str 'a'"),
    "pandas categories that are words": (
        pd.Series(["lo", "hi"], dtype="category"),
        "s must be numeric, got str",
    ),
    "bytes": ([b"a"], "s must be numeric, got text"),
    "dates": (np.array(["2020-01-01"], "M8[D]"), r"got dates or times \(datetime64\[D\]\); turn them into"),
    "pandas dates": (pd.Series(pd.to_datetime(["2020-01-01"])), "got dates or times"),
    "polars durations": (pl.Series([datetime.timedelta(1)]), "got dates or times"),
    "date objects": ([datetime.date(2020, 1, 1)], "s must be numeric, got date datetime.date"),
    "dates among objects": (
        np.array([np.datetime64("2020"), None], object),
        "s must be numeric, got datetime64",
    ),
    "complex": ([1j], "s must be numeric, got complex128; convert it to float"),
    "lists in a column": (
        pl.Series([[1, 2]]),
        r"s must hold one value per case, got a column of List\(Int64\)",
    ),
    "structs": (pl.Series([{"a": 1}]), "s must hold one value per case, got a column of Struct"),
    "two dimensions": (np.zeros((2, 2)), r"one-dimensional, got a 2 x 2 table; .* s\[:, 1\]"),
    "a data frame": (pd.DataFrame({"a": [1, 2], "b": [1, 2]}), "one-dimensional, got a 2 x 2 table"),
    "three dimensions": (np.zeros((2, 2, 2)), "one-dimensional, got 3 dimensions"),
    "ragged rows": ([[1], [1, 2]], "one-dimensional, got rows of different lengths"),
    "a dictionary": ({"a": 1}, "one-dimensional, got 0 dimensions"),
    "one number": (3.5, "s must hold one value per case, got float 3.5; pass a list"),
    "one word": ("marker", "s must hold one value per case, got str 'marker'"),
    "a generator": ((x for x in [1]), "s must hold one value per case, got generator"),
    "None": (None, "s must hold one value per case, got NoneType None"),
    "long integers": ([1, -(2**60)], r"at most 2\*\*53 in size.*got -1152921504606846976; divide or rank"),
    "longer integers": ([2**70, 2**70 + 1], "distinguishable in float64"),
    "enormous integers": ([10**400, 1], "s must fit in float64, got 1000.*…; rescale or rank"),
    "decimals beyond float64": (
        [Decimal("0.1"), Decimal("0.1000000000000000000001")],
        "distinguishable in float64, got numbers that differ only beyond 15 digits",
    ),
    "integers beyond float64 beside a null": (
        pl.Series([2**60, 2**60 + 1, None]),
        "distinguishable in float64",
    ),
}


@pytest.mark.parametrize("case", SCORES_THAT_DO_NOT)
def test_score_column_error(case):
    values, message = SCORES_THAT_DO_NOT[case]
    with pytest.raises(InputError, match=message):
        score_column(values, "s")


def test_longdouble_error_when_float64_cannot_tell_values_apart():
    if np.finfo(np.longdouble).eps == np.finfo(np.float64).eps:
        pytest.skip("longdouble is float64 on this machine")
    one = np.longdouble(1)
    with pytest.raises(InputError, match=r"distinguishable in float64, got .* values that differ beyond it"):
        score_column(np.array([one, np.nextafter(one, 2)]), "s")


def test_as_array_property_neither_copies_nor_lets_write():
    values = np.arange(3.0)
    array = as_array(values, "s")
    assert np.shares_memory(array, values)
    assert not array.flags.writeable
    assert values.flags.writeable


# -- labels --------------------------------------------------------------------------------------

LABELS = {
    "words": (["a", "b"], ["a", "b"]),
    "words with None": (["a", None], ["a", None]),
    "floats": ([1.0, NAN], [1.0, None]),
    "dates": (np.array(["2020-01-01", "NaT"], "M8[D]"), [datetime.date(2020, 1, 1), None]),
    "pandas text": (pd.Series(["a", None]), ["a", None]),
    "pandas string": (pd.Series(["a", None], dtype="string"), ["a", None]),
    "pandas boolean": (pd.Series([True, None], dtype="boolean"), [True, None]),
    "pandas categories": (pd.Series(["a", None], dtype="category"), ["a", None]),
    "pandas categories that are numbers": (pd.Series([1, 2], dtype="category"), [1, 2]),
    "pandas Arrow dictionary": (
        pd.Series(["a", None], dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))),
        ["a", None],
    ),
    "polars text": (pl.Series(["a", None]), ["a", None]),
    "polars categories": (pl.Series(["a", None], dtype=pl.Categorical), ["a", None]),
    "polars enum": (pl.Series(["a", None], dtype=pl.Enum(["a", "b"])), ["a", None]),
    "polars boolean": (pl.Series([True, None]), [True, None]),
    "long integers beside a null": (pl.Series([2**60 + 1, None]), [2**60 + 1, None]),
    "pandas long integers beside a null": (pd.Series([2**60 + 1, None], dtype="Int64"), [2**60 + 1, None]),
    "masked words": (np.ma.masked_array(["a", "b"], [False, True]), ["a", None]),
    # A null in a dictionary column must not turn into one of the entries, as pyarrow's own to_numpy does.
    "pyarrow dictionary": (
        pa.chunked_array([pa.array(["a", "b", None]).dictionary_encode()]),
        ["a", "b", None],
    ),
}


@pytest.mark.parametrize("case", LABELS)
def test_label_column_definition(case):
    values, expected = LABELS[case]
    assert listed(label_column(values, "y")) == expected


# -- weights -------------------------------------------------------------------------------------


def test_weight_column_definition():
    assert listed(weight_column([1, 0.5, None, 0], "w")) == [1, 0.5, None, 0]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1, 0.5, -2, -1], "w must be >= 0, got -2 at position 2; drop or correct"),
        ([1, np.inf], "w must be finite, got inf at position 1"),
        ([0, 0], "w must not all be zero, got 2 weights of 0; no case would count"),
        (["a"], "w must be numeric, got text"),
    ],
)
def test_weight_column_error(values, message):
    with pytest.raises(InputError, match=message):
        weight_column(values, "w")


def test_whole_or_real_definition():
    assert whole_or_real(np.array([1.0, 2.0])).dtype == np.int64
    assert whole_or_real(np.array([1, 2], np.uint8)).dtype == np.int64
    assert whole_or_real(np.array([0.5, 2.0], np.float32)).dtype == np.float64
    assert whole_or_real(np.array([1e300])).tolist() == [1e300]  # whole, but no int64


def test_all_whole_definition():
    assert all_whole(np.array([1.0, -2.0]))
    assert all_whole(np.array([]))
    assert not all_whole(np.array([0.5]))
    assert not all_whole(np.array([np.inf]))
    assert not all_whole(np.array([1e300]))
