"""The model-based ROC curve, its areas, its distance to the observed one, and tests by simulated outcomes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from tests.inference.rates.oracle_files import cases_of

RNG = np.random.default_rng(11)
P = np.round(RNG.beta(1.5, 2.5, 60), 1)  # ties, also at 0 and 1
Y = np.r_[1, 0, (RNG.random(58) < P[2:] ** 1.5).astype(int)]
QUICK = {"resampling": 50, "rng": 1}


@pytest.mark.parametrize("case", cases_of("mroc"), ids=lambda case: case["id"])
def test_oracle(case):
    given, expected, near = case["inputs"], case["expected"], case["tolerance_abs"]
    found = rl.roc(given["y"], given["p"]).model_based(**QUICK)
    assert found.concordance == pytest.approx(expected["m_auc_pairs_i_ne_j"], abs=near)
    assert abs(found.mean_difference) == pytest.approx(expected["A_statistic"], abs=near)
    assert found.mean_test.statistic == abs(found.mean_difference)
    at = np.flatnonzero(found.curve.thresholds >= 0.3)[-1]
    assert (found.curve.fpr[at], found.curve.tpr[at]) == pytest.approx(expected["at_0.3"], abs=near)


def slow_pairs(p, w, own):
    """Pairs one by one, with those of a case and itself or without."""
    won = every = 0.0
    for i, j in product(range(len(p)), repeat=2):
        if own or i != j:
            weight = w[i] * p[i] * w[j] * (1 - p[j])
            every += weight
            won += weight * ((p[i] > p[j]) + (p[i] == p[j]) / 2)
    return won / every


@pytest.mark.parametrize("weight", [None, RNG.integers(1, 4, 60), RNG.random(60) + 0.2], ids=["none", "whole", "real"])
def test_areas_by_their_definition(weight):
    found = rl.roc(Y, P, sample_weight=weight).model_based(**QUICK)
    p, w = P, np.ones(60)
    if weight is not None and weight.dtype.kind == "i":  # so many cases
        p = np.repeat(P, weight)
        w = np.ones(p.size)
    elif weight is not None:
        w = weight
    assert found.concordance == pytest.approx(slow_pairs(p, w, own=False))
    assert found.area == pytest.approx(slow_pairs(p, w, own=True))


def slow_height(fpr, tpr, x):
    """Where no step is: straight lines between the vertices."""
    at = max(i for i in range(len(fpr)) if fpr[i] <= x)
    return tpr[at] + (tpr[at + 1] - tpr[at]) * (x - fpr[at]) / (fpr[at + 1] - fpr[at])


def test_distance_by_its_definition():
    found = rl.roc(Y, P).model_based(**QUICK)
    observed = rl.roc(Y, P).curve
    cuts = np.unique(P)[::-1]
    f, t = ([0.0] + [sum(w[cut <= P]) / sum(w) for cut in cuts] for w in (1 - P, P))
    places = (np.arange(20000) + 0.5) / 20000 + 1e-9
    places = places[places < 1]
    gaps = [abs(slow_height(observed.fpr, observed.tpr, x) - slow_height(f, t, x)) for x in places]
    assert found.distance == pytest.approx(np.mean(gaps), abs=1e-5)
    assert found.distance_test.statistic == found.distance


def test_curves_that_cross_are_counted_on_both_sides():
    """Observed: the corners (0, .5), (.5, .5), (.5, 1), (1, 1); expected: the diagonal of one prediction, nearly."""
    p = np.array([0.5 + 3e-9, 0.5 + 2e-9, 0.5 + 1e-9, 0.5])
    found = rl.roc([1, 0, 1, 0], p).model_based(**QUICK)
    assert found.distance == pytest.approx(0.25, abs=1e-6)
    assert found.area == pytest.approx(0.5, abs=1e-6)
    assert found.concordance == pytest.approx(0.5, abs=1e-6)


def test_p_values_are_those_of_outcomes_simulated_apart():
    generator = np.random.default_rng(5)
    kept = []
    for _ in range(800):
        y = generator.random(60) < P
        one = rl.roc(y, P).model_based(resampling=2, rng=1)
        kept.append((abs(one.mean_difference), one.distance))
    found = rl.roc(Y, P).model_based(resampling=2000, rng=3)
    means, gaps = np.array(kept).T
    assert found.mean_test.p_value == pytest.approx(np.mean(means >= abs(found.mean_difference) - 1e-12), abs=0.07)
    assert found.distance_test.p_value == pytest.approx(np.mean(gaps >= found.distance - 1e-12), abs=0.07)


def test_the_tests_see_what_they_are_for():
    generator = np.random.default_rng(2)
    p = generator.beta(2, 2, 500)
    y = generator.random(500) < p
    odds = p / (1 - p)
    high, flat = 2.5 * odds / (1 + 2.5 * odds), odds**0.3 / (1 + odds**0.3)
    asked = {"resampling": 300, "rng": 1}
    right, too_high, too_flat = (rl.roc(y, q).model_based(**asked) for q in (p, high, flat))
    assert right.joint_test.p_value > 0.05
    assert too_high.mean_test.p_value == pytest.approx(1 / 301)
    assert too_high.joint_test.p_value < 0.05
    assert too_flat.mean_test.p_value > 0.05
    assert too_flat.distance_test.p_value == pytest.approx(1 / 301)
    assert too_flat.joint_test.p_value < 0.05


@pytest.mark.slow
def test_right_probabilities_are_rejected_as_often_as_said():
    """Ranks among simulated sets are exact: 200 studies, standard error .015 at .05."""
    generator = np.random.default_rng(8)
    found = []
    for _ in range(200):
        p = generator.beta(1, 3, 80)
        one = rl.roc(generator.random(80) < p, p).model_based(resampling=39, rng=generator)
        found.append([test.p_value for test in (one.mean_test, one.distance_test, one.joint_test)])
    assert np.mean(np.array(found) <= 0.05, axis=0) == pytest.approx(0.05, abs=0.05)


def test_one_seed_one_answer_on_any_number_of_threads():
    one, two = (rl.roc(Y, P).model_based(resampling=rl.Resampling(replicates=120, workers=n), rng=4) for n in (1, 2))
    assert one.to_dict() == two.to_dict()
    assert "120 sets of outcomes simulated from the probabilities, seed 4" in str(one)
    assert rl.results.ModelBasedCurve.from_json(one.to_json()).to_dict() == one.to_dict()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"sample_weight": np.linspace(0.5, 1.5, 60)}, "importance weights are no counts"),
        ({"ids": np.repeat(np.arange(20), 3)}, "subjects have several"),
    ],
)
def test_tests_that_have_no_form_are_undefined(data, words):
    found = rl.roc(Y, P, **data).model_based(**QUICK)
    assert words in found.joint_test.p_value.reason
    assert words in found.mean_test.p_value.reason
    assert words in str(found)
    assert 0.5 < found.concordance < 1


def test_probabilities_that_leave_no_second_class():
    found = rl.roc([1, 0, 0, 0], [0.001, 0.002, 0.001, 0.0]).model_based(**QUICK)
    assert "nearly always of one class" in found.distance_test.p_value.reason


@pytest.mark.parametrize(
    ("score", "asked", "words"),
    [
        ([0.2, 1.5, 0.3, 0.1], {}, "needs predicted probabilities between 0 and 1, got the score 1.5"),
        ([0, 0, 0, 0], {}, "needs probabilities that are not all 0 or all 1"),
        ([0.2, 0.5, 0.3, 0.1], {"resampling": rl.Resampling(scheme="plain")}, "scheme has no part where outcomes"),
        ([0.2, 0.5, 0.3, 0.1], {"resampling": 0}, "replicates must"),
        ([0.2, 0.5, 0.3, 0.1], {"rng": "one"}, "rng must be a whole number"),
    ],
)
def test_bad_questions_are_one_sentence(score, asked, words):
    with pytest.raises(InputError, match=words):
        rl.roc([0, 1, 1, 0], score).model_based(**asked)


def test_a_falling_score_is_no_probability():
    with pytest.raises(InputError, match="model-based curve needs probabilities of the positive class"):
        rl.roc(Y, P, direction="lower").model_based()
