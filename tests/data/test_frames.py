from __future__ import annotations

import datetime
import subprocess
import sys
from decimal import Decimal

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from roclab.data.columns import is_frame
from roclab.data.read import read_cases
from roclab.errors import InputError, MissingValuesError

TABLE = {
    "outcome": ["well", "ill", "ill", "well"],
    "sick": [0, 1, 1, 0],
    "a": [0.5, 0.25, 1.5, 0.5],
    "b": [3, 1, 2, 2],
    "w": [1, 2, 1, 1],
    "patient": ["p", "q", "r", "s"],
    "ward": ["north", "south", "north", "south"],
    "seen": [datetime.date(2020, 1, day) for day in (1, 2, 3, 4)],
}

MAKERS = {
    "pandas": pd.DataFrame,
    "pandas with Arrow": lambda table: pd.DataFrame(table).convert_dtypes(dtype_backend="pyarrow"),
    "pandas nullable": lambda table: pd.DataFrame(table).convert_dtypes(),
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "pyarrow": pa.table,
    "narwhals": lambda table: nw.from_native(pl.DataFrame(table)),
}


@pytest.fixture(params=MAKERS)
def make(request):
    return MAKERS[request.param]


def test_frame_definition(make):
    cases = read_cases(make(TABLE), label="outcome", score="a", pos_label="ill")
    assert cases.label.tolist() == [False, True, True, False]
    assert cases.scores["a"].tolist() == TABLE["a"]
    assert (cases.names, cases.positive, cases.negative) == (["a"], "ill", "well")


def test_frame_definition_with_every_part(make):
    cases = read_cases(
        make(TABLE),
        label="sick",
        score=["a", "b"],
        weight="w",
        weights="importance",
        id="patient",
        fold="ward",
        direction={"b": "lower"},
    )
    assert cases.names == ["a", "b"]
    assert cases.scores["b"].tolist() == TABLE["b"]
    assert cases.direction == {"a": "higher", "b": "lower"}
    assert (cases.weight.tolist(), cases.weights) == ([1, 2, 1, 1], "importance")
    assert cases.ids.tolist() == TABLE["patient"]
    assert list(cases.by_fold()) == ["north", "south"]


def test_frame_definition_of_missing_values(make):
    table = {"sick": [0, 1, None, 1, 0], "a": [0.5, None, 1.0, 2.0, 3.0], "w": [1, 1, 1, 1, None]}
    frame = make(table)
    # A lone None makes pandas store floats; NaN and null must be one and the same missing value here.
    with pytest.raises(MissingValuesError, match="5 cases: sick lacks 1, a lacks 1, w lacks 1"):
        read_cases(frame, label="sick", score="a", weight="w")
    cases = read_cases(frame, label="sick", score="a", weight="w", missing="drop")
    assert (cases.scores["a"].tolist(), cases.label.tolist(), cases.dropped) == ([0.5, 2.0], [False, True], 3)


def test_unknown_column_error_names_close_ones_and_lists_few(make):
    with pytest.raises(InputError) as error:
        read_cases(make(TABLE), label="outcom", score="a")
    assert str(error.value) == (
        "the data frame has no column 'outcom'; did you mean 'outcome'; the columns are "
        "'outcome', 'sick', 'a', 'b', 'w', 'patient', 'ward', 'seen'."
    )


def test_unknown_column_error_counts_many():
    frame = pl.DataFrame({f"c{i}": [0, 1] for i in range(50)})
    with pytest.raises(InputError, match="has no column 'zzz'; it has 50 other columns"):
        read_cases(frame, label="c1", score="zzz")


def test_date_score_error(make):
    with pytest.raises(InputError, match="seen must be numeric, got da"):
        read_cases(make(TABLE), label="sick", score="seen")


def test_text_score_error(make):
    with pytest.raises(
        InputError, match=r"ward must be numeric, got (str|text such as) 'north'; convert it to numbers"
    ):
        read_cases(make(TABLE), label="sick", score="ward")


