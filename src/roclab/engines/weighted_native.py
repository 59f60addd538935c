"""Weights of cases on an engine of the user's: only sums of whole numbers leave it.

Whole weights take the place of counts in every sum. Importance weights are cut into whole numbers (``weights``); within
its bin every score has the weight below it from running totals of these, and the sums over the bin that a variance is
made of (``weighted_sums``) are cut into whole numbers again before they are added up, so that no partition and no order
of rows changes a digit.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.types import Floats
from roclab.data.columns import LARGEST_WEIGHT, SMALLEST_WEIGHT
from roclab.engines.backends import Ends
from roclab.engines.narwhals_backend import NarwhalsBackend
from roclab.engines.narwhals_rows import as_number, no_number, rows_of
from roclab.engines.native_places import Bins
from roclab.engines.overview import Overview, overview_of
from roclab.engines.quantising import Binning, Grid, Split, binnings_of, half_width
from roclab.engines.scan import Cells, Scanned
from roclab.engines.watching import tell
from roclab.engines.weighted_duckdb import weighted_cells
from roclab.engines.weighted_sums import RangeSums, real_sums
from roclab.engines.weights import CutWeights, WeightProfile, weighting_of

__all__ = ["WeightedNarwhals"]

_BINS = 1 << 12
_PIECES = ("ph", "pr", "nh", "nr", "phh", "prr", "nhh", "nrr")
_TERMS = ("won", "pos_first", "pos_second", "neg_first", "neg_second", "cubic")


@dataclass(slots=True)
class WeightedNarwhals(NarwhalsBackend):
    """One lazy table whose cases have weights."""

    weights: Any = None  # what they are said to mean

    def overview(self) -> Overview:
        """Weights first, then labels, gaps and ranges, then the weight of each class; three aggregates."""
        assert self.roles.weight is not None
        tell(f"{self.name}: first look at {self.table.called}")
        profile, rows = self._profile(everything=True)
        weighting_of(profile, self.roles.weight, None, rows)
        seen = overview_of(self, self.looks(), self._subjects(), unweighted=profile.lacking)
        self.check_ends(seen.ranges)
        if seen.dropped:
            profile, rows = self._profile(everything=False)
        kind = weighting_of(profile, self.roles.weight, self.weights, rows)
        cut = CutWeights.of(self.roles.weight, kind, largest=profile.largest, rows=rows)
        return replace(seen, weights=self._with_totals(replace(seen, weights=cut), cut))

    def _profile(self, *, everything: bool) -> tuple[WeightProfile, int]:
        """The weights of all rows, or of those that lack nothing; one aggregate."""
        import narwhals as nw

        m = nw.col("m")
        frame = rows_of(self, self.roles.scores)
        if not everything:
            frame = frame.filter(~nw.col("gap"))
        number = nw.when(~no_number(m, nan=self.has_nan)).then(m)
        flags = {
            "lacking": no_number(m, nan=self.has_nan), "negative": m < 0,
            "infinite": (m == math.inf) | (m == -math.inf), "light": (m > 0) & (m < SMALLEST_WEIGHT),
        }  # fmt: skip
        finite = m.abs() <= LARGEST_WEIGHT
        frame = frame.with_columns(
            number=number, small=nw.when(finite).then(m),
            **{name: as_number(flag) for name, flag in flags.items()},
        )  # fmt: skip
        fraction = as_number(nw.col("small") != nw.col("small").floor())
        frame = frame.with_columns(fractions=fraction)
        counted = [nw.col(name).sum().alias(name) for name in (*flags, "fractions")]
        found = self.gathered(
            frame.select(
                *counted, nw.col("number").min().alias("lowest"), nw.col("number").max().alias("largest"),
                nw.col("small").sum().alias("total"), nw.len().cast(nw.Int64).alias("rows"),
            )
        )  # fmt: skip
        row = {name: found[name].to_list()[0] for name in found.columns}
        return WeightProfile.of(row), int(row["rows"] or 0)

    def _with_totals(self, seen: Overview, cut: CutWeights) -> CutWeights:
        import narwhals as nw

        columns = list(_PIECES[:4]) if cut.real else ["p", "m"]
        kept = self.kept(seen, self.roles.scores[0])
        found = self.collected(kept.select(*(nw.col(name).sum().alias(name) for name in columns)))
        sums = [int(found[name][0] or 0) for name in columns]
        if not cut.real:
            return cut.with_totals(sums[0], sums[1] - sums[0])
        return cut.with_totals(*(float(cut.weights_of(*sums[at : at + 2])) for at in (0, 2)))

    def kept(self, seen: Overview, score: str, by: Sequence[str] = ()) -> Any:
        """Rows that count, with their score v, and their weight m and that of positives p, or the pieces of both."""
        import narwhals as nw

        assert seen.weights is not None
        cut, m = seen.weights, nw.col("m")
        scores = (score, *(name for name in self.roles.scores if name != score))
        rows = rows_of(self, scores, by).filter(~nw.col("gap") & (m > 0))
        frame, positive = self.of_known_class(rows, seen)
        flag, value = as_number(positive), (nw.col("v0") + 0.0).alias("v")
        if not cut.real:
            frame = frame.with_columns(flag=flag, m=m.cast(nw.Int64))
            return frame.select(value, p=nw.col("flag") * nw.col("m"), m=nw.col("m"))
        first, second = cut.pieces(m)
        square, rest = cut.pieces(m, squared=True)
        frame = frame.with_columns(flag=flag, h=first, r=second, hh=square, rr=rest)
        frame = frame.with_columns(**{name: nw.col(name).cast(nw.Int64) for name in ("h", "r", "hh", "rr")})
        sides = {"p": nw.col("flag"), "n": 1 - nw.col("flag")}
        made = {f"{side}{name}": nw.col(name) * one for side, one in sides.items() for name in ("h", "r", "hh", "rr")}
        return frame.select(value, **made)

    def weights_in(self, grouped: Any) -> Any:
        """The weights of groups of cases, as they are summed."""
        import narwhals as nw

        return grouped.agg(
            nw.col("v").min().alias("low"), nw.col("v").max().alias("high"),
            *(nw.col(name).sum().cast(nw.Int64).alias(f"sum_{name}") for name in _PIECES),
        )  # fmt: skip

    def cells(
        self, seen: Overview, score: str, binning: Binning | Split | Grid | None, within: Ends | None = None
    ) -> Cells:
        """Weights of cases grouped by bins of their scores, or by the scores themselves; one aggregate."""
        cut = seen.weights
        assert cut is not None
        if not cut.real:
            return NarwhalsBackend.cells(self, seen, score, binning, within)
        tell(f"{self.name}: grouping {score}")
        grouped = self.in_bins(self.kept(seen, score), binning, within).group_by("k")
        found = self.collected(self.weights_in(grouped))
        cells = weighted_cells(found["low"], found["high"], [found[f"sum_{name}"] for name in _PIECES], cut)
        if isinstance(binning, Binning | Split) and within is None:
            order = np.argsort(found["low"].astype(np.float64) + 0.0)
            self.made[score] = Bins(binning, found["k"].astype(np.int64)[order], cells)
        return cells

    def _bins(self, seen: Overview, score: str) -> Bins:
        """The bins that join least."""
        tried: list[Bins] = []
        for one in binnings_of(seen.ranges[score], _BINS):
            self.cells(seen, score, one)
            tried.append(self.made[score])
            if half_width(tried[-1].cells) < 0.01:
                break
        if not tried:  # one score, or ends too far apart to subtract
            cells = self.cells(seen, score, None)
            return Bins(None, np.zeros(cells.pos.size, np.int64), cells)
        return min(tried, key=lambda bins: half_width(bins.cells))

    def scan(self, seen: Overview, score: str, *, lower: bool) -> Scanned:
        """Sums of every bin, merged here."""
        cut = seen.weights
        assert cut is not None
        if not cut.real:
            return NarwhalsBackend.scan(self, seen, score, lower=lower)
        bins = self._bins(seen, score)
        found = self.collected(self._sums_of_bins(seen, score, bins)) if not bins.are_ties else {}
        ranges = _ranges(bins, found, cut)
        excess = 2 * np.asarray(ranges.won) - np.asarray(ranges.pos) * np.asarray(ranges.neg)
        return Scanned(real_sums(ranges), bins.cells, math.nan, excess * cut.unit**2)

    def _sums_of_bins(self, seen: Overview, score: str, bins: Bins) -> Any:
        """What ``RangeSums`` has of every bin but its weights, each as a share of its largest value, in two pieces."""
        import narwhals as nw

        c, cut = nw.col, seen.weights
        assert cut is not None
        frame = self.kept(seen, score).with_columns(k=bins.key(c("v")))
        grouped = frame.group_by("k", "v").agg(*(c(name).sum().cast(nw.Int64).alias(name) for name in _PIECES))
        grouped = grouped.with_columns(
            **{f"{name}_to": c(name).cum_sum().over("k", order_by="v") for name in _PIECES[:4]}
        )
        total = (cut.pos + cut.neg) / cut.unit
        share = {
            side: cut.shares(c(f"{side}h").cast(nw.Float64), c(f"{side}r").cast(nw.Float64)) / total for side in "pn"
        } | {
            f"{side}q": cut.shares(c(f"{side}hh").cast(nw.Float64), c(f"{side}rr").cast(nw.Float64)) / total**2
            for side in "pn"
        } | {
            f"{side}1": cut.shares(c(f"{side}h_to").cast(nw.Float64), c(f"{side}r_to").cast(nw.Float64)) / total
            for side in "pn"
        }  # fmt: skip
        grouped = grouped.with_columns(**{f"s_{name}": one for name, one in share.items()})
        p, n, pq, nq, p1, n1 = (c(f"s_{name}") for name in ("p", "n", "pq", "nq", "p1", "n1"))
        u, w = n1 - n / 2, p1 - p / 2
        below = (n1 - n) * (p1 - p)
        terms = [p * u, pq * u, pq * u * u, nq * w, nq * w * w, n * (4 * u * w + below + n1 * p1) / 6]
        grouped = grouped.with_columns(**dict(zip(_TERMS, terms, strict=True)))
        unit = cut.step
        grouped = grouped.with_columns(**{f"{name}_f": (c(name) * unit).floor() for name in _TERMS})
        grouped = grouped.with_columns(
            **{f"{name}_r": ((c(name) * unit - c(f"{name}_f")) * unit).floor() for name in _TERMS}
        )
        asked = [c(f"{name}_{end}").cast(nw.Int64).alias(f"{name}_{end}") for name in _TERMS for end in "fr"]
        return grouped.select("k", *asked).group_by("k").agg(
            *(c(f"{name}_{end}").sum().alias(f"{name}_{end}") for name in _TERMS for end in "fr")
        )  # fmt: skip

    def reaching(self, seen: Overview, score: str, threshold: float, *, lower: bool) -> tuple[float, float]:
        """Weight of positives and negatives whose score reaches a threshold."""
        import narwhals as nw

        cut = seen.weights
        assert cut is not None
        reached = nw.col("v") <= threshold if lower else nw.col("v") >= threshold
        columns = list(_PIECES[:4]) if cut.real else ["p", "m"]
        kept = self.kept(seen, score).filter(reached)
        found = self.collected(kept.select(*(nw.col(name).sum().alias(name) for name in columns)))
        sums = [0 if found[name][0] is None or found[name][0] != found[name][0] else int(found[name][0])
                for name in columns]  # fmt: skip
        if not cut.real:
            return sums[0], sums[1] - sums[0]
        return float(cut.weights_of(*sums[:2])), float(cut.weights_of(*sums[2:]))

    def many_cells(self, seen: Overview, binnings: Mapping[str, Binning]) -> dict[str, Cells]:
        """One aggregate of bins for each score."""
        return {name: self.cells(seen, name, binning) for name, binning in binnings.items()}


def _ranges(bins: Bins, found: Mapping[str, Any], cut: CutWeights) -> RangeSums:
    """Sums over ascending bins, in units of the largest weight; bins of one score need none but their weights."""
    cells, unit = bins.cells, cut.unit
    assert cells.squares is not None
    pos, neg = cells.pos / unit, cells.neg / unit
    pos_squares, neg_squares = (one / unit**2 for one in cells.squares)
    terms: list[Floats] = [
        pos * neg / 2, pos_squares * neg / 2, pos_squares * neg**2 / 4, neg_squares * pos / 2, neg_squares * pos**2 / 4,
        2 * neg * (neg / 2) * pos,
    ]  # fmt: skip
    if found:
        total = (cut.pos + cut.neg) / unit
        sorter = np.argsort(bins.keys)
        order = np.argsort(sorter[np.searchsorted(bins.keys, found["k"].astype(np.int64), sorter=sorter)])
        for at, (name, power) in enumerate(zip(_TERMS, (2, 3, 4, 3, 4, 3), strict=True)):
            share = cut.shares(found[f"{name}_f"].astype(np.float64), found[f"{name}_r"].astype(np.float64))[order]
            terms[at] = share * total**power * (6 if name == "cubic" else 1)
    return RangeSums(pos, neg, pos_squares, neg_squares, *terms)
