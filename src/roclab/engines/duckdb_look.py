"""The first look of the embedded backend: labels, gaps and ranges by one query, and cells that cannot be counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from roclab.data.files.duckdb import Handle, literal, no_number, quoted
from roclab.engines.overview import EXACT, Look, Overview, check_integer, overview_of
from roclab.errors import FileError, InputError, Words

if TYPE_CHECKING:
    from roclab.engines.duckdb_backend import DuckdbBackend

__all__ = ["check_cells", "look_at", "looks"]

_WIDE = ("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT")

_MOST_LOOKS = 4000


def look_at(backend: DuckdbBackend, handle: Handle, found: list[Look] | None, *, unweighted: int = 0) -> Overview:
    """What a source holds, judged; ``found`` is what another pass has seen of it, and so many cases have no weight."""
    found = looks(backend, handle) if found is None else found
    check_cells(backend, handle, found)
    clusters = None
    if backend.roles.id is not None:
        rows = backend.rows(handle, backend.roles.scores)
        clusters = int(handle.rows(f"SELECT count(DISTINCT c) FROM {rows} WHERE NOT gap")[0][0])
    return overview_of(backend, found, clusters, unweighted=unweighted)


def looks(backend: DuckdbBackend, handle: Handle, key: str | None = None, *, most: int = _MOST_LOOKS) -> list[Look]:
    """What there is of each label, with and without gaps; with a ``key``, a text in SQL, of each key, which is first.

    One pass, or two where a cheaper one meets gaps; at most so many rows of it.
    """
    found = _light_looks(backend, handle, key, most)
    if found is not None:
        return found
    asked = [*(["k"] if key else []), "l", "gap", "count(*)"]
    for at in range(len(backend.roles.scores)):
        seen = f"FILTER (WHERE NOT gap AND isfinite(v{at}))"
        asked += [
            f"count(*) FILTER (WHERE {no_number(f'v{at}')})",
            f"min(v{at}) {seen}", f"max(v{at}) {seen}", f"coalesce(bool_or(isinf(v{at})), false)",
            f"approx_count_distinct(v{at})",
        ]  # fmt: skip
    asked.append("count(DISTINCT c)" if backend.roles.id is not None else "0")
    asked.append("count(*) FILTER (WHERE c IS NULL)" if backend.roles.id is not None else "0")
    rows = backend.rows(handle, backend.roles.scores, also=[f"{key} AS k"] if key else ())
    by = "k, l, gap" if key else "l, gap"
    return handle.rows(f"SELECT {', '.join(asked)} FROM {rows} GROUP BY {by} LIMIT {most}")


def _light_looks(backend: DuckdbBackend, handle: Handle, key: str | None, most: int) -> list[Look] | None:
    """The same where nothing is missing or infinite, which a cheaper pass can tell; None where something is.

    The largest of numbers among which NaN is, is NaN in DuckDB.
    """
    if backend.roles.id is not None or backend.roles.weight is not None or backend.table.na or handle.text:
        return None
    scores = backend.roles.scores
    by = [*([key] if key else []), backend.label(handle)]
    asked = [*by, "count(*)"]
    for name in scores:
        one = backend.score(handle, name)
        asked += [f"count({one})", f"min({one})", f"max({one})", f"approx_count_distinct({one})"]
    places = ", ".join(str(at + 1) for at in range(len(by)))
    found = handle.rows(f"SELECT {', '.join(asked)} FROM source GROUP BY {places} LIMIT {most}")
    out: list[Look] = []
    for look in found:
        keys, count, rest = look[: len(by)], look[len(by)], look[len(by) + 1 :]
        row: list[Any] = [*keys, False, count]
        for at in range(len(scores)):
            there, low, high, distinct = rest[4 * at : 4 * at + 4]
            if keys[-1] is None or there < count or not -math.inf < low <= high < math.inf:
                return None
            row += [0, low, high, False, distinct]
        out.append((*row, 0, 0))
    return out or None


def check_cells(backend: DuckdbBackend, handle: Handle, found: list[Look]) -> None:
    """Text that is no number, and integers or decimals that float64 would join."""
    for at, name in enumerate(backend.roles.scores):
        column, kind = quoted(name), handle.types[name]
        if handle.text:
            _check_digits(backend, handle, name, [end for row in found for end in row[4 + 5 * at : 6 + 5 * at]])
            wrong_cells = f"{column} IS NOT NULL AND {backend.score(handle, name)} IS NULL"
            query = f"SELECT count(*), min({column}) FROM source WHERE {wrong_cells}"
            if backend.table.na:
                codes = ", ".join(literal(str(code)) for code in backend.table.na)
                query += f" AND trim({column}) NOT IN ({codes})"
            wrong, example = handle.rows(query)[0] if any(row[1] for row in found) else (0, "")
            if wrong:
                raise FileError(
                    backend.table.called, f"must hold numbers in the column {name}",
                    Words(f"{example!r} and {wrong - 1} other cells of text" if wrong > 1 else f"{example!r}"),
                    "correct these cells",
                )  # fmt: skip
        elif kind in _WIDE:
            low, high = handle.rows(f"SELECT min({column}), max({column}) FROM source")[0]
            check_integer(name, max(low or 0, high or 0, key=abs))
        elif kind.startswith("DECIMAL") and int(kind[8:].split(",")[0]) > 15:
            lost = f"CAST(CAST({column} AS DOUBLE) AS {kind}) <> {column}"
            if handle.rows(f"SELECT count(*) FROM source WHERE {lost}")[0][0]:
                raise InputError(
                    name, "must be distinguishable in float64",
                    Words("numbers that differ only beyond 15 digits"), "rank or rescale them first",
                )  # fmt: skip


def _check_digits(backend: DuckdbBackend, handle: Handle, name: str, ends: Sequence[float | None]) -> None:
    """Refuse integers of text files that float64 would join; only columns that reach so far are read again."""
    if max((abs(end) for end in ends if end is not None), default=0.0) > EXACT:
        column = f"trim({quoted(name)})"
        digits = f"regexp_full_match({column}, '[+-]?[0-9]+')"
        found = handle.rows(f"SELECT max_by({column}, abs({backend.score(handle, name)})) FROM source WHERE {digits}")
        check_integer(name, int(found[0][0] or 0))
