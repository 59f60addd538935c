"""Costs of errors and benefits of right decisions, weighed together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.decisions.costs import expected_cost, lowest_cost
from roclab.decisions.iso_performance import equal_cost_slope, iso_line, iso_value, prevalence_of_slope
from roclab.decisions.stakes import Stakes
from roclab.errors import InputError

WORTH = st.floats(0.125, 8)
RATE = st.integers(0, 8).map(lambda eighths: eighths / 8)


def mean_cost(cases: list[tuple[bool, bool]], cost_fp: float, cost_fn: float, tp: float, tn: float) -> float:
    """The definition: what each case costs or brings, one after the other."""
    worth = {(True, True): -tp, (True, False): cost_fn, (False, True): cost_fp, (False, False): -tn}
    return sum(worth[case] for case in cases) / len(cases)


@given(
    tp=st.integers(0, 6), fn=st.integers(1, 6), fp=st.integers(0, 6), tn=st.integers(1, 6), c=st.tuples(*[WORTH] * 4)
)
def test_expected_cost_definition_is_the_mean_over_cases(tp, fn, fp, tn, c):
    cost_fp, cost_fn, benefit_tp, benefit_tn = c
    cases = [(True, True)] * tp + [(True, False)] * fn + [(False, True)] * fp + [(False, False)] * tn
    found = expected_cost(
        fp / (fp + tn), tp / (tp + fn), prevalence=(tp + fn) / len(cases), cost_fp=cost_fp, cost_fn=cost_fn,
        benefit_tp=benefit_tp, benefit_tn=benefit_tn,
    )  # fmt: skip
    assert float(found) == pytest.approx(mean_cost(cases, cost_fp, cost_fn, benefit_tp, benefit_tn), abs=1e-12)


def test_slope_published_with_plus_signs():
    """Greek text 3.3.4, erratum E22: benefits 1 and 1, costs 2 and 4, prevalence one half."""
    assert equal_cost_slope(prevalence=0.5, cost_fp=2, cost_fn=4, benefit_tp=1, benefit_tn=1) == pytest.approx(0.6)


@given(c=st.tuples(*[WORTH] * 4), prevalence=st.floats(0.05, 0.95), f=RATE, t=RATE)
def test_points_of_a_line_property_cost_the_same(c, prevalence, f, t):
    given = dict(zip(("cost_fp", "cost_fn", "benefit_tp", "benefit_tn"), c, strict=True)) | {"prevalence": prevalence}
    value = float(iso_value("cost", f, t, **given))
    line = iso_line("cost", value, **given)
    assert float(line.at(f)) == pytest.approx(t, abs=1e-9)
    assert line.slope == pytest.approx(equal_cost_slope(**given))
    rest = {name: one for name, one in given.items() if name != "prevalence"}
    assert prevalence_of_slope(line.slope, **rest) == pytest.approx(prevalence)


@given(
    y=st.lists(st.booleans(), min_size=6, max_size=16).filter(lambda y: 0 < sum(y) < len(y)),
    seed=st.integers(0, 99),
    c=st.tuples(*[WORTH] * 4),
)
def test_cutoff_definition_has_the_lowest_mean_cost(y, seed, c):
    score = np.random.default_rng(seed).integers(0, 6, len(y))
    names = ("cost_fp", "cost_fn", "benefit_tp", "benefit_tn")
    found = rl.cutoff(y, score, criterion="cost", **dict(zip(names, c, strict=True))).cutoff
    every = [
        mean_cost([(bool(label), bool(one >= cut)) for label, one in zip(y, score, strict=True)], *c)
        for cut in [*sorted(set(score.tolist())), 99]
    ]
    assert found.best.value == pytest.approx(min(every), abs=1e-12)
    assert found.details["cost_without_the_score"] == pytest.approx(min(every[0], every[-1]), abs=1e-12)


def test_without_benefits_nothing_changes_and_with_them_regrets_decide():
    y, s = [1, 1, 0, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.1]
    plain = rl.cutoff(y, s, criterion="cost", prevalence=0.2, cost_fp=2, cost_fn=6)
    zero = rl.cutoff(y, s, criterion="cost", prevalence=0.2, cost_fp=2, cost_fn=6, benefit_tp=0, benefit_tn=0)
    assert zero.cutoff.best == plain.cutoff.best
    # A benefit forgone is a cost: the same cut-off, at an expected cost lower by the benefit of a perfect score.
    split = rl.cutoff(y, s, criterion="cost", prevalence=0.2, cost_fp=1.5, cost_fn=2, benefit_tp=4, benefit_tn=0.5)
    assert split.threshold == plain.threshold
    assert split.best.value == pytest.approx(plain.best.value - (0.2 * 4 + 0.8 * 0.5))


def test_bayes_weighs_benefits_forgone():
    y, p = [0, 0, 1, 0, 1, 1], [0.1, 0.2, 0.3, 0.4, 0.6, 0.9]
    # positive iff p (1 + 3) > (1 - p) (1 + 0), that is p > 1/5
    assert rl.cutoff(y, p, criterion="bayes", benefit_tp=3).threshold == 0.3
    assert rl.cutoff(y, p, criterion="bayes").threshold == 0.6


def test_classifiers_are_chosen_by_regrets():
    curves = {"a": [(0.1, 0.6)], "b": [(0.4, 0.9)]}
    plain = rl.classifiers.best_classifier(curves, prevalence=0.3, cost_fn=4)
    split = rl.classifiers.best_classifier(curves, prevalence=0.3, cost_fn=1, benefit_tp=3)
    assert [one.classifier for one in split.best] == [one.classifier for one in plain.best]
    assert split.costs["a"].cost == pytest.approx(plain.costs["a"].cost - 0.9)
    assert split.costs["a"].saved == pytest.approx(plain.costs["a"].saved)
    assert split.rows()[0]["saved"] == pytest.approx(plain.rows()[0]["saved"])
    one = rl.classifiers.hull_ranges(curves, prevalences=(0.1, 0.4), cost_fn=4)
    two = rl.classifiers.hull_ranges(curves, prevalences=(0.1, 0.4), cost_fn=1, benefit_tp=3)
    assert two.rows() == one.rows()
    with pytest.raises(InputError, match="benefit_tp belongs to prevalences"):
        rl.classifiers.hull_ranges(curves, slopes=(0.5, 2), benefit_tp=3)


def test_lowest_cost_normalised_is_a_share_of_the_largest_loss():
    curve = rl.roc([1, 0, 1, 0], [4, 3, 2, 1]).curve
    found = lowest_cost(curve, prevalence=0.5, cost_fp=1, cost_fn=1, benefit_tp=1, benefit_tn=1)
    assert found.normalised == pytest.approx(lowest_cost(curve, prevalence=0.5).normalised)


def test_negative_benefits_and_criteria_without_them_are_refused():
    with pytest.raises(InputError, match="benefit_tp must be a finite number, 0 or above, got -1"):
        Stakes(prevalence=0.5, benefit_tp=-1)
    with pytest.raises(InputError, match="benefit_tn must be a finite number, 0 or above"):
        rl.cutoff([1, 0], [2, 1], criterion="cost", benefit_tn=-2)
    with pytest.raises(InputError, match="criterion 'minimax' takes no benefit_tp"):
        rl.cutoff([1, 0], [2, 1], criterion="minimax", benefit_tp=1)


def test_usual_lines_of_equal_cost_go_from_a_perfect_score_to_the_worst():
    curve = rl.roc([1, 0, 1, 0, 1, 0], [6, 3, 5, 4, 2, 1])
    found = rl.classifiers.iso_lines(curve, "cost", prevalence=0.2, cost_fn=3, benefit_tp=4, benefit_tn=0.5)
    stakes = Stakes(prevalence=0.2, cost_fn=3, benefit_tp=4, benefit_tn=0.5)
    perfect, worst = float(stakes.cost(0, 1)), float(stakes.cost(1, 0))
    assert [round((one.value - perfect) / (worst - perfect), 4) for one in found.lines] == [0.05, 0.1, 0.2, 0.3, 0.4]
    assert found.tangent.slope == pytest.approx(stakes.slope)
    with pytest.raises(InputError, match="benefit_tp matters for"):
        rl.classifiers.iso_lines(curve, "accuracy", benefit_tp=1)
