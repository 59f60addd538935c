"""Models in files: the same numbers back, and one sentence for everything that is no model."""

from __future__ import annotations

import io
import json
import pickle
import zipfile

import numpy as np
import pytest

import roclab as rl
from roclab.errors import FileError
from roclab.imaging.dce.model_file import VERSION


@pytest.fixture(scope="module")
def made():
    return rl.imaging.phantom_breast(size=(8, 48, 64), lesions=[("malignant", 24.0), ("benign", 22.0)], rng=1)


@pytest.fixture(scope="module", params=["relative", "unit_norm", "pca"])
def model(made, request):
    from sklearn.neural_network import MLPClassifier

    quick = MLPClassifier((6, 4), max_iter=8, activation="tanh" if request.param == "pca" else "relu")
    return rl.imaging.dce_train(made.as_case("a"), classifier=quick, transformation=request.param, rng=3)


def arrays_of(path):
    with np.load(path) as held:
        return dict(held)


def test_a_model_reopens_exactly(model, made, tmp_path):
    path = rl.imaging.write_dce_model(model, tmp_path / "model.npz")
    again = rl.imaging.read_dce_model(path)
    for one, two in zip(model.network.weights, again.network.weights, strict=True):
        assert (one == two).all()
        assert one.dtype == two.dtype
    assert again.to_dict() == model.to_dict()
    assert (again.positives == model.positives).all()
    assert again.cases == model.cases
    assert again.about == model.about
    first, second = (rl.imaging.dce_apply(one, made.series).volume.array for one in (model, again))
    assert (first == second).all()  # bit for bit
    assert first.max() > 0
    assert rl.imaging.write_dce_model(again, tmp_path / "again.npz").read_bytes() == path.read_bytes()
    assert str(again) == str(model)


def test_a_file_runs_nothing(model, tmp_path):
    """What a pickle would run on opening is refused unopened."""
    struck = tmp_path / "struck"

    class Trap:
        def __reduce__(self):
            return (open, (str(struck), "w"))

    path = rl.imaging.write_dce_model(model, tmp_path / "model.npz")
    arrays = arrays_of(path)
    arrays["weight0"] = np.array([Trap()], dtype=object)
    out = io.BytesIO()
    np.savez(out, **arrays)
    path.write_bytes(out.getvalue())
    with pytest.raises(FileError, match="must be a model that roclab wrote"):
        rl.imaging.read_dce_model(path)
    (tmp_path / "bare.npz").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(FileError, match="must be a model that roclab wrote"):
        rl.imaging.read_dce_model(tmp_path / "bare.npz")
    assert not struck.exists()


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.6, 0.95, 0.999])
def test_a_truncated_file_is_one_sentence(model, tmp_path, share):
    path = rl.imaging.write_dce_model(model, tmp_path / "model.npz")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(FileError, match="path must be a model that roclab wrote, .* which is cut short") as caught:
        rl.imaging.read_dce_model(path)
    assert "\n" not in str(caught.value)


def rewritten(path, change):
    arrays = arrays_of(path)
    about = json.loads(arrays["about"].tobytes())
    change(arrays, about)
    if "about" in arrays:
        arrays["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    np.savez(path, **arrays)
    return path


def test_a_model_of_another_version_is_refused(model, tmp_path):
    path = rl.imaging.write_dce_model(model, tmp_path / "model.npz")
    rewritten(path, lambda arrays, about: about.update(version=VERSION + 1))
    with pytest.raises(
        FileError, match=f"path must be of version {VERSION}, .* got model.npz of version {VERSION + 1}"
    ):
        rl.imaging.read_dce_model(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda arrays, about: about.update(kind="cake"),
        lambda arrays, about: about.update(layers=9),
        lambda arrays, about: about.update(layers=0),
        lambda arrays, about: about.update(activation="exec"),
        lambda arrays, about: about.update(transformation="log"),
        lambda arrays, about: about.pop("cases"),
        lambda arrays, about: about.update(cases=3),
        lambda arrays, about: arrays.pop("weight0"),
        lambda arrays, about: arrays.pop("about"),
        lambda arrays, about: arrays.update(weight0=arrays["weight0"][:-1]),
        lambda arrays, about: arrays.update(weight0=arrays["weight0"] * np.nan),
        lambda arrays, about: arrays.update(weight0=arrays["weight0"].astype(np.float32)),
        lambda arrays, about: arrays.update(grid=arrays["grid"][::-1].copy()),
        lambda arrays, about: arrays.update(input_scale=0 * arrays["input_scale"]),
        lambda arrays, about: arrays.update(positives=arrays["positives"][:, :1]),
    ],
)
def test_a_damaged_model_is_refused(model, tmp_path, change):
    path = rewritten(rl.imaging.write_dce_model(model, tmp_path / "model.npz"), change)
    with pytest.raises(FileError, match="path must be a model that roclab wrote, got model.npz, which is"):
        rl.imaging.read_dce_model(path)


def test_other_files_are_no_models(tmp_path):
    with pytest.raises(FileError, match="path must be a file that exists"):
        rl.imaging.read_dce_model(tmp_path / "none.npz")
    np.save(tmp_path / "one.npy", np.ones(3))
    with pytest.raises(FileError, match="must be a model that roclab wrote"):
        rl.imaging.read_dce_model(tmp_path / "one.npy")
    with zipfile.ZipFile(tmp_path / "text.npz", "w") as held:
        held.writestr("about.npy", "words")
    with pytest.raises(FileError, match="must be a model that roclab wrote"):
        rl.imaging.read_dce_model(tmp_path / "text.npz")


def test_a_place_that_cannot_be_written_is_refused(model, tmp_path):
    with pytest.raises(FileError, match="must be in a directory that exists"):
        rl.imaging.write_dce_model(model, tmp_path / "no" / "model.npz")
