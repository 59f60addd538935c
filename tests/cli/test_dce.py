"""``roclab dce``: files in, files out, the same numbers as in Python, and one sentence for what is wrong."""

from __future__ import annotations

import json

import numpy as np
import pytest

import roclab as rl

SIZE = "8,48,64"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Three cases of phantoms, a model of the first two."""
    from click.testing import CliRunner

    from roclab.cli.main import cli

    place = tmp_path_factory.mktemp("dce")
    words = [
        "dce",
        "phantom",
        str(place / "cases"),
        "--cases",
        "3",
        "--size",
        SIZE,
        "--seed",
        "5",
        "--diameters",
        "18,24",
    ]
    assert CliRunner().invoke(cli, words).exit_code == 0
    held = rl.imaging.dce_cases(place / "cases" / "cases.csv")
    rl.imaging.write_dce_model(rl.imaging.dce_train(held[:2], classifier="logistic", rng=1), place / "model.npz")
    return place


def test_phantoms_are_written_with_label_and_truth(folder):
    held = rl.imaging.dce_cases(folder / "cases" / "cases.csv")
    assert [one.name for one in held] == ["phantom01", "phantom02", "phantom03"]
    for one in held:
        assert one.series.shape == (8, 48, 64)
        assert one.series.arrival == 30.0
        assert one.series.times.tolist() == [0, 72, 144, 216, 288, 360]
        assert (one.label.array > 0)[one.truth.array > 0].all()  # dilated
    assert (held[0].series.frames != held[1].series.frames).any()


def test_training_is_that_of_python(shell, folder, tmp_path):
    table = folder / "cases" / "cases.csv"
    said = shell("dce", "train", table, "--classifier", "logistic", "--seed", "1", "-o", tmp_path / "m.npz",
                 "--figure", tmp_path / "space.svg").stdout  # fmt: skip
    model = rl.imaging.dce_train(table, classifier="logistic", rng=1)
    written = rl.imaging.read_dce_model(tmp_path / "m.npz")
    assert (written.network.weights[0] == model.network.weights[0]).all()
    assert said.startswith(str(model))
    assert (tmp_path / "space.svg").read_bytes().startswith(b"<?xml")
    as_json = shell("dce", "train", table, "--classifier", "logistic", "--seed", "1", "--json").stdout
    assert json.loads(as_json) == json.loads(model.to_json())


def test_applying_is_that_of_python(shell, folder, tmp_path):
    series = folder / "cases" / "phantom03_series.nii.gz"
    out = tmp_path / "confidence.nii.gz"
    shell("dce", "apply", folder / "model.npz", series, "--arrival", "30", "-o", out, "--dicom", tmp_path / "dicom",
          "--smoothing", "2", "--overlay", tmp_path / "o.png", "--figure", tmp_path / "f.png",
          "--workers", "2")  # fmt: skip
    held = rl.imaging.dce_series(series, arrival=30)
    exact = rl.imaging.dce_apply(folder / "model.npz", held, smoothing=2)
    written = rl.imaging.read_volume(out)
    assert written.array == pytest.approx(exact.volume.array, abs=1e-6)
    assert written.same_place(held.place)
    assert rl.imaging.read_volume(tmp_path / "dicom").array == pytest.approx(exact.volume.array, abs=1e-4)
    assert (tmp_path / "o.png").stat().st_size > 1000
    assert (tmp_path / "f.png").stat().st_size > 5000
    rl.imaging.write_volume(exact.mask, tmp_path / "mask.nii.gz")
    again = shell("dce", "apply", folder / "model.npz", series, "--arrival", "30", "--breast", tmp_path / "mask.nii.gz",
                  "--smoothing", "2", "--csv").stdout  # fmt: skip
    assert again == exact.to_csv()


def test_frames_may_be_files_of_their_own(shell, folder, tmp_path):
    held = rl.imaging.dce_series(folder / "cases" / "phantom03_series.nii.gz", arrival=30)
    files = [rl.imaging.write_volume(held.frame(at), tmp_path / f"{at}.nii.gz") for at in range(6)]
    one = shell("dce", "apply", folder / "model.npz", *files, "--times", "0,72,144,216,288,360", "--arrival", "30",
                "--csv").stdout  # fmt: skip
    two = shell("dce", "apply", folder / "model.npz", folder / "cases" / "phantom03_series.nii.gz", "--arrival", "30",
                "--csv").stdout  # fmt: skip
    assert one == two
    moved = shell("dce", "apply", folder / "model.npz", *files, "--times", "0,72,144,216,288,360", "--arrival", "30",
                  "--register").stdout  # fmt: skip
    assert "registered by translation" in moved


def test_evaluation_is_that_of_python(shell, folder, tmp_path):
    table = folder / "cases" / "cases.csv"
    words = ("dce", "evaluate", table, "--images", "early,late", "--level", "0.9", "--seed", "1")
    found = rl.imaging.dce_evaluate(table, images=["early", "late"], level=0.9)
    text = shell(*words).stdout
    assert str(found) in text
    assert str(found.compare("CNR", first="early")) in text
    parts = json.loads(shell(*words, "--json").stdout)["results"]
    assert parts["images"] == json.loads(found.to_json())
    cut = found.threshold("early", sensitivity=0.7)
    more = shell(*words, "--sensitivity", "0.7", "--figure", tmp_path / "c.svg").stdout
    assert f"early above {cut:.4g}" in more
    assert (tmp_path / "c.svg").stat().st_size > 5000
    assert "FROC by lesion" in shell(*words, "--cost-fp", "1", "--cost-fn", "30").stdout
    assert (
        "late" not in shell("dce", "evaluate", table, "--images", "early", "--threshold", "0.5", "--seed", "1").stdout
    )


def test_evaluation_of_models(shell, folder, tmp_path):
    table = folder / "cases" / "cases.csv"
    lines = table.read_text().splitlines()
    other = folder / "cases" / "third.csv"
    other.write_text("\n".join([lines[0], lines[3]]) + "\n")
    text = shell("dce", "evaluate", other, "--model", folder / "model.npz", "--seed", "1").stdout
    assert "model" in text
    assert "one case" in text
    apart = shell("dce", "evaluate", table, "--leave-one-out", "--classifier", "logistic", "--seed", "1").stdout
    assert "logistic  " in apart
    assert shell.error("dce", "evaluate", table, "--model", folder / "model.npz").startswith(
        "--model must be trained on other cases than they are tested on, got 'phantom01' in both"
    )


def test_montage_is_that_of_python(shell, folder, tmp_path):
    series = folder / "cases" / "phantom03_series.nii.gz"
    out = tmp_path / "m.png"
    text = shell("dce", "montage", series, "--arrival", "30", "--slices", "2,4", "--images", "early,5-1", "-o", out,
                 "--with-model", folder / "model.npz", "--window", "0,2").stdout  # fmt: skip
    assert "5-1" in text
    assert out.read_bytes().startswith(b"\x89PNG")
    held = rl.imaging.dce_series(series, arrival=30)
    found = rl.imaging.dce_montage(held, images=["early", "5-1"], slices=[2, 4], window=(0, 2))
    same = shell("dce", "montage", series, "--arrival", "30", "--slices", "2,4", "--images", "early,5-1", "--window",
                 "0,2", "--csv").stdout  # fmt: skip
    assert same == found.to_csv()


def test_an_arrival_that_was_found_is_told(shell, folder):
    assert "was found in the images" in shell("dce", "montage", folder / "cases" / "phantom03_series.nii.gz").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["dce", "apply", "{model}", "{one}", "--times", "0"], "SERIES must be a file of four axes"),
        (["dce", "apply", "{model}", "{series}", "--arrival", "30", "--times", "0,10,20,30,40,50"],
         "SERIES must last 330 s after arrival, as long as the model's time grid, got 20 s"),
        (["dce", "apply", "{table}", "{series}"], "MODEL must be a model that roclab wrote, got cases.csv"),
        (["dce", "apply", "{cut}", "{series}"], "MODEL must be a model that roclab wrote, got cut.npz"),
        (["dce", "apply", "{model}", "{one}", "{other}", "--times", "0,60"], "SERIES must have one geometry"),
        (["dce", "apply", "{model}", "{one}", "{one}", "--times", "0,60"], "SERIES must show contrast agent arriving"),
        (["dce", "apply", "{model}", "{series}", "-o", "a.txt"], "--out must end in .nii"),
        (["dce", "apply", "{model}", "{series}", "--dicom", "{cases}"], "--dicom must be a folder that is new"),
        (["dce", "apply", "{model}", "{series}", "--arrival", "30", "--breast", "{empty}"], "--breast must hold"),
        (["dce", "phantom", "{cases}"], "FOLDER must be a folder that is new or empty"),
        (["dce", "phantom", "{cases}/no/such"], "FOLDER must be in a directory that exists"),
        (["dce", "train", "{model}"], "CASES must be a table in CSV"),
        (["dce", "train", "nowhere.csv"], "CASES must be a table that exists"),
        (["dce", "evaluate", "{table}", "--partial", "x"], "--partial must be numbers with commas"),
        (["dce", "montage", "{series}", "--arrival", "30", "--images", "middle"], "--images must be one of early"),
        (["dce", "montage", "{series}", "-o", "m.txt"], "--out must end in .svg, .pdf or .png"),
        (["dce", "tain"], "there is no command 'tain'; did you mean 'train'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(shell, folder, tmp_path, monkeypatch, words, said):
    monkeypatch.chdir(tmp_path)
    series = rl.imaging.dce_series(folder / "cases" / "phantom03_series.nii.gz", arrival=30)
    places = {
        "model": folder / "model.npz", "table": folder / "cases" / "cases.csv", "cases": folder / "cases",
        "series": folder / "cases" / "phantom03_series.nii.gz", "one": tmp_path / "one.nii.gz",
        "other": tmp_path / "other.nii.gz", "cut": tmp_path / "cut.npz", "empty": tmp_path / "empty.nii.gz",
    }  # fmt: skip
    rl.imaging.write_volume(series.frame(0), places["one"])
    rl.imaging.write_volume(rl.results.Volume(array=np.ones((3, 4, 5), np.float32)), places["other"])
    rl.imaging.write_volume(series.place.with_array(np.zeros(series.shape, np.uint8)), places["empty"])
    places["cut"].write_bytes(places["model"].read_bytes()[:300])
    error = shell.error(*(word.format(**places) for word in words))
    assert error.startswith(said)
    assert error.count("\n") <= 1


def test_a_folder_of_all_phases_is_a_series(shell, tmp_path):
    shell("dce", "phantom", tmp_path / "c", "--cases", "2", "--size", SIZE, "--seed", "5", "--as-dicom")
    said = shell("dce", "train", tmp_path / "c" / "cases.csv", "--classifier", "logistic", "--seed", "1",
                 "-o", tmp_path / "m.npz").stdout  # fmt: skip
    assert "phantom02" in said
    folder = tmp_path / "c" / "phantom01_series"
    said = shell("dce", "apply", tmp_path / "m.npz", folder, "--arrival", "30", "--threshold", "0.4", "--smallest", "0",
                 "--overlay", tmp_path / "o.png").stdout  # fmt: skip
    assert "told apart by TemporalPositionIdentifier, times by AcquisitionTime: 0, 72, 144, 216, 288, 360 s" in said
    assert "of confidence 0.4 or more" in said
    assert shell("dce", "apply", tmp_path / "m.npz", folder, "--series", "9", code=2).stderr.startswith(
        "Error: --series must be the UID or number of one in the folder"
    )


def test_dicom_objects_of_suspicious_regions(shell, tmp_path):
    pytest.importorskip("highdicom")
    shell("dce", "phantom", tmp_path / "c", "--cases", "2", "--size", SIZE, "--seed", "5", "--as-dicom")
    shell("dce", "train", tmp_path / "c" / "cases.csv", "--classifier", "logistic", "-o", tmp_path / "m.npz")
    said = shell("dce", "apply", tmp_path / "m.npz", tmp_path / "c" / "phantom01_series", "--arrival", "30",
                 "--threshold", "0.2", "--seg", tmp_path / "s.dcm", "--sr", tmp_path / "r.dcm",
                 "--rtstruct", tmp_path / "t.dcm").stdout  # fmt: skip
    for what in ("segments", "contours", "report"):
        assert f"{what} written to" in said
    refused = shell("dce", "apply", tmp_path / "m.npz", "phantom", "--seg", tmp_path / "x.dcm", code=2).stderr
    assert refused.startswith("Error: --seg belongs to one folder of DICOM that is searched, got phantom")
