"""The backend of rows that are on an engine already: Spark, Ibis, Polars or DuckDB, through Narwhals expressions.

Only aggregates leave the engine. An exact answer groups rows by score within bins of the score, runs its totals over
each bin and adds up seven integers there, so that no window spans the whole table and bins can be counted on as many
machines as there are; the bins then merge here (``sums``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from roclab._core.types import Array, Floats
from roclab.data.roles import Roles
from roclab.data.sources import SourceTable, answering
from roclab.data.tally import Tally
from roclab.engines.backends import Ends, Windows
from roclab.engines.narwhals_rows import as_number, is_one_of, no_number, rows_of
from roclab.engines.native_places import Bins, counted_in_bins
from roclab.engines.native_sums import influence_sums_on_engine, place_sums_on_engine, subject_sums_on_engine
from roclab.engines.overview import Look, Overview, ScoreRange, check_integer, overview_of
from roclab.engines.pairing import PlaceSums
from roclab.engines.placed_influence import InfluenceLines, InfluenceSums
from roclab.engines.plans import plan_on_engine
from roclab.engines.quantising import Binning, Grid, Split, binnings_of, half_width
from roclab.engines.regression import sums_on_engine
from roclab.engines.scan import Cells, Scanned
from roclab.engines.spark_jobs import collected
from roclab.engines.sums import Sums, merged, sums_of_one_score
from roclab.engines.watching import tell
from roclab.errors import InputError, Words, named
from roclab.inference.comparison.keyed_bootstrap import check_kind_of_ids, keys_of

__all__ = ["NarwhalsBackend"]

_BINS = 1 << 12  # of exact answers: each must hold fewer rows than the integers of an engine can take
_BLOCK = 2_000_000
_PER_BIN = 2000  # cases: windows over so few stay in the memory of Spark
_MOST_BINS = 1 << 16
MOST_FETCHED = 100_000_000  # cases that are resampled by their ids
_INNER, _CUTS = 1 << 12, 6  # bins that a full one is cut into, and how often


@dataclass(slots=True)
class NarwhalsBackend:
    """One lazy table, its columns by role, and what is missing in it."""

    table: SourceTable
    roles: Roles
    missing: str
    pos_label: Any = None
    neg_label: Any = None
    name: str = ""
    exact_words: str = "sums in bins"
    made: dict[str, Bins] = field(default_factory=dict)  # the bins of each score that were counted last
    small: int = 0  # cases up to which scores leave the engine as they are

    def __post_init__(self) -> None:
        import narwhals as nw

        kind = nw.from_native(self.table.source).implementation.name
        known = {"PYSPARK": "Spark", "PYSPARK_CONNECT": "Spark Connect", "DUCKDB": "DuckDB", "SQLFRAME": "SQLFrame"}
        self.name = known.get(kind, kind.title())

    @property
    def has_nan(self) -> bool:
        """Whether the engine knows numbers that are none; SQLite, through Ibis, keeps NULL instead of them."""
        backend = getattr(self.table.source, "get_backend", None)
        return backend is None or backend().name != "sqlite"

    def gathered(self, frame: Any) -> Any:
        """A small result, as a frame in memory."""
        with answering(self.table.called):
            return collected(frame)

    def collected(self, frame: Any) -> dict[str, Any]:
        """Its columns as arrays."""
        found = self.gathered(frame)
        return {name: np.asarray(found[name].to_numpy()) for name in found.columns}

    # -- the first look --------------------------------------------------------------------------------------

    def overview(self) -> Overview:
        """Labels, gaps and ranges: one aggregate by label."""
        tell(f"{self.name}: first look at {self.table.called}")
        seen = overview_of(self, self.looks(), self._subjects())
        self.check_ends(seen.ranges)
        return seen

    def looks(self, by: Sequence[str] = ()) -> list[Look]:
        """What there is of each label, with and without gaps; of each group too, whose values are then first."""
        import narwhals as nw

        scores = self.roles.scores
        frame = rows_of(self, scores, by)
        asked = [nw.len().cast(nw.Int64).alias("rows")]
        values = []
        for at in range(len(scores)):
            one = nw.col(f"v{at}")
            finite = ~nw.col("gap") & (one != math.inf) & (one != -math.inf)
            inside = nw.when(finite).then(one)
            values += [
                inside.alias(f"in{at}"), as_number(no_number(one, nan=self.has_nan)).alias(f"gap{at}"),
                as_number(~nw.col("gap") & ((one == math.inf) | (one == -math.inf))).alias(f"inf{at}"),
            ]  # fmt: skip
            asked += [
                nw.col(f"gap{at}").sum().alias(f"gaps{at}"), nw.col(f"in{at}").min().alias(f"low{at}"),
                nw.col(f"in{at}").max().alias(f"high{at}"), nw.col(f"inf{at}").sum().alias(f"infs{at}"),
            ]  # fmt: skip
        if self.roles.id is not None:
            values.append(as_number(nw.col("c").is_null()).alias("lacking"))
            asked.append(nw.col("lacking").sum().alias("nobody"))
        keys = [f"g{at}" for at in range(len(by))]
        grouped = frame.with_columns(values).group_by(*keys, "l", "gap").agg(asked)
        found = self.gathered(grouped)
        columns = {name: found[name].to_list() for name in found.columns}
        out: list[Look] = []
        for row in range(len(columns["rows"])):
            of = {name: column[row] for name, column in columns.items()}
            label = None if of["l"] is None or of["l"] != of["l"] else of["l"]
            look: list[Any] = [*([tuple(of[key] for key in keys)] if by else []), label, of["gap"], int(of["rows"])]
            for at in range(len(scores)):
                ends = (_number(of[f"low{at}"]), _number(of[f"high{at}"]))
                look += [int(of[f"gaps{at}"]), *ends, of[f"infs{at}"] > 0, 0.0]
            out.append((*look, 0, of.get("nobody", 0)))
        return out

    def _subjects(self) -> int | None:
        """How many subjects have cases that lack nothing, where an id was named."""
        import narwhals as nw

        if self.roles.id is None:
            return None
        cases = rows_of(self, self.roles.scores).filter(~nw.col("gap"))
        # Not by n_unique, for which Ibis asks PostgreSQL for a cast that it does not have.
        subjects = cases.group_by("c").agg(nw.len().alias("rows")).select(nw.len().alias("subjects"))
        return int(self.collected(subjects)["subjects"][0])

    def check_ends(self, ranges: Mapping[str, ScoreRange]) -> None:
        """Refuse integers that float64 would join."""
        for name, one in ranges.items():
            if self._whole(name):
                check_integer(name, int(max(one.low, one.high, key=abs)))

    def _whole(self, name: str) -> bool:
        import narwhals as nw

        return bool(nw.from_native(self.table.source).collect_schema()[name].is_integer())

    # -- one score -----------------------------------------------------------------------------------------------

    def kept(self, seen: Overview, score: str, by: Sequence[str] = ()) -> Any:
        """Rows that count, with their score v and 1 for positives, and columns g0, g1 … that make groups."""
        import narwhals as nw

        # cases that lack another score are no cases
        scores = (score, *(name for name in self.roles.scores if name != score))
        frame, positive = self.of_known_class(rows_of(self, scores, by).filter(~nw.col("gap")), seen)
        # Adding 0 joins the two zeros, which engines group together but NumPy may be told apart.
        keys = [nw.col(f"g{at}") for at in range(len(by))]
        return frame.select((nw.col("v0") + 0.0).alias("v"), as_number(positive).alias("p"), *keys)

    def every_score(self, seen: Overview, names: Sequence[str], *, ids: bool = False) -> Any:
        """Rows that count: 1 for positives p, their scores v0, v1 …, and their subject c."""
        import narwhals as nw

        scores = (*names, *(name for name in self.roles.scores if name not in names))
        frame, positive = self.of_known_class(rows_of(self, scores).filter(~nw.col("gap")), seen)
        values = [(nw.col(f"v{at}") + 0.0).alias(f"v{at}") for at in range(len(names))]
        return frame.select(as_number(positive).alias("p"), *values, *([nw.col("c")] if ids else []))

    def of_known_class(self, frame: Any, seen: Overview) -> tuple[Any, Any]:
        """Rows of both classes, and which of them are positive."""
        import narwhals as nw

        positive = is_one_of(nw.col("l"), seen.classes.positives)
        if seen.classes.left_out:
            frame = frame.filter(positive | is_one_of(nw.col("l"), seen.classes.negatives))
        return frame, positive

    def few_distinct(self, seen: Overview, score: str) -> bool:
        """Not known before rows are grouped, unless so few rows are told to leave the engine as they are."""
        return seen.cases <= self.small

    def cells(
        self, seen: Overview, score: str, binning: Binning | Split | Grid | None, within: Ends | None = None
    ) -> Cells:
        """Cases grouped by bins of their scores, or by the scores themselves; one aggregate."""
        import narwhals as nw

        tell(f"{self.name}: grouping {score}")
        rows = nw.len() if seen.weights is None else nw.col("m").sum()
        grouped = self.in_bins(self.kept(seen, score), binning, within).group_by("k")
        grouped = grouped.agg(
            nw.col("v").min().alias("low"), nw.col("v").max().alias("high"), nw.col("p").sum().alias("pos"),
            rows.cast(nw.Int64).alias("rows"),
        )  # fmt: skip
        found = self.collected(grouped)
        order = np.argsort(found["low"])
        pos, rows = found["pos"].astype(np.int64)[order], found["rows"].astype(np.int64)[order]
        cells = Cells(found["low"].astype(np.float64)[order], found["high"].astype(np.float64)[order], pos, rows - pos)
        if isinstance(binning, Binning | Split) and within is None:
            self.made[score] = Bins(binning, found["k"].astype(np.int64)[order], cells)
        return cells

    @staticmethod
    def in_bins(kept: Any, binning: Binning | Split | Grid | None, within: Ends | None) -> Any:
        """Cases with the number k of their bin; all, or those whose scores lie between some ends."""
        import narwhals as nw

        if within is not None:
            inside = [(nw.col("v") >= low) & (nw.col("v") <= high) for low, high in within]
            kept = kept.filter(reduce(or_, inside))
        return kept.with_columns(k=nw.col("v") if binning is None else binning.expression(nw.col("v")))

    def scan(self, seen: Overview, score: str, *, lower: bool) -> Scanned:
        """Seven sums of every bin, exact, merged here; bins that are one score need no window."""
        bins = self.small_bins(seen, score)
        cells = bins.cells
        if bins.binning is None or bins.are_ties:
            blocks = [sums_of_one_score(int(p), int(n)) for p, n in zip(cells.pos, cells.neg, strict=True)]
            return Scanned(merged(blocks), cells, _precision(cells), np.zeros(cells.pos.size, np.int64))
        found = self.collected(self._sums_by_bin(seen, score, bins))
        sorter = np.argsort(bins.keys)  # numbers need not rise with the score
        order = np.argsort(sorter[np.searchsorted(bins.keys, found["k"].astype(np.int64), sorter=sorter)])
        columns = [found[name].astype(object)[order] for name in ("p", "n", "pu", "puu", "nw", "nww", "t")]
        total = merged(Sums(*(int(value) for value in row)) for row in zip(*columns, strict=True))
        excess = found["pu"].astype(np.int64)[order] - cells.pos * cells.neg
        return Scanned(total, cells, math.nan, excess)

    def at_once(self, seen: Overview) -> int:
        """One score after another: only sums leave the engine."""
        return 1

    def scans(self, seen: Overview, names: Sequence[str]) -> Iterator[Scanned]:
        """One aggregate of sums for each score."""
        for name in names:
            yield self.scan(seen, name, lower=False)

    def holds(self, score: str) -> bool:
        """Nothing but aggregates leaves the engine."""
        return False

    def sums(self, seen: Overview, score: str) -> Sums | None:
        """Nothing is kept to be summed."""
        return None

    def binned(self, score: str) -> tuple[Cells, str] | None:
        """Its first look counts nothing."""
        return None

    @property
    def bins_at_once(self) -> int:
        """One score after another, as above."""
        return 1

    def many_cells(self, seen: Overview, binnings: Mapping[str, Binning]) -> dict[str, Cells]:
        """One aggregate of bins for each score."""
        return {name: self.cells(seen, name, binning) for name, binning in binnings.items()}

    def small_bins(self, seen: Overview, score: str, *, refused: bool = True) -> Bins:
        """Bins of so few rows that their sums fit into the integers of an engine, which is ``refused`` otherwise."""
        count = max(_BINS, min(seen.cases // _PER_BIN, _MOST_BINS))
        ways = binnings_of(seen.ranges[score], count)
        if not ways:  # one score, or ends too far apart to subtract
            cells = self.cells(seen, score, None)
            return Bins(None, np.zeros(cells.pos.size, np.int64), cells)
        self.cells(seen, score, ways[0])
        found = self.made[score]
        if _fullest(found) <= _BLOCK and half_width(found.cells) < 0.01:
            return found
        tried = []
        for one in binnings_of(seen.ranges[score], _MOST_BINS):
            self.cells(seen, score, one)
            tried.append(self.made[score])
        found = min(tried, key=_fullest)
        for _ in range(_CUTS):
            if isinstance(found.binning, Binning):
                found = replace(found, binning=Split(whole=found.binning, parts=()))
            cells = found.cells
            heavy = cells.joined & (cells.pos + cells.neg > _BLOCK)
            if not heavy.any() or not isinstance(found.binning, Split):
                break
            ranges = list(zip(cells.low[heavy].tolist(), cells.high[heavy].tolist(), strict=True))
            self.cells(seen, score, found.binning.cut(ranges, _INNER))
            found = self.made[score]
        if refused and _fullest(found) > _BLOCK:
            raise InputError(
                score,
                f"must spread over its range so that no bin holds more than {_BLOCK:,} cases",
                Words(f"{_fullest(found):,} in one"),
                f"transform it (ranks, logarithm), or write Parquet files and use {named('engine', 'duckdb')}",
            )
        return found

    def _sums_by_bin(self, seen: Overview, score: str, bins: Bins) -> Any:
        import narwhals as nw

        c = nw.col
        g = (
            counted_in_bins(self.kept(seen, score), bins)
            .with_columns(u=c("n1") * 2 - c("ne"), w=c("p1") * 2 - c("pe"))
            .with_columns(pu=c("p") * c("u"), nw=c("n") * c("w"))
            .with_columns(
                puu=c("pu") * c("u"),
                nww=c("nw") * c("w"),
                t=c("n") * (c("u") * c("w") + (c("n1") - c("ne")) * (c("p1") - c("pe")) + c("n1") * c("p1")),
            )
        )
        return g.group_by("k").agg(*(c(name).sum().alias(name) for name in ("p", "n", "pu", "puu", "nw", "nww", "t")))

    def reaching(self, seen: Overview, score: str, threshold: float, *, lower: bool) -> tuple[float, float]:
        """Positives and negatives whose score reaches a threshold."""
        import narwhals as nw

        reached = nw.col("v") <= threshold if lower else nw.col("v") >= threshold
        kept = self.kept(seen, score).filter(reached)
        found = self.collected(kept.select(nw.col("p").sum().alias("p"), nw.len().cast(nw.Int64).alias("rows")))
        pos = int(found["p"][0]) if found["rows"][0] else 0
        return pos, int(found["rows"][0]) - pos

    def patterns(
        self, seen: Overview, thresholds: Mapping[str, float], lower: Mapping[str, bool]
    ) -> list[tuple[bool, tuple[bool, ...], int]]:
        """Class, calls of every score at its threshold, and how many cases have them; one aggregate."""
        import narwhals as nw

        names = list(thresholds)
        tell(f"{self.name}: counting calls of {', '.join(names)}")
        calls = []
        for at, name in enumerate(names):
            score, limit = nw.col(f"v{at}"), float(thresholds[name])
            calls.append(as_number(score <= limit if lower[name] else score >= limit).alias(f"c{at}"))
        keys = ["p", *(f"c{at}" for at in range(len(names)))]
        called = self.every_score(seen, names).select("p", *calls)
        found = self.collected(called.group_by(*keys).agg(nw.len().cast(nw.Int64).alias("rows")))
        columns = [found[key].tolist() for key in (*keys, "rows")]
        return [(bool(one[0]), tuple(map(bool, one[1:-1])), int(one[-1])) for one in zip(*columns, strict=True)]

    # -- several scores -------------------------------------------------------------------------------------------

    def place_sums(self, seen: Overview, names: Sequence[str], known: Mapping[str, Tally]) -> PlaceSums:
        """Sums of the places of all cases and of their products: only these leave the engine."""
        return place_sums_on_engine(self, seen, names, known)

    def influence_sums(
        self, seen: Overview, names: Sequence[str], lines: Mapping[str, InfluenceLines]
    ) -> InfluenceSums:
        """Sums of what the places of all cases say of a part of the curve: only these leave the engine."""
        return influence_sums_on_engine(self, seen, names, lines)

    def subject_sums(self, seen: Overview, names: Sequence[str]) -> tuple[Floats, Floats]:
        """Sums over the cases of every subject; one row a subject leaves the engine."""
        return subject_sums_on_engine(self, seen, names)

    def values(self, seen: Overview, names: Sequence[str], windows: Windows | None = None) -> list[Array]:
        """Scores of every case by name, and 1 or 0 for its class, in memory; only in windows, if given."""
        frame = self.every_score(seen, names)
        found = self.collected(frame if windows is None else frame.filter(_in_any(windows)))
        return [*(found[f"v{at}"].astype(np.float64) for at in range(len(names))), found["p"]]

    def keyed_rows(self, seen: Overview, score: str, *, lower: bool) -> Iterator[tuple[Array, Array, Array]]:
        """All cases, which leave the engine, in ascending order of the turned score, with the keys of their ids."""
        import narwhals as nw

        assert self.roles.id is not None
        if seen.cases > MOST_FETCHED:
            raise InputError(
                "variance", f"by ids has the rows of an engine in memory, at most {MOST_FETCHED:,}",
                Words(f"{seen.cases:,}"), f"write Parquet files and use {named('engine', 'duckdb')}",
            )  # fmt: skip
        kind = nw.from_native(self.table.source).collect_schema()[self.roles.id]
        if not (kind.is_integer() or kind == nw.String):
            check_kind_of_ids(str(kind), self.roles.id)
        tell(f"{self.name}: resampling {score}")
        found = self.collected(self.every_score(seen, [score], ids=True))
        value = found["v0"].astype(np.float64) * (-1.0 if lower else 1.0) + 0.0
        order = np.argsort(value)
        yield value[order], found["p"][order] == 1, keys_of(found["c"])[order]

    def regression_sums(
        self, seen: Overview, names: Sequence[str], scale: Floats, beta: Floats, bound: float, intercept: bool
    ) -> tuple[tuple[int, int], list[float]]:
        """Sums of the likelihood of a regression and of its derivatives: only these leave the engine."""
        return sums_on_engine(self, seen, names, scale, beta, bound, intercept)

    def sides(self, seen: Overview, windows: Windows) -> list[tuple[bool, tuple[int, ...], int]]:
        """Class and side of every window, 0 below and 2 above, of the cases outside of all, and how many have them."""
        import narwhals as nw

        keys = ["p", *(f"c{at}" for at in range(len(windows)))]
        frame = self.every_score(seen, list(windows)).filter(~_in_any(windows))
        sides = {f"c{at}": as_number(nw.col(f"v{at}") > low) * 2 for at, (low, _) in enumerate(windows.values())}
        frame = frame.with_columns(**sides).select(*keys)
        found = self.collected(frame.group_by(*keys).agg(nw.len().cast(nw.Int64).alias("rows")))
        rows = sorted(zip(*(found[key].tolist() for key in (*keys, "rows")), strict=True))
        return [(bool(one[0]), tuple(map(int, one[1:-1])), int(one[-1])) for one in rows]

    def plan(self, seen: Overview, accuracy: float, *, paired: bool) -> list[str]:
        """What will be done, in lines."""
        return plan_on_engine(self, seen, accuracy, paired=paired)


def _in_any(windows: Windows) -> Any:
    """Whether a case lies in the window of any of its scores."""
    import narwhals as nw

    return reduce(or_, [(nw.col(f"v{at}") >= low) & (nw.col(f"v{at}") <= high)
                        for at, (low, high) in enumerate(windows.values())])  # fmt: skip


def _fullest(bins: Bins) -> int:
    """Cases in the fullest bin that joins scores."""
    return int(np.max(bins.cells.pos + bins.cells.neg, where=bins.cells.joined, initial=0))


def _number(value: Any) -> float | None:
    return None if value is None or value != value else float(value)


def _precision(cells: Cells) -> float:
    """Average precision of cells that are ties."""
    tp, fp = np.cumsum(cells.pos[::-1]), np.cumsum(cells.neg[::-1])
    return float(np.sum(cells.pos[::-1] * (tp / (tp + fp)))) / float(tp[-1])
