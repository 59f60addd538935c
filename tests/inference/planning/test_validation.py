"""Size of a validation study: oracle, and each criterion by simulation of its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import expit

import roclab as rl
from roclab.errors import InputError
from tests.inference.rates.oracle_files import cases_of


@pytest.mark.parametrize("case", cases_of("validation_size"), ids=lambda case: case["id"])
def test_sizes_oracle(case):
    given, expected = case["inputs"], case["expected"]["exact"]
    found = rl.planning.plan_validation(
        prevalence=given["phi"], c=given["C"], linear_predictor=(given["mu"], given["sd"])
    )
    cases = [one.cases for one in found.needs]
    wanted = [expected["oe"], expected["c"], expected["slope"]]
    assert cases == pytest.approx(wanted, abs=1e-3)
    assert found.cases == math.ceil(expected["oe"])
    printed = case["expected"]["pmvalsampsize"]["sample_size"]
    assert abs(found.cases - printed) / printed < 0.01


def test_the_net_benefit_has_the_width_that_was_asked_for_by_simulation():
    plan = rl.planning.plan_validation(prevalence=0.3, sensitivity=0.8, specificity=0.6, probability=0.2)
    n = round(plan.needs[1].cases)
    rng, found = np.random.default_rng(2), []
    for _ in range(4000):
        pos = rng.binomial(n, 0.3)
        tp, fp = rng.binomial(pos, 0.8), rng.binomial(n - pos, 0.4)
        found.append((tp - fp * 0.25) / pos)
    assert np.std(found) == pytest.approx(plan.needs[1].standard_error, rel=0.05)


def test_the_slope_has_the_error_that_was_asked_for_by_simulation():
    plan = rl.planning.plan_validation(prevalence=0.3, linear_predictor=(-1, 1.2), slope_width=0.4)
    n, rng, found = round(plan.needs[1].cases), np.random.default_rng(3), []
    for _ in range(150):
        at = rng.normal(-1, 1.2, n)
        y = rng.random(n) < expit(at)
        found.append(rl.roc(y.astype(int), expit(at)).calibration().line.slope)
    assert np.std(found) == pytest.approx(plan.needs[1].standard_error, rel=0.2)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"prevalence": 2}, "prevalence must lie strictly between 0 and 1, got 2"),
        ({"prevalence": 0.1, "c": 1.0}, "c must lie strictly between 0 and 1"),
        ({"prevalence": 0.1, "sensitivity": 0.9}, "sensitivity belongs to a net benefit, which needs sensitivity,"),
        ({"prevalence": 0.1, "linear_predictor": (1, 0)}, "linear_predictor must be a finite number above 0"),
        ({"prevalence": 0.1, "oe_width": 0}, "oe_width must be a finite number above 0, got 0"),
    ],
)
def test_refusals_say_what_is_wrong(asked, sentence):
    with pytest.raises(InputError) as error:
        rl.planning.plan_validation(**asked)
    assert sentence in str(error.value)
