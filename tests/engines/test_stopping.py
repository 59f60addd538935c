"""Ctrl-C while an engine works, and engines that run out of memory or of room."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.errors import InputError

duckdb = pytest.importorskip("duckdb", reason="the extra roclab[engines] is not installed")
ASKED = {"label": "y", "engine": "duckdb"}
ENDLESS = "SELECT (i % 2)::INT AS y, hash(i) / 1e19 AS s, hash(i + 1) / 1e19 AS t FROM range(1000000000000) x(i)"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("line", ["auc --score s", "auc --score s --accuracy 1e-3", "compare --score s --score t"])
@pytest.mark.parametrize("seconds", [0.0, 0.4])
def test_ctrl_c_ends_a_query_that_would_take_days(tmp_path, line, seconds):
    with duckdb.connect(str(tmp_path / "big.duckdb")) as connection:
        connection.execute(f"CREATE VIEW cases AS {ENDLESS}")
    spill = tmp_path / "spill"
    spill.mkdir()
    command, *options = line.split()
    asked = [command, str(tmp_path / "big.duckdb::cases"), "--label", "y", "--engine", "duckdb", *options]
    running = subprocess.Popen(
        [sys.executable, "-m", "roclab", *asked], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TMPDIR": str(spill)},
    )  # fmt: skip
    while not list(spill.iterdir()) and running.poll() is None:
        time.sleep(0.02)
    time.sleep(seconds)  # at the very beginning, and amid the work
    running.send_signal(signal.SIGINT)
    out, error = running.communicate(timeout=600)  # only ends what hangs
    assert (running.returncode, out, error.strip()) == (130, "", "stopped")
    assert not list(spill.iterdir())


OWN = """
import os, signal, threading, time
import duckdb
from roclab.data.roles import assign_roles
from roclab.data.sources import SourceTable
from roclab.engines.duckdb_backend import DuckdbBackend
from roclab.engines.pairing import places_by_lookup

own = duckdb.connect()
rows = "SELECT (i % 2)::INT AS y, hash(i) / 1e19 AS s, hash(i + 1) / 1e19 AS t FROM range({}) x(i)"
roles = assign_roles(label="y", score=["s", "t"])
seen = DuckdbBackend(SourceTable(own.sql(rows.format(1000)), "relation"), roles, "error").overview()
seen = type(seen)(classes=seen.classes, dropped=0, ranges=seen.ranges)
road = DuckdbBackend(SourceTable(own.sql(rows.format(10**12)), "relation"), roles, "error")

def places():
    with road.places(seen, ["s", "t"], {}, places_by_lookup) as batches:
        next(batches)

for ask in (road.overview, lambda: road.scan(seen, "s", lower=False), lambda: road.cells(seen, "s", None),
            lambda: road.reaching(seen, "s", 0.5, lower=False), places):
    threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        ask()
        print("answered")
    except KeyboardInterrupt:
        begun = os.times().user
        time.sleep(0.3)
        print("stopped", own.sql("SELECT 42").fetchall()[0][0], "quiet" if os.times().user - begun < 0.2 else "busy")
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_ctrl_c_ends_queries_on_a_connection_of_the_users(tmp_path):
    running = subprocess.run(
        [sys.executable, "-c", OWN], capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert running.stdout.splitlines() == ["stopped 42 quiet"] * 5, running.stderr[-2000:]
    assert not list(tmp_path.iterdir())


@pytest.fixture
def tight(monkeypatch, tmp_path):
    """Half a million cases, and a DuckDB that has less than it is told."""
    rng = np.random.default_rng(1)
    y = rng.random(500_000) < 0.3
    frame = pl.DataFrame({"y": y.astype(int), "s": rng.normal(size=y.size) + y, "t": rng.normal(size=y.size) + y})
    path = tmp_path / "x.parquet"
    frame.write_parquet(path)
    connect = duckdb.connect

    def limit(**limits):
        monkeypatch.setattr(
            duckdb, "connect", lambda *given, config=None, **more: connect(*given, config={**config, **limits}, **more)
        )
        return str(path)

    return limit


def test_too_little_memory_is_one_sentence(tight):
    path = tight(memory_limit="4MB")
    for ask in (lambda: rl.auc(path, score="s", **ASKED), lambda: rl.compare(path, score=["s", "t"], **ASKED),
                lambda: rl.auc(path, score="s", ids="t", **ASKED)):  # fmt: skip
        with pytest.raises(InputError, match="^memory_limit must be enough to count .*, got too little; give more"):
            ask()


def test_no_room_to_spill_is_one_sentence(tight):
    path = tight(memory_limit="12MB", max_temp_directory_size="256KB")
    with pytest.raises(InputError, match="^memory_limit (leaves more of|must be enough)"):
        rl.compare(path, score=["s", "t"], **ASKED)


def test_a_full_disk_while_scores_are_dealt_out_is_one_sentence(tight, monkeypatch, tmp_path):
    from roclab.engines import duckdb_backend, sorting

    path = tight()
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    monkeypatch.setattr(duckdb_backend, "_half_of_memory", lambda: 800_000)

    def full(self, side, values):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(sorting.ClassSort, "_deal_out", full)
    with pytest.raises(InputError, match=r"leaves more of .* to sort on disk than there is room for"):
        rl.auc(path, score="s", **ASKED)
    assert not list((tmp_path / "tmp").iterdir())
