"""Sums of places and of their products on the engine that the cases are on, exact in its 64-bit integers.

A product of places may need more than 64 bits once it is added up, so that places are cut into pieces of so few bits
that the products of pieces, added over one group of cases, still fit; the groups are merged here, in integers of any
size. Third and fourth powers of how far apart two scores place a case are fractions; they are cut likewise, into whole
numbers of so many bits behind the point. No order of rows and no partition changes a digit of either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import TYPE_CHECKING, Any

import numpy as np

from roclab._core.fixed_sum import FixedSum
from roclab._core.types import Floats
from roclab.data.tally import Tally
from roclab.engines.native_places import Bins, placed_by_bin, placed_in_bins
from roclab.engines.overview import Overview, check_counts
from roclab.engines.pairing import PlaceSums
from roclab.engines.placed_influence import InfluenceLines, InfluenceSums, terms_of, value_of
from roclab.engines.watching import tell

if TYPE_CHECKING:
    from roclab.engines.narwhals_backend import NarwhalsBackend

__all__ = ["CutSums", "influence_sums_on_engine", "place_sums_on_engine", "subject_sums_on_engine"]

_MOST_BINS = 1 << 17  # that are looked up
_WORD = 62  # bits of a sum that no engine wraps


def place_sums_on_engine(
    backend: NarwhalsBackend, seen: Overview, names: Sequence[str], known: Mapping[str, Tally]
) -> PlaceSums:
    """Sums of places and products of all scores: one shuffle for each score that is not looked up, one aggregate."""
    frame, most = _placed(backend, seen, names, known, ids=False)
    sums = PlaceSums.of(len(names), seen.cases)
    tell(f"{backend.name}: comparing {', '.join(names)}")
    _Products(frame, len(names), sums.bits, most).into(sums, backend)
    check_counts(backend.table.called, seen, sums.cases[1], sums.cases[0])
    return sums


def subject_sums_on_engine(backend: NarwhalsBackend, seen: Overview, names: Sequence[str]) -> tuple[Floats, Floats]:
    """Positives and their places, negatives and theirs, of every subject, and the squares of all places by class."""
    import narwhals as nw

    c, k = nw.col, len(names)
    frame, _ = _placed(backend, seen, names, {}, ids=True)
    bits = (2 * seen.cases).bit_length()
    cut = CutSums(seen.cases)
    made = {"q": 1 - c("p")}
    for side, flag in (("p", c("p")), ("q", 1 - c("p"))):
        for at in range(k):
            made[f"{side}{at}"] = c(f"u{at}") * flag
            share = c(f"u{at}").cast(nw.Float64) * 2.0**-bits
            made[f"{side}s{at}"] = share * share * flag.cast(nw.Float64)
    frame, squares = cut.columns(frame.with_columns(**made), [f"{side}s{at}" for side in "pq" for at in range(k)])
    columns = [name for side in "pq" for name in (side, *(f"{side}{at}" for at in range(k)))]
    tell(f"{backend.name}: adding up subjects")
    asked = [c(name).sum().cast(nw.Int64).alias(f"sum_{name}") for name in (*columns, *squares)]
    found = backend.collected(frame.group_by("c").agg(*asked))
    table = np.stack([found[f"sum_{name}"].astype(np.float64) for name in columns], axis=1)
    table = table[np.lexsort(table.T)]  # subjects come in any order, and sums of fractions over them follow
    whole = {name: sum(found[f"sum_{name}"].tolist()) for name in squares}
    of_class = [[float(cut.sum(whole, f"{side}s{at}").value) * 4.0**bits for at in range(k)] for side in "pq"]
    check_counts(backend.table.called, seen, int(table[:, 0].sum()), int(table[:, k + 1].sum()))
    return table, np.array(of_class)


def _placed(
    backend: NarwhalsBackend,
    seen: Overview,
    names: Sequence[str],
    known: Mapping[str, Tally],
    *,
    ids: bool,
    lines: Mapping[str, InfluenceLines] | None = None,
) -> tuple[Any, int]:
    """Cases with p, their places u0, u1 … and the bin k of one score, and the cases of the fullest bin.

    With ``lines`` the influences of the places stand instead of them.
    """
    import narwhals as nw

    frame = backend.every_score(seen, names, ids=ids)
    every = [_bins_of(backend, seen, name, known) for name in names]
    windows = [at for at, (_, looked_up) in enumerate(every) if not looked_up]
    looked_up = [at for at in range(len(names)) if at not in windows]
    looked_up.sort(key=lambda at: -every[at][0].largest)  # the last one's bins are the groups of the sums
    for at in (*looked_up, *windows):
        way = placed_in_bins if at in windows else placed_by_bin
        columns = ["p", *(f"v{one}" for one in range(len(names))), *(f"u{one}" for one in range(len(names)))]
        kept = [name for name in (*columns, "c") if name in frame.collect_schema().names()]
        frame = way(frame.select(kept), f"v{at}", f"u{at}", every[at][0])
        if lines:
            influence = lines[names[at]].expression(nw.col(f"v{at}"), nw.col("p"), nw.col(f"u{at}"))
            frame = frame.with_columns(influence.alias(f"u{at}"))
        frame = frame.drop(f"v{at}")
    return frame, every[(*looked_up, *windows)[-1]][0].largest


def influence_sums_on_engine(
    backend: NarwhalsBackend, seen: Overview, names: Sequence[str], lines: Mapping[str, InfluenceLines]
) -> InfluenceSums:
    """Sums of the influences of all cases, cut into whole numbers; as many shuffles as places need."""
    import narwhals as nw

    c = nw.col
    frame, most = _placed(backend, seen, names, {}, ids=False, lines=lines)
    terms = terms_of(len(names))
    made = {f"x{at}": value_of(name, c(f"u{i}"), c(f"u{j}")) for at, (name, i, j) in enumerate(terms)}
    cut = CutSums(most)
    frame, pieces = cut.columns(frame.with_columns(**made), list(made))
    tell(f"{backend.name}: comparing {', '.join(names)}")
    asked = [c(name).sum().cast(nw.Int64).alias(f"sum_{name}") for name in pieces]
    found = backend.collected(frame.group_by("p", "k").agg(nw.len().cast(nw.Int64).alias("rows"), *asked))
    sums = InfluenceSums(len(names))
    for side in (0, 1):
        own = found["p"] == side
        sums.cases[side] = int(found["rows"][own].sum())
        whole = {name: sum(found[f"sum_{name}"][own].tolist()) for name in pieces}
        for at, term in enumerate(terms):
            sums.sums[side][term] = cut.sum(whole, f"x{at}")
    check_counts(backend.table.called, seen, sums.cases[1], sums.cases[0])
    return sums


def _bins_of(backend: NarwhalsBackend, seen: Overview, name: str, known: Mapping[str, Tally]) -> tuple[Bins, bool]:
    """Bins of a score, and whether places are looked up in them: they are single values, or enough for the accuracy."""
    tally, made = known.get(name), backend.made.get(name)
    if tally is not None and tally.known is None and made is not None and made.keys.size <= _MOST_BINS:
        low = tally.score if tally.sample.direction == "higher" else tally.reversed().score
        if np.array_equal(np.sort(low), made.cells.low):
            return made, True
    bins = backend.small_bins(seen, name, refused=False)
    return bins, bins.binning is not None and bins.are_ties


class CutSums:
    """Fractions between -1 and 1 as two whole numbers each, whose sums over so many cases fit into 64 bits."""

    def __init__(self, most: int) -> None:
        self.bits = min(46, _WORD - most.bit_length())

    def columns(self, frame: Any, names: Sequence[str]) -> tuple[Any, list[str]]:
        """The frame with these fractions cut, and the names of the whole numbers."""
        import narwhals as nw

        c, unit = nw.col, 2.0**self.bits
        if not names:
            return frame, []
        frame = frame.with_columns(**{f"{name}_h": (c(name) * unit).floor() for name in names})
        frame = frame.with_columns(
            **{f"{name}_l": ((c(name) * unit - c(f"{name}_h").cast(nw.Float64)) * unit).floor() for name in names}
        )
        made = [f"{name}_{part}" for name in names for part in "hl"]
        return frame.with_columns(**{name: c(name).cast(nw.Int64) for name in made}), made

    def sum(self, sums: Mapping[str, int], name: str) -> FixedSum:
        """The sum of the fractions, from the sums of the whole numbers."""
        total = FixedSum()
        total.add_whole(sums[f"{name}_h"], self.bits)
        total.add_whole(sums[f"{name}_l"], 2 * self.bits)
        return total


class _Products:
    """One aggregate of everything that is added up, by class and group; no group has more than ``most`` cases."""

    def __init__(self, frame: Any, scores: int, bits: int, most: int) -> None:
        import narwhals as nw

        c = nw.col
        room = (_WORD - most.bit_length()) // 2
        self.scores, self.cut = scores, CutSums(most)
        self.piece = bits if room >= bits else room - 1  # two products of different pieces are added
        self.pieces = -(-bits // self.piece)
        if self.pieces > 2:
            self.piece, self.pieces = room - 2, -(-bits // (room - 2))
        made = {}
        for at in range(scores):
            for piece in range(self.pieces):
                shifted = c(f"u{at}") // (1 << (self.piece * piece)) if piece else c(f"u{at}")
                last = piece == self.pieces - 1
                made[f"t{at}_{piece}"] = (shifted if last else shifted % (1 << self.piece)).cast(nw.Int64)
        frame = frame.with_columns(**made)
        products = {}
        for i, j in combinations_with_replacement(range(scores), 2):
            for total in range(2 * self.pieces - 1):
                terms = [
                    c(f"t{i}_{a}") * c(f"t{j}_{total - a}") for a in range(self.pieces) if 0 <= total - a < self.pieces
                ]
                products[f"x{i}_{j}_{total}"] = sum(terms[1:], terms[0])
        apart = {
            f"d{i}_{j}": (c(f"u{i}") - c(f"u{j}")).cast(nw.Float64) * 2.0**-bits
            for i, j in combinations(range(scores), 2)
        }
        frame = frame.with_columns(**products, **apart)
        frame = frame.with_columns(**{f"s{name}": c(name) * c(name) for name in apart})
        powers = {f"c{name}": c(f"s{name}") * c(name) for name in apart}
        powers |= {f"f{name}": c(f"s{name}") * c(f"s{name}") for name in apart}
        self.frame, cut = self.cut.columns(frame.with_columns(**powers), list(powers)) if powers else (frame, [])
        self.summed = [*made, *products, *cut]

    def into(self, sums: PlaceSums, backend: NarwhalsBackend) -> None:
        """Add everything up, and the groups here."""
        import narwhals as nw

        asked = [nw.col(name).sum().cast(nw.Int64).alias(f"sum_{name}") for name in self.summed]
        found = backend.collected(self.frame.group_by("p", "k").agg(nw.len().cast(nw.Int64).alias("rows"), *asked))
        sums.sums = [[0] * self.scores, [0] * self.scores]
        for side in (0, 1):
            own = found["p"] == side
            whole = {name: sum(found[f"sum_{name}"][own].tolist()) for name in self.summed}
            sums.cases[side] = int(found["rows"][own].sum())
            for at in range(self.scores):
                sums.sums[side][at] = sum(whole[f"t{at}_{one}"] << (self.piece * one) for one in range(self.pieces))
            for i, j in combinations_with_replacement(range(self.scores), 2):
                terms = (whole[f"x{i}_{j}_{one}"] << (self.piece * one) for one in range(2 * self.pieces - 1))
                sums.products[side][i, j] = sum(terms)
                if i != j:
                    sums.powers[side][i, j] = (
                        self.cut.sum(whole, f"cd{i}_{j}"), self.cut.sum(whole, f"fd{i}_{j}")
                    )  # fmt: skip
