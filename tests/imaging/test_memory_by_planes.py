"""What is computed plane by plane or slab by slab is what the whole volume gives, voxel for voxel."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roclab.imaging.distances import depths_at, distance_inside
from roclab.imaging.hounsfield import above_air, clipped_to_air
from roclab.imaging.lungs.dots import dots_in
from roclab.imaging.lungs.scan_facts import facts_of
from roclab.imaging.lungs.segment import isodata
from roclab.imaging.phantoms.chest import make_chest
from roclab.imaging.volumes import Volume


@given(
    st.integers(0, 2**32 - 1), st.floats(0.2, 0.98), st.sampled_from([(1.0, 1.0, 1.0), (2.5, 0.7, 0.7), (0.8, 3, 1)])
)
def test_depths_of_some_voxels_are_those_of_all_property(seed, share, spacing):
    rng = np.random.default_rng(seed)
    mask = rng.random((5, 7, 6)) < share
    places = np.argwhere(rng.random(mask.shape) < 0.4)
    wanted = distance_inside(mask, spacing)[tuple(places.T)]
    assert np.array_equal(depths_at(mask, places, spacing), wanted)


def test_a_mask_without_an_outside_is_endlessly_deep():
    full = np.ones((2, 3, 4), dtype=bool)
    assert np.isinf(depths_at(full, np.array([[1, 1, 1]]), (1, 1, 1))).all()
    assert depths_at(full, np.empty((0, 3), dtype=int), (1, 1, 1)).size == 0


@pytest.mark.parametrize("slab", [1, 3, 7])
def test_dots_do_not_depend_on_slabs(slab):
    chest = make_chest(size=(24, 64, 64), spacing=(0.6, 2.0, 0.7), nodules=2, noise=20, rng=4)
    inside = chest.lungs.array > 0
    one, all_ = (
        dots_in(above_air(chest.volume.array), inside, chest.volume.spacing, least=8, median=-850.0, slab=size)
        for size in (slab, 1000)
    )
    assert one == all_
    assert len(one) >= 3


@given(st.lists(st.integers(-50, 50), min_size=4, max_size=60))
def test_thresholds_of_counted_values_are_those_of_sorted_ones_property(values):
    if len(set(values)) < 2:
        values = [*values, 99]
    whole = np.resize(np.array(values, dtype=np.int16), (2, 3, len(values)))
    assert isodata(whole) == isodata(whole.ravel().astype(np.float64))


def test_a_scan_keeps_the_name_of_its_voxels():
    """The digest in files of CADs that were trained before."""
    array = np.random.default_rng(1).integers(-1024, 500, (4, 5, 6)).astype(np.int16)
    volume = Volume(array=array, spacing=(2.0, 0.7, 0.7))
    wanted = hashlib.sha256(repr(((4, 5, 6), [2.0, 0.7, 0.7])).encode())
    wanted.update(array.astype("<i4").tobytes())
    assert facts_of(volume, np.ones(array.shape, bool)).digest == wanted.hexdigest()


def test_parts_above_air_are_parts_of_the_whole_above_air():
    for kind in (np.int16, np.float32, np.uint16):
        array = np.arange(24).reshape(2, 3, 4).astype(kind) * np.asarray(-100 if kind != np.uint16 else 1, kind)
        whole = clipped_to_air(Volume(array=array)).array
        assert np.array_equal(above_air(array[:, 1:]), whole[:, 1:])
        assert whole.min() >= -1024
