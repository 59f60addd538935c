"""Plans from a pilot: the test that will be used has the power that was planned."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import norm

import roclab as rl
from roclab.inference.one_area.score import fit_score_variance


def pilot(area: float, sizes: tuple[int, int] = (60, 90), seed: int = 1):
    rng = np.random.default_rng(seed)
    label = np.repeat([1, 0], sizes)
    return label, label * 2**0.5 * norm.ppf(area) + rng.normal(size=sum(sizes))


@pytest.mark.parametrize("null", [0.5, 0.65])
def test_plan_of_one_score_definition(null):
    """The number of positives at which the test reaches its power, by a root finder over the definition."""
    label, score = pilot(0.85)
    pos, neg = score[label == 1], score[label == 0]
    wins = (pos[:, None] > neg).astype(float)
    area, spreads = wins.mean(), (wins.mean(axis=1).var(ddof=1), wins.mean(axis=0).var(ddof=1))

    def lacking(n):
        error = (spreads[0] / n + spreads[1] / (1.5 * n)) ** 0.5
        null_error = fit_score_variance(area, *spreads, n_pos=n, n_neg=1.5 * n)(null) ** 0.5
        return norm.cdf((area - null - norm.ppf(0.975) * null_error) / error) - 0.9

    plan = rl.planning.plan_from_pilot(label, score, null=null, power=0.9)
    assert plan.n_pos == pytest.approx(brentq(lacking, 2, 2000), rel=1e-6)
    back = rl.planning.plan_from_pilot(label, score, null=null, n_pos=plan.n_pos, n_neg=plan.n_neg)
    assert back.power == pytest.approx(0.9, abs=1e-9)


@pytest.mark.parametrize(("area", "null"), [(0.8, 0.5), (0.9, 0.7)])
def test_planned_power_is_that_of_the_score_test(area, null):
    """400 samples of the pilot: a power of .9 shows less than .845 once in five thousand times; it was .5 to .7."""
    label, score = pilot(area)
    plan = rl.planning.plan_from_pilot(label, score, null=null, power=0.9)
    rng = np.random.default_rng(5)
    new = np.repeat([1, 0], [plan.cases_pos, plan.cases_neg])
    hits = 0
    for _ in range(400):
        drawn = np.r_[rng.choice(score[label == 1], plan.cases_pos), rng.choice(score[label == 0], plan.cases_neg)]
        hits += null not in rl.auc(new, drawn).interval  # the score interval is all areas that the test keeps
    assert hits / 400 == pytest.approx(0.9, abs=0.055)


def test_a_small_plan_says_so():
    label, score = pilot(0.93)
    plan = rl.planning.plan_from_pilot(label, score, power=0.9)
    assert min(plan.cases_pos, plan.cases_neg) < 12
    assert "Fewer than 12 cases of a class" in str(plan)
    assert rl.planning.plan_from_pilot(label, score, null=0.85, power=0.9).notes == ()
