"""Weights of those who were not lost, and what their estimation adds: against definitions and by differentiation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.censoring.follow_up import FollowUp
from roclab.censoring.term import full_influence
from roclab.censoring.weights import case_weights
from roclab.inference.concordance import harrell, uno
from roclab.inference.follow_up_areas import areas_at_horizons, covariance_of_influences, horizon_of

CASES = st.lists(st.tuples(st.integers(1, 6), st.integers(0, 2), st.integers(0, 4)), min_size=8, max_size=25)


def arrays(cases):
    time, event, score = (np.array(values) for values in zip(*cases, strict=True))
    return time.astype(float), event, score.astype(float)


def chance_beyond(time, event, at, *, just_before=False):
    """G by its product, one factor after the other."""
    chance = 1.0
    for u in sorted(set(time)):
        if u > at or (just_before and u == at):
            break
        risk = sum(1 for t, e in zip(time, event, strict=True) if t > u or (t == u and e == 0))
        lost = sum(1 for t, e in zip(time, event, strict=True) if t == u and e == 0)
        chance *= 1 - lost / risk if lost else 1.0
    return chance


def slow_area(time, event, score, at, controls):
    """Every pair of a case and a control with the product of their weights."""
    up = down = 0.0
    for t, e, x in zip(time, event, score, strict=True):
        if not (t <= at and e == 1):
            continue
        a = 1 / chance_beyond(time, event, t, just_before=True)
        for s, f, y in zip(time, event, score, strict=True):
            if s > at:
                b = 1 / chance_beyond(time, event, at)
            elif f == 2 and controls == "not a case":
                b = 1 / chance_beyond(time, event, s, just_before=True)
            else:
                continue
            up += a * b * ((x > y) + 0.5 * (x == y))
            down += a * b
    return up / down


def asked(time, event, at):
    return (time.max() > at) and ((time <= at) & (event == 1)).any()


@given(CASES, st.sampled_from(["not a case", "event-free"]))
def test_areas_definition_by_pairs(cases, controls):
    time, event, score = arrays(cases)
    for at in (2.0, 3.5):
        if not asked(time, event, at):
            continue
        follow_up = FollowUp(time=time, event=event)
        (found,) = areas_at_horizons(follow_up, {"x": score}, [at], controls=controls)
        assert found.area == pytest.approx(slow_area(time, event, score, at, controls), abs=1e-12)
        assert found.influence.sum() == pytest.approx(0, abs=1e-8)


@given(CASES)
def test_weights_property_add_up_to_all_cases(cases):
    """And weighted shares are Kaplan and Meier's incidences where there is one event."""
    time, event, _ = arrays(cases)
    for at in (2.0, 3.5):
        if time.max() <= at:
            continue
        follow_up = FollowUp(time=time, event=event)
        weights = case_weights(follow_up, at)
        assert weights.sum() == pytest.approx(len(cases))
        single = FollowUp(time=time, event=np.minimum(event, 1))
        alive = 1.0
        for u in sorted(set(time[time <= at])):
            alive *= 1 - ((time == u) & (event > 0)).sum() / (time >= u).sum()
        if ((time <= at) & (event > 0)).any():
            assert horizon_of(single, at, "not a case").incidence == pytest.approx(1 - alive)


def test_influence_is_the_derivative_by_the_weight_of_every_case():
    rng = np.random.default_rng(5)
    time, event = rng.integers(1, 9, 40).astype(float), rng.integers(0, 3, 40)
    score, at, step = rng.integers(0, 6, 40).astype(float), 5.0, 1e-5

    def area(weight):
        follow_up = FollowUp(time=time, event=event, weight=weight)
        return areas_at_horizons(follow_up, {"x": score}, [at])[0].area

    follow_up = FollowUp(time=time, event=event)
    (found,) = areas_at_horizons(follow_up, {"x": score}, [at])
    horizon = found.horizon
    a, b = horizon.cases, horizon.controls
    below = np.array([(b * ((score < x) + 0.5 * (score == x))).sum() for x in score]) / b.sum()
    above = np.array([(a * ((score > x) + 0.5 * (score == x))).sum() for x in score]) / a.sum()
    plain = a * (below - found.area) / a.sum() + b * (above - found.area) / b.sum()
    influence = full_influence(follow_up, plain, at, rule="derivative") / 40
    for k in range(40):
        ends = []
        for sign in (1, -1):
            weight = np.ones(40)
            weight[k] *= np.exp(sign * step)
            ends.append(area(weight))
        assert influence[k] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-7)
    martingale = found.influence / 40
    assert np.linalg.norm(martingale - influence) < 0.05 * np.linalg.norm(influence)


