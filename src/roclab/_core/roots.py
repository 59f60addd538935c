"""Roots of falling functions of one number: in a few steps with slopes, or by a bracket wherever they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

__all__ = ["Falling", "SmoothFalling", "falling_root", "smooth_root"]

Falling = Callable[[float], tuple[float, float]]  # value and slope
_CLOSE = 1e-9  # relative steps without slopes: the next one would be shorter than its rounding
# With slopes the next step would be about the square of the last two, if the function is smooth between them; a kink
# that lies in the last step is not seen, which bounds it too. A bend does not show in steps that are shorter yet.
_NEAR, _NEAR_TOGETHER, _STRAIGHT = 3e-6, 1e-6, 5e-7


class SmoothFalling(Protocol):
    """Value and slope at a place, in full or roughly."""

    def __call__(self, place: float, roughly: bool = False, /) -> tuple[float, float]: ...


def smooth_root(f: SmoothFalling, known: tuple[float, float, float], start: float) -> float | None:
    """The root of a falling function that is nearly a straight line, or None where the search does not settle.

    Its inverse is taken for a cubic, with the values and slopes of the last two points, at first of ``known`` (place,
    value, slope) and ``start``. The cubic weighs the first of the two by the square of what is left to go, so that
    ``known`` may be approximate, and the start is looked at roughly.
    """
    (before, at_before, slope), place = known, start
    turned, step = 1.0 / slope, abs(start - before)
    for look in range(6):
        value, slope = f(place, not look)
        if not slope < 0.0:
            return None
        turns = 1.0 / slope
        found = place - value * turns
        if abs(found - place) > _STRAIGHT:
            apart = value - at_before
            if apart == 0.0:
                return None
            mean = (place - before) / apart
            rise = (turns - mean) / apart
            bend = (turned + turns - 2.0 * mean) / (apart * apart)
            found += value * value * (rise - bend * at_before)
        last, step = step, abs(found - place)
        if look and step <= _NEAR and step * last <= _NEAR_TOGETHER:
            return found
        if not step < last / 2.0:
            return None
        before, at_before, turned, place = place, value, turns, found
    return None


def falling_root(f: Falling, start: float, stride: float, *, farthest: float) -> float:
    """The root of a falling function within ±farthest, or that end if there is none.

    Bracketed by growing strides, then found by regula falsi after Anderson and Björck; slopes are not looked at.
    """
    left = right = start
    at_left = at_right = f(start)[0]
    while at_left < 0 and left > -farthest:
        right, at_right = left, at_left
        left = max(left - stride, -farthest)
        at_left, stride = f(left)[0], 2 * stride
    while at_right > 0 and right < farthest:
        left, at_left = right, at_right
        right = min(right + stride, farthest)
        at_right, stride = f(right)[0], 2 * stride
    if at_left <= 0:
        return left
    if at_right >= 0:
        return right
    moved, middle = "", left
    for _ in range(100):
        last, middle = middle, right - at_right * (right - left) / (at_right - at_left)
        if min(abs(middle - last), right - left) <= _CLOSE * max(1.0, abs(middle)):
            break
        value = f(middle)[0]
        if value == 0:
            break
        # An end that stays for a second time is weighed down, or it would stay for ever.
        if value > 0:
            if moved == "left":
                at_right *= max(1 - value / at_left, 0.0) or 0.5
            left, at_left, moved = middle, value, "left"
        else:
            if moved == "right":
                at_left *= max(1 - value / at_right, 0.0) or 0.5
            right, at_right, moved = middle, value, "right"
    return middle
