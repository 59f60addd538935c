from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.data.arrays import cases_from_arrays, rating_counts, sample_arrays
from roclab.errors import InputError, MissingValuesError, OneClassError

Y = [0, 1, 1]
S = [0.1, 0.4, 0.8]


def test_arrays_definition():
    cases = cases_from_arrays(Y, S)
    assert cases.label.tolist() == [False, True, True]
    assert cases.scores["score"].tolist() == S
    assert (cases.weight, cases.weights, cases.ids, cases.folds, cases.dropped) == (
        None,
        "none",
        None,
        None,
        0,
    )
    assert cases.direction == {"score": "higher"}


def test_several_scores_definition_stay_paired():
    cases = cases_from_arrays(Y, {"a": S, "b": [3, 2, 1]}, direction={"b": "lower"})
    assert cases.names == ["a", "b"]
    assert cases.direction == {"a": "higher", "b": "lower"}
    assert cases.scores["b"].tolist() == [3, 2, 1]


def test_all_parts_definition():
    cases = cases_from_arrays(
        ["ill", "well", "ill"],
        S,
        pos_label="ill",
        sample_weight=[1, 2, 3],
        ids=["p", "q", "r"],
        folds=[1, 1, 2],
    )
    assert (cases.positive, cases.negative) == ("ill", "well")
    assert (cases.weight.tolist(), cases.weights) == ([1, 2, 3], "frequency")
    assert (cases.ids.tolist(), cases.folds.tolist()) == (["p", "q", "r"], [1, 1, 2])


@pytest.mark.parametrize(
    ("weight", "asked", "expected", "dtype"),
    [
        ([1.0, 2.0, 0.0], None, "frequency", np.int64),
        ([0.5, 2, 1], None, "importance", np.float64),
        ([1, 2, 3], "importance", "importance", np.float64),
        ([1, 2, 3], "frequency", "frequency", np.int64),
    ],
)
def test_weights_definition(weight, asked, expected, dtype):
    cases = cases_from_arrays(Y, S, sample_weight=weight, weights=asked)
    assert (cases.weights, cases.weight.dtype) == (expected, dtype)


# -- missing values ------------------------------------------------------------------------------


def test_missing_error_counts_the_gaps():
    message = r"got gaps in 2 of 4 cases: y_true lacks 1, a lacks 2 \(first at position 1\); write missing='drop'"
    with pytest.raises(MissingValuesError, match=message):
        cases_from_arrays([0, 1, 1, None], {"a": [1, np.nan, 3, None], "b": [1, 2, 3, 4]})


def test_missing_drop_definition_is_case_wise_over_every_part():
    cases = cases_from_arrays(
        [0, 1, 1, 0, 1, 0, 1],
        {"a": [1, None, 3, 4, 5, 6, 7], "b": [1, 2, np.nan, 4, 5, 6, 7]},
        sample_weight=[1, 1, 1, None, 1, 1, 1],
        ids=["p", "q", "r", "s", None, "u", "v"],
        folds=[1, 1, 1, 1, 1, None, 2],
        missing="drop",
    )
    assert cases.dropped == 5
    assert cases.scores["b"].tolist() == [1, 7]
    assert (cases.weight.tolist(), cases.ids.tolist(), cases.folds.tolist()) == ([1, 1], ["p", "v"], [1, 2])


def test_missing_definition_of_a_score_called_like_another_part():
    with pytest.raises(MissingValuesError, match="y_true lacks 1"):
        cases_from_arrays([0, 1, None], {"y_true": S})


@pytest.mark.parametrize(
    "labels",
    [
        [True, False, None],
        [1, 0, None],
        [1, 0.0, None],
        np.array([np.int64(1), np.int64(0), None], dtype=object),
        pd.Series([True, False, None], dtype="boolean"),
        pd.Series([1, 0, None], dtype="Int64"),
        pl.Series([True, False, None]),
    ],
)
def test_missing_drop_definition_gives_labels_their_natural_type_back(labels):
    cases = cases_from_arrays(labels, S, missing="drop")  # 1/True is positive without pos_label
    assert cases.label.tolist() == [True, False]


def test_ids_definition_of_long_integers_beside_a_gap():
    ids = pl.Series([2**60, 2**60 + 1, None])
    cases = cases_from_arrays(Y, S, ids=ids, missing="drop")
    assert cases.ids.tolist() == [2**60, 2**60 + 1]
    huge = cases_from_arrays(Y, S, ids=[2**70, 2**70 + 1, None], missing="drop")
    assert huge.ids.tolist() == [2**70, 2**70 + 1]


def test_folds_definition_are_not_called_1_0_beside_a_gap():
    cases = cases_from_arrays([0, 1, 1, 0], [1, 2, 3, 4], folds=[1, 2, np.nan, 1], missing="drop")
    assert list(cases.by_fold()) == ["1", "2"]


def test_every_value_missing_error():
    with pytest.raises(MissingValuesError, match="every case has a missing value, so none is left"):
        cases_from_arrays(Y, [None, None, None], missing="drop")


