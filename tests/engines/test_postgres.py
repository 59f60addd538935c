"""Tables of a PostgreSQL server by their address; the server is Debian's, started for these tests."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import roclab as rl
from roclab.data.files.postgres import PostgresTable, shown_address
from roclab.errors import FileError, InputError, MissingExtraError

ASKED = {"label": "y", "score": "s"}


def cases(n=400):
    rng = np.random.default_rng(3)
    y = (rng.random(n) < 0.4).astype(int)
    fine = rng.normal(size=n) + y
    return pl.DataFrame(
        {"y": y, "s": fine, "t": np.round(rng.normal(size=n) + y, 1), "w": rng.gamma(2, size=n),
         "ward": rng.choice(["north", "söuth"], n), "id": np.arange(n) // 2}
    )  # fmt: skip


def fill(address):
    import adbc_driver_postgresql.dbapi as driver

    with driver.connect(address) as connection, connection.cursor() as cursor:
        cursor.adbc_ingest("cases", cases().to_arrow(), mode="create")
        for query in (
            "CREATE SCHEMA other", "CREATE TABLE other.\"odd name\" AS SELECT * FROM cases LIMIT 300",
            "CREATE VIEW kinds AS SELECT y = 1 AS y, s::real AS s, round(t::numeric, 1) AS d, gen_random_uuid() AS u, "
            "DATE '2026-01-01' + (id % 3)::int AS day, CASE WHEN id < 2 THEN NULL ELSE s END AS gaps, "
            "CASE WHEN id < 2 THEN 'NaN' WHEN id < 4 THEN 'Infinity' ELSE s END AS odd, ward AS text FROM cases",
            "CREATE VIEW many AS SELECT y, 12345678901234567890.1 + id AS s FROM cases",
        ):  # fmt: skip
            cursor.execute(query)
        connection.commit()


@pytest.fixture(scope="session")
def server(postgres):
    """The address of the server, which has tables, without the name of one."""
    fill(postgres)
    return postgres


@pytest.mark.parametrize("engine", [None, "memory", "duckdb"])
def test_a_table_by_its_address_has_the_answers_of_memory(server, engine):
    frame, place = cases(), f"{server}::cases"
    asked = {**ASKED, "engine": engine}
    for more in ({}, {"sample_weight": "w"}, {"ids": "id"}, {"fpr": (0, 0.3)}):
        found, known = rl.auc(place, **asked, **more), rl.auc(frame, **ASKED, **more)
        assert found.area == pytest.approx(known.area, rel=1e-13)
        assert found.standard_error == pytest.approx(known.standard_error, rel=1e-9)
    found = rl.compare(place, label="y", score=["s", "t"], engine=engine)
    assert found.pairs[0].p_value == pytest.approx(rl.compare(frame, label="y", score=["s", "t"]).pairs[0].p_value)
    assert rl.auc(place, by="ward", **asked).groups == ("north", "söuth")
    assert rl.screen(place, label="y", engine=engine).markers[0].area == pytest.approx(
        rl.screen(frame, label="y").markers[0].area
    )
    assert rl.auc(f"{server}::other.odd name", **asked).sample.n_pos == int(frame["y"][:300].sum())


@pytest.mark.parametrize("engine", ["memory", "duckdb"])
def test_columns_of_every_kind(server, engine):
    place = f"{server}::kinds"
    for score, wrong in (("d", "gaps"), ("s", "odd")):
        assert rl.auc(place, label="y", score=score, engine=engine).area > 0.5
        with pytest.raises(InputError, match=f"{wrong} lacks 4"):
            rl.auc(place, label="y", score=wrong, engine=engine)
    assert rl.auc(place, label="y", score="odd", missing="drop", engine=engine).sample.dropped == 4
    assert len(rl.auc(place, label="y", score="s", by="day", engine=engine)) == 3
    with pytest.raises(InputError, match="text must be numeric"):
        rl.auc(place, label="y", score="text", engine=engine)
    with pytest.raises(
        InputError, match="s must be distinguishable in float64, got 400 numbers of more than 15 digits"
    ):
        rl.auc(f"{server}::many", engine=engine, **ASKED)


def test_what_cannot_be_reached_is_said_without_the_password(server):
    port = server.rsplit(":", 1)[1].split("/")[0]
    wrong = {
        server.replace("open%20sesame%401", "other%21pass"): "password authentication failed",
        server.replace(port, "1"): "refused",
        server.replace("/postgres", "/nothing"): 'database "nothing" does not exist',
        server.replace("reader:", "nobody:"): "authentication failed",
    }
    for address, words in wrong.items():
        with pytest.raises(FileError, match=words) as error:
            rl.auc(f"{address}::cases", **ASKED)
        assert "sesame" not in str(error.value)
        assert "pass@" not in str(error.value)
        assert str(error.value).count("\n") == 0
    with pytest.raises(FileError, match="must have the table that is asked for, got 'case'.*its tables are .*'cases'"):
        rl.auc(f"{server}::case", **ASKED)
    with pytest.raises(FileError, match="must name a table after '::'") as error:
        rl.auc(server, **ASKED)
    assert "sesame" not in str(error.value)
    with pytest.raises(InputError, match="has no column 'x'") as error:
        rl.auc(f"{server}::cases", label="y", score="x", engine="duckdb")
    assert "sesame" not in str(error.value)
    assert "sesame" not in repr(rl.read_cases(f"{server}::cases", engine="duckdb", **ASKED))


def test_the_session_cannot_write(server):
    table = PostgresTable.of(f"{server}::cases")
    with pytest.raises(FileError, match="read-only"), table._cursor() as cursor:
        cursor.execute("DELETE FROM cases")
    assert table.count() == 400
    with pytest.raises(FileError, match="must have the table"):
        PostgresTable.of(f'{server}::cases"; DROP TABLE cases; --').count()


def test_addresses_are_shown_without_their_passwords():
    for place, shown in {
        "postgresql://me:pa:ss@host/db::t": "postgresql://me@host/db::t",
        "postgres://host/db?user=me&password=secret&x=1::t": "postgres://host/db?user=me&password=…&x=1::t",
        "postgresql://me:p@ss@host/db::t": "postgresql://me@host/db::t",
        "folder/scores.csv": "folder/scores.csv",
    }.items():
        assert shown_address(place) == shown


def test_a_driver_that_is_not_installed_is_named(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "adbc_driver_postgresql", None)
    monkeypatch.setitem(sys.modules, "adbc_driver_postgresql.dbapi", None)
    with pytest.raises(MissingExtraError, match=r'install it with: pip install "roclab\[postgres\]"'):
        rl.auc("postgresql://nobody@127.0.0.1:1/x::t", **ASKED)
