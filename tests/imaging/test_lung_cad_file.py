"""Lung CADs in files: the same numbers back, and one sentence for everything that is none."""

from __future__ import annotations

import json

import numpy as np
import pytest

import roclab as rl
from roclab.analysis.lung_cad.apply import EXAMPLE, example_model
from roclab.errors import FileError
from roclab.imaging.lungs.cad_file import VERSION, read_cad, write_cad
from roclab.imaging.lungs.cad_model import Line
from roclab.imaging.lungs.trees import BoostedTrees


@pytest.fixture(scope="module")
def cad():
    return example_model()


def table(cad, many=50):
    rng = np.random.default_rng(4)
    return rng.uniform(cad.low, cad.high, size=(many, len(cad.features)))


def slow_log_odds(trees, case):
    """One case, one tree, one node at a time."""
    total = trees.base
    for root in trees.root:
        at = int(root)
        while trees.feature[at] >= 0:
            at = int(trees.left[at] if case[trees.feature[at]] <= trees.threshold[at] else trees.right[at])
        total += float(trees.value[at])
    return total


def test_trees_definition(cad):
    ((name, trees),) = cad.members
    assert (name, type(trees)) == ("boosting (none)", BoostedTrees)
    x = table(cad)
    assert trees.log_odds(x) == pytest.approx([slow_log_odds(trees, case) for case in x], rel=1e-12)
    slope, offset = cad.platt
    chance = [1 / (1 + np.exp(-(slope * slow_log_odds(trees, case) + offset))) for case in x]
    assert cad.probability(x) == pytest.approx(chance, rel=1e-9)


def test_a_cad_reopens_exactly(cad, tmp_path):
    path = rl.imaging.write_cad_model(cad, tmp_path / "lung.cad")
    again = rl.imaging.read_cad_model(path)
    assert (again.probability(table(cad)) == cad.probability(table(cad))).all()
    assert again.to_dict() == cad.to_dict()
    assert str(again) == str(cad)
    assert write_cad(again, tmp_path / "again.cad").read_bytes() == path.read_bytes() == EXAMPLE.read_bytes()
    assert "phantom" in again.scans[0].name
    assert "Research use, not a medical device." in str(again)
    assert again.about["use"] == "research use, not a medical device"


@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 0.6, 0.95, 0.999])
def test_a_truncated_file_is_one_sentence(tmp_path, share):
    whole = EXAMPLE.read_bytes()
    (tmp_path / "cut.cad").write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(FileError, match="path must be a model that roclab wrote, .* which is cut short") as caught:
        rl.imaging.read_cad_model(tmp_path / "cut.cad")
    assert "\n" not in str(caught.value)


def rewritten(path, change):
    with np.load(EXAMPLE) as held:
        arrays = dict(held)
    about = json.loads(arrays["about"].tobytes())
    change(arrays, about)
    arrays["about"] = np.frombuffer(json.dumps(about).encode(), dtype=np.uint8)
    with path.open("wb") as out:
        np.savez(out, **arrays)
    return path


def put(arrays, name, at, value):
    arrays[name] = arrays[name].copy()
    arrays[name][at] = value


@pytest.mark.parametrize(
    "change",
    [
        lambda arrays, about: about["features"].append("luck"),
        lambda arrays, about: about.update(features=about["features"][:-1]),
        lambda arrays, about: about.update(members=[]),
        lambda arrays, about: about["members"][0].update(kind="code"),
        lambda arrays, about: about["members"][0].update(base=None),
        lambda arrays, about: about.update(combination="vote"),
        lambda arrays, about: about.update(combination="mean"),
        lambda arrays, about: about.update(platt=[1]),
        lambda arrays, about: about.update(platt=[float("nan"), 1]),
        lambda arrays, about: about.update(scans=[]),
        lambda arrays, about: about["operating"].pop("threshold"),
        lambda arrays, about: about["operating"].update(hack=1),
        lambda arrays, about: about["settings"].update(method="threshold"),
        lambda arrays, about: about["settings"].update(response=-1),
        lambda arrays, about: about.update(performance=[{"a": [1]}]),
        lambda arrays, about: arrays.pop("low"),
        lambda arrays, about: arrays.pop("member0_value"),
        lambda arrays, about: put(arrays, "member0_value", 3, np.inf),
        lambda arrays, about: put(arrays, "member0_left", 0, 10**6),
        lambda arrays, about: put(arrays, "member0_left", 0, 0),  # round in a circle
        lambda arrays, about: put(arrays, "member0_root", 0, -1),
        lambda arrays, about: put(arrays, "member0_feature", 0, 99),
        lambda arrays, about: put(arrays, "malignancy_scale", 0, 0),
        lambda arrays, about: put(arrays, "held_scan", 0, 99),
        lambda arrays, about: arrays.update(held_position=arrays["held_position"][:-1]),
    ],
)
def test_a_damaged_file_is_one_sentence(tmp_path, change):
    path = rewritten(tmp_path / "bad.cad", change)
    with pytest.raises(FileError, match="must be a model that roclab wrote, got bad.cad, which is damaged"):
        read_cad(path)


def test_models_of_another_kind_or_version_are_named(tmp_path):
    path = rewritten(tmp_path / "other.cad", lambda arrays, about: about.update(version=VERSION + 1))
    with pytest.raises(FileError, match=f"must be of version {VERSION}, .* got other.cad of version {VERSION + 1}"):
        read_cad(path)
    made = rl.imaging.phantom_breast(size=(8, 48, 64), lesions=[("malignant", 24.0), ("benign", 22.0)], rng=1)
    dce = rl.imaging.write_dce_model(
        rl.imaging.dce_train(made.as_case("a"), classifier="logistic", rng=3), tmp_path / "dce.npz"
    )
    with pytest.raises(FileError, match=r"got dce.npz, which is roclab DCE model and no roclab lung CAD"):
        read_cad(dce)
    with pytest.raises(FileError, match=r"which is roclab lung CAD and no roclab DCE model"):
        rl.imaging.read_dce_model(EXAMPLE)
    with pytest.raises(FileError, match="model must be a file that exists"):
        read_cad(tmp_path / "none.cad")


def test_a_line_definition():
    line = Line(centre=np.array([1.0, 2.0]), scale=np.array([2.0, 4.0]), weights=np.array([3.0, -1.0]), offset=0.5)
    assert line.log_odds(np.array([[3.0, 10.0]])).tolist() == [1 * 3 - 2 * 1 + 0.5]
