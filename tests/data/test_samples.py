"""Two samples without labels: arrays, two columns of a table, a table for each class."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError, MissingValuesError

ILL, WELL = [3.0, 4.0, 5.0], [1.0, 2.0, 3.0, 2.5]


def same(cases):
    """Every question has the answer of labels and scores."""
    y, s = [1] * len(ILL) + [0] * len(WELL), ILL + WELL
    assert rl.auc(cases).area == rl.auc(y, s).area
    assert rl.auc(cases).standard_error == rl.auc(y, s).standard_error
    assert rl.cutoff(cases).threshold == rl.cutoff(y, s).threshold
    return True


def test_two_arrays_are_the_samples_of_a_curve():
    cases = rl.read_samples(ILL, WELL)
    assert same(cases)
    assert rl.Roc.from_samples(ILL, WELL).auc().area == rl.auc(cases).area
    lower = rl.read_samples(WELL, ILL, direction="lower")
    assert rl.auc(lower).area == rl.auc(cases).area


def test_two_columns_end_in_empty_cells(tmp_path):
    table = {"ill": [*ILL, None], "well": WELL}
    found = rl.read_samples(table, columns=("ill", "well"))
    assert same(found)
    assert (found.positive, found.negative, found.dropped) == ("ill", "well", 0)
    file = tmp_path / "two.csv"
    file.write_text("well,ill\n1,3\n2,4\n3,5\n2.5,\n")
    assert same(rl.read_samples(file, columns=("ill", "well")))


def test_a_gap_before_the_last_score_is_a_missing_value():
    table = {"ill": [3.0, None, 4.0, 5.0], "well": WELL}
    with pytest.raises(MissingValuesError, match="ill must not be missing before its last score, got 1 gap"):
        rl.read_samples(table, columns=("ill", "well"))
    found = rl.read_samples(table, columns=("ill", "well"), missing="drop")
    assert same(found)
    assert found.dropped == 1


def test_a_file_for_each_class_and_several_scores(tmp_path):
    ill, well = tmp_path / "ill.csv", tmp_path / "well.csv"
    ill.write_text("m,k\n3,1\n4,7\n5,2\n")
    well.write_text("k,m\n0,1\n3,2\n2,3\n9,2.5\n")
    found = rl.read_samples(ill, well, score=["m", "k"])
    assert found.names == ["m", "k"]
    assert (found.positive, found.negative) == ("ill", "well")
    assert same(found.select("m"))
    assert rl.auc(found.select("k")).area == np.mean([(a > b) + (a == b) / 2 for a in (1, 7, 2) for b in (0, 3, 2, 9)])
    frames = rl.read_samples({"m": ILL}, {"m": WELL}, score="m")
    assert (frames.positive, frames.negative) == ("positive", "negative")


def test_what_does_not_fit_is_refused():
    table = {"ill": ILL, "well": WELL[:3]}
    with pytest.raises(InputError, match="negatives must be given"):
        rl.read_samples(ILL)
    with pytest.raises(InputError, match="columns must be two columns"):
        rl.read_samples(table, columns=("ill",))
    with pytest.raises(InputError, match="has no column 'sick'|sick"):
        rl.read_samples(table, columns=("sick", "well"))
    with pytest.raises(InputError, match="score has no part beside columns"):
        rl.read_samples(table, columns=("ill", "well"), score="m")
    with pytest.raises(InputError, match="negatives has no part beside columns"):
        rl.read_samples(table, WELL, columns=("ill", "well"))
    with pytest.raises(InputError, match="columns name columns of a table"):
        rl.read_samples(ILL, columns=("ill", "well"))
    with pytest.raises(InputError, match="missing has no part in two arrays"):
        rl.read_samples(ILL, WELL, missing="drop")
    with pytest.raises(InputError, match="positives must hold at least one score"):
        rl.read_samples({"ill": [None, None], "well": [1.0, 2.0]}, columns=("ill", "well"))
