"""Running totals over falling thresholds, and the numbers read off them.

Where a result can be the same to the last bit, the arithmetic is done on the same numbers in the same
order as scikit-learn does it. For whole counts that is no constraint: every sum is exact. Sums of weights
round, so there the cases are added in scikit-learn's order, descending score with ties in the order given.
Even the shape of a weighted curve depends on it, because ``drop_intermediate`` compares rounded sums.

Counts are walked through in cache-sized blocks: at a million cases, fresh memory for every intermediate
array costs more than the arithmetic.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from operator import neg as negated
from typing import NamedTuple, Protocol, cast

import numpy as np

from roclab._core.blocks import blocks
from roclab._core.label_sort import count_by_score, weighed_blocks
from roclab._core.order import STABLE_FROM
from roclab._core.polyline import bounded
from roclab._core.types import Array, Bools, Counts, Floats, Ints
from roclab.areas.empirical import auc_of_arrays
from roclab.compat._common_case import require

_MANY = 1 << 12  # weighted scores from here on are ranked without the curve
_TRAPEZOID_BLOCK = 1 << 15  # measured: half of it costs a tenth more in calls, twice of it leaves the cache


class Totals(NamedTuple):
    """True and false positives at some consecutive kept thresholds, ``at`` these places among all kept."""

    at: slice
    thresholds: Array
    tps: Counts
    fps: Counts


class Points(Protocol):
    """The cases at each distinct score, from the highest down, counted or weighed."""

    @property
    def thresholds(self) -> Array:
        """Distinct scores, of the scores' own type."""
        ...

    @property
    def n_pos(self) -> float:
        """All positives."""
        ...

    @property
    def n_neg(self) -> float:
        """All negatives."""
        ...

    def turns(self) -> Bools:
        """Both ends, and where the step to the next threshold differs from the step to this one."""
        ...

    def finds(self) -> Bools:
        """Where there are more true positives than at the threshold before."""
        ...

    def walk(self, kept: Bools | None) -> Iterator[Totals]:
        """Running totals at the kept thresholds (None: at all), some at a time."""
        ...


class Counted(NamedTuple):
    """Points from whole counts, kept as counts at each score until they are walked."""

    thresholds: Array
    pos: Ints
    neg: Ints
    n_pos: int
    n_neg: int

    @property
    def untied(self) -> bool:
        """Whether each threshold has one case, so that ``neg`` is ``1 - pos``."""
        return self.pos.size == self.n_pos + self.n_neg

    def turns(self) -> Bools:
        turned = np.ones(self.pos.size, np.bool_)
        np.not_equal(self.pos[2:], self.pos[1:-1], out=turned[1:-1])
        if not self.untied:
            turned[1:-1] |= self.neg[2:] != self.neg[1:-1]
        return turned

    def finds(self) -> Bools:
        found: Bools = self.pos != 0
        return found

    def walk(self, kept: Bools | None) -> Iterator[Totals]:
        before, n_tp, n_fp = 0, 0, 0
        untied = self.untied
        for part in blocks(self.pos.size):
            tps = np.cumsum(self.pos[part])
            tps += n_tp
            if untied:  # counting is faster than adding up
                fps = np.arange(part.start + 1, part.stop + 1)
                fps -= tps
            else:
                fps = np.cumsum(self.neg[part])
                fps += n_fp
            n_tp, n_fp = int(tps[-1]), int(fps[-1])
            thresholds = self.thresholds[part]
            if kept is not None:
                places = np.flatnonzero(kept[part])
                thresholds, tps, fps = thresholds[places], tps[places], fps[places]
            yield Totals(slice(before, before + tps.size), thresholds, tps, fps)
            before += tps.size


