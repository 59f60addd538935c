"""Rates of several tests and of groups: the verbs against the formulas, each other, and every refusal in words."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import roclab as rl
from roclab.decisions.joint_calls import joint_calls
from roclab.errors import InputError, OneClassError
from roclab.inference.rates.clustered_pairs import (
    clustered_tango,
    durkalski_test,
    eliasziw_donner_test,
    obuchowski_test,
    yang_test,
)
from roclab.inference.rates.gaps import range_deviate
from roclab.inference.rates.mover import wilson

PAIRED1 = json.loads((Path(__file__).parents[1] / "oracles" / "rates" / "two_tests_paired1.json").read_text())
CELLS = ((1, 1), (1, 0), (0, 1), (0, 0))
ALL = ["sensitivity", "specificity", "ppv", "npv", "lr_plus", "lr_minus", "accuracy", "net_benefit"]


def written_out(diseased, healthy):
    """Cases from the eight counts."""
    rows = [
        (label, *calls)
        for label, counts in ((1, diseased), (0, healthy))
        for calls, times in zip(CELLS, counts, strict=True)
        for _ in range(times)
    ]
    return {name: np.array(column) for name, column in zip(("d", "y1", "y2"), zip(*rows, strict=True), strict=True)}


TABLE = written_out(PAIRED1["inputs"]["diseased"], PAIRED1["inputs"]["healthy"])
RNG = np.random.default_rng(7)
Y = RNG.integers(0, 2, 240)
S = {"a": Y + RNG.normal(size=240), "b": 0.7 * Y + RNG.normal(size=240), "c": 0.9 * Y + RNG.normal(size=240)}
SITE = np.array(["north", "south", "east"])[np.arange(240) % 3]


@pytest.fixture(scope="module")
def paired1():
    return rl.compare(TABLE, label="d", predicted=["y1", "y2"], metrics=ALL, probability=0.2)


@pytest.mark.parametrize("metric", ["sensitivity", "specificity", "accuracy"])
def test_paired1_oracle(paired1, metric):
    one, expected = paired1.pair("y1", "y2", metric), PAIRED1["expected"][metric]
    assert one.difference == pytest.approx(expected["difference"])
    assert list(one.interval) == pytest.approx(expected["tango"], abs=1e-8)
    assert list(one.ratio_interval) == pytest.approx(expected["ratio_tang"], abs=1e-8)
    assert (one.p_value, one.midp) == pytest.approx((expected["mcnemar_p"], expected["midp_p"]), abs=1e-10)
    assert one.statistic**2 == pytest.approx(expected["mcnemar_chi2"])
    assert [paired1.rate(name, metric).value for name in ("y1", "y2")] == pytest.approx(expected["rates"])


def test_paired1_predictive_values_and_ratios_oracle(paired1):
    for metric in ("ppv", "npv"):
        one, expected = paired1.pair("y1", "y2", metric), PAIRED1["expected"][metric]
        assert list(one.interval) == pytest.approx(expected["difference_mover_wilson"], abs=1e-8)
        assert (one.statistic**2, one.p_value) == pytest.approx((expected["wgs"], expected["wgs_p"]), abs=1e-8)
    for metric in ("lr_plus", "lr_minus"):
        one, expected = paired1.pair("y1", "y2", metric), PAIRED1["expected"][metric]
        assert one.ratio == pytest.approx(expected["ratio"])
        assert list(one.ratio_interval) == pytest.approx(expected["mover_tang"], abs=1e-8)
        assert one.difference.reason == "likelihood ratios are compared by their ratio"
    benefit = paired1.pair("y1", "y2", "net_benefit")
    assert (benefit.difference, *benefit.interval) == pytest.approx((0.06777, 0.04073, 0.09646), abs=5e-6)


def test_scores_at_a_threshold_are_their_calls():
    scores = {"y1": TABLE["y1"] - 0.3, "y2": 10 * TABLE["y2"]}
    by_score = rl.compare(TABLE["d"], scores, threshold={"y1": 0.5, "y2": 3}, metrics=ALL, probability=0.2)
    by_calls = rl.compare(
        TABLE["d"], {"y1": TABLE["y1"], "y2": TABLE["y2"]}, predicted=["y1", "y2"], metrics=ALL, probability=0.2
    )
    assert [one.to_dict() for one in by_score.pairs] == [one.to_dict() for one in by_calls.pairs]
    assert by_score.thresholds == {"y1": 0.5, "y2": 3.0}
    mixed = rl.compare({**TABLE, "s": TABLE["y2"] * 4.0}, label="d", predicted="y1", score="s", threshold=2)
    assert mixed.pair("y1", "s", "sensitivity").difference == by_calls.pair("y1", "y2").difference


def test_the_rates_are_those_of_confusion():
    found = rl.compare(Y, S, threshold=0.5, metrics=ALL, probability=0.3)
    for name, scores in S.items():
        alone = rl.confusion(Y, scores, threshold=0.5).with_intervals()
        for metric, own in (("sensitivity", "tpr"), ("ppv", "ppv"), ("lr_minus", "lr_minus"), ("accuracy", "accuracy")):
            assert found.rate(name, metric).value == pytest.approx(alone.metrics[own])
            assert list(found.rate(name, metric).interval) == pytest.approx(list(alone.intervals[own]))


def test_three_tests_are_adjusted_in_each_metric_and_judged_at_once():
    found = rl.compare(Y, S, threshold=0.5)
    p = sorted(one.p_value for one in found.pairs if one.metric == "sensitivity")
    adjusted = sorted(one.p_adjusted for one in found.pairs if one.metric == "sensitivity")
    assert adjusted[0] == pytest.approx(min(3 * p[0], 1))
    assert [test.name for test in found.equality] == ["Cochran's Q"] * 2
    together = rl.compare(Y, S, threshold=0.5, simultaneous=True)
    for one, wider in zip(found.pairs, together.pairs, strict=True):
        assert wider.interval.low < one.interval.low < one.interval.high < wider.interval.high
    control = rl.compare(Y, S, threshold=0.5, control="b")
    assert [(one.first, one.second) for one in control.pairs[:2]] == [("a", "b"), ("c", "b")]


def test_margins_are_claims_of_the_first_test():
    small = written_out((20, 6, 2, 2), (3, 2, 7, 38))
    found = rl.compare(small, label="d", predicted=["y1", "y2"], metrics="sensitivity", margin=0.1)
    (claim,) = found.claims
    assert (claim.statistic, claim.p_value) == pytest.approx((2.30183, 0.01067), abs=5e-6)
    assert (claim.alpha, claim.interval.level, claim.shown) == (0.025, 0.95, True)
    (ratio,) = rl.compare(small, label="d", predicted=["y1", "y2"], metrics="sensitivity", ratio_margin=0.9).claims
    assert (ratio.statistic, ratio.p_value) == pytest.approx((2.13504, 0.01638), abs=5e-6)
    (both,) = rl.compare(
        small, label="d", predicted=["y1", "y2"], metrics="sensitivity", margin=0.1, claim="equivalence"
    ).claims
    assert (both.interval.level, both.shown) == (pytest.approx(0.9), False)


@pytest.mark.parametrize("interval", ["newcombe", "bonett_price", "agresti_min", "wald"])
def test_other_intervals_go_by_their_names_oracle(interval):
    found = rl.compare(TABLE, label="d", predicted=["y1", "y2"], interval=interval)
    one = found.pair("y1", "y2", "sensitivity")
    assert list(one.interval) == pytest.approx(PAIRED1["expected"]["sensitivity"][interval], abs=1e-8)


@pytest.mark.parametrize(("test", "name"), [("midp", "midp"), ("exact", "exact"), ("corrected", "mcnemar_cc")])
def test_other_tests_go_by_their_names_oracle(test, name):
    found = rl.compare(TABLE, label="d", predicted=["y1", "y2"], test=test).pair("y1", "y2", "specificity")
    assert found.p_value == pytest.approx(PAIRED1["expected"]["specificity"][f"{name}_p"], abs=1e-10)


def test_whole_weights_are_repetitions_and_importances_are_worth_less():
    weight = RNG.integers(1, 4, 240)
    twice = rl.compare(np.repeat(Y, weight), {k: np.repeat(v, weight) for k, v in S.items()}, threshold=0.5)
    counted = rl.compare(Y, S, threshold=0.5, sample_weight=weight)
    assert [one.to_dict() for one in counted.pairs] == [one.to_dict() for one in twice.pairs]
    even = rl.compare(Y, S, threshold=0.5, sample_weight=np.full(240, 0.5), metrics=["sensitivity", "ppv"])
    plain = rl.compare(Y, S, threshold=0.5, metrics=["sensitivity", "ppv"])
    for one, two in zip(even.pairs, plain.pairs, strict=True):
        assert list(one.interval) == pytest.approx(list(two.interval))
    assert "Kish" in even.notes[-1]


def test_subjects_widen_the_limits_by_their_design_effect_definition():
    subject = np.arange(240) // 4
    found = rl.compare(Y, S, threshold=0.5, ids=subject, metrics="sensitivity")
    one = found.pair("a", "b")
    calls = [(S[name] >= 0.5)[Y == 1] for name in ("a", "b")]
    cells = np.stack([calls[0] & calls[1], calls[0] & ~calls[1], ~calls[0] & calls[1], ~calls[0] & ~calls[1]], axis=1)
    table = np.stack([cells[subject[Y == 1] == k].sum(axis=0) for k in np.unique(subject[Y == 1])]).astype(float)
    assert list(one.interval) == pytest.approx(clustered_tango(table), abs=1e-9)
    assert one.df == len(table) - 1
    assert any("subjects have cases of both classes" in note for note in found.notes)


@pytest.mark.parametrize(
    ("test", "judge"), [("eliasziw_donner", eliasziw_donner_test), ("obuchowski", obuchowski_test),
                        ("durkalski", durkalski_test), ("yang", yang_test)],
)  # fmt: skip
def test_tests_of_subjects_by_name(test, judge):
    subject = RNG.permutation(np.arange(240) // 4)
    metrics = ["sensitivity", "specificity", "accuracy"]
    found = rl.compare(Y, S, threshold=0.5, ids=subject, metrics=metrics, test=test)
    usual = rl.compare(Y, S, threshold=0.5, ids=subject, metrics=metrics)
    for metric in metrics:
        inside = {"sensitivity": Y == 1, "specificity": Y == 0, "accuracy": Y >= 0}[metric]
        right = [(S[name] >= 0.5) == (Y == 1) for name in "ab"]
        cells = np.stack([right[0] & right[1], right[0] & ~right[1], ~right[0] & right[1], ~right[0] & ~right[1]], 1)
        who = subject[inside]
        table = np.array([cells[inside][who == k].sum(axis=0) for k in np.unique(who)], dtype=float)
        one = found.pair("a", "b", metric)
        statistic, p = judge(table)
        assert (one.statistic**2, one.p_value) == pytest.approx((statistic, p))
        assert one.interval == usual.pair("a", "b", metric).interval
        assert test.split("_")[0].capitalize() in one.test


def test_a_test_that_disagrees_with_its_limits_says_so():
    table = written_out((40, 9, 2, 9), (30, 4, 4, 30))
    found = rl.compare(table, label="d", predicted=["y1", "y2"], metrics="sensitivity", test="exact")
    one = found.pair("y1", "y2", "sensitivity")
    assert one.interval.low > 0
    assert one.p_value > 0.05
    assert found.notes == (
        "sensitivity: y1 and y2: limits and test are of different kinds and disagree whether the values differ; read "
        "it as undecided.",
    )


def test_each_group_is_answered_apart_and_the_interaction_tested():
    found = rl.compare(Y, S, threshold=0.5, by=SITE)
    alone = rl.compare(Y[SITE == "east"], {k: v[SITE == "east"] for k, v in S.items()}, threshold=0.5)
    assert str(found["east"]) == str(alone)
    assert len(found.tests) == 6
    assert found.tests[0].hypothesis == "the difference of sensitivity a - b is the same in all groups"
    assert 0 <= found.tests[0].p_value <= 1


def test_two_roads_to_the_rates_of_groups_agree():
    groups = rl.compare_groups(Y, S["a"], group=SITE, threshold=0.5, metrics=["sensitivity", "specificity", "ppv"])
    gaps = rl.confusion(Y, S["a"], threshold=0.5, by=SITE).gaps()
    for name in ("north", "south", "east"):
        own = {one.metric: one for one in gaps.rates if one.test == name}
        assert groups.rate(name, "sensitivity").value == own["tpr"].value
        assert list(groups.rate(name, "ppv").interval) == pytest.approx(list(own["ppv"].interval))
        assert 1 - groups.rate(name, "specificity").value == pytest.approx(own["fpr"].value)
    chi = next(test for test in groups.equality if "sensitivity" in test.hypothesis)
    assert chi.p_value == pytest.approx(gaps["equal_opportunity"].p_value)
    table = {"y": Y, "call": (S["a"] >= 0.5).astype(int), "site": SITE}
    by_calls = rl.compare_groups(table, label="y", predicted="call", group="site", metrics=["sensitivity"])
    assert by_calls.pairs[0].to_dict() == groups.pairs[0].to_dict()


def test_gaps_hold_the_widest_pair_and_equalized_odds_both_families():
    found = rl.confusion(Y, S["a"], threshold=0.5, by=SITE).gaps()
    rates = {one.test: one.value for one in found.rates if one.metric == "tpr"}
    one = found["equal_opportunity"]
    assert one.gap == pytest.approx(max(rates.values()) - min(rates.values()))
    assert (rates[one.highest], rates[one.lowest]) == (max(rates.values()), min(rates.values()))
    n = {name: int(np.sum(Y[name == SITE] == 1)) for name in rates}
    z = range_deviate(3, 0.95)
    high = max(
        rates[a] - rates[b]
        + math.hypot(wilson(rates[a], n[a], z)[1] - rates[a], rates[b] - wilson(rates[b], n[b], z)[0])
        for a in rates
        for b in rates
        if a != b
    )  # fmt: skip
    assert one.interval.high == pytest.approx(high)
    odds = found["equalized_odds"]
    assert odds.gap == max(one.gap, found["predictive_equality"].gap)
    assert odds.interval.high >= max(one.interval.high, found["predictive_equality"].interval.high)


@pytest.mark.slow
def test_equal_groups_are_not_accused_by_simulation():
    rng, accused = np.random.default_rng(5), 0
    for _ in range(200):
        y = rng.integers(0, 2, 300)
        gaps = rl.confusion(y, y + rng.normal(size=300), threshold=0.5, by=np.arange(300) % 4).gaps()
        accused += gaps["equal_opportunity"].interval.low > 0
        assert gaps["equal_opportunity"].gap > 0
    assert accused / 200 < 0.08  # at most .05 but for Monte-Carlo error


@pytest.mark.parametrize("kind", [rl.results.RateComparison, rl.results.RateGaps])
def test_results_come_back_from_their_json(kind):
    found = (
        rl.compare(Y, S, threshold=0.5, metrics=ALL, probability=0.2, margin=None)
        if kind is rl.results.RateComparison
        else rl.confusion(Y, S["a"], threshold=0.5, by=SITE).gaps()
    )
    again = kind.from_json(found.to_json())
    assert str(again) == str(found)
    assert "|" in found.to_markdown()
    assert len(found.to_csv().splitlines()) == 1 + len(found.rows())


def test_the_other_way_round_is_the_same_pair():
    found = rl.compare(Y, S, threshold=0.5, metrics=ALL, probability=0.2)
    turned = rl.compare(Y, {"b": S["b"], "a": S["a"]}, threshold=0.5, metrics=ALL, probability=0.2)
    for metric in ALL:
        one, two = found.pair("b", "a", metric), turned.pair("b", "a", metric)
        assert list(one.interval) == pytest.approx(list(two.interval), nan_ok=True, abs=1e-9)
        assert list(one.ratio_interval) == pytest.approx(list(two.ratio_interval), nan_ok=True, rel=1e-6)


def test_the_order_of_the_cases_does_not_matter_property():
    order = np.random.default_rng(1).permutation(240)
    one = rl.compare(Y, S, threshold=0.5, ids=np.arange(240) // 4, metrics=ALL, probability=0.2)
    two = rl.compare(
        Y[order], {k: v[order] for k, v in S.items()}, threshold=0.5, ids=(np.arange(240) // 4)[order], metrics=ALL,
        probability=0.2,
    )  # fmt: skip
    for a, b in zip(one.pairs, two.pairs, strict=True):
        assert list(a.interval) == pytest.approx(list(b.interval), nan_ok=True, abs=1e-9)


def test_many_tests_are_counted_as_few_are():
    calls = [np.random.default_rng(at).integers(0, 2, 60).astype(bool) for at in range(14)]
    many = joint_calls([f"t{at}" for at in range(14)], Y[:60].astype(bool), calls)
    two = joint_calls(["t0", "t1"], Y[:60].astype(bool), calls[:2])
    assert many.tables(0, 1) == two.tables(0, 1)


def test_large_differences_keep_their_p_values():
    y = np.repeat([1, 0] * 2, 3000)
    site = np.repeat(["a", "b"], 6000)
    rng = np.random.default_rng(2)
    s = y * np.where(site == "a", 3.0, 0.4) + rng.normal(size=y.size)
    found = rl.compare_groups(y, s, group=site, threshold=0.5, metrics=["sensitivity", "lr_plus"], simultaneous=True)
    assert 0 < found.pair("a", "b", "lr_plus").p_value < 1e-10
    assert found.pair("a", "b", "sensitivity").p_adjusted <= 1e-15
    with pytest.raises(InputError, match="score and predictions must be at most 32 to compare, got 40"):
        rl.compare(Y, {f"t{at}": S["a"] for at in range(40)}, threshold=0.5)


def test_methods_name_their_authors():
    found = rl.compare(Y, S, threshold=0.5, metrics=ALL, probability=0.2, ids=np.arange(240) // 4)
    said = found.methods()
    for author in ("Tango 1998", "Tang 2003", "Zou and Donner 2008", "Vickers and Elkin 2006", "Obuchowski 1998"):
        assert author in said
    assert "at thresholds fixed beforehand (a 0.5000" in said
    assert "roclab" not in said
    alone = rl.compare(Y, S, threshold=0.5, metrics="ppv", margin=0.1)
    assert "Kosinski 2013" in alone.methods()
    assert alone.methods().endswith("Non-inferiority was judged within a difference of 0.1 at a one-sided 2.5%.")
    groups = rl.compare_groups(Y, S["a"], group=SITE, threshold=0.5)
    assert "Miettinen and Nurminen (1985), ratios those of Koopman (1984)" in groups.methods()
    assert "adjusted by holm in each metric; Pearson's chi-squared for all at once." in groups.methods()


def test_rows_that_stay_elsewhere_are_counted_there(tmp_path):
    pytest.importorskip("duckdb")
    path = tmp_path / "cases.csv"
    path.write_text("y,a,b\n" + "\n".join(f"{y},{a},{b}" for y, a, b in zip(Y, S["a"], S["b"], strict=True)))
    asked = {"label": "y", "score": ["a", "b"], "threshold": {"a": 0.5, "b": -0.4}, "metrics": ALL, "probability": 0.2}
    for side in ({}, {"direction": {"b": "lower"}}):
        there = rl.compare(path, engine="duckdb", **asked, **side)
        here = rl.compare(path, engine="memory", **asked, **side)
        assert [one.to_dict() for one in there.pairs] == [one.to_dict() for one in here.pairs]
        assert [one.to_dict() for one in there.rates] == [one.to_dict() for one in here.rates]
    grouped = tmp_path / "subjects.csv"
    lines = [f"{y},{a},{a},{at // 4}" for at, (y, a) in enumerate(zip(Y, S["a"], strict=True))]
    grouped.write_text("\n".join(["y,a,b,who", *lines]))
    with pytest.raises(InputError, match="ids are counted from their rows"):
        rl.compare(grouped, label="y", score=["a", "b"], threshold=0.5, ids="who", engine="duckdb")


# -- what is refused, and what is said ------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"threshold": [0.5, 1]}, "threshold must give one number for every score, got 2 for 3 scores; name them: "),
        ({"threshold": {"a": 1}}, "threshold must give one number for every score, got 1 for 3 scores; name them: "),
        ({"threshold": {"a": 1, "x": 2}}, "got 'x', which is none of them"),
        ({"threshold": "youden"}, "threshold must be fixed before these data were seen, got 'youden'; give numbers, or "
         "use at_specificity=0.9, which chooses anew in every sample."),
        ({"threshold": 0.5, "margin": 0}, "margin must lie strictly between 0 and 1, got 0; it is the largest"),
        ({"threshold": 0.5, "margin": 1.0}, "margin must lie strictly between 0 and 1, got 1.0"),
        ({"threshold": 0.5, "ratio_margin": 1.2}, "ratio_margin must lie strictly between 0 and 1, got 1.2"),
        ({"threshold": 0.5, "metrics": "lr_plus", "margin": 0.1}, "margin is that of a difference in which more is"),
        ({"threshold": 0.5, "ratio_margin": 0.9, "margin": 0.1}, "margin and ratio_margin are different questions"),
        ({"threshold": 0.5, "metrics": ["net_benefit"]}, "probability and the metric 'net_benefit' belong together"),
        ({"threshold": 0.5, "probability": 0.2}, "probability and the metric 'net_benefit' belong together"),
        ({"threshold": 0.5, "metrics": "recall"}, "metrics must be "),
        ({"threshold": 0.5, "estimator": "tauc"}, "estimator is about areas and curves, got 'tauc'; leave it out"),
        ({"threshold": 0.5, "at_specificity": 0.9}, "at_specificity is about areas and curves"),
        ({"threshold": 0.5, "test": "t"}, "test must be one of 'score', 'midp', 'exact', 'corrected', 'elias"),
        ({"threshold": 0.5, "test": "yang"}, "test is one of subjects with several cases, got 'yang'; name them by"),
        ({"threshold": 0.5, "test": "exact", "metrics": "ppv"}, "test is that of sensitivity, specificity, accuracy"),
        ({"threshold": 0.5, "interval": "wald", "metrics": "npv"}, "interval is that of sensitivity, specificity"),
        ({"threshold": 0.5, "interval": "logit"}, "interval must be one of 'tango'"),
        ({"threshold": 0.5, "test": "exact", "alternative": "less"}, "alternative must be 'two-sided' beside "),
        ({"threshold": 0.5, "direction": "auto"}, "direction='auto' chooses by the AUC"),
        ({"threshold": 0.5, "claim": "equivalence"}, "claim is about a margin"),
        ({"metrics": ["ppv"]}, "metrics is about yes/no calls, got areas; give threshold for scores"),
        ({"ratio_margin": 0.9}, "ratio_margin is about yes/no calls"),
        ({"threshold": 0.5, "ids": np.arange(240) % 3}, "ids must join the cases of five subjects or more, got 3; "
         "report the subjects one by one."),
    ],
)  # fmt: skip
def test_refusals_say_what_to_do(asked, sentence):
    with pytest.raises(InputError) as error:
        rl.compare(Y, S, **asked)
    assert sentence in str(error.value)


def test_a_score_without_a_threshold_beside_calls_is_asked_for_one():
    with pytest.raises(InputError, match="threshold must give one number for every score, got none for 1 score"):
        rl.compare({**TABLE, "s": TABLE["y1"] * 2.0}, label="d", predicted="y1", score="s")
    with pytest.raises(InputError, match="threshold is that of scores, got calls only; leave it out"):
        rl.compare(TABLE, label="d", predicted=["y1", "y2"], threshold=0.5)
    with pytest.raises(InputError, match=r"y1 must use the labels of d, 1 and 0, got 3"):
        rl.compare({**TABLE, "y1": TABLE["y1"] * 3}, label="d", predicted=["y1", "y2"])


@pytest.mark.parametrize(("metric", "truth"), [("sensitivity", 1), ("specificity", 0)])
def test_one_class_alone_has_the_rate_of_the_whole(metric, truth):
    inside = truth == Y
    alone = rl.compare(Y[inside], {k: v[inside] for k, v in S.items()}, threshold=0.5)
    whole = rl.compare(Y, S, threshold=0.5)
    assert [one.to_dict() for one in alone.pairs if one.metric == metric] == [
        one.to_dict() for one in whole.pairs if one.metric == metric
    ]
    other = "specificity" if truth else "sensitivity"
    assert alone.pair("a", "b", other).difference.reason == f"{other} has no cases here"
    assert alone.rate("a", metric) == whole.rate("a", metric)
    assert math.isnan(alone.rate("a", other).value)
    assert f"Only {'positives' if truth else 'negatives'} are here, so {metric} alone is known." in alone.notes
    assert len(alone.equality) == 1
    matrix = rl.confusion(Y[inside], S["a"][inside], threshold=0.5)
    assert matrix.metrics()["tpr" if truth else "tnr"] == alone.rate("a", metric).value
    calls = rl.confusion(Y[inside], (S["a"][inside] >= 0.5).astype(int))
    assert (calls.tp, calls.fp, calls.fn, calls.tn) == (matrix.tp, matrix.fp, matrix.fn, matrix.tn)
    assert matrix.metrics()["tnr" if truth else "tpr"].reason
    with pytest.raises(
        OneClassError, match=f"of {'positives' if truth else 'negatives'} alone is '{metric}', got 'ppv'"
    ):
        rl.compare(Y[inside], {k: v[inside] for k, v in S.items()}, threshold=0.5, metrics=[metric, "ppv"])


def test_groups_of_one_class_have_its_rate_and_no_gaps():
    ill, asked = Y == 1, {"threshold": 0.5}
    alone = rl.compare_groups(Y[ill], S["a"][ill], group=SITE[ill], **asked)
    whole = rl.compare_groups(Y, S["a"], group=SITE, **asked)
    assert [one.to_dict() for one in alone.pairs if one.metric == "sensitivity"] == [
        one.to_dict() for one in whole.pairs if one.metric == "sensitivity"
    ]
    assert "Only positives are here, so sensitivity alone is known." in alone.notes
    with pytest.raises(OneClassError, match="of positives alone is 'sensitivity', got 'ppv'"):
        rl.compare_groups(Y[ill], S["a"][ill], group=SITE[ill], metrics="ppv", **asked)
    with pytest.raises(
        InputError, match="must make two groups or more with cases of both classes, got none; compare_g"
    ):
        rl.confusion(Y[ill], S["a"][ill], by=SITE[ill], **asked).gaps()
    kept = (SITE != "east") | ill
    gaps = rl.confusion(Y[kept], S["a"][kept], by=SITE[kept], **asked).gaps()
    both = rl.confusion(Y[SITE != "east"], S["a"][SITE != "east"], by=SITE[SITE != "east"], **asked).gaps()
    assert [one.to_dict() for one in gaps.gaps] == [one.to_dict() for one in both.gaps]
    assert gaps.notes == ("Left out of the gaps, with cases of one class only: east.",)


def test_words_of_one_class_name_both():
    words = np.array(["well"] * 20)
    scores = {"a": np.arange(20.0), "b": np.arange(20.0)[::-1]}
    with pytest.raises(OneClassError, match="holds no positive, so sensitivity has no cases.*name both classes"):
        rl.compare(words, scores, pos_label="ill", threshold=3)
    found = rl.compare(words, scores, pos_label="ill", neg_label="well", threshold=3)
    assert found.rate("a", "specificity").value == 3 / 20
    assert (
        rl.compare(np.array(["ill"] * 20), scores, pos_label="ill", threshold=3).rate("a", "sensitivity").value == 0.85
    )
    with pytest.raises(OneClassError, match="must hold two classes"):
        rl.compare(words, scores, pos_label="well")


def test_what_should_be_known_is_noted():
    never = rl.compare(Y, {"a": S["a"], "b": S["b"] / 100}, threshold=0.5)
    assert any(note.startswith("'b' never reaches threshold 0.5 (") for note in never.notes)
    ppv = rl.compare(Y, {"a": S["a"], "b": S["b"] / 100}, threshold=0.5, metrics="ppv")
    assert ppv.rate("b", "ppv").value.reason
    assert "no case was called positive by b" in str(ppv)
    alike = rl.compare(Y, {"a": S["a"], "b": S["a"]}, threshold=0.5)
    assert f"agree on all {int(Y.sum())} positives; p = 1, the interval comes from n alone." in alike.notes[0]
    assert alike.pair("a", "b").p_value == 1.0


def test_groups_have_their_own_refusals():
    for asked, sentence in (
        ({"interval": "newcombe"}, "interval of that name is for tests on the same cases"),
        ({"test": "exact"}, "test of groups is 'score'; Fisher's mid-p stands beside it"),
        ({"pairing": "paired"}, "pairing must be 'unpaired' for rates of groups"),
    ):
        with pytest.raises(InputError, match=sentence):
            rl.compare_groups(Y, S["a"], group=SITE, threshold=0.5, **asked)
    with pytest.raises(InputError, match="gaps are those of confusion matrices, got AreaEstimate|gaps are those"):
        rl.cutoff(Y, S["a"], by=SITE).gaps()
    with pytest.raises(InputError, match="sample_weight of importance has no form in gaps of groups"):
        rl.confusion(Y, S["a"], threshold=0.5, by=SITE, sample_weight=RNG.random(240)).gaps()
