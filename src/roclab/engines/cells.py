r"""Cells of scores as a tally, and rigorous bounds on what joining scores costs.

A cell joins the scores between its lowest and its highest one; cells do not overlap, so every end of a cell is a true
point of the curve, and only what happens between two such points is unknown. There the curve rises from one to the
other, which bounds every area by the boxes that the cells span; a cell with one score only is a tie, and no error.

For DeLong's variance: joining moves the component of a positive by at most n/(2N), with n the negatives of its cell.
The standard deviation is a seminorm, so that of :math:`V_{10}` moves by at most
:math:`e_{10} = \sqrt{\sum p (n / 2N)^2 / (P - 1)}` over the joined cells, and :math:`V_{01}` likewise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from roclab._core.types import Bools, Counts, Floats, Ints
from roclab._core.undefined import Undefined
from roclab.areas.cells import cells_at_edge, cells_reaching, joined_cells
from roclab.data.tally import Tally
from roclab.engines.scan import Cells
from roclab.engines.sums import Sums
from roclab.engines.weighted_sums import RealSums
from roclab.inference.one_area.area import Area
from roclab.inference.one_area.delong import delong_parts
from roclab.inference.one_area.variance import effective_sizes
from roclab.options.region import Range
from roclab.results import Sample

__all__ = [
    "Counted",
    "area_error",
    "class_error",
    "opened_cells",
    "spread_errors",
    "standard_error_bound",
    "tally_of_cells",
]


@dataclass(frozen=True, slots=True)
class Counted:
    """Areas counted from all rows, in integers."""

    sums: Sums | RealSums
    average_precision: float | None = None
    excess: Counts | None = None  # of every cell in descending order: twice the pairs won inside, less the pairs
    fourth: tuple[float, float] | None = None  # fourth powers of DeLong's components about the area

    @property
    def auc(self) -> float:
        """The area."""
        return self.sums.auc

    @property
    def parts(self) -> tuple[float, float]:
        """What positives and negatives add to DeLong's variance."""
        return self.sums.parts

    @property
    def tauc(self) -> float:
        """Area under the tROC curve."""
        return self.sums.tauc

    def reversed(self) -> Counted:
        """The same with the direction of the score reversed."""
        return Counted(self.sums.reversed(), None, None if self.excess is None else -self.excess[::-1], self.fourth)


def tally_of_cells(cells: Cells, sample: Sample, *, known: Counted | None, counted: str) -> Tally:
    """The cells in descending order; one that is a tally in all its parts, where no cell joins scores."""
    flip = slice(None, None, -1)
    every_tie = not bool(cells.joined.any())
    pos, neg = cells.pos[flip], cells.neg[flip]
    if 4 * sample.n_pos * sample.n_neg > 2**63 - 1:  # pairs of cases would not fit into their integers
        pos, neg = pos.astype(np.float64), neg.astype(np.float64)
    return Tally(
        score=cells.low[flip] + 0.0,
        pos=np.ascontiguousarray(pos),
        neg=np.ascontiguousarray(neg),
        sample=sample,
        pos_squares=None if cells.squares is None else cells.squares[0][flip],
        neg_squares=None if cells.squares is None else cells.squares[1][flip],
        top=None if every_tie else cells.high[flip] + 0.0,
        known=None if every_tie else known,
        counted=counted,
    )


def opened_cells(tally: Tally, at: Ints, cells: Cells) -> Tally:
    """A tally with the scores themselves instead of the cells ``at``; ``cells`` has these scores as the source does."""
    turned = tally.sample.direction == "lower"
    scores, pos, neg = -cells.low if turned else cells.low, cells.pos, cells.neg
    kept = np.delete(np.arange(tally.score.size), at)
    score = np.concatenate([tally.score[kept], scores])
    order = np.argsort(-score, kind="stable")
    top = np.concatenate([(tally.score if tally.top is None else tally.top)[kept], scores])
    known = tally.known
    if isinstance(known, Counted) and known.excess is not None:
        nothing = np.zeros(scores.size, known.excess.dtype)
        known = replace(known, excess=np.concatenate([known.excess[kept], nothing])[order])
    if cells.squares is not None and tally.pos_squares is not None and tally.neg_squares is not None:
        squares = [
            np.concatenate([column[kept], own])[order]
            for column, own in zip((tally.pos_squares, tally.neg_squares), cells.squares, strict=True)
        ]
        tally = replace(tally, pos_squares=squares[0], neg_squares=squares[1])
    return replace(
        tally, score=score[order] + 0.0, top=top[order] + 0.0, known=known,
        pos=np.concatenate([tally.pos[kept], pos.astype(tally.pos.dtype)])[order],
        neg=np.concatenate([tally.neg[kept], neg.astype(tally.neg.dtype)])[order],
    )  # fmt: skip


