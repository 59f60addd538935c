"""The embedded backend: DuckDB reads and groups, NumPy sorts and counts; no row stays longer than it is needed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from roclab._core.types import Array, Floats
from roclab._core.work import leave_if_stopped
from roclab.data.files.duckdb import NUMBERS, Handle, check_room, literal, no_number, opened, quoted, translated
from roclab.data.roles import Roles, check_columns
from roclab.data.sources import SourceTable, bytes_of, spill_folder
from roclab.data.tally import Tally
from roclab.engines.backends import Ends, Lookup, Windows
from roclab.engines.clusters import sums_by_subject
from roclab.engines.duckdb_look import look_at
from roclab.engines.duckdb_rows import keyed_rows_by_duckdb, rows_of_scores_by_duckdb, sides_by_duckdb, values_by_duckdb
from roclab.engines.merging import Sorted
from roclab.engines.one_pass import FirstPass, first_pass, plain_pass
from roclab.engines.overview import Overview, asked_rule, overview_of
from roclab.engines.pairing import Meaning, PlaceSums, places_by_lookup, with_places
from roclab.engines.placed_influence import InfluenceLines, InfluenceSums
from roclab.engines.plans import plan_of_duckdb
from roclab.engines.quantising import Binning, Grid
from roclab.engines.regression import regression_sums
from roclab.engines.resorting import looked_up, sorted_again
from roclab.engines.scan import CELLS, Cells, Scan, Scanned
from roclab.engines.sorting import CASE, ClassSort
from roclab.engines.sums import EMPTY, Sums
from roclab.engines.watching import tell
from roclab.errors import FileError, InputError, Words

__all__ = ["GROUPED", "DuckdbBackend", "cells_in_order"]

_TOGETHER = 32  # scores that one pass collects at most: batches of more columns would be large
_BINNED = 8  # scores that one pass groups at most: each has 65,536 groups
GROUPED = "min(v) AS low, max(v) AS high, count(*) FILTER (WHERE p) AS pos, count(*) AS every"
_FEW = 1_000_000  # distinct scores that are grouped rather than sorted
_WIDE = ("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT")


@dataclass(slots=True)
class DuckdbBackend:
    """One source, its columns by role, and what is missing in it."""

    table: SourceTable
    roles: Roles
    missing: str
    pos_label: Any = None
    neg_label: Any = None
    name: str = "DuckDB"
    exact_words: str = "sorted scan"
    together: int = _TOGETHER
    first: FirstPass | None = None  # what the first look has counted already

    # -- SQL -------------------------------------------------------------------------------------

    def codes(self, expression: str, *, number: bool) -> str:
        """A column without what the user calls missing."""
        if not self.table.na:
            return expression
        codes = []
        for code in self.table.na:
            try:
                codes.append(literal(float(code)) if number else literal(str(code)))
            except ValueError:
                continue
        compared = expression if number else f"CAST({expression} AS VARCHAR)"
        return f"CASE WHEN {compared} IN ({', '.join(codes)}) THEN NULL ELSE {expression} END" if codes else expression

    def label(self, handle: Handle) -> str:
        """The label in SQL, NULL where it is missing."""
        column = quoted(self.roles.label)
        if handle.text:
            column = f"trim({column})"
        rule = asked_rule(self.pos_label)
        if handle.types[self.roles.label] in ("FLOAT", "DOUBLE"):
            column = f"(CASE WHEN {no_number(column)} THEN NULL ELSE {column} END)"
        if rule is None:
            return self.codes(column, number=False)
        number = f"CAST({column} AS DOUBLE)" if handle.text else column
        return f"({self.codes(number, number=True)} {rule.sign} {literal(float(rule.cut))})"

    def score(self, handle: Handle, name: str) -> str:
        """A score in SQL as float64, NULL where it is missing or no number."""
        column = quoted(name)
        kind = handle.types[name].split("(")[0]
        if handle.text:
            return self.codes(f"TRY_CAST(trim({column}) AS DOUBLE)", number=True)
        if kind not in NUMBERS:
            raise InputError(
                name,
                "must be numeric",
                Words(f"{handle.described(name)}"),
                "convert it to numbers, or use it as the label",
            )
        cast = f"CAST({column} AS TINYINT)" if kind == "BOOLEAN" else column
        return self.codes(f"CAST({cast} AS DOUBLE)", number=True)

    def rows(
        self, handle: Handle, scores: tuple[str, ...], seen: Overview | None = None, *, also: Sequence[str] = ()
    ) -> str:
        """Every row with its label, scores, id, and whether a value is missing, unless a look said that none is."""
        check_columns(
            self.roles.columns, handle.names, self.table.called,
            FileError if self.table.printed_labels else InputError,
        )  # fmt: skip
        parts = [f"{self.label(handle)} AS l", *also]
        parts += [f"{self.score(handle, name)} AS v{at}" for at, name in enumerate(scores)]
        parts += [f"{quoted(self.roles.id)} AS c"] if self.roles.id is not None else []
        parts += [f"{self.score(handle, self.roles.weight)} AS m"] if self.roles.weight is not None else []
        others = [name for name in self.roles.scores if name not in scores]  # cases that lack one of them are no cases
        if seen is None or seen.dropped:
            parts += [f"{self.score(handle, name)} AS w{at}" for at, name in enumerate(others)]
        if seen is not None and not seen.dropped:
            return f"(SELECT {', '.join(parts)} FROM source)"
        values = [*(f"v{at}" for at in range(len(scores))), *(f"w{at}" for at in range(len(others)))]
        values += ["m"] if self.roles.weight is not None else []
        gaps = ["l IS NULL", *(no_number(value) for value in values)]
        gaps += ["c IS NULL"] if self.roles.id is not None else []
        return f"(SELECT *, {' OR '.join(gaps)} AS gap FROM (SELECT {', '.join(parts)} FROM source))"

    def overview(self) -> Overview:
        """Labels, gaps and ranges in one pass over the source, which may count already."""
        self.first = plain_pass(self)
        if self.first is not None:
            self.name = self.first.reader
            return overview_of(self, self.first.found, None)
        with opened(self.table) as handle:
            self.rows(handle, self.roles.scores)
            tell(f"{self.name}: first look at {self.table.called}")
            self.first = first_pass(self, handle)
            seen = look_at(self, handle, None if self.first is None else self.first.found)
            handle.refuse_overflow([name for name, ends in seen.ranges.items() if ends.infinite])
            return seen

    # -- one score -----------------------------------------------------------------------------------

    def positive(self, seen: Overview) -> str:
        """In SQL, whether a case is positive."""
        positives = seen.classes.positives
        if len(positives) == 1:
            return f"(l = {literal(positives[0])})"
        return f"(l IN ({', '.join(literal(one) for one in positives)}))"

    def kept(self, seen: Overview) -> str:
        """In SQL, whether a row is a case of either class that lacks nothing."""
        whole = "NOT gap" if seen.dropped else "true"
        if not seen.classes.left_out:
            return whole
        both = (*seen.classes.positives, *seen.classes.negatives)
        return f"{whole} AND l IN ({', '.join(literal(one) for one in both)})"

    def cells(self, seen: Overview, score: str, binning: Binning | Grid | None, within: Ends | None = None) -> Cells:
        """Cases grouped by their scores, or by bins of them; one pass, unless the first look did it."""
        if self.first is not None and self.first.groups is not None and binning is None and within is None:
            return self.first.cells(seen.classes)
        with opened(self.table) as handle:
            rows = self.rows(handle, (score,), seen)
            tell(f"{self.name}: grouping {score}")
            key = "v0" if binning is None else binning.sql("v0")
            kept = self.kept(seen)
            if within is not None:
                kept += (
                    f" AND ({' OR '.join(f'v0 BETWEEN {literal(low)} AND {literal(high)}' for low, high in within)})"
                )
            query = (
                f"SELECT {GROUPED} FROM (SELECT v0 AS v, {key} AS k, {self.positive(seen)} AS p FROM {rows} "
                f"WHERE {kept}) GROUP BY k"
            )
            return cells_in_order(*handle.grouped(query))

    def holds(self, score: str) -> bool:
        """Whether the first look has read all values of a score."""
        return self.first is not None and score in self.first.sorts

    def sums(self, seen: Overview, score: str) -> Sums | None:
        """The sums of a score that the first look has read, without its curve, which can still be asked for."""
        if self.first is None or score not in self.first.sorts:
            return None if self.first is None else self.first.summed.get(score)
        if score not in self.first.summed:
            found = EMPTY
            for part in self.first.sorts[score].sums():
                found = found + part
                tell(f"{self.name}: counting {score}", found.pos + found.neg, seen.cases)
            self.first.summed[score] = found
        return self.first.summed[score]

    def binned(self, score: str) -> tuple[Cells, str] | None:
        """Cells within the accuracy that the first look has made, and what they are."""
        return None if self.first is None else self.first.bins.get(score)

    @property
    def bins_at_once(self) -> int:
        """Scores that one pass groups by bins: so many that their groups stay small."""
        return _BINNED

    def many_cells(self, seen: Overview, binnings: Mapping[str, Binning]) -> dict[str, Cells]:
        """Cases grouped by bins of several scores; one pass, in which every case goes to a group of each score."""
        with opened(self.table) as handle:
            rows = self.rows(handle, tuple(binnings), seen)
            tell(f"{self.name}: grouping {', '.join([*binnings][:3])}")
            values = ", ".join(f"v{at}" for at in range(len(binnings)))
            keys = ", ".join(f"CAST({one.sql(f'v{at}')} AS BIGINT)" for at, one in enumerate(binnings.values()))
            each = f"unnest([{values}]) AS v, unnest([{keys}]) AS k, unnest(range({len(binnings)})) AS j"
            query = (
                f"SELECT j, {GROUPED} FROM (SELECT {each}, {self.positive(seen)} AS p FROM {rows} "
                f"WHERE {self.kept(seen)}) GROUP BY j, k"
            )
            which, *columns = handle.grouped(query)
        return {name: cells_in_order(*(column[which == at] for column in columns)) for at, name in enumerate(binnings)}

    def reaching(self, seen: Overview, score: str, threshold: float, *, lower: bool) -> tuple[float, float]:
        """Positives and negatives whose score reaches a threshold; one pass."""
        with opened(self.table) as handle:
            rows = self.rows(handle, (score,), seen)
            reached = f"v0 {'<=' if lower else '>='} {literal(float(threshold))}"
            query = (
                f"SELECT count(*) FILTER (WHERE {self.positive(seen)}), count(*) FROM {rows} "
                f"WHERE {self.kept(seen)} AND {reached}"
            )
            pos, every = handle.rows(query)[0]
        return int(pos), int(every - pos)

    def patterns(
        self, seen: Overview, thresholds: Mapping[str, float], lower: Mapping[str, bool]
    ) -> list[tuple[bool, tuple[bool, ...], int]]:
        """Class, calls of every score at its threshold, and how many cases have them; one pass, one GROUP BY."""
        calls = [
            f"v{at} {'<=' if lower[name] else '>='} {literal(float(threshold))} AS c{at}"
            for at, (name, threshold) in enumerate(thresholds.items())
        ]
        with opened(self.table) as handle:
            rows = self.rows(handle, tuple(thresholds), seen)
            query = (
                f"SELECT ({self.positive(seen)}) AS p, {', '.join(calls)}, count(*) AS n FROM {rows} "
                f"WHERE {self.kept(seen)} GROUP BY ALL"
            )
            found = handle.rows(query)
        return [(bool(one[0]), tuple(map(bool, one[1:-1])), int(one[-1])) for one in found]

    def scan(self, seen: Overview, score: str, *, lower: bool) -> Scanned:
        """All cases in order of the score, read once."""
        (found,) = self.scans(seen, [score], sign=-1.0 if lower else 1.0)
        return found

    def at_once(self, seen: Overview) -> int:
        """Scores that one pass can collect: as many as fit into memory."""
        return max(1, min(self.capacity() // max(seen.cases, 1), _TOGETHER))

    def capacity(self) -> int:
        """Scores of cases that may lie in memory."""
        limit = bytes_of(self.table.reading.memory_limit)
        return (int(limit * 0.55) if limit is not None else _half_of_memory()) // CASE

    def scans(self, seen: Overview, names: Sequence[str], *, sign: float = 1.0) -> Iterator[Scanned]:
        """Several scores, each in its own order, from one pass over the source; all of them lie in memory, or one."""
        if self.first is not None and all(map(self.holds, names)):
            sorts = [self.first.sorts.pop(name) for name in names]
            yield from self._scanned(seen, names, sorts, done=0, steps=len(names) * seen.cases)
            return
        with spill_folder() as spill, opened(self.table, spill=spill) as handle:
            rows = self.rows(handle, tuple(names), seen)
            capacity = self.capacity() // len(names)
            if seen.cases > capacity:
                check_room(spill, 8.5 * seen.cases * len(names))
            sorts = []
            for at in range(len(names)):
                folder = Path(spill) / f"ranges{at}"
                folder.mkdir()
                sorts.append(ClassSort(capacity, folder, workers=2))
            columns = [*(f"v{at}" for at in range(len(names))), f"{self.positive(seen)}::TINYINT"]
            query = f"SELECT {', '.join(columns)} FROM {rows} WHERE {self.kept(seen)}"
            called, done, steps = ", ".join(names[:3]), 0, (len(names) + 1) * seen.cases
            for *values, positive in handle.batches(query, max(1_000_000 // len(names), 50_000)):
                leave_if_stopped()
                with translated(self.table.called):
                    for sort, one in zip(sorts, values, strict=True):
                        sort.add(one if sign > 0 else -one, positive)
                done += positive.size
                tell(f"{self.name}: reading {called}", done, steps)
            yield from self._scanned(seen, names, sorts, done=done, steps=steps)

    def _scanned(
        self, seen: Overview, names: Sequence[str], sorts: list[ClassSort], *, done: int, steps: int
    ) -> Iterator[Scanned]:
        """Collected scores, one after another; each is let go when it has been counted."""
        sorts.reverse()
        for name in names:
            # scores that repeat have a cell each, and so all of their values
            cells = max(CELLS, seen.cases) if self.few_distinct(seen, name) else CELLS
            scan = Scan(n_pos=seen.classes.n_pos, n_neg=seen.classes.n_neg, most_cells=cells)
            for one, flags in self._in_room(sorts.pop().rows()):
                scan.add(one, flags)
                done += one.size
                tell(f"{self.name}: counting {name}", done, steps)
            yield scan.finish()

    def _in_room(self, rows: Iterator[Sorted]) -> Iterator[Sorted]:
        """Sorted rows; what the disk refuses on the way is said in a sentence."""
        with translated(self.table.called):
            yield from rows

    def few_distinct(self, seen: Overview, score: str) -> bool:
        """Whether scores repeat so much that grouping them is cheaper than sorting."""
        return seen.ranges[score].distinct <= min(_FEW, 0.3 * seen.cases)

    def place_sums(self, seen: Overview, names: Sequence[str], known: Mapping[str, Tally]) -> PlaceSums:
        """Sums of the places of all cases and of their products, as the cases pass by."""
        sums = PlaceSums.of(len(names), seen.cases)
        with self.places(seen, names, known, places_by_lookup) as batches:
            for batch in batches:
                sums.add(batch[: len(names)], batch[len(names)])
        return sums

    def influence_sums(
        self, seen: Overview, names: Sequence[str], lines: Mapping[str, InfluenceLines]
    ) -> InfluenceSums:
        """Sums of what the places of all cases say of a part of the curve, as they pass by."""
        sums = InfluenceSums(len(names))
        meanings = {name: one.of for name, one in lines.items()}
        with self.places(seen, names, {}, places_by_lookup, meanings) as batches:
            for batch in batches:
                sums.add(batch[: len(names)], batch[len(names)])
        return sums

    def subject_sums(self, seen: Overview, names: Sequence[str]) -> tuple[Floats, Floats]:
        """Sums over the cases of every subject, as they pass by."""
        with self.places(seen, names, {}, places_by_lookup) as batches:
            return sums_by_subject(batches, len(names))

    @contextmanager
    def places(
        self,
        seen: Overview,
        names: Sequence[str],
        known: Mapping[str, Tally],
        lookup: Lookup,
        meanings: Mapping[str, Meaning] | None = None,
    ) -> Iterator[Iterator[list[Array]]]:
        """Places of every case by every score, its class and its subject; one sort for each score not in ``known``.

        Where places of a score have a meaning, that stands instead.
        """
        meanings = meanings or {}
        if self.first is not None:
            self.first.sorts.clear()  # scores without their cases are of no use here
        k, sorts = len(names), [at for at, name in enumerate(names) if name not in known]
        with spill_folder() as spill, ExitStack() as stack:
            handle = stack.enter_context(opened(self.table, spill=spill))
            rows = self.rows(handle, tuple(names), seen)
            check_room(spill, 64.0 * seen.cases if sorts else 0.0)
            columns = [*(f"v{at}" for at in range(k)), f"{self.positive(seen)}::TINYINT AS p"]
            columns += ["hash(c)::UBIGINT AS c"] if self.roles.id is not None else []
            order = f" ORDER BY v{sorts[0]}" if sorts else ""
            batches: Iterator[list[Array]] = handle.batches(
                f"SELECT {', '.join(columns)} FROM {rows} WHERE {self.kept(seen)}{order}", 500_000
            )
            batches = looked_up(batches, names, known, lookup, meanings)
            for number, at in enumerate(sorts):
                if number:
                    batches = stack.enter_context(
                        sorted_again(batches, at, self._share(len(sorts)), spill, narrow=seen.cases < 2**30)
                    )
                batches = with_places(batches, at, k, meanings.get(names[at]))
            yield self.with_progress(batches, seen.cases)

    def keyed_rows(self, seen: Overview, score: str, *, lower: bool) -> Iterator[tuple[Array, Array, Array]]:
        """Batches in ascending order of the turned score: scores, whether they are positive, keys of the ids."""
        return keyed_rows_by_duckdb(self, seen, score, lower=lower)

    def values(self, seen: Overview, names: Sequence[str], windows: Windows | None = None) -> list[Array]:
        """Scores of every case by name, and 1 or 0 for its class, in memory; only in windows, if given."""
        return values_by_duckdb(self, seen, names, windows)

    def rows_of_scores(self, seen: Overview, names: Sequence[str]) -> Iterator[list[Array]]:
        """Batches of all cases in any order: their scores by name, and 1 or 0 for their class."""
        return rows_of_scores_by_duckdb(self, seen, names)

    def regression_sums(
        self, seen: Overview, names: Sequence[str], scale: Floats, beta: Floats, bound: float, intercept: bool
    ) -> tuple[tuple[int, int], list[float]]:
        """Sums of the likelihood of a regression and of its derivatives, as the rows pass by."""
        return regression_sums(self, seen, names, scale, beta, bound, intercept)

    def sides(self, seen: Overview, windows: Windows) -> list[tuple[bool, tuple[int, ...], int]]:
        """Class and side of every window, 0 below and 2 above, of the cases outside of all, and how many have them."""
        return sides_by_duckdb(self, seen, windows)

    def _share(self, sorts: int) -> int | None:
        limit = bytes_of(self.table.reading.memory_limit)
        return None if limit is None else limit // sorts

    def with_progress(self, batches: Iterator[list[Array]], cases: int) -> Iterator[list[Array]]:
        """Batches of cases as they pass by, told."""
        done = 0
        for batch in batches:
            leave_if_stopped()
            done += batch[0].size
            tell(f"{self.name}: comparing", done, cases)
            yield batch

    def plan(self, seen: Overview, accuracy: float, *, paired: bool) -> list[str]:
        """What will be done, in lines."""
        return plan_of_duckdb(self, seen, accuracy, paired=paired)


def cells_in_order(low: Array, high: Array, pos: Array, every: Array) -> Cells:
    """Groups in ascending order."""
    low, high = low + 0.0, high + 0.0  # no -0
    order = np.argsort(low)
    pos = pos.astype(np.int64)
    return Cells(low[order], high[order], pos[order], (every - pos)[order])


def _half_of_memory() -> int:
    """Half of what is free now, in bytes; two gigabytes where the system does not say."""
    try:
        free = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # pragma: no cover - other systems
        return 2_000_000_000
    return max(int(free) // 2, 500_000_000)
