"""Database files whose views reach for more than the file holds."""

from __future__ import annotations

import sqlite3

SECRET = "TOPSECRET-hunter2"
# What a view may try; {secret} is a file of the user, {folder} the folder it lies in.
REACHES = {
    "text": "SELECT CASE WHEN i % 2 = 0 THEN content ELSE 'negative' END y, i::DOUBLE s "
            "FROM read_text('{secret}'), range(20) r(i)",
    "glob": "SELECT file y, 1.0 s FROM glob('{folder}/*')",
    "csv": "SELECT column0 y, 1.0 s FROM read_csv('{secret}', header = false)",
    "blob": "SELECT filename y, size::DOUBLE s FROM read_blob('{folder}/*')",
}  # fmt: skip


def secret_in(folder):
    path = folder / "secret.txt"
    path.write_text(SECRET + "\n", encoding="utf-8")
    return path


def database_with(path, view, *, secret):
    """A file with one view, which is taken where no table is named."""
    import duckdb

    with duckdb.connect(str(path)) as connection:
        connection.execute("CREATE VIEW t AS " + view.format(secret=secret, folder=secret.parent))
    return path


def sqlite_file(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE t (y INTEGER, s REAL)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", [(at % 2, float(at)) for at in range(20)])
    connection.close()
    return path
