from __future__ import annotations

import numpy as np
import pytest

from roclab.data.labels import binary_labels, match_label
from roclab.errors import InputError, OneClassError


def split(values, pos_label=None):
    labels = binary_labels(np.asarray(values), pos_label=pos_label, name="y")
    return labels.is_positive.tolist(), labels.positive, labels.negative


@pytest.mark.parametrize(
    ("values", "pos_label", "expected"),
    [
        ([0, 1], None, ([False, True], "1", "0")),
        ([-1.0, 1.0], None, ([False, True], "1", "-1")),
        ([False, True], None, ([False, True], "True", "False")),
        ([1, 2], 2, ([False, True], "2", "1")),
        (["well", "ill"], "ill", ([False, True], "ill", "well")),
        ([0, 1], 0, ([True, False], "0", "1")),
        ([0.5, 1.5], 1.5, ([False, True], "1.5", "0.5")),
        ([False, True], 1, ([False, True], "True", "False")),  # called as the data call it
        (np.array(["a", 1], dtype=object), "a", ([True, False], "a", "1")),
    ],
)
def test_binary_labels_definition(values, pos_label, expected):
    assert split(values, pos_label) == expected


@pytest.mark.parametrize(
    ("values", "pos_label", "message"),
    [
        ([1, 1], None, "y must hold two classes, got only 1 in 2 cases; add cases of the negative class"),
        ([0, 0], None, "got only 0 in 2 cases and none of the positive label 1; add cases of the positive"),
        (["ill", "ill"], None, "y must hold two classes, got only ill in 2 cases; add cases of the other"),
        (["ill"], "ill", "y must hold two classes, got only ill in 1 case;"),
        (["ill"], "well", "got only ill in 1 case and none of the positive label well"),
        ([True, True], None, "got only True in 2 cases"),
    ],
)
def test_one_class_error(values, pos_label, message):
    with pytest.raises(OneClassError, match=message):
        split(values, pos_label)


@pytest.mark.parametrize(
    ("values", "pos_label", "message"),
    [
        ([0, 1, 2], None, r"y must hold exactly two classes, got 3 labels \(0, 1, 2\); keep two of them"),
        (["a", "b", "c"], "a", r"got 3 labels \(a, b, c\)"),
        (["a", "b", "c"], "d", r"got 3 labels \(a, b, c\)"),
        (list("abcdefg"), "a", r"got 7 labels \(a, b, c, d, e, …\)"),
        (
            ["ill", "well"],
            None,
            "y must say which label is positive, got the labels ill and well; write pos_label='well'",
        ),
        ([1, 2], None, "got the labels 1 and 2; write pos_label=2 if that is the positive one"),
        (np.array(["a", 1], dtype=object), None, "got the labels a and 1; write pos_label=1"),
        (
            ["ill", "well"],
            "sick",
            "pos_label must be one of the two labels in y, got 'sick'; the labels are ill and well",
        ),
        (["ill", "well"], "wel", "got 'wel'; did you mean 'well'; the labels are ill and well"),
        (
            [0, 1],
            "1",
            "pos_label must be one of the two labels in y, got '1'; write pos_label=1, as it stands",
        ),
        ([False, True], "True", "got 'True'; write pos_label=True, as it stands in the data"),
        (["0", "1"], 1, "got 1; write pos_label='1', as it stands in the data"),
    ],
)
def test_labels_error(values, pos_label, message):
    with pytest.raises(InputError, match=message):
        split(values, pos_label)


@pytest.mark.parametrize(
    ("values", "text", "expected"),
    [
        ([0, 1], "1", 1),
        ([0.0, 1.0], "1", 1.0),
        ([0, 1], "1.0", 1),
        ([0.5, 1.5], "1.50", 1.5),
        ([False, True], "True", True),
        ([False, True], "true", True),
        ([False, True], "FALSE", False),
        (["ill", "well"], "ill", "ill"),
        (["1", "2"], "1", "1"),
        (["1", None, "2"], "2", "2"),
        ([1.0, np.nan], "1", 1.0),
        (np.array(["a", 1], dtype=object), "1", 1),
    ],
)
def test_match_label_definition(values, text, expected):
    found = match_label(values, text)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("values", "text", "message"),
    [
        (
            ["ill", "well"],
            "sick",
            "pos_label must be one of the labels, got 'sick'; the labels are ill, well",
        ),
        (["ill", "well"], "wel", "got 'wel'; did you mean 'well'"),
        ([0, 1], "2", "got '2'; the labels are 0, 1"),
        ([False, True], "1", "got '1'; the labels are False, True"),
        (list("abcdefg"), "x", "the labels are a, b, c, d, e, …"),
    ],
)
def test_match_label_error_lists_the_labels(values, text, message):
    with pytest.raises(InputError, match=message):
        match_label(values, text)
