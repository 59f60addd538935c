from __future__ import annotations

import numpy as np
import pytest

from roclab.data.labels import binary_labels, called_positive, match_label
from roclab.errors import InputError, OneClassError


def split(values, pos_label=None):
    labels = binary_labels(np.asarray(values), pos_label=pos_label, name="y")
    return labels.is_positive.tolist(), labels.positive, labels.negative


@pytest.mark.parametrize(
    ("values", "pos_label", "expected"),
    [
        ([0, 1], None, ([False, True], "1", "0")),
        (np.array([1, 0, 1], np.uint8), None, ([True, False, True], "1", "0")),
        ([-1, 1], None, ([False, True], "1", "-1")),
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
        (
            [0, 1, 2],
            None,
            r"y must hold exactly two classes where none is named, got 3 labels \(0, 1, 2\); name the class that "
            "stands against the rest with pos_label, or a rule such as pos_label='>1'",
        ),
        (["a", "b", "c"], "d", "pos_label must be one of the labels in y, got 'd'; the labels are a, b, c"),
        (list("abcdefg"), None, r"got 7 labels \(a, b, c, d, e, …\)"),
        (np.arange(40), 7, "at most 30 other classes beside 7, got 39; if these are .* rule such as pos_label='>7'"),
        (
            [4.5, 5.0, 6.1],
            5.0,
            "y must hold classes, got 3 different numbers with fractions; if these are measurements",
        ),
        ([1.0, 2.0], ">5", "pos_label must leave cases of y on both sides, got > 5 for numbers from 1 to 2"),
        (["a", "b"], ">5", "may compare with a number only if y holds numbers, got >5 for the labels a, b; name one"),
        (["a", "b", "c"], ["a", "e"], "must be one of the labels in y, got 'e'"),
        (["a", "b", "c"], ["a", "b", "c"], "y must hold two classes, got only positive labels"),
        (["a", "b"], [], "pos_label must name at least one label"),
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


@pytest.mark.parametrize(
    ("rule", "expected", "remark"),
    [
        (">6.5", [False, False, True], "positive by y > 6.5, 1 case lies on 6.5: negative"),
        (">= 6.5", [False, True, True], "positive by y >= 6.5, 1 case lies on 6.5: positive"),
        ("<6,5", [True, False, False], "positive by y < 6.5, 1 case lies on 6.5: negative"),
        ("≤7", [True, True, False], "positive by y <= 7, no case lies on 7"),
    ],
)
def test_outcome_by_a_rule_definition(rule, expected, remark):
    found = binary_labels(np.array([5.0, 6.5, 8.0]), pos_label=rule, name="y")
    assert found.is_positive.tolist() == expected
    assert found.remark == remark


def test_a_label_that_looks_like_a_rule_is_a_label():
    found = binary_labels(np.array([">65", "<=65", ">65"]), pos_label=">65", name="y")
    assert (found.positive, found.is_positive.tolist(), found.remark) == (">65", [True, False, True], "")


def test_one_class_against_the_rest_definition():
    found = binary_labels(np.array(list("abcab")), pos_label="a", name="y")
    assert found.is_positive.tolist() == [True, False, False, True, False]
    assert (found.positive, found.negative) == ("a", "not a")
    assert found.remark == "a against the rest of y (b 2, c 1)"


def test_joined_classes_definition():
    found = binary_labels(np.array([1, 2, 3, 4]), pos_label=[3, 4], name="y")
    assert found.is_positive.tolist() == [False, False, True, True]
    assert (found.positive, found.remark) == ("3 or 4", "3 or 4 against the rest of y (1 1, 2 1)")
    two = binary_labels(np.array([1, 2]), pos_label=[2], name="y")
    assert (two.positive, two.negative, two.remark) == ("2", "1", "")


def test_two_of_several_classes_definition():
    found = binary_labels(np.array(list("abcab")), pos_label="c", neg_label="a", name="y")
    assert found.keep is not None
    assert found.keep.tolist() == [True, False, True, True, False]
    assert found.is_positive.tolist() == [False, True, False]
    assert found.remark == "2 cases of other classes left out (b)"
    with pytest.raises(InputError, match="neg_label must be one of the labels in y, got 'd'"):
        binary_labels(np.array(list("abc")), pos_label="c", neg_label="d", name="y")
    with pytest.raises(InputError, match="neg_label needs pos_label beside it"):
        binary_labels(np.array(list("abc")), pos_label=None, neg_label="a", name="y")
    with pytest.raises(InputError, match="neg_label must differ from pos_label"):
        binary_labels(np.array(list("abc")), pos_label="a", neg_label="a", name="y")


def test_predictions_of_classes_that_were_made():
    truth = binary_labels(np.array(list("abcab")), pos_label="a", name="y")
    assert called_positive(["a", "b", "b", "c", "a"], truth).tolist() == [True, False, False, False, True]
    with pytest.raises(InputError, match="must use the labels of y_true, a, b, c, got d"):
        called_positive(["d", "b", "b", "c", "a"], truth)
    ruled = binary_labels(np.array([1.0, 2.0, 3.0]), pos_label=">2", name="y")
    assert called_positive([True, False, True], ruled).tolist() == [True, False, True]
