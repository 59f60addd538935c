"""Rows that turn out otherwise late: a third label at the end, a table that is written to, a locked database."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.engines.duckdb_backend import DuckdbBackend
from roclab.engines.narwhals_backend import NarwhalsBackend
from roclab.engines.weighted_duckdb import WeightedDuckdb
from roclab.engines.weighted_native import WeightedNarwhals
from roclab.errors import FileError, InputError

duckdb = pytest.importorskip("duckdb", reason="the extra roclab[engines] is not installed")
ASKED = {"label": "y"}


@pytest.mark.parametrize("engine", ["duckdb", "native"])
@pytest.mark.parametrize("rows", [10**5, pytest.param(10**8, marks=pytest.mark.nightly)])
def test_a_third_label_in_the_last_row_is_one_sentence(engine, rows):
    last = f"CASE WHEN i = {rows - 1} THEN 7 ELSE i % 2 END"
    data = duckdb.sql(f"SELECT {last} AS y, hash(i) / 1e19 AS s FROM range({rows}) x(i)")
    with pytest.raises(InputError, match="y must hold two classes, got 3|y must .*0, 1, 7|y .* 3 "):
        rl.auc(data, score="s", engine=engine, **ASKED)


def cases(n, seed=1):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    return pl.DataFrame(
        {
            "y": y,
            "s": rng.normal(size=n) + y,
            "t": rng.normal(size=n) + y,
            "id": np.arange(n) // 2,
            "w": rng.gamma(1, size=n),
        }
    )


QUESTIONS = {
    "auc": lambda data, **how: rl.auc(data, score="s", **ASKED, **how),
    "curve": lambda data, **how: rl.roc(data, score="s", **ASKED, **how),
    "weights": lambda data, **how: rl.auc(data, score="s", sample_weight="w", **ASKED, **how),
    "compare": lambda data, **how: rl.compare(data, score=["s", "t"], **ASKED, **how),
    "parts": lambda data, **how: rl.compare(data, score=["s", "t"], fpr=(0, 0.3), **ASKED, **how),
    "subjects": lambda data, **how: rl.compare(data, score=["s", "t"], ids="id", **ASKED, **how),
}


@pytest.mark.parametrize("later", [400, 900])
@pytest.mark.parametrize("engine", ["duckdb", "native"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_a_table_that_is_written_to_between_two_passes_is_noticed(tmp_path, monkeypatch, engine, question, later):
    """Fewer rows than the first look saw, and more of them."""
    with duckdb.connect(str(tmp_path / "x.duckdb")) as own:
        own.register("before", cases(600).to_arrow())
        own.register("after", cases(later, seed=2).to_arrow())
        own.execute("CREATE TABLE cases AS FROM before")
        both = (DuckdbBackend, WeightedDuckdb) if engine == "duckdb" else (NarwhalsBackend, WeightedNarwhals)
        passes = ("scan", "scans", "place_sums", "influence_sums", "subject_sums", "cells")
        for module, name in [(module, name) for module in both for name in passes if name in vars(module)]:
            whole = getattr(module, name)

            def changed(self, *asked, _whole=whole, **more):
                own.execute("CREATE OR REPLACE TABLE cases AS FROM after")
                return _whole(self, *asked, **more)

            monkeypatch.setattr(module, name, changed)
        with pytest.raises(InputError, match="must not change while (it is|they are) counted"):
            QUESTIONS[question](own.sql("FROM cases"), engine=engine)


def test_a_database_that_another_program_has_locked_is_one_sentence(tmp_path):
    place = tmp_path / "x.duckdb"
    with duckdb.connect(str(place)) as own:
        own.register("given", cases(50).to_arrow())
        own.execute("CREATE TABLE cases AS FROM given")
    hold = "import duckdb, sys; own = duckdb.connect(sys.argv[1]); print(1, flush=True); sys.stdin.read()"
    with subprocess.Popen(
        [sys.executable, "-c", hold, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        other.stdout.readline()
        with pytest.raises(FileError, match="must not be open for writing elsewhere, got a file that another program"):
            rl.auc(f"{place}::cases", score="s", **ASKED)
        other.stdin.close()
    assert rl.auc(f"{place}::cases", score="s", **ASKED).area > 0.5
