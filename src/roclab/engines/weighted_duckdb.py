"""The embedded backend of cases with weights: the same questions, answered with total weights instead of counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.types import Array
from roclab._core.work import leave_if_stopped
from roclab.data.columns import LARGEST_WEIGHT, SMALLEST_WEIGHT
from roclab.data.files.duckdb import Handle, check_room, literal, no_number, opened
from roclab.data.sources import spill_folder
from roclab.engines.backends import Ends
from roclab.engines.duckdb_backend import DuckdbBackend
from roclab.engines.duckdb_look import look_at
from roclab.engines.overview import Overview
from roclab.engines.quantising import Binning, Grid
from roclab.engines.scan import CELLS, Cells, Scan, Scanned
from roclab.engines.watching import tell
from roclab.engines.weighted_scan import WeightedScan, weighed_scores, whole_scores
from roclab.engines.weights import CutWeights, WeightProfile, weighting_of

__all__ = ["WeightedDuckdb"]

_PIECES = ("pos", "neg", "pos_squares", "neg_squares")
_ROW = 24  # bytes of a case that is sorted: score, weight, class


@dataclass(slots=True)
class WeightedDuckdb(DuckdbBackend):
    """One source whose cases have weights."""

    weights: Any = None  # what they are said to mean

    def overview(self) -> Overview:
        """Weights first, then labels, gaps and ranges, then the weight of each class."""
        assert self.roles.weight is not None
        with opened(self.table) as handle:
            self.rows(handle, self.roles.scores)
            tell(f"{self.name}: first look at {self.table.called}")
            profile, rows = self._profile(handle, everything=True)
            weighting_of(profile, self.roles.weight, None, rows)
            seen = look_at(self, handle, None, unweighted=profile.lacking)
            handle.refuse_overflow([name for name, ends in seen.ranges.items() if ends.infinite])
            if seen.dropped:
                profile, rows = self._profile(handle, everything=False)
            kind = weighting_of(profile, self.roles.weight, self.weights, rows)
            cut = CutWeights.of(self.roles.weight, kind, largest=profile.largest, rows=rows)
            return replace(seen, weights=self._with_totals(handle, seen, cut))

    def _profile(self, handle: Handle, *, everything: bool) -> tuple[WeightProfile, int]:
        """The weights of all rows, or of those that lack nothing; one pass."""
        number = f"NOT {no_number('m')}"
        asked = {
            "lacking": f"count(*) FILTER (WHERE {no_number('m')})", "negative": "count(*) FILTER (WHERE m < 0)",
            "infinite": "count(*) FILTER (WHERE isinf(m))", "fractions": "count(*) FILTER (WHERE m <> floor(m))",
            "light": f"count(*) FILTER (WHERE m > 0 AND m < {literal(SMALLEST_WEIGHT)})",
            "lowest": f"min(m) FILTER (WHERE {number})", "largest": f"max(m) FILTER (WHERE {number})",
            "total": f"sum(m) FILTER (WHERE m <= {literal(LARGEST_WEIGHT)})",
        }  # fmt: skip
        rows = self.rows(handle, self.roles.scores)
        where = "" if everything else " WHERE NOT gap"
        (*found, count), = handle.rows(f"SELECT {', '.join(asked.values())}, count(*) FROM {rows}{where}")  # fmt: skip
        return WeightProfile.of(dict(zip(asked, found, strict=True))), int(count)

    def _with_totals(self, handle: Handle, seen: Overview, cut: CutWeights) -> CutWeights:
        """The total weight of each class; one pass."""
        rows = self.rows(handle, self.roles.scores, replace(seen, weights=cut))
        query = f"SELECT {_sums_sql(cut, ('pos', 'neg'))} FROM ({self._weighed(rows, '0', seen, cut, 'true')})"
        found = [int(one or 0) for one in handle.rows(query)[0]]
        if not cut.real:
            return cut.with_totals(*found)
        return cut.with_totals(*(float(cut.weights_of(*found[at : at + 2])) for at in (0, 2)))

    def _weighed(self, rows: str, key: str, seen: Overview, cut: CutWeights, within: str) -> str:
        """Cases with score v, key k, whether they are positive p, and their weight in whole numbers."""
        value = "v0" if key != "0" else "0"
        if cut.real:
            first, second = cut.pieces_sql("m")
            square, rest = cut.pieces_sql("m", squared=True)
            weights = f"{first} AS h, {second} AS r, {square} AS hh, {rest} AS rr"
        else:
            weights = "CAST(m AS BIGINT) AS h"
        return (
            f"SELECT {value} AS v, {key} AS k, {self.positive(seen)} AS p, {weights} FROM {rows} "
            f"WHERE {self.kept(seen)} AND m > 0 AND {within}"
        )

    # -- one score -----------------------------------------------------------------------------------

    def cells(self, seen: Overview, score: str, binning: Binning | Grid | None, within: Ends | None = None) -> Cells:
        """Weights of cases grouped by their scores, or by bins of them; one pass."""
        assert seen.weights is not None
        cut = seen.weights
        with opened(self.table) as handle:
            rows = self.rows(handle, (score,), seen)
            tell(f"{self.name}: grouping {score}")
            key = "v0" if binning is None else binning.sql("v0")
            inside = "true"
            if within is not None:
                ranges = (f"v0 BETWEEN {literal(low)} AND {literal(high)}" for low, high in within)
                inside = f"({' OR '.join(ranges)})"
            query = (
                f"SELECT min(v), max(v), {_sums_sql(cut, _PIECES if cut.real else _PIECES[:2])} "
                f"FROM ({self._weighed(rows, key, seen, cut, inside)}) GROUP BY k"
            )
            low, high, *sums = handle.grouped(query)
        return weighted_cells(low, high, sums, cut)

    def reaching(self, seen: Overview, score: str, threshold: float, *, lower: bool) -> tuple[float, float]:
        """Weight of positives and negatives whose score reaches a threshold; one pass."""
        assert seen.weights is not None
        cut = seen.weights
        with opened(self.table) as handle:
            rows = self.rows(handle, (score,), seen)
            reached = f"v0 {'<=' if lower else '>='} {literal(float(threshold))}"
            query = f"SELECT {_sums_sql(cut, ('pos', 'neg'))} FROM ({self._weighed(rows, 'v0', seen, cut, reached)})"
            found = [int(one or 0) for one in handle.rows(query)[0]]
        if not cut.real:
            return found[0], found[1]
        return float(cut.weights_of(*found[:2])), float(cut.weights_of(*found[2:]))

    def scans(self, seen: Overview, names: Sequence[str], *, sign: float = 1.0) -> Iterator[Scanned]:
        """One score after another, each sorted by DuckDB, on disk where memory is short."""
        assert seen.weights is not None
        assert sign > 0
        for name in names:
            with spill_folder() as spill, opened(self.table, spill=spill) as handle:
                check_room(spill, _ROW * seen.cases if seen.cases > self.capacity() else 0.0)
                rows = self.rows(handle, (name,), seen)
                query = (
                    f"SELECT v0, {self.positive(seen)}::TINYINT, m FROM {rows} WHERE {self.kept(seen)} AND m > 0 "
                    "ORDER BY v0"
                )
                batches = self._sorted(handle.batches(query, 500_000), name, seen.cases)
                yield _scanned(batches, seen, self._most_cells(seen, name))

    def _most_cells(self, seen: Overview, name: str) -> int:
        return max(CELLS, seen.cases) if self.few_distinct(seen, name) else CELLS

    def _sorted(self, batches: Iterator[list[Array]], name: str, cases: int) -> Iterator[list[Array]]:
        done = 0
        for batch in batches:
            leave_if_stopped()
            done += batch[0].size
            tell(f"{self.name}: counting {name}", done, cases)
            yield batch

    def at_once(self, seen: Overview) -> int:
        """One score after another."""
        return 1

    @property
    def bins_at_once(self) -> int:
        """Likewise."""
        return 1

    def many_cells(self, seen: Overview, binnings: Mapping[str, Binning]) -> dict[str, Cells]:
        """One pass for each score."""
        return {name: self.cells(seen, name, one) for name, one in binnings.items()}


def _scanned(batches: Iterator[list[Array]], seen: Overview, most_cells: int) -> Scanned:
    """Sorted rows, counted: in integers where weights are whole."""
    cut = seen.weights
    assert cut is not None
    if not cut.real:
        scan = Scan(n_pos=int(cut.pos), n_neg=int(cut.neg), most_cells=most_cells)
        for scores in whole_scores(batches):
            scan.add_weighted(*scores)
        return scan.finish()
    weighted = WeightedScan(cut, seen.cases, most_cells=most_cells)
    for weighed in weighed_scores(batches, cut):
        weighted.add(weighed)
    return weighted.finish()


def _sums_sql(cut: CutWeights, wanted: Sequence[str]) -> str:
    """Sums of whole numbers by class, each below 2**62."""
    columns = []
    for name in wanted:
        side = "p" if name.startswith("pos") else "NOT p"
        for piece in (("hh", "rr") if name.endswith("squares") else ("h", "r")) if cut.real else ("h",):
            columns.append(f"CAST(coalesce(sum({piece}) FILTER (WHERE {side}), 0) AS BIGINT)")
    return ", ".join(columns)


def weighted_cells(low: Array, high: Array, sums: Sequence[Array], cut: CutWeights) -> Cells:
    """Groups in ascending order, from sums of whole numbers by class."""
    low, high = low.astype(np.float64) + 0.0, high.astype(np.float64) + 0.0  # no -0
    order = np.argsort(low)
    if not cut.real:
        pos, neg = (one.astype(np.int64)[order] for one in sums)
        return Cells(low[order], high[order], pos, neg)
    pieces = [one.astype(np.int64)[order] for one in sums]
    squares = cut.squares_of(*pieces[4:6]), cut.squares_of(*pieces[6:8])
    return Cells(low[order], high[order], cut.weights_of(*pieces[:2]), cut.weights_of(*pieces[2:4]), squares)
