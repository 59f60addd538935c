"""Kolmogorov's test of discrete distributions: oracle, enumeration and its continuous limit."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import pytest

from roclab.rank_tests.discrete import discrete_kolmogorov, one_sided_level
from roclab.rank_tests.walks import walk_level
from tests.conftest import oracle


def test_discrete_kolmogorov_oracle():
    case = oracle("kolmogorov_discrete_uniform5")
    inputs, want = case["inputs"], case["expected"]
    got = discrete_kolmogorov(inputs["sample"], inputs["support"], inputs["probs"])
    # Differences of rounded shares: their last bit is the order of subtraction.
    assert (got.t, got.t_plus, got.t_minus) == pytest.approx((want["T"], want["T_plus"], want["T_minus"]), abs=1e-15)
    assert got.p_minus == pytest.approx(want["p_minus_at_T"], abs=1e-12)
    assert got.p_two_sided == pytest.approx(want["p_two_sided_doc"], abs=1e-12)
    levels = [Fraction(k, 5) for k in range(6)]
    assert float(one_sided_level(Fraction(2, 5), 10, levels, side="plus")) == pytest.approx(
        want["p_plus_at_T"], abs=1e-12
    )


@pytest.mark.parametrize("probabilities", [["1/2", "1/4", "1/4"], ["1/3", "1/3", "1/3"], [0.7, 0.2, 0.1]])
def test_discrete_levels_definition_by_enumeration(probabilities):
    """All samples of four values from three points, with their chances."""
    chances = [Fraction(str(p)) for p in probabilities]
    n, points = 4, [1, 2, 3]
    levels = [Fraction(0)]
    for p in chances:
        levels.append(levels[-1] + p)
    for t in (Fraction(1, 8), Fraction(1, 4), Fraction(2, 5), Fraction(3, 5)):
        totals = {"plus": Fraction(0), "minus": Fraction(0)}
        for sample in product(points, repeat=n):
            weight = Fraction(1)
            for value in sample:
                weight *= chances[value - 1]
            seen = [Fraction(sum(value <= p for value in sample), n) for p in points]
            if max(level - s for level, s in zip(levels[1:], seen, strict=True)) >= t:
                totals["plus"] += weight
            if max(s - level for level, s in zip(levels[1:], seen, strict=True)) >= t:
                totals["minus"] += weight
        for side, total in totals.items():
            assert one_sided_level(t, n, levels, side=side) == total, (t, side)


def test_discrete_level_of_a_fine_grid_approaches_the_continuous_one():
    from scipy.stats import ksone

    levels = [Fraction(k, 400) for k in range(401)]
    exact = float(one_sided_level(Fraction(3, 10), 12, levels, side="plus"))
    assert exact == pytest.approx(ksone.sf(0.3, 12), rel=0.03)


@pytest.mark.parametrize("probabilities", [["1/2", "1/4", "1/4"], ["1/3", "1/3", "1/3"], [0.7, 0.2, 0.1]])
def test_two_sided_level_definition_by_enumeration(probabilities):
    """All samples of five values from three points: the chance that the larger deviation reaches t, no bound."""
    chances = [Fraction(str(p)) for p in probabilities]
    levels = [Fraction(0), chances[0], chances[0] + chances[1], Fraction(1)]
    n = 5
    for t in (Fraction(1, 5), Fraction(2, 5), Fraction(1, 2), Fraction(3, 5)):
        reached = Fraction(0)
        for draw in product(range(3), repeat=n):
            chance = Fraction(1)
            for point in draw:
                chance *= chances[point]
            gaps = [abs(Fraction(sum(one <= at for one in draw), n) - levels[at + 1]) for at in range(3)]
            reached += chance if max(gaps) >= t else 0
        assert walk_level(t, n, levels) == pytest.approx(float(reached), rel=1e-12)


def test_discrete_levels_published_and_their_constants():
    """Conover's example: f, e as printed, two-sided .0416172 as a sum of tails and .0416171 by enumeration."""
    test = discrete_kolmogorov([1, 1, 1, 2, 2, 2, 3, 3, 3, 3], [1, 2, 3, 4, 5], ["1/5"] * 5)
    assert [one.f for one in test.steps[:6]] == [0.6, 0.4, 0.4, 0.2, 0.2, 0.0]
    assert [one.e for one in test.steps[:5]] == pytest.approx([1, 0.4, 0.32, 0.208, 0.2944])
    assert [one.c for one in test.steps] == [one.f for one in test.steps]
    assert (round(test.p_two_sided, 7), round(test.p_exact, 7)) == (0.0416172, 0.0416171)
    assert 0.05 < test.p_asymptotic < 0.1
    assert "Conover's recursion at T:" in str(test)
    assert [row["j"] for row in test.step_rows()] == list(range(7))


@pytest.mark.parametrize("n", [1, 2, 10, 60])
@pytest.mark.parametrize("cuts", [(1, 2, 3, 4, 5), (7, 9, 10), (1, 30), tuple(range(1, 31)), (1, 1, 2)])
def test_walks_oracle_equal_conovers_recursion_in_fractions(n, cuts):
    """Two ways that share nothing: alternating sums in exact fractions, and positive sums of Poisson weights."""
    levels = [Fraction(0), *(Fraction(cut, cuts[-1]) for cut in cuts)]
    for t in (Fraction(1, 20), Fraction(1, 7), Fraction(3, 10), Fraction(1, 2), Fraction(9, 10), Fraction(1)):
        for side in ("plus", "minus"):
            known = float(one_sided_level(t, n, levels, side=side))
            assert walk_level(t, n, levels, side=side) == pytest.approx(known, rel=1e-11, abs=1e-300)


def test_a_thousand_values_are_answered_and_tiny_levels_keep_their_digits():
    test = discrete_kolmogorov([1] * 700 + [2] * 300, [1, 2], ["1/2", "1/2"])
    assert (test.t, test.location, test.above) == (0.2, 1.0, False)
    tail = Fraction(sum(comb(1000, k) for k in range(700, 1001)), 2**1000)  # the one inner point: a binomial
    assert test.p_minus == pytest.approx(float(tail), rel=1e-11, abs=0)
    assert test.p_exact == pytest.approx(2 * float(tail), rel=1e-11, abs=0)
    assert test.p_exact < 1e-36
    assert test.steps == ()
    assert "Conover" not in str(test)


def test_what_would_take_minutes_is_undefined_with_its_reason():
    levels = [Fraction(k, 4000) for k in range(4001)]
    found = walk_level(Fraction(1, 2), 10**6, levels)
    assert "1,000,000 values on 4,000 points would take minutes" in found.reason


def test_discrete_definition_of_left_limits():
    """Ten threes against 1 to 5: S jumps from 0 to 1 where F does from .4 to .6, so that both gaps are .4."""
    test = discrete_kolmogorov([3] * 10, [1, 2, 3, 4, 5], ["1/5"] * 5)
    assert (test.t, test.t_plus, test.t_minus) == pytest.approx((0.4, 0.4, 0.4), abs=1e-15)
    assert test.p_exact == pytest.approx(0.0416171, abs=5e-8)
