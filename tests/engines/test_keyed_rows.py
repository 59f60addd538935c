"""The bootstrap by ids on engines: the replicates of memory from every place."""

from __future__ import annotations

import shutil

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.engines import narwhals_backend
from roclab.errors import InputError

N = 300
ASKED = {
    "label": "y", "score": ["s", "t"], "ids": "id", "direction": {"t": "lower"}, "rng": 3,
    "resampling": rl.Resampling(replicates=50, scheme="poisson"),
}  # fmt: skip


def cases(words=False, each=2):
    rng = np.random.default_rng(6)
    y = (rng.random(N) < 0.4).astype(int)
    ids = np.arange(N) // each
    return pl.DataFrame(
        {"y": y, "s": np.round(rng.normal(size=N) + y, 1), "t": -rng.normal(size=N) - y,
         "id": np.char.mod("patient é %d", ids) if words else ids, "f": ids + 0.5}
    )  # fmt: skip


@pytest.mark.parametrize("each", [1, 2])
@pytest.mark.parametrize("words", [False, True])
def test_replicates_are_those_of_memory_from_every_place(tmp_path, words, each):
    frame = cases(words, each)
    variance = "bootstrap" if each == 1 else "clustered_bootstrap"
    known = rl.compare(frame, variance=variance, **ASKED)
    mixed = frame.sample(fraction=1, shuffle=True, seed=1)
    mixed.write_parquet(tmp_path / "x.parquet", row_group_size=70)
    mixed.write_csv(tmp_path / "x.csv")
    lazy = pl.scan_parquet(tmp_path / "x.parquet")
    for source, engine in ((lazy, "duckdb"), (lazy, "native"), (str(tmp_path / "x.csv"), "duckdb")):
        found = rl.compare(source, variance=variance, engine=engine, **ASKED)
        assert found.covariance.tolist() == known.covariance.tolist()
        assert [list(one.interval) for one in found.pairs] == [list(one.interval) for one in known.pairs]


@pytest.mark.parametrize("engine", ["duckdb", "native"])
def test_ids_that_are_written_otherwise_elsewhere_are_refused(tmp_path, engine, monkeypatch):
    cases().write_parquet(tmp_path / "x.parquet")
    there = pl.scan_parquet(tmp_path / "x.parquet")
    with pytest.raises(InputError, match="f must hold whole numbers or words"):
        rl.compare(there, variance="clustered_bootstrap", engine=engine, **{**ASKED, "ids": "f"})
    with pytest.raises(InputError, match="variance that draws cases one after another .* the scheme 'poisson'"):
        rl.compare(there, label="y", score=["s", "t"], variance="bootstrap", engine=engine)
    monkeypatch.setattr(narwhals_backend, "MOST_FETCHED", 10)
    if engine == "native":
        with pytest.raises(InputError, match="at most 10, got 300"):
            rl.compare(there, variance="clustered_bootstrap", engine=engine, **ASKED)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs a Java runtime, and there is none here")
def test_spark_has_the_replicates_of_memory(spark, tmp_path):
    cases(words=True).write_parquet(tmp_path / "x.parquet")
    table = spark.read.parquet(str(tmp_path / "x.parquet")).repartition(3)
    found = rl.compare(table, variance="clustered_bootstrap", engine="native", **ASKED)
    known = rl.compare(cases(words=True), variance="clustered_bootstrap", **ASKED)
    assert found.covariance.tolist() == known.covariance.tolist()
