"""Which curve lies above which, where they cross, and which operating points no other beats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from roclab._core.text import format_number, text_table, with_notes
from roclab._core.types import Floats
from roclab.curves.roc import RocCurve
from roclab.results.pictured import Pictured

__all__ = ["Crossing", "Dominance", "FrontPoint", "Lead", "ParetoFront", "dominance_of", "pareto_front_of"]

_SAME = 1e-12  # rates that differ by less are equal
_SHOWN = 30  # rows of a table that are printed


class Lead(NamedTuple):
    """Who is highest from one false positive rate to another; several where curves run together."""

    low: float
    high: float
    leaders: tuple[str, ...]


class Crossing(NamedTuple):
    """Where one of two curves takes the lead from the other."""

    fpr: float
    tpr: float  # where both meet; on a vertical step the lower end of the common piece
    above_before: str
    above_after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dominance(Pictured):
    """Who leads where along the false positive rate, and how every pair of curves lies.

    Attributes
    ----------
    leads : tuple of Lead
        From FPR 0 to 1, which curve is highest.
    crossings : mapping of pairs to tuple of Crossing
        Where the two curves of a pair change places.
    above : mapping of pairs to str
        The curve that is nowhere below the other and somewhere above it, "same" if both are one, else "".
    """

    leads: tuple[Lead, ...]
    crossings: Mapping[tuple[str, str], tuple[Crossing, ...]]
    above: Mapping[tuple[str, str], str]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One row per range of false positive rates."""
        return [{"from FPR": lead.low, "to FPR": lead.high, "highest": " = ".join(lead.leaders)} for lead in self.leads]

    def to_dict(self) -> dict[str, Any]:
        """Ranges, and for each pair who dominates and where the two cross."""
        pairs = [
            {
                "first": pair[0],
                "second": pair[1],
                "dominates": self.above[pair],
                "crossings": [one._asdict() for one in self.crossings[pair]],
            }
            for pair in self.crossings
        ]
        return {"leads": [lead._asdict() | {"leaders": list(lead.leaders)} for lead in self.leads], "pairs": pairs}

    def __str__(self) -> str:
        rows = self.rows()
        lines = [text_table(rows[:_SHOWN])]
        if len(rows) > _SHOWN:
            lines.append(f"… and {len(rows) - _SHOWN} more ranges")
        lines.append("")
        for pair, found in self.crossings.items():
            first, second = pair
            who = self.above[pair]
            if who == "same":
                lines.append(f"{first} and {second} are the same curve")
            elif who:
                lines.append(f"{who} lies nowhere below {second if who == first else first}")
            else:
                shown = ", ".join(f"{format_number(one.fpr)} ({one.above_after} above from there)" for one in found[:6])
                more = f" and {len(found) - 6} more" if len(found) > 6 else ""
                lines.append(f"{first} and {second} cross at FPR {shown}{more}")
        return with_notes("\n".join(lines), self.notes)


