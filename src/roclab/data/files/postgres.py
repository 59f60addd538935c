"""Tables of PostgreSQL by their address: ``postgresql://user:password@host:port/database::schema.table``.

The columns that are needed are read once, in one snapshot of the database, in batches of Arrow (ADBC), and kept in a
file that is gone when nobody holds the table any more: counting them again asks the server nothing, and nothing that
others write meanwhile is half in the answer. The session is read-only. An address holds a password, which no message
repeats.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from roclab._core.checks import close_names
from roclab.data.roles import check_columns
from roclab.errors import FileError, InputError, MissingExtraError, RoclabError, Words

__all__ = ["PostgresTable", "is_address", "shown_address"]

_WAIT = "10"  # seconds for a server that does not answer
_LOCKED = "10s"  # for a table that somebody else has locked
_PLAIN = {"int2", "int4", "int8", "float4", "float8", "bool", "text", "varchar", "bpchar", "date"}
_NUMBERS = {"int2", "int4", "int8", "float4", "float8", "numeric"}
_DIGITS = 15  # of a decimal number that float64 keeps


def is_address(place: Any) -> bool:
    """Whether a place is the address of a table of PostgreSQL."""
    return isinstance(place, str) and place.lower().startswith(("postgresql://", "postgres://"))


def shown_address(place: str) -> str:
    """An address without its password; any other place as it is.

    >>> shown_address("postgresql://me:secret@host/db::visits")
    'postgresql://me@host/db::visits'
    >>> shown_address("scores.csv")
    'scores.csv'
    """
    if not is_address(place):
        return place
    scheme, rest = place.split("://", 1)
    before, at, after = rest.rpartition("@")
    user = before.split(":", 1)[0]
    return re.sub(r"(password|passfile|sslkey)=[^&:]*", r"\1=…", f"{scheme}://{user}{at}{after}")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@dataclass(frozen=True, slots=True)
class PostgresTable:
    """One table, or view, at an address."""

    address: str
    table: str

    @classmethod
    def of(cls, place: str) -> PostgresTable:
        """The table that an address names."""
        address, sign, table = place.rpartition("::")
        if not sign or not table or "/" in table or "@" in table:
            raise FileError(
                "", f"{shown_address(place)} must name a table after '::'",
                way_out="write postgresql://user:password@host/database::table",
            )  # fmt: skip
        return cls(address, table)

    @property
    def called(self) -> str:
        """The address without its password."""
        return f"{shown_address(self.address)}::{self.table}"

    def kinds(self) -> dict[str, str]:
        """Columns and their types, in the words of the server."""
        with self._cursor() as cursor:
            return self._kinds(cursor)

    def count(self) -> int:
        """Number of rows."""
        with self._cursor() as cursor:
            cursor.execute(f"SELECT count(*) FROM {self._found(cursor)}")
            return int(cursor.fetchone()[0])

    def numeric_names(self) -> list[str]:
        """Columns of numbers."""
        return [name for name, kind in self.kinds().items() if kind in _NUMBERS]

    @contextmanager
    def batches(self, columns: Sequence[str] | None) -> Iterator[Any]:
        """A reader of Arrow batches of some columns, or all, as float64, whole numbers, dates and text."""
        with self._cursor() as cursor:
            kinds = self._kinds(cursor)
            wanted = list(kinds) if columns is None else list(dict.fromkeys(columns))
            check_columns(wanted, list(kinds), self.called)
            source = self._found(cursor)
            self._check_decimals(cursor, source, [name for name in wanted if kinds[name] == "numeric"])
            cursor.execute(f"SELECT {', '.join(_cast(name, kinds[name]) for name in wanted)} FROM {source}")
            yield cursor.fetch_record_batch()

    def _check_decimals(self, cursor: Any, source: str, names: Sequence[str]) -> None:
        """Decimal numbers that float64 would join are refused."""
        for name in names:
            column = _quoted(name)
            cursor.execute(
                f"SELECT count(*) FROM {source} WHERE {column} <> 'NaN' AND {column} NOT IN ('Infinity', '-Infinity') "
                f"AND length(replace(trim(both '0' from abs({column})::text), '.', '')) > {_DIGITS} "
                f"AND {column}::float8::numeric <> {column}"
            )
            lost = int(cursor.fetchone()[0])
            if lost:
                raise InputError(
                    name, "must be distinguishable in float64",
                    Words(f"{lost:,} numbers of more than {_DIGITS} digits"), "rank or rescale them first",
                )  # fmt: skip

    def _found(self, cursor: Any) -> str:
        """The table as the server finds it: a name as it stands, or one of a schema."""
        ways = [_quoted(self.table)]
        if "." in self.table:
            ways.append(".".join(map(_quoted, self.table.split(".", 1))))
        for way in ways:
            cursor.execute("SELECT to_regclass($1)::text", (way,))
            if cursor.fetchone()[0] is not None:
                return way
        cursor.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = ANY (current_schemas(false)) "
            "ORDER BY table_name"
        )
        names = [row[0] for row in cursor.fetchall()]
        listed = ", ".join(map(repr, names[:12])) or "none"
        raise FileError(
            shown_address(self.address), "must have the table that is asked for",
            Words(f"{self.table!r}{close_names(self.table, names)}"), f"its tables are {listed}",
        )  # fmt: skip

    def _kinds(self, cursor: Any) -> dict[str, str]:
        cursor.execute(
            "SELECT a.attname::text, t.typname::text FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid "
            "WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum",
            (self._found(cursor),),
        )
        return {str(name): str(kind) for name, kind in cursor.fetchall()}

    @contextmanager
    def _cursor(self) -> Iterator[Any]:
        """A cursor of a read-only session, in one snapshot; what goes wrong is said without the password."""
        try:
            import adbc_driver_postgresql.dbapi as driver
            import pyarrow  # noqa: F401 - batches come as Arrow
        except ImportError:
            raise MissingExtraError(
                library="adbc-driver-postgresql", extra="postgres", purpose="reading tables of PostgreSQL"
            ) from None
        try:
            with driver.connect(_careful(self.address)) as connection, connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                yield cursor
        except RoclabError:
            raise
        except Exception as error:  # the driver's, which quote what the server said
            raise self._in_words(error) from None

    def _in_words(self, error: Exception) -> FileError:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        said = (lines[0] if lines else type(error).__name__).removeprefix("IO: ").removeprefix("[libpq] ")
        for secret in _secrets(self.address):
            said = said.replace(secret, "…")
        return FileError(
            self.called, "must be reachable and readable", Words(repr(said[:200])),
            "check host, port, database, user and password, and that the table may be read",
        )  # fmt: skip


def _cast(name: str, kind: str) -> str:
    """A column as something that Arrow has: decimals as float64, what is not known as text."""
    column = _quoted(name)
    if kind in _PLAIN:
        return column
    return f"{column}::{'float8' if kind == 'numeric' else 'text'} AS {column}"


def _careful(address: str) -> str:
    """The address with a limit of waiting, and a session that cannot write."""
    parts = urlsplit(address)
    asked = dict(parse_qsl(parts.query))
    asked.setdefault("connect_timeout", _WAIT)
    asked["options"] = (
        f"{asked.get('options', '')} -c default_transaction_read_only=on -c lock_timeout={_LOCKED}".strip()
    )
    return urlunsplit(parts._replace(query=urlencode(asked, quote_via=quote)))


def _secrets(address: str) -> list[str]:
    """The password of an address, as it is written and as it is meant, wherever it stands."""
    before = address.split("://", 1)[-1].rpartition("@")[0]
    found = [before.split(":", 1)[1]] if ":" in before else []
    found += [value for name, value in parse_qsl(urlsplit(address).query) if "pass" in name]
    found += [os.environ[name] for name in ("PGPASSWORD",) if os.environ.get(name)]
    return [one for secret in found for one in dict.fromkeys((secret, unquote(secret))) if one]
