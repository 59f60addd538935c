"""Places of cases by their scores, found on the engine that the cases are on.

Scores are cut into bins, which are ranges of them; those that hold too many cases are cut again. Within its bin every
case counts the cases of the other class below it, ties one half: one shuffle by bin and running totals over each, never
over the whole table. What lies in the bins below is known from the counts of the bins, which came before, and is looked
up by the number of the bin. A score whose bins are single values, and one whose bins meet an accuracy, is looked up
altogether and moves no row.

A place is twice the number of cases below, so that it is a whole number, as in ``pairing``. On Spark the totals of both
classes run as one sum, positives above the 31st bit, in windows of ranges that take ties together; other engines have
the same from windows of rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.types import Ints
from roclab.engines.quantising import Binning, Split
from roclab.engines.scan import Cells

__all__ = ["Bins", "counted_in_bins", "placed_by_bin", "placed_in_bins", "totals_within"]

_HALF = 31  # bits of the running total of each class
_BOTH = f"CASE WHEN p = 1 THEN {1 << _HALF}L ELSE 1L END"  # one case, positives above that bit
_PAST = 2  # the first bin, of scores of minus infinity


@dataclass(frozen=True, slots=True)
class Bins:
    """Bins of one score in ascending order: their numbers, and what lies in each."""

    binning: Binning | Split | None  # None: every value is a bin, or all values are one
    keys: Ints
    cells: Cells

    @property
    def are_ties(self) -> bool:
        """Whether every bin is one value."""
        return not bool(self.cells.joined.any())

    @property
    def largest(self) -> int:
        """Cases in the fullest bin."""
        return int(np.max(self.cells.pos + self.cells.neg, initial=0))

    def key(self, value: Any) -> Any:
        """The number of the bin, as an expression; one bin for all values where none was made."""
        import narwhals as nw

        if self.binning is None:
            return nw.when(value.is_null()).then(1).otherwise(0).cast(nw.Int64)
        return self.binning.expression(value)


def _on_spark(frame: Any) -> bool:
    """Whether a frame of Narwhals is one of Spark, classic or Connect."""
    return frame.implementation.name in ("PYSPARK", "PYSPARK_CONNECT")


def placed_in_bins(frame: Any, value: str, place: str, bins: Bins) -> Any:
    """The frame with places by the scores ``value``; the number of the bin stays as k."""
    import narwhals as nw

    c = nw.col
    frame = frame.with_columns(k=bins.key(c(value)))
    if bins.binning is None:
        frame = frame.with_columns(below=nw.when(c("k") == 0).then(0).otherwise(0).cast(nw.Int64))
    else:
        frame = _looked_up(frame, value, bins, "below", own=False)
    if _on_spark(frame):
        low = (1 << _HALF) - 1
        frame = nw.from_native(_running_totals(frame.to_native(), value, _BOTH)).with_columns(r=c("le") * 2 - c("eq"))
        native = frame.to_native().selectExpr(
            "*", f"CASE WHEN p = 1 THEN r & {low}L ELSE shiftright(r, {_HALF}) END + below AS {place}"
        )
        return nw.from_native(native).drop("below", "le", "eq", "r")
    frame = frame.with_columns(m=1 - c("p"))
    frame = frame.with_columns(
        p_to=c("p").cum_sum().over("k", order_by=value), m_to=c("m").cum_sum().over("k", order_by=value)
    )
    frame = frame.with_columns(
        p_le=c("p_to").max().over("k", value), m_le=c("m_to").max().over("k", value),
        p_eq=c("p").sum().over("k", value), m_eq=c("m").sum().over("k", value),
    )  # fmt: skip
    found = nw.when(c("p") == 1).then(c("m_le") * 2 - c("m_eq")).otherwise(c("p_le") * 2 - c("p_eq"))
    frame = frame.with_columns((found + c("below")).cast(nw.Int64).alias(place))
    return frame.drop("below", "m", "p_to", "m_to", "p_le", "m_le", "p_eq", "m_eq")


def _running_totals(frame: Any, value: str, both: str, key: str = "k") -> Any:
    """A frame of Spark with totals of both classes within k: le up to the score and its ties, eq of the ties alone."""
    over = f"PARTITION BY {key} ORDER BY {value} RANGE BETWEEN"
    return frame.selectExpr(
        "*",
        f"sum({both}) OVER ({over} UNBOUNDED PRECEDING AND CURRENT ROW) AS le",
        f"sum({both}) OVER ({over} CURRENT ROW AND CURRENT ROW) AS eq",
    )


def counted_in_bins(frame: Any, bins: Bins) -> Any:
    """Cases p and n of scores v, with their bin k, p1 and n1 up to the score within k, and pe and ne at the score.

    One row a case on Spark, where one shuffle is enough for that; elsewhere one row a score. Where cases have whole
    weights m, p is already that of a positive, and weights take the place of counts.
    """
    import narwhals as nw

    c = nw.col
    frame = frame.with_columns(k=bins.key(c("v")))
    weighted = "m" in frame.collect_schema().names()
    if _on_spark(frame):
        low = (1 << _HALF) - 1
        both = f"p * {1 << _HALF}L + (m - p)" if weighted else _BOTH
        cut = [f"shiftright({name}, {_HALF}) AS p{end}" for name, end in (("le", 1), ("eq", "e"))]
        cut += [f"{name} & {low}L AS n{end}" for name, end in (("le", 1), ("eq", "e"))]
        neg = "m - p AS n" if weighted else "1 - p AS n"
        return nw.from_native(_running_totals(frame.to_native(), "v", both).selectExpr("k", "p", neg, *cut))
    rows = c("m").sum() if weighted else nw.len()
    grouped = frame.group_by("k", "v").agg(c("p").sum().cast(nw.Int64).alias("p"), rows.cast(nw.Int64).alias("rows"))
    grouped = grouped.with_columns(n=c("rows") - c("p"))
    return grouped.with_columns(
        p1=c("p").cum_sum().over("k", order_by="v"), n1=c("n").cum_sum().over("k", order_by="v"), pe=c("p"), ne=c("n")
    )


def totals_within(frame: Any, keys: Sequence[str]) -> Any:
    """Cases p and n of scores v with p1 and n1 up to the score within the groups of ``keys``, and pe and ne at it."""
    import narwhals as nw

    c = nw.col
    if _on_spark(frame):
        low = (1 << _HALF) - 1
        cut = [f"shiftright({name}, {_HALF}) AS p{end}" for name, end in (("le", 1), ("eq", "e"))]
        cut += [f"{name} & {low}L AS n{end}" for name, end in (("le", 1), ("eq", "e"))]
        native = _running_totals(frame.to_native(), "v", _BOTH, ", ".join(keys))
        return nw.from_native(native.selectExpr(*keys, "p", "1 - p AS n", *cut))
    grouped = frame.group_by(*keys, "v").agg(c("p").sum().cast(nw.Int64).alias("p"), nw.len().cast(nw.Int64).alias("m"))
    grouped = grouped.with_columns(n=c("m") - c("p"))
    return grouped.with_columns(
        p1=c("p").cum_sum().over(*keys, order_by="v"), n1=c("n").cum_sum().over(*keys, order_by="v"),
        pe=c("p"), ne=c("n"),
    )  # fmt: skip


def placed_by_bin(frame: Any, value: str, place: str, bins: Bins) -> Any:
    """The same by the bins alone, whose cases count as tied; no row moves."""
    import narwhals as nw

    return _looked_up(frame.with_columns(k=bins.key(nw.col(value))), value, bins, place, own=True)


def _looked_up(frame: Any, value: str, bins: Bins, name: str, *, own: bool) -> Any:
    """What bins add to places: twice the cases of the other class below, and with ``own`` those inside as well."""
    import narwhals as nw

    c = nw.col
    if _on_spark(frame):
        table = np.zeros((int(bins.keys.max()) + _PAST + 1, 2), np.int64)
        for side, other in ((1, bins.cells.neg), (0, bins.cells.pos)):
            upto = np.cumsum(other)
            table[bins.keys + _PAST, side] = 2 * upto - other if own else 2 * (upto - other)
        # A literal of all numbers: Spark reads it once, and neither side of a join moves.
        numbers = ",".join(map(str, table.ravel().tolist()))
        at = f"CAST(2 * (k + {_PAST}) + p + 1 AS INT)"
        native = frame.to_native().selectExpr(
            "*", f"element_at(from_json('[{numbers}]', 'array<bigint>'), {at}) AS {name}"
        )
        return nw.from_native(native)
    counted = frame.group_by("k").agg(
        c("p").sum().cast(nw.Int64).alias("bp"), nw.len().cast(nw.Int64).alias("rows"), c(value).min().alias("first")
    )
    counted = counted.with_columns(bm=c("rows") - c("bp"))
    counted = counted.with_columns(
        p_to=c("bp").cum_sum().over(order_by="first"), m_to=c("bm").cum_sum().over(order_by="first")
    )
    apart = 1 if own else 2
    counted = counted.select("k", p_in=c("p_to") * 2 - c("bp") * apart, m_in=c("m_to") * 2 - c("bm") * apart)
    frame = frame.join(counted, on="k", how="left")
    found = nw.when(c("p") == 1).then(c("m_in")).otherwise(c("p_in")).cast(nw.Int64)
    return frame.with_columns(found.alias(name)).drop("p_in", "m_in")
