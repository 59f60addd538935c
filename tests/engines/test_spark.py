"""The same numbers from Spark, classic and Connect: one session each for all of this file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time

import pytest

import roclab as rl
from roclab._core.work import in_order
from roclab.engines.watching import watched
from roclab.errors import InputError

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.xdist_group("spark"),
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs a Java runtime, and there is none here"),
]
ASKED = {"label": "outcome", "pos_label": "ill"}


def test_questions_and_refusals_of_spark(spark, places, table):
    frame = spark.read.parquet(str(places / "parquet"))
    known = rl.auc(table, score="rounded", **ASKED)
    assert rl.auc(frame, score="rounded", **ASKED).area == known.area  # small: fetched
    found = rl.auc(frame, score="rounded", engine="native", accuracy=1e-3, **ASKED)
    assert found.counted.startswith("Spark, identity bins")
    assert abs(found.area - known.area) <= found.numerical_error.area <= 1e-3
    matrices = [rl.confusion(data, score="fine", threshold=0.4, engine=engine, **ASKED)
                for data, engine in ((frame, "native"), (table, None))]  # fmt: skip
    assert len({(m.tp, m.fp, m.fn, m.tn) for m in matrices}) == 1
    rates = {"score": ["fine", "other"], "threshold": {"fine": 0.4, "other": 0.1}, **ASKED}
    there, here = (rl.compare(data, engine=engine, **rates) for data, engine in ((frame, "native"), (table, None)))
    assert [one.to_dict() for one in there.pairs] == [one.to_dict() for one in here.pairs]
    both = {"score": ["fine", "other"], **ASKED}
    for more in ({}, {"ids": "subject"}):
        there, here = (rl.compare(data, engine=engine, **both, **more)
                       for data, engine in ((frame, "native"), (table, None)))  # fmt: skip
        assert there.covariance.ravel().tolist() == pytest.approx(here.covariance.ravel().tolist(), rel=1e-12)
        assert [one.area for one in there.areas] == [one.area for one in here.areas]
        assert there.pairs[0].p_value == pytest.approx(here.pairs[0].p_value, rel=1e-10)
    moved = frame.repartition(5, "grade").sortWithinPartitions("chance")
    digits = [rl.compare(data, engine="native", **both).to_dict() for data in (frame, moved)]
    assert digits[0] == digits[1]  # how rows lie changes nothing
    bounded = rl.compare(frame, engine="native", accuracy=1e-3, **both)
    assert abs(bounded.pairs[0].difference - digits[0]["pairs"][0]["difference"]) <= 1e-3
    with pytest.raises(InputError, match="of a Spark or Ibis table is its own"):
        rl.auc(frame, score="fine", engine="duckdb", **ASKED)
    with pytest.raises(InputError, match="outcome lacks 1|fine lacks 1"):
        rl.auc(frame.unionByName(frame.limit(1).selectExpr("outcome", "CAST(NULL AS DOUBLE) AS fine"), True),
               score="fine", engine="native", **ASKED)  # fmt: skip
    with pytest.raises(InputError, match="outcome must be numeric"):
        rl.auc(frame, label="y", score="outcome", engine="native")


def test_work_that_is_no_longer_wanted_leaves_no_job(spark):
    endless = spark.range(10**14).selectExpr("CAST(id % 2 AS INT) AS y", "CAST(hash(id) AS DOUBLE) AS s")
    jobs = spark.sparkContext.statusTracker().getActiveJobsIds

    def run(task):
        if task == "ask":
            return rl.auc(endless, label="y", score="s", engine="native")
        while not jobs():
            time.sleep(0.05)
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        list(in_order(run, ["watch", "ask"], workers=2))
    for _ in range(200):
        if not jobs():
            break
        time.sleep(0.05)
    assert not jobs()


def test_a_session_that_died_is_said_in_one_sentence(spark, places):
    frame = spark.read.parquet(str(places / "one.parquet"))
    spark.stop()
    with pytest.raises(
        InputError, match="^the session that the (data frame|table) belongs to must be alive, got one that has ended"
    ):
        rl.auc(frame, score="fine", engine="native", **ASKED)


def test_stages_are_told_while_spark_works(spark, places):
    frame = spark.read.parquet(str(places / "parquet"))
    told = []
    with watched(lambda doing, done, total: told.append((doing, done, total))):
        rl.compare(frame, score=["fine", "other"], engine="native", **ASKED)
    stages = [one for one in told if one[0].endswith("stages")]
    assert stages
    assert all(done <= total for _, done, total in stages)


CONNECT = """
import json, os, signal, sys, threading
from pyspark.sql import SparkSession
import roclab as rl
from roclab.engines.watching import watched

try:
    spark = SparkSession.builder.remote("local[2]").getOrCreate()
except Exception as error:
    print(json.dumps({"why": str(error)[:300]}))
    sys.exit(0)
frame = spark.read.parquet(sys.argv[1])
found = rl.auc(frame, label="outcome", pos_label="ill", score="rounded", engine="native")
told = []
with watched(lambda doing, done, total: told.append(doing)):
    both = rl.compare(frame, label="outcome", pos_label="ill", score=["fine", "other"], engine="native")
endless = spark.range(10**14).selectExpr("CAST(id % 2 AS INT) AS y", "CAST(hash(id) AS DOUBLE) AS s")
threading.Timer(3.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    rl.auc(endless, label="y", score="s", engine="native")
    stopped = False
except KeyboardInterrupt:
    stopped = True
idle = spark.range(10).count()  # two endless tasks would hold both threads
said = {"area": found.area, "error": found.standard_error, "counted": found.counted,
        "difference": both.pairs[0].difference, "p": both.pairs[0].p_value, "stopped": stopped, "idle": idle,
        "stages": sum(one.endswith("stages") for one in told)}
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
    assert (said["stopped"], said["idle"]) == (True, 10)  # Ctrl-C ends the work, and the server is free again
    assert said["stages"] > 0
    assert said["error"] == pytest.approx(known.standard_error, abs=1e-14)
    assert said["counted"].startswith("Spark Connect")
    pair = rl.compare(table, score=["fine", "other"], **ASKED).pairs[0]
    assert said["difference"] == pair.difference
    assert said["p"] == pytest.approx(pair.p_value, rel=1e-10)
