"""The breast phantom: the same by seed, true to what it says, and refusing what it cannot make."""

from __future__ import annotations

import json

import numpy as np
import pytest

from roclab.errors import InputError
from roclab.imaging.dce.kinetics import parker_aif, spgr_signal, tofts
from roclab.imaging.phantoms.breast import BREAST_TISSUES, make_breast
from roclab.imaging.phantoms.dynamic import TissueMaps, scan_frames, smooth_field
from roclab.imaging.phantoms.protocols import PROTOCOLS

SMALL = {"size": (12, 48, 64)}
STILL = {"noise": 0, "motion": 0, "bias": 0}
BOTH = [("malignant", 24.0), ("benign", 22.0)]


@pytest.fixture(scope="module")
def still():
    return make_breast(**SMALL, **STILL, lesions=BOTH, background=0.03, rng=3)


def enhancement(phantom, chosen):
    frames, rest = phantom.series.frames, phantom.series.baseline
    return np.array([np.mean(frame[chosen] / rest[chosen]) - 1 for frame in frames])


def test_a_seed_makes_the_same_phantom_and_another_seed_another():
    one, two, other = (make_breast(**SMALL, rng=seed) for seed in (3, 3, 4))
    assert (one.series.frames == two.series.frames).all()
    assert one.lesions == two.lesions
    assert (one.series.frames != other.series.frames).any()
    assert one.seed == "3"


def test_lesions_are_where_they_are_said_to_be(still):
    assert [one.kind for one in still.lesions] == ["malignant", "benign"]
    for at, one in enumerate(still.lesions):
        mine = still.truth.array == at + 1 + (100 if one.kind == "malignant" else 0)
        assert mine.sum() == one.voxels > 0
        middle = still.truth.to_world(np.argwhere(mine).mean(axis=0))[0]
        assert np.linalg.norm(middle - one.position) < one.diameter / 2
        assert still.breast.array[mine].mean() > 0.9


def test_tissues_enhance_as_they_should(still):
    malignant, benign = still.truth.array > 100, (still.truth.array > 0) & (still.truth.array < 100)
    kinds = still.tissues.array
    m, b = enhancement(still, malignant), enhancement(still, benign)
    assert m[1] > b[1] > 0.3
    assert m[-1] < m[1:].max()  # washes out
    assert b[-1] > 0.95 * b.max()  # hardly does
    gland, fat, heart = (enhancement(still, kinds == BREAST_TISSUES[name]) for name in ("gland", "fat", "heart"))
    assert abs(fat[-1]) < 0.1 < gland[-1] < m.max()
    assert heart[1] == heart.max()


def test_the_signal_definition_is_tofts_and_spgr():
    """One voxel by the exact recursion, the phantom by a table of responses: alike to 1e-3 of the signal."""
    maps = TissueMaps(**{name: np.full((1, 1, 3), value, np.float32) for name, value in
                         (("s0", 0.9), ("t1", 1.2), ("ktrans", 0.3), ("ve", 0.35), ("vp", 0.05))})  # fmt: skip
    protocol = PROTOCOLS["reference"]
    streams = [np.random.default_rng(at) for at in range(3)]
    frames, _ = scan_frames(maps, (1.0, 1.0, 1.0), protocol, dose=1.1, late=2.0, noise=0, motion=0, bias=0, rng=streams)
    flip = protocol.flip * (1 + 0.06 * smooth_field((1, 1, 3), (1, 1, 1), 120.0, np.random.default_rng(0)))[0, 0, 1]
    fine = np.arange(0, 361, 1.0)
    agent = tofts(fine, 1.1 * parker_aif(fine, arrival=32), ktrans=0.3, ve=0.35, vp=0.05)
    signal = spgr_signal(agent, t1=1.2, s0=0.9, tr=protocol.tr, flip=flip, relaxivity=protocol.relaxivity)
    at = np.array(protocol.times).astype(int)
    assert frames[:, 0, 0, 1] / frames[0, 0, 0, 1] == pytest.approx(signal[at] / signal[0], rel=1e-3)


def test_noise_is_rician():
    """In air the mean is sqrt(pi / 2) and the standard deviation sqrt(2 - pi / 2) of that of each part."""
    made = make_breast(**SMALL, lesions=0, noise=0.08, motion=0, rng=1)
    air = made.series.frames[0][:, :5]  # in front of the breasts
    sd = 1000 * 0.08
    assert air.mean() == pytest.approx(sd * np.sqrt(np.pi / 2), rel=0.02)
    assert air.std() == pytest.approx(sd * np.sqrt(2 - np.pi / 2), rel=0.03)


def test_motion_and_bias_do_what_they_say(still):
    moved = make_breast(**SMALL, lesions=BOTH, background=0.03, noise=0, motion=2.0, bias=0, rng=3)
    assert (moved.moved[0] == 0).all()
    assert np.abs(moved.moved[-1]).max() > 0.5
    assert (moved.series.frames[0] == still.series.frames[0]).all()
    assert np.abs(moved.series.frames[-1] - still.series.frames[-1]).max() > 100
    tilted = make_breast(**SMALL, lesions=BOTH, background=0.03, noise=0, motion=0, bias=0.3, rng=3)
    inside = still.series.baseline > 100
    gain = tilted.series.frames[:, inside] / still.series.frames[:, inside]
    assert gain[0].std() > 0.05
    assert gain == pytest.approx(np.broadcast_to(gain[0], gain.shape), rel=1e-4)  # it cancels in relative enhancement


def test_normal_cases_and_other_protocols():
    made = make_breast(**SMALL, lesions=0, protocol="external", rng=1)
    assert made.truth.array.max() == 0
    assert made.lesions == ()
    assert len(made.series.frames) == 8
    assert made.series.arrival == 28.0
    assert "no lesions" in str(made)
    assert json.loads(made.to_json())["protocol"] == "external"


def test_background_differs_between_patients():
    levels = [make_breast(size=(4, 32, 32), lesions=0, rng=seed).background for seed in range(12)]
    assert max(levels) / min(levels) > 3


def test_what_finds_no_room_is_told():
    made = make_breast(**SMALL, lesions=[("benign", 150.0)], rng=1)
    assert made.lesions == ()
    assert "no room was left for a benign lesion" in made.notes[0]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"size": (4, 48)}, "size must be three numbers"),
        ({"size": (1, 48, 64)}, "size must be a whole number of at least 3"),
        ({"spacing": (1, 0, 1)}, "spacing must be three numbers above 0"),
        ({"lesions": [("cyst", 10.0)]}, "lesions must be one of 'benign', 'malignant'"),
        ({"lesions": [("benign",)]}, "lesions must be a number, or pairs"),
        ({"diameters": (9.0, 3.0)}, "diameters must satisfy"),
        ({"protocol": "fast"}, "protocol must be one of 'reference', 'external'"),
        ({"motion": -1.0}, "motion must be 0 or a finite number"),
        ({"background": 0.0}, "background must be a finite number above 0"),
    ],
)
def test_what_cannot_be_made_is_refused(options, words):
    with pytest.raises(InputError, match=words):
        make_breast(**{**SMALL, **options}, rng=1)