class Weighed(NamedTuple):
    """Points from weights, already added up."""

    thresholds: Array
    tps: Floats
    fps: Floats

    @property
    def n_pos(self) -> float:
        return float(self.tps[-1])

    @property
    def n_neg(self) -> float:
        return float(self.fps[-1])

    def turns(self) -> Bools:
        turned = np.ones(self.tps.size, np.bool_)
        for part in blocks(self.tps.size - 2):
            around = slice(part.start, part.stop + 2)
            turned[1:-1][part] = _changes(np.diff(self.tps[around]))
            turned[1:-1][part] |= _changes(np.diff(self.fps[around]))
        return turned

    def finds(self) -> Bools:
        return _changes(np.append(0.0, self.tps))

    def walk(self, kept: Bools | None) -> Iterator[Totals]:
        before = 0
        for part in blocks(self.tps.size):
            columns = [each[part] for each in self]
            if kept is not None:
                places = np.flatnonzero(kept[part])
                columns = [each[places] for each in columns]
            yield Totals(slice(before, before + columns[0].size), *columns)
            before += columns[0].size


def points_of(positive: Bools, score: Array, weight: Floats | None) -> Points:
    """Count or weigh both classes at each distinct score; both are present."""
    if weight is not None:
        return _weigh(positive, score, weight)
    counts = count_by_score(positive, score)
    thresholds = counts.score.astype(score.dtype, copy=False)
    if score.dtype.kind == "f":
        _restore_sign_of_zero(thresholds, score)
    n_pos = int(np.count_nonzero(positive))
    return Counted(thresholds, cast(Ints, counts.pos), cast(Ints, counts.neg), n_pos, score.size - n_pos)


def roc_points(points: Points, *, drop: bool) -> tuple[Floats, Floats, Floats]:
    """False positive rates, true positive rates and thresholds from infinity down.

    ``drop`` leaves out the points that continue the step before them exactly, in both directions.
    """
    kept = points.turns() if drop else None
    fpr, tpr, heights = _rows(3, _how_many(points, kept) + 1)
    fpr[0], tpr[0], heights[0] = 0, 0, math.inf
    for at, thresholds, tps, fps in points.walk(kept):
        np.divide(fps, points.n_neg, out=fpr[1:][at])
        np.divide(tps, points.n_pos, out=tpr[1:][at])
        heights[1:][at] = thresholds
    return fpr, tpr, heights


def precision_recall_points(points: Points, *, drop: bool) -> tuple[Floats, Floats, Array]:
    """Precisions, recalls and thresholds from the lowest up.

    ``drop`` leaves out the points between others with the same number of true positives.
    """
    thresholds, kept = points.thresholds, None
    if drop:
        kept = _finds_or_precedes_one(points)
        kept[0] = True
        thresholds = thresholds[kept]
    precision, recall = _rows(2, thresholds.size + 1)
    precision[-1], recall[-1] = 1, 0
    downwards = slice(-2, None, -1)  # past the last place, which has no threshold
    for at, _, tps, fps in points.walk(kept):
        np.divide(tps, tps + fps, out=precision[downwards][at])
        np.divide(tps, points.n_pos, out=recall[downwards][at])
    return precision, recall, thresholds[::-1]


def det_points(points: Points, *, drop: bool) -> tuple[Floats, Floats, Floats]:
    """False positive rates, false negative rates and thresholds from the lowest up.

    They run from the highest threshold that misses nothing to the lowest without false positives.
    ``drop`` leaves out the points between others with the same number of true positives.
    """
    kept = _finds_or_precedes_one(points) if drop else None
    fpr, fnr, heights = _rows(3, _how_many(points, kept) + 1)
    fpr[-1], fnr[-1], heights[-1] = 0, 1, math.inf
    downwards = slice(-2, None, -1)  # past the last place, where the threshold is infinity
    for at, thresholds, tps, fps in points.walk(kept):
        np.divide(fps, points.n_neg, out=fpr[downwards][at])
        np.divide(points.n_pos - tps, points.n_pos, out=fnr[downwards][at])
        heights[downwards][at] = thresholds
    # Bisection reads a few numbers in place; searchsorted would copy what is not in rising order.
    first = bisect_right(fnr, 0.0) - 1
    stop = bisect_left(fpr, 0.0, key=negated) + 1
    return fpr[first:stop], fnr[first:stop], heights[first:stop]


