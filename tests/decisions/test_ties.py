"""Performance ties: equal AUC, mirrored curves, and how tAUC resolves them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given

import roclab as rl
from roclab.curves.roc import curve_from_points, roc_curve
from roclab.data.tally import Tally
from roclab.decisions.ties import are_mirrored, performance_ties, same_curve
from roclab.errors import InputError
from tests.strategies import SCORES
from tests.twins import brute_auc, brute_partial, brute_tauc, brute_vertices


def of(pos, neg):
    return Tally.from_samples(np.array(pos, float), np.array(neg, float))


def without_collinear(points):
    """Turning points of a broken line, exactly."""
    out = points[:1]
    for at in range(1, len(points) - 1):
        (x0, y0), (x1, y1), (x2, y2) = out[-1], points[at], points[at + 1]
        if (x1 - x0) * (y2 - y1) != (y1 - y0) * (x2 - x1):
            out.append(points[at])
    return [*out, points[-1]]


@given(pos=SCORES, neg=SCORES)
def test_mirror_property(pos, neg):
    tally = of(pos, neg)
    curve, mirror = roc_curve(tally), roc_curve(tally.mirrored())
    assert are_mirrored(curve, mirror)
    assert are_mirrored(mirror, curve)
    points = without_collinear(brute_vertices(pos, neg))
    own_mirror = without_collinear(sorted((1 - t, 1 - f) for f, t in points))
    assert same_curve(curve, mirror) == (points == own_mirror)
    found = performance_ties({"it": tally, "mirror": tally.mirrored()})
    assert len(found.ties) == 1
    assert found.ties[0].kind == ("identical curves" if points == own_mirror else "mirrored curves")


@given(one=SCORES, two=SCORES, three=SCORES, four=SCORES)
def test_ranking_definition(one, two, three, four):
    samples = {"a": (one, two), "b": (three, four)}
    found = performance_ties({name: of(*sample) for name, sample in samples.items()}, fpr=(0, 0.25))
    by_name = {row.score: row for row in found.ranking}
    areas = {name: brute_auc(*sample) for name, sample in samples.items()}
    early = {name: brute_tauc(*sample) for name, sample in samples.items()}
    for name, sample in samples.items():
        assert by_name[name].auc == pytest.approx(float(areas[name]))
        assert by_name[name].tauc == pytest.approx(float(early[name]))
        assert by_name[name].partial == pytest.approx(float(brute_partial(*sample, 0, 0.25)))
        assert by_name[name].auc_rank == 1 + sum(float(other) > float(areas[name]) + 1e-9 for other in areas.values())
        assert by_name[name].tauc_rank == 1 + sum(float(other) > float(early[name]) + 1e-9 for other in early.values())
    if areas["a"] == areas["b"]:
        tie = found.ties[0]
        assert tie.kind in ("identical curves", "mirrored curves", "equal AUC")
        curves = [without_collinear(brute_vertices(*sample)) for sample in samples.values()]
        assert (tie.kind == "identical curves") == (curves[0] == curves[1])
        winner = None if early["a"] == early["b"] else max(early, key=lambda name: early[name])
        assert tie.by_tauc == winner


def test_same_curve_ignores_extra_vertices():
    assert same_curve(curve_from_points([0.25, 0.5], [0.5, 1.0]), curve_from_points([0.5], [1.0]))
    assert not same_curve(curve_from_points([0.5], [0.9]), curve_from_points([0.5], [1.0]))
    # A vertex half way up an upright step lies on the curve.
    assert same_curve(curve_from_points([0, 0], [0.2, 0.4]), curve_from_points([0], [0.4]))
    assert not same_curve(curve_from_points([0], [0.2]), curve_from_points([0], [0.4]))


def test_ties_within_the_interval_use_the_pairing():
    """The paired interval of the difference is that of compare(); unpaired samples get a wider or narrower one."""
    rng = np.random.default_rng(1)
    label = rng.integers(0, 2, 80) == 1
    base = rng.normal(size=80) + label
    cases = rl.read_cases(label, {"a": base, "b": base + 0.3 * rng.normal(size=80), "c": rng.normal(size=80)})
    found = performance_ties(cases)
    assert found.paired
    tie = next(one for one in found.ties if {one.first, one.second} == {"a", "b"})
    pair = rl.compare(cases).pair("a", "b")
    assert tie.kind == "AUC within its interval"
    assert tie.difference == pytest.approx(pair.difference, abs=1e-12)
    assert (tie.interval.low, tie.interval.high) == pytest.approx((pair.interval.low, pair.interval.high), abs=1e-9)
    apart = performance_ties({name: cases.tally(name) for name in cases.names})
    wide = next(one for one in apart.ties if {one.first, one.second} == {"a", "b"})
    assert wide.interval.high - wide.interval.low > tie.interval.high - tie.interval.low
    assert not any({one.first, one.second} == {"a", "c"} for one in found.ties)
    assert "by tAUC" in str(found)
    assert found.rows()[0]["rank"] == 1
    assert set(found.changed) <= set(cases.names)


def test_no_ties_and_single_cases():
    good, bad = of(range(50, 90), range(40)), of(range(40), range(20, 60))
    text = str(performance_ties({"good": good, "bad": bad}))
    assert "no two scores are tied by the AUC" in text
    single = performance_ties({"x": of([2], [1, 3]), "y": of([2], [1, 3])})
    assert single.ties[0].kind == "identical curves"
    assert math.isnan(single.ties[0].interval.low)
    assert single.ties[0].by_tauc is None
    assert "still tied" in str(single)


def test_errors():
    with pytest.raises(InputError, match="ties need at least two scores, got 1"):
        performance_ties({"a": of([1], [0])})
    with pytest.raises(InputError, match="tolerance must lie between 0 and 1, got -1"):
        performance_ties({"a": of([1], [0]), "b": of([1], [0])}, tolerance=-1)
    with pytest.raises(InputError, match="fpr must satisfy 0 <= low < high <= 1"):
        performance_ties({"a": of([1], [0]), "b": of([1], [0])}, fpr=(0.5, 0.1))
