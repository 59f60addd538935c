"""Models of the censoring: strata and Cox's, by definition, by differentiation, and where they are refused."""

from __future__ import annotations

import numpy as np
import pytest

from roclab.censoring.dependence import dependence_on
from roclab.censoring.follow_up import CENSORED, Covariates, FollowUp, Strata
from roclab.censoring.term import censoring_term
from roclab.censoring.weights import case_weights, chance_before, lost_strata
from roclab.errors import InputError
from roclab.inference.concordance import uno
from roclab.inference.follow_up_areas import areas_at_horizons, horizon_of
from roclab.inference.follow_up_rates import rates_of
from roclab.inference.follow_up_risks import brier_of, net_benefit_of
from tests.censoring.test_weights_and_term import chance_beyond

RNG = np.random.default_rng(5)
N = 50
TIME, EVENT = RNG.integers(1, 9, N).astype(float), RNG.integers(0, 3, N)
SCORE, AT = RNG.integers(0, 6, N).astype(float), 5.0
STRATA = Strata(code=RNG.integers(0, 2, N), names=("a", "b"), called="ward")
COX = Covariates(design=np.column_stack([SCORE, RNG.normal(size=N)]), names=("score", "z"))
RISK = 1 / (1 + np.exp(-(SCORE - 3) / 2))


def followed(model=None, weight=None):
    return FollowUp(time=TIME, event=EVENT, weight=weight, model=model)


def test_strata_definition_each_has_weights_of_its_own():
    whole = case_weights(followed(STRATA), AT)
    for code in (0, 1):
        rows = STRATA.code == code
        own = case_weights(FollowUp(time=TIME[rows], event=EVENT[rows]), AT)
        assert whole[rows] == pytest.approx(own)
        assert own.sum() == pytest.approx(rows.sum())
    one = Strata(code=np.zeros(N, dtype=int), names=("all",), called="all")
    assert case_weights(followed(one), AT) == pytest.approx(case_weights(followed(), AT))


def slow_cox(beta):
    """Log partial likelihood of being lost, by Breslow: everybody still followed at a time is at risk then."""
    height = 0.0
    for t, e, z in zip(TIME, EVENT, COX.design, strict=True):
        if e == CENSORED:
            risk = sum(np.exp(beta @ other) for s, other in zip(TIME, COX.design, strict=True) if s >= t)
            height += beta @ z - np.log(risk)
    return height


def test_cox_definition_largest_likelihood_and_breslow_hazard():
    fit = followed(COX).cox
    best = slow_cox(fit.beta)
    for step in np.eye(2):
        for sign in (1, -1):
            assert slow_cox(fit.beta + sign * 1e-3 * step) < best
    mean = COX.design.mean(axis=0)
    for row in (0, 7, 20):
        hazard = 0.0
        for u in sorted(set(TIME[TIME[row] > TIME])):
            lost = ((u == TIME) & (EVENT == CENSORED)).sum()
            hazard += lost / sum(np.exp(fit.beta @ (z - mean)) for s, z in zip(TIME, COX.design, strict=True) if s >= u)
        chance = np.exp(-hazard * np.exp(fit.beta @ (COX.design[row] - mean)))
        assert chance_before(followed(COX))[row] == pytest.approx(chance, rel=1e-9)


def test_scales_of_covariates_change_nothing():
    other = Covariates(design=COX.design * [1000, 0.01] + [5, -3], names=COX.names)
    assert case_weights(followed(other), AT) == pytest.approx(case_weights(followed(COX), AT), rel=1e-8)


def area(model, weight):
    return areas_at_horizons(followed(model, weight), {"x": SCORE}, [AT])[0].area


def sensitivity(model, weight):
    follow_up = followed(model, weight)
    return rates_of(follow_up, horizon_of(follow_up, AT, "not a case"), SCORE >= 3)["sensitivity"].value


def ppv(model, weight):
    follow_up = followed(model, weight)
    return rates_of(follow_up, horizon_of(follow_up, AT, "event-free"), SCORE >= 3)["ppv"].value


def brier(model, weight):
    follow_up = followed(model, weight)
    return brier_of(follow_up, horizon_of(follow_up, AT, "not a case"), RISK).value


def concordance(model, weight):
    return uno(followed(model, weight).of_cause(), SCORE, tau=AT).value


def benefit(model, weight):
    follow_up = followed(model, weight)
    return net_benefit_of(follow_up, horizon_of(follow_up, AT, "not a case"), RISK >= 0.4, 0.4).value


