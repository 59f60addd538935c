"""The AUC in every one of many groups, from one pass over the rows: a million groups as well as a thousand.

DuckDB sorts the rows by group and score, on disk where memory is short, and hands them over in that order; whole groups
are counted as they pass by, with the functions that count groups in memory, so that the digits are the same. An engine
of the user's counts inside each group by running totals, one shuffle by group, and six whole numbers of every group
leave it. What is kept here are the counts and results of the groups.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

import numpy as np

from roclab._core.types import Array, Floats, Ints
from roclab._core.work import leave_if_stopped
from roclab.data.files.duckdb import check_room, opened, quoted
from roclab.data.sources import spill_folder
from roclab.engines.backends import Backend
from roclab.engines.duckdb_backend import DuckdbBackend
from roclab.engines.narwhals_backend import NarwhalsBackend
from roclab.engines.native_places import totals_within
from roclab.engines.overview import Overview, check_counts
from roclab.engines.source_groups import SourceGroups, key_of, plain_key
from roclab.engines.watching import tell
from roclab.errors import InputError, Words, named
from roclab.inference.one_area.grouped import GroupedAreas, areas_of_ordered

__all__ = ["areas_of_many_groups"]

_LARGEST = 2_000_000  # cases of a group whose sums fit into the integers of an engine
_BATCH = 500_000
_ROW = 20  # bytes of a case that is sorted
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")


def areas_of_many_groups(
    backend: Backend, seen: Overview, groups: SourceGroups, name: str, *, lower: bool
) -> GroupedAreas:
    """Areas of a score in all groups, in their order; O(n log n)."""
    counted = _on_engine if groups.native else _by_duckdb
    found = counted(cast(Any, backend), seen, groups, name, lower)
    check_counts(groups.table.called, seen, int(found.n_pos.sum()), int(found.n_neg.sum()))
    return found


def _by_duckdb(backend: DuckdbBackend, seen: Overview, groups: SourceGroups, name: str, lower: bool) -> GroupedAreas:
    """Rows in order of group and score, as they pass by."""
    places = {key: at for at, keys in enumerate(groups.keys) for key in keys}
    with spill_folder() as spill, opened(groups.table, spill=spill) as handle:
        whole = len(groups.columns) == 1 and not groups.text and handle.types[groups.columns[0]] in _WHOLE
        key = quoted(groups.columns[0]) if whole else key_of(groups.columns, text=groups.text)
        check_room(spill, _ROW * seen.cases if seen.cases > backend.capacity() else 0.0)
        # Keys in the order in which DuckDB sorts them: whole numbers as their groups are, words by their bytes.
        ordered = list(places) if whole else sorted(places, key=lambda one: str(one).encode())
        shown = "k" if whole else "hash(k)::UBIGINT"
        query = (
            f"SELECT {shown}, {'-v0' if lower else 'v0'} AS s, {backend.positive(seen)}::TINYINT "
            f"FROM {backend.rows(handle, (name,), seen, also=[f'{key} AS k'])} WHERE {backend.kept(seen)} ORDER BY k, s"
        )
        parts, done = [], 0
        for group, score, positive in _whole_groups(handle.batches(query, _BATCH)):
            leave_if_stopped()
            starts = np.flatnonzero(np.concatenate([[True], group[1:] != group[:-1]]))
            codes = np.repeat(np.arange(starts.size), np.diff(starts, append=group.size))
            parts.append(areas_of_ordered(positive == 1, score + 0.0, codes, starts.size))
            done += group.size
            tell(f"{backend.name}: counting {name} in {len(groups.names):,} groups", done, seen.cases)
    found = [np.concatenate(column) for column in zip(*parts, strict=True)]
    if found[0].size != len(ordered):
        return _grouped(*found)  # whose cases do not add up, which is said
    return _joined(found, np.array([places[key] for key in ordered]), len(groups.names), groups)


def _whole_groups(batches: Iterator[list[Array]]) -> Iterator[list[Array]]:
    """Batches of rows in order that end where a group ends."""
    held: list[Array] | None = None
    for batch in batches:
        columns = batch if held is None else [np.concatenate(pair) for pair in zip(held, batch, strict=True)]
        if not columns[0].size:
            continue
        last = int(np.flatnonzero(columns[0] != columns[0][-1])[-1]) + 1 if columns[0][0] != columns[0][-1] else 0
        held = [column[last:] for column in columns]
        if last:
            yield [column[:last] for column in columns]
    if held is not None and held[0].size:
        yield held


def _grouped(n_pos: Array, n_neg: Array, area: Array, spread10: Array, spread01: Array) -> GroupedAreas:
    return GroupedAreas(n_pos.astype(np.int64), n_neg.astype(np.int64), area, spread10, spread01)


def _joined(found: Sequence[Array], place: Ints, size: int, groups: SourceGroups) -> GroupedAreas:
    """Results in the order of the groups; groups whose cases are all left out have none."""
    if np.unique(place).size != place.size:  # several values have one name, such as 1 and 1.0
        raise InputError("by", "must not have several values of one name where groups are many", Words(groups.called))
    columns: list[Floats] = []
    for at, column in enumerate(found):
        every = np.zeros(size) if at < 2 else np.full(size, np.nan)
        every[place] = column
        columns.append(every)
    return _grouped(*columns)


def _on_engine(backend: NarwhalsBackend, seen: Overview, groups: SourceGroups, name: str, lower: bool) -> GroupedAreas:
    """Six sums of every group; one shuffle by group."""
    import narwhals as nw

    c = nw.col
    tell(f"{backend.name}: counting {name} in {len(groups.names):,} groups")
    if max(groups.sizes) > _LARGEST:
        raise InputError(
            "by", f"must make groups of at most {_LARGEST:,} rows where groups are many",
            Words(f"{max(groups.sizes):,} in one"), f"write Parquet files and use {named('engine', 'duckdb')}",
        )  # fmt: skip
    keys = [f"g{at}" for at in range(len(groups.columns))]
    frame = totals_within(backend.kept(seen, name, groups.columns), keys)
    frame = frame.with_columns(u=c("n1") * 2 - c("ne"), w=c("p1") * 2 - c("pe"))
    frame = frame.with_columns(pu=c("p") * c("u"), nw=c("n") * c("w"))
    frame = frame.with_columns(puu=c("pu") * c("u"), nww=c("nw") * c("w"))
    sums = ("p", "n", "pu", "puu", "nw", "nww")
    found = backend.gathered(frame.group_by(*keys).agg(*(c(one).sum().cast(nw.Int64).alias(one) for one in sums)))
    places = {key: at for at, own in enumerate(groups.keys) for key in own}
    rows = zip(*(found[key].to_list() for key in keys), strict=True)
    place = np.array([places.get(plain_key(row), -1) for row in rows], np.int64)
    columns = [np.asarray(found[one].to_numpy()).astype(np.int64)[place >= 0] for one in sums]
    return _joined(_areas_of_sums(*columns, lower=lower), place[place >= 0], len(groups.names), groups)


def _areas_of_sums(p: Ints, n: Ints, pu: Ints, puu: Ints, nw: Ints, nww: Ints, *, lower: bool) -> list[Array]:
    """Areas and spreads from sums of whole numbers, exact up to the last division."""
    P, N = p.astype(object), n.astype(object)
    top = (P * puu - pu.astype(object) ** 2, N * nww - nw.astype(object) ** 2)
    pos, neg = p.astype(np.float64), n.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        area = pu / (2 * pos * neg)
        spread10 = top[0].astype(np.float64) / (4 * neg**2 * pos * (pos - 1))
        spread01 = top[1].astype(np.float64) / (4 * pos**2 * neg * (neg - 1))
    lacking = (p == 0) | (n == 0)
    area[lacking] = np.nan
    spread10[lacking | (p < 2)] = np.nan
    spread01[lacking | (n < 2)] = np.nan
    return [pos, neg, 1 - area if lower else area, spread10, spread01]
