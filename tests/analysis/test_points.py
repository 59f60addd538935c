"""Ready-made points: curves from tables of rates, who dominates whom, and which points nobody beats."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.analysis.area_table import area_table
from roclab.errors import InputError

RADAR = {  # Slovenian chapter, table 5.2: points of two radar operators
    "who": list("AAAAABBBB"),
    "fpr": [0.20, 0.25, 0.40, 0.70, 0.90, 0.10, 0.20, 0.50, 0.95],
    "tpr": [0.20, 0.30, 0.60, 0.80, 0.85, 0.15, 0.40, 0.80, 0.95],
}
POINTS = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=5)


def curve(points):
    ordered = sorted(points)
    fpr = [f / 6 for f, _ in ordered]
    tpr = np.maximum.accumulate([t / 6 for _, t in ordered]).tolist()
    return list(zip(fpr, tpr, strict=True))


def height(points, fpr):
    """The upper height of a polyline at a rational place, by fractions."""
    vertices = [
        (Fraction(0), Fraction(0)),
        *((Fraction(round(6 * f), 6), Fraction(round(6 * t), 6)) for f, t in points),
    ]
    vertices = [*sorted(vertices), (Fraction(1), Fraction(1))]
    found = [t for f, t in vertices if f == fpr]
    if found:
        return max(found)
    left = max((f, t) for f, t in vertices if f < fpr)
    right = min((f, t) for f, t in vertices if f > fpr)
    return left[1] + (fpr - left[0]) * (right[1] - left[1]) / (right[0] - left[0])


@given(first=POINTS, second=POINTS)
def test_dominance_definition_at_many_places(first, second):
    curves = {"a": curve(first), "b": curve(second)}
    found = rl.classifiers.dominance(curves)
    assert (found.leads[0].low, found.leads[-1].high) == (0.0, 1.0)
    assert all(one.high == after.low for one, after in zip(found.leads, found.leads[1:], strict=False))
    signs = set()
    for at in range(1, 4 * 6 * 7):
        place = Fraction(at, 4 * 6 * 7) + Fraction(1, 10**7)
        gap = height(curves["a"], place) - height(curves["b"], place)
        if gap:
            signs.add(gap > 0)
        lead = next(one for one in found.leads if one.low <= place < one.high)
        if min(abs(float(place) - one.low) for one in found.leads) > 1e-6:
            assert lead.leaders == (("a", "b") if gap == 0 else ("a",) if gap > 0 else ("b",))
    above = found.above["a", "b"]
    if above == "a":
        assert False not in signs
    if above == "b":
        assert True not in signs
    if len(signs) == 2:
        assert above == ""
        assert len(found.crossings["a", "b"]) >= 1


@given(first=POINTS, second=POINTS)
def test_pareto_front_definition(first, second):
    curves = {"a": curve(first), "b": curve(second)}
    every = {
        (name, f, t) for name, points in curves.items() for f, t in points if (f, t) not in ((0.0, 0.0), (1.0, 1.0))
    }
    front = {
        one
        for one in every
        if not any(o[1] <= one[1] and o[2] >= one[2] and (o[1], o[2]) != (one[1], one[2]) for o in every)
    }
    if every:
        found = rl.classifiers.pareto_front(curves)
        assert {(one.classifier, one.fpr, one.tpr) for one in found.points} == front


def test_radar_operators_published():
    """The text says that B's front covers A's; two points of A are undominated, covered only between points of B."""
    curves = rl.read_points(RADAR, fpr="fpr", tpr="tpr", name="who")
    assert rl.classifiers.dominance(curves).above == {("A", "B"): "B"}
    assert [(one.classifier, one.fpr) for one in rl.classifiers.pareto_front(curves).points] == [
        ("B", 0.10), ("B", 0.20), ("A", 0.40), ("B", 0.50), ("A", 0.90), ("B", 0.95),
    ]  # fmt: skip
    areas = area_table(curves)
    assert [one.sample.score for one in areas] == ["A", "B"]
    assert float(areas["A"]) == pytest.approx(curves["A"].area())
    assert round(float(areas["A"]), 4) == 0.5675
    assert "5 ready-made points" in str(areas)
    assert 0.6 < curves["B"].smooth("exponential").area < 0.75
    with pytest.raises(InputError, match="label has no part in areas of curves"):
        area_table(curves, label="y")


def test_points_with_totals_are_cases():
    """Fawcett's twenty cases from the rates of their curve: everything that cases answer comes out the same."""
    y = [1, 1, 0, 1, 1, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 1, 0]
    s = np.arange(20, 0, -1)
    whole = rl.roc(y, s)
    points = rl.Roc.from_points(whole.fpr, whole.tpr, n_pos=10, n_neg=10)
    assert str(points.auc()).splitlines()[0] == str(whole.auc()).splitlines()[0]
    best, same = whole.cutoff("youden").best, points.cutoff("youden").best
    assert (best.matrix.tp, best.matrix.fp) == (same.matrix.tp, same.matrix.fp)
    rounded = rl.Roc.from_points(np.round(whole.fpr, 3), np.round(whole.tpr, 3), n_pos=10, n_neg=10)
    assert rounded.auc().area == whole.auc().area
    with pytest.raises(InputError, match="n_pos must be the number of cases.*got 0.25 of 10, where 2 cases"):
        rl.Roc.from_points([0.1], [0.25], n_pos=10, n_neg=10)
    with pytest.raises(
        InputError, match="tpr must not fall along the curve where cases are counted.*got 0.5 and then 0.4"
    ):
        rl.Roc.from_points([0.2, 0.3], [0.5, 0.4], n_pos=10, n_neg=10)
    with pytest.raises(InputError, match="n_neg must be given beside the other"):
        rl.Roc.from_points([0.1], [0.2], n_pos=10)


