r"""FROC and AFROC curves, the competition performance metric, and their uncertainty from scan to scan.

At every threshold the sensitivity is the share of lesions whose highest mark reaches it, and the other axis is the
number of false positives per scan (FROC), or the share of scans with at least one (AFROC). The competition performance
metric is the mean sensitivity at 1/8, 1/4, 1/2, 1, 2, 4 and 8 false positives per scan.

Marks of one scan are not independent, so the bootstrap draws whole scans.

References
----------
Chakraborty DP, Winter LH. Free-response methodology. Radiology 1990;174:873-881. doi:10.1148/radiology.174.3.2305073
Niemeijer M et al. On combining computer-aided detection systems. IEEE Trans Med Imaging 2011;30:215-223.
doi:10.1109/TMI.2010.2072789
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from roclab._core.types import Floats, Ints, frozen
from roclab.areas.free_response import area_of_marks, marked_cases
from roclab.imaging.free_response.matching import Matched
from roclab.names import FrocFigure

__all__ = [
    "RATES",
    "AfrocCurve",
    "Events",
    "FrocCurve",
    "afroc_area",
    "afroc_curve",
    "events_of",
    "froc_curve",
    "sensitivity_at",
]

RATES = (0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)  # false positives per scan


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FrocCurve:
    """Sensitivity against false positives per scan, by falling threshold; the first point is (0, 0)."""

    rate: Floats
    sensitivity: Floats
    thresholds: Floats

    def __post_init__(self) -> None:
        for one in (self.rate, self.sensitivity, self.thresholds):
            frozen(one)

    def at(self, rate: Floats) -> Floats:
        """Sensitivity at false positive rates, straight between vertices and level beyond the last, as LUNA16 does."""
        return np.interp(rate, self.rate, self.sensitivity)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AfrocCurve:
    """Sensitivity against the share of scans without lesions that have a false positive, by falling threshold."""

    share: Floats
    sensitivity: Floats
    thresholds: Floats

    def __post_init__(self) -> None:
        for one in (self.share, self.sensitivity, self.thresholds):
            frozen(one)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Events:
    """Hits and false positives of all scans, the highest score first: what curves and replicates are counted from."""

    scan: Ints
    is_hit: Floats  # 1 for a lesion that was marked, 0 for a false positive
    last: Ints  # where each distinct score ends
    scores: Floats  # the distinct scores
    lesions: Ints  # lesions of every scan
    scans: int

    def __post_init__(self) -> None:
        for one in (self.scan, self.is_hit, self.last, self.scores, self.lesions):
            frozen(one)


def events_of(matched: Matched) -> Events:
    """One sort; O(n log n)."""
    marked = np.isfinite(matched.lesion_score)
    score = np.concatenate([matched.lesion_score[marked], matched.false_score])
    scan = np.concatenate([matched.lesion_scan[marked], matched.false_scan])
    hit = np.concatenate([np.ones(int(marked.sum())), np.zeros(matched.false_score.size)])
    order = np.argsort(-score, kind="stable")
    ordered = score[order]
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) if ordered.size else np.empty(0, np.int64)
    return Events(
        scan=scan[order],
        is_hit=hit[order],
        last=last,
        scores=ordered[last],
        lesions=np.bincount(matched.lesion_scan, minlength=len(matched.scans)),
        scans=len(matched.scans),
    )


def froc_curve(events: Events, weight: Floats | None = None) -> FrocCurve:
    """The curve; with weights, that of a sample which holds every scan so often. O(n)."""
    times = np.ones(events.scans) if weight is None else weight
    each = times[events.scan]
    hits = np.cumsum(each * events.is_hit)[events.last]
    false = np.cumsum(each * (1 - events.is_hit))[events.last]
    lesions = float(np.sum(times * events.lesions))
    total = float(times.sum())
    return FrocCurve(
        rate=np.concatenate([[0.0], false / total]),
        sensitivity=np.concatenate([[0.0], hits / lesions if lesions else np.full(hits.size, np.nan)]),
        thresholds=np.concatenate([[np.inf], events.scores]),
    )


def sensitivity_at(events: Events, rates: Floats, weight: Floats | None = None) -> Floats:
    """Sensitivities at the given false positives per scan."""
    return froc_curve(events, weight).at(rates)


def afroc_area(matched: Matched, weight: Floats | None = None, *, figure: FrocFigure = "AFROC") -> float:
    r"""How often a lesion outscores the highest false positive of a scan: a figure of merit of free-response data.

    ========  ==============================  ==========================================
    figure    rivals of every lesion          lesions count
    ========  ==============================  ==========================================
    AFROC     scans without lesions           each the same
    AFROC1    all scans                       each the same
    wAFROC    scans without lesions           1 / (lesions of its scan): each scan the same
    wAFROC1   all scans                       likewise
    ========  ==============================  ==========================================

    A scan or lesion without a mark has the lowest score; ties count one half. NaN where there are no rivals: where
    every scan has a lesion, only the figures with a 1 exist. AFROC is the figure of merit of JAFROC and the area under
    :func:`afroc_curve`; the weighted ones keep a scan with many lesions from deciding. O(n log n).

    References
    ----------
    Chakraborty DP. Observer performance methods for diagnostic imaging. CRC Press 2017, chapters 13 and 14.
    """
    highest = np.full(len(matched.scans), -np.inf)
    np.maximum.at(highest, matched.false_scan, matched.false_score)
    marked = marked_cases(figure, lesion_case=matched.lesion_scan, lesion_score=matched.lesion_score, rival=highest)
    return area_of_marks(marked, weight)


def afroc_curve(matched: Matched) -> AfrocCurve | None:
    """The AFROC curve, from (0, 0) to (1, 1); None where every scan has a lesion. O(n log n).

    The last point stands for a threshold below every mark, which calls what was never marked too. The area under its
    straight lines is :func:`afroc_area`.
    """
    normal = np.bincount(matched.lesion_scan, minlength=len(matched.scans)) == 0
    if not normal.any() or matched.lesion_score.size == 0:
        return None
    highest = np.full(len(matched.scans), -np.inf)
    np.maximum.at(highest, matched.false_scan, matched.false_score)
    marked = np.concatenate([matched.lesion_score, highest[normal]])
    cuts = np.unique(marked[np.isfinite(marked)])[::-1]

    def reaching(scores: Floats) -> Floats:
        ordered = np.sort(scores)
        share: Floats = 1 - np.searchsorted(ordered, cuts, side="left") / scores.size
        return np.concatenate([[0.0], share, [1.0]])

    return AfrocCurve(
        share=reaching(highest[normal]),
        sensitivity=reaching(matched.lesion_score),
        thresholds=np.concatenate([[np.inf], cuts, [-np.inf]]),
    )
