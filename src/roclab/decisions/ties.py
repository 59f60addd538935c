"""Performance ties: scores with the same AUC, and how tAUC and the partial area tell them apart.

The AUC of a curve and of its mirror image about tpr = 1 - fpr is the same, although one rises early and the other late.
tAUC, which rewards rising early, and the area of the part that matters decide between them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

import numpy as np

from roclab._core.checks import check_level, check_range
from roclab._core.polyline import SAME, value_at
from roclab._core.text import text_table
from roclab._core.undefined import Undefined
from roclab.areas.empirical import auc
from roclab.areas.partial import partial_area
from roclab.areas.tauc import t2auc, tauc
from roclab.curves.roc import RocCurve, roc_curve
from roclab.data.cases import Cases
from roclab.data.tally import Tally
from roclab.errors import InputError, Words
from roclab.inference.comparison.clustered import covariance_of_clusters
from roclab.inference.comparison.contrasts import contrast_of
from roclab.inference.comparison.covariance import AreaCovariance, covariance_of_cases, covariance_of_tallies
from roclab.inference.comparison.mirrored import covariance_with_mirror
from roclab.inference.one_area.area import Area, area_of_method, area_of_region
from roclab.results import Interval, Result

__all__ = ["PerformanceTie", "RankedScore", "TieAnalysis", "are_mirrored", "performance_ties", "same_curve"]

TieKind = Literal["identical curves", "mirrored curves", "equal AUC", "AUC within its interval"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedScore:
    """One score: its areas and its rank by each; equal areas share the better rank."""

    score: str
    auc: float
    auc_rank: int
    tauc: float
    tauc_rank: int
    partial: float
    partial_rank: int
    t2auc: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PerformanceTie:
    """Two scores that the AUC cannot tell apart, and what other areas say."""

    first: str
    second: str
    kind: TieKind
    difference: float  # of the AUCs, first minus second
    interval: Interval
    by_tauc: str | None  # who has the larger tAUC; None when it is equal too
    by_partial: str | None
    tauc_interval: Interval  # of the difference of the tAUCs, first minus second
    partial_interval: Interval

    def reasons(self) -> list[str]:
        """Why an area has no interval, where it has none."""
        named = {"AUC": self.interval, "tAUC": self.tauc_interval, "pAUC": self.partial_interval}
        return [
            f"{self.first} - {self.second}, {name}: no interval, {one.low.reason}"
            for name, one in named.items()
            if isinstance(one.low, Undefined)
        ]

    def verdict(self, winner: str | None, interval: Interval) -> str:
        """Who wins by another area, and whether these cases can tell."""
        if winner is None:
            return "still tied"
        if math.isnan(interval.low) or 0.0 in interval:
            return f"{winner}?"
        return winner


@dataclass(frozen=True, slots=True, kw_only=True)
class TieAnalysis(Result):
    """All scores ranked by AUC, tAUC and partial area, and every pair that the AUC ties."""

    ranking: tuple[RankedScore, ...]  # by AUC
    ties: tuple[PerformanceTie, ...]
    fpr: tuple[float, float]  # range of the partial area
    tolerance: float
    level: float
    paired: bool
    notes: tuple[str, ...] = ()

    @property
    def changed(self) -> tuple[str, ...]:
        """Scores whose rank by tAUC differs from that by AUC."""
        return tuple(one.score for one in self.ranking if one.auc_rank != one.tauc_rank)

    def rows(self) -> list[dict[str, Any]]:
        """One row per score, the best AUC first."""
        region = f"pAUC {self.fpr[0]:g}-{self.fpr[1]:g}"
        return [
            {
                "score": one.score,
                "AUC": one.auc,
                "rank": one.auc_rank,
                "tAUC": one.tauc,
                "tAUC rank": one.tauc_rank,
                region: one.partial,
                "pAUC rank": one.partial_rank,
                "t²AUC": one.t2auc,
            }
            for one in self.ranking
        ]

    def tie_rows(self) -> list[dict[str, Any]]:
        """One row per tied pair."""
        percent = f"{100 * self.level:g}%"
        return [
            {
                "first": tie.first,
                "second": tie.second,
                "tie": tie.kind,
                "AUC difference": tie.difference,
                f"{percent} low": tie.interval.low,
                f"{percent} high": tie.interval.high,
                "by tAUC": tie.verdict(tie.by_tauc, tie.tauc_interval),
                "by pAUC": tie.verdict(tie.by_partial, tie.partial_interval),
            }
            for tie in self.ties
        ]

    def __str__(self) -> str:
        parts = [text_table(self.rows()), ""]
        parts.append(text_table(self.tie_rows()) if self.ties else "no two scores are tied by the AUC")
        how = "same cases" if self.paired else "independent samples"
        parts += ["", f"differences: DeLong, {how}; a question mark: the data leave that winner open"]
        parts += [line for tie in self.ties for line in tie.reasons()]
        parts += [f"ranked otherwise by tAUC: {', '.join(self.changed)}"] if self.changed else []
        return "\n".join([*parts, *self.notes])


def performance_ties(
    scores: Cases | Mapping[str, Tally],
    *,
    tolerance: float = 1e-9,
    level: float = 0.95,
    fpr: tuple[float, float] = (0.0, 0.1),
    with_mirror: bool = False,
) -> TieAnalysis:
    r"""Rank scores by AUC, tAUC and partial area, and find the pairs that the AUC ties [1]_.

    A pair is tied when its curves are the same, mirror images about tpr = 1 - fpr, have AUCs within ``tolerance``, or
    have a difference of AUCs whose DeLong interval holds 0. The larger tAUC, and separately the larger partial area,
    decides.

    Parameters
    ----------
    scores : Cases or mapping of names to tallies
        Scores of the same cases are compared as paired; tallies as independent samples.
    tolerance : float
        AUCs that differ by no more are equal.
    level : float
        Level of the DeLong interval of a difference.
    fpr : pair
        Range of false positive rates of the partial area.
    with_mirror : bool
        The two scores are one and its mirror image: differences are paired, because both count the same cases
        (``inference/comparison/mirrored.py``). Subjects with several cases have no such variance.

    Notes
    -----
    O(n log n) a score and O(n) a pair. The mirror image of a score is the reversed score with classes swapped; its
    tAUC is in general another, so that a tie of the AUC is a property of the AUC, not of the scores.

    References
    ----------
    .. [1] Marafini 2006, thesis (in Italian), section 3.4.4.3.

    Examples
    --------
    >>> early = Tally.from_samples(np.array([6.0, 5.0, 1.5]), np.array([4.0, 3.0, 1.0]))
    >>> found = performance_ties({"early": early, "late": early.mirrored()})
    >>> tie = found.ties[0]
    >>> tie.kind, tie.by_tauc, [round(one.tauc, 4) for one in found.ranking]
    ('mirrored curves', 'early', [0.3519, 0.3148])
    """
    if not 0 <= tolerance < 1:
        raise InputError("tolerance", "must lie between 0 and 1", tolerance, "write 1e-9 for equality up to rounding")
    check_level(level)
    low, high = check_range(fpr, "fpr")
    tallies = {name: scores.tally(name) for name in scores.names} if isinstance(scores, Cases) else dict(scores)
    if with_mirror:
        name, tally = next(iter(tallies.items()))
        tallies = {name: tally, "mirror image": tally.mirrored()}
    if len(tallies) < 2:
        raise InputError(
            "", "ties need at least two scores", Words(f"{len(tallies)}"), "name another score to compare with"
        )
    curves = {name: roc_curve(tally) for name, tally in tallies.items()}
    areas = {name: auc(tally) for name, tally in tallies.items()}
    early = {name: tauc(curve) for name, curve in curves.items()}
    part = {name: partial_area(curve, fpr=(low, high)).area for name, curve in curves.items()}
    ranks = [_ranks(values, tolerance) for values in (areas, early, part)]
    ranking = [
        RankedScore(
            score=name,
            auc=areas[name],
            auc_rank=ranks[0][name],
            tauc=early[name],
            tauc_rank=ranks[1][name],
            partial=part[name],
            partial_rank=ranks[2][name],
            t2auc=t2auc(curves[name]),
        )
        for name in tallies
    ]
    ranking.sort(key=lambda one: (one.auc_rank, one.tauc_rank))
    cases = scores if isinstance(scores, Cases) else None
    kinds = (area_of_method("empirical"), area_of_method("tauc"), area_of_region(fpr=(low, high)))
    of = _with_mirror if with_mirror else _covariance
    spread, early_spread, part_spread = (of(cases, tallies, kind) for kind in kinds)
    ties = []
    for i, j in combinations(range(len(tallies)), 2):
        first, second = list(tallies)[i], list(tallies)[j]
        gap = areas[first] - areas[second]
        interval = _interval(spread, i, j, level)
        kind = _kind(curves[first], curves[second], gap, interval, tolerance)
        if kind is not None:
            ties.append(
                PerformanceTie(
                    first=first,
                    second=second,
                    kind=kind,
                    difference=gap,
                    interval=interval,
                    by_tauc=_winner(early, first, second, tolerance),
                    by_partial=_winner(part, first, second, tolerance),
                    tauc_interval=_interval(early_spread, i, j, level),
                    partial_interval=_interval(part_spread, i, j, level),
                )
            )
    order = ("identical curves", "mirrored curves", "equal AUC", "AUC within its interval")
    ties.sort(key=lambda one: order.index(one.kind))
    return TieAnalysis(
        ranking=tuple(ranking),
        ties=tuple(ties),
        fpr=(low, high),
        tolerance=tolerance,
        level=level,
        paired=cases is not None,
    )


def same_curve(one: RocCurve, other: RocCurve, *, tolerance: float = SAME) -> bool:
    """True when two broken lines are the same, whatever vertices they list; O(n log n).

    >>> from roclab.curves.roc import curve_from_points
    >>> same_curve(curve_from_points([0.25, 0.5], [0.5, 1.0]), curve_from_points([0.5], [1.0]))
    True
    """
    return _follows(one, other, tolerance) and _follows(other, one, tolerance)


def are_mirrored(one: RocCurve, other: RocCurve, *, tolerance: float = SAME) -> bool:
    """True when a curve is the mirror image of the other about tpr = 1 - fpr.

    >>> from roclab.curves.roc import curve_from_points
    >>> are_mirrored(curve_from_points([0.0], [0.4]), curve_from_points([0.6], [1.0]))
    True
    """
    return same_curve(one, other.mirrored(), tolerance=tolerance)


def _follows(one: RocCurve, other: RocCurve, tolerance: float) -> bool:
    """Every vertex of one lies on the other: at its height there, or on an upright step."""
    top = value_at(other.fpr, other.tpr, one.fpr)
    step_start = np.searchsorted(other.fpr, one.fpr - tolerance, side="left")
    step_end = np.searchsorted(other.fpr, one.fpr + tolerance, side="right")
    on_step = step_end > step_start
    bottom = np.where(on_step, other.tpr[np.minimum(step_start, len(other) - 1)], top)
    return bool(np.all((one.tpr <= top + tolerance) & (one.tpr >= np.minimum(bottom, top) - tolerance)))


def _ranks(values: Mapping[str, float], tolerance: float) -> dict[str, int]:
    """1 for the largest; values within the tolerance of each other share the better rank."""
    ordered = sorted(values, key=lambda name: -values[name])
    ranks: dict[str, int] = {}
    for at, name in enumerate(ordered):
        same = at > 0 and values[ordered[at - 1]] - values[name] <= tolerance
        ranks[name] = ranks[ordered[at - 1]] if same else at + 1
    return ranks


def _winner(values: Mapping[str, float], first: str, second: str, tolerance: float) -> str | None:
    gap = values[first] - values[second]
    return None if abs(gap) <= tolerance else first if gap > 0 else second


def _kind(one: RocCurve, two: RocCurve, gap: float, interval: Interval, tolerance: float) -> TieKind | None:
    if abs(gap) <= max(tolerance, SAME):
        if same_curve(one, two):
            return "identical curves"
        return "mirrored curves" if are_mirrored(one, two) else "equal AUC"
    return "AUC within its interval" if 0.0 in interval else None


def _covariance(cases: Cases | None, tallies: Mapping[str, Tally], area: Area) -> AreaCovariance:
    """Of all areas: on the same cases, or on samples that share none."""
    if cases is None:
        return covariance_of_tallies(tallies, area)
    return covariance_of_clusters(cases, area) if cases.clustered else covariance_of_cases(cases, area)


def _with_mirror(cases: Cases | None, tallies: Mapping[str, Tally], area: Area) -> AreaCovariance | Undefined:
    """Of one score and its mirror image, which count the same cases."""
    name, image = tallies
    if area.is_auc:
        return Undefined("a mirror image has the same AUC by definition")
    if cases is not None and cases.clustered:
        return Undefined("subjects with several cases have no variance for a mirror image")
    return covariance_with_mirror(tallies[name], area, names=(name, image))


def _interval(covariance: AreaCovariance | Undefined, i: int, j: int, level: float) -> Interval:
    """Interval of a difference as ``compare`` gives it, or why there is none."""
    if isinstance(covariance, Undefined):
        return Interval(low=covariance, high=covariance, level=level, method="none")
    weights = np.zeros(len(covariance.names))
    weights[i], weights[j] = 1, -1
    return contrast_of(covariance, weights, names=(covariance.names[i], covariance.names[j]), level=level).interval