def test_read_points_errors(tmp_path):
    with pytest.raises(InputError, match="has no column 'x'"):
        rl.read_points(RADAR, fpr="x", tpr="tpr")
    with pytest.raises(InputError, match="tpr and the columns beside it must be different ones"):
        rl.read_points(RADAR, fpr="tpr", tpr="tpr")
    with pytest.raises(InputError, match="fpr or specificity must be given, one of them, got neither"):
        rl.read_points(RADAR, tpr="tpr")
    with pytest.raises(InputError, match="tpr must lie between 0 and 1, got 98; write in_percent=True where 98 means"):
        rl.read_points({"fpr": [0.1], "tpr": [98]}, fpr="fpr", tpr="tpr")
    with pytest.raises(InputError, match="tpr must lie between 0 and 100, got 980"):
        rl.read_points({"fpr": [1], "tpr": [980]}, fpr="fpr", tpr="tpr", in_percent=True)
    with pytest.raises(InputError, match="fpr must hold rates, got 'x%'"):
        rl.read_points({"fpr": ["x%"], "tpr": ["1%"]}, fpr="fpr", tpr="tpr")
    assert list(rl.read_points(RADAR, fpr="fpr", tpr="tpr")) == ["points"]


@given(
    sizes=st.tuples(st.integers(2, 400), st.integers(2, 400)),
    cuts=st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=5),
    digits=st.integers(2, 5),
)
def test_counts_behind_printed_rates_property_round_to_them(sizes, cuts, digits):
    """Counts are printed as rates of some digits; those that come back print the same, whatever was rounded."""
    pos, neg = (sorted(round(cut[side] * size) for cut in cuts) for side, size in enumerate(sizes))
    complements = [100 - float(f"{100 * count / sizes[1]:.{digits - 2}f}") for count in neg]
    printed = {
        "sens": [f"{100 * count / sizes[0]:.{digits - 2}f}%" for count in pos],
        "spec": [f"{one:.{digits - 2}f}%" for one in complements],
    }
    curve = rl.read_points(printed, sensitivity="sens", specificity="spec", n_pos=sizes[0], n_neg=sizes[1])["points"]
    assert (curve.tally.n_pos, curve.tally.n_neg) == sizes
    back = {f"{100 * rate:.{digits - 2}f}%" for rate in curve.tpr}
    near = {f"{100 * rate + sign * 1e-7:.{digits - 2}f}%" for rate in curve.tpr for sign in (-1, 1)}
    assert set(printed["sens"]) <= back | near  # a count half way between two printed rates may be printed either way


def test_published_sensitivities_are_counted():
    table = {"sens": [98, 71], "spec": [43, 90]}
    found = rl.read_points(table, sensitivity="sens", specificity="spec", n_pos=120, n_neg=300, in_percent=True)
    tally = found["points"].tally
    assert np.cumsum(tally.pos).tolist() == [85, 118, 120]
    assert np.cumsum(tally.neg).tolist() == [30, 171, 300]
    assert "0.71 of 120 is taken for 85 cases, and 1 other rate likewise" in str(found["points"].auc())
    exact = rl.read_points({"f": [0.1], "t": [0.5]}, fpr="f", tpr="t", n_pos=20, n_neg=40)["points"]
    assert exact.auc().sample.outcome == ""


def test_dominance_of_scores_and_groups():
    rng = np.random.default_rng(2)
    y = rng.random(200) < 0.5
    data = {"y": y.astype(int), "a": rng.normal(size=200) + y, "b": rng.normal(size=200), "g": np.arange(200) % 2}
    assert set(rl.classifiers.dominance(data, label="y", score=["a", "b"]).crossings) == {("a", "b")}
    assert set(rl.classifiers.dominance(data, label="y", score="a", by="g").crossings) == {("0", "1")}
    same = rl.classifiers.dominance({"a": rl.roc(y, data["a"]), "c": rl.roc(y, data["a"])})
    assert same.above == {("a", "c"): "same"}
    assert "a and c are the same curve" in str(same)


@pytest.mark.parametrize(
    ("estimator", "weight"),
    [
        ("tauc", lambda f: 1 - f),
        ("tauc2", lambda f: (1 - f) ** 2),
        ("t2auc", lambda f: np.sqrt(1 - f)),
        ("t2auc_as_published", np.sqrt),
    ],
)
def test_weighted_areas_of_points_definition(estimator, weight):
    """The integral of TPR times its weight over the broken line, by a fine sum."""
    curve = rl.Roc.from_points([0.1, 0.4, 0.7], [0.5, 0.8, 0.8])
    f = (np.arange(400000) + 0.5) / 400000
    height = np.interp(f, [0, 0.1, 0.4, 0.7, 1], [0, 0.5, 0.8, 0.8, 1])
    found = curve.auc(estimator)
    assert found.area == pytest.approx(float(np.mean(height * weight(f))), abs=1e-6)
    assert "ready-made points" in found.method


def test_hull_area_of_points_and_what_needs_cases():
    curve = rl.Roc.from_points([0.2, 0.25, 0.4, 0.7, 0.9], [0.2, 0.3, 0.6, 0.8, 0.85])
    assert curve.auc("hull").area == pytest.approx(0.60)  # the radar operator of a textbook
    with pytest.raises(InputError, match="needs the cases, and ready-made points have none"):
        curve.auc("tauc_unbiased")
