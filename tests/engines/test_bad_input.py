"""What an engine cannot count, in one sentence each."""

from __future__ import annotations

import shutil

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.errors import FileError, InputError, MissingValuesError, OneClassError

ASKED = {"label": "y", "score": "s", "engine": "duckdb"}


@pytest.fixture
def place(tmp_path):
    def write(**columns):
        base = {"y": [0, 1, 0, 1], "s": [1.0, 2.0, 3.0, 4.0]}
        path = tmp_path / "x.parquet"
        pl.DataFrame({**base, **columns}).write_parquet(path)
        return str(path)

    return write


@pytest.mark.parametrize(
    ("columns", "kind", "words"),
    [
        ({"y": [0, 1, None, 1]}, MissingValuesError, "gaps in 1 of 4 cases: y lacks 1"),
        ({"s": [1.0, None, 3.0, float("nan")]}, MissingValuesError, "gaps in 2 of 4 cases: s lacks 2"),
        ({"y": [0, 1, 2, 1]}, InputError, "y must hold exactly two classes where none is named, got 3 labels"),
        ({"y": [1, 1, 1, 1]}, OneClassError, "y must hold two classes, got only 1 in 4 cases"),
        ({"y": ["a", "b", "a", "b"]}, InputError, "y must say which label is positive"),
        ({"s": ["1", "x", "3", "4"]}, InputError, "s must be numeric, got text such as '1'"),
        ({"s": [2**60, 2**60 + 1, 0, 1]}, InputError, "s must hold integers of at most 2\\*\\*53"),
    ],
)
def test_values_that_cannot_be_counted(place, columns, kind, words):
    with pytest.raises(kind):
        rl.auc(place(**columns), **{**ASKED, "engine": "memory"})
    with pytest.raises(kind, match=words):
        rl.auc(place(**columns), **ASKED)


def test_gaps_are_dropped_and_counted_when_asked(place):
    path = place(y=[0, 1, None, 1], s=[1.0, 2.0, 3.0, 4.0])
    found = rl.auc(path, missing="drop", **ASKED)
    assert (found.sample.dropped, found.n_pos, found.n_neg) == (1, 2, 1)


def test_decimals_and_booleans_are_numbers(place):
    from decimal import Decimal

    found = rl.auc(place(s=[Decimal("0.10"), Decimal("0.20"), Decimal("0.30"), Decimal("0.40")]), **ASKED)
    assert found.area == 0.75
    assert rl.auc(place(s=[False, True, False, True]), **ASKED).area == 1.0
    many = [Decimal("1.00000000000000000001"), Decimal("1.00000000000000000002"), Decimal(0), Decimal(1)]
    frame = pl.DataFrame({"y": [0, 1, 0, 1]}).with_columns(pl.Series("s", many, pl.Decimal(38, 20)))
    path = place()
    frame.write_parquet(path)
    with pytest.raises(InputError, match="s must be distinguishable in float64"):
        rl.auc(path, **ASKED)


def test_columns_that_do_not_exist_name_close_ones(place):
    with pytest.raises(FileError, match="has no column 'sc'"):
        rl.auc(place(), label="y", score="sc", engine="duckdb")
    with pytest.raises(InputError, match="must name columns"):
        rl.auc(place(), engine="duckdb")


def test_the_unreadable_file_of_a_pattern_is_named(tmp_path):
    for name in "ab":
        pl.DataFrame({"y": [0, 1], "s": [1.0, 2.0]}).write_parquet(tmp_path / f"{name}.parquet")
    (tmp_path / "b.parquet").write_bytes(b"nonsense")
    with pytest.raises(FileError, match="b.parquet"):
        rl.auc(str(tmp_path / "*.parquet"), **ASKED)
    (tmp_path / "c.csv").write_text("y,s\n")
    with pytest.raises(FileError, match="must hold files of one kind"):
        rl.auc(str(tmp_path), **ASKED)
    with pytest.raises(FileError, match="must hold Parquet or CSV files"):
        rl.auc(str(tmp_path / "*.nothing"), **ASKED)


