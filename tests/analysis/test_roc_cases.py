"""A curve keeps the cases behind it where its counts alone forget what matters, and is drawn only when asked for."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import roclab as rl
from roclab.analysis.roc import rocs
from roclab.curves.roc import roc_curve
from roclab.errors import InputError

Y = [1, 1, 0, 1, 0, 0, 1, 0]
S = [9.0, 8.0, 7.0, 6.0, 4.0, 2.0, 4.0, 4.0]
SUBJECT = [1, 1, 1, 2, 2, 3, 4, 4]


def test_cases_are_kept_where_subjects_have_several():
    kept = rl.roc(Y, S, ids=SUBJECT).cases
    assert kept is not None
    assert kept.ids is not None
    assert kept.ids.tolist() == SUBJECT
    assert rl.roc(Y, S).cases is None
    assert rl.roc(Y, S, ids=np.arange(8)).cases is None, "every subject once: its cases are independent"


def test_cases_of_several_scores_are_kept_apart():
    found = rocs(Y, {"a": S, "b": S[::-1]}, ids=SUBJECT)
    assert [one.cases.names for one in found.values()] == [["a"], ["b"]]


@pytest.mark.parametrize("ties", ["expected", "optimistic", "pessimistic"])
def test_the_curve_is_made_when_it_is_asked_for(ties):
    found = rl.roc(Y, S, ties=ties)
    assert found._drawn is None
    found.auc()
    found.cutoff()
    assert found._drawn is None, "areas and cut-offs need no curve"
    want = roc_curve(found.tally, ties=ties)
    assert found.tpr.tolist() == want.tpr.tolist()
    assert found.curve is found.curve, "made once"
    assert found.curve.ties == found.ties == ties


def test_an_unknown_walk_is_refused_before_a_curve_is_made():
    with pytest.raises(InputError, match="ties must be one of"):
        rl.roc(Y, S, ties="straight")


def test_ready_made_points_keep_their_curve():
    found = rl.Roc.from_points([0.1, 0.3], [0.5, 0.8])
    assert found.curve is found.ready_made
    assert found.fpr.tolist() == [0, 0.1, 0.3, 1]


def test_what_a_curve_becomes_holds_no_rows():
    assert set(rl.roc(Y, S, ids=SUBJECT).to_dict()) == {"curve", "tally"}


def test_a_curve_travels():
    found = pickle.loads(pickle.dumps(rl.roc(Y, S, ids=SUBJECT)))
    assert found.cases.ids.tolist() == SUBJECT
    assert found.tpr.tolist() == rl.roc(Y, S).tpr.tolist()