def slow_concordance(time, event, score, power):
    up = down = 0.0
    for t, e, x in zip(time, event, score, strict=True):
        if e != 1:
            continue
        v = 1 / chance_beyond(time, event, t, just_before=True) ** power
        for s, f, y in zip(time, event, score, strict=True):
            if s > t or (s == t and f == 0):
                up += v * ((y < x) + 0.5 * (y == x))
                down += v
    return up / down if down else None


@given(CASES)
def test_concordance_definition_by_pairs(cases):
    time, event, score = arrays(cases)
    event = np.minimum(event, 1)
    follow_up = FollowUp(time=time, event=event)
    for found, power in ((harrell(follow_up, score), 0), (uno(follow_up, score, tau=100.0), 2)):
        want = slow_concordance(time, event, score, power)
        if want is None:
            assert found is None
            continue
        assert found.value == pytest.approx(want, abs=1e-12)
        assert found.concordant + found.discordant + found.tied > 0


def test_no_loss_is_the_ordinary_area():
    import roclab as rl

    rng = np.random.default_rng(6)
    time, score = rng.exponential(size=60), rng.normal(size=60)
    follow_up = FollowUp(time=time, event=np.ones(60, dtype=int))
    (found,) = areas_at_horizons(follow_up, {"x": score}, [0.7])
    plain = rl.auc(time <= 0.7, score)
    assert found.area == pytest.approx(plain.area, abs=1e-14)
    n_pos, n_neg = found.horizon.counts
    parts = found.parts
    assert plain.standard_error == pytest.approx(np.sqrt(parts[0] + parts[1]), rel=1e-12)
    assert (n_pos, n_neg) == (plain.n_pos, plain.n_neg)


def test_subjects_are_summed_before_they_are_squared():
    values = np.array([1.0, 2.0, -3.0, 0.5, -0.5, 0.0])
    single = covariance_of_influences([values])
    each = covariance_of_influences([values], np.arange(6))
    assert each == pytest.approx(single)
    pairs = covariance_of_influences([values], np.array([0, 0, 1, 1, 2, 2]))
    sums = np.array([3.0, -2.5, -0.5])
    assert pairs[0, 0] == pytest.approx(np.sum(sums**2) * 1.5 / 36)


@pytest.mark.slow
def test_intervals_cover_and_equal_scores_are_not_told_apart():
    """300 samples of 100 cases, two exchangeable scores, a third lost: score interval and normal test."""
    import roclab as rl

    rng, covered, rejected = np.random.default_rng(8), 0, 0
    truth_rng = np.random.default_rng(9)
    risk = truth_rng.normal(size=400_000)
    late = truth_rng.exponential(np.exp(-risk))
    x = 0.7 * risk + 0.7 * truth_rng.normal(size=risk.size)
    at = float(np.quantile(late, 0.3))
    truth = rl.auc(late <= at, x, interval=None).area
    for _ in range(300):
        risk = rng.normal(size=100)
        happens = rng.exponential(np.exp(-risk))
        lost = rng.exponential(2.5 * at, size=100)
        time, event = np.minimum(happens, lost), (happens <= lost).astype(int)
        scores = {name: 0.7 * risk + 0.7 * rng.normal(size=100) for name in "xy"}
        compared = rl.compare(scores, time=time, event=event, at=at)
        low, high = compared.areas[0].interval
        covered += low <= truth <= high
        rejected += compared.pairs[0].p_value < 0.05
    assert 0.92 <= covered / 300 <= 0.99
    assert rejected / 300 <= 0.085
