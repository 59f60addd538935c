"""Subtraction images, one by one, and in a montage."""

from __future__ import annotations

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.imaging.dce.subtraction import early_frame, every_pair


@pytest.fixture(scope="module")
def series():
    rng = np.random.default_rng(0)
    return rl.imaging.dce_series(rng.uniform(50, 200, size=(5, 4, 10, 8)), times=[0, 40, 100, 160, 220], arrival=10)


def test_subtractions_definition(series):
    f, rest = series.frames, series.frames[0]
    assert early_frame(series) == 2  # 90 s after arrival
    exact = {
        "early": f[2] - rest, "late": f[4] - rest, "late_early": f[4] - f[2], "wash_out": f[2] - f[4],
        "maximum": f[1:].max(axis=0) - rest, "3-1": f[3] - f[1], "1-3": f[1] - f[3],
    }  # fmt: skip
    for name, image in exact.items():
        plain = rl.imaging.dce_subtraction(series, name, scale="absolute")
        assert plain.array == pytest.approx(image, rel=1e-4, abs=1e-3)  # single precision
        assert plain.same_place(series.place)
        assert rl.imaging.dce_subtraction(series, name).array == pytest.approx(image / rest, rel=1e-4, abs=1e-4)


def test_every_pair_is_there_once(series):
    names = every_pair(series)
    assert len(names) == 10 == len(set(names))
    shown = rl.imaging.dce_montage(series, images=["pairs"], slices=[1, 3], mask=np.ones(series.shape, bool))
    assert list(shown.images) == names
    assert shown.images["4-0"].shape == (2, 10, 8)


def test_a_montage_has_one_window_and_steps_through_slices(series):
    whole = np.ones(series.shape, bool)
    shown = rl.imaging.dce_montage(series, slices=2, mask=whole, scale="absolute")
    tops = [
        np.quantile(rl.imaging.dce_subtraction(series, name, scale="absolute").array, 0.995) for name in shown.images
    ]
    assert shown.window == (0.0, pytest.approx(max(tops)))
    assert {row["window high"] for row in shown.rows()} == {shown.window[1]}
    assert shown.slices == (1, 2)
    assert rl.imaging.dce_montage(series, slices=9, mask=whole).slices == (0, 1, 2, 3)
    assert shown.to_dict()["slices"] == [1, 2]


def test_smoothing_is_within_the_mask(series):
    inside = np.zeros(series.shape, bool)
    inside[:, 2:8, 2:6] = True
    found = rl.imaging.dce_subtraction(series, "early", smoothing=3.0, mask=inside)
    assert (found.array[~inside] == 0).all()
    raw = rl.imaging.dce_subtraction(series, "early", mask=inside)
    assert found.array[inside].std() < raw.array[inside].std()
    assert raw.array[inside].min() < found.array[inside].min() <= found.array[inside].max() < raw.array[inside].max()


@pytest.mark.parametrize(
    ("name", "words"),
    [("middle", "name must be one of early, late"), ("7-0", "must be two frames from 0 to 4"), ("2-2", "two frames")],
)
def test_unknown_images_are_refused(series, name, words):
    with pytest.raises(InputError, match=words):
        rl.imaging.dce_subtraction(series, name)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"images": []}, "images must name at least one"),
        ({"slices": [9]}, "slices must be numbers from 0 to 3"),
        ({"slices": 0}, "slices must be a whole number of at least 1"),
        ({"window": (2.0, 1.0)}, "window must satisfy low < high"),
        ({"scale": "percent"}, "scale must be one of"),
        ({"outlines": {"a": np.ones((2, 2, 2))}}, "outlines must have the shape"),
        ({"smoothing": -1.0}, "smoothing must be 0"),
    ],
)
def test_wrong_montages_are_refused(series, options, words):
    with pytest.raises(InputError, match=words):
        rl.imaging.dce_montage(series, **{"mask": np.ones(series.shape, bool), **options})
