"""The chest phantom: the same by seed, true to what it says, and refusing what it cannot make."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from roclab.errors import InputError
from roclab.imaging.phantoms.canvas import Canvas, ball, capsule, cover, ellipsoid
from roclab.imaging.phantoms.chest import PADDING, TISSUES, make_chest
from roclab.imaging.phantoms.nodules import NODULE, is_malignant
from roclab.imaging.phantoms.trees import grow_tree
from roclab.names import NODULE_PLACES, NODULE_TEXTURES

SMALL = {"size": (24, 96, 96), "spacing": (2.5, 1.8, 1.8)}
EVERY = [(place, texture, 9.0) for place, texture in product(NODULE_PLACES, NODULE_TEXTURES)]


@pytest.fixture(scope="module")
def chest():
    return make_chest(**SMALL, nodules=EVERY, noise=0, rng=3)


def test_a_seed_makes_the_same_phantom_and_another_seed_another(chest):
    again = make_chest(**SMALL, nodules=EVERY, noise=0, rng=3)
    other = make_chest(**SMALL, nodules=EVERY, noise=0, rng=4)
    assert (again.volume.array == chest.volume.array).all()
    assert again.nodules == chest.nodules
    assert (other.volume.array != chest.volume.array).any()
    assert chest.seed == "3"


def test_every_kind_of_nodule_is_where_it_is_said_to_be(chest):
    assert {(one.place, one.texture) for one in chest.nodules} == set(product(NODULE_PLACES, NODULE_TEXTURES))
    for at, one in enumerate(chest.nodules):
        mine = chest.labels.array == NODULE + at
        assert mine.sum() == one.voxels > 0
        middle = chest.labels.to_world(np.argwhere(mine).mean(axis=0))[0]
        assert np.linalg.norm(middle - one.position) < one.diameter / 2
        assert (chest.lungs.array[mine] > 0).mean() > 0.9
        if one.place != "juxtapleural":  # what lies beyond the pleura is cut off
            volume = one.voxels * chest.labels.voxel_mm3
            assert volume == pytest.approx(math.pi / 6 * one.diameter**3, rel=0.45)


def test_textures_have_their_grey_values(chest):
    middle = {}
    for one in chest.nodules:
        if one.place == "solitary":
            index = np.rint(chest.volume.to_index(one.position)[0]).astype(int)
            middle[one.texture] = int(chest.volume.array[tuple(index)])
    assert middle["calcified"] > 100 > middle["solid"] > -150
    assert -750 < middle["ground-glass"] < -400
    assert middle["part-solid"] > -400


def test_tissues_have_their_grey_values(chest):
    kind, grey = chest.labels.array, chest.volume.array.astype(float)
    assert set(TISSUES.values()) <= set(np.unique(kind).tolist())
    assert grey[kind == TISSUES["right lung"]].mean() == pytest.approx(-850, abs=30)
    assert grey[kind == TISSUES["bone"]].mean() > 150
    lung = chest.lungs.array > 0
    rows = np.nonzero(lung & (kind <= TISSUES["left lung"]))[1]
    ends = np.arange(96) < np.quantile(rows, 0.2), np.arange(96) > np.quantile(rows, 0.8)
    front, back = (grey[lung & (kind <= 4) & mask[None, :, None]].mean() for mask in ends)
    assert back - front > 25  # gravity
    assert grey[0, 0, 0] == PADDING
    sides = [chest.lungs.to_world(np.argwhere(chest.lungs.array == one).mean(axis=0))[0][0] for one in (1, 2)]
    assert sides[0] < 0 < sides[1]  # the right lung has the smaller x


def test_noise_has_the_size_asked_for_and_a_band(chest):
    noisy = make_chest(**SMALL, nodules=EVERY, noise=25.0, rng=3)
    inside = noisy.labels.array == TISSUES["body"]
    noise = (noisy.volume.array.astype(float) - chest.volume.array)[:, 32:64, 32:64]
    assert noise[inside[:, 32:64, 32:64]].std() == pytest.approx(25, rel=0.1)
    power = (np.abs(np.fft.fft2(noise)) ** 2).mean(axis=0)
    radius = np.hypot(*np.meshgrid(np.fft.fftfreq(32), np.fft.fftfreq(32)))
    low, middle, high = (power[(radius >= a) & (radius < b)].mean() for a, b in ((0, 0.05), (0.15, 0.25), (0.45, 0.5)))
    assert low < 0.5 * middle > 2 * high


def test_annotations_are_read_by_froc(chest):
    import roclab as rl

    lesions = chest.annotations("p1")
    marks = [{**one, "probability": 0.9} for one in lesions]
    columns = {name: [one[name] for one in marks] for name in marks[0]}
    assert rl.imaging.froc(columns, columns, resampling=20, rng=1).missed == 0


def test_malignancy_follows_size():
    rng = np.random.default_rng(1)
    rates = [np.mean([is_malignant(d, "solid", rng) for _ in range(2000)]) for d in (5.0, 10.0, 20.0)]
    expected = [1 / (1 + (10 / d) ** 3) for d in (5.0, 10.0, 20.0)]
    assert rates == pytest.approx(expected, abs=0.04)
    assert not any(is_malignant(30.0, "calcified", rng) for _ in range(50))


def test_branches_obey_murrays_rule():
    rng = np.random.default_rng(2)
    tree = grow_tree(np.zeros(3), rng.uniform(5, 60, size=(40, 3)), radius=0.5, step=5.0, rng=rng)
    cubes = tree.radius**3
    for at in range(1, len(tree.node)):
        daughters = cubes[tree.mother == at].sum()
        assert cubes[at] == pytest.approx(daughters, abs=1e-9) or cubes[at] - daughters == pytest.approx(
            round((cubes[at] - daughters) / 0.125) * 0.125
        )  # a leaf may end at a node that feeds others
    assert cubes[0] == pytest.approx(40 * 0.125)


def test_shapes_cover_their_volume_definition():
    canvas = Canvas(
        grey=np.zeros((41, 41, 41), np.float32), kind=np.zeros((41, 41, 41), np.int16), spacing=(1.0, 1.0, 1.0)
    )
    shapes = {
        "ball": (ball(canvas.place, np.zeros(3), 12.0), 4 / 3 * math.pi * 12**3),
        "ellipsoid": (ellipsoid(canvas.place, (0, 0, 0), (8, 12, 16)), 4 / 3 * math.pi * 8 * 12 * 16),
        "capsule": (
            capsule(canvas.place, np.array([0, 0, -8.0]), np.array([0, 0, 8.0]), 5, 5),
            math.pi * 25 * 16 + 4 / 3 * math.pi * 125,
        ),
    }
    for name, (distance, volume) in shapes.items():
        assert cover(distance, 1.0).sum() == pytest.approx(volume, rel=0.01), name


def test_without_nodules_and_with_too_many():
    none = make_chest(**SMALL, nodules=0, rng=1)
    assert none.nodules == ()
    assert "no nodules" in str(none)
    full = make_chest(**SMALL, nodules=[("solitary", "solid", 40.0)] * 12, rng=1)
    assert len(full.nodules) < 12
    assert "no room" in full.notes[0]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"size": (2, 64, 64)}, "size must be"),
        ({"size": (64, 64)}, "size must be three numbers"),
        ({"spacing": (1, 0, 1)}, "spacing must be three numbers above 0"),
        ({"noise": -1}, "noise must be 0 or"),
        ({"diameters": (9, 3)}, "diameters must satisfy"),
        ({"nodules": [("solitary", "solid")]}, "place, texture and diameter"),
        ({"nodules": [("solitary", "wooden", 4.0)]}, "nodules must be one of"),
        ({"nodules": -1}, "nodules must be"),
    ],
)
def test_bad_input_is_one_sentence(asked, said):
    with pytest.raises(InputError, match=said):
        make_chest(**{**SMALL, "rng": 1, **asked})
