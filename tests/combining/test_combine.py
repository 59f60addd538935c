"""Combinations as values: worked examples, oracle, bounds and errors."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import roclab as rl
from roclab.combining.boolean import combine_points, measure_calls
from roclab.combining.chain import chain_under_cap
from roclab.combining.hybrid import hybrid_of_curves
from roclab.combining.interpolate import interpolate
from roclab.errors import InputError
from tests.conftest import oracle

RATE = st.floats(0, 1)


def test_interpolation_oracle():
    case = oracle("combine_classifiers_a")
    inputs, want = case["inputs"]["interp"], case["expected"]["interp"]
    got = interpolate(tuple(inputs["A"]), tuple(inputs["B"]), fpr=inputs["fpr"])
    assert got.share == pytest.approx(want["k"], abs=1e-12)
    assert (got.fpr, got.tpr) == pytest.approx(want["point"], abs=1e-12)


def test_boolean_and_chain_oracle():
    case = oracle("combine_classifiers_a")
    points = [tuple(case["inputs"]["boolean"][name]) for name in ("c1", "c2")]
    want = case["expected"]["boolean"]
    both = combine_points(points, operation="and")
    assert both.independent == pytest.approx(want["and"]["independent"], abs=1e-12)
    assert both.fpr_bounds == pytest.approx(want["and"]["bounds_frechet"]["fpr"], abs=1e-12)
    assert both.tpr_bounds == pytest.approx(want["and"]["bounds_frechet"]["tpr"], abs=1e-12)
    either = combine_points(points, operation="or")
    assert either.independent == pytest.approx(want["or"]["independent"], abs=1e-12)
    assert either.fpr_bounds == pytest.approx(want["or"]["bounds"]["fpr"], abs=1e-12)
    assert either.tpr_bounds == pytest.approx(want["or"]["bounds"]["tpr"], abs=1e-12)
    chain = combine_points([tuple(p) for p in case["inputs"]["chain"]], operation="or")
    assert chain.independent == pytest.approx(case["expected"]["chain_or"], abs=1e-12)
    assert chain.fpr_cap == pytest.approx(0.35)
    assert chain.cost_cap(prevalence=0.5, cost_fn=2) == pytest.approx(0.5 * 0.35 + 0.5 * 2 * 0.3)


@given(calls=st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=4, max_size=40))
def test_measured_points_property_lie_within_the_bounds(calls):
    label = np.array([row[0] for row in calls])
    label[:2] = [True, False]
    one, two = np.array([row[1] for row in calls]), np.array([row[2] for row in calls])
    for operation, united in (("and", one & two), ("or", one | two)):
        got = measure_calls(label, {"one": one, "two": two}, operation=operation)
        metrics = got.actual.metrics()
        assert got.actual.tp == np.sum(united & label)
        assert got.fpr_bounds[0] - 1e-12 <= metrics["fpr"] <= got.fpr_bounds[1] + 1e-12
        assert got.tpr_bounds[0] - 1e-12 <= metrics["tpr"] <= got.tpr_bounds[1] + 1e-12
        assert got.fpr_bounds[0] - 1e-12 <= got.independent[0] <= got.fpr_bounds[1] + 1e-12


def every_outcome(called, cases):
    """Least and most cases in the AND and the OR of classifiers that call so many, over every choice of the cases."""
    choices = [[set(one) for one in itertools.combinations(range(cases), count)] for count in called]
    choices[0] = choices[0][:1]  # which cases the first one calls is only how they are named
    both, either = [], []
    for chosen in itertools.product(*choices):
        both.append(len(set.intersection(*chosen)))
        either.append(len(set.union(*chosen)))
    return {"and": (min(both), max(both)), "or": (min(either), max(either))}


@pytest.mark.parametrize("called", list(itertools.combinations_with_replacement(range(6), 3)))
def test_bounds_of_three_definition_by_enumeration(called):
    """Reached by five cases of a class, and never passed; the other class has one case called more where it can."""
    other = tuple(min(count + 1, 5) for count in called)
    points = [(f / 5, t / 5) for f, t in zip(other, called, strict=True)]
    for operation in ("and", "or"):
        found = combine_points(points, operation=operation)
        # Sums and products of three fifths: rounding only.
        assert found.fpr_bounds == pytest.approx([n / 5 for n in every_outcome(other, 5)[operation]], abs=1e-15)
        assert found.tpr_bounds == pytest.approx([n / 5 for n in every_outcome(called, 5)[operation]], abs=1e-15)


@pytest.mark.parametrize("operation", ["and", "or"])
def test_independence_of_three_definition_by_enumeration(operation):
    """Chances of all eight outcomes, multiplied out and added up."""
    points = [(0.1, 0.7), (0.25, 0.6), (0.4, 0.9)]
    joined = all if operation == "and" else any
    found = combine_points(points, operation=operation)
    for side in (0, 1):
        rates = [point[side] for point in points]
        outcomes = itertools.product([True, False], repeat=3)
        chance = sum(
            math.prod(p if c else 1 - p for p, c in zip(rates, calls, strict=True))
            for calls in outcomes
            if joined(calls)
        )
        assert found.independent[side] == pytest.approx(chance, abs=1e-15)


@given(a=st.tuples(RATE, RATE), b=st.tuples(RATE, RATE), share=RATE)
def test_interpolation_property_is_the_line_between(a, b, share):
    assume(abs(a[0] - b[0]) >= 1e-6)
    fpr = min(max(a[0] + share * (b[0] - a[0]), min(a[0], b[0])), max(a[0], b[0]))
    got = interpolate(a, b, fpr=fpr)
    assert got.share == pytest.approx(share, abs=1e-6)
    assert min(a[1], b[1]) - 1e-9 <= got.tpr <= max(a[1], b[1]) + 1e-9


def test_interpolated_calls_meet_the_rate():
    got = interpolate((0.1, 0.5), (0.4, 0.8), fpr=0.3)
    calls = got.call(np.zeros(30_000, bool), np.ones(30_000, bool), rng=1)
    # Two standard deviations of 30000 coins are 0.0054.
    assert calls.mean() == pytest.approx(2 / 3, abs=0.008)


def test_chain_takes_what_adds_most_and_keeps_the_cap():
    rng = np.random.default_rng(1)
    label = rng.random(400) < 0.4
    calls = {f"c{k}": (rng.random(400) < 0.15 + 0.3 * label * (k % 3 + 1) / 3) for k in range(6)}
    chain = chain_under_cap(label, calls, max_fpr=0.35)
    assert 1 < len(chain.steps) < 6
    assert chain.steps[-1].fpr <= 0.35
    assert [step.tpr for step in chain.steps] == sorted(step.tpr for step in chain.steps)
    united = np.logical_or.reduce([calls[step.name] for step in chain.steps])
    assert chain.steps[-1].tpr == pytest.approx(np.mean(united[label]))
    assert chain.combination.actual.fp == np.sum(united & ~label)
    for name in chain.left_out:
        more = united | calls[name]
        assert np.mean(more[~label]) > 0.35 or np.sum(more & label) == np.sum(united & label)


def test_hybrid_definition_beats_every_part():
    rng = np.random.default_rng(3)
    label = rng.random(300) < 0.4
    scores = {"a": rng.normal(size=300) + label * 1.5, "b": rng.normal(label, np.where(label, 0.3, 1.5))}
    curves = {name: rl.roc(label, score).curve for name, score in scores.items()}
    hybrid = hybrid_of_curves(curves)
    grid = np.linspace(0, 1, 60)
    for curve in curves.values():
        assert np.all([hybrid.at_fpr(f).tpr >= curve.at(f)[0] - 1e-12 for f in grid])
    assert hybrid.area >= max(rl.roc(label, s).hull().area for s in scores.values())
    # every vertex does what it says on the data
    for f, t, rule in zip(hybrid.fpr, hybrid.tpr, hybrid.rules, strict=True):
        called = rule.call(scores)
        assert (np.mean(called[~label]), np.mean(called[label])) == pytest.approx((f, t))
    for slope in (0.0, 0.2, 1.0, 5.0, np.inf):
        best = max(
            t - slope * f if np.isfinite(slope) else -f
            for c in curves.values()
            for f, t in zip(c.fpr, c.tpr, strict=True)
        )
        point = hybrid.at_slope(slope)
        value = point.tpr - slope * point.fpr if np.isfinite(slope) else -point.fpr
        assert value == pytest.approx(best, abs=1e-12)


def test_hybrid_point_between_two_vertices_flips_coins():
    rng = np.random.default_rng(5)
    label = rng.random(4000) < 0.5
    scores = {"a": np.round(rng.normal(size=4000) + label), "b": np.round(rng.normal(size=4000) + 0.5 * label)}
    hybrid = hybrid_of_curves({name: rl.roc(label, s).curve for name, s in scores.items()})
    point = hybrid.at_fpr(0.33)
    assert point.probability(scores)[~label].mean() == pytest.approx(0.33, abs=1e-9)
    assert point.probability(scores)[label].mean() == pytest.approx(point.tpr, abs=1e-9)
    assert point.call(scores, rng=1)[~label].mean() == pytest.approx(0.33, abs=0.03)
    assert sum(row["share"] for row in point.rows()) == pytest.approx(1)


def test_hybrid_of_lower_scores_uses_their_direction():
    label = np.array([1, 1, 1, 0, 0, 0], bool)
    marker = np.array([1.0, 2, 3, 4, 5, 6])
    curves = {
        "low": rl.roc(label, marker, direction="lower").curve,
        "noise": rl.roc(label, [1, 5, 2, 4, 3, 6]).curve,
    }
    point = hybrid_of_curves(curves).at_slope(1)
    assert (point.fpr, point.tpr) == (0, 1)
    assert point.first.call({"low": marker, "noise": marker}).tolist() == label.tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: interpolate((0.1, 0.5), (0.1, 0.7), fpr=0.1), "the same false positive rate have none between"),
        (lambda: interpolate((0.1, 0.5), (0.4, 0.7), fpr=0.5), "fpr must lie between those of the two classifiers"),
        (lambda: interpolate(0.1, (0.4, 0.7), fpr=0.2), r"first must be a pair \(fpr, tpr\), got 0.1"),
        (lambda: combine_points([(0.1, 0.5)], operation="or"), "needs at least two classifiers, got 1"),
        (lambda: combine_points([(0.1, 0.5), (0.2, 1.5)], operation="or"), "tpr of point 2 must lie between 0 and 1"),
        (lambda: combine_points([(0.1, 0.5), (0.2, 0.5)], operation="xor"), "operation must be one of 'and', 'or'"),
        (lambda: chain_under_cap(np.array([True, False]), {"a": np.array([True, False])}, max_fpr=0.1), "got 1"),
        (lambda: hybrid_of_curves({"a": rl.roc([1, 0], [2, 1]).curve}), "a hybrid needs at least two classifiers"),
        (
            lambda: hybrid_of_curves({"a": rl.roc([1, 0], [2, 1]).curve, "b": rl.Roc.from_points([0.1], [0.4]).curve}),
            "needs thresholds to decide by, and 'b' has none",
        ),
    ],
)
def test_combination_error_messages(call, message):
    with pytest.raises(InputError, match=message):
        call()
