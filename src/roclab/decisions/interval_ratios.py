"""Interval likelihood ratios: what a score between two cuts says, where one cut-off would throw that away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from roclab._core.checks import check_level, check_points
from roclab._core.types import Floats
from roclab._core.undefined import Undefined
from roclab.data.subjects import Subjects
from roclab.data.tally import Tally, subjects_at_hand
from roclab.decisions.confusion import confusion_of_calls
from roclab.decisions.intervals import interval_of_metric
from roclab.errors import InputError, Words
from roclab.inference.one_curve.ratios import likelihood_ratio_interval
from roclab.results import Interval, Sample
from roclab.results.pictured import Pictured

__all__ = ["IntervalRatio", "IntervalRatios", "interval_ratios"]

_RATINGS = 8  # up to so many distinct scores each is an interval of its own


class IntervalRatio(NamedTuple):
    """Scores from ``low`` up to but without ``high``, and how much likelier they are among the positives."""

    low: float
    high: float
    positives: float
    negatives: float
    ratio: float
    interval: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalRatios(Pictured):
    """Likelihood ratios of neighbouring intervals that hold all scores.

    The ratio of an interval is the slope of the ROC curve between the points of its two cuts.
    """

    ratios: tuple[IntervalRatio, ...]
    level: float
    sample: Sample

    def rows(self) -> list[dict[str, Any]]:
        """One row per interval."""
        percent = f"{100 * self.level:g}%"
        return [
            {
                "from": ratio.low,
                "to below": ratio.high,
                "positive": ratio.positives,
                "negative": ratio.negatives,
                "likelihood ratio": ratio.ratio,
                f"{percent} low": ratio.interval.low,
                f"{percent} high": ratio.interval.high,
            }
            for ratio in self.ratios
        ]


def interval_ratios(
    tally: Tally, *, cuts: Sequence[float] | None = None, bins: int | None = None, level: float = 0.95
) -> IntervalRatios:
    r"""Likelihood ratios of score intervals, :math:`\frac{P(a \le s < b \mid +)}{P(a \le s < b \mid -)}`, O(n) [1]_.

    Parameters
    ----------
    tally : Tally
    cuts : sequence of float, optional
        Where one interval ends and the next starts; the first and last intervals are open.
    bins : int, optional
        Without cuts: so many intervals with about as many cases each (default 5); a score of up to 8 distinct values
        has an interval for each.

    Notes
    -----
    An interval without negatives has an infinite ratio, one without any case an undefined one. Intervals are
    Koopman's score intervals.

    References
    ----------
    .. [1] Peirce JC, Cornell RG. Integrating stratum-specific likelihood ratios with the analysis of ROC curves.
       Medical Decision Making 1993;13:141-151. doi:10.1177/0272989X9301300208

    Examples
    --------
    >>> tally = Tally.from_samples(np.array([3.0, 3.0, 2.0]), np.array([1.0, 1.0, 2.0]))
    >>> [(one.low, float(one.ratio)) for one in interval_ratios(tally).ratios]
    [(-inf, 0.0), (2.0, 1.0), (3.0, inf)]
    """
    check_level(level)
    subjects = subjects_at_hand(tally)
    up = tally.shown(tally.score)
    order = np.argsort(up)
    score, pos, neg = up[order], tally.pos[order], tally.neg[order]
    inner = _cuts(score, pos + neg, cuts, bins)
    at = np.searchsorted(inner, score, side="right")
    counts = [np.bincount(at, weights=side, minlength=inner.size + 1) for side in (pos, neg)]
    ends = [-np.inf, *inner.tolist(), np.inf]
    n_pos, n_neg = float(tally.n_pos), float(tally.n_neg)
    found = []
    for number, (a, b) in enumerate(zip(*counts, strict=True)):
        ratio: float = Undefined("the interval holds no case")
        if a or b:
            ratio = float("inf") if b == 0 else (a / n_pos) / (b / n_neg)
        if subjects is None:
            limits = likelihood_ratio_interval(float(a), n_pos, float(b), n_neg, level=level)
        else:
            limits = _of_subjects(tally, subjects, (ends[number], ends[number + 1]), level)
        found.append(IntervalRatio(ends[number], ends[number + 1], _whole(a), _whole(b), ratio, limits))
    return IntervalRatios(ratios=tuple(found), level=level, sample=tally.sample)


def _of_subjects(tally: Tally, subjects: Subjects, ends: tuple[float, float], level: float) -> Interval:
    """The interval of the ratio of "the score lies between these ends", as of a test that is then positive."""
    shown = tally.shown(subjects.score)
    inside = (shown >= ends[0]) & (shown < ends[1]) | (np.isinf(ends[1]) & (shown == np.inf))
    matrix = confusion_of_calls(subjects.label, inside, weight=subjects.weight, ids=subjects.names[subjects.number])
    return interval_of_metric(matrix, "lr_plus", level=level)


def _whole(count: float) -> float:
    return int(count) if float(count).is_integer() else float(count)


def _cuts(score: Floats, count: Any, cuts: Sequence[float] | None, bins: int | None) -> Floats:
    if cuts is not None and len(cuts):
        if bins is not None:
            raise InputError("bins", "and cuts are two ways to say the same", Words("both"), "leave one out")
        found = np.asarray(cuts, dtype=np.float64)
        if not np.all(np.isfinite(found)) or np.any(np.diff(found) <= 0):
            raise InputError("cuts", "must be finite and rise", Words(f"{list(cuts)}"), "sort them")
        return found
    if bins is None and score.size <= _RATINGS:
        return score[1:]
    wanted = check_points(bins or 5, "bins", least=2, way_out="5 are usual")
    reached = np.cumsum(count)
    first = np.searchsorted(reached, reached[-1] * np.arange(1, wanted) / wanted, side="right")
    return np.unique(score[np.clip(first, 1, score.size - 1)]) if score.size > 1 else score[:0]
