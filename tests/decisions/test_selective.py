"""Risk-coverage curves: oracles, the definition by loops, ties, clusters and coverage of the limits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.decisions.selective import area_under_risk
from roclab.errors import InputError
from tests.inference.rates.oracle_files import cases_of

RNG = np.random.default_rng(2)
Y = RNG.integers(0, 2, 200)
P = np.round(1 / (1 + np.exp(-(2 * Y - 1 + RNG.normal(size=200)))), 3)


@pytest.mark.parametrize("case", cases_of("selective"), ids=lambda case: case["id"])
def test_areas_oracle(case):
    given, expected = case["inputs"], case["expected"]
    found = area_under_risk(np.array(given["confidence"]), np.array(given["loss"]))
    wanted = [expected[name] for name in ("aurc", "se_influence", "eaurc_limit")]
    assert found[:3] == pytest.approx(wanted, abs=case["tolerance_abs"])
    assert found[4] == pytest.approx(expected["error_rate"])


@given(pairs=st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1)), min_size=2, max_size=14))
def test_the_area_property_equals_its_definition(pairs):
    confidence, loss = (np.array(column, dtype=float) for column in zip(*pairs, strict=True))
    order = np.argsort(-confidence, kind="stable")
    mean = {one: loss[confidence == one].mean() for one in confidence}
    shared = [mean[one] for one in confidence[order]]
    wanted = np.mean([np.mean(shared[:k]) for k in range(1, loss.size + 1)])
    assert area_under_risk(confidence, loss)[0] == pytest.approx(wanted)


def test_the_verb_asks_the_distance_from_the_threshold():
    found = rl.selective(Y, P, threshold=0.4)
    wrong = ((P >= 0.4) != Y.astype(bool)).astype(float)
    distance = np.abs(np.rint(1000 * P) - 400)  # of whole numbers, so that ties are ties
    assert found.aurc.rate == pytest.approx(area_under_risk(distance, wrong)[0])
    surest = distance >= np.sort(distance)[::-1][int(0.6 * 200) - 1]
    assert found.at(0.6).rate == pytest.approx(wrong[surest].mean())
    lower = rl.selective(Y, 1 - P, threshold=0.6, direction="lower")
    assert lower.aurc.rate == pytest.approx(found.aurc.rate)


def test_referral_brings_the_error_down():
    found = rl.selective(Y, P)
    one = found.referral(found.error_rate.rate / 2)
    assert 0 < one.rate < 1
    assert found.at(1 - one.rate).rate <= found.error_rate.rate / 2
    assert found.referral(1.0).rate == 0
    assert found.referral(found.error_rate.rate).rate == pytest.approx(0)


def test_without_an_error_the_limits_come_from_the_rate():
    found = rl.selective([1] * 30 + [0] * 30, [0.9] * 30 + [0.2] * 30)
    assert (found.aurc.rate, found.aurc.interval.low) == (0, 0)
    assert found.aurc.interval.high == pytest.approx(1 - 0.025 ** (1 / 60))
    assert "no error seen" in found.aurc.interval.method


def test_subjects_widen_the_limits():
    subject = np.arange(200) // 5
    y, p = np.repeat(Y[:40], 5), np.repeat(P[:40], 5)
    alone, joined = rl.selective(y, p), rl.selective(y, p, ids=subject)
    assert joined.aurc.rate == alone.aurc.rate
    assert joined.aurc.standard_error > 1.8 * alone.aurc.standard_error
    assert rl.results.RiskCoverage.from_json(joined.to_json()).aurc == joined.aurc


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"y_score": P * 10}, "threshold must be given for a score that is no probability"),
        ({"y_score": P, "threshold": np.inf}, "threshold must be a finite number, from which confidence is measured"),
        ({"y_score": P, "sample_weight": RNG.random(200)}, "sample_weight has no form here for importance weights"),
    ],
)
def test_refusals_say_what_to_do(asked, sentence):
    with pytest.raises(InputError) as error:
        rl.selective(Y, **asked)
    assert sentence in str(error.value)


@pytest.mark.slow
def test_the_area_is_covered_by_simulation():
    rng, kept, n = np.random.default_rng(6), 0, 100
    big = rng.random(400_000)
    true = area_under_risk(big, (rng.random(big.size) < 0.5 - 0.48 * big).astype(float))[0]
    for _ in range(400):
        confidence = rng.random(n)
        wrong = (rng.random(n) < 0.5 - 0.48 * confidence).astype(int)
        # Positives called right or wrong, at a distance that is their confidence.
        found = rl.selective(np.r_[1 - wrong, 0], np.r_[1 + confidence, -9.0], threshold=1.0)
        kept += found.aurc.interval.low <= true <= found.aurc.interval.high
    assert kept / 400 > 0.92
