"""More groups than are counted one by one: all of them in one pass, with the digits of memory."""

from __future__ import annotations

import shutil

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.engines import many_groups, remote, source_groups
from roclab.errors import InputError, MissingValuesError

N = 900
ASKED = {"label": "y", "score": "s"}
COLUMNS = {
    "whole": lambda group: {"g": group - 20},
    "words": lambda group: {"g": np.char.add("shop ", group.astype(str))},
    "two": lambda group: {"g": group, "h": np.where(group % 3 == 0, "a", "b")},
    "dates": lambda group: {"g": np.datetime64("2026-01-01") + group.astype("timedelta64[D]")},
}


def cases(kind="whole", seed=4):
    rng = np.random.default_rng(seed)
    y = (rng.random(N) < 0.4).astype(int)
    return pl.DataFrame({"y": y, "s": np.round(rng.normal(size=N) + y, 1), **COLUMNS[kind](rng.integers(0, 60, N))})


@pytest.fixture(autouse=True)
def few_parts(monkeypatch):
    for module in (source_groups, remote):
        monkeypatch.setattr(module, "MOST_PARTS", 10)
    monkeypatch.setattr(many_groups, "_BATCH", 37)


def check(found, known):
    assert found.groups == known.groups
    for name in ("n_pos", "n_neg", "area", "standard_error", "low", "high"):
        # limits come from a search that ends within 1e-10 on the probit scale
        assert getattr(found, name).tolist() == pytest.approx(getattr(known, name).tolist(), abs=1e-8, nan_ok=True)
    assert found.heterogeneity.p_value == pytest.approx(known.heterogeneity.p_value, rel=1e-9)
    assert "in all groups at once" in str(found)


@pytest.mark.parametrize("engine", ["duckdb", "native"])
@pytest.mark.parametrize("kind", COLUMNS)
@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_all_groups_in_one_pass_are_those_of_memory(tmp_path, engine, kind, direction):
    frame = cases(kind)
    by = ["g", "h"] if kind == "two" else "g"
    frame.sample(fraction=1, shuffle=True, seed=2).write_parquet(tmp_path / "x.parquet")
    there = pl.scan_parquet(tmp_path / "x.parquet")
    found = rl.auc(there, by=by, engine=engine, direction=direction, **ASKED)
    check(found, rl.auc(frame, by=by, direction=direction, **ASKED))


def test_text_files_and_third_labels(tmp_path):
    frame = cases("words").with_columns(y=pl.when(pl.int_range(N) % 7 == 0).then(2).otherwise(pl.col("y")))
    frame.write_csv(tmp_path / "x.csv")
    asked = {**ASKED, "by": "g", "pos_label": 1, "neg_label": 0}
    check(rl.auc(str(tmp_path / "x.csv"), engine="duckdb", **asked), rl.auc(frame, **asked))


@pytest.mark.parametrize("engine", ["duckdb", "native"])
def test_what_many_groups_are_not_asked(tmp_path, engine):
    frame = cases().with_columns(g=pl.when(pl.int_range(N) < 3).then(None).otherwise(pl.col("g")))
    frame.write_parquet(tmp_path / "x.parquet")
    there = pl.scan_parquet(tmp_path / "x.parquet")
    asked = {"by": "g", "engine": engine, **ASKED}
    with pytest.raises(MissingValuesError, match="g lacks 3"):
        rl.auc(there, **asked)
    with pytest.raises(InputError, match="by must have no gaps where it makes more than 10 groups, got 3 rows"):
        rl.auc(there, missing="drop", **asked)
    cases().write_parquet(tmp_path / "x.parquet")
    for ask in (rl.cutoff, lambda *data, **more: rl.auc(*data, estimator="tauc", **more)):
        with pytest.raises(InputError, match="at most 10 groups for this question"):
            ask(there, **asked)
    found = rl.auc(there, **asked)
    frames = list(found.frames(25, "polars"))
    assert [frame.height for frame in frames] == [25, 25, len(found) - 50]
    assert pl.concat(frames)["low"].equals(found.to_frame("polars")["low"])
    with pytest.raises(InputError, match="size must be a number of groups, at least 1, got 0"):
        next(found.frames(0))
    with pytest.raises(InputError, match="is one of so many that they were counted together, got g -20 has area"):
        found[-20]


def test_a_table_that_changes_is_noticed(tmp_path, monkeypatch):
    cases().write_parquet(tmp_path / "x.parquet")
    whole = many_groups._by_duckdb

    def later(*asked):
        cases(seed=5)[:500].write_parquet(tmp_path / "x.parquet")
        return whole(*asked)

    monkeypatch.setattr(many_groups, "_by_duckdb", later)
    with pytest.raises(InputError, match="must not change while it is counted, got 900 cases"):
        rl.auc(str(tmp_path / "x.parquet"), by="g", engine="duckdb", **ASKED)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs a Java runtime, and there is none here")
def test_many_groups_on_spark(spark, tmp_path):
    frame = cases("two")
    frame.write_parquet(tmp_path / "x.parquet")
    found = rl.auc(
        spark.read.parquet(str(tmp_path / "x.parquet")).repartition(3), by=["g", "h"], engine="native", **ASKED
    )
    check(found, rl.auc(frame, by=["g", "h"], **ASKED))
