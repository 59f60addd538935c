"""Models that are fitted where the rows are: only sums of every step leave the engine."""

from __future__ import annotations

import shutil

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.engines import duckdb_backend
from roclab.errors import InputError

ASKED = {"label": "y", "score": ["s", "t"]}


def cases(n=900):
    rng = np.random.default_rng(5)
    y = (rng.random(n) < 0.4).astype(int)
    return pl.DataFrame(
        {"y": y, "s": 2000 + 3 * rng.normal(size=n) + y, "t": 1e-4 * (rng.normal(size=n) - y), "u": rng.random(n) < 0.5,
         "p": 1 / (1 + np.exp(-rng.normal(size=n) - y)), "id": np.arange(n) // 2}
    )  # fmt: skip


def places(folder):
    mixed = cases().sample(fraction=1, shuffle=True, seed=1)
    mixed.write_parquet(folder / "x.parquet", row_group_size=100)
    mixed.write_csv(folder / "x.csv")
    lazy = pl.scan_parquet(folder / "x.parquet")
    return [(lazy, "duckdb"), (lazy, "native"), (str(folder / "x.csv"), "duckdb")]


@pytest.mark.parametrize("more", [{}, {"intercept": False}, {"score": ["s", "t", "u"]}])
def test_a_regression_has_the_coefficients_of_memory(tmp_path, more):
    asked = {**ASKED, **more}
    known = rl.logistic(cases(), **asked)
    digits = set()
    for data, engine in places(tmp_path):
        if "u" in asked["score"] and str(data).endswith("csv"):
            continue  # words of a text file are no numbers
        found = rl.logistic(data, engine=engine, **asked)
        assert found.fit.names == known.fit.names
        # columns of 2000 and of 1e-4 beside each other leave Newton's equations nine digits
        assert found.fit.coefficients == pytest.approx(known.fit.coefficients, rel=1e-7)
        assert found.fit.standard_errors == pytest.approx(known.fit.standard_errors, rel=1e-7)
        assert found.fit.log_likelihood == pytest.approx(known.fit.log_likelihood, rel=1e-12)
        assert found.area.area == pytest.approx(known.area.area, abs=1e-12)
        assert found.apply({"s": [2001], "t": [0], "u": [1]}).probability == pytest.approx(
            known.apply({"s": [2001], "t": [0], "u": [1]}).probability, rel=1e-6
        )
        if engine == "duckdb":
            digits.add(repr(found.fit.coefficients.tolist()))
    assert len(digits) == 1


@pytest.mark.parametrize("engine", ["duckdb", "native"])
def test_what_a_regression_on_an_engine_has_no_part_in(tmp_path, engine):
    cases().with_columns(twice=pl.col("s") * 2, apart=pl.col("y") * 1.0).write_parquet(tmp_path / "x.parquet")
    there = pl.scan_parquet(tmp_path / "x.parquet")
    for more, words in (
        ({"penalty": "firth"}, "penalty has no part in a regression on an engine"),
        ({"optimism": True}, "optimism has no part"),
        ({"ids": "id"}, "ids has no part"),
        ({"sample_weight": "p"}, "sample_weight has no part in regressions"),
        ({"score": ["s", "twice"]}, "columns must be linearly independent"),
        ({"score": ["s", "apart"]}, "the likelihood must have a maximum, but is flat"),
        ({"score": ["s", "none"]}, "has no column 'none'"),
    ):
        with pytest.raises(InputError, match=words):
            rl.logistic(there, engine=engine, **{**ASKED, **more})
    with pytest.raises(InputError, match="cases with their probabilities must be in memory"):
        rl.logistic(there, engine=engine, **ASKED).scored()


@pytest.mark.parametrize("engine", ["duckdb", "native"])
@pytest.mark.parametrize("method", ["platt", "isotonic"])
def test_recalibration_from_counts(tmp_path, monkeypatch, engine, method):
    frame = cases().with_columns(pl.col("p").round(2))
    frame.write_parquet(tmp_path / "x.parquet")
    there = pl.scan_parquet(tmp_path / "x.parquet")
    asked = {"label": "y", "score": "p", "method": method}
    found, known = rl.recalibrate(there, engine=engine, **asked), rl.recalibrate(frame, **asked)
    assert found.apply([0.1, 0.5, 0.9]) == pytest.approx(known.apply([0.1, 0.5, 0.9]), rel=1e-9)
    assert found.calibration.brier == pytest.approx(known.calibration.brier, rel=1e-9)
    assert "apply" in str(found)
    with pytest.raises(InputError, match="folds need the rows in memory"):
        rl.recalibrate(there, engine=engine, folds="u", **asked)
    monkeypatch.setattr(duckdb_backend, "CELLS", 20)
    cases().write_parquet(tmp_path / "fine.parquet")
    if engine == "duckdb":
        assert "cells" in str(rl.recalibrate(tmp_path / "fine.parquet", engine=engine, **asked))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs a Java runtime, and there is none here")
def test_a_regression_on_spark(spark, tmp_path):
    cases().write_parquet(tmp_path / "x.parquet")
    found = rl.logistic(spark.read.parquet(str(tmp_path / "x.parquet")).repartition(3), engine="native", **ASKED)
    known = rl.logistic(cases(), **ASKED)
    assert found.fit.coefficients == pytest.approx(known.fit.coefficients, rel=1e-7)
    assert found.area.area == pytest.approx(known.area.area, abs=1e-12)
