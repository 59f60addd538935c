"""Cut-offs with a promise: the order statistics themselves, oracles, kept in new cases, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom, norm

import roclab as rl
from roclab.errors import InputError
from tests.inference.rates.oracle_files import cases_of

RNG = np.random.default_rng(1)
Y = np.r_[np.ones(120, int), np.zeros(200, int)]
S = 1.6 * Y + RNG.normal(size=320)
P = 1 / (1 + np.exp(-S + 0.5))
ORACLES = {case["id"]: case for case in cases_of("cutoff_promise")}


def test_ties_oracle():
    case = ORACLES["promise_ties_0"]
    given, expected = case["inputs"], case["expected"]
    y, s = [1] * 40 + [0] * 60, given["positives"] + given["negatives"]
    found = rl.cutoff(y, s, require={"sensitivity": 0.9}, confidence=0.95)
    assert (found.high, found.misses_allowed) == (expected["threshold_sensitivity"], expected["misses_allowed"])
    assert found.promises[0].misses_made == expected["misses_made"]
    other = rl.cutoff(y, s, require={"specificity": 0.7}, confidence=0.95)
    assert other.low == expected["lowest_threshold_specificity"]
    assert other.promises[0].misses_allowed == expected["false_alarms_allowed"]
    with pytest.raises(InputError, match="no threshold can promise|no threshold keeps both"):
        rl.cutoff(y, s, require={"sensitivity": 0.9, "specificity": 0.7}, confidence=0.95)


def test_recall_oracle():
    (case,) = [one for one in ORACLES.values() if one["id"] == "mapie_recall_0"]
    given, expected = case["inputs"], case["expected"]
    found = rl.cutoff(given["y"], given["p"], require={"sensitivity": 0.8}, confidence=0.9)
    assert (found.misses_allowed, found.high) == (expected["exact"]["misses"], expected["exact"]["threshold"])
    assert found.high >= expected["bonferroni_holm"]["best"]
    # The cut-off itself calls no more negatives than the highest threshold does, and may find more positives.
    same = rl.confusion(given["y"], given["p"], threshold=found.high)
    assert found.best.matrix.fp == same.fp
    assert found.best.matrix.tp >= same.tp


@pytest.mark.parametrize(("metric", "bound"), [("sensitivity", 0.8), ("fnr", 0.2), ("specificity", 0.7), ("fpr", 0.3)])
def test_a_promise_is_an_order_statistic_definition(metric, bound):
    found = rl.cutoff(Y, S, require={metric: bound}, confidence=0.95)
    of_positives = metric in ("sensitivity", "fnr")
    n, rate = (120, 0.8) if of_positives else (200, 0.7)
    k = max(k for k in range(n) if binom.cdf(k, n, 1 - rate) <= 0.05)
    assert found.misses_allowed == k
    if of_positives:
        assert found.high == np.sort(S[Y == 1])[k]
    else:
        assert found.low == np.sort(S[np.sort(S[Y == 0])[::-1][k] < S])[0]
    assert found.kept == pytest.approx(1 - binom.cdf(k, n, 1 - rate))
    turned = rl.cutoff(Y, -S, require={metric: bound}, confidence=0.95, direction="lower")
    assert turned.threshold == -found.threshold


def test_two_promises_share_the_confidence():
    found = rl.cutoff(Y, S, require={"sensitivity": 0.8, "specificity": 0.6}, confidence=0.95)
    each = 0.95**0.5
    assert [one.confidence for one in found.promises] == [pytest.approx(each)] * 2
    k = max(k for k in range(120) if binom.cdf(k, 120, 0.2) <= 1 - each)
    assert found.high == np.sort(S[Y == 1])[k]
    assert found.low <= found.threshold <= found.high
    best = rl.cutoff(Y, S, require={"sensitivity": 0.8, "specificity": 0.6}, confidence=0.95, criterion="accuracy")
    assert best.low == found.low


def test_predictive_values_are_promised_by_sequences_of_tests_definition():
    found = rl.cutoff(Y, P, require={"ppv": 0.7}, confidence=0.95)
    grid = np.arange(99, 0, -1) / 100
    calls = [(t <= P).sum() for t in grid]
    p = [binom.sf(((t <= P) & (Y == 1)).sum() - 1, m, 0.7) for t, m in zip(grid, calls, strict=True)]
    kept = set()
    for start in (18, 36, 72):  # twice, four and eight times the 9 calls of which all must be right
        for t, m, one in zip(grid, calls, p, strict=True):
            if m < start:
                continue
            if one > 0.05 / 3:
                break
            kept.add(float(t))
    assert (found.low, found.high) == (pytest.approx(min(kept)), pytest.approx(max(kept)))
    assert found.threshold in kept
    mirrored = rl.cutoff(1 - Y, 1 - P, require={"npv": 0.7}, confidence=0.95)
    # The same grid from the other side; cases on it would be called by one of them only, and none is.
    assert mirrored.best.matrix.tn == found.best.matrix.tp


def test_subjects_and_weights_take_part():
    plain = rl.cutoff(Y, S, require={"sensitivity": 0.8}, confidence=0.9)
    subject = np.arange(320) // 8
    assert rl.cutoff(Y, S, require={"sensitivity": 0.8}, confidence=0.9, ids=subject).high <= plain.high
    weighted = rl.cutoff(Y, S, require={"sensitivity": 0.8}, confidence=0.9, sample_weight=RNG.exponential(size=320))
    assert weighted.high < plain.high
    assert "Kish" in str(weighted)
    twice = rl.cutoff(Y, S, require={"sensitivity": 0.8}, confidence=0.9, sample_weight=np.full(320, 2))
    written = rl.cutoff(np.repeat(Y, 2), np.repeat(S, 2), require={"sensitivity": 0.8}, confidence=0.9)
    assert (twice.high, twice.misses_allowed) == (written.high, written.misses_allowed)


def test_a_bound_without_a_promise_says_how_often_it_holds():
    found = rl.cutoff(Y, S, require={"sensitivity": 0.9})
    missed = int(found.best.matrix.fn)
    share = 100 * (1 - binom.cdf(missed, 120, 0.1))
    assert f"In new cases sensitivity >= 0.9 in {share:.0f}% of such studies" in str(found)
    assert 20 < share < 70


def test_a_curve_promises_what_the_verb_does():
    r, asked = rl.roc(Y, S), {"require": {"sensitivity": 0.85}}
    assert r.cutoff(**asked, confidence=0.95).to_dict()["optima"] == rl.cutoff(
        Y, S, **asked, confidence=0.95
    ).to_dict()["optima"]  # fmt: skip
    assert r.cutoff(**asked).notes == rl.cutoff(Y, S, **asked).cutoff.notes
    assert r.cutoff(**asked, confidence=0.95).notes[-1] == "promised with 95% confidence: sensitivity >= 0.85"
    both = rl.cutoff(Y, {"a": S, "b": P}, **asked, confidence=0.95)
    assert both.cutoffs[0].threshold == r.cutoff(**asked, confidence=0.95).threshold


def test_a_grey_zone_is_promised_on_both_sides():
    zone = rl.grey_zone(Y, S, rule_out={"sensitivity": 0.9}, rule_in={"specificity": 0.9}, confidence=0.95)
    guess = rl.grey_zone(Y, S, rule_out={"sensitivity": 0.9}, rule_in={"specificity": 0.9})
    assert zone.lower.threshold <= guess.lower.threshold
    assert zone.upper.threshold >= guess.upper.threshold
    alone = rl.cutoff(Y, S, require={"sensitivity": 0.9}, confidence=0.95**0.5)
    assert zone.lower.threshold == alone.high
    assert "each with 97.47%" in str(zone)
    assert "Referred: " in str(zone)


def test_it_comes_back_from_its_json():
    found = rl.cutoff(Y, S, require={"sensitivity": 0.8, "fpr": 0.4}, confidence=0.95)
    again = rl.results.PromisedCutoff.from_json(found.to_json())
    assert str(again) == str(found)
    assert again.kept == found.kept


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({}, "confidence belongs to a bound; write require={'sensitivity': 0.9}."),
        ({"require": {"mcc": 0.5}}, "confidence is known for sensitivity, specificity, fpr, fnr, ppv, npv and "
         "error_rate, got 'mcc'; leave it out for the best guess."),
        ({"require": {"sensitivity": 0.9, "specificity": 0.9}}, "no threshold keeps both with 95% confidence"),
        ({"require": {"sensitivity": 1}}, "confidence can promise no bound that allows no exception"),
        ({"require": ["sensitivity <= 0.9"]}, "confidence promises a bound on the good side"),
        ({"require": {"ppv": 0.99}}, "no threshold can be promised to keep ppv >= 0.99 with 95% confidence"),
    ],
)  # fmt: skip
def test_refusals_say_what_to_do(asked, sentence):
    with pytest.raises(InputError) as error:
        rl.cutoff(Y, S, confidence=0.95, **asked)
    assert sentence in str(error.value)


def test_too_few_cases_are_told_how_many_are_needed():
    with pytest.raises(InputError) as error:
        rl.cutoff(Y[96:], S[96:], require={"sensitivity": 0.9}, confidence=0.95)
    assert str(error.value) == (
        "no threshold can promise sensitivity >= 0.9 with 95% confidence from 24 positives: 29 are needed; lower the "
        "bound to 0.88, or the confidence to 0.92."
    )
    assert rl.cutoff(Y[96:], S[96:], require={"sensitivity": 0.88}, confidence=0.95).misses_allowed == 0
    assert rl.cutoff(Y[96:], S[96:], require={"sensitivity": 0.9}, confidence=0.92).misses_allowed == 0
    with pytest.raises(InputError, match="confidence must lie strictly between 0 and 1, got 95"):
        rl.cutoff(Y, S, require={"sensitivity": 0.9}, confidence=95)


@pytest.mark.slow
def test_promises_are_kept_in_new_cases_by_simulation():
    rng, kept, guessed = np.random.default_rng(8), 0, 0
    y = np.r_[np.ones(60, int), np.zeros(60, int)]
    for _ in range(300):
        s = 1.5 * y + rng.normal(size=120)
        kept += norm.sf(rl.cutoff(y, s, require={"sensitivity": 0.9}, confidence=0.95).threshold - 1.5) >= 0.9
        guessed += norm.sf(rl.cutoff(y, s, require={"sensitivity": 0.9}).threshold - 1.5) >= 0.9
    assert kept / 300 > 0.95  # exactly .986
    assert guessed / 300 < 0.6  # the ordinary bound is kept about every second time


@pytest.mark.slow
def test_false_promises_of_predictive_values_are_rare_by_simulation():
    rng, false, found = np.random.default_rng(9), 0, 0
    for _ in range(250):
        y = (rng.random(300) < 0.3).astype(int)
        s = 1.6 * y + rng.normal(size=300)
        chance = 1 / (1 + np.exp(-(1.6 * s - 1.28 + np.log(3 / 7))))
        try:
            best = rl.cutoff(y, chance, require={"ppv": 0.8}, confidence=0.95)
        except InputError:
            continue
        found += 1
        at = (np.log(best.low / (1 - best.low)) - np.log(3 / 7) + 1.28) / 1.6
        true = 0.3 * norm.sf(at - 1.6) / (0.3 * norm.sf(at - 1.6) + 0.7 * norm.sf(at))
        false += true < 0.8
    assert found > 10
    assert false / 250 < 0.05


@pytest.mark.parametrize("extra", [{}, {"ids": np.arange(320) // 2}, {"sample_weight": RNG.random(320) + 0.5}])
@pytest.mark.parametrize("bound", [0.5, 0.75, 0.9])
def test_a_table_promises_at_every_row_what_the_cutoff_would_definition(bound, extra):
    rounded = np.round(S, 1)
    rows = rl.cutoff_table(Y, rounded, confidence=0.9, rule="observed", **extra).rows()
    highest = rl.cutoff(Y, rounded, require={"sensitivity": bound}, confidence=0.9, **extra).high
    assert max(row["cut-off"] for row in rows if row["promised sensitivity"] >= bound) == highest
    lowest = rl.cutoff(Y, rounded, require={"specificity": bound}, confidence=0.9, **extra).low
    assert min(row["cut-off"] for row in rows if row["promised specificity"] >= bound) == lowest


def test_a_table_with_promises_says_what_they_are():
    text = str(rl.cutoff_table(Y, S, confidence=0.9))
    assert text.endswith("with 90% confidence, for a cut-off that is chosen by this column")
    with pytest.raises(InputError, match="confidence must lie strictly between 0 and 1"):
        rl.cutoff_table(Y, S, confidence=1)
