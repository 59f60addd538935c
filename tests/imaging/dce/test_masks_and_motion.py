"""Where to look, and whether anything moved."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import ndimage

import roclab as rl
from roclab.errors import InputError
from roclab.imaging.dce.masks import mask_of
from roclab.imaging.phantoms.breast import BREAST_TISSUES
from tests.conftest import OUTSIDE


@pytest.fixture(scope="module")
def made():
    return rl.imaging.phantom_breast(size=(12, 64, 96), lesions=[("malignant", 20.0)], motion=0, rng=2)


def test_the_breast_is_found_without_chest_and_air(made):
    found = rl.imaging.dce_mask(made.series)
    inside, true = found.mask.array, made.breast.array
    assert 2 * (inside & true).sum() / (inside.sum() + true.sum()) > 0.9
    kinds = made.tissues.array[inside]
    for name in ("air", "heart", "lung"):
        assert (kinds == BREAST_TISSUES[name]).mean() < 1e-3
    assert (kinds == BREAST_TISSUES["muscle"]).mean() < 0.02
    assert (inside & (made.truth.array > 0)).sum() > 0.9 * (made.truth.array > 0).sum()
    assert [row["part"] for row in found.rows()] == ["body", "breast"]
    assert found.to_dict()["wall"] == found.wall


def test_the_front_may_be_on_any_side(made):
    """Turning the image turns the mask, on whichever side the front is."""
    usual = rl.imaging.dce_mask(made.series).mask.array
    z, y, x = made.series.place.spacing

    def turned(change, spacing):
        place = replace(made.series.place, array=change(made.series.baseline), spacing=spacing)
        frames = np.stack([change(one) for one in made.series.frames])
        return replace(made.series, frames=frames, place=place)

    flip = turned(lambda image: image[:, ::-1].copy(), (z, y, x))
    assert (rl.imaging.dce_mask(flip, anterior="y+").mask.array == usual[:, ::-1]).all()
    swap = turned(lambda image: image.transpose(0, 2, 1).copy(), (z, x, y))
    assert (rl.imaging.dce_mask(swap, anterior="x-").mask.array == usual.transpose(0, 2, 1)).all()
    up = turned(lambda image: image.transpose(1, 0, 2)[::-1].copy(), (y, z, x))
    assert (rl.imaging.dce_mask(up, anterior="z+").mask.array == usual.transpose(1, 0, 2)[::-1]).all()
    flat = rl.imaging.dce_mask(made.series, wall=rl.imaging.dce_mask(made.series).wall).mask.array
    assert flat.sum() < usual.sum()  # a plane, where the wall is said


def test_wall_and_skin_are_what_is_said(made):
    step = made.series.place.spacing[1]
    near = rl.imaging.dce_mask(made.series, wall=30 * step, skin=0)
    assert not near.mask.array[:, 30:].any()
    assert near.mask.array.sum() > rl.imaging.dce_mask(made.series, wall=30 * step, skin=8).mask.array.sum()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"anterior": "up"}, "anterior must be one of"),
        ({"skin": -1}, "skin must be 0 or a finite number"),
        ({"wall": 1e6}, "wall must lie in the image"),
        ({"skin": 500.0}, "series must show a breast in front of the chest"),
    ],
)
def test_what_makes_no_mask_is_refused(made, options, words):
    with pytest.raises(InputError, match=words):
        rl.imaging.dce_mask(made.series, **options)


def test_an_image_of_one_value_shows_no_body():
    flat = rl.imaging.dce_series(np.full((3, 4, 20, 20), 5.0), times=[0, 60, 120], arrival=10)
    with pytest.raises(InputError, match="series must show a body, got an image of one value; give a mask"):
        rl.imaging.dce_mask(flat)


def test_masks_are_checked(made):
    series = made.series
    whole = np.ones(series.shape, np.uint8)
    assert mask_of(whole, series).all()
    label = made.truth.array > 0
    with pytest.raises(InputError, match="mask must hold some of the label, got a label that lies outside of it"):
        mask_of(~label, series, label=label)
    with pytest.raises(InputError, match="mask must have the shape"):
        mask_of(whole[1:], series)
    with pytest.raises(InputError, match="mask must hold a voxel, got none"):
        mask_of(0 * whole, series)
    with pytest.raises(InputError, match="mask must lie in the same place"):
        mask_of(replace(made.truth, origin=(0, 0, 0)), series)
    dark = series.baseline.copy()
    dark[0, 0, :3] = (0.0, -1.0, 0.0)
    with pytest.raises(InputError, match="above 0, got 3 voxels at 0 or below; leave them out"):
        mask_of(whole, replace(series, place=series.place.with_array(dark)))
    assert not rl.imaging.dce_mask(replace(series, place=series.place.with_array(dark))).mask.array[0, 0, :3].any()


def test_motion_is_seen_and_undone(made):
    steps = np.array([0.0, 1.5, -2.0])  # voxels
    frames = made.series.frames.copy()
    frames[3] = ndimage.shift(frames[3], steps, order=1, mode="nearest")
    moved = replace(made.series, frames=frames)
    still, found = rl.imaging.dce_motion(made.series), rl.imaging.dce_motion(moved)
    assert not still.moved
    assert found.moved
    assert found.shift[3] / np.array(made.series.place.spacing) == pytest.approx(steps, abs=0.3)
    assert "consider a registration" in str(found)
    back = rl.imaging.dce_series([moved.frame(at) for at in range(6)], times=moved.times, arrival=30,
                         registration="translation")  # fmt: skip
    assert rl.imaging.dce_motion(back).most < 0.5 * found.most
    inside = made.breast.array

    def gap(series):
        return float(np.abs(series.frames[3] - made.series.frames[3])[inside].mean())

    assert gap(back) < gap(moved)


def test_the_real_series_has_a_breast_and_an_arrival():
    """One sagittal slice of one patient: the front is on the left, contrast agent comes before the fifth frame."""
    file = OUTSIDE / "images" / "dce_invivo_davidssmith.npz"
    if not file.exists():
        pytest.skip(f"{file.name} is not on this machine (set ROCLAB_DATA)")
    known = np.load(file)
    series = rl.imaging.dce_series(known["DCEdata"][:, None], times=known["t"].ravel())
    assert series.before == 4
    found = rl.imaging.dce_mask(series, anterior="x-", skin=5)
    assert found.mask.array[0, 107, 100]  # the tumour
    assert not found.mask.array[0, :, 150:].any()  # the thorax
    assert not found.mask.array[0, :, :15].any()  # air
