"""The signal space: curves read on a grid, and what T makes of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import roclab as rl
from roclab.errors import InputError
from roclab.imaging.dce.signal_space import fit_space, resampling_matrix, slabs

TIMES = np.array([0.0, 50.0, 100.0, 170.0, 260.0])


def series(curves, arrival=10.0):
    """One voxel for each row of signals."""
    frames = np.asarray(curves, dtype=np.float64).T[:, None, None, :]
    return rl.imaging.dce_series(frames, times=TIMES, arrival=arrival)


def slow_point(curve, grid, arrival, floor):
    """The curve of one voxel, relative to its baseline, at the grid's times, by straight lines from 0 at arrival."""
    relative = [(one - curve[0]) / max(curve[0], floor) for one in curve[1:]]
    return np.interp(grid, [0.0, *(TIMES[1:] - arrival)], [0.0, *relative])


@given(
    curves=st.lists(st.lists(st.integers(1, 50), min_size=5, max_size=5), min_size=1, max_size=6),
    grid=st.lists(st.integers(1, 250), min_size=1, max_size=6, unique=True).map(sorted),
)
def test_points_definition_are_relative_curves_on_the_grid(curves, grid):
    held = series(curves)
    space = fit_space("relative", grid)
    inside = np.ones(held.shape, bool)
    found = space.points(held, inside)
    floor = 0.1 * np.median([one[0] for one in curves])
    exact = np.array([slow_point(one, grid, 10.0, floor) for one in curves])
    assert found == pytest.approx(exact, rel=1e-5, abs=1e-5)  # single precision


def test_the_series_own_grid_changes_nothing():
    held = series([[10, 12, 18, 17, 15]])
    assert (resampling_matrix(held, held.after_arrival) == np.eye(4, dtype=np.float32)).all()


def test_unit_norm_forgets_height_and_keeps_shape():
    held = series([[10, 12, 18, 17, 15], [20, 24, 36, 34, 30], [10, 14, 26, 24, 20]])
    found = fit_space("unit_norm", held.after_arrival).points(held, np.ones(held.shape, bool))
    assert found[0] == pytest.approx(found[1])
    assert found[0] == pytest.approx(found[2], rel=1e-5)
    assert np.linalg.norm(found, axis=1) == pytest.approx(1.0)
    flat = series([[10, 10, 10, 10, 10]])
    assert (fit_space("unit_norm", flat.after_arrival).points(flat, np.ones(flat.shape, bool)) == 0).all()


def test_principal_components_definition():
    rng = np.random.default_rng(0)
    curves = rng.normal(size=(200, 4)) @ rng.normal(size=(4, 4)) + 1
    space = fit_space("pca", [40, 90, 160, 250], curves, components=2)
    _, _, axes = np.linalg.svd(curves - curves.mean(axis=0), full_matrices=False)
    found = space.transformed(curves)
    assert np.abs(found) == pytest.approx(np.abs((curves - curves.mean(axis=0)) @ axes[:2].T), abs=1e-9)
    assert space.dimension == 2
    assert (np.max(space.components, axis=1) >= -np.min(space.components, axis=1)).all()


def test_a_series_that_is_too_short_is_refused():
    held = series([[10, 12, 18, 17, 15]])
    with pytest.raises(InputError, match="series must last 300 s after arrival, .* got 250 s; train a model"):
        resampling_matrix(held, np.array([100.0, 300.0]))
    resampling_matrix(held, np.array([100.0, 250.9]))  # within a second


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"transformation": "log", "grid": [1.0]}, "transformation must be one of 'relative', 'unit_norm', 'pca'"),
        ({"transformation": "relative", "grid": []}, "grid must be rising seconds"),
        ({"transformation": "relative", "grid": [50, 20]}, "grid must be rising seconds"),
        ({"transformation": "relative", "grid": [0, 20]}, "grid must be rising seconds"),
        ({"transformation": "pca", "grid": [20, 50], "curves": np.ones((5, 2)), "components": 3}, "at most 2"),
    ],
)
def test_what_is_no_space_is_refused(options, words):
    with pytest.raises(InputError, match=words):
        fit_space(**options)


@given(shape=st.tuples(*[st.integers(1, 40)] * 3), voxels=st.integers(1, 4000))
def test_slabs_property_cover_every_plane_once(shape, voxels):
    seen = [at for one in slabs(shape, voxels) for at in range(one.start, one.stop)]
    assert seen == list(range(shape[0]))
