"""A name that was found is read as it is: brackets, stars and question marks in it are no pattern any more."""

from __future__ import annotations

import os

import numpy as np
import pytest

import roclab as rl
from roclab.errors import FileError

pl = pytest.importorskip("polars", reason="polars is not installed")
pytest.importorskip("duckdb", reason="the extra roclab[engines] is not installed")

# Each name with one that it would match as a pattern, as browsers and mail programs name second downloads.
PAIRS = [("scores[1]", "scores1"), ("st*r", "star"), ("wh?t", "what"), ("a[!b]c", "axc"), ("{a,b}", "a"),
         ("**", "deep"), ("b\\1", "b1"), ("[[]", "["), ("it's", "its"), ("~", "home"), ("s3:x", "x"),
         ("%41", "A"), ("p=1", "q=2")]  # fmt: skip
ENGINES = [None, "memory", "duckdb"]
KINDS = ["csv", "parquet"]


def cases(seed, shift):
    rng = np.random.default_rng(seed)
    y = np.arange(200) % 2
    return pl.DataFrame({"y": y, "s": np.round(rng.normal(size=200) + shift * y, 6)})


def area(frame):
    return rl.auc(frame["y"].to_numpy(), frame["s"].to_numpy()).area


def write(frame, path, kind):
    with open(path, "wb") as stream:  # Polars takes names for patterns too
        (frame.write_csv if kind == "csv" else frame.write_parquet)(stream)


@pytest.fixture(params=[(pair, kind) for pair in PAIRS for kind in KINDS], ids=str)
def two_files(request, tmp_path):
    (name, other), kind = request.param
    if os.name == "nt" and set(name) & set('*?:\\"<>|'):
        pytest.skip("Windows has no such names")
    mine, theirs = cases(1, 1.2), cases(2, 0.0)
    write(mine, tmp_path / f"{name}.{kind}", kind)
    write(theirs, tmp_path / f"{other}.{kind}", kind)
    return tmp_path, f"{name}.{kind}", kind, mine, theirs


@pytest.mark.parametrize("engine", ENGINES)
def test_one_file_is_the_one_that_was_named(two_files, engine, monkeypatch):
    folder, name, _, mine, _ = two_files
    asked = {"label": "y", "score": "s", **({} if engine is None else {"engine": engine})}
    found = rl.auc(folder / name, **asked)
    assert (found.sample.n_pos, found.area) == (100, pytest.approx(area(mine), abs=1e-12))
    monkeypatch.chdir(folder)
    assert rl.auc(name, **asked).area == found.area


@pytest.mark.parametrize("engine", ENGINES)
def test_every_file_of_a_folder_or_pattern_is_read_once(two_files, engine):
    folder, _, kind, mine, theirs = two_files
    known = area(pl.concat([mine, theirs]))
    for place in (folder, f"{folder}/*.{kind}"):
        found = rl.auc(place, label="y", score="s", **({} if engine is None else {"engine": engine}))
        assert (found.sample.n_pos, found.area) == (200, pytest.approx(known, abs=1e-12))


@pytest.mark.parametrize("engine", ENGINES)
def test_folders_with_such_names_are_no_patterns(tmp_path, engine):
    for name, shift in (("run[1]", 1.2), ("run1", 0.0)):
        (tmp_path / name).mkdir()
        write(cases(3, shift), tmp_path / name / "x.csv", "csv")
    found = rl.auc(tmp_path / "run[1]", label="y", score="s", **({} if engine is None else {"engine": engine}))
    assert found.area == pytest.approx(area(cases(3, 1.2)), abs=1e-12)


def test_names_that_duckdb_cannot_be_told_get_a_sentence(tmp_path):
    if os.name == "nt":
        pytest.skip("Windows has no such names")
    path = tmp_path / "b\\[1].csv"
    write(cases(4, 1.0), path, "csv")
    assert rl.auc(path, label="y", score="s").area == pytest.approx(area(cases(4, 1.0)), abs=1e-12)
    with pytest.raises(FileError, match="must have a name that DuckDB can be told, got a backslash beside one of"):
        rl.auc(path, label="y", score="s", engine="duckdb")


def test_names_that_look_like_addresses_are_files(tmp_path, monkeypatch):
    if os.name == "nt":
        pytest.skip("Windows has no such names")
    monkeypatch.chdir(tmp_path)
    made = rl.tally(cases(5, 1.0), label="y", score="s", path="s3:x.tally")
    assert rl.merge("s3:x.tally").rows() == made.rows()
    with pytest.raises(FileError, match="does not exist"):
        rl.merge("s3://roclab.invalid/x.tally")
