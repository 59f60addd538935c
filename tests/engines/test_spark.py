"""The same numbers from Spark, classic and Connect: one session each for all of this file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

import roclab as rl
from roclab.errors import InputError

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.xdist_group("spark"),
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs a Java runtime, and there is none here"),
]
ASKED = {"label": "outcome", "pos_label": "ill"}


@pytest.fixture(scope="module")
def spark():
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    session = (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    yield session
    session.stop()


def test_spark_gives_the_digits_of_memory(spark, places, table):
    frame = spark.read.parquet(str(places / "parquet"))
    for score in ("fine", "rounded"):
        known = rl.auc(table, score=score, **ASKED)
        assert rl.auc(frame, score=score, **ASKED).area == known.area  # small: fetched
        found = rl.auc(frame, score=score, engine="native", **ASKED)
        assert found.counted.startswith("Spark, sums in bins")
        assert found.area == known.area
        assert found.standard_error == pytest.approx(known.standard_error, abs=1e-14)
    bounded = rl.auc(frame, score="fine", engine="native", accuracy=1e-3, **ASKED)
    assert abs(bounded.area - rl.auc(table, score="fine", **ASKED).area) <= bounded.numerical_error.area <= 1e-3
    matrices = [rl.confusion(data, score="fine", threshold=0.4, engine=engine, **ASKED)
                for data, engine in ((frame, "native"), (table, None))]  # fmt: skip
    assert len({(m.tp, m.fp, m.fn, m.tn) for m in matrices}) == 1
    with pytest.raises(InputError, match="compared by DuckDB or in memory, not by Spark"):
        rl.compare(frame, score=["fine", "other"], engine="native", **ASKED)
    with pytest.raises(InputError, match="of a Spark or Ibis table is its own"):
        rl.auc(frame, score="fine", engine="duckdb", **ASKED)


def test_one_class_in_a_partition_gaps_and_text(spark):
    rows = [
        (0, 1.0),
        (0, 2.0),
        (1, 2.0),
        (1, 3.0),
        (1, None),
        (0, float("nan")),
        (1, float("inf")),
        (0, -0.0),
        (0, 0.0),
    ]
    frame = spark.createDataFrame(rows, "y int, s double").repartition(4, "y")
    found = rl.auc(frame, label="y", score="s", missing="drop", engine="native")
    assert (found.area, found.sample.dropped) == (rl.auc([0, 0, 1, 1, 1, 0, 0], [1, 2, 2, 3, 9, 0, 0]).area, 2)
    with pytest.raises(InputError, match="s lacks 2"):
        rl.auc(frame, label="y", score="s", engine="native")
    text = spark.createDataFrame([(0, "a"), (1, "b")], "y int, s string")
    with pytest.raises(InputError, match="s must be numeric"):
        rl.auc(text, label="y", score="s", engine="native")


def test_a_session_that_died_is_said_in_one_sentence(spark, places):
    frame = spark.read.parquet(str(places / "one.parquet"))
    spark.stop()
    with pytest.raises(InputError, match="must answer"):
        rl.auc(frame, score="fine", engine="native", **ASKED)


CONNECT = """
import json, sys
from pyspark.sql import SparkSession
import roclab as rl

try:
    spark = SparkSession.builder.remote("local[2]").getOrCreate()
except Exception as error:
    print(json.dumps({"why": str(error)[:300]}))
    sys.exit(0)
frame = spark.read.parquet(sys.argv[1])
found = rl.auc(frame, label="outcome", pos_label="ill", score="rounded", engine="native")
said = {"area": found.area, "error": found.standard_error, "counted": found.counted}
print(json.dumps(said))
spark.stop()
"""


def test_spark_connect_gives_the_digits_of_memory(places, table, tmp_path):
    """In a process of its own: a client of Connect and a classic session do not live together in one."""
    pytest.importorskip("grpc", reason="grpcio, which Spark Connect needs, is not installed")
    (tmp_path / "ask.py").write_text(CONNECT, encoding="utf-8")
    command = [sys.executable, "-W", "ignore", str(tmp_path / "ask.py"), str(places / "parquet")]
    there = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=there, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    said = json.loads(done.stdout.strip().splitlines()[-1])
    if "why" in said:
        pytest.skip(f"Spark Connect does not start here: {said['why']}")
    known = rl.auc(table, score="rounded", **ASKED)
    assert said["area"] == known.area
    assert said["error"] == pytest.approx(known.standard_error, abs=1e-14)
    assert said["counted"].startswith("Spark Connect")
