"""Probabilities at another prevalence: oracles, the EM steps themselves, and estimates by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import expit

import roclab as rl
from roclab.errors import InputError
from roclab.models.prior_shift import likeliest_prevalence
from tests.inference.rates.oracle_files import cases_of

ORACLES = {case["id"]: case for case in cases_of("reprior")}


def test_known_prevalence_oracle():
    case = ORACLES["reprior_elkan"]
    for to, wanted in case["expected"]["p_new"].items():
        found = rl.shift_prevalence(case["inputs"]["p"], trained=case["inputs"]["from"], prevalence=float(to))
        assert found.probabilities == pytest.approx(wanted, abs=1e-11)


def test_estimated_prevalence_oracle():
    case = ORACLES["reprior_saerens_small"]
    found = rl.shift_prevalence(case["inputs"]["p"], trained=case["inputs"]["trained_prevalence"])
    assert found.prevalence == pytest.approx(case["expected"]["prevalence"], abs=case["tolerance_abs"])
    assert found.probabilities[:5] == pytest.approx(case["expected"]["first_five"], abs=case["tolerance_abs"])
    assert found.interval.low < found.prevalence < found.interval.high


def test_the_maximum_is_where_em_ends_definition():
    p, trained = np.random.default_rng(3).beta(2, 3, 80), 0.35
    share = trained
    for _ in range(5000):
        up, down = p * share / trained, (1 - p) * (1 - share) / (1 - trained)
        share = np.mean(up / (up + down))
    assert likeliest_prevalence(p, trained)[0] == pytest.approx(share, abs=1e-8)


def test_thresholds_follow_and_calls_stay():
    p = np.random.default_rng(4).random(50)
    found = rl.shift_prevalence(p, trained=0.4, prevalence=0.1)
    assert ((p >= 0.3) == (found.probabilities >= found.threshold(0.3))).all()
    assert found.apply(p) == pytest.approx(found.probabilities)
    again = rl.results.PrevalenceShift.from_json(found.to_json())
    assert str(again) == str(found)
    back = rl.shift_prevalence(found.probabilities, trained=0.1, prevalence=0.4)
    assert back.probabilities == pytest.approx(p)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"probabilities": [0.2, 1.4], "trained": 0.3}, "probabilities must hold predicted probabilities"),
        ({"probabilities": [0.2, 0.4], "trained": 1.0}, "trained must lie strictly between 0 and 1, got 1.0"),
        ({"probabilities": [0.2, 0.4], "trained": 0.3, "prevalence": 0}, "prevalence must lie strictly between 0 and"),
        ({"probabilities": [0.3, 0.3], "trained": 0.3}, "prevalence cannot be estimated from probabilities that are"),
    ],
)  # fmt: skip
def test_refusals_say_what_is_wrong(asked, sentence):
    with pytest.raises(InputError) as error:
        rl.shift_prevalence(asked.pop("probabilities"), **asked)
    assert sentence in str(error.value)


@pytest.mark.slow
def test_the_prevalence_is_found_by_simulation():
    rng, found, kept = np.random.default_rng(5), [], 0
    for _ in range(300):
        y = rng.random(400) < 0.1
        s = rng.normal(size=400) + 2 * y
        p = expit(2 * s - 2 + np.log(0.4 / 0.6))  # calibrated where 40% are positive
        one = rl.shift_prevalence(p, trained=0.4)
        found.append(one.prevalence)
        kept += one.interval.low <= 0.1 <= one.interval.high
    assert np.mean(found) == pytest.approx(0.1, abs=0.004)
    assert kept / 300 > 0.92
