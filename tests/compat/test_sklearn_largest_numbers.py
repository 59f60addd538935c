"""Drop-ins near the end of the range of numbers: the order of scores decides, and nothing overflows on the way."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from roclab.compat import sklearn as drop_ins

LARGEST = 1.79e308
HUGE = np.resize([-LARGEST, LARGEST, 0.0, 1.7e308, -1.7e308, 1.0, LARGEST, 3.0], 60)
Y = np.resize([0, 1, 1, 0, 1], 60)
RANKS = np.unique(HUGE, return_inverse=True)[1].astype(float)
WEIGHT = np.resize([1.0, 2.0, 0.5], 60)


@pytest.fixture(autouse=True)
def warnings_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", ["roc_auc_score", "average_precision_score"])
def test_areas_are_those_of_ranks(name, weight):
    function = getattr(drop_ins, name)
    assert function(Y, HUGE, sample_weight=weight) == function(Y, RANKS, sample_weight=weight)


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["plain", "weighted"])
@pytest.mark.parametrize("name", ["roc_curve", "precision_recall_curve", "det_curve"])
def test_rates_are_those_of_ranks(name, weight):
    function = getattr(drop_ins, name)
    *rates, thresholds = function(Y, HUGE, sample_weight=weight)
    *expected, places = function(Y, RANKS, sample_weight=weight)
    for found, wanted in zip(rates, expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
    finite = np.isfinite(places)
    np.testing.assert_array_equal(thresholds[finite], np.unique(HUGE)[places[finite].astype(int)])


def test_partial_areas_are_those_of_ranks():
    found, expected = (drop_ins.roc_auc_score(Y, scores, max_fpr=0.4) for scores in (HUGE, RANKS))
    assert found == expected


def test_many_labels_are_those_of_ranks():
    labels = np.column_stack([Y, 1 - Y])
    found, expected = (drop_ins.roc_auc_score(labels, np.column_stack([s, -s])) for s in (HUGE, RANKS))
    assert found == expected


def test_a_line_over_the_whole_range():
    assert drop_ins.auc([0.0, LARGEST], [0.5, 0.5]) == LARGEST / 2
    assert drop_ins.auc([-8e307, 8e307], [0.0, 1.0]) == 8e307
