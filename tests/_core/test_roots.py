"""Roots of falling functions against those that are known."""

from __future__ import annotations

import math

import pytest

from roclab._core.roots import falling_root, smooth_root


def bent(h, roughly=False):
    """Falls through 0 at ln 2, ever more steeply."""
    return 2 - math.exp(h), -math.exp(h)


def kinked(h):
    """Falls three times as steeply beyond 1/4, just before its root at 1/3."""
    return (0.5 - h, -1.0) if h < 0.25 else (1 - 3 * h, -3.0)


@pytest.mark.parametrize("start", [-3.0, 0.6, 0.7, 20.0])
def test_falling_root_definition_from_anywhere(start):
    assert falling_root(bent, start, 0.1, farthest=37) == pytest.approx(math.log(2), rel=1e-12)
    assert falling_root(kinked, start, 0.1, farthest=37) == pytest.approx(1 / 3, rel=1e-12)


def test_falling_root_ends_where_it_may_not_go_on():
    assert falling_root(lambda h: (-50 - h, -1.0), 0.0, 0.1, farthest=37) == -37
    assert falling_root(lambda h: (50 - h, -1.0), 0.0, 0.1, farthest=37) == 37


def test_smooth_root_definition_from_a_tangent():
    known = (0.5, *bent(0.5))
    found = smooth_root(bent, known, 0.5 - known[1] / known[2])
    assert found == pytest.approx(math.log(2), rel=1e-14)


@pytest.mark.parametrize("start", [0.6, 0.69, 0.8])
def test_smooth_root_property_neither_what_is_known_nor_a_first_look_need_be_exact(start):
    """Both are off by 1e-6, as a rough look may be, and the known slope by a hundredth; the root has all its digits."""
    looks = []

    def looked(h, roughly=False):
        value, slope = bent(h)
        looks.append(roughly)
        return (value + 1e-6, slope * (1 + 1e-6)) if roughly else (value, slope)

    value, slope = bent(0.4)
    assert smooth_root(looked, (0.4, value + 1e-6, 1.01 * slope), start) == pytest.approx(math.log(2), rel=1e-14)
    assert looks[0] is True
    assert not any(looks[1:])


def test_smooth_root_looks_twice_where_the_start_is_right_by_chance():
    """What is known may be wrong, and with it a first step of no length."""
    known = (0.6, bent(0.6)[0], -5.0)
    assert smooth_root(bent, known, math.log(2) + 1e-9) == pytest.approx(math.log(2), rel=1e-14)


def test_smooth_root_gives_up_where_slopes_mislead():
    assert smooth_root(lambda h, roughly: (1 - h, 0.0), (0.0, 1.0, -1.0), 0.5) is None
    wave = (0.0, 1.0, -1.0)
    assert smooth_root(lambda h, roughly: (math.cos(9 * h), -9 * abs(math.sin(9 * h))), wave, 1.0) is None
