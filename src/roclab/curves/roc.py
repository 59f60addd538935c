"""The ROC curve: true positive rate against false positive rate over all thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from roclab._core.checks import check_choice
from roclab._core.polyline import first_reach, value_at
from roclab._core.types import Counts, Floats, frozen
from roclab.curves.points import CurvePoints, Drawable
from roclab.data.columns import score_column
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.names import Walk
from roclab.results import Sample

__all__ = ["RocCurve", "Walk", "curve_from_points", "roc_curve"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RocCurve(Drawable):
    """Vertices from (0, 0) to (1, 1) with the threshold of each.

    A case is called positive when its score reaches the threshold, so the first vertex, where nothing is
    positive, has an infinite threshold; where a score is infinite itself no number lies above it, and the vertex has
    NaN, which no score reaches. ``thresholds`` is None for ready-made operating points.
    Unpacks like scikit-learn's result: ``fpr, tpr, thresholds = curve``.
    """

    fpr: Floats
    tpr: Floats
    thresholds: Floats | None
    ties: Walk = "expected"
    sample: Sample | None = None

    def __post_init__(self) -> None:
        for array in (self.fpr, self.tpr, self.thresholds):
            if array is not None:
                frozen(array)

    def __iter__(self) -> Iterator[Any]:
        return iter((self.fpr, self.tpr, self.thresholds))

    def __len__(self) -> int:
        return int(self.fpr.size)

    def at(self, x: Any) -> Floats:
        """True positive rate at each false positive rate: linear, the upper value at a vertical step."""
        return value_at(self.fpr, self.tpr, rates(x, "fpr"))

    def fpr_at(self, tpr: Any) -> Floats:
        """The smallest false positive rate at which each true positive rate is reached."""
        return first_reach(self.fpr, self.tpr, rates(tpr, "tpr"))

    def points(self) -> CurvePoints:
        """All vertices."""
        return CurvePoints(x=self.fpr, y=self.tpr, thresholds=self.thresholds, x_name="fpr", y_name="tpr")

    def staircase(self) -> CurvePoints:
        """The curve as steps for drawing: each tie group that mixes classes stays a diagonal.

        A ROC curve without mixed ties is a staircase already; corners are added only where a segment that is
        neither level nor upright does not come from ties, which happens for ready-made points.
        """
        if self.thresholds is not None:
            return self.points()
        fpr = np.repeat(self.fpr, 2)[1:]
        tpr = np.repeat(self.tpr, 2)[:-1]
        return CurvePoints(x=fpr, y=tpr, thresholds=None, x_name="fpr", y_name="tpr")

    def mirrored(self) -> RocCurve:
        """The curve mirrored about tpr = 1 - fpr; it keeps the area."""
        return RocCurve(fpr=1 - self.tpr[::-1], tpr=1 - self.fpr[::-1], thresholds=None, ties=self.ties)


def rates(values: Any, name: str) -> Floats:
    """One or many rates in [0, 1] as an array."""
    array = np.atleast_1d(np.asarray(values, dtype=np.float64))
    if not np.all((array >= 0) & (array <= 1)):
        bad = array[~((array >= 0) & (array <= 1))][0]
        raise InputError(name, "must lie between 0 and 1", Words(f"{bad:g}"), "rates are fractions, write 0.1 for 10%")
    return array


def roc_curve(tally: Tally, *, ties: Walk = "expected", drop_collinear: bool = False) -> RocCurve:
    r"""The empirical ROC curve of a tally, O(n).

    Vertices are :math:`(\#\{y \ge t\}/N, \#\{x \ge t\}/P)` for t = +inf and every distinct score, descending,
    with x the scores of the P positives and y those of the N negatives [1]_.

    Parameters
    ----------
    tally : Tally
    ties : "expected", "optimistic" or "pessimistic"
        How to cross a group of tied scores that holds both classes: straight (one diagonal segment, the
        default), up before right, or right before up. The corner of a walk has the group's threshold.
    drop_collinear : bool
        Leave out vertices on the straight line between their neighbours; the curve stays the same. Exact:
        decided on counts, not on rates.

    References
    ----------
    .. [1] Fawcett T. An introduction to ROC analysis. Pattern Recognition Letters 2006;27:861-874,
       algorithms 1 and 2. doi:10.1016/j.patrec.2005.10.010

    Examples
    --------
    >>> tally = Tally.from_samples(np.array([3.0, 2.0]), np.array([2.0, 1.0]))
    >>> curve = roc_curve(tally)
    >>> curve.fpr.tolist(), curve.tpr.tolist(), curve.thresholds.tolist()
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 1.0, 1.0], [inf, 3.0, 2.0, 1.0])
    """
    check_choice(ties, "ties", ("expected", "optimistic", "pessimistic"))
    up, right, score = tally.pos, tally.neg, tally.score
    if ties != "expected":
        up, right, score = _walk_ties(up, right, score, up_first=ties == "optimistic")
    if drop_collinear:
        up, right, score = _join_collinear(up, right, score)
    return RocCurve(
        fpr=_cumulated(right, tally.n_neg),
        tpr=_cumulated(up, tally.n_pos),
        thresholds=tally.shown(np.concatenate([[above_all(score)], score])),
        ties=ties,
        sample=tally.sample,
    )


def drop_intermediate(curve: RocCurve, tally: Tally) -> RocCurve:
    """The curve without vertices between two equal steps, as scikit-learn's ``roc_curve`` returns it.

    Fewer than all that lie on straight stretches: steps of the same slope and other lengths keep their vertex.

    >>> tally = Tally.from_samples(np.array([9.0, 8.0, 7.0, 6.0]), np.array([5.0]))
    >>> drop_intermediate(roc_curve(tally), tally).thresholds.tolist()
    [inf, 9.0, 6.0, 5.0]
    """
    if curve.thresholds is None or tally.pos.size <= 2:
        return curve
    turns = (np.diff(tally.pos) != 0) | (np.diff(tally.neg) != 0)
    kept = np.concatenate([[True, True], turns[1:], [True]])
    return replace(curve, fpr=curve.fpr[kept], tpr=curve.tpr[kept], thresholds=curve.thresholds[kept])


def above_all(scores: Floats) -> float:
    """The threshold that calls nothing positive, for descending scores: +inf, or NaN where a score is +inf."""
    return float("nan") if scores[0] == np.inf else float("inf")


def _cumulated(steps: Counts, total: float) -> Floats:
    """Running share of the total, starting at 0 and ending at exactly 1."""
    out = np.empty(steps.size + 1)
    out[0] = 0.0
    np.cumsum(steps, out=out[1:])  # whole numbers in float64: exact up to 2**53 cases
    out /= out[-1] if steps.dtype.kind == "f" else total
    return out


def _walk_ties(up: Counts, right: Counts, score: Floats, *, up_first: bool) -> tuple[Counts, Counts, Floats]:
    mixed = (up > 0) & (right > 0)
    twice = np.where(mixed, 2, 1)
    first = np.cumsum(twice) - twice  # where each group starts among the new steps
    corner = first[mixed]
    ups, rights = np.repeat(up, twice), np.repeat(right, twice)
    if up_first:
        rights[corner] = 0
        ups[corner + 1] = 0
    else:
        ups[corner] = 0
        rights[corner + 1] = 0
    return ups, rights, np.repeat(score, twice)


def _join_collinear(up: Counts, right: Counts, score: Floats) -> tuple[Counts, Counts, Floats]:
    """Join neighbouring steps of the same direction; each joined step keeps its last threshold."""
    turns = up[:-1] * right[1:] != up[1:] * right[:-1]
    last = np.append(np.flatnonzero(turns), up.size - 1)

    def joined(steps: Counts) -> Counts:
        return np.diff(np.cumsum(steps)[last], prepend=0)

    return joined(up), joined(right), score[last]


def curve_from_points(fpr: Any, tpr: Any) -> RocCurve:
    """A curve through ready-made operating points, one or many; (0, 0) and (1, 1) are added, O(n log n).

    Points are sorted by false positive rate, then by true positive rate. A set of points of discrete
    classifiers need not rise everywhere; their convex hull always does.

    >>> curve = curve_from_points([0.4, 0.2], [0.6, 0.2])
    >>> curve.fpr.tolist(), curve.tpr.tolist()
    ([0.0, 0.2, 0.4, 1.0], [0.0, 0.2, 0.6, 1.0])
    """
    columns = []
    for values, name in ((fpr, "fpr"), (tpr, "tpr")):
        column = score_column(values if np.ndim(values) else [values], name)
        if column.missing is not None:
            raise InputError(name, "must not be missing", Words(f"{int(column.missing.sum())} missing rates"))
        columns.append(rates(column.values, name))
    x, y = columns
    if x.size != y.size:
        raise InputError(
            "", "fpr and tpr must have the same length", Words(f"{x.size} and {y.size}"), "give one pair per point"
        )
    if x.size == 0:
        raise InputError("fpr", "must hold at least one operating point", Words("none"))
    corners = np.array([[0.0, 0.0], [1.0, 1.0]])
    points = np.unique(np.vstack([np.column_stack([x, y]), corners]), axis=0)
    return RocCurve(fpr=points[:, 0].copy(), tpr=points[:, 1].copy(), thresholds=None)
