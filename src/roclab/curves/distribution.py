"""How the scores of both classes are spread: a histogram over common bins, and the usual summaries."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from roclab._core.checks import check_points
from roclab._core.types import Counts, Floats, frozen
from roclab._core.undefined import Undefined
from roclab.data.tally import Tally
from roclab.results import Result, Sample

__all__ = ["ClassSummary", "Distribution", "score_distribution"]

_LARGEST = sys.float_info.max
_FEWEST, _MOST = 10, 60  # bins: fewer hide the shape, more show noise
_RATINGS = 20  # up to so many distinct scores each gets a bin of its own
_SKEWED = 10  # positive scores whose largest is so many times their upper quartile are spread over orders of magnitude


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSummary:
    """One class in seven numbers. Quartiles lie between scores where they must; with weights they are scores."""

    name: str
    count: float
    mean: float
    deviation: float
    smallest: float
    quartiles: tuple[float, float, float]
    largest: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Distribution(Result):
    """Counts of both classes in common bins: ``edges[i] <= score < edges[i + 1]``, the last bin closed."""

    edges: Floats
    pos: Counts
    neg: Counts
    classes: tuple[ClassSummary, ClassSummary]  # the positives first
    sample: Sample
    logarithmic: bool = False  # bins of equal ratio, to be drawn on a logarithmic axis
    outside: float = 0.0  # infinite scores, which no bin holds

    def __post_init__(self) -> None:
        for array in (self.edges, self.pos, self.neg):
            frozen(array)

    def rows(self) -> list[dict[str, Any]]:
        """One row per class."""
        return [
            {
                "score": self.sample.score or "score",
                "class": label.name,
                "cases": label.count,
                "mean": label.mean,
                "std. deviation": label.deviation,
                "smallest": label.smallest,
                "lower quartile": label.quartiles[0],
                "median": label.quartiles[1],
                "upper quartile": label.quartiles[2],
                "largest": label.largest,
            }
            for label in self.classes
        ]


def score_distribution(tally: Tally, *, bins: int | None = None, ratios: bool = True) -> Distribution:
    r"""Histogram and summaries of both classes in the user's own units, O(n) from the tally.

    Without ``bins`` the width follows Freedman and Diaconis, :math:`2\,IQR\,n^{-1/3}` of all scores together, kept
    between 10 and 60 bins; up to 20 distinct scores get a bin each. Positive scores whose largest exceeds ten times
    their upper quartile get bins of equal ratio, by the same rule on their logarithms; without ``ratios``, as a linear
    axis needs them, bins of equal width.

    >>> tally = Tally.from_samples(np.array([3.0, 2.0, 2.0]), np.array([2.0, 1.0]))
    >>> shape = score_distribution(tally)
    >>> shape.edges.tolist(), shape.pos.tolist(), shape.neg.tolist()
    ([0.5, 1.5, 2.5, 3.5], [0, 2, 1], [1, 1, 0])
    """
    ascending = slice(None, None, -1) if tally.sample.direction == "higher" else slice(None)
    score = tally.shown(tally.score)[ascending]
    pos, neg = tally.pos[ascending], tally.neg[ascending]
    finite = np.isfinite(score)
    inside = score[finite]
    both = (pos + neg)[finite]
    logarithmic = ratios and _is_skewed(inside, both)
    edges = np.exp(_edges(np.log(inside), both, bins)) if logarithmic else _edges(inside, both, bins)
    at = np.clip(np.searchsorted(edges, inside, side="right") - 1, 0, edges.size - 2)
    count = [np.bincount(at, weights=one[finite], minlength=edges.size - 1) for one in (pos, neg)]
    if not tally.weighted:
        count = [one.astype(np.int64) for one in count]
    return Distribution(
        edges=edges,
        pos=count[0],
        neg=count[1],
        classes=(_summary(tally.sample.positive, score, pos), _summary(tally.sample.negative, score, neg)),
        sample=tally.sample,
        logarithmic=logarithmic,
        outside=float((pos + neg)[~finite].sum()),
    )


def _is_skewed(score: Floats, count: Counts) -> bool:
    if score.size <= _RATINGS or score[0] <= 0:
        return False
    return bool(score[-1] > _SKEWED * _quantile(score, count, 0.75))


def _edges(score: Floats, count: Counts, bins: int | None) -> Floats:
    if score.size == 0:
        return np.array([0.0, 1.0])
    low, high = float(score[0]), float(score[-1])
    if not math.isfinite(high - low):
        return np.array([low, high])  # the range of all floats: one bin
    if score.size == 1:
        half = 0.5 if low == 0 else abs(low) / 2
        return np.array([low - half, low + half])
    if bins is None and score.size <= _RATINGS:
        middle = score[:-1] + (score[1:] - score[:-1]) / 2  # a sum of two might be beyond the largest number
        first, last = low - (float(middle[0]) - low), high + (high - float(middle[-1]))
        return np.concatenate([[max(first, -_LARGEST)], middle, [min(last, _LARGEST)]])
    if bins is None:
        lower, upper = (_quantile(score, count, share) for share in (0.25, 0.75))
        width = 2 * (upper - lower) * float(count.sum()) ** (-1 / 3)
        bins = _FEWEST if width <= 0 else int(np.clip(math.ceil((high - low) / width), _FEWEST, _MOST))
    check_points(bins, "bins", least=1, way_out="leave it out for a width that follows the data")
    return np.linspace(low, high, bins + 1)


def _quantile(score: Floats, count: Counts, share: float) -> float:
    reached = np.cumsum(count)
    return float(score[min(int(np.searchsorted(reached, share * reached[-1])), score.size - 1)])


def _between(score: Floats, count: Counts, share: float) -> float:
    """The usual quantile of whole cases, interpolated between the two around position (n - 1) share."""
    reached = np.cumsum(count)
    position = (int(reached[-1]) - 1) * share
    low = math.floor(position)
    first, second = (float(score[np.searchsorted(reached, at, side="right")]) for at in (low, math.ceil(position)))
    share = position - low
    if math.isinf(second - first):  # beyond the largest number, though what lies between is not
        return (1 - share) * first + share * second
    return first if first == second else first + share * (second - first)


def _summary(name: str, score: Floats, count: Counts) -> ClassSummary:
    there = count > 0
    score, count = score[there], count[there]
    total = float(count.sum())
    if np.isfinite(score).all():
        mean = float(np.sum(score * (count / total)))
        deviation: float = Undefined("a class has only one case, so its spread cannot be seen")
        if total > 1:
            unit = float(np.max(np.abs(score))) or 1.0  # squares of very large scores would overflow
            # Halves, because the difference of two scores may be beyond all numbers; halving rounds nothing.
            square = float(np.sum(((score / 2 - mean / 2) / (unit / 2)) ** 2 * (count / total)))
            deviation = unit * math.sqrt(square * total / (total - 1))
            if math.isinf(deviation):
                deviation = Undefined("the scores differ by more than the largest number")
    else:
        mean = deviation = Undefined("some scores are infinite")
    if count.dtype.kind == "f":
        quartiles = tuple(_quantile(score, count, share) for share in (0.25, 0.5, 0.75))
    else:
        quartiles = tuple(_between(score, count, share) for share in (0.25, 0.5, 0.75))
    return ClassSummary(
        name=name,
        count=int(total) if total.is_integer() else total,
        mean=mean,
        deviation=deviation,
        smallest=float(score[0]),
        quartiles=(quartiles[0], quartiles[1], quartiles[2]),
        largest=float(score[-1]),
    )
