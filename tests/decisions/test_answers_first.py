"""The answer stands in the first lines, and long tables say where the rest is."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab._core.thinning import thinned

rng = np.random.default_rng(0)
N = 120
Y = rng.integers(0, 2, N)
S = rng.normal(size=N) + Y
P = 1 / (1 + np.exp(-S))
G = np.array(["a", "b", "c"])[np.arange(N) % 3]


def test_a_cut_off_says_in_words_what_was_looked_for():
    found = rl.cutoff(Y, S, require={"sensitivity": 0.95})
    value = rl.roc(Y, S).cutoff(require={"sensitivity": 0.95}).value
    assert str(found).splitlines()[0] == f"largest specificity with sensitivity >= 0.95 = {value:.4f}"
    assert str(rl.cutoff(Y, S)).startswith("youden: largest sensitivity + specificity - 1 = ")
    assert str(rl.cutoff(Y, S, criterion="accuracy")).startswith("largest accuracy = ")
    assert str(rl.cutoff(Y, S, criterion="fpr", require={"sensitivity": 0.9})).startswith("smallest ")


def test_net_benefit_says_where_a_score_is_of_use():
    found = rl.net_benefit(Y, P)
    lines = str(found).splitlines()
    useful = found.useful("score")
    assert lines[1] == f"score: {useful.size} of 99, from {useful.min():g} to {useful.max():g}"
    assert len(lines) < 30
    assert "19 of 99 rows are shown; CSV, JSON and data frames have all of them." in lines
    assert len(found.rows()) == 99
    assert "rows are shown" not in str(rl.net_benefit(Y, P, probabilities=[0.2, 0.3]))


def test_averages_are_printed_at_every_twentieth():
    found = rl.average(Y, S, folds=G)
    assert len(found.rows()) == 101
    assert "21 of 101 rows are shown" in str(found)
    assert len(str(found).splitlines()) < 40


def test_many_classes_print_their_mean_first_and_no_hundred_pairs():
    k = 6
    found = rl.multiclass(np.arange(N) % k, rng.dirichlet(np.ones(k), N))
    lines = str(found).splitlines()
    assert lines[0].startswith(f"mean AUC of 6 classes {found.averages['macro'].area:.4f}, 95% interval")
    assert "30 areas of pairs are not shown" in str(found)
    assert len(found.rows()) == 6 + 30 + len(found.averages)
    few = rl.multiclass(np.arange(N) % 3, rng.dirichlet(np.ones(3), N))
    assert "0|1" in str(few)


def test_groups_of_matrices_stand_beside_each_other():
    found = rl.confusion(Y, S, threshold=0.5, by=G)
    lines = str(found).splitlines()
    assert [line.split()[0] for line in lines[1:4]] == ["a", "b", "c"]
    assert "sensitivity" in lines[0]
    assert f"{found['a'].metrics()['tpr']:.4f}" in lines[1]
    assert "CSV, JSON and data frames have every number of every group." in lines
    limits = found.each(lambda one: one.with_intervals())
    assert str(limits["b"].intervals["tpr"]) in str(limits).splitlines()[2]


@pytest.mark.parametrize("size", [1, 21, 22, 50, 99, 101, 1000])
def test_thinned_keeps_both_ends_and_never_too_many(size):
    rows, said = thinned(list(range(size)))
    assert rows[0] == 0
    assert rows[-1] == size - 1
    assert len(rows) <= 21
    assert rows == sorted(set(rows))
    assert bool(said) == (size > 21)
