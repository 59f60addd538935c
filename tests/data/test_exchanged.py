"""Arguments in the wrong place, rows in another order, and names in the order of people."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import roclab as rl
from roclab._core.natural_order import natural_key
from roclab.errors import InputError, RoclabWarning

rng = np.random.default_rng(3)
N = 240
Y = rng.integers(0, 2, N)
S = np.round(rng.normal(size=N) + Y, 2)
TOLD = "y_true must be the labels and y_score the scores, got them exchanged"


@pytest.mark.parametrize("labels", [Y, Y.tolist(), np.where(Y, "ill", "well"), Y[:, None]])
@pytest.mark.parametrize("verb", [rl.auc, rl.roc, rl.cutoff, rl.ties, rl.read_cases])
def test_exchanged_arguments_are_recognised(verb, labels):
    with pytest.raises(InputError, match=TOLD):
        verb(S, labels)
    with pytest.raises(InputError, match=TOLD):
        verb(S, np.where(Y, "ill", "well"), pos_label="ill")


@pytest.mark.parametrize(
    ("y", "s", "keywords"),
    [
        (S, S, {}),
        (S, Y, {"pos_label": "other"}),
        (np.where(Y, "a", "b"), Y, {}),
        (S, Y[:-1], {}),
    ],
)
def test_other_errors_are_not_called_an_exchange(y, s, keywords):
    with pytest.raises(InputError) as caught:
        rl.auc(y, s, **keywords)
    assert "exchanged" not in str(caught.value)


def test_series_of_different_indexes_warn():
    pandas = pytest.importorskip("pandas", reason="indexes are pandas'")
    y = pandas.Series(Y)
    for other in (pandas.Series(S, index=np.arange(N)[::-1]), pandas.DataFrame({"s": S}, index=np.arange(N)[::-1])):
        with pytest.warns(RoclabWarning, match="different indexes and are paired row by row, as they stand; write"):
            rl.auc(y, other)
    with pytest.warns(RoclabWarning, match="different indexes"):
        rl.compare(y, {"a": S, "b": pandas.Series(-S, index=np.arange(N) + 5)})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert rl.auc(y, pandas.Series(S)) == rl.auc(y, S) == rl.auc(Y, pandas.Series(S, index=np.arange(N) + 5))


def test_bench_says_the_order():
    pandas = pytest.importorskip("pandas", reason="features may be a data frame")
    for features in (np.column_stack([S, S]), pandas.DataFrame({"a": S, "b": -S})):
        with pytest.raises(InputError, match="bench takes the labels first and the features second, bench"):
            rl.bench(features, Y)


def test_multilabel_keeps_the_names_of_a_frame():
    pandas = pytest.importorskip("pandas", reason="labels are a data frame")
    truth = pandas.DataFrame({"oak": Y, "fruit": 1 - Y})
    assert list(rl.multilabel(truth, np.column_stack([S, S])).classes) == ["oak", "fruit"]
    assert list(rl.multilabel(truth, np.column_stack([S, S]), names=["a", "b"]).classes) == ["a", "b"]


def test_groups_and_folds_stand_in_the_order_of_people_everywhere():
    names = np.array([f"fold{at}" for at in rng.integers(1, 13, N)])
    wanted = [f"fold{at}" for at in range(1, 13)]
    assert list(rl.read_cases(Y, S, folds=names).by_fold()) == wanted
    assert [row["group"] for row in rl.auc(Y, S, by=names).rows()][:12] == wanted
    assert list(rl.confusion(Y, S, threshold=0.5, by=names)) == wanted
    shown = str(rl.average(Y, S, folds=names))
    assert [line.split()[0] for line in shown.splitlines() if line.startswith("fold")] == wanted
    codes = np.array([int(one[4:]) for one in names])
    assert list(rl.read_cases(Y, S, folds=codes).by_fold()) == [str(at) for at in range(1, 13)]


def test_natural_key_sorts_any_names():
    given = ["b2", "b10", "", "10", "9", "a", "b2a", "b02"]
    assert sorted(given, key=natural_key) == ["", "9", "10", "a", "b02", "b2", "b2a", "b10"]
