"""Score intervals of many areas at once: ``score.py`` on arrays, for groups by the thousand.

The formulas are those of ``score.py``, whose docstring explains them; only the root search is another one, because
single roots may stop when they are found and arrays go on together: bracketed regula falsi after Illinois.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
from scipy.special import ndtr, ndtri, owens_t

from roclab._core.blocks import blocks
from roclab._core.types import Array, Bools, Floats
from roclab._core.work import in_order
from roclab.inference.one_area.intervals import deviate

__all__ = ["score_intervals"]

_ROUNDING = 1e-30
_LESS = 1 - 1e-9
_FARTHEST = 37.0
_STEPS = 60
_CLOSE = 1e-10  # of the last step on the probit scale; the one before it was about the square root of that


def score_intervals(
    area: Floats, spread10: Floats, spread01: Floats, *, n_pos: Floats, n_neg: Floats, level: float
) -> tuple[Floats, Floats]:
    """Two-sided limits of each area, equal to ``score_interval`` up to the last few roundings; O(k) for k areas.

    Areas that are NaN have NaN limits. They are found block by block, two at a time: a block stays in cache, and the
    hardest area of all keeps only its own block searching.
    """

    def limits_of(part: slice) -> tuple[Floats, Floats]:
        columns = (area[part], spread10[part], spread01[part])
        return _block_limits(*columns, n_pos=n_pos[part], n_neg=n_neg[part], level=level)

    parts = list(blocks(area.size))
    if len(parts) < 2:
        return limits_of(slice(None))
    found = list(in_order(limits_of, parts, workers=2))
    return np.concatenate([low for low, _ in found]), np.concatenate([high for _, high in found])


def _block_limits(
    area: Floats, spread10: Floats, spread01: Floats, *, n_pos: Floats, n_neg: Floats, level: float
) -> tuple[Floats, Floats]:
    z = deviate(level, "two-sided")
    known = ~np.isnan(area)
    low, high = np.full(area.size, np.nan), np.full(area.size, np.nan)
    fitted = _Variances.fitted(area[known], spread10[known], spread01[known], n_pos[known], n_neg[known])
    low[known], high[known] = _limits(fitted, z), _limits(fitted, -z)
    # No sample has a better limit than a perfect one of its size; Wilson's bound lies below that, so few are looked at.
    farthest = np.minimum(n_pos, n_neg) / (np.minimum(n_pos, n_neg) + z * z)
    with np.errstate(invalid="ignore"):
        near = np.flatnonzero((low > farthest) | (high < 1 - farthest))
    if near.size:
        none = np.zeros(near.size)
        best = _limits(_Variances.fitted(none + 1, none, none, n_pos[near], n_neg[near]), z)
        low[near], high[near] = np.minimum(low[near], best), np.maximum(high[near], 1 - best)
    return low, high


@dataclass(frozen=True, slots=True)
class _Variances:
    """Variance functions of k areas, all on the side where the area is at least one half."""

    area: Floats
    miss: Floats
    share10: Floats
    share01: Floats
    seen10: Floats
    seen01: Floats
    n_pos: Floats
    n_neg: Floats

    @classmethod
    def fitted(cls, area: Floats, spread10: Floats, spread01: Floats, n_pos: Floats, n_neg: Floats) -> _Variances:
        miss = np.minimum(area, 1 - area)
        one_pair = np.minimum(1 / (n_pos * n_neg), 0.5)
        perfect = miss < _LESS * one_pair
        at = np.where(perfect, one_pair, miss)
        h = -ndtri(at)
        largest = at * (1 - at)
        with np.errstate(invalid="ignore"):
            constant = ~((spread10 > _ROUNDING) | (spread01 > _ROUNDING))
        equal = _spread_at(h, largest, np.full(h.size, 0.5))
        found: list[Floats] = []
        for spread, own, other in ((spread10, n_pos, n_neg), (spread01, n_neg, n_pos)):
            unknown = ~perfect & (constant | np.isnan(spread))
            used = np.where(perfect, at / other, np.where(unknown, 0.0, spread))
            share = np.where(unknown, 0.5, np.where(used > _ROUNDING, _share_of(h, largest, used), 0.0))
            seen = np.where(unknown, 0.0, own * at**2 / (at**2 + np.maximum(used, equal)))
            found += [share, seen]
        return cls(area, miss, found[0], found[2], found[1], found[3], n_pos, n_neg)

    def only(self, rows: Array) -> _Variances:
        return _Variances(*(getattr(self, field.name)[rows] for field in fields(self)))

    def at_probit(self, h: Floats, tail: Floats, misplaced: Floats) -> Floats:
        largest = tail * (1 - tail)
        expected = 5 * misplaced**4
        total = np.zeros(h.size)
        for share, seen, own, other in (
            (self.share10, self.seen10, self.n_pos, self.n_neg),
            (self.share01, self.seen01, self.n_neg, self.n_pos),
        ):
            cautious = 1 - misplaced * np.minimum(1.0, own / other)
            drawn = share + np.maximum(cautious - share, 0) / (1 + np.maximum(seen, expected * (own - 1)))
            total += _spread_at(h, largest, drawn) / own
        return np.minimum(total, largest / np.minimum(self.n_pos, self.n_neg))


def _spread_at(h: Floats, largest: Floats, share: Floats) -> Floats:
    found: Floats = np.maximum(largest - 2 * owens_t(h, np.sqrt((1 - share) / (1 + share))), 0.0)
    return found


def _share_of(h: Floats, largest: Floats, spread: Floats) -> Floats:
    """Newton's method on Owen's second argument; see ``score._share_of``."""
    wanted = (largest - spread) / 2
    a = np.tan(np.pi / 4 * (1 - np.minimum(spread / largest, 1)))
    for _ in range(50):
        slope = np.exp(-h * h * (1 + a * a) / 2) / (2 * np.pi * (1 + a * a))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            step = (wanted - owens_t(h, a)) / slope
        moved = np.clip(a + step, 0.0, 1.0)
        moved = np.where(np.isfinite(moved), moved, a)
        done = np.abs(moved - a).max(initial=0) < 1e-14
        a = moved
        if done:
            break
    return np.where(wanted <= 0, 1.0, (1 - a) * (1 + a) / (1 + a * a))


def _limits(variance: _Variances, wanted: float) -> Floats:
    """The areas at which (A - t) / √v(t) has the wanted value."""
    below = variance.area < 0.5
    h = _roots(variance, np.where(below, -wanted, wanted))
    return np.where(below, ndtr(-h), ndtr(h))


def _roots(variance: _Variances, wanted: Floats) -> Floats:
    """Φ⁻¹ of the limits, all turned to areas of at least one half; those that are found leave the search."""
    roots = np.where((variance.miss == 0) & (wanted <= 0), np.inf, np.nan)
    places = np.flatnonzero(np.isnan(roots))
    search = _Search.begun(variance.only(places), wanted[places])
    for _ in range(_STEPS):
        if not places.size:
            break
        middle, close = search.step()
        roots[places] = middle
        if 4 * np.count_nonzero(close) >= places.size:
            places, search = places[~close], search.only(~close)
    return roots


@dataclass(slots=True)
class _Search:
    """Brackets of falling functions and their values there."""

    variance: _Variances
    wanted: Floats
    left: Floats
    right: Floats
    at_left: Floats
    at_right: Floats
    last: Floats  # +1 where the left end moved last, -1 where the right end did

    @classmethod
    def begun(cls, variance: _Variances, wanted: Floats) -> _Search:
        nothing = np.zeros(wanted.size)
        search = cls(variance, wanted, nothing, nothing, nothing, nothing, nothing)
        perfect = variance.miss == 0
        centre = np.where(perfect, 3.0, -ndtri(np.where(perfect, 0.5, variance.miss)))
        search.left, search.right = _bracket(search.excess, centre)
        search.at_left, search.at_right = search.excess(search.left), search.excess(search.right)
        return search

    def only(self, rows: Bools) -> _Search:
        return _Search(
            self.variance.only(rows), self.wanted[rows], self.left[rows], self.right[rows], self.at_left[rows],
            self.at_right[rows], self.last[rows],
        )  # fmt: skip

    def excess(self, h: Floats) -> Floats:
        below = ndtr(-h)
        tail = np.minimum(below, ndtr(h))
        beyond = np.minimum(0.5, tail + 1 - 2 * self.variance.miss)
        misplaced = np.where(below < 0.5, below, beyond)
        square = self.variance.at_probit(h, tail, misplaced)
        found: Floats = (below - self.variance.miss) / np.sqrt(np.maximum(square, 1e-300)) - self.wanted
        return found

    def step(self) -> tuple[Floats, Bools]:
        """One step of all, and which of them are as close as they need to be."""
        with np.errstate(divide="ignore", invalid="ignore"):
            middle = self.right - self.at_right * (self.right - self.left) / (self.at_right - self.at_left)
        middle = np.where(np.isfinite(middle), middle, (self.left + self.right) / 2)
        value = self.excess(middle)
        up = value > 0
        moved = np.where(up, middle - self.left, self.right - middle)
        # An end that stays for a second time is weighed down, or it would stay for ever.
        at_right = np.where(up & (self.last > 0), self.at_right / 2, self.at_right)
        at_left = np.where(~up & (self.last < 0), self.at_left / 2, self.at_left)
        self.left, self.at_left = np.where(up, middle, self.left), np.where(up, value, at_left)
        self.right, self.at_right = np.where(up, self.right, middle), np.where(up, at_right, value)
        self.last = np.where(up, 1.0, -1.0)
        return middle, np.minimum(moved, self.right - self.left) <= _CLOSE * np.maximum(1.0, np.abs(middle))


def _bracket(excess: Callable[[Floats], Floats], centre: Floats) -> tuple[Floats, Floats]:
    left, right = centre - 0.5, centre + 0.5
    stride = 0.5
    for _ in range(12):
        low: Bools = excess(left) < 0
        high: Bools = excess(right) > 0
        if not low.any() and not high.any():
            break
        stride *= 2
        left = np.where(low, np.maximum(left - stride, -_FARTHEST), left)
        right = np.where(high, np.minimum(right + stride, _FARTHEST), right)
    return left, right
