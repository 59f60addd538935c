"""Slow twins of the lung CAD's geometry, by definition and without its code: distances, watershed, closing, depth."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import ndimage

import roclab as rl
from roclab.imaging.distances import distance_inside, further_than, nearest_outside
from roclab.imaging.lungs.segment import closed
from roclab.imaging.lungs.watershed import split_at_necks

SPACING = (2.0, 0.8, 0.9)
STEPS = [step for step in product((-1, 0, 1), repeat=3) if any(step)]


def blobs(count, seed, shape=(6, 11, 10)):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield ndimage.gaussian_filter(rng.normal(size=shape), 1.3) > 0.03


def brute_depth(mask, spacing, *, ends_go_on=True):
    """Distance of every voxel from the nearest outside; slices at the ends go on, beyond the sides there is nothing."""
    wide = [3, 1, 1]
    around = np.pad(mask, [(wide[0], wide[0]), (0, 0), (0, 0)], mode="edge" if ends_go_on else "constant")
    around = np.pad(around, [(0, 0), (1, 1), (1, 1)])
    outside = [tuple(one) for one in (np.argwhere(~around) * spacing).tolist()]
    depth = {}
    for at in map(tuple, np.argwhere(mask).tolist()):
        place = [(i + w) * s for i, w, s in zip(at, wide, spacing, strict=True)]
        depth[at] = min(math.dist(place, one) for one in outside)
    return depth


def neighbours(at, inside):
    for step in STEPS:
        other = tuple(i + s for i, s in zip(at, step, strict=True))
        if other in inside:
            yield other


def reached(start, inside):
    """All voxels that hang together with one."""
    found, todo = {start}, [start]
    while todo:
        for other in neighbours(todo.pop(), inside):
            if other not in found:
                found.add(other)
                todo.append(other)
    return found


def test_distances_definition():
    for mask in blobs(6, 1):
        depth = brute_depth(np.pad(mask, 0), SPACING, ends_go_on=False)
        padded = np.pad(mask, 1)
        found = distance_inside(padded, SPACING)[1:-1, 1:-1, 1:-1]
        assert found.dtype == np.float32
        assert (found[~mask] == 0).all()
        for at, far in depth.items():
            assert found[at] == pytest.approx(far, rel=1e-6)
        # a limit no distance hits, because equal distances may differ in the last digit
        deep = further_than(padded, 1.7001, SPACING)[1:-1, 1:-1, 1:-1]
        assert {tuple(at) for at in np.argwhere(deep & mask).tolist()} == {
            at for at, far in depth.items() if far > 1.7001
        }
        nearest = nearest_outside(padded, SPACING)
        assert not padded[tuple(nearest)].any()
    assert np.isinf(distance_inside(np.ones((2, 2, 2), bool), SPACING)).all()
    assert further_than(np.ones((2, 2, 2), bool), 9.0, SPACING).all()


@pytest.mark.parametrize("h", [0.07, 0.61, 1.53])
def test_parts_are_the_hills_that_rise_by_h_definition(h):
    """A hill stays if no way leads from its top to a higher one without falling by h; each part has one such top."""
    hills = 0
    for mask in blobs(8, 2):
        depth = brute_depth(mask, SPACING)
        parts, found = split_at_necks(mask, SPACING, h)
        assert ((parts > 0) == mask).all()
        for at, far in depth.items():
            assert found[at] == pytest.approx(far, rel=1e-6)

        def height(at, depth=depth):  # equal heights count as equal whatever their last digits
            return round(depth[at], 6)

        tops = {}
        for at in depth:
            # the way up: always to the highest neighbour, of equals to the last in order, as rain runs down
            here = at
            while True:
                best = max([here, *neighbours(here, depth)], key=lambda one: (height(one), one))
                if best == here:
                    break
                here = best
            tops.setdefault(here, []).append(at)
        stay = []
        for top in tops:
            high = {at for at in depth if height(at) > height(top) - h}
            others = [one for one in reached(top, high) if one in tops and one != top]
            if not any((height(one), tuple(-i for i in one)) > (height(top), tuple(-i for i in top)) for one in others):
                stay.append(top)
        hills += len(stay)
        assert parts.max() == len(stay)
        assert {int(parts[top]) for top in stay} == set(range(1, len(stay) + 1))
        for top, mine in tops.items():  # what drains to one top is never cut apart
            assert {int(parts[at]) for at in mine} == {int(parts[top])}
        for number in range(1, parts.max() + 1):
            inside = {tuple(at) for at in np.argwhere(parts == number).tolist()}
            assert reached(next(iter(inside)), inside) == inside
    assert hills > 8


def test_closing_is_dilation_and_erosion_by_a_ball_definition():
    radius, spacing = 2.9, (1.5, 1.0, 0.8)
    line = [np.arange(-math.floor(radius / s), math.floor(radius / s) + 1) * s for s in spacing]
    ball = sum(one**2 for one in np.meshgrid(*line, indexing="ij")) <= radius**2
    for mask in blobs(4, 3, (5, 12, 11)):
        wide = 12
        around = np.pad(np.pad(mask, [(wide, wide), (0, 0), (0, 0)], mode="edge"), [(0, 0), (wide, wide), (wide, wide)])
        slow = np.zeros_like(around)
        for at in np.argwhere(around):  # a ball at every voxel
            low = [i - n // 2 for i, n in zip(at, ball.shape, strict=True)]
            if all(a >= 0 and a + n <= m for a, n, m in zip(low, ball.shape, around.shape, strict=True)):
                slow[tuple(slice(a, a + n) for a, n in zip(low, ball.shape, strict=True))] |= ball
        kept = np.zeros_like(mask)
        for at in np.argwhere(np.ones_like(mask)):
            low = [i + wide - n // 2 for i, n in zip(at, ball.shape, strict=True)]
            kept[tuple(at)] = slow[tuple(slice(a, a + n) for a, n in zip(low, ball.shape, strict=True))][ball].all()
        assert (closed(mask, radius, spacing) == kept).all()


def test_thickness_is_the_depth_in_what_is_dense_definition():
    """Of regions in an empty lung: the largest distance of a voxel of the region from the nearest lung."""
    rng = np.random.default_rng(5)
    grey = np.full((9, 26, 26), -850)
    z, y, x = np.mgrid[:9, :26, :26]
    for place, size in (((4, 7, 8), 4.2), ((4, 17, 17), 5.5)):
        far = sum(((a - b) * s) ** 2 for a, b, s in zip((z, y, x), place, SPACING, strict=True))
        grey[far <= size**2] = rng.integers(-100, 100)
    dense = grey > -600
    volume = rl.results.Volume(array=grey, spacing=SPACING)
    found = rl.imaging.nodules(volume, lungs=np.ones(grey.shape), method="threshold", ground_glass=None, rim=0)
    assert len(found.regions) >= 2
    depth = brute_depth(dense, SPACING)
    for one in found.regions:
        mine = [tuple(at) for at in np.argwhere(found.labels.array == one.number).tolist()]
        assert one.features["thickness_mm"] == pytest.approx(max(depth[at] for at in mine), rel=1e-6)
        assert one.features["blob_mm"] == pytest.approx(one.features["roundness"] * one.features["thickness_mm"])


def test_ground_glass_is_found_by_the_second_threshold_only():
    rng = np.random.default_rng(2)
    z, y, x = np.mgrid[:14, :40, :40]
    far = ((z - 7) * 2.0) ** 2 + (y - 20.0) ** 2 + (x - 20.0) ** 2
    vessel = ((z - 7) * 2.0) ** 2 + (y - 6.0) ** 2 <= 4
    grey = np.where(far <= 36, -690.0, -860.0) + rng.normal(size=z.shape) * 15
    grey[vessel] = 30
    volume = rl.results.Volume(array=grey, spacing=(2.0, 1.0, 1.0))
    asked = {"lungs": np.ones(grey.shape), "rim": 0, "method": "threshold"}

    def at_the_patch(found):
        return [one for one in found.regions if math.dist(one.position, (20, 20, 14)) < 3]

    assert at_the_patch(rl.imaging.nodules(volume, ground_glass=None, **asked)) == []
    (patch,) = at_the_patch(rl.imaging.nodules(volume, **asked))
    assert patch.features["mean"] == pytest.approx(-690, abs=15)
    assert patch.features["diameter_mm"] == pytest.approx(12, abs=2.5)
    with pytest.raises(rl.errors.InputError, match="ground_glass must be below the threshold, -600 HU"):
        rl.imaging.nodules(volume, ground_glass=-500, **asked)