def area_error(tally: Tally, area: Area) -> float:
    """How far an area of the cells can be from that of the scores; 0 where it was counted or all cells are ties.

    Undefined where no bound is known.
    """
    joined = joined_cells(tally)
    if not joined.any():
        return 0.0
    known = tally.known
    if known is not None and (
        area.of_auc
        or area.method == "tauc"
        or (area.method == "average_precision" and known.average_precision is not None)
    ):
        return 0.0
    n_pos, n_neg = tally.n_pos, tally.n_neg
    pos, neg = tally.pos.astype(np.float64), tally.neg.astype(np.float64)
    box = np.where(joined, pos * neg, 0.0) / (n_pos * n_neg)
    if area.of_auc:
        return float(box.sum()) / 2 * (2 if area.method == "gini" else 1)
    if area.method == "tauc":
        return _tauc_error(pos, neg, joined, n_pos, n_neg)
    if area.method == "average_precision":
        return _precision_error(pos, neg, joined, n_pos, first=0.0 if tally.weighted else 1.0)
    if area.region is not None:
        low, high = area.bounds
        counted = known is not None and known.excess is not None
        uncertain = (cells_at_edge if counted else cells_reaching)(tally, *area.region)
        return float(box[uncertain].sum()) * (high - low) / _largest(*area.region)
    if area.method in ("hull", "optimistic", "pessimistic"):
        return float(box.sum())
    return Undefined(f"no bound is known for {area.method} of scores that were counted in cells")


def _tauc_error(pos: Floats, neg: Floats, joined: Bools, n_pos: float, n_neg: float) -> float:
    r"""∫ TPR (1 - FPR): within a cell the curve lies between the ends of its rise."""
    f1, t1 = np.cumsum(neg) / n_neg, np.cumsum(pos) / n_pos
    f0, t0 = f1 - neg / n_neg, t1 - pos / n_pos
    weight = (f1 - f0) * (1 - (f0 + f1) / 2)
    chord = (f1 - f0) * ((t0 + t1) / 2 * (1 - (f0 + f1) / 2) - (t1 - t0) * (f1 - f0) / 12)
    above, below = (np.sum(np.where(joined, gap, 0.0)) for gap in (t1 * weight - chord, chord - t0 * weight))
    return float(max(above, below))


def _precision_error(pos: Floats, neg: Floats, joined: Bools, n_pos: float, *, first: float) -> float:
    """Average precision: within a cell precision lies between that of its worst and of its best order.

    The ``first`` positive of a cell has at least so much weight.
    """
    tp1, fp1 = np.cumsum(pos), np.cumsum(neg)
    tp0, fp0 = tp1 - pos, fp1 - neg
    with np.errstate(invalid="ignore", divide="ignore"):
        highest, lowest = tp1 / (tp1 + fp0), (tp0 + first) / (tp0 + first + fp1)
        at_end = tp1 / (tp1 + fp1)
    counts = joined & (pos > 0)
    above = np.sum(np.where(counts, pos * (highest - at_end), 0.0)) / n_pos
    below = np.sum(np.where(counts, pos * np.maximum(at_end - np.nan_to_num(lowest), 0.0), 0.0)) / n_pos
    return float(max(above, below))


def _largest(fpr: Range | None, tpr: Range | None) -> float:
    widths = [ends[1] - ends[0] for ends in (fpr, tpr) if ends is not None]
    return float(np.prod(widths)) or 1.0


def spread_errors(tally: Tally) -> tuple[float, float]:
    """How far the standard deviations of DeLong's components can be from those of the scores."""
    joined = joined_cells(tally)
    if tally.known is not None or not joined.any():
        return 0.0, 0.0
    pos, neg = np.where(joined, tally.pos, 0.0), np.where(joined, tally.neg, 0.0)
    e_pos = class_error(neg / (2 * tally.n_neg), tally.pos, tally.pos_squares)
    e_neg = class_error(pos / (2 * tally.n_pos), tally.neg, tally.neg_squares)
    P, N = effective_sizes(tally)
    return e_pos * math.sqrt(P), e_neg * math.sqrt(N)


def class_error(away: Floats, weight: Counts, squares: Floats | None) -> float:
    r"""How far the root of what a class adds to a variance can be, if values of cases are at most ``away`` from ours.

    With importance weights the spread is taken about the mean by weight and added up by squares, so that the mean of
    what is away counts beside it. NaN for a class of (effectively) one case.
    """
    total = float(weight.sum())
    if squares is None:
        return math.sqrt(float(np.sum(weight * away**2)) / (total - 1) / total) if total > 1 else math.nan
    effective = total**2 / float(squares.sum())
    if effective <= 1:
        return math.nan
    moved = math.sqrt(float(np.sum(squares * away**2)))
    moved += float(np.sum(weight * away)) / total * math.sqrt(float(squares.sum()))
    return moved / total * math.sqrt(effective / (effective - 1))


def standard_error_bound(tally: Tally, area: float) -> float:
    """How far DeLong's standard error can be from that of the scores; Undefined for a class of one case."""
    e10, e01 = spread_errors(tally)
    if e10 == e01 == 0:
        return 0.0
    if math.isnan(e10) or math.isnan(e01):
        return Undefined("a class has one case, so its spread cannot be seen")
    parts = delong_parts(tally, area)
    P, N = parts.n_pos, parts.n_neg
    s10, s01 = math.sqrt(max(parts.pos, 0.0) * P), math.sqrt(max(parts.neg, 0.0) * N)
    here = math.sqrt(s10**2 / P + s01**2 / N)
    most = math.sqrt((s10 + e10) ** 2 / P + (s01 + e01) ** 2 / N)
    least = math.sqrt(max(s10 - e10, 0.0) ** 2 / P + max(s01 - e01, 0.0) ** 2 / N)
    return max(most - here, here - least)
