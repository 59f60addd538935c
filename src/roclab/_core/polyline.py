"""Broken lines with ascending x: values, integrals and the upper convex hull.

ROC curves stand still in x while they rise, so x may repeat; at such a vertical step the value is the
upper one. Rates are quotients of counts, so a level such as 0.3 may be 3/10 or 0.30000000000000004:
levels within ``SAME`` of each other are the same level.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from roclab._core.types import Array, Bools, Floats, Ints

SAME = 1e-12
_SKETCH = 256


def value_at(x: Floats, y: Floats, at: Floats) -> Floats:
    """Height of the line at each point, the upper one at vertical steps; O(m log n)."""
    left = np.searchsorted(x, at + SAME, side="right") - 1
    left = np.clip(left, 0, x.size - 1)
    right = np.minimum(left + 1, x.size - 1)
    run = x[right] - x[left]
    share = np.divide(at - x[left], run, out=np.zeros_like(run), where=run > 0)
    share[share < 0] = 0.0  # a vertex within SAME to the right of the point counts as the point
    value: Floats = y[left] + np.minimum(share, 1.0) * (y[right] - y[left])
    return value


def first_reach(x: Floats, y: Floats, level: Floats) -> Floats:
    """The smallest x at which a rising line reaches each level; O(m log n)."""
    right = np.clip(np.searchsorted(y, level - SAME, side="left"), 0, y.size - 1)
    left = np.maximum(right - 1, 0)
    rise = y[right] - y[left]
    share = np.divide(level - y[left], rise, out=np.ones_like(rise), where=rise > 0)
    reach: Floats = x[left] + np.clip(share, 0.0, 1.0) * (x[right] - x[left])
    return reach


def bounded(area: float, largest: float) -> float:
    """An area between 0 and the largest that there can be, which a sum of rounded pieces may exceed by its last bit.

    >>> bounded(1.0000000000000002, 1.0), bounded(0.25, 1.0)
    (1.0, 0.25)
    """
    return min(max(area, 0.0), largest)


def trapezoids(x: Floats, y: Floats) -> float:
    """Area under the whole line, exact; O(n)."""
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2)


def integral(x: Floats, y: Floats, low: float, high: float) -> float:
    """Area under the line between two x values, exact; O(n)."""
    inside = (x > low) & (x < high)
    ends = value_at(x, y, np.array([low, high]))
    # Just right of ``low`` the line starts from the upper value, just left of ``high`` it ends at the
    # value before a vertical step; the step itself has no width, so only interior points matter.
    before_high = value_before(x, y, high)
    xs = np.concatenate([[low], x[inside], [high]])
    ys = np.concatenate([ends[:1], y[inside], [before_high]])
    return trapezoids(xs, ys)


def value_before(x: Floats, y: Floats, at: float) -> float:
    """The limit of the height from the left."""
    right = int(np.searchsorted(x, at, side="left"))
    if right == 0:
        return float(y[0])
    right = min(right, x.size - 1)
    run = x[right] - x[right - 1]
    share = (at - x[right - 1]) / run if run > 0 else 1.0
    return float(y[right - 1] + min(share, 1.0) * (y[right] - y[right - 1]))


def upper_hull(x: Array, y: Array, *, tolerance: float = 0.0) -> Ints:
    """Positions of the vertices of the upper convex hull, left to right, collinear points dropped.

    A level-by-level quickhull: every round finds, for each chord of the hull so far, the point farthest
    above it, keeps only the points above the new chords, and so on. O(n log h) for h hull vertices, all in
    NumPy. With integer coordinates the cross products are exact and ``tolerance`` can stay 0.
    """
    hull = np.array([0, x.size - 1])
    if x.size > 16 * _SKETCH:
        # The hull of every so-many-th point: nearly all others lie below it and are gone after one round. Points of
        # the sketch that are no hull vertices are dropped at the end, where they do not bend outwards.
        some = np.linspace(0, x.size - 1, _SKETCH).astype(np.int64)
        hull = some[upper_hull(x[some], y[some], tolerance=tolerance)]
    alive = np.delete(np.arange(x.size), hull)
    while alive.size:
        chord = np.searchsorted(hull, alive, side="right") - 1
        left, right = hull[chord], hull[chord + 1]
        above = (y[alive] - y[left]) * (x[right] - x[left]) - (x[alive] - x[left]) * (y[right] - y[left])
        over = above > tolerance
        alive, chord, above = alive[over], chord[over], above[over]
        if not alive.size:
            break
        starts = np.flatnonzero(np.concatenate([[True], chord[1:] != chord[:-1]]))
        best = np.repeat(np.maximum.reduceat(above, starts), np.diff(np.append(starts, alive.size)))
        # The leftmost of equally far points: a point between two others at the same distance is collinear
        # with them and must not become a vertex.
        farthest = _first_true_per_group(above == best, starts)
        hull = np.sort(np.concatenate([hull, alive[farthest]]))
        alive = np.delete(alive, farthest)
    return _without_straight_vertices(x, y, hull, tolerance)


def _without_straight_vertices(x: Array, y: Array, hull: Ints, tolerance: float) -> Ints:
    """Drop vertices on or below the line between their neighbours; true hull vertices are always above it."""
    while hull.size > 2:
        run, rise = np.diff(x[hull]), np.diff(y[hull])
        turns = rise[:-1] * run[1:] - run[:-1] * rise[1:] > tolerance
        if turns.all():
            break
        hull = hull[np.concatenate([[True], turns, [True]])]
    return hull


def _first_true_per_group(mask: Bools, starts: Ints) -> Ints:
    found = np.flatnonzero(mask)
    return found[np.searchsorted(found, starts)]


def thin_out(x: Floats, y: Floats, count: int) -> tuple[Ints, float]:
    """Positions of at most ``count`` points of a monotone line, and how far the thinned line strays from it.

    Points are spread evenly along |dx| + |dy|, which bounds the error of a line in the unit square by
    2 / (count - 1) before it is measured. The measured error is the largest distance from a dropped point to
    the chord that replaces it. O(n).
    """
    if x.size <= count:
        return np.arange(x.size), 0.0
    walked = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(x)) + np.abs(np.diff(y)))])
    kept = np.searchsorted(walked, np.linspace(0, walked[-1], count))
    kept[-1] = x.size - 1
    kept = np.unique(kept)
    chord = np.repeat(np.arange(kept.size - 1), np.diff(kept))
    left, right = kept[chord], kept[chord + 1]
    points = np.arange(x.size - 1)
    dx, dy = x[right] - x[left], y[right] - y[left]
    length = np.hypot(dx, dy)
    cross = np.abs((y[points] - y[left]) * dx - (x[points] - x[left]) * dy)
    distance = np.divide(cross, length, out=np.zeros_like(cross), where=length > 0)
    return kept, float(distance.max())


def filled_curve(x: Floats, y: Floats, at: Callable[[Floats], Floats], count: int = 201) -> tuple[Floats, Floats]:
    """Vertices of a curve with points between them, where it is bent: ``at`` says its height."""
    grid = np.linspace(0, 1, count)
    between = grid[~np.isin(grid, x)]
    xs = np.concatenate([x, between])
    order = np.argsort(xs, kind="stable")  # vertices of one x keep their order
    return xs[order], np.concatenate([y, at(between)])[order]
