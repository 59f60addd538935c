"""Ibis tables of databases other than DuckDB: only aggregates leave them, and the digits are those of memory."""

from __future__ import annotations

import sqlite3
import warnings

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.engines import narwhals_backend, weighted_native
from roclab.errors import InputError

ASKED = {"label": "y", "score": "s"}
QUESTIONS = {
    "area": lambda data, **how: _of(rl.auc(data, **ASKED, **how)),
    "ties": lambda data, **how: _of(rl.auc(data, label="y", score="t", **how)),
    "whole weights": lambda data, **how: _of(rl.auc(data, sample_weight="w", **ASKED, **how)),
    "real weights": lambda data, **how: _of(rl.auc(data, sample_weight="v", **ASKED, **how)),
    "subjects": lambda data, **how: _of(rl.auc(data, ids="id", **ASKED, **how)),
    "groups": lambda data, **how: rl.auc(data, by="g", **ASKED, **how).area.tolist(),
    "compared": lambda data, **how: [rl.compare(data, label="y", score=["s", "t"], **how).pairs[0].p_value],
    "confusion": lambda data, **how: [rl.confusion(data, threshold=0.5, **ASKED, **how).tp],
}


def _of(found):
    return [found.area, found.standard_error, *found.interval]


def cases(n=400):
    rng = np.random.default_rng(3)
    y = (rng.random(n) < 0.4).astype(int)
    return pl.DataFrame(
        {"y": y, "s": rng.normal(size=n) + y, "t": np.round(rng.normal(size=n) + y, 1), "w": rng.integers(1, 4, n),
         "v": rng.gamma(2, size=n), "id": np.arange(n) // 2, "g": rng.choice(["a", "b"], n)}
    )  # fmt: skip


def of_sqlite(ibis, folder, _):
    with sqlite3.connect(folder / "x.sqlite") as connection:
        connection.execute("CREATE TABLE cases (y INTEGER, s REAL, t REAL, w INTEGER, v REAL, id INTEGER, g TEXT)")
        connection.executemany("INSERT INTO cases VALUES (?, ?, ?, ?, ?, ?, ?)", cases().rows())
    return ibis.sqlite.connect(folder / "x.sqlite").table("cases")


def of_postgres(ibis, _, request):
    driver = pytest.importorskip("adbc_driver_postgresql.dbapi", reason="the extra roclab[postgres] is not installed")
    pytest.importorskip("psycopg", reason="Ibis needs psycopg for PostgreSQL")
    address = request.getfixturevalue("postgres")
    with driver.connect(address) as connection, connection.cursor() as cursor:
        cursor.adbc_ingest("ibis_cases", cases().to_arrow(), mode="replace")
        connection.commit()
    return ibis.connect(address).table("ibis_cases")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("made", [of_sqlite, of_postgres])
def test_databases_behind_ibis_have_the_digits_of_memory(tmp_path, monkeypatch, request, made):
    ibis = pytest.importorskip("ibis", reason="Ibis is not installed")
    for module in (narwhals_backend, weighted_native):
        monkeypatch.setattr(module, "_BINS", 64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        table = made(ibis, tmp_path, request)
    native = {name: ask(table, engine="native") for name, ask in QUESTIONS.items()}
    known = {name: ask(cases()) for name, ask in QUESTIONS.items()}
    for name, found in native.items():
        assert found == pytest.approx(known[name], rel=1e-10), name
    with pytest.raises(InputError, match="has no column 'x'"):
        rl.auc(table, label="y", score="x", engine="native")
    table.get_backend().disconnect()
