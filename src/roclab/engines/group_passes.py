"""Passes that count all groups of a source at once: every case goes to the count of its own group."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from roclab._core.types import Array
from roclab._core.work import leave_if_stopped
from roclab.data.files.duckdb import Handle, check_room, literal, opened, translated
from roclab.data.sources import spill_folder
from roclab.engines.duckdb_backend import GROUPED, DuckdbBackend, cells_in_order
from roclab.engines.narwhals_backend import NarwhalsBackend
from roclab.engines.narwhals_rows import rows_of
from roclab.engines.overview import Overview
from roclab.engines.quantising import Binning
from roclab.engines.scan import CELLS, Cells, Scan, Scanned
from roclab.engines.sorting import ClassSort
from roclab.engines.source_groups import SourceGroups, key_of, plain_key
from roclab.engines.watching import tell

__all__ = [
    "cells_by_group", "cells_on_engine", "most_cells", "scans_by_group", "subjects_by_group", "subjects_on_engine",
]  # fmt: skip

Parts = Mapping[int, Overview]  # groups by their number, all with the same classes

_CELLS = 1 << 22  # of all groups together
_FEWEST_CELLS = 1 << 12
_COMPARED = 12  # groups up to which all pairs are compared, for which powers are needed


def most_cells(groups: int) -> int:
    """Cells that the curve of one of so many groups may have."""
    return min(CELLS, max(_CELLS // groups, _FEWEST_CELLS))


def together(parts: Parts) -> Overview:
    """What must be known of groups to read them in one pass: what is missing or left out in any of them."""
    every = list(parts.values())
    classes = [one.classes for one in every]
    total = replace(
        classes[0], n_pos=sum(label.n_pos for label in classes), n_neg=sum(label.n_neg for label in classes),
        left_out=max(label.left_out for label in classes),
    )  # fmt: skip
    return replace(every[0], classes=total, dropped=max(one.dropped for one in every))


def _joined(backend: DuckdbBackend, handle: Handle, groups: SourceGroups, parts: Parts, names: Sequence[str]) -> str:
    """Cases of the groups with the number of each, as part of a query; the few keys are what is looked up in."""
    rows = backend.rows(
        handle, tuple(names), together(parts), also=[f"{key_of(groups.columns, text=handle.text)} AS k"]
    )
    pairs = ", ".join(f"({literal(key)}, {at})" for at in parts for key in groups.keys[at])
    return f"{rows} JOIN (VALUES {pairs}) AS m(key, code) ON k = m.key"


def subjects_by_group(backend: DuckdbBackend, groups: SourceGroups, parts: Parts) -> dict[int, int]:
    """Subjects of every group."""
    with opened(groups.table) as handle:
        seen = replace(together(parts), dropped=1)  # whoever lacks an id is no subject
        rows = backend.rows(
            handle, backend.roles.scores, seen, also=[f"{key_of(groups.columns, text=handle.text)} AS k"]
        )
        pairs = ", ".join(f"({literal(key)}, {at})" for at in parts for key in groups.keys[at])
        query = (
            f"SELECT code, count(DISTINCT c) FROM {rows} JOIN (VALUES {pairs}) AS m(key, code) ON k = m.key "
            "WHERE NOT gap GROUP BY code"
        )
        return {int(code): int(count) for code, count in handle.rows(query)}


def subjects_on_engine(backend: NarwhalsBackend, groups: SourceGroups, parts: Parts) -> dict[int, int]:
    """The same by one aggregate on an engine of the user's."""
    import narwhals as nw

    keys = [f"g{at}" for at in range(len(groups.columns))]
    cases = rows_of(backend, backend.roles.scores, groups.columns).filter(~nw.col("gap"))
    each = cases.group_by(*keys, "c").agg(nw.len().alias("rows"))
    found = backend.gathered(each.group_by(*keys).agg(nw.len().alias("subjects")))
    place = {key: at for at in parts for key in groups.keys[at]}
    counts: dict[int, int] = {}
    for *row, subjects in zip(*(found[name].to_list() for name in (*keys, "subjects")), strict=True):
        if plain_key(row) in place:
            counts[place[plain_key(row)]] = int(subjects)
    return counts


