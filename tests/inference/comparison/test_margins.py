"""Margins of a comparison: the same test from a comparison and from its covariance."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.inference.comparison.covariance import covariance_of_cases
from roclab.inference.one_area.estimate import area_of_method

RNG = np.random.default_rng(3)
LABEL = np.repeat([1, 0], 40)
SCORES = {"a": LABEL + RNG.normal(size=80), "b": 0.8 * LABEL + RNG.normal(size=80)}


@pytest.mark.parametrize("kind", ["non-inferiority", "equivalence"])
def test_a_comparison_and_its_covariance_give_the_same_test(kind):
    covariance = covariance_of_cases(rl.read_cases(LABEL, SCORES), area_of_method("empirical"))
    both = [rl.margin_test(one, "a", "b", margin=0.1, kind=kind) for one in (rl.compare(LABEL, SCORES), covariance)]
    assert both[0] == both[1]
    assert both[0].difference == rl.compare(LABEL, SCORES).pair("a", "b").difference


def test_other_things_are_refused():
    with pytest.raises(InputError, match="comparison must be a result of compare.., got ndarray"):
        rl.margin_test(rl.compare(LABEL, SCORES).covariance, "a", "b", margin=0.1)
    with pytest.raises(InputError, match="score must be one of a, b, got 'c'"):
        rl.margin_test(rl.compare(LABEL, SCORES), "a", "c", margin=0.1)


def test_welch_comparisons_are_headed_t_and_show_their_degrees_of_freedom():
    groups = {"a": rl.read_cases(LABEL, SCORES["a"]), "b": rl.read_cases(LABEL, SCORES["b"])}
    (row,) = rl.compare_groups(groups, pairing="unpaired", reference="t").rows()
    assert row["df"] > 1
    assert "t" in row
    assert "z" not in row
