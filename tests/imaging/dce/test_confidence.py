"""The confidence volume: every voxel's curve through the network, in the geometry of the series."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab.errors import InputError
from roclab.imaging.dce import confidence, signal_space
from roclab.imaging.dce.confidence import smoothed
from roclab.imaging.dce.network import Network


@pytest.fixture(scope="module")
def made():
    return rl.imaging.phantom_breast(size=(9, 48, 64), lesions=[("malignant", 24.0), ("benign", 22.0)], rng=1)


@pytest.fixture(scope="module")
def model(made):
    from sklearn.neural_network import MLPClassifier

    return rl.imaging.dce_train(made.as_case("a"), classifier=MLPClassifier((5,), max_iter=8), rng=3)


def slow_confidence(model, curve, baseline, floor):
    """One voxel by hand: relative curve, scaling, layers, sigmoid."""
    point = np.array([(one - baseline) / max(baseline, floor) for one in curve], dtype=float)
    layer = (point - model.network.centre) / model.network.scale
    for at, (weight, offset) in enumerate(zip(model.network.weights, model.network.offsets, strict=True)):
        layer = np.array(
            [sum(layer[i] * weight[i, j] for i in range(len(layer))) + offset[j] for j in range(len(offset))]
        )
        if at + 1 < len(model.network.weights):
            layer = np.array([max(one, 0.0) for one in layer])
    return 1 / (1 + np.exp(-layer[0]))


def test_confidence_definition_voxel_by_voxel(made, model):
    found = rl.imaging.dce_apply(model, made.series)
    inside = found.mask.array
    floor = 0.1 * np.median(made.series.baseline[inside])
    for at in np.argwhere(inside)[::997]:
        z, y, x = at
        exact = slow_confidence(model, made.series.frames[1:, z, y, x], made.series.baseline[z, y, x], floor)
        assert found.volume.array[z, y, x] == pytest.approx(exact, abs=1e-4)  # single precision
    assert (found.volume.array[~inside] == 0).all()
    assert found.volume.same_place(made.series.place)
    assert found.volume.array.dtype == np.float32
    assert [row["confidence above"] for row in found.rows()] == [0.1, 0.25, 0.5, 0.75, 0.9]


def test_slabs_and_workers_change_nothing(made, model, monkeypatch):
    whole = rl.imaging.dce_apply(model, made.series).volume.array
    seen = []
    monkeypatch.setattr(confidence, "slabs", lambda shape: signal_space.slabs(shape, 2 * 48 * 64))
    parts = rl.imaging.dce_apply(model, made.series, workers=2, progress=lambda done, total: seen.append((done, total)))
    assert parts.volume.array == pytest.approx(whole, abs=1e-6)  # matrix products of other heights end differently
    assert seen[-1] == (5, 5)


def test_another_protocol_is_resampled_and_a_short_one_refused(made, model):
    other = rl.imaging.phantom_breast(size=(6, 48, 64), protocol="external", rng=1)
    assert rl.imaging.dce_apply(model, other.series).volume.array.max() > 0
    short = rl.imaging.dce_series(made.series.frames[:4], times=made.series.times[:4], arrival=30.0)
    mask = rl.imaging.dce_mask(made.series).mask.array
    with pytest.raises(InputError, match="series must last 330 s after arrival, .* got 186 s"):
        rl.imaging.dce_apply(model, short, mask=mask)


def test_what_cannot_be_mapped_is_refused(made, model):
    with pytest.raises(InputError, match="series must be a DceSeries"):
        rl.imaging.dce_apply(model, made.truth)
    with pytest.raises(InputError, match="smoothing must be 0 or a finite number"):
        rl.imaging.dce_apply(model, made.series, smoothing=-1)
    with pytest.raises(InputError, match="workers must be"):
        rl.imaging.dce_apply(model, made.series, workers=0)


def test_smoothing_definition_is_a_mean_within_the_mask():
    rng = np.random.default_rng(0)
    image = rng.random((3, 9, 9)).astype(np.float32)
    inside = rng.random((3, 9, 9)) < 0.7
    found = smoothed(image, inside, (4.0, 1.0, 2.0), 1.5)
    at = np.argwhere(inside)
    for z, y, x in at[::17]:
        gaps = (at - [z, y, x]) * np.array([4.0, 1.0, 2.0])
        near = (np.abs(at - [z, y, x]) <= np.array([int(4 * 1.5 / one + 0.5) for one in (4.0, 1.0, 2.0)])).all(axis=1)
        weight = np.exp(-(gaps**2).sum(axis=1) / (2 * 1.5**2)) * near
        exact = (weight * image[inside]).sum() / weight.sum()
        assert found[z, y, x] == pytest.approx(exact, rel=1e-4)
    assert (found[~inside] == 0).all()
    flat = smoothed(np.full((3, 9, 9), 0.25, np.float32), inside, (4.0, 1.0, 2.0), 3.0)
    assert flat[inside] == pytest.approx(0.25)
    assert smoothed(image, inside, (1, 1, 1), 0.0) is image


def test_confidence_goes_out_as_nifti_and_dicom(made, model, tmp_path):
    found = rl.imaging.dce_apply(model, made.series)
    rl.imaging.write_volume(found.volume, tmp_path / "a.nii.gz")
    nifti = rl.imaging.read_volume(tmp_path / "a.nii.gz")
    assert (nifti.array == found.volume.array).all()
    assert nifti.same_place(made.series.place)
    rl.imaging.write_dicom(found.volume, tmp_path / "dicom", description="confidence")
    dicom = rl.imaging.read_volume(tmp_path / "dicom")
    assert dicom.same_place(made.series.place)
    assert dicom.array == pytest.approx(found.volume.array, abs=1 / 65000)
    with pytest.raises(InputError, match="folder must be a folder that is new or empty"):
        rl.imaging.write_dicom(found.volume, tmp_path / "dicom")
    with pytest.raises(InputError, match="folder must be in a directory that exists"):
        rl.imaging.write_dicom(found.volume, tmp_path / "no" / "dicom")
    with pytest.raises(InputError, match="volume must hold finite numbers"):
        rl.imaging.write_dicom(found.volume.with_array(found.volume.array * np.nan), tmp_path / "nan")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["a.nii.gz", "dicom"]


def test_dicom_keeps_a_turned_geometry(tmp_path):
    c, s = np.cos(0.4), np.sin(0.4)
    turned = rl.results.Volume(array=np.random.default_rng(0).random((4, 6, 5)), spacing=(3, 2, 1), origin=(4, -5, 6),
                       direction=(c, 0, s, 0, 1, 0, -s, 0, c))  # fmt: skip
    rl.imaging.write_dicom(turned, tmp_path / "d", modality="MR")
    back = rl.imaging.read_volume(tmp_path / "d")
    assert back.same_place(turned)
    assert back.array == pytest.approx(turned.array, abs=1e-4)
    level = replace(turned, array=np.zeros((4, 6, 5)))
    assert (rl.imaging.read_volume(rl.imaging.write_dicom(level, tmp_path / "e", modality="CT")).array == 0).all()


@pytest.mark.parametrize("activation", ["identity", "relu", "tanh", "logistic"])
def test_activations_definition(activation):
    rng = np.random.default_rng(2)
    weights = (rng.normal(size=(3, 4)), rng.normal(size=(4, 1)))
    offsets = (rng.normal(size=4), rng.normal(size=1))
    network = Network(centre=np.ones(3), scale=np.full(3, 2.0), weights=weights, offsets=offsets, activation=activation)
    points = rng.normal(size=(7, 3))
    bend = {"identity": lambda x: x, "relu": lambda x: np.maximum(x, 0), "tanh": np.tanh,
            "logistic": lambda x: 1 / (1 + np.exp(-x))}[activation]  # fmt: skip
    exact = 1 / (1 + np.exp(-(bend((points - 1) / 2 @ weights[0] + offsets[0]) @ weights[1] + offsets[1])[:, 0]))
    assert network.confidence(points) == pytest.approx(exact, rel=1e-12)
    assert network.hidden == (4,)
