"""Margins of a comparison: the same test from a comparison and from its covariance."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.inference.comparison.covariance import covariance_of_cases
from roclab.inference.comparison.margins import margin_test
from roclab.inference.comparison.multiplicity import adjusted
from roclab.inference.one_area.area import area_of_method

RNG = np.random.default_rng(3)
LABEL = np.repeat([1, 0], 40)
SCORES = {"a": LABEL + RNG.normal(size=80), "b": 0.8 * LABEL + RNG.normal(size=80)}


@pytest.mark.parametrize("claim", ["non-inferiority", "equivalence"])
def test_a_comparison_and_its_covariance_give_the_same_test(claim):
    covariance = covariance_of_cases(rl.read_cases(LABEL, SCORES), area_of_method("empirical"))
    found = rl.compare(LABEL, SCORES)
    both = [
        found.margin("a", "b", margin=0.1, claim=claim),
        margin_test(covariance, "a", "b", margin=0.1, claim=claim),
        rl.compare(LABEL, SCORES, margin=0.1, claim=claim).claims[0],
    ]
    assert both[0] == both[1] == both[2]
    assert both[0].difference == found.pair("a", "b").difference


def test_other_names_are_refused():
    with pytest.raises(InputError, match="score must be one of a, b, got 'c'"):
        rl.compare(LABEL, SCORES).margin("a", "c", margin=0.1)


def test_a_comparison_without_a_covariance_says_what_to_use():
    found = rl.compare(LABEL, SCORES, variance="hanley_mcneil")
    with pytest.raises(InputError, match="needs the covariance of the areas, and Hanley-McNeil 1983 has none"):
        found.margin("a", "b", margin=0.1)


def test_welch_comparisons_are_headed_t_and_show_their_degrees_of_freedom():
    groups = {"a": rl.read_cases(LABEL, SCORES["a"]), "b": rl.read_cases(LABEL, SCORES["b"])}
    (row,) = rl.compare_groups(groups, pairing="unpaired", test="t").rows()
    assert row["df"] > 1
    assert "t" in row
    assert "z" not in row


@pytest.mark.parametrize(("claim", "alpha", "limits"), [("non-inferiority", 0.025, 0.95), ("equivalence", 0.05, 0.9)])
def test_the_error_is_the_one_regulators_ask_for(claim, alpha, limits):
    found = rl.compare(LABEL, SCORES, margin=0.1, claim=claim, test="normal")
    (one,) = found.claims
    assert (one.alpha, one.interval.level) == (alpha, limits)
    pair = rl.compare(LABEL, SCORES, level=limits, test="normal").pairs[0]
    assert list(one.interval) == pytest.approx(list(pair.interval))
    assert f"{100 * limits:g}% low" in one.rows()[0]
    assert f"the one-sided p is below {100 * alpha:g}%" in str(found)


def test_several_claims_are_adjusted_together():
    three = SCORES | {"c": 0.9 * LABEL + RNG.normal(size=80)}
    found = rl.compare(LABEL, three, margin=0.2)
    p = [one.p_value for one in found.claims]
    assert [one.p_adjusted for one in found.claims] == adjusted(p, "holm")
    assert all(one.shown == (one.p_adjusted < 0.025) for one in found.claims)
    assert "adjusted by holm over 2 claims" in str(found)
    alone = rl.compare(LABEL, three, margin=0.2, adjust="none")
    assert [one.p_adjusted for one in alone.claims] == p
    assert "each claim alone" in str(alone)
