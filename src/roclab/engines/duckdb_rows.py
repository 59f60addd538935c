"""Rows that leave the embedded engine: all of a few cases, those in windows, and batches that pass by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from roclab._core.types import Array
from roclab._core.work import leave_if_stopped
from roclab.data.files.duckdb import check_room, literal, opened
from roclab.data.sources import spill_folder
from roclab.engines.backends import Windows
from roclab.engines.overview import Overview
from roclab.engines.watching import tell
from roclab.inference.comparison.keyed_bootstrap import check_kind_of_ids

if TYPE_CHECKING:
    from roclab.engines.duckdb_backend import DuckdbBackend

__all__ = ["keyed_rows_by_duckdb", "rows_of_scores_by_duckdb", "sides_by_duckdb", "values_by_duckdb"]

_KEYED = 24  # bytes of a case that is sorted with the key of its id


def rows_of_scores_by_duckdb(backend: DuckdbBackend, seen: Overview, names: Sequence[str]) -> Iterator[list[Array]]:
    """Batches of all cases in any order: their scores by name, and 1 or 0 for their class."""
    with opened(backend.table) as handle:
        rows = backend.rows(handle, tuple(names), seen)
        columns = [*(f"v{at}" for at in range(len(names))), f"{backend.positive(seen)}::TINYINT"]
        query = f"SELECT {', '.join(columns)} FROM {rows} WHERE {backend.kept(seen)}"
        yield from backend.with_progress(handle.batches(query, 100_000), seen.cases)


def keyed_rows_by_duckdb(
    backend: DuckdbBackend, seen: Overview, score: str, *, lower: bool
) -> Iterator[tuple[Array, Array, Array]]:
    """Batches in ascending order of the turned score: scores, whether they are positive, keys of the ids."""
    assert backend.roles.id is not None
    with spill_folder() as spill, opened(backend.table, spill=spill) as handle:
        check_kind_of_ids(handle.types[backend.roles.id], backend.roles.id)
        check_room(spill, _KEYED * seen.cases if seen.cases > backend.capacity() else 0.0)
        rows = backend.rows(handle, (score,), seen)
        query = (
            f"SELECT {'-v0' if lower else 'v0'} AS s, {backend.positive(seen)}, "
            f"md5_number_lower(CAST(c AS VARCHAR)) AS h FROM {rows} WHERE {backend.kept(seen)} ORDER BY s"
        )
        done = 0
        for value, positive, key in handle.batches(query, 500_000):
            leave_if_stopped()
            done += value.size
            tell(f"{backend.name}: resampling {score}", done, seen.cases)
            yield value + 0.0, positive.astype(np.bool_), key.astype(np.uint64)


def values_by_duckdb(
    backend: DuckdbBackend, seen: Overview, names: Sequence[str], windows: Windows | None = None
) -> list[Array]:
    """Scores of every case by name, and 1 or 0 for its class, in memory; only in windows, if given."""
    with opened(backend.table) as handle:
        rows = backend.rows(handle, tuple(names), seen)
        columns = [*(f"v{at}" for at in range(len(names))), f"{backend.positive(seen)}::TINYINT"]
        where = backend.kept(seen)
        if windows is not None:
            inside = (f"v{at} BETWEEN {literal(low)} AND {literal(high)}"
                      for at, (low, high) in enumerate(windows.values()))  # fmt: skip
            where += f" AND ({' OR '.join(inside)})"
        return handle.grouped(f"SELECT {', '.join(columns)} FROM {rows} WHERE {where}")


def sides_by_duckdb(
    backend: DuckdbBackend, seen: Overview, windows: Windows
) -> list[tuple[bool, tuple[int, ...], int]]:
    """Class and side of every window, 0 below and 2 above, of the cases outside of all, and how many have them."""
    with opened(backend.table) as handle:
        rows = backend.rows(handle, tuple(windows), seen)
        sides = ", ".join(f"CASE WHEN v{at} < {literal(low)} THEN 0 ELSE 2 END AS c{at}"
                          for at, (low, _) in enumerate(windows.values()))  # fmt: skip
        outside = " AND ".join(f"NOT (v{at} BETWEEN {literal(low)} AND {literal(high)})"
                               for at, (low, high) in enumerate(windows.values()))  # fmt: skip
        query = (
            f"SELECT ({backend.positive(seen)}) AS p, {sides}, count(*) FROM {rows} WHERE {backend.kept(seen)} "
            f"AND {outside} GROUP BY ALL ORDER BY ALL"
        )
        found = handle.rows(query)
    return [(bool(one[0]), tuple(map(int, one[1:-1])), int(one[-1])) for one in found]
