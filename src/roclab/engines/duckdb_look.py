"""The first look of the embedded road: labels, gaps and ranges by one query, and cells that cannot be counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from roclab.data.files.duckdb import Handle, literal, no_number, quoted
from roclab.engines.overview import EXACT, Overview, check_gaps, check_integer, classes_of, joined_ranges
from roclab.errors import FileError, InputError, Words

if TYPE_CHECKING:
    from roclab.engines.duckdb_road import DuckRoad

__all__ = ["Look", "look_at"]

_WIDE = ("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT")

Look = tuple[
    Any, ...
]  # label, gap, cases; gaps, low, high, infinite and distinct of every score; distinct and lost ids


def look_at(road: DuckRoad, handle: Handle, found: list[Look] | None) -> Overview:
    """What a source holds, judged; ``found`` is what another pass has seen of it."""
    if found is None:
        found = _light_look(road, handle)
    if found is not None:
        _check_cells(road, handle, found)
        return _judged(road, found, None)
    asked = ["l", "gap", "count(*)"]
    for at in range(len(road.roles.scores)):
        seen = f"FILTER (WHERE NOT gap AND isfinite(v{at}))"
        asked += [
            f"count(*) FILTER (WHERE {no_number(f'v{at}')})",
            f"min(v{at}) {seen}", f"max(v{at}) {seen}", f"coalesce(bool_or(isinf(v{at})), false)",
            f"approx_count_distinct(v{at})",
        ]  # fmt: skip
    asked.append("count(DISTINCT c)" if road.roles.id is not None else "0")
    asked.append("count(*) FILTER (WHERE c IS NULL)" if road.roles.id is not None else "0")
    rows = road.rows(handle, road.roles.scores)
    found = handle.rows(f"SELECT {', '.join(asked)} FROM {rows} GROUP BY l, gap LIMIT 4000")
    _check_cells(road, handle, found)
    clusters = None
    if road.roles.id is not None:
        clusters = int(handle.rows(f"SELECT count(DISTINCT c) FROM {rows} WHERE NOT gap")[0][0])
    return _judged(road, found, clusters)


def _light_look(road: DuckRoad, handle: Handle) -> list[Look] | None:
    """The same where nothing is missing or infinite, which a cheaper pass can tell; None where something is.

    The largest of numbers among which NaN is, is NaN in DuckDB.
    """
    if road.roles.id is not None or road.table.na or handle.text:
        return None
    scores = road.roles.scores
    asked = [road.label(handle) + " AS l", "count(*)"]
    for name in scores:
        one = road.score(handle, name)
        asked += [f"count({one})", f"min({one})", f"max({one})", f"approx_count_distinct({one})"]
    found = handle.rows(f"SELECT {', '.join(asked)} FROM source GROUP BY 1 LIMIT 4000")
    out: list[Look] = []
    for label, count, *rest in found:
        row: list[Any] = [label, False, count]
        for at in range(len(scores)):
            there, low, high, distinct = rest[4 * at : 4 * at + 4]
            if label is None or there < count or not -math.inf < low <= high < math.inf:
                return None
            row += [0, low, high, False, distinct]
        out.append((*row, 0, 0))
    return out or None


def _judged(road: DuckRoad, found: list[Look], clusters: int | None) -> Overview:
    scores = road.roles.scores
    gaps = {road.roles.label: sum(row[2] for row in found if row[0] is None)}
    gaps |= {name: sum(row[3 + 5 * at] for row in found) for at, name in enumerate(scores)}
    if road.roles.id is not None:
        gaps[road.roles.id] = sum(row[-1] for row in found)
    lacking = sum(row[2] for row in found if row[1])
    check_gaps(gaps, lacking, sum(row[2] for row in found), road.missing)
    counts: dict[Any, int] = {}
    for row in found:
        if not row[1]:
            counts[row[0]] = counts.get(row[0], 0) + row[2]
    classes = classes_of(
        counts, pos_label=road.pos_label, neg_label=road.neg_label, name=road.roles.label,
        printed=road.table.printed_labels,
    )  # fmt: skip
    whole = [row for row in found if not row[1]]
    ranges = {name: joined_ranges([row[4 + 5 * at : 8 + 5 * at] for row in whole]) for at, name in enumerate(scores)}
    return Overview(classes=classes, dropped=lacking, ranges=ranges, clusters=clusters)


def _check_cells(road: DuckRoad, handle: Handle, found: list[Look]) -> None:
    """Text that is no number, and integers or decimals that float64 would join."""
    for at, name in enumerate(road.roles.scores):
        column, kind = quoted(name), handle.types[name]
        if handle.text:
            _check_digits(road, handle, name, [end for row in found for end in row[4 + 5 * at : 6 + 5 * at]])
            wrong_cells = f"{column} IS NOT NULL AND {road.score(handle, name)} IS NULL"
            query = f"SELECT count(*), min({column}) FROM source WHERE {wrong_cells}"
            if road.table.na:
                codes = ", ".join(literal(str(code)) for code in road.table.na)
                query += f" AND trim({column}) NOT IN ({codes})"
            wrong, example = handle.rows(query)[0] if any(row[1] for row in found) else (0, "")
            if wrong:
                raise FileError(
                    road.table.called, f"must hold numbers in the column {name}",
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


def _check_digits(road: DuckRoad, handle: Handle, name: str, ends: Sequence[float | None]) -> None:
    """Refuse integers of text files that float64 would join; only columns that reach so far are read again."""
    if max((abs(end) for end in ends if end is not None), default=0.0) > EXACT:
        column = f"trim({quoted(name)})"
        digits = f"regexp_full_match({column}, '[+-]?[0-9]+')"
        found = handle.rows(f"SELECT max_by({column}, abs({road.score(handle, name)})) FROM source WHERE {digits}")
        check_integer(name, int(found[0][0] or 0))
