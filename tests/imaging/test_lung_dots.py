"""Dots in the lungs: the filter by its definition, regions, and which nodules of phantoms and patients are found."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy import ndimage

import roclab as rl
from roclab.imaging.lungs.dot_regions import regions_of_dots
from roclab.imaging.lungs.dots import CLIP, SIGMAS, Dot, dots_in, smallest_eigenvalues
from roclab.imaging.volumes import Volume
from tests.conftest import OUTSIDE

SPACING = (2.0, 1.5, 1.5)
LUNG = -850.0


def painted(shape=(20, 40, 40), spacing=SPACING, balls=(), rods=(), sheets=()):
    """Lung with balls (centre, radius), rods along x and sheets across y, in mm."""
    z, y, x = (np.arange(n).reshape([-1 if a == b else 1 for b in range(3)]) * s
               for a, (n, s) in enumerate(zip(shape, spacing, strict=True)))  # fmt: skip
    grey = np.full(shape, LUNG, dtype=np.float32)
    for (a, b, c), radius in balls:
        grey[(z - a) ** 2 + (y - b) ** 2 + (x - c) ** 2 <= radius**2] = 0
    for (a, b), radius in rods:
        grey[np.broadcast_to((z - a) ** 2 + (y - b) ** 2 <= radius**2, shape)] = 0
    for at, thick in sheets:
        grey[np.broadcast_to(np.abs(y - at) <= thick, shape)] = 0
    return grey


def slow_response(grey, inside, spacing, median):
    """The largest response over all sigmas at every voxel, one matrix at a time."""
    flat = np.where(inside, np.minimum(grey, median + CLIP), median)
    best = np.zeros(grey.shape)
    for sigma in SIGMAS:
        smooth = np.pad(ndimage.gaussian_filter(flat, [sigma / s for s in spacing], mode="nearest"), 1, mode="edge")
        for at in np.argwhere(inside):
            i = at + 1
            matrix = np.zeros((3, 3))
            for a in range(3):
                for b in range(3):
                    one, other = np.eye(3, dtype=int)[a], np.eye(3, dtype=int)[b]
                    if a == b:
                        parts = smooth[tuple(i + one)] - 2 * smooth[tuple(i)] + smooth[tuple(i - one)]
                        matrix[a, a] = parts / spacing[a] ** 2
                    else:
                        matrix[a, b] = (
                            smooth[tuple(i + one + other)] + smooth[tuple(i - one - other)]
                            - smooth[tuple(i + one - other)] - smooth[tuple(i - one + other)]
                        ) / (4 * spacing[a] * spacing[b])  # fmt: skip
            values = np.sort(np.linalg.eigvalsh(matrix))
            if values[2] < 0:
                best[tuple(at)] = max(best[tuple(at)], sigma**2 * values[2] ** 2 / abs(values[0]))
    return best


def test_the_response_definition():
    rng = np.random.default_rng(3)
    grey = painted((9, 16, 15), balls=[((8, 12, 11), 4.0)]) + rng.normal(size=(9, 16, 15)).astype(np.float32) * 40
    inside = rng.random(grey.shape) < 0.9
    median = float(np.median(grey[inside]))
    slow = slow_response(grey.astype(np.float64), inside, SPACING, median)
    found = dots_in(grey, inside, SPACING, least=2.0, median=median)
    tops = (slow == ndimage.maximum_filter(slow, size=3, mode="constant")) & (slow >= 2.0)
    assert len(found) == np.count_nonzero(tops) > 3
    # single precision: six digits of sums of a few thousand HU
    assert [one.response for one in found] == pytest.approx(sorted(slow[tops], reverse=True), rel=1e-3)
    for one in found:
        near = np.argwhere(tops)[np.abs(np.argwhere(tops) - one.index).max(axis=1) <= 0.5]
        assert slow[tuple(near[0])] == pytest.approx(one.response, rel=1e-3)


@pytest.mark.parametrize("slab", [1, 3, 7, 100])
def test_slabs_equal_the_whole(slab):
    rng = np.random.default_rng(5)
    grey = rng.normal(LUNG, 60, size=(13, 30, 28)).astype(np.float32)
    inside = np.ones(grey.shape, dtype=bool)
    whole = dots_in(grey, inside, (1.0, 0.7, 0.7), least=1.0, median=LUNG, slab=10**6)
    assert dots_in(grey, inside, (1.0, 0.7, 0.7), least=1.0, median=LUNG, slab=slab) == whole
    assert len(whole) > 2


def test_eigenvalues_definition():
    rng = np.random.default_rng(1)
    made = rng.normal(size=(300, 3, 3))
    made = made + made.transpose(0, 2, 1)
    low, high = smallest_eigenvalues(*(made[:, a, b] for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))))
    true = np.linalg.eigvalsh(made)
    assert low == pytest.approx(true[:, 0], abs=1e-9)
    assert high == pytest.approx(true[:, 2], abs=1e-9)


def test_balls_answer_and_rods_and_sheets_do_not():
    inside = np.ones((20, 40, 40), dtype=bool)
    (ball,) = dots_in(painted(balls=[((20, 30, 33), 6.0)]), inside, SPACING, least=8.0, median=LUNG)
    assert np.array(ball.index) * SPACING == pytest.approx((20, 30, 33), abs=0.5)
    assert ball.sigma in (2.8, 4.0)  # 6 / sqrt(3) = 3.5
    for other in ({"rods": [((20, 30), 3.0)]}, {"sheets": [(30, 3.0)]}):
        assert dots_in(painted(**other), inside, SPACING, least=8.0, median=LUNG) == []


def test_a_scale_of_grey_is_a_scale_of_the_response():
    """Below the clip the response is linear in contrast."""
    inside = np.ones((20, 40, 40), dtype=bool)
    grey = (painted(balls=[((20, 30, 33), 5.0)]) - LUNG) / 8.5  # 100 HU
    (once,) = dots_in(grey, inside, SPACING, least=1.0, median=0.0)
    (twice,) = dots_in(2 * grey, inside, SPACING, least=1.0, median=0.0)
    assert twice.response == pytest.approx(2 * once.response, rel=1e-5)
    assert twice.index == pytest.approx(once.index, abs=1e-3)


def test_regions_of_dots_hang_together_and_keep_their_solid_part():
    grey = painted(balls=[((20, 30, 20), 5.0), ((20, 30, 42), 4.0)])
    z, y, x = np.indices(grey.shape)
    hazy = ((z * 2.0 - 20) ** 2 + (y * 1.5 - 30) ** 2 + (x * 1.5 - 42) ** 2 <= 9.0**2) & (grey == LUNG)
    grey[hazy] = -560
    inside = np.ones(grey.shape, dtype=bool)
    dots = dots_in(grey, inside, SPACING, least=8.0, median=LUNG)
    found = regions_of_dots(grey, inside, SPACING, dots, median=LUNG)
    assert len(found.dots) == 2
    numbers = [int(found.labels[10, 20, round(at / 1.5)]) for at in (20, 42)]
    solid, part = (found.labels == number for number in numbers)
    assert np.array_equal(solid, found.solid.astype(bool) & solid)  # nothing hazy around it
    assert np.count_nonzero(solid & (grey == 0)) == np.count_nonzero(solid) > 20
    assert (found.solid.astype(bool) & part).sum() == (part & (grey == 0)).sum() > 15
    assert (part & hazy).sum() > 0.8 * hazy.sum()
    for one in (solid, part):
        assert ndimage.label(one)[1] == 1


def test_dots_of_one_large_nodule_are_one_region():
    grey = painted((24, 50, 50), balls=[((24, 36, 36), 11.0)])
    inside = np.ones(grey.shape, dtype=bool)
    middle, beside = (
        Dot(index=(12.0, 24.0, 24.0), response=40.0, sigma=5.6), Dot(index=(12.0, 24.0, 29.0), response=20.0, sigma=2.8)
    )  # fmt: skip
    found = regions_of_dots(grey, inside, SPACING, [middle, beside], median=LUNG)
    assert (found.merged, found.dots) == (1, (middle,))
    assert ((found.labels == 1) == (grey == 0)).all()
    far = Dot(index=(12.0, 45.0, 45.0), response=20.0, sigma=2.8)  # in the lung: nothing to grow
    apart = regions_of_dots(grey, inside, SPACING, [middle, far], median=LUNG)
    assert apart.merged == 0
    assert (apart.labels == 2).sum() == 0


def test_the_most_are_those_of_the_highest_response():
    chest = rl.imaging.phantom_chest(size=(24, 96, 96), nodules=4, diameters=(8, 16), rng=2)
    every = rl.imaging.nodules(chest.volume, lungs=chest.lungs, response=5)
    few = rl.imaging.nodules(chest.volume, lungs=chest.lungs, response=5, most=6)
    assert "dots of a lower response left out: 6 are kept at most" in few.notes[0]
    assert len(few.regions) <= 6 < len(every.regions)
    lowest = min(one.features["response"] for one in few.regions)
    assert lowest >= sorted((one.features["response"] for one in every.regions), reverse=True)[6]
    thin = Volume(array=chest.volume.array[:2], spacing=chest.volume.spacing)
    with pytest.raises(rl.errors.InputError, match="must show 3 slices of lung or more.*give method='threshold'"):
        rl.imaging.nodules(thin, lungs=chest.lungs.array[:2])


def found_of(seeds):
    """Nodules by kind and size, those in a region, and regions a scan."""
    all_of, hit_of, regions = Counter(), Counter(), 0
    for seed in seeds:
        chest = rl.imaging.phantom_chest(
            size=(40, 128, 128), spacing=(2.0, 1.6, 1.6), nodules=8, diameters=(5, 16), rng=seed
        )
        found = rl.imaging.nodules(chest.volume)
        hits = set(found.hits(chest.nodules))
        regions += len(found.regions)
        for at, one in enumerate(chest.nodules, start=1):
            for kind in ("all", one.texture, one.place):
                all_of[kind] += 1
                hit_of[kind] += at in hits
    return all_of, hit_of, regions / len(seeds)


def test_nodules_of_phantoms_are_found():
    """15 of 16 or more at fewer than 110 regions a scan; 437 of 448 at 82 over seeds 1 to 608."""
    all_of, hit_of, regions = found_of([901, 902])
    assert all_of["all"] == 16
    assert hit_of["all"] >= 15
    assert regions < 110


@pytest.mark.nightly
def test_nodules_of_many_phantoms_are_found():
    all_of, hit_of, regions = found_of(range(1001, 1017))
    assert hit_of["all"] >= 0.94 * all_of["all"]  # 60 of 64, the least that was asked for
    assert hit_of["ground-glass"] >= 0.85 * all_of["ground-glass"]
    assert regions < 110


CROPS = OUTSIDE / "images" / "lidc_crops.npz"


@pytest.mark.parametrize(
    ("scan", "corner", "readers"), [("0001", (317, 274), 3), ("0002", (329, 308), 2), ("0003", (311, 325), 3)]
)
def test_nodules_of_patients_are_among_the_first_dots(scan, corner, readers):
    if not CROPS.is_file():
        pytest.skip("lidc_crops.npz may not be shipped, and no folder with it is on this machine (set ROCLAB_DATA)")
    held = np.load(CROPS, allow_pickle=False)
    spacing = held[f"spacing{scan}"]
    volume = Volume(array=held[f"half{scan}"], spacing=tuple(float(one) for one in 2 * spacing))
    marked = held[f"readers{scan}"] >= readers
    size = (6 * marked.sum() * float(np.prod(spacing)) / np.pi) ** (1 / 3)
    centre = volume.to_world((np.argwhere(marked).mean(axis=0) + np.array([0, *corner])) / 2 - 0.25)[0]
    found = rl.imaging.nodules(volume)
    hits = [at for at, one in enumerate(found.regions) if np.linalg.norm(np.array(one.position) - centre) < size / 2]
    assert hits[0] < 5
    assert found.regions[hits[0]].features["diameter_mm"] == pytest.approx(size, rel=0.15)