def test_negative_weight_error_names_the_column(make):
    with pytest.raises(InputError, match="w must be >= 0, got -1 at position 3"):
        read_cases(make(TABLE | {"w": [1, 1, 1, -1]}), label="sick", score="a", weight="w")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"label": "sick", "score": "sick"},
            "label and score must be different columns, got 'sick' for both",
        ),
        ({"label": "sick", "score": ["a", "sick"]}, "label and score must be different columns"),
        ({"label": "sick", "score": "a", "weight": "sick"}, "label and weight must be different columns"),
        ({"label": "sick", "score": "a", "id": "sick"}, "label and id must be different columns"),
        ({"label": "sick", "score": "a", "fold": "sick"}, "label and fold must be different columns"),
        ({"label": "sick", "score": ["a", "a"]}, "score must name different columns, got 'a' twice"),
        ({"label": "sick", "score": []}, "score must name at least one column, got an empty list"),
        ({"label": "sick", "score": 3}, "score must be the name of a column or a list of names, got 3"),
        ({"label": "sick", "score": ["a", 3]}, r"a list of names, got \['a', 3\]"),
        ({"label": None, "score": "a"}, "label must name columns of the data frame, got none; its columns are outcome"),
        ({"label": 3, "score": "a"}, "label must be the name of a column, got 3; write label='name'"),
        (
            {"label": "sick", "score": "a", "weight": [1, 2]},
            "sample_weight must have one value per label, got 2 values for 4 labels in sick",
        ),
        (
            {"label": "outcome", "score": "a"},
            "outcome must say which label is positive, got the labels ill and",
        ),
        (
            {"label": "sick", "score": "a", "pos_label": "1"},
            "pos_label must be one of the two labels in sick",
        ),
    ],
)
def test_roles_error(options, message):
    with pytest.raises(InputError, match=message):
        read_cases(pl.DataFrame(TABLE), **options)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame([[0, 1, 2], [1, 2, 3]], columns=["y", "a", "a"]),
        pa.table([[0, 1], [1, 2], [2, 3]], names=["y", "a", "a"]),
    ],
    ids=["pandas", "pyarrow"],
)
def test_duplicate_columns_error(frame):
    assert is_frame(frame)
    with pytest.raises(InputError, match="columns of the data frame must have different names, got 'a' more than"):
        read_cases(frame, label="y", score="a")


def test_empty_frame_error(make):
    empty = make({"y": np.array([], np.int64), "a": np.array([], np.float64)})
    with pytest.raises(InputError, match="y must hold at least one case of each class, got no cases"):
        read_cases(empty, label="y", score="a")


@pytest.mark.parametrize("thing", [[1, 2], np.zeros(2), None, pd.Series([1])])
def test_no_table_error(thing):
    with pytest.raises(InputError, match="data must be labels and scores, a table .data frame, mapping or file. with"):
        read_cases(thing, label="y", score="a")


def test_arrow_dictionary_and_decimal_definition():
    table = pa.table(
        {
            "y": pa.array(["ill", None, "well", "ill"]).dictionary_encode(),
            "rating": pa.array([3, 1, 2, None]).dictionary_encode(),
            "level": pa.array([Decimal("0.1"), Decimal("0.2"), None, Decimal("0.3")]),
        }
    )
    one = read_cases(table, label="y", score="rating", pos_label="ill", missing="drop")
    assert (one.label.tolist(), one.scores["rating"].tolist()) == ([True, False], [3, 2])
    message = "y lacks 1, rating lacks 1, level lacks 1"
    with pytest.raises(MissingValuesError, match=message):
        read_cases(table, label="y", score=["rating", "level"], pos_label="ill")


def test_lazy_frame_property_collects_only_the_needed_columns():
    def explode(column):
        raise AssertionError("a column that nobody asked for was computed")

    lazy = pl.LazyFrame(TABLE).with_columns(pl.col("b").map_batches(explode, return_dtype=pl.Int64))
    assert is_frame(lazy)
    assert len(read_cases(lazy, label="sick", score="a")) == 4


def test_is_frame_definition(make):
    assert is_frame(make(TABLE))


@pytest.mark.parametrize(
    "thing",
    [None, 1, "a", [1], (1,), {"a": 1}, np.zeros((2, 2)), pd.Series([1]), pl.Series([1]), pa.array([1])],
)
def test_is_frame_definition_of_other_things(thing):
    assert not is_frame(thing)


def test_is_frame_property_imports_no_narwhals_for_arrays():
    code = (
        "import sys, numpy as np; from roclab.data.columns import is_frame;"
        "is_frame(np.zeros(3)), is_frame([1]), is_frame(None); print('narwhals' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
