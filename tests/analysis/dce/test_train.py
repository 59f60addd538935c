"""Training from cases: seeded, on one grid, and refusing what teaches nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import roclab as rl
from roclab.errors import FileError, InputError
from roclab.imaging.volumes_in_time import write_in_time

SIZE = (8, 48, 64)
BOTH = [("malignant", 24.0), ("benign", 22.0)]


@pytest.fixture(scope="module")
def cases():
    return [rl.imaging.phantom_breast(size=SIZE, lesions=BOTH, rng=at).as_case(f"p{at}") for at in (1, 2, 3)]


def test_a_seed_gives_the_same_model(cases):
    one, two, other = (rl.imaging.dce_train(cases[:1], hidden=(4,), rng=seed) for seed in (1, 1, 2))
    assert (one.network.weights[0] == two.network.weights[0]).all()
    assert (one.positives == two.positives).all()
    assert (one.network.weights[0] != other.network.weights[0]).any()
    assert one.network.hidden == (4,)
    assert one.seed == "1"


def test_a_model_says_what_it_was_learnt_from(cases):
    model = rl.imaging.dce_train(cases, classifier="logistic", positives=50, ratio=2.0, margin=4.0, rng=1)
    assert [row["case"] for row in model.rows()] == ["p1", "p2", "p3"]
    assert all(0 < row["positives"] <= 50 and row["negatives"] == 2 * row["positives"] for row in model.rows())
    assert model.grid.tolist() == [42.0, 114.0, 186.0, 258.0, 330.0]
    assert "logistic regression on relative curves" in str(model)
    assert "not a medical device" in str(model)
    assert model.to_dict()["margin"] == 4.0


def test_positives_and_negatives_are_told_apart(cases):
    """On the case it learnt from, a lesion is brighter than the rest."""
    model = rl.imaging.dce_train(cases, classifier="logistic", rng=1)
    found = rl.imaging.dce_apply(model, cases[0].series)
    inside, lesion = found.mask.array, cases[0].truth.array > 0
    assert found.volume.array[inside & lesion].mean() > 3 * found.volume.array[inside & ~lesion].mean()


def test_the_plane_of_a_model_shows_its_confidence(cases):
    model = rl.imaging.dce_train(cases[:1], classifier="logistic", rng=1)
    plane = model.plane(30)
    assert plane.confidence.shape == (30, 30)
    assert 0 < plane.share <= 1
    assert len(plane.positives) == len(model.positives)
    middle = np.concatenate([model.positives, model.negatives]).astype(float).mean(axis=0)
    near = np.argmin(np.abs(plane.y)), np.argmin(np.abs(plane.x))
    at_middle = float(model.network.confidence(middle[None])[0])
    assert plane.confidence[near] == pytest.approx(at_middle, abs=0.1)


def test_cases_of_other_protocols_share_a_grid(cases):
    other = rl.imaging.phantom_breast(size=SIZE, lesions=BOTH, protocol="external", rng=5).as_case("e")
    model = rl.imaging.dce_train([cases[0], other], classifier="logistic", rng=1)
    assert model.grid.tolist() == [42.0, 114.0, 186.0, 258.0, 330.0]
    short = rl.imaging.dce_train([other, cases[0]], classifier="logistic", rng=1)  # as far as every case reaches
    assert short.grid[-1] <= 331
    given = rl.imaging.dce_train([cases[0], other], classifier="logistic", grid=(60, 120), rng=1)
    assert given.grid.tolist() == [60.0, 120.0]


def test_leaving_one_out_trains_on_the_others(cases):
    found = rl.imaging.dce_leave_one_out(cases, classifier="logistic", rng=1)
    for case in cases:
        assert {one.name for one in found[case.name].cases} == {one.name for one in cases} - {case.name}
    assert [row["left out"] for row in found.rows()] == ["p1", "p2", "p3"]
    assert "seed 1" in str(found)
    with pytest.raises(InputError, match="case must be one of"):
        found["p9"]
    with pytest.raises(InputError, match="cases must be two or more to leave one out"):
        rl.imaging.dce_leave_one_out(cases[:1])


def with_label(case, array):
    return replace(case, label=case.series.place.with_array(array))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda case: replace(case, label=None), "case 'p1': label must be there to train on a case"),
        (lambda case: with_label(case, np.zeros(SIZE, np.uint8)), "case 'p1': label must mark a voxel, got none"),
        (lambda case: with_label(case, np.ones(SIZE, np.uint8)), "case 'p1': label must leave voxels of the mask"),
        (lambda case: with_label(case, np.full(SIZE, np.nan)), "case 'p1': label must hold finite numbers"),
        (lambda case: replace(case, mask=case.label.with_array(case.label.array == 0)),
         "case 'p1': mask must hold some of the label, got a label that lies outside of it"),
        (lambda case: replace(case, label=replace(case.label, origin=(0, 0, 0))), "label must lie in the same place"),
    ],
)  # fmt: skip
def test_cases_that_teach_nothing_are_refused(cases, change, words):
    with pytest.raises(InputError, match=words) as caught:
        rl.imaging.dce_train(change(cases[0]))
    assert str(caught.value).count("\n") == 0


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"classifier": "forest"}, "classifier must be 'mlp', 'logistic'"),
        ({"hidden": (0,)}, "hidden must be a whole number of at least 1"),
        ({"grid": (60, 400)}, "series must last 400 s after arrival, .* got 330 s"),
        ({"transformation": "pca", "components": 9}, "components must be a whole number of at most 5"),
        ({"positives": 0}, "positives must be"),
    ],
)
def test_options_that_cannot_be_are_refused(cases, options, words):
    with pytest.raises(InputError, match=words):
        rl.imaging.dce_train(cases[0], **options)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ([], "cases must hold at least one case"),
        ([1, 2], "cases must be a DceCase, several of them or a table"),
        ("nowhere.csv", "cases must be a table that exists"),
    ],
)
def test_what_are_no_cases_is_refused(given, words):
    with pytest.raises(InputError, match=words):
        rl.imaging.dce_train(given)


def test_names_are_not_used_twice(cases):
    with pytest.raises(InputError, match="cases must have names of their own, got 'p1' twice"):
        rl.imaging.dce_train([cases[0], cases[0]])


# -- tables ----------------------------------------------------------------------------------------


def test_a_table_of_files_is_the_same_as_the_cases(cases, tmp_path):
    lines = ["case,series,label,truth,arrival,times,mask"]
    for case in cases[:2]:
        write_in_time(case.series.frames, case.series.times, case.series.place, tmp_path / f"{case.name}.nii.gz")
        rl.imaging.write_volume(case.label, tmp_path / f"{case.name}_label.nii.gz")
        rl.imaging.write_volume(case.truth, tmp_path / f"{case.name}_truth.nii.gz")
        lines.append(f"{case.name},{case.name}.nii.gz,{case.name}_label.nii.gz,{case.name}_truth.nii.gz,30,,")
    frames = [rl.imaging.write_volume(cases[2].series.frame(at), tmp_path / f"f{at}.nii.gz").name for at in range(6)]
    lines.append(f"p3,{';'.join(frames)},,,30,0;72;144;216;288;360,")
    table = tmp_path / "cases.csv"
    table.write_text("\n".join(lines) + "\n")
    read = rl.imaging.dce_cases(table)
    assert [one.name for one in read] == ["p1", "p2", "p3"]
    assert (read[2].series.frames == cases[2].series.frames).all()
    assert read[2].label is None
    models = [rl.imaging.dce_train(one, classifier="logistic", rng=1) for one in (read[:2], cases[:2])]
    assert (models[0].network.weights[0] == models[1].network.weights[0]).all()
    assert "case p1: 6 frames" in str(read[0])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("case,sries\na,b\n", "cases must have a column 'series', got case, sries; did you mean 'sries'"),
        ("case,series,age\na,b,3\n", "cases must have no columns but .*, got age"),
        ("case,series\n", "cases must hold at least one case"),
        ("case,series\na,\n", "case 'a': series must name a file"),
        ("case,series\na,none.nii.gz\n", "case 'a': frames must be a file with all frames"),
        ("case,series,times\na,none.nii.gz,1;x\n", "case 'a': times must be seconds with semicolons"),
    ],
)
def test_wrong_tables_are_refused(tmp_path, text, words):
    (tmp_path / "cases.csv").write_text(text)
    with pytest.raises(InputError, match=words):
        rl.imaging.dce_cases(tmp_path / "cases.csv")


def test_a_table_that_is_no_text_is_refused(tmp_path):
    (tmp_path / "cases.csv").write_bytes(b"\xff\xfe\x00\x01" * 10)
    with pytest.raises(FileError, match="cases must be a table in CSV"):
        rl.imaging.dce_cases(tmp_path / "cases.csv")
