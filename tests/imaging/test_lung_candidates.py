"""Regions of interest and their features: by definition, on digital balls, on phantoms, and what cannot be asked."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import ndimage

import roclab as rl
from roclab.errors import InputError, MissingValuesError
from roclab.imaging.lungs.candidates import find_candidates
from roclab.imaging.lungs.features import FEATURES, features_of, inverse_elongation, sphericity
from roclab.imaging.lungs.watershed import cut_tails, split_at_necks
from roclab.imaging.phantoms.chest import make_chest
from roclab.imaging.volumes import Volume

SPACING = (2.0, 0.8, 0.8)


@pytest.fixture(scope="module")
def chest():
    return make_chest(size=(32, 144, 144), spacing=(2.5, 1.6, 1.6), rng=7)


def digital_ball(diameter, spacing=(1.0, 1.0, 1.0), *, on_a_voxel=False):
    """In a box that fits it, where even diameters have their centre on a corner of voxels, or on the middle of one."""
    many = [math.ceil(diameter / step) for step in spacing]
    many = [n // 2 * 2 + 1 if on_a_voxel else n for n in many]
    lines = [(np.arange(n) - (n - 1) / 2) * step for n, step in zip(many, spacing, strict=True)]
    z, y, x = np.meshgrid(*lines, indexing="ij")
    return z**2 + y**2 + x**2 <= (diameter / 2) ** 2


# -- slow twins ------------------------------------------------------------------------------------


def slow_sphericity(region, spacing):
    places = [tuple(i * s for i, s in zip(at, spacing, strict=True)) for at in np.argwhere(region).tolist()]
    centre = [sum(one[axis] for one in places) / len(places) for axis in range(3)]
    radius = (3 * len(places) * spacing[0] * spacing[1] * spacing[2] / (4 * math.pi)) ** (1 / 3)
    return sum(math.dist(one, centre) <= radius for one in places) / len(places)


def slow_erosions(plane):
    """Erosions by the cross, pixel by pixel, until nothing is left."""
    marked, steps = {tuple(at) for at in np.argwhere(plane).tolist()}, 0
    while marked:
        marked = {(y, x) for y, x in marked if {(y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)} <= marked}
        steps += 1
    return steps


def slow_watershed(mask, spacing, h):
    """Flooding from the top, voxel by voxel, merging basins whose lower peak is within h of the pass."""
    depth = split_at_necks(mask, spacing, h)[1]  # scipy's distance transform
    basin, peak = {}, {}

    def find(one):
        while basin[one] != one:
            one = basin[one]
        return one

    flat = sorted(map(tuple, np.argwhere(mask).tolist()), key=lambda at: (-depth[at], tuple(-i for i in at)))
    joined = {}
    steps = [s for s in np.ndindex(3, 3, 3) if s != (1, 1, 1)]
    for at in flat:
        near = {find(joined[n]) for s in steps if (n := tuple(a + b - 1 for a, b in zip(at, s, strict=True))) in joined}
        if not near:
            basin[at], peak[at] = at, depth[at]
            joined[at] = at
            continue
        best = max(near, key=lambda one: peak[one])
        joined[at] = best
        for one in near - {best}:
            if peak[one] - depth[at] < h:
                basin[one] = best
    return len({find(one) for one in joined.values()})


def regions(count, seed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield ndimage.binary_opening(ndimage.gaussian_filter(rng.normal(size=(7, 14, 13)), 1.5) > 0.02) | (
            rng.uniform(size=(7, 14, 13)) < 0.01
        )


def test_features_definition():
    rng = np.random.default_rng(3)
    for region in regions(12, 1):
        grey = rng.integers(-900, 100, size=region.shape)
        around = ~region & (rng.uniform(size=region.shape) < 0.5)
        found = features_of(region, grey, around, SPACING, 1.0)
        assert tuple(found) == FEATURES[:-1]  # the depth below the surface needs the lung
        many, voxel = int(region.sum()), math.prod(SPACING)
        assert found["sphericity"] == pytest.approx(slow_sphericity(region, SPACING))
        values = grey[region].tolist()
        mean = sum(values) / many
        assert found["mean"] == pytest.approx(mean)
        assert found["sd"] == pytest.approx(math.sqrt(sum((v - mean) ** 2 for v in values) / many))
        deepest = max(slow_erosions(one) for one in region)
        assert found["inverse_elongation"] == pytest.approx(8 * deepest**2 / many)
        assert found["inverse_elongation_cubic"] == pytest.approx(8 * (deepest * 0.8) ** 3 / (many * voxel))
        assert found["diameter_mm"] == pytest.approx((6 * many * voxel / math.pi) ** (1 / 3))
        # the covariance of boxes: of corners drawn inside every voxel
        fine = np.stack(np.meshgrid(*[np.linspace(-0.5, 0.5, 12)[:-1] + 1 / 22] * 3), axis=-1).reshape(-1, 3)
        inside = np.argwhere(region)[:, None, :] + fine[None]
        long = np.sort(np.linalg.eigvalsh(np.cov((inside.reshape(-1, 3) * SPACING).T)))
        assert found["roundness"] == pytest.approx(math.sqrt(long[0] / long[2]), rel=0.01)
        assert found["flatness"] == pytest.approx(math.sqrt(long[1] / long[2]), rel=0.01)
        assert found["blob_mm"] == pytest.approx(found["roundness"] * 1.0)
        near = [
            grey[tuple(at)] for at in np.argwhere(around)
            if np.sqrt((((np.argwhere(region) - at) * SPACING) ** 2).sum(axis=1)).min() <= 3
        ]  # fmt: skip
        assert found["contrast"] == pytest.approx(mean - np.mean(near))
        assert found["margin"] == pytest.approx(np.std(near))


@pytest.mark.parametrize("diameter", range(3, 21))
def test_digital_balls_are_round(diameter):
    assert 0.9 <= sphericity(digital_ball(diameter), (1.0, 1.0, 1.0)) <= 1.0
    if diameter != 4:  # on a voxel the six tips of this one, at 2 mm, lie just outside r = 1.99 mm: 27/33
        assert 0.9 <= sphericity(digital_ball(diameter, on_a_voxel=True), (1.0, 1.0, 1.0)) <= 1.0
    if diameter >= 6:
        thick = (2.0, 0.7, 0.7)
        assert 0.85 <= sphericity(digital_ball(diameter, thick), thick) <= 1.0


def test_the_printed_inverse_elongation_shrinks_with_size_and_the_cubic_does_not():
    printed = [inverse_elongation(digital_ball(d, on_a_voxel=True), (1.0, 1.0, 1.0)) for d in (3, 20)]
    assert printed == pytest.approx([1.68, 0.23], abs=0.01)
    cubic = [inverse_elongation(digital_ball(d, on_a_voxel=True), (1.0, 1.0, 1.0), power=3) for d in (3, 20)]
    assert all(1.9 < one < 5.4 for one in cubic)
    half = inverse_elongation(digital_ball(20, on_a_voxel=True), (0.5, 0.5, 0.5), power=3)
    assert half == pytest.approx(cubic[1])  # the same shape in finer voxels


def test_a_region_of_one_slice_has_every_feature():
    one = np.zeros((1, 5, 5), dtype=bool)
    one[0, 1:4, 1:4] = True
    found = features_of(one, np.zeros(one.shape), ~one, SPACING, 0.8)
    assert all(math.isfinite(value) for value in found.values())
    alone = features_of(np.ones((1, 1, 1), bool), np.zeros((1, 1, 1)), np.zeros((1, 1, 1), bool), SPACING, 0.4)
    assert alone["contrast"] == 0
    assert alone["roundness"] == pytest.approx(0.4)


# -- watershed -------------------------------------------------------------------------------------


def test_parts_are_as_many_as_flooding_finds():
    for h in (0.05, 0.6, 1.5):
        for region in regions(6, 4):
            parts, _ = split_at_necks(region, SPACING, h)
            assert ((parts > 0) == region).all()
            assert len(np.unique(parts)) - 1 == slow_watershed(region, SPACING, h)


def test_two_balls_that_touch_come_apart_and_one_stays_whole():
    z, y, x = np.mgrid[:21, :21, :40].astype(float)
    left, right = ((z - 10) ** 2 + (y - 10) ** 2 + (x - c) ** 2 <= 64 for c in (11, 25))
    both, _ = split_at_necks(left | right, (1.0, 1.0, 1.0), 0.6)
    assert both.max() == 2
    assert both[10, 10, 11] != both[10, 10, 25]
    assert split_at_necks(left, (1.0, 1.0, 1.0), 0.6)[0].max() == 1
    assert split_at_necks(np.zeros((3, 3, 3), bool), (1.0, 1.0, 1.0), 0.6)[0].max() == 0


def test_a_vessel_is_cut_from_the_nodule_at_its_end():
    z, y, x = np.mgrid[:21, :21, :60].astype(float)
    nodule = (z - 10) ** 2 + (y - 10) ** 2 + (x - 12) ** 2 <= 49
    vessel = ((z - 10) ** 2 + (y - 10) ** 2 <= 2.5) & (x >= 12)
    parts, depth = split_at_necks(nodule | vessel, (1.0, 1.0, 1.0), 0.6)
    cut = cut_tails(parts, depth, (1.0, 1.0, 1.0), share=0.5, least=4)
    mine = cut == cut[10, 10, 12]
    assert mine.sum() == pytest.approx(nodule.sum(), rel=0.03)
    assert cut[10, 10, 50] != cut[10, 10, 12]
    assert ((cut > 0) == (nodule | vessel)).all()


# -- candidates ------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["dots", "threshold", "rfcm"])
def test_large_dense_nodules_are_found(chest, method):
    found = find_candidates(chest.volume, chest.lungs.array > 0, scan="p7", method=method)
    hits = found.hits(chest.nodules)
    large = [(at, one) for at, one in enumerate(chest.nodules, start=1) if one.diameter >= 6]
    dense = {at for at, one in large if one.texture in ("solid", "calcified") and one.place != "juxtapleural"}
    assert len(dense) > 1
    assert len(dense - set(hits)) <= 1
    assert all(row["diameter_mm"] >= 3 and row["voxels"] >= 4 for row in found.rows())
    assert sorted(np.unique(found.labels.array).tolist())[1:] == sorted(one.number for one in found.regions)
    for one in found.regions[:20]:
        mine = np.argwhere(found.labels.array == one.number)
        assert len(mine) == one.voxels
        assert found.labels.to_world(mine.mean(axis=0))[0] == pytest.approx(one.position)
    assert found.score == ("response" if method == "dots" else "blob_mm")
    order = [one.features[found.score] for one in found.regions]
    assert order == sorted(order, reverse=True)


def test_marks_are_those_that_froc_reads(chest):
    import roclab as rl

    found = find_candidates(chest.volume, chest.lungs.array > 0, scan="p7", score="sphericity")
    table = {name: [one[name] for one in found.marks()] for name in found.marks()[0]}
    truth = {name: [one[name] for one in chest.annotations("p7")] for name in chest.annotations()[0]}
    curve = rl.imaging.froc(table, truth, resampling=20, rng=1)
    assert curve.lesions - curve.missed == len(set(found.hits(chest.nodules)) - {0})
    assert found.marks_csv().splitlines()[0] == "seriesuid,coordX,coordY,coordZ,score"


def test_nothing_found_is_told(chest):
    asked = [{"response": 5000}, {"method": "threshold", "threshold": 5000, "ground_glass": 4000}]
    for one in asked:
        found = find_candidates(chest.volume, chest.lungs.array > 0, **one)
        assert found.rows() == []
        assert "nothing in the lungs" in str(found)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"method": "net"}, "method must be one of"),
        ({"score": "luck"}, "score must be one of"),
        ({"smallest": 0}, "smallest must be"),
        ({"largest": 2}, "largest must be above"),
        ({"rim": -1}, "rim must be"),
        ({"method": "threshold", "necks": -1}, "necks must be"),
        ({"necks": 1.0}, "necks is for method 'threshold' and 'rfcm', got 1.0; give method='threshold'"),
        ({"threshold": -500}, "threshold is for method 'threshold', got -500"),
        ({"ground_glass": -700}, "ground_glass is for method"),
        ({"beta": 100}, "beta is for method 'rfcm'"),
        ({"method": "threshold", "response": 9}, "response is for method 'dots'"),
        ({"method": "rfcm", "most": 9}, "most is for method 'dots'"),
        ({"method": "rfcm", "score": "response"}, "score must be one of"),
        ({"response": 0}, "response must be a finite number above 0"),
        ({"response": math.nan}, "response must be a finite number above 0"),
        ({"most": 0}, "most must be a whole number of at least 1"),
    ],
)
def test_bad_input_is_one_sentence(chest, asked, said):
    with pytest.raises(InputError, match=said):
        find_candidates(chest.volume, chest.lungs.array > 0, **asked)


def test_missing_voxels_matter_in_the_lungs_only(chest):
    array = chest.volume.array.astype(float)
    array[0, 0, 0] = np.nan
    asked = {"lungs": chest.lungs.array > 0}
    plain = find_candidates(chest.volume, **asked)
    assert len(find_candidates(chest.volume.with_array(array), **asked).regions) == len(plain.regions)
    array = array.copy()
    array[tuple(np.argwhere(asked["lungs"])[100])] = np.nan
    with pytest.raises(MissingValuesError, match="finite numbers in the lungs, got 1 missing"):
        find_candidates(chest.volume.with_array(array), **asked)


def test_lungs_of_another_shape_or_empty_are_refused(chest):
    with pytest.raises(InputError, match="lungs must have the shape"):
        rl.imaging.nodules(chest.volume, lungs=np.ones((2, 2, 2)))
    with pytest.raises(InputError, match="lungs must hold voxels"):
        find_candidates(Volume(array=np.zeros((4, 4, 4))), np.zeros((4, 4, 4)))
