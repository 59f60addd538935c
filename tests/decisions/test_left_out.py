"""Rates of chosen cut-offs on cases left out: against all bootstrap samples of few cases, and what cannot be known."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

import roclab as rl
from roclab.decisions.left_out import MOST_SCORES, cutoff_left_out, smooth_left_out
from roclab.decisions.smooth_cutoffs import normal_cutoff
from roclab.options.criterion import CriterionOptions
from roclab.options.uncertainty import Resampling

RNG = np.random.default_rng(3)
Y = np.arange(120) % 3 == 0
S = np.round(Y + RNG.normal(size=120), 2)
MANY = Resampling(replicates=20_000)


def every_sample(pos, neg):
    """Mean rates over all stratified samples that leave out cases of both classes."""
    rates = []
    for drawn_pos in itertools.product(range(len(pos)), repeat=len(pos)):
        for drawn_neg in itertools.product(range(len(neg)), repeat=len(neg)):
            out_pos = [s for at, s in enumerate(pos) if at not in drawn_pos]
            out_neg = [s for at, s in enumerate(neg) if at not in drawn_neg]
            if not out_pos or not out_neg:
                continue
            inside = [pos[at] for at in drawn_pos], [neg[at] for at in drawn_neg]
            cuts = sorted({np.inf, *inside[0], *inside[1]}, reverse=True)  # of equals the first has fewest positives
            worth = [np.mean(np.array(inside[0]) >= c) - np.mean(np.array(inside[1]) >= c) for c in cuts]
            cut = cuts[int(np.argmax(np.round(worth, 12)))]
            rates.append((np.mean(np.array(out_pos) >= cut), np.mean(np.array(out_neg) < cut)))
    return np.mean(rates, axis=0)


def test_the_mean_over_all_samples_definition():
    pos, neg = [5.0, 3.0, 2.0], [4.0, 1.0, 0.0]
    tally = rl.read_cases([1, 1, 1, 0, 0, 0], pos + neg).tally()
    found = cutoff_left_out(tally, CriterionOptions(), MANY, 1)
    # a rate of three cases left out has a deviation of half or less: four Monte-Carlo errors
    assert (found.sensitivity, found.specificity) == pytest.approx(every_sample(pos, neg), abs=4 * 0.5 / 100)
    assert found.youden_j == found.sensitivity + found.specificity - 1


def test_samples_agree_with_the_bootstrap_of_a_cutoff():
    stable = rl.cutoff_stability(Y, S, resampling=4000, rng=1)
    rates = {row["quantity"]: row["out of bag"] for row in stable.rows()}
    found = cutoff_left_out(rl.read_cases(Y, S).tally(), CriterionOptions(), Resampling(replicates=4000), 2)
    assert (found.sensitivity, found.specificity) == pytest.approx(
        (rates["sensitivity"], rates["specificity"]), abs=0.01
    )


def test_the_answer_depends_neither_on_the_order_of_rows_nor_on_the_side():
    order = RNG.permutation(120)
    one, two = rl.cutoff(Y, S), rl.cutoff(Y[order], S[order])
    assert one.left_out == two.left_out == rl.cutoff(Y, -S, direction="lower").left_out
    assert one.left_out.youden_j < one.best.value  # what was chosen on these cases looks better on them
    assert f"cut-offs chosen so have {one.left_out.rates()}" in str(one)


def test_it_comes_back_from_json_and_stands_in_it():
    best = rl.cutoff(Y, S, require={"sensitivity": 0.8})
    assert json.loads(best.to_json())["left_out"]["sensitivity"] == best.left_out.sensitivity
    again = type(best).from_json(best.to_json())
    assert str(again) == str(best)
    zone = rl.grey_zone(Y, S)
    assert str(type(zone).from_json(zone.to_json())) == str(zone)


def test_several_scores_have_rows_of_their_own():
    found = rl.cutoff(Y, {"a": S, "b": -S})
    alone = rl.cutoff(Y, S).left_out
    assert found.left_out[0] == alone
    assert found.rows()[0]["left-out sensitivity"] == alone.sensitivity
    assert f"a: {alone.rates()}" in str(found)


def test_both_sides_of_a_grey_zone_keep_less_than_they_promise_here():
    zone = rl.grey_zone(Y, S, rule_out={"sensitivity": 0.9}, rule_in={"specificity": 0.9})
    lower, upper = zone.left_out
    assert lower.sensitivity < zone.lower.tpr
    assert upper.specificity < zone.upper.specificity
    assert (
        rl.grey_zone(Y, S, rule_out={"sensitivity": 0.8}, rule_in={"specificity": 0.8}, confidence=0.8).left_out == ()
    )


@pytest.mark.parametrize("smoother", ["kernel", "normal", "loess", "spline", "gam"])
def test_smoothed_cutoffs_are_judged_where_samples_are_asked_for(smoother):
    plain = rl.smooth_cutoff(Y, S, smoother=smoother)
    assert plain.left_out is None
    found = rl.smooth_cutoff(Y, S, smoother=smoother, resampling=25, rng=1)
    assert found.threshold == plain.threshold
    assert 0 < found.left_out.samples <= 25
    assert "on cases left out: sensitivity" in str(found)
    assert found.rows()[0]["left-out specificity"] == found.left_out.specificity


def test_a_smooth_cutoff_of_all_samples_definition():
    pos, neg = [5.0, 3.0, 2.0], [4.0, 1.0, 0.0]
    tally = rl.read_cases([1, 1, 1, 0, 0, 0], pos + neg).tally()
    found = smooth_left_out(tally, lambda one: normal_cutoff(one).threshold, Resampling(replicates=3000), 1)
    rates = []
    for drawn in itertools.product(range(3), repeat=6):
        out_pos = [s for at, s in enumerate(pos) if at not in drawn[:3]]
        out_neg = [s for at, s in enumerate(neg) if at not in drawn[3:]]
        inside = [pos[at] for at in drawn[:3]] + [neg[at] for at in drawn[3:]]
        if not out_pos or not out_neg:
            continue
        try:
            cut = rl.smooth_cutoff([1, 1, 1, 0, 0, 0], inside, smoother="normal").threshold
        except rl.errors.InputError:
            continue
        rates.append((np.mean(np.array(out_pos) >= cut), np.mean(np.array(out_neg) < cut)))
    # a rate of one or two cases left out has a deviation of half or less
    assert (found.sensitivity, found.specificity) == pytest.approx(np.mean(rates, axis=0), abs=4 * 0.5 / 3000**0.5)


def test_what_cannot_be_drawn_is_unknown_and_says_why():
    weighted = rl.cutoff(Y, S, sample_weight=RNG.random(120)).left_out
    assert not weighted.known
    assert weighted.sensitivity.reason == "importance weights cannot be drawn"
    assert str(weighted) == "on cases left out: unknown (importance weights cannot be drawn)"
    many = np.arange(MOST_SCORES + 1.0)
    assert "different scores; ask the bootstrap" in rl.cutoff(many > 9000, many).left_out.sensitivity.reason
    few = rl.cutoff([1, 0], [2.0, 1.0]).left_out
    assert few.sensitivity.reason == "0 of 200 samples have such a cut-off"
    assert "cases left out" not in str(rl.cutoff([1, 0], [2.0, 1.0]))


def test_subjects_are_left_out_whole():
    found = rl.cutoff(Y, S, ids=np.arange(120) // 4).left_out
    assert found.known
    assert found.method.startswith("out of bag, clustered, ")


@pytest.mark.slow
def test_rates_of_new_cases_are_met_by_simulation():
    """120 samples of 30 + 30 cases: apparent Youden indices are too high, those of cases left out are not."""
    rng, apparent, outside = np.random.default_rng(8), [], []
    y = np.arange(60) % 2
    from scipy.stats import norm

    for _ in range(120):
        best = rl.cutoff(y, y + rng.normal(size=60))
        true = norm.sf(best.threshold - 1) - norm.sf(best.threshold)
        apparent.append(best.best.value - true)
        outside.append(best.left_out.youden_j - true)
    assert np.mean(apparent) > 0.08
    assert abs(np.mean(outside)) < 0.03  # Monte-Carlo error .010
