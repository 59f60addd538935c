"""Expected costs, and cost curves side by side."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.curves.cost import cost_curve
from roclab.curves.roc import curve_from_points, roc_curve
from roclab.data.tally import Tally
from roclab.decisions.costs import compare_costs, expected_cost, lowest_cost, signed_regions
from roclab.errors import InputError
from roclab.results import Sample
from tests.strategies import SCORES


def of(pos, neg, **sample):
    extra = Sample(n_pos=len(pos), n_neg=len(neg), **sample) if sample else None
    return Tally.from_samples(np.array(pos, float), np.array(neg, float), sample=extra)


def brute_points(pos, neg):
    thresholds = [math.inf, *sorted({*pos, *neg}, reverse=True)]
    return [(sum(y >= t for y in neg) / len(neg), sum(x >= t for x in pos) / len(pos)) for t in thresholds]


@given(pos=SCORES, neg=SCORES, prevalence=st.sampled_from([0.05, 0.4, 0.9]), ratio=st.sampled_from([0.2, 1.0, 6.0]))
def test_lowest_cost_definition(pos, neg, prevalence, ratio):
    conditions = {"prevalence": prevalence, "cost_fp": ratio, "cost_fn": 1.0}
    found = lowest_cost(roc_curve(of(pos, neg)), **conditions)
    costs = [prevalence * (1 - t) + (1 - prevalence) * ratio * f for f, t in brute_points(pos, neg)]
    assert found.cost == pytest.approx(min(costs), abs=1e-12)
    assert found.saved == pytest.approx(min(prevalence, (1 - prevalence) * ratio) - min(costs), abs=1e-12)
    assert found.saved >= -1e-12
    # The cost curve at its x is the normalised lowest cost.
    x = prevalence / (prevalence + (1 - prevalence) * ratio)
    assert float(cost_curve(roc_curve(of(pos, neg))).at(x)[0]) == pytest.approx(found.normalised, abs=1e-12)
    assert found.rows()[0]["threshold"] == found.threshold


def test_expected_cost_columns():
    cost = expected_cost([0.1, 0.5], [0.5, 0.8], prevalence=0.5, cost_fp=2, cost_fn=4)
    assert cost.tolist() == pytest.approx([1.1, 0.9])
    share = expected_cost([0.1, 0.5], [0.5, 0.8], prevalence=0.5, cost_fp=2, cost_fn=4, normalised=True)
    assert share.tolist() == pytest.approx([1.1 / 3, 0.3])
    with pytest.raises(InputError, match="prevalence must lie strictly between 0 and 1, got 0"):
        expected_cost(0.1, 0.5, prevalence=0)


@given(one=st.tuples(SCORES, SCORES), two=st.tuples(SCORES, SCORES))
def test_compare_costs_definition(one, two):
    curves = [cost_curve(roc_curve(of(*sample))) for sample in (one, two)]
    found = compare_costs(*curves, names=("one", "two"))
    assert found.regions[0].low == 0
    assert found.regions[-1].high == 1
    for region in found.regions:
        for share in (0.25, 0.5, 0.75):  # inside the region the sign is the same everywhere
            x = region.low + share * (region.high - region.low)
            costs = [min((1 - t) * x + f * (1 - x) for f, t in brute_points(*sample)) for sample in (one, two)]
            gap = costs[1] - costs[0]
            if region.better is None:
                assert gap == pytest.approx(0, abs=1e-9)
            elif region.high - region.low > 1e-9:
                assert (gap > 0) == (region.better == "one")
    grid = np.linspace(0, 1, 2001)
    assert found.mean_cost_first == pytest.approx(np.mean(curves[0].at(grid)), abs=1e-3)
    assert found.difference == pytest.approx(found.mean_cost_first - found.mean_cost_second)


def test_compare_costs_with_itself_and_errors():
    curve = cost_curve(curve_from_points([0.2], [0.7]))
    same = compare_costs(curve, curve)
    assert [(one.low, one.high, one.better) for one in same.regions] == [(0.0, 1.0, None)]
    assert same.rows()[0]["cheaper"] == "equal"
    with pytest.raises(InputError, match="names must be two different names"):
        compare_costs(curve, curve, names=("a", "a"))


def test_signed_regions_definition():
    assert signed_regions(np.array([0.0, 1.0]), np.array([-1.0, 3.0])) == [(0.0, 0.25, -1), (0.25, 1.0, 1)]
    touching = signed_regions(np.array([0.0, 1.0, 2.0]), np.array([1.0, 0.0, 1.0]))
    assert touching == [(0.0, 2.0, 1)]
    noise = signed_regions(np.array([0.0, 1.0, 2.0]), np.array([1e-14, -1e-14, 1.0]))
    assert noise == [(0.0, 1.0, 0), (1.0, 2.0, 1)]