def roc_area(positive: Bools, score: Array, weight: Floats | None = None) -> float:
    """Area under the ROC curve, exact before its last division if there are no weights."""
    if weight is not None and score.size >= _MANY:
        return weighted_area(positive, score, weight)
    if weight is not None:
        fpr, tpr, _ = roc_points(_weigh(positive, score, weight), drop=True)
        return bounded(trapezoid(fpr, tpr), 1.0)
    return auc_of_arrays(positive, score)


def weighted_area(positive: Bools, score: Array, weight: Floats) -> float:
    """Area from weights without the curve: every positive's weight times that of the negatives below it, ties half.

    Blocks of the sorted scores are summed up while they are in the cache; equal to the trapezoids of the curve up to
    the rounding of sums.
    """
    won = n_pos = n_neg = 0.0
    for _, starts, hits, rest in weighed_blocks(positive, score, weight):
        if starts is not None:
            hits, rest = np.add.reduceat(hits, starts), np.add.reduceat(rest, starts)
        above = np.cumsum(hits)
        reached = float(above[-1])
        if starts is not None:  # else every negative has a score of its own, without a positive
            hits /= 2
            above -= hits
        total = float(rest.sum())
        above *= rest  # a dot product would wake the threads of the linear algebra library for every block
        won += float(above.sum()) + n_pos * total
        n_pos += reached
        n_neg += total
    return bounded(won / (n_pos * n_neg), 1.0)


def partial_roc_area(positive: Bools, score: Array, weight: Floats | None, max_fpr: float) -> float:
    """McClish's standardised area over false positive rates up to ``max_fpr`` < 1."""
    fpr, tpr, _ = roc_points(points_of(positive, score, weight), drop=True)
    stop = int(np.searchsorted(fpr, max_fpr, side="right"))
    edge = np.interp(max_fpr, fpr[stop - 1 : stop + 1], tpr[stop - 1 : stop + 1])
    area = trapezoid(np.append(fpr[:stop], max_fpr), np.append(tpr[:stop], edge))
    chance = 0.5 * max_fpr**2  # the diagonal's area; the best possible is max_fpr itself
    return 0.5 * (1 + (area - chance) / (max_fpr - chance))


def mean_precision(positive: Bools, score: Array, weight: Floats | None = None) -> float:
    """Average precision: the mean of the precision over the positives as they are found."""
    points = points_of(positive, score, weight)
    before, parts = 0.0, []
    for _, _, tps, fps in points.walk(None):
        precision = tps / (tps + fps)
        recall = tps / points.n_pos
        precision *= np.diff(recall, prepend=before)
        parts.append(float(precision.sum()))
        before = recall[-1]
    return max(0.0, math.fsum(parts))


def trapezoid(x: Floats, y: Floats) -> float:
    r"""Area under the line through points whose x never turns back.

    .. math:: 2 A = y_1 (x_2 - x_1) + \sum_{i=2}^{n-1} y_i (x_{i+1} - x_{i-1}) + y_n (x_n - x_{n-1})

    Summed by points instead of by trapezoids, it needs one difference and one dot product.
    """
    onwards = np.greater_equal if x[0] <= x[-1] else np.less_equal
    left, middle, right, height = x[:-2], x[1:-1], x[2:], y[1:-1]
    require(onwards(x[-1], x[-2]))
    doubled = [float(y[0] * (x[1] - x[0])), float(y[-1] * (x[-1] - x[-2]))]
    step = np.empty(min(left.size, _TRAPEZOID_BLOCK))
    for part in blocks(left.size, _TRAPEZOID_BLOCK):
        require(onwards(middle[part], left[part]).all())
        across = np.subtract(right[part], left[part], out=step[: part.stop - part.start])
        # Not np.dot: OpenBLAS would split products of this length over threads, and their rounding would vary.
        doubled.append(float(np.einsum("i,i->", across, height[part])))
    area = sum(doubled) / 2
    require(math.isfinite(area))
    return area if onwards is np.greater_equal else -area


