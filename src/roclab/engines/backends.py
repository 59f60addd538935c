"""Which backend has a source: the embedded engine, or the one the rows are on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from roclab._core.types import Array, Floats, Ints
from roclab.data.roles import Roles
from roclab.data.sources import KeptFolder, SourceTable
from roclab.data.tally import Tally
from roclab.engines.overview import Overview
from roclab.engines.pairing import PlaceSums
from roclab.engines.placed_influence import InfluenceLines, InfluenceSums
from roclab.engines.quantising import Binning, Grid
from roclab.engines.scan import Cells, Scanned
from roclab.engines.sums import Sums
from roclab.errors import InputError, Words, named

__all__ = ["Ends", "Backend", "Lookup", "Windows", "backend_of", "is_native", "resolved"]

Ends = Sequence[tuple[float, float]]  # lowest and highest scores of ranges
Windows = Mapping[str, tuple[float, float]]  # the same of one range a score
Lookup = Callable[[Tally, Array, Array], Ints]


class Backend(Protocol):
    """What every backend offers."""

    table: SourceTable
    roles: Roles
    name: str
    exact_words: str  # how an exact answer is found

    def overview(self) -> Overview:
        """Labels, gaps and ranges."""
        ...

    def few_distinct(self, seen: Overview, score: str) -> bool:
        """Whether scores repeat so much that they are grouped."""
        ...

    def cells(self, seen: Overview, score: str, binning: Binning | Grid | None, within: Ends | None = None) -> Cells:
        """Cases grouped by scores, or by bins of them; all, or those whose scores lie between some ends."""
        ...

    def scan(self, seen: Overview, score: str, *, lower: bool) -> Scanned:
        """The exact answer."""
        ...

    def at_once(self, seen: Overview) -> int:
        """How many scores one pass can answer exactly."""
        ...

    def scans(self, seen: Overview, names: Sequence[str]) -> Iterator[Scanned]:
        """The exact answers for so many scores, in one pass where there is one."""
        ...

    def holds(self, score: str) -> bool:
        """Whether the first look has read all values of a score, so that an exact count needs no pass."""
        ...

    def sums(self, seen: Overview, score: str) -> Sums | None:
        """The sums of a score, where they cost less than the exact answer with its curve."""
        ...

    def binned(self, score: str) -> tuple[Cells, str] | None:
        """Cells within the accuracy that the first look has made, and what they are."""
        ...

    @property
    def bins_at_once(self) -> int:
        """How many scores one pass can group by bins."""
        ...

    def many_cells(self, seen: Overview, binnings: Mapping[str, Binning]) -> dict[str, Cells]:
        """Cases grouped by bins of so many scores, in one pass where there is one."""
        ...

    def reaching(self, seen: Overview, score: str, threshold: float, *, lower: bool) -> tuple[float, float]:
        """Positives and negatives whose score reaches a threshold, or their weights."""
        ...

    def patterns(
        self, seen: Overview, thresholds: Mapping[str, float], lower: Mapping[str, bool]
    ) -> list[tuple[bool, tuple[bool, ...], int]]:
        """Class, calls of every score at its threshold, and how many cases have them."""
        ...

    def place_sums(self, seen: Overview, names: Sequence[str], known: Mapping[str, Tally]) -> PlaceSums:
        """Sums of the places of every case by every score, and of their products; by counts where those are known."""
        ...

    def influence_sums(
        self, seen: Overview, names: Sequence[str], lines: Mapping[str, InfluenceLines]
    ) -> InfluenceSums:
        """Sums of what the places of every case say of a part of the curve, and of their products."""
        ...

    def subject_sums(self, seen: Overview, names: Sequence[str]) -> tuple[Floats, Floats]:
        """Sums of places over the cases of every subject, and the squares of all places by class."""
        ...

    def values(self, seen: Overview, names: Sequence[str], windows: Windows | None = None) -> list[Array]:
        """Scores of every case by name, and 1 or 0 for its class, in memory; only in windows, if given."""
        ...

    def regression_sums(
        self, seen: Overview, names: Sequence[str], scale: Floats, beta: Floats, bound: float, intercept: bool
    ) -> tuple[tuple[int, int], list[float]]:
        """Cases by class, and sums of the likelihood of a logistic regression and of its derivatives."""
        ...

    def keyed_rows(self, seen: Overview, score: str, *, lower: bool) -> Iterator[tuple[Array, Array, Array]]:
        """Batches in ascending order of the turned score: scores, whether they are positive, keys of the ids."""
        ...

    def sides(self, seen: Overview, windows: Windows) -> list[tuple[bool, tuple[int, ...], int]]:
        """Class and side of every window, 0 below and 2 above, of the cases outside of all, and how many have them."""
        ...

    def plan(self, seen: Overview, accuracy: float, *, paired: bool) -> list[str]:
        """What will be done, in lines."""
        ...


def backend_of(table: SourceTable, roles: Roles, **asked: Any) -> Backend:
    """The backend of a source, by the engine that was asked for or that its rows are on."""
    table = resolved(table, roles.columns)
    weights = asked.pop("weights", None)
    if roles.weight is not None:
        if is_native(table):
            from roclab.engines.weighted_native import WeightedNarwhals

            return WeightedNarwhals(table, roles, weights=weights, **asked)
        from roclab.engines.weighted_duckdb import WeightedDuckdb

        return WeightedDuckdb(table, roles, weights=weights, **asked)
    if is_native(table):
        from roclab.engines.narwhals_backend import NarwhalsBackend

        return NarwhalsBackend(table, roles, **asked)
    from roclab.engines.duckdb_backend import DuckdbBackend

    return DuckdbBackend(table, roles, **asked)


def is_native(table: SourceTable) -> bool:
    """Whether a source is counted by the engine that its rows are on."""
    asked = table.reading.engine == "native"
    return table.kind in ("spark", "ibis") or (asked and table.kind in ("polars", "lazy", "relation"))


def resolved(table: SourceTable, columns: Sequence[str] | None) -> SourceTable:
    """The source as its engine reads it; a lazy frame that DuckDB will count is written out, with these columns."""
    engine, native = table.reading.engine, is_native(table)
    if engine == "native" and not native:
        raise InputError(
            "engine",
            "'native' is for tables that have an engine: Spark, Ibis, Polars lazy frames and DuckDB relations",
            Words(table.called),
            f"write {named('engine', 'duckdb')} or leave it out",
        )
    if engine == "duckdb" and table.kind in ("spark", "ibis"):
        raise InputError(
            "engine", "of a Spark or Ibis table is its own", engine, "leave it out, or write the table to Parquet files"
        )
    if table.kind == "postgres":
        return table.fetched(None if columns is None else list(dict.fromkeys(columns)))
    return _written_out(table, columns) if table.kind in ("polars", "lazy") and not native else table


def _written_out(table: SourceTable, columns: Sequence[str] | None) -> SourceTable:
    """A lazy frame, computed by its own engine into a file, with the columns that are needed and no more."""
    import narwhals as nw
    import pyarrow.dataset

    from roclab.data.roles import check_columns

    frame = nw.from_native(table.source)
    names = list(frame.collect_schema().names())
    check_columns(columns or (), names, table.called)
    folder = KeptFolder()
    path = os.path.join(folder.name, "frame.parquet")
    frame.lazy().select(names if columns is None else list(columns)).sink_parquet(path)
    return replace(table, source=pyarrow.dataset.dataset(path), kind="dataset", keeper=folder)
