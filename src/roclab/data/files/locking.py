"""What DuckDB may touch for us: the files that were named, and nothing else.

A database file is a program: its views run when they are read, and DuckDB lets them open any file of the user, list
folders, fetch native code from the network and send what they read. So every database that we open is locked before
the file is looked at. Databases and relations that a user made are the user's own and stay as they are.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Sequence
from typing import Any

from roclab.data.files.signatures import kind_of
from roclab.errors import FileError, Words

__all__ = ["LOCKED", "attach_locked", "exactly", "lock", "outside_words", "sql_text"]

# Neither extensions nor variables of this program, whatever a view names; these are set before the database starts.
LOCKED = {
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "python_enable_replacements": False,
}
_STAYS_FREE = "['preserve_insertion_order']"  # the first rows of text files are asked for in their order
_LOGS = ("", ".wal", ".wal.checkpoint", ".wal.recovery")  # what a database file has beside it
_HEAD = 64


def sql_text(text: str) -> str:
    """Text in SQL.

    >>> print(sql_text("it's"))
    'it''s'
    """
    return "'" + text.replace("'", "''") + "'"


def exactly(file: str) -> str:
    """The name of one file for DuckDB, which would take brackets and stars for a pattern and ``s3:`` for an address.

    >>> print(exactly("/data/scores[1].csv"))
    /data/scores[[]1].csv
    """
    spelt = glob.escape(_beside(file))
    if os.sep == "/" and "\\" in file and spelt != _beside(file):  # a separator in patterns, which nothing escapes
        raise FileError(
            file, "must have a name that DuckDB can be told", Words("a backslash beside one of * ? ["), "rename it"
        )
    return spelt


def _beside(file: str) -> str:
    """A name that begins with a folder, so that no part of it is an address such as ``https:``.

    >>> print(_beside("/data/x.db"))
    /data/x.db
    """
    return file if os.path.isabs(file) else os.path.join(os.curdir, file)


def lock(connection: Any, files: Sequence[str] = ()) -> None:
    """Let a connection touch these files and its own spilled data, and nothing else for as long as it lives."""
    allowed = sorted({way for file in files for way in (_beside(file), exactly(file))})
    if allowed:
        connection.execute(f"SET allowed_paths = [{', '.join(map(sql_text, allowed))}]")
    connection.execute(f"SET allowed_configs = {_STAYS_FREE}")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")


def attach_locked(connection: Any, file: str, called: str) -> None:
    """A database file as ``given``, to be read only; locked first, because opening it already reads its catalogue."""
    _check_database(file, called)
    lock(connection, [file + ending for ending in _LOGS])
    connection.execute(f"ATTACH {sql_text(_beside(file))} AS given (READ_ONLY, TYPE duckdb)")


def _check_database(file: str, called: str) -> None:
    """Refuse what is no database of DuckDB, which would fetch an extension for those of SQLite."""
    with open(file, "rb") as stream:
        head = stream.read(_HEAD)
    if head[8:12] != b"DUCK":
        raise FileError(
            called,
            "must be a DuckDB database as its name says",
            Words(kind_of(head) if head else "an empty file"),
            "export its table to a CSV or Parquet file",
        )


def outside_words(called: str, message: str) -> FileError | None:
    """The refusal of a view that reaches outside its file, or of a file that is locked, if that is the complaint."""
    if "Could not set lock" in message or "Conflicting lock" in message:
        return FileError(
            called, "must not be open for writing elsewhere", Words("a file that another program has locked"),
            "close it there, or give a copy of it",
        )  # fmt: skip
    if "Permission Error" not in message and "extension" not in message.splitlines()[0].lower():
        return None
    return FileError(
        called,
        "must hold its data itself, because what a view reads elsewhere or by an extension is not opened",
        Words(repr(message.splitlines()[0].strip())),
        "write the view to a table or a Parquet file, or open the database with DuckDB and give its relation",
    )
