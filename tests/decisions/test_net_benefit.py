"""Net benefit and decision curves."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.data.tally import Tally
from roclab.decisions.net_benefit import decision_curve
from roclab.errors import InputError
from roclab.results import Sample
from tests.inference.rates.oracle_files import cases_of


def of(pos, neg, **sample):
    extra = Sample(n_pos=len(pos), n_neg=len(neg), **sample) if sample else None
    return Tally.from_samples(np.array(pos, float), np.array(neg, float), sample=extra)


PROBABILITIES = st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.5, 0.7, 1.0]), min_size=1, max_size=10)


@given(pos=PROBABILITIES, neg=PROBABILITIES)
def test_net_benefit_definition(pos, neg):
    """TP/T - FP/T · p/(1 - p), counting by hand at each threshold."""
    curve = decision_curve(of(pos, neg))
    total = len(pos) + len(neg)
    for at, p in enumerate(curve.probabilities):
        tp, fp = sum(x >= p for x in pos), sum(y >= p for y in neg)
        assert curve.net_benefit["model"][at] == pytest.approx(tp / total - fp / total * p / (1 - p), abs=1e-12)
        assert curve.treat_all[at] == pytest.approx(len(pos) / total - len(neg) / total * p / (1 - p), abs=1e-12)
    assert not curve.treat_none.any()
    assert curve.standardised("model")[0] == pytest.approx(curve.net_benefit["model"][0] * total / len(pos))
    better = curve.useful("model")
    assert np.all(np.isin(better, curve.probabilities))


def test_net_benefit_of_two_models_and_another_prevalence():
    a, b = of([0.9, 0.4], [0.6, 0.1]), of([0.8, 0.7], [0.2, 0.1])
    curve = decision_curve({"a": a, "b": b}, probabilities=[0.3, 0.5], prevalence=0.1)
    assert curve.net_benefit["b"].tolist() == pytest.approx([0.1, 0.1])
    assert curve.net_benefit["a"][0] == pytest.approx(0.1 - 0.9 * 0.5 * 0.3 / 0.7)
    assert list(curve.rows()[0]) == ["threshold probability", "a", "b", "treat all", "treat none"]
    # At the same treated positives b avoids treating both of the 0.9 negatives per case.
    assert curve.avoided("b").tolist() == pytest.approx([0.9, 0.9])
    named = Tally.from_samples(np.array([0.9]), np.array([0.1]), sample=Sample(n_pos=1, n_neg=1, score="risk"))
    assert list(decision_curve(named).net_benefit) == ["risk"]


@pytest.mark.parametrize(
    ("models", "arguments", "message"),
    [
        (of([2.0], [0.1]), {}, "decision curves need predicted probabilities between 0 and 1, got the score 2"),
        (of([-0.2], [-0.5], direction="lower"), {}, "decision curves need probabilities of the positive class"),
        (of([0.9], [0.1]), {"probabilities": [0.5, 1.0]}, "probabilities must lie strictly between 0 and 1, got 1.0"),
        ({}, {}, "models must hold at least one tally, got none"),
        (
            {"a": of([0.9], [0.1]), "b": of([0.9], [0.1, 0.2])},
            {},
            "models must come from cases of the same prevalence, got a 0.5, b 0.3333",
        ),
        (of([0.9], [0.1]), {"prevalence": 2}, "prevalence must lie strictly between 0 and 1, got 2"),
    ],
)
def test_net_benefit_errors(models, arguments, message):
    with pytest.raises(InputError, match=message):
        decision_curve(models, **arguments)


@pytest.mark.parametrize("case", cases_of("net_benefit"), ids=lambda case: case["id"])
def test_limits_oracle(case):
    inputs, expected = case["inputs"], case["expected"]
    at = [float(one) for one in expected["ours"]]
    found = rl.net_benefit(inputs["y"], inputs["p"], probabilities=at, level=0.95)
    (name,) = found.net_benefit
    for place, one in enumerate(expected["ours"].values()):
        assert found.net_benefit[name][place] == pytest.approx(one["net_benefit"], abs=case["tolerance_abs"])
        ends = (found.low[name][place], found.high[name][place])
        assert ends == pytest.approx(one["mover"], abs=case["tolerance_abs"])


def test_limits_count_subjects_and_hold_a_known_prevalence():
    rng = np.random.default_rng(3)
    y = np.repeat(rng.integers(0, 2, 40), 3)
    p = np.repeat(np.round(rng.random(40), 2), 3)
    alone = rl.net_benefit(y, p, probabilities=[0.3], level=0.95)
    joined = rl.net_benefit(y, p, probabilities=[0.3], level=0.95, ids=np.arange(120) // 3)
    (name,) = alone.net_benefit
    width = [float(found.high[name][0] - found.low[name][0]) for found in (alone, joined)]
    assert width[1] > 1.5 * width[0]
    rare = rl.net_benefit(y, p, probabilities=[0.3], prevalence=0.1, level=0.9)
    assert rare.low[name][0] < rare.net_benefit[name][0] < rare.high[name][0]
    assert f"{name} 90% low" in rare.rows()[0]
    again = type(rare).from_json(rare.to_json())
    assert again.to_json() == rare.to_json()
