"""Bootstrap of a cut-off: interval, out-of-bag optimism, and the same numbers for any number of workers."""

from __future__ import annotations

import math

import numpy as np
import pytest

import roclab as rl
from roclab.data.tally import Tally
from roclab.decisions.cutoff_bootstrap import bootstrap_cutoff
from roclab.decisions.cutoffs import find_cutoff
from roclab.errors import InputError
from roclab.options.criterion import CriterionOptions
from roclab.options.uncertainty import Draws, Resampling
from roclab.results import Sample


def normal_tally(n_pos=60, n_neg=90, shift=1.2, seed=0, digits=1):
    rng = np.random.default_rng(seed)
    return Tally.from_samples(rng.normal(shift, 1, n_pos).round(digits), rng.normal(0, 1, n_neg).round(digits))


FEW = Resampling(replicates=120)


def test_workers_and_row_order_property():
    tally = normal_tally()
    one = bootstrap_cutoff(tally, drawn=Draws(rng=7, resampling=FEW))
    two = bootstrap_cutoff(tally, drawn=Draws(rng=7, resampling=Resampling(replicates=120, workers=2)))
    np.testing.assert_array_equal(one.thresholds, two.thresholds)
    assert one.rows() == two.rows()
    other = bootstrap_cutoff(tally, drawn=Draws(rng=8, resampling=FEW))
    assert not np.array_equal(one.thresholds, other.thresholds)


@pytest.mark.parametrize("scheme", ["stratified", "plain"])
def test_optimism_definition(scheme):
    """In-bag means exceed out-of-bag means, and optimism is what the apparent value has over the latter."""
    tally = normal_tally()
    found = bootstrap_cutoff(
        tally,
        CriterionOptions(criterion="youden"),
        drawn=Draws(rng=1, resampling=Resampling(replicates=400, scheme=scheme)),
    )
    youden = found.optimism
    assert youden.quantity == "youden"
    assert youden.apparent == pytest.approx(find_cutoff(tally).value)
    assert youden.optimism == pytest.approx(youden.apparent - youden.out_of_bag)
    assert youden.in_bag > youden.out_of_bag
    assert youden.optimism > 0
    assert found.youden_j == pytest.approx(youden.out_of_bag)
    assert found.interval.low <= found.cutoff.threshold <= found.interval.high
    assert scheme in found.method
    assert "seed 1" in found.method
    se, sp = found.quantities[1], found.quantities[2]
    assert se.in_bag + sp.in_bag - 1 == pytest.approx(youden.in_bag)
    assert se.out_of_bag + sp.out_of_bag - 1 == pytest.approx(youden.out_of_bag)
    assert "95% interval" in str(found)
    assert found.to_dict()["quantities"][0]["out_of_bag"] == youden.out_of_bag
    assert found.to_dict()["cutoff"]["optima"][0]["threshold"] == found.cutoff.threshold


def test_out_of_bag_value_predicts_new_data_published_idea():
    """Out of bag, Youden's index is nearer to that on fresh cases than the apparent one and than the old correction.

    Apparent less (in bag less out of bag) took off too much: .065 at 20 + 20 cases, where out of bag is .01 below.
    """
    rng = np.random.default_rng(11)
    fresh = normal_tally(20000, 20000, seed=99, digits=6)
    apparent, outside, overshot, truth = [], [], [], []
    for _ in range(60):
        tally = normal_tally(25, 25, seed=int(rng.integers(1 << 30)), digits=6)
        found = bootstrap_cutoff(tally, drawn=Draws(rng=3, resampling=Resampling(replicates=60)))
        point = fresh.score >= found.cutoff.threshold
        truth.append(fresh.pos[point].sum() / 20000 - fresh.neg[point].sum() / 20000)
        apparent.append(found.optimism.apparent)
        outside.append(found.optimism.out_of_bag)
        overshot.append(found.optimism.apparent - found.optimism.in_bag + found.optimism.out_of_bag)
    # Means of differences have a Monte-Carlo error of about 0.015; the apparent one is off by about 0.1.
    error = [abs(np.mean(one) - np.mean(truth)) for one in (outside, overshot, apparent)]
    assert error[0] < 0.03
    assert error[0] < min(error[1:])


def test_left_out_cases_are_those_never_drawn_definition():
    """With two cases a class a stratified draw leaves out a case or none: out of bag is undefined in the latter."""
    tally = Tally.from_samples(np.array([3.0, 4.0]), np.array([1.0, 2.0]))
    found = bootstrap_cutoff(tally, drawn=Draws(rng=2, resampling=Resampling(replicates=200)))
    assert any("left out too few cases" in note for note in found.notes)
    # Separated classes stay separated, but the cut-off (lowest positive drawn) may miss the lower positive.
    assert found.quantities[2].out_of_bag == 1
    assert 0 < found.quantities[1].out_of_bag < 1
    assert set(found.thresholds) == {3.0, 4.0}


