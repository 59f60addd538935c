"""Partial areas, break-even and the references of precision-recall curves, by quadrature and counting."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from roclab.areas.precision_recall import average_precision, pr_area_davis_goadrich, pr_area_integral
from roclab.curves.precision_recall import precision_recall_curve
from roclab.curves.roc import curve_from_points, roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError
from tests.strategies import SCORES


def of(pos, neg):
    return precision_recall_curve(roc_curve(Tally.from_samples(np.array(pos, float), np.array(neg, float))))


@given(pos=SCORES, neg=SCORES)
def test_whole_ranges_property_are_the_known_areas(pos, neg):
    curve = of(pos, neg)
    assert curve.area() == pytest.approx(pr_area_integral(curve), abs=1e-12)
    assert curve.area(interpolation="step") == pytest.approx(average_precision(curve), abs=1e-12)
    whole = curve.area(interpolation="davis_goadrich")
    assert whole == pytest.approx(pr_area_davis_goadrich(curve), abs=1e-12)


@given(pos=SCORES, neg=SCORES, ends=st.tuples(st.integers(0, 10), st.integers(0, 10)).filter(lambda e: e[0] < e[1]))
def test_partial_area_definition_by_quadrature(pos, neg, ends):
    curve = of(pos, neg)
    low, high = ends[0] / 10, ends[1] / 10
    edges = np.unique(np.clip([low, high, *curve.recall], low, high))
    slow = sum(
        quad(lambda r: curve.at(r)[0], a + 1e-13, b - 1e-13)[0] for a, b in itertools.pairwise(edges) if b - a > 1e-9
    )
    assert curve.area((low, high)) == pytest.approx(slow, abs=1e-8)
    middle = (low + high) / 2
    assert curve.area((low, middle)) + curve.area((middle, high)) == pytest.approx(curve.area((low, high)), abs=1e-12)


def test_break_even_definition():
    curve = of([5, 4, 2, 1], [3, 3, 0, 0])
    # Four called: 5, 4 and both at 3: two of four are right.
    assert curve.break_even() == 0.5
    tied = of([2, 2, 1], [2, 0, 0])
    at = tied.break_even()
    assert tied.at(at)[0] == pytest.approx(at)
    assert of([2, 2], [1, 1]).break_even() == 1


def brute_break_even(pos, neg):
    """Mean precision of the P highest cases over all orders of those that tie at the last of them; exact."""
    cases = sorted([*((x, 1) for x in pos), *((y, 0) for y in neg)], reverse=True)
    last = cases[len(pos) - 1][0]
    above = [label for score, label in cases if score > last]
    tied = [label for score, label in cases if score == last]
    drawn = list(itertools.combinations(tied, len(pos) - len(above)))
    return Fraction(sum(sum(above) + sum(one) for one in drawn), len(drawn) * len(pos))


FEW = st.lists(st.integers(0, 3), min_size=1, max_size=6)  # at most 12 tied cases, 924 ways to draw 6 of them


@given(pos=FEW, neg=FEW)
def test_break_even_property_equals_all_orders_of_tied_cases(pos, neg):
    assert of(pos, neg).break_even() == pytest.approx(float(brute_break_even(pos, neg)), abs=1e-12)


@pytest.mark.parametrize(
    ("pos", "neg", "even"),
    [
        # Three are to be called: 5, and two of the three at 2, of which one in three is positive.
        ([5, 2, 0], [2, 2, 1], Fraction(5, 9)),
        # Two are to be called, of the four at the top.
        ([3, 3], [3, 3, 1], Fraction(1, 2)),
        ([3, 1], [3, 3, 3, 0], Fraction(1, 4)),
    ],
)
def test_break_even_definition_inside_tied_scores(pos, neg, even):
    assert brute_break_even(pos, neg) == even
    assert of(pos, neg).break_even() == pytest.approx(float(even), abs=1e-12)


def test_references_definition():
    """No score of 3 positives and 5 negatives has less than the smallest area; a reversed one has exactly that."""
    worst = of([1, 1.1, 1.2], [2, 2.1, 2.2, 2.3, 2.4])
    assert worst.smallest() == pytest.approx(1 + 5 / 3 * np.log(5 / 8))  # Boyd et al., equation of the minimum
    assert worst.area() == pytest.approx(worst.smallest())
    assert worst.area((0.2, 0.7)) == pytest.approx(worst.smallest((0.2, 0.7)))
    assert worst.random((0.25, 0.75)) == pytest.approx(3 / 16)
    shown = worst.summary()
    assert shown.values["integral between smallest and 1"] == pytest.approx(0)
    assert "recall from 0 to 1" in str(shown)
    ready = precision_recall_curve(curve_from_points([0.1], [0.5]), skew=10)
    assert "area, davis_goadrich" not in ready.summary().values
    with pytest.raises(InputError, match="recall must be a range, its low end first, got 0.5 to 0.5"):
        worst.area((0.5, 0.5))
    with pytest.raises(InputError, match="counts whole cases"):
        ready.area(interpolation="davis_goadrich")
