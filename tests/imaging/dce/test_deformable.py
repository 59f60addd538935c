"""Non-rigid registration: a known bend is undone, and what happens to volumes is told."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

import roclab as rl
from roclab.errors import InputError
from roclab.imaging.dce.deformable import deform


def bent():
    """A smooth picture, and the same with one half moved by two millimetres."""
    rng = np.random.default_rng(1)
    image = ndimage.gaussian_filter(rng.random((6, 40, 48)), (0.7, 1.5, 1.5))
    image = (1000 * (image - image.min()) / np.ptp(image)).astype(np.float32) + 100
    z, y, x = np.mgrid[:6, :40, :48].astype(float)
    push = 1.0 / (1 + np.exp((x - 24) / 4))
    moved = ndimage.map_coordinates(image, [z, y + push, x], order=1, mode="nearest").astype(np.float32)
    place = rl.results.Volume(array=image, spacing=(3.0, 2.0, 2.0), oriented=True)
    return place, place.with_array(moved)


@pytest.mark.parametrize("how", ["bspline", "demons"])
def test_a_bend_is_undone_and_volumes_stay(how):
    place, moved = bent()
    found = deform(moved, place, how)
    inner = (slice(None), slice(4, -4), slice(4, -4))
    before = np.abs(moved.array - place.array)[inner].mean()
    after = np.abs(found.array - place.array)[inner].mean()
    assert after < 0.75 * before
    assert found.change.folded == 0
    assert 0.9 < found.change.whole < 1.1
    assert found.change.low < 1 < found.change.high
    assert np.isfinite(found.array).all()


def test_a_series_says_what_became_of_volumes():
    place, moved = bent()
    frames = [place, moved.with_array(1.5 * moved.array), moved.with_array(1.6 * moved.array)]
    found = rl.imaging.dce_series(frames, times=[0, 60, 120], arrival=10, registration="demons")
    assert "registered by demons; of frame" in found.notes[-1]
    assert "in 98% of the voxels" in found.notes[-1]
    assert (found.frames[0] == place.array).all()
    with pytest.raises(InputError, match="registration must be 'translation', 'bspline', 'demons' or a function"):
        rl.imaging.dce_series(frames, times=[0, 60, 120], arrival=10, registration="elastic")
