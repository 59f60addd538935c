"""The convex hull over many classifiers: who is optimal for which prevalence and costs.

A point of the joint hull is the cheapest for every slope between those of its two neighbouring segments. Walking
along the hull lists, for all prevalences and costs at once, the classifier to use.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from roclab._core.plain import plain
from roclab._core.polyline import SAME, trapezoids, upper_hull
from roclab._core.text import text_table, with_notes
from roclab._core.types import Floats, Ints
from roclab.curves.hull import RocHull
from roclab.curves.roc import RocCurve, curve_from_points
from roclab.decisions.iso_performance import check_slope, equal_cost_slope, tangent_points
from roclab.errors import InputError, Words, named
from roclab.names import ALL_NEGATIVE, ALL_POSITIVE
from roclab.results import Result
from roclab.results.pictured import Pictured

__all__ = ["HullChange", "HullRange", "HullTable", "HullVertex", "HullVertices", "hull_table"]

Points: TypeAlias = RocCurve | Iterable[Any]
SKETCH = 256  # vertices of each curve in the first sketch of the joint hull


class RocPoint(NamedTuple):
    """A point of ROC space."""

    fpr: float
    tpr: float


@dataclass(frozen=True, slots=True, kw_only=True)
class HullVertex(Result):
    """A vertex of the joint hull: a classifier at one of its thresholds, and the slopes for which it is optimal."""

    classifier: str
    fpr: float
    tpr: float
    threshold: float | None
    max_slope: float
    min_slope: float

    def rows(self) -> list[dict[str, Any]]:
        """One row."""
        return [
            {
                "method": self.classifier,
                "max slope": self.max_slope,
                "min slope": self.min_slope,
                "fpr": self.fpr,
                "tpr": self.tpr,
                "threshold": self.threshold,
            }
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class HullRange:
    """A classifier and the slopes for which it is optimal with one of its thresholds."""

    classifier: str
    max_slope: float
    min_slope: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HullVertices(Result):
    """The joint hull, vertex by vertex."""

    vertices: tuple[HullVertex, ...]
    area: float

    def rows(self) -> list[dict[str, Any]]:
        """One row per vertex, by rising false positive rate."""
        return [row for vertex in self.vertices for row in vertex.rows()]

    def __str__(self) -> str:
        return f"{text_table(self.rows())}\n\narea under the joint hull {self.area:.4f}"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HullTable(Pictured):
    """The joint hull of several classifiers, from (0, 0) to (1, 1)."""

    vertices: tuple[HullVertex, ...]  # by rising false positive rate, so by falling slope; both trivial ones included
    ranges: tuple[HullRange, ...]  # by rising slope; neighbouring vertices of one classifier are joined
    area: float
    _curves: Mapping[str, RocCurve]
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Vertices, ranges, area, and the curves of all classifiers."""
        return Result.to_dict(self) | {"curves": plain(self._curves)}

    @classmethod
    def _fields_of(cls, data: Mapping[str, Any]) -> dict[str, Any]:
        """The curves have a name of their own in the dictionary."""
        return {**data, "_curves": data["curves"]}

    @property
    def classifiers(self) -> tuple[str, ...]:
        """Names of all classifiers, on the hull or not."""
        return tuple(self._curves)

    @property
    def curves(self) -> Mapping[str, RocCurve]:
        """The curves of all classifiers."""
        return self._curves

    @property
    def hull(self) -> RocHull:
        """The hull as a curve; ``positions`` count its own vertices."""
        fpr, tpr = (np.array([getattr(vertex, name) for vertex in self.vertices]) for name in ("fpr", "tpr"))
        return RocHull(fpr=fpr, tpr=tpr, thresholds=None, positions=np.arange(fpr.size))

    def points_of(self, name: str) -> list[RocPoint]:
        """The points of one classifier between (0, 0) and (1, 1), on the hull or not."""
        curve = self._curves[name]
        return [RocPoint(fpr, tpr) for fpr, tpr in zip(curve.fpr[1:-1].tolist(), curve.tpr[1:-1].tolist(), strict=True)]

    def vertex_table(self) -> HullVertices:
        """The hull vertex by vertex, with the threshold of each."""
        return HullVertices(vertices=self.vertices, area=self.area)

    def at_slope(self, slope: float) -> tuple[HullVertex, ...]:
        """The optimal vertices for a slope, the lowest fpr first; two where a segment of the hull has that slope."""
        slope = check_slope(slope)
        if math.isinf(slope):
            return self.vertices[1:2] if self.vertices[1].fpr <= SAME else self.vertices[:1]
        touched = tangent_points(self.hull, slope).positions
        return tuple(self.vertices[at] for at in touched)

    def optimal(self, *, prevalence: float, **worth: float) -> HullVertex:
        """The classifier and threshold of lowest expected cost; of equals the lowest false positive rate.

        ``worth`` are cost_fp, cost_fn, benefit_tp and benefit_tn, as in ``equal_cost_slope``.
        """
        return self.at_slope(equal_cost_slope(prevalence=prevalence, **worth))[0]

    def between(self, low: float, high: float) -> tuple[HullRange, ...]:
        """Who is optimal within a range of slopes, ascending, cut off at its ends."""
        low, high = check_slope(low, "low"), check_slope(high, "high")
        if low > high:
            raise InputError(
                "low",
                f"must not exceed {named('high')}",
                Words(f"{low:g} and {high:g}"),
                "give the smaller slope first",
            )
        out = []
        for one in self.ranges:
            bottom, top = max(one.min_slope, low), min(one.max_slope, high)
            if top > bottom or (low == high and bottom == top):
                out.append(HullRange(classifier=one.classifier, max_slope=top, min_slope=bottom))
        return tuple(out)

    def for_prevalences(self, low: float, high: float, **worth: float) -> tuple[HullRange, ...]:
        """Who is optimal within a range of prevalences, by ascending slope (falling prevalence).

        ``worth`` are cost_fp, cost_fn, benefit_tp and benefit_tn, as in ``equal_cost_slope``.
        """
        steep = equal_cost_slope(prevalence=low, **worth)
        flat = equal_cost_slope(prevalence=high, **worth)
        if low > high:
            raise InputError(
                "low",
                f"must not exceed {named('high')}",
                Words(f"{low:g} and {high:g}"),
                "give the smaller prevalence first",
            )
        return self.between(flat, steep)

    def adding(self, name: str, points: Points) -> HullChange:
        """What a new classifier would change."""
        if name in self._curves:
            raise InputError(
                "name", "must be new", Words(f"{name!r}, which the table already holds"), "choose another name"
            )
        return HullChange(name=name, before=self, after=hull_table({**self._curves, name: points}))

    def rows(self) -> list[dict[str, Any]]:
        """One row per classifier and range of slopes, as in the classical table: method, max slope, min slope."""
        return [
            {"method": one.classifier, "max slope": one.max_slope, "min slope": one.min_slope} for one in self.ranges
        ]

    def __str__(self) -> str:
        never = sorted(set(self._curves) - {vertex.classifier for vertex in self.vertices})
        lines = [text_table(self.rows()), "", f"area under the joint hull {self.area:.4f}"]
        if never:
            lines.append(f"never optimal: {', '.join(never)}")
        return with_notes("\n".join(lines), self.notes)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HullChange(Result):
    """The joint hull before and after a classifier joined."""

    name: str
    before: HullTable
    after: HullTable
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Both tables with their curves."""
        return Result.to_dict(self) | {"before": self.before.to_dict(), "after": self.after.to_dict()}

    @property
    def area_gained(self) -> float:
        """Growth of the area under the joint hull."""
        return self.after.area - self.before.area

    @property
    def optimal_on(self) -> tuple[HullRange, ...]:
        """Slopes for which the new classifier is optimal; empty when it changes nothing."""
        return tuple(one for one in self.after.ranges if one.classifier == self.name)

    @property
    def displaced(self) -> tuple[str, ...]:
        """Classifiers that were optimal somewhere and are so no longer."""
        left = {one.classifier for one in self.after.ranges}
        return tuple(dict.fromkeys(one.classifier for one in self.before.ranges if one.classifier not in left))

    def rows(self) -> list[dict[str, Any]]:
        """The rows of both tables."""
        return [{"": "before", **row} for row in self.before.rows()] + [
            {"": "after", **row} for row in self.after.rows()
        ]

    def __str__(self) -> str:
        if not self.optimal_on:
            summary = f"{self.name} is optimal for no prevalence and costs; the hull stays as it is\n\n{self.before}"
            return with_notes(summary, self.notes)
        ranges = ", ".join(f"{one.min_slope:.4g} to {one.max_slope:.4g}" for one in self.optimal_on)
        lines = [f"{self.name} is optimal for slopes {ranges}; the hull gains {self.area_gained:.4f}"]
        if self.displaced:
            lines.append(f"no longer optimal: {', '.join(self.displaced)}")
        return with_notes("\n".join([*lines, "", text_table(self.rows())]), self.notes)


def hull_table(classifiers: Mapping[str, Points]) -> HullTable:
    r"""The joint ROC convex hull of several classifiers and who is optimal on which slopes [1]_.

    A vertex is optimal for all slopes :math:`m = (1-\pi) c_{FP} / (\pi c_{FN})` from that of the hull segment on its
    right to that of the segment on its left.

    Parameters
    ----------
    classifiers : mapping of names to curves or points
        A :class:`~roclab.curves.roc.RocCurve` for a score; pairs (fpr, tpr) for discrete classifiers.

    Returns
    -------
    HullTable

    Notes
    -----
    The points (0, 0) and (1, 1) belong to the rules "AllNeg" and "AllPos", which appear in the table only with a range
    of slopes of their own. A point that several classifiers share goes to the alphabetically first. Points on a hull
    segment between two vertices are left out; levels within 1e-12 are the same. A sketch of the hull from a few
    vertices of each curve first removes all points below it, so that the whole costs O(n) for n points in total.

    References
    ----------
    .. [1] Provost F, Fawcett T. Robust classification for imprecise environments. Machine Learning 2001;42:203-231.
       doi:10.1023/A:1007601015854

    Examples
    --------
    >>> print(hull_table({"a": [(0.1, 0.5)], "b": [(0.4, 0.8)], "c": [(0.3, 0.4)]}))
    method  max slope  min slope
    AllPos     0.3333     0.0000
    b          1.0000     0.3333
    a          5.0000     1.0000
    AllNeg        inf     5.0000
    <BLANKLINE>
    area under the joint hull 0.7600
    never optimal: c
    """
    if not isinstance(classifiers, Mapping) or not classifiers:
        raise InputError(
            "classifiers", "must map names to curves or points", classifiers, 'write {"a": curve, "b": [(0.1, 0.6)]}'
        )
    taken = [name for name in classifiers if name in (ALL_NEGATIVE, ALL_POSITIVE)]
    if taken:
        raise InputError(
            "", f"{taken[0]!r} is the name of a trivial rule", Words("it for a classifier"), "rename the classifier"
        )
    curves = {str(name): _as_curve(str(name), points) for name, points in classifiers.items()}
    fpr, tpr, owner, place = _above_sketch(curves)
    chain = upper_hull(fpr, tpr, tolerance=SAME)
    names = sorted(curves)
    vertices = []
    slopes = [math.inf, *_slopes(fpr[chain], tpr[chain]), 0.0]
    for at, where in enumerate(chain):
        point = float(fpr[where]), float(tpr[where])
        name, threshold = _owner(point, where, names, curves, owner, place, fpr, tpr)
        vertices.append(
            HullVertex(
                classifier=name,
                fpr=point[0],
                tpr=point[1],
                threshold=threshold,
                max_slope=slopes[at],
                min_slope=slopes[at + 1],
            )
        )
    x, y = fpr[chain], tpr[chain]
    area = trapezoids(x, y)
    return HullTable(vertices=tuple(vertices), ranges=_joined(vertices), area=area, _curves=curves)


def _as_curve(name: str, points: Points) -> RocCurve:
    if isinstance(points, RocCurve):
        return points
    array = np.asarray(list(points), dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != 2:
        raise InputError(
            "",
            f"classifier {name!r} must be a ROC curve or pairs (fpr, tpr)",
            Words(f"an array of shape {array.shape}"),
            "write [(0.1, 0.6), (0.3, 0.8)]",
        )
    return curve_from_points(array[:, 0], array[:, 1])


def _above_sketch(curves: Mapping[str, RocCurve]) -> tuple[Floats, Floats, Ints, Ints]:
    """Points of all curves on or above a sketch of their hull, sorted, with the number of the curve and the place."""
    sketch_x, sketch_y = [0.0, 1.0], [0.0, 1.0]
    for curve in curves.values():
        some = np.unique(np.linspace(0, len(curve) - 1, SKETCH).astype(np.int64))
        sketch_x.extend(curve.fpr[some])
        sketch_y.extend(curve.tpr[some])
    x, y = np.array(sketch_x), np.array(sketch_y)
    order = np.lexsort((y, x))
    x, y = x[order], y[order]
    chain = upper_hull(x, y, tolerance=SAME)
    x, y = x[chain], y[chain]
    first = int(np.searchsorted(x, SAME, side="right")) - 1  # above fpr = 0 the upper end of an upright start counts
    x, y = x[first:], y[first:]
    kept: list[tuple[Floats, Floats, Ints, Ints]] = [
        (np.array([0.0, 1.0]), np.array([0.0, 1.0]), np.array([-1, -1]), np.array([0, 0]))
    ]
    for number, name in enumerate(sorted(curves)):
        curve = curves[name]
        above = np.flatnonzero(curve.tpr >= np.interp(curve.fpr, x, y) - SAME)
        kept.append((curve.fpr[above], curve.tpr[above], np.full(above.size, number), above))
    fpr, tpr, owner, place = (np.concatenate(column) for column in zip(*kept, strict=True))
    order = np.lexsort((owner, tpr, fpr))
    return fpr[order], tpr[order], owner[order], place[order]


def _slopes(x: Floats, y: Floats) -> list[float]:
    run, rise = np.diff(x), np.diff(y)
    slopes: list[float] = np.divide(rise, run, out=np.full_like(rise, np.inf), where=run > 0).tolist()
    return slopes


def _owner(
    point: tuple[float, float],
    where: int,
    names: list[str],
    curves: Mapping[str, RocCurve],
    owner: Ints,
    place: Ints,
    fpr: Floats,
    tpr: Floats,
) -> tuple[str, float | None]:
    """The alphabetically first classifier with a vertex at the point, and its threshold there."""
    for corner, rule, threshold in ((0.0, ALL_NEGATIVE, math.inf), (1.0, ALL_POSITIVE, -math.inf)):
        if abs(point[0] - corner) <= SAME and abs(point[1] - corner) <= SAME:
            return rule, threshold
    left, right = np.searchsorted(fpr, [point[0] - SAME, point[0] + SAME], side="left")
    near = np.arange(left, max(right, where + 1))
    near = near[(np.abs(tpr[near] - point[1]) <= SAME) & (owner[near] >= 0)]
    chosen = near[np.argmin(owner[near])]
    name = names[owner[chosen]]
    thresholds = curves[name].thresholds
    return name, None if thresholds is None else float(thresholds[place[chosen]])


def _joined(vertices: list[HullVertex]) -> tuple[HullRange, ...]:
    """Ranges in ascending slope; those without length are dropped, neighbours of one classifier joined."""
    out: list[HullRange] = []
    for vertex in reversed(vertices):
        if not vertex.max_slope > vertex.min_slope:
            continue
        low = vertex.min_slope
        if out and out[-1].classifier == vertex.classifier:
            low = out.pop().min_slope
        out.append(HullRange(classifier=vertex.classifier, max_slope=vertex.max_slope, min_slope=low))
    return tuple(out)