def test_criteria_with_conditions_bounds_and_rules():
    tally = normal_tally()
    limited = bootstrap_cutoff(
        tally, CriterionOptions(criterion="neyman_pearson", max_fpr=0.1), drawn=Draws(rng=1, resampling=FEW)
    )
    assert limited.optimism.out_of_bag > 0
    assert limited.quantities[1].in_bag == pytest.approx(limited.optimism.in_bag)
    bounded = bootstrap_cutoff(
        tally, CriterionOptions(require={"ppv": 0.8, "sensitivity": 0.3}), drawn=Draws(rng=1, resampling=FEW)
    )
    assert bounded.failed > 0
    assert any("no threshold that meets the bounds" in note for note in bounded.notes)
    middle = bootstrap_cutoff(
        tally, CriterionOptions(criterion="cost", cost_fn=3, rule="midpoints"), drawn=Draws(rng=1, resampling=FEW)
    )
    assert middle.cutoff.rule == "midpoints"
    odds = bootstrap_cutoff(
        Tally.from_samples(np.arange(5, 9.0), np.arange(4.0)),
        CriterionOptions(criterion="dor"),
        drawn=Draws(rng=1, resampling=FEW),
    )
    assert math.isnan(odds.optimism.in_bag)
    assert odds.optimism.in_bag.reason


def test_lower_direction_property():
    """A "lower" score is stored negated: the same draws, thresholds with the other sign."""
    tally = normal_tally()
    sample = Sample(n_pos=tally.n_pos, n_neg=tally.n_neg, direction="lower")
    low = Tally(score=tally.score, pos=tally.pos, neg=tally.neg, sample=sample)
    one, two = (bootstrap_cutoff(t, drawn=Draws(rng=5, resampling=FEW)) for t in (tally, low))
    np.testing.assert_array_equal(one.thresholds, -two.thresholds)
    assert one.rows() == two.rows()


def test_useless_score_may_choose_infinite_thresholds():
    tally = Tally.from_samples(np.array([1.0, 2.0, 3.0]), np.array([3.0, 4.0, 5.0]))
    found = bootstrap_cutoff(tally, drawn=Draws(rng=1, resampling=FEW))
    assert found.interval.high == math.inf
    assert not math.isnan(found.interval.low)


def test_errors():
    with pytest.raises(InputError, match="level must lie strictly between 0 and 1, got 95"):
        rl.cutoff_stability([1, 0, 1, 0], [4, 3, 2, 1], level=95)
    weighted = Tally.from_labels(np.array([True, False]), np.array([1.0, 0.0]), weight=np.array([0.5, 1.5]))
    with pytest.raises(InputError, match="the bootstrap resamples whole cases"):
        bootstrap_cutoff(weighted)
    rare = Tally.from_samples(np.array([1.0, 9.0]), np.arange(2.0, 8.0))
    with pytest.raises(InputError, match="the bootstrap found a cut-off in . of 2 replicates; relax require"):
        bootstrap_cutoff(
            rare,
            CriterionOptions(require={"sensitivity": 0.5, "specificity": 1}),
            drawn=Draws(rng=6, resampling=Resampling(replicates=2)),
        )


def test_intervals_definition_fixed_anew_and_left_out():
    """The three meanings, drawn again by hand: the cut-off kept, chosen anew, and judged outside the bag."""
    tally = normal_tally(30, 40)
    found = bootstrap_cutoff(tally, metrics=["mcc"], drawn=Draws(rng=4, resampling=Resampling(replicates=300)))
    names = [one.quantity for one in found.quantities]
    assert names == ["youden", "sensitivity", "specificity", "accuracy", "kappa", "auc", "mcc"]
    se = found.quantities[1]
    # Kept fixed, the sensitivity of a stratified sample is binomial.
    draws = np.random.default_rng(1).binomial(30, se.apparent, 20000) / 30
    assert se.fixed.low == pytest.approx(np.quantile(draws, 0.025), abs=0.04)
    assert se.fixed.high == pytest.approx(np.quantile(draws, 0.975), abs=0.04)
    assert se.chosen_anew.high - se.chosen_anew.low > se.fixed.high - se.fixed.low
    youden = found.quantities[0]
    assert np.all(found.values("youden", "in_bag") >= found.values("youden", "fixed") - 1e-12)
    assert youden.chosen_anew.low >= youden.fixed.low
    assert found.quantities[5].fixed == found.quantities[5].chosen_anew  # the area knows no cut-off
    outside = found.values("sensitivity") + found.values("specificity") - 1
    np.testing.assert_allclose(outside, found.values("youden"), atol=1e-12)
    assert "kept fixed" in str(found)
    with pytest.raises(InputError, match="quantity must be one of"):
        found.values("f1")


def test_cutoffs_are_tested_against_a_value_and_against_each_other():
    tally = normal_tally(200, 200, digits=6)
    found = bootstrap_cutoff(tally, drawn=Draws(rng=4, resampling=FEW))
    assert found.test(found.cutoff.threshold).p_value > 0.3
    assert found.test(5.0).p_value == pytest.approx(2 / 121)
    same = bootstrap_cutoff(normal_tally(200, 200, seed=1, digits=6), drawn=Draws(rng=5, resampling=FEW))
    moved = Tally.from_samples(np.random.default_rng(2).normal(4.2, 1, 200), np.random.default_rng(3).normal(3, 1, 200))
    other = bootstrap_cutoff(moved, drawn=Draws(rng=6, resampling=FEW))
    assert found.compare(same).p_value > 0.05
    apart = found.compare(other)
    assert apart.p_value < 0.05
    assert apart.interval.high < 0
    assert found.compare(other, "youden").p_value > 0.05
