"""A cluster that loses a worker process in the middle of an answer gives the same one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs a Java runtime, and there is none here"),
    pytest.mark.skipif(not os.path.isdir("/proc"), reason="executors are found in /proc"),
]

ASK = """
import json, os, signal, sys, threading, time
from pathlib import Path
from pyspark.sql import SparkSession
import roclab as rl

spark = (SparkSession.builder.master("local-cluster[2,1,700]").config("spark.ui.enabled", "false")
         .config("spark.executor.memory", "600m").config("spark.sql.shuffle.partitions", "8")
         .config("spark.driver.host", "127.0.0.1").config("spark.driver.bindAddress", "127.0.0.1").getOrCreate())
frame = spark.range(0, 3_000_000, 1, 16).selectExpr(
    "CAST(hash(id) % 5 = 0 AS INT) AS y", "CAST(hash(id, 1) AS DOUBLE) AS s", "CAST(hash(id, 2) AS DOUBLE) AS t")

def executors():
    found = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            words = (place / "cmdline").read_text(errors="replace")
            if "CoarseGrainedExecutorBackend" in words and spark.sparkContext.applicationId in words:
                found.append(int(place.name))
        except OSError:
            continue
    return found

def ask():
    pair = rl.compare(frame, label="y", score=["s", "t"], engine="native").pairs[0]
    return [pair.difference, pair.standard_error, pair.p_value]

known = ask()
before = executors()
killed = []

def kill():
    while not spark.sparkContext.statusTracker().getActiveStageIds():
        time.sleep(0.05)
    time.sleep(1.0)
    killed.append(before[0])
    os.kill(before[0], signal.SIGKILL)

threading.Thread(target=kill, daemon=True).start()
found = ask()
print(json.dumps({"known": known, "found": found, "killed": len(killed), "were": len(before)}))
spark.stop()
"""


def test_an_executor_that_is_killed_changes_no_digit(tmp_path):
    (tmp_path / "ask.py").write_text(ASK, encoding="utf-8")
    there = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, "-W", "ignore", str(tmp_path / "ask.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=there, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-3000:]
    said = json.loads(done.stdout.strip().splitlines()[-1])
    assert (said["killed"], said["were"]) == (1, 2)
    assert said["found"] == said["known"]
