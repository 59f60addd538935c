"""The table of engines, cell by cell: every engine is asked every question, and does what the table says."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.engines import duckdb_backend, narwhals_backend, remote, source_groups
from roclab.engines.support import ENGINES, QUESTIONS, engines_table
from tests.conftest import HERE
from tests.engines.questions import ASK, asked_of, cases

JAVA = pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs a Java runtime, and there is none here")
SPARK = [JAVA, pytest.mark.nightly]  # what users ask most of it, test_spark asks every time
HERE_ENGINES = [name for name in ENGINES if name not in ("memory", "Spark Connect")]


@pytest.fixture(autouse=True)
def few_cells(monkeypatch):
    """So few cells that scores are joined in them, as they are among millions of cases."""
    monkeypatch.setattr(duckdb_backend, "CELLS", 16)
    monkeypatch.setattr(duckdb_backend, "_FEW", 5)
    monkeypatch.setattr(narwhals_backend, "_BINS", 64)
    for module in (source_groups, remote):
        monkeypatch.setattr(module, "MOST_PARTS", 20)


@pytest.fixture(scope="module")
def memory():
    return asked_of(cases(), QUESTIONS)


def source_of(engine, folder, spark):
    import duckdb
    import pyarrow.dataset

    path = str(folder / "x.parquet")
    cases().write_parquet(path)
    if engine == "Ibis":
        ibis = pytest.importorskip("ibis", reason="Ibis is not installed")
        with warnings.catch_warnings():  # Ibis calls old names of DuckDB
            warnings.simplefilter("ignore")
            return ibis.duckdb.connect().read_parquet(path)
    return {
        "DuckDB": lambda: duckdb.sql(f"FROM '{path}'"),
        "Arrow": lambda: pyarrow.dataset.dataset(path),
        "Polars lazy": lambda: pl.scan_parquet(path),
        "Spark": lambda: spark().read.parquet(path),
        "tallies": lambda: rl.tally(cases(), score=["s", "t", "p"], label="y"),
    }[engine]()


def check_cell(question, engine, found, known):
    values, words = found
    answer = QUESTIONS[question].answer(engine)
    if answer.does == "refused":
        assert values is None, f"{question} on {engine} answers"
        assert answer.instead in words.replace("--engine", "engine"), words
        return
    assert values is not None, f"{question} on {engine}: {words}"
    if answer.does == "exact":
        assert values == pytest.approx(known[0], rel=1e-10, abs=1e-12), question
    else:
        assert "cells" in words or "umerical error" in words, words
        assert values == pytest.approx(known[0], abs=0.15), question  # of so few cells


def test_every_question_is_asked():
    assert list(ASK) == list(QUESTIONS)


def test_memory_answers_everything(memory):
    for question, (values, words) in memory.items():
        assert values is not None, f"{question}: {words}"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "engine", [pytest.param(name, marks=[JAVA] if name == "Spark" else []) for name in HERE_ENGINES]
)
def test_every_cell_is_what_the_table_says(engine, memory, tmp_path, request):
    source = source_of(engine, tmp_path, lambda: request.getfixturevalue("spark"))
    keywords = {} if engine == "tallies" else {"engine": "native" if ENGINES[engine] == "native" else "duckdb"}
    for question, found in asked_of(source, QUESTIONS, **keywords).items():
        check_cell(question, engine, found, memory[question])


CONNECT = """
import json, sys
from pyspark.sql import SparkSession
from roclab.engines import narwhals_backend, remote, source_groups
from tests.engines.questions import ASK, asked_of

narwhals_backend._BINS = 64
source_groups.MOST_PARTS = remote.MOST_PARTS = 20
try:
    spark = SparkSession.builder.remote("local[2]").getOrCreate()
except Exception as error:
    print(json.dumps({"why": str(error)[:300]}))
    sys.exit(0)
print(json.dumps(asked_of(spark.read.parquet(sys.argv[1]), ASK, engine="native")))
spark.stop()
"""


@pytest.mark.nightly
@JAVA
def test_every_cell_of_spark_connect(memory, tmp_path):
    """In a process of its own: a client of Connect and a classic session do not live together in one."""
    pytest.importorskip("grpc", reason="grpcio, which Spark Connect needs, is not installed")
    cases().write_parquet(tmp_path / "x.parquet")
    (tmp_path / "ask.py").write_text(CONNECT, encoding="utf-8")
    command = [sys.executable, "-W", "ignore", str(tmp_path / "ask.py"), str(tmp_path / "x.parquet")]
    paths = os.pathsep.join([str(HERE.parent), os.environ.get("PYTHONPATH", "")])
    there = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1", "PYTHONPATH": paths}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=there, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    said = json.loads(done.stdout.strip().splitlines()[-1])
    if "why" in said:
        pytest.skip(f"Spark Connect does not start here: {said['why']}")
    for question, found in said.items():
        check_cell(question, "Spark Connect", found, memory[question])


def test_the_page_has_the_table():
    place = Path(__file__).parents[2] / "docs" / "engines_table.py"
    spec = importlib.util.spec_from_file_location("engines_table", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.page() == module.PAGE.read_text(encoding="utf-8")
    assert engines_table() in module.page()
    assert np.all([name in engines_table() for name in ENGINES])