def test_text_cells_that_are_no_numbers(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("y,s\n0,1\n1,abc\n0,3\n1,4\n")
    with pytest.raises(FileError, match="must hold numbers in the column s, got 'abc'"):
        rl.auc(str(path), **ASKED)
    path.write_text("y,s\n0,1\n1,-99\n0,3\n1,4\n1,NA\n")
    found = rl.auc(str(path), missing="drop", na=-99, **ASKED)
    assert (found.sample.dropped, found.n_pos) == (2, 1)


def test_limits_and_bounds_are_checked(place):
    for keyword, words in (
        ({"memory_limit": "much"}, "memory_limit must be a number of bytes"),
        ({"memory_limit": "1MB"}, "memory_limit must be at least 50MB"),
        ({"accuracy": "good"}, "accuracy must be 'exact' or an error"),
        ({"accuracy": 2.0}, "accuracy must be 'exact' or an error"),
        ({"engine": "spark"}, "engine must be one of"),
        ({"engine": "native"}, "engine 'native' is for tables that have an engine"),
        ({"weights": "frequency"}, "weights='frequency' needs sample_weight"),
        ({"folds": "s"}, "folds must hold both classes each"),
    ):
        with pytest.raises(InputError, match=words):
            rl.auc(place(w=[1, 2, 3, 4]), **{**ASKED, **keyword})
    with pytest.raises(InputError, match="engine is for files, databases and lazy tables"):
        rl.auc([0, 1], [1, 2], engine="duckdb")
    assert rl.auc([0, 1], [1, 2], engine="memory", accuracy=1e-6).area == 1.0


def test_no_room_to_sort_is_said_first(place, monkeypatch):
    from roclab.engines import duckdb_backend

    monkeypatch.setattr(duckdb_backend, "_half_of_memory", lambda: 8)
    monkeypatch.setattr(shutil, "disk_usage", lambda folder: shutil._ntuple_diskusage(100, 99, 1))
    with pytest.raises(InputError, match="GB free in"):
        rl.auc(place(), **ASKED)


def test_questions_about_rows_say_so(place):
    for ask in (rl.ranks.mann_whitney, rl.selective):
        with pytest.raises(InputError, match="in memory"):
            ask(place(), **ASKED)
    with pytest.raises(InputError, match="g a: the likelihood must have a maximum"):
        rl.logistic(place(g=["a", "a", "b", "b"]), by="g", **ASKED)
    with pytest.raises(InputError, match="variance|ids|clustered"):
        rl.auc(place(g=["a", "b", "a", "b"]), ids="g", variance="clustered_bootstrap", **ASKED)


def test_a_threshold_inside_a_cell_is_refused_by_a_curve_and_counted_by_the_source(tmp_path, monkeypatch):
    from roclab.engines import duckdb_backend

    monkeypatch.setattr(duckdb_backend, "CELLS", 4)
    rng = np.random.default_rng(1)
    y = rng.random(500) < 0.5
    s = rng.normal(size=500) + y
    pl.DataFrame({"y": y, "s": s}).write_parquet(tmp_path / "x.parquet")
    curve = rl.roc(tmp_path / "x.parquet", **ASKED)
    assert curve.auc().area == rl.auc(y, s).area
    assert curve.tally.score.size < 10
    inside = float(np.sort(s)[60]) + 1e-9
    with pytest.raises(InputError, match="must not lie among scores that an engine counted together"):
        curve.at(threshold=inside)
    assert rl.confusion(tmp_path / "x.parquet", threshold=inside, **ASKED).tp == np.count_nonzero(y & (s >= inside))
    assert rl.cutoff(tmp_path / "x.parquet", **ASKED).threshold == rl.cutoff(y, s).threshold


def test_a_watcher_stops_the_work_and_nothing_is_left(place, tmp_path, monkeypatch):
    from roclab.engines.watching import watched

    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))

    def stop(doing, done, total):
        if total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), watched(stop):
        rl.auc(place(), **ASKED)
    assert not list((tmp_path / "tmp").iterdir())
