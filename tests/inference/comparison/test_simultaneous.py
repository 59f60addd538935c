"""Several pairs together: limits and p-values from their joint distribution, against tables and other programs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
import scipy.stats

import roclab as rl
from roclab.errors import InputError
from roclab.inference.comparison.simultaneous import JointPairs, pairs_of

RNG = np.random.default_rng(11)
LABEL = np.repeat([1, 0], 60)
SCORES = {
    name: shift * LABEL + RNG.normal(size=120) for name, shift in (("a", 1.6), ("b", 1.0), ("c", 0.6), ("d", 0.5))
}


@pytest.mark.parametrize("k", [3, 4, 6])
def test_uncorrelated_areas_have_tukeys_range(k):
    joint = JointPairs(np.eye(k), list(combinations(range(k), 2)))
    each = joint.level_of_each(0.95)
    deviate = scipy.stats.norm.isf((1 - each) / 2)
    known = scipy.stats.studentized_range.ppf(0.95, k, np.inf) / np.sqrt(2)
    assert deviate == pytest.approx(known, rel=2e-3)
    for at in (1.0, 3.0, 5.0):  # small chances have as many digits
        want = scipy.stats.studentized_range.sf(at * np.sqrt(2), k, np.inf)
        assert joint.error(at) == pytest.approx(want, rel=0.01)


@pytest.mark.parametrize(("others", "printed"), [(2, 2.21), (3, 2.35), (4, 2.44), (9, 2.69)])
def test_one_control_has_dunnetts_table(others, printed):
    """Two-sided 5% points for infinite degrees of freedom, Dunnett 1964, table II."""
    places = pairs_of([str(at) for at in range(others + 1)], "0")
    joint = JointPairs(np.eye(others + 1), places)
    each = joint.level_of_each(0.95)
    assert scipy.stats.norm.isf((1 - each) / 2) == pytest.approx(printed, abs=0.006)


def test_joint_error_definition_is_the_box_of_the_normal_distribution():
    matrix = np.array([[1.0, 0.6, 0.2], [0.6, 2.0, 0.5], [0.2, 0.5, 0.7]])
    joint = JointPairs(matrix, pairs_of(["x", "y", "z"], "z"))
    for at in (0.5, 1.5, 2.5):
        box = scipy.stats.multivariate_normal(cov=joint.correlation)
        inside = box.cdf([at, at], lower_limit=[-at, -at])
        assert joint.error(at) == pytest.approx(1 - inside, rel=0.005)
        assert joint.error(at, two_sided=False) == pytest.approx(1 - box.cdf([at, at]), rel=0.005)


@pytest.mark.parametrize("reference", ["score", "t", "normal"])
def test_limits_and_p_values_agree_and_lie_between_alone_and_bonferroni(reference):
    alone = rl.compare(LABEL, SCORES, adjust="bonferroni", test=reference)
    found = rl.compare(LABEL, SCORES, simultaneous=True, test=reference)
    wide = rl.compare(LABEL, SCORES, level=1 - 0.05 / 6, test=reference)
    for one, single, widest in zip(found.pairs, alone.pairs, wide.pairs, strict=True):
        assert one.p_value == single.p_value
        assert single.p_value <= one.p_adjusted <= single.p_adjusted
        assert widest.interval.low <= one.interval.low <= single.interval.low
        assert single.interval.high <= one.interval.high <= widest.interval.high
        assert (one.p_adjusted < 0.05) == (not one.interval.low <= 0 <= one.interval.high)
    assert "hold for all 6 pairs together (max-t)" in str(found)
    assert "limits are for each pair alone" in str(alone)


DRAWN = {"rng": 1, "resampling": 200}


@pytest.mark.parametrize("asked", [{}, {"variance": "bootstrap", **DRAWN}, {"at_specificity": 0.8, **DRAWN}])
def test_a_control_is_compared_with_every_other_one(asked):
    found = rl.compare(LABEL, SCORES, control="b", simultaneous=True, **asked)
    assert [(one.first, one.second) for one in found.pairs] == [("a", "b"), ("c", "b"), ("d", "b")]
    every = rl.compare(LABEL, SCORES, **asked)
    for one in found.pairs:
        known = every.pair(one.first, one.second)
        assert one.difference == pytest.approx(known.difference)
        assert one.interval.low <= known.interval.low
    claims = rl.compare(LABEL, SCORES, control="b", margin=0.1).claims
    assert [(one.first, one.second) for one in claims] == [("a", "b"), ("c", "b"), ("d", "b")]


def test_published_areas_and_groups_take_both():
    typed = [
        rl.PublishedArea(name=name, area=area, n_pos=50, n_neg=60)
        for name, area in (("x", 0.9), ("y", 0.8), ("z", 0.7))
    ]
    found = rl.compare_published(*typed, correlation=0.4, control="x", simultaneous=True)
    assert [one.second for one in found.pairs] == ["x", "x"]
    assert all(one.p_adjusted > one.p_value for one in found.pairs)
    groups = {name: (LABEL, score) for name, score in SCORES.items()}
    apart = rl.compare_groups(groups, pairing="unpaired", control="a", simultaneous=True)
    assert len(apart.pairs) == 3


def test_what_has_no_joint_distribution_is_refused():
    with pytest.raises(InputError, match="simultaneous limits need the covariance of all areas"):
        rl.compare(LABEL, SCORES, variance="hanley_mcneil", simultaneous=True)
    with pytest.raises(InputError, match="control must be one of a, b, c, d, got 'e'"):
        rl.compare(LABEL, SCORES, control="e")
    with pytest.raises(InputError, match="adjust has no part beside simultaneous"):
        rl.compare(LABEL, SCORES, simultaneous=True, adjust="fdr")
    with pytest.raises(InputError, match="simultaneous is about pairs, got margin"):
        rl.compare(LABEL, SCORES, simultaneous=True, margin=0.1)


def test_many_pairs_are_interpolated():
    many = np.eye(13)
    places = list(combinations(range(13), 2))
    joint = JointPairs(many, places)
    p = np.linspace(1e-5, 0.9, len(places)).tolist()
    fixed = joint.p_values(p)
    known = [scipy.stats.studentized_range.sf(scipy.stats.norm.isf(one / 2) * np.sqrt(2), 13, np.inf) for one in p[:3]]
    assert fixed[:3] == pytest.approx(known, rel=0.05)
    assert fixed == sorted(fixed)