def influence_of(statistic, model):
    follow_up = followed(model)
    if statistic is area:
        return areas_at_horizons(follow_up, {"x": SCORE}, [AT])[0].influence
    if statistic is concordance:
        return uno(follow_up.of_cause(), SCORE, tau=AT).influence
    horizon = horizon_of(follow_up, AT, "event-free" if statistic is ppv else "not a case")
    if statistic is brier:
        return brier_of(follow_up, horizon, RISK).influence
    if statistic is benefit:
        return net_benefit_of(follow_up, horizon, RISK >= 0.4, 0.4).influence
    return rates_of(follow_up, horizon, SCORE >= 3)[statistic.__name__].influence


@pytest.mark.parametrize("statistic", [area, sensitivity, ppv, brier, concordance, benefit])
def test_influence_by_cox_is_the_derivative_by_the_weight_of_every_case(statistic):
    found = influence_of(statistic, COX) / N
    step = 1e-5
    for k in range(N):
        ends = []
        for sign in (1, -1):
            weight = np.ones(N)
            weight[k] *= np.exp(sign * step)
            ends.append(statistic(COX, weight))
        # A mean over all cases has their number in it, so that it moves with their weights.
        assert found[k] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-7)


def test_the_term_of_strata_is_the_derivative():
    """With the exact rule; the default one differs from it where events and losses are tied."""
    follow_up, step = followed(STRATA), 1e-5
    horizon = horizon_of(follow_up, AT, "not a case")
    derivative = horizon.cases / N
    found = derivative + censoring_term(follow_up, derivative, AT, rule="derivative")
    for k in range(N):
        ends = []
        for sign in (1, -1):
            weight = np.ones(N)
            weight[k] *= np.exp(sign * step)
            ends.append(case_weights(followed(STRATA, weight), AT)[horizon.cases > 0].sum() / N)
        assert found[k] == pytest.approx((ends[0] - ends[1]) / (2 * step), abs=1e-7)


def test_what_cannot_be_fitted_is_refused_in_words():
    lost = (EVENT == CENSORED).astype(float)
    with pytest.raises(InputError, match="'z', which separates the censored; leave it out, or use strata"):
        case_weights(followed(Covariates(design=np.column_stack([SCORE, 20 * lost]), names=("x", "z"))), AT)
    with pytest.raises(InputError, match="'z', which is constant"):
        case_weights(followed(Covariates(design=np.column_stack([SCORE, np.ones(N)]), names=("x", "z"))), AT)
    time, event = np.array([1.0, 2, 3, 8, 1, 2, 3, 9]), np.array([1, 1, 0, 0, 1, 0, 1, 0])
    model = Strata(code=np.array([0, 0, 0, 0, 1, 1, 1, 1]), names=("A", "B"), called="site")
    assert lost_strata(FollowUp(time=time, event=event, model=model), 5.0) == []
    time = np.where(time == 8, 4.0, time)
    follow_up = FollowUp(time=time, event=event, model=model)
    assert lost_strata(follow_up, 5.0) == ["A"]
    with pytest.raises(InputError, match="stratum 'A', whose last cases are lost before; join it with another"):
        horizon_of(follow_up, 5.0, "not a case")


def test_nobody_lost_leaves_weights_of_one():
    everybody = FollowUp(time=TIME, event=np.maximum(EVENT, 1), model=COX)
    assert case_weights(everybody, AT) == pytest.approx(np.ones(N))


def test_product_limit_by_definition_within_a_stratum():
    rows = STRATA.code == 1
    for row in np.flatnonzero(rows)[:5]:
        want = chance_beyond(TIME[rows], EVENT[rows], TIME[row], just_before=True)
        assert chance_before(followed(STRATA))[row] == pytest.approx(want)


def test_dependence_definition_mean_and_variance_of_those_still_followed():
    rank = np.array([(x > SCORE).sum() + (x == SCORE).sum() / 2 for x in SCORE])
    up = spread = 0.0
    for t, e, r in zip(TIME, EVENT, rank, strict=True):
        if e == CENSORED and t <= AT:
            still = rank[t <= TIME]
            up += r - still.mean()
            spread += still.var()
    found = dependence_on(followed(), SCORE, AT)
    assert found == pytest.approx(up / np.sqrt(spread))
    assert dependence_on(followed(weight=np.full(N, 3.0)), SCORE, AT) == pytest.approx(found)
    assert dependence_on(followed(), -SCORE, AT) == pytest.approx(-found)
    assert dependence_on(followed(), np.ones(N), AT) is None
    assert dependence_on(FollowUp(time=TIME, event=np.ones(N, dtype=int)), SCORE, AT) is None
    one = Strata(code=np.zeros(N, dtype=int), names=("all",), called="all")
    assert dependence_on(followed(one), SCORE, AT) == pytest.approx(found)
