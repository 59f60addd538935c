"""Bins of scores: a rising function of the score, so that bins are ranges, fine where scores are dense."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from roclab.data.tally import Tally
from roclab.engines.overview import ScoreRange
from roclab.engines.scan import Cells

__all__ = ["Binning", "Grid", "Split", "binnings_of", "half_width", "half_width_of", "is_monotone"]

Transform = Literal["identity", "log", "logit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Binning:
    """Equal bins of a transformed score: floor((f(s) - f(low)) / (f(high) - f(low)) * bins), in double precision.

    Subtracting, dividing and multiplying by positive constants, logarithms and floor never turn an order round, only
    blur it, and whether they did is checked on the cells that come back (``is_monotone``).
    """

    transform: Transform
    low: float  # of the transformed score
    high: float
    bins: int
    infinite: bool = True  # scores may be infinite, and have bins of their own

    def sql(self, column: str) -> str:
        """The number of the bin in SQL; what the transform has no value for lies in bins beyond the ends."""
        inside = {
            "identity": column,
            "log": f"ln({column})",
            "logit": f"(ln({column}) - ln(1 - {column}))",
        }[self.transform]
        share = f"({inside} - ({self.low!r}::DOUBLE)) * ({self.bins / (self.high - self.low)!r}::DOUBLE)"
        if self.transform == "identity" and not self.infinite:
            return f"CAST(floor({share}) AS INTEGER)"  # within the range whatever the rounding
        number = f"CAST(greatest(least(floor({share}), {self.bins - 1}), 0) AS BIGINT)"
        ends = [f"WHEN {column} = '-inf'::DOUBLE THEN -2", f"WHEN {column} = 'inf'::DOUBLE THEN {self.bins + 1}"]
        if self.transform != "identity":
            ends.append(f"WHEN {column} <= 0 THEN -1")
        if self.transform == "logit":
            ends.append(f"WHEN {column} >= 1 THEN {self.bins}")
        return f"CASE {' '.join(ends)} ELSE {number} END"

    def expression(self, column: Any) -> Any:
        """The same for Narwhals."""
        import narwhals as nw

        if self.transform == "identity":
            inside = column
        elif self.transform == "log":
            inside = nw.when(column > 0).then(column).otherwise(1.0).log()
        else:
            safe = nw.when((column > 0) & (column < 1)).then(column).otherwise(0.5)
            inside = safe.log() - (1.0 - safe).log()
        share = (inside - self.low) * (self.bins / (self.high - self.low))
        number = share.floor().clip(0.0, float(self.bins - 1))
        if self.transform != "identity":
            number = nw.when(column <= 0).then(-1.0).otherwise(number)
        if self.transform == "logit":
            number = nw.when(column >= 1).then(float(self.bins)).otherwise(number)
        number = nw.when(column == float("inf")).then(float(self.bins + 1)).otherwise(number)
        number = nw.when(column == float("-inf")).then(-2.0).otherwise(number)
        return number.cast(nw.Int64)


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Bins of which some are cut again, because most of the cases lie in a small part of the range."""

    whole: Binning
    parts: tuple[tuple[float, float, Binning, int], ...]  # from and to which score, how it is cut, first number

    def cut(self, ranges: Sequence[tuple[float, float]], bins: int) -> Split:
        """The same with these ranges of scores cut into so many bins, where numbers lie close enough together."""
        start = max([self.whole.bins, *(part[3] + part[2].bins for part in self.parts)])
        made = []
        for low, high in ranges:
            start += 4  # bins beyond the ends
            if bins * sys.float_info.min < high - low < float("inf"):
                made.append((low, high, Binning(transform="identity", low=low, high=high, bins=bins), start))
                start += bins
        return Split(whole=self.whole, parts=(*self.parts, *made))

    def expression(self, column: Any) -> Any:
        """The number of the bin for Narwhals; numbers tell bins apart, and need not rise with the score."""
        import narwhals as nw

        number = self.whole.expression(column)
        for low, high, inner, start in self.parts:
            inside = (column >= low) & (column <= high)
            number = nw.when(inside).then(inner.expression(column) + start).otherwise(number)
        return number


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Cells between whole multiples of a power of two: those of different sites lie inside each other or apart."""

    exponent: int

    def sql(self, column: str) -> str:
        """The number of the cell in SQL."""
        number = f"CAST(floor({column} * ({2.0**-self.exponent!r}::DOUBLE)) AS BIGINT)"
        ends = f"WHEN {column} = '-inf'::DOUBLE THEN {-(2**62)} WHEN {column} = 'inf'::DOUBLE THEN {2**62}"
        return f"CASE {ends} ELSE {number} END"

    def expression(self, column: Any) -> Any:
        """The same for Narwhals."""
        import narwhals as nw

        number = (column * 2.0**-self.exponent).floor().clip(-(2.0**62), 2.0**62)
        return number.cast(nw.Int64)


def binnings_of(seen: ScoreRange, bins: int) -> list[Binning]:
    """The ways to bin a score: as it is, its logarithm if it is never negative, its logit if it is a fraction."""
    if not np.isfinite(seen.high - seen.low) or seen.high <= seen.low:
        return []
    found = [Binning(transform="identity", low=seen.low, high=seen.high, bins=bins, infinite=seen.infinite)]
    if seen.low >= 0:
        # the smallest positive score is not known where 0 occurs; what lies below the range shares its first bin
        low = seen.low or max(seen.high * 1e-30, 1e-300)
        found.append(Binning(transform="log", low=float(np.log(low)), high=float(np.log(seen.high)), bins=bins))
    if seen.low >= 0 and seen.high <= 1:
        edge = 40.0
        low = max(seen.low, 1e-17)
        ends = (
            float(np.log(low) - np.log1p(-low)),
            edge if seen.high >= 1 - 1e-16 else float(np.log(seen.high) - np.log1p(-seen.high)),
        )
        found.append(Binning(transform="logit", low=ends[0], high=ends[1], bins=bins))
    # Bins of ranges below 1e-300 would be narrower than numbers can be; such scores are grouped as they are.
    return [one for one in found if one.high > one.low and one.high - one.low > bins * sys.float_info.min]


def is_monotone(cells: Cells) -> bool:
    """The certificate: no cell begins before the one below it has ended."""
    return bool(np.all(cells.high[:-1] < cells.low[1:]))


def half_width(cells: Cells) -> float:
    """How far the area of the cells can be from that of the scores."""
    joined = cells.joined
    pairs = float(np.sum(cells.pos[joined].astype(np.float64) * cells.neg[joined]))
    return pairs / (2 * float(cells.pos.sum()) * float(cells.neg.sum()))


def half_width_of(tally: Tally) -> float:
    """The same of a tally."""
    if tally.top is None:
        return 0.0
    return half_width(Cells(tally.score, tally.top, tally.pos, tally.neg))
