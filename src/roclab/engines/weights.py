r"""Weights of cases on an engine: what they mean, whether they can be counted, and sums of them that no order changes.

Whole weights are repetitions and are added as integers. Others are importance weights: each is cut, relative to a power
of two above all of them, into two whole numbers of ``bits`` bits, whose sums are exact in 64-bit integers. The sums of
cut weights are the same for any order of rows, any partitions and any number of threads; what cutting leaves away lies
below :math:`2^{-2\,\mathrm{bits}}` of the largest weight, with at least 60 bits up to :math:`2^{32}` cases.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import plural
from roclab._core.types import Floats, Ints
from roclab.data.columns import LARGEST_WEIGHT, MOST_WHOLE, SMALLEST_WEIGHT
from roclab.errors import InputError, Words, named
from roclab.names import WEIGHT_MEANINGS, Weighting

__all__ = ["CutWeights", "WeightProfile", "weighting_of"]

_WORD = 62  # bits of a sum that no engine wraps
_MOST_BITS = 44  # a double has 53: two pieces of more would hold nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightProfile:
    """What one pass over a column of weights tells, of all rows whose weight is a number."""

    lacking: int  # NULL or NaN
    negative: int
    infinite: int
    fractions: int  # that are no whole numbers
    light: int  # above 0, and so small that products of them are 0
    lowest: float
    largest: float
    total: float

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> WeightProfile:
        """From one row of aggregates, of which those of no rows are missing."""
        counts = [int(row[name] or 0) for name in ("lacking", "negative", "infinite", "fractions", "light")]
        lacking, negative, infinite, fractions, light = counts
        lowest, largest, total = (float(row[name] or 0.0) for name in ("lowest", "largest", "total"))
        return cls(
            lacking=lacking, negative=negative, infinite=infinite, fractions=fractions, light=light, lowest=lowest,
            largest=largest, total=total,
        )  # fmt: skip


def weighting_of(profile: WeightProfile, name: str, asked: Any, rows: int) -> Weighting:
    """What weights mean, as for weights in memory; those that cannot be counted are refused with their number."""
    if asked is not None and asked not in WEIGHT_MEANINGS:
        raise InputError(
            "weights", f"must be one of {', '.join(map(repr, WEIGHT_MEANINGS))}", asked,
            f"name the column of weights with {named('sample_weight')}",
        )  # fmt: skip
    correct = "drop or correct these cases"
    if profile.negative:
        got = f"{plural(profile.negative, 'weight')} below 0, the lowest {profile.lowest:g}"
        raise InputError(name, "must be >= 0", Words(got), correct)
    if profile.infinite:
        raise InputError(name, "must be finite", Words(f"inf in {plural(profile.infinite, 'case')}"), correct)
    smaller = "divide them all by one number"
    if profile.largest > LARGEST_WEIGHT:
        raise InputError(name, f"must be at most {LARGEST_WEIGHT:g}", Words(f"{profile.largest:.3g}"), smaller)
    if profile.light:
        got = f"smaller ones in {plural(profile.light, 'case')}"
        way_out = "write 0, or multiply them all by one number"
        raise InputError(name, f"must be 0 or at least {SMALLEST_WEIGHT:g}", Words(got), way_out)
    if profile.largest == 0 and rows > profile.lacking:
        raise InputError(name, "must not all be zero", Words(f"{plural(rows, 'weight')} of 0"), "no case would count")
    whole = not profile.fractions and profile.total <= MOST_WHOLE
    if asked == "frequency" and not whole:
        if not profile.fractions:
            raise InputError(name, "must add up to at most 2**53", Words(f"{profile.total:.3g}"), smaller)
        raise InputError(
            name, f"must be whole numbers for {named('weights', 'frequency')}",
            Words(f"{plural(profile.fractions, 'weight')} that {'is' if profile.fractions == 1 else 'are'} none"),
            f"use {named('weights', 'importance')} for real weights",
        )  # fmt: skip
    return "frequency" if whole and asked != "importance" else "importance"


@dataclass(frozen=True, slots=True, kw_only=True)
class CutWeights:
    """The weights of a source: their meaning, how they are cut, and their totals by class."""

    name: str
    kind: Weighting
    unit: float = 1.0  # a power of two above all weights
    bits: int = _MOST_BITS  # of each of the two pieces
    pos: float = 0
    neg: float = 0

    @classmethod
    def of(cls, name: str, kind: Weighting, *, largest: float, rows: int) -> CutWeights:
        """How so many weights are cut."""
        bits = max(min(_MOST_BITS, _WORD - rows.bit_length()), 1)
        return cls(name=name, kind=kind, unit=2.0 ** math.frexp(largest)[1], bits=bits)

    @property
    def real(self) -> bool:
        """Whether weights are importance weights."""
        return self.kind == "importance"

    @property
    def step(self) -> float:
        """What one piece counts in units of the one before."""
        return 2.0**self.bits

    def with_totals(self, pos: float, neg: float) -> CutWeights:
        """The same with the total weight of each class."""
        return replace(self, pos=pos, neg=neg)

    def pieces_sql(self, weight: str, *, squared: bool = False) -> tuple[str, str]:
        """The two pieces of a weight, or of its square, in SQL."""
        share = f"({weight} * ({1 / self.unit!r}::DOUBLE))"
        whole = f"({share} * {share} * ({self.step!r}::DOUBLE))" if squared else f"({share} * ({self.step!r}::DOUBLE))"
        first = f"floor({whole})"
        return f"CAST({first} AS BIGINT)", f"CAST(round(({whole} - {first}) * ({self.step!r}::DOUBLE)) AS BIGINT)"

    def pieces(self, weight: Any, *, squared: bool = False) -> tuple[Any, Any]:
        """The same for Narwhals expressions and arrays of a kind that has ``floor``."""
        share = weight * (1 / self.unit)
        whole = (share * share if squared else share) * self.step
        first = whole.floor()
        return first, ((whole - first) * self.step).round()

    def pieces_of(self, weight: Floats, *, squared: bool = False) -> tuple[Ints, Ints]:
        """The same for weights in memory."""
        share = weight * (1 / self.unit)
        whole = (share * share if squared else share) * self.step
        first = np.floor(whole)
        return first.astype(np.int64), np.rint((whole - first) * self.step).astype(np.int64)

    def shares(self, first: Any, second: Any) -> Any:
        """Sums of pieces in units of the largest weight, or of its square."""
        return (first + second * (1 / self.step)) * (1 / self.step)

    def weights_of(self, first: Any, second: Any) -> Any:
        """Sums of pieces as sums of weights."""
        return self.shares(np.asarray(first, np.float64), np.asarray(second, np.float64)) * self.unit

    def squares_of(self, first: Any, second: Any) -> Any:
        """The same of squares."""
        return self.shares(np.asarray(first, np.float64), np.asarray(second, np.float64)) * self.unit**2