@given(st.lists(st.tuples(st.booleans(), st.none() | st.integers(0, 3)), max_size=30))
def test_missing_drop_property_equals_leaving_the_cases_out(rows):
    rows = [(True, 1), (False, 1), *rows]
    complete = [row for row in rows if row[1] is not None]
    dropped = cases_from_arrays(*zip(*rows, strict=True), missing="drop")
    expected = cases_from_arrays(*zip(*complete, strict=True))
    assert dropped.label.tolist() == expected.label.tolist()
    assert dropped.scores["score"].tolist() == expected.scores["score"].tolist()
    assert dropped.dropped == len(rows) - len(complete)


# -- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y_true", "y_score", "options", "message"),
    [
        ([], [], {}, "y_true must hold at least one case of each class, got no cases"),
        ([0, 1], [1, 2, 3], {}, "y_score must have one value per label, got 3 values for 2 labels in y_true"),
        ([0, 1], {"a": [1]}, {}, "a must have one value per label, got 1 values for 2 labels"),
        (
            [0, 1],
            [1],
            {"names": ("m",), "label_name": "out"},
            "m must have one value per label.* labels in out",
        ),
        ([0, 1], [1, 2], {"sample_weight": [1]}, "sample_weight must have one value per label"),
        ([0, 1], [1, 2], {"ids": [1]}, "ids must have one value per label"),
        ([0, 1], [1, 2], {"folds": [1, 2, 3], "fold_name": "ward"}, "ward must have one value per label"),
        ([0, 1], {}, {}, "y_score must name at least one score, got an empty mapping"),
        ([0, 1], {1: [1, 2], "1": [1, 2]}, {}, r"y_score must name each score differently, got \[1, '1'\]"),
        ([0, 1], ["a", "b"], {}, "y_score must be numeric, got text"),
        ([0, 1], np.zeros((2, 2)), {}, "y_score must be one-dimensional, got a 2 x 2 table"),
        ([[0, 1]], [1], {}, "y_true must be one-dimensional, got a 1 x 2 table"),
        ([0, 1], [1, 2], {"sample_weight": [1, -1]}, "sample_weight must be >= 0, got -1 at position 1"),
        ([0, 1], [1, 2], {"sample_weight": [0, 0], "weight_name": "w"}, "w must not all be zero"),
        ([0, 1], [1, 2], {"sample_weight": [0.5, 1], "weights": "frequency"}, "whole numbers for.* got 0.5"),
        ([0, 1], [1, 2], {"weights": "frequency"}, "weights='frequency' needs sample_weight, got none"),
        (
            [0, 1],
            [1, 2],
            {"sample_weight": [1, 1], "weights": "x"},
            "weights must be one of 'frequency', 'imp",
        ),
        ([0, 1], [1, 2], {"missing": "ignore"}, "missing must be one of 'error', 'drop', got 'ignore'"),
        ([0, 1], [1, 2], {"direction": "up"}, "direction must be one of 'higher', 'lower', got 'up'"),
        (
            [0, 1],
            {"ab": [1, 2]},
            {"direction": {"abc": "lower"}},
            "got 'abc'; did you mean 'ab'; the scores are 'ab'",
        ),
        (
            [0, 1],
            [1, 2],
            {"pos_label": "sick"},
            "pos_label must be one of the two labels in y_true, got 'sick'",
        ),
        ([0, 1, 2], [1, 2, 3], {}, "y_true must hold exactly two classes where none is named, got 3 labels"),
    ],
)
def test_arrays_error(y_true, y_score, options, message):
    with pytest.raises(InputError, match=message):
        cases_from_arrays(y_true, y_score, **options)


def test_one_class_error():
    with pytest.raises(OneClassError, match="y_true must hold two classes, got only 1 in 2 cases"):
        cases_from_arrays([1, 1], [1, 2])


def test_one_class_error_when_the_other_class_was_dropped():
    with pytest.raises(OneClassError, match="got only 1 in 1 case"):
        cases_from_arrays([1, 0], [1, None], missing="drop")


# -- two samples and tables of counts ------------------------------------------------------------


def test_sample_arrays_definition():
    pos, neg = sample_arrays([1, 2], pd.Series([0.5]))
    assert (pos.tolist(), neg.tolist()) == ([1, 2], [0.5])


@pytest.mark.parametrize(
    ("positives", "negatives", "message"),
    [
        ([], [1], "positives must hold at least one score, got none"),
        ([1], [1, None], "negatives must not be missing, got 1 gap in 2 scores; drop them first"),
    ],
)
def test_sample_arrays_error(positives, negatives, message):
    with pytest.raises(InputError, match=message):
        sample_arrays(positives, negatives)


def test_rating_counts_definition():
    ratings, pos, neg = rating_counts([1, 2, 3], [0, 3.0, 2], [4, 1, 0])
    assert (ratings.tolist(), pos.tolist(), neg.tolist()) == ([1, 2, 3], [0, 3, 2], [4, 1, 0])
    assert pos.dtype == np.int64


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (([1, None], [1, 2], [1, 2]), "ratings must not be missing; give every category a number"),
        (([1, 2], [1, None], [1, 2]), "pos must not be missing; write 0 for a category that nobody received"),
        (([1, 2], [1, 2], [1]), "neg must have one value per label, got 1 values for 2 labels in ratings"),
        (([1, 2], [1, -2], [1, 1]), "pos must be >= 0, got -2 at position 1"),
        (([1, 2], [0, 0], [1, 1]), "pos must not all be zero"),
    ],
)
def test_rating_counts_error(table, message):
    with pytest.raises(InputError, match=message):
        rating_counts(*table)
