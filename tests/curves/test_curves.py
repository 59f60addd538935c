"""Curves against their definitions: vertices, interpolation, walks, hull, thinning."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.curves.hull import hull_of_curve, hull_of_tally
from roclab.curves.roc import curve_from_points, roc_curve
from roclab.data.tally import Tally
from roclab.errors import InputError
from tests import twins
from tests.strategies import RATES, SCORES, labelled


def of(pos, neg):
    return Tally.from_samples(np.array(pos, float), np.array(neg, float))


@given(pos=SCORES, neg=SCORES)
def test_vertices_property_equal_their_definition(pos, neg):
    curve = roc_curve(of(pos, neg))
    want = twins.brute_vertices(pos, neg)
    assert curve.fpr.tolist() == [float(f) for f, _ in want]
    assert curve.tpr.tolist() == [float(t) for _, t in want]
    assert curve.thresholds.tolist() == [np.inf, *sorted({*pos, *neg}, reverse=True)]


@given(data=labelled(scores=st.integers(0, 3), max_size=40))
def test_dropping_collinear_property_keeps_the_curve(data):
    tally = Tally.from_labels(*data)
    whole, sparse = roc_curve(tally), roc_curve(tally, drop_collinear=True)
    grid = np.linspace(0, 1, 97)
    np.testing.assert_allclose(sparse.at(grid), whole.at(grid), atol=1e-12)
    assert len(sparse) <= len(whole)
    run, rise = np.diff(sparse.fpr), np.diff(sparse.tpr)
    assert np.all(np.abs(run[1:] * rise[:-1] - run[:-1] * rise[1:]) > 1e-12), "no vertex is left on a straight line"
    assert set(sparse.thresholds) <= set(whole.thresholds)


@given(pos=SCORES, neg=SCORES, at=RATES)
def test_value_at_property_is_the_upper_value_of_the_broken_line(pos, neg, at):
    from fractions import Fraction

    f = Fraction(at).limit_denominator(1000)
    points = twins.brute_vertices(pos, neg)
    best = max((t for x, t in points if x == f), default=None)
    if best is None:
        (x0, t0), (x1, t1) = max(p for p in points if p[0] < f), min(p for p in points if p[0] > f)
        best = t0 + (t1 - t0) * (f - x0) / (x1 - x0)
    assert roc_curve(of(pos, neg)).at(at)[0] == pytest.approx(float(best), abs=1e-12)


@given(pos=SCORES, neg=SCORES, level=RATES)
def test_fpr_at_property_is_the_first_reach(pos, neg, level):
    curve = roc_curve(of(pos, neg))
    f = float(curve.fpr_at(level)[0])
    assert curve.at(f)[0] >= level - 1e-12
    if f > 1e-9:
        assert curve.at(f - 1e-9)[0] < level + 1e-12


@given(pos=SCORES, neg=SCORES)
def test_hull_property_equals_its_definition(pos, neg):
    tally = of(pos, neg)
    want = twins.brute_hull(twins.brute_vertices(pos, neg))
    for hull in (hull_of_tally(tally, roc_curve(tally)), hull_of_curve(roc_curve(tally))):
        assert hull.fpr.tolist() == [float(f) for f, _ in want]
        assert hull.tpr.tolist() == [float(t) for _, t in want]
        assert np.all(np.diff(hull.slopes) < 0)


@given(points=st.lists(st.tuples(RATES, RATES), min_size=1, max_size=12))
def test_hull_of_points_property_lies_above_all_of_them(points):
    fpr, tpr = zip(*points, strict=True)
    hull = rl.Roc.from_points(fpr, tpr).hull()
    assert np.all(hull.at(fpr) >= np.array(tpr) - 1e-12)
    assert set(zip(hull.fpr, hull.tpr, strict=True)) <= {*points, (0.0, 0.0), (1.0, 1.0)}


def test_hull_of_many_points_definition_on_whole_counts():
    rng = np.random.default_rng(1)
    label = rng.random(200_000) < 0.4
    tally = Tally.from_labels(label, rng.normal(size=label.size) + label)
    hull = hull_of_tally(tally, roc_curve(tally))
    fp = np.concatenate([[0], np.cumsum(tally.neg)])[hull.positions]
    tp = np.concatenate([[0], np.cumsum(tally.pos)])[hull.positions]
    turns = np.diff(fp)[:-1] * np.diff(tp)[1:] - np.diff(fp)[1:] * np.diff(tp)[:-1]
    assert np.all(turns < 0), "strictly concave on whole counts"
    assert np.all(hull.at(roc_curve(tally).fpr) >= roc_curve(tally).tpr - 1e-12)


@given(data=labelled(max_size=60), x=st.floats(0, 1))
def test_cost_envelope_property_is_the_lowest_line(data, x):
    cost = rl.Roc(tally=Tally.from_labels(*data)).cost()
    lines = cost.at_zero * (1 - x) + cost.at_one * x
    assert cost.at(x)[0] == pytest.approx(lines.min(), abs=1e-12)


@given(data=labelled(), x=st.floats(0, 1))
def test_troc_property_is_tpr_times_specificity(data, x):
    curve = roc_curve(Tally.from_labels(*data))
    troc = rl.Roc(tally=None, ready_made=curve).troc()
    assert troc.at(x)[0] == pytest.approx(curve.at(x)[0] * (1 - x), abs=1e-12)


@given(data=labelled())
def test_gain_property_counts_the_positives_found(data):
    label, score = data
    gain = rl.roc(label, score).gain()
    for threshold in np.unique(score):
        called = score >= threshold
        depth, found = called.mean(), (called & label).sum() / label.sum()
        assert gain.at(depth)[0] >= found - 1e-12
        assert gain.lift_at(depth)[0] >= found / depth - 1e-9


def test_lift_definition_at_a_vertex():
    gain = rl.roc([1, 0, 1, 0], [4, 3, 2, 1]).gain()
    assert gain.depth.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert gain.lift.tolist() == [2, 2, 1, pytest.approx(4 / 3), 1]


@given(data=labelled(max_size=60), x=st.floats(0.01, 1))
def test_precision_property_interpolations_agree_at_vertices_and_bound_each_other(data, x):
    curve = rl.roc(*data).precision_recall()
    recalls, first = np.unique(curve.recall, return_index=True)
    seen = recalls > 0
    for rule in ("step", "davis_goadrich", "integral"):
        np.testing.assert_allclose(curve.at(recalls[seen], rule), curve.precision[first[seen]], atol=1e-12)
    # Between vertices the hyperbola stays between the precisions of its ends or falls below both; Davis and
    # Goadrich's chords stay within it.
    assert 0 <= curve.at(x, "davis_goadrich")[0] <= 1


def test_precision_recall_definition_on_one_segment():
    """From (5 true, 5 false) to (10 true, 30 false) of 20: 5 false per true positive (Davis & Goadrich, fig. 6)."""
    label = np.repeat([1, 0], [20, 2000])
    score = np.concatenate(
        [np.full(5, 9), np.full(5, 8), np.full(10, 1), np.full(5, 9), np.full(25, 8), np.full(1970, 1)]
    )
    curve = rl.roc(label, score).precision_recall()
    got = curve.at(np.array([5, 6, 7, 8, 9, 10]) / 20, "davis_goadrich")
    np.testing.assert_allclose(got, [0.5, 0.375, 0.31818, 0.28571, 0.26471, 0.25], atol=5e-6)


@pytest.mark.parametrize("count", [2, 3, 10, 50])
def test_thinning_property_states_its_error(count):
    rng = np.random.default_rng(3)
    label = rng.random(3000) < 0.3
    curve = rl.roc(label, rng.normal(size=3000) + label).curve
    thin = curve.simplified(count)
    assert len(thin) <= count
    assert (thin.x[0], thin.y[0], thin.x[-1], thin.y[-1]) == (0, 0, 1, 1)
    assert thin.max_error <= 2 / (count - 1)
    # The stated error, measured another way: distance of every vertex to the nearest chord.
    a = np.column_stack([thin.x[:-1], thin.y[:-1]])
    d = np.diff(np.column_stack([thin.x, thin.y]), axis=0)
    p = np.column_stack([curve.fpr, curve.tpr])[:, None, :]
    share = np.clip(((p - a) * d).sum(-1) / (d * d).sum(-1), 0, 1)
    nearest = np.linalg.norm(p - a - share[..., None] * d, axis=-1).min(axis=1)
    assert nearest.max() <= thin.max_error + 1e-12


def test_every_curve_answers_the_same_three_questions():
    r = rl.roc([1, 1, 0, 1, 0, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.4, 0.2, 0.2, 0.1])
    for curve in (r.curve, r.troc(), r.precision_recall(), r.det(), r.cost(), r.gain(), r.hull()):
        assert curve.at(0.5).shape == (1,)
        assert len(curve.simplified(3)) <= 3
        points = curve.points()
        assert len(points.rows()) == len(points)
        assert points.thresholds.size == points.x.size


def test_det_ends_can_be_clipped():
    perfect = rl.roc([1, 1, 0, 0], [4, 3, 2, 1])
    assert len(perfect.det().points()) == 0
    clipped = perfect.det(ends="clip")
    assert clipped.fpr.min() == 0.25
    assert np.isfinite(clipped.x).all()
    assert np.isfinite(clipped.y).all()


def test_staircase_of_points_has_only_level_and_upright_strokes():
    steps = curve_from_points([0.2, 0.5], [0.4, 0.9]).staircase()
    assert np.all((np.diff(steps.x) == 0) | (np.diff(steps.y) == 0))
    tied = rl.roc([1, 0, 1, 0], [2, 2, 3, 1]).curve
    assert tied.staircase().x.tolist() == tied.fpr.tolist(), "a tie that mixes classes stays a diagonal"


@pytest.mark.parametrize(
    ("fpr", "tpr", "message"),
    [
        ([1.2], [0.5], "fpr must lie between 0 and 1, got 1.2"),
        ([0.2, 0.3], [0.5], "fpr and tpr must have the same length, got 2 and 1"),
        ([], [], "fpr must hold at least one operating point"),
        ([np.nan], [0.5], "fpr must not be missing"),
    ],
)
def test_points_error_messages(fpr, tpr, message):
    with pytest.raises(InputError, match=message):
        rl.Roc.from_points(fpr, tpr)


def test_points_have_no_uncertainty_error():
    r = rl.Roc.from_points([0.2], [0.7])
    assert "ready-made points have no cases" in r.auc().standard_error.reason
    assert (r.auc().area, r.tauc().area) == (pytest.approx(0.75), pytest.approx(r.area(weight="tauc")))
    assert r.partial_auc(fpr=(0, 0.2)).area == pytest.approx(0.07)
    with pytest.raises(InputError, match="needs the cases, and ready-made points have none"):
        r.auc("binormal")
    with pytest.raises(InputError, match="a band needs the cases, and ready-made points have none"):
        r.band()
    with pytest.raises(InputError, match="skew must be given for ready-made points"):
        r.precision_recall()
    assert r.area() == pytest.approx(0.75)
    assert r.at(fpr=0.1).tpr == pytest.approx(0.35)


def test_one_operating_point_given_as_numbers():
    assert rl.Roc.from_points(0.2, 0.7).fpr.tolist() == [0, 0.2, 1]
