from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.data.cases import Cases
from roclab.errors import InputError


def cases(**changes):
    given = {
        "label": np.array([True, False, True, False]),
        "scores": {"a": np.array([3, 1, 2, 2]), "b": np.array([0.5, 0.25, 0.75, 1.0])},
        "direction": {"a": "higher", "b": "lower"},
        "ids": np.array(["p", "q", "r", "s"]),
        "folds": np.array([2, 1, 2, 1]),
    }
    return Cases(**(given | changes))


def test_tally_definition_of_each_direction():
    assert cases().tally("a").score.tolist() == [3, 2, 1]
    lower = cases().tally("b")
    assert lower.score.tolist() == [-0.25, -0.5, -0.75, -1.0]
    assert lower.neg.tolist() == [1, 0, 0, 1]
    assert lower.shown(lower.score).tolist() == [0.25, 0.5, 0.75, 1.0]


def test_lower_direction_definition_of_small_and_unsigned_integers():
    smallest = cases(scores={"a": np.array([-128, 127, 0, 1], np.int8)}, direction={"a": "lower"})
    assert smallest.oriented().tolist() == [128, -127, 0, -1]
    unsigned = cases(scores={"a": np.array([0, 255, 1, 2], np.uint8)}, direction={"a": "lower"})
    assert unsigned.oriented().tolist() == [0, -255, -1, -2]


def test_sample_definition_counts_cases_or_weights():
    assert (cases().sample("a").n_pos, cases().sample("a").n_neg) == (2, 2)
    weighted = cases(weight=np.array([1, 2, 3, 4]), weights="frequency").sample("b")
    assert (weighted.n_pos, weighted.n_neg, weighted.weights, weighted.score) == (4, 6, "frequency", "b")


def test_only_definition_keeps_all_parts_together():
    part = cases(weight=np.array([1, 2, 3, 4])).only(np.array([2, 0]))
    assert part.label.tolist() == [True, True]
    assert part.scores["b"].tolist() == [0.75, 0.5]
    assert (part.weight.tolist(), part.ids.tolist(), part.folds.tolist()) == ([3, 1], ["r", "p"], [2, 2])
    assert len(part) == 2


def test_by_fold_definition_in_the_order_of_names():
    parts = cases().by_fold()
    assert list(parts) == ["1", "2"]
    assert parts["2"].ids.tolist() == ["p", "r"]
    assert parts["1"].ids.tolist() == ["q", "s"]


@given(st.lists(st.sampled_from(["x", "y", "zz"]), min_size=1, max_size=30))
def test_by_fold_property_puts_every_case_in_exactly_one_fold(folds):
    rows = np.arange(len(folds))
    label = rows % 2 == 0
    parts = cases(label=label, scores={"a": rows}, ids=rows, folds=np.array(folds)).by_fold()
    assert list(parts) == sorted(set(folds))
    for name, part in parts.items():
        assert part.ids.tolist() == [row for row in rows.tolist() if folds[row] == name]


def test_by_fold_definition_of_folds_of_several_kinds():
    parts = cases(folds=np.array(["x", 1, 1, "x"], dtype=object)).by_fold()
    assert {name: len(part) for name, part in parts.items()} == {"x": 2, "1": 2}


def test_by_fold_error_without_folds():
    with pytest.raises(InputError, match="the cases have no folds; say which column holds them with fold"):
        cases(folds=None).by_fold()


def test_score_error_when_none_of_several_is_named():
    with pytest.raises(InputError, match="score must name one score for this question, got a and b"):
        cases().tally()


def test_score_error_names_close_ones():
    with pytest.raises(InputError, match="got 'marker'; did you mean 'marker_a'"):
        cases(scores={"marker_a": np.arange(4)}, direction={"marker_a": "higher"}).tally("marker")


def test_repr_definition():
    assert repr(cases(positive="ill")) == "Cases(4 rows; scores a, b; positive is 'ill')"