def _weigh(positive: Bools, score: Array, weight: Floats) -> Weighed:
    if not weight.all():
        counted = weight != 0
        positive, score, weight = positive[counted], score[counted], weight[counted]
        require(0 < np.count_nonzero(positive) < positive.size)
    if score.size >= STABLE_FROM:
        return _weigh_many(positive, score, weight)
    order, last = _descending_stable(score)
    weight = weight[order]
    hit = positive[order].astype(np.float64)
    tps = np.cumsum(hit * weight)[last]
    fps = np.cumsum((1 - hit) * weight)[last]
    return Weighed(score[order[last]], tps, fps)


def _weigh_many(positive: Bools, score: Array, weight: Floats) -> Weighed:
    """The same block by block: every sum goes on where that of the block before ended, so each is the same number."""
    thresholds, tps, fps = _rows(3, score.size)
    done, sums = 0, (0.0, 0.0)
    for distinct, starts, *both in weighed_blocks(positive, score, weight):
        ends = ... if starts is None else np.append(starts[1:], both[0].size) - 1
        until = done + distinct.size
        thresholds[done:until] = distinct
        for before, part, total in zip(sums, both, (tps, fps), strict=True):
            part[0] += before
            total[done:until] = np.cumsum(part, out=part)[ends]
        done, sums = until, (float(both[0][-1]), float(both[1][-1]))
    heights = thresholds[:done].astype(score.dtype, copy=False)
    if score.dtype.kind == "f":
        _restore_sign_of_zero(heights, score)
    return Weighed(heights, tps[:done], fps[:done])


def _descending_stable(score: Array) -> tuple[Ints, Ints]:
    """Order of falling scores with ties as given, and the place of the last of each score in it.

    NumPy's stable argsort is several times slower than its default one, which scrambles ties. So scores are sorted by
    the default, and a second sort of the numbers (rank of the score, index), each pair packed into one integer, puts
    the ties back in order.
    """
    order = np.argsort(score)[::-1]
    new = _changes(score[order])
    last = np.append(np.flatnonzero(new), score.size - 1)
    if last.size < score.size:
        bits = score.size.bit_length()
        require(2 * bits <= 63)
        packed = np.zeros(score.size, np.int64)
        np.cumsum(new, out=packed[1:])
        packed <<= bits
        packed |= order
        packed.sort()
        packed &= (1 << bits) - 1
        order = packed
    return order, last


def _restore_sign_of_zero(thresholds: Array, score: Array) -> None:
    """-0.0 and 0.0 are one score; scikit-learn shows it with the sign of the last one given."""
    at = bisect_left(thresholds, 0.0, key=negated)
    if at < thresholds.size and thresholds[at] == 0:
        thresholds[at] = score[np.flatnonzero(score == 0)[-1]]


def _finds_or_precedes_one(points: Points) -> Bools:
    """Thresholds that find a positive, those just before, and the last one."""
    found = points.finds()
    kept = found.copy()
    kept[:-1] |= found[1:]
    kept[-1] = True
    return kept


def _rows(number: int, length: int) -> Floats:
    """Arrays to fill, as rows of one: large blocks of memory come in huge pages, several times faster."""
    return np.empty((number, length))


def _how_many(points: Points, kept: Bools | None) -> int:
    return points.thresholds.size if kept is None else int(np.count_nonzero(kept))


def _changes(values: Array) -> Bools:
    """Where a value differs from the one before it; one shorter than the values."""
    changed: Bools = values[1:] != values[:-1]
    return changed
