"""A database file is data: its views reach no other file, no extension and no network, by Python and command line."""

from __future__ import annotations

import os

import pytest

import roclab as rl
from roclab.errors import FileError
from tests.cli.conftest import shell
from tests.data.files.hostile import REACHES, SECRET, database_with, secret_in, sqlite_file

duckdb = pytest.importorskip("duckdb", reason="the extra roclab[engines] is not installed")

from roclab.data.files.duckdb import connected  # noqa: E402 - needs DuckDB
from roclab.data.files.locking import lock  # noqa: E402

__all__ = ["shell"]

ASKED = {"label": "y", "pos_label": "negative", "score": "s"}


@pytest.mark.parametrize("table", ["", "::t"])
@pytest.mark.parametrize("reach", REACHES)
def test_a_view_that_reads_other_files_is_refused_in_python(tmp_path, reach, table):
    path = database_with(tmp_path / "evil.duckdb", REACHES[reach], secret=secret_in(tmp_path))
    with pytest.raises(FileError, match="must hold its data itself") as told:
        rl.auc(f"{path}{table}", **ASKED)
    assert SECRET not in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("reach", REACHES)
def test_a_view_that_reads_other_files_is_refused_by_the_command_line(shell, tmp_path, reach):
    path = database_with(tmp_path / "evil.db", REACHES[reach], secret=secret_in(tmp_path))
    told = shell("auc", path, "--label", "y", "--positive", "negative", "--score", "s", code=2)
    assert "must hold its data itself" in told.stderr
    assert SECRET not in told.stdout + told.stderr


def test_views_of_the_file_itself_are_read(tmp_path):
    path = tmp_path / "own.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE TABLE cases AS SELECT i % 2 y, i::DOUBLE s FROM range(20) r(i)")
        connection.execute("CREATE VIEW late AS SELECT * FROM cases WHERE s >= 4")
    assert rl.auc(f"{path}::late", label="y", score="s").sample.n_pos == 8


def test_what_was_not_yet_written_into_the_file_is_read_and_locked(tmp_path):
    """A file whose program died has its last changes in a log beside it, hostile views too."""
    import subprocess
    import sys

    path, secret = tmp_path / "log.duckdb", secret_in(tmp_path)
    made = (
        f"import duckdb, os; c = duckdb.connect({str(path)!r}); c.execute('CREATE TABLE a AS SELECT 1 y'); "
        "c.execute('CHECKPOINT'); c.execute('CREATE TABLE cases AS SELECT i % 2 y, i::DOUBLE s FROM range(20) r(i)'); "
        f"c.execute(\"CREATE VIEW evil AS SELECT content y, 1.0 s FROM read_text('{secret}')\"); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", made], check=True)
    assert os.path.exists(f"{path}.wal")
    assert rl.auc(f"{path}::cases", label="y", score="s").sample.n_pos == 10
    with pytest.raises(FileError, match="must hold its data itself"):
        rl.auc(f"{path}::evil", **ASKED)


@pytest.mark.parametrize("table", ["", "::t"])
def test_files_of_sqlite_get_a_sentence(tmp_path, table):
    path = sqlite_file(tmp_path / "lite.db")
    with pytest.raises(FileError, match="must be a DuckDB database as its name says, got an SQLite database; export"):
        rl.auc(f"{path}{table}", label="y", score="s")


def test_empty_databases_and_addresses_get_a_sentence(tmp_path):
    (tmp_path / "none.duckdb").touch()
    with pytest.raises(FileError, match="got an empty file"):
        rl.auc(tmp_path / "none.duckdb", label="y", score="s")
    for address in ("https://roclab.invalid/x.duckdb::t", "postgres:host=roclab.invalid.db::t", "s3://x/y.db"):
        with pytest.raises(FileError, match="does not exist"):
            rl.auc(address, label="y", score="s")


@pytest.mark.parametrize(
    "sql",
    [
        "FROM read_text('{secret}')",
        "FROM '{secret}'",
        "FROM glob('{folder}/*')",
        "FROM read_parquet('https://roclab.invalid/x.parquet')",
        "FROM sqlite_scan('{secret}', 't')",
        "ATTACH '{folder}/other.duckdb'",
        "COPY (SELECT 1) TO '{folder}/out.csv'",
        "EXPORT DATABASE '{folder}/out'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "FROM a_variable_of_python",
        "SET enable_external_access = true",
        "SET lock_configuration = false",
        "SET temp_directory = '{folder}'",
        "SET allowed_paths = ['{secret}']",
    ],
)
def test_a_locked_database_reaches_nothing(tmp_path, sql):
    secret, a_variable_of_python = secret_in(tmp_path), duckdb.sql("SELECT 1 x").arrow()
    before = sorted(tmp_path.iterdir())
    with connected({}) as connection:
        lock(connection, ["/somewhere/else.csv"])
        with pytest.raises(duckdb.Error):
            connection.sql(sql.format(secret=secret, folder=tmp_path)).fetchall()
    assert sorted(tmp_path.iterdir()) == before
    assert a_variable_of_python is not None


def test_a_locked_database_still_spills(tmp_path):
    with connected({"temp_directory": str(tmp_path), "memory_limit": "60MB", "threads": 2}) as connection:
        lock(connection)
        ordered = connection.execute("SELECT * FROM (SELECT hash(i) h, i FROM range(8_000_000) r(i)) ORDER BY h")
        assert ordered.fetchone() is not None
        assert list(tmp_path.glob("*.tmp"))


def test_relations_are_the_users_own(tmp_path):
    secret = tmp_path / "cases.csv"
    secret.write_text("y,s\n" + "".join(f"{at % 2},{at}\n" for at in range(20)), encoding="utf-8")
    path = database_with(tmp_path / "own.duckdb", "SELECT y, s::DOUBLE s FROM read_csv('{secret}')", secret=secret)
    with duckdb.connect(str(path)) as connection:
        assert rl.auc(connection.sql("FROM t"), label="y", score="s").sample.n_pos == 10
