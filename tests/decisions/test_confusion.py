"""Matrices: from rates, added up, with margins and resampled intervals."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.inference.one_curve.proportions import difference_interval, f1_interval

M = rl.results.ConfusionMatrix(tp=45, fp=30, fn=5, tn=120)


def test_rates_and_totals_give_the_matrix_back():
    values = M.metrics()
    assert rl.results.ConfusionMatrix.from_rates(tpr=values["tpr"], fpr=values["fpr"], n_pos=50, n_neg=150) == M
    assert rl.results.ConfusionMatrix.from_rates(tpr=0.9, specificity=0.8, prevalence=0.25, total=200) == M
    with pytest.raises(InputError, match="got 0.33 of 10, where 3 cases are 0.3 and 4 are 0.4; check the number"):
        rl.results.ConfusionMatrix.from_rates(tpr=0.33, specificity=0.5, n_pos=10, n_neg=10)
    odd = rl.results.ConfusionMatrix.from_rates(tpr=0.667, specificity=0.98, n_pos=120, n_neg=120)
    assert (odd.tp, odd.fn, odd.fp, odd.tn) == (80, 40, 2, 118)
    assert "tpr printed to 3 digits: 0.667 of 120 is taken for 80 cases" in str(odd)
    assert "0.98 of 120 is taken for 118 cases" in str(odd.with_intervals())
    assert len(odd.to_dict()["notes"]) == 2
    with pytest.raises(InputError, match="total must be the number of cases that prevalence are shares of"):
        rl.results.ConfusionMatrix.from_rates(tpr=0.9, fpr=0.1, prevalence=0.1334, total=600)
    for wrong in ({"fpr": 0.1, "specificity": 0.9}, {}):
        with pytest.raises(InputError, match="fpr or specificity must be given, one of them"):
            rl.results.ConfusionMatrix.from_rates(tpr=0.9, **wrong, n_pos=1, n_neg=1)
    with pytest.raises(InputError, match="n_pos and n_neg must be given, or prevalence and total"):
        rl.results.ConfusionMatrix.from_rates(tpr=0.9, fpr=0.1, n_pos=5)


def test_matrices_add_like_their_cases():
    y, s = [1, 1, 0, 0, 1, 0], [0.9, 0.4, 0.6, 0.1, 0.8, 0.3]
    parts = [rl.confusion(y[at : at + 3], s[at : at + 3], threshold=0.5) for at in (0, 3)]
    assert sum(parts) == parts[0] + parts[1] == rl.confusion(y, s, threshold=0.5)
    assert (parts[0] + rl.confusion(y, s, threshold=0.7)).threshold is None
    assert (M + M).margins == {"P": 100, "N": 300, "P'": 150, "N'": 250}
    other = rl.confusion(["a", "b"], ["a", "b"], pos_label="a")
    with pytest.raises(InputError, match="matrices add only when they have the same classes, got 1/0 and a/b"):
        parts[0] + other
    with pytest.raises(TypeError):
        M + 1
    assert "all" in M.table_text()


def test_resampled_intervals_definition_two_binomials():
    found = M.with_intervals(resampling=4000, rng=1, beta=2)
    draws = np.random.default_rng(5)
    tp, fp = draws.binomial(50, 0.9, 100_000), draws.binomial(150, 0.2, 100_000)
    youden = np.quantile(tp / 50 - fp / 150, [0.025, 0.975])
    assert list(found.intervals["youden_j"]) == pytest.approx(youden, abs=0.015)
    f1 = np.quantile(2 * tp / (50 + tp + fp), [0.025, 0.975])
    assert list(found.intervals["f1"]) == pytest.approx(f1, abs=0.015)
    assert "f_beta(2)" in found.intervals
    assert found.intervals["tpr"].method == "Wilson"
    assert "mutual_information" not in found.intervals
    assert found.rows() == M.with_intervals(resampling=4000, rng=1, beta=2).rows()
    with pytest.raises(InputError, match="resampling draws whole cases, got weights or fractions"):
        rl.results.ConfusionMatrix(tp=1.5, fp=1, fn=1, tn=1).with_intervals(rng=1)


def test_area_shows_q_in_both_forms():
    """Hanley and McNeil's 1982 ratings, by the definitions of Q1 and Q2."""
    r = rl.Roc.from_ratings([1, 2, 3, 4, 5], pos=[3, 2, 2, 11, 33], neg=[33, 6, 6, 11, 2])
    note = r.auc(variance="hanley_mcneil").notes[-1]
    a = float(r.auc())
    assert note.startswith(f"Q1 {a / (2 - a):.6f}, Q2 {2 * a * a / (1 + a):.6f} of exponential scores")
    pos, neg = np.repeat([1, 2, 3, 4, 5], [3, 2, 2, 11, 33]), np.repeat([1, 2, 3, 4, 5], [33, 6, 6, 11, 2])
    win = (pos[:, None] > neg) + 0.5 * (pos[:, None] == neg)
    counted = float(note.split("Q1 ")[2].split(",")[0])
    assert counted == pytest.approx(np.mean(win.mean(axis=0) ** 2), abs=0.02)  # squares of ties count a third there
    assert "counted from the data" in note


def test_youden_interval_published():
    """Newcombe 1998, Table II, method 10: differences of 56/70 - 48/80, 9/10 - 3/10, 6/7 - 2/7 and 10/10 - 0/20."""
    for (hits, n, alarms, m), ends in {
        (56, 70, 48, 80): (0.0524, 0.3339),
        (9, 10, 3, 10): (0.1705, 0.8090),
        (6, 7, 2, 7): (0.0582, 0.8062),
        (10, 10, 0, 20): (0.6791, 1.0),
    }.items():
        matrix = rl.results.ConfusionMatrix(tp=hits, fn=n - hits, fp=alarms, tn=m - alarms)
        assert list(matrix.with_intervals().intervals["youden_j"]) == pytest.approx(ends, abs=5e-5)


def test_intervals_of_youden_and_f1_hold_their_level():
    """4000 matrices of 60 and 90 cases: both intervals cover what they should."""
    rng = np.random.default_rng(6)
    tpr, fpr, prevalence = 0.8, 0.25, 0.4
    shares = [prevalence * tpr, (1 - prevalence) * fpr, prevalence * (1 - tpr), (1 - prevalence) * (1 - fpr)]
    f1 = 2 * shares[0] / (2 * shares[0] + shares[1] + shares[2])
    held = np.zeros(2)
    for tp, fp, fn, tn in rng.multinomial(150, shares, size=4000).tolist():
        held += tpr - fpr in difference_interval(tp, tp + fn, fp, fp + tn), f1 in f1_interval(tp, fp, fn)
    assert 0.94 < held[0] / 4000 < 0.965
    assert 0.94 < held[1] / 4000 < 0.965


def test_intervals_without_cases_have_a_reason():
    found = rl.results.ConfusionMatrix(tp=0, fp=0, fn=0, tn=3).with_intervals().intervals
    assert found["youden_j"].low.reason == "one class has no case"
    assert found["f1"].low.reason == "there are no cases to form the proportion of"