class FrontPoint(NamedTuple):
    """A point that no other beats in one rate without losing in the other."""

    classifier: str
    fpr: float
    tpr: float
    threshold: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParetoFront(Pictured):
    """The points that no other point beats: none has a lower or equal FPR and a higher or equal TPR."""

    points: tuple[FrontPoint, ...]
    beaten: Mapping[str, int]  # points of each classifier that others beat
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One row per point of the front, by rising false positive rate."""
        return [
            {
                "classifier": point.classifier,
                "fpr": point.fpr,
                "tpr": point.tpr,
                **({} if point.threshold is None else {"threshold": point.threshold}),
                "youden": point.tpr - point.fpr,
                "distance to (0, 1)": float(np.hypot(point.fpr, 1 - point.tpr)),
            }
            for point in self.points
        ]

    def __str__(self) -> str:
        rows = self.rows()
        lines = [text_table(rows[:_SHOWN])]
        if len(rows) > _SHOWN:
            lines.append(f"… and {len(rows) - _SHOWN} more points")
        own = {name: sum(point.classifier == name for point in self.points) for name in self.beaten}
        lines += ["", *(f"{name}: {own[name]} on the front, {beaten} beaten" for name, beaten in self.beaten.items())]
        return with_notes("\n".join(lines), self.notes)


def dominance_of(curves: Mapping[str, RocCurve]) -> Dominance:
    """Who leads where. O(k² V log V) for k curves with V vertices each.

    Curves are straight between vertices. On a vertical step a curve counts with its upper end, so that a single point
    of the FPR axis gives nobody a range of its own.
    """
    names = list(curves)
    pairs = {pair: _compared(pair, curves[pair[0]], curves[pair[1]]) for pair in combinations(names, 2)}
    cuts = np.unique(
        np.concatenate([*(curve.fpr for curve in curves.values()), *(found[0] for found in pairs.values())])
    )
    middle = (cuts[:-1] + cuts[1:]) / 2
    height = np.vstack([_upper(curves[name], middle) for name in names])
    highest = height >= height.max(axis=0) - _SAME
    others = np.flatnonzero((highest[:, 1:] != highest[:, :-1]).any(axis=0)) + 1  # pieces that others lead
    begin, end = np.append(0, others), np.append(others, middle.size)
    leads = tuple(
        Lead(low, high, tuple(name for name, leads_here in zip(names, who, strict=True) if leads_here))
        for low, high, who in zip(cuts[begin].tolist(), cuts[end].tolist(), highest[:, begin].T.tolist(), strict=True)
    )
    return Dominance(
        leads=leads,
        crossings={pair: found[1] for pair, found in pairs.items()},
        above={pair: found[2] for pair, found in pairs.items()},
    )


def _upper(curve: RocCurve, fpr: Floats) -> Floats:
    """Heights inside the pieces between vertices, where a curve has one height only."""
    return np.interp(fpr, curve.fpr, curve.tpr)


def _compared(pair: tuple[str, str], first: RocCurve, second: RocCurve) -> tuple[Floats, tuple[Crossing, ...], str]:
    """Places where the difference is 0 between vertices, where the curves change places, and who dominates."""
    grid = np.union1d(first.fpr, second.fpr)
    left, right = grid[:-1], grid[1:]
    ends = [_limits(one, left, right) for one in (first, second)]
    start, stop = ends[0][0] - ends[1][0], ends[0][1] - ends[1][1]
    start[np.abs(start) <= _SAME] = 0.0
    stop[np.abs(stop) <= _SAME] = 0.0
    inside = np.flatnonzero(start * stop < 0)
    zero = left[inside] + (right - left)[inside] * start[inside] / (start - stop)[inside]
    # the sign of the difference along the axis, piece by piece, a piece with a zero inside counting twice
    place = np.concatenate([left, zero])
    sign = np.concatenate([np.sign(start + stop), np.sign(stop[inside])])
    sign[inside] = np.sign(start[inside])
    order = np.argsort(place, kind="stable")
    place, sign = place[order], sign[order]
    decided = sign != 0
    place, sign = place[decided], sign[decided]
    if not sign.size:
        return zero, (), "same"
    turns = np.flatnonzero(sign[1:] != sign[:-1]) + 1
    if not turns.size:
        return zero, (), pair[0] if sign[0] > 0 else pair[1]
    heights = np.minimum(*(_step_top(one, place[turns]) for one in (first, second)))
    crossings = tuple(
        Crossing(float(place[at]), float(tpr), pair[int(sign[at - 1] < 0)], pair[int(sign[at] < 0)])
        for at, tpr in zip(turns.tolist(), heights.tolist(), strict=True)
    )
    return zero, crossings, ""


def _limits(curve: RocCurve, left: Floats, right: Floats) -> tuple[Floats, Floats]:
    """Heights of a curve just right of each left end and just left of each right end."""
    after = _step_top(curve, left)
    at = np.searchsorted(curve.fpr, right, side="left")  # the first vertex there is the foot of a step
    known = curve.fpr[np.minimum(at, curve.fpr.size - 1)] == right
    before = np.where(known, curve.tpr[np.minimum(at, curve.fpr.size - 1)], np.interp(right, curve.fpr, curve.tpr))
    return after, before


def _step_top(curve: RocCurve, fpr: Floats) -> Floats:
    at = np.searchsorted(curve.fpr, fpr, side="right") - 1  # the last vertex there is the top of a step
    known = curve.fpr[at] == fpr
    return np.where(known, curve.tpr[at], np.interp(fpr, curve.fpr, curve.tpr))


def pareto_front_of(curves: Mapping[str, RocCurve]) -> ParetoFront:
    """Points of all curves that none beats, O(n log n) for n points; the ends (0, 0) and (1, 1) are nobody's points."""
    owners, fprs, tprs, cuts = [], [], [], []
    for at, curve in enumerate(curves.values()):
        own = ~(((curve.fpr == 0) & (curve.tpr == 0)) | ((curve.fpr == 1) & (curve.tpr == 1)))
        owners.append(np.full(np.count_nonzero(own), at))
        fprs.append(curve.fpr[own])
        tprs.append(curve.tpr[own])
        cuts.append(np.full(curve.fpr.size, np.nan)[own] if curve.thresholds is None else curve.thresholds[own])
    owner, fpr, tpr, cut = (np.concatenate(parts) for parts in (owners, fprs, tprs, cuts))
    order = np.lexsort((owner, -tpr, fpr))
    owner, fpr, tpr, cut = owner[order], fpr[order], tpr[order], cut[order]
    best_before = np.concatenate([[-1.0], np.maximum.accumulate(tpr)[:-1]])
    # a point stays if it is higher than all left of it, or the very same point as the one that is
    keep = tpr > best_before + _SAME
    for at in range(1, fpr.size):
        if (
            not keep[at]
            and keep[at - 1]
            and abs(fpr[at] - fpr[at - 1]) <= _SAME
            and abs(tpr[at] - tpr[at - 1]) <= _SAME
        ):
            keep[at] = owner[at] != owner[at - 1]
    names = list(curves)
    points = tuple(
        FrontPoint(names[int(o)], float(f), float(t), None if np.isnan(c) else float(c))
        for o, f, t, c in zip(owner[keep], fpr[keep], tpr[keep], cut[keep], strict=True)
    )
    beaten = {name: int(np.count_nonzero(~keep & (owner == at))) for at, name in enumerate(names)}
    return ParetoFront(points=points, beaten=beaten)
