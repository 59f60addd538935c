"""The backend of rows that are on an engine already: Spark, Ibis, Polars or DuckDB, through Narwhals expressions.

Only aggregates leave the engine. An exact answer groups rows by score within bins of the score, runs its totals over
each bin and adds up seven integers there, so that no window spans the whole table and bins can be counted on as many
machines as there are; the bins then merge here (``sums``).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, NoReturn

import numpy as np

from roclab._core.types import Array
from roclab.data.roles import Roles, check_columns
from roclab.data.sources import SourceTable, answering
from roclab.data.tally import Tally
from roclab.engines.backends import Ends, Lookup
from roclab.engines.overview import Look, Overview, ScoreRange, asked_rule, check_integer, overview_of
from roclab.engines.quantising import Binning, Grid, binnings_of, half_width
from roclab.engines.scan import Cells, Scanned
from roclab.engines.spark_jobs import collected
from roclab.engines.sums import Sums, merged, sums_of_one_score
from roclab.engines.watching import tell
from roclab.errors import InputError, Words, named

__all__ = ["NarwhalsBackend"]

_BINS = 1 << 12  # of exact answers: each must hold fewer rows than the integers of an engine can take
_BLOCK = 2_000_000


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
    small: int = 0  # cases up to which scores leave the engine as they are

    def __post_init__(self) -> None:
        import narwhals as nw

        kind = nw.from_native(self.table.source).implementation.name
        known = {"PYSPARK": "Spark", "PYSPARK_CONNECT": "Spark Connect", "DUCKDB": "DuckDB", "SQLFRAME": "SQLFrame"}
        self.name = known.get(kind, kind.title())

    # -- rows --------------------------------------------------------------------------------------------

    def _rows(self, scores: Sequence[str], by: Sequence[str] = ()) -> Any:
        """Label l, scores v0, v1 …, columns g0, g1 … that make groups, and whether a value is missing."""
        import narwhals as nw

        with answering(self.table.called):
            frame = nw.from_native(self.table.source).lazy()
            schema = frame.collect_schema()
        check_columns(self.roles.columns, list(schema.names()), self.table.called)
        if self.roles.id is not None:
            raise InputError(
                "ids", "are counted by DuckDB only", self.roles.id,
                f"write the table to Parquet files and use {named('engine', 'duckdb')}",
            )  # fmt: skip
        with answering(self.table.called):
            return self._with_gaps(frame, schema, scores, by)

    def _with_gaps(self, frame: Any, schema: Any, scores: Sequence[str], by: Sequence[str]) -> Any:
        import narwhals as nw

        rule = asked_rule(self.pos_label)
        label = nw.col(self.roles.label)
        numeric = schema[self.roles.label].is_numeric()
        for code in self.table.na:  # engines do not compare words with numbers
            if numeric == (not isinstance(code, str)):
                label = nw.when(label == code).then(None).otherwise(label)
        columns = [nw.col(name).alias(f"g{at}") for at, name in enumerate(by)]
        if rule is None:
            columns.append(label.alias("l"))
        else:
            cut, sign = float(rule.cut), rule.sign
            made = {">": label > cut, ">=": label >= cut, "<": label < cut, "<=": label <= cut}[sign]
            columns.append(made.alias("l"))
        for at, name in enumerate(scores):
            kind = schema[name]
            if not (kind.is_numeric() or kind == nw.Boolean):
                raise InputError(
                    name, "must be numeric", Words(f"a column of {kind}"),
                    "convert it to numbers, or use it as the label",
                )  # fmt: skip
            one = nw.col(name)
            one = (one.cast(nw.Int8) if kind == nw.Boolean else one).cast(nw.Float64)
            for code in self.table.na:
                if isinstance(code, int | float):
                    one = nw.when(one == float(code)).then(None).otherwise(one)
            columns.append(one.alias(f"v{at}"))
        frame = frame.select(columns)
        gap = nw.col("l").is_null()
        if schema[self.roles.label].is_float() and rule is None:
            gap = gap | _no_number(nw.col("l"))
        for at in range(len(scores)):
            gap = gap | self._gap(at)
        return frame.with_columns(gap=gap)

    def _gap(self, at: int) -> Any:
        import narwhals as nw

        return _no_number(nw.col(f"v{at}"))

    def gathered(self, frame: Any) -> Any:
        """A small result, as a frame in memory."""
        with answering(self.table.called):
            return collected(frame)

    def _collected(self, frame: Any) -> dict[str, Any]:
        """Its columns as arrays."""
        found = self.gathered(frame)
        return {name: np.asarray(found[name].to_numpy()) for name in found.columns}

    # -- the first look --------------------------------------------------------------------------------------

    def overview(self) -> Overview:
        """Labels, gaps and ranges: one aggregate by label."""
        tell(f"{self.name}: first look at {self.table.called}")
        seen = overview_of(self, self.looks())
        self.check_ends(seen.ranges)
        return seen

    def looks(self, by: Sequence[str] = ()) -> list[Look]:
        """What there is of each label, with and without gaps; of each group too, whose values are then first."""
        import narwhals as nw

        scores = self.roles.scores
        frame = self._rows(scores, by)
        asked = [nw.len().cast(nw.Int64).alias("rows")]
        values = []
        for at in range(len(scores)):
            one = nw.col(f"v{at}")
            finite = ~nw.col("gap") & (one != math.inf) & (one != -math.inf)
            inside = nw.when(finite).then(one)
            values += [
                inside.alias(f"in{at}"), self._gap(at).cast(nw.Int64).alias(f"gap{at}"),
                (~nw.col("gap") & ((one == math.inf) | (one == -math.inf))).cast(nw.Int64).alias(f"inf{at}"),
            ]  # fmt: skip
            asked += [
                nw.col(f"gap{at}").sum().alias(f"gaps{at}"), nw.col(f"in{at}").min().alias(f"low{at}"),
                nw.col(f"in{at}").max().alias(f"high{at}"), nw.col(f"inf{at}").sum().alias(f"infs{at}"),
            ]  # fmt: skip
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
            out.append((*look, 0, 0))
        return out

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
        frame, positive = self._of_known_class(self._rows(scores, by).filter(~nw.col("gap")), seen)
        # Adding 0 joins the two zeros, which engines group together but NumPy may be told apart.
        keys = [nw.col(f"g{at}") for at in range(len(by))]
        return frame.select((nw.col("v0") + 0.0).alias("v"), positive.cast(nw.Int64).alias("p"), *keys)

    def _of_known_class(self, frame: Any, seen: Overview) -> tuple[Any, Any]:
        """Rows of both classes, and which of them are positive."""
        import narwhals as nw

        positive = _is_one_of(nw.col("l"), seen.classes.positives)
        if seen.classes.left_out:
            frame = frame.filter(positive | _is_one_of(nw.col("l"), seen.classes.negatives))
        return frame, positive

    def few_distinct(self, seen: Overview, score: str) -> bool:
        """Not known before rows are grouped, unless so few rows are told to leave the engine as they are."""
        return seen.cases <= self.small

    def cells(self, seen: Overview, score: str, binning: Binning | Grid | None, within: Ends | None = None) -> Cells:
        """Cases grouped by bins of their scores, or by the scores themselves; one aggregate."""
        import narwhals as nw

        tell(f"{self.name}: grouping {score}")
        key = nw.col("v") if binning is None else binning.expression(nw.col("v"))
        kept = self.kept(seen, score)
        if within is not None:
            inside = [(nw.col("v") >= low) & (nw.col("v") <= high) for low, high in within]
            kept = kept.filter(reduce(or_, inside))
        grouped = (
            kept.with_columns(k=key)
            .group_by("k")
            .agg(
                nw.col("v").min().alias("low"),
                nw.col("v").max().alias("high"),
                nw.col("p").sum().alias("pos"),
                nw.len().cast(nw.Int64).alias("rows"),
            )
        )
        found = self._collected(grouped)
        order = np.argsort(found["low"])
        pos, rows = found["pos"].astype(np.int64)[order], found["rows"].astype(np.int64)[order]
        return Cells(found["low"].astype(np.float64)[order], found["high"].astype(np.float64)[order], pos, rows - pos)

    def scan(self, seen: Overview, score: str, *, lower: bool) -> Scanned:
        """Seven sums of every bin, exact, merged here; bins that are one score need no window."""
        cells, binning = self._small_bins(seen, score)
        if binning is None or not cells.joined.any():
            blocks = [sums_of_one_score(int(p), int(n)) for p, n in zip(cells.pos, cells.neg, strict=True)]
            return Scanned(merged(blocks), cells, _precision(cells), np.zeros(cells.pos.size, np.int64))
        found = self._collected(self._sums_by_bin(seen, score, binning))
        order = np.argsort(found["k"])
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

    def _small_bins(self, seen: Overview, score: str) -> tuple[Cells, Binning | None]:
        """Bins of so few rows that their sums fit into the integers of an engine."""
        ways = binnings_of(seen.ranges[score], _BINS)
        if not ways:  # one score, or ends too far apart to subtract
            return self.cells(seen, score, None), None
        cells, way = self.cells(seen, score, ways[0]), ways[0]
        if int(np.max(cells.pos + cells.neg, where=cells.joined, initial=0)) <= _BLOCK and half_width(cells) < 0.01:
            return cells, way
        tried = [(one, self.cells(seen, score, one)) for one in binnings_of(seen.ranges[score], 1 << 16)]
        way, cells = min(tried, key=lambda pair: int(np.max((pair[1].pos + pair[1].neg)[pair[1].joined], initial=0)))
        largest = int(np.max((cells.pos + cells.neg)[cells.joined], initial=0))
        if largest > _BLOCK:
            raise InputError(
                score,
                f"must spread over its range so that no bin holds more than {_BLOCK:,} cases",
                Words(f"{largest:,} in one"),
                f"transform it (ranks, logarithm), or write Parquet files and use {named('engine', 'duckdb')}",
            )
        return cells, way

    def _sums_by_bin(self, seen: Overview, score: str, binning: Binning) -> Any:
        import narwhals as nw

        c = nw.col
        g = (
            self.kept(seen, score)
            .with_columns(k=binning.expression(c("v")))
            .group_by("k", "v")
            .agg(c("p").sum().cast(nw.Int64).alias("p"), nw.len().cast(nw.Int64).alias("m"))
            .with_columns(n=c("m") - c("p"))
            .with_columns(
                p1=c("p").cum_sum().over("k", order_by="v"),
                n1=c("n").cum_sum().over("k", order_by="v"),
            )
            .with_columns(u=c("n1") * 2 - c("n"), w=c("p1") * 2 - c("p"))
            .with_columns(pu=c("p") * c("u"), nw=c("n") * c("w"))
            .with_columns(
                puu=c("pu") * c("u"),
                nww=c("nw") * c("w"),
                t=c("n") * (c("u") * c("w") + (c("n1") - c("n")) * (c("p1") - c("p")) + c("n1") * c("p1")),
            )
        )
        return g.group_by("k").agg(*(c(name).sum().alias(name) for name in ("p", "n", "pu", "puu", "nw", "nww", "t")))

    def reaching(self, seen: Overview, score: str, threshold: float, *, lower: bool) -> tuple[int, int]:
        """Positives and negatives whose score reaches a threshold."""
        import narwhals as nw

        reached = nw.col("v") <= threshold if lower else nw.col("v") >= threshold
        kept = self.kept(seen, score).filter(reached)
        found = self._collected(kept.select(nw.col("p").sum().alias("p"), nw.len().cast(nw.Int64).alias("rows")))
        pos = int(found["p"][0]) if found["rows"][0] else 0
        return pos, int(found["rows"][0]) - pos

    def patterns(
        self, seen: Overview, thresholds: Mapping[str, float], lower: Mapping[str, bool]
    ) -> list[tuple[bool, tuple[bool, ...], int]]:
        """Class, calls of every score at its threshold, and how many cases have them; one aggregate."""
        import narwhals as nw

        names = list(thresholds)
        tell(f"{self.name}: counting calls of {', '.join(names)}")
        # Cases that lack another score are no cases here either.
        frame = self._rows([*names, *(name for name in self.roles.scores if name not in names)])
        frame, positive = self._of_known_class(frame.filter(~nw.col("gap")), seen)
        calls = []
        for at, name in enumerate(names):
            score, limit = nw.col(f"v{at}"), float(thresholds[name])
            calls.append(((score <= limit) if lower[name] else (score >= limit)).cast(nw.Int64).alias(f"c{at}"))
        keys = ["p", *(f"c{at}" for at in range(len(names)))]
        called = frame.select(positive.cast(nw.Int64).alias("p"), *calls)
        found = self._collected(called.group_by(*keys).agg(nw.len().cast(nw.Int64).alias("rows")))
        columns = [found[key].tolist() for key in (*keys, "rows")]
        return [(bool(one[0]), tuple(map(bool, one[1:-1])), int(one[-1])) for one in zip(*columns, strict=True)]

    # -- several scores -------------------------------------------------------------------------------------------

    @contextmanager
    def places(
        self, seen: Overview, names: Sequence[str], known: Mapping[str, Tally], lookup: Lookup
    ) -> Iterator[Iterator[list[Array]]]:
        """Not here: the places of all cases would have to leave the engine."""
        self._compare_elsewhere(names)
        yield iter(())  # pragma: no cover - what makes this a context

    def values(self, seen: Overview, names: Sequence[str]) -> list[Array]:
        """Not here either."""
        self._compare_elsewhere(names)

    def _compare_elsewhere(self, names: Sequence[str]) -> NoReturn:
        raise InputError(
            "", f"scores are compared by DuckDB or in memory, not by {self.name}", Words(", ".join(names)),
            f"write the table to Parquet files and use {named('engine', 'duckdb')}, or fetch it with "
            f"{named('engine', 'memory')}",
        )  # fmt: skip

    def plan(self, seen: Overview, accuracy: float, *, paired: bool) -> list[str]:
        """What will be done, in lines."""
        lines = [f"engine: {self.name}, where the rows are; {seen.cases:,} cases of {self.table.called}"]
        for name in self.roles.scores:
            if accuracy:
                how = f"bins until the error is at most {accuracy:g}: 1 to 6 aggregates of at most 2²² rows"
            else:
                how = "exact: 1 aggregate to place bins, 1 of seven sums in each; at most 2¹⁶ rows leave the engine"
            lines.append(f"{name}: {how}; less than 0.3 GB here, nothing on disk here")
        return lines


def _no_number(value: Any) -> Any:
    """Whether a value is missing or NaN; not by is_nan, which DuckDB answers from statistics that leave NaN out."""
    nan = ~value.is_finite() & (value != math.inf) & (value != -math.inf)
    return value.is_null() | nan.fill_null(True)


def _is_one_of(column: Any, labels: Sequence[Any]) -> Any:
    found = column == labels[0]
    for label in labels[1:]:
        found = found | (column == label)
    return found


def _number(value: Any) -> float | None:
    return None if value is None or value != value else float(value)


def _precision(cells: Cells) -> float:
    """Average precision of cells that are ties."""
    tp, fp = np.cumsum(cells.pos[::-1]), np.cumsum(cells.neg[::-1])
    return float(np.sum(cells.pos[::-1] * (tp / (tp + fp)))) / float(tp[-1])