def cells_by_group(
    backend: DuckdbBackend, groups: SourceGroups, parts: Parts, name: str, binning: Binning | None
) -> dict[int, Cells]:
    """Cases of every group by their scores, or by bins of them."""
    with opened(groups.table) as handle:
        tell(f"{backend.name}: grouping {name} in {len(parts)} groups")
        seen = together(parts)
        key = "v0" if binning is None else binning.sql("v0")
        query = (
            f"SELECT code, {GROUPED} FROM (SELECT code, v0 AS v, {key} AS b, {backend.positive(seen)} AS p "
            f"FROM {_joined(backend, handle, groups, parts, [name])} WHERE {backend.kept(seen)}) GROUP BY code, b"
        )
        code, *columns = handle.grouped(query)
    return {at: cells_in_order(*(column[code == at] for column in columns)) for at in parts}


def scans_by_group(
    backend: DuckdbBackend, groups: SourceGroups, parts: Parts, names: Sequence[str]
) -> Iterator[tuple[str, int, Scanned]]:
    """Every score of every group in its own order, read once; memory is shared out by the size of the groups."""
    seen = together(parts)
    total = seen.cases
    with spill_folder() as spill, opened(groups.table, spill=spill) as handle:
        capacity = backend.capacity() // len(names)
        if total > capacity:
            check_room(spill, 8.5 * total * len(names))
        sorts = {
            (name, at): ClassSort(capacity * one.cases // total, _folder(spill, number, at))
            for number, name in enumerate(names)
            for at, one in parts.items()
        }
        columns = [*(f"v{at}" for at in range(len(names))), f"{backend.positive(seen)}::TINYINT", "code"]
        rows = _joined(backend, handle, groups, parts, names)
        query = f"SELECT {', '.join(columns)} FROM {rows} WHERE {backend.kept(seen)}"
        called, done, steps = ", ".join(names[:3]), 0, (len(names) + 1) * total
        for *values, positive, code in handle.batches(query, max(1_000_000 // len(names), 50_000)):
            leave_if_stopped()
            order, pieces = _pieces(code)
            positive = positive[order]
            with translated(groups.table.called):
                for name, one in zip(names, values, strict=True):
                    ordered = one[order]
                    for at, piece in pieces:
                        sorts[name, at].add(ordered[piece], positive[piece])
            done += code.size
            tell(f"{backend.name}: reading {called} of {len(parts)} groups", done, steps)
        for name in names:
            for at, one in parts.items():
                cells = most_cells(len(parts))
                powers = len(parts) <= _COMPARED and one.cases > cells
                scan = Scan(n_pos=one.classes.n_pos, n_neg=one.classes.n_neg, most_cells=cells, powers=powers)
                with translated(groups.table.called):
                    for scores, flags in sorts.pop((name, at)).rows():
                        scan.add(scores, flags)
                        done += scores.size
                        tell(f"{backend.name}: counting {name} of {groups.names[at]}", done, steps)
                yield name, at, scan.finish()


def _folder(spill: str, number: int, at: int) -> Path:
    folder = Path(spill) / f"{number}.{at}"
    folder.mkdir()
    return folder


def _pieces(code: Array) -> tuple[Array, list[tuple[int, slice]]]:
    """Rows in the order of their groups, and where each group lies among them."""
    order = np.argsort(code.astype(np.uint16), kind="stable")
    sizes = np.bincount(code)
    ends = np.cumsum(sizes)
    return order, [(at, slice(ends[at] - sizes[at], ends[at])) for at in np.flatnonzero(sizes).tolist()]


def cells_on_engine(backend: NarwhalsBackend, groups: SourceGroups, parts: Parts, name: str) -> dict[int, Cells]:
    """Distinct scores of groups that are small, by one aggregate on an engine of the user's."""
    import narwhals as nw

    tell(f"{backend.name}: grouping {name} in {len(parts)} groups")
    keys = [f"g{at}" for at in range(len(groups.columns))]
    kept = backend.kept(together(parts), name, groups.columns)
    grouped = kept.group_by(*keys, "v").agg(nw.col("p").sum().alias("p"), nw.len().cast(nw.Int64).alias("rows"))
    found = backend.gathered(grouped)
    place = {key: at for at in parts for key in groups.keys[at]}
    rows = zip(*(found[key].to_list() for key in keys), strict=True)
    code = np.array([place.get(plain_key(row), -1) for row in rows], np.int64)
    score, pos, every = (np.asarray(found[column].to_numpy()) for column in ("v", "p", "rows"))
    return {at: cells_in_order(*(one[code == at] for one in (score, score, pos, every))) for at in parts}
