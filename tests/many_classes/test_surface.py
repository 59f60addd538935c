"""The volume under the ROC surface of three ordered classes."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import norm

import roclab as rl
from roclab.many_classes.surface import surface_of, volume_of_surface
from roclab.results import Undefined

SCORES = st.lists(st.integers(0, 4), min_size=1, max_size=6)  # small integers on purpose: ties are the hard case


def worth(x, y, z):
    """Share of the ways to break ties that put x before y before z: the definition, by writing out all orders."""
    orders = [order for order in itertools.permutations([(x, 0), (y, 1), (z, 2)])
              if [one[0] for one in order] == sorted([x, y, z])]  # fmt: skip
    return sum([one[1] for one in order] == [0, 1, 2] for order in orders) / len(orders)


def brute(first, second, third):
    """The volume and all placements by looking at every triple, O(n³)."""
    table = np.array([[[worth(x, y, z) for z in third] for y in second] for x in first])
    return table.mean(), [table.mean(axis=axes) for axes in ((1, 2), (0, 2), (0, 1))]


@given(SCORES, SCORES, SCORES)
def test_volume_and_placements_definition(first, second, third):
    found = surface_of(*(np.array(one) for one in (first, second, third)))
    volume, placements = brute(first, second, third)
    assert found.volume == pytest.approx(volume, abs=1e-12)
    for got, expected in zip(found.placements, placements, strict=True):
        assert got == pytest.approx(expected, abs=1e-12)
        assert got.mean() == pytest.approx(volume, abs=1e-12)


@given(SCORES, SCORES, SCORES)
def test_volume_property_monotone_reversal_and_all_orders(first, second, third):
    samples = [np.array(one, dtype=float) for one in (first, second, third)]
    volume = surface_of(*samples).volume
    assert surface_of(*(np.exp(one) for one in samples)).volume == pytest.approx(volume)
    assert surface_of(*(-one for one in reversed(samples))).volume == pytest.approx(volume)
    # One of the six orders comes true, so that their volumes add up to one, and those of equal samples are 1/6 each.
    assert sum(surface_of(*some).volume for some in itertools.permutations(samples)) == pytest.approx(1)
    assert surface_of(samples[0][:1], samples[0][:1], samples[0][:1]).volume == pytest.approx(1 / 6)


def test_standard_error_definition_by_the_jackknife():
    """Without ties and with equal sizes the variance of placements is close to the jackknife over single cases."""
    rng = np.random.default_rng(5)
    samples = [rng.normal(at, 1, 40) for at in range(3)]
    found = volume_of_surface(*samples, name="v", level=0.95)
    total = 0.0
    for at, one in enumerate(samples):
        left = [surface_of(*samples[:at], np.delete(one, row), *samples[at + 1 :]).volume for row in range(one.size)]
        total += (one.size - 1) / one.size * np.sum((left - np.mean(left)) ** 2)
    assert found.standard_error == pytest.approx(math.sqrt(total), rel=1e-9)


def test_volume_oracle_of_three_normals():
    """V = ∫ F₁(y) (1 - F₃(y)) f₂(y) dy, by quadrature, is what large samples have."""
    laws = [norm(0, 1), norm(1, 1.3), norm(2.5, 0.8)]
    truth = quad(lambda y: laws[0].cdf(y) * laws[2].sf(y) * laws[1].pdf(y), -12, 14, epsabs=1e-12)[0]
    quantiles = (np.arange(20000) + 0.5) / 20000  # samples that are their distributions as nearly as can be
    assert surface_of(*(law.ppf(quantiles) for law in laws)).volume == pytest.approx(truth, abs=1e-4)
    rng = np.random.default_rng(3)
    found = volume_of_surface(*(law.rvs(4000, random_state=rng) for law in laws), name="v", level=0.95)
    assert abs(found.area - truth) < 4 * found.standard_error


@pytest.mark.slow
def test_intervals_hold_their_level():
    """Share of 95% intervals that hold the true volume, 600 samples: an error of .009."""
    laws = [norm(0, 1), norm(1, 1), norm(2, 1)]
    truth = quad(lambda y: laws[0].cdf(y) * laws[2].sf(y) * laws[1].pdf(y), -12, 14)[0]
    rng = np.random.default_rng(11)
    held = 0
    for _ in range(600):
        samples = [law.rvs(size, random_state=rng) for law, size in zip(laws, (20, 30, 25), strict=True)]
        interval = volume_of_surface(*samples, name="v", level=0.95).interval
        held += interval.low <= truth <= interval.high
    assert 0.92 <= held / 600 <= 0.98


def test_bounds_and_single_cases():
    perfect = volume_of_surface(np.arange(4), np.arange(4, 9), np.arange(9, 12), name="v", level=0.95)
    assert (perfect.area, perfect.interval.high) == (1, 1)
    assert perfect.interval.low == pytest.approx(0.025 ** (1 / 3))  # Clopper and Pearson's of 3 out of 3
    assert perfect.interval.method == "exact binomial bound on 3 triples, because the volume is 1"
    alone = volume_of_surface(np.array([1]), np.array([2, 3]), np.array([4, 5]), name="v", level=0.95)
    assert isinstance(alone.standard_error, Undefined)


GRADE = ["none", "none", "mild", "mild", "mild", "severe", "severe", "severe"]
MARKER = [1, 3, 2, 4, 6, 5, 7, 8]


def test_the_order_is_said_and_never_guessed():
    said = rl.multiclass(GRADE, MARKER, labels=["none", "mild", "severe"])
    assert said.volume.area == pytest.approx(13 / 18)
    assert said.rows()[-1]["name"] == "none < mild < severe"
    other = rl.multiclass(GRADE, MARKER, labels=["severe", "mild", "none"])
    assert other.volume.area == 0
    sorted_order = rl.multiclass(GRADE, MARKER)
    assert sorted_order.volume is None
    assert "needs the order of the classes: give labels" in str(sorted_order)
    two = rl.multiclass(["a", "b", "a", "b"], [1, 2, 3, 4], labels=["a", "b"])
    assert two.volume is None
    assert "volume" not in str(two)
