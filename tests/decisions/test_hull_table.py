"""The joint hull of many classifiers against an exact hull in fractions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.curves.hull import hull_of_tally
from roclab.curves.roc import roc_curve
from roclab.data.tally import Tally
from roclab.decisions.hull_table import hull_table
from roclab.errors import InputError
from tests.strategies import SCORES
from tests.twins import brute_hull, brute_vertices


def of(pos, neg):
    return Tally.from_samples(np.array(pos, float), np.array(neg, float))


@st.composite
def classifiers(draw):
    """Two to four scores of small integers, and perhaps a discrete classifier."""
    names = draw(st.permutations(["b", "a", "d", "c"]))[: draw(st.integers(2, 4))]
    samples = {name: (draw(SCORES), draw(SCORES)) for name in names}
    eighths = st.integers(0, 8)
    points = draw(st.lists(st.tuples(eighths, eighths), max_size=3))
    return samples, [(Fraction(f, 8), Fraction(t, 8)) for f, t in points]


def brute_ranges(owners):
    """Rows of the table from exact vertices: walk the hull, name each vertex, join neighbours."""
    everything = {point for points in owners.values() for point in points} | {(0, 0), (1, 1)}
    hull = brute_hull([(Fraction(f), Fraction(t)) for f, t in everything])
    slopes = [math.inf]
    for (f0, t0), (f1, t1) in itertools.pairwise(hull):
        slopes.append((t1 - t0) / (f1 - f0) if f1 > f0 else math.inf)
    slopes.append(Fraction(0))
    rows = []
    for at, point in enumerate(hull):
        if point in ((0, 0), (1, 1)):
            name = "AllNeg" if point == (0, 0) else "AllPos"
        else:
            name = min(name for name, points in owners.items() if point in points)
        high, low = slopes[at], slopes[at + 1]
        if not high > low:
            continue
        if rows and rows[-1][0] == name:
            rows[-1] = (name, rows[-1][1], low)
        else:
            rows.append((name, high, low))
    return hull, rows[::-1]


@given(data=classifiers())
def test_ranges_definition(data):
    samples, points = data
    owners = {name: set(brute_vertices(pos, neg)) for name, (pos, neg) in samples.items()}
    given_curves = {name: roc_curve(of(pos, neg)) for name, (pos, neg) in samples.items()}
    if points:
        owners["aa"] = set(points)
        given_curves["aa"] = [(float(f), float(t)) for f, t in points]
    hull, rows = brute_ranges(owners)
    table = hull_table(given_curves)
    assert [(one.fpr, one.tpr) for one in table.vertices] == [
        (pytest.approx(float(f)), pytest.approx(float(t))) for f, t in hull
    ]
    assert [(one.classifier, one.max_slope, one.min_slope) for one in table.ranges] == [
        (name, pytest.approx(float(high)), pytest.approx(float(low), abs=1e-12)) for name, high, low in rows
    ]
    # Ranges cover all slopes without a gap.
    assert table.ranges[0].min_slope == 0
    assert table.ranges[-1].max_slope == math.inf
    for one, two in zip(table.ranges[:-1], table.ranges[1:], strict=True):
        assert one.max_slope == two.min_slope


@given(data=classifiers(), slope=st.sampled_from([0.0, 0.1, 0.5, 1.0, 3.0, 50.0, math.inf]))
def test_optimum_property_lies_in_the_row_of_its_slope(data, slope):
    """The optimum for slope m lies on the hull and in the row whose interval contains m."""
    samples, _ = data
    table = hull_table({name: roc_curve(of(pos, neg)) for name, (pos, neg) in samples.items()})
    best = table.at_slope(slope)
    every = [(float(f), float(t)) for pos, neg in samples.values() for f, t in brute_vertices(pos, neg)]
    if math.isinf(slope):
        assert best[0].fpr == 0
        assert best[0].tpr == max(t for f, t in every if f == 0)
    else:
        top = max(t - slope * f for f, t in every)
        for one in best:
            assert one.tpr - slope * one.fpr == pytest.approx(top, abs=1e-9)
            assert one.min_slope <= slope + 1e-9
            assert slope <= one.max_slope + 1e-9
    assert [one.fpr for one in best] == sorted(one.fpr for one in best)


def test_thresholds_belong_to_the_vertices():
    rng = np.random.default_rng(5)
    tallies = {name: of(rng.normal(m, s, 400), rng.normal(0, 1, 400)) for name, m, s in (("x", 1, 1), ("y", 1.2, 2))}
    table = hull_table({name: roc_curve(tally) for name, tally in tallies.items()})
    for one in table.vertices[1:-1]:
        tally = tallies[one.classifier]
        assert tally.pos[tally.score >= one.threshold].sum() / 400 == one.tpr
        assert tally.neg[tally.score >= one.threshold].sum() / 400 == one.fpr
    assert {one.classifier for one in table.vertices[1:-1]} == {"x", "y"}
    assert (table.vertices[0].threshold, table.vertices[-1].threshold) == (math.inf, -math.inf)


def test_one_classifier_is_its_own_hull():
    rng = np.random.default_rng(6)
    tally = of(rng.normal(1, 1, 3000).round(2), rng.normal(0, 1, 3000).round(2))
    curve = roc_curve(tally)
    hull, table = hull_of_tally(tally, curve), hull_table({"only": curve})
    np.testing.assert_allclose([one.fpr for one in table.vertices], hull.fpr, atol=1e-12)
    np.testing.assert_allclose([one.tpr for one in table.vertices], hull.tpr, atol=1e-12)
    assert table.area == pytest.approx(hull.area, abs=1e-12)
    assert table.hull.area == pytest.approx(hull.area, abs=1e-12)


def test_conditions_and_ranges_of_conditions():
    table = hull_table({"a": [(0.1, 0.5)], "b": [(0.4, 0.8)], "c": [(0.3, 0.4)]})
    assert table.optimal(prevalence=0.5).classifier == "a", "slope 1 ties a and b: lowest false positive rate"
    assert [one.classifier for one in table.at_slope(1)] == ["a", "b"]
    assert table.optimal(prevalence=0.5, cost_fn=2).classifier == "b"
    assert table.optimal(prevalence=0.01).classifier == "AllNeg"
    assert [(one.classifier, one.min_slope, one.max_slope) for one in table.between(0.5, 2)] == [
        ("b", 0.5, pytest.approx(1)),
        ("a", pytest.approx(1), 2),
    ]
    assert [one.classifier for one in table.between(2, 2)] == ["a"]
    # Prevalence 1/3 to 2/3 at equal costs is slope 2 to 1/2.
    assert [one.classifier for one in table.for_prevalences(1 / 3, 2 / 3)] == ["b", "a"]
    assert table.classifiers == ("a", "b", "c")
    assert "never optimal: c" in str(table)
    assert table.to_dict()["ranges"][0]["classifier"] == "AllPos"


def test_adding_a_classifier():
    table = hull_table({"a": [(0.1, 0.5)], "b": [(0.4, 0.8)]})
    better = table.adding("new", [(0.2, 0.8)])
    assert better.displaced == ("b",)
    assert [one.classifier for one in better.optimal_on] == ["new"]
    assert better.area_gained == pytest.approx(better.after.area - table.area)
    assert better.area_gained > 0
    assert "new is optimal for slopes 0.25 to 3" in str(better)
    assert "no longer optimal: b" in str(better)
    assert [row[""] for row in better.rows()] == ["before"] * 4 + ["after"] * 4
    useless = table.adding("new", [(0.5, 0.5)])
    assert useless.optimal_on == ()
    assert useless.area_gained == pytest.approx(0, abs=1e-15)
    assert "new is optimal for no prevalence and costs" in str(useless)
    with pytest.raises(InputError, match="name must be new, got 'a'"):
        table.adding("a", [(0.2, 0.8)])


def test_shared_points_go_to_the_alphabetically_first():
    table = hull_table({"z": [(0.1, 0.7)], "m": [(0.1 + 1e-14, 0.7)], "q": [(0.1, 0.7)]})
    assert [one.classifier for one in table.ranges] == ["AllPos", "m", "AllNeg"]


def test_trivial_rules_appear_only_with_a_range():
    perfect = hull_table({"p": [(0, 1)]})
    assert [one.classifier for one in perfect.ranges] == ["p"]
    nothing = hull_table({"n": [(0.5, 0.2)]})
    assert [(one.classifier, one.max_slope) for one in nothing.ranges] == [("AllPos", 1.0), ("AllNeg", math.inf)]


@pytest.mark.parametrize(
    ("given_points", "message"),
    [
        ({}, "classifiers must map names to curves or points, got {}"),
        ({"AllPos": [(0.1, 0.2)]}, "'AllPos' is the name of a trivial rule"),
        ({"a": [0.1, 0.2]}, "classifier 'a' must be a ROC curve or pairs"),
        ({"a": [(0.1, 1.2)]}, "tpr must lie between 0 and 1, got 1.2"),
    ],
)
def test_errors(given_points, message):
    with pytest.raises(InputError, match=message):
        hull_table(given_points)


def test_range_errors():
    table = hull_table({"a": [(0.1, 0.5)]})
    with pytest.raises(InputError, match="low must not exceed high, got 2 and 1"):
        table.between(2, 1)
    with pytest.raises(InputError, match="low must not exceed high, got 0.5 and 0.2; give the smaller prevalence"):
        table.for_prevalences(0.5, 0.2)
    with pytest.raises(InputError, match="low must be a number >= 0, got -1"):
        table.between(-1, 1)
    with pytest.raises(InputError, match="cost_fp must be a finite number above 0, got inf"):
        table.optimal(prevalence=0.5, cost_fp=math.inf)
