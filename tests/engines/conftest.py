"""One table of cases in every shape that an engine reads."""

from __future__ import annotations

import glob
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import pytest

pl = pytest.importorskip("polars", reason="polars is not installed")
pytest.importorskip("duckdb", reason="the extra roclab[engines] is not installed")


def cases(n=1500, seed=5):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(np.int64)
    fine = rng.normal(size=n) + y
    return pl.DataFrame(
        {
            "y": y,
            "outcome": np.where(y == 1, "ill", "well"),
            "rounded": np.round(fine, 1),
            "fine": fine,
            "other": rng.normal(size=n) + 0.5 * y,
            "grade": rng.integers(0, 5, n) + y,
            "chance": 1 / (1 + np.exp(-3 * fine)),
            "subject": rng.integers(0, n // 4, n),
        }
    )


@pytest.fixture(scope="session")
def table():
    return cases()


@pytest.fixture(scope="session")
def places(table, tmp_path_factory):
    """Where the table lies: files, folders, a database."""
    import duckdb

    root = tmp_path_factory.mktemp("sources")
    table.write_parquet(root / "one.parquet")
    table.write_csv(root / "one.csv")
    for kind in ("parquet", "csv", "parted"):
        (root / kind).mkdir()
    table[:0].write_parquet(root / "parquet" / "empty.parquet")
    table.filter(pl.col("y") == 1).write_parquet(root / "parquet" / "ill.parquet")
    table.filter(pl.col("y") == 0)[::2].write_parquet(root / "parquet" / "well0.parquet")
    table.filter(pl.col("y") == 0)[1::2].write_parquet(root / "parquet" / "well1.parquet")
    for at in range(3):
        table[at::3].write_csv(root / "csv" / f"part{at}.csv")
    for grade in range(6):
        folder = root / "parted" / f"grade={grade}"
        folder.mkdir()
        table.filter(pl.col("grade") == grade).drop("grade").write_parquet(folder / "x.parquet")
    connection = duckdb.connect(str(root / "cases.duckdb"))
    connection.execute(f"CREATE TABLE cases AS FROM '{root / 'one.parquet'}'")
    connection.execute("CREATE TABLE nothing (x INTEGER)")
    connection.close()
    return root


@pytest.fixture(params=["file", "csv", "pattern", "csv pattern", "folder", "database", "relation", "dataset", "reader",
                        "polars", "ibis"])  # fmt: skip
def source(request, places):
    """The table as every kind of source."""
    import duckdb
    import pyarrow.dataset as ds

    one = str(places / "one.parquet")
    if request.param == "ibis":
        ibis = pytest.importorskip("ibis", reason="Ibis is not installed")
        with warnings.catch_warnings():  # Ibis calls old names of DuckDB
            warnings.simplefilter("ignore")
            return ibis.duckdb.connect().read_parquet(one)
    return {
        "file": lambda: one,
        "csv": lambda: str(places / "one.csv"),
        "pattern": lambda: str(places / "parquet" / "*.parquet"),
        "csv pattern": lambda: str(places / "csv" / "part*.csv"),
        "folder": lambda: places / "parted",
        "database": lambda: f"{places / 'cases.duckdb'}::cases",
        "relation": lambda: duckdb.sql(f"FROM '{one}'"),
        "dataset": lambda: ds.dataset(str(places / "parquet"), format="parquet"),
        "reader": lambda: ds.dataset(one).scanner().to_reader(),
        "polars": lambda: pl.scan_parquet(one),
    }[request.param]()


@pytest.fixture(scope="session")
def spark_builder():
    sql = pytest.importorskip("pyspark.sql", reason="pyspark is not installed")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    yield (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "3")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.driver.host", "127.0.0.1")
    )
    session = sql.SparkSession.getActiveSession()
    if session is not None:
        session.stop()


@pytest.fixture
def spark(spark_builder):
    """The one session, or another where a test has ended it."""
    return spark_builder.getOrCreate()


PASSWORD = "open sesame@1"


@pytest.fixture(scope="session")
def postgres():
    """The address of an empty server of PostgreSQL, Debian's, started for the tests."""
    pytest.importorskip("adbc_driver_postgresql", reason="the extra roclab[postgres] is not installed")
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    initdb = found[-1] if found else shutil.which("initdb")
    if initdb is None:
        pytest.skip("PostgreSQL's server is not installed (Debian's package postgresql)")
    # A folder of its own: the server does not run as root, whose folders of tests nobody else may enter.
    with tempfile.TemporaryDirectory(prefix="roclab-postgres-", ignore_cleanup_errors=True) as root:
        yield from _served(os.path.dirname(initdb), root)


def _served(tools, root):
    as_whom = {"user": "postgres"} if os.geteuid() == 0 else {}
    if as_whom:
        shutil.chown(root, "postgres")
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]

    def run(command, *options):
        words = [os.path.join(tools, command), "-D", f"{root}/data", *options]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd="/", **as_whom)
        assert done.returncode == 0, done.stdout + done.stderr

    secret = os.path.join(root, "secret")
    with open(secret, "w", encoding="utf-8") as out:
        out.write(PASSWORD)
    run("initdb", "-U", "reader", f"--pwfile={secret}", "-A", "scram-sha-256", "-E", "UTF8", "--locale=C")
    options = f"-p {port} -k {root} -c listen_addresses=127.0.0.1 -c fsync=off"
    run("pg_ctl", "-o", options, "-w", "-l", f"{root}/log", "start")
    try:
        yield f"postgresql://reader:open%20sesame%401@127.0.0.1:{port}/postgres"
    finally:
        run("pg_ctl", "-m", "immediate", "stop")
